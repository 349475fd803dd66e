"""Chunks as documents of LangChain (extra `langchain`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pagewitness.loaders import load_chunks, metadata, missing, unique_id


def documents(doc: str, **options: Any) -> Iterator[Any]:
    """`langchain_core.documents.Document` of each chunk; `options` are those of `load_chunks`.
    `page` counts from 0, as LangChain's own loaders count.

    Raises UsageError when langchain-core is not installed.
    """
    try:
        from langchain_core.documents import Document
    except ImportError as error:
        raise missing("langchain-core", "langchain") from error
    for chunk in load_chunks(doc, **options):
        place = {"source": chunk["document"], "page": chunk["pages"][0] - 1}
        yield Document(
            id=unique_id(chunk), page_content=chunk["text"], metadata={**place, **metadata(chunk)}
        )
