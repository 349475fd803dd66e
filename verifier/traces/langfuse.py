"""Langfuse: observations as rows of an export, traces with their observations, and its attributes
on OpenTelemetry spans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.traces.draft import Draft, DraftDocument
from verifier.traces.listing import listed
from verifier.traces.spans import Span, root_of, spans_of
from verifier.traces.values import answer_text, at, items, kept, query_text, scalar

NAME = "langfuse"
_TYPES = frozenset(
    "SPAN GENERATION EVENT AGENT TOOL CHAIN RETRIEVER EVALUATOR EMBEDDING GUARDRAIL TRACE".split()
)
_TEXTS = frozenset(("input", "output", "observations"))


def recognises_record(record: Mapping[str, Any]) -> bool:
    """Whether an object is a row or a trace of an export."""
    if isinstance(record.get("observations"), list) and "id" in record:
        return True
    kind = scalar(record.get("type")).upper()
    return "traceId" in record and kind in _TYPES


def recognises(attributes: Mapping[str, Any]) -> bool:
    """Whether a span's attributes are Langfuse's."""
    return isinstance(at(attributes, "langfuse"), Mapping)


def spans(record: Mapping[str, Any]) -> Iterator[Span]:
    """A trace with its observations as spans, the trace being their root; rows as they are."""
    observations = record.get("observations")
    if not isinstance(observations, list):
        yield from spans_of(record)
        return
    trace_id = scalar(record.get("id"))
    own = {key: value for key, value in record.items() if key != "observations"}
    yield from spans_of({**own, "traceId": trace_id, "type": "TRACE"})
    for row in items(observations):
        if isinstance(row, Mapping):
            parent = scalar(row.get("parentObservationId")) or trace_id
            yield from spans_of({**row, "traceId": trace_id, "parentObservationId": parent})


def assemble(spans: Sequence[Span], documents_path: str = "") -> Draft:
    """A trace of its observations: documents are the outputs of retrievers, the answer that of the
    trace, else of the root, else of the last generation."""
    root = root_of(spans)
    draft = Draft(root.trace_id, span_id=root.id)
    found: list[DraftDocument] | None = None
    for span in spans:
        if _kind(span) == "RETRIEVER" or (_kind(span) == "SPAN" and "retriev" in span.name.lower()):
            found = [*(found or []), *listed(_side(span, "output"), span.id, documents_path)]
    draft.documents = found
    traced = next((t for s in spans if (t := _trace_side(s, "output"))), None)
    asked = next((t for s in spans if (t := _trace_side(s, "input"))), None)
    generations = [s for s in spans if _kind(s) == "GENERATION"]
    outputs = [traced, _side(root, "output"), *(_side(s, "output") for s in generations[::-1])]
    inputs = [asked, _side(root, "input"), *(_side(s, "input") for s in generations)]
    draft.answer = next((a for value in outputs if (a := answer_text(value))), "")
    draft.query = next((q for value in inputs if (q := query_text(value))), "")
    draft.metadata = _recorded(spans, root)
    return draft


def _kind(span: Span) -> str:
    kind = at(span.attributes, "langfuse.observation.type") or at(span.attributes, "type")
    return scalar(kind).upper()


def _side(span: Span, side: str) -> Any:
    found = at(span.attributes, f"langfuse.observation.{side}")
    return found if found is not None else at(span.attributes, side)


def _trace_side(span: Span, side: str) -> Any:
    return at(span.attributes, f"langfuse.trace.{side}")


def _recorded(spans: Sequence[Span], root: Span) -> dict[str, str]:
    recorded: dict[str, str] = {}
    for span in (root, *spans):
        for name, value in kept(_short(span.attributes)).items():
            recorded.setdefault(name, value)
        if _kind(span) == "RETRIEVER" and span.name:
            recorded.setdefault("retriever", span.name)
        if span.start:
            recorded.setdefault("start_time", span.start)
    for name in ("promptVersion", "prompt_version"):
        if name in recorded:
            recorded.setdefault("prompt_version", recorded[name])
    return recorded


def _short(attributes: Mapping[str, Any]) -> dict[str, Any]:
    short = {k: v for k, v in attributes.items() if k not in _TEXTS}
    inner = short.get("langfuse")
    if isinstance(inner, Mapping):
        short["langfuse"] = {
            name: {k: v for k, v in part.items() if k not in _TEXTS}
            if isinstance(part, Mapping)
            else part
            for name, part in inner.items()
        }
    return short
