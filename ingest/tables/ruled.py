"""Tables whose cells are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from ingest.tables.grids import Grid, GridCell, grids
from ingest.tables.lines import read_lines
from ingest.tables.registry import FoundCell, FoundTable, Rect
from ingest.tables.rules import Rules
from ingest.tables.view import PageView
from ingest.tables.words import Direction, Word, unturned

_PADDING = 8.0
"""A row or column without text that is thinner than this is the space between two double rules."""
_TITLE = re.compile(r"(?:Table|TABLE|Exhibit|EXHIBIT|Figure|Schedule)\s+[A-Z]{0,2}[-.]?\d")
_NOTES = re.compile(r"(?:Sources?|SOURCES?|Notes?|NOTES?)\s*[:.]")
_FILLED_RULED, _FILLED_SHADED = 0.1, 0.3
"""Share of a grid's cells that hold text; the bars of a chart have edges, too."""
_PACKED = 0.15
"""With this share of its words in cells that hold rows or columns of their own, a grid is no table
but a frame around one."""


class Ruled:
    """Ruling lines as they are drawn; cells that lack a rule beside their neighbours are completed
    from the grid's other lines."""

    name = "ruled"

    def find(self, view: PageView) -> list[FoundTable]:
        main = next(iter(view.words()), None)
        if main is None:
            return []
        direction, words = main
        return [_found(grid, direction) for grid in _best(view.rules(direction), words)]


def _best(rules: Rules, words: list[Word]) -> list[Grid]:
    """Grids of drawn rules; where there are none, of the edges of filled areas, too."""
    accepted: list[Grid] = []
    for candidates, share in (
        (grids(rules), _FILLED_RULED),
        (grids(rules.with_edges()), _FILLED_SHADED),
    ):
        for grid in candidates:
            if any(_overlap(grid.rect, other.rect) for other in accepted):
                continue
            texts = _texts(grid, words)
            grid = _completed(_without_padding(grid, texts), words)
            grid = _without_title(grid, words)
            if _is_table(grid, words, share):
                accepted.append(grid)
    return accepted


def _found(grid: Grid, direction: Direction) -> FoundTable:
    cells = tuple(
        FoundCell(c.row, c.col, c.row_span, c.col_span, unturned(grid.cell_rect(c), direction))
        for c in grid.cells
    )
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    return FoundTable(unturned(grid.rect, direction), rows, columns, cells, as_read=True)


