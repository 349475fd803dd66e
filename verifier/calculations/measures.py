"""Numbers with units in calculations, and what of them goes together.

Rules: only like is added to like. A number without a stated currency joins amounts of one currency
only when none of them states a scale, as in a table whose first row alone prints the sign. Shares
(percent) are never added to plain numbers, and never to percentage points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal

from verifier.quantities.model import ONE, Quantity
from verifier.quantities.units import DOLLAR, ORDINAL, PERCENT, same_currency

PRECISE = Context(prec=60, rounding=ROUND_HALF_EVEN)
"""Quotients and roots are computed to 60 digits; sums and products of what is read are exact."""

SHOWN_PLACES = 12
"""Decimals of a result that a report shows; comparisons use all digits."""


class Undefined(Exception):
    """A calculation has no result; the message says why, for a report."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A signed value with its scale applied; `scale` is the one that it was printed at."""

    value: Decimal
    unit: str = ""
    currency: str = ""
    scale: Decimal = ONE
    states_scale: bool = False

    @property
    def plain(self) -> bool:
        return not (self.unit or self.currency)


def measure_of(quantity: Quantity) -> Measure:
    """The measure of a quantity that has one reading. Raises Undefined."""
    if quantity.alternatives:
        raise Undefined("an input can be read in several ways")
    if quantity.unit == ORDINAL:
        raise Undefined("an ordinal is no amount")
    return Measure(
        quantity.total,
        quantity.unit,
        quantity.currency,
        quantity.scale,
        quantity.scale_source != "none",
    )


def quantity_of(measure: Measure) -> Quantity:
    """A result as a quantity: printed at its scale, to SHOWN_PLACES decimals."""
    number = PRECISE.divide(abs(measure.value), measure.scale)
    exponent = int(number.as_tuple().exponent)
    if exponent < -SHOWN_PLACES:
        number = number.quantize(ONE.scaleb(-SHOWN_PLACES), context=PRECISE)
    number = _without_zeros(number)
    plain = format(number, "f")
    return Quantity(
        number, measure.value < 0, measure.scale, measure.currency, measure.unit, 0, len(plain),
        plain, 0, len(plain), max(0, -int(number.as_tuple().exponent)), plain,
        "minus" if measure.value < 0 else "none",
        "word" if measure.scale != ONE else "none",
    )  # fmt: skip


def _without_zeros(number: Decimal) -> Decimal:
    """A number without zeros at the end of its decimals."""
    return (
        number.to_integral_value() if number == number.to_integral_value() else number.normalize()
    )


def alike(measures: Sequence[Measure]) -> Measure:
    """Unit, currency and scale that all share, as a measure of value 0. Raises Undefined."""
    units = {m.unit for m in measures}
    if len(units) > 1:
        named = ", ".join(sorted(unit or "no unit" for unit in units))
        raise Undefined(f"units differ: {named}")
    currencies = {m.currency for m in measures if m.currency}
    if currencies == {DOLLAR, "USD"}:
        currencies = {"USD"}
    if len(currencies) > 1:
        raise Undefined(f"currencies differ: {', '.join(sorted(currencies))}")
    currency = next(iter(currencies), "")
    if currency and any(not m.currency for m in measures) and any(m.states_scale for m in measures):
        raise Undefined("some inputs state a currency and a scale, others do not")
    scales = {m.scale for m in measures}
    scale = scales.pop() if len(scales) == 1 else ONE
    return Measure(Decimal(0), units.pop(), currency, scale)


def factor(measures: Sequence[Measure]) -> Measure:
    """The product of some measures, of which at most one has a unit other than percent; one percent
    is a hundredth. Raises Undefined."""
    value, unit, currency = ONE, "", ""
    shares = all(m.unit == PERCENT for m in measures)
    for m in measures:
        number = m.value
        if m.unit == PERCENT:
            number = PRECISE.divide(number, Decimal(100))
        elif not m.plain:
            if unit or currency:
                raise Undefined("two inputs of a product have units")
            unit, currency = m.unit, m.currency
        value = PRECISE.multiply(value, number)
    if shares:
        return Measure(PRECISE.multiply(value, Decimal(100)), PERCENT)
    return Measure(value, unit, currency)


def quotient(top: Measure, bottom: Measure) -> Measure:
    """One by the other: like units cancel, a divisor without unit leaves the other's. Raises
    Undefined for a division by zero and for units that do not go together."""
    if bottom.value == 0:
        raise Undefined("division by zero")
    value = PRECISE.divide(top.value, bottom.value)
    if top.unit == bottom.unit and _currencies_cancel(top, bottom):
        return Measure(value)
    if bottom.plain and top.unit != PERCENT:
        return Measure(value, top.unit, top.currency)
    raise Undefined("the units of a ratio differ")


def _currencies_cancel(top: Measure, bottom: Measure) -> bool:
    if top.currency and bottom.currency:
        return same_currency(top.currency, bottom.currency)
    return not (top.currency or bottom.currency)


def power_of_quotient(last: Decimal, first: Decimal, periods: int) -> Decimal:
    """(last / first) ** (1 / periods) to 60 digits, by logarithms with guard digits."""
    wide = Context(prec=80, rounding=ROUND_HALF_EVEN)
    exponent = wide.divide(wide.ln(wide.divide(last, first)), Decimal(periods))
    root = wide.exp(exponent)
    near = root.quantize(ONE.scaleb(-50), context=wide)
    exact = wide.power(near, periods) == wide.divide(last, first)
    return PRECISE.plus(near if exact else root)
