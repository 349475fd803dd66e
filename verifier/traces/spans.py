"""Spans of any exporter as one value, and spans put together into traces.

Containers that are read: one span an object (Phoenix, and rows of its data frames, whose columns
are dotted names), `{"spans": […]}`, and OTLP JSON (`resourceSpans`, attributes as key and value).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.traces.values import DEEPEST, at, items, nested, opened, scalar

MOST_OPEN = 200
"""Traces whose spans are waited for at the same time. Exports write the spans of a trace near one
another; a span that comes after this many other traces began is of a trace that was audited."""
MOST_SPANS = 20_000
"""Spans of one trace; one that has more is rejected."""
_LAST_CLOSED = 200_000
"""Ids of closed traces that are remembered, to notice spans that come too late."""


@dataclass(slots=True)
class Span:
    """One operation. `attributes` is a tree, see `nested`; `start` sorts spans of one trace."""

    trace_id: str
    id: str
    parent: str
    name: str
    start: str
    attributes: dict[str, Any]
    record: Mapping[str, Any]


def spans_of(record: Mapping[str, Any]) -> Iterator[Span]:
    """The spans that a record holds."""
    if "resourceSpans" in record or "resource_spans" in record:
        for resource in items(record.get("resourceSpans") or record.get("resource_spans")):
            yield from _of_resource(resource)
    elif isinstance(opened(record.get("spans")), list):
        shared = {k: record[k] for k in ("trace_id", "traceId") if k in record}
        for span in items(record["spans"]):
            if isinstance(span, Mapping):
                yield _span({**shared, **span})
    else:
        yield _span(record)


def _of_resource(resource: Any) -> Iterator[Span]:
    if not isinstance(resource, Mapping):
        return
    shared = _typed(at(resource, "resource.attributes"))
    for scope in items(resource.get("scopeSpans") or resource.get("scope_spans")):
        for span in items(scope.get("spans")) if isinstance(scope, Mapping) else ():
            if isinstance(span, Mapping):
                own = _typed(span.get("attributes"))
                yield _span({**span, "attributes": {**shared, **own}})


def _typed(attributes: Any) -> dict[str, Any]:
    """OTLP attributes, a list of {key, value: {stringValue: …}}; objects are taken as they are."""
    if isinstance(attributes, Mapping):
        return dict(attributes)
    found = {}
    for item in items(attributes):
        if isinstance(item, Mapping) and isinstance(item.get("key"), str):
            found[item["key"]] = _value(item.get("value"), 0)
    return found


def _value(value: Any, depth: int) -> Any:
    if not isinstance(value, Mapping) or depth > DEEPEST:
        return value
    for name in ("arrayValue", "array_value"):
        if isinstance(value.get(name), Mapping):
            return [_value(v, depth + 1) for v in items(value[name].get("values"))]
    for name in ("kvlistValue", "kvlist_value"):
        if isinstance(value.get(name), Mapping):
            pairs = items(value[name].get("values"))
            return {
                str(pair.get("key")): _value(pair.get("value"), depth + 1)
                for pair in pairs
                if isinstance(pair, Mapping)
            }
    known = [v for k, v in value.items() if str(k).lower().endswith("value")]
    return known[0] if len(known) == len(value) == 1 else value


def _span(record: Mapping[str, Any]) -> Span:
    tree = nested(record)
    attributes = record.get("attributes")
    if isinstance(attributes, list):
        attributes = _typed(attributes)
    inside = nested(opened(attributes)) or tree.get("attributes")
    own = inside if isinstance(inside, dict) else {}
    if not own:  # attributes at the top of the object
        own = {key: value for key, value in tree.items() if key not in _OF_SPANS}
    return Span(
        _first(tree, "trace_id", "traceId", "context.trace_id", "context.traceId"),
        _first(tree, "span_id", "spanId", "context.span_id", "context.spanId", "id"),
        _first(
            tree, "parent_id", "parentId", "parent_span_id", "parentSpanId", "parentObservationId"
        ),
        _first(tree, "name"),
        _first(tree, "start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano"),
        own,
        record,
    )


_OF_SPANS = frozenset(
    "trace_id traceId span_id spanId parent_id parentId parent_span_id parentSpanId name start_time"
    " startTime end_time endTime context kind status events links".split()
)


def _first(tree: Any, *names: str) -> str:
    return next((found for name in names if (found := scalar(at(tree, name)))), "")


@dataclass
class Grouping:
    """Spans put together by their traces, of which a bounded number is open."""

    open: OrderedDict[str, list[tuple[Span, str]]] = field(default_factory=OrderedDict)
    closed: OrderedDict[str, None] = field(default_factory=OrderedDict)
    late: OrderedDict[str, None] = field(default_factory=OrderedDict)
    """Traces of which spans came after they were closed, each told once."""

    def add(self, span: Span, origin: str) -> Iterator[tuple[list[Span], str]]:
        """Takes a span; yields the traces that are taken for complete now, with where each began.
        A span of a closed trace is noted in `late`."""
        if span.trace_id in self.closed:
            self.late.setdefault(span.trace_id)
            return
        known = self.open.setdefault(span.trace_id, [])
        if len(known) <= MOST_SPANS:
            known.append((span, origin))
        self.open.move_to_end(span.trace_id)
        while len(self.open) > MOST_OPEN:
            yield self._closed(*self.open.popitem(last=False))

    def rest(self) -> Iterator[tuple[list[Span], str]]:
        """The traces that are still open, in the order of their last spans."""
        while self.open:
            yield self._closed(*self.open.popitem(last=False))

    def _closed(self, trace_id: str, known: list[tuple[Span, str]]) -> tuple[list[Span], str]:
        self.closed[trace_id] = None
        if len(self.closed) > _LAST_CLOSED:
            self.closed.popitem(last=False)
        spans = sorted((span for span, _ in known), key=lambda span: span.start)
        return spans, known[0][1]


def root_of(spans: Iterable[Span]) -> Span:
    """The span whose parent is none of the others; the first one of several."""
    every = list(spans)
    ids = {span.id for span in every if span.id}
    return next((s for s in every if s.parent not in ids or s.parent == s.id), every[0])
