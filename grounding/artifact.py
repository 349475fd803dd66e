"""What one reading of one PDF yields, before it is stored, and how it is hashed.

Everything inside a page counts from that page (offsets from its first character, elements and
spans from 0), so that a page that moved to another place in the document keeps its fingerprint.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from dataclasses import dataclass, field
from typing import Any

from grounding import charboxes
from grounding.canonical import canonical_bytes, canonical_sha256
from grounding.fingerprint import SourceFingerprint, blake3_fingerprint
from grounding.geometry import Box, PageFrame
from grounding.model import CellRole, DocumentWarning, ElementKind, PageStatus, Style, TableSearch
from grounding.version import SCHEMA_VERSION

PAGE_SEPARATOR = "\f"
"""Stands between the texts of two pages in the document's text."""

SPAN_FIELDS = 9
"""Integers a span: start, end, x0, y0, x1, y1, style, flags, element (all within the page)."""


Piece = tuple[int, int]
"""Start and end of a piece of a page's text."""


@dataclass(slots=True)
class ElementContent:
    """An element of a page, in reading order; offsets within the page's text."""

    kind: ElementKind
    level: int
    start: int
    end: int
    box: Box
    table: int = -1
    """Index of the page's table that it belongs to, −1 for none."""


@dataclass(slots=True)
class CellContent:
    """A cell of a table's part on one page; rows count from the part's first, headers that are
    printed again included."""

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


@dataclass(slots=True)
class TableContent:
    """What stands of a table on one page; see grounding.model.Table. `continues` says that it goes
    on with the last table of the page before; it belongs to the document and not to the page."""

    box: Box
    rows: int
    columns: int
    engine: str
    trusted: bool
    cells: list[CellContent]
    reason: str = ""
    caption: str = ""
    caption_ranges: tuple[Piece, ...] = ()
    statement: str = ""
    statement_ranges: tuple[Piece, ...] = ()
    continues: bool = False

    @property
    def header_rows(self) -> int:
        """How many rows its header has."""
        headers = [c for c in self.cells if c.role is CellRole.COLUMN_HEADER]
        return max((c.row + c.row_span for c in headers), default=0)

    def cell_at(self, row: int, col: int) -> CellContent | None:
        """The cell that covers a grid position, spans included."""
        for c in self.cells:
            if c.row <= row < c.row + c.row_span and c.col <= col < c.col + c.col_span:
                return c
        return None


@dataclass(slots=True)
class PageContent:
    """One page as read. `spans` holds SPAN_FIELDS integers a span; `box_arrays` the character
    boxes as grounding.charboxes lays them out, until sealing packs them into `packed_boxes`."""

    frame: PageFrame
    label: str = ""
    status: PageStatus = "ok"
    text: str = ""
    box_arrays: bytes = b""
    packed_boxes: bytes = b""
    spans: array[int] = field(default_factory=lambda: array("i"))
    styles: list[Style] = field(default_factory=list)
    elements: list[ElementContent] = field(default_factory=list)
    tables: list[TableContent] = field(default_factory=list)
    searches: list[TableSearch] = field(default_factory=list)
    warnings: list[DocumentWarning] = field(default_factory=list)

    @property
    def span_count(self) -> int:
        return len(self.spans) // SPAN_FIELDS

    @property
    def continues_table(self) -> bool:
        """Whether its first table goes on with the last one of the page before."""
        return any(table.continues for table in self.tables)

    def span_rows(self) -> list[tuple[int, ...]]:
        """One tuple of SPAN_FIELDS integers a span."""
        return list(zip(*[iter(self.spans)] * SPAN_FIELDS, strict=True))

    def fingerprint(self) -> str:
        """`blake3:` over the canonical JSON of everything on the page except its place in the
        document (number, label)."""
        return page_fingerprint(
            frame=self.frame,
            status=self.status,
            text=self.text,
            box_arrays=self.box_arrays,
            spans=self.spans,
            styles=self.styles,
            elements=[
                [e.kind, e.level, e.start, e.end, *e.box.as_list(), e.table] for e in self.elements
            ],
            tables=[_table_payload(table) for table in self.tables],
            searches=[[s.engine, s.found, s.taken, s.note] for s in self.searches],
            warnings=[[w.code, w.detail] for w in self.warnings],
        )


