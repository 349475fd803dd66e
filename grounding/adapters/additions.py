"""What this project's own Grounding JSON says beyond its format, by ids and kinds alone.

The format has no place for what a cell is to its table, for what is said of all numbers of a table,
for footnote markers and for tables that go on over a page. Files that `grounding.grounding_json`
writes hold elements of these kinds, which every reader of the format accepts:

- `column_header`, `row_header`, `section`, with the depth of an indented label behind a hyphen
  (`row_header-2`), in the box and with the text of a cell: the cell's role;
- `table_caption` and `table_statement`, whose ids begin with the table's id and a full stop;
- `footnote_marker`, in the box and with the text of a span: a marker that is no part of the words
  around it. Its id begins with that of the element in whose text it stands.

A table whose id is another one's with a page behind it (`t0001.p0004`) goes on with its rows.
"""

from __future__ import annotations

import re
from dataclasses import replace

from grounding.adapters.model import (
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignSpan,
    ForeignTable,
)
from grounding.model import CellRole

PRODUCER = "pagewitness"
MARKER_KIND = "footnote_marker"
CAPTION_KIND, STATEMENT_KIND = "table_caption", "table_statement"

_ROLES = (CellRole.COLUMN_HEADER, CellRole.ROW_HEADER, CellRole.SECTION)
_ROLE_KIND = re.compile(rf"({'|'.join(_ROLES)})(?:-(\d{{1,3}}))?")
_CONTINUED = re.compile(r"(t\d+)\.p\d+")

_Address = tuple[str, tuple[int, int, int, int] | None]


def role_kind(role: CellRole, level: int) -> str:
    """The kind of the element that tells a cell's role."""
    return f"{role}-{level}" if level else str(role)


def continued_id(table: str, page: str) -> str:
    """The id of a table's part on another page than its first."""
    return f"{table}.{page}"


def with_additions(document: ForeignDocument) -> ForeignDocument:
    """The document with roles, captions, statements and chains of tables, if this project wrote
    it; any other one as it is."""
    if document.parser.name != PRODUCER:
        return document
    labels = _labels(document)
    said = {
        (element.id.rpartition(".")[0], element.kind): element.text or ""
        for element in document.elements
        if element.kind in (CAPTION_KIND, STATEMENT_KIND)
    }
    tables = tuple(_told(table, labels, said) for table in document.tables)
    owners = {(t.page, c.bbox): t.id for t in document.tables for c in t.cells}
    return replace(
        document,
        capabilities=replace(document.capabilities, cell_roles=True),
        elements=tuple(_placed(element, owners) for element in document.elements),
        spans=_marked(document),
        tables=tables,
    )


def _marked(document: ForeignDocument) -> tuple[ForeignSpan, ...]:
    markers = {(e.page, e.bbox, e.text) for e in document.elements if e.kind == MARKER_KIND}
    return tuple(
        replace(span, marker=True) if (span.page, span.bbox, span.text) in markers else span
        for span in document.spans
    )


def _labels(document: ForeignDocument) -> dict[_Address, tuple[CellRole, int]]:
    found: dict[_Address, tuple[CellRole, int]] = {}
    for element in document.elements:
        kind = _ROLE_KIND.fullmatch(element.kind)
        if kind is not None:
            found[element.page, element.bbox] = CellRole(kind[1]), int(kind[2] or 0)
    return found


def _told(
    table: ForeignTable,
    labels: dict[_Address, tuple[CellRole, int]],
    said: dict[tuple[str, str], str],
) -> ForeignTable:
    whole = _CONTINUED.fullmatch(table.id)
    return replace(
        table,
        cells=tuple(_labelled(cell, labels.get((table.page, cell.bbox))) for cell in table.cells),
        caption=said.get((table.id, CAPTION_KIND), ""),
        statement=said.get((table.id, STATEMENT_KIND), ""),
        continues=whole[1] if whole is not None else "",
    )


def _labelled(cell: ForeignCell, label: tuple[CellRole, int] | None) -> ForeignCell:
    if label is None:
        return replace(cell, role=CellRole.DATA)
    return replace(cell, role=label[0], level=label[1])


def _placed(element: ForeignElement, owners: dict[_Address, str]) -> ForeignElement:
    """An element that only tells of a table repeats what stands elsewhere on its page."""
    if _ROLE_KIND.fullmatch(element.kind):
        return replace(element, inside=owners.get((element.page, element.bbox), ""))
    if element.kind in (CAPTION_KIND, STATEMENT_KIND, MARKER_KIND):
        return replace(element, inside=element.id.rpartition(".")[0])
    return element
