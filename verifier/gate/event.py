"""What is kept of a decision: hashes, codes and counts, and no text of the answer, of its claims or
of documents."""

from __future__ import annotations

import hashlib
from typing import Any, Literal, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED
from verifier.gate.codes import Action, ClaimRelease, ClaimType, FaultClass, ReasonCode
from verifier.gate.decision import Decision, Digest, Hashes, PolicyName, decision_bytes
from verifier.report import SourceMapData, VerifierData

ARTIFACT_TYPE: Literal["pagewitness.audit_event.v1"] = "pagewitness.audit_event.v1"
SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"


@with_config(CLOSED)
class AuditedClaim(TypedDict):
    """What was decided about one claim; `id` is left out of the private form."""

    id: NotRequired[str]
    type: ClaimType
    domain: NotRequired[str]
    decision: ClaimRelease
    reasons: list[ReasonCode]
    evidence: list[str]
    """Statuses of its evidence, `unchecked` where there is none."""


@with_config(CLOSED)
class AuditEvent(TypedDict):
    """One decision. `answer_id` is left out of the private form."""

    artifact_type: Literal["pagewitness.audit_event.v1"]
    schema_version: Literal["1.0.0"]
    verifier: VerifierData
    answer_id: NotRequired[str]
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
    sentences: int
    covered: int


def event_of(decision: Decision) -> AuditEvent:
    """The event of a decision."""
    event: AuditEvent = {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "verifier": decision["verifier"],
        "answer_id": decision["answer_id"],
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


def _claim(claim: Any) -> AuditedClaim:
    made: AuditedClaim = {
        "id": claim["id"],
        "type": claim["type"],
        "decision": claim["decision"],
        "reasons": list(dict.fromkeys(detail["code"] for detail in claim["reasons"])),
        "evidence": [one.get("status", "unchecked") for one in claim["evidence"]],
    }
    if "domain" in claim:
        made["domain"] = claim["domain"]
    return made


def private(value: dict[str, Any]) -> dict[str, Any]:
    """A record without what names an answer, a claim or a person."""
    event = {key: item for key, item in value["event"].items() if key != "answer_id"}
    event["claims"] = [
        {key: item for key, item in claim.items() if key not in ("id", "domain")}
        for claim in event["claims"]
    ]
    envelope = {
        key: value["envelope"][key] for key in ("at", "timings_ms") if key in value["envelope"]
    }
    return {"event": event, "envelope": envelope}
