"""The number that a whole table cell is.

A dash or "nil" alone in a cell is zero (US GAAP and IFRS statements print it so); the same mark in
running text is a dash, a blank cell is blank, and "n/a", "n.m." or "*" are no numbers.
"""

from __future__ import annotations

import re

from verifier.quantities.model import ONE, Quantity
from verifier.quantities.notation import Notation
from verifier.quantities.tokens import parse_quantity
from verifier.quantities.units import PERCENT, SIGNS, currency_of

_ZERO = re.compile(
    rf"(?P<before>{'|'.join(re.escape(s) for s in sorted(SIGNS, key=len, reverse=True))})? ?"
    r"(?P<mark>-{1,3}|nil)(?P<percent> ?%)?",
    re.IGNORECASE,
)


def parse_cell(text: str, notation: Notation | None = None) -> Quantity | None:
    """The quantity that a cell's folded text is; None when it holds anything else besides."""
    text = text.strip().replace("\n", " ")
    found = parse_quantity(text, notation)
    if found is not None:
        return found
    zero = _ZERO.fullmatch(text)
    if zero is None:
        return None
    currency = currency_of(zero["before"]) if zero["before"] else ""
    return Quantity(
        ONE - ONE, False, ONE, currency, PERCENT if zero["percent"] else "", 0, len(text),
        zero["mark"], *zero.span("mark"), 0, text, "none", "none", "zero_mark",
    )  # fmt: skip
