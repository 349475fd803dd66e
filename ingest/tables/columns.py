"""The columns of some lines: bands that their words leave free, and who stands between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ingest.tables.lines import (
    Line,
    Segment,
    holds_numbers,
    is_closing,
    is_currency,
    is_mark,
    is_value,
    segment_of,
)

_DATA_OPEN, _TEXT_OPEN = 0.04, 0.1
"""Share of the lines that may cross a gap between columns, in tables of numbers and of words."""
_OPEN_FROM = 8
"""With this many lines one may cross a gap: a heading among the data."""
_INSET = 0.3
"""Share of the type size by which a segment may reach over the edge of a column."""
MOST_COLUMNS = 80
"""A text with more gaps than this is scattered and no table."""
_GUTTER = 1.2
"""Two tables side by side stand farther apart by this than their columns."""
_MOSTLY = 0.7
_PARTING = 1.4
"""A space this many times as wide as the others of a phrase can part two columns."""

Gap = tuple[float, float]


@dataclass(slots=True)
class LineCell:
    """Segments of one line that stand in columns first to last."""

    first: int
    last: int
    segments: list[Segment]

    @property
    def numeric(self) -> bool:
        return holds_numbers(self.segments)

    @property
    def text(self) -> str:
        return " ".join(s.text for s in self.segments)

    @property
    def x0(self) -> float:
        return self.segments[0].x0

    @property
    def x1(self) -> float:
        return self.segments[-1].x1


@dataclass(slots=True)
class Columns:
    """Lines of a table, the gaps between its columns, and each line's cells."""

    lines: list[Line]
    gaps: list[Gap]
    rows: list[list[LineCell]]

    @property
    def columns(self) -> int:
        return len(self.gaps) + 1


def gaps_of(lines: list[Line]) -> list[Gap]:
    """The gaps between columns: bands that (nearly) no line of the body enters, with text on both
    sides in some line."""
    body, open_share = _body(lines)
    if not body:
        return []
    x0 = min(line.x0 for line in body)
    width = int(max(line.x1 for line in body) - x0) + 1
    inked = np.zeros((len(body), width + 1), dtype=bool)
    for row, line in zip(inked, body, strict=True):
        for s in line.segments:
            row[int(s.x0 - x0) : max(int(s.x0 - x0) + 1, int(np.ceil(s.x1 - x0)))] = True
    open_lines = max(int(open_share * len(body)), int(len(body) >= _OPEN_FROM))
    free = inked.sum(axis=0) <= open_lines
    left = np.logical_or.accumulate(inked, axis=1)
    right = np.logical_or.accumulate(inked[:, ::-1], axis=1)[:, ::-1]
    edges = np.flatnonzero(np.diff(free.astype(np.int8), prepend=0, append=0))
    gaps = []
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        for c, d in _without_islands(x0 + a, x0 + b, body):
            a, b = int(c - x0), int(d - x0)
            if a <= 0 or b > width:
                continue
            supporting = int((left[:, a] & right[:, min(b, width)]).sum())
            if supporting >= min(2, len(body)):
                gaps.append((c, d))
    return gaps


def _without_islands(start: float, end: float, body: list[Line]) -> list[Gap]:
    """A gap that lines may cross, cut around what stands alone in it: a column of few entries."""
    islands = sorted(
        (s.x0, s.x1) for line in body for s in line.segments if s.x0 > start + 1 and s.x1 < end - 1
    )
    gaps = []
    for x0, x1 in islands:
        if x0 > start:
            gaps.append((start, x0))
        start = max(start, x1)
    return [*gaps, (start, end)]


def _body(lines: list[Line]) -> tuple[list[Line], float]:
    """The lines that show the columns: those with numbers, where there are enough of them."""
    multiple = [line for line in lines if line.multiple]
    data = [line for line in multiple if any(is_value(s) for s in line.segments[1:])]
    if len(data) >= max(2, 0.4 * len(multiple)):
        return data, _DATA_OPEN
    return multiple, _TEXT_OPEN


def with_empty_columns(lines: list[Line], gaps: list[Gap]) -> list[Gap]:
    """The gaps cut around headers that stand alone in them, where a line of headers has more than
    there are columns of values: columns that hold nothing."""
    if not gaps:
        return gaps
    for line in lines:
        headers = [s for s in line.segments if s.x0 > gaps[0][0]]
        if any(is_value(s) for s in headers) or len(headers) <= len(gaps):
            continue
        for header in headers:
            at = next((i for i, (a, b) in enumerate(gaps) if a < header.x0 and header.x1 < b), None)
            if at is not None:
                start, end = gaps[at]
                gaps = [*gaps[:at], (start, header.x0), (header.x1, end), *gaps[at + 1 :]]
        break
    return gaps


def without_mark_columns(lines: list[Line], gaps: list[Gap]) -> list[Gap]:
    """The gaps without those that part a number from its sign: columns that hold only currency
    signs or minuses go to the next, those of per cent signs or brackets to the one before. A column
    of dashes with a header of its own says that there is nothing."""
    while gaps:
        needless = _needless_gap(lines, gaps)
        if needless is None:
            break
        gaps = gaps[:needless] + gaps[needless + 1 :]
    return gaps


