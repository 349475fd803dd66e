"""Reports and proofs that come back from a file, of Ethos or of Pagewitness."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from grounding.errors import RequestInvalidError
from grounding.json_input import load_json
from verifier.ethos.report import EthosReport
from verifier.proof import ProofSummary
from verifier.report import ARTIFACT_TYPE, Report

Proof: TypeAlias = EthosReport | Report | ProofSummary
"""What a release decision can be based on."""

_KINDS: dict[str, Any] = {
    ARTIFACT_TYPE: Report,
    "pagewitness.proof_summary.v1": ProofSummary,
}
"""Files that say what they are; a report of Ethos does not."""
_REMEDY = "give a report of `pagewitness verify`, of one document"


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def load_proof(data: bytes | str) -> Proof:
    """A report of either form, or a proof summary. Raises RequestInvalidError for anything else,
    unknown keys included."""
    value = load_json(data)
    if not isinstance(value, dict):
        raise RequestInvalidError("a report is a JSON object", remedy=_REMEDY)
    kind = value.get("artifact_type")
    if kind is None:
        return _validated(EthosReport, value)  # type: ignore[no-any-return]
    if not isinstance(kind, str) or kind not in _KINDS:
        raise RequestInvalidError(f"this is no verification report but {kind!r}", remedy=_REMEDY)
    return _validated(_KINDS[kind], value)  # type: ignore[no-any-return]


def load_ethos_report(data: bytes | str) -> EthosReport:
    """A report in Ethos's form. Raises RequestInvalidError for anything else."""
    report: EthosReport = _validated(EthosReport, load_json(data))
    return report


def _validated(kind: Any, value: Any) -> Any:
    try:
        return _adapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "report"
        raise RequestInvalidError(f"report: {where}: {first['msg']}", remedy=_REMEDY) from error
