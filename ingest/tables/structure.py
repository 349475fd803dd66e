"""What the cells of a table are to each other: header, sections, labels by indentation; and what is
said of it: its caption, and the units and scale of its numbers."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import CellContent, PageContent, Piece, TableContent
from grounding.geometry import Box
from grounding.model import CellRole, ElementKind, SpanFlag
from ingest.tables.lines import is_number
from ingest.tables.words import Direction, turned

_AMOUNT = re.compile(r"(?!(?:19|20)\d\d$)[-(]?\s*[$€£¥]?\s*[\d.,]*\d[\d.,]*\s*%?\s*\)?")
"""A number alone in a cell; four digits that can be a year are a label."""
_LABEL_NUMBERS = 0.2
"""Share of numbers up to which a column holds labels."""
_SAME_INDENT = 1.5
_ABOVE_POINTS = 70.0
_NEAR_POINTS = 45.0
_LONGEST_CAPTION, _SHORT_CAPTION = 250, 100
_BRACKETED = re.compile(r"[(\[][^()\[\]]*[)\]]")
_SCALE = (
    r"(?:thousands?|millions?|billions?|trillions?|crores?|lakhs?|mn|bn"
    r"|(?<=[$€£¥])m|(?<=[$€£¥])000|000['\u2019]?s|['\u2019]000s?)"
)
_CURRENCY = (
    r"(?:U\.?S\.? ?\$|US\$|[$€£¥₹]|dollars?|euros?|pounds?|yen|rupees|Rs\.?|EUR|USD|GBP|CHF|JPY|INR"
    r"|CAD|AUD|RMB|CNY|shares?|amounts?|figures?|tabular (?:amounts|dollars))"
)
_STATEMENT = re.compile(
    rf"\((?=[^()]*\b(?:{_SCALE}|percent|percentages?)\b)[^()]{{2,120}}\)"
    rf"|\[(?=[^\[\]]*\b{_SCALE}\b)[^\[\]]{{2,120}}\]"
    rf"|\b(?:{_CURRENCY}\s+)?(?:are\s+)?(?:stated\s+|expressed\s+)?in\s+(?:{_CURRENCY}\s+)?{_SCALE}\b"
    rf"(?:\s+of\s+[\w.]+(?:\s+[\w.]+)?)?(?:,?\s+(?:except|unless)[^.\n()]{{3,80}})?"
    rf"|{_CURRENCY}\s+(?:in\s+)?(?:thousands?|millions?|billions?|crores?|lakhs?|mn|bn)\b",
    re.IGNORECASE,
)
"""How tables state the scale of their numbers, as met in filings: "(in millions, except per
share)", "[In thousands]", "amounts in millions of euro", "$ million", "Rs. in lakhs"."""
_CAPTION = re.compile(
    r"(?:Table|Exhibit|Schedule|Panel|Figure|TABLE|EXHIBIT|SCHEDULE)\s+(?:[A-Z]{0,2}[-.]?\d|[IVX]+\b)"
)


def structure(
    table: TableContent, content: PageContent, boxes: NDArray[np.int64], direction: Direction
) -> None:
    """Tells labels and sections from data, notes footnote markers, and finds what is said of the
    table around it."""
    _mark_labels(table, boxes, direction)
    _note_markers(table, content)
    _describe(table, content, direction)


def mark_header(cells: list[CellContent], rows: int | None, *, distinct: bool) -> None:
    """Marks header cells; `distinct` says that the first row is set apart by its type.

    Where the engine tells no header, it is the rows above the first one with amounts; a table whose
    first row holds amounts was cut off its header, and must not lend data to the others as labels.
    """
    if rows is None:
        rows = _header_rows(cells)
        glossary = max(c.col + c.col_span for c in cells) == 2 and not _has_numbers(cells, rows)
        if rows and glossary and not distinct:
            rows = 0  # words beside words: nothing says that the first of them are a header
    for cell in cells:
        if cell.row + cell.row_span <= rows:
            cell.role = CellRole.COLUMN_HEADER


def _has_numbers(cells: list[CellContent], header: int) -> bool:
    """Whether most values below a header have digits."""
    values = [c.text for c in cells if c.col > 0 and c.row >= header and c.text]
    return 2 * sum(any(map(str.isdigit, text)) for text in values) > len(values)


def first_row_stands_out(cells: list[CellContent], content: PageContent) -> bool:
    """Whether the first row is printed bold, or in another colour or size, and the others are
    not."""
    looks: dict[bool, set[tuple[int, int, bool]]] = {True: set(), False: set()}
    spans = content.span_rows()
    for cell in cells:
        if not cell.ranges:
            continue
        at = cell.ranges[0][0]
        span = next((s for s in spans if s[0] <= at < s[1]), None)
        if span is not None:
            style = content.styles[span[6]]
            look = (style.size, style.color, bool(span[7] & SpanFlag.BOLD))
            looks[cell.row == 0].add(look)
    return bool(looks[True]) and not looks[True] & looks[False]


def _header_rows(cells: list[CellContent]) -> int:
    by_row: dict[int, list[CellContent]] = {}
    for cell in cells:
        if cell.text:
            by_row.setdefault(cell.row, []).append(cell)
    rows = sorted(by_row)
    if not rows:
        return 0
    for row in rows:
        values = [c for c in by_row[row] if c.col > 0]
        amounts = sum(_AMOUNT.fullmatch(c.text) is not None for c in values)
        if amounts and 2 * amounts >= len(values):
            first = row
            break
    else:
        first = rows[0] + max(c.row_span for c in by_row[rows[0]])
    # Sections between the header and the first amounts belong to the body.
    while first > 1 and all(c.col == 0 for c in by_row.get(first - 1, [])):
        first -= 1
    return first


