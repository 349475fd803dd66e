"""What is kept of a decision: hashes, codes and counts; who it was for is kept beside that, and
texts only where the policy says so.

The event is canonical JSON and a function of the decision alone. Time, actor and durations are
around it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED, Reason, Status
from verifier.gate.codes import Action, ClaimRelease, ClaimType, FaultClass, ReasonCode
from verifier.gate.decision import Count, Decision, Digest, PolicyName, decision_bytes
from verifier.report import SourceMapData, VerifierData

if TYPE_CHECKING:
    from grounding.store import StoreWriter
    from grounding.store.audit_log import AuditRow

ARTIFACT_TYPE: Literal["pagewitness.audit_event.v1"] = "pagewitness.audit_event.v1"
SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"

AuditText = Literal["none", "answer"]
"""What a policy lets the log keep of an answer's words."""


@with_config(CLOSED)
class AuditedHashes(TypedDict):
    """SHA-256 of what was decided and of what it was decided on. `requests` and `reports` are in
    the order of the decision."""

    decision: Digest
    answer: Digest
    policy: Digest
    labels: NotRequired[Digest]
    requests: list[Digest]
    reports: list[Digest]


@with_config(CLOSED)
class AuditedEvidence(TypedDict):
    """The verdict on one evidence of a claim; without a status it was not checked."""

    status: NotRequired[Status]
    reason: NotRequired[Reason]
    document_fingerprint: NotRequired[str]


@with_config(CLOSED)
class AuditedClaim(TypedDict):
    """What was decided about one claim; claims are in the answer's order, their ids among the
    names."""

    type: ClaimType
    domain: NotRequired[str]
    decision: ClaimRelease
    reasons: list[ReasonCode]
    evidence: list[AuditedEvidence]


@with_config(CLOSED)
class AuditedCoverage(TypedDict):
    sentences: Count
    covered: Count


@with_config(CLOSED)
class AuditEvent(TypedDict):
    """One decision, without a word of the answer, of the question or of documents."""

    artifact_type: Literal["pagewitness.audit_event.v1"]
    schema_version: Literal["1.0.0"]
    decision_schema_version: str
    verifier: VerifierData
    policy: PolicyName
    verification_config_sha256: Digest
    source_map: NotRequired[SourceMapData]
    as_of: NotRequired[str]
    hashes: AuditedHashes
    action: Action
    reasons: list[ReasonCode]
    faults: list[FaultClass]
    claims: list[AuditedClaim]
    coverage: AuditedCoverage


@with_config(CLOSED)
class AuditEnvelope(TypedDict):
    """What is around an event: when it was added (UTC), how long what took (whole microseconds),
    and the hashes of what is kept beside it."""

    at: str
    timings_us: NotRequired[dict[str, Annotated[int, Field(ge=0)]]]
    names_sha256: NotRequired[Digest]
    text_sha256: NotRequired[Digest]
