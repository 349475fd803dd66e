"""How a reader finds their way in a table: the labels that stand over a column and before a row."""

from __future__ import annotations

from functools import cached_property

from grounding.model import Cell, CellRole, Region, Table

_LABELS = (CellRole.ROW_HEADER, CellRole.SECTION)


class TablePaths:
    """The labels of one table. Each list is made once: tables may have thousands of rows."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def rows(self) -> list[int]:
        """The rows in which a cell stands."""
        return sorted(self._rows)

    @property
    def headed_columns(self) -> list[int]:
        """The columns over which a header stands."""
        return sorted(self._headers)

    def column(self, column: int) -> tuple[Cell, ...]:
        """The headers over a column, from the outermost to the one next to its cells."""
        return self._headers.get(column, ())

    def labels(self, row: int) -> tuple[Cell, ...]:
        """The label cells of a row itself, left to right, those included that span it."""
        return tuple(c for c in self.cells(row) if c.role in _LABELS and not c.blank)

    def row(self, row: int) -> tuple[Cell, ...]:
        """The labels of a row, outermost first: the sections and the labels under which it is
        indented, then its own.

        A label is under the nearest one above that is less indented, and under the nearest section
        above that is as much indented as itself, since many tables do not indent what a section
        heads.
        """
        own = self.labels(row)
        if not own:
            return ()
        above: list[Cell] = []
        parent = self._above(own[0])
        while parent is not None:
            above.append(parent)
            parent = self._parents[parent.row]
        return (*reversed(above), *own)

    def cells(self, row: int) -> tuple[Cell, ...]:
        """The cells of a row, left to right, those included that span it."""
        return self._rows.get(row, ())

    def cells_under(self, column: int) -> tuple[Cell, ...]:
        """The cells that begin in a column, in the table's order."""
        return self._columns.get(column, ())

    @cached_property
    def _rows(self) -> dict[int, tuple[Cell, ...]]:
        found: dict[int, list[Cell]] = {}
        for cell in self.table.cells:
            for row in range(cell.row, cell.row + cell.row_span):
                found.setdefault(row, []).append(cell)
        return {row: tuple(sorted(cells, key=lambda c: c.col)) for row, cells in found.items()}

    @cached_property
    def _columns(self) -> dict[int, tuple[Cell, ...]]:
        found: dict[int, list[Cell]] = {}
        for cell in self.table.cells:
            found.setdefault(cell.col, []).append(cell)
        return {column: tuple(cells) for column, cells in found.items()}

    @cached_property
    def _headers(self) -> dict[int, tuple[Cell, ...]]:
        found: dict[int, list[Cell]] = {}
        for cell in self.table.cells:
            if cell.header and not cell.blank:
                for column in range(cell.col, cell.col + cell.col_span):
                    found.setdefault(column, []).append(cell)
        return {c: tuple(sorted(cells, key=lambda x: (x.row, x.col))) for c, cells in found.items()}

    @cached_property
    def _firsts(self) -> list[Cell]:
        """The labels of the first column, top down."""
        cells = (c for c in self.cells_under(0) if c.role in _LABELS and not c.blank)
        return sorted(cells, key=lambda cell: cell.row)

    @cached_property
    def _parents(self) -> dict[int, Cell | None]:
        """The label above each label of the first column, by the label's row."""
        found: dict[int, Cell | None] = {}
        open_labels: list[Cell] = []
        for cell in self._firsts:
            _close(open_labels, cell)
            found[cell.row] = _parent(open_labels, cell)
            open_labels.append(cell)
        return found

    def _above(self, label: Cell) -> Cell | None:
        """The label above a row's first one, which may stand in any column."""
        if label.col == 0 and label.row in self._parents:
            return self._parents[label.row]
        above = [cell for cell in self._firsts if cell.row < label.row]
        return next((cell for cell in reversed(above) if _heads(cell, label)), None)


def _heads(cell: Cell, label: Cell) -> bool:
    """Whether a label above another one heads it."""
    if cell.level == label.level:
        return cell.role is CellRole.SECTION and label.role is not CellRole.SECTION
    return cell.level < label.level


def _close(open_labels: list[Cell], cell: Cell) -> None:
    """Takes away labels that can head nothing below a cell, which is nearer."""
    while open_labels:
        last = open_labels[-1]
        section = last.role is CellRole.SECTION and cell.role is not CellRole.SECTION
        if last.level < cell.level or (last.level == cell.level and section):
            return
        open_labels.pop()


def _parent(open_labels: list[Cell], cell: Cell) -> Cell | None:
    return next((other for other in reversed(open_labels) if _heads(other, cell)), None)


def column_path(table: Table, column: int) -> tuple[Cell, ...]:
    """The headers over a column, see TablePaths.column."""
    return TablePaths(table).column(column)


def row_path(table: Table, row: int) -> tuple[Cell, ...]:
    """The labels of a row and those above it, see TablePaths.row."""
    return TablePaths(table).row(row)


def row_labels(table: Table, row: int) -> tuple[Cell, ...]:
    """The label cells of a row itself, see TablePaths.labels."""
    return TablePaths(table).labels(row)


def label_regions(table: Table, cell: Cell) -> list[Region]:
    """Where the labels of a cell stand on its page: those of its row, and the headers over it,
    which may be printed again there."""
    paths = TablePaths(table)
    over = paths.column(cell.col)
    if any(header.page != cell.page for header in over):
        again = [c for c in table.repeated if c.page == cell.page and not c.blank]
        over = tuple(c for c in again if c.col <= cell.col < c.col + c.col_span)
    labels = [c for c in (*paths.labels(cell.row), *over) if c is not cell]
    return [Region(c.page, c.box) for c in labels if c.page == cell.page]
