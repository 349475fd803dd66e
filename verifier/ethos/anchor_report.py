"""What is answered about evidence anchors. Absent optional keys are left out."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from verifier.anchors.report import (
    AchievedLevel,
    AnchorStatus,
    BoxAxis,
    FingerprintAxis,
    TextAxis,
)
from verifier.codes import CLOSED
from verifier.ethos.anchor_request import AnchorLevel, EvidenceKind
from verifier.ethos.report import CapabilityLimit, Fingerprint
from verifier.report import GroundingData

PageAxis = Literal["found", "not_found", "not_checked"]


@with_config(CLOSED)
class AnchorChecks(TypedDict):
    """What was looked at, each thing by itself: none is held against another one."""

    fingerprint: FingerprintAxis
    page: PageAxis
    text: TextAxis
    bbox: BoxAxis
    table_cell: TextAxis


@with_config(CLOSED)
class Anchor(TypedDict):
    """Whether one piece of evidence is where it should be, and how exactly it was found."""

    evidence_id: Annotated[str, Field(min_length=1)]
    evidence_kind: EvidenceKind
    anchor_status: AnchorStatus
    required_anchor_level: AnchorLevel
    achieved_anchor_level: AchievedLevel
    checks: AnchorChecks
    capability_limits: list[CapabilityLimit]


@with_config(CLOSED)
class EthosAnchorReport(TypedDict):
    """The answers on all pieces of evidence of a request, in its order."""

    artifact_type: Literal["ethos.evidence_anchor_report.v1"]
    schema_version: Literal["1.0.0"]
    source_fingerprint: NotRequired[Fingerprint]
    grounding: GroundingData
    anchors: list[Anchor]
