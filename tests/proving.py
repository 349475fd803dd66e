"""What a store gives back, hashed again: a stored page proves the fingerprint that it was given."""

from __future__ import annotations

from array import array
from typing import Any

from factories import box_arrays, rects_of

from grounding.artifact import page_fingerprint
from grounding.model import Cell, CellRole, Page, Table
from grounding.store import StoredSource


def recomputed(source: StoredSource, number: int) -> str:
    """A page's fingerprint, from what the reader gives."""
    at = source.pages[number - 1]
    elements, spans, tables = (
        source.elements(number), source.spans(number), source.tables(number)
    )  # fmt: skip
    first_element = elements[0].number if elements else 0
    first_table = tables[0].number if tables else 0
    boxes = source.char_boxes(number)
    assert boxes is not None
    return page_fingerprint(
        frame=at.frame,
        status=at.status,
        text=source.page_text(number),
        box_arrays=box_arrays(rects_of(boxes)),
        spans=array(
            "i",
            [
                value
                for s in spans
                for value in (
                    s.start - at.start, s.end - at.start, *s.box.as_list(), s.style, int(s.flags),
                    s.element - first_element,
                )
            ],
        ),
        styles=list(source.styles(number)),
        elements=[
            [e.kind, e.level, e.start - at.start, e.end - at.start, *e.box.as_list(),
             e.table - first_table if e.table else -1]
            for e in elements
        ],
        tables=[_part(table, at) for table in tables],
        searches=[[s.engine, s.found, s.taken, s.note] for s in source.table_searches(number)],
        warnings=[[w.code, w.detail] for w in source.warnings if w.page == number],
    )  # fmt: skip


def _part(table: Table, page: Page) -> list[Any]:
    """What stands of a table on a page. Rows count from the page's first again, headers that were
    printed again among them."""
    (part,) = (part for part in table.parts if part.page == page.number)
    again = [cell for cell in table.repeated if cell.page == page.number]
    above = max((cell.row + cell.row_span for cell in again), default=0)
    own = [cell for cell in table.cells if cell.page == page.number]
    cells = [
        *(_cell(cell, cell.row, CellRole.COLUMN_HEADER, page) for cell in again),
        *(_cell(cell, cell.row - part.first_row + above, cell.role, page) for cell in own),
    ]
    said = [
        part.caption,
        _within(part.caption_ranges, page),
        part.statement,
        _within(part.statement_ranges, page),
    ]
    return [*part.box.as_list(), part.rows + above, table.columns, part.engine, part.reason,
            part.trusted, said, cells]  # fmt: skip


def _cell(cell: Cell, row: int, role: CellRole, page: Page) -> list[Any]:
    return [row, cell.col, cell.row_span, cell.col_span, *cell.box.as_list(), cell.text,
            _within(cell.ranges, page), str(role), cell.level, list(cell.notes)]  # fmt: skip


def _within(ranges: tuple[tuple[int, int], ...], page: Page) -> list[list[int]]:
    return [[start - page.start, end - page.start] for start, end in ranges]
