"""The columns of some lines: bands that their words leave free, and who stands between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ingest.tables.lines import Line, Segment, segment_of

_DATA_OPEN, _TEXT_OPEN = 0.04, 0.1
"""Share of the lines that may cross a gap between columns, in tables of numbers and of words."""
_OPEN_FROM = 8
"""With this many lines one may cross a gap: a heading among the data."""
_INSET = 0.3
"""Share of the type size by which a segment may reach over the edge of a column."""
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
        return all(s.numeric for s in self.segments)

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
    data = [line for line in multiple if any(s.numeric for s in line.segments[1:])]
    if len(data) >= max(2, 0.4 * len(multiple)):
        return data, _DATA_OPEN
    return multiple, _TEXT_OPEN


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
