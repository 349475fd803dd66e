"""Paired measurements: two pieces of work in turn, A B A B …, compared pair by pair.

Absolute times on a shared machine say little; the ratio within a pair does, and the median of the
ratios is what is quoted. Times are CPU seconds of this process unless said otherwise.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

Work = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Seconds of both sides of every round."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median over the rounds of our time by theirs."""
        return median(a / b for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def spread(self) -> tuple[float, float]:
        ratios = [a / b for a, b in zip(self.ours, self.theirs, strict=True)]
        return min(ratios), max(ratios)


def seconds(work: Work, clock: Clock = time.process_time) -> float:
    """How long one call takes."""
    gc.collect()
    started = clock()
    work()
    return clock() - started


def paired(ours: Work, theirs: Work, rounds: int, clock: Clock = time.process_time) -> Pair:
    """Both in turn, after one round that is not counted."""
    seconds(theirs, clock), seconds(ours, clock)
    a, b = [], []
    for _ in range(rounds):
        b.append(seconds(theirs, clock))
        a.append(seconds(ours, clock))
    return Pair(tuple(a), tuple(b))


def line(name: str, value: str) -> None:
    """One row of the result."""
    print(f"{name:<58} {value}", flush=True)
