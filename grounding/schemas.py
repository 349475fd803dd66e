"""Types of files about documents and sources: the exported document, the crop descriptor, chunks,
search hits, the map of a context, the source map and its history.

They are JSON data when they are made; these types describe them, for the JSON Schemas and for
readers of such files. They match grounding.export.artifact, grounding.crop.descriptor,
grounding.chunks, pagewitness.hits, pagewitness.context, grounding.store.source_entry and
grounding.store.map_history.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from grounding.model import CellRole, ElementKind, PageStatus, WarningCode

_CLOSED = ConfigDict(extra="forbid")

Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Blake3 = Annotated[str, Field(pattern=r"^blake3:[0-9a-f]{64}$")]
HexDigest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
PageNumber = Annotated[int, Field(ge=1, description="Counts from 1.")]
Offset = Annotated[int, Field(ge=0, description="Code points from the start of the text.")]
Bbox = Annotated[
    list[int],
    Field(
        min_length=4,
        max_length=4,
        description="x0, y0, x1, y1 in 1/100 point from the top left of the page as displayed.",
    ),
]
SpanFlagName = Literal[
    "bold",
    "italic",
    "marker",
    "hidden",
    "low_contrast",
    "ocr",
    "annotation",
    "letter_spaced",
    "replaced",
]


@with_config(_CLOSED)
class SourceNames(TypedDict):
    source_id: str
    name: str


@with_config(_CLOSED)
class ParserAndOptions(TypedDict):
    """Who read the document. `options` is part of the document fingerprint."""

    name: str
    version: str
    adapter: NotRequired[str]
    adapter_version: NotRequired[str]
    options: dict[str, Any]


@with_config(_CLOSED)
class SourceCapabilities(TypedDict):
    """What the document can prove."""

    spans: bool
    char_offsets: bool
    tables: bool
    fingerprint: bool
    coordinate_origin: Literal["top-left", "bottom-left", "unknown"]
    crop_support: bool


@with_config(_CLOSED)
class CoordinateSystem(TypedDict):
    origin: Literal["top-left"]
    unit: Literal["centipoint"]


@with_config(_CLOSED)
class FrameData(TypedDict):
    """How the page's own coordinates become displayed ones. `crop` is in 1/1000 unit of PDF user
    space, bottom-left origin; `user_unit` in 1/1000 point."""

    crop: Annotated[list[int], Field(min_length=4, max_length=4)]
    rotation: Literal[0, 90, 180, 270]
    user_unit: Positive


@with_config(_CLOSED)
class SearchData(TypedDict):
    """What a table engine was asked on a page, and what became of its answer."""

    engine: str
    found: Count
    taken: Count
    note: str


@with_config(_CLOSED)
class PageData(TypedDict):
    """A page and its piece of the text; sizes in 1/100 point."""

    id: Annotated[str, Field(pattern=r"^p\d{4,}$")]
    number: PageNumber
    index: Count
    label: str
    width: Positive
    height: Positive
    frame: FrameData
    start: Offset
    end: Offset
    status: PageStatus
    fingerprint: Blake3
    table_searches: NotRequired[list[SearchData]]


@with_config(_CLOSED)
class ElementData(TypedDict):
    """A block in reading order."""

    id: Annotated[str, Field(pattern=r"^e\d{6,}$")]
    page: PageNumber
    kind: ElementKind
    start: Offset
    end: Offset
    bbox: Bbox
    level: NotRequired[Positive]
    table_id: NotRequired[str]


@with_config(_CLOSED)
class SpanData(TypedDict):
    """A run of text with one style on one line. `size` is in 1/100 point."""

    id: Annotated[str, Field(pattern=r"^s\d{6,}$")]
    page: PageNumber
    element_id: str
    start: Offset
    end: Offset
    text: str
    bbox: Bbox
    font: str
    size: Count
    color: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
    flags: list[SpanFlagName]


Piece = Annotated[list[Offset], Field(min_length=2, max_length=2)]


@with_config(_CLOSED)
class CellOfTable(TypedDict):
    """A cell; `ranges` are the pieces of the text whose characters lie in its box. `level` is the
    depth of a label by its indentation, `notes` are its footnote markers."""

    row: Count
    col: Count
    row_span: Positive
    col_span: Positive
    page: PageNumber
    bbox: Bbox
    text: str
    ranges: list[Piece]
    role: CellRole
    header: bool
    level: NotRequired[Positive]
    notes: NotRequired[list[str]]


@with_config(_CLOSED)
class SaidOfTable(TypedDict):
    """A caption, or what is stated of all numbers of a table."""

    text: str
    ranges: list[Piece]


@with_config(_CLOSED)
class PartOfTable(TypedDict):
    """The rows of a table that stand on one page, and how they were found."""

    page: PageNumber
    bbox: Bbox
    first_row: Count
    rows: Count
    engine: str
    reason: str
    trusted: bool
    caption: NotRequired[SaidOfTable]
    statement: NotRequired[SaidOfTable]


@with_config(_CLOSED)
class TableData(TypedDict):
    """A table; rows and columns count from 0, rows through all of its parts. Headers that are
    printed again where it goes on are no rows of it."""

    id: Annotated[str, Field(pattern=r"^t\d{4,}$")]
    page: PageNumber
    bbox: Bbox
    rows: Positive
    columns: Positive
    engine: str
    trusted: bool
    parts: list[PartOfTable]
    cells: list[CellOfTable]
    repeated_headers: NotRequired[list[CellOfTable]]
    caption: NotRequired[SaidOfTable]
    statement: NotRequired[SaidOfTable]


@with_config(_CLOSED)
class WarningData(TypedDict):
    """Something a reviewer should know; page 0 is the whole document."""

    code: WarningCode
    page: Count
    detail: str


@with_config(_CLOSED)
class DocumentArtifact(TypedDict):
    """Everything that is known of one document version. `text[start:end]` of a span is its text;
    pages are parted by a form feed."""

    artifact_type: Literal["pagewitness.document.v1"]
    schema_version: Literal["1.0.0"]
    document_fingerprint: Sha256
    source_fingerprint: Sha256
    blake3: Blake3
    content_fingerprint: Sha256
    payload_sha256: HexDigest
    source: SourceNames
    parser: ParserAndOptions
    capabilities: SourceCapabilities
    coordinate_system: CoordinateSystem
    text: str
    pages: list[PageData]
    elements: list[ElementData]
    spans: list[SpanData]
    tables: list[TableData]
    warnings: list[WarningData]


@with_config(_CLOSED)
class CropDescriptor(TypedDict):
    """What binds a picture to its source: which rectangle of which page of which bytes it shows.
    `crop_ref` is `crop-` and the SHA-256 of the canonical JSON of all the rest."""

    artifact_type: Literal["pagewitness.crop.v1"]
    schema_version: Literal["1.0.0"]
    document_fingerprint: Sha256
    source_fingerprint: Sha256
    page: PageNumber
    bbox: Bbox
    highlights: list[Bbox]
    labels: list[Bbox]
    dpi: Positive
    requested_dpi: Positive
    pixels_capped: bool
    width_px: Positive
    height_px: Positive
    png_sha256: HexDigest
    renderer: str
    check_id: NotRequired[str]
    crop_ref: Annotated[str, Field(pattern=r"^crop-[0-9a-f]{64}$")]


ChunkKind = Literal[
    "heading",
    "paragraph",
    "list_item",
    "table",
    "caption",
    "figure",
    "footnote",
    "mixed",
    "table_row",
]


@with_config(_CLOSED)
class RegionOfText(TypedDict):
    page: PageNumber
    bbox: Bbox


@with_config(_CLOSED)
class ChunkCitation(TypedDict):
    """Where a chunk stands, as a citation of a verification request; `page_end` where it goes on
    over a page's end, `element_id` where it is of one element."""

    page: PageNumber
    page_end: NotRequired[PageNumber]
    char_start: Offset
    char_end: Offset
    element_id: NotRequired[str]


