"""What stands in a cell: the characters whose centres lie in its box, never an engine's string."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import bidirectional

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import CellContent, PageContent, Piece, TableContent
from grounding.geometry import Box, PageFrame
from grounding.model import ElementKind
from ingest.tables.registry import FoundCell, FoundTable, Rect
from ingest.tables.structure import first_row_stands_out, mark_header, structure
from ingest.tables.words import Direction, readable, turned

_FILLED = 2
"""A table has at least this many cells with text; fewer is a frame around something."""
_MOSTLY = 0.6
"""An element of which this share lies in a table belongs to it."""
_SAME_LINE = 0.4
_WORD_GAP = 0.12


def build_table(
    found: FoundTable, content: PageContent, boxes: NDArray[np.int64], engine: str
) -> TableContent | None:
    """A found grid filled with the page's characters; None when it is no table."""
    whole = _box(found.rect, content.frame)
    if whole is None or not len(boxes):
        return None
    x, y = (boxes[:, 0] + boxes[:, 2]) // 2, (boxes[:, 1] + boxes[:, 3]) // 2
    printed = readable(content)
    inside = np.flatnonzero(_within(x, y, whole) & printed)
    direction = _direction(x, y, inside, content.text)
    if not found.as_read:
        found = _as_read(found, direction)
    read = turned(boxes / 100.0, direction)
    owners, owner = np.zeros(len(boxes), dtype=np.int64), np.zeros(len(boxes), dtype=np.int64)
    cells: list[CellContent] = []
    for cell in found.cells:
        box = _box(cell.rect, content.frame)
        if box is None:
            continue
        mine = inside[_within(x[inside], y[inside], box)]
        owners[mine] += 1
        owner[mine] = len(cells)
        text, ranges = _cell_text(mine, content.text, read)
        cells.append(
            CellContent(cell.row, cell.col, cell.row_span, cell.col_span, box, text, ranges)
        )
    if sum(bool(cell.text) for cell in cells) < _FILLED:
        return None
    mark_header(cells, found.header_rows, distinct=first_row_stands_out(cells, content))
    # Every character of the region belongs to exactly one cell and no word to two, or the grid is
    # in doubt.
    cut = (np.diff(inside) == 1) & (np.diff(owner[inside]) != 0) & _touching(inside, read)
    trusted = bool((owners[inside] == 1).all()) and not cut.any()
    table = TableContent(whole, found.rows, found.columns, engine, trusted, cells)
    structure(table, content, boxes, direction)
    return table


def _drawn_forward(
    ranges: tuple[tuple[int, int], ...], text: str, read: NDArray[np.float64]
) -> tuple[tuple[int, int], ...]:
    """Pieces of text cut where drawing went back on its line, as for a currency sign that was put
    before its number at last."""
    cut: list[tuple[int, int]] = []
    for start, end in ranges:
        first = start
        for at in range(start + 1, end):
            before = at - 1
            while before > first and text[before].isspace():
                before -= 1
            back = not text[at].isspace() and read[at, 2] < read[before, 0]
            same = abs(read[at, 1] - read[before, 1]) < read[at, 3] - read[at, 1]
            if back and same and bidirectional(text[at]) not in ("R", "AL"):
                cut.append((first, before + 1))
                first = at
        cut.append((first, end))
    return tuple(cut)


