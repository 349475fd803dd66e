"""The one place where a coverage audit is decided, whoever judges.

A judge's verdicts are checked against the trace. Then the literal judge is asked about the same
claims, and what is deterministic overrules: a claim that a source says with another number, sign,
unit or denial is contradicted, and one that quotes words which no source has is unsupported,
whatever a model says. Each such case is a recorded disagreement, and so is every other difference
between the two. Totals and the score are counted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from verifier.coverage.claims import MAX_CLAIMS, Decomposed, decompose
from verifier.coverage.model import OVERRULING, AnswerClaim, ClaimVerdict
from verifier.coverage.result import (
    ARTIFACT_TYPE,
    SCHEMA_VERSION,
    ClaimDetail,
    CoverageLine,
    CoverageResult,
    Disagreement,
    Exclusion,
    MarkerFigures,
)
from verifier.judges.checked import check_coverage
from verifier.judges.described import eval_error, judge_data, placed, rejected, rejection
from verifier.judges.literal import LiteralJudge
from verifier.judges.protocol import EvalError, Judge, JudgementInvalidError
from verifier.traces.model import Rejection, Trace

DECIMALS = 6
_LITERAL = LiteralJudge()


def audit_coverage(trace: Trace | Rejection, judge: Judge) -> CoverageLine:
    """The line for one trace: scored, rejected, or without an answer of the judge."""
    if isinstance(trace, Rejection):
        return rejection(ARTIFACT_TYPE, trace)
    if not trace.documents:
        return rejection(
            ARTIFACT_TYPE, rejected(trace, "no_sources", "no documents were retrieved")
        )
    parts = decompose(trace)
    if len(parts.claims) > MAX_CLAIMS:
        message = f"{len(parts.claims)} claims; at most {MAX_CLAIMS} of an answer are audited"
        return rejection(ARTIFACT_TYPE, rejected(trace, "too_large", message))
    try:
        verdicts, disagreements = settled(trace, parts.claims, judge)
    except EvalError as error:
        return eval_error(ARTIFACT_TYPE, trace, judge, error)
    return _result(trace, judge, parts, verdicts, disagreements)


def settled(
    trace: Trace, claims: Sequence[AnswerClaim], judge: Judge
) -> tuple[list[ClaimVerdict], list[Disagreement]]:
    """The verdicts that count, in the order of the claims, and where the deterministic checks say
    otherwise than the judge. Raises EvalError. Without a claim no judge is asked."""
    if not claims:
        return [], []
    try:
        judged = check_coverage(judge.coverage(trace, claims), trace, claims).verdicts
    except JudgementInvalidError as error:
        raise EvalError("malformed_answer", str(error)) from error
    if isinstance(judge, LiteralJudge):
        return list(judged), []
    literal = _LITERAL.coverage(trace, claims).verdicts
    verdicts: list[ClaimVerdict] = []
    disagreements: list[Disagreement] = []
    for one, other in zip(judged, literal, strict=True):
        overruled = other.basis in OVERRULING and one.status != other.status
        verdicts.append(replace(other, claim_id=one.claim_id) if overruled else one)
        # That the literal rules do not find a claim says nothing against a reader who does.
        if one.status != other.status and other.basis not in ("not_found", "reference_open"):
            disagreements.append(_disagreement(one, other, overruled=overruled))
    return verdicts, disagreements


def _disagreement(one: ClaimVerdict, other: ClaimVerdict, *, overruled: bool) -> Disagreement:
    return {
        "claim_id": one.claim_id,
        "judged": one.status,
        "deterministic": other.status,
        "basis": other.basis,
        "overruled": overruled,
        "rationale": other.rationale,
    }


def share(part: int, whole: int) -> float | None:
    """A share of at most six decimals; None of nothing."""
    return round(part / whole, DECIMALS) if whole else None


def _result(
    trace: Trace,
    judge: Judge,
    parts: Decomposed,
    verdicts: Sequence[ClaimVerdict],
    disagreements: list[Disagreement],
) -> CoverageResult:
    details = [_detail(c, v) for c, v in zip(parts.claims, verdicts, strict=True)]
    counts = {
        status: sum(detail["status"] == status for detail in details)
        for status in ("supported", "unsupported", "contradicted")
    }
    score = share(counts["supported"], len(details))
    result: CoverageResult = {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "status": "scored",
        "trace_id": trace.trace_id,
        "judge": judge_data(judge),
        "total_claims": len(details),
        "supported_claims": counts["supported"],
        "unsupported_claims": counts["unsupported"],
        "contradicted_claims": counts["contradicted"],
        "attribution_coverage_score": 1.0 if score is None else score,
        "score_defined": score is not None,
        "claim_details": details,
        "markers": _markers(trace, parts, details),
        "excluded": [_exclusion(trace, parts, at) for at in range(len(parts.excluded))],
        "disagreements": disagreements,
        "document_ids": [document.id for document in trace.documents],
        "attributes": dict(trace.attributes),
    }
    return cast(CoverageResult, placed(result, trace.origin))


def _detail(claim: AnswerClaim, verdict: ClaimVerdict) -> ClaimDetail:
    detail: ClaimDetail = {
        "claim_id": claim.id,
        "claim_text": claim.text,
        "status": verdict.status,
        "source_citation_ids": list(verdict.source_ids),
        "rationale": verdict.rationale,
        "basis": verdict.basis,
        "location_in_answer": {"start": claim.start, "end": claim.end, "kind": claim.kind},
        "evidence": [
            {"document_id": q.document_id, "quote": q.text, "start": q.start, "end": q.end}
            for q in verdict.quotes
        ],
        "cited_ids": list(claim.cited),
        "unknown_markers": list(claim.unknown),
    }
    if claim.cited:
        cited = set(claim.cited) & set(verdict.source_ids)
        detail["cited_support"] = verdict.status == "supported" and bool(cited)
    return detail


def _markers(trace: Trace, parts: Decomposed, details: Sequence[ClaimDetail]) -> MarkerFigures:
    cited = [detail for detail in details if detail["cited_ids"]]
    right = sum(detail.get("cited_support", False) for detail in cited)
    named = {key for marker in parts.markers for key in marker.cited}
    return {
        "claims_with_citation": len(cited),
        "claims_supported_by_cited": right,
        "marker_coverage": share(len(cited), len(details)),
        "cited_support": share(right, len(cited)),
        "unknown_markers": _unique(key for marker in parts.markers for key in marker.unknown),
        "uncited_document_ids": [d.id for d in trace.documents if d.id not in named],
    }


def _unique(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def _exclusion(trace: Trace, parts: Decomposed, at: int) -> Exclusion:
    item = parts.excluded[at]
    return {
        "text": trace.answer[item.start : item.end],
        "reason": item.reason,
        "location_in_answer": {"start": item.start, "end": item.end},
    }
