"""Table cells: the cell at a grid position holds the claim's text or value."""

from __future__ import annotations

from grounding.text import fold
from verifier.checks.outcome import CheckContext, Outcome, failure
from verifier.checks.search import pick
from verifier.checks.value import difference
from verifier.claims import Claim
from verifier.locate import Scope
from verifier.matching import Match
from verifier.quantities import parse_quantity
from verifier.report import Reason


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
        page=scope.page,
        box=cell.box,
        scope=scope,
        occurrences=1,
    )
    if not table.trusted:
        outcome.warnings.append("low_confidence_table_structure")
    reason = _difference(wording, cell.text)
    place = Match(cell.ranges, cell.text, (), True)
    if reason is None and not (cell.ranges and pick([place], claim.citation, context.index)):
        reason = "text_mismatch"
    if reason is not None:
        outcome.status, outcome.reason = "mismatch", reason
        outcome.occurrences = 0
    return outcome


def _difference(claim: str, cell: str) -> Reason | None:
    wanted, found = fold(claim).text.strip(), fold(cell).text.strip()
    if wanted == found:
        return None
    number, source = parse_quantity(wanted), parse_quantity(found)
    if number is None or source is None:
        return "text_mismatch"
    return difference(number, source)
