"""Numbers and dates of a scope that may be the one that a claim states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from grounding.model import SpanFlag
from grounding.text import fold, needed_folds
from verifier.checks.outcome import CheckContext
from verifier.checks.search import covered
from verifier.claims import Claim
from verifier.codes import Reason
from verifier.locate import first_page_box, regions_of
from verifier.matching import Match
from verifier.quantities import Notation, Quantity, number_text, parse_quantity, quantities
from verifier.quantities.cells import parse_cell
from verifier.quantities.compare import Verdict, compare, period_reason, rounds_to
from verifier.quantities.context import (
    NO_CONTEXT,
    QuantityContext,
    Stated,
    in_context,
    stated_in,
)
from verifier.quantities.dates import parse_period, periods, year_alone
from verifier.quantities.model import ONE
from verifier.quantities.period import Period
from verifier.quantities.prose import in_row
from verifier.report_numbers import FoundNumber
from verifier.structured import StructuredValue
from verifier.views import Range, TextView

LONGEST = 100
"""Characters above which a text is no single number."""
_GROUP_GAP = 0.6
"""Share of a digit's height that a space between groups of digits is wide at most."""
_SYMBOL = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,3}\Z")
_UNKNOWN = Decimal(-1)
"""The size of a reading that is not known; no claim has it, for a number's sign stands apart."""
_EXPONENT = re.compile(r" ?-?\d{1,2}(?!\d)")
_SENTENCE_REACH = 400
"""Characters on each side of a number in which its sentence is looked for."""
_SENTENCE_END = re.compile(r"[.!?;] +(?=[A-Z(\"])")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a claim states: a quantity, perhaps of a period; or a date or period alone."""

    quantity: Quantity | None = None
    period: Period | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A number of the source, where it stands, and how it compares with the claim's."""

    match: Match
    quantity: Quantity
    verdict: Verdict
    context: QuantityContext = NO_CONTEXT

    @property
    def reason(self) -> Reason | None:
        return self.verdict.reason


def read_claim(claim: Claim, notation: Notation | None) -> Wanted | None:
    """What a claim's value says as a quantity or a date; None when it is another text. `notation`
    is the document's."""
    if isinstance(claim.value, StructuredValue):
        stated = claim.value.stated()
        return Wanted(stated.quantity, stated.period)
    raw = (claim.wording or "").strip()
    if len(raw) > LONGEST:
        return None
    text = number_text(fold(raw), raw)
    quantity = parse_quantity(text, notation)
    if quantity is not None:
        return Wanted(quantity)
    period = parse_period(text)
    return Wanted(None, period) if period is not None else None


def numbers(
    wanted: Wanted,
    view: TextView,
    inside: list[Range] | None,
    context: CheckContext,
) -> list[Found]:
    """Numbers of a view that have the claim's size or its digits, or round to them; their digits in
    some ranges. A number in a table's cell is taken with what the table says of it."""
    claim = wanted.quantity
    assert claim is not None
    rounding = context.config.allow_rounding
    found = []
    for quantity in tokens(view, context):
        said = _said(view, quantity, context)
        if not _near(claim, in_context(quantity, said), rounding):
            continue
        if inside is not None:
            digits = view.ranges(*view.folded.to_raw(quantity.digits_start, quantity.digits_end))
            if not all(covered(piece, inside, context.index) for piece in digits):
                continue
        verdict = compare(claim, quantity, said, rounding=rounding)
        if verdict.reason == "value_mismatch":
            continue
        around = said
        if wanted.period is not None:
            if said is NO_CONTEXT:
                around = _sentence_context(view, quantity)
            if verdict.equal:
                verdict = Verdict(period_reason(wanted.period, around), verdict.rounded)
        match = _match(view, quantity.start, quantity.end)
        found.append(Found(match, quantity, verdict, around))
    return found


