"""Chunks as nodes of LlamaIndex (extra `llamaindex`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pagewitness.loaders import CITATION, load_chunks, metadata, missing, unique_id


def nodes(doc: str, **options: Any) -> Iterator[Any]:
    """`llama_index.core.schema.TextNode` of each chunk; `options` are those of `load_chunks`.
    `page_label` is the number of the page. The citation is embedded in no vector and shown to no
    model.

    Raises UsageError when llama-index-core is not installed.
    """
    try:
        from llama_index.core.schema import TextNode
    except ImportError as error:
        raise missing("llama-index-core", "llamaindex") from error
    for chunk in load_chunks(doc, **options):
        place = {"file_name": chunk["document"], "page_label": str(chunk["pages"][0])}
        yield TextNode(
            id_=unique_id(chunk),
            text=chunk["text"],
            metadata={**place, **metadata(chunk)},
            excluded_embed_metadata_keys=[CITATION],
            excluded_llm_metadata_keys=[CITATION],
        )
