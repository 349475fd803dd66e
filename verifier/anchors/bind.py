"""Whether references bind: the page is there, the text stands on it, in the box, in the cell.

Text is compared as a quote is, and a box binds only if the text stands inside it: a reference whose
text and box are both somewhere on the page, apart from each other, does not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from grounding.collector import collector_paused
from grounding.errors import DocumentAmbiguousError, DocumentNotFoundError
from grounding.model import DocumentIdentity, WarningCode
from grounding.version import SCHEMA_VERSION, __version__
from verifier.anchors.report import (
    AchievedLevel,
    Anchor,
    AnchorChecks,
    AnchorReport,
    AnchorReportSet,
    AnchorStatus,
    AnswerStatus,
    TextAxis,
    anchor_report_set,
)
from verifier.anchors.request import AnchorRequest, AnchorSubmission, EvidenceRef
from verifier.checks.outcome import CheckContext, Outcome, unreadable
from verifier.checks.quote import decide
from verifier.checks.region import check_region
from verifier.checks.table_cell import check_table_cell
from verifier.claims import Citation, Claim
from verifier.codes import Reason, Status
from verifier.config import VerificationConfig
from verifier.evidence import EvidenceWriter
from verifier.locate import Scope, Unlocated, locate
from verifier.matching import Quote, SearchLimitError
from verifier.others import opened
from verifier.trusted import map_warnings, put_source_map, refusal
from verifier.unplaced import without_unknown
from verifier.verify import (
    DocumentResolver,
    Freshness,
    capability_limits,
    document_data,
    freshness_of,
    grounding_data,
    report_warnings,
)
from verifier.views import DocumentIndex

_BOXES = ("bbox", "regions", "bbox_space")
_TEXT: dict[Status, TextAxis] = {
    "grounded": "matched",
    "not_found": "mismatch",
    "mismatch": "mismatch",
    "capability_blocked": "capability_limited",
}


def anchor(
    submission: AnchorSubmission, documents: DocumentResolver, config: VerificationConfig
) -> AnchorReport | AnchorReportSet:
    """The answers on a request, or on a set of them in the same order."""
    indexes: dict[Any, DocumentIndex] = {}
    reports = [_report(*item, documents, config, indexes) for item in submission.requests]
    return anchor_report_set(reports) if submission.is_set else reports[0]


def _report(
    request: AnchorRequest,
    sha256: str,
    documents: DocumentResolver,
    config: VerificationConfig,
    indexes: dict[Any, DocumentIndex],
) -> AnchorReport:
    name = request.document or request.document_fingerprint or ""
    pin = request.document_fingerprint
    report: AnchorReport = {
        "artifact_type": "pagewitness.evidence_anchor_report.v1",
        "schema_version": SCHEMA_VERSION,
        "verifier": {"name": "pagewitness", "version": __version__},
        "request_sha256": sha256,
        "document": {"name": name},
        "verification_config_sha256": config.sha256,
        "capability_limits": [],
        "fingerprint_stale": False,
        "all_bound": False,
        "anchors": [],
        "warnings": [],
    }
    put_source_map(report, documents, request.as_of)
    if pin is not None:
        report["expected_fingerprint"] = pin
    try:
        key = documents.current(documents.find(name))
    except DocumentNotFoundError:
        if documents.tombstone(name) is not None:
            report["warnings"] = [WarningCode.SOURCE_FORGOTTEN]
        return _unresolved(report, request, "document_not_found")
    except DocumentAmbiguousError:
        return _unresolved(report, request, "document_ambiguous")
    standing = documents.standing(key)
    refused = refusal(standing, request.as_of)
    if refused is not None:
        return _unresolved(report, request, refused, "error")
    index = opened(key, documents, indexes)
    fresh = freshness_of(request.document, pin, index.source, documents, config)
    _put_identity(report, index.source.identity)
    report["fingerprint_stale"] = fresh.stale
    report["grounding"] = grounding_data(index.source)
    report["capability_limits"] = capability_limits(index.source)
    noted = map_warnings(standing, request.as_of)
    shown = replace(fresh, warnings=(*fresh.warnings, *noted))
    report["warnings"] = report_warnings(index.source, shown, report["capability_limits"])
    context = CheckContext(index, config, frozenset(config.allowed_folds))
    with collector_paused():
        binding = _Binding(context, fresh, pinned=pin is not None)
        report["anchors"] = [binding.anchor(ref) for ref in request.evidence_refs]
    report["all_bound"] = all(a["anchor_status"] == "bound" for a in report["anchors"])
    return report


def _put_identity(report: AnchorReport, identity: DocumentIdentity) -> None:
    report["document"] = document_data(identity)
    if identity.document_fingerprint:
        report["document_fingerprint"] = identity.document_fingerprint
    if identity.source_fingerprint:
        report["source_fingerprint"] = identity.source_fingerprint


def _unresolved(
    report: AnchorReport,
    request: AnchorRequest,
    reason: Reason,
    status: AnswerStatus = "not_found",
) -> AnchorReport:
    """The report on a document that is not in the store, not a single one, or may not be used."""
    report["anchors"] = [
        _answer(ref, status, reason, "none", _unchecked()) for ref in request.evidence_refs
    ]
    return report


def _unchecked() -> AnchorChecks:
    return {
        "fingerprint": "not_checked",
        "page": "not_checked",
        "text": "not_checked",
        "bbox": "not_checked",
        "table_cell": "not_checked",
    }


def _answer(
    ref: EvidenceRef,
    status: AnswerStatus,
    reason: Reason | None,
    achieved: AchievedLevel,
    checks: AnchorChecks,
) -> Anchor:
    answer: Anchor = {
        "evidence_id": ref.evidence_id,
        "evidence_kind": ref.evidence_kind,
        "anchor_status": status,
        "required_anchor_level": ref.required_anchor_level,
        "achieved_anchor_level": achieved,
        "checks": checks,
        "warnings": [],
    }
    if reason is not None:
        answer["reason"] = reason
    return answer


class _Binding:
    """Binds references to one document."""

    def __init__(self, context: CheckContext, fresh: Freshness, *, pinned: bool) -> None:
        self.context, self.fresh, self.pinned = context, fresh, pinned
        self.writer = EvidenceWriter(context)

    def anchor(self, ref: EvidenceRef) -> Anchor:
        """The answer on one reference; the first rule that applies decides."""
        checks = _unchecked()
        if ref.evidence_kind == "other":
            return _answer(ref, "unsupported_evidence_kind", None, "none", checks)
        if self.fresh.stale:
            checks["fingerprint"] = "stale"
            return _answer(ref, "stale_fingerprint", self.fresh.reason, "none", checks)
        if self.pinned:
            limited = self.fresh.reason is not None
            checks["fingerprint"] = "capability_limited" if limited else "matched"
        scope = locate(ref.locator, self.context.index)
        if isinstance(scope, Unlocated):
            return self._unlocated(ref, scope, checks)
        if scope.pages:
            checks["page"] = "found"
        try:
            outcome = self._bind(ref, scope, checks)
        except SearchLimitError:
            outcome = Outcome("error", "limit_exceeded", scope=scope)
        return self._with_evidence(ref, outcome, checks)

    def _unlocated(self, ref: EvidenceRef, scope: Unlocated, checks: AnchorChecks) -> Anchor:
        status: AnchorStatus = "mismatch"
        if scope.status == "capability_blocked":
            status = "capability_limited"
        elif scope.status == "not_found" or scope.reason == "bbox_out_of_bounds":
            status = "not_found"
        if scope.reason == "page_not_found":
            checks["page"] = "not_found" if status == "not_found" else "capability_limited"
        return _answer(ref, status, scope.reason, "none", checks)

    def _bind(self, ref: EvidenceRef, scope: Scope, checks: AnchorChecks) -> Outcome:
        """What the reference has to say, axis after axis; the first that fails is the answer."""
        if ref.evidence_kind == "table_cell":
            return self._cell(ref, scope, checks)
        blocked = unreadable(scope, self.context)
        if ref.evidence_kind == "page" or blocked is not None:
            found = Outcome("grounded", page=scope.page, scope=scope)
            return found if ref.evidence_kind == "page" or blocked is None else blocked
        boxed = "bbox" in ref.required_anchor_level
        outcome = Outcome("grounded", scope=scope, regions=scope.regions)
        if boxed:
            outcome = self._box(ref, scope, checks)
        if ref.expected_text is None:
            return outcome
        if boxed and outcome.grounded:  # a box may hold words that do not follow on the page
            checks["text"] = "matched"
            return outcome
        text = self._text(ref, scope, checks)
        return text if outcome.grounded or not text.grounded else outcome

    def _text(self, ref: EvidenceRef, scope: Scope, checks: AnchorChecks) -> Outcome:
        claim = Claim(kind="quote", text=ref.expected_text, citation=_without_box(ref.locator))
        quote = Quote(ref.expected_text or "")
        outcome = decide(quote, claim, replace(scope, regions=()), self.context)
        checks["text"] = _TEXT.get(outcome.status, "mismatch")
        return outcome

    def _box(self, ref: EvidenceRef, scope: Scope, checks: AnchorChecks) -> Outcome:
        claim = Claim(kind="region", text=ref.expected_text, citation=ref.locator)
        outcome = check_region(claim, scope, self.context)
        if outcome.grounded:
            checks["bbox"] = "valid"
        elif outcome.status == "capability_blocked":
            checks["bbox"] = "capability_limited"
        else:
            checks["bbox"] = "not_found" if outcome.reason == "bbox_not_found" else "invalid"
        return outcome

    def _cell(self, ref: EvidenceRef, scope: Scope, checks: AnchorChecks) -> Outcome:
        if scope.cell is None:
            checks["table_cell"] = "not_found"
            return Outcome("not_found", "missing_table_cell_locator", scope=scope)
        if ref.expected_text is None:
            checks["table_cell"] = "matched"
            return Outcome("grounded", ranges=scope.cell.ranges, scope=scope)
        claim = Claim(kind="table_cell", text=ref.expected_text, citation=ref.locator)
        outcome = check_table_cell(claim, scope, self.context)
        checks["table_cell"] = _TEXT.get(outcome.status, "mismatch")
        return outcome

    def _with_evidence(self, ref: EvidenceRef, outcome: Outcome, checks: AnchorChecks) -> Anchor:
        achieved = _achieved(checks)
        status: AnchorStatus = "mismatch"
        if outcome.grounded:
            limited = checks["fingerprint"] == "capability_limited"
            status = "capability_limited" if limited else "bound"
        elif outcome.status == "capability_blocked":
            status = "capability_limited"
        elif outcome.status == "not_found":
            status = "not_found"
        reason = outcome.reason or (self.fresh.reason if status == "capability_limited" else None)
        answer = _answer(ref, status, reason, achieved, checks)
        evidence = self.writer.evidence(outcome)
        if evidence is not None:
            able = self.context.index.source.capabilities
            answer["evidence"] = cast(Any, without_unknown(evidence, able))
        answer["warnings"] = self.writer.warnings(outcome)
        return answer


def _without_box(locator: Citation) -> Citation:
    return locator.model_copy(update=dict.fromkeys(_BOXES))


def _achieved(checks: AnchorChecks) -> AchievedLevel:
    """The closest level that was proven."""
    if checks["table_cell"] == "matched":
        return "table_cell"
    text, box = checks["text"] == "matched", checks["bbox"] == "valid"
    if text and box:
        return "text_bbox"
    if text or box:
        return "text" if text else "bbox"
    return "page" if checks["page"] == "found" else "none"
