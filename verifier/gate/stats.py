"""Counters over audited decisions, for monitoring: JSON, text, and Prometheus's text format.

Nothing is sampled and nothing depends on the clock: the same events give the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from grounding.errors import StoreDamagedError
from grounding.store.audit_log import VERIFY
from verifier.codes import CLOSED
from verifier.gate.event import ARTIFACT_TYPE as EVENT_TYPE

ARTIFACT_TYPE: Literal["pagewitness.gate_stats.v1"] = "pagewitness.gate_stats.v1"
SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"

Count = Annotated[int, Field(ge=0)]
Labels = dict[str, str]


@with_config(CLOSED)
class Series(TypedDict):
    """How often something was met, by its labels."""

    labels: Labels
    count: Count


@with_config(CLOSED)
class Metric(TypedDict):
    """One counter; `total` is the sum of its series, which are sorted by their labels."""

    name: str
    help: str
    total: Count
    series: list[Series]


@with_config(CLOSED)
class GateStats(TypedDict):
    """Counters over the decisions of an audit log. `first` and `last` are the numbers of the first
    and the last event that was counted."""

    artifact_type: Literal["pagewitness.gate_stats.v1"]
    schema_version: Literal["1.0.0"]
    events: Count
    first: NotRequired[Annotated[int, Field(ge=1)]]
    last: NotRequired[Annotated[int, Field(ge=1)]]
    metrics: list[Metric]


Event = Mapping[str, Any]
_Values = Iterator[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Counted:
    """A counter: its labels, and the values of them that an event has."""

    name: str
    help: str
    labels: tuple[str, ...]
    values: Callable[[Event], _Values]


def _decisions(event: Event) -> _Values:
    yield (event["action"],)


def _reasons(event: Event) -> _Values:
    yield from ((reason,) for reason in event["reasons"])


def _faults(event: Event) -> _Values:
    yield from ((fault,) for fault in event["faults"])


def _claims(event: Event) -> _Values:
    for claim in event["claims"]:
        yield (claim["type"], claim.get("domain", ""), claim["decision"])


def _claim_reasons(event: Event) -> _Values:
    for claim in event["claims"]:
        yield from ((reason,) for reason in claim["reasons"])


def _evidence(event: Event) -> _Values:
    for claim in event["claims"]:
        for one in claim["evidence"]:
            yield (one.get("status", "unchecked"), one.get("reason", ""))


def _policies(event: Event) -> _Values:
    yield (event["policy"]["name"], event["hashes"]["policy"])


METRICS = (
    _Counted(
        "pagewitness_decisions_total",
        "Decisions by action.",
        ("action",),
        _decisions,
    ),
    _Counted(
        "pagewitness_decision_reasons_total",
        "Reasons of decisions; a decision may have several.",
        ("reason",),
        _reasons,
    ),
    _Counted(
        "pagewitness_faults_total",
        "Faults of the infrastructure; a decision may have several.",
        ("fault",),
        _faults,
    ),
    _Counted(
        "pagewitness_claims_total",
        "Claims of answers, by what may be done with them.",
        ("type", "domain", "decision"),
        _claims,
    ),
    _Counted(
        "pagewitness_claim_reasons_total",
        "Reasons of what was decided about claims; a claim may have several.",
        ("reason",),
        _claim_reasons,
    ),
    _Counted(
        "pagewitness_evidence_total",
        "Evidence of claims, by the verdict on it.",
        ("status", "reason"),
        _evidence,
    ),
    _Counted(
        "pagewitness_policies_total",
        "Decisions by the policy that they were made under.",
        ("name", "sha256"),
        _policies,
    ),
)
"""Every counter. An empty label says that there was none."""


def gate_stats(events: Iterable[tuple[int, Event]]) -> GateStats:
    """Counters over events with their numbers; those about texts that were taken out are left out.
    Raises StoreDamagedError."""
    counts: list[Counter[tuple[str, ...]]] = [Counter() for _ in METRICS]
    seen: list[int] = []
    for seq, event in events:
        if event.get("artifact_type") != EVENT_TYPE:
            continue
        seen = [*seen[:1], seq] if seen else [seq, seq]
        try:
            for metric, count in zip(METRICS, counts, strict=True):
                count.update(_texts(metric.values(event)))
        except (LookupError, TypeError, AttributeError, UnicodeEncodeError) as error:
            raise StoreDamagedError(
                f"event {seq} of the audit log is no decision", remedy=VERIFY
            ) from error
    stats: GateStats = {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "events": counts[0].total(),
        "metrics": [_metric(m, count) for m, count in zip(METRICS, counts, strict=True)],
    }
    if seen:
        stats["first"], stats["last"] = seen
    return stats


def _texts(labels: _Values) -> _Values:
    """Raises AttributeError and UnicodeEncodeError for what cannot be the value of a label."""
    for values in labels:
        for value in values:
            value.encode()
        yield values


def _metric(metric: _Counted, count: Counter[tuple[str, ...]]) -> Metric:
    series: list[Series] = [
        {"labels": dict(zip(metric.labels, values, strict=True)), "count": number}
        for values, number in sorted(count.items())
    ]
    return {"name": metric.name, "help": metric.help, "total": count.total(), "series": series}


def prometheus(stats: GateStats) -> str:
    """The counters in Prometheus's text exposition format, version 0.0.4."""
    lines = []
    for metric in stats["metrics"]:
        lines += [
            f"# HELP {metric['name']} {_escaped(metric['help'])}",
            f"# TYPE {metric['name']} counter",
        ]
        lines += [
            f"{metric['name']}{{{_labels(one['labels'])}}} {one['count']}"
            for one in metric["series"]
        ]
    return "".join(f"{line}\n" for line in lines)


def _labels(labels: Labels) -> str:
    return ",".join(f'{name}="{_escaped(value, quotes=True)}"' for name, value in labels.items())


def _escaped(text: str, *, quotes: bool = False) -> str:
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quotes else text


def stats_text(stats: GateStats) -> str:
    """The counters for people: one line a series, under the name of its counter."""
    lines = [f"{stats['events']} decision(s)"]
    for metric in stats["metrics"]:
        if not metric["series"]:
            continue
        lines += ["", metric["help"].split(";")[0].rstrip(".")]
        lines += [
            f"{one['count']:>8}  {'  '.join(v for v in one['labels'].values() if v) or '-'}"
            for one in metric["series"]
        ]
    return "".join(f"{line}\n" for line in lines)
