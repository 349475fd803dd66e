"""Tables that few rules draw, found by the alignment of their words."""

from __future__ import annotations

import re
from itertools import pairwise

from ingest.tables.columns import Columns
from ingest.tables.header import Piece
from ingest.tables.lines import holds_numbers
from ingest.tables.regions import columns_in
from ingest.tables.registry import FoundCell, FoundTable
from ingest.tables.rows import Rows, rows_of
from ingest.tables.rules import Rules
from ingest.tables.view import PageView
from ingest.tables.words import unturned

_MARGIN = 1.0


class Aligned:
    """Words in columns, by the gaps between them. A page of prose or a list in two columns has such
    gaps, too: only what holds numbers or many short cells is taken for a table."""

    name = "aligned"

    def find(self, view: PageView) -> list[FoundTable]:
        found = []
        for direction, words in view.words():
            rules = view.rules(direction)
            for columns in columns_in(words, rules):
                rows = rows_of(columns, rules)
                if is_table(columns, rows, rules):
                    found.append(_found(columns, rows, direction))
        return found


def is_table(columns: Columns, rows: Rows, rules: Rules) -> bool:
    """Whether a reader would call it a table: it holds numbers under each other beside labels, or
    many short cells between rules; a list, an index, the axes of a chart or a signature block is
    none."""
    body = [p for p in rows.cells if p.row >= rows.header]
    values = [p for p in body if p.col > 0]
    numeric = [p for p in values if holds_numbers(p.segments)]
    if len(numeric) * 2 >= len(values) and numeric:
        return (
            len({p.row for p in numeric})
            >= (_NUMBER_ROWS if len({p.col for p in numeric}) == 1 else 2)
            and _is_labelled(columns, rows, numeric)
            and not _is_index(columns, rows)
            and not _is_axes(columns, rows)
        )
    return _is_text_table(columns, rows, rules)


_NUMBER_ROWS = 3
_TEXT_COLUMNS, _TEXT_ROWS, _TEXT_FILLED, _TEXT_LENGTH = 3, 4, 0.6, 40
_TEXT_RULE, _TEXT_AREA = 0.8, 1.3
_INDEX_ROWS = 4
_LEADING_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_FEWEST_MARKS = 4
_EVEN = 0.7


def _is_labelled(columns: Columns, rows: Rows, numeric: list[Piece]) -> bool:
    """Whether words say what the numbers are: in the first column, or above them."""
    first = [p for p in rows.cells if p.col == 0 and p.row >= rows.header]
    words = sum(any(c.isalpha() for c in p.text) for p in first)
    header = any(
        any(c.isalpha() for c in p.text) for p in rows.cells if p.row < max(2, rows.header)
    )
    return words * 2 >= len({p.row for p in numeric}) or (header and bool(first))


def _is_index(columns: Columns, rows: Rows) -> bool:
    """A list of contents: page numbers that grow downwards beside titles."""
    last = [p.text for p in rows.cells if p.col == columns.columns - 1 and p.row >= rows.header]
    pages = [int(text) for text in last if text.isdigit()]
    if columns.columns > 3 or len(pages) < max(_INDEX_ROWS, 0.8 * len(last)):
        return False
    return all(a <= b for a, b in pairwise(pages)) and pages[-1] < 2000


def _is_axes(columns: Columns, rows: Rows) -> bool:
    """The marks of a chart's axes: the columns of numbers count in even steps."""
    first = [p.text for p in rows.cells if p.col == 0]
    if 2 * sum(any(map(str.isalpha, text)) for text in first) > len(first):
        return False
    by_column: dict[int, list[float]] = {}
    for piece in sorted(rows.cells, key=lambda p: p.row):
        number = _LEADING_NUMBER.match(piece.text)
        if number:
            by_column.setdefault(piece.col, []).append(float(number[0].replace(",", "")))
    numeric = [values for values in by_column.values() if len(values) >= _FEWEST_MARKS]
    return bool(numeric) and all(map(_counts_evenly, numeric))


def _counts_evenly(values: list[float]) -> bool:
    steps = [round(b - a, 6) for a, b in pairwise(values)]
    usual = max(set(steps), key=steps.count)
    return usual != 0 and steps.count(usual) >= _EVEN * len(steps)


