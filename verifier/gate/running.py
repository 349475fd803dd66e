"""Independent checks at once: under a cap, with a time limit for each and for all of them.

A thread cannot be stopped. One whose time is over is left behind with its result unread, and its
place is taken by a new one; the checks themselves are bounded by the limits of the verifier.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Generic, Literal, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Task(Generic[T]):
    run: Callable[[], T]
    future: Future[T] = field(default_factory=Future)
    started: float | None = None


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """What became of one check: its value, what it raised, or whose time was over."""

    value: T | None = None
    error: BaseException | None = None
    late: Literal["check", "decision"] | None = None


class Workers:
    """A few threads that live as long as the process and hold it up from nothing."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._queue: SimpleQueue[_Task[object] | None] = SimpleQueue()
        self._alive = 0
        self._lost = 0
        self._lock = Lock()

    def run(
        self, jobs: Sequence[Callable[[], T]], check_seconds: float, all_seconds: float
    ) -> list[Ended[T]]:
        """Runs jobs and gives what became of each, in their order."""
        end = time.monotonic() + all_seconds
        tasks: list[_Task[T]] = [_Task(job) for job in jobs]
        for task in tasks:
            self._start(task)
        pending = {task.future: task for task in tasks}
        late: dict[Future[T], Literal["check", "decision"]] = {}
        while pending:
            now = time.monotonic()
            limits = [
                end if task.started is None else min(end, task.started + check_seconds)
                for task in pending.values()
            ]
            done, _ = wait(
                pending, timeout=max(min(limits) - now, 0.001), return_when=FIRST_COMPLETED
            )
            for future in done:
                del pending[future]
            now = time.monotonic()
            for future, task in list(pending.items()):
                over = now >= end
                if over or (task.started is not None and now - task.started >= check_seconds):
                    late[future] = "decision" if over else "check"
                    del pending[future]
                    self._leave(task)
        return [_ended(task.future, late) for task in tasks]

    def _start(self, task: _Task[T]) -> None:
        self._queue.put(task)  # type: ignore[arg-type]
        with self._lock:
            if self._alive - self._lost < self._count:
                self._alive += 1
                Thread(target=self._work, name="pagewitness-gate", daemon=True).start()

    def _leave(self, task: _Task[T]) -> None:
        """A check whose time is over: unless it never began, its thread is lost."""
        if not task.future.cancel():
            with self._lock:
                self._lost += 1

    def _work(self) -> None:
        while True:
            task = self._queue.get()
            if task is None:
                return
            if not task.future.set_running_or_notify_cancel():
                continue
            task.started = time.monotonic()
            try:
                task.future.set_result(task.run())
            except BaseException as error:  # noqa: BLE001 it is told to who waits
                task.future.set_exception(error)

    def close(self) -> None:
        """Lets the threads end."""
        with self._lock:
            for _ in range(self._alive):
                self._queue.put(None)
            self._alive = self._lost = 0


def _ended(future: Future[T], late: dict[Future[T], Literal["check", "decision"]]) -> Ended[T]:
    if future in late:
        return Ended(late=late[future])
    error = future.exception()
    return Ended(error=error) if error is not None else Ended(value=future.result())
