"""JSON Schemas of the files that Pagewitness reads and writes, generated from their types."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from grounding.adapters.schemas import FOREIGN
from grounding.schemas import (
    ChunkData,
    ContextMap,
    CropDescriptor,
    DocumentArtifact,
    SearchHit,
    SourceHistory,
    SourceMap,
)
from verifier.anchors import AnchorReport, AnchorReportSet, AnchorRequest
from verifier.claims import RequestSet, VerificationRequest
from verifier.config import VerificationConfig
from verifier.coverage.result import CoverageLine
from verifier.ethos.schemas import DESCRIPTIONS, SCHEMAS
from verifier.gate.answer import GeneratedAnswer
from verifier.gate.decision import Decision
from verifier.gate.event import AuditEvent, AuditLine
from verifier.gate.labels import ReleaseLabels
from verifier.gate.policy import Policy
from verifier.gate.stats import GateStats
from verifier.impact import Impact
from verifier.report import Report, ReportSet
from verifier.scorecard.result import ScorecardLine
from verifier.traces.model import TraceData

DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://pagewitness.invalid/schemas/"
"""A name and no address: `.invalid` never resolves, so no validator fetches anything."""

_TYPES: dict[str, tuple[Any, str, str]] = {
    "verification_request": (
        VerificationRequest,
        "Verification request",
        "Claims about one document, each with the place where it says that it stands. The document "
        "is named by source id, file name or fingerprint.",
    ),
    "request_set": (
        RequestSet,
        "Request set",
        "One verification request a document, answered by a report set in the same order.",
    ),
    "verification_config": (
        VerificationConfig,
        "Verification configuration",
        "The rules of a verification. Lengths are in characters, tolerances in 1/100 point.",
    ),
    "verification_report": (
        Report,
        "Verification report",
        "The verdict on every claim of a request, with its evidence.",
    ),
    "report_set": (
        ReportSet,
        "Report set",
        "The reports on a request set, in the order of its requests.",
    ),
    "crop_descriptor": (
        CropDescriptor,
        "Crop descriptor",
        "What binds an evidence picture to its source. crop_ref is `crop-` and the SHA-256 of the "
        "canonical JSON of all other keys.",
    ),
    "document_artifact": (
        DocumentArtifact,
        "Document artifact",
        "Everything that is known of one document version. Offsets are Unicode code points into "
        "its text, boxes 1/100 point from the top left of the page as displayed.",
    ),
    "chunk": (
        ChunkData,
        "Chunk",
        "One line of `export --format chunks`: a contiguous stretch of a document's text.",
    ),
    "search_hit": (
        SearchHit,
        "Search hit",
        "One line of `search --json`, with a claim that verifies as it is.",
    ),
    "generated_answer": (
        GeneratedAnswer,
        "Generated answer",
        "What a generator hands to the release gate: an answer, its claims, and what they cite.",
    ),
    "release_labels": (
        ReleaseLabels,
        "Release labels",
        "What an application says of the claims of an answer; carried by the gate, never computed.",
    ),
    "release_policy": (
        Policy,
        "Release policy",
        "What an answer needs to be shown. Unknown keys and versions are refused.",
    ),
    "release_decision": (
        Decision,
        "Release decision",
        "What of an answer may be shown, and why.",
    ),
    "audit_event": (
        AuditEvent,
        "Audit event",
        "What is kept of a decision: hashes, codes and counts, no text.",
    ),
    "audit_line": (
        AuditLine,
        "Audit line",
        "One line of `audit export`: an event in its place in the chain.",
    ),
    "gate_stats": (
        GateStats,
        "Gate statistics",
        "Counters over the decisions of an audit log, as `stats --format json` writes them.",
    ),
    "source_map": (
        SourceMap,
        "Source map",
        "What an application says of its sources; `source import` takes it as JSON or TOML.",
    ),
    "source_history": (
        SourceHistory,
        "Source history",
        "One line of `source history --json`: a change of the source map.",
    ),
    "context_map": (
        ContextMap,
        "Context map",
        "What the handles in a prompt stand for.",
    ),
    "evidence_anchor_request": (
        AnchorRequest,
        "Evidence anchor request",
        "References to evidence in one document: where each stands, what is expected there, and "
        "how closely it has to bind.",
    ),
    "evidence_anchor_report": (
        AnchorReport,
        "Evidence anchor report",
        "Whether each reference binds, and how closely.",
    ),
    "evidence_anchor_report_set": (
        AnchorReportSet,
        "Evidence anchor report set",
        "The reports on several documents, in the order of the requests.",
    ),
    "impact": (
        Impact,
        "Impact",
        "What became of one grounded check of a saved report on a later version of its document; "
        "a line of `pagewitness impact --json`.",
    ),
    "trace": (
        TraceData,
        "Trace",
        "An answer of a production system with the question and the documents that it was made "
        "from: the plain form that audits read. Contents may be left out where the store has them.",
    ),
    "coverage_result": (
        CoverageLine,
        "Coverage result",
        "A line of `pagewitness coverage`: the claims of one answer and what its sources say of "
        "them, or why there is no score.",
    ),
    "scorecard_result": (
        ScorecardLine,
        "Scorecard result",
        "A line of `pagewitness scorecard`: how one answer used each retrieved document, or why "
        "there is no score.",
    ),
    **FOREIGN,
    **{name: (kind, *DESCRIPTIONS[name]) for name, kind in SCHEMAS.items()},
}


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema of each kind of file, by name."""
    return {
        name: json_schema(kind, name, title, description)
        for name, (kind, title, description) in _TYPES.items()
    }


def json_schema(kind: Any, name: str, title: str, description: str) -> dict[str, Any]:
    """The JSON Schema of a type, under the name of its file."""
    return {
        **TypeAdapter(kind).json_schema(mode="validation"),
        "$schema": DIALECT,
        "$id": f"{BASE}{name}.schema.json",
        "title": title,
        "description": description,
    }
