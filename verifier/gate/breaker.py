"""A circuit breaker: what failed too often is left alone for a while. It never lets anything by."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

THRESHOLD = 5
"""Failures in a row."""
COOLDOWN_SECONDS = 30.0


class Breaker:
    """Closed at first. After some failures in a row it is open for a while; then one attempt is let
    through, which closes it or opens it again. Safe between threads."""

    def __init__(
        self,
        threshold: int = THRESHOLD,
        cooldown: float = COOLDOWN_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._threshold, self._cooldown, self._clock = threshold, cooldown, clock
        self._failures = 0
        self._opened: float | None = None
        self._trying = False
        self._lock = Lock()

    def allows(self) -> bool:
        """Whether to try; who is told so has to say what became of it."""
        with self._lock:
            if self._opened is None:
                return True
            if self._trying or self._clock() - self._opened < self._cooldown:
                return False
            self._trying = True
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failures, self._opened, self._trying = 0, None, False

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            if self._trying or self._failures >= self._threshold:
                self._opened = self._clock()
            self._trying = False