def page_fingerprint(
    *,
    frame: PageFrame,
    status: str,
    text: str,
    box_arrays: bytes,
    spans: array[int],
    styles: list[Style],
    elements: list[list[Any]],
    tables: list[list[Any]],
    searches: list[list[Any]],
    warnings: list[list[str]],
) -> str:
    """The hash itself, for a page just read and for one that comes back from the store."""
    payload = {
        "char_boxes_sha256": hashlib.sha256(charboxes.plain_bytes(box_arrays)).hexdigest(),
        "elements": [[str(e[0]), *e[1:]] for e in elements],
        "frame": frame.as_dict(),
        "spans_sha256": hashlib.sha256(little_endian(spans)).hexdigest(),
        "status": status,
        "styles": [[style.font, style.size, style.color] for style in styles],
        "searches": searches,
        "tables": tables,
        "text": text,
        "warnings": [[str(code), detail] for code, detail in warnings],
    }
    return blake3_fingerprint(canonical_bytes(payload))


def little_endian(values: array[int]) -> bytes:
    """32-bit integers as they are hashed, on any machine."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _table_payload(table: TableContent) -> list[Any]:
    cells = [
        [c.row, c.col, c.row_span, c.col_span, *c.box.as_list(), c.text, c.ranges, str(c.role),
         c.level, c.notes]
        for c in table.cells
    ]  # fmt: skip
    said = [table.caption, table.caption_ranges, table.statement, table.statement_ranges]
    return [*table.box.as_list(), table.rows, table.columns, table.engine, table.reason,
            table.trusted, said, cells]  # fmt: skip


@dataclass(slots=True)
class Artifact:
    """A whole document as read: pages in order, the parser that read it, and its identity."""

    source: SourceFingerprint
    parser_name: str
    parser_version: str
    options: dict[str, Any]
    pages: list[PageContent]
    warnings: list[DocumentWarning]
    schema_version: str = SCHEMA_VERSION
    page_fingerprints: list[str] = field(default_factory=list)
    content_fingerprint: str = ""
    pages_sha256: str = ""
    payload_sha256: str = ""
    document_fingerprint: str = ""

    def seal(self) -> Artifact:
        """Computes every fingerprint; the artifact must not change afterwards."""
        self.page_fingerprints = [page.fingerprint() for page in self.pages]
        for page in self.pages:
            # Packed where the page was read, so that compression is shared between workers.
            page.packed_boxes, page.box_arrays = charboxes.pack(page.box_arrays), b""
        return self.identify()

    def identify(self) -> Artifact:
        """Computes the fingerprints of the whole from those of its pages: for a document just read
        and for one that comes back from the store."""
        self.content_fingerprint = content_fingerprint([page.text for page in self.pages])
        self.pages_sha256 = canonical_sha256(
            {"labels": [page.label for page in self.pages], "pages": self.page_fingerprints}
        )
        self.payload_sha256 = payload_sha256(
            self.page_fingerprints,
            [page.label for page in self.pages],
            [number for number, page in enumerate(self.pages, 1) if page.continues_table],
            self.warnings,
        )
        self.document_fingerprint = f"sha256:{canonical_sha256(self.manifest())}"
        return self

    def manifest(self) -> dict[str, Any]:
        """What the document fingerprint is the hash of."""
        return {
            "options": self.options,
            "parser": {"name": self.parser_name, "version": self.parser_version},
            "payload_sha256": self.payload_sha256,
            "schema_version": self.schema_version,
            "source_fingerprint": self.source.sha256,
        }

    @property
    def partial(self) -> bool:
        return any(page.status == "failed" for page in self.pages)

    @property
    def table_count(self) -> int:
        """How many tables there are; one over several pages is one."""
        return sum(not table.continues for page in self.pages for table in page.tables)

    def warning_codes(self) -> list[str]:
        """Distinct codes of the document and its pages, sorted."""
        codes = {w.code for w in self.warnings}
        codes.update(w.code for page in self.pages for w in page.warnings)
        return sorted(codes)


def content_fingerprint(texts: list[str]) -> str:
    """Hash of the text alone, page by page."""
    hashes = [hashlib.sha256(text.encode("utf-8")).hexdigest() for text in texts]
    return f"sha256:{canonical_sha256(hashes)}"


def payload_sha256(
    page_fingerprints: list[str],
    labels: list[str],
    continued: list[int],
    warnings: list[DocumentWarning],
) -> str:
    """Hash over all pages in order, their labels, the numbers of those whose first table goes on
    with that of the page before, and the warnings of the whole document."""
    return canonical_sha256(
        {
            "continued": continued,
            "labels": labels,
            "pages": page_fingerprints,
            "warnings": [[str(w.code), w.page, w.detail] for w in warnings],
        }
    )
