"""The release decision: what of an answer may be shown, and why. Canonical JSON; nothing in it
depends on the clock, the host or a path."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from grounding.canonical import canonical_bytes
from verifier.codes import CLOSED, Reason, Status
from verifier.gate.codes import (
    Action,
    ClaimRelease,
    ClaimType,
    FaultClass,
    GateReason,
    ReasonCode,
    Relevance,
    Support,
)
from verifier.report import SourceMapData, VerifierData

ARTIFACT_TYPE: Literal["pagewitness.release_decision.v1"] = "pagewitness.release_decision.v1"
SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]


@with_config(CLOSED)
class Hashes(TypedDict):
    """SHA-256 of the canonical forms that the decision is about. `requests` and `reports` are in
    the order in which documents are first cited; the report of a document that could not be checked
    is missing."""

    answer: Digest
    policy: Digest
    labels: NotRequired[Digest]
    requests: list[Digest]
    reports: list[Digest]


@with_config(CLOSED)
class PolicyName(TypedDict):
    name: str
    version: str


@with_config(CLOSED)
class EvidenceResult(TypedDict):
    """What became of one evidence of a claim. Without a status it was not checked."""

    ref: str
    document: str
    status: NotRequired[Status]
    reason: NotRequired[Reason]
    page: NotRequired[int]
    text: NotRequired[str]
    document_fingerprint: NotRequired[str]


@with_config(CLOSED)
class ReasonDetail(TypedDict):
    """A reason with what it is about: a number of the text, an evidence, a claim, a warning."""

    code: ReasonCode
    about: NotRequired[str]


@with_config(CLOSED)
class ClaimDecision(TypedDict):
    """What may be done with one claim. `reasons` are all that hold it back, `certified` alone where
    nothing does."""

    id: str
    type: ClaimType
    domain: NotRequired[str]
    text: str
    decision: ClaimRelease
    reasons: list[ReasonDetail]
    question_relevance: Relevance
    claim_support: Support
    evidence: list[EvidenceResult]
    depends_on: list[str]


@with_config(CLOSED)
class Sentence(TypedDict):
    """A sentence of the answer's text, code points [start, end), for which claims account not at
    all, or not for all of it: `uncovered` is what they leave."""

    start: Count
    end: Count
    text: str
    claims: list[str]
    uncovered: str


@with_config(CLOSED)
class Coverage(TypedDict):
    """How far the claims account for the answer's text. `percent` is rounded down; null without any
    sentence."""

    sentences: Count
    covered: Count
    percent: Annotated[int, Field(ge=0, le=100)] | None
    uncovered: list[Sentence]


@with_config(CLOSED)
class Fault(TypedDict):
    """What kept the gate from checking; it is about no claim."""

    fault: FaultClass
    message: str
    document: NotRequired[str]


@with_config(CLOSED)
class ContractFaultData(TypedDict):
    """What of the answer breaks the contract; `claim` is empty where it is of no claim."""

    code: GateReason
    claim: str
    where: str
    message: str


@with_config(CLOSED)
class CitedSource(TypedDict):
    """A source of the released text, under its number in it."""

    number: Annotated[int, Field(ge=1)]
    document: str
    document_fingerprint: NotRequired[str]
    page: NotRequired[int]
    text: NotRequired[str]


@with_config(CLOSED)
class Released(TypedDict):
    """What may be shown instead of the answer: its own text, one that is put together from verified
    claims, or a sentence that says why there is none. `limits` have to be shown with it."""

    kind: Literal["answer_text", "assembled", "notice"]
    text: str
    sources: list[CitedSource]
    limits: list[str]


@with_config(CLOSED)
class Decision(TypedDict):
    artifact_type: Literal["pagewitness.release_decision.v1"]
    schema_version: Literal["1.0.0"]
    verifier: VerifierData
    answer_id: str
    question: NotRequired[str]
    hashes: Hashes
    policy: PolicyName
    verification_config_sha256: Digest
    source_map: NotRequired[SourceMapData]
    as_of: NotRequired[str]
    action: Action
    reasons: list[ReasonCode]
    claims: list[ClaimDecision]
    coverage: Coverage
    contract_faults: list[ContractFaultData]
    faults: list[Fault]
    released: Released


def decision_bytes(decision: Decision) -> bytes:
    """The decision as it is written: canonical JSON and a line end."""
    return canonical_bytes(decision) + b"\n"
