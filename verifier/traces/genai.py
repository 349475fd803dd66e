"""OpenTelemetry's conventions for generative AI, in development and in their older form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.traces.draft import Draft, DraftDocument, document_of
from verifier.traces.spans import Span, root_of
from verifier.traces.values import answer_text, at, items, kept, query_text, scalar

NAME = "otel-genai"
_TEXTS = frozenset(
    ("input", "output", "prompt", "completion", "retrieval", "system_instructions", "tool")
)


def recognises(attributes: Mapping[str, Any]) -> bool:
    """Whether a span's attributes are those of the conventions."""
    return isinstance(at(attributes, "gen_ai"), Mapping)


def assemble(spans: Sequence[Span]) -> Draft:
    """A trace of its spans: documents of all retrievals, the answer of the last span that has one,
    or of the root where it has one."""
    root = root_of(spans)
    draft = Draft(root.trace_id, span_id=root.id)
    found: list[DraftDocument] | None = None
    for span in spans:
        listed = at(span.attributes, "gen_ai.retrieval.documents")
        if (
            listed is not None
            or scalar(at(span.attributes, "gen_ai.operation.name")) == "retrieval"
        ):
            found = found or []
            found += [d for item in items(listed) if (d := document_of(item, span.id)) is not None]
    draft.documents = found
    draft.answer = _output(root) or next((a for s in reversed(spans) if (a := _output(s))), "")
    draft.query = (
        _input(root)
        or next((q for s in spans if (q := _asked(s))), "")
        or next((q for s in spans if (q := _input(s))), "")
    )
    draft.metadata = _recorded(spans, root)
    return draft


def _output(span: Span) -> str:
    messages = at(span.attributes, "gen_ai.output.messages")
    older = items(at(span.attributes, "gen_ai.completion"))
    return answer_text(messages) or answer_text(older)


def _input(span: Span) -> str:
    messages = at(span.attributes, "gen_ai.input.messages")
    older = items(at(span.attributes, "gen_ai.prompt"))
    return query_text(messages) or query_text(older)


def _asked(span: Span) -> str:
    return scalar(at(span.attributes, "gen_ai.retrieval.query.text"))


def _recorded(spans: Sequence[Span], root: Span) -> dict[str, str]:
    recorded: dict[str, str] = {}
    for span in (root, *spans):
        for name, value in kept(dict(_short(span.attributes))).items():
            recorded.setdefault(name, value)
        if span.start:
            recorded.setdefault("start_time", span.start)
        source = scalar(at(span.attributes, "gen_ai.data_source.id"))
        if source:
            recorded.setdefault("retriever", source)
    return recorded


def _short(attributes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in attributes.items():
        if name == "gen_ai" and isinstance(value, Mapping):
            value = {k: v for k, v in value.items() if k not in _TEXTS}
        yield name, value
