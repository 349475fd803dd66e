"""What a table says of a cell's number besides what stands in the cell."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from grounding.model import Cell, CellRole, Table
from grounding.tables import column_path, row_path
from grounding.text import fold
from verifier.labels import texts_of
from verifier.quantities.cells import parse_cell
from verifier.quantities.context import NO_CONTEXT, QuantityContext, Stated, context_of
from verifier.views import DocumentIndex, Range


def context_of_cell(table: Table, cell: Cell) -> QuantityContext:
    """Scale, unit, currency and period of a cell: from its row's labels, its column's headers, what
    the table states and its caption, the nearest first. A currency that none of them names is that
    of the signs in its column: statements print it in their first and last rows alone."""
    if cell.role is not CellRole.DATA:
        return NO_CONTEXT
    headers = texts_of(column_path(table, cell.col))
    labels = texts_of(c for c in row_path(table, cell.row) if c is not cell)
    corner = [c.text for c in table.cells if c.header and c.col == 0 and not c.blank]
    said = "\n".join([*corner, table.statement])
    found = context_of(headers, labels, said, table.caption, row_unit=_unit_column(table, cell))
    if found.currency is None and "currency" not in found.unsure:
        found = replace(found, currency=_of_column(table, cell.col))
    return found


def _unit_column(table: Table, cell: Cell) -> str:
    """What the row's cell in a column headed "Unit" says."""
    for other in table.cells:
        if other.row == cell.row and other is not cell and not other.blank:
            headers = texts_of(column_path(table, other.col))
            if headers and fold(headers[-1]).text.strip().lower() in ("unit", "units"):
                return other.text
    return ""


def _of_column(table: Table, column: int) -> Stated[str] | None:
    """The one currency whose sign numbers of a column carry."""
    named: dict[str, str] = {}
    for cell in table.cells:
        if cell.role is CellRole.DATA and cell.col == column and not cell.blank:
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


def scale_said_above(index: DocumentIndex, at: int, table: Table | None) -> bool:
    """Whether a statement of scale stands above an offset on its page, in a text or another table,
    with no statement of whole amounts between; a `table` that says so itself has its own."""
    if table is not None and _WHOLE.search(f"{table.caption} {table.statement}"):
        return False
    page = index.page_at(at)
    text = index.source.page_text(page.number)[: at - page.start]
    places = [found.end() for found in _SAYS_SCALE.finditer(text)]
    return bool(places) and _WHOLE.search(text, places[-1]) is None


class CellFinder:
    """The cells of a document by the offsets of their text, and what their tables say of them."""

    def __init__(self, index: DocumentIndex) -> None:
        self.index = index
        self._contexts: dict[tuple[int, int, int], QuantityContext] = {}
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
        """What the table says of a cell, see `context_of_cell`."""
        key = table.number, cell.row, cell.col
        if key not in self._contexts:
            self._contexts[key] = context_of_cell(table, cell)
        return self._contexts[key]

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
