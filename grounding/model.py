"""What evidence is: immutable values read from one document version.

Slotted dataclasses, because spans and cells exist by the million. Ids follow from numbers, except
where a foreign parser gave others (`given_id`). Offsets are Unicode code points
into the document's text; boxes are centipoints of the displayed page (see grounding.geometry).
Rows and columns count from 0, page numbers from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from typing import Literal

from grounding.geometry import Box, Origin, PageFrame


class ElementKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CAPTION = "caption"
    HEADER = "header"
    FOOTER = "footer"
    FIGURE = "figure"
    FOOTNOTE = "footnote"


RUNNING_KINDS = frozenset({ElementKind.HEADER, ElementKind.FOOTER})
"""Kinds that repeat from page to page and are not part of the running text."""


class SpanFlag(IntFlag):
    """What a reader's eye would say of a span. HIDDEN, OFF_PAGE and LOW_CONTRAST text is stored
    and never grounds a claim; OCR text may, with a warning."""

    BOLD = 1
    ITALIC = 2
    MARKER = 4
    """A footnote marker, split off from the word or number before it."""
    HIDDEN = 8
    """Not painted: render mode 3 or 7, zero opacity, or covered by something opaque."""
    LOW_CONTRAST = 16
    """Painted in (nearly) the colour of what lies behind it."""
    OCR = 32
    """An invisible text layer over a page-size image."""
    ANNOTATION = 64
    """The visible value of a form field or the text of an annotation."""
    LETTER_SPACED = 128
    """Spaces that the parser had put between spaced letters were taken out again."""
    REPLACED = 256
    """Covered, and something else was printed in its place; always with HIDDEN."""


UNSEEN = SpanFlag.HIDDEN | SpanFlag.LOW_CONTRAST


class WarningCode(StrEnum):
    LOW_CONFIDENCE_READING_ORDER = "low_confidence_reading_order"
    LOW_CONFIDENCE_TABLE_STRUCTURE = "low_confidence_table_structure"
    HIDDEN_TEXT_DETECTED = "hidden_text_detected"
    OFF_PAGE_TEXT_DETECTED = "off_page_text_detected"
    LOW_CONTRAST_TEXT_DETECTED = "low_contrast_text_detected"
    ANNOTATIONS_PRESENT = "annotations_present"
    EXTERNAL_LINKS_PRESENT = "external_links_present"
    EMBEDDED_FILES_PRESENT = "embedded_files_present"
    JAVASCRIPT_PRESENT = "javascript_present"
    FORM_FIELDS_PRESENT = "form_fields_present"
    IMAGE_ONLY_PAGE = "image_only_page"
    GARBLED_TEXT = "garbled_text"
    OCR_TEXT = "ocr_text"
    UNSUPPORTED_ANNOTATION = "unsupported_annotation"
    PARTIAL_PARSE = "partial_parse"
    RECOVERED_FILE = "recovered_file"
    TABLES_TIMED_OUT = "tables_timed_out"
    CITATION_NOT_PINNED = "citation_not_pinned"
    FINGERPRINT_SUPERSEDED = "fingerprint_superseded"
    CAPABILITY_LIMITED = "capability_limited"
    IN_HEADER_OR_FOOTER = "in_header_or_footer"
    IN_TABLE_OF_CONTENTS = "in_table_of_contents"
    IN_REFERENCE_LIST = "in_reference_list"
    PARSERS_DISAGREE = "parsers_disagree"
    SOURCE_DATES_NOT_CHECKED = "source_dates_not_checked"
    SOURCE_FORGOTTEN = "source_forgotten"


PageStatus = Literal["ok", "no_text", "garbled", "failed"]


@dataclass(frozen=True, slots=True)
class Style:
    """Font name, size in centipoints and sRGB colour of a span."""

    font: str
    size: int
    color: int


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text with one style on one line."""

    number: int
    page: int
    start: int
    end: int
    box: Box
    style: int
    flags: SpanFlag
    element: int
    given_id: str = ""

    @property
    def id(self) -> str:
        return self.given_id or f"s{self.number:06d}"


@dataclass(frozen=True, slots=True)
class Element:
    """A block of one page, numbered in reading order. `level` is a heading's depth, 0 otherwise."""

    number: int
    page: int
    kind: ElementKind
    level: int
    start: int
    end: int
    box: Box
    table: int = 0
    given_id: str = ""

    @property
    def id(self) -> str:
        return self.given_id or f"e{self.number:06d}"


