"""`pagewitness source`: the trusted source map of a store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grounding.errors import UsageError
from grounding.store import OPERATOR, StoreReader, StoreWriter
from grounding.store.source_entry import FIELDS, STATUSES
from pagewitness.cli import printable
from pagewitness.options import (
    all_tenants_option,
    db_option,
    json_option,
    out_option,
    read_input,
    store_files,
    tenant_option,
    view_of,
    write_out,
)

if TYPE_CHECKING:
    from grounding.store.map_history import MapChange

_CLEARED = ("effective", "expires", "authority", "tenant", "permissions")


@click.group("source")
def command() -> None:
    """Say of sources what they are: status, dates, authority, tenant and permissions.

    A document is found through this map and through nothing else. It is whoever keeps the store
    that edits it: these commands see the sources of all tenants.
    """


@command.command("set")
@click.argument("source_id", metavar="ID")
@db_option
@click.option("--name", help="What it is called.")
@click.option("--status", type=click.Choice(STATUSES), help="Only approved ones prove anything.")
@click.option("--effective", metavar="DATE", help="The first day on which it is valid.")
@click.option("--expires", metavar="DATE", help="The last day on which it is valid.")
@click.option("--authority", help="Who stands behind it.")
@click.option("--tenant", metavar="T", help="Whose it is; for nobody else it is there at all.")
@click.option(
    "--permission",
    "permissions",
    multiple=True,
    metavar="LABEL",
    help="A label that a reader needs; repeat it for each: they replace those there are.",
)
@click.option("--clear", type=click.Choice(_CLEARED), multiple=True, help="Takes a value back.")
@click.option("--declare", is_flag=True, help="Put a source in that the store does not have yet.")
@json_option
def set_(
    source_id: str,
    db: Path,
    permissions: tuple[str, ...],
    clear: tuple[str, ...],
    declare: bool,
    as_json: bool,
    **given: str | None,
) -> None:
    """Change what the map says of one source.

    Exit codes: 0, also when it said so already; 2 when nothing was changed.
    """
    from grounding.store.source_map import set_source

    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if permissions:
        changes["permissions"] = list(permissions)
    both = sorted(changes.keys() & set(clear))
    if both:
        raise UsageError(f"{both[0]} is set and cleared at once")
    changes |= {key: [] if key == "permissions" else "" for key in clear}
    if not changes and not declare:
        raise UsageError("nothing to change", remedy=f"give one of {', '.join(FIELDS)}")
    _there(db)
    with StoreWriter(db) as writer:
        changed = set_source(writer, source_id, declare=declare, **changes)
    _tell([source_id] if changed else [], as_json)


@command.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@db_option
@click.option("--declare", is_flag=True, help="Put sources in that the store does not have yet.")
@json_option
def import_(file: Path, db: Path, declare: bool, as_json: bool) -> None:
    """Change the map as a TOML or JSON file says, all of it or nothing.

    Keys that the file does not give stay as they are, and so do sources that it does not name.

    Exit codes: 0, also when the map said so already; 2 when nothing was changed.
    """
    from grounding.store.source_map import import_map

    data = read_input(file)
    _there(db)
    with StoreWriter(db) as writer:
        changed = import_map(writer, data, file.suffix, declare=declare)
    _tell(changed, as_json)


@command.command("export")
@db_option
@tenant_option
@all_tenants_option
@out_option
def export(db: Path, tenant: str, all_tenants: bool, out: Path | None) -> None:
    """Write the map as a JSON file that `source import` takes."""
    from grounding.store.source_map import export_map

    with StoreReader(db, view_of(tenant, all_tenants)) as reader, reader.snapshot():
        data = export_map(reader)
    write_out(out, data, apart_from=store_files(db))


@command.command("history")
@click.argument("source_id", metavar="[ID]", required=False)
@db_option
@tenant_option
@all_tenants_option
@json_option
def history(source_id: str | None, db: Path, tenant: str, all_tenants: bool, as_json: bool) -> None:
    """List what was changed in the map, oldest first; of one source, or of all."""
    from grounding.store.map_history import history as changes_of

    with StoreReader(db, view_of(tenant, all_tenants)) as reader, reader.snapshot():
        changes = list(changes_of(reader, source_id))
    for change in changes:
        text = json.dumps(change.as_dict(), ensure_ascii=False, sort_keys=True)
        click.echo(text if as_json else printable(_line(change)))
    if not as_json:
        click.echo(f"{len(changes)} change(s)")


def _line(change: MapChange) -> str:
    said = [
        f"{key} {_shown(value['from'])} -> {_shown(value['to'])}"
        for key, value in change.changed.items()
    ]
    what = "; ".join(said) or "as it is"
    return f"{change.version:>4}  {change.at}  {change.source_id}  " + (
        f"declared, {what}" if change.declared else what
    )


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value) or "none"
    return str(value) or "none"


def _there(db: Path) -> None:
    """Raises StoreError where there is no store: opening for writing would make one."""
    with StoreReader(db, OPERATOR):
        pass


def _tell(changed: list[str], as_json: bool) -> None:
    if as_json:
        for source_id in changed:
            click.echo(json.dumps({"source_id": source_id}))
        return
    for source_id in changed:
        click.echo(f"changed  {printable(source_id)}")
    click.echo(f"{len(changed)} source(s) changed")
