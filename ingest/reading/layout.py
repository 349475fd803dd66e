"""Reading order: fragments become rows, blocks and columns.

The order in which a page was drawn is right on most pages, and it is the order that other
extractors report. It is kept unless the page itself contradicts it: lines of two prose columns
drawn alternately, or a block drawn before one that stands above it in the same column.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import groupby, pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from ingest.reading.glyphs import Fragment, Rect

_PROSE_CHARACTERS = 20
_PROSE_WORDS = 3
_PROSE_LETTERS = 0.6
_COLUMN_LINES = 4
"""Fewer prose lines a side than this are a table as likely as two columns."""
_GUTTER_POINTS = 6.0
_FULL_LINE = 0.7
"""Lines of a prose column fill it; cells of a table do not."""
_MARGIN = 0.09
"""Share of the page's height at its top and bottom in which running heads and feet stand."""
_SCATTERED = 0.25
"""Share of a page's groups that may have been drawn out of order before order is in doubt."""
_SHARED_POINTS = 1.0
_LEADING_POINTS = 1.0


@dataclass(slots=True)
class Row:
    """Fragments on one baseline, in text order."""

    fragments: list[Fragment]

    @property
    def text(self) -> str:
        return " ".join([fragment.text.strip() for fragment in self.fragments])


@dataclass(slots=True)
class Block:
    """Rows that belong together; the box is in displayed points."""

    rows: list[Row]
    box: Rect


@dataclass(slots=True)
class Layout:
    """Blocks in reading order, and whether the order was certain."""

    blocks: list[Block]
    certain: bool


def arrange(fragments: list[Fragment], width: float, height: float) -> Layout:
    """Reading order of a page of `width` by `height` points."""
    groups, certain = _ordered(fragments, width)
    blocks = [_block(group) for group in groups]
    top = [b for b in blocks if b.box[3] <= _MARGIN * height and len(b.rows) <= 3]
    bottom = [b for b in blocks if b.box[1] >= (1 - _MARGIN) * height and len(b.rows) <= 3]
    if top or bottom:
        aside = {id(b) for b in (*top, *bottom)}
        middle = [b for b in blocks if id(b) not in aside]
        top.sort(key=lambda b: (round(b.box[1]), b.box[0]))
        bottom.sort(key=lambda b: (round(b.box[1]), b.box[0]))
        blocks = [*top, *middle, *bottom]
    return Layout(blocks, certain)


def union(boxes: list[Rect]) -> Rect:
    """The rectangle around all of them."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def is_prose(text: str) -> bool:
    """Whether a fragment reads like part of a sentence rather than a cell or a label."""
    if len(text) < _PROSE_CHARACTERS or text.count(" ") < _PROSE_WORDS - 1:
        return False
    return sum(map(str.isalpha, text)) >= _PROSE_LETTERS * len(text)


def _ordered(fragments: list[Fragment], width: float) -> tuple[list[list[Fragment]], bool]:
    """Groups of fragments in reading order; whether that order is certain."""
    columns = _interleaved_columns(fragments, width)
    if columns is not None:
        return columns, True
    return _downwards(_by_block(fragments))


def _by_block(fragments: list[Fragment]) -> list[list[Fragment]]:
    return [list(group) for _, group in groupby(fragments, key=lambda f: f.block)]


def _downwards(groups: list[list[Fragment]]) -> tuple[list[list[Fragment]], bool]:
    """Drawing order, but never upwards within a column: a group waits for all that stand above it
    and share some of its width. Uncertain when much of the page had to be moved."""
    count = len(groups)
    if count < 2:
        return groups, True
    boxes = np.array([union([f.box for f in group]) for group in groups])
    x0, y0, x1, y1 = boxes.T
    shared = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0) > _SHARED_POINTS
    middle = (y0 + y1) / 2
    below = (y1[:, None] <= y0 + _LEADING_POINTS) & (middle[:, None] < middle)
    above: NDArray[np.bool_] = np.asarray(shared & below)
    if not np.tril(above).any():
        return groups, True
    waits = above.sum(axis=0)
    loose = _loose(above, middle)
    order: list[int] = []
    ready = [(bool(loose[i]), i) for i in range(count) if not waits[i]]
    heapify(ready)
    while ready:
        _, first = heappop(ready)
        order.append(first)
        for later in np.flatnonzero(above[first]).tolist():
            waits[later] -= 1
            if not waits[later]:
                heappush(ready, (bool(loose[later]), later))
    moved = sum(a > b for a, b in pairwise(order))
    return [groups[i] for i in order], moved <= _SCATTERED * count


def _loose(above: NDArray[np.bool_], middle: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Groups that were drawn too early and have nothing but such groups below them, as footnotes
    often are: they come last, since the text does not go on behind them."""
    early: NDArray[np.bool_] = np.asarray(np.tril(above).any(axis=0))
    loose = np.zeros(len(middle), dtype=bool)
    for i in np.argsort(-middle).tolist():
        loose[i] = early[i] and not bool(above[i, ~loose].any())
    return loose


