"""The words of a page as its reader sees them: each direction of writing in a frame of its own, in
which text runs to the right and the next line stands below."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import bidirectional

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import PageContent
from grounding.model import UNSEEN, SpanFlag

_ASIDE = int(UNSEEN | SpanFlag.MARKER)
_FEWEST_WORDS = 2
"""Fewer words in one direction than this are no table."""
_SPLIT = 0.35
"""Share of the type size from which a gap inside a run parts two words."""
_LEADER = re.compile(r"[.\u2026·]{3,}|[.\u2026]+|([-_=*~])\1{3,}")
_LEADERS = re.compile(r"(?:[.\u2026_·]\s?){5,}|([-_=*~])\1{3,}")

Direction = tuple[int, int]
"""Where the next character stands on the displayed page: (1, 0) to the right, (0, 1) below."""

_Run = tuple[int, int, float, bool, Direction | None]
"""Start, end, size and weight of a word, and the direction that it shows."""


@dataclass(slots=True)
class Word:
    """Characters start to end of the page's text without white space between them; the rectangle is
    in points of the reader's frame."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    start: int
    end: int
    bold: bool

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


def readable(content: PageContent) -> NDArray[np.bool_]:
    """Which characters a reader takes for a cell's text: no white space, nothing that nobody sees,
    no dots that lead the eye to a number, and no footnote marker, whose digit would become the
    number's last."""
    mask = np.array([not c.isspace() for c in content.text], dtype=bool)
    for leaders in _LEADERS.finditer(content.text):
        mask[leaders.start() : leaders.end()] = False
    for start, end, *_, flags, _element in content.span_rows():
        if flags & _ASIDE:
            mask[start:end] = False
    return mask


def words_by_direction(
    content: PageContent, boxes: NDArray[np.int64]
) -> Iterator[tuple[Direction, list[Word]]]:
    """The readable words of each direction that has enough of them, most words first."""
    if not len(boxes):
        return
    runs = _runs(content, boxes)
    groups: dict[Direction, list[tuple[int, int, float, bool]]] = defaultdict(list)
    main = _main_direction(runs)
    for start, end, size, bold, direction in runs:
        groups[direction or main].append((start, end, size, bold))
    for direction, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        if len(group) >= _FEWEST_WORDS:
            yield direction, _words(group, content.text, turned(boxes / 100.0, direction))


def turned(boxes: NDArray[np.float64], direction: Direction) -> NDArray[np.float64]:
    """Rectangles of the displayed page in the frame of a direction, which keeps the page's origin
    and may lie on its negative side."""
    x0, y0, x1, y1 = boxes.T
    columns = {
        (1, 0): (x0, y0, x1, y1),
        (-1, 0): (-x1, -y1, -x0, -y0),
        (0, 1): (y0, -x1, y1, -x0),
        (0, -1): (-y1, x0, -y0, x1),
    }[direction]
    return np.stack(columns, axis=1)


def unturned(
    rect: tuple[float, float, float, float], direction: Direction
) -> tuple[float, float, float, float]:
    """The inverse of `turned` for one rectangle."""
    x0, y0, x1, y1 = rect
    return {
        (1, 0): (x0, y0, x1, y1),
        (-1, 0): (-x1, -y1, -x0, -y0),
        (0, 1): (-y1, x0, -y0, x1),
        (0, -1): (y0, -x1, y1, -x0),
    }[direction]


def _runs(content: PageContent, boxes: NDArray[np.int64]) -> list[_Run]:
    """The words of a page; one of a single letter shows no direction."""
    text = content.text
    runs: list[_Run] = []
    middles = ((boxes[:, :2] + boxes[:, 2:]) / 200.0).tolist()
    edges = (boxes[:, [0, 2]] / 100.0).tolist()
    for start, end, *_box, style, flags, _element in content.span_rows():
        if flags & _ASIDE:
            continue
        size = content.styles[style].size / 100
        bold = bool(flags & SpanFlag.BOLD)
        direction = _direction(text, middles, start, end)
        at = start
        for piece in re.finditer(r"\S+", text[start:end]):
            at, stop = start + piece.start(), start + piece.end()
            for first, last in _unglued(edges, at, stop, size, direction):
                if runs and runs[-1][1] == first and _touches(edges, first, size, direction):
                    begin, _, first_size, was_bold, known = runs.pop()
                    runs.append((begin, last, first_size, was_bold and bold, known or direction))
                else:
                    runs.append((first, last, size, bold, direction))
    return runs


def _touches(edges: list[list[float]], at: int, size: float, direction: Direction | None) -> bool:
    """Whether a span goes on with the word that the one before it ended with."""
    if direction not in (None, (1, 0)):
        return True
    return -size < edges[at][0] - edges[at - 1][1] < _SPLIT * size


def _unglued(
    edges: list[list[float]], start: int, end: int, size: float, direction: Direction | None
) -> Iterator[tuple[int, int]]:
    """A run without white space, cut where there is a gap all the same."""
    if direction not in (None, (1, 0)):
        yield start, end
        return
    first = start
    for i in range(start + 1, end):
        if edges[i][0] - edges[i - 1][1] > _SPLIT * size:
            yield first, i
            first = i
    yield first, end


def _direction(text: str, middles: list[list[float]], start: int, end: int) -> Direction | None:
    first = next((i for i in range(start, end) if not text[i].isspace()), end)
    last = next((i for i in range(end - 1, first, -1) if not text[i].isspace()), first)
    if first >= last:
        return None
    dx, dy = middles[last][0] - middles[first][0], middles[last][1] - middles[first][1]
    if abs(dx) >= abs(dy):
        # Letters of right-to-left scripts follow each other leftwards on an upright page.
        return (1, 0) if dx >= 0 or bidirectional(text[first]) in ("R", "AL") else (-1, 0)
    return (0, 1) if dy > 0 else (0, -1)


def _main_direction(runs: list[_Run]) -> Direction:
    lengths: dict[Direction, int] = {(1, 0): 0}
    for start, end, _, _, direction in runs:
        if direction is not None:
            lengths[direction] = lengths.get(direction, 0) + end - start
    return max(lengths, key=lambda d: lengths[d])


def _words(
    group: list[tuple[int, int, float, bool]], text: str, boxes: NDArray[np.float64]
) -> list[Word]:
    edges = np.array([run[:2] for run in group], dtype=np.int64)
    padded = np.vstack([boxes, boxes[-1:]])
    low = np.minimum.reduceat(padded[:, :2], edges.ravel(), axis=0)[::2].tolist()
    high = np.maximum.reduceat(padded[:, 2:], edges.ravel(), axis=0)[::2].tolist()
    return [
        Word(text[start:end], a[0], a[1], b[0], b[1], size, start, end, bold)
        for (start, end, size, bold), a, b in zip(group, low, high, strict=True)
        if not _LEADER.fullmatch(text[start:end])
    ]
