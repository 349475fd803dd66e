"""Running many files: one after the other here, or in child processes that may die.

Both executors keep the same promise (one outcome a job, in order, no exception for a document) and
the same rule for deaths: the page that an attempt died on is left out of the next one.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import tempfile
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Protocol

from grounding.artifact import Artifact
from ingest.worker import (
    Assignment,
    Faults,
    Place,
    Places,
    Reply,
    Rules,
    read_file,
    start_worker,
    work,
)

MAX_RETRIES = 8
"""Pages or tables of one file that may be given up before the whole file is."""
DEFAULT_TIMEOUT = 600.0
_RETRIED = ("worker_crashed", "out_of_memory")
_PATIENCE = 3
"""Pools that may break down under a file without a sign that the file did it."""
_TICK = 1.0
"""Seconds between looks at children whose death the pool may have overlooked."""
_BYTES_UNDER_WAY = 256 << 20
_FILES_A_CHILD = 500
"""A child is replaced after so many files: what engines leak stays bounded."""


_SIGNALS = {int(one): one.name for one in signal.Signals}


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read, by its absolute path."""

    path: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job: a sealed artifact, or the code and message of a refusal. `seconds` is
    the time that all attempts took."""

    job: Job
    artifact: Artifact | None = None
    code: str = ""
    message: str = ""
    seconds: float = 0.0


class Executor(Protocol):
    """Runs jobs. `jobs` is consumed in the caller's thread, a bounded number ahead."""

    def run(self, jobs: Iterable[Job]) -> Generator[Outcome, None, None]:
        """One outcome a job, in the order of the jobs. Raises nothing for a document; closing the
        generator stops all work."""
        ...


@dataclass(slots=True)
class _File:
    """A job and what its attempts have come to."""

    job: Job
    faults: Faults = field(default_factory=Faults)
    seconds: float = 0.0
    outcome: Outcome | None = None

    def answered(self, reply: Reply, place: Place) -> None:
        """An attempt came to its end by itself. No outcome afterwards means: try again."""
        self.seconds += reply.seconds
        if not reply.code:
            artifact: Artifact = pickle.loads(reply.artifact)
            self.outcome = Outcome(self.job, artifact, seconds=self.seconds)
        elif reply.code in _RETRIED:
            self._gave_up(reply.code, reply.message, reply.cause, place)
        else:
            self.refused(reply.code, reply.message)

    def died(self, code: str, cause: str, place: Place) -> None:
        """An attempt was ended from outside. No outcome afterwards means: try again."""
        self._spent(place)
        self._gave_up(code, f"{cause}{_at(place)}", cause, place)

    def refused(self, code: str, message: str) -> None:
        self.outcome = Outcome(self.job, code=code, message=message, seconds=self.seconds)

    def timed_out(self, message: str, place: Place) -> None:
        """The file's whole time is over, which is final."""
        self._spent(place)
        self.refused("timed_out", message)

    def _spent(self, place: Place) -> None:
        if place.started:
            self.seconds += time.monotonic() - place.started

    def _gave_up(self, code: str, message: str, cause: str, place: Place) -> None:
        faults = without(self.faults, place, cause)
        if faults is None:
            self.refused(code, message)
        elif len(faults.failed) + len(faults.without_tables) > MAX_RETRIES:
            self.refused(code, f"{message}, after {MAX_RETRIES} other attempts")
        else:
            self.faults = faults


def without(faults: Faults, place: Place, cause: str) -> Faults | None:
    """What the next attempt leaves out; None when that cannot help: the death was on no page, or
    on one that is left out already."""
    if place.stage == "tables" and place.page not in faults.without_tables:
        return replace(faults, without_tables=faults.without_tables | {place.page})
    if place.stage == "text" and place.page not in faults.failed:
        return replace(faults, failed={**faults.failed, place.page: cause})
    return None


def _at(place: Place) -> str:
    if place.page < 0:
        return " while the file was opened" if place.stage == "open" else " after the last page"
    return f" on page {place.page + 1} ({place.stage})"


