"""Named times, and when two of them are the same.

Source: SEC Regulation S-X 3-01 to 3-04 for periods of statements, and the practice of filers to
number fiscal years, whose months differ: a fiscal quarter is equal to no calendar quarter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

PeriodKind = Literal["day", "month", "quarter", "half", "year", "span", "range"]


@dataclass(frozen=True, slots=True)
class Period:
    """A named time. `label` is canonical: 2023-12-31, 2023-12, 2023-Q3, FY2023, FY2023-Q3,
    P3M/2023-06-30 (three months ended then), a/b for a range. `last` is its last day where the
    calendar tells it, `months` its length where it is a whole number of them."""

    kind: PeriodKind
    label: str
    year: int
    fiscal: bool = False
    last: date | None = None
    months: int = 0
    start: int = 0
    end: int = 0
    alternatives: tuple[Period, ...] = ()

    @property
    def readings(self) -> tuple[Period, ...]:
        if not self.alternatives:
            return (self,)
        return (replace(self, alternatives=()), *self.alternatives)


def same_period(claim: Period, source: Period) -> bool | None:
    """Whether a claim's period is the source's; None when it cannot be told.

    Equal labels are equal. A year, fiscal or not, is the span of twelve months that ends in it:
    from June on for certain, since filers whose year ends earlier disagree about its number. The
    last day of a calendar year stands for that year (a balance at its end).
    """
    verdicts = {_same(a, b) for a in claim.readings for b in source.readings}
    return verdicts.pop() if len(verdicts) == 1 else None


def _same(claim: Period, source: Period) -> bool | None:
    if claim.label == source.label:
        return True
    if claim.kind == "year" and source.kind == "year":
        return claim.year == source.year
    for one, other in ((claim, source), (source, claim)):
        if one.kind == "year" and other.kind == "span" and other.months == 12 and other.last:
            return _year_ends(one, other.last)
        if one.kind == "year" and other.kind == "day" and other.last:
            if (other.last.month, other.last.day) == (12, 31) and not one.fiscal:
                return one.year == other.year
            return _year_ends(one, other.last) if one.fiscal else False
        if one.kind in ("quarter", "half") and other.kind == "span" and other.months == one.months:
            if one.fiscal:
                return None
            return other.last == one.last or (None if _near(one, other) else False)
    fiscal = claim.fiscal != source.fiscal
    same_part = claim.kind == source.kind and claim.label[-2:] == source.label[-2:]
    return None if fiscal and same_part and claim.year == source.year else False


def _year_ends(year: Period, last: date) -> bool | None:
    """Whether a numbered year ends on a day."""
    if last.month >= 6:
        return year.year == last.year
    return None if year.year in (last.year, last.year - 1) else False


def _near(one: Period, other: Period) -> bool:
    """Retail quarters end some days before or after the calendar's."""
    return bool(one.last and other.last and abs(one.last - other.last) < timedelta(days=12))
