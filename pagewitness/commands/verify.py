"""`pagewitness verify`: citations against the store or a foreign file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from grounding.collector import collector_paused
from grounding.errors import UsageError
from grounding.store import Access
from pagewitness.documents import Documents, documents, own_reading, source_options
from pagewitness.ethos import PRESET, ethos_config, ethos_verify
from pagewitness.options import config_option, out_option, read_input, write_out
from verifier import load_config, parse_requests, report_bytes, verify

if TYPE_CHECKING:
    from verifier import Report, ReportSet


@click.command("verify")
@click.argument("request_file", metavar="REQUEST.json", type=click.Path(path_type=Path))
@source_options
@click.option(
    "--pdf",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --grounding: read this PDF too, and note where the two readings differ.",
)
@config_option
@out_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "summary", "html", "ethos"]),
    default="json",
    show_default=True,
    help="Canonical JSON, a summary to read, a page with pictures, or the report of Ethos.",
)
@click.option("--save", is_flag=True, help="Keep the report in the store, for refresh and impact.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 although evidence is missing.")
@click.pass_context
def command(
    ctx: click.Context,
    request_file: Path,
    db: Path,
    grounding: Path | None,
    adapter: str | None,
    document: str | None,
    access: Access,
    as_of: str | None,
    pdf: Path | None,
    save: bool,
    config_name: str,
    out: Path | None,
    form: str,
    exit_zero: bool,
) -> None:
    """Check citations against the store, or against a foreign parser's file.

    REQUEST.json holds one request, a set of requests, or an array of claims (with --document);
    `-` reads standard input. With --config ethos-v1 it holds citations of Ethos.

    Exit codes: 0 when all evidence is grounded, 1 when not, 2 when the request, the configuration
    or the source cannot be used (nothing is written).
    """
    if pdf is not None and grounding is None:
        raise UsageError("--pdf is read beside the file of --grounding, and there is none")
    ethos = ethos_config(config_name)
    if save and (grounding is not None or ethos is not None):
        raise UsageError("--save keeps this project's reports on documents of the store")
    if ethos is not None and pdf is not None:
        raise UsageError(f"--pdf notes differences in this project's reports, not in {PRESET}'s")
    data = read_input(request_file)
    with collector_paused(), documents(db, grounding, adapter, document, access, as_of) as known:
        if ethos is not None:
            answer, grounded = ethos_verify(data, known, document, ethos, form)
        else:
            config = load_config(config_name)
            submission = parse_requests(data, document=document, named=known.named, as_of=as_of)
            report = verify(submission, known.resolver, config)
            if pdf is not None:
                _beside(pdf, report, known)
            answer, grounded = _WRITERS[form](report, known), report["all_evidence_grounded"]
    if save:
        _save(report, db, access.tenant)
    write_out(out, answer, apart_from=(*known.files, request_file, *([pdf] if pdf else [])))
    ctx.exit(0 if exit_zero or grounded else 1)


def _save(report: Report | ReportSet, db: Path, tenant: str) -> None:
    from grounding.store import StoreWriter
    from grounding.store.saved import save_report
    from verifier.proof import reports_of

    with StoreWriter(db) as writer, writer.together():
        for one in reports_of(report):
            save_report(writer, cast(dict[str, Any], one), tenant)


def _beside(pdf: Path, report: Report | ReportSet, known: Documents) -> None:
    """Notes in the reports where the artifact and our own reading of its PDF differ."""
    from verifier.cross_check import cross_check, with_cross_check
    from verifier.proof import reports_of

    assert known.foreign is not None
    with own_reading(pdf) as own:
        result = cross_check(known.foreign, own)
    for one in reports_of(report):
        with_cross_check(one, result)


def _summary(report: Report | ReportSet, known: Documents) -> bytes:
    from verifier.summary import summary_text

    return summary_text(report).encode("utf-8")


def _html(report: Report | ReportSet, known: Documents) -> bytes:
    from pagewitness.pictures import Pictures, without_pictures
    from verifier.html import html_report

    pictures = Pictures(report, known.reader) if known.reader is not None else without_pictures
    return html_report(report, pictures).encode("utf-8")


def _ethos(report: Report | ReportSet, known: Documents) -> bytes:
    from verifier.ethos import ethos_report_bytes, ethos_shape
    from verifier.proof import reports_of

    reports = reports_of(report)
    if len(reports) != 1:
        raise UsageError(
            "a report of Ethos is on one document", remedy="verify the requests one by one"
        )
    return ethos_report_bytes(ethos_shape(reports[0]))


_WRITERS: dict[str, Callable[[Report | ReportSet, Documents], bytes]] = {
    "json": lambda report, known: report_bytes(report),
    "summary": _summary,
    "html": _html,
    "ethos": _ethos,
}
