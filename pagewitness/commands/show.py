"""`pagewitness show`: a document, or one of its pages with the ids that citations use."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from grounding.errors import PageNotFoundError
from grounding.model import UNSEEN, Element, Table
from grounding.store import Access, StoredSource, StoreReader
from grounding.table_forms import table_data, table_text
from pagewitness.options import access_options, as_of_option, db_option, json_option


@click.command("show")
@click.argument("doc")
@db_option
@access_options
@as_of_option
@click.option("--page", type=int, metavar="N", help="Print this page's elements and tables.")
@json_option
def command(
    doc: str, db: Path, access: Access, as_of: str | None, page: int | None, as_json: bool
) -> None:
    """Print a document or one of its pages."""
    with StoreReader(db, access) as reader, reader.snapshot():
        source = reader.open(doc, as_of)
        if page is not None and not 1 <= page <= len(source.pages):
            raise PageNotFoundError(
                f"there is no page {page}; the document has {len(source.pages)}"
            )
        if as_json:
            data = _document_data(source) if page is None else _page_data(source, page)
            click.echo(json.dumps(data, ensure_ascii=False, sort_keys=True))
        elif page is None:
            _print_document(source)
        else:
            _print_page(source, page)


def _document_data(source: StoredSource) -> dict[str, object]:
    identity = source.identity
    return {
        "source_id": identity.source_id,
        "name": identity.name,
        "document_fingerprint": identity.document_fingerprint,
        "source_fingerprint": identity.source_fingerprint,
        "blake3": identity.blake3,
        "content_fingerprint": identity.content_fingerprint,
        "parser": source.parser.as_dict(),
        "options": source.options,
        "capabilities": source.capabilities.as_dict(),
        "pages": [
            {"page": p.number, "label": p.label, "status": p.status,
             "width": p.frame.width, "height": p.frame.height}
            for p in source.pages
        ],
        "warnings": [
            {"code": str(w.code), "page": w.page, "detail": w.detail} for w in source.warnings
        ],
    }  # fmt: skip


def _print_document(source: StoredSource) -> None:
    identity = source.identity
    for name, value in (
        ("source", f"{identity.source_id} ({identity.name}), version {source.key.version}"),
        ("document", identity.document_fingerprint),
        ("bytes", identity.source_fingerprint),
        ("", identity.blake3),
        ("read by", f"{source.parser.name} {source.parser.version}, {source.options}"),
    ):
        click.echo(f"{name:<9} {value}")
    for page in source.pages:
        label = f", printed {page.label}" if page.label else ""
        state = "" if page.status == "ok" else f", {page.status}"
        size = f"{page.frame.width / 100:g} x {page.frame.height / 100:g} pt"
        click.echo(f"page {page.number:<4} {size}{label}{state}")
    for warning in source.warnings:
        place = f"page {warning.page}" if warning.page else "document"
        click.echo(f"warning  {warning.code}: {place} {warning.detail}".rstrip())


def _page_data(source: StoredSource, number: int) -> dict[str, object]:
    return {
        "page": number,
        "elements": [
            {"id": e.id, "kind": str(e.kind), "level": e.level, "bbox": e.box.as_list(),
             "text": _text(source, e)}
            for e in source.elements(number)
        ],
        "tables": [table_data(table) for table in source.tables(number)],
        "table_searches": [asdict(search) for search in source.table_searches(number)],
    }  # fmt: skip


def _print_page(source: StoredSource, number: int) -> None:
    for element in source.elements(number):
        kind = f"{element.kind} {element.level}" if element.level else str(element.kind)
        click.echo(f"{element.id}  {kind:<10}  {','.join(map(str, element.box.as_list()))}")
        for line in _text(source, element).splitlines():
            click.echo(f"    {line}")
    for span in source.spans(number):
        if span.flags & UNSEEN:
            click.echo(f"{span.id}  not visible: {span.flags!s}")
    for table in source.tables(number):
        _print_table(table)
    for search in source.table_searches(number):
        note = f" ({search.note})" if search.note else ""
        click.echo(f"tables    {search.engine}: {search.found} found, {search.taken} taken{note}")


def _print_table(table: Table) -> None:
    """A table with what is said of it; one over several pages as a whole."""
    pages = ", ".join(str(part.page) for part in table.parts)
    where = f"pages {pages}" if len(table.parts) > 1 else f"page {pages}"
    doubt = "" if table.trusted else "; not trusted: some characters belong to no cell or to two"
    click.echo(f"{table.id}  {table.rows} x {table.columns}, {where} ({table.engine}{doubt})")
    if table.caption:
        click.echo(f"       caption: {table.caption}")
    if table.statement:
        click.echo(f"       states: {table.statement}")
    click.echo(table_text(table))


def _text(source: StoredSource, element: Element) -> str:
    start = source.pages[element.page - 1].start
    return source.page_text(element.page)[element.start - start : element.end - start]
