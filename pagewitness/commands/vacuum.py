"""`pagewitness vacuum`: free space given back."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pagewitness.options import db_option, json_option


@click.command("vacuum")
@db_option
@json_option
@click.pass_context
def command(ctx: click.Context, db: Path, as_json: bool) -> None:
    """Give free space back, and what was forgotten with it.

    The full-text index is merged, the file written anew, its log emptied. Waits 30 seconds for
    another writer, and as long for readers of older states of the store.

    Exit codes: 0 when done, 1 when a reader kept an older state (run it again when the reader has
    ended), 2 when nothing was done.
    """
    from grounding.store.connection import connect_reader
    from grounding.store.vacuum import vacuum

    connect_reader(db).close()  # opening for writing would make a store where there is none
    done = vacuum(db)
    if as_json:
        click.echo(json.dumps(done.as_dict(), sort_keys=True))
    else:
        click.echo(f"bytes before {done.bytes_before}, after {done.bytes_after}")
        if not done.complete:
            click.echo("a reader holds an older state: run this again when it has ended")
    ctx.exit(0 if done.complete else 1)