def _said(view: TextView, quantity: Quantity, context: CheckContext) -> QuantityContext:
    """What a table says of a number; nothing where it stands in none."""
    known: dict[int, QuantityContext] = view.__dict__.setdefault("said", {})
    if quantity.start not in known:
        digits = view.ranges(*view.folded.to_raw(quantity.digits_start, quantity.digits_end))
        place = context.cells.at(digits[0]) if len(digits) == 1 else None
        said = context.cells.context(*place) if place is not None else NO_CONTEXT
        row = place is not None or in_row(_lines(view, context), quantity.start, quantity.end)
        if row and digits and said.scale is None and quantity.scale_source == "none":
            table = place[0] if place is not None else None
            if context.cells.scale_said_above(digits[0][0], table):
                said = replace(said, unsure=said.unsure | {"scale"})
        known[quantity.start] = said
    return known[quantity.start]


def _near(claim: Quantity, source: Quantity, rounding: bool) -> bool:
    """Whether comparing may give anything but another value."""
    for ours in claim.readings:
        for theirs in source.readings:
            if ours.number == theirs.number or ours.size == theirs.size:
                return True
            if rounding and rounds_to(ours, theirs, theirs):
                return True
    return False


def dated(
    period: Period, view: TextView, inside: list[Range] | None, context: CheckContext
) -> Iterator[tuple[Match, Period]]:
    """Dates and periods of a view that one reading of the claim's names."""
    wanted = {reading.label for reading in period.readings}
    for found in _periods(view):
        if not wanted & {reading.label for reading in found.readings}:
            continue
        match = _match(view, found.start, found.end)
        if inside is None or all(covered(r, inside, context.index) for r in match.ranges):
            yield match, found


def _match(view: TextView, start: int, end: int) -> Match:
    low, high = view.folded.to_raw(start, end)
    raw = view.raw[low:high]
    return Match(view.ranges(low, high), raw, needed_folds(raw, view.folded.text[start:end]), False)


def tokens(view: TextView, context: CheckContext) -> list[Quantity]:
    """The quantities of a view, read once."""
    cached: list[Quantity] | None = view.__dict__.get("quantities")
    if cached is None:
        found = quantities(_lines(view, context), context.index.notation)
        cached = view.__dict__["quantities"] = [_in_place(view, q, context) for q in found]
    return cached


def _lines(view: TextView, context: CheckContext) -> str:
    """A view's text as numbers are read in it, with the ends of its lines; its offsets are those of
    the folded text."""
    cached: str | None = view.__dict__.get("lines")
    if cached is None:
        cached = view.__dict__["lines"] = number_text(
            view.folded,
            view.raw,
            lambda at: _is_wide(view, at, context),
            spaces=context.index.spaces_group,
        )
    return cached


def _in_place(view: TextView, quantity: Quantity, context: CheckContext) -> Quantity:
    """A quantity as its place on the page says: a bracket in a table's cell is a minus, and small
    raised digits behind a number or a unit are an exponent or a note."""
    ranges = view.ranges(*view.folded.to_raw(quantity.start, quantity.end))
    if not ranges:
        return quantity
    if quantity.printed.startswith("(") and quantity.printed.endswith(")"):
        place = context.cells.at(ranges[0])
        alone = parse_cell(fold(place[1].text).text, context.index.notation) if place else None
        if alone is not None and alone.negative and alone.number == quantity.number:
            return replace(quantity, negative=True, sign_source="parentheses", alternatives=())
    raised = _raised(ranges[-1][1], context)
    if not raised or not _is_power(quantity, raised):
        return quantity
    other = replace(
        quantity,
        number=_UNKNOWN,
        scale=ONE,
        scale_source="none",
        unit=f"{quantity.unit} {raised}",
        printed=f"{quantity.printed}^{raised}",
        alternatives=(),
    )
    return replace(quantity, printed=other.printed, alternatives=(*quantity.alternatives, other))


