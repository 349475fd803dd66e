"""JSON of Docling (`DoclingDocument`): items in the order of its body, with places and cells.

Every box says where its origin is; boxes are turned to the top left with the height of their page.
Where one of them does not say it, the origin of the document's boxes is unknown. A text that stands
in several places (over a page break) becomes one element a place, cut by its character spans: the
first keeps the item's reference as its id, the others have a number behind it (`#/texts/7@2`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from grounding.adapters.model import (
    ForeignBox,
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignSpan,
    ForeignTable,
)
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
)
from grounding.model import Capabilities, CellRole, DocumentWarning, Parser, WarningCode

NAME, VERSION = "docling-json", "1.0.0"

Offset = Annotated[StrictInt, Field(ge=0, le=2**32 - 1)]


class Ref(OpenShape):
    ref: Annotated[StrictStr, Field(alias="$ref")]


class Bounds(OpenShape):
    """Left, top, right and bottom in points."""

    left: Annotated[Number, Field(alias="l")]
    top: Annotated[Number, Field(alias="t")]
    right: Annotated[Number, Field(alias="r")]
    bottom: Annotated[Number, Field(alias="b")]
    coord_origin: Literal["TOPLEFT", "BOTTOMLEFT"] | None = None


class Provenance(OpenShape):
    page_no: Annotated[StrictInt, Field(ge=1, le=MAX_PAGES)]
    bbox: Bounds
    charspan: tuple[Offset, Offset]


class Item(OpenShape):
    """What all items have."""

    self_ref: StrictStr
    label: StrictStr = "unspecified"
    content_layer: StrictStr = "body"
    children: Annotated[list[Ref], Field(default_factory=list)]
    prov: Annotated[list[Provenance], Field(default_factory=list)]


class TextItem(Item):
    text: StrictStr
    orig: StrictStr = ""
    level: Annotated[StrictInt, Field(ge=0, le=1000)] = 0


class TableCell(OpenShape):
    bbox: Bounds | None = None
    row_span: Annotated[StrictInt, Field(ge=1)] = 1
    col_span: Annotated[StrictInt, Field(ge=1)] = 1
    start_row_offset_idx: Offset
    end_row_offset_idx: Offset
    start_col_offset_idx: Offset
    end_col_offset_idx: Offset
    text: StrictStr
    column_header: StrictBool = False
    row_header: StrictBool = False
    row_section: StrictBool = False


class TableData(OpenShape):
    table_cells: Annotated[list[TableCell], Field(default_factory=list)]


class TableItem(Item):
    data: TableData
    captions: Annotated[list[Ref], Field(default_factory=list)]


class PictureItem(Item):
    pass


class PageSize(OpenShape):
    width: Number
    height: Number


class PageItem(OpenShape):
    page_no: Annotated[StrictInt, Field(ge=1, le=MAX_PAGES)]
    size: PageSize


class Origin(OpenShape):
    filename: StrictStr = ""


class DoclingFile(OpenShape):
    """A whole document, of schema version 1."""

    schema_name: Literal["DoclingDocument"]
    version: Annotated[StrictStr, Field(pattern=r"^1\.\d+\.\d+$")]
    name: StrictStr = ""
    origin: Origin | None = None
    body: Item
    groups: Annotated[list[Item], Field(default_factory=list)]
    texts: Annotated[list[TextItem], Field(default_factory=list)]
    tables: Annotated[list[TableItem], Field(default_factory=list)]
    pictures: Annotated[list[PictureItem], Field(default_factory=list)]
    key_value_items: Annotated[list[PictureItem], Field(default_factory=list)]
    form_items: Annotated[list[PictureItem], Field(default_factory=list)]
    pages: Annotated[dict[str, PageItem], Field(default_factory=dict)]


def read(data: bytes) -> ForeignDocument:
    """The document of a file. Raises ArtifactInvalidError."""
    file = shaped(DoclingFile, artifact_json(data))
    return _Reading(file, _pages(file)).document()


def _pages(file: DoclingFile) -> dict[int, ForeignPage]:
    found: dict[int, ForeignPage] = {}
    for key, page in file.pages.items():
        where = f"pages.{key}"
        width = centipoints(page.size.width, f"{where}.size.width")
        height = centipoints(page.size.height, f"{where}.size.height")
        if key != str(page.page_no) or page.page_no in found:
            refuse(f"{where}.page_no", f"is {page.page_no}")
        found[page.page_no] = ForeignPage(f"page-{key}", page.page_no, width, height)
    return dict(sorted(found.items()))


@dataclass(slots=True)
class _Reading:
    """One file on its way to elements, spans and tables."""

    file: DoclingFile
    pages: dict[int, ForeignPage]
    elements: list[ForeignElement] = field(default_factory=list)
    spans: list[ForeignSpan] = field(default_factory=list)
    tables: list[ForeignTable] = field(default_factory=list)
    warnings: list[DocumentWarning] = field(default_factory=list)
    origins_known: bool = True

    def document(self) -> ForeignDocument:
        for item, where in _in_order(self.file):
            if isinstance(item, TextItem):
                self._text(item, where)
            elif isinstance(item, TableItem):
                self._table(item, where)
            elif isinstance(item, PictureItem):
                self._picture(item, where)
        return ForeignDocument(
            Parser("docling", self.file.version, NAME, VERSION),
            self._capabilities(),
            name=self.file.origin.filename if self.file.origin is not None else "",
            pages=tuple(self.pages.values()),
            elements=tuple(self.elements),
            spans=tuple(self.spans),
            tables=tuple(self.tables),
            warnings=tuple(self.warnings),
        )

    def _capabilities(self) -> Capabilities:
        paged = bool(self.pages)
        return Capabilities(
            spans=paged,
            char_offsets=paged,
            tables=True,
            fingerprint=False,
            coordinate_origin="top-left" if paged and self.origins_known else "unknown",
            crop_support=False,
            pages=paged,
            page_labels=False,
            cell_roles=_has_roles(self.tables),
        )

    def _text(self, item: TextItem, where: str) -> None:
        if not self._placed(item, where):
            if not self.pages:
                self.elements.append(
                    ForeignElement(
                        item.self_ref, "", None, item.label, item.text, item.level,
                        hidden=_unseen(item),
                    )
                )  # fmt: skip
            return
        for at, (prov, text) in enumerate(zip(item.prov, _pieces(item, where), strict=True)):
            own_id = _numbered(item.self_ref, at)
            page, box = self._place(prov, f"{where}.prov[{at}]")
            level, hidden = max(item.level, int(item.label == "title")), _unseen(item)
            self.elements.append(
                ForeignElement(own_id, page, box, item.label, text, level, hidden=hidden)
            )
            if text:
                span = ForeignSpan(own_id, page, box, text, own_id, 0, len(text), hidden=hidden)
                self.spans.append(span)

    def _table(self, item: TableItem, where: str) -> None:
        if not self._placed(item, where) and self.pages:
            return
        cells = item.data.table_cells
        if len(item.prov) > 1 and any(cell.bbox is not None for cell in cells):
            refuse(f"{where}.prov", "a table over several places cannot say where its cells are")
        page, box = self._place(item.prov[0], f"{where}.prov[0]") if item.prov else ("", None)
        hidden = _unseen(item)
        self.elements.append(
            ForeignElement(item.self_ref, page, box, item.label, table=item.self_ref, hidden=hidden)
        )
        found = [self._cell(c, page, f"{where}.data.table_cells[{i}]") for i, c in enumerate(cells)]
        found.sort(key=lambda cell: (cell.row, cell.col))
        apart(((c.row, c.col, c.row_span, c.col_span) for c in found), f"{where}.data.table_cells")
        caption = " ".join(text.text for text in self._captions(item, where))
        self.tables.append(
            ForeignTable(item.self_ref, page, box, tuple(found), caption, hidden=hidden)
        )

    def _captions(self, item: TableItem, where: str) -> Iterator[TextItem]:
        texts = {text.self_ref: text for text in self.file.texts}
        for at, ref in enumerate(item.captions):
            if ref.ref not in texts:
                refuse(f"{where}.captions[{at}]", f"references unknown text {ref.ref!r}")
            yield texts[ref.ref]

    def _cell(self, cell: TableCell, page: str, where: str) -> ForeignCell:
        rows = cell.end_row_offset_idx - cell.start_row_offset_idx
        cols = cell.end_col_offset_idx - cell.start_col_offset_idx
        if rows < 1 or cols < 1:
            refuse(where, "covers no grid position")
        number = int(page.removeprefix("page-")) if page else 0
        box = self._box(cell.bbox, number, f"{where}.bbox") if cell.bbox and page else None
        return ForeignCell(
            cell.start_row_offset_idx, cell.start_col_offset_idx, rows, cols, box, cell.text,
            _role(cell),
        )  # fmt: skip

    def _picture(self, item: PictureItem, where: str) -> None:
        if not self._placed(item, where):
            return
        for at, prov in enumerate(item.prov):
            page, box = self._place(prov, f"{where}.prov[{at}]")
            self.elements.append(
                ForeignElement(_numbered(item.self_ref, at), page, box, item.label)
            )

    def _placed(self, item: Item, where: str) -> bool:
        """Whether an item has a place; what has none in a document with pages is noted."""
        if item.prov and not self.pages:
            refuse(f"{where}.prov[0]", "names a page, and the document has none")
        if not item.prov and self.pages and not isinstance(item, PictureItem):
            detail = f"{item.self_ref} has no place on a page and is left out"
            self.warnings.append(DocumentWarning(WarningCode.PARTIAL_PARSE, 0, detail))
        return bool(item.prov)

    def _place(self, prov: Provenance, where: str) -> tuple[str, ForeignBox]:
        if prov.page_no not in self.pages:
            refuse(f"{where}.page_no", f"references unknown page {prov.page_no}")
        box = self._box(prov.bbox, prov.page_no, f"{where}.bbox")
        return self.pages[prov.page_no].id, box

    def _box(self, bounds: Bounds, page: int, where: str) -> ForeignBox:
        x0, x1 = centipoints(bounds.left, where), centipoints(bounds.right, where)
        y0, y1 = centipoints(bounds.top, where), centipoints(bounds.bottom, where)
        if bounds.coord_origin is None:
            self.origins_known = False
            return x0, min(y0, y1), x1, max(y0, y1)
        if bounds.coord_origin == "BOTTOMLEFT":
            height = self.pages[page].height
            y0, y1 = height - y0, height - y1
        return ordered((x0, y0, x1, y1), where)


def _unseen(item: Item) -> bool:
    """Whether an item is of a layer that is not on the page: hidden content, notes to speakers."""
    return item.content_layer in ("invisible", "notes")


def _has_roles(tables: Sequence[ForeignTable]) -> bool:
    """Whether cells are told apart as labels of rows and of columns at all."""
    roles = {cell.role for table in tables for cell in table.cells}
    return CellRole.COLUMN_HEADER in roles and not roles.isdisjoint(
        (CellRole.ROW_HEADER, CellRole.SECTION)
    )


def _pieces(item: TextItem, where: str) -> list[str]:
    """What of a text stands at each of its places: all of it at the only one; of several the parts
    between spaces that their character spans cut, which leave nothing out and nothing twice."""
    ends = [prov.charspan for prov in item.prov]
    for at, (start, end) in enumerate(ends):
        if not start <= end <= len(item.text):
            refuse(f"{where}.prov[{at}].charspan", "does not lie in the item's text")
    if len(ends) == 1:
        return [item.text]
    at = 0
    for number, (start, end) in enumerate(ends):
        between = item.text[at:start]
        if start < at or between.strip() or (number and not between and at):
            refuse(
                f"{where}.prov[{number}].charspan",
                "does not go on behind a space where the one before it ends",
            )
        at = end
    if item.text[at:].strip():
        refuse(f"{where}.prov[{len(ends) - 1}].charspan", "leaves text without a place")
    return [item.text[start:end] for start, end in ends]


def _numbered(ref: str, at: int) -> str:
    return ref if at == 0 else f"{ref}@{at + 1}"


def _role(cell: TableCell) -> CellRole:
    if cell.column_header:
        return CellRole.COLUMN_HEADER
    if cell.row_section:
        return CellRole.SECTION
    return CellRole.ROW_HEADER if cell.row_header else CellRole.DATA


def _in_order(file: DoclingFile) -> Iterator[tuple[Item, str]]:
    """All items with their places in the file: first those of the body in its order, then those
    that it does not hold (heads and feet, for instance) in the order of their lists."""
    lists: dict[str, Sequence[Item]] = {
        "groups": file.groups,
        "texts": file.texts,
        "tables": file.tables,
        "pictures": file.pictures,
        "key_value_items": file.key_value_items,
        "form_items": file.form_items,
    }
    items: dict[str, tuple[Item, str]] = {
        item.self_ref: (item, f"{name}[{at}]")
        for name, group in lists.items()
        for at, item in enumerate(group)
    }
    unique((item.self_ref for group in lists.values() for item in group), "items")
    seen: set[str] = set()
    stack = [(ref.ref, f"body.children[{at}]") for at, ref in enumerate(file.body.children)][::-1]
    while stack:
        ref, where = stack.pop()
        if ref not in items:
            refuse(where, f"references unknown item {ref!r}")
        if ref in seen:
            refuse(where, f"references {ref!r} a second time")
        seen.add(ref)
        item, place = items[ref]
        yield item, place
        below = [(r.ref, f"{place}.children[{at}]") for at, r in enumerate(item.children)]
        stack += reversed(below)
    yield from (found for ref, found in items.items() if ref not in seen)
