"""`pagewitness forget`: a source's content out of the store."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grounding.errors import UsageError
from pagewitness.cli import Interrupted
from pagewitness.options import db_option, json_option

if TYPE_CHECKING:
    from grounding.store.forget import Forgotten, ReportPolicy

BEFORE_VACUUM = (
    "No command finds it any more; its bytes may be in free parts of the file until"
    " `pagewitness vacuum`."
)


@click.command("forget")
@click.argument("source_id", metavar="SOURCE")
@db_option
@click.option("--reason", default="", metavar="TEXT", help="Kept with the tombstones.")
@click.option(
    "--reports",
    type=click.Choice(["redact", "keep", "delete"]),
    default="redact",
    show_default=True,
    help="Saved reports on the source: without its text, as they are, or not at all.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def command(
    source_id: str, db: Path, reason: str, reports: ReportPolicy, yes: bool, as_json: bool
) -> None:
    """Remove a source's content from the store, all versions of it.

    SOURCE is a source id. Texts, boxes, tables, search words and locations go; a tombstone a
    version keeps fingerprints, time and reason. What another source also holds stays for that one.
    It cannot be undone.

    Exit codes: 0 when the source is forgotten, 2 when nothing was done.
    """
    from grounding.store.connection import connect_reader
    from grounding.store.forget import forget
    from grounding.store.writer import StoreWriter

    connect_reader(db).close()  # opening for writing would make a store where there is none
    if not yes:
        _ask(source_id)
    with StoreWriter(db) as writer:
        done = forget(writer, source_id, reason=reason, reports=reports)
    if as_json:
        click.echo(json.dumps(done.as_dict(), sort_keys=True))
    else:
        _print(done)


def _ask(source_id: str) -> None:
    """Raises UsageError where nobody can be asked, Interrupted on a no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("forgetting cannot be undone, and nobody can be asked", remedy="add --yes")
    if not click.confirm(f"Forget source {source_id} and all its versions?", err=True):
        raise Interrupted


def _print(done: Forgotten) -> None:
    click.echo(f"forgotten: source {done.source_id}, {done.versions} version(s)")
    for fingerprint in done.removed:
        click.echo(f"removed  {fingerprint}")
    for fingerprint in done.kept:
        click.echo(f"kept     {fingerprint}: another source has it too")
    click.echo(
        f"saved reports: {done.reports_redacted} redacted, {done.reports_deleted} deleted,"
        f" {done.reports_kept} kept"
    )
    if done.audit_texts_removed:
        click.echo(f"audit log: the texts of {done.audit_texts_removed} event(s) removed")
    click.echo(BEFORE_VACUUM)