def _interleaved_columns(fragments: list[Fragment], width: float) -> list[list[Fragment]] | None:
    """Two prose columns that were drawn line by line across the gutter, put right; None where
    there are none or the drawing order has them apart already."""
    if sum(map(_goes_on_beside, fragments, fragments[1:])) < _COLUMN_LINES:
        return None
    prose = [f for f in fragments if f.direction[0] > 0.5 and is_prose(f.text)]
    gutter = _gutter(prose, width)
    if gutter is None:
        return None
    left = [f for f in prose if f.box[2] <= gutter]
    right = [f for f in prose if f.box[0] >= gutter]
    top = min(f.box[1] for f in (*left, *right))
    bottom = max(f.box[3] for f in (*left, *right))
    inside = [f for f in fragments if f.box[1] >= top - 1 and f.box[3] <= bottom + 1]
    sides = [_side(f, gutter) for f in inside]
    crossings = sum(a != b for a, b in pairwise(sides))
    if crossings * 3 <= len(left) + len(right):
        return None
    if not (_fills_column(left) and _fills_column(right)):
        return None
    return _by_column(fragments, gutter, top, bottom)


def _goes_on_beside(before: Fragment, after: Fragment) -> bool:
    """Whether drawing went on to the right at the same height, as over a gutter or in a table."""
    return after.box[0] >= before.box[2] and abs(after.box[1] - before.box[1]) < after.size


def _side(fragment: Fragment, gutter: float) -> int:
    return -1 if fragment.box[2] <= gutter else 1 if fragment.box[0] >= gutter else 0


def _fills_column(lines: list[Fragment]) -> bool:
    column = max(f.box[2] for f in lines) - min(f.box[0] for f in lines)
    return median(f.box[2] - f.box[0] for f in lines) >= _FULL_LINE * column


def _gutter(prose: list[Fragment], width: float) -> float | None:
    """The middle of the widest vertical band that no prose line of a column enters."""
    narrow = [f for f in prose if f.box[2] - f.box[0] < 0.6 * width]
    if len(narrow) < 2 * _COLUMN_LINES:
        return None
    best, best_width = None, _GUTTER_POINTS
    reach = None
    for fragment in sorted(narrow, key=lambda f: f.box[0]):
        x0, x1 = fragment.box[0], fragment.box[2]
        if reach is not None and x0 - reach >= best_width and _two_sided(narrow, reach, x0):
            best, best_width = (reach + x0) / 2, x0 - reach
        reach = x1 if reach is None else max(reach, x1)
    return best


def _two_sided(lines: list[Fragment], left_edge: float, right_edge: float) -> bool:
    left = [f.box for f in lines if f.box[2] <= left_edge]
    right = [f.box for f in lines if f.box[0] >= right_edge]
    if len(left) < _COLUMN_LINES or len(right) < _COLUMN_LINES:
        return False
    top = max(min(b[1] for b in left), min(b[1] for b in right))
    bottom = min(max(b[3] for b in left), max(b[3] for b in right))
    shorter = min(
        max(b[3] for b in left) - min(b[1] for b in left),
        max(b[3] for b in right) - min(b[1] for b in right),
    )
    return bottom - top >= 0.3 * shorter


def _by_column(
    fragments: list[Fragment], gutter: float, top: float, bottom: float
) -> list[list[Fragment]]:
    """Left column before right column, between the lines that cross the gutter."""
    above, below, crossing = [], [], []
    columns: dict[int, list[Fragment]] = {-1: [], 1: []}
    for fragment in fragments:
        side = _side(fragment, gutter)
        if fragment.box[3] <= top:
            above.append(fragment)
        elif fragment.box[1] >= bottom:
            below.append(fragment)
        elif side:
            columns[side].append(fragment)
        else:
            crossing.append(fragment)
    crossing.sort(key=lambda f: f.box[1])
    groups = _by_block(above)
    edges = [f.box[1] for f in crossing]
    for band in range(len(crossing) + 1):
        for side in (-1, 1):
            lines = [f for f in columns[side] if sum(f.box[1] >= edge for edge in edges) == band]
            groups.extend(_paragraphs(lines))
        if band < len(crossing):
            groups.append([crossing[band]])
    return [*groups, *_by_block(below)]


def _paragraphs(lines: list[Fragment]) -> list[list[Fragment]]:
    """Lines of one column, cut where the distance between two grows."""
    groups: list[list[Fragment]] = []
    for line in sorted(lines, key=lambda f: (round(f.baseline), f.box[0])):
        last = groups[-1][-1] if groups else None
        if last is not None and line.box[1] - last.box[3] < 0.6 * line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _block(fragments: list[Fragment]) -> Block:
    rows: list[Row] = []
    for fragment in fragments:
        if rows and _same_row(rows[-1].fragments[-1], fragment):
            rows[-1].fragments.append(fragment)
        else:
            rows.append(Row([fragment]))
    return Block(rows, union([f.box for f in fragments]))


def _same_row(before: Fragment, after: Fragment) -> bool:
    """Whether `after` goes on to the right of `before` on its baseline (as written)."""
    if before.direction != after.direction:
        return False
    dx, dy = before.direction
    tolerance = 0.35 * max(before.size, after.size)
    if dx > 0.99:
        apart = abs(before.baseline - after.baseline)
        return apart < tolerance and after.box[0] >= before.box[2] - 0.5 * after.size
    # Turned text: compare along and across its own direction.
    across = abs(_along(before, -dy, dx) - _along(after, -dy, dx))
    return across < tolerance and _along(after, dx, dy) > _along(before, dx, dy)


def _along(fragment: Fragment, dx: float, dy: float) -> float:
    x0, y0, x1, y1 = fragment.box
    return (x0 + x1) / 2 * dx + (y0 + y1) / 2 * dy
