"""One document, where there is no store: the artifact of a foreign parser."""

from __future__ import annotations

from grounding.errors import DocumentNotFoundError
from grounding.fingerprint import is_fingerprint
from grounding.model import DocumentIdentity
from grounding.source import GroundingSource


class SingleDocument:
    """Resolves requests to one grounding source. A source that knows what its document is called
    is not taken for another one; one that does not know it is taken for any."""

    def __init__(self, source: GroundingSource, name: str = "") -> None:
        self._source, self._name = source, name

    def find(self, doc: str) -> str:
        """The key of the document. Raises DocumentNotFoundError."""
        if doc and not is_fingerprint(doc) and self._name not in ("", doc):
            raise DocumentNotFoundError(f"the artifact is of {self._name!r}, not of {doc!r}")
        return "document"

    def current(self, key: str) -> str:
        return key

    def versions_pinned_by(self, source_id: str, pin: str) -> list[tuple[int, DocumentIdentity]]:
        return []

    def standing(self, key: str) -> None:
        """No map says anything of a foreign file."""

    def tombstone(self, doc: str) -> None:
        """Nothing was forgotten of it."""

    def map_identity(self) -> None:
        """There is no map."""

    def search(self, query: str, limit: int) -> list[tuple[str, int]]:
        return []

    def document(self, key: str) -> GroundingSource:
        return self._source
