"""Which traces are audited: a share of them, or all that match a condition.

Whether a trace is in a sample depends on its id alone, so that runs over several files, machines
and days pick the same ones, and a larger sample holds every smaller one.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from grounding.errors import UsageError
from verifier.traces.model import FACETS, Rejection, Trace

_SPAN = 1 << 64
ALL = Decimal(1)


@dataclass(frozen=True, slots=True)
class Condition:
    """A recorded value that a trace, or one of its documents, has to have."""

    name: str
    value: str

    def holds(self, trace: Trace | Rejection) -> bool:
        """Whether the trace has the value under the name, as a facet or as it was recorded."""
        if trace.attributes.get(self.name) == self.value:
            return True
        if isinstance(trace, Rejection):
            return False
        if trace.metadata.get(self.name) == self.value:
            return True
        return any(
            self.value in (d.attributes.get(self.name), d.metadata.get(self.name))
            for d in trace.documents
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """A trace is audited when one of the conditions holds, or when it is in the sample. `rate` is
    None for no sample: conditions alone then select, and without any every trace is."""

    rate: Decimal | None = None
    conditions: tuple[Condition, ...] = ()

    def takes(self, trace: Trace | Rejection) -> bool:
        if self.rate is None and not self.conditions:
            return True
        if any(condition.holds(trace) for condition in self.conditions):
            return True
        return self.rate is not None and in_sample(trace.trace_id or trace.origin, self.rate)


def in_sample(trace_id: str, rate: Decimal) -> bool:
    """Whether a trace belongs to a sample of a rate from 0 to 1."""
    digest = hashlib.blake2b(trace_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return Decimal(int.from_bytes(digest)) < rate * _SPAN


def selection(sample: str | None, conditions: tuple[str, ...]) -> Selection:
    """The selection that options describe: `all`, `0.1` or `10%`, and `name=value`. Raises
    UsageError."""
    return Selection(_rate(sample), tuple(_condition(text) for text in conditions))


def _rate(sample: str | None) -> Decimal | None:
    if sample is None:
        return None
    if sample == "all":
        return ALL
    try:
        percent = sample.endswith("%")
        rate = Decimal(sample.rstrip("%")) / (100 if percent else 1)
    except InvalidOperation:
        rate = Decimal(-1)
    if not (rate.is_finite() and 0 < rate <= 1):
        raise UsageError(
            f"--sample {sample!r} is no share of traces", remedy="give all, 0.1 or 10%"
        )
    return rate


def _condition(text: str) -> Condition:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise UsageError(
            f"--where {text!r} is no condition",
            remedy=f"give name=value; names that every format has: {', '.join(FACETS)}",
        )
    return Condition(name, value)
