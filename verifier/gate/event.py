"""What is kept of a decision: hashes, codes and counts, and no text of the answer, of its claims or
of documents.

Who asked, and the ids that the application gave, are kept beside the event, and texts where the
policy says so; see grounding.store.audit_log.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from grounding.store.audit_log import AuditRow, append
from verifier.codes import CLOSED, Reason, Status
from verifier.gate.codes import Action, ClaimRelease, ClaimType, FaultClass, ReasonCode
from verifier.gate.decision import (
    ClaimDecision,
    Count,
    Decision,
    Digest,
    EvidenceResult,
    Hashes,
    PolicyName,
    decision_bytes,
)
from verifier.report import SourceMapData, VerifierData

if TYPE_CHECKING:
    from grounding.store import StoreWriter

ARTIFACT_TYPE: Literal["pagewitness.audit_event.v1"] = "pagewitness.audit_event.v1"
SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"


OTHER_DOMAIN = "other"
"""A domain that is no code. It comes from whoever made the answer, and might be its words."""
_DOMAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")


@with_config(CLOSED)
class AuditedEvidence(TypedDict):
    """The verdict on one evidence of a claim. Without a status it was not checked."""

    status: NotRequired[Status]
    reason: NotRequired[Reason]
    document_fingerprint: NotRequired[str]


@with_config(CLOSED)
class AuditedClaim(TypedDict):
    """What was decided about one claim. Claims are in the order of the decision; their ids are
    among the names."""

    type: ClaimType
    domain: NotRequired[str]
    decision: ClaimRelease
    reasons: list[ReasonCode]
    evidence: list[AuditedEvidence]


@with_config(CLOSED)
class AuditedNames(TypedDict):
    """What names an answer or somebody. `claims` are ids, in the order of the decision."""

    answer_id: str
    claims: list[str]
    actor: NotRequired[str]
    tenant: NotRequired[str]


@with_config(CLOSED)
class AuditedText(TypedDict):
    """Words of an answer: the question, its claims, the sentences that no claim accounts for, and
    what was released instead. `documents` is what its evidence cites, as it was cited: a source
    that might not be used has no fingerprint in the event."""

    question: NotRequired[str]
    documents: NotRequired[list[str]]
    claims: list[str]
    uncovered: list[str]
    released: str


@with_config(CLOSED)
class AuditEvent(TypedDict):
    """One decision, as a function of it alone: no time, nobody's name."""

    artifact_type: Literal["pagewitness.audit_event.v1"]
    schema_version: Literal["1.0.0"]
    verifier: VerifierData
    decision_schema_version: str
    decision_sha256: Digest
    hashes: Hashes
    policy: PolicyName
    verification_config_sha256: Digest
    source_map: NotRequired[SourceMapData]
    as_of: NotRequired[str]
    action: Action
    reasons: list[ReasonCode]
    faults: list[FaultClass]
    claims: list[AuditedClaim]
    sentences: Count
    covered: Count


@with_config(CLOSED)
class AuditRemoval(TypedDict):
    """Texts that were taken out because documents were forgotten; `removed` are numbers of
    events."""

    artifact_type: Literal["pagewitness.audit_removal.v1"]
    schema_version: Literal["1.0.0"]
    document_fingerprints: list[str]
    removed: list[Annotated[int, Field(ge=1)]]


@with_config(CLOSED)
class AuditEnvelope(TypedDict):
    """What is around an event: when it was added (UTC), how long what took, and the hashes of what
    is kept beside it."""

    at: str
    timings_ms: NotRequired[dict[str, Count]]
    names_sha256: NotRequired[Digest]
    text_sha256: NotRequired[Digest]


@with_config(CLOSED)
class AuditRecord(TypedDict):
    event: AuditEvent | AuditRemoval
    envelope: AuditEnvelope


Salt = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
"""Without it, a hash of names could be looked up among the hashes of all names."""


@with_config(CLOSED)
class SaltedNames(AuditedNames):
    salt: Salt


@with_config(CLOSED)
class SaltedText(AuditedText):
    salt: Salt


@with_config(CLOSED)
class AuditLine(TypedDict):
    """One line of an export. `hash` is the SHA-256 of `prev_hash` and of the canonical JSON of
    `record`; the private form has neither names nor text."""

    seq: Annotated[int, Field(ge=1)]
    prev_hash: Digest
    hash: Digest
    record: AuditRecord
    names: NotRequired[SaltedNames]
    text: NotRequired[SaltedText]


def event_of(decision: Decision) -> AuditEvent:
    """The event of a decision."""
    event: AuditEvent = {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "verifier": decision["verifier"],
        "decision_schema_version": decision["schema_version"],
        "decision_sha256": hashlib.sha256(decision_bytes(decision)).hexdigest(),
        "hashes": decision["hashes"],
        "policy": decision["policy"],
        "verification_config_sha256": decision["verification_config_sha256"],
        "action": decision["action"],
        "reasons": decision["reasons"],
        "faults": [fault["fault"] for fault in decision["faults"]],
        "claims": [_claim(claim) for claim in decision["claims"]],
        "sentences": decision["coverage"]["sentences"],
        "covered": decision["coverage"]["covered"],
    }
    if "source_map" in decision:
        event["source_map"] = decision["source_map"]
    if "as_of" in decision:
        event["as_of"] = decision["as_of"]
    return event


def _claim(claim: ClaimDecision) -> AuditedClaim:
    made: AuditedClaim = {
        "type": claim["type"],
        "decision": claim["decision"],
        "reasons": list(dict.fromkeys(detail["code"] for detail in claim["reasons"])),
        "evidence": [_evidence(one) for one in claim["evidence"]],
    }
    if "domain" in claim:
        named = _DOMAIN.fullmatch(claim["domain"])
        made["domain"] = claim["domain"] if named else OTHER_DOMAIN
    return made


def _evidence(evidence: EvidenceResult) -> AuditedEvidence:
    made: AuditedEvidence = {}
    if "status" in evidence:
        made["status"] = evidence["status"]
    if "reason" in evidence:
        made["reason"] = evidence["reason"]
    if "document_fingerprint" in evidence:
        made["document_fingerprint"] = evidence["document_fingerprint"]
    return made


def names_of(decision: Decision, *, actor: str = "", tenant: str = "") -> AuditedNames:
    """Who asked, and what the application calls the answer and its claims."""
    names: AuditedNames = {
        "answer_id": decision["answer_id"],
        "claims": [claim["id"] for claim in decision["claims"]],
    }
    if actor:
        names["actor"] = actor
    if tenant:
        names["tenant"] = tenant
    return names


def text_of(decision: Decision) -> AuditedText:
    """The words of an answer that its decision has."""
    evidence = (one for claim in decision["claims"] for one in claim["evidence"])
    text: AuditedText = {
        "documents": sorted({one["document"] for one in evidence} - {""}),
        "claims": [claim["text"] for claim in decision["claims"]],
        "uncovered": [sentence["text"] for sentence in decision["coverage"]["uncovered"]],
        "released": decision["released"]["text"],
    }
    if "question" in decision:
        text["question"] = decision["question"]
    return text


def record_decision(
    writer: StoreWriter,
    decision: Decision,
    envelope: Mapping[str, Any],
    *,
    actor: str = "",
    tenant: str = "",
    text: bool = False,
) -> AuditRow:
    """Adds a decision to the audit log of a store; with its text only where `text` says so. Raises
    AuditUnavailableError."""
    return append(
        writer,
        event_of(decision),
        envelope,
        names=names_of(decision, actor=actor, tenant=tenant),
        text=text_of(decision) if text else None,
    )
