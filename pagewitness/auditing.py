"""How audits of traces run: traces are read, chosen, audited in order and written as lines."""

from __future__ import annotations

import functools
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from grounding.errors import OutputError
from grounding.store import Access, StoreReader
from pagewitness.cli import printable
from pagewitness.judging import Asked, judge_options
from pagewitness.options import access_options, out_option, store_files, write_stream
from verifier.traces.formats import FORMATS
from verifier.traces.select import Selection, selection

if TYPE_CHECKING:
    from verifier.judges import Judge
    from verifier.traces import Rejection, Trace

    Audit = Callable[[Trace | Rejection, Judge], Any]

_SPOOLED = 8 * 1024 * 1024
"""Bytes of results that are kept in memory until all are there; more go to a temporary file."""
_WAITING = 4
"""Traces that are read ahead for each one that may wait for a judge."""


@dataclass(frozen=True, slots=True)
class Input:
    """What is audited, and where results go."""

    paths: tuple[Path, ...]
    form: str
    documents_path: str
    chosen: Selection
    db: Path | None
    access: Access
    out: Path | None


@dataclass(slots=True)
class Tally:
    """What became of the traces of a run."""

    statuses: Counter[str] = field(default_factory=Counter)
    left_out: int = 0
    passed: int = 0
    undefined: int = 0
    parts: Counter[str] = field(default_factory=Counter)

    @property
    def audited(self) -> int:
        return self.statuses.total()

    @property
    def all_passed(self) -> bool:
        """Whether there was a trace and every one is at or above the threshold. A trace without a
        score is not."""
        return 0 < self.audited == self.passed


class Share(click.ParamType[Decimal]):
    """A number from 0 to 1, exact."""

    name = "share"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Decimal:
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            number = Decimal(-1)
        if not (number.is_finite() and 0 <= number <= 1):
            self.fail(f"{value!r} is no number from 0 to 1", param, ctx)
        return number


def audit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what both audits take; the command gets `source`, `asked` and `threshold`."""

    @functools.wraps(command)
    def run(
        *args: Any,
        traces: tuple[Path, ...],
        form: str | None,
        documents_path: str,
        sample: str | None,
        where: tuple[str, ...],
        db: Path | None,
        access: Access,
        out: Path | None,
        **options: Any,
    ) -> Any:
        chosen = selection(sample, where)
        source = Input(traces, form or "", documents_path, chosen, db, access, out)
        return command(*args, source=source, **options)

    wrapped: Callable[..., Any] = run
    for option in (
        out_option,
        access_options,
        click.option(
            "--db",
            type=click.Path(path_type=Path),
            help="Look contents that traces lack up in this store, by document id.",
        ),
        click.option(
            "--where",
            multiple=True,
            metavar="NAME=VALUE",
            help="Audit every trace with this recorded value; repeatable, beside --sample.",
        ),
        click.option(
            "--sample",
            metavar="SHARE",
            help="Audit a share of the traces, such as 0.1, 10% or all; by trace id, so that runs"
            " agree.",
        ),
        click.option(
            "--documents-path",
            default="",
            metavar="PATH",
            help="Where a retriever's output holds documents, such as hits.items[].text.",
        ),
        click.option(
            "--traces-format",
            "form",
            type=click.Choice([form.name for form in FORMATS]),
            help="The form of the files; else it is told by their first objects.",
        ),
        judge_options,
        click.argument(
            "traces",
            metavar="TRACES...",
            nargs=-1,
            required=True,
            type=click.Path(path_type=Path),
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


def run_audit(
    source: Input, asked: Asked, audit: Audit, passes: Callable[[Any, Tally], bool]
) -> Tally:
    """Audits all chosen traces and writes a line for each; nothing is written when the input cannot
    be used. `passes` says whether a scored line is at or above the threshold, and counts its parts.

    Raises TracesInvalidError, StoreError, OutputError.
    """
    tally = Tally()
    with ExitStack() as stack, tempfile.SpooledTemporaryFile(_SPOOLED) as lines:
        found = _chosen(_read(source, stack), source.chosen, tally)
        for line in _audited(found, asked, audit):
            tally.statuses[line["status"]] += 1
            if line["status"] == "scored":
                tally.passed += passes(line, tally)
            else:
                click.echo(printable(_complaint(line)), err=True)
            text = json.dumps(line, ensure_ascii=False, sort_keys=True)
            lines.write(text.encode() + b"\n")
        lines.seek(0)
        _write(source, lines)
    return tally


def _read(source: Input, stack: ExitStack) -> Iterator[Trace | Rejection]:
    from verifier.traces.files import trace_files
    from verifier.traces.read import ReadOptions, read_traces
    from verifier.traces.stored import StoredContents

    contents = None
    if source.db is not None:
        reader = stack.enter_context(StoreReader(source.db, source.access))
        stack.enter_context(reader.snapshot())
        contents = StoredContents(reader)
    options = ReadOptions(source.form, source.documents_path, contents)
    size = sum(path.stat().st_size for path in trace_files(source.paths))
    told = stack.enter_context(_progress(size))
    return read_traces(source.paths, options, told)


def _chosen(
    every: Iterable[Trace | Rejection], chosen: Selection, tally: Tally
) -> Iterator[Trace | Rejection]:
    for trace in every:
        if chosen.takes(trace):
            yield trace
        else:
            tally.left_out += 1


def _audited(traces: Iterator[Trace | Rejection], asked: Asked, audit: Audit) -> Iterator[Any]:
    """The lines in the order of the traces, of which a bounded number is under way."""
    if asked.at_once <= 1:
        for trace in traces:
            yield audit(trace, asked.judge)
        return
    with ThreadPoolExecutor(asked.at_once) as pool:
        waiting: list[Future[Any]] = []
        try:
            for trace in traces:
                waiting.append(pool.submit(audit, trace, asked.judge))
                if len(waiting) >= _WAITING * asked.at_once:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


def _complaint(line: Any) -> str:
    name = line["trace_id"] or line.get("origin", "")
    where = f" ({line['origin']})" if line.get("origin") else ""
    if line["status"] == "rejected":
        return f"rejected[{line['reason']}]: {name}: {line['message']}{where}"
    return f"eval_error[{line['eval_error']['code']}]: {name}: {line['eval_error']['message']}"


def _write(source: Input, lines: IO[bytes]) -> None:
    read = (*source.paths, *(store_files(source.db) if source.db is not None else ()))
    if source.out is None or str(source.out) == "-":
        shutil.copyfileobj(lines, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    if source.out.is_dir():
        raise OutputError(f"{source.out} is a folder", remedy="name a file")
    write_stream(source.out, lines, apart_from=read)


def summary(tally: Tally, threshold: Decimal, parts: str) -> str:
    """The last line of a run, for people."""
    counts = ", ".join(f"{count} {status}" for status, count in sorted(tally.statuses.items()))
    said = [f"traces {tally.audited}: {counts or 'none'}"]
    if tally.left_out:
        said.append(f"{tally.left_out} not chosen")
    said.append(f"{tally.passed} at or above {threshold}")
    if tally.undefined:
        said.append(f"{tally.undefined} without a score")
    return f"{'; '.join(said)}; {parts}"


@contextmanager
def _progress(size: int) -> Iterator[Callable[[int], None]]:
    """A bar over the bytes that are read, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("auditing"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=size)
        yield lambda count: progress.advance(task, count)
