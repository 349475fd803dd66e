"""Judges for tests: they say what they are told to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verifier.coverage.model import AnswerClaim, ClaimVerdict, CoverageJudgement
from verifier.judges.protocol import EvalError, JudgeIdentity
from verifier.scorecard.model import ScorecardJudgement
from verifier.traces import Trace


def _none(*given: object) -> object:
    raise EvalError("unavailable", "nobody answers", ["<html>502</html>"])


@dataclass
class Told:
    """A judge whose answers are functions of what it is asked."""

    on_claims: Callable[..., object] = _none
    on_documents: Callable[..., object] = _none
    deterministic: bool = False

    @property
    def identity(self) -> JudgeIdentity:
        return JudgeIdentity("told", "1", {"model": "m", "temperature": "0"})

    def coverage(self, trace: Trace, claims: Sequence[AnswerClaim]) -> CoverageJudgement:
        made = self.on_claims(trace, claims)
        assert isinstance(made, CoverageJudgement)
        return made

    def scorecard(self, trace: Trace, claims: Sequence[AnswerClaim]) -> ScorecardJudgement:
        made = self.on_documents(trace, claims)
        assert isinstance(made, ScorecardJudgement)
        return made


def all_are(status: str, *sources: str) -> Told:
    """A judge to whom every claim is one thing."""

    def say(trace: Trace, claims: Sequence[AnswerClaim]) -> CoverageJudgement:
        return CoverageJudgement(
            tuple(ClaimVerdict(c.id, status, sources, "so I think") for c in claims)  # type: ignore[arg-type]
        )

    return Told(say)
