"""Cells by what a reader reads: the label of their row and of their column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from grounding.model import Cell, Table
from grounding.text import fold
from verifier.codes import Reason, Status

_MARKS_ONLY = re.compile(r"[\s$€£¥%()\[\]*†‡-]*")


@dataclass(frozen=True, slots=True)
class LabelledPlace:
    """What labels lead to: one cell, or all cells of a row or a column."""

    table: Table
    cells: tuple[Cell, ...]

    @property
    def cell(self) -> Cell | None:
        return self.cells[0] if len(self.cells) == 1 else None


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """Labels that lead nowhere, or to several places."""

    status: Status
    reason: Reason


def find_labelled(
    tables: Iterable[Table], row_label: str | None, column_label: str | None
) -> LabelledPlace | Unlabelled:
    """The place in some tables that both labels (one of them may be None) describe.

    A row's label is its first cell with text, a column's the text of a header cell above it, or
    the texts of all header cells above it from the top; both are compared under the text folds.
    """
    tables = list(tables)
    if not tables:
        return Unlabelled("not_found", "table_not_found")
    places = []
    saw_row = False
    for table in tables:
        rows = _rows(table, row_label)
        saw_row = saw_row or bool(rows)
        columns = _columns(table, column_label)
        for row in rows:
            if row_label is not None and column_label is None:
                places.append(LabelledPlace(table, _row_cells(table, row)))
        if column_label is not None:
            for group in columns:
                found = [c for row in rows for c in _crossing(table, row, group)]
                if row_label is None:
                    places.append(LabelledPlace(table, tuple(found)))
                else:
                    places.extend(LabelledPlace(table, (cell,)) for cell in found)
    places = [place for place in places if place.cells]
    if not places:
        missing: Reason = "column_label_not_found" if saw_row else "row_label_not_found"
        return Unlabelled("not_found", missing)
    if len(places) > 1:
        return Unlabelled("mismatch", "label_ambiguous")
    return places[0]


def _plain(text: str) -> str:
    return fold(text).text.strip()


def _rows(table: Table, label: str | None) -> list[int]:
    """Data rows with this label; all of them for None."""
    body = [r for r in range(table.rows) if not _is_header_row(table, r)]
    if label is None:
        return body
    wanted = _plain(label)
    return [row for row in body if _plain(_row_label(table, row)) == wanted]


def _is_header_row(table: Table, row: int) -> bool:
    return any(cell.header for cell in table.cells if cell.row == row)


def _row_label(table: Table, row: int) -> str:
    cells = (c for c in table.cells if c.row <= row < c.row + c.row_span and c.text.strip())
    first = min(cells, key=lambda cell: cell.col, default=None)
    return first.text if first is not None else ""


def _columns(table: Table, label: str | None) -> list[range]:
    """Column ranges under headers with this label."""
    if label is None:
        return [range(table.columns)]
    wanted = _plain(label)
    headers = [cell for cell in table.cells if cell.header and cell.text.strip()]
    found = {
        (cell.col, cell.col + cell.col_span) for cell in headers if _plain(cell.text) == wanted
    }
    for column in range(table.columns):
        above = sorted(
            (c for c in headers if c.col <= column < c.col + c.col_span), key=lambda c: c.row
        )
        if len(above) > 1 and _plain(" ".join(c.text for c in above)) == wanted:
            found.add((column, column + 1))
    return [range(*bounds) for bounds in sorted(found)]


def _row_cells(table: Table, row: int) -> tuple[Cell, ...]:
    """Cells of a row that hold data: its label is not a value of the row."""
    cells = sorted((c for c in table.cells if c.row == row), key=lambda cell: cell.col)
    labelled = next((i for i, cell in enumerate(cells) if cell.text.strip()), -1)
    return tuple(cells[labelled + 1 :])


def _crossing(table: Table, row: int, columns: range) -> list[Cell]:
    """The cells of a row under a column's header. A header over a currency column and its numbers
    means the numbers."""
    cells = [
        cell
        for cell in table.cells
        if cell.row <= row < cell.row + cell.row_span and cell.col in columns
    ]
    if len(cells) > 1:
        cells = [cell for cell in cells if not _MARKS_ONLY.fullmatch(cell.text)]
    return cells
