"""What a judge is.

A judge gives opinions. What becomes of them is decided in one place for all judges
(`verifier.coverage.audit`, `verifier.scorecard.audit`): its answer is checked against the trace,
deterministic contradictions overrule it, and every total and score is counted by us.

A judge that talks to a model can call `check_coverage` and `check_scorecard` of
`verifier.judges.checked` itself, to ask once more where they raise JudgementInvalidError; what it
cannot mend it raises as EvalError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from grounding.canonical import canonical_sha256
from verifier.coverage.model import AnswerClaim, CoverageJudgement
from verifier.scorecard.model import ScorecardJudgement
from verifier.traces.model import Trace


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """Who judged, so that a result can be told from one of another judge. `params` is everything
    that could change a verdict (model, prompt hash, temperature…), of strings, integers, booleans
    and lists of them; no secrets."""

    name: str
    version: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def params_sha256(self) -> str:
        """Lower-case hex SHA-256 of the canonical parameters."""
        return canonical_sha256(dict(self.params))


class EvalError(Exception):
    """A judge gave no answer that can be scored. `code` is stable (`malformed_answer`, `timed_out`,
    `rate_limited`, `unavailable`, …); `raw` keeps what the judge said, attempt by attempt."""

    def __init__(self, code: str, message: str, raw: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.raw = code, message, tuple(raw)


class JudgementInvalidError(ValueError):
    """A judge's answer contradicts the trace or itself. The message says where, for another try."""


class Judge(Protocol):
    """Gives verdicts on traces. May be called from several threads at once."""

    @property
    def identity(self) -> JudgeIdentity: ...

    @property
    def deterministic(self) -> bool:
        """Whether the same trace always gets the same verdicts."""
        ...

    def coverage(self, trace: Trace, claims: Sequence[AnswerClaim]) -> CoverageJudgement:
        """A verdict on every claim. Raises EvalError."""
        ...

    def scorecard(self, trace: Trace, claims: Sequence[AnswerClaim]) -> ScorecardJudgement:
        """A verdict on every document; `claims` are those of the trace's answer. Raises EvalError.
        A fault of a single document is a DocumentFault of the judgement."""
        ...
