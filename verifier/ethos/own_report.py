"""Ethos's verdicts in the frame of Pagewitness's own report, so that everything that reads one
(pages, summaries, proofs, crops) reads them too."""

from __future__ import annotations

from typing import Final, cast, get_args

from grounding.adapters.model import ForeignBox, ForeignDocument
from grounding.collector import collector_paused
from grounding.model import WarningCode
from grounding.text import Fold, fold_groups
from grounding.version import SCHEMA_VERSION, __version__
from verifier.codes import EvidenceTier
from verifier.ethos.citations import Citations, EthosClaim, has_area
from verifier.ethos.config import EthosConfig
from verifier.ethos.report import EthosCheck, EthosReport, capability_data, parser_data
from verifier.ethos.targets import Target, TargetKind
from verifier.ethos.text import Comparison
from verifier.ethos.verify import EthosRun
from verifier.report import Check, Evidence, MatchData, Report
from verifier.verify import FingerprintReason

NORMALIZATION_PROFILES: Final = {
    "collapse_whitespace": "ethos_collapse_whitespace_v1",
    "none": "none",
}
_TIERS: Final[dict[TargetKind, EvidenceTier]] = {
    "table_cell": "table_cell",
    "span": "exact_span",
    "element": "element",
    "region": "region",
    "page": "page",
}


def own_report(
    report: EthosReport,
    citations: Citations,
    document: ForeignDocument,
    config: EthosConfig,
    *,
    name: str,
) -> Report:
    """The report with the same verdicts; `report` is that of verify_ethos on the same citations,
    document and configuration, `name` what the document is called.

    Boxes are only shown of documents that count them from the top left, as this frame does.
    """
    with collector_paused():
        run = EthosRun(document, config, citations.document_fingerprint)
        checks = [
            _check(check, claim, run)
            for check, claim in zip(report["checks"], citations.claims, strict=True)
        ]
    made: Report = {
        "artifact_type": "pagewitness.verification_report.v1",
        "schema_version": SCHEMA_VERSION,
        "verifier": {"name": "pagewitness", "version": __version__},
        "request_sha256": citations.sha256,
        "document": {"name": name},
        "verification_config_sha256": report["verification_config_sha256"],
        "normalization_profile": NORMALIZATION_PROFILES[config.matching.text_normalization],
        "grounding": {
            "parser": parser_data(document),
            "capabilities": capability_data(document),
        },
        "capability_limits": list(report["capability_limits"]),
        "fingerprint_stale": report["fingerprint_stale"],
        "all_evidence_grounded": report["all_evidence_grounded"],
        "checks": checks,
        "unsupported_claim_kinds": report["unsupported_claim_kinds"],
        "warnings": _warnings(report, citations, document),
    }
    return _with_fingerprints(made, citations, document, run)


def _with_fingerprints(
    made: Report, citations: Citations, document: ForeignDocument, run: EthosRun
) -> Report:
    if document.fingerprint:
        made["document_fingerprint"] = document.fingerprint
    if document.source_fingerprint:
        made["source_fingerprint"] = document.source_fingerprint
    if citations.document_fingerprint is not None:
        made["expected_fingerprint"] = citations.document_fingerprint
    if run.pin_problem is not None and run.pin_problem.reason in get_args(FingerprintReason):
        made["fingerprint_reason"] = cast(FingerprintReason, run.pin_problem.reason)
    return made


def _warnings(report: EthosReport, citations: Citations, document: ForeignDocument) -> list[str]:
    """What the rules warn of, and what the document and the missing pin do."""
    codes = {str(warning.code) for warning in document.warnings}
    codes.update(report["warnings"])
    if citations.document_fingerprint is None:
        codes.add(WarningCode.CITATION_NOT_PINNED)
    return sorted(codes)


def _check(check: EthosCheck, claim: EthosClaim, run: EthosRun) -> Check:
    target = run.answer(claim).place
    grounded = check["status"] == "grounded"
    made: Check = {
        "id": check["id"],
        "claim": {**check["claim"]},
        "status": check["status"],
        "match_method": check["match_method"],
        "semantic_unverified": check["semantic_unverified"],
        "evidence_tier": "none",
        "warnings": list(check["warnings"]),
    }
    if "reason" in check:
        made["reason"] = check["reason"]
    if isinstance(target, Target):
        made["evidence"] = _evidence(target, claim, run)
        if grounded:
            made["evidence_tier"] = _TIERS[target.kind]
            made["match"] = _match(target, claim, run)
    return made


def _evidence(target: Target, claim: EthosClaim, run: EthosRun) -> Evidence:
    evidence: Evidence = {}
    if run.config.includes_text and target.text is not None:
        evidence["text"] = target.text
    page = run.index.pages.get(target.page)
    if target.page:
        evidence["page"] = target.page
    if page is not None:
        evidence["page_number"] = page.index
    box = _shown_box(target, run.index.document)
    if box is not None:
        evidence["bbox"] = box
        if page is not None:
            evidence["regions"] = [{"page": page.index, "bbox": list(box)}]
    _name(evidence, target, claim)
    return evidence


def _shown_box(target: Target, document: ForeignDocument) -> list[int] | None:
    box: ForeignBox | None = target.bbox
    top_left = document.capabilities.coordinate_origin == "top-left"
    return list(box) if top_left and box is not None and has_area(box) else None


def _name(evidence: Evidence, target: Target, claim: EthosClaim) -> None:
    """Adds what the place was cited by; locators that were ignored are no evidence."""
    cited = claim.citation
    if target.kind == "element" and cited.element_id is not None:
        evidence["element_id"] = cited.element_id
    if target.kind == "table_cell" and cited.table_id is not None and cited.cell is not None:
        evidence["table_id"] = cited.table_id
        evidence["cell"] = {"row": cited.cell.row, "col": cited.cell.col}


def _match(target: Target, claim: EthosClaim, run: EthosRun) -> MatchData:
    """Occurrences are not counted under these rules: one is enough."""
    match: MatchData = {"folds": [], "occurrences": 1}
    if claim.kind != "presence" and _needs_fold(target, claim, run.comparison.case_sensitive):
        match["folds"] = [Fold.WHITESPACE.value]
        match["fold_groups"] = fold_groups([Fold.WHITESPACE])
    return match


def _needs_fold(target: Target, claim: EthosClaim, case_sensitive: bool) -> bool:
    """Whether the texts agree only after white space was collapsed or two elements were joined.
    Case has no name among the folds; the configuration says whether it counts."""
    as_is = Comparison(collapse=False, case_sensitive=case_sensitive)
    agree = as_is.contains if claim.kind == "quote" else as_is.equals
    return target.joined or not agree(target.text, claim.text)
