"""The rules that the rows of every document keep: numbers, offsets, boxes, tables, values."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from grounding.errors import PagewitnessError
from grounding.model import CellRole
from grounding.store.findings import Findings
from grounding.store.rebuilt import DocumentRows, Row, stored_frame

BAD_VALUES = (ValueError, TypeError, LookupError, OverflowError, PagewitnessError)
"""What values raise that are none of their kind."""


def json_text(value: object) -> str:
    """JSON as the writer stores it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@lru_cache(maxsize=1024)
def displayed_size(frame: str) -> tuple[int, int]:
    """Width and height in centipoints of a page with a stored frame."""
    made = stored_frame(frame)
    return made.width, made.height


class DocumentRules:
    """How the rows of one document must fit together; what does not goes to `found`."""

    def __init__(self, rows: DocumentRows, found: Findings) -> None:
        self._rows, self._found, self._id = rows, found, str(rows.document[1])
        self._by_number = {row[0]: row for row in rows.pages}

    def run(self) -> None:
        """All of them. A value that is none of its kind ends those that need it."""
        for check in (self._pages, self._elements, self._spans, self._tables, self._positions,
                      self._canonical):  # fmt: skip
            try:
                check()
            except BAD_VALUES as error:
                self._add("document_unreadable", f"{type(error).__name__}: {error}")

    def _add(self, code: str, detail: str, page: int = 0) -> None:
        self._found.add(code, detail, self._id, page)

    def _numbers(self, what: str, numbers: Sequence[int], first: int = 1, page: int = 0) -> None:
        """That numbers count on by one."""
        for expected, number in enumerate(numbers, first):
            if number != expected:
                self._add("numbering_broken", f"{what} {number} stands where {expected} is due",
                          page)  # fmt: skip
                return

    def _pages(self) -> None:
        self._numbers("page", [row[0] for row in self._rows.pages])
        due = 0
        for row in self._rows.pages:
            number, start, end, text = row[0], row[3], row[4], row[8]
            if start != due or end - start != len(text):
                detail = f"page text of {len(text)} at {start}..{end}, due at {due}"
                self._add("offsets_outside_page", detail, number)
            due += len(text) + 1

    def _elements(self) -> None:
        self._numbers("element", [e[1] for e in self._in_order(self._rows.elements)])
        for number, rows in self._rows.elements.items():
            for e in rows:
                self._inside(number, f"element {e[1]}", e[4], e[5], e[6:10])
                if e[10] and not any(part[1] == e[10] for part in self._rows.parts.get(number, ())):
                    self._add("table_structure_broken", f"element {e[1]} names table {e[10]},"
                              " which is not on its page", number)  # fmt: skip

    def _spans(self) -> None:
        self._numbers("span", [s[1] for s in self._in_order(self._rows.spans)])
        for number, rows in self._rows.spans.items():
            own = {e[1]: (e[4], e[5]) for e in self._rows.elements.get(number, ())}
            for s in rows:
                self._inside(number, f"span {s[1]}", s[2], s[3], s[4:8])
                start, end = own.get(s[10], (0, -1))
                if not start <= s[2] <= s[3] <= end:
                    self._add("span_outside_element", f"span {s[1]} in element {s[10]}", number)

    def _inside(self, number: int, what: str, start: int, end: int, box: Row) -> None:
        """That a piece of text and its box are inside a page."""
        page = self._by_number.get(number)
        if page is None or not page[3] <= start <= end <= page[4]:
            self._add("offsets_outside_page", f"{what} at {start}..{end}", number)
        self._box_inside(number, what, box)

    def _box_inside(self, number: int, what: str, box: Row) -> None:
        page = self._by_number.get(number)
        width, height = displayed_size(page[2]) if page else (0, 0)
        x0, y0, x1, y1 = box
        if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
            self._add("box_outside_page", f"{what} at {list(box)}", number)

    def _in_order(self, by_page: dict[int, list[Row]]) -> Iterator[Row]:
        for number in sorted(by_page):
            yield from by_page[number]

    def _tables(self) -> None:
        self._numbers("table", sorted(self._rows.tables))
        parts, cells = self._by_table(self._rows.parts), self._by_table(self._rows.cells)
        for number, (_, rows, columns) in self._rows.tables.items():
            self._table_parts(number, rows, parts[number])
            pages = [part[0] for part in parts[number]]
            for cell in cells[number]:
                self._cell(cell, rows, columns, pages)

    def _by_table(self, by_page: dict[int, list[Row]]) -> dict[int, list[Row]]:
        grouped: dict[int, list[Row]] = defaultdict(list)
        for row in self._in_order(by_page):
            grouped[row[1]].append(row)
        return grouped

    def _table_parts(self, number: int, rows: int, parts: list[Row]) -> None:
        if rows != sum(part[7] for part in parts):
            self._add("table_structure_broken", f"table {number} has {rows} rows, its parts have"
                      f" {sum(part[7] for part in parts)}")  # fmt: skip
        due = 0
        for p in parts:
            if p[6] != due or p[10] not in (0, 1):
                detail = f"table {number}: part from row {p[6]}, due {due}; trusted {p[10]}"
                self._add("table_structure_broken", detail, p[0])
            due += p[7]
            self._box_inside(p[0], f"table {number}", p[2:6])
            self._ranges(p[0], f"table {number}", p[12], p[14])

    def _cell(self, c: Row, rows: int, columns: int, pages: list[int]) -> None:
        page, number, row, col, row_span, col_span = c[:6]
        what = f"cell {row},{col} of table {number}"
        self._box_inside(page, what, c[6:10])
        self._ranges(page, what, c[11])
        again = c[12] == CellRole.REPEATED_HEADER
        # A header that is printed again has no rows of its own, and stands on later pages only.
        fits = again or (row + row_span <= rows and row >= 0 and row_span > 0)
        fits = fits and 0 <= col < col + col_span <= columns and page in pages
        first = bool(pages) and page == pages[0]
        if not fits or (again and first) or (c[12] == CellRole.COLUMN_HEADER and not first):
            self._add("table_structure_broken", f"{what}, {c[12]}", page)

    def _ranges(self, number: int, what: str, *texts: str) -> None:
        start, end = self._by_number[number][3:5] if number in self._by_number else (0, -1)
        for one, other in (pair for text in texts for pair in json.loads(text)):
            if not start <= one <= other <= end:
                self._add("offsets_outside_page", f"{what} at {one}..{other}", number)

    def _positions(self) -> None:
        for what, by_page in (("warning", self._rows.warnings), ("search", self._rows.searches)):
            for number, rows in sorted(by_page.items()):
                self._numbers(what, [row[1] for row in rows], 0, number)
                if number not in self._by_number and not (what == "warning" and number == 0):
                    self._add("numbering_broken", f"{what} of page {number}, which is not there")

    def _canonical(self) -> None:
        """JSON is kept in one form, so that equal values are equal texts."""
        for number, what, text in self._json_values():
            if json_text(json.loads(text)) != text:
                self._add("value_not_canonical", what, number)

    def _json_values(self) -> Iterator[tuple[int, str, str]]:
        yield 0, "options", self._rows.document[11]
        for p in self._rows.pages:
            yield from ((p[0], "frame", p[2]), (p[0], "styles", p[7]))
        for part in self._in_order(self._rows.parts):
            yield from ((part[0], "ranges", part[12]), (part[0], "ranges", part[14]))
        for cell in self._in_order(self._rows.cells):
            yield from ((cell[0], "ranges", cell[11]), (cell[0], "notes", cell[14]))
