"""JSON of OpenDataLoader PDF: the tree that the tool writes, and the flat form of its bridge.

Boxes come without a word about their origin, which stays unknown: they prove nothing about places.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StrictInt, StrictStr

from grounding.adapters.model import (
    ForeignBox,
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignTable,
)
from grounding.adapters.opendataloader_tree import is_tree, read_tree
from grounding.adapters.shape import (
    MAX_PAGES,
    Number,
    OpenShape,
    apart,
    artifact_json,
    centipoints,
    ordered,
    refuse,
    shaped,
    unique,
    within,
)
from grounding.model import Capabilities, Parser

NAME, VERSION = "opendataloader-json", "0.1.0"

Word = Annotated[StrictStr, Field(pattern=r"\S")]
Numbers = tuple[Number, Number, Number, Number]
Index = Annotated[StrictInt, Field(ge=0, le=2**32 - 1)]
Extent = Annotated[StrictInt, Field(ge=1, le=2**32 - 1)]


class Tool(OpenShape):
    name: Word
    version: Word


class FlatPage(OpenShape):
    number: Annotated[StrictInt, Field(ge=1, le=MAX_PAGES)]
    width: Number
    height: Number


class FlatElement(OpenShape):
    page: StrictInt
    bbox: Numbers
    id: StrictStr | None = None
    type: StrictStr | None = None
    text: StrictStr | None = None


class FlatCell(OpenShape):
    row: Index
    col: Index
    row_span: Extent = 1
    col_span: Extent = 1
    bbox: Numbers
    text: Word


class FlatTable(OpenShape):
    page: StrictInt
    bbox: Numbers
    id: StrictStr | None = None
    cells: list[FlatCell]


class FlatFile(OpenShape):
    """The flat form: pages, elements and tables side by side; coordinates in points."""

    tool: Tool
    source_fingerprint: StrictStr | None = None
    pages: list[FlatPage]
    elements: list[FlatElement]
    tables: list[FlatTable] | None = None


def read(data: bytes) -> ForeignDocument:
    """The document of a file in either form. Raises ArtifactInvalidError."""
    value = artifact_json(data)
    if not isinstance(value, dict):
        refuse("the file", "is no JSON object")
    fingerprint = _fingerprint(value)
    if is_tree(value):
        parser = Parser("opendataloader-pdf", "unknown", NAME, VERSION)
        name = str(value["file name"])
        return _document(read_tree(value), parser, fingerprint, name=name, grid_from=1)
    file = shaped(FlatFile, value)
    parser = Parser(file.tool.name.strip(), file.tool.version.strip(), NAME, VERSION)
    return _document(_flat(file), parser, fingerprint)


_Parts = tuple[tuple[ForeignPage, ...], tuple[ForeignElement, ...], tuple[ForeignTable, ...] | None]


def _document(
    parts: _Parts, parser: Parser, fingerprint: str, *, name: str = "", grid_from: int = 0
) -> ForeignDocument:
    pages, elements, tables = parts
    return ForeignDocument(
        parser,
        Capabilities(
            spans=False,
            char_offsets=False,
            tables=tables is not None,
            fingerprint=bool(fingerprint),
            coordinate_origin="unknown",
            crop_support=False,
            page_labels=False,
            cell_roles=False,
        ),
        fingerprint,
        fingerprint,
        name,
        pages=pages,
        elements=elements,
        tables=tables or (),
        grid_from=grid_from,
    )


class _Source(OpenShape):
    source_fingerprint: StrictStr | None = None


def _fingerprint(value: dict[str, Any]) -> str:
    """The fingerprint that a file may carry at its root; empty where it has none."""
    given = shaped(_Source, value).source_fingerprint
    if given is None:
        return ""
    digits = given.strip().removeprefix("sha256:")
    if len(digits) != 64 or set(digits) - set("0123456789abcdef") or digits == given.strip():
        refuse("source_fingerprint", "is not sha256:<64 hex digits>")
    return given.strip()


def _flat(file: FlatFile) -> _Parts:
    numbers = [page.number for page in file.pages]
    if len(set(numbers)) != len(numbers):
        refuse("pages", "two pages have the same number")
    pages = {page.number: _page(page, f"pages[{at}]") for at, page in enumerate(file.pages)}
    elements = [_element(e, at, pages) for at, e in enumerate(file.elements)]
    unique((element.id for element in elements), "elements")
    tables = None
    if file.tables is not None:
        tables = tuple(_table(t, at, pages) for at, t in enumerate(file.tables))
        unique((table.id for table in tables), "tables")
    return tuple(pages[number] for number in sorted(pages)), tuple(elements), tables


def _page(page: FlatPage, where: str) -> ForeignPage:
    width = centipoints(page.width, f"{where}.width")
    height = centipoints(page.height, f"{where}.height")
    if width <= 0 or height <= 0:
        refuse(where, "needs a width and a height above 0")
    return ForeignPage(f"page-{page.number}", page.number, width, height)


def _box(numbers: Numbers, page: ForeignPage, where: str) -> ForeignBox:
    x0, y0, x1, y1 = (centipoints(number, where) for number in numbers)
    return within(ordered((x0, y0, x1, y1), where), page.width, page.height, where)


def _known(number: int, pages: dict[int, ForeignPage], what: str, where: str) -> ForeignPage:
    if number not in pages:
        refuse(where, f"{what}.page references unknown page {number}")
    return pages[number]


def _element(element: FlatElement, at: int, pages: dict[int, ForeignPage]) -> ForeignElement:
    where = f"elements[{at}]"
    page = _known(element.page, pages, "element", where)
    box = _box(element.bbox, page, f"{where}.bbox")
    kind = (element.type or "unknown").lower()
    own = (element.id or "").strip()
    return ForeignElement(own or f"odl-el-{at + 1}", page.id, box, kind, element.text)


def _table(table: FlatTable, at: int, pages: dict[int, ForeignPage]) -> ForeignTable:
    where = f"tables[{at}]"
    page = _known(table.page, pages, "table", where)
    apart(((c.row, c.col, c.row_span, c.col_span) for c in table.cells), f"{where}.cells")
    cells = tuple(
        ForeignCell(c.row, c.col, c.row_span, c.col_span,
                    _box(c.bbox, page, f"{where}.cells[{number}].bbox"), c.text)
        for number, c in enumerate(table.cells)
    )  # fmt: skip
    own = (table.id or "").strip()
    return ForeignTable(
        own or f"odl-table-{at + 1}", page.id, _box(table.bbox, page, f"{where}.bbox"), cells
    )
