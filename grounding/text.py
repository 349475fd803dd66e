"""Comparison of text without losing the original.

A fold turns what typesetting and extraction do to the same words into one form, and keeps a map
from every folded offset back to the raw one. What is stored, hashed and shown is always the raw
text. Folds never touch digits, signs, letters' identity or case, word order, or punctuation that
carries meaning; in particular this is not NFKC, under which a raised footnote mark would become a
digit.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Final

FOLD_PROFILE: Final = "pagewitness-text-1"
"""Name of this table of folds; part of the configuration's hash."""


class Fold(StrEnum):
    """Each fold by the name under which a report lists it when it was needed."""

    WHITESPACE = "whitespace"
    """Any run of white space equals one space."""
    LINE_END_HYPHEN = "line_end_hyphen"
    """A hyphen at a line's end may have been put in by typesetting (dropped) or not (kept)."""
    SOFT_HYPHENS = "soft_hyphens"
    """U+00AD, and U+0002 and U+FFFE, which extractors put where a line-end hyphen was."""
    ZERO_WIDTH = "zero_width"
    """Zero-width spaces and joiners, direction marks, byte order mark, control characters."""
    LIGATURES = "ligatures"
    """U+FB00–FB06. œ and æ are letters and stay."""
    QUOTES = "quotes"
    """Curly, low, angle and prime marks equal straight ones."""
    DASHES = "dashes"
    """Hyphens, dashes of every length and the minus sign equal U+002D."""
    ELLIPSIS = "ellipsis"
    """U+2026 equals three full stops."""
    FULL_WIDTH = "full_width"
    """U+FF01–FF5E equal ASCII."""
    COMPATIBILITY = "compatibility"
    """Mathematical letters and digits equal plain ones, radicals their characters, half-width kana
    the wide ones, by an explicit table; raised and circled digits are none of them."""
    PRESENTATION_FORMS = "presentation_forms"
    """Arabic letters as they are joined (U+FB50–FDFF, U+FE70–FEFC) equal the letters."""
    COMPOSITION = "composition"
    """A letter followed by combining marks equals its precomposed form."""
    HAN_SPACING = "han_spacing"
    """White space between Han or kana characters is dropped."""
    FOOTNOTE_MARKERS = "footnote_markers"
    """A raised footnote marker that stands in the source is left out."""
    SPACING = "spacing"
    """Spaces that one side has and the other lacks: beside marks, and where an extractor broke or
    joined words; never between digits, and never where both readings are words."""
    BULLETS = "bullets"
    """Marks of list items that one side lacks or draws in another way."""
    MISSING_CHARACTER = "missing_character"
    """Characters outside ASCII without meaning of their own that an extractor lost: quotation
    marks, dashes between words, trade mark signs."""
    DOUBLED_GLYPHS = "doubled_glyphs"
    """Every letter of a word twice, as extractors read overprinted type."""
    MARKDOWN = "markdown"
    """Emphasis and other marks of Markdown that the claim puts around the words."""
    QUOTATION_MARKS = "quotation_marks"
    """Quotation marks that the claim puts around the whole."""
    OMISSION_MARKS = "omission_marks"
    """An ellipsis before or after the whole: that something is left out there changes nothing."""
    FINAL_STOP = "final_stop"
    """A full stop that the claim puts at the end."""
    FIRST_LETTER_CASE = "first_letter_case"
    """The case of the very first letter, which a sentence of its own changes."""
    ELLIPSIS_GAP = "ellipsis_gap"
    """An ellipsis inside, for a few words of the source without number, negation or condition."""
    BRACKETED_CHANGE = "bracketed_change"
    """A first letter changed in brackets: [T]he."""


FOLD_GROUPS: dict[str, tuple[Fold, ...]] = {
    "typography": (
        Fold.LIGATURES, Fold.QUOTES, Fold.DASHES, Fold.ELLIPSIS, Fold.FULL_WIDTH,
        Fold.COMPATIBILITY, Fold.PRESENTATION_FORMS, Fold.COMPOSITION,
    ),
    "layout": (
        Fold.WHITESPACE, Fold.LINE_END_HYPHEN, Fold.SOFT_HYPHENS, Fold.HAN_SPACING,
        Fold.FOOTNOTE_MARKERS, Fold.BULLETS,
    ),
    "extraction": (
        Fold.ZERO_WIDTH, Fold.SPACING, Fold.MISSING_CHARACTER, Fold.DOUBLED_GLYPHS,
    ),
    "editorial": (
        Fold.MARKDOWN, Fold.QUOTATION_MARKS, Fold.OMISSION_MARKS, Fold.FINAL_STOP,
        Fold.FIRST_LETTER_CASE, Fold.ELLIPSIS_GAP, Fold.BRACKETED_CHANGE,
    ),
}  # fmt: skip
"""Where a difference comes from: how type is set, how a page is laid out, how text was extracted,
how a writer adapts a quote."""