def _overlap(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _inside(words: Iterable[Word], rect: Rect) -> list[Word]:
    x0, y0, x1, y1 = rect
    return [w for w in words if x0 <= (w.x0 + w.x1) / 2 < x1 and y0 <= w.middle < y1]


def _texts(grid: Grid, words: list[Word]) -> list[list[Word]]:
    """The words of each cell."""
    near = _inside(words, grid.rect)
    return [_inside(near, grid.cell_rect(cell)) for cell in grid.cells]


def _without_padding(grid: Grid, texts: list[list[Word]]) -> Grid:
    """Thin rows and columns without text of their own go to their neighbours."""
    rows: set[int] = set()
    columns: set[int] = set()
    for cell, words in zip(grid.cells, texts, strict=True):
        if words:
            rows.update(range(cell.row, cell.row + cell.row_span) if cell.row_span == 1 else ())
            columns.update(range(cell.col, cell.col + cell.col_span) if cell.col_span == 1 else ())
    ys = [
        y
        for i, y in enumerate(grid.ys)
        if i == 0 or i - 1 in rows or y - grid.ys[i - 1] >= _PADDING
    ]
    xs = [
        x
        for i, x in enumerate(grid.xs)
        if i == 0 or i - 1 in columns or x - grid.xs[i - 1] >= _PADDING
    ]
    if len(ys) == len(grid.ys) and len(xs) == len(grid.xs):
        return grid
    # The last line stays the last, so that the region keeps its size.
    ys[-1], xs[-1] = max(ys[-1], grid.ys[-1]), max(xs[-1], grid.xs[-1])
    cells: dict[tuple[int, int], GridCell] = {}
    for cell in grid.cells:
        x0, y0, x1, y1 = grid.cell_rect(cell)
        row, col = _floor(ys, y0), _floor(xs, x0)
        row_end, col_end = _ceiling(ys, y1), _ceiling(xs, x1)
        if row_end > row and col_end > col:
            moved = GridCell(row, col, row_end - row, col_end - col)
            before = cells.get((row, col))
            if before is None or _spans(moved) > _spans(before):
                cells[row, col] = moved
    return Grid(xs, ys, _without_overlaps(cells.values()))


def _spans(cell: GridCell) -> tuple[int, int]:
    return cell.row_span, cell.col_span


def _floor(levels: list[float], value: float) -> int:
    return max(i for i, level in enumerate(levels) if level <= value + 0.01 or i == 0)


def _ceiling(levels: list[float], value: float) -> int:
    return next((i for i, level in enumerate(levels) if level >= value - 0.01), len(levels) - 1)


def _without_overlaps(cells: Iterable[GridCell]) -> list[GridCell]:
    taken: set[tuple[int, int]] = set()
    kept = []
    for cell in sorted(cells, key=lambda c: (c.row, c.col)):
        slots = {
            (r, c)
            for r in range(cell.row, cell.row + cell.row_span)
            for c in range(cell.col, cell.col + cell.col_span)
        }
        if not slots & taken:
            taken |= slots
            kept.append(cell)
    return kept


def _completed(grid: Grid, words: list[Word]) -> Grid:
    """Cells over several columns whose words stand in them one by one, cut at the grid's lines:
    the rules of one row, or its shading, show the columns of the others."""
    cells: list[GridCell] = []
    for cell, inside in zip(grid.cells, _texts(grid, words), strict=True):
        cells.extend(_by_column(grid, cell, inside) if cell.col_span > 1 else [cell])
    return replace(grid, cells=sorted(cells, key=lambda c: (c.row, c.col)))


def _by_column(grid: Grid, cell: GridCell, words: list[Word]) -> list[GridCell]:
    """A cell over several columns, cut at those of the grid's lines that part its words and that
    none of them crosses."""
    segments = [s for line in read_lines(words) for s in line.segments]
    cuts = [cell.col]
    for column in range(cell.col + 1, cell.col + cell.col_span):
        x = grid.xs[column]
        if not any(s.x0 < x - 1 and s.x1 > x + 1 for s in segments):
            cuts.append(column)
    cuts.append(cell.col + cell.col_span)
    filled = [
        sum(grid.xs[a] <= (s.x0 + s.x1) / 2 < grid.xs[b] for s in segments)
        for a, b in pairwise(cuts)
    ]
    if sum(map(bool, filled)) < 2:
        return [cell]
    return [GridCell(cell.row, a, cell.row_span, b - a) for a, b in pairwise(cuts)]


def _without_title(grid: Grid, words: list[Word]) -> Grid:
    """Without a title above and notes below that the frame holds as well."""
    texts = _texts(grid, words)
    columns = len(grid.xs) - 1
    whole = {
        cell.row: " ".join(w.text for w in inside)
        for cell, inside in zip(grid.cells, texts, strict=True)
        if cell.col_span == columns and cell.row_span == 1
    }
    first, last = 0, len(grid.ys) - 1
    while last - first > 2 and _TITLE.match(whole.get(first, "")):
        first += 1
    while last - first > 2 and _NOTES.match(whole.get(last - 1, "")):
        last -= 1
    cells = [
        replace(cell, row=cell.row - first)
        for cell in grid.cells
        if first <= cell.row and cell.row + cell.row_span <= last
    ]
    return Grid(grid.xs, grid.ys[first : last + 1], cells)


def _is_table(grid: Grid, words: list[Word], share: float) -> bool:
    """Whether this share of its cells is filled, in several rows and columns, and no cell holds
    rows of its own."""
    filled, packed, total = [], 0, 0
    for cell, inside in zip(grid.cells, _texts(grid, words), strict=True):
        if inside:
            filled.append(cell)
            total += len(inside)
            packed += len(inside) if _holds_rows(inside) else 0
    if len(filled) < share * len(grid.cells):
        return False
    if len({c.row for c in filled}) < 2 or len({c.col for c in filled}) < 2:
        return False
    return packed < _PACKED * total


def _holds_rows(words: list[Word]) -> bool:
    """Whether a cell holds several numbers one above the other, or columns."""
    lines = read_lines(words)
    numbers = [line for line in lines if all(s.numeric for s in line.segments)]
    if len(numbers) >= 2 and len(numbers) >= 0.6 * len(lines):
        return True
    multiple = sum(line.multiple for line in lines)
    return multiple >= 2 and 2 * multiple >= len(lines)
