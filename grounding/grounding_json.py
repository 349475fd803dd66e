"""A stored document as Grounding JSON of Ethos (`ethos.grounding.v1`, schema version 1.0.0).

Elements, spans and cells carry the text that a reader sees: text that nobody sees is left out,
since the format cannot say so of it, and a mark stands for it where it would join what it parts.
What the format has no place for is said by ids and kinds, see `grounding.adapters.additions`.
Printed page labels, styles and the marks of recognised text are not carried.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

from grounding.adapters.additions import (
    CAPTION_KIND,
    MARKER_KIND,
    PRODUCER,
    STATEMENT_KIND,
    continued_id,
    role_kind,
)
from grounding.adapters.ethos_grounding import MAX_BYTES
from grounding.geometry import Box
from grounding.model import UNSEEN, Cell, CellRole, Element, Page, Span, SpanFlag, Table, TablePart
from grounding.source import GroundingSource
from grounding.version import __version__
from grounding.visible import Piece, pieces_without

_MARKER = int(SpanFlag.MARKER)
_UNSEEN = int(UNSEEN)
_CHARACTERS = MAX_BYTES // 4
"""Characters of a text that fit into the format's bytes whatever they are."""


@dataclass(slots=True)
class _Lists:
    elements: list[dict[str, Any]] = field(default_factory=list)
    spans: list[dict[str, Any]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)


def grounding_json(source: GroundingSource) -> dict[str, Any]:
    """The document as JSON data that the format's schema accepts."""
    able, lists = source.capabilities, _Lists()
    for page in source.pages:
        _Writer(source, page, lists).write()
    data: dict[str, Any] = {
        "artifact_type": "ethos.grounding.v1",
        "schema_version": "1.0.0",
        "source": {
            "media_type": "application/pdf",
            "sha256": source.identity.source_fingerprint,
        },
        "producer": {"name": PRODUCER, "version": __version__},
        "capabilities": {"spans": True, "char_offsets": True, "tables": able.tables},
        "coordinate_system": {"unit": "centipoint", "origin": "top-left"},
        "pages": [_page(page) for page in source.pages],
        "elements": lists.elements,
        "spans": lists.spans,
    }
    if able.tables:
        data["tables"] = lists.tables
    return data


def _page(page: Page) -> dict[str, Any]:
    return {
        "id": page.id,
        "index": page.number,
        "width": page.frame.width,
        "height": page.frame.height,
        "rotation": page.frame.rotation,
    }


@dataclass(slots=True)
class _Written:
    """A text of an element as it is written, and where the document's text went in it."""

    id: str
    text: str = ""
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    """(offset in the document, length, offset in `text`)."""

    def add(self, piece: Piece) -> None:
        self.text += piece.glue if self.text else ""
        self.pieces.append((piece.start, len(piece.text), len(self.text)))
        self.text += piece.text

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """Where a stretch of the document's text stands in the written one."""
        for low, length, at in self.pieces:
            if low <= start and end <= low + length:
                return start - low + at, end - low + at
        return None


