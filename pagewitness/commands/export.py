"""`pagewitness export`: a document in a portable form."""

from __future__ import annotations

from pathlib import Path

import click

from grounding.export import FORMS, export_bytes
from grounding.store import StoreReader
from pagewitness.options import db_option, store_files, write_out


@click.command("export")
@click.argument("doc")
@db_option
@click.option("--format", "form", type=click.Choice(sorted(FORMS)), required=True)
@click.option("--out", type=click.Path(path_type=Path), help="The file to write; else stdout.")
def command(doc: str, db: Path, form: str, out: Path | None) -> None:
    """Write a document as canonical JSON (artifact), JSON lines with citations (chunks), Markdown
    or plain text."""
    with StoreReader(db) as reader, reader.snapshot():
        source = reader.open(doc)
        data = export_bytes(source, form)
        read = tuple(Path(path) for path in reader.locations_of(source.identity.source_id))
    write_out(out, data, apart_from=(*store_files(db), *read))
