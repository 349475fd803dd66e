"""A document as chunks for retrieval: consecutive elements, up to a size.

A chunk is one contiguous stretch of the document's text, `document_text[char_start:char_end]`, in
which a reader sees everything: running heads and feet and text that nobody sees end a chunk, and
the next one begins behind them. A heading begins a chunk, a table is one of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from grounding.artifact import PAGE_SEPARATOR
from grounding.cutting import ChunkRules, fitting
from grounding.model import RUNNING_KINDS, Element, ElementKind
from grounding.passages import Range, in_broken_word, region_of, trimmed, visible_pieces
from grounding.source import GroundingSource
from grounding.table_rows import table_rows

MIXED = "mixed"
"""Kind of a chunk whose elements are of several kinds."""
TABLE_ROW = "table_row"


@dataclass(slots=True)
class _Unit:
    """A visible piece of an element, or of a table one row, that is not cut further."""

    element: Element
    start: int
    end: int
    heading_path: tuple[str, ...]
    row: dict[str, Any] | None = None


@dataclass(slots=True)
class _Draft:
    """Units that become one chunk."""

    units: list[_Unit] = field(default_factory=list)
    size: int = 0
    done: list[_Unit] = field(default_factory=list)
    """The chunk before, which is complete."""


class Chunker:
    """The chunks of one document."""

    def __init__(self, source: GroundingSource, rules: ChunkRules) -> None:
        self.source, self.rules = source, rules

    @cached_property
    def text(self) -> str:
        """The document's text: its pages, parted by PAGE_SEPARATOR."""
        return PAGE_SEPARATOR.join(self.source.page_text(p.number) for p in self.source.pages)

    def chunks(self) -> Iterator[dict[str, Any]]:
        """JSON data of the chunks in the order of the text (schemas/chunk.schema.json)."""
        for number, units in enumerate(self._groups(), 1):
            yield self._data(number, units)

    def _groups(self) -> Iterator[list[_Unit]]:
        draft = _Draft()
        for whole in self._units():
            for unit in self._cut(whole):
                size = self._grown(draft, unit)
                if draft.units and not self._joins(draft.units[-1], unit, size):
                    draft = self._carried(draft, unit)
                    yield draft.done
                    size = self._grown(draft, unit)
                draft.units.append(unit)
                draft.size = size
        if draft.units:
            yield draft.units

    def _carried(self, draft: _Draft, unit: _Unit) -> _Draft:
        """The next chunk, before `unit` comes into it. A unit at whose end a word is broken is
        taken along where there is room for both: no quote begins with half a word."""
        last = draft.units[-1]
        if len(draft.units) > 1 and in_broken_word(self.text, unit.start):
            carried = _Draft([last], self._size(last), draft.units[:-1])
            if self._joins(last, unit, self._grown(carried, unit)):
                return carried
        return _Draft(done=draft.units)

    def _size(self, unit: _Unit) -> int:
        return self.rules.measure(self.text[unit.start : unit.end])

    def _grown(self, draft: _Draft, unit: _Unit) -> int:
        """The size of a chunk with one more unit, the white space before that included."""
        start = draft.units[-1].end if draft.units else unit.start
        return draft.size + self.rules.measure(self.text[start : unit.end])

    def _joins(self, last: _Unit, unit: _Unit, size: int) -> bool:
        """Whether a unit may stand in a chunk behind `last`, which then has this size."""
        if self.text[last.end : unit.start].strip():
            return False  # a head, a foot or hidden text lies between
        if ElementKind.TABLE in (last.element.kind, unit.element.kind):
            return _same_table(last, unit)
        begins = unit.element.kind is ElementKind.HEADING and unit.element is not last.element
        return size <= self.rules.size and (self.rules.across_headings or not begins)

    def _units(self) -> Iterator[_Unit]:
        headings: list[tuple[int, str]] = []
        for page in self.source.pages:
            for element in self.source.elements(page.number):
                pieces = [] if element.kind in RUNNING_KINDS else self._pieces(element)
                if element.kind is ElementKind.HEADING and pieces:
                    while headings and headings[-1][0] >= element.level:
                        headings.pop()
                    title = " ".join(self.text[low:high] for low, high in pieces)
                    headings.append((element.level, " ".join(title.split())))
                path = tuple(title for _, title in headings)
                yield from self._of_element(element, pieces, path)

    def _pieces(self, element: Element) -> list[Range]:
        return [
            trimmed(self.text, piece.start, piece.start + len(piece.text))
            for piece in visible_pieces(self.source, element)
        ]

    def _of_element(
        self, element: Element, pieces: list[Range], path: tuple[str, ...]
    ) -> Iterator[_Unit]:
        rows = None
        if self.rules.tables == "rows" and element.table and pieces:
            rows = table_rows(self.source, element, self.text)
        if rows is None:
            yield from (_Unit(element, low, high, path) for low, high in pieces)
            return
        for row in rows:
            for low, high in pieces:
                start, end = trimmed(self.text, max(low, row.start), max(low, min(high, row.end)))
                if start < end:
                    yield _Unit(element, start, end, path, row.data)

    def _cut(self, unit: _Unit) -> Iterator[_Unit]:
        """A unit in pieces no larger than a chunk: at ends of sentences, else of lines, else of
        words, else anywhere. Tables stay as they are."""
        kept = unit.element.kind is ElementKind.TABLE
        if kept or self._size(unit) <= self.rules.size:
            yield unit
            return
        text = self.text[unit.start : unit.end]
        for low, high in fitting(text, self.rules):
            start, end = unit.start + low, unit.start + high
            yield _Unit(unit.element, start, end, unit.heading_path, unit.row)

    def _data(self, number: int, units: list[_Unit]) -> dict[str, Any]:
        identity, start, end = self.source.identity, units[0].start, units[-1].end
        pages = list(dict.fromkeys(unit.element.page for unit in units))
        elements = list(dict.fromkeys(unit.element.id for unit in units))
        regions = [region_of(self.source, u.element, u.start, u.end) for u in units]
        citation: dict[str, Any] = {"page": pages[0], "char_start": start, "char_end": end}
        if len(pages) > 1:
            citation["page_end"] = pages[-1]
        if len(elements) == 1:
            citation["element_id"] = elements[0]
        data = {
            "id": f"c{number:06d}",
            "document": identity.source_id,
            "document_fingerprint": identity.document_fingerprint,
            "source_fingerprint": identity.source_fingerprint,
            "kind": _kind(units),
            "heading_path": list(units[0].heading_path),
            "element_ids": elements,
            "pages": pages,
            "regions": [{"page": r.page, "bbox": r.box.as_list()} for r in regions],
            "char_start": start,
            "char_end": end,
            "text": self.text[start:end],
            "citation": citation,
        }
        return data if units[0].row is None else {**data, "table": units[0].row}


def _same_table(last: _Unit, unit: _Unit) -> bool:
    """Whether two units belong to one table, and to the same row where rows are told apart. The
    lines of a table are elements of their own."""
    return 0 < last.element.table == unit.element.table and last.row == unit.row


def _kind(units: list[_Unit]) -> str:
    if units[0].row is not None:
        return TABLE_ROW
    kinds = {unit.element.kind for unit in units}
    return str(kinds.pop()) if len(kinds) == 1 else MIXED


def chunks(source: GroundingSource, rules: ChunkRules | None = None) -> Iterator[dict[str, Any]]:
    """The chunks of a document as JSON data, ids counting from c000001."""
    return Chunker(source, rules or ChunkRules()).chunks()


def chunk_lines(source: GroundingSource, rules: ChunkRules | None = None) -> bytes:
    """The chunks as JSON lines."""
    return b"".join(
        json.dumps(chunk, ensure_ascii=False, sort_keys=True).encode() + b"\n"
        for chunk in chunks(source, rules)
    )
