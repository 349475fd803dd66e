"""`pagewitness scorecard`: which retrieved documents answers used, and how faithfully."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import click

from pagewitness.auditing import Input, Share, Tally, audit_options, run_audit, summary
from pagewitness.judging import Asked


@click.command("scorecard")
@audit_options
@click.option(
    "--threshold",
    type=Share(),
    default="0.95",
    show_default=True,
    metavar="SHARE",
    help="Share of the documents used that have to be used faithfully.",
)
@click.pass_context
def command(ctx: click.Context, source: Input, asked: Asked, threshold: Decimal) -> None:
    """Score how answers in production traces used each retrieved document.

    TRACES are files or folders: exports of Phoenix, OpenTelemetry, Langfuse or LangSmith, or plain
    JSON. Each trace becomes a line: for every document whether it was used, used partially or
    ignored, whether faithfully, and the words on both sides that show it. What happened is summed
    up on stderr.

    Exit codes: 0 when every audited trace is at or above the threshold, 1 when not (a trace that
    uses no document, is rejected or in error is not), 2 when the input cannot be used (nothing is
    written).
    """
    from verifier.scorecard.audit import audit_scorecard

    def passes(line: Any, tally: Tally) -> bool:
        tally.parts.update(line["counts"])
        used = line["counts"]["used"] + line["counts"]["partially_used"]
        if not used or line["counts"]["eval_error"]:
            tally.undefined += 1
            return False
        return bool(line["counts"]["faithful"] >= threshold * used)

    tally = run_audit(source, asked, audit_scorecard, passes)
    names = ("used", "partially_used", "ignored", "faithful", "partially_faithful", "unfaithful")
    counts = ", ".join(f"{tally.parts[name]} {name}" for name in names)
    click.echo(summary(tally, threshold, f"documents: {counts}"), err=True)
    ctx.exit(0 if tally.all_passed else 1)
