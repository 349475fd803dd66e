"""What tests look at of a table: its texts by row, and what its cells are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reading import GROUNDED, Shelf, check, verdict

from grounding.model import Cell, CellRole, Table
from grounding.store import StoredSource


def texts(table: Table) -> list[list[str]]:
    """Cell texts by row and column, a cell's lines parted by a space; a spanned place is blank."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.col] = " ".join(cell.text.split())
    return rows


def cell_of(table: Table, text: str) -> Cell:
    """The one cell with a text."""
    (cell,) = (c for c in table.cells if " ".join(c.text.split()) == text)
    return cell


def places(table: Table) -> dict[str, tuple[int, int, int, int]]:
    """(row, column, rows, columns) of each cell with text, by its text."""
    return {c.text: (c.row, c.col, c.row_span, c.col_span) for c in table.cells if not c.blank}


def role_of(table: Table, role: CellRole) -> list[str]:
    """Texts of the cells of a role, in order."""
    return [c.text for c in table.cells if c.role is role and not c.blank]


def only_table(shelf: Shelf, data: bytes, name: str = "drawn.pdf") -> tuple[StoredSource, Table]:
    """The document and its one table."""
    source = shelf.put(data, name)
    found = {table.id: table for table in all_tables(source)}
    (table,) = found.values()
    return source, table


def all_tables(source: StoredSource) -> Iterator[Table]:
    """The tables page by page; one over two pages comes twice."""
    for page in source.pages:
        yield from source.tables(page.number)


def labelled(source: StoredSource, text: str, row: str, column: str, **citation: Any) -> Any:
    """The check of a cell's text by the labels of its row and column."""
    claim = {"kind": "table_cell", "text": text}
    return check(source, claim, row_label=row, column_label=column, **citation)


def grounds(source: StoredSource, text: str, row: str, column: str, **citation: Any) -> bool:
    """Whether a cell's text is grounded by its labels."""
    return verdict(labelled(source, text, row, column, **citation)) == GROUNDED
