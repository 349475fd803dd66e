"""Table cells: the cell at a grid position holds the claim's text or value."""

from __future__ import annotations

import re

from grounding.model import UNSEEN, Cell, Region
from grounding.text import fold
from verifier.checks.numbers import Wanted, read_claim
from verifier.checks.outcome import CheckContext, Outcome, failure
from verifier.checks.search import pick
from verifier.claims import Claim
from verifier.codes import Reason
from verifier.locate import Scope
from verifier.matching import Match
from verifier.quantities import number_text
from verifier.quantities.cells import parse_cell
from verifier.quantities.compare import compare, period_reason
from verifier.quantities.context import QuantityContext, stated_in
from verifier.quantities.dates import parse_period
from verifier.quantities.period import Period
from verifier.quantities.shown import period_data, quantity_data
from verifier.structured import StructuredValue

_BESIDE_SIGN = re.compile(r"(?<=[$€£¥₹(]) | (?=[%)])")


def check_table_cell(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """Grounded when the whole cell says what the claim says: numbers by value, text by words."""
    wording = claim.wording
    if wording is None or not wording.strip():
        return failure("error", "missing_required_text", scope)
    if not context.index.source.capabilities.tables:
        return failure("capability_blocked", "missing_table_capability", scope)
    cell, table = scope.cell, scope.table
    if cell is None or table is None:
        return failure("error", "missing_table_cell_locator", scope)
    outcome = Outcome(
        "grounded",
        method="table_cell_lookup",
        tier="table_cell",
        ranges=tuple(sorted(cell.ranges)),
        text=cell.text,
        regions=(Region(cell.page, cell.box),),
        scope=scope,
        occurrences=1,
    )
    if not table.trusted:
        outcome.warnings.append("low_confidence_table_structure")
    reason = _difference(claim, cell.text, outcome, context, context.cells.context(table, cell))
    if reason is None and not _stands_there(cell, claim, context):
        reason = "text_mismatch"
    if reason is None and _is_hidden(cell, context):
        reason = "hidden_text"
    if reason is not None:
        outcome.status, outcome.reason = "mismatch", reason
        outcome.occurrences = 0
        outcome.measured, outcome.rounded = None, False
    return outcome


def _is_hidden(cell: Cell, context: CheckContext) -> bool:
    """Whether some of a cell's text is nowhere to be seen."""
    if not context.index.flags_in(cell.ranges) & UNSEEN:
        return False
    seen = context.index.view_of(sorted(cell.ranges), markers=False).raw
    return "".join(seen.split()) != "".join(cell.text.split())


def _stands_there(cell: Cell, claim: Claim, context: CheckContext) -> bool:
    """Whether a cell has text, between the citation's prefix and suffix where it has them. A
    foreign file may not say where in its page's text a cell's stands."""
    if cell.blank or not cell.ranges:
        return not cell.blank and claim.citation.prefix is None and claim.citation.suffix is None
    place = Match(cell.ranges, cell.text, (), True)
    return bool(pick([place], claim.citation, context.index))


def _difference(
    claim: Claim,
    cell: str,
    outcome: Outcome,
    context: CheckContext,
    said: QuantityContext,
) -> Reason | None:
    """Why a cell does not say what a claim says. `said` is what headers, caption and page state of
    the cell's number."""
    text = fold(cell).text.strip()
    alike = not isinstance(claim.value, StructuredValue) and (
        _printed(fold(claim.wording or "").text) == _printed(text)
    )
    wanted = read_claim(claim, context.index.notation)
    if wanted is None or wanted.quantity is None:
        return _text_difference(wanted, text, alike, outcome)
    spaced = number_text(
        fold(cell), cell, spaces=None if context.index.spaces_group else False
    ).strip()
    source = parse_cell(spaced, context.index.notation)
    outcome.quantities = {"claim": quantity_data(wanted.quantity, wanted.period)}
    if source is None:
        return None if alike else "text_mismatch"
    outcome.quantities["source"] = quantity_data(source, context=said)
    if not alike:
        verdict = compare(wanted.quantity, source, said, rounding=context.config.allow_rounding)
        outcome.rounded = verdict.rounded
        if verdict.reason is not None:
            # A cell is one number: a claim of another one is not at the cited place.
            return verdict.reason
    outcome.measured = stated_in(source, said)
    return period_reason(wanted.period, said)


def _printed(text: str) -> str:
    """A cell's text without the space that stands between a sign and its number."""
    return _BESIDE_SIGN.sub("", text.strip())


def _text_difference(
    wanted: Wanted | None, text: str, alike: bool, outcome: Outcome
) -> Reason | None:
    """Cells that hold no number: words as they are printed, dates by the day that they name."""
    claimed: Period | None = wanted.period if wanted is not None else None
    source = parse_period(text) if claimed is not None else None
    if claimed is None or source is None:
        return None if alike else "text_mismatch"
    outcome.quantities = {"claim": period_data(claimed), "source": period_data(source)}
    sure = not claimed.alternatives and not source.alternatives
    if sure and claimed.label == source.label:
        outcome.measured = source
        return None
    if alike:
        return None
    readings = {r.label for r in claimed.readings} & {r.label for r in source.readings}
    return "value_ambiguous" if readings else "text_mismatch"
