"""Where a quote stands that its document does not have: in other documents of the same store."""

from __future__ import annotations

import re
from typing import Any, Protocol

from grounding.source import GroundingSource
from verifier.checks.search import elsewhere_data
from verifier.config import VerificationConfig
from verifier.matching import Quote, find_quote
from verifier.report import FoundElsewhere
from verifier.trusted import SourceMap, refusal
from verifier.views import DocumentIndex

_WORD = re.compile(r"[^\W_]{4,}")
_WORDS_ASKED, _LEAST_WORDS, _HITS = 6, 2, 20


class TextSearch(Protocol):
    """Finds elements of documents by their words; the store's reader is one."""

    def search(self, query: str, limit: int) -> list[tuple[Any, int]]:
        """(document, element number) of the best hits of a full-text query, best first."""
        ...

    def document(self, key: Any) -> GroundingSource: ...


class MappedSearch(TextSearch, SourceMap, Protocol):
    """A search that knows which sources may be used."""


def opened(key: Any, documents: TextSearch, indexes: dict[Any, DocumentIndex]) -> DocumentIndex:
    """The index of a document, made once for all requests that share `indexes`."""
    if key not in indexes:
        indexes[key] = DocumentIndex(documents.document(key))
    return indexes[key]


class OtherDocuments:
    """The other documents of a store, as far as a failed quote may be looked for in them."""

    def __init__(
        self,
        documents: MappedSearch,
        own: GroundingSource,
        config: VerificationConfig,
        indexes: dict[Any, DocumentIndex],
        as_of: str | None = None,
    ) -> None:
        self._as_of = as_of
        self._documents, self._own = documents, own.identity.document_fingerprint
        self._config, self._indexes = config, indexes

    def _is_refused(self, key: Any) -> bool:
        standing, strictly = self._documents.standing(key), self._config.require_date
        return refusal(standing, self._as_of, require_date=strictly) is not None

    def find(self, quote: Quote) -> list[FoundElsewhere]:
        """Places in other documents, by the elements that hold the quote's longest words; none
        where the rules do not look for them."""
        if not self._config.search_other_documents:
            return []
        words = sorted(set(_WORD.findall(quote.text)), key=lambda w: (-len(w), w))[:_WORDS_ASKED]
        if len(words) < _LEAST_WORDS:
            return []
        found: list[FoundElsewhere] = []
        seen: set[tuple[Any, int]] = set()
        query = " ".join(f'"{word}"' for word in words)
        for key, number in self._documents.search(query, _HITS):
            if self._is_refused(key):
                continue  # nobody is led to what may not be cited
            index = opened(key, self._documents, self._indexes)
            if index.source.identity.document_fingerprint == self._own:
                continue
            element = index.source.find_element(f"e{number:06d}")
            if element is None or (key, element.page) in seen:
                continue
            seen.add((key, element.page))
            for match in find_quote(quote, index.page_view(element.page), index):
                data = elsewhere_data(match, index)
                if data is not None and len(found) < max(self._config.max_found_elsewhere, 1):
                    found.append({"document": index.source.identity.source_id, **data})
        return found
