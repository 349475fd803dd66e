"""What a table says of a cell's number besides what stands in the cell."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import cached_property, lru_cache

from grounding.model import Cell, CellRole, Table
from grounding.tables import TablePaths
from grounding.text import fold
from verifier.labels import texts_of
from verifier.quantities.cells import parse_cell
from verifier.quantities.context import NO_CONTEXT, QuantityContext, Stated, context_of
from verifier.views import DocumentIndex, Range


class TableContext:
    """What one table says of the numbers in its cells."""

    def __init__(self, table: Table) -> None:
        self._table, self._paths = table, TablePaths(table)
        self._currencies: dict[int, Stated[str] | None] = {}

    def of(self, cell: Cell) -> QuantityContext:
        """Scale, unit, currency and period of a cell: from its row's labels, its column's headers,
        what the table states and its caption, the nearest first. A currency that none of them names
        is that of the signs in its column: statements print it in their first and last rows
        alone."""
        if cell.role is not CellRole.DATA:
            return NO_CONTEXT
        headers = texts_of(self._paths.column(cell.col))
        labels = texts_of(c for c in self._paths.row(cell.row) if c is not cell)
        unit = self._unit_column(cell)
        found = context_of(headers, labels, self._said, self._table.caption, row_unit=unit)
        if found.currency is None and "currency" not in found.unsure:
            found = replace(found, currency=self._of_column(cell.col))
        return found

    @cached_property
    def _said(self) -> str:
        """The corner over the labels, and the table's statement."""
        corner = [c.text for c in self._paths.cells_under(0) if c.header and not c.blank]
        return "\n".join([*corner, self._table.statement])

    def _unit_column(self, cell: Cell) -> str:
        """What the row's cell in a column headed "Unit" says."""
        for other in self._paths.cells(cell.row):
            if other.row == cell.row and other is not cell and not other.blank:
                headers = texts_of(self._paths.column(other.col))
                if headers and fold(headers[-1]).text.strip().lower() in ("unit", "units"):
                    return other.text
        return ""

    def _of_column(self, column: int) -> Stated[str] | None:
        """The one currency whose sign numbers of a column carry."""
        if column not in self._currencies:
            self._currencies[column] = self._signs_of(column)
        return self._currencies[column]

    def _signs_of(self, column: int) -> Stated[str] | None:
        named: dict[str, str] = {}
        for cell in self._paths.cells_under(column):
            if cell.role is CellRole.DATA and not cell.blank:
                quantity = parse_cell(fold(cell.text).text)
                if quantity is not None and quantity.currency:
                    named[quantity.currency] = cell.text
        if len(named) != 1:
            return None
        ((currency, text),) = named.items()
        return Stated(currency, "column", text)


_SAYS_SCALE = re.compile(
    r"\b(?:in|expressed in|amounts in)\b[^.;\n]{0,40}\b(?:thousands|millions|billions)\b"
    r"|\([^()\n]{0,30}\b(?:thousands|millions|billions)\b|\(\$?000(?:'?s)?\)|[$\u20ac\xa3]'?000",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:in|are) (?:whole|actual) (?:dollars|euros?|amounts|numbers)\b", re.I)


class CellFinder:
    """The cells of a document by the offsets of their text, and what their tables say of them."""

    def __init__(self, index: DocumentIndex) -> None:
        self.index = index
        self._contexts: dict[tuple[int, int, int], QuantityContext] = {}
        self._tables: dict[int, TableContext] = {}
        self._statements = lru_cache(maxsize=64)(self._read_statements)
        self._pages: dict[int, tuple[list[int], list[tuple[int, Table, Cell]]]] = {}

    def at(self, piece: Range) -> tuple[Table, Cell] | None:
        """The cell that holds a piece of the document's text."""
        starts, cells = self._on_page(self.index.page_at(piece[0]).number)
        at = bisect_right(starts, piece[0]) - 1
        if at < 0:
            return None
        end, table, cell = cells[at]
        return (table, cell) if piece[1] <= end else None

    def context(self, table: Table, cell: Cell) -> QuantityContext:
        """What the table says of a cell, see `TableContext.of`."""
        key = table.number, cell.row, cell.col
        if key not in self._contexts:
            if table.number not in self._tables:
                self._tables[table.number] = TableContext(table)
            self._contexts[key] = self._tables[table.number].of(cell)
        return self._contexts[key]

    def scale_said_above(self, at: int, table: Table | None) -> bool:
        """Whether a statement of scale stands above an offset on its page, in a text or another
        table, with no statement of whole amounts between; a `table` that says so itself has its
        own."""
        if table is not None and _WHOLE.search(f"{table.caption} {table.statement}"):
            return False
        page = self.index.page_at(at)
        scales, wholes = self._statements(page.number)
        last = bisect_right(scales, at - page.start)
        if not last:
            return False
        # A statement of whole amounts behind the last one of scale takes it back.
        first = bisect_left(wholes, (scales[last - 1], 0))
        return not any(end <= at - page.start for _, end in wholes[first : first + 1])

    def _read_statements(self, number: int) -> tuple[list[int], list[Range]]:
        """Where statements of scale end in a page's text, and where those of whole amounts are."""
        text = self.index.source.page_text(number)
        return (
            [found.end() for found in _SAYS_SCALE.finditer(text)],
            [found.span() for found in _WHOLE.finditer(text)],
        )

    def _on_page(self, number: int) -> tuple[list[int], list[tuple[int, Table, Cell]]]:
        if number not in self._pages:
            found = sorted(
                (
                    (start, end, table, cell)
                    for table in self.index.tables(number)
                    for cell in table.cells
                    if cell.page == number
                    for start, end in cell.ranges
                ),
                key=lambda item: item[:2],
            )
            self._pages[number] = (
                [start for start, *_ in found],
                [(end, table, cell) for _, end, table, cell in found],
            )
        return self._pages[number]
