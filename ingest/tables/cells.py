"""What stands in a cell: the characters whose centres lie in its box, never an engine's string."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import CellContent, PageContent, TableContent
from grounding.geometry import Box, PageFrame
from grounding.model import ElementKind
from ingest.tables.engines import FoundTable, Rect

_FILLED = 2
"""A table has at least this many cells with text; fewer is a frame around something."""
_MOSTLY = 0.6
"""An element of which this share lies in a table belongs to it."""


def build_table(
    found: FoundTable, content: PageContent, boxes: NDArray[np.int64], engine: str
) -> TableContent | None:
    """A found grid filled with the page's characters; None when it is no table."""
    whole = _box(found.rect, content.frame)
    if whole is None or not len(boxes):
        return None
    x, y = (boxes[:, 0] + boxes[:, 2]) // 2, (boxes[:, 1] + boxes[:, 3]) // 2
    printed = np.array([not c.isspace() for c in content.text], dtype=bool)
    owners = np.zeros(len(boxes), dtype=np.int64)
    cells = []
    for cell in found.cells:
        box = _box(cell.rect, content.frame)
        if box is None:
            continue
        inside = _within(x, y, box) & printed
        owners += inside
        ranges = _ranges(np.flatnonzero(inside), content.text)
        text = "\n".join(content.text[start:end] for start, end in ranges)
        cells.append(
            CellContent(
                cell.row, cell.col, cell.row_span, cell.col_span, box, text, ranges, cell.row == 0
            )
        )
    if sum(bool(cell.text) for cell in cells) < _FILLED:
        return None
    # Every character of the region belongs to exactly one cell, or the grid is in doubt.
    trusted = bool((owners[_within(x, y, whole) & printed] == 1).all())
    return TableContent(whole, found.rows, found.columns, engine, trusted, cells)


def _box(rect: Rect, frame: PageFrame) -> Box | None:
    scale = frame.user_unit / 10
    x0, y0, x1, y1 = (round(value * scale) for value in rect)
    return frame.clamp(x0, y0, x1, y1)


def _within(
    x: NDArray[np.int64], y: NDArray[np.int64], box: Box
) -> NDArray[np.bool_]:
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
    """Elements that lie in a table become parts of it."""
    for number, table in enumerate(content.tables):
        for element in content.elements:
            if element.kind is ElementKind.FIGURE:
                continue
            area = element.box.width * element.box.height
            if element.box.overlap(table.box) >= _MOSTLY * area:
                element.kind, element.table = ElementKind.TABLE, number
