"""What is answered about evidence anchors, as typed dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from grounding.canonical import canonical_bytes
from grounding.version import SCHEMA_VERSION
from verifier.codes import CLOSED, IsoDate, Reason
from verifier.report import DocumentData, Evidence, GroundingData, SourceMapData, VerifierData

ARTIFACT_TYPE = "pagewitness.evidence_anchor_report.v1"
SET_ARTIFACT_TYPE = "pagewitness.evidence_anchor_report_set.v1"

AnchorLevel = Literal["page", "text", "bbox", "text_bbox", "table_cell"]
AchievedLevel = Literal["none", "page", "text", "bbox", "text_bbox", "table_cell"]
AnchorStatus = Literal[
    "bound",
    "mismatch",
    "not_found",
    "stale_fingerprint",
    "capability_limited",
    "unsupported_evidence_kind",
]
AnswerStatus = Literal[AnchorStatus, "error"]
"""`error`: the source map says that the source may not be used."""
FingerprintAxis = Literal["matched", "stale", "not_checked", "capability_limited"]
PageAxis = Literal["found", "not_found", "not_checked", "capability_limited"]
TextAxis = Literal["matched", "mismatch", "not_found", "not_checked", "capability_limited"]
BoxAxis = Literal["valid", "invalid", "not_found", "not_checked", "capability_limited"]


@with_config(CLOSED)
class AnchorChecks(TypedDict):
    """What was found out, one axis after the other."""

    fingerprint: FingerprintAxis
    page: PageAxis
    text: TextAxis
    bbox: BoxAxis
    table_cell: TextAxis


@with_config(CLOSED)
class Anchor(TypedDict):
    """The answer on one reference. `evidence` is where it binds now."""

    evidence_id: str
    evidence_kind: str
    anchor_status: AnswerStatus
    reason: NotRequired[Reason]
    required_anchor_level: AnchorLevel
    achieved_anchor_level: AchievedLevel
    checks: AnchorChecks
    evidence: NotRequired[Evidence]
    warnings: list[str]


@with_config(CLOSED)
class AnchorReport(TypedDict):
    """The answers on all references to one document, in their order."""

    artifact_type: Literal["pagewitness.evidence_anchor_report.v1"]
    schema_version: str
    verifier: VerifierData
    request_sha256: str
    document: DocumentData
    document_fingerprint: NotRequired[str]
    source_fingerprint: NotRequired[str]
    expected_fingerprint: NotRequired[str]
    verification_config_sha256: str
    grounding: NotRequired[GroundingData]
    source_map: NotRequired[SourceMapData]
    as_of: NotRequired[IsoDate]
    capability_limits: list[str]
    fingerprint_stale: bool
    all_bound: bool
    anchors: list[Anchor]
    warnings: list[str]


@with_config(CLOSED)
class AnchorReportSet(TypedDict):
    """Reports on several documents, in the order of the requests."""

    artifact_type: Literal["pagewitness.evidence_anchor_report_set.v1"]
    schema_version: str
    all_bound: bool
    reports: list[AnchorReport]


def anchor_report_set(reports: Sequence[AnchorReport]) -> AnchorReportSet:
    """Reports in one; bound only when each of them is."""
    return {
        "artifact_type": "pagewitness.evidence_anchor_report_set.v1",
        "schema_version": SCHEMA_VERSION,
        "all_bound": bool(reports) and all(report["all_bound"] for report in reports),
        "reports": list(reports),
    }


def anchor_report_bytes(report: AnchorReport | AnchorReportSet) -> bytes:
    """The report as it is written: canonical JSON and a line end."""
    return canonical_bytes(report) + b"\n"