def _is_text_table(columns: Columns, rows: Rows, rules: Rules) -> bool:
    count = len(rows.lines)
    if columns.columns < _TEXT_COLUMNS or count < _TEXT_ROWS:
        return False
    if len(rows.cells) < _TEXT_FILLED * count * columns.columns:
        return False
    lengths = sorted(len(p.text) for p in rows.cells)
    if lengths[len(lengths) // 2] > _TEXT_LENGTH:
        return False
    x0, x1 = min(line.x0 for line in columns.lines), max(line.x1 for line in columns.lines)
    top, bottom = columns.lines[0].y0 - 6, columns.lines[-1].y1 + 6
    edged = rules.with_edges()
    across = {
        round(y)
        for y, a, b in edged.horizontal
        if top <= y <= bottom
        and min(b, x1) - max(a, x0) > _TEXT_RULE * (x1 - x0)
        and b - a < _TEXT_AREA * (x1 - x0)
    }
    return len(across) >= 2


def _found(columns: Columns, rows: Rows, direction: tuple[int, int]) -> FoundTable:
    xs = _vertical_edges(columns)
    ys = _horizontal_edges(columns, rows)
    header = [p for p in rows.cells if p.row < rows.header]
    heights = {id(p): _height(p, header, ys[0], ys[rows.header]) for p in header}
    cells = []
    sides = [
        _across([p for p in rows.cells if p.row <= row <= p.last_row], columns, xs)
        for row in range(len(rows.lines))
    ]
    for row, items in enumerate(sides):
        for piece, col, last_col, left, right in items:
            if piece is None:
                top, bottom = _free(col, header, heights, ys[row], ys[row + 1])
                rect = (left, top, right, bottom)
                cells.append(FoundCell(row, col, 1, 1, unturned(rect, direction)))
            elif piece.row == row:
                top, bottom = heights.get(id(piece), (ys[row], ys[piece.last_row + 1]))
                spans = piece.last_row - row + 1, last_col - col + 1
                for other_row in sides[row + 1 : piece.last_row + 1]:
                    for other, _, _, other_left, other_right in other_row:
                        if other is piece:
                            left, right = max(left, other_left), min(right, other_right)
                rect = (left, top, right, bottom)
                cells.append(FoundCell(row, col, *spans, unturned(rect, direction)))
    whole = unturned((xs[0], ys[0], xs[-1], ys[-1]), direction)
    return FoundTable(
        whole, len(rows.lines), columns.columns, tuple(cells), as_read=True, header_rows=rows.header
    )


def _height(piece: Piece, header: list[Piece], top: float, bottom: float) -> tuple[float, float]:
    """From where to where a header cell reaches: half way to those above and below it. The lines of
    headers side by side need not be on the same baselines."""
    first, last = min(_middles(piece)), max(_middles(piece))
    for other in header:
        if other is piece or other.col > piece.last_col or other.last_col < piece.col:
            continue
        lowest, highest = max(_middles(other)), min(_middles(other))
        if lowest < first:
            top = max(top, (lowest + first) / 2)
        elif highest > last:
            bottom = min(bottom, (highest + last) / 2)
    return top, bottom


def _middles(piece: Piece) -> list[float]:
    return [(s.y0 + s.y1) / 2 for s in piece.segments]


def _free(
    col: int,
    header: list[Piece],
    heights: dict[int, tuple[float, float]],
    top: float,
    bottom: float,
) -> tuple[float, float]:
    """What the header cells over or under a blank leave of its height."""
    middle = (top + bottom) / 2
    for piece in header:
        if piece.col <= col <= piece.last_col:
            start, end = heights[id(piece)]
            if (start + end) / 2 < middle:
                top = min(max(top, end), bottom)
            else:
                bottom = max(min(bottom, start), top)
    return top, bottom


def _vertical_edges(columns: Columns) -> list[float]:
    left = min(line.x0 for line in columns.lines) - _MARGIN
    right = max(line.x1 for line in columns.lines) + _MARGIN
    return [left, *((a + b) / 2 for a, b in columns.gaps), right]


def _horizontal_edges(columns: Columns, rows: Rows) -> list[float]:
    lines = columns.lines
    edges = [lines[rows.lines[0][0]].y0 - _MARGIN]
    for (_, above), (below, _) in pairwise(rows.lines):
        edges.append((lines[above].middle + lines[below].middle) / 2)
    return [*edges, lines[rows.lines[-1][1]].y1 + _MARGIN]


def _across(
    standing: list[Piece], columns: Columns, xs: list[float]
) -> list[tuple[Piece | None, int, int, float, float]]:
    """What stands in a row from left to right, blanks included: (cell, columns, left, right). Text
    that reaches over the edge of its column takes the edge with it."""
    items: list[tuple[Piece | None, int, int]] = []
    col = 0
    for piece in sorted(standing, key=lambda p: p.col):
        if piece.col < col:
            continue
        items.extend((None, c, c) for c in range(col, piece.col))
        items.append((piece, piece.col, piece.last_col))
        col = piece.last_col + 1
    items.extend((None, c, c) for c in range(col, columns.columns))
    edges = [xs[0]]
    for (before, _, last), (after, _, _) in pairwise(items):
        edge = xs[last + 1]
        if before is not None and after is not None and not before.x1 <= edge <= after.x0:
            edge = (before.x1 + after.x0) / 2
        elif before is not None:
            edge = max(edge, before.x1 + 0.1)
        elif after is not None:
            edge = min(edge, after.x0 - 0.1)
        edges.append(edge)
    edges.append(xs[-1])
    return [
        (piece, first, last, left, right)
        for (piece, first, last), (left, right) in zip(items, pairwise(edges), strict=True)
    ]
