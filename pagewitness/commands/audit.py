"""`pagewitness audit`: the log of release decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grounding.errors import UsageError
from grounding.store import OPERATOR, StoreReader
from pagewitness.cli import printable
from pagewitness.options import (
    db_option,
    json_option,
    out_option,
    read_input,
    store_files,
    write_out,
)

if TYPE_CHECKING:
    from grounding.store.audit_log import AuditRow


@click.group("audit")
def command() -> None:
    """Look at the log of release decisions, and prove that nothing in it was changed."""


@command.command("verify")
@db_option
@click.option("--file", "export", type=click.Path(path_type=Path), help="An export instead.")
@click.option("--head", metavar="HEX", help="A hash that was written down; it has to be there.")
@click.option("--count", type=click.IntRange(0), help="How many events there were at least.")
@json_option
@click.pass_context
def verify(
    ctx: click.Context,
    db: Path,
    export: Path | None,
    head: str | None,
    count: int | None,
    as_json: bool,
) -> None:
    """Prove the chain, and find its first broken link.

    Without --head or --count nobody can tell whether the last events were cut off: write the hash
    down that this prints.

    Exit codes: 0 when the chain is whole, 1 when not, 2 when there is none to look at.
    """
    from grounding.store.audit_log import lines, rows, verify_chain

    if export is not None:
        chain = verify_chain(lines(read_input(export)), head=head, count=count)
    else:
        with StoreReader(db, OPERATOR) as reader, reader.snapshot():
            chain = verify_chain(rows(reader), head=head, count=count)
    if as_json:
        found = {"events": chain.events, "head": chain.head, "whole": chain.whole}
        if not chain.whole:
            found |= {"broken": chain.broken, "why": chain.why}
        click.echo(json.dumps(found, sort_keys=True))
    elif chain.whole:
        click.echo(f"whole: {chain.events} event(s), head {chain.head}")
    else:
        click.echo(f"broken at event {chain.broken}: {chain.why}")
    ctx.exit(0 if chain.whole else 1)


@command.command("list")
@db_option
@json_option
def list_(db: Path, as_json: bool) -> None:
    """List the decisions, oldest first."""
    for row in _rows(db):
        event, envelope = row.value["event"], row.value["envelope"]
        if as_json:
            line = {"seq": row.seq, "hash": row.hash, **row.value}
            click.echo(json.dumps(line, ensure_ascii=False, sort_keys=True))
            continue
        claims = [claim["decision"] for claim in event["claims"]]
        click.echo(
            printable(
                f"{row.seq:>6}  {envelope.get('at', '')[:19]}  {event['action']:<10}"
                f"  {claims.count('show_final')}/{len(claims)}  {event['answer_id']}"
                f"  {', '.join(event['reasons'])}"
            )
        )


@command.command("show")
@click.argument("seq", type=click.IntRange(1))
@db_option
def show(seq: int, db: Path) -> None:
    """Print one event, as JSON."""
    for row in _rows(db):
        if row.seq == seq:
            line = {"seq": row.seq, "prev_hash": row.prev_hash, "hash": row.hash, **row.value}
            click.echo(json.dumps(line, ensure_ascii=False, indent=2, sort_keys=True))
            return
    raise UsageError(f"there is no event {seq}", remedy="see `pagewitness audit list`")


@command.command("export")
@db_option
@click.option(
    "--private",
    "private_form",
    is_flag=True,
    help="Without ids, actors and tenants; such lines prove nothing of the chain.",
)
@out_option
def export(db: Path, private_form: bool, out: Path | None) -> None:
    """Write the log as JSON lines, which `audit verify --file` proves without the store."""
    from verifier.gate.event import private

    lines = [
        json.dumps(
            {"seq": row.seq, "hash": row.hash, **private(row.value)},
            ensure_ascii=False,
            sort_keys=True,
        )
        if private_form
        else row.line()
        for row in _rows(db)
    ]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8")
    write_out(out, data, apart_from=store_files(db))


def _rows(db: Path) -> list[AuditRow]:
    from grounding.store.audit_log import rows

    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        return list(rows(reader))
