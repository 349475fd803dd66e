"""One function an operation: from what checks found to a result.

Rules of what is undefined: a division by zero; a percent change, growth rate or share whose base is
zero or negative (a change from a loss has no percentage); a growth rate to a negative value; units
or currencies that differ; amounts where dates are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from verifier.calculations import calendar
from verifier.calculations.measures import (
    PRECISE,
    Measure,
    Undefined,
    alike,
    factor,
    measure_of,
    power_of_quotient,
    quotient,
)
from verifier.quantities import parse_quantity
from verifier.quantities.dates import parse_period
from verifier.quantities.model import ONE, Quantity
from verifier.quantities.period import Period
from verifier.quantities.scales import scale_of
from verifier.quantities.units import PERCENT, POINTS, UNITS, unit_of

Result = Measure | Period | bool
Input = Quantity | Period
_HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True)
class Given:
    """Parameters of an operation; texts are read like values."""

    threshold: str | None = None
    low: str | None = None
    high: str | None = None
    periods: int | None = None
    unit: str | None = None
    scale: str | None = None
    duration: str | None = None


def compute(operation: str, inputs: Sequence[Input], given: Given | None = None) -> Result:
    """The result of an operation on inputs in order. Raises Undefined."""
    given = given or Given()
    if operation in _DATED:
        return _DATED[operation](inputs, given)
    if operation in _COMPARED:
        return _compared(operation, [*inputs, *_thresholds(given)])
    if operation == "count":
        return Measure(Decimal(len(inputs)))
    return _COMPUTED[operation]([measure_of(_number(item)) for item in inputs], given)


def _number(item: Input) -> Quantity:
    if isinstance(item, Period):
        raise Undefined("a date is no amount")
    return item


def _value(text: str) -> Input:
    """A parameter read as a claim's value is. Raises Undefined."""
    found: Input | None = parse_period(text) if not text.strip().isdigit() else None
    found = found or parse_quantity(text)
    if found is None:
        raise Undefined(f"parameter {text!r} is no value")
    return found


def _thresholds(given: Given) -> list[Input]:
    return [_value(text) for text in (given.threshold, given.low, given.high) if text is not None]


def _sum(measures: Sequence[Measure], given: Given) -> Measure:
    like = alike(measures)
    total = Decimal(0)
    for m in measures:
        total = PRECISE.add(total, m.value)
    return Measure(total, like.unit, like.currency, like.scale)


def _difference(measures: Sequence[Measure], given: Given) -> Measure:
    like = alike(measures)
    value = PRECISE.subtract(measures[0].value, measures[1].value)
    # The difference of two percentages is in percentage points, and no percentage.
    unit = POINTS if like.unit == PERCENT else like.unit
    return Measure(value, unit, like.currency, like.scale)


def _points(measures: Sequence[Measure], given: Given) -> Measure:
    if any(m.unit != PERCENT for m in measures):
        raise Undefined("percentage points are the difference of two percentages")
    return _difference(measures, given)


def _average(measures: Sequence[Measure], given: Given) -> Measure:
    total = _sum(measures, given)
    value = PRECISE.divide(total.value, Decimal(len(measures)))
    return Measure(value, total.unit, total.currency, total.scale)


def _extreme(pick: Callable[[Sequence[Decimal]], Decimal]) -> _Computed:
    def extreme(measures: Sequence[Measure], given: Given) -> Measure:
        like = alike(measures)
        return Measure(pick([m.value for m in measures]), like.unit, like.currency, like.scale)

    return extreme


def _ratio(measures: Sequence[Measure], given: Given) -> Measure:
    return quotient(*measures)


def _percent_change(measures: Sequence[Measure], given: Given) -> Measure:
    alike(measures)
    old, new = (m.value for m in measures)
    if old <= 0:
        raise Undefined("a percent change needs a base above zero")
    change = PRECISE.divide(PRECISE.multiply(PRECISE.subtract(new, old), _HUNDRED), old)
    return Measure(change, PERCENT)


