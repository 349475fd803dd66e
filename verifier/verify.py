"""Verification: a request against the store, answered by a canonical report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from grounding.canonical import canonical_bytes
from grounding.collector import collector_paused
from grounding.errors import DocumentAmbiguousError, DocumentNotFoundError, PagewitnessError
from grounding.fingerprint import is_fingerprint
from grounding.model import DocumentIdentity, WarningCode
from grounding.source import GroundingSource
from grounding.store.reader import Tombstone
from grounding.text import Fold, fold_groups
from grounding.version import SCHEMA_VERSION, __version__
from verifier.checks import CHECKERS
from verifier.checks.calculation import check_calculation
from verifier.checks.outcome import CheckContext, Checker, Outcome, failure
from verifier.claims import Claim, Submission, SubmittedRequest
from verifier.codes import MatchMethod, Reason, Status
from verifier.config import VerificationConfig
from verifier.evidence import EvidenceWriter
from verifier.inputs import calculation_order
from verifier.labels import listed
from verifier.locate import Scope, Unlocated, locate
from verifier.matching import SearchLimitError
from verifier.others import OtherDocuments, TextSearch, opened
from verifier.report import (
    Check,
    DocumentData,
    GroundingData,
    Report,
    ReportSet,
    all_evidence_grounded,
    report_set,
)
from verifier.trusted import SourceMap, map_warnings, put_forgotten, put_source_map, refusal
from verifier.unplaced import without_unknown_places
from verifier.views import DocumentIndex

FingerprintReason = Literal[
    "stale_fingerprint", "missing_source_fingerprint", "missing_citation_fingerprint"
]


class DocumentResolver(TextSearch, SourceMap, Protocol):
    """Finds document versions; the store's reader is one."""

    def find(self, doc: str) -> Any:
        """Raises DocumentNotFoundError or DocumentAmbiguousError."""
        ...

    def current(self, key: Any) -> Any:
        """The newest version of the same source."""
        ...

    def versions_pinned_by(self, source_id: str, pin: str) -> list[tuple[int, DocumentIdentity]]:
        """Versions of a source that a fingerprint names, oldest first."""
        ...


_MOST_LISTED = 10
"""Places that a report lists of those that a label may mean."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How a request's pin and the document that was checked relate."""

    stale: bool = False
    reason: FingerprintReason | None = None
    version: int | None = None
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class _Draft:
    """A report while its checks are made."""

    submitted: SubmittedRequest
    config: VerificationConfig
    checks: list[Check] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)


def verify(
    submission: Submission, documents: DocumentResolver, config: VerificationConfig
) -> Report | ReportSet:
    """The report on a request, or the reports on a set of them in the same order."""
    indexes: dict[Any, DocumentIndex] = {}
    reports = [verify_one(item, documents, config, indexes) for item in submission.requests]
    return report_set(reports) if submission.is_set else reports[0]


def report_bytes(report: Report | ReportSet) -> bytes:
    """The report as it is written: canonical JSON and a line end."""
    # Claims were checked when the request was hashed, and the rest is made here.
    return canonical_bytes(report, checked=False) + b"\n"


def verify_one(
    submitted: SubmittedRequest,
    documents: DocumentResolver,
    config: VerificationConfig,
    indexes: dict[Any, DocumentIndex] | None = None,
) -> Report:
    """The report on one request. A document that cannot be resolved is a verdict, not an error."""
    cache = indexes if indexes is not None else {}
    report = _resolved(submitted, documents, config, cache)
    put_source_map(report, documents, submitted.request.as_of)
    return report


