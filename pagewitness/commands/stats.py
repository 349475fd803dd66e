"""`pagewitness stats`: counters over what was decided about answers."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from grounding.canonical import canonical_bytes
from grounding.store import OPERATOR, StoreReader
from pagewitness.options import db_option, out_option, period_options, store_files, write_out


@click.command("stats")
@db_option
@period_options
@out_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "prometheus"]),
    default="text",
    show_default=True,
    help="Lines to read, canonical JSON, or Prometheus's text format.",
)
def command(
    db: Path, since: datetime | None, until: datetime | None, out: Path | None, form: str
) -> None:
    """Count decisions, claims, reasons, faults and evidence over the audit log.

    A log whose chain is broken is not counted. The counters are of all tenants. They grow with the
    log and never fall, as monitoring expects of counters; with --since and --until they are of a
    period.

    Exit codes: 0, or 2 when the store cannot be used or the chain is broken.
    """
    from grounding.store.audit_chain import linked
    from grounding.store.audit_log import audit_rows, audited_between
    from verifier.gate.stats import gate_stats, prometheus, stats_text

    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        rows = audited_between(linked(audit_rows(reader)), since, until)
        stats = gate_stats((row.seq, row.event) for row in rows)
    if form == "json":
        data = canonical_bytes(stats) + b"\n"
    else:
        data = (prometheus if form == "prometheus" else stats_text)(stats).encode("utf-8")
    write_out(out, data, apart_from=store_files(db))
