"""`pagewitness stats`: counters over release decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from grounding.store import OPERATOR, StoreReader
from pagewitness.options import db_option


@click.command("stats")
@db_option
@click.option("--since", metavar="TIME", help="From this time on, such as 2026-01-31T08:00, UTC.")
@click.option("--until", metavar="TIME", help="Before this time.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "prometheus"]),
    default="text",
    show_default=True,
)
def command(db: Path, since: str | None, until: str | None, form: str) -> None:
    """Count release decisions by action, reason, fault, claim and evidence."""
    from grounding.store.audit_log import rows
    from verifier.gate.stats import between, counts, prometheus

    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        counted = counts(between((row.value for row in rows(reader)), since, until))
    if form == "prometheus":
        click.echo(prometheus(counted), nl=False)
    elif form == "json":
        click.echo(json.dumps(counted, sort_keys=True))
    else:
        _print(counted)


def _print(counted: dict[str, Any]) -> None:
    click.echo(f"{counted['events']} decision(s)")
    for name, values in counted.items():
        if isinstance(values, dict) and values and name != "policies":
            click.echo(name.replace("_", " "))
            for key, count in sorted(values.items(), key=lambda item: (-item[1], item[0])):
                click.echo(f"  {count:>6}  {key.replace('|', ' ')}")
