"""`pagewitness export`: a document, or one of its tables, in a portable form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grounding.chunks import chunk_lines
from grounding.cutting import DEFAULT_SIZE, ChunkRules
from grounding.errors import TableNotFoundError, UsageError
from grounding.export import FORMS, TABLE_FORMS, export_bytes
from grounding.store import Access, StoredSource, StoreReader
from pagewitness.options import (
    access_options,
    as_of_option,
    db_option,
    store_files,
    write_out,
)


@click.command("export")
@click.argument("doc")
@db_option
@access_options
@as_of_option
@click.option("--format", "form", type=click.Choice(sorted({*FORMS, *TABLE_FORMS})), required=True)
@click.option("--table", "table_id", metavar="ID", help="One table, such as t0001.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write; else stdout.")
@click.option(
    "--chunk-size",
    type=click.IntRange(1, 10_000_000),
    help=f"The most that a chunk holds; {DEFAULT_SIZE} by default.",
)
@click.option(
    "--chunk-unit",
    type=click.Choice(["tokens", "characters"]),
    help="What --chunk-size counts; tokens, by an estimate, by default.",
)
@click.option("--across-headings", is_flag=True, help="Let a chunk go on over headings.")
@click.option(
    "--tables", type=click.Choice(["whole", "rows"]), help="A chunk a table (default), or a row."
)
def command(
    doc: str,
    db: Path,
    access: Access,
    as_of: str | None,
    form: str,
    table_id: str | None,
    out: Path | None,
    **chunking: Any,
) -> None:
    """Write a document as canonical JSON (artifact), JSON lines with citations (chunks), Grounding
    JSON for Ethos (ethos-grounding), Markdown or plain text; with --table one of its tables as CSV,
    JSON or Markdown."""
    rules = _rules(chunking, form)
    with StoreReader(db, access) as reader, reader.snapshot():
        source = reader.open(doc, as_of)
        data = _table(source, table_id, form) if table_id else _document(source, form, rules)
        read = tuple(Path(path) for path in reader.locations_of(source.identity.source_id))
    write_out(out, data, apart_from=(*store_files(db), *read))


def _rules(chunking: dict[str, Any], form: str) -> ChunkRules:
    """How to make chunks. Raises UsageError where something else is written."""
    names = {"chunk_size": "size", "chunk_unit": "unit"}
    given = {names.get(key, key): value for key, value in chunking.items() if value}
    if given and form != "chunks":
        raise UsageError("how chunks are made is only for --format chunks")
    return ChunkRules(**given)


def _document(source: StoredSource, form: str, rules: ChunkRules) -> bytes:
    if form not in FORMS:
        raise UsageError(f"--format {form} is a form of one table: name it with --table")
    return chunk_lines(source, rules) if form == "chunks" else export_bytes(source, form)


def _table(source: StoredSource, table_id: str, form: str) -> bytes:
    if form not in TABLE_FORMS:
        raise UsageError(f"a table is written as {', '.join(TABLE_FORMS)}, not as {form}")
    table = source.find_table(table_id)
    if table is None:
        raise TableNotFoundError(f"there is no table {table_id!r}")
    return TABLE_FORMS[form](table)
