"""One module a claim kind; the registry is what the verifier dispatches on."""

from __future__ import annotations

from verifier.checks.outcome import Checker
from verifier.checks.presence import check_presence
from verifier.checks.quote import check_quote
from verifier.checks.region import check_region
from verifier.checks.table_cell import check_table_cell
from verifier.checks.value import check_value

CHECKERS: dict[str, Checker] = {
    "presence": check_presence,
    "quote": check_quote,
    "region": check_region,
    "table_cell": check_table_cell,
    "value": check_value,
}
