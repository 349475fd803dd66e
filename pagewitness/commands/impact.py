"""`pagewitness impact`: which saved citations died when a new version arrived."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from grounding.store import Access, StoreReader
from pagewitness.cli import printable
from pagewitness.impact import impact_line, impacts_of
from pagewitness.options import access_options, as_of_option, db_option, json_option
from verifier import load_config


@click.command("impact")
@click.argument("source", required=False)
@db_option
@access_options
@as_of_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str | None,
    db: Path,
    access: Access,
    as_of: str | None,
    as_json: bool,
) -> None:
    """List what became of saved citations (verify --save) on the newest version of their document:
    they hold, moved (with the citation that holds now), changed, are gone, or cannot be told.

    Nothing is corrected by itself: a correction is a new request and a new report.

    Exit codes: 0 when all of them hold or moved, 1 when one changed, is gone or cannot be told, 2
    when the store or the source cannot be used.
    """
    wanted = None
    if source is not None:
        with StoreReader(db, access) as reader:
            wanted = [reader.open(source).key.source_id]
    items = impacts_of(db, wanted, load_config("default"), access, as_of)
    for item in items:
        text = json.dumps(item, ensure_ascii=False, sort_keys=True)
        click.echo(text if as_json else printable(impact_line(item)))
    counts = Counter(item["state"] for item in items)
    if not as_json:
        told = ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
        click.echo(f"{len(items)} saved citation(s) on newer versions{f': {told}' if told else ''}")
    ctx.exit(1 if counts.keys() - {"holds", "moved"} else 0)