def _resolved(
    submitted: SubmittedRequest,
    documents: DocumentResolver,
    config: VerificationConfig,
    cache: dict[Any, DocumentIndex],
) -> Report:
    request = submitted.request
    name = request.document or request.document_fingerprint or ""
    try:
        key = documents.current(documents.find(name))
    except DocumentNotFoundError:
        report = _unresolved(submitted, config, name, "document_not_found")
        put_forgotten(report, _left_of(documents, name, request.document_fingerprint))
        return report
    except DocumentAmbiguousError:
        return _unresolved(submitted, config, name, "document_ambiguous")
    standing = documents.standing(key)
    refused = refusal(standing, request.as_of, require_date=config.require_date)
    if refused is not None:
        report = _unresolved(submitted, config, name, refused)
        if refused == "source_expired":
            report["warnings"] = sorted(map_warnings(standing, request.as_of))
        return report
    index = opened(key, documents, cache)
    pin = request.document_fingerprint
    fresh = freshness_of(request.document, pin, index.source, documents, config)
    noted = map_warnings(standing, request.as_of)
    fresh = replace(fresh, warnings=(*fresh.warnings, *noted))
    others = OtherDocuments(documents, index.source, config, cache, request.as_of)
    report = _report(submitted, index, fresh, config, others)
    if fresh.stale and fresh.version is None and pin is not None:
        put_forgotten(report, documents.tombstone(pin))
    return report


def _left_of(documents: DocumentResolver, name: str, pin: str | None) -> Tombstone | None:
    """What is left of a forgotten document by its name, else by its fingerprint: files' names are
    forgotten with their content."""
    left = documents.tombstone(name)
    return documents.tombstone(pin) if left is None and pin is not None else left


def freshness_of(
    name: str | None,
    pin: str | None,
    source: GroundingSource,
    documents: DocumentResolver,
    config: VerificationConfig,
) -> Freshness:
    """Whether citations were made for the bytes that are checked. `name` is what their document is
    called; a fingerprint pins it."""
    if pin is None and name is not None and is_fingerprint(name):
        pin = name
    if pin is None:
        if config.require_fingerprint:
            return Freshness(True, "missing_citation_fingerprint")
        return Freshness(warnings=(WarningCode.CITATION_NOT_PINNED,))
    identity = source.identity
    if not source.capabilities.fingerprint:
        return Freshness(reason="missing_source_fingerprint")  # cannot be told
    if identity.is_pinned_by(pin):
        return Freshness()
    older = documents.versions_pinned_by(identity.source_id, pin)
    if older:
        return Freshness(
            True, "stale_fingerprint", older[-1][0], (WarningCode.FINGERPRINT_SUPERSEDED,)
        )
    return Freshness(True, "stale_fingerprint")


def _report(
    submitted: SubmittedRequest,
    index: DocumentIndex,
    fresh: Freshness,
    config: VerificationConfig,
    others: OtherDocuments,
) -> Report:
    draft = _Draft(submitted, config)
    context = CheckContext(index, config, frozenset(config.allowed_folds), others.find)
    writer = EvidenceWriter(context)
    able = index.source.capabilities
    with collector_paused():
        outcomes = _outcomes(submitted.request.claims, context, fresh, draft)
        checks = _checks(submitted.claims, outcomes, writer)
        draft.checks += [without_unknown_places(check, able) for check in checks]
    identity = index.source.identity
    report = _frame(draft, document_data(identity), fresh)
    if identity.document_fingerprint:
        report["document_fingerprint"] = identity.document_fingerprint
    if identity.source_fingerprint:
        report["source_fingerprint"] = identity.source_fingerprint
    report["grounding"] = grounding_data(index.source)
    report["capability_limits"] = capability_limits(index.source)
    report["warnings"] = report_warnings(index.source, fresh, report["capability_limits"])
    report["all_evidence_grounded"] = all_evidence_grounded(report)
    return report


def _outcomes(
    claims: Sequence[Claim], context: CheckContext, fresh: Freshness, draft: _Draft
) -> list[Outcome]:
    """The verdicts on all claims: calculations last, each after its inputs."""
    limit = context.config.limits.max_claims
    outcomes = [failure("error", "limit_exceeded")] * len(claims)
    checkers = [_checker(claim, draft) for claim in claims[:limit]]
    for at, checker in enumerate(checkers):
        if checker is not None and claims[at].operation is not None:
            continue
        outcomes[at] = _outcome(claims[at], checker, context, fresh)
    order, inputs = calculation_order(claims)
    for at in order:
        if at < limit and checkers[at] is not None:
            given = [(f"v{i + 1:04d}", outcomes[i]) for i in inputs[at]]
            outcomes[at] = _outcome(claims[at], _calculator(given), context, fresh)
    return outcomes


