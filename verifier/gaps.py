"""What may stand differently between two letters or digits of the same words.

The rules err on the side of no: a digit, a sign, a bracket, a decimal mark, a percent or currency
sign is never dropped, added or moved, and no space appears or vanishes between digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grounding.text import BULLETS, Fold

_SPACE = re.compile(r"\s+")
_BULLET = re.compile(f"[{BULLETS}]")
_DOTS = "\u00b7\u2219\u22c5\u30fb"
"""Marks of list items that are also signs of multiplication, or stand inside words."""
_SHORTENED = re.compile(r"[^stST]")
"""What follows an apostrophe of "we're", "she'll", "I'd": without it they are other words."""
_PARTS_NUMBERS = re.compile(r"[$€£¥%()]")
"""Marks that part two numbers whether or not spaces stand beside them."""
_LOSABLE = re.compile(
    "[\u2018\u2019\u201a-\u201f\u2022\u2026\u2122\u00ae\u00a9\u00ab\u00bb\u2039\u203a\u00b7\u25aa\u25cf]"
)
"""Characters outside ASCII that an extractor may lose without a change of meaning: quotation
marks, the ellipsis, trade mark signs."""
_SIGNS = re.compile("[\u2122\u00ae\u00a9]")
_LONG_DASH = re.compile("[\u2012-\u2015]")


@dataclass(frozen=True, slots=True)
class Gap:
    """Two gaps at the same place of the same letters: folded texts of claim and source, the
    source's raw text, the characters on both sides, and whether a line ends in the source."""

    claim: str
    source: str
    raw: str
    left: str
    right: str
    line_end: bool

    @property
    def between_digits(self) -> bool:
        return self.left.isdigit() and self.right.isdigit()

    @property
    def between_letters(self) -> bool:
        return self.left.isalpha() and self.right.isalpha()


def allowed_difference(gap: Gap) -> tuple[Fold, ...] | None:
    """The folds that explain why two gaps differ; None when nothing allowed does."""
    bare_source = _SPACE.sub("", gap.source)
    if gap.line_end and gap.between_letters and bare_source in ("", "-"):
        return _broken_word(gap)
    claim, source, raw, needed = gap.claim, gap.source, gap.raw, []
    if not gap.between_digits:
        claim, source, dropped = _without_bullets(claim, source, raw)
        needed += [Fold.BULLETS] * dropped
        source, dropped = _without_lost(claim, source, raw, gap)
        needed += [Fold.MISSING_CHARACTER] * dropped
    if claim == source:
        return tuple(needed)
    if _spaced_alike(claim, source, gap):
        return (*needed, Fold.SPACING)
    return None


def _broken_word(gap: Gap) -> tuple[Fold, ...] | None:
    """A hyphen at a line's end kept, or dropped inside a word: the A of "A-" / "B" is a word of its
    own. "reser voir" has neither the hyphen nor the word that was broken."""
    inside = gap.left.islower() or gap.right.islower()
    if gap.claim.strip() == "-" or (gap.claim == "" and inside):
        return (Fold.LINE_END_HYPHEN,)
    return None


def _without_bullets(claim: str, source: str, raw: str) -> tuple[str, str, bool]:
    """Both without the marks of list items, which one side may lack or draw in another way. A dot
    in the middle of a line multiplies: it is a list mark only where a line begins."""
    if "\n" not in raw and any(dot in claim + source + raw for dot in _DOTS):
        return claim, source, False
    ours, theirs = _BULLET.sub("", claim), _BULLET.sub("", source)
    if (ours, theirs) == (claim, source) or _bullets(claim) == _bullets(source):
        return claim, source, False
    return _single(ours), _single(theirs), True


def _bullets(text: str) -> list[str]:
    return _BULLET.findall(text)


def _single(text: str) -> str:
    return _SPACE.sub(" ", text)


def _without_lost(claim: str, source: str, raw: str, gap: Gap) -> tuple[str, bool]:
    """The source's gap without characters outside ASCII that mean nothing and that the claim lacks
    altogether. A dash between words is one of them, a dash beside a digit may be a sign."""
    lost = _LOSABLE.search(raw) is not None
    inside = gap.between_letters and not source.strip("'") and _SHORTENED.match(gap.right)
    marks = "\"'" if lost and not gap.left.isdigit() and not inside else ""
    if _LONG_DASH.search(raw) and gap.between_letters and " " in raw.strip("\u2012-\u2015"):
        marks += "-"
    if "\u2026" in raw:
        marks += "."
    kept = source
    for mark in marks:
        if mark in kept and mark not in claim:
            kept = kept.replace(mark, "")
    if kept == source:
        # A trade mark sign has no place in the skeleton's folded text but beside it.
        kept = _SIGNS.sub("", source)
        if kept == source or _SIGNS.search(claim):
            return source, False
    kept = _single(kept)
    if claim and not claim.isspace() and not claim.endswith(" "):
        kept = kept.rstrip(" ") if not source.endswith(" ") else kept
    return kept, True


def _spaced_alike(claim: str, source: str, gap: Gap) -> bool:
    """Whether two gaps differ in spaces alone, and in none that tells two numbers from one."""
    ours, theirs = _SPACE.sub("", claim), _SPACE.sub("", source)
    if ours != theirs:
        return False
    if gap.between_digits:
        if not ours:
            return False
        both_part = " " in claim and " " in source and ours in (",", ";", ":")
        return both_part or _PARTS_NUMBERS.search(ours) is not None
    if ours == "-" and (" " in claim) != (" " in source):
        # "re - signed" is not "re-signed", but a long dash stands with spaces or without.
        return gap.between_letters and _LONG_DASH.search(gap.raw) is not None
    return True
