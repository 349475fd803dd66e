"""Dates, fiscal periods and spans of time, as text names them.

Sources: ISO 8601 (2023-12-31); Chicago Manual of Style 6.38 (December 31, 2023 and 31 December
2023); CLDR short dates: d.m.y in German and Nordic use, m/d/y in the United States, d/m/y
elsewhere, so that 03/04/2023 has two readings and 13/04/2023 one; SEC Regulation S-X 3-01 to 3-04
for "year ended" and "three months ended".
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date

from verifier.quantities.period import Period

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH_NUMBER = {name: at for at, name in enumerate(_MONTHS, 1)}
_MONTH_NUMBER |= {name[:3]: at for name, at in _MONTH_NUMBER.items()} | {"sept": 9}
_MONTH = (
    rf"(?P<month>{'|'.join(_MONTHS)}|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?)"
)
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_COUNTS = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "3": 3, "6": 6, "9": 9, "12": 12}
_WEEKS = {"thirteen": 3, "13": 3, "twenty-six": 6, "26": 6, "thirty-nine": 9, "39": 9,
          "fifty-two": 12, "52": 12, "fifty-three": 12, "53": 12}  # fmt: skip
"""Retail calendars count weeks: 13 are a quarter."""
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_END = r"(?![\w\ufffc])"
_DAY = (
    rf"(?:{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)? ?,? {_YEAR}"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH.replace('month', 'month2')},? {_YEAR.replace('year', 'year2')})"  # noqa: E501
)
_ENDED = (
    r"(?P<count>three|six|nine|twelve|3|6|9|12)[ -]months? (?:period )?ended"
    r"|(?P<weeks>thirteen|twenty-six|thirty-nine|fifty-two|fifty-three|13|26|39|52|53)[ -]weeks?"
    r" ended"
    r"|(?P<ended_year>(?:fiscal )?years?) ended|(?P<ended_quarter>quarter) ended"
)
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("span", re.compile(rf"\b(?:{_ENDED}) {_DAY}{_END}", re.I)),
    ("quarter", re.compile(
        r"\b(?:Q(?P<q>[1-4])|(?P<o>first|second|third|fourth|1st|2nd|3rd|4th) (?P<f>fiscal )?"
        rf"quarter)(?:,? (?:of )?(?:the )?|-)(?P<fy>fiscal (?:year )?|FY ?)?{_YEAR}{_END}", re.I)),
    ("half", re.compile(
        rf"\b(?:H(?P<q>[12])|(?P<o>first|second) half)(?:,? (?:of )?(?:the )?)"
        rf"(?P<fy>fiscal (?:year )?|FY ?)?{_YEAR}{_END}", re.I)),
    ("fiscal", re.compile(
        rf"\b(?:fiscal (?:year )?|financial year |FY[ -]?){_YEAR}{_END}"
        rf"|\bFY[ -]?(?P<short>\d\d){_END}", re.I)),
    ("day", re.compile(rf"\b{_DAY}{_END}", re.I)),
    ("month", re.compile(rf"\b{_MONTH},? {_YEAR}{_END}", re.I)),
    ("iso", re.compile(
        r"(?<![\w/.-])(?P<year>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)(?![\w/\ufffc]|-\d)")),
    ("dotted", re.compile(
        rf"(?<![\w/.-])(?P<d>\d{{1,2}})\. ?(?P<m>\d{{1,2}})\. ?{_YEAR}(?![\w/\ufffc]|\.\d)")),
    ("slashed", re.compile(
        rf"(?<![\w/.-])(?P<d>\d{{1,2}})/(?P<m>\d{{1,2}})/{_YEAR}(?![\w/\ufffc])")),
)  # fmt: skip
_CANDIDATE = re.compile(
    r"\b(?:FY[ -]?)?(?:19|20)\d\d(?![\w\ufffc])|\bFY[ -]?\d\d(?![\w\ufffc])", re.I
)
_RANGE_LINK = re.compile(r" ?(?:to|through|until|and|-) ?", re.I)
_REACH = 64
"""Characters that the words before a year may take up."""


def periods(text: str) -> list[Period]:
    """All dates and named periods of a folded text, in order, the longest at each place. Years that
    stand alone are numbers; see `year_alone`."""
    found: list[Period] = []
    done = 0
    for candidate in _CANDIDATE.finditer(text):
        if candidate.start() < done:
            continue
        period = _around(text, max(done, candidate.start() - _REACH), candidate)
        if period is not None:
            found.append(period)
            done = period.end
    return found


def parse_period(text: str) -> Period | None:
    """The date or period that a whole text is, ranges and single years too; None when it is
    something else."""
    text = text.strip()
    if re.fullmatch(r"(?:19|20)\d\d", text):
        return _year(int(text), False, 0, 4)
    found = periods(text)
    if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)):
        return found[0]
    years = re.fullmatch(r"((?:19|20)\d\d) ?(?:-|to|through) ?((?:19|20)\d\d)", text)
    if years and years[1] < years[2]:
        return _range(_year(int(years[1]), False, 0, 4), _year(int(years[2]), False, 0, len(text)))
    if len(found) == 2 and found[0].start == 0 and found[1].end == len(text):
        link = _RANGE_LINK.fullmatch(text[found[0].end : found[1].start])
        if link and link.group().strip().lower() != "and":
            return _range(found[0], found[1])
    return None


def year_alone(text: str, longer: Iterable[Period] | None = None) -> Iterator[Period]:
    """Years of a text that are part of no longer date, as in a column's header; `longer` are the
    text's `periods` where they are known."""
    taken = [(p.start, p.end) for p in (periods(text) if longer is None else longer)]
    for year in re.finditer(r"(?<![\w.,$€£/-])(?:19|20)\d\d(?![\w%/\ufffc]|[.,]\d)", text):
        if not any(a <= year.start() < b for a, b in taken):
            yield _year(int(year.group()), False, *year.span())


