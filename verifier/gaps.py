"""What may stand differently between two letters or digits of the same words.

The rules err on the side of no: a sign, a bracket, a decimal mark, a percent or currency sign is
never dropped, added or moved, and no space appears or vanishes between digits.
"""

from __future__ import annotations

import re

from grounding.text import Fold

_SPACE = re.compile(r"\s+")
_PARTS_NUMBERS = re.compile(r"[$€£¥%()]")
"""Marks that part two numbers whether or not spaces stand beside them."""


def allowed_difference(
    claim: str, source: str, left: str, right: str, *, line_end: bool
) -> Fold | None:
    """The fold that explains why two folded gaps differ; None when nothing allowed does.

    `left` and `right` are the characters on both sides, `line_end` says that the source's gap is a
    line end.
    """
    bare_claim, bare_source = _SPACE.sub("", claim), _SPACE.sub("", source)
    if line_end and left.isalpha() and right.isalpha() and bare_source in ("", "-"):
        return _broken_word(claim, left, right)
    if bare_claim != bare_source or not bare_claim:
        # Between two letters a space makes or unmakes words; only beside a mark is it typography.
        return None
    if left.isdigit() and right.isdigit():
        return Fold.SPACING if _PARTS_NUMBERS.search(bare_claim) else None
    if bare_claim == "-" and (" " in claim) != (" " in source):
        return None  # "re - signed" is not "re-signed"
    return Fold.SPACING


def _broken_word(claim: str, left: str, right: str) -> Fold | None:
    """A hyphen at a line's end kept, or dropped inside a word: the A of "A-" / "B" is a word of its
    own. "reser voir" has neither the hyphen nor the word that was broken."""
    if claim.strip() == "-" or (claim == "" and (left.islower() or right.islower())):
        return Fold.LINE_END_HYPHEN
    return None
