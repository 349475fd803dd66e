"""A document of the store as it was read: what a fingerprint is computed from again.

The rows are taken as they are, without the reader's types, so that a value which cannot be right
still becomes a page with another fingerprint and no failure.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, cast

from grounding.artifact import Artifact, CellContent, ElementContent, PageContent, TableContent
from grounding.charboxes import arrays_of
from grounding.fingerprint import SourceFingerprint
from grounding.geometry import Box, PageFrame
from grounding.model import (
    CellRole,
    DocumentWarning,
    ElementKind,
    PageStatus,
    Style,
    TableSearch,
    WarningCode,
)

Row = tuple[Any, ...]
Query = Callable[..., list[Any]]
"""Runs a statement with its values; the rows."""
ByPage = dict[int, list[Row]]


@dataclass(slots=True)
class DocumentRows:
    """All rows of one document, by page. The first column of each is the page's number; `tables`
    has (number, rows, columns), `pages` starts with the number."""

    document: Row
    pages: list[Row]
    elements: ByPage
    spans: ByPage
    parts: ByPage
    cells: ByPage
    searches: ByPage
    warnings: ByPage
    tables: dict[int, Row]


_QUERIES = {
    "elements": "SELECT page, number, kind, level, char_start, char_end, x0, y0, x1, y1,"
    " table_number FROM elements WHERE document_id = ? ORDER BY page, number",
    "spans": "SELECT page, number, char_start, char_end, x0, y0, x1, y1, style, flags, element"
    " FROM spans WHERE document_id = ? ORDER BY page, number",
    "parts": "SELECT page, table_number, x0, y0, x1, y1, first_row, rows, engine, reason, trusted,"
    " caption, caption_ranges, statement, statement_ranges FROM table_parts"
    " WHERE document_id = ? ORDER BY page, table_number",
    "cells": "SELECT page, table_number, row, col, row_span, col_span, x0, y0, x1, y1, text,"
    " ranges, role, level, notes FROM cells WHERE document_id = ?"
    " ORDER BY page, table_number, row, col",
    "searches": "SELECT page, position, engine, found, taken, note FROM table_searches"
    " WHERE document_id = ? ORDER BY page, position",
    "warnings": "SELECT page, position, code, detail FROM warnings WHERE document_id = ?"
    " ORDER BY page, position",
}
_DOCUMENT = (
    "SELECT id, document_fingerprint, source_fingerprint, blake3, size, content_fingerprint,"
    " pages_sha256, payload_sha256, parser_name, parser_version, schema_version, options, status,"
    " page_count, element_count, span_count, table_count FROM documents WHERE id = ?"
)
_PAGES = (
    "SELECT number, label, frame, char_start, char_end, status, fingerprint, styles, text,"
    " char_boxes FROM pages WHERE document_id = ? ORDER BY number"
)
_TABLES = "SELECT number, rows, columns FROM tables WHERE document_id = ? ORDER BY number"


def document_rows(query: Query, document_id: int) -> DocumentRows:
    """Everything that the store has of a document, in a query a table."""
    by_page: dict[str, ByPage] = {}
    for name, sql in _QUERIES.items():
        by_page[name] = defaultdict(list)
        for row in query(sql, document_id):
            by_page[name][row[0]].append(row)
    return DocumentRows(
        document=query(_DOCUMENT, document_id)[0],
        pages=query(_PAGES, document_id),
        tables={row[0]: row for row in query(_TABLES, document_id)},
        **by_page,
    )


def rebuilt(rows: DocumentRows) -> Artifact:
    """The document without pages; they are rebuilt one at a time."""
    d = rows.document
    return Artifact(
        source=SourceFingerprint(d[2], d[3], d[4]),
        parser_name=d[8],
        parser_version=d[9],
        options=json.loads(d[11]),
        pages=[],
        warnings=[_warning(row) for row in rows.warnings.get(0, [])],
        schema_version=d[10],
    )


class RebuiltPages:
    """The pages of a document, one at a time, everything counted from their own start."""

    def __init__(self, rows: DocumentRows) -> None:
        self._rows = rows
        counts = (len(rows.elements.get(page[0], ())) for page in rows.pages)
        self._before = [0, *accumulate(counts)]
        self._first_page: dict[int, int] = {}
        for number, parts in sorted(rows.parts.items()):
            for part in parts:
                self._first_page.setdefault(part[1], number)

    def page(self, position: int) -> PageContent:
        """The page at a position from 0. Raises ValueError, TypeError, LookupError, OverflowError
        and PagewitnessError where a value is none."""
        page = _Page(self._rows, self._rows.pages[position], self._first_page)
        return page.content(self._before[position])


class _Page:
    """One page's rows, and its place in the document."""

    def __init__(self, rows: DocumentRows, row: Row, first_page: dict[int, int]) -> None:
        self.rows, self.row, self.number, self.start = rows, row, row[0], row[3]
        self.elements = rows.elements.get(self.number, [])
        self.parts = rows.parts.get(self.number, [])
        self.first_page = first_page

    def content(self, elements_before: int) -> PageContent:
        _, label, frame, start, _, status, _, styles, text, char_boxes = self.row
        spans = (
            (s[2] - start, s[3] - start, *s[4:10], s[10] - elements_before - 1)
            for s in self.rows.spans.get(self.number, [])
        )
        return PageContent(
            frame=stored_frame(frame),
            label=label,
            status=cast(PageStatus, status),
            text=text,
            box_arrays=arrays_of(char_boxes),
            spans=array("i", [value for span in spans for value in span]),
            styles=[Style(*style) for style in json.loads(styles)],
            elements=[self._element(row) for row in self.elements],
            tables=[self._table(row) for row in self.parts],
            searches=[TableSearch(*s[2:]) for s in self.rows.searches.get(self.number, [])],
            warnings=[_warning(w) for w in self.rows.warnings.get(self.number, [])],
        )

    def _element(self, e: Row) -> ElementContent:
        first_table = self.parts[0][1] if self.parts else 0
        return ElementContent(
            cast(ElementKind, e[2]), e[3], e[4] - self.start, e[5] - self.start, Box(*e[6:10]),
            e[10] - first_table if e[10] else -1,
        )  # fmt: skip

    def _table(self, p: Row) -> TableContent:
        """A part of a table. Rows count from the part's first again, headers that were printed
        again among them."""
        own: list[Row] = []
        again: list[Row] = []
        for cell in self.rows.cells.get(self.number, []):
            if cell[1] == p[1]:
                (again if cell[12] == CellRole.REPEATED_HEADER else own).append(cell)
        above = max((cell[2] + cell[4] for cell in again), default=0)
        cells = [self._cell(c, c[2], CellRole.COLUMN_HEADER) for c in again]
        cells += [self._cell(c, c[2] - p[6] + above, c[12]) for c in own]
        return TableContent(
            Box(*p[2:6]), p[7] + above, self.rows.tables[p[1]][2], p[8], bool(p[10]), cells, p[9],
            p[11], self._ranges(p[12]), p[13], self._ranges(p[14]),
            continues=self.first_page[p[1]] < self.number,
        )  # fmt: skip

    def _cell(self, c: Row, row: int, role: CellRole) -> CellContent:
        return CellContent(
            row, c[3], c[4], c[5], Box(*c[6:10]), c[10], self._ranges(c[11]), role, c[13],
            tuple(json.loads(c[14])),
        )  # fmt: skip

    def _ranges(self, text: str) -> tuple[tuple[int, int], ...]:
        return tuple((start - self.start, end - self.start) for start, end in json.loads(text))


def stored_frame(text: str) -> PageFrame:
    """A page's frame from its JSON."""
    at = json.loads(text)
    return PageFrame(tuple(at["crop"]), at["rotation"], at["user_unit"])


def _warning(row: Row) -> DocumentWarning:
    return DocumentWarning(cast(WarningCode, row[2]), 0, row[3])
