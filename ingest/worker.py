"""What runs in the child process: one file's bytes in, a packed artifact or a refusal out.

The parent learns where a child died from a small file: before every page and stage the child
writes its place there, so that the next attempt can leave out what killed it.
"""

from __future__ import annotations

import errno
import os
import pickle
import resource
import signal
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grounding.errors import OutOfMemory, Refusal, WorkerCrashed, refusal

if TYPE_CHECKING:
    from ingest.reading.document import Progress

DEFAULT_READER = "ingest.reading.document:read_document"
MIB = 1 << 20

STAGES = ("open", "text", "tables", "document")
"""What a reading consists of: opening the file, every page's text and tables, then the whole."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for every file of a run.

    `reader` names the reading function as "module:function". `page_seconds` are CPU seconds that
    opening the file, and each stage of each page, may take; `memory_bytes` is the address space
    that a file may take on top of what its worker uses already. None lifts a limit.
    """

    tables: str = "auto"
    reader: str = DEFAULT_READER
    max_bytes: int = 1 << 30
    page_seconds: float | None = 60.0
    memory_bytes: int | None = 4096 * MIB


@dataclass(frozen=True, slots=True)
class Faults:
    """Pages, from 0, that earlier attempts died on, and why; see reading.document.PageLimits."""

    failed: dict[int, str] = field(default_factory=dict)
    without_tables: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Assignment:
    """One attempt at one file, as it is sent to a child."""

    path: str
    rules: Rules
    faults: Faults
    places: str = ""
    slot: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of an attempt: a pickled sealed artifact, or a refusal's code and message.
    `cause` is the short form of the message, without anything that differs between two runs."""

    artifact: bytes = b""
    code: str = ""
    message: str = ""
    cause: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where an attempt is: page from 0, −1 outside of pages. `started` is on the system-wide
    monotonic clock, in seconds; `pid` is 0 until a child has taken the file up."""

    pid: int = 0
    started: float = 0.0
    page: int = -1
    stage: str = "open"


class Places:
    """Fixed-size slots in one file, each written by one child at a time and read by the parent."""

    _FORM = struct.Struct("<qdiI")

    def __init__(self, path: str, slots: int | None = None) -> None:
        flags = os.O_RDWR if slots is None else os.O_RDWR | os.O_CREAT
        self._descriptor = os.open(path, flags, 0o600)
        for slot in range(slots or 0):
            self.write(slot, Place())

    def write(self, slot: int, place: Place) -> None:
        packed = self._FORM.pack(place.pid, place.started, place.page, STAGES.index(place.stage))
        os.pwrite(self._descriptor, packed, slot * self._FORM.size)

    def read(self, slot: int) -> Place:
        packed = os.pread(self._descriptor, self._FORM.size, slot * self._FORM.size)
        pid, started, page, stage = self._FORM.unpack(packed)
        return Place(pid, started, page, STAGES[stage])

    def close(self) -> None:
        os.close(self._descriptor)


_places: dict[str, Places] = {}
"""Open in this child, by path: a worker serves one run and so keeps one."""


def start_worker(reader: str) -> None:
    """Prepares a new child: whatever it does it can be stopped at once, and its first file does
    not wait for the engine to load."""
    # The pool's own SIGTERM handler runs between Python instructions, so never in a native loop.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    try:
        _load(reader)
    except ImportError:
        # A child that dies here is started again for ever; the first file says what is missing.
        return


def work(assignment: Assignment) -> Reply:
    """One attempt under the limits of its rules. Never raises for a document."""
    places = _places.get(assignment.places)
    if places is None:
        places = _places[assignment.places] = Places(assignment.places)
    pid, started, seconds = os.getpid(), time.monotonic(), assignment.rules.page_seconds

    def mark(page: int, stage: str) -> None:
        places.write(assignment.slot, Place(pid, started, page, stage))
        # The default action of SIGPROF ends the process even inside native code. SIGALRM is taken:
        # the table finder's soft limit counts real time.
        limited = seconds if seconds and stage != "document" else 0.0
        signal.setitimer(signal.ITIMER_PROF, limited)

    try:
        with memory_limit(assignment.rules.memory_bytes):
            return read_file(assignment, mark)
    finally:
        # A child that died while it sends its answer would leave the pool's pipe unusable.
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def read_file(assignment: Assignment, mark: Progress) -> Reply:
    """The attempt itself, without limits. `mark` is called before every page and stage."""
    started = time.monotonic()
    artifact, refused, cause = b"", None, ""
    try:
        mark(-1, "open")
        artifact = _read(assignment, mark)
    except Refusal as error:
        refused, cause = error, "it took more memory than allowed"
    except MemoryError:
        cause = "it took more memory than allowed"
        refused = OutOfMemory("reading the file took more memory than allowed")
    except Exception as error:  # noqa: BLE001 the boundary between a document and its run
        cause = f"the reader failed on it: {type(error).__name__}"
        refused = WorkerCrashed(f"the reader failed: {_described(error)}")
    seconds = time.monotonic() - started
    if refused is None:
        return Reply(artifact, seconds=seconds)
    return Reply(code=refused.code, message=refused.message, cause=cause, seconds=seconds)


def _read(assignment: Assignment, mark: Progress) -> bytes:
    data = read_bytes(assignment.path, assignment.rules.max_bytes)
    read = _load(assignment.rules.reader)

    from ingest.reading.document import PageLimits, ReadOptions

    options = ReadOptions(tables=assignment.rules.tables)
    limits = PageLimits(assignment.faults.failed, assignment.faults.without_tables)
    artifact = read(data, options, limits, mark)
    return pickle.dumps(artifact, pickle.HIGHEST_PROTOCOL)


def _load(reader: str) -> Callable[..., Any]:
    module, _, name = reader.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def read_bytes(path: str, max_bytes: int) -> bytes:
    """A file's bytes. Raises FileMissing, TooLarge or Damaged."""
    try:
        with Path(path).open("rb") as file:
            # Asking for more than there is would allocate all of it first.
            size = os.fstat(file.fileno()).st_size
            data = file.read(min(size, max_bytes) + 1)
    except OSError as error:
        raise unreadable(error) from error
    if len(data) > max_bytes:
        raise too_large(max_bytes)
    return data


def too_large(max_bytes: int) -> Refusal:
    return refusal("too_large", f"the file is larger than {max_bytes} bytes")


_NOT_THERE = {
    errno.ENOENT,
    errno.ENOTDIR,
    errno.ELOOP,
    errno.EACCES,
    errno.EPERM,
    errno.ENAMETOOLONG,
}


def unreadable(error: OSError) -> Refusal:
    """The refusal for a file that the system does not hand over."""
    code = "file_not_found" if error.errno in _NOT_THERE else "damaged"
    return refusal(code, f"the file cannot be read: {error.strerror or error}")


def _described(error: Exception) -> str:
    """Type, message and innermost line: what a report about the reader needs."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})" if trace else ""
    return f"{type(error).__name__}: {str(error)[:200]}{where}"


@contextmanager
def memory_limit(extra: int | None) -> Iterator[None]:
    """Inside, the process may take `extra` more bytes of address space than it has now: what an
    earlier file left behind must not count against the next one."""
    if not extra:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + extra
    known = [value for value in (soft, hard, wanted) if value != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0  # systems without /proc count the limit from nothing
    return pages * resource.getpagesize()
