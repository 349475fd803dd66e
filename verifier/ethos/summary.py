"""A report in Ethos's form as lines of text, `key: value` each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, cast, get_args

from verifier.codes import Status
from verifier.ethos.report import EthosCheck, EthosReason, EthosReport
from verifier.proof import ProofSummary, proof_summary
from verifier.report import Report

TITLE: Final = "Ethos verification summary"
DIAGNOSTICS: Final[dict[EthosReason, str]] = {
    "missing_locator": "the citation gives no locator",
    "missing_required_text": "the claim gives no text to compare",
    "unsupported_claim_kind": "claims of this kind are not checked under the configuration",
    "stale_fingerprint": "the citations pin another document than the one that was checked",
    "missing_source_fingerprint": "the citations pin a document, and the source has no fingerprint",
    "missing_citation_fingerprint": "the citations pin no document, and the configuration asks it",
    "missing_span_capability": "a span is cited, and the source has none",
    "missing_table_capability": "a table cell is cited, and the source has no tables",
    "unknown_coordinate_origin": "a box is cited, and the source does not say where its boxes count"
    " from",
    "element_not_found": "the source has no element with the cited id",
    "span_not_found": "the source has no span with the cited id",
    "page_not_found": "the source has no page with the cited id",
    "bbox_not_found": "no element of the cited page holds the cited box",
    "missing_page_for_bbox": "a box is cited without its page",
    "missing_table_cell_locator": "a table cell needs table_id and cell",
    "table_not_found": "the source has no table with the cited id",
    "table_cell_not_found": "the cited table has no cell at the cited row and column",
    "text_mismatch": "the cited place was found, and its text is not the claim's",
}
"""What is said of a check that is not grounded, by its reason."""
_NO_REASON = "the report gives no reason"


def ethos_summary_text(report: EthosReport) -> str:
    """The summary of a report, a line end after the last line. What comes from outside is shown in
    one line, controls as escapes."""
    # Both forms of report have the keys that a proof summary is derived from.
    proof = proof_summary(cast(Report, report))
    lines = [TITLE, *(f"{key}: {_line(value)}" for key, value in _pairs(report, proof))]
    failed = [check for check in report["checks"] if check["status"] != "grounded"]
    lines.append("non_grounded_checks:")
    for check in failed:
        lines += _check_lines(check)
    return "\n".join([*lines, *(() if failed else ("- none",))]) + "\n"


def _pairs(report: EthosReport, proof: ProofSummary) -> Iterator[tuple[str, str]]:
    parser = report["grounding"]["parser"]
    yield "schema_version", report["schema_version"]
    yield "verification_config_sha256", report["verification_config_sha256"]
    yield "all_evidence_grounded", _word(report["all_evidence_grounded"])
    yield "fingerprint_stale", _word(report["fingerprint_stale"])
    yield "proof_status", proof["proof_status"]
    yield "request_certified", _word(proof["request_certified"])
    yield "reusable_grounded_checks", _listed(proof["reusable_checks"])
    yield "needs_review_checks", _listed(proof["review_checks"])
    yield "proof_limitations", _listed(proof["proof_limitations"])
    yield "recovery_hint", recovery_hint(proof)
    if "document_fingerprint" in report:
        yield "document_fingerprint", report["document_fingerprint"]
    yield "grounding", f"{parser['name']} {parser['version']}"
    if "adapter" in parser:
        yield "grounding_adapter", parser["adapter"]
    if "adapter_version" in parser:
        yield "grounding_adapter_version", parser["adapter_version"]
    yield from _ends(report)


def _ends(report: EthosReport) -> Iterator[tuple[str, str]]:
    abilities = report["grounding"]["capabilities"]
    yield "grounding_capabilities", _listed(f"{k}={_word(v)}" for k, v in abilities.items())
    yield "checks_total", str(len(report["checks"]))
    counts = Counter(check["status"] for check in report["checks"])
    for status in get_args(Status):
        yield f"checks_{status}", str(counts[status])
    yield "capability_limits", _listed(report["capability_limits"])
    yield "unsupported_claim_kinds", _listed(report["unsupported_claim_kinds"])
    yield "warnings", _listed(report["warnings"])


def recovery_hint(proof: ProofSummary) -> str:
    """What to do next; the first that applies."""
    limits = proof["proof_limitations"]
    if proof["proof_status"] == "verified":
        if not limits:
            return "none"
        return "all checks are grounded; see capability_limits for what the source cannot prove"
    if proof["proof_status"] == "partially_verified":
        return "reuse the reusable checks alone, and correct or drop those that need review"
    if "stale_fingerprint" in limits:
        return "cite the document again as it is now, with its fingerprint"
    if "capability_limited" in limits:
        return "give a source with the abilities that are missing, or cite in another way"
    if "semantic_unverified" in limits:
        return "have a person judge what is not literal"
    return "correct the citations of the checks below and verify again"


def _check_lines(check: EthosCheck) -> list[str]:
    reason = check.get("reason")
    shown = {
        "status": check["status"],
        "reason": reason or "none",
        "kind": check["claim"]["kind"],
        "locator": _locator(check),
        "match_method": check["match_method"],
    }
    said = DIAGNOSTICS[reason] if reason is not None else _NO_REASON
    pairs = " ".join(f"{key}={value}" for key, value in shown.items())
    return [_line(f"- {check['id']} {pairs}"), f"  diagnostic: {said}"]


def _locator(check: EthosCheck) -> str:
    cited = check["claim"]["citation"]
    parts = [
        f"{key}:{cited[key]}"
        for key in ("page", "element_id", "span_id", "table_id")
        if key in cited
    ]
    if "cell" in cited:
        parts.append(f"cell:{cited['cell']['row']},{cited['cell']['col']}")
    if "bbox" in cited:
        parts.append(f"bbox:[{','.join(map(str, cited['bbox']))}]")
    return ";".join(parts) or "none"


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items) or "none"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line(text: str) -> str:
    """Text that stays on its line and moves no cursor."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
