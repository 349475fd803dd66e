"""`pagewitness search`: full text, with citations ready to use."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import click

from grounding.errors import UsageError
from grounding.model import ElementKind
from grounding.store import Access, StoreReader
from grounding.store.search import Filters, search
from pagewitness.documents import open_usable
from pagewitness.hits import hit_data
from pagewitness.options import access_options, as_of_option, db_option, json_option

_PAGES = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.A)


@click.command("search")
@click.argument("query")
@db_option
@access_options
@click.option("--document", "doc", metavar="DOC", help="Only in this document.")
@click.option("--page", "pages", metavar="N|N-M", help="Only on this page, or on these.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([str(kind) for kind in ElementKind]),
    multiple=True,
    help="Only elements of this kind; may be repeated.",
)
@as_of_option
@click.option("--any-status", is_flag=True, help="In sources that are not approved, too.")
@click.option("--all-versions", is_flag=True, help="In superseded versions, too.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@json_option
def command(
    query: str,
    db: Path,
    access: Access,
    doc: str | None,
    pages: str | None,
    kinds: tuple[str, ...],
    as_of: str | None,
    any_status: bool,
    all_versions: bool,
    limit: int,
    as_json: bool,
) -> None:
    """Find elements that hold all words of QUERY, best first.

    "Words in quotation marks" stand side by side, word* begins with these letters. Text that nobody
    sees is not found, nor what is in sources that are not approved. With --json every hit has a
    claim that `pagewitness verify` grounds.
    """
    with StoreReader(db, access) as reader, reader.snapshot():
        filters = replace(
            filters_of(reader, doc, pages, kinds, all_versions), any_status=any_status, as_of=as_of
        )
        if doc is not None and not any_status:
            open_usable(reader, doc, as_of)
        for hit in search(reader, query, filters, limit):
            data = hit_data(hit)
            if any_status:
                data["source_status"] = reader.standing(reader.find(data["document"])).status
            if as_json:
                click.echo(json.dumps(data, ensure_ascii=False, sort_keys=True))
            else:
                place = f"page {hit.element.page}  {hit.element.id}"
                status = data.get("source_status", "approved")
                noted = "" if status == "approved" else f"  ({status})"
                click.echo(f"{data['document']}{noted}  {place}  {data['snippet']}")


def filters_of(
    reader: StoreReader,
    doc: str | None,
    pages: str | None,
    kinds: tuple[str, ...],
    all_versions: bool,
) -> Filters:
    """The filters of a command line. Raises UsageError, and what finding a document raises."""
    key = reader.open(doc).key if doc is not None else None
    return Filters(
        document=None if all_versions else key,
        source_id=key.source_id if key is not None else None,
        pages=page_range(pages) if pages is not None else None,
        kinds=frozenset(map(ElementKind, kinds)),
        all_versions=all_versions,
    )


def page_range(text: str) -> tuple[int, int]:
    """`3` or `3-7`, both inclusive. Raises UsageError."""
    found = _PAGES.fullmatch(text.strip())
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(f"--page {text!r} is neither a page such as 3 nor pages such as 3-7")
    return first, last
