"""Units and currencies: how they are written, and which of them convert.

Sources: ISO 4217 for currency codes; CLDR currency symbols for signs (a bare `$` is "USD" only
where nothing else is said); the SI brochure, 9th ed., tables 4 and 8, for units and their factors;
the international yard and pound agreement of 1959 for feet, miles and pounds; ISO 80000-1 7.2 for
percent. A percentage point is a difference of two percentages and no percentage; a basis point is a
hundredth of one. The three never stand for one another in a comparison.

The package pint is not used: it knows a thousand units and computes in floats unless told otherwise
everywhere. Filings and contracts need the few below, with factors that are exact decimals.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

PERCENT = "percent"
POINTS = "percentage points"
BASIS_POINTS = "basis points"
RATIOS = frozenset((PERCENT, POINTS, BASIS_POINTS, "per mille"))
ORDINAL = "ordinal"
TIMES = "times"
DOLLAR = "$"
"""A dollar sign or word that does not say whose dollars."""

ISO_CODES = frozenset(
    "AED ARS AUD BDT BGN BRL CAD CHF CLP CNH CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK"
    " JPY KRW KWD KZT LKR MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RUB SAR SEK SGD THB TRY TWD"
    " UAH USD VND ZAR".split()
)
"""Active codes of ISO 4217 that filings are drawn up in."""

SIGNS = {
    "US$": "USD", "U.S.$": "USD", "U.S. $": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD",
    "AU$": "AUD", "HK$": "HKD", "NZ$": "NZD", "S$": "SGD", "R$": "BRL", "NT$": "TWD", "$": DOLLAR,
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₪": "ILS",
    "Rs.": "INR", "Rs": "INR", "RMB": "CNY", "USD": "USD", "CAD": "CAD",
}  # fmt: skip
"""Signs in front of a number; codes are added from ISO_CODES. ¥ is also the Chinese yuan's sign,
and filings in yuan print RMB: it is read as yen (CLDR root)."""

SIGNS_AFTER = {"€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "RMB": "CNY"}

CURRENCY_WORDS = {
    "euro": "EUR", "euros": "EUR", "dollars": DOLLAR, "dollar": DOLLAR, "us dollars": "USD",
    "us dollar": "USD", "u.s. dollars": "USD", "u.s. dollar": "USD", "united states dollars": "USD",
    "canadian dollars": "CAD", "australian dollars": "AUD", "hong kong dollars": "HKD",
    "singapore dollars": "SGD", "new zealand dollars": "NZD", "yen": "JPY", "japanese yen": "JPY",
    "pounds sterling": "GBP", "pound sterling": "GBP", "british pounds": "GBP",
    "swiss francs": "CHF", "rupees": "INR", "indian rupees": "INR", "renminbi": "CNY",
    "yuan": "CNY", "won": "KRW", "korean won": "KRW",
}  # fmt: skip
"""Words behind a number, in lower case. "pounds" alone is a weight as well and says nothing."""

RATIO_WORDS = {
    "%": PERCENT, "percent": PERCENT, "per cent": PERCENT, "pct": PERCENT,
    "percentage points": POINTS, "percentage point": POINTS, "% points": POINTS, "% point": POINTS,
    "percent points": POINTS, "pp": POINTS, "ppt": POINTS, "ppts": POINTS,
    "basis points": BASIS_POINTS, "basis point": BASIS_POINTS, "bps": BASIS_POINTS,
    "bp": BASIS_POINTS, "‰": "per mille", "per mille": "per mille",
}  # fmt: skip


class Unit(NamedTuple):
    """A unit's dimension and its size in the dimension's first unit."""

    dimension: str
    factor: Decimal


_DAY = Decimal(86_400)
UNITS = {
    "second": Unit("time", Decimal(1)), "minute": Unit("time", Decimal(60)),
    "hour": Unit("time", Decimal(3600)), "day": Unit("time", _DAY), "week": Unit("time", 7 * _DAY),
    # A month is no fixed number of days, a quarter and a year are fixed numbers of months.
    "month": Unit("months", Decimal(1)), "quarter": Unit("months", Decimal(3)),
    "year": Unit("months", Decimal(12)),
    "millimetre": Unit("length", Decimal("0.001")), "centimetre": Unit("length", Decimal("0.01")),
    "metre": Unit("length", Decimal(1)), "kilometre": Unit("length", Decimal(1000)),
    "inch": Unit("length", Decimal("0.0254")), "foot": Unit("length", Decimal("0.3048")),
    "mile": Unit("length", Decimal("1609.344")),
    "square metre": Unit("area", Decimal(1)), "square foot": Unit("area", Decimal("0.09290304")),
    "hectare": Unit("area", Decimal(10_000)), "acre": Unit("area", Decimal("4046.8564224")),
    "gram": Unit("mass", Decimal("0.001")), "kilogram": Unit("mass", Decimal(1)),
    "tonne": Unit("mass", Decimal(1000)),
    "litre": Unit("volume", Decimal(1)), "cubic metre": Unit("volume", Decimal(1000)),
    "barrel": Unit("volume", Decimal("158.987294928")),
    "kilowatt": Unit("power", Decimal(1)), "megawatt": Unit("power", Decimal(1000)),
    "gigawatt": Unit("power", Decimal(10) ** 6),
    "kilowatt hour": Unit("energy", Decimal(1)), "megawatt hour": Unit("energy", Decimal(1000)),
    "gigawatt hour": Unit("energy", Decimal(10) ** 6),
    "terawatt hour": Unit("energy", Decimal(10) ** 9),
    PERCENT: Unit("share", Decimal("0.01")), BASIS_POINTS: Unit("points", Decimal("0.01")),
    POINTS: Unit("points", Decimal(1)),
}  # fmt: skip
"""Units that convert within their dimension. A percentage does not convert to points."""

UNIT_WORDS = {
    **{f"{name}{end}": name for name in ("second", "minute", "hour", "day", "week", "month",
       "quarter", "year", "metre", "kilometre", "mile", "hectare", "acre", "gram", "kilogram",
       "tonne", "litre", "barrel", "kilowatt", "megawatt", "gigawatt", "kilowatt hour",
       "megawatt hour", "gigawatt hour", "terawatt hour", "square metre", "cubic metre",
       "millimetre", "centimetre") for end in ("", "s")},
    "meter": "metre", "meters": "metre", "kilometer": "kilometre", "kilometers": "kilometre",
    "liter": "litre", "liters": "litre", "feet": "foot", "square feet": "square foot",
    "square meters": "square metre", "cubic meters": "cubic metre", "miles": "mile",
    "inches": "inch", "metric tons": "tonne", "metric tonnes": "tonne", "times": TIMES,
}  # fmt: skip
"""Words behind a number, in lower case."""

UNIT_SYMBOLS = {
    "km": "kilometre", "cm": "centimetre", "kg": "kilogram", "kW": "kilowatt", "MW": "megawatt",
    "GW": "gigawatt", "kWh": "kilowatt hour", "MWh": "megawatt hour", "GWh": "gigawatt hour",
    "TWh": "terawatt hour", "ha": "hectare", "x": TIMES,
}  # fmt: skip
"""Symbols behind a number, exactly as written: SI symbols tell capitals apart."""

AMBIGUOUS_SYMBOLS = {"m": "metre", "mm": "millimetre", "k": "", "K": "", "M": "", "MM": "",
                     "b": "", "B": "", "t": "tonne", "T": ""}  # fmt: skip
"""What a letter that may be a scale is otherwise; "" for something that is not known here."""


def currency_of(word: str) -> str:
    """The currency that a sign, code or word names; "" when it names none."""
    plain = word.strip()
    if plain.upper() in ISO_CODES:
        return plain.upper()
    found = SIGNS.get(plain) or SIGNS_AFTER.get(plain) or CURRENCY_WORDS.get(plain.lower())
    return found or ""


def unit_of(word: str) -> str:
    """The unit that a word or symbol names; "" when it is unknown."""
    plain = " ".join(word.split())
    lower = plain.lower()
    found = RATIO_WORDS.get(lower) or UNIT_SYMBOLS.get(plain) or UNIT_WORDS.get(lower)
    return found or (lower if lower in UNITS else "")


def same_currency(one: str, other: str) -> bool:
    """Whether two currencies are the same; a bare dollar is the United States' where nothing else
    is said."""
    return one == other or {one, other} == {DOLLAR, "USD"}
