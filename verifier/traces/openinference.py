"""OpenInference, as Phoenix exports it: `openinference.span.kind`, `retrieval.documents.…`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.traces.draft import Draft, DraftDocument, document_of
from verifier.traces.spans import Span, root_of
from verifier.traces.values import answer_text, at, items, kept, opened, query_text, scalar

NAME = "openinference"


def recognises(attributes: Mapping[str, Any]) -> bool:
    """Whether a span's attributes are those of OpenInference."""
    return bool(
        scalar(at(attributes, "openinference.span.kind"))
        or at(attributes, "retrieval.documents") is not None
        or at(attributes, "llm.output_messages") is not None
        or at(attributes, "reranker.output_documents") is not None
    )


def assemble(spans: Sequence[Span]) -> Draft:
    """A trace of its spans: documents are those of the last reranker, else of all retrievers; the
    answer is the root's output, else that of the last model."""
    root = root_of(spans)
    draft = Draft(root.trace_id, span_id=root.id)
    draft.documents = _documents(spans)
    draft.answer = answer_text(at(root.attributes, "output.value"))
    draft.query = query_text(at(root.attributes, "input.value"))
    models = [span for span in spans if at(span.attributes, "llm") is not None]
    if not draft.answer:
        draft.answer = next((a for s in reversed(models) if (a := _message(s, "output"))), "")
    if not draft.query:
        asked = (at(s.attributes, "input.value") for s in spans if kind_of(s) == "RETRIEVER")
        draft.query = next((q for value in asked if (q := query_text(value))), "")
    if not draft.query:
        draft.query = next((q for s in models if (q := _message(s, "input"))), "")
    draft.metadata = _recorded(spans, root)
    return draft


def kind_of(span: Span) -> str:
    """RETRIEVER, RERANKER, LLM, CHAIN … in capitals; empty where the span does not say."""
    kind = scalar(at(span.attributes, "openinference.span.kind"))
    return (kind or scalar(span.record.get("span_kind"))).upper()


def _documents(spans: Sequence[Span]) -> list[DraftDocument] | None:
    found: list[DraftDocument] | None = None
    reranked: list[DraftDocument] | None = None
    for span in spans:
        listed = at(span.attributes, "retrieval.documents")
        if listed is not None or kind_of(span) == "RETRIEVER":
            found = [*(found or []), *_listed(listed, span.id)]
        again = at(span.attributes, "reranker.output_documents")
        if again is not None:
            reranked = _listed(again, span.id)
    return reranked if reranked is not None else found


def _listed(value: Any, span_id: str) -> list[DraftDocument]:
    return [d for item in items(value) if (d := document_of(item, span_id)) is not None]


def _message(span: Span, side: str) -> str:
    messages = items(at(span.attributes, f"llm.{side}_messages"))
    return (answer_text if side == "output" else query_text)(messages)


def _recorded(spans: Sequence[Span], root: Span) -> dict[str, str]:
    """Short attributes of the root, then of the others where the root has none of the name; the
    texts that are read by themselves are left out."""
    recorded = kept(dict(_without_texts(root.attributes)))
    for span in spans:
        for name, value in kept(dict(_without_texts(span.attributes))).items():
            recorded.setdefault(name, value)
    retriever = next((s.name for s in spans if kind_of(s) == "RETRIEVER" and s.name), "")
    if retriever:
        recorded.setdefault("retriever", retriever)
    if root.start:
        recorded.setdefault("start_time", root.start)
    return recorded


def _without_texts(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in attributes.items():
        if name in ("input", "output", "retrieval", "reranker", "embedding"):
            continue
        if name == "llm" and isinstance(value, Mapping):
            value = {k: v for k, v in value.items() if not k.endswith("_messages")}
        if name == "metadata":
            value = opened(value)
        yield name, value
