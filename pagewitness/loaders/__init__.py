"""Chunks as documents of retrieval frameworks, one module a framework.

None of them is imported before its module is called, and none is needed by anything else. What
every document carries is flat, because many vector stores keep only flat values: the citation is
JSON text under CITATION, from which `pagewitness convert` makes the request again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grounding.canonical import canonical_bytes
from grounding.chunks import chunks
from grounding.cutting import ChunkRules
from grounding.errors import UsageError
from grounding.store import SHARED, Access, StoreReader

__all__ = ["CITATION", "citation_text", "load_chunks", "metadata", "missing", "unique_id"]

CITATION = "pagewitness"
"""Key of the citation in a document's metadata."""
_HEADINGS_APART = " > "


def load_chunks(
    doc: str,
    db: str | Path = "grounding.db",
    rules: ChunkRules | None = None,
    access: Access = SHARED,
    as_of: str | None = None,
) -> Iterator[dict[str, Any]]:
    """The chunks of a document of a store, named as on the command line. `as_of` is the ISO day on
    which its source has to be valid.

    Raises StoreError, DocumentNotFoundError, DocumentAmbiguousError, SourceNotPermittedError and
    SourceExpiredError.
    """
    with StoreReader(Path(db), access) as reader, reader.snapshot():
        yield from chunks(reader.open(doc, as_of), rules)


def unique_id(chunk: dict[str, Any]) -> str:
    """An id that no chunk of another document version has."""
    return f"{chunk['document_fingerprint']}:{chunk['id']}"


def citation_text(chunk: dict[str, Any]) -> str:
    """What `pagewitness convert` reads back: the document, its version and the place."""
    return canonical_bytes(
        {
            "document": chunk["document"],
            "document_fingerprint": chunk["document_fingerprint"],
            "citation": chunk["citation"],
        }
    ).decode("utf-8")


def metadata(chunk: dict[str, Any]) -> dict[str, str]:
    """What all frameworks are told of a chunk, beside what they call its file and its page."""
    headings = _HEADINGS_APART.join(chunk["heading_path"])
    return {"kind": chunk["kind"], "headings": headings, CITATION: citation_text(chunk)}


def missing(package: str, extra: str) -> UsageError:
    """The error for a framework that is not installed."""
    return UsageError(
        f"{package} is not installed", remedy=f"install it with pip install 'pagewitness[{extra}]'"
    )
