"""`pagewitness context`: evidence for a prompt under short handles, and answers that cite them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from grounding.errors import OutputError, UsageError
from grounding.store import Access, StoreReader
from pagewitness.documents import open_usable
from pagewitness.options import (
    access_options,
    as_of_option,
    db_option,
    out_option,
    read_input,
    store_files,
    write_file,
    write_out,
)

_FILE = click.Path(path_type=Path)


@click.command("context")
@click.argument("query", required=False)
@db_option
@access_options
@as_of_option
@click.option("--hits", type=_FILE, help="Lines of `search --json` instead of a query.")
@click.option("--document", "doc", metavar="DOC", help="Only in this document.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["prompt", "map"]),
    help="Text for a prompt (default), or the map of its handles as JSON.",
)
@click.option("--map-out", type=_FILE, help="Where the map goes beside the prompt.")
@click.option("--resolve", "answer", type=_FILE, help="An answer that cites handles.")
@click.option("--map", "map_file", type=_FILE, help="The map of the handles, for --resolve.")
@out_option
@click.pass_context
def command(
    ctx: click.Context,
    query: str | None,
    db: Path,
    access: Access,
    as_of: str | None,
    hits: Path | None,
    doc: str | None,
    limit: int,
    form: str | None,
    map_out: Path | None,
    answer: Path | None,
    map_file: Path | None,
    out: Path | None,
) -> None:
    """Give evidence for a prompt under short handles, E1, E2 and so on.

    It is what QUERY finds, or the hits of a file. With --resolve the handles in an answer become a
    verification request: what the answer quotes, and that the evidence stands where it was found.

    Exit codes: 0; with --resolve 1 when the answer cites nothing (no request is written); 2 for a
    wrong call, and for handles that the map does not have.
    """
    if answer is not None or map_file is not None:
        if answer is None or map_file is None or any((query, hits, doc, form, map_out)):
            raise UsageError("--resolve takes an answer, --map its map, and both nothing but --out")
        ctx.exit(_resolve(answer, map_file, out))
    if (query is None) == (hits is None):
        raise UsageError("give a query, or hits with --hits, or an answer with --resolve")
    if hits is not None and doc is not None:
        raise UsageError("--document is for a query: hits name their documents")
    if map_out is not None and out is not None and map_out.absolute() == out.absolute():
        raise OutputError("--map-out and --out are the same file", remedy="name two files")
    made = _made(db, access, as_of, query, hits, doc, limit)
    _write(made, form or "prompt", map_out, out, (*store_files(db), *([hits] if hits else [])))


def _made(
    db: Path,
    access: Access,
    as_of: str | None,
    query: str | None,
    hits: Path | None,
    doc: str | None,
    limit: int,
) -> dict[str, Any]:
    """The map of what a query finds, or of the hits of a file."""
    from grounding.store.search import Filters, search
    from pagewitness.context import context_map, of_hits, read_hits

    with StoreReader(db, access) as reader, reader.snapshot():
        if hits is not None:
            return context_map(read_hits(read_input(hits), reader, as_of)[:limit])
        only = open_usable(reader, doc, as_of).key if doc is not None else None
        filters = Filters(document=only, as_of=as_of)
        return context_map(of_hits(search(reader, query or "", filters, limit)))


def _write(
    made: dict[str, Any], form: str, map_out: Path | None, out: Path | None, read: tuple[Path, ...]
) -> None:
    from pagewitness.context import map_bytes, prompt

    if map_out is not None:
        write_file(map_out, map_bytes(made), apart_from=read)
    data = map_bytes(made) if form == "map" else prompt(made).encode("utf-8")
    write_out(out, data, apart_from=read)


def _resolve(answer: Path, map_file: Path, out: Path | None) -> int:
    from pagewitness.answers import answer_text, load_map, resolve
    from pagewitness.cli import printable

    resolved = resolve(answer_text(read_input(answer)), load_map(read_input(map_file)))
    if resolved.requests:
        write_out(out, resolved.request_bytes(), apart_from=(answer, map_file))
    for line in resolved.lines():
        print(printable(line), file=sys.stderr)
    return 0 if resolved.requests else 1
