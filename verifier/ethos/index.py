"""A foreign document by id, page, address and box. Of equal ids the first one counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol, TypeVar

from grounding.adapters.model import (
    ForeignBox,
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignSpan,
    ForeignTable,
)
from verifier.ethos.boxes import BoxIndex

_MOST_ADDRESSES = 64
"""Addresses that a cell is filed under; a cell over more of them is looked at each time."""


class _Named(Protocol):
    @property
    def id(self) -> str: ...


_NamedT = TypeVar("_NamedT", bound=_Named)


def _by_id(items: Iterable[_NamedT]) -> dict[str, _NamedT]:
    found: dict[str, _NamedT] = {}
    for item in items:
        found.setdefault(item.id, item)
    return found


class _Grid:
    """The cells of a table by address."""

    def __init__(self, cells: tuple[ForeignCell, ...]) -> None:
        self._cells = cells
        self._first: dict[tuple[int, int], int] = {}
        self._wide: list[int] = []
        for position, cell in enumerate(cells):
            rows, cols = max(1, cell.row_span), max(1, cell.col_span)
            if rows * cols > _MOST_ADDRESSES:
                self._wide.append(position)
                continue
            for row in range(cell.row, cell.row + rows):
                for col in range(cell.col, cell.col + cols):
                    self._first.setdefault((row, col), position)

    def at(self, row: int, col: int) -> ForeignCell | None:
        """The first cell of the table's list that covers an address."""
        first = self._first.get((row, col), len(self._cells))
        for position in self._wide:
            if position > first:
                break
            if self._cells[position].covers(row, col):
                return self._cells[position]
        return self._cells[first] if first < len(self._cells) else None


class DocumentIndex:
    """A document's pages, elements, spans and tables, found without a walk through all of them.

    Spans and tables that the document does not declare as a capability are not there.
    """

    def __init__(self, document: ForeignDocument) -> None:
        self.document = document
        self.spans_used = document.spans if document.capabilities.spans else ()
        self.tables_used = document.tables if document.capabilities.tables else ()
        self.pages: dict[str, ForeignPage] = _by_id(document.pages)
        self.spans: dict[str, ForeignSpan] = _by_id(self.spans_used)
        self.tables: dict[str, ForeignTable] = _by_id(self.tables_used)
        self.positions: dict[str, int] = {}
        """Where elements stand in the document's order, by id."""
        self._on_page: dict[str, list[int]] = defaultdict(list)
        for position, element in enumerate(document.elements):
            self.positions.setdefault(element.id, position)
            self._on_page[element.page].append(position)
        self._spans_on: dict[str, list[ForeignSpan]] = defaultdict(list)
        for span in self.spans_used:
            self._spans_on[span.page].append(span)
        self._numbers: dict[int, ForeignPage] = {}
        for page in document.pages:
            self._numbers.setdefault(page.index, page)
        self._grids: dict[str, _Grid] = {}
        self._boxes: dict[tuple[str, int], BoxIndex] = {}

    def page_at(self, number: int) -> ForeignPage | None:
        """The first page that has this index, from 1."""
        return self._numbers.get(number)

    def elements_on(self, page: str) -> list[ForeignElement]:
        return [self.document.elements[at] for at in self._on_page.get(page, ())]

    def spans_on(self, page: str) -> list[ForeignSpan]:
        return self._spans_on.get(page, [])

    def boxes_on(self, page: str) -> list[ForeignBox | None]:
        """Boxes of everything on a page: elements, spans and tables."""
        tables = [table for table in self.tables_used if table.page == page]
        return [
            *(element.bbox for element in self.elements_on(page)),
            *(span.bbox for span in self.spans_on(page)),
            *(table.bbox for table in tables),
        ]

    def cell(self, table: ForeignTable, row: int, col: int) -> ForeignCell | None:
        """The cell of a table (of this index) that covers an address as the file numbers it."""
        if table.id not in self._grids:
            self._grids[table.id] = _Grid(table.cells)
        return self._grids[table.id].at(row, col)

    def boxes(self, page: str, tolerance: int) -> BoxIndex:
        """Boxes of a page's elements, by position in the document."""
        key = (page, tolerance)
        if key not in self._boxes:
            elements = self.document.elements
            positions = self._on_page.get(page, ())
            self._boxes[key] = BoxIndex(((at, elements[at].bbox) for at in positions), tolerance)
        return self._boxes[key]
