"""Native documents of Ethos (`ethos.json`), whose fingerprints are computed again.

The fingerprint covers the canonical JSON of the payload without boxes: a change of any text is
noticed here, a change of a box is not (see docs/ethos.md).
"""

from __future__ import annotations

from collections import deque
from typing import Annotated, Any

from pydantic import Field, StrictInt, StrictStr

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
    OpenShape,
    artifact_json,
    bounded,
    ordered,
    refuse,
    shaped,
)
from grounding.canonical import canonical_sha256
from grounding.errors import NotCanonicalError
from grounding.model import Capabilities, CellRole, DocumentWarning, Parser, WarningCode

NAME, VERSION = "ethos-document", "1.0.0"

Box = tuple[StrictInt, StrictInt, StrictInt, StrictInt]
Count = Annotated[StrictInt, Field(ge=0)]
Positive = Annotated[StrictInt, Field(ge=1)]
Fingerprint = Annotated[StrictStr, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Digest = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{64}$")]
Refs = list[StrictStr]

_UNSEEN = frozenset(
    ("hidden_text_detected", "off_page_text_detected", "low_contrast_text_detected")
)
_EMPTY_LEFT_OUT = frozenset(("span_refs", "warning_refs", "element_refs"))
"""Lists that are no part of the hashed payload when they are empty. A chunk's element_refs are
never empty."""


class EthosParser(OpenShape):
    name: StrictStr
    version: StrictStr


class EthosProfile(OpenShape):
    id: StrictStr
    sha256: Digest


class EthosSource(OpenShape):
    fingerprint: Fingerprint
    bytes: Count


class EthosCoordinates(OpenShape):
    origin: StrictStr
    unit: StrictStr
    quantum_per_point: Positive


class EthosPage(OpenShape):
    id: StrictStr
    index: Annotated[StrictInt, Field(ge=1, le=MAX_PAGES)]
    width: Count
    height: Count
    rotation: StrictInt


class EthosElement(OpenShape):
    id: StrictStr
    type: StrictStr
    page: StrictStr
    bbox: Box
    text: StrictStr | None = None
    heading_level: Positive | None = None
    table_ref: StrictStr | None = None
    region_ref: StrictStr | None = None
    confidence: Count | None = None
    span_refs: Refs | None = None
    warning_refs: Refs | None = None


class EthosPoints(OpenShape):
    policy: StrictStr
    first_origin: tuple[StrictInt, StrictInt]
    last_origin: tuple[StrictInt, StrictInt]


class EthosSpan(OpenShape):
    id: StrictStr
    page: StrictStr
    bbox: Box
    origin_locator: EthosPoints | None = None
    text: StrictStr
    font_id: StrictStr | None = None
    font_size_q: Count | None = None
    char_start: Count | None = None
    char_end: Count | None = None
    warning_refs: Refs | None = None


class EthosCell(OpenShape):
    row: Count
    col: Count
    row_span: Positive
    col_span: Positive
    bbox: Box
    text: StrictStr
    span_refs: Refs | None = None
    element_refs: Refs | None = None


class EthosExports(OpenShape):
    csv: StrictStr | None = None
    markdown: StrictStr | None = None


class EthosTable(OpenShape):
    id: StrictStr
    page_refs: Annotated[Refs, Field(min_length=1)]
    bbox: Box
    n_rows: Positive
    n_cols: Positive
    header_rows: Count
    header_cols: Count
    cells: list[EthosCell]
    confidence: Count | None = None
    warning_refs: Refs | None = None
    exports: EthosExports | None = None


class EthosPlace(OpenShape):
    page: StrictStr
    bbox: Box


class EthosTokens(OpenShape):
    count: Count
    estimator: StrictStr
    approximate: bool


class EthosChunk(OpenShape):
    id: StrictStr
    text: StrictStr
    element_refs: Annotated[Refs, Field(min_length=1)]
    page_refs: Refs
    bboxes: list[EthosPlace]
    token_estimate: EthosTokens
    warning_refs: Refs | None = None


class EthosRegion(OpenShape):
    id: StrictStr
    page: StrictStr
    bbox: Box
    kind: StrictStr
    warning_refs: Refs | None = None


class EthosWarning(OpenShape):
    id: StrictStr
    code: StrictStr
    message: StrictStr
    page: StrictStr | None = None
    element_ref: StrictStr | None = None
    span_ref: StrictStr | None = None
    region_ref: StrictStr | None = None


class EthosPayload(OpenShape):
    coordinate_system: EthosCoordinates
    pages: list[EthosPage]
    elements: list[EthosElement]
    spans: list[EthosSpan]
    tables: list[EthosTable]
    chunks: list[EthosChunk]
    regions: list[EthosRegion]
    security_warnings: list[EthosWarning]
    parser_warnings: list[EthosWarning]


class EthosDocument(OpenShape):
    """A document as Ethos 0.3 writes it, schema 1.0.0."""

    schema_version: StrictStr
    parser: EthosParser
    profile: EthosProfile
    source: EthosSource
    config_sha256: Digest
    payload_sha256: Digest
    fingerprint: Fingerprint
    payload: EthosPayload


def read(data: bytes) -> ForeignDocument:
    """The document of a file. Raises ArtifactInvalidError for a malformed one, and for one whose
    fingerprint is not that of what it says."""
    file = shaped(EthosDocument, artifact_json(data))
    _check_fingerprints(file)
    payload = file.payload
    pages = {page.id: page.index for page in payload.pages}
    _check_places(payload, pages)
    _check_references(payload)
    warnings = [*payload.security_warnings, *payload.parser_warnings]
    elements = _elements(payload, warnings)
    return ForeignDocument(
        Parser(file.parser.name, file.parser.version, NAME, VERSION),
        Capabilities(
            spans=True,
            char_offsets=True,
            tables=True,
            fingerprint=True,
            coordinate_origin="top-left",
            crop_support=False,
            page_labels=False,
            cell_roles=any(t.header_rows for t in payload.tables)
            and any(t.header_cols for t in payload.tables),
        ),
        file.fingerprint,
        file.source.fingerprint,
        pages=tuple(
            ForeignPage(p.id, p.index, p.width, p.height, p.rotation) for p in payload.pages
        ),
        elements=elements,
        spans=_spans(payload, warnings),
        tables=_tables(payload, elements, warnings),
        warnings=tuple(_warning(w, pages) for w in warnings if w.code in _KNOWN),
    )


_KNOWN = frozenset(map(str, WarningCode))


def _check_fingerprints(file: EthosDocument) -> None:
    try:
        payload = canonical_sha256(_projection(file.payload.model_dump(exclude_none=True)))
    except NotCanonicalError as error:
        refuse("payload", str(error))
    if payload != file.payload_sha256:
        refuse("payload_sha256", "is not the hash of the payload: the file was changed")
    manifest = {
        "config_sha256": file.config_sha256,
        "payload_sha256": payload,
        "profile_id": file.profile.id,
        "profile_sha256": file.profile.sha256,
        "schema_version": file.schema_version,
        "source_fingerprint": file.source.fingerprint,
    }
    if f"sha256:{canonical_sha256(manifest)}" != file.fingerprint:
        refuse("fingerprint", "is not the hash of what it covers: the file was changed")


def _projection(value: Any) -> Any:
    """A payload as it is hashed: without boxes and without some empty lists."""
    if isinstance(value, dict):
        return {
            key: _projection(item)
            for key, item in value.items()
            if key not in ("bbox", "bboxes") and not (key in _EMPTY_LEFT_OUT and not item)
        }
    return [_projection(item) for item in value] if isinstance(value, list | tuple) else value


def _check_places(payload: EthosPayload, pages: dict[str, int]) -> None:
    """Refuses boxes that are turned round and places on pages that there are not."""
    indexes = [page.index for page in payload.pages]
    if len(set(indexes)) != len(indexes):
        refuse("payload.pages", "two pages have the same index")
    for at, element in enumerate(payload.elements):
        _check_place(element.bbox, element.page, f"payload.elements[{at}]", pages)
    for at, span in enumerate(payload.spans):
        _check_place(span.bbox, span.page, f"payload.spans[{at}]", pages)
    for at, table in enumerate(payload.tables):
        _check_place(table.bbox, table.page_refs[0], f"payload.tables[{at}]", pages)
        spans = ((c.row, c.col, c.row_span, c.col_span) for c in table.cells)
        deque(bounded(spans, f"payload.tables[{at}].cells"), maxlen=0)
        for number, cell in enumerate(table.cells):
            ordered(cell.bbox, f"payload.tables[{at}].cells[{number}].bbox")


def _check_references(payload: EthosPayload) -> None:
    """Refuses references to what there is not: a warning that is missed may hide a text."""
    known = {
        "warning_refs": {w.id for w in (*payload.security_warnings, *payload.parser_warnings)},
        "span_refs": {span.id for span in payload.spans},
        "element_refs": {element.id for element in payload.elements},
    }
    for name, items in (
        ("elements", payload.elements), ("spans", payload.spans), ("tables", payload.tables),
    ):  # fmt: skip
        for at, item in enumerate(items):
            _known(item, known, f"payload.{name}[{at}]")
            for number, cell in enumerate(getattr(item, "cells", ())):
                _known(cell, known, f"payload.{name}[{at}].cells[{number}]")


def _known(item: object, known: dict[str, set[str]], where: str) -> None:
    for name, ids in known.items():
        for ref in getattr(item, name, None) or ():
            if ref not in ids:
                refuse(f"{where}.{name}", f"references unknown {ref!r}")


def _check_place(box: ForeignBox, page: str, where: str, pages: dict[str, int]) -> None:
    ordered(box, f"{where}.bbox")
    if page not in pages:
        refuse(f"{where}.page", f"references unknown page {page!r}")


def _elements(payload: EthosPayload, warnings: list[EthosWarning]) -> tuple[ForeignElement, ...]:
    unseen = _unseen(warnings)
    hidden = {w.element_ref for w in warnings if w.code in _UNSEEN}
    hidden |= {e.id for e in payload.elements if not unseen.isdisjoint(e.warning_refs or ())}
    return tuple(
        ForeignElement(
            e.id,
            e.page,
            e.bbox,
            e.type,
            e.text,
            level=e.heading_level or 0,
            table=e.table_ref or "",
            hidden=e.id in hidden,
        )
        for e in payload.elements
    )


def _spans(payload: EthosPayload, warnings: list[EthosWarning]) -> tuple[ForeignSpan, ...]:
    hidden = _hidden_spans(payload, warnings)
    owner = {ref: e.id for e in reversed(payload.elements) for ref in e.span_refs or ()}
    return tuple(
        ForeignSpan(
            s.id,
            s.page,
            s.bbox,
            s.text,
            owner.get(s.id, ""),
            s.char_start if s.char_end is not None else None,
            s.char_end if s.char_start is not None else None,
            hidden=s.id in hidden,
        )
        for s in payload.spans
    )


def _unseen(warnings: list[EthosWarning]) -> set[str]:
    """Ids of the warnings that say of a text that nobody sees it."""
    return {w.id for w in warnings if w.code in _UNSEEN}


def _hidden_spans(payload: EthosPayload, warnings: list[EthosWarning]) -> set[str | None]:
    unseen = _unseen(warnings)
    hidden = {w.span_ref for w in warnings if w.code in _UNSEEN}
    return hidden | {s.id for s in payload.spans if not unseen.isdisjoint(s.warning_refs or ())}


def _tables(
    payload: EthosPayload, elements: tuple[ForeignElement, ...], warnings: list[EthosWarning]
) -> tuple[ForeignTable, ...]:
    hidden = {e.id for e in elements if e.hidden} | _hidden_spans(payload, warnings)
    unseen = _unseen(warnings)
    return tuple(
        ForeignTable(
            table.id,
            table.page_refs[0],
            table.bbox,
            tuple(_cell(cell, table, hidden) for cell in table.cells),
            hidden=not unseen.isdisjoint(table.warning_refs or ()),
            other_pages=tuple(table.page_refs[1:]),
        )
        for table in payload.tables
    )


def _cell(cell: EthosCell, table: EthosTable, hidden: set[str | None]) -> ForeignCell:
    refs = (*(cell.span_refs or ()), *(cell.element_refs or ()))
    return ForeignCell(
        cell.row,
        cell.col,
        cell.row_span,
        cell.col_span,
        cell.bbox,
        cell.text,
        _role(cell, table),
        hidden=not hidden.isdisjoint(refs),
    )


def _role(cell: EthosCell, table: EthosTable) -> CellRole:
    if cell.row < table.header_rows:
        return CellRole.COLUMN_HEADER
    return CellRole.ROW_HEADER if cell.col < table.header_cols else CellRole.DATA


def _warning(warning: EthosWarning, pages: dict[str, int]) -> DocumentWarning:
    page = pages.get(warning.page or "", 0)
    return DocumentWarning(WarningCode(warning.code), page, warning.message)
