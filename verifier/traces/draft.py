"""A trace as a reader found it, and the one place that decides whether it can be audited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol

from verifier.traces.facets import facets
from verifier.traces.model import Rejection, RejectionCode, Trace, TraceDocument
from verifier.traces.values import kept, nested, opened, scalar, writable

MAX_ANSWER = 400_000
MAX_CONTENT = 4_000_000
MAX_DOCUMENTS = 1000
"""Characters of an answer and of all contents together, and documents, of one trace."""
_CONTENT = ("content", "text", "page_content", "pageContent", "chunk", "body", "snippet", "passage")
_SCORES = ("score", "relevance_score", "similarity")
_OWN = ("metadata", "lc", "type", "attributes", "rank", "span_id", "resolved")
"""What a document has besides that is no metadata of its own."""
_IDS = ("id", "document_id", "source_id", "doc_id", "chunk_id", "node_id", "_id")


class Content(NamedTuple):
    """A text of the store, and the fingerprint of its document."""

    text: str
    document_fingerprint: str


class Contents(Protocol):
    """Where contents that a trace lacks are looked up."""

    def content(self, document_id: str, metadata: Mapping[str, str]) -> Content | None:
        """The text of a document, element or range; None where the store has none of this id."""
        ...


@dataclass(slots=True)
class DraftDocument:
    """A document as it was recorded; None where there is no content."""

    id: str
    content: str | None
    score: str = ""
    span_id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    resolved: str = ""


@dataclass(slots=True)
class Draft:
    """What a reader found of a trace. `documents` is None where nothing says what was retrieved,
    which is not the same as that nothing was."""

    trace_id: str
    query: str = ""
    answer: str = ""
    documents: list[DraftDocument] | None = None
    span_id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    """Why it cannot be read at all."""


def document_of(value: Any, span_id: str = "") -> DraftDocument | None:
    """A document of any of the forms that retrievers return; None for what is none."""
    if isinstance(value, str):
        return DraftDocument("", value, span_id=span_id)
    if not isinstance(value, Mapping):
        return None
    if any("." in str(key) for key in value):
        value = nested(value)
    for inner in ("document", "node", "doc", "kwargs"):
        if isinstance(value.get(inner), Mapping):
            outer = {k: v for k, v in value.items() if k != inner}
            value = {**outer, **value[inner]}
    content = next((value[k] for k in _CONTENT if isinstance(value.get(k), str)), None)
    metadata = _metadata(value.get("metadata"))
    # The id of a serialized LangChain object names its class: it is a list, and no scalar.
    own_id = _first(_IDS, value, metadata)
    if content is None and not own_id:
        return None
    score = _first(_SCORES, value, metadata)
    rest = {k: v for k, v in value.items() if k not in (*_CONTENT, *_IDS, *_SCORES, *_OWN)}
    recorded = {**kept(rest), **metadata}
    given = value.get("attributes")
    attributes = {**facets(recorded), **(kept(given) if isinstance(given, Mapping) else {})}
    span_id = span_id or scalar(value.get("span_id"))
    resolved = scalar(value.get("resolved"))
    return DraftDocument(own_id, content, score, span_id, attributes, recorded, resolved)


def _first(names: tuple[str, ...], *places: Mapping[Any, Any]) -> str:
    found = (scalar(place.get(name)) for place in places for name in names)
    return next((text for text in found if text), "")


def _metadata(value: Any) -> dict[str, str]:
    value = opened(value)
    return kept(value) if isinstance(value, Mapping) else {}


def finished(
    draft: Draft, form: str, origin: str, contents: Contents | None = None
) -> Trace | Rejection:
    """The trace, with missing contents looked up; or why it cannot be audited."""
    attributes = {**facets(draft.metadata), **draft.attributes}
    if when := iso_time(attributes.pop("time", "")):
        attributes["time"] = when
    try:
        documents = _checked(draft, contents)
    except _UnauditableError as error:
        named = draft.trace_id if writable(draft.trace_id) else ""
        return Rejection(named, error.reason, str(error), origin, attributes)
    return Trace(
        draft.trace_id, draft.query, draft.answer, documents, draft.span_id, attributes,
        draft.metadata, form, origin,
    )  # fmt: skip


class _UnauditableError(Exception):
    def __init__(self, reason: RejectionCode, message: str) -> None:
        super().__init__(message)
        self.reason: RejectionCode = reason


def _checked(draft: Draft, contents: Contents | None) -> tuple[TraceDocument, ...]:
    """The documents of a trace that can be audited. Raises _UnauditableError."""
    if draft.problem or not draft.trace_id:
        raise _UnauditableError("malformed_trace", draft.problem or "the trace has no id")
    texts = [draft.trace_id, draft.span_id, draft.query, draft.answer]
    for document in draft.documents or ():
        texts += [document.id, document.content or "", document.score, document.span_id]
    if not all(map(writable, texts)):
        raise _UnauditableError("malformed_trace", "a text holds half of a surrogate pair")
    if not draft.answer.strip():
        raise _UnauditableError("empty_answer", "the trace has no answer")
    if draft.documents is None:
        raise _UnauditableError(
            "no_sources", "nothing in the trace says which documents were retrieved"
        )
    if len(draft.answer) > MAX_ANSWER or len(draft.documents) > MAX_DOCUMENTS:
        raise _UnauditableError(
            "too_large",
            f"an answer of {len(draft.answer)} characters with {len(draft.documents)} documents"
            f"; at most {MAX_ANSWER} and {MAX_DOCUMENTS} are audited",
        )
    return _documents(draft.documents, contents)


def _documents(drafts: list[DraftDocument], contents: Contents | None) -> tuple[TraceDocument, ...]:
    """The documents in order, one retrieved twice once. Raises _UnauditableError."""
    found: dict[str, TraceDocument] = {}
    missing: list[str] = []
    length = 0
    for rank, draft in enumerate(drafts, 1):
        document = _document(draft, rank, contents)
        if not document.content.strip():
            missing.append(document.id)
            continue
        known = found.get(document.id)
        if known is None:
            found[document.id] = document
            length += len(document.content)
        elif known.content != document.content:
            raise _UnauditableError(
                "duplicate_document_id",
                f"two documents with other contents are both called {document.id!r}",
            )
    if missing:
        listed = ", ".join(map(repr, missing[:10]))
        raise _UnauditableError("content_missing", f"no content of {listed} is in the trace")
    if length > MAX_CONTENT:
        raise _UnauditableError(
            "too_large", f"{length} characters of content; at most {MAX_CONTENT} are audited"
        )
    return tuple(found.values())


def _document(draft: DraftDocument, rank: int, contents: Contents | None) -> TraceDocument:
    text, resolved = draft.content or "", draft.resolved
    if not text.strip() and contents is not None:
        known = contents.content(draft.id, draft.metadata)
        if known is not None:
            text, resolved = known
    return TraceDocument(
        draft.id or f"d{rank}", text, rank, draft.score, draft.span_id, draft.attributes,
        draft.metadata, resolved,
    )  # fmt: skip


def iso_time(value: str) -> str:
    """A time as ISO 8601 in UTC, to the second: from ISO 8601, or from seconds, milliseconds,
    microseconds or nanoseconds since 1970. Empty for anything else."""
    try:
        if value.isascii() and value.isdigit() and len(value) <= 19:
            number = int(value)
            for limit, unit in ((10**17, 10**9), (10**14, 10**6), (10**11, 10**3)):
                if number >= limit:
                    number //= unit
                    break
            when = datetime.fromtimestamp(number, UTC)
        else:
            when = datetime.fromisoformat(value)
            when = when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")
