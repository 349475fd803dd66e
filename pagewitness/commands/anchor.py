"""`pagewitness anchor`: whether references still bind to their source."""

from __future__ import annotations

from pathlib import Path

import click

from grounding.store import Access
from pagewitness.documents import documents, source_options
from pagewitness.options import config_option, out_option, read_input, write_out
from verifier import load_config


@click.command("anchor")
@click.argument("request_file", metavar="REQUEST.json", type=click.Path(path_type=Path))
@source_options
@config_option
@out_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "ethos"]),
    default="json",
    show_default=True,
    help="This project's report, or the one that Ethos gives, by its rules.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 although a reference does not bind.")
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
    config_name: str,
    out: Path | None,
    form: str,
    exit_zero: bool,
) -> None:
    """Ask whether references to evidence still bind to their source, and how closely.

    REQUEST.json holds references (page, text, box, table cell) in this project's or in Ethos's
    form, or a verification report, whose grounded checks are then the references: a cheap check of
    stored citations, every night. `-` reads standard input.

    Exit codes: 0 when all references bind, 1 when not, 2 when the request, the configuration or the
    source cannot be used (nothing is written).
    """
    data = read_input(request_file)
    with documents(db, grounding, adapter, document, access, as_of) as known:
        if form == "ethos":
            from pagewitness.ethos import ethos_anchors

            answer, bound = ethos_anchors(data, known, document)
        else:
            from verifier.anchors import anchor, anchor_report_bytes, parse_anchors

            submission = parse_anchors(data, document=document, named=known.named, as_of=as_of)
            report = anchor(submission, known.resolver, load_config(config_name))
            answer, bound = anchor_report_bytes(report), report["all_bound"]
    write_out(out, answer, apart_from=(*known.files, request_file))
    ctx.exit(0 if exit_zero or bound else 1)
