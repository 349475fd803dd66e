"""`pagewitness gate`: what of an answer may be shown."""

from __future__ import annotations

from pathlib import Path

import click

from grounding.canonical import canonical_bytes
from grounding.errors import UsageError
from pagewitness.options import read_input, write_out


@click.command("gate")
@click.argument("answer_file", metavar="ANSWER.json", type=click.Path(path_type=Path))
@click.option(
    "--report",
    "report_file",
    type=click.Path(path_type=Path),
    required=True,
    metavar="REPORT.json",
    help="The verification report, of this project or of Ethos, that the decision rests on.",
)
@click.option("--question", help="What was asked, where the answer does not repeat it.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["ethos"]),
    required=True,
    help="The form of the decision: the application release decision of Ethos.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where the decision goes; else stdout."
)
@click.pass_context
def command(
    ctx: click.Context,
    answer_file: Path,
    report_file: Path,
    question: str | None,
    form: str,
    out: Path | None,
) -> None:
    """Decide what of an answer may be shown, from the checks that its claims rest on.

    ANSWER.json holds the claims of an answer with their checks, relevance and type, and may hold
    the question and notes; `-` reads standard input. Relevance and type are the application's own
    labels; they are carried and never computed.

    Exit codes: 0 when every claim is released, 1 when not, 2 when the input cannot be used (nothing
    is written).
    """
    from verifier.ethos import load_proof, parse_release_claims, release_decision

    answer = parse_release_claims(read_input(answer_file))
    asked = question or answer.question
    if asked is None:
        raise UsageError("the answer does not say what was asked", remedy="add --question")
    decision = release_decision(
        load_proof(read_input(report_file)),
        asked,
        answer.claims,
        answer.notes or (),
        answer.verification_report_ref or "verification_report.json",
    )
    data = canonical_bytes(decision) + b"\n"
    write_out(out, data, apart_from=(answer_file, report_file))
    ctx.exit(0 if decision["app_status"] == "certified" else 1)
