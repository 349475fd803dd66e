"""How numbers are grouped and where their decimal mark is.

Sources: Unicode CLDR number symbols (en `1,234.56`; de, es, it, nl, pt-BR `1.234,56`; de-CH
`1'234.56`; fr, pl, sv, and the SI brochure 9th ed. 5.4.4 and ISO 80000-1 7.3, `1 234,56` with a
no-break or thin space; en-IN and hi `12,34,567.89`). The CLDR tables themselves (package
babel) are not needed: there are five ways to group and two decimal marks, and babel parses a number
under one locale that is known, while the question here is which locales a printed number fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from verifier.quantities.model import MOST_DIGITS

GROUP_SPACE = "\u00a0"
"""Stands in text for numbers for every no-break and thin space between two digits: they group."""


DOUBTFUL_SPACE = "\u2005"
"""Stands for a plain space that may group digits or part two numbers, see `number_text`."""


class Notation(StrEnum):
    """Which decimal mark a text uses."""

    POINT = "point"
    """1,234.56 and 1'234.56 and 12,34,567.89"""
    COMMA = "comma"
    """1.234,56 and 1 234,56"""
    MIXED = "mixed"
    """Both, each too often for a slip."""


class Digits(NamedTuple):
    """A size and how many digits stand behind its decimal mark."""

    number: Decimal
    places: int


_PLAIN = re.compile(r"\d+|\d*\.\d+")
_POINT_GROUP = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""One group behind a point: 1.234 is English for a bit more than one, German for a thousand."""
_COMMA_GROUP = re.compile(r"[1-9]\d{0,2},\d{3}")
# Groups do not begin with a zero: 0,001 is a thousandth.
_ENGLISH = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?")
_EUROPEAN = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
_SPACED = re.compile(rf"\d{{1,3}}(?:{GROUP_SPACE}\d{{3}})+(?:[.,]\d+)?")
_SWISS = re.compile(r"\d{1,3}(?:'\d{3})+(?:[.,]\d+)?")


def read_digits(digits: str, notation: Notation | None = None) -> tuple[Digits, ...]:
    """All sizes that a printed number may have, none when its marks fit no notation.

    `notation` is that of the text around it, None when unknown. A single group behind a comma is
    read as English where nothing is known, as English-language filings print it everywhere; a
    single group behind a point keeps both readings.
    """
    if digits.isdigit():
        return (Digits(Decimal(digits), 0),) if len(digits) <= MOST_DIGITS else ()
    if len(digits) > MOST_DIGITS:
        return ()
    if "'" in digits:
        return (_decimal(digits.replace("'", "")),) if _SWISS.fullmatch(digits) else ()
    if GROUP_SPACE in digits:
        plain = digits.replace(GROUP_SPACE, "")
        return (_decimal(plain),) if _SPACED.fullmatch(digits) else ()
    if _PLAIN.fullmatch(digits):
        point = _decimal(digits)
        if not _POINT_GROUP.fullmatch(digits) or notation is Notation.POINT:
            return (point,)
        grouped = Digits(Decimal(digits.replace(".", "")), 0)
        return (grouped,) if notation is Notation.COMMA else (point, grouped)
    if _ENGLISH.fullmatch(digits):
        grouped = _decimal(digits.replace(",", ""))
        if not _COMMA_GROUP.fullmatch(digits) or notation in (None, Notation.POINT):
            return (grouped,)
        return (_decimal(digits),) if notation is Notation.COMMA else (grouped, _decimal(digits))
    if _EUROPEAN.fullmatch(digits):
        return (_decimal(digits.replace(".", "")),)
    # Grouping was tried before: this comma is a decimal mark.
    return (_decimal(digits),) if _DECIMAL_COMMA.fullmatch(digits) else ()


def _decimal(plain: str) -> Digits:
    """Ungrouped digits with at most one mark."""
    plain = plain.replace(",", ".")
    return Digits(Decimal(plain), len(plain.partition(".")[2]))


_SIGN_OF_AMOUNT = r"(?:[$€£¥₹]|\b(?:EUR|USD|GBP|CHF))[ \u00a0]?"
_PERCENT = r"[ \u00a0\u202f]?(?:%|€|EUR\b)"
_POINT_EVIDENCE = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{2,3})*,\d{3}\.\d+|[1-9]\d{0,2}(?:,\d{3}){2,}"
    rf"|\d{{1,3}}\.\d{{1,2}}(?={_PERCENT}))(?![.,]?\d)"
    rf"|{_SIGN_OF_AMOUNT}\d{{1,3}}\.\d{{1,2}}(?![.,]?\d)"
)
_COMMA_EVIDENCE = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}"
    r"|\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})+,\d+"
    rf"|\d{{1,3}},\d{{1,2}}(?={_PERCENT}))(?![.,]?\d)"
    rf"|{_SIGN_OF_AMOUNT}\d{{1,3}},\d{{1,2}}(?![.,]?\d)"
)
_MARKED_GROUP = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3}|\.\d{3}(?=[.,]\d))+(?!\d)")
_SLIPS = 20
"""One number in so many may contradict the rest: every long document has misprints."""


def notation_of(texts: Iterable[str]) -> Notation | None:
    """Which decimal mark some text uses, told by numbers that can be read in one way only: grouped
    ones with a decimal mark or two groups, and shares and prices with one or two decimals (plain
    "4.2" may be a section in any language). None when there is no such number."""
    points = commas = 0
    for text in texts:
        points += sum(1 for _ in _POINT_EVIDENCE.finditer(text))
        commas += sum(1 for _ in _COMMA_EVIDENCE.finditer(text))
    if not points and not commas:
        return None
    if points > _SLIPS * commas:
        return Notation.POINT
    return Notation.COMMA if commas > _SLIPS * points else Notation.MIXED


def groups_by_marks(texts: Iterable[str]) -> bool:
    """Whether a text groups digits by commas or points: it then never groups them by spaces."""
    return any(_MARKED_GROUP.search(text) for text in texts)
