"""How good a hit is: bm25 over the elements that the caller may read, and over no others.

SQLite's own rank counts the words of the whole index; by it a tenant would learn of what it must
not see. This one is of the words in sight alone.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from grounding.store.access import READABLE
from grounding.store.schema import FTS_SHIFT

if TYPE_CHECKING:
    from grounding.store.reader import StoreReader

SCORE_UNIT = 1_000_000_000
"""Scores are in billionths, so that the last bits of a float decide nothing."""

_MOST_COUNTED = 20_000
"""Elements up to which it is counted how often each has a word; of more, and of a single one, once
is taken."""
_INDEX_WORD = re.compile(r"[^\W_]+")
_TERM = re.compile(r'"[^"]*"(?: \*)?|[^\s"]+')
_SATURATION = 1.2
_LENGTH_SHARE = 0.75
_USUAL_LENGTH = 30
"""Words of an element; a constant, so that a hit's score depends on as little as may be."""


class Ranking:
    """The weights of terms in what one caller may read of one state of a store."""

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader
        rows = reader._all(
            "SELECT DISTINCT d.id, d.element_count FROM documents AS d"
            " JOIN versions AS v ON v.document_id = d.id"
            f" JOIN sources AS s ON s.source_id = v.source_id WHERE {READABLE}"
        )
        self._documents = {int(id_) for id_, _ in rows}
        self._elements = sum(int(count) for _, count in rows)
        ((held,),) = reader._all("SELECT count(*) FROM documents")
        self._reads_all = held == len(self._documents)
        self._weights: dict[str, float] = {}

    def rows(self, match: str, first: int, last: int) -> list[tuple[int, int]]:
        """(row, score) of the elements of an FTS5 expression of terms, best first, equal ones by
        row; of those in a range of rows. A higher score is better."""
        terms = list(dict.fromkeys(_TERM.findall(match)))
        found = self._reader._all(
            "SELECT elements_fts.rowid, sz FROM elements_fts JOIN elements_fts_docsize"
            " ON id = elements_fts.rowid WHERE elements_fts MATCH ?"
            " AND elements_fts.rowid BETWEEN ? AND ?",
            match,
            first,
            last,
        )
        seen = [(row, _words(size)) for row, size in found if row >> FTS_SHIFT in self._documents]
        scores = dict.fromkeys((row for row, _ in seen), 0.0)
        for term in terms:
            often = self._often(term) if 1 < len(seen) <= _MOST_COUNTED else {}
            weight = self._weight(term)
            for row, words in seen:
                scores[row] += weight * _damped(often.get(row, 1), words)
        whole = ((row, round(SCORE_UNIT * score)) for row, score in scores.items())
        return sorted(whole, key=lambda item: (-item[1], item[0]))

    def _often(self, term: str) -> dict[int, int]:
        """How often the words of a term stand in elements: of a phrase the rarest, of a beginning
        all that begin so."""
        counts: list[dict[int, int]] = []
        for word in _index_words(term):
            how, value = ("GLOB", f"{word}*") if term.endswith("*") else ("=", word)
            rows = self._reader._all(
                f"SELECT doc, count(*) FROM temp.words WHERE term {how} ? GROUP BY doc", value
            )
            counts.append(dict(rows))
        if not counts:
            return {}
        first, *others = counts
        return {row: min(n, *(c.get(row, 1) for c in others), n) for row, n in first.items()}

    def _weight(self, term: str) -> float:
        """How much a term tells: little where many elements have it, never nothing."""
        if term not in self._weights:
            having = self._having(term)
            rare = math.log((self._elements - having + 0.5) / (having + 0.5))
            self._weights[term] = max(rare, 1e-6)
        return self._weights[term]

    def _having(self, term: str) -> int:
        if self._reads_all:
            ((count,),) = self._reader._all(
                "SELECT count(*) FROM elements_fts WHERE elements_fts MATCH ?", term
            )
            return int(count)
        rows = self._reader._all(
            "SELECT rowid >> ?, count(*) FROM elements_fts WHERE elements_fts MATCH ? GROUP BY 1",
            FTS_SHIFT,
            term,
        )
        return sum(count for document, count in rows if document in self._documents)


def _damped(often: int, words: int) -> float:
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * words / _USUAL_LENGTH
    return often * (_SATURATION + 1) / (often + _SATURATION * length)


def _index_words(term: str) -> list[str]:
    """The words of a term as the index has them: small letters without accents."""
    plain = "".join(c for c in normalize("NFD", term.lower()) if not combining(c))
    return _INDEX_WORD.findall(plain)


def _words(size: bytes) -> int:
    """How many words an element has, as the index keeps it: a number in groups of seven bits."""
    count = 0
    for byte in size[:9]:
        count = count << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return count