def _calculator(given: Sequence[tuple[str, Outcome]]) -> Checker:
    """Checks one calculation. What it cites has to exist, and says nothing about its result."""

    def calculate(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
        return check_calculation(claim, given, context)

    return calculate


def _outcome(
    claim: Claim, checker: Checker | None, context: CheckContext, fresh: Freshness
) -> Outcome:
    """The verdict on one claim; the first rule that applies decides."""
    config = context.config
    if checker is None:
        return failure("unsupported_claim_kind", "unsupported_claim_kind")
    if fresh.reason is not None:
        return failure("stale" if fresh.stale else "capability_blocked", fresh.reason)
    if len(claim.wording or "") > config.limits.max_text_characters:
        return failure("error", "limit_exceeded")
    try:
        scope = locate(claim.citation, context.index)
        if isinstance(scope, Unlocated):
            outcome = failure(scope.status, scope.reason)
            outcome.found_elsewhere = [listed(place) for place in scope.candidates[:_MOST_LISTED]]
            return outcome
        return checker(claim, scope, context)
    except SearchLimitError:
        return failure("error", "limit_exceeded")
    except PagewitnessError:
        raise  # the store itself is at fault: no verdict can be trusted
    except Exception:  # one claim that meets a bug must not cost the others
        if os.environ.get("PAGEWITNESS_DEBUG") == "1":
            raise
        return failure("error", "internal_error")


def _checker(claim: Claim, draft: _Draft) -> Checker | None:
    """What checks claims of this kind under the rules; None, and a note, when nothing does."""
    checker = CHECKERS.get(claim.kind)
    if claim.operation is not None:  # a calculation without one is a sentence: nothing to recompute
        checker = _calculator(())
    if claim.kind not in draft.config.claim_kinds:
        checker = None
    if checker is None and claim.kind not in draft.unsupported:
        draft.unsupported.append(claim.kind)
    return checker


def _checks(
    echoes: Sequence[dict[str, Any]], outcomes: list[Outcome], writer: EvidenceWriter
) -> list[Check]:
    """The checks in the order of the claims. They are made in the order of the document, for a
    page's boxes are costly to read and few pages are kept."""
    made: dict[int, Check] = {}
    for at in sorted(range(len(outcomes)), key=lambda at: outcomes[at].ranges[:1]):
        made[at] = _check(at + 1, echoes[at], outcomes[at], writer)
    return [made[at] for at in range(len(outcomes))]


def _check(number: int, echo: dict[str, Any], outcome: Outcome, writer: EvidenceWriter) -> Check:
    check: Check = {
        "id": f"v{number:04d}",
        "claim": echo,
        "status": outcome.status,
        "match_method": outcome.method,
        "semantic_unverified": False,
        "evidence_tier": outcome.tier if outcome.grounded else "none",
        "warnings": writer.warnings(outcome),
    }
    if outcome.reason is not None:
        check["reason"] = outcome.reason
    evidence = writer.evidence(outcome)
    if evidence is not None:
        check["evidence"] = evidence
    if outcome.grounded:
        check["match"] = {"folds": list(outcome.folds), "occurrences": outcome.occurrences}
        if outcome.folds:
            check["match"]["fold_groups"] = fold_groups(Fold(name) for name in outcome.folds)
        if outcome.rounded:
            check["match"]["rounded"] = True
        if skipped := writer.skipped(outcome):
            check["match"]["skipped"] = skipped
    if outcome.quantities is not None:
        check["quantities"] = outcome.quantities
    if outcome.calculation is not None:
        check["calculation"] = outcome.calculation
    if outcome.found_elsewhere:
        check["found_elsewhere"] = outcome.found_elsewhere
    if outcome.nearest is not None:
        check["nearest"] = outcome.nearest
    context = writer.text_context(outcome)
    if context is not None:
        check["context"] = context
    provenance = writer.provenance(outcome)
    if provenance is not None:
        check["provenance"] = provenance
    return check


def document_data(identity: DocumentIdentity) -> DocumentData:
    """What the document is called."""
    if not identity.source_id:
        return {"name": identity.name}
    return {"source_id": identity.source_id, "name": identity.name}


def _frame(draft: _Draft, document: DocumentData, fresh: Freshness) -> Report:
    """The parts of a report that do not depend on a resolved document."""
    report: Report = {
        "artifact_type": "pagewitness.verification_report.v1",
        "schema_version": SCHEMA_VERSION,
        "verifier": {"name": "pagewitness", "version": __version__},
        "request_sha256": draft.submitted.sha256,
        "document": document,
        "verification_config_sha256": draft.config.sha256,
        "normalization_profile": draft.config.normalization_profile,
        "capability_limits": [],
        "fingerprint_stale": fresh.stale,
        "all_evidence_grounded": False,
        "checks": draft.checks,
        "unsupported_claim_kinds": draft.unsupported,
        "warnings": sorted(fresh.warnings),
    }
    if draft.submitted.request.document_fingerprint is not None:
        report["expected_fingerprint"] = draft.submitted.request.document_fingerprint
    if fresh.reason is not None:
        report["fingerprint_reason"] = fresh.reason
    if fresh.version is not None:
        report["fingerprint_version"] = fresh.version
    return report


def _unresolved(
    submitted: SubmittedRequest, config: VerificationConfig, name: str, reason: Reason
) -> Report:
    """The report on a request whose document is not in the store, not a single one, or may not be
    used."""
    draft = _Draft(submitted, config)
    for number, (claim, echo) in enumerate(
        zip(submitted.request.claims, submitted.claims, strict=True), 1
    ):
        status: Status = "error"
        why: Reason = reason
        method: MatchMethod = "none"
        if _checker(claim, draft) is None:
            status = why = "unsupported_claim_kind"
        draft.checks.append(
            {
                "id": f"v{number:04d}",
                "claim": echo,
                "status": status,
                "reason": why,
                "match_method": method,
                "semantic_unverified": False,
                "evidence_tier": "none",
                "warnings": [],
            }
        )
    return _frame(draft, {"name": name}, Freshness())


def grounding_data(source: GroundingSource) -> GroundingData:
    parser, capabilities = source.parser, source.capabilities
    data: GroundingData = {
        "parser": {"name": parser.name, "version": parser.version},
        "capabilities": {
            "spans": capabilities.spans,
            "char_offsets": capabilities.char_offsets,
            "tables": capabilities.tables,
            "fingerprint": capabilities.fingerprint,
            "coordinate_origin": capabilities.coordinate_origin,
            "crop_support": capabilities.crop_support,
        },
    }
    if parser.adapter:
        data["parser"]["adapter"] = parser.adapter
        data["parser"]["adapter_version"] = parser.adapter_version
    return data


def capability_limits(source: GroundingSource) -> list[str]:
    """What the source cannot prove, in a fixed order."""
    capabilities = source.capabilities
    limits = (
        ("missing_fingerprint", not capabilities.fingerprint),
        ("missing_spans", not capabilities.spans),
        ("missing_char_offsets", not capabilities.char_offsets),
        ("missing_tables", not capabilities.tables),
        ("unknown_coordinate_origin", capabilities.coordinate_origin == "unknown"),
        ("missing_crop_support", not capabilities.crop_support),
    )
    return [name for name, limited in limits if limited]


def report_warnings(source: GroundingSource, fresh: Freshness, limits: list[str]) -> list[str]:
    """Codes of everything noted about the document or this request, sorted."""
    codes = {str(warning.code) for warning in source.warnings}
    codes.update(fresh.warnings)
    if limits:
        codes.add(WarningCode.CAPABILITY_LIMITED)
    return sorted(codes)
