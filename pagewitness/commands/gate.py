"""`pagewitness gate`: what of an answer may be shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grounding.canonical import canonical_bytes
from grounding.errors import UsageError
from grounding.store import Access
from pagewitness.options import (
    access_options,
    as_of_option,
    db_option,
    out_option,
    read_input,
    store_files,
    write_out,
)

if TYPE_CHECKING:
    from verifier.gate import Decision

_FILE = click.Path(path_type=Path)


@click.command("gate")
@click.argument("answer_file", metavar="ANSWER.json", type=_FILE)
@db_option
@access_options
@as_of_option
@click.option(
    "--policy",
    "policy_name",
    metavar="FILE|PRESET",
    help="strict (default), review, or a TOML or JSON file.",
)
@click.option(
    "--labels",
    "labels_file",
    type=_FILE,
    metavar="LABELS.json",
    help="What the application says of the claims; without it none is final.",
)
@click.option(
    "--report",
    "report_file",
    type=_FILE,
    metavar="REPORT.json",
    help="A verification report that came with the answer; it is held against the store.",
)
@click.option("--report-sha256", metavar="HEX", help="The hash that the report was signed under.")
@click.option(
    "--audit-db", type=_FILE, metavar="FILE", help="The store that keeps the decision; else --db."
)
@click.option("--question", help="What was asked, where the answer does not repeat it.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "text", "html", "ethos"]),
    default="json",
    show_default=True,
    help="The decision as JSON, on one page, or in the form of Ethos.",
)
@out_option
@click.pass_context
def command(
    ctx: click.Context,
    answer_file: Path,
    db: Path,
    access: Access,
    as_of: str | None,
    policy_name: str | None,
    labels_file: Path | None,
    report_file: Path | None,
    report_sha256: str | None,
    audit_db: Path | None,
    question: str | None,
    form: str,
    out: Path | None,
) -> None:
    """Decide what of a generated answer may be shown, and keep the decision.

    ANSWER.json holds the answer's text, its claims and the evidence that they refer to
    (schemas/generated_answer.schema.json); `-` reads standard input. Everything that it cites is
    checked against the store; numbers, dates and denials in its own words are held against that.
    Whether claims answer the question and follow from their evidence are labels of the application:
    they are carried and never computed.

    Without --policy, `--format ethos --report REPORT.json` decides as Ethos does, on its files.

    Exit codes: 0 when the answer is released, 1 for every other decision, 2 when the input cannot
    be used (nothing is decided or written).
    """
    read = tuple(f for f in (answer_file, labels_file, report_file) if f is not None)
    if form == "ethos" and policy_name is None and report_file is not None:
        ctx.exit(_as_ethos(answer_file, report_file, question, out))
    from pagewitness.gate import gate
    from verifier.gate import load_policy

    decision = gate(
        read_input(answer_file),
        db=db,
        policy=load_policy(policy_name or "strict"),
        labels=read_input(labels_file) if labels_file is not None else None,
        access=access,
        as_of=as_of,
        report=read_input(report_file) if report_file is not None else None,
        report_sha256=report_sha256,
        audit_db=audit_db,
        question=question,
    )
    files = (*store_files(db), *store_files(audit_db or db), *read)
    write_out(out, _formed(decision, form), apart_from=files)
    ctx.exit(0 if decision["action"] == "release" else 1)


def _formed(decision: Decision, form: str) -> bytes:
    from verifier.gate import decision_bytes

    if form == "text":
        from verifier.gate.text import decision_text

        return decision_text(decision).encode("utf-8", "backslashreplace")
    if form == "html":
        from verifier.gate.html import decision_html

        return decision_html(decision).encode("utf-8")
    if form == "ethos":
        from verifier.gate.ethos import ethos_decision

        return canonical_bytes(ethos_decision(decision)) + b"\n"
    return decision_bytes(decision)


def _as_ethos(answer_file: Path, report_file: Path, question: str | None, out: Path | None) -> int:
    """Ethos's own decision, on its own files."""
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
    return 0 if decision["app_status"] == "certified" else 1
