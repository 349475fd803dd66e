"""Chunks as documents of Haystack (extra `haystack`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pagewitness.loaders import load_chunks, metadata, missing, unique_id


def documents(doc: str, **options: Any) -> Iterator[Any]:
    """`haystack.Document` of each chunk; `options` are those of `load_chunks`. `page_number` counts
    from 1.

    Raises UsageError when haystack-ai is not installed.
    """
    try:
        from haystack import Document
    except ImportError as error:
        raise missing("haystack-ai", "haystack") from error
    for chunk in load_chunks(doc, **options):
        place = {"file_name": chunk["document"], "page_number": chunk["pages"][0]}
        yield Document(
            id=unique_id(chunk), content=chunk["text"], meta={**place, **metadata(chunk)}
        )
