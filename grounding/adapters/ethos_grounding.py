"""Grounding JSON of Ethos (`ethos.grounding.v1`, schema versions 1.0.0 and 1.1.0).

A closed format: unknown keys, nulls and fractions are refused, as are boxes outside their page,
offsets that do not select their text, and cells that overlap. Documents with pages are PDFs;
schema version 1.1.0 also knows documents without pages, whose elements have an address of their own
(`locator`) and no box.

Files that this project exports say more through ids and kinds, see `grounding.adapters.additions`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from grounding.adapters.additions import with_additions
from grounding.adapters.model import (
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignSpan,
    ForeignTable,
)
from grounding.adapters.shape import (
    ClosedShape,
    apart,
    artifact_json,
    refuse,
    shaped,
    unique,
    within,
)
from grounding.canonical import MAX_SAFE_INTEGER
from grounding.fingerprint import sha256_fingerprint
from grounding.model import Capabilities, Parser

NAME, VERSION = "ethos-grounding", "1.0.0"

MAX_BYTES = 16_384
"""UTF-8 bytes of a text."""
MAX_LOCATOR_BYTES = 2048

Id = Annotated[StrictStr, Field(max_length=256, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]*$")]
Text = Annotated[StrictStr, Field(max_length=MAX_BYTES)]
Name = Annotated[StrictStr, Field(min_length=1, max_length=MAX_BYTES)]
Low = Annotated[StrictInt, Field(ge=0, le=MAX_SAFE_INTEGER)]
High = Annotated[StrictInt, Field(ge=1, le=MAX_SAFE_INTEGER)]
Bbox = tuple[Low, Low, High, High]
Index = Annotated[StrictInt, Field(ge=0, le=2**32 - 1)]
Extent = Annotated[StrictInt, Field(ge=1, le=2**32 - 1)]
MediaType = Literal[
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.presentation",
    "application/rtf",
    "application/epub+zip",
]


class GroundedBytes(ClosedShape):
    media_type: MediaType
    sha256: Annotated[StrictStr, Field(pattern=r"^sha256:[0-9a-f]{64}$")]


class Producer(ClosedShape):
    name: Name
    version: Name


class Abilities(ClosedShape):
    spans: StrictBool
    char_offsets: StrictBool
    tables: StrictBool


class CoordinateSystem(ClosedShape):
    unit: Literal["centipoint"]
    origin: Literal["top-left"]


class GroundedPage(ClosedShape):
    id: Id
    index: Extent
    width: High
    height: High
    rotation: Literal[0, 90, 180, 270]


# A key that may be missing has a default of its own type: null is no value in this format.
class GroundedElement(ClosedShape):
    id: Id
    page: Id = ""
    bbox: Bbox = (0, 0, 0, 0)
    kind: Annotated[StrictStr, Field(max_length=256, pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    text: Text = ""
    locator: Annotated[StrictStr, Field(min_length=1, max_length=MAX_LOCATOR_BYTES)] = ""


class GroundedSpan(ClosedShape):
    id: Id
    page: Id
    bbox: Bbox
    text: Text
    element: Id = ""
    char_start: Index = 0
    char_end: Index = 0


class GroundedCell(ClosedShape):
    row: Index
    col: Index
    row_span: Extent
    col_span: Extent
    bbox: Bbox
    text: Text


class GroundedTable(ClosedShape):
    id: Id
    page: Id
    bbox: Bbox
    cells: Annotated[list[GroundedCell], Field(max_length=1_000_000)]


class GroundingFile(ClosedShape):
    """A whole file."""

    artifact_type: Literal["ethos.grounding.v1"]
    schema_version: Literal["1.0.0", "1.1.0"]
    source: GroundedBytes
    producer: Producer
    capabilities: Abilities
    coordinate_system: CoordinateSystem
    pages: Annotated[list[GroundedPage], Field(max_length=5000)]
    elements: Annotated[list[GroundedElement], Field(max_length=1_000_000)]
    spans: Annotated[list[GroundedSpan], Field(default_factory=list, max_length=1_000_000)]
    tables: Annotated[list[GroundedTable], Field(default_factory=list, max_length=100_000)]

    @property
    def paged(self) -> bool:
        return self.source.media_type == "application/pdf"


def read(data: bytes) -> ForeignDocument:
    """The document of a file; its fingerprint is the SHA-256 of the file's bytes. Raises
    ArtifactInvalidError."""
    if data.startswith(b"\xef\xbb\xbf"):
        refuse("the file", "begins with a byte order mark, which the format has not")
    file = shaped(GroundingFile, artifact_json(data))
    _check(file)
    return with_additions(
        ForeignDocument(
            Parser(file.producer.name, file.producer.version, NAME, VERSION),
            _capabilities(file),
            sha256_fingerprint(data),
            file.source.sha256,
            pages=tuple(
                ForeignPage(p.id, p.index, p.width, p.height, p.rotation) for p in file.pages
            ),
            elements=tuple(map(_element, file.elements)),
            spans=tuple(map(_span, file.spans)),
            tables=tuple(map(_table, file.tables)),
        )
    )


def _capabilities(file: GroundingFile) -> Capabilities:
    return Capabilities(
        file.capabilities.spans,
        file.capabilities.char_offsets,
        file.capabilities.tables,
        fingerprint=True,
        coordinate_origin="top-left" if file.paged else "unknown",
        crop_support=False,
        pages=file.paged,
        page_labels=False,
        cell_roles=False,
    )


def _check(file: GroundingFile) -> None:
    """Everything that the shape does not say."""
    given = file.model_fields_set
    able = file.capabilities
    if able.char_offsets and not able.spans:
        refuse("capabilities", "char_offsets without spans")
    if file.schema_version == "1.0.0" and not file.paged:
        refuse("source.media_type", "schema version 1.0.0 is for application/pdf alone")
    if file.paged and (able.spans, able.tables) != ("spans" in given, "tables" in given):
        refuse("capabilities", "do not agree with the lists that the file has")
    sizes = _pages(file)
    _elements(file, sizes)
    if not file.paged:
        if file.pages or file.spans or file.tables or able.spans or able.tables:
            refuse("the file", "a document without pages has no pages, spans or tables")
        return
    _spans(file, sizes)
    _tables(file, sizes)


_Sizes = dict[str, tuple[int, int]]


def _pages(file: GroundingFile) -> _Sizes:
    unique((page.id for page in file.pages), "pages")
    for at, page in enumerate(file.pages):
        if page.index != at + 1:
            refuse(f"pages[{at}].index", f"is {page.index} and not {at + 1}")
    return {page.id: (page.width, page.height) for page in file.pages}


def _on_page(page: str, box: Bbox, sizes: _Sizes, where: str) -> None:
    if page not in sizes:
        refuse(f"{where}.page", f"references unknown page {page!r}")
    within(box, *sizes[page], f"{where}.bbox")


def _elements(file: GroundingFile, sizes: _Sizes) -> None:
    unique((element.id for element in file.elements), "elements")
    wanted = {"page", "bbox"} if file.paged else {"locator"}
    for at, element in enumerate(file.elements):
        where, given = f"elements[{at}]", element.model_fields_set
        if given & {"page", "bbox", "locator"} != wanted:
            refuse(where, f"needs {' and '.join(sorted(wanted))} and no other address")
        if file.paged:
            _on_page(element.page, element.bbox, sizes, where)
        _short(element.text, MAX_BYTES, f"{where}.text")
        _short(element.locator, MAX_LOCATOR_BYTES, f"{where}.locator")


def _short(text: str, most: int, where: str) -> None:
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        refuse(where, "holds a lone surrogate")
    if size > most:
        refuse(where, f"has {size} bytes and not at most {most}")


def _spans(file: GroundingFile, sizes: _Sizes) -> None:
    unique((span.id for span in file.spans), "spans")
    texts = {e.id: e.text if "text" in e.model_fields_set else None for e in file.elements}
    for at, span in enumerate(file.spans):
        where, given = f"spans[{at}]", span.model_fields_set
        _on_page(span.page, span.bbox, sizes, where)
        _short(span.text, MAX_BYTES, f"{where}.text")
        if "element" in given and span.element not in texts:
            refuse(f"{where}.element", f"references unknown element {span.element!r}")
        offsets = {"char_start", "char_end"} & given
        if not file.capabilities.char_offsets:
            if offsets:
                refuse(where, "has offsets, and the file says that it has none")
            continue
        text = texts.get(span.element)
        selected = text[span.char_start : span.char_end] if text is not None else None
        if len(offsets) != 2 or span.char_start > span.char_end or selected != span.text:
            refuse(where, "has no offsets that select its text in its element")


def _tables(file: GroundingFile, sizes: _Sizes) -> None:
    unique((table.id for table in file.tables), "tables")
    for at, table in enumerate(file.tables):
        where = f"tables[{at}]"
        _on_page(table.page, table.bbox, sizes, where)
        before = (-1, -1)
        for number, cell in enumerate(table.cells):
            _on_page(table.page, cell.bbox, sizes, f"{where}.cells[{number}]")
            _short(cell.text, MAX_BYTES, f"{where}.cells[{number}].text")
            if (cell.row, cell.col) <= before:
                refuse(f"{where}.cells[{number}]", "is not behind the cell before it")
            before = cell.row, cell.col
        apart(((c.row, c.col, c.row_span, c.col_span) for c in table.cells), f"{where}.cells")


def _element(element: GroundedElement) -> ForeignElement:
    given = element.model_fields_set
    return ForeignElement(
        element.id,
        element.page,
        element.bbox if "bbox" in given else None,
        element.kind,
        element.text if "text" in given else None,
    )


def _span(span: GroundedSpan) -> ForeignSpan:
    placed = "char_start" in span.model_fields_set
    return ForeignSpan(
        span.id,
        span.page,
        span.bbox,
        span.text,
        span.element,
        span.char_start if placed else None,
        span.char_end if placed else None,
    )


def _table(table: GroundedTable) -> ForeignTable:
    cells = (ForeignCell(c.row, c.col, c.row_span, c.col_span, c.bbox, c.text) for c in table.cells)
    return ForeignTable(table.id, table.page, table.bbox, tuple(cells))
