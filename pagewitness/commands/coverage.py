"""`pagewitness coverage`: which claims of answers their sources bear out."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import click

from pagewitness.auditing import Input, Share, Tally, audit_options, run_audit, summary
from pagewitness.judging import Asked


@click.command("coverage")
@audit_options
@click.option(
    "--threshold",
    type=Share(),
    default="0.9",
    show_default=True,
    metavar="SHARE",
    help="Share of an answer's claims that have to be supported.",
)
@click.pass_context
def command(ctx: click.Context, source: Input, asked: Asked, threshold: Decimal) -> None:
    """Audit the attribution coverage of answers in production traces.

    TRACES are files or folders: exports of Phoenix, OpenTelemetry, Langfuse or LangSmith, or plain
    JSON. Each trace becomes a line: its claims with their places, which are supported, unsupported
    or contradicted and by which sources, and the share that is supported. What happened is summed
    up on stderr.

    Exit codes: 0 when every audited trace is at or above the threshold, 1 when not (a trace without
    a claim, rejected or in error is not), 2 when the input cannot be used (nothing is written).
    """
    from verifier.coverage.audit import audit_coverage

    def passes(line: Any, tally: Tally) -> bool:
        for status in ("supported", "unsupported", "contradicted"):
            tally.parts[status] += line[f"{status}_claims"]
        if not line["score_defined"]:
            tally.undefined += 1
            return False
        return bool(line["supported_claims"] >= threshold * line["total_claims"])

    tally = run_audit(source, asked, audit_coverage, passes)
    counts = ", ".join(
        f"{tally.parts[s]} {s}" for s in ("supported", "unsupported", "contradicted")
    )
    parts = f"claims {tally.parts.total()}: {counts}"
    click.echo(summary(tally, threshold, parts), err=True)
    ctx.exit(0 if tally.all_passed else 1)
