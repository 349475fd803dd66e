"""`pagewitness ingest`: PDFs into the store."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from grounding.errors import REFUSALS
from ingest.executors import DEFAULT_TIMEOUT
from ingest.pipeline import STATUSES, FileResult, IngestOptions, IngestSummary, ingest
from ingest.worker import MIB, Rules
from pagewitness.cli import Interrupted, printable

Say = Callable[[FileResult], None]


class Seconds(click.FloatRange):
    """A positive number of seconds, at most a week: `nan` and `inf` are none."""

    def __init__(self) -> None:
        super().__init__(min=0.001, max=7 * 86400)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return number


def usable_processors() -> int:
    """Processors that this process may run on; a container often allows fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@click.command("ingest")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--db",
    type=click.Path(path_type=Path),
    default=Path("grounding.db"),
    show_default=True,
    help="The store; created when it does not exist.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 512),
    metavar="N",
    help="Worker processes.  [default: one a processor]",
)
@click.option(
    "--tables",
    type=click.Choice(["auto", "thorough", "off"]),
    default="auto",
    show_default=True,
    help="How to look for tables: thorough also asks a layout model, more than a second a page.",
)
@click.option("--source-id", metavar="ID", help="Make the file a version of this source.")
@click.option("--reparse", is_flag=True, help="Read files again whose bytes are known.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=DEFAULT_TIMEOUT,
    show_default=True,
    metavar="S",
    help="Seconds that one file may take.",
)
@click.option(
    "--page-timeout",
    type=Seconds(),
    default=60.0,
    show_default=True,
    metavar="S",
    help="CPU seconds that one page may take.",
)
@click.option(
    "--memory-limit",
    type=click.IntRange(1, 1 << 30),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="MiB that reading one file may take.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(1),
    default=1 << 30,
    show_default=True,
    metavar="N",
    help="Largest file that is read.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line a file on stdout.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    db: Path,
    jobs: int | None,
    tables: str,
    source_id: str | None,
    reparse: bool,
    timeout: float,
    page_timeout: float,
    memory_limit: int,
    max_bytes: int,
    as_json: bool,
) -> None:
    """Read PDFs into the store.

    PATH is a file, a folder (with everything below it whose name ends in .pdf) or a pattern. Files
    that are stored already are not read again.

    Exit codes: 0 when every file is in the store, 1 when some were refused (the others are
    stored), 2 when nothing could be done.
    """
    rules = Rules(
        tables=tables,
        max_bytes=max_bytes,
        page_seconds=page_timeout,
        memory_bytes=memory_limit * MIB,
    )
    options = IngestOptions(jobs or usable_processors(), rules, timeout, source_id, reparse)
    seen = IngestSummary()
    with _listener(as_json) as (say, total):

        def done(result: FileResult) -> None:
            seen.add(result)
            say(result)

        try:
            summary = ingest(paths, db, options, done, on_found=total)
        except KeyboardInterrupt as error:
            there = sum(seen.counts.values()) - seen.refused
            raise Interrupted(
                f"{there} files are in the store; the same command goes on with the rest"
            ) from error
    if not as_json:
        click.echo(described(summary))
    ctx.exit(1 if summary.refused else 0)


def described(summary: IngestSummary) -> str:
    """The last line of a run."""
    files = sum(summary.counts.values())
    counts = ", ".join(f"{summary.counts[s]} {s}" for s in STATUSES if summary.counts[s])
    return f"files {files}: {counts}; pages read {summary.pages}; {summary.seconds:.1f} s"


def complaint(result: FileResult) -> str | None:
    """One line about a file that is not wholly in the store, None for others."""
    if result.error is not None:
        code, message = result.error["code"], result.error["message"]
        return f"refused[{code}]: {result.path}: {message}; {REFUSALS[code].remedy}"
    if result.status == "partial":
        return f"partial: {result.path}: some pages cannot be read; `pagewitness show` names them"
    return None


@contextmanager
def _listener(as_json: bool) -> Iterator[tuple[Say, Callable[[int], None]]]:
    """What is told of each file, and what of their number: JSON on stdout, or complaints on
    stderr, and progress where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield _json_line if as_json else _complain, lambda files: None
        return

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)

        def say(result: FileResult) -> None:
            if as_json:
                _json_line(result)
            elif line := complaint(result):
                progress.console.out(printable(line), highlight=False)
            progress.advance(task)

        yield say, lambda files: progress.update(task, total=files)


def _json_line(result: FileResult) -> None:
    # ASCII only: names that are no UTF-8 survive it, on any terminal and in any pipe.
    print(json.dumps(result.as_dict(), ensure_ascii=True), flush=True)


def _complain(result: FileResult) -> None:
    if line := complaint(result):
        print(printable(line), file=sys.stderr)