def _is_power(quantity: Quantity, raised: str) -> bool:
    """Whether a raised number can be an exponent, as it is behind ten and behind the symbol of a
    unit; behind other numbers and words it leads to a note."""
    symbol = _SYMBOL.search(quantity.printed) and raised in ("2", "3")
    return bool(symbol) or quantity.digits == "10" or not raised.isdigit()


def _raised(at: int, context: CheckContext) -> str:
    """The small raised number that begins at an offset of the document; empty if none does."""
    page = context.index.page_at(at)
    text = context.index.source.page_text(page.number)[at - page.start :][:4]
    found = _EXPONENT.match(fold(text).text)
    if found is None:
        return ""
    marked = context.index.flags_in([(at + found.end() - 1, at + found.end())]) & SpanFlag.MARKER
    return found.group().strip() if marked else ""


def _is_wide(view: TextView, at: int, context: CheckContext) -> bool:
    """Whether the space at a raw offset of a view is wider than one that groups digits."""
    before, after = view.ranges(at - 1, at), view.ranges(at + 1, at + 2)
    if not before or not after:
        return True
    one, other = context.cells.at(before[0]), context.cells.at(after[0])
    if (one is None) != (other is None) or (one and other and one[1] is not other[1]):
        return True
    page = context.index.page_at(before[0][0])
    boxes = context.index.boxes(page.number)
    if boxes is None or not page.start <= after[0][0] < page.end:
        return False
    left = boxes.union(before[0][0] - page.start, before[0][1] - page.start)
    right = boxes.union(after[0][0] - page.start, after[0][1] - page.start)
    if left is None or right is None:
        return False
    return right.x0 - left.x1 > _GROUP_GAP * left.height or right.x0 < left.x0


def _periods(view: TextView) -> list[Period]:
    cached: list[Period] | None = view.__dict__.get("periods")
    if cached is None:
        cached = view.__dict__["periods"] = periods(view.folded.text)
    return cached


def _sentence_context(view: TextView, quantity: Quantity) -> QuantityContext:
    """The period that a number's sentence names, if it names a single one."""
    text = view.folded.text
    low, high = max(0, quantity.start - _SENTENCE_REACH), quantity.end + _SENTENCE_REACH
    for end in _SENTENCE_END.finditer(text, low, quantity.start):
        low = end.end()
    ended = _SENTENCE_END.search(text, quantity.end, high)
    sentence = text[low : ended.start() if ended else high]
    named = {p.label: p for p in (*periods(sentence), *year_alone(sentence))}
    if len(named) > 1:
        return QuantityContext(unsure=frozenset(("period",)))
    if not named:
        return NO_CONTEXT
    return QuantityContext(period=Stated(next(iter(named.values())), "sentence", sentence.strip()))


def measured(right: Sequence[Found]) -> Quantity:
    """What the source says, for calculations: the first of equal numbers with what its place says
    of it, ambiguous where another one of them has another size, unit or currency."""
    said = [stated_in(found.quantity, found.context) for found in right]
    first = said[0]
    others = {(q.total, q.unit, q.currency): replace(q, alternatives=()) for q in said}
    others.pop((first.total, first.unit, first.currency))
    if not others:
        return first
    return replace(first, alternatives=(*first.alternatives, *others.values()))


def found_data(found: Sequence[Found], context: CheckContext) -> list[FoundNumber]:
    """Several numbers as the report lists them, at most as many as the rules say."""
    listed: list[FoundNumber] = []
    for item in found[: context.config.max_found_elsewhere]:
        ranges = item.match.ranges
        data: FoundNumber = {
            "page": context.index.page_at(ranges[0][0]).number,
            "char_start": ranges[0][0],
            "char_end": ranges[-1][1],
            "text": item.match.raw,
        }
        regions = regions_of(context.index, ranges)
        if regions:
            data["bbox"] = first_page_box(regions).as_list()
        if item.reason is not None:
            data["reason"] = item.reason
        listed.append(data)
    return listed
