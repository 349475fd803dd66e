"""A coverage result as JSON: one line a trace.

The keys from `total_claims` to `claim_details` are those of the attribution audits that teams run
already; everything else says where claims stand, who judged and what was left out. Scores are
counted from the details and never taken from a judge. They are JSON numbers of at most six
decimals, since results are data for dashboards and not reports that are hashed.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED
from verifier.coverage.model import Basis, ClaimKind, ClaimStatus
from verifier.traces.model import RejectionCode

ARTIFACT_TYPE: Literal["pagewitness.coverage_result.v1"] = "pagewitness.coverage_result.v1"
SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
ExclusionReason = Literal[
    "question", "opinion", "transition", "no_answer", "heading", "source_list", "code", "no_words"
]  # fmt: skip
"""Why a stretch of an answer is no factual claim."""


@with_config(CLOSED)
class JudgeData(TypedDict):
    """Who judged. `params` says what a verdict depends on; the hash is of its canonical form."""

    name: str
    version: str
    params_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    params: dict[str, str | int | bool | list[str]]


@with_config(CLOSED)
class Location(TypedDict):
    """Where something stands in the answer: code points [start, end), and what it is there."""

    start: Count
    end: Count
    kind: NotRequired[ClaimKind]


@with_config(CLOSED)
class SourceEvidence(TypedDict):
    """Verbatim words of a document: `content[start:end] == quote`."""

    document_id: str
    quote: str
    start: Count
    end: Count


@with_config(CLOSED)
class ClaimDetail(TypedDict):
    """One claim. `cited_ids` are the documents that its markers name, `unknown_markers` those that
    name none; `cited_support` says whether one of the cited documents bears it out, and is left out
    where none is cited."""

    claim_id: str
    claim_text: str
    status: ClaimStatus
    source_citation_ids: list[str]
    rationale: str
    basis: Basis
    location_in_answer: Location
    evidence: list[SourceEvidence]
    cited_ids: list[str]
    unknown_markers: list[str]
    cited_support: NotRequired[bool]


@with_config(CLOSED)
class Exclusion(TypedDict):
    """A stretch of the answer that makes no factual claim, and by which rule."""

    text: str
    reason: ExclusionReason
    location_in_answer: Location


@with_config(CLOSED)
class MarkerFigures(TypedDict):
    """How far citations go, apart from whether they are right. `marker_coverage` is the share of
    claims with a marker that names a document of the trace, `cited_support` the share of those that
    a document they cite bears out; null where there is nothing to divide by."""

    claims_with_citation: Count
    claims_supported_by_cited: Count
    marker_coverage: Share | None
    cited_support: Share | None
    unknown_markers: list[str]
    uncited_document_ids: list[str]


@with_config(CLOSED)
class Disagreement(TypedDict):
    """Where a deterministic check overruled a judge, or differs from it."""

    claim_id: NotRequired[str]
    document_id: NotRequired[str]
    judged: str
    deterministic: str
    basis: Basis
    overruled: bool
    rationale: str


@with_config(CLOSED)
class EvalErrorData(TypedDict):
    """Why nothing was scored, with everything that the judge said."""

    code: str
    message: str
    raw: list[str]


@with_config(CLOSED)
class CoverageResult(TypedDict):
    """A trace whose answer was audited. Without a factual claim the score is 1.0 by convention and
    `score_defined` is false: no gate and no aggregate counts that as a pass."""

    artifact_type: Literal["pagewitness.coverage_result.v1"]
    schema_version: Literal["1.0.0"]
    status: Literal["scored"]
    trace_id: str
    origin: NotRequired[str]
    judge: JudgeData
    total_claims: Count
    supported_claims: Count
    unsupported_claims: Count
    contradicted_claims: Count
    attribution_coverage_score: Share
    score_defined: bool
    claim_details: list[ClaimDetail]
    markers: MarkerFigures
    excluded: list[Exclusion]
    disagreements: list[Disagreement]
    document_ids: list[str]
    attributes: dict[str, str]


@with_config(CLOSED)
class AuditError(TypedDict):
    """A trace on which the judge gave no answer that can be scored. It is in no aggregate."""

    artifact_type: Literal["pagewitness.coverage_result.v1", "pagewitness.scorecard_result.v1"]
    schema_version: Literal["1.0.0"]
    status: Literal["eval_error"]
    trace_id: str
    origin: NotRequired[str]
    judge: JudgeData
    eval_error: EvalErrorData
    attributes: dict[str, str]


@with_config(CLOSED)
class AuditRejection(TypedDict):
    """A trace that was not audited."""

    artifact_type: Literal["pagewitness.coverage_result.v1", "pagewitness.scorecard_result.v1"]
    schema_version: Literal["1.0.0"]
    status: Literal["rejected"]
    trace_id: str
    origin: NotRequired[str]
    reason: RejectionCode
    message: str
    attributes: dict[str, str]


CoverageLine = Annotated[
    CoverageResult | AuditError | AuditRejection, Field(discriminator="status")
]
"""A line of `pagewitness coverage`."""