def _around(text: str, low: int, candidate: re.Match[str]) -> Period | None:
    """The longest period whose year is the candidate."""
    for name, pattern in _PATTERNS:
        for found in pattern.finditer(text, low, min(len(text), candidate.end() + 8)):
            if found.start() <= candidate.start() and candidate.end() <= found.end():
                if text[max(found.start() - 1, 0) : found.start()] == "\ufffc":
                    return None
                return _MAKE[name](found)
    return None


def _day_of(found: re.Match[str]) -> date | None:
    groups = found.groupdict()
    month = (groups.get("month") or groups.get("month2") or "").lower().rstrip(".")
    day = int(groups.get("day") or groups.get("day2") or 0)
    year = int(groups.get("year") or groups.get("year2") or 0)
    return _date(year, _MONTH_NUMBER[month], day)


def _date(year: int, month: int, day: int) -> date | None:
    if not (1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None
    return date(year, month, day)


def _day(when: date, start: int, end: int) -> Period:
    return Period("day", when.isoformat(), when.year, False, when, 0, start, end)


def _year(year: int, fiscal: bool, start: int, end: int) -> Period:
    last = None if fiscal else date(year, 12, 31)
    return Period("year", f"FY{year}" if fiscal else f"{year}", year, fiscal, last, 12, start, end)


def _range(one: Period, other: Period) -> Period:
    label = f"{one.label}/{other.label}"
    return Period("range", label, other.year, other.fiscal, other.last, 0, one.start, other.end)


def _make_day(found: re.Match[str]) -> Period | None:
    when = _day_of(found)
    return _day(when, *found.span()) if when else None


def _make_span(found: re.Match[str]) -> Period | None:
    when = _day_of(found)
    if when is None:
        return None
    if found["count"]:
        months = _COUNTS[found["count"].lower()]
    elif found["weeks"]:
        months = _WEEKS[found["weeks"].lower()]
    else:
        months = 12 if found["ended_year"] else 3
    label = f"P{months}M/{when.isoformat()}"
    return Period("span", label, when.year, False, when, months, *found.span())


def _make_part(found: re.Match[str]) -> Period:
    """A quarter or a half year."""
    groups = found.groupdict()
    half = "half" in found.group().lower() or found.group()[0] in "Hh"
    number = int(groups["q"]) if groups["q"] else _ORDINALS[groups["o"].lower()]
    fiscal = bool(groups.get("f") or groups["fy"])
    year, months = int(groups["year"]), 6 if half else 3
    label = f"{'FY' if fiscal else ''}{year}-{'H' if half else 'Q'}{number}"
    month = number * months
    last = None if fiscal else date(year, month, monthrange(year, month)[1])
    return Period("half" if half else "quarter", label, year, fiscal, last, months, *found.span())


def _make_fiscal(found: re.Match[str]) -> Period:
    year = int(found["year"]) if found["year"] else 2000 + int(found["short"])
    return _year(year, True, *found.span())


def _make_month(found: re.Match[str]) -> Period:
    year, month = int(found["year"]), _MONTH_NUMBER[found["month"].lower().rstrip(".")]
    last = date(year, month, monthrange(year, month)[1])
    return Period("month", f"{year}-{month:02}", year, False, last, 1, *found.span())


def _make_numeric(found: re.Match[str]) -> Period | None:
    when = _date(int(found["year"]), int(found["m"]), int(found["d"]))
    return _day(when, *found.span()) if when else None


def _make_slashed(found: re.Match[str]) -> Period | None:
    year, one, two = int(found["year"]), int(found["d"]), int(found["m"])
    days = [d for d in (_date(year, one, two), _date(year, two, one)) if d]
    if not days:
        return None
    first, *others = dict.fromkeys(days)
    rest = tuple(_day(d, *found.span()) for d in others)
    return replace(_day(first, *found.span()), alternatives=rest)


_MAKE: dict[str, Callable[[re.Match[str]], Period | None]] = {
    "span": _make_span, "quarter": _make_part, "half": _make_part, "fiscal": _make_fiscal,
    "day": _make_day, "month": _make_month, "iso": _make_numeric, "dotted": _make_numeric,
    "slashed": _make_slashed,
}  # fmt: skip
