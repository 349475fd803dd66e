"""The judge without a model: what stands in a source word for word and number for number.

It says `supported` for a claim that a statement of a source says (verifier.statements), and
`contradicted` for one that a statement says with another number, sign or unit, or with a denial
more or less. Everything else is `unsupported`: a true paraphrase is not told from an invention.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from grounding.text import FOLD_PROFILE
from verifier.coverage.model import AnswerClaim, ClaimVerdict, CoverageJudgement, SourceQuote
from verifier.judges.literal_source import Finding, Wanted, plain, source_of
from verifier.judges.protocol import JudgeIdentity
from verifier.matching import Quote
from verifier.scorecard.model import ScorecardJudgement
from verifier.traces.model import Trace

NAME, VERSION = "literal", "1.0.0"

_OPEN = re.compile(
    r"(?:it|they|he|she|this|that|these|those|its|their|his|her|such|both|neither of|each of"
    r"|the (?:former|latter)|there it|here)\b",
    re.I,
)
"""How a claim begins that is about something said before it."""
_QUOTATION = re.compile(r"[“„]([^“”„]{4,})[”“]|\"([^\"\n]{4,})\"|«([^«»]{4,})»")


class LiteralJudge:
    """The deterministic judge; implements Judge."""

    deterministic = True

    @property
    def identity(self) -> JudgeIdentity:
        return JudgeIdentity(NAME, VERSION, {"normalization_profile": FOLD_PROFILE})

    def coverage(self, trace: Trace, claims: Sequence[AnswerClaim]) -> CoverageJudgement:
        """A verdict on every claim."""
        return CoverageJudgement(tuple(Findings(trace, claims).verdicts))

    def scorecard(self, trace: Trace, claims: Sequence[AnswerClaim]) -> ScorecardJudgement:
        """A verdict on every document."""
        from verifier.judges.literal_scorecard import literal_scorecard

        return literal_scorecard(Findings(trace, claims))


class Findings:
    """What the documents of a trace say of the claims of its answer."""

    def __init__(self, trace: Trace, claims: Sequence[AnswerClaim]) -> None:
        self.trace, self.claims = trace, claims
        self.sources = {d.id: source_of(d.id, d.content) for d in trace.documents}

    @cached_property
    def by_claim(self) -> list[list[Finding]]:
        """For each claim what the documents say of it; nothing of a claim that is about something
        said before it, unless that stands right before it in the source as well."""
        every: list[list[Finding]] = []
        for number, claim in enumerate(self.claims):
            found = list(self._of(claim))
            if _OPEN.match(plain(claim.statement)):
                before = every[number - 1] if number else []
                found = [f for f in found if any(_follows(f, earlier) for earlier in before)]
            every.append(found)
        return every

    @cached_property
    def verdicts(self) -> list[ClaimVerdict]:
        return [
            self._verdict(claim, found)
            for claim, found in zip(self.claims, self.by_claim, strict=True)
        ]

    def _of(self, claim: AnswerClaim) -> list[Finding]:
        if self.missing_quotation(claim):
            return []
        wanted = Wanted(claim)
        found = (source.finding(wanted) for source in self.sources.values())
        return [finding for finding in found if finding is not None]

    def missing_quotation(self, claim: AnswerClaim) -> str:
        """Words that a claim puts in quotation marks and that stand in no source; else empty."""
        for quoted in _QUOTATION.finditer(claim.statement):
            words = next(group for group in quoted.groups() if group)
            quote = Quote(words)
            if not quote.has_significant_words(2):
                continue
            if not any(source.quotes(quote) for source in self.sources.values()):
                return words
        return ""

    def _verdict(self, claim: AnswerClaim, found: list[Finding]) -> ClaimVerdict:
        """One verdict of what all documents say. A document that says it outweighs one that says
        otherwise, for two documents may be about two years; but a claim that cites documents is
        about what these say."""
        cited = [f for f in found if f.document_id in claim.cited]
        for considered in (cited, found):
            for says in (True, False):
                of_kind = [f for f in considered if f.says is says]
                if of_kind:
                    return self._decided(claim, of_kind, [f for f in found if f.says is not says])
        missing = self.missing_quotation(claim)
        if missing:
            rationale = f"no source has the quoted words “{missing[:200]}”"
            return ClaimVerdict(claim.id, "unsupported", (), rationale, (), "quote_not_found")
        if _OPEN.match(plain(claim.statement)) and self._of(claim):
            rationale = "the words stand in a source, but what they are about is said elsewhere"
            return ClaimVerdict(claim.id, "unsupported", (), rationale, (), "reference_open")
        rationale = "no source says it word for word and number for number"
        return ClaimVerdict(claim.id, "unsupported", (), rationale, (), "not_found")

    def _decided(
        self, claim: AnswerClaim, found: list[Finding], others: list[Finding]
    ) -> ClaimVerdict:
        quotes = tuple(
            SourceQuote(
                f.document_id, self.sources[f.document_id].text.text[slice(*f.place)], *f.place
            )
            for f in found
        )
        rationale = "; ".join(f.rationale for f in [*found, *others])
        return ClaimVerdict(
            claim.id,
            "supported" if found[0].says else "contradicted",
            tuple(f.document_id for f in found),
            rationale,
            quotes,
            found[0].basis,
        )


def _follows(finding: Finding, earlier: Finding) -> bool:
    """Whether a finding stands in the statement behind an earlier one, or in the same."""
    same = finding.document_id == earlier.document_id and -1 not in (
        finding.position, earlier.position
    )  # fmt: skip
    return same and earlier.says and finding.position - earlier.position in (0, 1)