class _Writer:
    """Writes one page."""

    def __init__(self, source: GroundingSource, page: Page, lists: _Lists) -> None:
        self.source, self.page, self.lists = source, page, lists
        self.text = source.page_text(page.number)
        self.boxes = source.char_boxes(page.number)
        self.flagged = source.flagged(page.number, UNSEEN)
        self.visible = [s for s in source.spans(page.number) if not s.flags & _UNSEEN]
        self.markers = [s for s in self.visible if s.flags & _MARKER]
        self.tables = source.tables(page.number) if source.capabilities.tables else ()
        cells = (c for table in self.tables for c in table.cells if c.page == page.number)
        self.edges = sorted({edge for cell in cells for piece in cell.ranges for edge in piece})

    def write(self) -> None:
        written = [one for e in self.source.elements(self.page.number) for one in self._element(e)]
        self._spans(written)
        for table in self.tables:
            for part in table.parts:
                if part.page == self.page.number:
                    self._table(table, part)

    def _element(self, element: Element) -> Iterator[_Written]:
        """An element, in several where its text is longer than the format takes, and the markers
        in it."""
        for at, one in enumerate(self._parts(element)):
            one.id = element.id if at == 0 else f"{element.id}.{at + 1}"
            self._put(one.id, element.box, str(element.kind), one.text)
            self._markers(one)
            yield one

    def _parts(self, element: Element) -> list[_Written]:
        parts = [_Written("")]
        pieces = pieces_without(
            self.text, element.start, element.end, self.page.start, self.flagged, _UNSEEN
        )
        for piece in chain.from_iterable(map(_short, pieces)):
            if len(parts[-1].text) + len(piece.text) + 1 > _CHARACTERS:
                parts.append(_Written(""))
            parts[-1].add(piece)
        return parts

    def _put(self, own_id: str, box: Box, kind: str, text: str) -> None:
        data: dict[str, Any] = {
            "id": own_id, "page": self.page.id, "bbox": box.as_list(), "kind": kind,
        }  # fmt: skip
        if text:
            data["text"] = text
        self.lists.elements.append(data)

    def _markers(self, written: _Written) -> None:
        """Says which spans of an element's text are markers."""
        number = 0
        for span in self.markers:
            if written.place(span.start, span.end) is not None:
                number += 1
                name = f"{written.id}.m{number}"
                self._put(name, span.box, MARKER_KIND, self._raw(span.start, span.end))

    def _spans(self, written: Sequence[_Written]) -> None:
        """Every visible span that lies whole in an element's text, cut where a cell begins or
        ends."""
        owners = sorted((one.pieces[0][0], one) for one in written if one.text and one.pieces)
        at = 0
        for span in self.visible:
            while at + 1 < len(owners) and owners[at + 1][0] <= span.start:
                at += 1
            for number, (start, end, box) in enumerate(self._cut(span), 1):
                name = span.id if number == 1 else f"{span.id}.{number}"
                if owners:
                    self._span(name, start, end, box, owners[at][1])

    def _cut(self, span: Span) -> Iterator[tuple[int, int, Box]]:
        """A span between the edges of cells, without the space beside them."""
        low, high = bisect_right(self.edges, span.start), bisect_left(self.edges, span.end)
        cuts = [span.start, *self.edges[low:high], span.end]
        if len(cuts) == 2:
            yield span.start, span.end, span.box
            return
        for start, end in pairwise(cuts):
            text = self._raw(start, end)
            start += len(text) - len(text.lstrip())
            end -= len(text) - len(text.rstrip())
            box = self._box(start, end)
            if start < end and box is not None:
                yield start, end, box

    def _span(self, name: str, start: int, end: int, box: Box, owner: _Written) -> None:
        place = owner.place(start, end)
        if place is None or start == end:
            return
        self.lists.spans.append(
            {
                "id": name,
                "page": self.page.id,
                "bbox": box.as_list(),
                "text": self._raw(start, end),
                "element": owner.id,
                "char_start": place[0],
                "char_end": place[1],
            }
        )

    def _table(self, table: Table, part: TablePart) -> None:
        """The rows of a table that stand on the page, and what the format has no place for."""
        cells = [c for c in table.cells if c.page == part.page]
        cells.sort(key=lambda cell: (cell.row, cell.col))
        if any(len(cell.text) > _CHARACTERS for cell in cells):
            return
        first = part is table.parts[0]
        own_id = table.id if first else continued_id(table.id, self.page.id)
        self.lists.tables.append(
            {
                "id": own_id,
                "page": self.page.id,
                "bbox": part.box.as_list(),
                "cells": [_cell(cell) for cell in cells],
            }
        )
        for cell in cells:
            if cell.role is not CellRole.DATA:
                name = f"{own_id}.r{cell.row}.c{cell.col}"
                self._put(name, cell.box, role_kind(cell.role, cell.level), cell.text)
        for at, cell in enumerate(c for c in table.repeated if c.page == part.page):
            self._put(f"{own_id}.h{at + 1}", cell.box, CellRole.REPEATED_HEADER, cell.text)
        self._said(own_id, CAPTION_KIND, part.caption, part.caption_ranges, part.box)
        self._said(own_id, STATEMENT_KIND, part.statement, part.statement_ranges, part.box)

    def _said(
        self, table: str, kind: str, text: str, ranges: Sequence[tuple[int, int]], around: Box
    ) -> None:
        if text:
            boxes = [box for box in (self._box(*piece) for piece in ranges) if box is not None]
            box = boxes[0] if boxes else around
            for other in boxes[1:]:
                box = box.union(other)
            self._put(f"{table}.{kind.removeprefix('table_')}", box, kind, text[:_CHARACTERS])

    def _raw(self, start: int, end: int) -> str:
        return self.text[start - self.page.start : end - self.page.start]

    def _box(self, start: int, end: int) -> Box | None:
        if self.boxes is None or not self.page.start <= start <= end <= self.page.end:
            return None
        return self.boxes.union(start - self.page.start, end - self.page.start)


def _short(piece: Piece) -> Iterator[Piece]:
    """A piece in stretches that the format takes, parted at line ends where it has some."""
    start, text, glue = piece
    while len(text) > _CHARACTERS - 1:
        end = text.rfind("\n", 1, _CHARACTERS - 1) + 1 or _CHARACTERS - 1
        yield Piece(start, text[:end], glue)
        start, text, glue = start + end, text[end:], ""
    yield Piece(start, text, glue)


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "row": cell.row,
        "col": cell.col,
        "row_span": cell.row_span,
        "col_span": cell.col_span,
        "bbox": cell.box.as_list(),
        "text": cell.text,
    }