def _touching(inside: NDArray[np.int64], read: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which characters stand close behind the one before them, as in one word."""
    before, after = read[inside[:-1]], read[inside[1:]]
    gap: NDArray[np.float64] = after[:, 0] - before[:, 2]
    return np.asarray(np.abs(gap) < _WORD_GAP * (before[:, 3] - before[:, 1]))


def _cell_text(
    characters: NDArray[np.int64], text: str, read: NDArray[np.float64]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A cell's text as it is read, line by line, and the pieces of the page's text that it is made
    of, in the same order."""
    ranges = _drawn_forward(_ranges(characters, text), text, read)
    if len(ranges) < 2:
        return "".join(text[start:end] for start, end in ranges), ranges
    lines: list[tuple[float, float, list[tuple[int, int]]]] = []
    for piece in sorted(ranges, key=lambda r: float(read[r[0], 1] + read[r[0], 3])):
        middle = float(read[piece[0], 1] + read[piece[0], 3]) / 2
        height = float(read[piece[0], 3] - read[piece[0], 1])
        if lines and middle - lines[-1][0] < _SAME_LINE * min(height, lines[-1][1]):
            lines[-1][2].append(piece)
        else:
            lines.append((middle, height, [piece]))
    parts, ordered = [], []
    for _, _, pieces in lines:
        if not any(bidirectional(text[start]) in ("R", "AL") for start, _ in pieces):
            pieces.sort(key=lambda r: float(read[r[0], 0]))
        parts.append(" ".join(text[start:end] for start, end in pieces))
        ordered.extend(pieces)
    return "\n".join(parts), tuple(ordered)


def _direction(
    x: NDArray[np.int64], y: NDArray[np.int64], inside: NDArray[np.int64], text: str
) -> Direction:
    """Which way the text of a region runs."""
    after = inside[1:][np.diff(inside) == 1]
    # Letters of right-to-left scripts follow each other leftwards on an upright page.
    after = np.array([i for i in after.tolist() if bidirectional(text[i]) not in ("R", "AL")], int)
    dx, dy = int((x[after] - x[after - 1]).sum()), int((y[after] - y[after - 1]).sum())
    if abs(dx) >= abs(dy):
        return (1, 0) if dx >= 0 else (-1, 0)
    return (0, 1) if dy > 0 else (0, -1)


def _as_read(found: FoundTable, direction: Direction) -> FoundTable:
    """The grid with the rows and columns of its reader, who turns the page where the text is
    turned. Engines count from the top left of the page, whichever way the text runs."""
    rows, columns = found.rows, found.columns
    if direction == (1, 0):
        return found
    if direction == (-1, 0):
        turned_cells = [
            replace(c, row=rows - c.row - c.row_span, col=columns - c.col - c.col_span)
            for c in found.cells
        ]
    else:
        down = direction == (0, 1)
        rows, columns = columns, rows
        turned_cells = [
            FoundCell(
                found.columns - c.col - c.col_span if down else c.col,
                c.row if down else found.rows - c.row - c.row_span,
                c.col_span,
                c.row_span,
                c.rect,
            )
            for c in found.cells
        ]
    ordered = sorted(turned_cells, key=lambda c: (c.row, c.col))
    return FoundTable(found.rect, rows, columns, tuple(ordered), as_read=True)


def _box(rect: Rect, frame: PageFrame) -> Box | None:
    x0, y0, x1, y1 = (round(value * 100) for value in rect)
    return frame.clamp(x0, y0, x1, y1)


def _within(x: NDArray[np.int64], y: NDArray[np.int64], box: Box) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = (x >= box.x0) & (x < box.x1) & (y >= box.y0) & (y < box.y1)
    return inside


def _ranges(indices: NDArray[np.int64], text: str) -> tuple[tuple[int, int], ...]:
    """Indices of characters as ranges; white space between two of them does not part them."""
    ranges: list[list[int]] = []
    for index in indices.tolist():
        if ranges and not text[ranges[-1][1] : index].strip():
            ranges[-1][1] = index + 1
        else:
            ranges.append([index, index + 1])
    return tuple((start, end) for start, end in ranges)


def adopt_elements(content: PageContent) -> None:
    """Elements that lie in a table become parts of it, and what was said in one table is not said
    of another."""
    owned = sorted(
        (*piece, number)
        for number, table in enumerate(content.tables)
        for cell in table.cells
        for piece in cell.ranges
    )
    for number, table in enumerate(content.tables):
        if _in_another(table.caption_ranges, number, owned):
            table.caption, table.caption_ranges = "", ()
        if _in_another(table.statement_ranges, number, owned):
            table.statement, table.statement_ranges = "", ()
    for number, table in enumerate(content.tables):
        for element in content.elements:
            if element.kind is ElementKind.FIGURE:
                continue
            area = element.box.width * element.box.height
            if element.box.overlap(table.box) >= _MOSTLY * area:
                element.kind, element.table = ElementKind.TABLE, number


def _in_another(ranges: tuple[Piece, ...], number: int, owned: list[tuple[int, int, int]]) -> bool:
    """Whether a piece of text stands in a cell of another table than `number`."""
    return any(
        start < b and a < end and owner != number for start, end in ranges for a, b, owner in owned
    )
