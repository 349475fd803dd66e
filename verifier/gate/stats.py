"""Counts over audit events, for monitoring: JSON and Prometheus's text form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

_METRICS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    (
        "decisions",
        "pagewitness_decisions_total",
        ("action",),
        "Decisions by action.",
    ),
    ("reasons", "pagewitness_decision_reasons_total", ("reason",), "Decisions that give a reason."),
    ("faults", "pagewitness_faults_total", ("fault",), "Faults of the infrastructure."),
    ("claims", "pagewitness_claims_total", ("type", "decision"), "Claims by type and decision."),
    ("claim_reasons", "pagewitness_claim_reasons_total", ("reason",), "Claims that give a reason."),
    ("evidence", "pagewitness_evidence_total", ("status",), "Evidence by status."),
    ("policies", "pagewitness_policies_total", ("policy",), "Decisions by policy hash."),
)


def counts(records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Counters over records (`{"event", "envelope"}`): for every name, label values joined by `|`
    and how often they were met, sorted."""
    found: dict[str, Counter[str]] = {name: Counter() for name, *_ in _METRICS}
    events = 0
    for record in records:
        event = record["event"]
        events += 1
        found["decisions"][event["action"]] += 1
        found["reasons"].update(event["reasons"])
        found["faults"].update(event["faults"])
        found["policies"][event["hashes"]["policy"]] += 1
        for claim in event["claims"]:
            found["claims"][f"{claim['type']}|{claim['decision']}"] += 1
            found["claim_reasons"].update(claim["reasons"])
            found["evidence"].update(claim["evidence"])
    return {"events": events, **{name: dict(sorted(c.items())) for name, c in found.items()}}


def between(
    records: Iterable[dict[str, Any]], since: str | None, until: str | None
) -> Iterable[dict[str, Any]]:
    """Records whose envelope's time lies in [since, until); ISO 8601 in UTC compares as text."""
    for record in records:
        at = record["envelope"].get("at", "")
        if (since is None or at >= since) and (until is None or at < until):
            yield record


def prometheus(counted: dict[str, Any]) -> str:
    """Counters in Prometheus's text exposition format 0.0.4."""
    lines = []
    for name, metric, labels, about in _METRICS:
        lines += [f"# HELP {metric} {about}", f"# TYPE {metric} counter"]
        for key, count in counted[name].items():
            values = zip(labels, key.split("|"), strict=True)
            shown = ",".join(f'{label}="{_escaped(value)}"' for label, value in values)
            lines.append(f"{metric}{{{shown}}} {count}")
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
