"""Claims of the form "what is measured, its number, its time", and rows of tables that state it.

"Net sales were $184.3 million in 2024" is what a row "Net sales" says under "2024", where
everything that the table states of scale, unit and currency agrees. A claim that names no time is
only decided by a row whose numbers are all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.codes import Reason
from verifier.quantities import Quantity
from verifier.quantities.cells import parse_cell
from verifier.quantities.compare import compare, period_reason
from verifier.quantities.context import context_of, in_context
from verifier.quantities.dates import parse_period
from verifier.quantities.period import Period
from verifier.statements.rows import Cell, Row, label_key
from verifier.statements.tokens import Token, Tokens

_LINKS = (
    ("was",), ("were",), ("is",), ("are",), ("amounted", "to"), ("amounts", "to"), ("came", "to"),
    ("comes", "to"), ("totalled",), ("totaled",), ("totals",), ("stood", "at"), ("stands", "at"),
    ("equalled",), ("equals",),
)  # fmt: skip
_BEFORE_TIME = frozenset(("in", "for", "during", "of"))
_LONGEST_LABEL = 10
_SIGNED = re.compile(
    r"\b(?:gains?|loss(?:es)?|income|profits?|results?|earnings|surplus|deficit|changes?|balance)\b",
    re.I,
)
_EXPENSE = re.compile(r"\b(?:expenses?|costs?|tax(?:es)?|charges?|depreciation)\b", re.I)


@dataclass(frozen=True, slots=True)
class Measure:
    """What a claim says is measured (the words of a row's label), how much of it there is, and
    when. `header` is the label over the column where the claim is a cell of a table itself."""

    label: tuple[str, ...]
    quantity: Quantity
    period: Period | None = None
    header: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """What a row says of a measure: the same number (no reason), or why not."""

    row: Row
    cell: Cell
    reason: Reason | None


def measure_of(claim: Tokens) -> Measure | None:
    """The measure that a claim is as a whole; None for a claim of any other form."""
    tokens = list(claim.tokens)
    number = next((at for at, token in enumerate(tokens) if token.kind == "number"), None)
    if number is None:
        return None
    times = [token.period for token in tokens if token.kind == "period"]
    if len(times) > 1:
        return None
    head, tail = tokens[:number], tokens[number + 1 :]
    if tail and not _is_time(tail):
        return None
    label = _linked(head, claim, number)
    if label is None:
        return None
    label = _without_time(label)
    if not 0 < len(label) <= _LONGEST_LABEL or any(token.kind != "word" for token in label):
        return None
    quantity = tokens[number].quantity
    assert quantity is not None
    return Measure(tuple(token.key for token in label), quantity, times[0] if times else None)


def _linked(head: Sequence[Token], claim: Tokens, number: int) -> list[Token] | None:
    """What stands before the link or the colon in front of the number."""
    for link in _LINKS:
        if tuple(token.key for token in head[-len(link) :]) == link:
            return list(head[: -len(link)])
    colon = ":" in claim.between(number - 1, number)
    return list(head) if colon else None


def _is_time(tokens: Sequence[Token]) -> bool:
    return len(tokens) == 2 and tokens[0].key in _BEFORE_TIME and tokens[1].kind == "period"


def _without_time(label: list[Token]) -> list[Token]:
    """A label without a time at its beginning or end."""
    if _is_time(label[:2]):
        return label[2:]
    return label[:-2] if _is_time(label[-2:]) else label


def row_measures(header: Sequence[str], cells: Sequence[str]) -> Iterator[Measure | None]:
    """The measures of a table's row in an answer; None for a cell that is no number."""
    label = label_key(cells[0]) if cells else ()
    for at, text in enumerate(cells[1:], 1):
        over = header[at] if at < len(header) else ""
        if not text.strip():
            continue
        quantity = parse_cell(Tokens(text).text)
        if quantity is None or not label:
            yield None
            continue
        said = in_context(quantity, context_of([over], [cells[0]], header[0] if header else ""))
        period = parse_period(Tokens(over).folded.text)
        yield Measure(label, said, period, label_key(over))


def stated(measure: Measure, rows: Sequence[Row]) -> Stated | None:
    """What the rows of a document say of a measure; None where no row says it, or several rows of
    the same label might."""
    same = [row for row in rows if row.key == measure.label]
    if len(same) != 1 or same[0].taken_back:
        return None
    row = same[0]
    cells = [cell for cell in row.numbers if _is_of(measure, cell)]
    found = [Stated(row, cell, _reason(measure, cell)) for cell in cells]
    if not found:
        return None
    reasons = {item.reason for item in found}
    if measure.period is None and not measure.header and len(reasons) > 1:
        return None
    first = found[0]
    return first if first.reason is None or _contradicts(measure, first) else None


def _is_of(measure: Measure, cell: Cell) -> bool:
    """Whether a cell is of a measure's time, or of its column."""
    if measure.period is not None:
        return period_reason(measure.period, cell.context) is None
    if measure.header:
        return label_key(cell.header) == measure.header
    return label_key(cell.header) not in (("note",), ("notes",))


def _reason(measure: Measure, cell: Cell) -> Reason | None:
    assert cell.quantity is not None
    return compare(measure.quantity, cell.quantity, cell.context).reason


def _contradicts(measure: Measure, found: Stated) -> bool:
    """Whether a difference is a contradiction: something is known on both sides, and differs. A
    cost in brackets is a cost, so that its sign says nothing."""
    cell, claim = found.cell, measure.quantity
    assert cell.quantity is not None
    said = in_context(cell.quantity, cell.context)
    if found.reason == "value_mismatch":
        known = said.scale_source != "none" or claim.scale_source == "none"
        return known and measure.period is not None
    if found.reason == "scale_mismatch":
        return said.scale_source != "none"
    if found.reason == "currency_mismatch":
        return bool(said.currency)
    if found.reason == "unit_mismatch":
        return bool(said.unit)
    if found.reason == "sign_mismatch":
        label = found.row.label
        return bool(_SIGNED.search(label)) and not _EXPENSE.search(label)
    return False
