"""A judge's answer, checked against the trace and against itself before anything is made of it.

Quotes count as verbatim where they differ from the text in white space, line-end hyphens and other
typography alone (grounding.text); what is kept of them is the text's own characters and offsets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from grounding.text import fold
from verifier.coverage.model import AnswerClaim, ClaimVerdict, CoverageJudgement, SourceQuote
from verifier.edges import REACH, whole
from verifier.judges.protocol import JudgementInvalidError
from verifier.scorecard.model import DocumentVerdict, EvidencePair, ScorecardJudgement
from verifier.traces.model import Trace, TraceDocument

_folded = lru_cache(maxsize=128)(fold)


def check_coverage(
    judgement: CoverageJudgement, trace: Trace, claims: Sequence[AnswerClaim]
) -> CoverageJudgement:
    """The judgement with verdicts in the order of the claims and every quote found in its document.

    Raises JudgementInvalidError where a claim has no verdict or two, an id is unknown, a status and
    its sources contradict each other, a quote is not verbatim, or totals differ from the verdicts.
    """
    _same_ids("claim", [v.claim_id for v in judgement.verdicts], [claim.id for claim in claims])
    by_id = {verdict.claim_id: verdict for verdict in judgement.verdicts}
    verdicts = tuple(_checked_verdict(by_id[claim.id], trace) for claim in claims)
    _check_counts(judgement)
    return replace(judgement, verdicts=verdicts)


def check_scorecard(judgement: ScorecardJudgement, trace: Trace) -> ScorecardJudgement:
    """The judgement with verdicts in the order of the documents and every quote found.

    Raises JudgementInvalidError where a document has no verdict or two, an id is unknown, usage and
    faithfulness contradict each other, evidence is missing or a quote is not verbatim.
    """
    faults = [fault.document_id for fault in judgement.faults]
    given = [verdict.document_id for verdict in judgement.verdicts]
    _same_ids("document", [*given, *faults], [document.id for document in trace.documents])
    by_id = {verdict.document_id: verdict for verdict in judgement.verdicts}
    verdicts = tuple(
        check_document(by_id[document.id], document, trace)
        for document in trace.documents
        if document.id in by_id
    )
    for words in judgement.ungrounded:
        if locate(words, trace.answer) is None:
            raise JudgementInvalidError(f"ungrounded claim is not in the answer: {words[:200]!r}")
    return replace(judgement, verdicts=verdicts)


def check_document(
    verdict: DocumentVerdict, document: TraceDocument, trace: Trace
) -> DocumentVerdict:
    """The verdict on one document with its quotes found. Raises JudgementInvalidError."""
    where, ignored = f"document {document.id!r}", verdict.usage == "ignored"
    if ignored != (verdict.faithfulness == "n/a"):
        raise JudgementInvalidError(
            f"{where}: usage {verdict.usage} does not go with faithfulness {verdict.faithfulness}"
        )
    if not verdict.evidence:
        raise JudgementInvalidError(f"{where}: there is no evidence")
    pairs = tuple(_checked_pair(p, document, trace.answer, ignored) for p in verdict.evidence)
    return replace(verdict, evidence=pairs)


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where a verbatim quote stands in a text; None where it does not, or has no letter or digit.
    Typography is folded on both sides, and no word or number is cut."""
    if not any(char.isalnum() for char in quote):
        return None
    wanted, there = fold(quote).text.strip(), _folded(text)
    at = there.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not there.cuts(at) and not there.cuts(end):
            low, high = there.to_raw(at, end)
            before, after = text[max(low - REACH, 0) : low], text[high : high + REACH]
            if whole(before, text[low:high], after):
                return low, high
        at = there.text.find(wanted, at + 1)
    return None


def _same_ids(kind: str, given: Sequence[str], wanted: Sequence[str]) -> None:
    counts, known = Counter(given), set(wanted)
    for name, bad in (
        ("unknown", [i for i in counts if i not in known]),
        ("judged twice", [i for i, count in counts.items() if count > 1]),
        ("not judged", [i for i in wanted if i not in counts]),
    ):
        if bad:
            raise JudgementInvalidError(f"{kind} {name}: {_listed(bad)}")


def _listed(ids: Iterable[str]) -> str:
    every = list(ids)
    more = f" and {len(every) - 10} more" if len(every) > 10 else ""
    return ", ".join(repr(i[:200]) for i in every[:10]) + more


def _checked_verdict(verdict: ClaimVerdict, trace: Trace) -> ClaimVerdict:
    where = f"claim {verdict.claim_id}"
    unknown = [i for i in verdict.source_ids if i not in trace.by_id]
    if unknown:
        raise JudgementInvalidError(f"{where}: unknown source: {_listed(unknown)}")
    if (verdict.status == "unsupported") == bool(verdict.source_ids):
        raise JudgementInvalidError(
            f"{where}: {verdict.status} with {len(verdict.source_ids)} source ids"
        )
    quotes = tuple(_checked_quote(quote, verdict, trace) for quote in verdict.quotes)
    sources = tuple(dict.fromkeys(verdict.source_ids))
    return replace(verdict, quotes=quotes, source_ids=sources)


def _checked_quote(quote: SourceQuote, verdict: ClaimVerdict, trace: Trace) -> SourceQuote:
    where = f"claim {verdict.claim_id}"
    document = trace.by_id.get(quote.document_id)
    if document is None or quote.document_id not in verdict.source_ids:
        raise JudgementInvalidError(
            f"{where}: a quote is of {quote.document_id!r}, which is none of its sources"
        )
    start, end = _place(quote.text, document.content, quote.start, quote.end, where, "source")
    return SourceQuote(document.id, document.content[start:end], start, end)


def _checked_pair(
    pair: EvidencePair, document: TraceDocument, answer: str, ignored: bool
) -> EvidencePair:
    where = f"document {document.id!r}"
    start, end = _place(
        pair.source_quote, document.content, pair.source_start, pair.source_end, where, "source"
    )
    found = EvidencePair(document.content[start:end], "", start, end)
    if ignored:
        if pair.answer_quote:
            raise JudgementInvalidError(f"{where}: it is ignored, and yet the answer is quoted")
        return found
    low, high = _place(
        pair.answer_quote, answer, pair.answer_start, pair.answer_end, where, "answer"
    )
    return replace(found, answer_quote=answer[low:high], answer_start=low, answer_end=high)


def _place(quote: str, text: str, start: int, end: int, where: str, side: str) -> tuple[int, int]:
    """The place of a quote: the one that is given where it is right, else the first."""
    if 0 <= start < end <= len(text) and text[start:end] == quote:
        return start, end
    place = locate(quote, text)
    if place is None:
        raise JudgementInvalidError(f"{where}: the {side} quote is not verbatim: {quote[:200]!r}")
    return place


def _check_counts(judgement: CoverageJudgement) -> None:
    stated = judgement.counts
    if stated is None:
        return
    counts = Counter(verdict.status for verdict in judgement.verdicts)
    counted = (len(judgement.verdicts), counts["supported"], counts["unsupported"],
               counts["contradicted"])  # fmt: skip
    given = (stated.total, stated.supported, stated.unsupported, stated.contradicted)
    if counted != given:
        raise JudgementInvalidError(
            "totals (total, supported, unsupported, contradicted) are given as "
            f"{given}, and the verdicts are {counted}"
        )
