"""Traces of files: read piece by piece, checked, each one whole or rejected with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from grounding.errors import TracesInvalidError
from verifier.traces.draft import Contents, Draft, finished
from verifier.traces.files import Record, Told, records, trace_files
from verifier.traces.formats import BY_NAME, FORMATS, TraceFormat, format_of
from verifier.traces.model import Rejection, Trace
from verifier.traces.spans import MOST_SPANS, Grouping, Span

_LOOKED_AT = 50
"""Objects of a file by which its format is told."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How traces are read: `form` names a format, else each file's is told by its first objects;
    `documents_path` says where a retriever's output holds documents; `contents` looks up what
    traces lack."""

    form: str = ""
    documents_path: str = ""
    contents: Contents | None = None


def read_traces(
    paths: Sequence[Path], options: ReadOptions | None = None, told: Told = lambda size: None
) -> Iterator[Trace | Rejection]:
    """All traces of files and folders, in order. At most a bounded number is held at a time.

    Raises TracesInvalidError for a path, a file or a format that cannot be read at all.
    """
    options = options or ReadOptions()
    for path in trace_files(paths):
        yield from _of_file(path, options, told)


def _of_file(path: Path, options: ReadOptions, told: Told) -> Iterator[Trace | Rejection]:
    every = records(path, told)
    first = list(islice(every, _LOOKED_AT))
    form = BY_NAME[options.form] if options.form else _told_by(first, path)
    rest = chain(first, every)
    del first
    if form.draft is not None:
        for record in rest:
            yield finished(_draft(form, record), form.name, record.origin, options.contents)
        return
    yield from _grouped(rest, form, options)


def _told_by(first: Iterable[Record], path: Path) -> TraceFormat:
    found = next((f for r in first if r.value is not None and (f := format_of(r.value))), None)
    if found is None:
        known = ", ".join(form.name for form in FORMATS)
        raise TracesInvalidError(
            f"{path} holds no traces of a known form",
            remedy=f"name the form with --traces-format ({known})",
        )
    return found


def _draft(form: TraceFormat, record: Record) -> Draft:
    if record.problem:
        return Draft("", problem=record.problem)
    assert form.draft is not None
    return form.draft(record.value)


def _grouped(
    every: Iterable[Record], form: TraceFormat, options: ReadOptions
) -> Iterator[Trace | Rejection]:
    groups = Grouping()
    told: set[str] = set()
    for record in every:
        if record.problem:
            yield Rejection("", "malformed_trace", record.problem, record.origin)
            continue
        for span in _spans(form, record.value):
            if not span.trace_id:
                yield Rejection("", "malformed_trace", "a span has no trace id", record.origin)
                continue
            for spans, origin in groups.add(span, record.origin):
                yield _assembled(spans, origin, form, options)
        for trace_id in groups.late.keys() - told:
            told.add(trace_id)
            yield Rejection(
                trace_id, "malformed_trace",
                "some of its spans stand so far from the others that it was audited without them;"
                " sort the file by trace", record.origin,
            )  # fmt: skip
    for spans, origin in groups.rest():
        yield _assembled(spans, origin, form, options)


def _spans(form: TraceFormat, value: Mapping[str, Any]) -> Iterator[Span]:
    yield from form.spans(value)


def _assembled(
    spans: list[Span], origin: str, form: TraceFormat, options: ReadOptions
) -> Trace | Rejection:
    assert form.assemble is not None
    if len(spans) > MOST_SPANS:
        message = f"more than {MOST_SPANS} spans; traces of so many are not audited"
        return Rejection(spans[0].trace_id, "too_large", message, origin)
    draft = form.assemble(spans, options.documents_path)
    return finished(draft, form.name, origin, options.contents)
