"""`pagewitness audit`: the log of what was decided about answers."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grounding.errors import StoreDamagedError
from grounding.store import OPERATOR, StoreReader
from grounding.store.audit_log import VERIFY
from pagewitness.cli import printable
from pagewitness.options import db_option, json_option, period_options, store_files, write_lines

if TYPE_CHECKING:
    from grounding.store.audit_chain import Chain
    from grounding.store.audit_log import AuditRow


@click.group("audit")
def command() -> None:
    """The log of what was decided about answers: every decision is an event, chained to the one
    before by its hash.

    The log is for whoever keeps the store: it is about the answers of all tenants.
    """


def _head(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[0-9a-f]{64}", value):
        raise click.BadParameter(f"{value!r} is not 64 hex digits")
    return value


@command.command("verify")
@db_option
@click.option(
    "--file",
    "exported",
    type=click.Path(path_type=Path),
    metavar="EVENTS.jsonl",
    help="Prove this export instead of a store.",
)
@click.option(
    "--head",
    metavar="HASH",
    callback=_head,
    help="A hash that was noted as the last one.",
)
@click.option(
    "--count",
    type=click.IntRange(min=0),
    metavar="N",
    help="How many events there were when that was noted.",
)
@json_option
@click.pass_context
def verify(
    ctx: click.Context,
    db: Path,
    exported: Path | None,
    head: str | None,
    count: int | None,
    as_json: bool,
) -> None:
    """Prove that events follow each other from the first on, and say where they first do not.

    What was cut off the end leaves no trace in what remains: note the number of events and the hash
    of the last one elsewhere, and give them as --count and --head.

    Exit codes: 0 when the chain is whole, 1 when it is broken, 2 when there is nothing to prove.
    """
    chain = _of_store(db, head, count) if exported is None else _of_file(exported, head, count)
    if as_json:
        click.echo(json.dumps(chain.as_dict(), sort_keys=True))
    else:
        _print_chain(chain)
    ctx.exit(1 if chain.broken is not None else 0)


def _of_store(db: Path, head: str | None, count: int | None) -> Chain:
    from grounding.store.audit_chain import verify_store

    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        return verify_store(reader, head=head, count=count)


def _of_file(path: Path, head: str | None, count: int | None) -> Chain:
    from grounding.errors import AuditInvalidError
    from grounding.store.audit_chain import exported_rows, verify_rows

    try:
        with click.open_file(str(path), "rb") as stream:
            return verify_rows(exported_rows(stream), head=head, count=count)
    except OSError as error:
        raise AuditInvalidError(f"{path} cannot be read: {error.strerror}") from error


def _print_chain(chain: Chain) -> None:
    from grounding.store.audit_chain import BREAKS

    if chain.broken is None:
        click.echo(f"whole: {chain.events} event(s), head {chain.head}")
    else:
        broken = chain.broken
        click.echo(printable(f"broken at event {broken.seq}: {broken.code}: {broken.detail}"))
        click.echo(BREAKS[broken.code])
    if chain.texts_removed:
        click.echo(f"the texts of {chain.texts_removed} event(s) were taken out, as events say")


_MOST = 2**63 - 1
"""The largest number that SQLite and Python count with."""


@command.command("list")
@db_option
@period_options
@click.option("--action", metavar="ACTION", help="Only decisions with this action.")
@click.option(
    "--limit", type=click.IntRange(1, _MOST), metavar="N", help="Only the last N of those."
)
@json_option
def list_events(
    db: Path,
    since: datetime | None,
    until: datetime | None,
    action: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """List events, oldest first."""
    from grounding.store.audit_log import audit_rows, audited_between

    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        rows: Iterable[AuditRow] = audited_between(audit_rows(reader), since, until)
        rows = (row for row in rows if action in (None, row.event.get("action")))
        for row in deque(rows, limit) if limit is not None else rows:
            if as_json:
                click.echo(_json(_value(row)))
            else:
                click.echo(printable(_line(row)))


def _value(row: AuditRow) -> dict[str, Any]:
    """An event as `list --json` and `show` print it."""
    place = {"seq": row.seq, "prev_hash": row.prev_hash, "hash": row.hash}
    return {**place, **row.value(), **row.details()}


def _json(value: Any, indent: int | None = None) -> str:
    """JSON text. What of a damaged event is no character is written as an escape of JSON."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _line(row: AuditRow) -> str:
    """An event for people. Raises StoreDamagedError where it is none."""
    try:
        return _summary(row)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise StoreDamagedError(
            f"event {row.seq} of the audit log is no event", remedy=VERIFY
        ) from error


def _summary(row: AuditRow) -> str:
    event, names = row.event, row.details().get("names", {})
    claims = [claim["decision"] for claim in event.get("claims", ())]
    said = (
        f"{row.seq:>6}  {row.at().isoformat()[:19]}  {event.get('action', 'removal'):<10}"
        f"  {claims.count('show_final')}/{len(claims)}  {names.get('answer_id', '')}"
        f"  {', '.join([*event.get('faults', ()), *event.get('reasons', ())])}"
    )
    who = ", ".join(f"{key} {names[key]}" for key in ("actor", "tenant") if key in names)
    return f"{said}  ({who})" if who else said.rstrip()


@command.command("show")
@click.argument("seq", type=click.IntRange(1, _MOST))
@db_option
@json_option
def show(seq: int, db: Path, as_json: bool) -> None:
    """Print one event, with the names that are kept beside it, and its text where one is."""
    from grounding.store.audit_log import audit_row

    with StoreReader(db, OPERATOR) as reader:
        value = _value(audit_row(reader, seq))
    click.echo(_json(value, indent=None if as_json else 2))


@command.command("export")
@db_option
@click.option("--out", type=click.Path(path_type=Path), help="Where the events go; else stdout.")
@click.option(
    "--private", is_flag=True, help="Hashes, codes and counts only: no names, ids and texts."
)
def export(db: Path, out: Path | None, private: bool) -> None:
    """Write all events as JSON lines, which `audit verify --file` proves without the store."""
    from grounding.store.audit_chain import export_line
    from grounding.store.audit_log import audit_rows

    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        lines = (export_line(row, private=private) for row in audit_rows(reader))
        write_lines(out, lines, apart_from=store_files(db))