def _mark_labels(table: TableContent, boxes: NDArray[np.int64], direction: Direction) -> None:
    labels = _label_columns(table)
    read = turned(boxes / 100.0, direction)
    indents: list[float] = []
    rows: dict[int, list[CellContent]] = {}
    for cell in table.cells:
        if cell.role is CellRole.DATA and cell.text:
            rows.setdefault(cell.row, []).append(cell)
    for row in sorted(rows):
        cells = rows[row]
        first = min(cells, key=lambda c: c.col)
        if first.col == 0:
            # A cell that spans rows has values beside it further down.
            alone = len(cells) == 1 and first.row_span == 1 and table.columns > 1
            first.role = CellRole.SECTION if alone else CellRole.ROW_HEADER
            left = float(read[first.ranges[0][0], 0])
            while indents and indents[-1] >= left - _SAME_INDENT:
                indents.pop()
            first.level = len(indents)
            indents.append(left)
        for cell in cells:
            if cell.role is CellRole.DATA and cell.col < labels:
                cell.role = CellRole.ROW_HEADER


def _label_columns(table: TableContent) -> int:
    """How many of the first columns hold labels: those before the first one of numbers."""
    for column in range(table.columns):
        texts = [
            c.text for c in table.cells if c.col == column and c.role is CellRole.DATA and c.text
        ]
        numbers = sum(all(map(is_number, text.split())) for text in texts)
        if column and texts and numbers > _LABEL_NUMBERS * len(texts):
            return column
    return 1


def _note_markers(table: TableContent, content: PageContent) -> None:
    """Puts footnote markers, which no cell's text holds, beside the cell that they stand in."""
    for start, end, x0, y0, x1, y1, _style, flags, _element in content.span_rows():
        if flags & SpanFlag.MARKER and not flags & SpanFlag.HIDDEN:
            x, y = (x0 + x1) // 2, (y0 + y1) // 2
            if not _holds(table.box, x, y):
                continue
            cell = next((c for c in table.cells if _holds(c.box, x, y)), None)
            if cell is not None and cell.text:
                cell.notes = (*cell.notes, content.text[start:end].strip())


def _holds(box: Box, x: int, y: int) -> bool:
    return box.x0 <= x < box.x1 and box.y0 <= y < box.y1


def _describe(table: TableContent, content: PageContent, direction: Direction) -> None:
    above = _lines_above(table, content) if direction == (1, 0) else []
    for start, end, _gap in above:
        found = [m.span() for m in _STATEMENT.finditer(content.text[start:end])]
        if found:
            first, last = found[-1]
            table.statement_ranges = ((start + first, start + last),)
            break
    own = _stated_inside(table, content.text)
    if own is not None:
        table.statement_ranges = (own,)
    table.statement = _joined(table.statement_ranges, content.text)
    table.caption_ranges = _caption(above, content)
    table.caption = _joined(table.caption_ranges, content.text)


def _joined(ranges: tuple[Piece, ...], text: str) -> str:
    return " ".join(" ".join(text[start:end] for start, end in ranges).split())


def _stated_inside(table: TableContent, text: str) -> Piece | None:
    """A statement in the table's corner, or in a header over all of its columns of numbers."""
    for cell in table.cells:
        if cell.role is CellRole.COLUMN_HEADER and len(cell.ranges) == 1:
            whole = cell.col == 0 or cell.col_span >= table.columns - 1
            match = _STATEMENT.search(text, *cell.ranges[0]) if whole else None
            if match is not None:
                return match.span()
    return None


def _lines_above(table: TableContent, content: PageContent) -> list[tuple[int, int, float]]:
    """Lines of text close above the table, nearest first: (start, end, distance in points)."""
    lines = []
    for start, end, x0, _y0, x1, y1, _style, flags, _element in content.span_rows():
        gap = (table.box.y0 - y1) / 100
        beside = x0 < table.box.x1 and x1 > table.box.x0
        if -3 < gap < _ABOVE_POINTS and beside and not flags & SpanFlag.HIDDEN:
            lines.append((start, end, gap))
    merged: list[tuple[int, int, float]] = []
    for start, end, gap in sorted(lines):
        if merged and "\n" not in content.text[merged[-1][1] : start]:
            merged[-1] = (merged[-1][0], end, min(gap, merged[-1][2]))
        else:
            merged.append((start, end, gap))
    return sorted(merged, key=lambda line: line[2])


def _caption(above: list[tuple[int, int, float]], content: PageContent) -> tuple[Piece, ...]:
    """The nearest element above that reads like a caption: a heading, a numbered title, a short
    line that is no sentence, or one that announces what follows. What only states units is passed
    over; other running text is none and ends the search."""
    for start, _end, gap in above:
        element = next((e for e in content.elements if e.start <= start < e.end), None)
        if element is None or element.table >= 0:
            continue
        text = " ".join(content.text[element.start : element.end].split())
        if _STATEMENT.fullmatch(text) or _BRACKETED.fullmatch(text):
            continue
        titled = element.kind in (ElementKind.CAPTION, ElementKind.HEADING)
        if len(text) > _LONGEST_CAPTION:
            return ()
        if titled or _CAPTION.match(text) or (gap < _NEAR_POINTS and _announces(text)):
            return ((element.start, element.end),)
        return ()
    return ()


def _announces(text: str) -> bool:
    return text.endswith(":") or (
        len(text) <= _SHORT_CAPTION and not text.endswith((".", ";", ","))
    )
