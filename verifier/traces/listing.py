"""Documents in a retriever's output, which has no fixed shape in some tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.traces.draft import DraftDocument, document_of
from verifier.traces.values import DEEPEST, at, items, opened, scalar

_HOLDERS = ("documents", "docs", "results", "output", "outputs", "contexts", "context", "chunks",
            "nodes", "source_nodes", "matches", "hits", "items", "data", "retrieved_documents",
            "sources")  # fmt: skip


def listed(value: Any, span_id: str, path: str = "") -> list[DraftDocument]:
    """The documents of an output.

    `path` says where they are: dotted names to the list, and behind `[]` those of an item's text,
    as in `hits.items[].passage.text`. Without it the output is a list, or an object with one under
    a usual name, of texts or of objects with `content`, `text`, `pageContent` or `page_content`.
    """
    if path:
        where, _, text = path.partition("[]")
        found = at(value, where) if where else value
        return [d for i in items(found) if (d := _with_text(i, text.lstrip("."), span_id))]
    return [d for i in _items(value, 0) if (d := document_of(i, span_id)) is not None]


def _with_text(item: Any, path: str, span_id: str) -> DraftDocument | None:
    document = document_of(item, span_id)
    if not path:
        return document
    text = scalar(at(item, path))
    if document is None:
        return DraftDocument("", text, span_id=span_id) if text else None
    document.content = text or None
    return document


def _items(value: Any, depth: int) -> list[Any]:
    value = opened(value)
    if isinstance(value, list) or depth > DEEPEST:
        return value if isinstance(value, list) else []
    if isinstance(value, Mapping):
        for name in _HOLDERS:
            if name in value and (found := _items(value[name], depth + 1)):
                return found
        return items(value)
    return []
