"""Whether a claim's own words are borne out by its evidence, as far as that can be told without
understanding them: its numbers and dates, and words that deny or limit.

A grounded citation proves that the evidence stands on its page. That the claim says what the
evidence says is for others to judge (`claim_support`); that it states no number which the evidence
does not have, and denies nothing that it does not, is told here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grounding.text import fold
from verifier.editorial import denials
from verifier.quantities import Quantity, number_text, parse_quantity, quantities
from verifier.quantities.compare import compare
from verifier.quantities.dates import periods, year_alone
from verifier.quantities.period import Period, same_period

_NOT = frozenset(
    (
        "not",
        "no",
        "never",
        "nor",
        "neither",
        "none",
        "nothing",
        "nobody",
        "nowhere",
        "cannot",
        "n't",
    )
)
"""Words that deny in one way or another; each of the others says something of its own."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers and the dates of a text. A number that is part of a date is not listed again."""

    quantities: tuple[Quantity, ...]
    periods: tuple[Period, ...]

    def __bool__(self) -> bool:
        return bool(self.quantities or self.periods)


@lru_cache(maxsize=4096)
def figures(text: str) -> Figures:
    """The numbers and dates of a text."""
    read = number_text(fold(text), text)
    dates = list(periods(read))
    dates += [year for year in year_alone(read) if not _inside(year, dates)]
    numbers = [q for q in quantities(read) if not _within(q.start, q.end, dates)]
    return Figures(tuple(numbers), tuple(dates))


def _inside(one: Period, others: Sequence[Period]) -> bool:
    return _within(one.start, one.end, others)


def _within(start: int, end: int, dates: Sequence[Period]) -> bool:
    return any(date.start <= start and end <= date.end for date in dates)


def shown(figure: Quantity | Period, text: str) -> str:
    """A figure as its text prints it."""
    read = number_text(fold(text), text)
    return read[figure.start : figure.end].strip()


def unborne(text: str, said: Iterable[str], *, rounding: bool) -> list[str]:
    """The numbers and dates of a text that none of some other texts has, as they are printed."""
    known = [figures(one) for one in said]
    mine = figures(text)
    missing: list[Quantity | Period] = [
        q for q in mine.quantities if not _stated(q, known, rounding=rounding)
    ]
    missing += [p for p in mine.periods if not _dated(p, known)]
    return [shown(one, text) for one in sorted(missing, key=lambda one: one.start)]


def _stated(quantity: Quantity, known: Iterable[Figures], *, rounding: bool) -> bool:
    for one in known:
        if any(compare(quantity, other, rounding=rounding).equal for other in one.quantities):
            return True
        if quantity.bare and any(_is_year(quantity, period) for period in one.periods):
            return True
    return False


def _is_year(quantity: Quantity, period: Period) -> bool:
    return period.kind == "year" and quantity.number == period.year and not quantity.negative


def _dated(period: Period, known: Iterable[Figures]) -> bool:
    for one in known:
        if any(_same(period, other) for other in one.periods):
            return True
        if period.kind == "year" and any(q.bare and _is_year(q, period) for q in one.quantities):
            return True
    return False


def _same(claimed: Period, said: Period) -> bool:
    """A year is borne out by a day or a month in it as well: what is said of the day is said of a
    part of the year, and the other way round it is not."""
    if same_period(claimed, said):
        return True
    years = {reading.year for reading in said.readings}
    return claimed.kind == "year" and said.kind in ("day", "month") and years == {claimed.year}


def value_borne(value: str, said: Iterable[str], *, rounding: bool) -> bool:
    """Whether a number as text is stated by one of some texts."""
    read = number_text(fold(value), value)
    quantity = parse_quantity(read)
    known = [figures(one) for one in said]
    if quantity is None:
        return not unborne(value, said, rounding=rounding) and bool(figures(value))
    return _stated(quantity, known, rounding=rounding)


def denials_differ(text: str, said: Sequence[str]) -> str | None:
    """A word by which a claim denies or limits and its evidence does not, or the other way round;
    None where both do it by the same kinds of words."""
    ours = dict(_denying(text))
    theirs = {kind: word for one in said for kind, word in _denying(one)}
    differing = sorted(ours.keys() ^ theirs.keys())
    if not differing:
        return None
    return ours.get(differing[0]) or theirs[differing[0]]


@lru_cache(maxsize=4096)
def _denying(text: str) -> tuple[tuple[str, str], ...]:
    """Kinds of the words by which a text denies or limits, and the words."""
    return tuple((_kind(word), word) for word in denials(text))


def _kind(word: str) -> str:
    return "not" if word in _NOT else word
