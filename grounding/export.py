"""A stored document in portable forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from grounding.artifact import PAGE_SEPARATOR
from grounding.canonical import canonical_bytes
from grounding.chunks import chunk_lines
from grounding.grounding_json import grounding_json
from grounding.model import UNSEEN, Element, ElementKind, SpanFlag, Table
from grounding.store.reader import StoredSource
from grounding.table_forms import escaped, table_csv, table_data, table_markdown
from grounding.version import SCHEMA_VERSION

ARTIFACT_TYPE = "pagewitness.document.v1"


def artifact(source: StoredSource) -> dict[str, Any]:
    """Everything that is known of a document version, as JSON data: its text, and pages, elements,
    spans and tables with offsets into it and boxes in centipoints."""
    identity, parser = source.identity, source.parser
    numbers = [page.number for page in source.pages]
    return {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "document_fingerprint": identity.document_fingerprint,
        "source_fingerprint": identity.source_fingerprint,
        "blake3": identity.blake3,
        "content_fingerprint": identity.content_fingerprint,
        "payload_sha256": source.payload_sha256,
        "source": {"source_id": identity.source_id, "name": identity.name},
        "parser": {**parser.as_dict(), "options": source.options},
        "capabilities": source.capabilities.as_dict(),
        "coordinate_system": {"origin": "top-left", "unit": "centipoint"},
        "text": PAGE_SEPARATOR.join(source.page_text(number) for number in numbers),
        "pages": [_page(source, number) for number in numbers],
        "elements": [_element(e) for n in numbers for e in source.elements(n)],
        "spans": [span for number in numbers for span in _spans(source, number)],
        "tables": [table_data(table) for table in all_tables(source)],
        "warnings": [
            {"code": str(w.code), "page": w.page, "detail": w.detail} for w in source.warnings
        ],
    }


def all_tables(source: StoredSource) -> list[Table]:
    """The tables of a document in order, each once, however many pages it stands on."""
    tables = {t.number: t for page in source.pages for t in source.tables(page.number)}
    return [tables[number] for number in sorted(tables)]


def _page(source: StoredSource, number: int) -> dict[str, Any]:
    page = source.pages[number - 1]
    data: dict[str, Any] = {
        "id": page.id,
        "number": page.number,
        "index": page.number - 1,
        "label": page.label,
        "width": page.frame.width,
        "height": page.frame.height,
        "frame": page.frame.as_dict(),
        "start": page.start,
        "end": page.end,
        "status": page.status,
        "fingerprint": page.fingerprint,
    }
    searches = source.table_searches(number)
    if searches:
        data["table_searches"] = [asdict(search) for search in searches]
    return data


def _element(element: Element) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": element.id,
        "page": element.page,
        "kind": str(element.kind),
        "start": element.start,
        "end": element.end,
        "bbox": element.box.as_list(),
    }
    if element.level:
        data["level"] = element.level
    if element.table:
        data["table_id"] = f"t{element.table:04d}"
    return data


def _spans(source: StoredSource, number: int) -> Iterator[dict[str, Any]]:
    styles = source.styles(number)
    start, text = source.pages[number - 1].start, source.page_text(number)
    for span in source.spans(number):
        style = styles[span.style]
        yield {
            "id": span.id,
            "page": span.page,
            "element_id": f"e{span.element:06d}",
            "start": span.start,
            "end": span.end,
            "text": text[span.start - start : span.end - start],
            "bbox": span.box.as_list(),
            "font": style.font,
            "size": style.size,
            "color": f"#{style.color:06x}",
            "flags": [flag.name.lower() for flag in SpanFlag if flag & span.flags and flag.name],
        }


def plain_text(source: StoredSource) -> str:
    """The document's text: pages parted by form feeds, text that nobody sees included."""
    return PAGE_SEPARATOR.join(source.page_text(page.number) for page in source.pages) + "\n"


def visible_text(source: StoredSource, element: Element) -> str:
    """An element's text without hidden spans, its lines joined by spaces."""
    page = source.pages[element.page - 1]
    text = source.page_text(element.page)
    pieces, at = [], element.start
    for span in source.spans(element.page):
        if span.flags & UNSEEN and element.start <= span.start < element.end:
            pieces.append(text[at - page.start : span.start - page.start])
            at = span.end
    pieces.append(text[at - page.start : element.end - page.start])
    return " ".join("".join(pieces).split())


def markdown(source: StoredSource) -> str:
    """Headings, paragraphs, lists and tables of the whole document; heads and feet left out. A
    table over several pages stands where it begins."""
    parts = []
    shown: set[int] = set()
    for page in source.pages:
        parts.append(f"<!-- page {page.number} -->")
        tables = {table.number: table for table in source.tables(page.number)}
        for element in source.elements(page.number):
            if element.table in tables:
                if element.table not in shown:
                    shown.add(element.table)
                    parts.append(table_markdown(tables[element.table]))
                continue
            text = escaped(visible_text(source, element))
            if text and element.kind not in (ElementKind.HEADER, ElementKind.FOOTER):
                parts.append(_MARKUP.get(element.kind, str)(text) if element.level == 0
                             else f"{'#' * element.level} {text}")  # fmt: skip
    return "\n\n".join(parts) + "\n"


_MARKUP: dict[ElementKind, Callable[[str], str]] = {
    ElementKind.LIST_ITEM: lambda text: f"- {text}",
    ElementKind.CAPTION: lambda text: f"*{text}*",
    ElementKind.FOOTNOTE: lambda text: f"> {text}",
}


def export_bytes(source: StoredSource, form: str) -> bytes:
    """A document in one of FORMS, ready to be written."""
    return FORMS[form](source)


TABLE_FORMS: dict[str, Callable[[Table], bytes]] = {
    "csv": lambda table: table_csv(table).encode("utf-8"),
    "json": lambda table: canonical_bytes(table_data(table)) + b"\n",
    "markdown": lambda table: f"{table_markdown(table)}\n".encode(),
}
"""Forms in which one table can be written."""

FORMS: dict[str, Callable[[StoredSource], bytes]] = {
    "artifact": lambda source: canonical_bytes(artifact(source)) + b"\n",
    "chunks": chunk_lines,
    "ethos-grounding": lambda source: canonical_bytes(grounding_json(source)) + b"\n",
    "markdown": lambda source: markdown(source).encode("utf-8"),
    "text": lambda source: plain_text(source).encode("utf-8"),
}
