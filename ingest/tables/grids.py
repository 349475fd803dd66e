"""Grids of ruling lines: which rules belong together, and the cells between them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ingest.tables.registry import Rect, levels
from ingest.tables.rules import Rule, Rules

_TOUCH = 2.5
"""Points by which rules that meet may miss each other."""
_MOST_CELLS = 20_000
_BORDER_SHARE = 0.6
"""A rule along this share of a cell's side is its border."""
_THINNEST = 3.0
"""Rules nearer to each other than this are one line of the grid."""
_OPEN_SIDE = 10.0


@dataclass(frozen=True, slots=True)
class GridCell:
    row: int
    col: int
    row_span: int
    col_span: int


@dataclass(slots=True)
class Grid:
    """Heights and widths of a grid's lines, and the cells between them."""

    xs: list[float]
    ys: list[float]
    cells: list[GridCell]

    @property
    def rect(self) -> Rect:
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def cell_rect(self, cell: GridCell) -> Rect:
        return (
            self.xs[cell.col],
            self.ys[cell.row],
            self.xs[cell.col + cell.col_span],
            self.ys[cell.row + cell.row_span],
        )


def grids(rules: Rules) -> list[Grid]:
    """Grids of at least two cells, top to bottom."""
    found = []
    for across, upright in _connected(rules):
        grid = _grid(across, upright)
        if grid is not None and len(grid.cells) > 1:
            found.append(grid)
    return sorted(found, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _connected(
    rules: Rules,
) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that touch each other, directly or through others."""
    owner = list(range(len(rules.horizontal) + len(rules.vertical)))

    def root(i: int) -> int:
        while owner[i] != i:
            owner[i] = owner[owner[i]]
            i = owner[i]
        return i

    offset = len(rules.horizontal)
    for j, (x, y0, y1) in enumerate(rules.vertical):
        for i, (y, x0, x1) in enumerate(rules.horizontal):
            if y > y1 + _TOUCH:
                break
            if y >= y0 - _TOUCH and x0 - _TOUCH <= x <= x1 + _TOUCH:
                owner[root(offset + j)] = root(i)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = defaultdict(lambda: ([], []))
    for i, rule in enumerate(rules.horizontal):
        groups[root(i)][0].append(rule)
    for j, rule in enumerate(rules.vertical):
        groups[root(offset + j)][1].append(rule)
    return [group for group in groups.values() if group[0] and group[1]]


def _grid(across: list[Rule], upright: list[Rule]) -> Grid | None:
    ys, xs = (levels([rule[0] for rule in rules], _THINNEST) for rules in (across, upright))
    # A side without a rule: the rules that meet it end there all the same.
    across, upright = (
        across + _open_sides(ys, upright, xs[0], xs[-1]),
        upright + _open_sides(xs, across, ys[0], ys[-1]),
    )
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 1 or columns < 1 or rows * columns > _MOST_CELLS:
        return None
    owner = {(r, c): (r, c) for r in range(rows) for c in range(columns)}

    def root(slot: tuple[int, int]) -> tuple[int, int]:
        while owner[slot] != slot:
            slot = owner[slot]
        return slot

    for r, c in list(owner):
        if c + 1 < columns and not _covered(upright, xs[c + 1], ys[r], ys[r + 1]):
            owner[root((r, c + 1))] = root((r, c))
        if r + 1 < rows and not _covered(across, ys[r + 1], xs[c], xs[c + 1]):
            owner[root((r + 1, c))] = root((r, c))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for slot in owner:
        groups[root(slot)].append(slot)
    cells = [cell for slots in groups.values() for cell in _rectangles(slots)]
    return Grid(xs, ys, sorted(cells, key=lambda cell: (cell.row, cell.col)))


def _open_sides(lines: list[float], rules: list[Rule], start: float, end: float) -> list[Rule]:
    """Adds to the lines those to which rules across them reach out, and returns rules there."""
    added = []
    first, last = min(rule[1] for rule in rules), max(rule[2] for rule in rules)
    if first < lines[0] - _OPEN_SIDE:
        lines.insert(0, first)
        added.append((first, start, end))
    if last > lines[-1] + _OPEN_SIDE:
        lines.append(last)
        added.append((last, start, end))
    return added


def _rectangles(slots: list[tuple[int, int]]) -> list[GridCell]:
    """Grid positions without rules between them as one cell; where they are no rectangle nobody
    knows where a cell ends, and each is its own."""
    rows, columns = {r for r, _ in slots}, {c for _, c in slots}
    if len(rows) * len(columns) == len(slots):
        return [GridCell(min(rows), min(columns), len(rows), len(columns))]
    return [GridCell(r, c, 1, 1) for r, c in slots]


def _covered(rules: list[Rule], at: float, start: float, end: float) -> bool:
    covered = 0.0
    for level, a, b in rules:
        if abs(level - at) <= _THINNEST:
            covered += max(0.0, min(b, end) - max(a, start))
    return covered >= _BORDER_SHARE * (end - start)
