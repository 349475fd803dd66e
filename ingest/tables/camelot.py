"""camelot's table finders: over ruling lines, over the alignment of text, and over both."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, ClassVar

from ingest.tables.registry import EngineFailed, EngineUnavailable, FoundTable, Rect, grid
from ingest.tables.upright import copy_bytes
from ingest.tables.view import PageView

Slot = tuple[int, int]


class _Camelot:
    """One of camelot's flavours."""

    name: str
    flavor: ClassVar[str]
    options: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        try:
            import camelot
        except ImportError as error:
            raise EngineUnavailable(self.name, "camelot-py") from error
        self._read = camelot.read_pdf

    def find(self, view: PageView) -> list[FoundTable]:
        data = copy_bytes(view.upright)
        try:
            # It warns of every page without tables.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tables = list(self._read(data, flavor=self.flavor, **self.options))
        except Exception as error:  # it and its parser raise whatever a page leads to
            raise EngineFailed(self.name, f"{type(error).__name__}: {error}") from error
        found = []
        for table in tables:
            shape = grid([_upright(rect, table) for rect in _rects(table)], view.unit)
            if shape is not None:
                found.append(shape)
        return found


class CamelotLattice(_Camelot):
    """Ruling lines as drawn; the other engines of this flavour render the page and are slower and
    no better."""

    name = "camelot-lattice"
    flavor = "lattice"
    options: ClassVar[dict[str, str]] = {"engine": "vector"}


class CamelotStream(_Camelot):
    """Columns of text that white space parts. Takes any page of text for a table."""

    name = "camelot-stream"
    flavor = "stream"


class CamelotNetwork(_Camelot):
    """Text aligned with text. Takes every other page of prose for a table."""

    name = "camelot-network"
    flavor = "network"


class CamelotHybrid(_Camelot):
    """`network` with ruling lines."""

    name = "camelot-hybrid"
    flavor = "hybrid"
    options: ClassVar[dict[str, str]] = {"engine": "vector"}


def _upright(rect: Rect, table: Any) -> Rect:
    """A rectangle of camelot's space (origin lower left, turned until the text is upright) on the
    upright copy (origin upper left)."""
    x0, y0, x1, y1 = rect
    width, height = table.pdf_size
    if table.rotation == "clockwise":  # the text ran downwards; the page was turned to the left
        return y0, x0, y1, x1
    if table.rotation == "anticlockwise":
        return height - y1, width - x1, height - y0, width - x0
    return x0, height - y1, x1, height - y0


def _rects(table: Any) -> list[Rect]:
    """The rectangles of a table's cells, those that belong together as one."""
    owner = {(r, c): (r, c) for r, row in enumerate(table.cells) for c in range(len(row))}
    bonds = _missing_rules(table) if table.flavor == "lattice" else _long_lines(table)
    for first, second in bonds:
        _join(owner, first, second)
    groups: dict[Slot, list[Slot]] = {}
    for slot in owner:
        groups.setdefault(_root(owner, slot), []).append(slot)
    rects: list[Rect] = []
    for slots in groups.values():
        rows, columns = {r for r, _ in slots}, {c for _, c in slots}
        if len(slots) == len(rows) * len(columns):
            rects.append(_union([table.cells[r][c] for r, c in slots]))
        else:  # no rectangle: nobody knows where one cell ends
            rects.extend(_union([table.cells[r][c]]) for r, c in slots)
    return rects


def _missing_rules(table: Any) -> Iterator[tuple[Slot, Slot]]:
    """Neighbours without a rule between them."""
    cells = table.cells
    for r, row in enumerate(cells):
        for c, cell in enumerate(row):
            if c + 1 < len(row) and not (cell.right or row[c + 1].left):
                yield (r, c), (r, c + 1)
            if r + 1 < len(cells) and not (cell.bottom or cells[r + 1][c].top):
                yield (r, c), (r + 1, c)


_OVER_POINTS = 2.0
"""A line of text that reaches this far into the next column stands in both."""


def _long_lines(table: Any) -> Iterator[tuple[Slot, Slot]]:
    """Neighbours that share a line of text. camelot gives the whole line to one of the columns that
    it crosses; cut at the column's edge, characters would fall into the wrong cell."""
    lines: dict[int, list[list[int]]] = {}
    for line in table.textlines:
        middle = (line.y0 + line.y1) / 2
        row = next((i for i, (y1, y0) in enumerate(table.rows) if y0 <= middle < y1), None)
        if row is None or not line.get_text().strip():
            continue
        crossed = [
            i
            for i, (x0, x1) in enumerate(table.cols)
            if min(x1, line.x1) - max(x0, line.x0) > min(_OVER_POINTS, (line.x1 - line.x0) / 2)
        ]
        lines.setdefault(row, []).append(crossed)
    for row, all_crossed in lines.items():
        taken = [column for crossed in all_crossed for column in crossed]
        for crossed in all_crossed:
            # Another line in one of these columns says that they are different cells.
            if len(crossed) > 1 and all(taken.count(column) == 1 for column in crossed):
                for left in crossed[:-1]:
                    yield (row, left), (row, left + 1)


def _root(owner: dict[Slot, Slot], slot: Slot) -> Slot:
    while owner[slot] != slot:
        slot = owner[slot]
    return slot


def _join(owner: dict[Slot, Slot], first: Slot, second: Slot) -> None:
    owner[_root(owner, second)] = _root(owner, first)


def _union(cells: list[Any]) -> Rect:
    return (
        min(cell.x1 for cell in cells),
        min(cell.y1 for cell in cells),
        max(cell.x2 for cell in cells),
        max(cell.y2 for cell in cells),
    )
