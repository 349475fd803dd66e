"""One model of a trace: a question, the answer that was given, and the documents it was given from.

Texts are kept as they came; offsets anywhere in an audit are Unicode code points into them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED

ARTIFACT_TYPE: Literal["pagewitness.trace.v1"] = "pagewitness.trace.v1"

Facet = Literal[
    "source",
    "document_type",
    "partition",
    "retriever",
    "prompt_version",
    "domain",
    "time",
    "model",
    "session",
]
FACETS: tuple[Facet, ...] = (
    "source", "document_type", "partition", "retriever", "prompt_version", "domain", "time",
    "model", "session",
)  # fmt: skip
"""Attributes that readers find under the names of every tool and give one name each. `time` is when
the trace began, ISO 8601 in UTC; the others are text as it was recorded."""

RejectionCode = Literal[
    "malformed_trace",
    "empty_answer",
    "no_sources",
    "content_missing",
    "duplicate_document_id",
    "too_large",
]
"""Why a trace cannot be audited. An audit of it would say something about the recording, not about
the answer: a score without the sources is low and means nothing."""


@dataclass(frozen=True, slots=True)
class TraceDocument:
    """A document as it was retrieved. `content` is the text that the answer was made from; `rank`
    counts from 1 in the order of retrieval; `score` is the retriever's, as it was written; the
    facets of a document are in `attributes`, everything else that was recorded in `metadata`."""

    id: str
    content: str
    rank: int
    score: str = ""
    span_id: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    resolved: str = ""
    """The document fingerprint from which a content that the trace lacks was taken."""

    def facet(self, name: Facet) -> str:
        """The document's own value of a facet; empty where none was recorded."""
        return self.attributes.get(name, "")


@dataclass(frozen=True)
class Trace:
    """One answer and what it was made from. `attributes` are the trace's facets, `metadata` is what
    else was recorded, both as text. `origin` says where the trace was read: file, line or index."""

    trace_id: str
    query: str
    answer: str
    documents: tuple[TraceDocument, ...]
    span_id: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    format: str = "plain"
    origin: str = ""

    @cached_property
    def by_id(self) -> dict[str, TraceDocument]:
        return {document.id: document for document in self.documents}

    def facet(self, name: Facet) -> str:
        """The trace's value of a facet; the documents' where they all have the same one."""
        own = self.attributes.get(name, "")
        if own or not self.documents:
            return own
        values = {document.attributes.get(name, "") for document in self.documents}
        return values.pop() if len(values) == 1 else ""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A trace that is not audited, and why. `trace_id` is empty where it cannot be told."""

    trace_id: str
    reason: RejectionCode
    message: str
    origin: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@with_config(CLOSED)
class TraceDocumentData(TypedDict):
    """A document of a trace as JSON. `content` may be left out where the store has the document."""

    id: str
    content: NotRequired[str]
    rank: NotRequired[int]
    score: NotRequired[str]
    span_id: NotRequired[str]
    attributes: NotRequired[dict[str, str]]
    metadata: NotRequired[dict[str, str]]
    resolved: NotRequired[str]


@with_config(CLOSED)
class TraceData(TypedDict):
    """A trace as JSON: the plain form that `coverage` and `scorecard` read and write."""

    artifact_type: NotRequired[Literal["pagewitness.trace.v1"]]
    trace_id: str
    query: str
    answer: str
    documents: list[TraceDocumentData]
    span_id: NotRequired[str]
    attributes: NotRequired[dict[str, str]]
    metadata: NotRequired[dict[str, str]]
    format: NotRequired[str]


def trace_data(trace: Trace) -> TraceData:
    """A trace in its plain form; empty parts are left out."""
    data: TraceData = {
        "artifact_type": ARTIFACT_TYPE,
        "trace_id": trace.trace_id,
        "query": trace.query,
        "answer": trace.answer,
        "documents": [_document_data(document) for document in trace.documents],
        "format": trace.format,
    }
    if trace.span_id:
        data["span_id"] = trace.span_id
    if trace.attributes:
        data["attributes"] = dict(trace.attributes)
    if trace.metadata:
        data["metadata"] = dict(trace.metadata)
    return data


def _document_data(document: TraceDocument) -> TraceDocumentData:
    data: TraceDocumentData = {"id": document.id, "content": document.content}
    data["rank"] = document.rank
    optional: dict[str, Any] = {
        "score": document.score,
        "span_id": document.span_id,
        "attributes": dict(document.attributes),
        "metadata": dict(document.metadata),
        "resolved": document.resolved,
    }
    data.update({name: value for name, value in optional.items() if value})  # type: ignore[typeddict-item]
    return data
