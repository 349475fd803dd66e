"""`pagewitness check-store`: the store against its own hashes and rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagewitness.cli import printable
from pagewitness.options import db_option, json_option

if TYPE_CHECKING:
    from grounding.store.findings import Finding
    from grounding.store.repair import Repaired


@click.command("check-store")
@db_option
@click.option("--repair", is_flag=True, help="Make again what follows from the rest.")
@json_option
@click.pass_context
def command(ctx: click.Context, db: Path, repair: bool, as_json: bool) -> None:
    """Check the store against its own hashes and rules.

    Every page is hashed again, and every offset, box, number and indexed word compared. --repair
    makes the full-text index, counters and hashes of the whole again, removes rows of missing
    documents, and says what it did; then the store is checked once more. docs/store.md lists the
    codes.

    Exit codes: 0 when nothing was found, 1 when something was, 2 when there is no usable store.
    """
    from grounding.store.integrity import check_store
    from grounding.store.repair import repair_store

    found = check_store(db)
    done: list[Repaired] = []
    if repair and found:
        done = repair_store(db, found)
        found = check_store(db)
    if as_json:
        for data in [*(one.as_dict() for one in done), *(one.as_dict() for one in found)]:
            click.echo(json.dumps(data, sort_keys=True))
    else:
        _print(done, found)
    ctx.exit(1 if found else 0)


def _print(done: list[Repaired], found: list[Finding]) -> None:
    from grounding.store.findings import CODES

    for one in done:
        click.echo(printable(f"repaired[{one.action}]: {_place(one.document)}{one.detail}"))
    for finding in found:
        where = _place(finding.document, finding.page)
        click.echo(printable(f"{finding.code}: {where}{finding.detail}"))
    for code in sorted({finding.code for finding in found}):
        click.echo(f"{code}: {CODES[code][0]} To do: {CODES[code][1]}")
    click.echo(f"{len(found)} finding(s)")


def _place(document: str, page: int = 0) -> str:
    on = f" page {page}" if page else ""
    return f"document {document[:19]}{on}: " if document else ""
