"""Days and months between dates, and dates some time after another.

Rules: days are counted without the first and with the last one (Regulation (EEC) 1182/71 art. 3,
and Rule 6(a) of the US Federal Rules of Civil Procedure). A month later is the same day of the next
month (art. 3(2)(c)); where that month has no such day, contracts and laws disagree, and the
calculation is undefined.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from decimal import Decimal

from verifier.calculations.measures import Measure, Undefined
from verifier.quantities.period import Period
from verifier.quantities.units import UNITS


def day_of(period: Period) -> date:
    """The date of a period that is one day. Raises Undefined."""
    if period.alternatives:
        raise Undefined("a date can be read in several ways")
    if period.kind != "day" or period.last is None:
        raise Undefined("a date has to be a day")
    return period.last


def between(first: date, last: date, unit: str) -> Measure:
    """How long it is from one date to another: in days and weeks, or in whole months, quarters and
    years. Raises Undefined."""
    if unit in ("day", "week"):
        days = Decimal((last - first).days)
        if unit == "week":
            if days % 7:
                raise Undefined("not a whole number of weeks")
            days /= 7
        return Measure(days, unit)
    if unit not in ("month", "quarter", "year"):
        raise Undefined(f"dates do not differ by {unit}s")
    if first.day != last.day:
        raise Undefined(f"not a whole number of {unit}s")
    months = Decimal(12 * (last.year - first.year) + last.month - first.month)
    length = UNITS[unit].factor
    if months % length:
        raise Undefined(f"not a whole number of {unit}s")
    return Measure(months / length, unit)


def later(start: date, duration: Measure) -> date:
    """The date some whole days, weeks, months, quarters or years later. Raises Undefined."""
    unit = UNITS.get(duration.unit)
    if unit is None or duration.unit in ("second", "minute", "hour"):
        raise Undefined("a duration has to be in days, weeks, months, quarters or years")
    if duration.value != duration.value.to_integral_value() or abs(duration.value) > 100_000:
        raise Undefined("a duration has to be whole")
    count = int(duration.value)
    try:
        if unit.dimension == "time":
            return start + timedelta(days=count * (7 if duration.unit == "week" else 1))
        months = start.year * 12 + start.month - 1 + count * int(unit.factor)
        year, month = divmod(months, 12)
        if not 1 <= year <= 9999 or start.day > monthrange(year, month + 1)[1]:
            raise Undefined("the month reached has no such day")
        return date(year, month + 1, start.day)
    except OverflowError as error:
        raise Undefined("the date is out of range") from error


def as_period(when: date) -> Period:
    """A date as a period of one day."""
    return Period("day", when.isoformat(), when.year, False, when)