class SerialExecutor:
    """Everything in this process, without limits of time and memory: for tests and debugging."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def run(self, jobs: Iterable[Job]) -> Generator[Outcome, None, None]:
        for job in jobs:
            file = _File(job)
            while file.outcome is None:
                self._attempt(file)
            yield file.outcome

    def _attempt(self, file: _File) -> None:
        place = Place()

        def mark(page: int, stage: str) -> None:
            nonlocal place
            place = Place(page=page, stage=stage)

        reply = read_file(Assignment(file.job.path, self.rules, file.faults), mark)
        file.answered(reply, place)


class ProcessExecutor:
    """Child processes that are killed when a page or a file takes too long.

    `timeout` is the wall time in seconds that one file may take, all attempts together. At most
    4 * jobs + 4 files of together _BYTES_UNDER_WAY bytes are on their way at a time, so that memory
    does not grow with their number. Of those the largest are read first: a large one at the end
    would leave the other children idle.
    """

    def __init__(self, jobs: int, rules: Rules, timeout: float = DEFAULT_TIMEOUT) -> None:
        self.jobs = jobs
        self.rules = rules
        self.timeout = timeout

    def run(self, jobs: Iterable[Job]) -> Generator[Outcome, None, None]:
        with tempfile.TemporaryDirectory(prefix="pagewitness-") as folder:
            session = _Session(self, Path(folder) / "places")
            try:
                yield from session.outcomes(iter(jobs))
            finally:
                session.stop()


@dataclass(slots=True)
class _Running:
    """A file on its way: its slot in the places file, and the pool's promise of an answer."""

    file: _File
    slot: int
    size: int
    future: Future[Reply]
    missing_since: float | None = None
    lost: int = 0


