"""Where a quote stands that its document does not have: in other documents of the same store."""

from __future__ import annotations

import re
from typing import Any, Protocol

from grounding.source import GroundingSource
from verifier.checks.search import elsewhere_data
from verifier.config import VerificationConfig
from verifier.matching import Quote, find_quote
from verifier.report import FoundElsewhere
from verifier.views import DocumentIndex

_WORD = re.compile(r"[^\W_]{4,}")
_WORDS_ASKED, _LEAST_WORDS, _HITS = 6, 2, 20


class TextSearch(Protocol):
    """Finds elements of documents by their words; the store's reader is one."""

    def search(self, query: str, limit: int) -> list[tuple[Any, int]]:
        """(document, element number) of the best hits of a full-text query, best first."""
        ...

    def document(self, key: Any) -> GroundingSource: ...


class OtherDocuments:
    """The other documents of a store, as far as a failed quote may be looked for in them."""

    def __init__(self, documents: TextSearch, own: GroundingSource) -> None:
        self._documents, self._own = documents, own.identity.document_fingerprint
        self._indexes: dict[Any, DocumentIndex] = {}

    def find(self, quote: Quote, config: VerificationConfig) -> list[FoundElsewhere]:
        """Places in other documents, by the elements that hold the quote's longest words."""
        words = sorted(set(_WORD.findall(quote.text)), key=lambda w: (-len(w), w))[:_WORDS_ASKED]
        if len(words) < _LEAST_WORDS:
            return []
        found: list[FoundElsewhere] = []
        seen: set[tuple[Any, int]] = set()
        query = " ".join(f'"{word}"' for word in words)
        for key, number in self._documents.search(query, _HITS):
            index = self._index(key)
            if index.source.identity.document_fingerprint == self._own:
                continue
            element = index.source.find_element(f"e{number:06d}")
            if element is None or (key, element.page) in seen:
                continue
            seen.add((key, element.page))
            for match in find_quote(quote, index.page_view(element.page), index):
                data = elsewhere_data(match, index)
                if data is not None and len(found) < max(config.max_found_elsewhere, 1):
                    found.append({"document": index.source.identity.source_id, **data})
        return found

    def _index(self, key: Any) -> DocumentIndex:
        if key not in self._indexes:
            self._indexes[key] = DocumentIndex(self._documents.document(key))
        return self._indexes[key]
