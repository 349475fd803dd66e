"""`pagewitness verify`: citations against the store."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grounding.collector import collector_paused
from grounding.errors import RequestInvalidError
from grounding.store import StoreReader
from pagewitness.options import db_option, store_files, write_out
from verifier import load_config, parse_requests, report_bytes, verify

if TYPE_CHECKING:
    from verifier import Report, ReportSet


@click.command("verify")
@click.argument("request_file", metavar="REQUEST.json", type=click.Path(path_type=Path))
@db_option
@click.option("--document", metavar="DOC", help="The document, where the request names none.")
@click.option(
    "--config",
    "config_name",
    metavar="FILE|PRESET",
    default="default",
    show_default=True,
    help="Rules: default, strict, or a TOML or JSON file.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Where the report goes; else stdout.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "summary", "html"]),
    default="json",
    show_default=True,
    help="Canonical JSON, a summary to read, or a page with pictures.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 although evidence is missing.")
@click.pass_context
def command(
    ctx: click.Context,
    request_file: Path,
    db: Path,
    document: str | None,
    config_name: str,
    out: Path | None,
    form: str,
    exit_zero: bool,
) -> None:
    """Check citations against the store.

    REQUEST.json holds one request, a set of requests, or an array of claims (with --document);
    `-` reads standard input.

    Exit codes: 0 when all evidence is grounded, 1 when not, 2 when the request, the configuration
    or the store cannot be used (nothing is written).
    """
    config = load_config(config_name)
    submission = parse_requests(_read(request_file), document=document)
    # One command, one report: there is nothing to collect before the process ends.
    with collector_paused(), StoreReader(db) as reader, reader.snapshot():
        report = verify(submission, reader, config)
        data = _WRITERS[form](report, reader)
    write_out(out, data, apart_from=(*store_files(db), request_file))
    ctx.exit(0 if exit_zero or report["all_evidence_grounded"] else 1)


def _read(path: Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise RequestInvalidError(
            f"{path} cannot be read: {error.strerror}", remedy="check the path"
        ) from error


def _summary(report: Report | ReportSet, reader: StoreReader) -> bytes:
    from verifier.summary import summary_text

    return summary_text(report).encode("utf-8")


def _html(report: Report | ReportSet, reader: StoreReader) -> bytes:
    from pagewitness.pictures import Pictures
    from verifier.html import html_report

    return html_report(report, Pictures(report, reader)).encode("utf-8")


_WRITERS: dict[str, Callable[[Report | ReportSet, StoreReader], bytes]] = {
    "json": lambda report, reader: report_bytes(report),
    "summary": _summary,
    "html": _html,
}
