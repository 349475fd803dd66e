"""Structured values: `{"number": "5.5", "scale": "billion", "currency": "USD"}` as a quantity.

Sources: JSON numbers (RFC 8259) have a decimal point and no grouping, so a structured number has
one reading; scale, unit and currency words are those that are read from text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from verifier.quantities.dates import parse_period
from verifier.quantities.model import EXACT, MOST_DIGITS, ONE, Quantity
from verifier.quantities.period import Period
from verifier.quantities.scales import scale_of
from verifier.quantities.units import currency_of, unit_of

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class StatedValue:
    """What a structured claim states: a number, and the period that it is of."""

    quantity: Quantity
    period: Period | None = None


def stated_value(
    number: str,
    *,
    scale: str | None = None,
    unit: str | None = None,
    currency: str | None = None,
    sign: str | None = None,
    period: str | None = None,
    precision: int | None = None,
) -> StatedValue:
    """The quantity of a structured value. `sign` is "positive" or "negative", `precision` the count
    of digits behind the decimal mark (below zero: 1250 with -1 is known to tens).

    Raises ValueError, in words for the one who wrote the claim, for words that are unknown here and
    for parts that contradict each other.
    """
    size = Decimal(number)
    negative = size.is_signed() and size != 0
    if sign is not None and negative and sign == "positive":
        raise ValueError("number is negative and sign says positive")
    if len(size.as_tuple().digits) > MOST_DIGITS or abs(size.adjusted()) > MOST_DIGITS:
        raise ValueError(f"number has more than {MOST_DIGITS} digits")
    size = abs(size)
    exponent = int(size.as_tuple().exponent)
    places = max(0, -exponent)
    if precision is not None:
        if abs(precision) > MOST_DIGITS:
            raise ValueError(f"precision is beyond {MOST_DIGITS} digits")
        if size != size.quantize(ONE.scaleb(-precision), context=EXACT):
            raise ValueError(f"number has digits beyond its precision {precision}")
        places = precision
    plain = format(size, "f")
    return StatedValue(
        Quantity(
            Decimal(plain),
            negative or sign == "negative",
            _known("scale", scale, scale_of) if scale is not None else ONE,
            _known("currency", currency, currency_of) if currency is not None else "",
            _known("unit", unit, unit_of) if unit is not None else "",
            0,
            len(plain),
            plain,
            0,
            len(plain),
            places,
            plain,
            "stated" if sign is not None else ("minus" if negative else "none"),
            "stated" if scale is not None else "none",
        ),
        _known("period", period, parse_period) if period is not None else None,
    )


def _known(what: str, word: str, read: Callable[[str], _T | None]) -> _T:
    found = read(word)
    if not found:
        raise ValueError(f"{what} {word!r} is not known")
    return found