def fold_groups(folds: Iterable[Fold]) -> list[str]:
    """The groups of some folds, in the order of FOLD_GROUPS."""
    needed = set(folds)
    return [group for group, members in FOLD_GROUPS.items() if needed.intersection(members)]


BULLETS: Final = (
    "\u2022\u2023\u2043\u25aa\u25ab\u25a0\u25a1\u25cf\u25cb\u25e6\u00b7\u27a2\uf0b7\uf0a7\uf0d8"
)
"""Marks of list items; the last three are those of symbol fonts."""


_HAN = "\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_FIRST_HAN = "\u2e80"
_SOFT = "\u00ad\ufffe\u0002"
_LOST_HYPHEN = re.compile("[\ufffe\u0002]")
_CONTROL = "\x00\x01\x03-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_INVISIBLE = f"\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u061c{_CONTROL}"
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_HYPHENS = "\\-\u2010\u2011"

_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}

# One-to-one replacements: they move no offset, so `str.translate` does them at C speed.
_ONE_TO_ONE: dict[Fold, dict[str, str]] = {
    Fold.WHITESPACE: {
        chr(c): " "
        for c in (9, 10, 11, 12, 13, 28, 29, 30, 31, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F,
                  0x205F, 0x3000, *range(0x2000, 0x200B))
    },
    Fold.QUOTES: {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4\u0060\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    },
    Fold.DASHES: dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
    Fold.FULL_WIDTH: {chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
    Fold.COMPATIBILITY: {
        chr(c): plain
        for c in (*range(0x1D400, 0x1D800), *range(0x2F00, 0x2FD6), *range(0xFF66, 0xFF9E),
                  *range(0x2E80, 0x2EF4))
        if len(plain := unicodedata.normalize("NFKC", chr(c))) == 1 and plain != chr(c)
    },
    # Characters that are another one by canonical equivalence: the Kelvin sign is K.
    Fold.COMPOSITION: {
        chr(c): composed
        for c in (*range(0x340, 0x388), *range(0x1F00, 0x2330), *range(0xF900, 0xFAFF))
        if len(composed := unicodedata.normalize("NFC", chr(c))) == 1 and composed != chr(c)
    },
}  # fmt: skip

_UNMARKED_CHANGES = re.compile(
    # The characters that a change begins with: telling them first takes a quarter of the time.
    rf"(?=[\s{_HYPHENS}{_SOFT}{_INVISIBLE}\u2026\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc])(?:"
    # A hyphen before a line end between letters, or what an extractor left of one.
    rf"(?P<hyphen>(?<=[^\W\d_])(?:[{_HYPHENS}][^\S\n]*\n\s*|[{_SOFT}]\s*)(?=[^\W\d_]))"
    rf"|(?P<run>[\s{_INVISIBLE}{_SOFT}]{{2,}}|[{_INVISIBLE}{_SOFT}]"
    rf"|(?<=[{_HAN}])\s(?=[{_HAN}]))"
    r"|(?P<ligature>[\ufb00-\ufb06])"
    r"|(?P<ellipsis>\u2026)"
    r"|(?P<presentation>[\ufb50-\ufdff\ufe70-\ufefc]))"
)
_CHANGES = re.compile(_UNMARKED_CHANGES.pattern + rf"|(?P<compose>[^\W\d_][{_MARKS}]+)")
_MARK = re.compile(f"[{_MARKS}]")
"""A combining mark; in a text without one, which nearly all are, nothing is to be composed."""
_MOST_MARKS = 32
"""More marks on one letter than any script has; normalising takes quadratic time in them."""
_PLAIN = re.compile(r"[ -_a-~]+")
"""Printable ASCII without the grave accent: with single spaces, no fold changes it."""
HAN = re.compile(f"[{_HAN}]")
"""A character of a script that is written without spaces between words: Han, kana."""
_CLASS_OF: dict[Fold, re.Pattern[str]] = {
    Fold.WHITESPACE: re.compile(r"\s"),
    Fold.LINE_END_HYPHEN: re.compile(rf"[{_HYPHENS}][^\S\n]*\n"),
    Fold.SOFT_HYPHENS: re.compile(f"[{_SOFT}]"),
    Fold.ZERO_WIDTH: re.compile(f"[{_INVISIBLE}]"),
    Fold.LIGATURES: re.compile("[\ufb00-\ufb06]"),
    # The last three become quotes by way of another fold.
    Fold.QUOTES: re.compile("[" + "".join(_ONE_TO_ONE[Fold.QUOTES]) + "\uff40\u1fef\u1ffd]"),
    Fold.DASHES: re.compile("[" + "".join(_ONE_TO_ONE[Fold.DASHES]) + "]"),
    Fold.ELLIPSIS: re.compile("\u2026"),
    Fold.FULL_WIDTH: re.compile("[\uff01-\uff5e]"),
    Fold.COMPATIBILITY: re.compile("[" + "".join(_ONE_TO_ONE[Fold.COMPATIBILITY]) + "]"),
    Fold.PRESENTATION_FORMS: re.compile("[\ufb50-\ufdff\ufe70-\ufefc]"),
    Fold.COMPOSITION: re.compile(f"[{_MARKS}{''.join(_ONE_TO_ONE[Fold.COMPOSITION])}]"),
    Fold.HAN_SPACING: re.compile(rf"[{_HAN}][\s{_INVISIBLE}{_SOFT}]+[{_HAN}]"),
}

NO_FOLDS: frozenset[Fold] = frozenset()


class Folded:
    """Folded text with the way back.

    The text is cut into pieces at which the length changed; `starts[i]` is where piece i begins in
    the folded text and `raw_starts[i]` where it begins in the raw one. Even pieces are copied
    character by character, odd ones stand for a whole raw range.
    """

    __slots__ = ("hyphens", "raw_length", "raw_starts", "starts", "text")

    def __init__(
        self,
        text: str,
        starts: list[int],
        raw_starts: list[int],
        raw_length: int,
        hyphens: tuple[int, ...],
    ) -> None:
        self.text = text
        self.starts = starts
        self.raw_starts = raw_starts
        self.raw_length = raw_length
        self.hyphens = hyphens
        """Folded offsets at which a line-end hyphen was dropped."""

    def to_raw(self, start: int, end: int) -> tuple[int, int]:
        """Raw range of the folded range [start, end), start < end. A character that stands for
        several raw ones brings all of them."""
        return self._raw(start)[0], self._raw(end - 1)[1]

    def from_raw(self, index: int) -> int | None:
        """Folded offset of a raw character that was copied or replaced one to one; None when it is
        part of something else."""
        piece = bisect_right(self.raw_starts, index) - 1
        if piece % 2:
            return None
        return self.starts[piece] + index - self.raw_starts[piece]

    def place_of(self, index: int) -> int:
        """Folded offset of the character that a raw one became or is part of; where it left none,
        that of the next one."""
        piece = bisect_right(self.raw_starts, index) - 1
        return self.starts[piece] + (0 if piece % 2 else index - self.raw_starts[piece])

    def cuts(self, index: int) -> bool:
        """Whether a folded offset lies inside what one raw character became: between the letters of
        a ligature, for example."""
        piece = bisect_right(self.starts, index) - 1
        return piece % 2 == 1 and index != self.starts[piece]

    def _raw(self, index: int) -> tuple[int, int]:
        piece = bisect_right(self.starts, index) - 1
        raw = self.raw_starts[piece]
        if piece % 2 == 0:
            at = raw + index - self.starts[piece]
            return at, at + 1
        return raw, self.raw_starts[piece + 1]


def fold(raw: str, without: frozenset[Fold] = NO_FOLDS) -> Folded:
    """Folds `raw` under every fold except `without`."""
    if _PLAIN.fullmatch(raw) and "  " not in raw:
        return Folded(raw, [0], [0], len(raw), ())
    pieces: list[str] = []
    starts, raw_starts, hyphens = [0], [0], []
    length = done = 0
    changes = _CHANGES if _MARK.search(raw) else _UNMARKED_CHANGES
    for change in changes.finditer(raw):
        at, end = change.span()
        replaced = _replacement(change, raw, without)
        if replaced is None:
            continue
        length += at - done
        if change.lastgroup == "hyphen" and replaced == "":
            hyphens.append(length)
        pieces.append(raw[done:at])
        pieces.append(replaced)
        starts.append(length)
        raw_starts.append(at)
        length += len(replaced)
        starts.append(length)
        raw_starts.append(end)
        done = end
    pieces.append(raw[done:])
    text = "".join(pieces).translate(_translation(without))
    return Folded(text, starts, raw_starts, len(raw), tuple(hyphens))


def _replacement(change: re.Match[str], raw: str, without: frozenset[Fold]) -> str | None:
    """What a match becomes; None leaves it as it is."""
    kind, found = change.lastgroup, change.group()
    assert kind is not None
    return _REPLACERS[kind](found, raw, change, without)


def _hyphen(found: str, raw: str, change: re.Match[str], without: frozenset[Fold]) -> str | None:
    soft = found[0] in _SOFT
    if (Fold.SOFT_HYPHENS if soft else Fold.LINE_END_HYPHEN) in without:
        return None
    # "non-\nGAAP" keeps its hyphen: a break inside a word goes on in lower case.
    if not soft and not raw[change.end()].islower():
        return found[0]
    return ""


def _run(found: str, raw: str, change: re.Match[str], without: frozenset[Fold]) -> str | None:
    at, end = change.span()
    before, after = raw[max(at - 1, 0) : at], raw[end : end + 1]
    if not without and found.isspace() and before < _FIRST_HAN:  # nearly all of them
        return None if found == " " else " "
    kept = found
    if before.isdigit() and after.isdigit() and Fold.SOFT_HYPHENS not in without:
        kept = _LOST_HYPHEN.sub("-", kept)  # it parted two numbers
    if Fold.ZERO_WIDTH not in without:
        kept = _CLASS_OF[Fold.ZERO_WIDTH].sub("", kept)
    if Fold.SOFT_HYPHENS not in without:
        kept = _CLASS_OF[Fold.SOFT_HYPHENS].sub("", kept)
    if Fold.WHITESPACE not in without:
        kept = re.sub(r"\s+", " ", kept)
    between_han = HAN.match(before) and HAN.match(after)
    if between_han and Fold.HAN_SPACING not in without:
        kept = re.sub(r"\s+", "", kept)
    return None if kept == found else kept


def _ligature(found: str, raw: str, change: re.Match[str], without: frozenset[Fold]) -> str | None:
    return None if Fold.LIGATURES in without else _LIGATURES[found]


def _ellipsis(found: str, raw: str, change: re.Match[str], without: frozenset[Fold]) -> str | None:
    return None if Fold.ELLIPSIS in without else "..."


def _presentation(
    found: str, raw: str, change: re.Match[str], without: frozenset[Fold]
) -> str | None:
    letters = unicodedata.normalize("NFKC", found)
    return None if Fold.PRESENTATION_FORMS in without or letters == found else letters


def _compose(found: str, raw: str, change: re.Match[str], without: frozenset[Fold]) -> str | None:
    if Fold.COMPOSITION in without or len(found) > _MOST_MARKS:
        return None
    composed = unicodedata.normalize("NFC", found)
    return None if composed == found else composed


_REPLACERS: dict[str, Callable[[str, str, re.Match[str], frozenset[Fold]], str | None]] = {
    "hyphen": _hyphen,
    "run": _run,
    "ligature": _ligature,
    "ellipsis": _ellipsis,
    "presentation": _presentation,
    "compose": _compose,
}


@lru_cache(maxsize=64)
def _translation(without: frozenset[Fold]) -> dict[int, str]:
    steps: dict[str, str] = {}
    for kind, table in _ONE_TO_ONE.items():
        if kind not in without:
            # Where two tables know a character the first one decides: the en quad is white space
            # before it is canonically another space.
            steps = {**table, **steps}
    # A full-width grave accent becomes a grave accent, and that a quote.
    return {ord(source): steps.get(target, target) for source, target in steps.items()}


def differing_classes(raw: str, claim: str) -> tuple[Fold, ...]:
    """The folds that take characters for equal of which `raw` and `claim` have other ones, for two
    texts that are not equal under all folds."""
    found = []
    for kind, pattern in _CLASS_OF.items():
        if kind is Fold.WHITESPACE or kind is Fold.LINE_END_HYPHEN:
            continue
        if pattern.findall(raw) != pattern.findall(claim):
            found.append(kind)
    return tuple(found)


def needed_folds(raw: str, claim: str) -> tuple[Fold, ...]:
    """Which folds it takes to make `raw` and `claim` equal, given that all of them do.

    A fold is needed when the two differ as soon as it alone is left out.
    """
    if raw == claim:
        return ()
    if " ".join(raw.split()) == " ".join(claim.split()):
        return (Fold.WHITESPACE,)
    needed = []
    for kind, pattern in _CLASS_OF.items():
        if pattern.search(raw) or pattern.search(claim):
            without = frozenset((kind,))
            if fold(raw, without).text.strip() != fold(claim, without).text.strip():
                needed.append(kind)
    return tuple(needed)