def _growth(measures: Sequence[Measure], given: Given) -> Measure:
    alike(measures)
    first, last = (m.value for m in measures)
    if first <= 0 or last <= 0:
        raise Undefined("a growth rate needs values above zero")
    root = power_of_quotient(last, first, given.periods or 1)
    return Measure(PRECISE.multiply(PRECISE.subtract(root, ONE), _HUNDRED), PERCENT)


def _share(measures: Sequence[Measure], given: Given) -> Measure:
    alike(measures)
    part, total = (m.value for m in measures)
    if total <= 0:
        raise Undefined("a share needs a total above zero")
    return Measure(PRECISE.divide(PRECISE.multiply(part, _HUNDRED), total), PERCENT)


def _convert_unit(measures: Sequence[Measure], given: Given) -> Measure:
    (measure,) = measures
    wanted = unit_of(given.unit or "")
    ours, theirs = UNITS.get(measure.unit), UNITS.get(wanted)
    if ours is None or theirs is None or ours.dimension != theirs.dimension:
        raise Undefined(f"{measure.unit or 'no unit'} does not convert to {given.unit}")
    value = PRECISE.divide(PRECISE.multiply(measure.value, ours.factor), theirs.factor)
    return Measure(value, wanted, measure.currency)


def _convert_scale(measures: Sequence[Measure], given: Given) -> Measure:
    (measure,) = measures
    scale = scale_of(given.scale or "")
    if scale is None:
        raise Undefined(f"{given.scale!r} is no scale")
    return Measure(measure.value, measure.unit, measure.currency, scale)


def _product(measures: Sequence[Measure], given: Given) -> Measure:
    return factor(measures)


def _date_difference(inputs: Sequence[Input], given: Given) -> Measure:
    unit = unit_of(given.unit) if given.unit is not None else "day"
    first, last = (calendar.day_of(_date(item)) for item in inputs)
    return calendar.between(first, last, unit or "unknown unit")


def _date_addition(inputs: Sequence[Input], given: Given) -> Period:
    start = calendar.day_of(_date(inputs[0]))
    duration = inputs[1] if len(inputs) > 1 else _value(given.duration or "")
    return calendar.as_period(calendar.later(start, measure_of(_number(duration))))


def _date(item: Input) -> Period:
    if isinstance(item, Quantity):
        raise Undefined("an amount is no date")
    return item


def _compared(operation: str, inputs: Sequence[Input]) -> bool:
    if operation in ("before", "after") or any(isinstance(item, Period) for item in inputs):
        if operation not in ("before", "after", "equal", "between"):
            raise Undefined(f"dates are compared by before and after, not by {operation}")
        days = [calendar.day_of(_date(item)) for item in inputs]
        return _COMPARED[operation](*days)
    measures = [measure_of(_number(item)) for item in inputs]
    alike(measures)
    return _COMPARED[operation](*(m.value for m in measures))


_Computed = Callable[[Sequence[Measure], Given], Measure]
_COMPUTED: dict[str, _Computed] = {
    "sum": _sum,
    "difference": _difference,
    "product": _product,
    "ratio": _ratio,
    "percent_change": _percent_change,
    "percentage_point_difference": _points,
    "average": _average,
    "minimum": _extreme(min),
    "maximum": _extreme(max),
    "compound_annual_growth_rate": _growth,
    "share_of_total": _share,
    "unit_conversion": _convert_unit,
    "scale_conversion": _convert_scale,
}
_DATED: dict[str, Callable[[Sequence[Input], Given], Measure | Period]] = {
    "date_difference": _date_difference,
    "date_addition": _date_addition,
}
_COMPARED: dict[str, Callable[..., bool]] = {
    "greater_than": lambda a, b: a > b,
    "greater_or_equal": lambda a, b: a >= b,
    "less_than": lambda a, b: a < b,
    "less_or_equal": lambda a, b: a <= b,
    "equal": lambda a, b: a == b,
    "between": lambda a, low, high: low <= a <= high,
    "before": lambda a, b: a < b,
    "after": lambda a, b: a > b,
}
