"""What stands in a cell: the characters whose centres lie in its box, never an engine's string."""

from __future__ import annotations

import re
from dataclasses import replace
from unicodedata import bidirectional

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import CellContent, PageContent, TableContent
from grounding.geometry import Box, PageFrame
from grounding.model import UNSEEN, ElementKind, SpanFlag
from ingest.tables.engines import FoundCell, FoundTable, Rect

_FILLED = 2
"""A table has at least this many cells with text; fewer is a frame around something."""
_MOSTLY = 0.6
"""An element of which this share lies in a table belongs to it."""
_AMOUNT = re.compile(r"(?!(?:19|20)\d\d$)[-(]?\s*[$€£¥]?\s*[\d.,]*\d[\d.,]*\s*%?\s*\)?")
"""A number alone in a cell; four digits that can be a year are a label."""
_ASIDE = int(UNSEEN | SpanFlag.MARKER)


def build_table(
    found: FoundTable, content: PageContent, boxes: NDArray[np.int64], engine: str
) -> TableContent | None:
    """A found grid filled with the page's characters; None when it is no table."""
    whole = _box(found.rect, content.frame)
    if whole is None or not len(boxes):
        return None
    x, y = (boxes[:, 0] + boxes[:, 2]) // 2, (boxes[:, 1] + boxes[:, 3]) // 2
    printed = _readable(content)
    found = _as_read(found, x, y, np.flatnonzero(_within(x, y, whole) & printed), content.text)
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
            CellContent(cell.row, cell.col, cell.row_span, cell.col_span, box, text, ranges)
        )
    if sum(bool(cell.text) for cell in cells) < _FILLED:
        return None
    _mark_header(cells)
    # Every character of the region belongs to exactly one cell, or the grid is in doubt.
    trusted = bool((owners[_within(x, y, whole) & printed] == 1).all())
    return TableContent(whole, found.rows, found.columns, engine, trusted, cells)


def _mark_header(cells: list[CellContent]) -> None:
    """The first row is a header unless it holds amounts: a table that was cut off its header must
    not lend its first row of data to the others as labels."""
    first = [cell for cell in cells if cell.row == 0 and cell.text]
    if first and not any(_AMOUNT.fullmatch(cell.text) for cell in first):
        for cell in cells:
            cell.header = cell.row == 0


def _readable(content: PageContent) -> NDArray[np.bool_]:
    """Which characters a reader takes for a cell's text: no white space, nothing that nobody sees,
    and no footnote marker, whose digit would become the number's last."""
    readable = np.array([not c.isspace() for c in content.text], dtype=bool)
    for start, end, *_, flags, _element in content.span_rows():
        if flags & _ASIDE:
            readable[start:end] = False
    return readable


def _as_read(
    found: FoundTable,
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    inside: NDArray[np.int64],
    text: str,
) -> FoundTable:
    """The grid with the rows and columns of its reader, who turns the page where the text is
    turned. Engines count from the top left of the page, whichever way the text runs."""
    after = inside[1:][np.diff(inside) == 1]
    # Letters of right-to-left scripts follow each other leftwards on an upright page.
    after = np.array([i for i in after.tolist() if bidirectional(text[i]) not in ("R", "AL")], int)
    dx, dy = int((x[after] - x[after - 1]).sum()), int((y[after] - y[after - 1]).sum())
    if dx >= abs(dy):
        return found
    rows, columns = found.rows, found.columns
    if -dx >= abs(dy):  # upside down
        turned = [
            replace(c, row=rows - c.row - c.row_span, col=columns - c.col - c.col_span)
            for c in found.cells
        ]
    else:
        rows, columns = columns, rows
        turned = [
            FoundCell(
                found.columns - c.col - c.col_span if dy > 0 else c.col,
                c.row if dy > 0 else found.rows - c.row - c.row_span,
                c.col_span,
                c.row_span,
                c.rect,
            )
            for c in found.cells
        ]
    ordered = sorted(turned, key=lambda c: (c.row, c.col))
    return FoundTable(found.rect, rows, columns, tuple(ordered))


def _box(rect: Rect, frame: PageFrame) -> Box | None:
    scale = frame.user_unit / 10
    x0, y0, x1, y1 = (round(value * scale) for value in rect)
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
    """Elements that lie in a table become parts of it."""
    for number, table in enumerate(content.tables):
        for element in content.elements:
            if element.kind is ElementKind.FIGURE:
                continue
            area = element.box.width * element.box.height
            if element.box.overlap(table.box) >= _MOSTLY * area:
                element.kind, element.table = ElementKind.TABLE, number
