"""Runs of LangSmith: rows, or runs with their child runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.traces.draft import Draft, DraftDocument
from verifier.traces.listing import listed
from verifier.traces.spans import Span, root_of
from verifier.traces.values import DEEPEST, answer_text, at, items, kept, nested, query_text, scalar

NAME = "langsmith"
_TEXTS = frozenset(("inputs", "outputs", "child_runs", "events", "serialized", "error"))


def recognises_record(record: Mapping[str, Any]) -> bool:
    """Whether an object is a run, or holds runs."""
    if isinstance(record.get("runs"), list):
        return any(isinstance(r, Mapping) and "run_type" in r for r in record["runs"][:1])
    return "run_type" in record


def spans(record: Mapping[str, Any]) -> Iterator[Span]:
    """A run and its child runs, or those of a list, as spans."""
    if isinstance(record.get("runs"), list):
        for run in items(record["runs"]):
            yield from _runs(run, "", "", 0)
    else:
        yield from _runs(record, "", "", 0)


def _runs(run: Any, trace_id: str, parent: str, depth: int) -> Iterator[Span]:
    if not isinstance(run, Mapping) or depth > DEEPEST:
        return
    own_id = scalar(run.get("id"))
    above = scalar(run.get("parent_run_id")) or parent
    trace = scalar(run.get("trace_id")) or trace_id or own_id
    tree = nested({k: v for k, v in run.items() if k != "child_runs"})
    start = scalar(run.get("start_time"))
    yield Span(trace, own_id, above, scalar(run.get("name")), start, tree, run)
    for child in items(run.get("child_runs")):
        yield from _runs(child, trace, own_id, depth + 1)


def assemble(spans: Sequence[Span], documents_path: str = "") -> Draft:
    """A trace of its runs: documents are the outputs of retriever runs, the answer the root's
    output, else that of the last model."""
    root = root_of(spans)
    draft = Draft(root.trace_id, span_id=root.id)
    found: list[DraftDocument] | None = None
    for span in spans:
        if _kind(span) == "retriever":
            found = [
                *(found or []),
                *listed(span.attributes.get("outputs"), span.id, documents_path),
            ]
    draft.documents = found
    models = [s for s in spans if _kind(s) == "llm"]
    outputs = [root.attributes.get("outputs"), *(s.attributes.get("outputs") for s in models[::-1])]
    inputs = [root.attributes.get("inputs"), *(s.attributes.get("inputs") for s in models)]
    draft.answer = next((a for value in outputs if (a := answer_text(value))), "")
    draft.query = next((q for value in inputs if (q := query_text(value))), "")
    draft.metadata = _recorded(spans, root)
    return draft


def _kind(span: Span) -> str:
    return scalar(span.attributes.get("run_type")).lower()


def _recorded(spans: Sequence[Span], root: Span) -> dict[str, str]:
    recorded: dict[str, str] = {}
    for span in (root, *spans):
        short = {k: v for k, v in span.attributes.items() if k not in _TEXTS}
        for name, value in kept(short).items():
            recorded.setdefault(name, value)
        if _kind(span) == "retriever" and span.name:
            retriever = scalar(at(span.attributes, "extra.metadata.ls_retriever_name"))
            recorded.setdefault("retriever", retriever or span.name)
    return recorded
