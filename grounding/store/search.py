"""Full-text search over the elements of a store, by rank.

The index knows the words of elements, hidden ones too, and holds no text. So every candidate is
looked at as a reader sees it: its visible text goes through the same index, in memory, which says
whether the query stands in it and where. What is found in hidden text alone is no hit.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from grounding.model import Element, ElementKind
from grounding.passages import (
    Range,
    line_at,
    past_broken_word,
    sentence_at,
    trimmed,
    visible_pieces,
)
from grounding.source import GroundingSource
from grounding.store.access import READABLE
from grounding.store.query import match_expression
from grounding.store.schema import FTS_SHIFT
from grounding.visible import HOLE, Piece

if TYPE_CHECKING:
    from grounding.store.reader import StoredSource, StoreReader, VersionKey

_NUMBER_MASK = (1 << FTS_SHIFT) - 1
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # noncharacters: no text means anything by them
_NO_MARKS = str.maketrans({_OPEN: " ", _CLOSE: " ", "\0": " "})
_HOLE_WORD = " \ue000 "
"""Stands for hidden text in the middle of a line. The index takes it for a word, so that no phrase
runs over it."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Where to look. `document` is one version, current or not; `source_id` takes all versions of a
    source with `all_versions`, without which only the current one is searched. `pages` are the
    first and the last one."""

    document: VersionKey | None = None
    source_id: str | None = None
    pages: tuple[int, int] | None = None
    kinds: frozenset[ElementKind] = frozenset()
    all_versions: bool = False
    any_status: bool = False
    """Whether sources are searched that are not approved. Nothing of them can be verified."""
    as_of: str | None = None
    """The day (ISO) on which sources have to be valid; without one dates are not looked at."""

    def admit(self, page: int, kind: str) -> bool:
        if self.pages is not None and not self.pages[0] <= page <= self.pages[1]:
            return False
        return not self.kinds or kind in self.kinds


@dataclass(frozen=True, slots=True)
class Ranked:
    """An element of the index that holds the words; a higher score (see ranking) is better."""

    key: VersionKey
    number: int
    score: int


@dataclass(frozen=True, slots=True)
class Hit:
    """An element in whose visible text a query stands. `marks` are ranges of `text`, which is that
    text with white space as it is stored; `passage` is the range of the document that holds the
    first of them: a sentence, or a line of a table."""

    source: GroundingSource
    element: Element
    score: int
    text: str
    marks: tuple[Range, ...]
    passage: Range
    whole: Range
    """The piece of the element around the passage, up to what nobody sees."""


def search(reader: StoreReader, query: str, filters: Filters, limit: int) -> list[Hit]:
    """The best hits of a user's query, best first; equal ones by source id, version and element.

    Raises UsageError for a query that cannot be read.
    """
    match = match_expression(query)
    hits: list[Hit] = []
    sources: dict[VersionKey, StoredSource] = {}
    with closing(_Highlighter(match)) as highlighter:
        for found in ranked(reader, match, filters):
            if found.key not in sources:
                sources[found.key] = reader.document(found.key)
            hit = _hit(sources[found.key], found, highlighter)
            if hit is not None:
                hits.append(hit)
            if len(hits) == limit:
                break
    return hits


def ranked(reader: StoreReader, match: str, filters: Filters) -> Iterator[Ranked]:
    """Elements whose words, seen or not, satisfy an FTS5 expression; in the order of `search`."""
    first, last = _rows_of(filters.document)
    rows = reader.ranking().rows(match, first, last)
    shelf = _Shelf(reader, filters)
    for score, group in groupby(rows, key=lambda row: row[1]):
        equal = [
            Ranked(key, row & _NUMBER_MASK, score)
            for row, _ in group
            if (key := shelf.key_of(row >> FTS_SHIFT, row & _NUMBER_MASK)) is not None
        ]
        yield from sorted(equal, key=lambda r: (r.key.source_id, r.key.version, r.number))


def _rows_of(document: VersionKey | None) -> tuple[int, int]:
    """The first and last row number of a document in the index; of all without one."""
    if document is None:
        return 0, (1 << 63) - 1
    first = document.document_id << FTS_SHIFT
    return first, first | _NUMBER_MASK


class _Shelf:
    """Which documents and elements are searched, each document asked for once."""

    def __init__(self, reader: StoreReader, filters: Filters) -> None:
        self._reader, self._filters = reader, filters
        self._keys: dict[int, VersionKey | None] = {}
        self._places: dict[int, dict[int, tuple[int, str]]] = {}

    def key_of(self, document_id: int, number: int) -> VersionKey | None:
        """The version under which an element is found; None where it is not searched."""
        if document_id not in self._keys:
            self._keys[document_id] = self._key(document_id)
        key = self._keys[document_id]
        if key is None or (self._filters.pages is None and not self._filters.kinds):
            return key
        if document_id not in self._places:
            self._places[document_id] = self._read_places(document_id)
        place = self._places[document_id].get(number)
        return key if place is not None and self._filters.admit(*place) else None

    def _key(self, document_id: int) -> VersionKey | None:
        if self._filters.document is not None:
            key = self._filters.document
            return key if self._filters.any_status or self._is_valid(key) else None
        current_only = not self._filters.all_versions
        where = f"v.document_id = ? AND {READABLE}"
        keys = self._reader._keys(where, document_id, current_only=current_only)
        if not self._filters.any_status:
            keys = [key for key in keys if self._is_valid(key)]
        if self._filters.source_id is not None:
            keys = [key for key in keys if key.source_id == self._filters.source_id]
        return min(keys, key=lambda k: (not k.current, k.source_id, -k.version), default=None)

    def _is_valid(self, key: VersionKey) -> bool:
        standing, day = self._reader.standing(key), self._filters.as_of
        return standing.status == "approved" and (day is None or standing.valid_on(day))

    def _read_places(self, document_id: int) -> dict[int, tuple[int, str]]:
        rows = self._reader._all(
            "SELECT number, page, kind FROM elements WHERE document_id = ?", document_id
        )
        return {number: (page, kind) for number, page, kind in rows}


def _hit(source: StoredSource, found: Ranked, highlighter: _Highlighter) -> Hit | None:
    element = source.find_element(f"e{found.number:06d}")
    if element is None or source.pages[element.page - 1].status != "ok":
        return None  # what cannot be read for certain is no evidence
    pieces = visible_pieces(source, element)
    text, starts = _joined(pieces)
    marks = highlighter.marks(text)
    if not marks:
        return None
    at = max(n for n, start in enumerate(starts) if start <= marks[0][0])
    piece, inside = pieces[at], marks[0][0] - starts[at]
    around = line_at if element.kind is ElementKind.TABLE else sentence_at
    low, high = around(piece.text, inside)
    whole = piece.start, piece.start + len(piece.text)
    return Hit(
        source,
        element,
        found.score,
        text.replace(_HOLE_WORD, f" {HOLE} "),
        marks,
        _quotable(source, element.page, (piece.start + low, piece.start + high)),
        _quotable(source, element.page, whole),
    )


def _quotable(source: GroundingSource, page: int, range_: Range) -> Range:
    """A range of the document without white space and half a word at its beginning."""
    shift, text = source.pages[page - 1].start, source.page_text(page)
    low, high = trimmed(text, range_[0] - shift, range_[1] - shift)
    low, high = past_broken_word(text, low, high)
    return low + shift, high + shift


def _joined(pieces: list[Piece]) -> tuple[str, list[int]]:
    """Pieces as one text for the index, and where each begins in it."""
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    for piece in pieces:
        glue = _HOLE_WORD if piece.glue == HOLE else piece.glue
        starts.append(length + len(glue))
        parts += [glue, piece.text]
        length = starts[-1] + len(piece.text)
    return "".join(parts), starts


class _Highlighter:
    """The index of one text, in memory: SQLite's own answer to where a query stands in it."""

    def __init__(self, match: str) -> None:
        self._match = match
        self._index = sqlite3.connect(":memory:", isolation_level=None)
        self._index.execute("CREATE VIRTUAL TABLE seen USING fts5 (text, tokenize = 'unicode61')")

    def marks(self, text: str) -> tuple[Range, ...]:
        """Ranges of a text that answer the query; none where it does not stand in it."""
        self._index.execute("DELETE FROM seen")
        self._index.execute("INSERT INTO seen VALUES (?)", (text.translate(_NO_MARKS),))
        rows = self._index.execute(
            "SELECT highlight(seen, 0, ?, ?) FROM seen WHERE seen MATCH ?",
            (_OPEN, _CLOSE, self._match),
        ).fetchall()
        return _ranges(rows[0][0]) if rows else ()

    def close(self) -> None:
        self._index.close()


def _ranges(highlighted: str) -> tuple[Range, ...]:
    ranges: list[Range] = []
    start = length = 0
    for char in highlighted:
        if char == _OPEN:
            start = length
        elif char == _CLOSE:
            ranges.append((start, length))
        else:
            length += 1
    return tuple(ranges)
