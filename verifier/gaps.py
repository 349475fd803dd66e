"""What may stand differently between two letters or digits of the same words.

The rules err on the side of no: a sign, a bracket, a decimal mark, a percent or currency sign is
never dropped, added or moved, and no space appears or vanishes between digits.
"""

from __future__ import annotations

import re

from grounding.text import Fold

_SPACE = re.compile(r"\s+")


def allowed_difference(
    claim: str, source: str, left: str, right: str, *, line_end: bool
) -> Fold | None:
    """The fold that explains why two folded gaps differ; None when nothing allowed does.

    `left` and `right` are the characters on both sides, `line_end` says that the source's gap is a
    line end.
    """
    if line_end and left.isalpha() and right.isalpha() and claim.strip() in ("", "-"):
        # "reser voir" has neither the hyphen nor the word that was broken.
        return Fold.LINE_END_HYPHEN if claim != " " else None
    if left.isdigit() and right.isdigit():
        return None
    bare_claim, bare_source = _SPACE.sub("", claim), _SPACE.sub("", source)
    # Between two letters a space makes or unmakes words; only beside a mark is it typography.
    if bare_claim == bare_source and bare_claim:
        return Fold.SPACING
    return None
