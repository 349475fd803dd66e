"""Plain JSON: one object a trace, with a question, an answer and its documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grounding.canonical import canonical_sha256
from grounding.errors import NotCanonicalError
from verifier.traces.draft import Draft, document_of
from verifier.traces.values import answer_text, items, kept, opened, query_text, scalar

NAME = "plain"
_QUERY = ("query", "question", "user_query", "input", "prompt")
_ANSWER = ("answer", "response", "output", "generated_answer", "completion")
_DOCUMENTS = ("documents", "sources", "retrieved_documents", "retrieved_sources", "contexts",
              "retrieved_contexts", "context", "chunks")  # fmt: skip
_IDS = ("trace_id", "traceId", "id", "run_id")


def recognises_record(record: Mapping[str, Any]) -> bool:
    """Whether an object has an answer and documents, or one of them with a question."""
    has = [any(name in record for name in names) for names in (_QUERY, _ANSWER, _DOCUMENTS)]
    return sum(has) >= 2


def draft(record: Mapping[str, Any]) -> Draft:
    """The trace of an object. One without an id is named by the hash of its content."""
    known = {n for names in (_QUERY, _ANSWER, _DOCUMENTS) for n in names}
    found = Draft(next((i for name in _IDS if (i := scalar(record.get(name)))), ""))
    found.query = next((q for n in _QUERY if n in record and (q := query_text(record[n]))), "")
    found.answer = next((a for n in _ANSWER if n in record and (a := answer_text(record[n]))), "")
    found.span_id = scalar(record.get("span_id"))
    listed = next((record[n] for n in _DOCUMENTS if n in record), None)
    if listed is not None:
        _documents(listed, found)
    given = record.get("attributes")
    found.attributes = kept(given) if isinstance(given, Mapping) else {}
    rest = {k: v for k, v in record.items() if k not in (*known, *_IDS, "attributes", "metadata")}
    rest = {k: v for k, v in rest.items() if k not in ("artifact_type", "span_id", "format")}
    metadata = opened(record.get("metadata"))
    found.metadata = {**kept(rest), **(kept(metadata) if isinstance(metadata, Mapping) else {})}
    if not found.trace_id:
        found.trace_id = _named(record)
    return found


def _documents(listed: Any, found: Draft) -> None:
    listed = opened(listed)
    if isinstance(listed, Mapping) and not items(listed):  # ids and texts
        listed = [{"id": key, "content": value} for key, value in listed.items()]
    if not isinstance(listed, list | Mapping):
        found.problem = "the documents are no list"
        return
    found.documents = []
    for position, item in enumerate(items(listed)):
        document = document_of(item)
        if document is None:
            found.problem = f"document {position} has neither an id nor a text"
        else:
            found.documents.append(document)


def _named(record: Mapping[str, Any]) -> str:
    try:
        return f"content-{canonical_sha256(dict(record))[:32]}"
    except NotCanonicalError:
        return ""
