"""A scorecard as JSON: one line a trace."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED
from verifier.coverage.result import (
    AuditError,
    AuditRejection,
    Count,
    Disagreement,
    EvalErrorData,
    JudgeData,
    Location,
)
from verifier.scorecard.model import Faithfulness, Usage

ARTIFACT_TYPE: Literal["pagewitness.scorecard_result.v1"] = "pagewitness.scorecard_result.v1"
SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"


@with_config(CLOSED)
class QuotePair(TypedDict):
    """The two sides of one piece of evidence, as they stand in document and answer."""

    source_quote: str
    answer_quote: str


@with_config(CLOSED)
class EvidenceSpan(TypedDict):
    """A pair with its places: `content[source_start:source_end] == source_quote`, and so for the
    answer. An ignored document has no answer's side."""

    source_quote: str
    source_start: Count
    source_end: Count
    answer_quote: NotRequired[str]
    answer_start: NotRequired[Count]
    answer_end: NotRequired[Count]


@with_config(CLOSED)
class ScorecardEntry(TypedDict):
    """One document. `evidence` is the first of `evidence_spans` in short; of an ignored document
    its `source_quote` is what of it is most relevant to the query, and `answer_quote` is empty.
    `rank`, `score` and `attributes` are those of the trace."""

    document_id: str
    usage: Usage
    faithfulness: Faithfulness
    evidence: QuotePair
    evidence_spans: list[EvidenceSpan]
    notes: NotRequired[str]
    rank: int
    score: NotRequired[str]
    attributes: dict[str, str]


@with_config(CLOSED)
class UngroundedClaim(TypedDict):
    """A claim of the answer that is in no document."""

    claim_text: str
    location_in_answer: Location


@with_config(CLOSED)
class DocumentError(TypedDict):
    """A document on which the judge gave no answer that can be used. It is in no aggregate."""

    document_id: str
    eval_error: EvalErrorData


@with_config(CLOSED)
class ScorecardResult(TypedDict):
    """The documents of a trace in the order of retrieval. `faithful_share` is the share of
    documents used faithfully among those used, null where none was; a trace without documents has
    an empty scorecard and a note."""

    artifact_type: Literal["pagewitness.scorecard_result.v1"]
    schema_version: Literal["1.0.0"]
    status: Literal["scored"]
    trace_id: str
    origin: NotRequired[str]
    judge: JudgeData
    scorecard: list[ScorecardEntry]
    ungrounded_claims: list[UngroundedClaim]
    note: NotRequired[str]
    eval_errors: list[DocumentError]
    counts: dict[str, Count]
    faithful_share: Annotated[float, Field(ge=0, le=1)] | None
    disagreements: list[Disagreement]
    attributes: dict[str, str]


ScorecardLine = Annotated[
    ScorecardResult | AuditError | AuditRejection, Field(discriminator="status")
]
"""A line of `pagewitness scorecard`."""