@with_config(_CLOSED)
class RowOfChunk(TypedDict):
    """Which row of a table a chunk is, from 0, and the labels over its columns from the outermost
    on."""

    table_id: str
    row: Count
    header: list[str]


@with_config(_CLOSED)
class ChunkData(TypedDict):
    """A stretch of a document for retrieval: `text` is the document's text from `char_start` to
    `char_end`. `heading_path` are the headings over its beginning, its own among them."""

    id: Annotated[str, Field(pattern=r"^c\d{6,}$")]
    document: str
    document_fingerprint: Sha256
    source_fingerprint: Sha256
    kind: ChunkKind
    heading_path: list[str]
    element_ids: Annotated[list[str], Field(min_length=1)]
    pages: Annotated[list[PageNumber], Field(min_length=1)]
    regions: Annotated[list[RegionOfText], Field(min_length=1)]
    char_start: Offset
    char_end: Offset
    text: Annotated[str, Field(min_length=1)]
    citation: ChunkCitation
    table: NotRequired[RowOfChunk]


@with_config(_CLOSED)
class ElementCitation(TypedDict):
    page: PageNumber
    element_id: str


@with_config(_CLOSED)
class ReadyClaim(TypedDict):
    """A claim of a verification request about the document beside it. Text with less than two words
    that mean something is claimed to be present; an element without any has no text."""

    kind: Literal["quote", "presence"]
    text: NotRequired[str]
    citation: ElementCitation