class CellRole(StrEnum):
    """What a cell is to its table. A section stands alone in its row, above the rows it heads; a
    repeated header is printed again where a table goes on over the page."""

    DATA = "data"
    COLUMN_HEADER = "column_header"
    ROW_HEADER = "row_header"
    SECTION = "section"
    REPEATED_HEADER = "repeated_header"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `ranges` are the pieces of the document's text whose characters lie in its box, in
    the order in which they are read. `level` is the depth of a row's label by its indentation, 0
    outermost; `notes` are the footnote markers that stand in the cell and not in its text."""

    page: int
    row: int
    col: int
    row_span: int
    col_span: int
    box: Box
    text: str
    ranges: tuple[tuple[int, int], ...]
    role: CellRole = CellRole.DATA
    level: int = 0
    notes: tuple[str, ...] = ()

    @property
    def header(self) -> bool:
        return self.role is CellRole.COLUMN_HEADER

    @property
    def blank(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class TablePart:
    """The rows of a table that stand on one page, from `first_row` on. `engine` found them and
    `reason` says why its answer was taken. `trusted` is false when a character of the region
    belongs to no cell or to two. `statement` is what is said of all numbers ("in millions, except
    per share"); both ranges are pieces of the document's text."""

    page: int
    box: Box
    first_row: int
    rows: int
    engine: str
    reason: str
    trusted: bool
    caption: str = ""
    caption_ranges: tuple[tuple[int, int], ...] = ()
    statement: str = ""
    statement_ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table, on one page or over several. Rows are numbered through all parts; headers that are
    printed again are no rows and stand in `repeated`."""

    number: int
    rows: int
    columns: int
    parts: tuple[TablePart, ...]
    cells: tuple[Cell, ...]
    repeated: tuple[Cell, ...] = ()
    given_id: str = ""

    @property
    def id(self) -> str:
        return self.given_id or f"t{self.number:04d}"

    @property
    def page(self) -> int:
        """The page on which it begins."""
        return self.parts[0].page

    @property
    def box(self) -> Box:
        """Its region on the page on which it begins."""
        return self.parts[0].box

    @property
    def engine(self) -> str:
        return self.parts[0].engine

    @property
    def caption(self) -> str:
        return self.parts[0].caption

    @property
    def statement(self) -> str:
        """What its first part says of all numbers."""
        return self.parts[0].statement

    @property
    def trusted(self) -> bool:
        return all(part.trusted for part in self.parts)

    def box_on(self, page: int) -> Box | None:
        """Its region on a page; None where it has none."""
        return next((part.box for part in self.parts if part.page == page), None)

    def cell_at(self, row: int, col: int) -> Cell | None:
        """The cell that covers a grid position, spans included."""
        for cell in self.cells:
            if (
                cell.row <= row < cell.row + cell.row_span
                and cell.col <= col < cell.col + cell.col_span
            ):
                return cell
        return None


@dataclass(frozen=True, slots=True)
class TableSearch:
    """What a table engine was asked on a page: how many tables it found, how many of them were
    taken, and why it was asked or its answer left aside."""

    engine: str
    found: int
    taken: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class DocumentWarning:
    """Something a reviewer should know; `page` is 0 for the whole document."""

    code: WarningCode
    page: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page without its text: number from 1, printed label, frame, and its piece of the text."""

    number: int
    label: str
    frame: PageFrame
    start: int
    end: int
    status: PageStatus
    fingerprint: str
    given_id: str = ""
    left_out: bool = False
    """Whether a foreign file leaves the page out: nobody can tell whether there is such a page."""

    @property
    def id(self) -> str:
        return self.given_id or f"p{self.number:04d}"


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of one page."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Parser:
    """Who read the document; adapter fields are set for foreign artifacts."""

    name: str
    version: str
    adapter: str = ""
    adapter_version: str = ""

    def as_dict(self) -> dict[str, str]:
        pairs = (
            ("name", self.name),
            ("version", self.version),
            ("adapter", self.adapter),
            ("adapter_version", self.adapter_version),
        )
        return {key: value for key, value in pairs if value}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a grounding source can prove. A missing ability is declared, never approximated.

    The last four say which kinds of places the source knows at all; asked for another one, it
    cannot tell. They are no keys of a report, whose list of capabilities is fixed.
    """

    spans: bool
    char_offsets: bool
    tables: bool
    fingerprint: bool
    coordinate_origin: Origin
    crop_support: bool
    pages: bool = True
    page_labels: bool = True
    elements: bool = True
    cell_roles: bool = True

    def as_dict(self) -> dict[str, object]:
        return {
            "spans": self.spans,
            "char_offsets": self.char_offsets,
            "tables": self.tables,
            "fingerprint": self.fingerprint,
            "coordinate_origin": self.coordinate_origin,
            "crop_support": self.crop_support,
        }


@dataclass(frozen=True, slots=True)
class DocumentIdentity:
    """The fingerprints and names of one document version."""

    source_id: str
    name: str
    document_fingerprint: str
    source_fingerprint: str
    blake3: str
    content_fingerprint: str
    aliases: frozenset[str] = field(default_factory=frozenset)
    """Source and blake3 fingerprints of other bytes with the same content (metadata re-saves)."""

    def is_pinned_by(self, pin: str) -> bool:
        """Whether a citation's fingerprint names this version."""
        from grounding.fingerprint import same_fingerprint

        known = (self.document_fingerprint, self.source_fingerprint, self.blake3, *self.aliases)
        # Every candidate is compared, so that timing does not tell which one matched.
        return sum(same_fingerprint(pin, candidate) for candidate in known) > 0
