"""`pagewitness refresh`: what became of the files, and of the citations of those that changed."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grounding.store import OPERATOR
from pagewitness.cli import Interrupted, printable
from pagewitness.impact import impact_line, impacts_of
from pagewitness.options import db_option, json_option
from verifier import load_config

if TYPE_CHECKING:
    from ingest.pipeline import IngestOptions
    from ingest.refresh import Refreshed

_QUIET = ("unchanged",)


@click.command("refresh")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@db_option
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Worker processes for files that changed.",
)
@click.option("--paranoid", is_flag=True, help="Hash every file, whatever its size and time say.")
@click.option(
    "--reparse",
    is_flag=True,
    help="Also tell which documents another parser or option would read otherwise.",
)
@click.option("--apply", is_flag=True, help="With --reparse: read those again, after the report.")
@click.option(
    "--tables",
    type=click.Choice(["auto", "off", "thorough"]),
    default="auto",
    show_default=True,
    help="How tables are searched in files that are read.",
)
@click.option(
    "--watch",
    type=click.FloatRange(0.1, 86_400),
    metavar="SECONDS",
    help="Look again every so many seconds, until interrupted.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    db: Path,
    jobs: int,
    paranoid: bool,
    reparse: bool,
    apply: bool,
    tables: str,
    watch: float | None,
    as_json: bool,
) -> None:
    """Look at files, folders and patterns, or at every file that the store knows, and bring the
    store up to date.

    A file is unchanged when its size and time are as noted; --paranoid hashes it. Changed content
    becomes a new version and keeps the old one; other metadata alone become an alias; a file that
    is missing is marked and never deleted. Saved citations of changed documents are checked again.

    Exit codes: 0 when nothing changed, 1 when something did, is missing or was refused, 2 when the
    call or the store cannot be used.
    """
    from ingest.pipeline import IngestOptions
    from ingest.worker import Rules

    options = IngestOptions(jobs=jobs, rules=Rules(tables=tables))
    changed = _once(paths, db, options, paranoid=paranoid, as_json=as_json)
    if reparse:
        changed = _reparse(db, options, apply=apply, as_json=as_json) or changed
    if watch is not None:
        try:
            while True:
                time.sleep(watch)
                _once(paths, db, options, paranoid=paranoid, as_json=as_json)
        except KeyboardInterrupt as error:
            raise Interrupted("every file is stored wholly or not at all") from error
    ctx.exit(1 if changed else 0)


def _once(
    paths: tuple[str, ...], db: Path, options: IngestOptions, *, paranoid: bool, as_json: bool
) -> bool:
    """One look; whether anything is other than it was."""
    from ingest.refresh import refresh

    results = refresh(list(paths), db, options, paranoid=paranoid)
    for result in results:
        if as_json:
            click.echo(json.dumps(result.as_dict(), ensure_ascii=False, sort_keys=True))
        elif result.status not in _QUIET:
            click.echo(printable(_line(result)))
    changed = [result.source_id for result in results if result.status == "changed"]
    items = impacts_of(db, changed, load_config("default"), OPERATOR) if changed else []
    for item in items:
        _show(item, as_json=as_json)
    if not as_json:
        counts = Counter(result.status for result in results)
        told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
        click.echo(f"files {len(results)}: {told}" if told else "no files are known")
    return any(result.status != "unchanged" for result in results)


def _show(item: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"impact": item}, ensure_ascii=False, sort_keys=True))
    elif item["state"] != "holds":
        click.echo(printable(f"  {impact_line(item)}"))


def _line(result: Refreshed) -> str:
    line = f"{result.status:<16}  {result.path}"
    if result.old_path:
        line += f"  (was {result.old_path})"
    if result.error is not None:
        line += f"  {result.error['code']}: {result.error['message']}"
    pages = result.pages
    parts = [
        f"{name} {', '.join(map(str, numbers))}"
        for name, numbers in (
            ("changed", pages.changed), ("added", pages.added), ("removed", pages.removed),
        )
        if numbers
    ]  # fmt: skip
    if pages.moved:
        parts.append(f"moved {', '.join(f'{old}→{new}' for old, new in pages.moved)}")
    return f"{line}  pages {'; '.join(parts)}" if parts else line


def _reparse(db: Path, options: IngestOptions, *, apply: bool, as_json: bool) -> bool:
    """What reading again would change, told before anything is done; whether anything would."""
    from ingest.reparse import apply_reparse, plan_reparse

    plan = plan_reparse(db, options)
    for item in plan:
        text = json.dumps({"reparse": item.as_dict()}, ensure_ascii=False, sort_keys=True)
        click.echo(text if as_json else printable(item.line()))
    if apply and plan:
        apply_reparse(db, options, plan)
    return bool(plan)
