"""Cells by what a reader reads: the label of their row and of their column.

A label is compared under the text folds with the label next to the cells, with all labels of its
row or column, and with the end of the path that leads to it, its steps parted by one of SEPARATORS:
"Revenue", "Americas > Revenue" and "Year ended > 2022" all name places. Footnote markers at a
label's end may be left out. Case is never folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grounding.model import Cell, Table
from grounding.tables import TablePaths, column_path, row_labels, row_path
from grounding.text import fold
from verifier.codes import Reason, Status
from verifier.report import FoundElsewhere

SEPARATORS = (" > ", " / ", " | ", ": ", " - ", ", ", " ")
_NOTE = re.compile(r"\s*(?:\((?:\d{1,2}|[a-z])\)|\[\d{1,2}\]|\*{1,3}|[†‡§])$")
_DEEPEST = 24
"""Headers over a column that are looked at: the work grows with the square of their number."""
_COLON = re.compile(r"\s*:$")


@dataclass(frozen=True, slots=True)
class LabelledPlace:
    """What labels lead to: one cell, or all cells of a row or a column."""

    table: Table
    cells: tuple[Cell, ...]

    @property
    def cell(self) -> Cell | None:
        return self.cells[0] if len(self.cells) == 1 else None


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """Labels that lead nowhere, or to several places, which are then listed."""

    status: Status
    reason: Reason
    candidates: tuple[LabelledPlace, ...] = field(default=())


def find_labelled(
    tables: Iterable[Table], row_label: str | None, column_label: str | None
) -> LabelledPlace | Unlabelled:
    """The place in some tables that both labels (one of them may be None) describe."""
    tables = list(tables)
    if not tables:
        return Unlabelled("not_found", "table_not_found")
    places: list[LabelledPlace] = []
    saw_row = uncertain = False
    for table in tables:
        paths = TablePaths(table)
        rows = _rows(paths, row_label)
        saw_row = saw_row or bool(rows)
        if column_label is None:
            places.extend(LabelledPlace(table, _row_cells(paths, row)) for row in rows)
            continue
        for columns in _columns(paths, column_label):
            cells = [cell for row in rows for cell in _crossing(paths, row, columns)]
            if any(_reaches_out(cell, columns, paths) for cell in cells):
                uncertain = True
            elif row_label is None:
                places.append(LabelledPlace(table, tuple(cells)))
            else:
                places.extend(LabelledPlace(table, (cell,)) for cell in cells)
    places = [place for place in places if place.cells]
    if len(places) > 1:
        return Unlabelled("mismatch", "label_ambiguous", tuple(places))
    if places and row_label is not None and _is_shared(places[0]):
        return Unlabelled("mismatch", "label_ambiguous", tuple(places))
    if uncertain:
        return Unlabelled("mismatch", "column_uncertain", tuple(places))
    if not places:
        missing: Reason = "column_label_not_found" if saw_row else "row_label_not_found"
        return Unlabelled("not_found", missing)
    return places[0]


def listed(place: LabelledPlace) -> FoundElsewhere:
    """A place that labels lead to, as a report lists it."""
    first = place.cells[0]
    data: FoundElsewhere = {
        "page": first.page,
        "bbox": first.box.as_list(),
        "text": " | ".join(" ".join(cell.text.split()) for cell in place.cells),
        "table_id": place.table.id,
        "row_labels": texts_of(row_path(place.table, first.row)),
        "column_labels": texts_of(column_path(place.table, first.col)),
    }
    if place.cell is not None:
        data["cell"] = {"row": first.row, "col": first.col}
    return data


def texts_of(cells: Iterable[Cell]) -> list[str]:
    """The texts of labels, each on one line."""
    return [" ".join(cell.text.split()) for cell in cells]


def _is_shared(place: LabelledPlace) -> bool:
    """Whether a number stands over several rows with labels of their own: nobody can tell which of
    them it belongs to."""
    cell = place.cell
    if cell is None or cell.row_span == 1 or not any(map(str.isdigit, cell.text)):
        return False
    rows = range(cell.row, cell.row + cell.row_span)
    own = {tuple(c.text for c in row_labels(place.table, row)) for row in rows}
    return len(own) > 1


def spellings(path: Sequence[Cell], own: int) -> set[str]:
    """All texts that name the last `own` cells of a path of labels, folded."""
    texts = [_plain(cell.text) for cell in path]
    bare = [_bare(text) for text in texts]
    named: set[str] = set()
    if path and path[-1].header:
        # A header of several lines goes by its last ones, too: "52 weeks ended / 28 August 2021".
        lines = path[-1].text.split("\n")
        named.update(_plain(" ".join(lines[at:])) for at in range(1, len(lines)))
    for steps in (texts, bare):
        named.update(steps[len(steps) - own :])
        for start in range(len(steps) - 1):
            named.update(separator.join(steps[start:]) for separator in SEPARATORS)
    return named - {""}


def _plain(text: str) -> str:
    return fold(text).text.strip()


def _bare(text: str) -> str:
    """A label without footnote markers and the colon of a section."""
    while (shorter := _NOTE.sub("", text)) != text and shorter:
        text = shorter
    return _COLON.sub("", text)


def _rows(paths: TablePaths, label: str | None) -> list[int]:
    """Rows of the body with this label; all of them for None."""
    table = paths.table
    header = {row for c in table.cells if c.header for row in range(c.row, c.row + c.row_span)}
    body = [row for row in paths.rows if row not in header]
    if label is None:
        return body
    wanted = _plain(label)
    found = []
    for row in body:
        own = paths.labels(row)
        if own and wanted in spellings(paths.row(row), len(own)):
            found.append(row)
    return found


def _columns(paths: TablePaths, label: str) -> list[range]:
    """Columns under headers with this label, those of one header together."""
    wanted = _plain(label)
    found: set[tuple[int, int]] = set()
    for column in paths.headed_columns:
        path = paths.column(column)[-_DEEPEST:]
        for depth in range(1, len(path) + 1):
            if wanted in spellings(path[:depth], 1):
                cell = path[depth - 1]
                found.add((cell.col, cell.col + cell.col_span))
    return [range(*bounds) for bounds in sorted(found)]


def _row_cells(paths: TablePaths, row: int) -> tuple[Cell, ...]:
    """Cells of a row that hold data: its label is not a value of the row."""
    labels = paths.labels(row)
    return tuple(cell for cell in paths.cells(row) if cell not in labels)


def _crossing(paths: TablePaths, row: int, columns: range) -> list[Cell]:
    """The cells of a row under a column's header."""
    return [
        cell
        for cell in paths.cells(row)
        if cell.col < columns.stop and columns.start < cell.col + cell.col_span
    ]


def _reaches_out(cell: Cell, columns: range, paths: TablePaths) -> bool:
    """Whether a cell also stands under another header: its box cannot tell whose value it is."""
    if cell.blank or cell.col_span == 1:
        return False
    return any(
        column not in columns and paths.column(column)
        for column in range(cell.col, cell.col + cell.col_span)
    )
