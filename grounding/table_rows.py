"""The rows of a table as stretches of the document's text, where its text runs row by row."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from grounding.model import Cell, Element, Table
from grounding.passages import Range
from grounding.source import GroundingSource
from grounding.tables import column_path


class RowText(NamedTuple):
    """The range of a row, and which row it is: `data` has `table_id`, `row` (from 0) and `header`,
    the labels over each column from the outermost on."""

    start: int
    end: int
    data: dict[str, Any]


def table_rows(source: GroundingSource, element: Element, text: str) -> list[RowText] | None:
    """The rows of the part of a table that an element is, headers left out; `text` is the
    document's. None where the text of a row does not stand together, so that rows cannot be told
    apart in it, and where a table has headers alone."""
    table = next((t for t in source.tables(element.page) if t.number == element.table), None)
    if table is None:
        return None
    rows, headers = _row_ranges(table, element)
    places = sorted([*rows.values(), *headers])
    if not rows or any(one[1] > other[0] for one, other in pairwise(places)):
        return None
    if text[element.start : places[0][0]].strip():
        return None  # something stands above the first row that is none of its cells
    header = [_label(table, column) for column in range(table.columns)]
    # What stands between two rows, such as a footnote's sign, goes with the row before it.
    ends = dict(pairwise([*(start for start, _ in places), element.end]))
    return [
        RowText(start, ends[start], {"table_id": table.id, "row": row, "header": header})
        for row, (start, _) in sorted(rows.items(), key=lambda item: item[1])
    ]


def _row_ranges(table: Table, element: Element) -> tuple[dict[int, Range], list[Range]]:
    """Range by number of each row on the element's page, and the ranges of its header rows."""
    rows = _extents((cell for cell in table.cells if not cell.header), element.page)
    headers = (cell for cell in table.cells if cell.header)
    repeated = _extents(table.repeated, element.page)
    return rows, [*_extents(headers, element.page).values(), *repeated.values()]


def _extents(cells: Iterable[Cell], page: int) -> dict[int, Range]:
    """The range around the text of the cells of each row on a page."""
    found: dict[int, Range] = {}
    for cell in cells:
        for start, end in cell.ranges if cell.page == page else ():
            low, high = found.get(cell.row, (start, end))
            found[cell.row] = min(low, start), max(high, end)
    return found


def _label(table: Table, column: int) -> str:
    return " / ".join(" ".join(cell.text.split()) for cell in column_path(table, column))