class _Session:
    """One run of a ProcessExecutor: its pool, and the files on their way."""

    def __init__(self, executor: ProcessExecutor, path: Path) -> None:
        self.executor = executor
        self.path = str(path)
        self.window = 4 * executor.jobs + 4
        self.places = Places(self.path, self.window)
        self.running: deque[_Running] = deque()
        self.slots = list(range(self.window))
        self.pool: Any = None

    def outcomes(self, jobs: Iterator[Job]) -> Iterator[Outcome]:
        more = True
        while more or self.running:
            new = []
            while more and self._has_room():
                job = next(jobs, None)
                more = job is not None
                if job is not None:
                    new.append(self._take_up(job))
            for item in sorted(new, key=lambda item: -item.size):
                item.future = self._submit(item.file, item.slot)
            if self.running:
                yield self._first_outcome()

    def stop(self) -> None:
        """Ends every child at once."""
        self._stop_pool()
        self.places.close()

    def _has_room(self) -> bool:
        under_way = len(self.running)
        if under_way <= self.executor.jobs:
            return True
        return under_way < self.window and sum(i.size for i in self.running) < _BYTES_UNDER_WAY

    def _take_up(self, job: Job) -> _Running:
        item = _Running(_File(job), self.slots.pop(), _size(job.path), Future())
        self.running.append(item)
        return item

    def _first_outcome(self) -> Outcome:
        first = self.running[0]
        while True:
            for item in self.running:
                if item.file.outcome is None and item.future.done():
                    self._settle(item)
            if first.file.outcome is not None:
                self.running.popleft()
                self.slots.append(first.slot)
                return first.file.outcome
            waiting = [item.future for item in self.running if item.file.outcome is None]
            if not wait(waiting, timeout=_TICK, return_when=FIRST_COMPLETED).done:
                self._look_for_the_lost()

    def _settle(self, item: _Running) -> None:
        place = self.places.read(item.slot)
        try:
            reply = item.future.result()
        except BrokenProcessPool:
            self._restart()
            return
        except TimeoutError:
            limit = f"reading took more than {self.executor.timeout:g} s"
            item.file.timed_out(f"{limit} and was stopped{_at(place)}", place)
        except Exception as error:  # noqa: BLE001 the boundary between a child and its run
            exit_code = getattr(error, "exitcode", None)
            item.file.died(*_cause(exit_code, self.executor.rules), place)
        else:
            item.file.answered(reply, place)
        self._again(item)

    def _again(self, item: _Running) -> None:
        if item.file.outcome is None:
            item.missing_since = None
            item.future = self._submit(item.file, item.slot)

    def _look_for_the_lost(self) -> None:
        """The pool forgets a file whose child dies in the moment of taking it up."""
        if not self.pool.active:
            self._restart()
            return
        now = time.monotonic()
        for item in self.running:
            place = self.places.read(item.slot)
            if item.future.done() or not place.pid or _alive(place.pid):
                item.missing_since = None
            elif item.missing_since is None:
                item.missing_since = now
            elif now - item.missing_since > 2 * _TICK:
                item.future.cancel()
                item.file.died(*_cause(None, self.executor.rules), place)
                self._again(item)

    def _restart(self) -> None:
        """The pool broke down: a new one takes over what had no answer."""
        unanswered = [item for item in self.running if _unanswered(item)]
        for item in unanswered:
            place = self.places.read(item.slot)
            if place.pid and not _alive(place.pid):
                item.file.died(*_cause(None, self.executor.rules), place)
                continue
            item.lost += 1
            if item.lost > _PATIENCE:
                item.file.refused("worker_crashed", "no worker process stays alive")
        self._stop_pool()
        for item in unanswered:
            self._again(item)

    def _stop_pool(self) -> None:
        if self.pool is not None:
            self.pool.stop()
            self.pool.join()
            self.pool = None

    def _submit(self, file: _File, slot: int) -> Future[Reply]:
        self.places.write(slot, Place())
        assignment = Assignment(file.job.path, self.executor.rules, file.faults, self.path, slot)
        left = max(self.executor.timeout - file.seconds, 0.1)
        try:
            if self.pool is None:
                self.pool = _new_pool(self.executor)
            future: Future[Reply] = self.pool.schedule(work, args=(assignment,), timeout=left)
        except RuntimeError as error:  # the pool broke down since; see _restart
            future = Future()
            future.set_exception(BrokenProcessPool(str(error)))
        return future


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0  # the worker finds out and says so


def _unanswered(item: _Running) -> bool:
    if item.file.outcome is not None:
        return False
    return not item.future.done() or isinstance(item.future.exception(), BrokenProcessPool)


def _cause(exit_code: int | None, rules: Rules) -> tuple[str, str]:
    """Code of the refusal, and the reason for people, for a child's exit code."""
    if exit_code == -signal.SIGPROF:
        return "timed_out", f"it took more than {rules.page_seconds:g} s of CPU time"
    if exit_code == -signal.SIGKILL:
        return "out_of_memory", "the system killed the reader, most likely for want of memory"
    if exit_code is not None and -exit_code in _SIGNALS:
        return "worker_crashed", f"the reader crashed ({_SIGNALS[-exit_code]})"
    return "worker_crashed", "the reader crashed"


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _worker_context() -> Any:
    """How children are started: from a process that has the parser loaded where the system can
    fork, which saves half a second a child; else from nothing."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["ingest.reading.document"])
    return context


def _new_pool(executor: ProcessExecutor) -> Any:
    from pebble import ProcessPool

    pool = ProcessPool(
        max_workers=executor.jobs,
        max_tasks=_FILES_A_CHILD,
        initializer=start_worker,
        initargs=(executor.rules.reader,),
        context=_worker_context(),
    )
    with _interrupts_held():
        if not pool.active:  # asking starts it
            raise RuntimeError("the worker pool does not start")
    return pool


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Threads and processes started inside never see Ctrl-C: it goes to every process of a
    terminal, and only the parent may act on it. The mask is inherited, so this also holds for a
    child that is still starting and for one that the pool starts later."""
    # Its start would lift the mask that is set here.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