@with_config(_CLOSED)
class SearchHit(TypedDict):
    """An element that a query found. `score` is bm25 in billionths, more is better; `excerpt` is a
    part of its text on one line, `snippet` the same with ** around what was found. `source_status`
    is there where sources of any status are searched."""

    document: str
    source_status: NotRequired[Literal["draft", "approved", "superseded", "withdrawn"]]
    document_fingerprint: Sha256
    kind: ElementKind
    score: int
    citation: ElementCitation
    bbox: Bbox
    excerpt: str
    snippet: str
    claim: ReadyClaim


@with_config(_CLOSED)
class EvidenceInContext(TypedDict):
    """What a handle stands for: `text` is the document's from `char_start` to `char_end`, `claim`
    says that it stands there."""

    handle: Annotated[str, Field(pattern=r"^E[1-9]\d*$")]
    document: str
    document_fingerprint: Sha256
    page: PageNumber
    element_id: str
    char_start: Offset
    char_end: Offset
    regions: list[RegionOfText]
    text: str
    claim: ReadyClaim


@with_config(_CLOSED)
class ContextMap(TypedDict):
    """The handles of a prompt, in their order."""

    artifact_type: Literal["pagewitness.context.v1"]
    schema_version: Literal["1.0.0"]
    evidence: list[EvidenceInContext]


Day = Annotated[str, Field(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
"""A date such as 2026-01-31; empty: no such day."""
MapLabel = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,199}$")]
MapText = Annotated[str, Field(max_length=1000)]


@with_config(_CLOSED)
class MapEntry(TypedDict):
    """What the map is to say of one source; keys that are left out stay as they are. In TOML days
    may be dates."""

    id: Annotated[str, Field(min_length=1)]
    name: NotRequired[Annotated[str, Field(min_length=1, max_length=1000)]]
    status: NotRequired[Literal["draft", "approved", "superseded", "withdrawn"]]
    effective: NotRequired[Day]
    expires: NotRequired[Day]
    authority: NotRequired[MapText]
    tenant: NotRequired[Literal[""] | MapLabel]
    permissions: NotRequired[list[MapLabel]]


@with_config(_CLOSED)
class SourceMap(TypedDict):
    """A file of the source map: `source export` writes all keys, `source import` takes some."""

    sources: list[MapEntry]


MapValue = str | list[str]


ChangedValue = TypedDict("ChangedValue", {"from": MapValue, "to": MapValue})
"""A value before and after a change."""
ChangedValue.__pydantic_config__ = _CLOSED  # type: ignore[attr-defined]


@with_config(_CLOSED)
class SourceHistory(TypedDict):
    """A change of the map: a line of `source history --json`. `version` counts the changes that the
    caller may see, `at` is UTC, `declared` says that the source came into the map by it."""

    version: Positive
    at: str
    source_id: str
    declared: bool
    changed: dict[str, ChangedValue]
