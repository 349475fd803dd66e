"""The formats that are read, and how one is told from another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.traces import genai, langfuse, langsmith, openinference, plain
from verifier.traces.draft import Draft
from verifier.traces.spans import Span, spans_of

Assemble = Callable[[Sequence[Span], str], Draft]


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """A format. One object is a whole trace where `draft` is given; else objects hold `spans`,
    which are put together by `assemble`."""

    name: str
    about: str
    recognises: Callable[[Mapping[str, Any]], bool]
    draft: Callable[[Mapping[str, Any]], Draft] | None = None
    spans: Callable[[Mapping[str, Any]], Iterator[Span]] = spans_of
    assemble: Assemble | None = None


def _any_span(
    recognises: Callable[[Mapping[str, Any]], bool],
) -> Callable[[Mapping[str, Any]], bool]:
    """Whether one of the first spans of a record has attributes of a kind."""

    def look(record: Mapping[str, Any]) -> bool:
        return any(recognises(span.attributes) for span, _ in zip(spans_of(record), range(50)))  # noqa: B905

    return look


def _langfuse(record: Mapping[str, Any]) -> bool:
    return langfuse.recognises_record(record) or _any_span(langfuse.recognises)(record)


FORMATS: tuple[TraceFormat, ...] = (
    TraceFormat(
        langsmith.NAME, "runs of LangSmith", langsmith.recognises_record, None, langsmith.spans,
        langsmith.assemble,
    ),
    TraceFormat(
        langfuse.NAME, "observations of Langfuse", _langfuse, None, langfuse.spans,
        langfuse.assemble,
    ),
    TraceFormat(
        openinference.NAME, "spans of OpenInference, as Phoenix exports them",
        _any_span(openinference.recognises), None, spans_of,
        lambda spans, path: openinference.assemble(spans),
    ),
    TraceFormat(
        genai.NAME, "spans of OpenTelemetry's conventions for generative AI",
        _any_span(genai.recognises), None, spans_of, lambda spans, path: genai.assemble(spans),
    ),
    TraceFormat(
        plain.NAME, "one object a trace: query, answer, documents", plain.recognises_record,
        plain.draft,
    ),
)  # fmt: skip
"""In the order in which they are tried: an object may look like several."""
BY_NAME = {form.name: form for form in FORMATS}


def format_of(record: Mapping[str, Any]) -> TraceFormat | None:
    """The first format that recognises a record; None where none does."""
    return next((form for form in FORMATS if form.recognises(record)), None)
