"""Ethos's verification: citations against a foreign document, answered by a report in its form."""

from __future__ import annotations

from dataclasses import dataclass

from grounding.adapters.model import ForeignDocument
from grounding.canonical import canonical_bytes
from grounding.collector import collector_paused
from verifier.ethos.citations import TEXT_KINDS, Citations, EthosClaim, check_id
from verifier.ethos.config import EthosConfig
from verifier.ethos.index import DocumentIndex
from verifier.ethos.report import (
    SCHEMA_VERSION,
    CapabilityLimit,
    EthosCheck,
    EthosEvidence,
    EthosMethod,
    EthosReport,
    grounding_data,
)
from verifier.ethos.targets import NoTarget, Target, resolve, with_neighbour
from verifier.ethos.text import Comparison, is_blank

_UNSUPPORTED = NoTarget("unsupported_claim_kind", "unsupported_claim_kind")
_NO_TEXT = NoTarget("error", "missing_required_text")


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on one claim: a target that matched or did not, or why there is none."""

    place: Target | NoTarget
    matched: bool = False
    method: EthosMethod = "none"


class EthosRun:
    """One document under one configuration; claims are answered one by one."""

    def __init__(
        self, document: ForeignDocument, config: EthosConfig, fingerprint: str | None
    ) -> None:
        """`fingerprint` is the one that the citations pin."""
        self.config = config
        self.index = DocumentIndex(document)
        self.comparison = Comparison(
            collapse=config.matching.text_normalization == "collapse_whitespace",
            case_sensitive=config.matching.case_sensitive,
        )
        self.pin_problem = pin_problem(document, config, fingerprint)

    def answer(self, claim: EthosClaim) -> Answer:
        """The first rule that applies decides."""
        problem = self._refusal(claim)
        if problem is not None:
            return Answer(problem)
        place = resolve(claim, self.index, self.config.tolerance)
        if isinstance(place, NoTarget):
            return Answer(place)
        return self._compared(claim, place)

    def _refusal(self, claim: EthosClaim) -> NoTarget | None:
        """Why a claim is not looked up at all."""
        if not claim.citation.has_locator:
            return NoTarget("error", "missing_locator")
        if claim.kind not in self.config.claim_kinds:  # which never lists region and other
            return _UNSUPPORTED
        if claim.kind in TEXT_KINDS and is_blank(claim.text):
            return _NO_TEXT
        return self.pin_problem

    def _compared(self, claim: EthosClaim, target: Target) -> Answer:
        if claim.kind == "presence":
            return Answer(target, True, "presence_only")
        matched = self._matches(claim, target)
        if not matched:
            target = with_neighbour(claim, target, self.index, self.comparison)
            matched = target.joined
        return Answer(target, matched, self._method(claim, target))

    def _matches(self, claim: EthosClaim, target: Target) -> bool:
        if claim.kind == "quote":
            return self.comparison.contains(target.text, claim.text)
        return self.comparison.equals(target.text, claim.text)

    def _method(self, claim: EthosClaim, target: Target) -> EthosMethod:
        if target.kind == "table_cell":
            return "table_cell_lookup"
        if claim.kind == "quote":
            return "normalized_text_contains" if self.comparison.collapse else "exact_text_contains"
        return "normalized_text" if self.comparison.collapse else "exact_text"


def pin_problem(
    document: ForeignDocument, config: EthosConfig, fingerprint: str | None
) -> NoTarget | None:
    """What the fingerprints of citations and document say against every claim, if the rules demand
    that they agree."""
    if not config.staleness.require_fingerprint_match:
        return None
    known = document.fingerprint or None
    if fingerprint is not None and known is not None and fingerprint != known:
        return NoTarget("stale", "stale_fingerprint")
    if fingerprint is not None and known is None:
        return NoTarget("capability_blocked", "missing_source_fingerprint")
    if fingerprint is None and known is not None:
        return NoTarget("stale", "missing_citation_fingerprint")
    return None


def verify_ethos(
    document: ForeignDocument, citations: Citations, config: EthosConfig
) -> EthosReport:
    """The report on citations under Ethos's rules. One claim cannot fail the others; nothing is
    raised."""
    with collector_paused():
        run = EthosRun(document, config, citations.document_fingerprint)
        checks = [_check(run, citations, number) for number in range(len(citations.claims))]
    limits = capability_limits(document, config)
    report: EthosReport = {
        "schema_version": SCHEMA_VERSION,
        "verification_config_sha256": config.sha256,
        "grounding": grounding_data(document),
        "capability_limits": limits,
        "fingerprint_stale": run.pin_problem == NoTarget("stale", "stale_fingerprint"),
        "all_evidence_grounded": False,
        "checks": checks,
        "unsupported_claim_kinds": _unsupported(checks),
        "warnings": ["capability_limited"] if limits else [],
    }
    if document.fingerprint:
        report["document_fingerprint"] = document.fingerprint
    report["all_evidence_grounded"] = _all_grounded(report)
    return report


def ethos_report_bytes(report: EthosReport) -> bytes:
    """The report as it is written: canonical JSON and a line end."""
    return canonical_bytes(report) + b"\n"


def _check(run: EthosRun, citations: Citations, number: int) -> EthosCheck:
    answer = run.answer(citations.claims[number])
    place = answer.place
    check: EthosCheck = {
        "id": check_id(number),
        "claim": citations.echoes[number],
        "status": "grounded" if answer.matched else "mismatch",
        "match_method": answer.method,
        "semantic_unverified": False,
        "warnings": [],
    }
    if isinstance(place, NoTarget):
        check["status"], check["reason"] = place.status, place.reason
        if place.status == "capability_blocked":
            check["warnings"] = ["capability_limited"]
        return check
    if not answer.matched:
        check["reason"] = "text_mismatch"
    check["evidence"] = _evidence(place, run.config)
    return check


def _evidence(target: Target, config: EthosConfig) -> EthosEvidence:
    evidence: EthosEvidence = {}
    if config.includes_text and target.text is not None:
        evidence["text"] = target.text
    if target.page:
        evidence["page"] = target.page
    if target.bbox is not None:
        evidence["bbox"] = list(target.bbox)
    return evidence


def _unsupported(checks: list[EthosCheck]) -> list[str]:
    """Kinds that were not checked, in the order in which they came."""
    kinds = (c["claim"]["kind"] for c in checks if c["status"] == "unsupported_claim_kind")
    return list(dict.fromkeys(kinds))


def capability_limits(document: ForeignDocument, config: EthosConfig) -> list[CapabilityLimit]:
    """What the document lacks of what the configuration may need, whatever the claims are."""
    has = document.capabilities
    limits: tuple[tuple[CapabilityLimit, bool], ...] = (
        (
            "missing_fingerprint",
            not has.fingerprint and config.staleness.require_fingerprint_match,
        ),
        ("missing_spans", not has.spans),
        ("missing_char_offsets", not has.char_offsets),
        ("missing_tables", not has.tables and "table_cell" in config.claim_kinds),
        ("unknown_coordinate_origin", has.coordinate_origin == "unknown"),
        ("missing_crop_support", config.includes_crops and not has.crop_support),
    )
    return [name for name, limited in limits if limited]


def _all_grounded(report: EthosReport) -> bool:
    return (
        bool(report["checks"])
        and all(check["status"] == "grounded" for check in report["checks"])
        and not report["unsupported_claim_kinds"]
        and not report["fingerprint_stale"]
    )
