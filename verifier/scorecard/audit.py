"""The one place where a scorecard is decided, whoever judges.

A judge's verdicts are checked against the trace; a verdict on a document that cannot be used is
counted as an error of that document and is in no share. Then the literal judge is asked: a document
that a claim contradicts is unfaithfully used, whatever a model says, and each such case is a
recorded disagreement. A claim that another document bears out contradicts only those it cites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from verifier.coverage.audit import share
from verifier.coverage.claims import MAX_CLAIMS, decompose
from verifier.coverage.model import AnswerClaim
from verifier.coverage.result import Disagreement, Location
from verifier.judges.checked import check_scorecard, locate
from verifier.judges.described import eval_error, judge_data, placed, rejected, rejection
from verifier.judges.literal import Findings, LiteralJudge
from verifier.judges.literal_scorecard import NO_DOCUMENTS
from verifier.judges.literal_source import Finding
from verifier.judges.protocol import EvalError, Judge, JudgementInvalidError
from verifier.scorecard.model import (
    DocumentFault,
    DocumentVerdict,
    EvidencePair,
    ScorecardJudgement,
)
from verifier.scorecard.result import (
    ARTIFACT_TYPE,
    SCHEMA_VERSION,
    DocumentError,
    EvidenceSpan,
    ScorecardEntry,
    ScorecardLine,
    ScorecardResult,
    UngroundedClaim,
)
from verifier.traces.model import Rejection, Trace, TraceDocument


def audit_scorecard(trace: Trace | Rejection, judge: Judge) -> ScorecardLine:
    """The line for one trace: scored, rejected, or without an answer of the judge. A trace that
    says that nothing was retrieved has an empty scorecard and a note."""
    if isinstance(trace, Rejection):
        return rejection(ARTIFACT_TYPE, trace)
    claims = decompose(trace).claims
    if len(claims) > MAX_CLAIMS:
        message = f"{len(claims)} claims; at most {MAX_CLAIMS} of an answer are audited"
        return rejection(ARTIFACT_TYPE, rejected(trace, "too_large", message))
    if not trace.documents:
        ungrounded = tuple(claim.text for claim in claims)
        return _result(
            trace, judge, claims, ScorecardJudgement((), (), ungrounded, NO_DOCUMENTS), []
        )
    try:
        judgement, disagreements = settled(trace, claims, judge)
    except EvalError as error:
        return eval_error(ARTIFACT_TYPE, trace, judge, error)
    return _result(trace, judge, claims, judgement, disagreements)


def settled(
    trace: Trace, claims: Sequence[AnswerClaim], judge: Judge
) -> tuple[ScorecardJudgement, list[Disagreement]]:
    """The judgement that counts, and where the deterministic checks say otherwise. Raises
    EvalError."""
    try:
        judged = check_scorecard(judge.scorecard(trace, claims), trace)
    except JudgementInvalidError as error:
        raise EvalError("malformed_answer", str(error)) from error
    if isinstance(judge, LiteralJudge):
        return judged, []
    contrary: dict[str, list[tuple[AnswerClaim, Finding]]] = {}
    findings = Findings(trace, claims)
    for claim, found in zip(claims, findings.by_claim, strict=True):
        said = any(finding.says for finding in found)
        for finding in found:
            cited = finding.document_id in claim.cited
            if not finding.says and (cited or not said):
                contrary.setdefault(finding.document_id, []).append((claim, finding))
    verdicts: list[DocumentVerdict] = []
    disagreements: list[Disagreement] = []
    for verdict in judged.verdicts:
        against = contrary.get(verdict.document_id, [])
        if not against or verdict.faithfulness == "unfaithful":
            verdicts.append(verdict)
            continue
        verdicts.append(_overruled(verdict, against, trace))
        disagreements.append(
            {
                "document_id": verdict.document_id,
                "judged": f"{verdict.usage}, {verdict.faithfulness}",
                "deterministic": "unfaithful",
                "basis": against[0][1].basis,
                "overruled": True,
                "rationale": "; ".join(f"{f.rationale} ({c.id})" for c, f in against),
            }
        )
    return replace(judged, verdicts=tuple(verdicts)), disagreements


def _overruled(
    verdict: DocumentVerdict, against: list[tuple[AnswerClaim, Finding]], trace: Trace
) -> DocumentVerdict:
    content = trace.by_id[verdict.document_id].content
    pairs = tuple(
        EvidencePair(content[slice(*f.place)], c.text, *f.place, c.start, c.end) for c, f in against
    )
    kept = verdict.evidence if verdict.usage != "ignored" else ()
    usage = "used" if verdict.usage == "ignored" else verdict.usage
    return replace(verdict, usage=usage, faithfulness="unfaithful", evidence=(*pairs, *kept))


def _result(
    trace: Trace,
    judge: Judge,
    claims: Sequence[AnswerClaim],
    judgement: ScorecardJudgement,
    disagreements: list[Disagreement],
) -> ScorecardResult:
    entries = [_entry(v, trace.by_id[v.document_id]) for v in judgement.verdicts]
    counts: Counter[str] = Counter()
    for entry in entries:
        counts.update((entry["usage"], entry["faithfulness"]))
    counts["eval_error"] = len(judgement.faults)
    used = [entry for entry in entries if entry["usage"] != "ignored"]
    faithful = sum(entry["faithfulness"] == "faithful" for entry in used)
    result: ScorecardResult = {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "status": "scored",
        "trace_id": trace.trace_id,
        "judge": judge_data(judge),
        "scorecard": entries,
        "ungrounded_claims": list(_ungrounded(judgement.ungrounded, trace, claims)),
        "eval_errors": [_error(fault) for fault in judgement.faults],
        "counts": {name: counts[name] for name in _COUNTED},
        "faithful_share": share(faithful, len(used)),
        "disagreements": disagreements,
        "attributes": dict(trace.attributes),
    }
    if judgement.note:
        result["note"] = judgement.note
    return cast(ScorecardResult, placed(result, trace.origin))


_COUNTED = (
    "used", "partially_used", "ignored", "faithful", "partially_faithful", "unfaithful", "n/a",
    "eval_error",
)  # fmt: skip


def _entry(verdict: DocumentVerdict, document: TraceDocument) -> ScorecardEntry:
    first = verdict.evidence[0]
    entry: ScorecardEntry = {
        "document_id": verdict.document_id,
        "usage": verdict.usage,
        "faithfulness": verdict.faithfulness,
        "evidence": {"source_quote": first.source_quote, "answer_quote": first.answer_quote},
        "evidence_spans": [_span(pair) for pair in verdict.evidence],
        "rank": document.rank,
        "attributes": dict(document.attributes),
    }
    if verdict.notes:
        entry["notes"] = verdict.notes
    if document.score:
        entry["score"] = document.score
    return entry


def _span(pair: EvidencePair) -> EvidenceSpan:
    span: EvidenceSpan = {
        "source_quote": pair.source_quote,
        "source_start": pair.source_start,
        "source_end": pair.source_end,
    }
    if pair.answer_quote:
        span["answer_quote"] = pair.answer_quote
        span["answer_start"], span["answer_end"] = pair.answer_start, pair.answer_end
    return span


def _ungrounded(
    texts: Sequence[str], trace: Trace, claims: Sequence[AnswerClaim]
) -> Iterator[UngroundedClaim]:
    """The ungrounded claims with their places; of claims with the same words each one its own."""
    places: dict[str, list[tuple[int, int]]] = {}
    for claim in claims:
        places.setdefault(claim.text, []).append((claim.start, claim.end))
    for text in texts:
        own = places.get(text)
        place = own.pop(0) if own else locate(text, trace.answer)
        if place is not None:
            start, end = place
            location: Location = {"start": start, "end": end}
            yield {"claim_text": trace.answer[start:end], "location_in_answer": location}


def _error(fault: DocumentFault) -> DocumentError:
    return {
        "document_id": fault.document_id,
        "eval_error": {"code": fault.code, "message": fault.message, "raw": list(fault.raw)},
    }
