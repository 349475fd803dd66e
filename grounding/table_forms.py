"""A table in portable forms: JSON, CSV, Markdown, and text for a terminal."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Sequence
from typing import Any
from unicodedata import east_asian_width

from grounding.model import Cell, CellRole, Table, TablePart
from grounding.tables import column_path

_CELL_WIDTH = 36
"""Characters a column of a terminal's table is wide at most; longer texts are wrapped."""
_MARKS = re.compile(r"[\\|*`]")
_NUMBER = re.compile(r"[\s\d.,$€£¥₹%()+\-\u2212\u2013\u2014'’]*")


def table_data(table: Table) -> dict[str, Any]:
    """Everything that is known of a table, as JSON data; boxes in centipoints, ranges in the
    document's text. `page` and `bbox` are those of its first part."""
    data: dict[str, Any] = {
        "id": table.id,
        "page": table.page,
        "bbox": table.box.as_list(),
        "rows": table.rows,
        "columns": table.columns,
        "engine": table.engine,
        "trusted": table.trusted,
        "parts": [_part(part) for part in table.parts],
        "cells": [_cell(cell) for cell in table.cells],
    }
    if table.repeated:
        data["repeated_headers"] = [_cell(cell) for cell in table.repeated]
    data.update(_said(table.parts[0]))
    return data


def _said(part: TablePart) -> dict[str, Any]:
    said = {
        "caption": (part.caption, part.caption_ranges),
        "statement": (part.statement, part.statement_ranges),
    }
    return {
        name: {"text": text, "ranges": [list(piece) for piece in ranges]}
        for name, (text, ranges) in said.items()
        if text
    }


def _part(part: TablePart) -> dict[str, Any]:
    return {
        **_said(part),
        "page": part.page,
        "bbox": part.box.as_list(),
        "first_row": part.first_row,
        "rows": part.rows,
        "engine": part.engine,
        "reason": part.reason,
        "trusted": part.trusted,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    data: dict[str, Any] = {
        "row": cell.row,
        "col": cell.col,
        "row_span": cell.row_span,
        "col_span": cell.col_span,
        "page": cell.page,
        "bbox": cell.box.as_list(),
        "text": cell.text,
        "ranges": [list(piece) for piece in cell.ranges],
        "role": str(cell.role),
        "header": cell.header,
    }
    if cell.level:
        data["level"] = cell.level
    if cell.notes:
        data["notes"] = list(cell.notes)
    return data


def table_csv(table: Table) -> str:
    """Rows as they stand, header rows first, lines ended by CR LF (RFC 4180). A cell that spans
    several positions stands in its first one."""
    out = io.StringIO()
    csv.writer(out).writerows(_grid(table))
    return out.getvalue()


def _grid(table: Table) -> list[list[str]]:
    grid = [["" for _ in range(table.columns)] for _ in range(table.rows)]
    for cell in table.cells:
        grid[cell.row][cell.col] = " ".join(cell.text.split())
    return grid


def table_markdown(table: Table) -> str:
    """A table as Markdown with its caption: one header row, in which the levels of a header follow
    each other; labels are indented as they are printed."""
    lines = []
    said = " ".join(text for text in (table.caption, table.statement) if text)
    if table.caption and table.statement in table.caption:
        said = table.caption
    if said:
        lines += [f"*{escaped(said)}*", ""]
    header = _header_rows(table)
    lines.append(_markdown_row([_column_name(table, column) for column in range(table.columns)]))
    lines.append("|" + " --- |" * table.columns)
    levels = {c.row: c.level for c in table.cells if c.col == 0}
    for row, texts in enumerate(_grid(table)):
        if row >= header:
            indent = "&emsp;" * levels.get(row, 0)
            cells = [_in_cell(text) for text in texts]
            lines.append("| " + " | ".join([f"{indent}{cells[0]}", *cells[1:]]) + " |")
    return "\n".join(lines)


def _header_rows(table: Table) -> int:
    return max((cell.row + cell.row_span for cell in table.cells if cell.header), default=0)


def _column_name(table: Table, column: int) -> str:
    return " / ".join(" ".join(cell.text.split()) for cell in column_path(table, column))


def _markdown_row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(map(_in_cell, texts)) + " |"


def _in_cell(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", escaped(text))


def escaped(text: str) -> str:
    """Text that stays text where Markdown is rendered: no tag of it is taken for HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def table_text(table: Table) -> str:
    """A table for a terminal: the numbers of rows and columns that citations use stand at its
    sides, numbers are set to the right, long texts wrapped."""
    grid = [[textwrap.wrap(text, _CELL_WIDTH) or [""] for text in row] for row in _indented(table)]
    widths = [
        max([len(str(column)), *(_width(line) for row in grid for line in row[column])])
        for column in range(table.columns)
    ]
    number = len(str(max(table.rows - 1, 0)))
    lines = [" " * number + "  " + "  ".join(str(c).ljust(w) for c, w in enumerate(widths))]
    header, starts = _header_rows(table), {part.first_row: part.page for part in table.parts[1:]}
    for row, cells in enumerate(grid):
        if row in starts:
            lines.append(f"{'':{number}}  -- page {starts[row]} --")
        if row == header and header:
            lines.append(" " * number + "  " + "  ".join("-" * width for width in widths))
        for at in range(max(map(len, cells))):
            texts = [cell[at] if at < len(cell) else "" for cell in cells]
            label = f"{row:>{number}}" if at == 0 else " " * number
            padded = [_padded(t, w, row >= header) for t, w in zip(texts, widths, strict=True)]
            lines.append(f"{label}  {'  '.join(padded)}".rstrip())
    return "\n".join(line.rstrip() for line in lines)


def _indented(table: Table) -> list[list[str]]:
    grid = _grid(table)
    for cell in table.cells:
        if cell.level and cell.role in (CellRole.ROW_HEADER, CellRole.SECTION):
            # Wrapping would take white space away.
            grid[cell.row][cell.col] = "\u00b7 " * cell.level + grid[cell.row][cell.col]
    return grid


def _padded(text: str, width: int, body: bool) -> str:
    space = " " * (width - _width(text))
    number = body and any(map(str.isdigit, text)) and _NUMBER.fullmatch(text) is not None
    return space + text if number else text + space


def _width(text: str) -> int:
    """Columns that a terminal gives a text."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)