def _needless_gap(lines: list[Line], gaps: list[Gap]) -> int | None:
    """The first gap that parts a number from its sign."""
    marks: list[list[str]] = [[] for _ in range(len(gaps) + 1)]
    named = [False] * (len(gaps) + 1)
    other = [False] * (len(gaps) + 1)
    for line in lines:
        numbers = any(s.numeric for s in line.segments)
        for cell in line_cells(line, gaps):
            if cell.first != cell.last:
                continue
            if not cell.numeric and any(map(str.isalnum, cell.text)):
                named[cell.first] = True
            elif numbers and (is_mark(cell.text) or is_closing(cell.text)):
                marks[cell.first].append(cell.text)
            elif numbers:
                other[cell.first] = True
    for column, texts in enumerate(marks):
        if not texts or other[column]:
            continue
        dashes = named[column] and not all(map(is_currency, texts))
        if column < len(gaps) and all(map(is_mark, texts)) and not dashes:
            return column
        if column > 0 and all(map(is_closing, texts)):
            return column - 1
    return None


def gutter_of(table: Columns) -> float | None:
    """The middle of the gap between two tables side by side: wider than the others, with labels on
    its right that begin anew after numbers; None where there is none."""
    widths = [end - start for start, end in table.gaps]
    for column in range(2, table.columns - 1):
        others = widths[1 : column - 1] + widths[column + 1 :]
        if others and widths[column - 1] < _GUTTER * max(others):
            continue
        if (
            _holds_labels(table, column)
            and not _holds_labels(table, column - 1)
            and not _holds_labels(table, column + 1)
        ):
            start, end = table.gaps[column - 1]
            return (start + end) / 2
    return None


def _holds_labels(table: Columns, column: int) -> bool:
    """Whether most cells of a column beside numbers are words."""
    cells = [
        cell
        for row in table.rows
        if any(is_value(s) for c in row for s in c.segments)
        for cell in row
        if cell.first == cell.last == column
    ]
    words = sum(any(map(str.isalpha, cell.text)) and not cell.numeric for cell in cells)
    return len(cells) > 1 and words >= _MOSTLY * len(cells)


def line_cells(line: Line, gaps: Sequence[Gap]) -> list[LineCell]:
    """A line's segments by the columns in which they stand."""
    cells: list[LineCell] = []
    for s in (part for segment in line.segments for part in _parted(segment, gaps)):
        first, last = _standing(s, gaps)
        if cells and cells[-1].last >= first:
            cells[-1].last = max(last, cells[-1].last)
            cells[-1].segments.append(s)
        else:
            cells.append(LineCell(first, last, [s]))
    return cells


def _standing(s: Segment, gaps: Sequence[Gap]) -> tuple[int, int]:
    """The columns over or under whose text a segment stands; in a gap, the nearer one."""
    inset = min(_INSET * s.size, (s.x1 - s.x0) / 4)
    first = sum(s.x0 + inset >= start for start, _ in gaps)
    last = sum(s.x1 - inset > end for _, end in gaps)
    if last >= first:
        return first, last
    # It stands in the gap between columns last and first.
    start, end = gaps[last]
    nearer = last if s.x0 + s.x1 < start + end else first
    return nearer, nearer


def one_each(table: Columns, row: int) -> list[LineCell]:
    """The cells of a header line, one a column in order where it has as many phrases or words as
    there are columns of values: headers are often set from another edge than the numbers."""
    cells, line, left = table.rows[row], table.lines[row], table.gaps[0][0]
    columns = table.columns - 1
    values = [s for s in line.segments if s.x0 > left]
    if len([c for c in cells if c.first > 0]) == columns or not values:
        return cells
    words = [segment_of([word]) for s in values for word in s.words] if len(values) > 1 else []
    for parts in (values, words):
        plain = not any(map(str.isdigit, "".join(part.text for part in parts)))
        if (
            len(parts) == columns
            and (parts is values or plain)
            and all(_is_near(part, table.gaps, column) for column, part in enumerate(parts, 1))
        ):
            named = [LineCell(column, column, [part]) for column, part in enumerate(parts, 1)]
            return [c for c in cells if c.last == 0] + named
    return cells


def _is_near(segment: Segment, gaps: Sequence[Gap], column: int) -> bool:
    """Whether a header stands no farther away than in the gaps beside its column."""
    right = gaps[column][1] if column < len(gaps) else float("inf")
    return segment.x1 > gaps[column - 1][0] and segment.x0 < right


def _parted(segment: Segment, gaps: Sequence[Gap]) -> list[Segment]:
    """A segment cut where it crosses gaps between columns and has spaces there that are wider than
    its others: headers are set closer than the numbers under them."""
    crossed = [gap for gap in gaps if segment.x0 < gap[0] and segment.x1 > gap[1]]
    if not crossed or len(segment.words) < 2:
        return [segment]
    spaces = [after.x0 - before.x1 for before, after in pairwise(segment.words)]
    usual = sorted(spaces)[len(spaces) // 2 - (len(spaces) > 1)]
    cuts = set()
    for start, end in crossed:
        inside = [
            i
            for i, (before, after) in enumerate(pairwise(segment.words))
            if before.x1 < end + 1 and after.x0 > start - 1
        ]
        if not inside:
            return [segment]
        widest = max(inside, key=lambda i: spaces[i])
        alone = len(spaces) == 1
        if spaces[widest] < _PARTING * (segment.size if alone else max(usual, 0.25 * segment.size)):
            return [segment]
        cuts.add(widest)
    if len(cuts) < len(crossed):
        return [segment]
    bounds = [0, *(cut + 1 for cut in sorted(cuts)), len(segment.words)]
    return [segment_of(segment.words[a:b]) for a, b in pairwise(bounds)]
