"""How a reader finds their way in a table: the labels that stand over a column and before a row."""

from __future__ import annotations

from grounding.model import Cell, CellRole, Region, Table

_LABELS = (CellRole.ROW_HEADER, CellRole.SECTION)


def column_path(table: Table, column: int) -> tuple[Cell, ...]:
    """The headers over a column, from the outermost to the one next to its cells."""
    over = [
        cell
        for cell in table.cells
        if cell.header and not cell.blank and cell.col <= column < cell.col + cell.col_span
    ]
    return tuple(sorted(over, key=lambda cell: (cell.row, cell.col)))


def row_path(table: Table, row: int) -> tuple[Cell, ...]:
    """The labels of a row, outermost first: the sections and the labels under which it is indented,
    then its own.

    A label is under the nearest one above that is less indented, and under the nearest section
    above that is as much indented as itself, since many tables do not indent what a section heads.
    """
    own = row_labels(table, row)
    if not own:
        return ()
    first = own[0]
    above: list[Cell] = []
    level, sectioned = first.level, first.role is CellRole.SECTION
    for cell in sorted(_first_labels(table), key=lambda c: -c.row):
        if cell.row >= first.row:
            continue
        if cell.level < level:
            above.append(cell)
            level, sectioned = cell.level, cell.role is CellRole.SECTION
        elif cell.level == level and cell.role is CellRole.SECTION and not sectioned:
            above.append(cell)
            sectioned = True
    return (*reversed(above), *own)


def row_labels(table: Table, row: int) -> tuple[Cell, ...]:
    """The label cells of a row itself, left to right, those included that span it."""
    cells = [
        cell
        for cell in table.cells
        if cell.role in _LABELS and not cell.blank and cell.row <= row < cell.row + cell.row_span
    ]
    return tuple(sorted(cells, key=lambda cell: cell.col))


def label_regions(table: Table, cell: Cell) -> list[Region]:
    """Where the labels of a cell stand on its page: those of its row, and the headers over it,
    which may be printed again there."""
    over = column_path(table, cell.col)
    if any(header.page != cell.page for header in over):
        again = [c for c in table.repeated if c.page == cell.page and not c.blank]
        over = tuple(c for c in again if c.col <= cell.col < c.col + c.col_span)
    labels = [c for c in (*row_labels(table, cell.row), *over) if c is not cell]
    return [Region(c.page, c.box) for c in labels if c.page == cell.page]


def _first_labels(table: Table) -> list[Cell]:
    return [
        cell for cell in table.cells if cell.role in _LABELS and not cell.blank and cell.col == 0
    ]
