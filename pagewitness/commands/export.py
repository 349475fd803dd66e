"""`pagewitness export`: a document, or one of its tables, in a portable form."""

from __future__ import annotations

from pathlib import Path

import click

from grounding.errors import TableNotFoundError, UsageError
from grounding.export import FORMS, TABLE_FORMS, export_bytes
from grounding.store import StoredSource, StoreReader
from pagewitness.options import db_option, store_files, write_out


@click.command("export")
@click.argument("doc")
@db_option
@click.option("--format", "form", type=click.Choice(sorted({*FORMS, *TABLE_FORMS})), required=True)
@click.option("--table", "table_id", metavar="ID", help="One table, such as t0001.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write; else stdout.")
def command(doc: str, db: Path, form: str, table_id: str | None, out: Path | None) -> None:
    """Write a document as canonical JSON (artifact), JSON lines with citations (chunks), Grounding
    JSON for Ethos (ethos-grounding), Markdown or plain text; with --table one of its tables as CSV,
    JSON or Markdown."""
    with StoreReader(db) as reader, reader.snapshot():
        source = reader.open(doc)
        data = _table(source, table_id, form) if table_id else _document(source, form)
        read = tuple(Path(path) for path in reader.locations_of(source.identity.source_id))
    write_out(out, data, apart_from=(*store_files(db), *read))


def _document(source: StoredSource, form: str) -> bytes:
    if form not in FORMS:
        raise UsageError(f"--format {form} is a form of one table: name it with --table")
    return export_bytes(source, form)


def _table(source: StoredSource, table_id: str, form: str) -> bytes:
    if form not in TABLE_FORMS:
        raise UsageError(f"a table is written as {', '.join(TABLE_FORMS)}, not as {form}")
    table = source.find_table(table_id)
    if table is None:
        raise TableNotFoundError(f"there is no table {table_id!r}")
    return TABLE_FORMS[form](table)
