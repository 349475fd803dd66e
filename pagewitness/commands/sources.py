"""`pagewitness sources`: what the store holds."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from grounding.store import SourceRow, StoreReader
from pagewitness.cli import printable
from pagewitness.options import (
    all_tenants_option,
    db_option,
    json_option,
    tenant_option,
    view_of,
)


@click.command("sources")
@db_option
@tenant_option
@all_tenants_option
@json_option
def command(db: Path, tenant: str, all_tenants: bool, as_json: bool) -> None:
    """List what the store holds, one line a document version."""
    with StoreReader(db, view_of(tenant, all_tenants)) as reader:
        rows = reader.sources()
    if as_json:
        for row in rows:
            click.echo(json.dumps(_data(row), sort_keys=True))
        return
    width = max((len(row.source_id) for row in rows), default=0)
    for row in rows:
        state = row.status if row.current else "older version"
        line = (
            f"{row.source_id:<{width}}  v{row.version}  {row.pages:>5} pages  {state:<13}"
            f"  {row.document_fingerprint[:19]}  {row.name}{_conditions(row)}"
        )
        click.echo(printable(line))
    click.echo(f"{len(rows)} document version(s)")


def _conditions(row: SourceRow) -> str:
    """When and for whom a source is valid, where that is not always and for all."""
    said = [
        f"from {row.effective}" if row.effective else "",
        f"until {row.expires}" if row.expires else "",
        f"tenant {row.tenant}" if row.tenant else "",
        f"needs {', '.join(row.permissions)}" if row.permissions else "",
    ]
    shown = "; ".join(text for text in said if text)
    return f"  ({shown})" if shown else ""


def _data(row: SourceRow) -> dict[str, object]:
    return {**asdict(row), "status": row.status if row.current else "superseded"}
