"""Fractions in print: "1 1/2", "1½", "1/2 %".

Only those with a finite decimal are numbers here (the denominators divide a power of ten); thirds
are compared as text. "1/2" without percent behind it may be a date or a page of two and is none.
"""

from __future__ import annotations

import re
from decimal import Decimal

from verifier.quantities.model import EXACT
from verifier.quantities.notation import Digits

VULGAR = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅛": "0.125", "⅜": "0.375", "⅝": "0.625",
           "⅞": "0.875", "⅕": "0.2", "⅖": "0.4", "⅗": "0.6", "⅘": "0.8", "⅒": "0.1"}  # fmt: skip
"""Fractions that are finite decimals; thirds and sixths are compared as text."""
_FINITE = frozenset((2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100))
_FRACTION_OF_PERCENT = re.compile(r"[/\u2044](\d{1,3})(?= ?(?:%|per ?cent\b))")
_FRACTION_AFTER = re.compile(r" (\d{1,2})[/\u2044](\d{1,2})(?![\w/.,]\d|\w|/)")


def read_fraction(text: str, core: re.Match[str]) -> tuple[Digits | None, int, str]:
    """A mixed or vulgar fraction, where it ends, and its digits as printed."""
    digits, end = core.group(), core.end()
    if digits[-1] in VULGAR:
        whole = digits[:-1]
        if whole and not whole.isdigit():
            return None, end, digits
        return _size(Decimal(whole or 0), Decimal(VULGAR[digits[-1]])), end, digits
    nxt = text[end : end + 1]
    if nxt not in (" ", "/", "\u2044") or not digits.isdigit():
        return None, end, digits
    if nxt == " ":
        found = _FRACTION_AFTER.match(text, end)
        if found and int(found[2]) in _FINITE and 0 < int(found[1]) < int(found[2]):
            part = Decimal(int(found[1])) / Decimal(int(found[2]))
            return _size(Decimal(digits), part), found.end(), text[core.start() : found.end()]
        return None, end, digits
    found = _FRACTION_OF_PERCENT.match(text, end)
    if found and int(found[1]) in _FINITE and 0 < int(digits) < int(found[1]):
        part = Decimal(int(digits)) / Decimal(int(found[1]))
        return _size(Decimal(0), part), found.end(), text[core.start() : found.end()]
    return None, end, digits


def _size(whole: Decimal, part: Decimal) -> Digits:
    number = EXACT.add(whole, part)
    return Digits(number, max(0, -int(number.as_tuple().exponent)))
