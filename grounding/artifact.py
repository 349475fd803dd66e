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
from grounding.model import DocumentWarning, ElementKind, PageStatus, Style
from grounding.version import SCHEMA_VERSION

PAGE_SEPARATOR = "\f"
"""Stands between the texts of two pages in the document's text."""

SPAN_FIELDS = 9
"""Integers a span: start, end, x0, y0, x1, y1, style, flags, element (all within the page)."""


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
    row: int
    col: int
    row_span: int
    col_span: int
    box: Box
    text: str
    ranges: tuple[tuple[int, int], ...]
    header: bool = False


@dataclass(slots=True)
class TableContent:
    """A table of a page; see grounding.model.Table."""

    box: Box
    rows: int
    columns: int
    engine: str
    trusted: bool
    cells: list[CellContent]


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
    warnings: list[DocumentWarning] = field(default_factory=list)

    @property
    def span_count(self) -> int:
        return len(self.spans) // SPAN_FIELDS

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
        [c.row, c.col, c.row_span, c.col_span, *c.box.as_list(), c.text, c.ranges, c.header]
        for c in table.cells
    ]
    return [*table.box.as_list(), table.rows, table.columns, table.engine, table.trusted, cells]


@dataclass(slots=True)
class Artifact:
    """A whole document as read: pages in order, the parser that read it, and its identity."""

    source: SourceFingerprint
    parser_name: str
    parser_version: str
    options: dict[str, Any]
    pages: list[PageContent]
    warnings: list[DocumentWarning]
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
        self.content_fingerprint = content_fingerprint([page.text for page in self.pages])
        self.pages_sha256 = canonical_sha256(
            {"labels": [page.label for page in self.pages], "pages": self.page_fingerprints}
        )
        self.payload_sha256 = payload_sha256(
            self.page_fingerprints, [page.label for page in self.pages], self.warnings
        )
        self.document_fingerprint = f"sha256:{canonical_sha256(self.manifest())}"
        return self

    def manifest(self) -> dict[str, Any]:
        """What the document fingerprint is the hash of."""
        return {
            "options": self.options,
            "parser": {"name": self.parser_name, "version": self.parser_version},
            "payload_sha256": self.payload_sha256,
            "schema_version": SCHEMA_VERSION,
            "source_fingerprint": self.source.sha256,
        }

    @property
    def partial(self) -> bool:
        return any(page.status == "failed" for page in self.pages)

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
    page_fingerprints: list[str], labels: list[str], warnings: list[DocumentWarning]
) -> str:
    """Hash over all pages in order, their labels, and the warnings of the whole document."""
    return canonical_sha256(
        {
            "labels": labels,
            "pages": page_fingerprints,
            "warnings": [[str(w.code), w.page, w.detail] for w in warnings],
        }
    )
