"""Ruling lines of a page, in the reader's frame: what is drawn thin, and edges of filled areas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grounding.geometry import PageFrame, apply
from ingest.tables.words import Direction, turned

_THIN = 3.0
_SLOPE = 1.0
_SHORTEST = 4.0
_SAME = 1.6
"""Rules nearer to each other than this are one."""
_BRIDGED = 3.5
"""A gap in a rule that nobody sees: where cells were drawn one by one."""
_MOST_PATHS = 6000
"""A page with more paths is a drawing; its rules are not worth their time."""
_WHITE = 0.99


Rect = tuple[float, float, float, float]
Rule = tuple[float, float, float]


@dataclass(slots=True)
class Rules:
    """Horizontal rules as (y, x0, x1) and vertical ones as (x, y0, y1), each sorted, in points; the
    edges of filled areas apart."""

    horizontal: list[Rule] = field(default_factory=list)
    vertical: list[Rule] = field(default_factory=list)
    edges_across: list[Rule] = field(default_factory=list)
    edges_upright: list[Rule] = field(default_factory=list)

    def with_edges(self) -> Rules:
        """The edges of filled areas taken for rules, too."""
        return Rules(
            _joined([*self.horizontal, *self.edges_across]),
            _joined([*self.vertical, *self.edges_upright]),
        )

    def between(self, x0: float, x1: float, y0: float, y1: float, share: float = 0.7) -> bool:
        """Whether horizontal rules between two heights cover this share of a width."""
        width = x1 - x0
        covered = sum(
            max(0.0, min(b, x1) - max(a, x0)) for y, a, b in self.horizontal if y0 <= y <= y1
        )
        return covered >= share * width


def page_rules(page: Any, frame: PageFrame) -> tuple[list[Rect], list[Rect]]:
    """What is drawn thin on a PyMuPDF page, and the areas that are filled, as rectangles of the
    displayed page in points."""
    drawings = page.get_cdrawings()
    if len(drawings) > _MOST_PATHS:
        return [], []
    thin: list[Rect] = []
    areas: list[Rect] = []
    for drawing in drawings:
        if _is_invisible(drawing):
            continue
        for item in drawing["items"]:
            _collect(item, thin, areas)
    return _displayed(thin, frame), _displayed(areas, frame)


def read_rules(thin: list[Rect], areas: list[Rect], direction: Direction) -> Rules:
    """Rules in the frame of a direction, those that go on in each other joined."""
    across, upright = [], []
    for x0, y0, x1, y1 in _turned(thin, direction):
        if x1 - x0 >= y1 - y0:
            across.append(((y0 + y1) / 2, x0, x1))
        else:
            upright.append(((x0 + x1) / 2, y0, y1))
    edges_across, edges_upright = [], []
    for x0, y0, x1, y1 in _turned(areas, direction):
        edges_across += [(y0, x0, x1), (y1, x0, x1)]
        edges_upright += [(x0, y0, y1), (x1, y0, y1)]
    return Rules(_joined(across), _joined(upright), _joined(edges_across), _joined(edges_upright))


def _turned(rects: list[Rect], direction: Direction) -> list[list[float]]:
    return turned(np.array(rects), direction).tolist() if rects else []


def _is_invisible(drawing: dict[str, Any]) -> bool:
    colors = [drawing.get("fill"), drawing.get("color")]
    painted = [c for c in colors if c]
    return bool(painted) and all(min(color) >= _WHITE for color in painted)


def _collect(item: tuple[Any, ...], thin: list[Rect], areas: list[Rect]) -> None:
    kind = item[0]
    if kind == "l":
        (ax, ay), (bx, by) = item[1], item[2]
        rect = min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
        if min(rect[2] - rect[0], rect[3] - rect[1]) > _SLOPE:
            return
    elif kind == "re":
        ax, ay, bx, by = item[1]
        rect = min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
    elif kind == "qu":
        xs = [corner[0] for corner in item[1]]
        ys = [corner[1] for corner in item[1]]
        rect = min(xs), min(ys), max(xs), max(ys)
    else:
        return
    width, height = rect[2] - rect[0], rect[3] - rect[1]
    if max(width, height) < _SHORTEST:
        return
    (thin if min(width, height) <= _THIN else areas).append(rect)


def _displayed(rects: list[Rect], frame: PageFrame) -> list[Rect]:
    """Rectangles of PyMuPDF's unrotated page on the displayed page, cut to it."""
    right, bottom = frame.width / 100 + 1, frame.height / 100 + 1
    shown = []
    for x0, y0, x1, y1 in rects:
        ax, ay = apply(frame.from_unrotated, x0, y0)
        bx, by = apply(frame.from_unrotated, x1, y1)
        left, top = max(min(ax, bx), -1.0), max(min(ay, by), -1.0)
        if left <= min(max(ax, bx), right) and top <= min(max(ay, by), bottom):
            shown.append((left, top, min(max(ax, bx), right), min(max(ay, by), bottom)))
    return shown


def _joined(rules: list[Rule]) -> list[Rule]:
    """Rules at one place as one, where they touch."""
    levels: list[tuple[float, list[tuple[float, float]]]] = []
    for at, start, end in sorted(rules):
        if levels and at - levels[-1][0] < _SAME:
            levels[-1][1].append((start, end))
        else:
            levels.append((at, [(start, end)]))
    joined = []
    for at, stretches in levels:
        stretches.sort()
        start, end = stretches[0]
        for a, b in stretches[1:]:
            if a - end > _BRIDGED:
                joined.append((at, start, end))
                start, end = a, b
            end = max(end, b)
        joined.append((at, start, end))
    return [rule for rule in joined if rule[2] - rule[1] >= _SHORTEST]
