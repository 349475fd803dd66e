"""The scorecard of the literal judge.

A document is used where it says or contradicts a claim, where a claim cites it, or where one of its
statements has most of a claim's words; a claim that another document says uses only that one and
those it cites. Of the statements that matter to the query (those that share
the most of its words) all have to be used, else the document is used partially. What is used is
faithful when every claim that uses the document is borne out by it, unfaithful when it contradicts
one or when a number of one that cites it stands nowhere in it, and partially faithful when it is
not told literally.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.coverage.model import AnswerClaim
from verifier.judges.literal import Findings
from verifier.judges.literal_source import COMMON, Finding, Source, Wanted
from verifier.scorecard.model import (
    DocumentVerdict,
    EvidencePair,
    Faithfulness,
    ScorecardJudgement,
    Usage,
)
from verifier.statements.source import words_of
from verifier.statements.tokens import Tokens

NO_DOCUMENTS = "no documents were retrieved"


@dataclass(slots=True)
class _Use:
    """How an answer uses one document: claims that it bears out, contradicts, or is close to, each
    with the range in the document."""

    borne_out: list[tuple[AnswerClaim, tuple[int, int]]] = field(default_factory=list)
    contradicted: list[tuple[AnswerClaim, tuple[int, int]]] = field(default_factory=list)
    untold: list[tuple[AnswerClaim, tuple[int, int]]] = field(default_factory=list)
    invented: list[tuple[AnswerClaim, tuple[int, int]]] = field(default_factory=list)
    cited_for_others: list[AnswerClaim] = field(default_factory=list)
    positions: set[int] = field(default_factory=set)

    @property
    def every(self) -> list[tuple[AnswerClaim, tuple[int, int]]]:
        """Contradictions first: they are the evidence that matters most."""
        return [*self.contradicted, *self.invented, *self.borne_out, *self.untold]

    @property
    def faithfulness(self) -> Faithfulness:
        if self.contradicted or self.invented:
            return "unfaithful"
        return "partially_faithful" if self.untold else "faithful"


def literal_scorecard(findings: Findings) -> ScorecardJudgement:
    """A verdict on every document, and the claims that no document says."""
    trace = findings.trace
    asked = words_of(trace.query) - COMMON
    wanted = [Wanted(claim) for claim in findings.claims]
    verdicts = [
        _verdict(source, _use(source, findings, wanted), asked)
        for source in findings.sources.values()
    ]
    ungrounded = tuple(
        claim.text
        for claim, verdict in zip(findings.claims, findings.verdicts, strict=True)
        if verdict.status == "unsupported"
    )
    note = "" if trace.documents else NO_DOCUMENTS
    return ScorecardJudgement(tuple(verdicts), (), ungrounded, note)


def _use(source: Source, findings: Findings, wanted: list[Wanted]) -> _Use:
    use = _Use()
    for claim, found, form in zip(findings.claims, findings.by_claim, wanted, strict=True):
        own = next((f for f in found if f.document_id == source.text.id), None)
        cites = source.text.id in claim.cited
        said_by_other = any(f.says for f in found if f is not own)
        if own is not None and (own.says or cites or not said_by_other):
            (use.borne_out if own.says else use.contradicted).append((claim, own.place))
            use.positions |= _positions(own, source)
            continue
        near = source.near(form.words)
        if (near is None or said_by_other) and not cites:
            continue
        if near is None and said_by_other:
            use.cited_for_others.append(claim)
            continue
        at = near if near is not None else best_statement(source, form.words)
        place = source.text.statements[at].start, source.text.statements[at].end
        invented = cites and not _has_numbers(form.tokens, source)
        (use.invented if invented else use.untold).append((claim, place))
        use.positions.add(at)
    return use


def _positions(finding: Finding, source: Source) -> set[int]:
    """The statements of a finding; a row is a statement of its own."""
    start, end = finding.place
    return {s.position for s in source.text.statements if s.start < end and start < s.end}


def _has_numbers(claim: Tokens, source: Source) -> bool:
    """Whether every number of a claim stands somewhere in a document in some form."""
    wanted = [t.quantity for t in claim.tokens if t.quantity is not None]
    if not wanted:
        return True
    there = [t.quantity for s in source.text.statements for t in s.tokens.tokens if t.quantity]
    known = {q.number for q in there} | {q.size for q in there}
    return all(q.number in known or q.size in known for q in wanted)


def best_statement(source: Source, words: set[str]) -> int:
    """The statement that has the most of some words; of several, and where none has any, the first
    one."""
    counts = source.shared(words)
    return max(sorted(counts), key=lambda at: counts[at]) if counts else 0


def _verdict(source: Source, use: _Use, asked: set[str]) -> DocumentVerdict:
    text = source.text.text
    if not use.every:
        best = source.text.statements[best_statement(source, asked)]
        quote = EvidencePair(text[best.start : best.end], "", best.start, best.end)
        notes = [f"{c.id} cites it and is borne out by another" for c in use.cited_for_others]
        if not source.shared(asked):
            notes.append("no passage shares a word with the query")
        return DocumentVerdict(source.text.id, "ignored", "n/a", (quote,), "; ".join(notes))
    pairs = tuple(
        EvidencePair(text[a:b], claim.text, a, b, claim.start, claim.end)
        for claim, (a, b) in use.every
    )
    missed = sorted(_matters(source, asked) - use.positions)
    said = "; ".join(_notes(source, use, missed))
    usage: Usage = "partially_used" if missed else "used"
    return DocumentVerdict(source.text.id, usage, use.faithfulness, pairs, said)


def _matters(source: Source, asked: set[str]) -> set[int]:
    """The statements that matter to the query: those with the most of its words, headings aside."""
    counts = {
        at: count
        for at, count in source.shared(asked).items()
        if not source.text.statements[at].heads
    }
    most = max(counts.values(), default=0)
    return {at for at, count in counts.items() if count == most}


def _notes(source: Source, use: _Use, missed: list[int]) -> Iterator[str]:
    for claim, _ in use.contradicted:
        yield f"contradicts {claim.id}"
    for claim, _ in use.invented:
        yield f"has not the numbers of {claim.id}, which cites it"
    for claim, _ in use.untold:
        yield f"{claim.id} is close to it and not told literally"
    if missed:
        statement = source.text.statements[missed[0]]
        text = " ".join(source.text.text[statement.start : statement.end].split())
        yield f"not used: {text[:200]}"
