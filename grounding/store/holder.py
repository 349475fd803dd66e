"""Who holds a store for writing, for those who wait in vain.

While a transaction writes, a file beside the store says whose it is, under a lock that the
operating system takes back when the process ends, however it ends. A note without its lock is left
over and is not believed; nothing else depends on the file. A note may be missing for a moment while
a transaction is committed.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

SUFFIX = "-writer"
_TRIES, _PAUSE = 5, 0.001
"""Somebody who asks for the holder has the note's lock for a moment; seconds."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that writes to the store, and since when (UTC, ISO 8601)."""

    pid: int
    host: str
    command: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} ({self.command}) since {self.since}"


def note_path(store: Path) -> Path:
    """Where a store's holder is noted."""
    store = store.resolve()  # as SQLite does with what lies beside a store
    return store.with_name(f"{store.name}{SUFFIX}")


class HolderNote:
    """The note of one connection that writes. The file is kept open from the first transaction on:
    making it anew would cost more than a small transaction does."""

    def __init__(self, store: Path) -> None:
        self._path = note_path(store)
        self._handle = -1

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Says who this is while the block runs; to be entered by whoever has the write lock, and
        left before giving it back. Where no note can be made, the work goes on without."""
        locked = self._lock()
        if locked:
            with suppress(OSError):  # a full disk is told of by what is written to the store
                self._write()
        try:
            yield
        finally:
            if locked:
                fcntl.flock(self._handle, fcntl.LOCK_UN)

    def close(self) -> None:
        """Takes the note away, unless somebody else is using it."""
        if self._handle < 0:
            return
        if _try_lock(self._handle, fcntl.LOCK_EX) and self._is_there():
            with suppress(OSError):
                self._path.unlink()
        os.close(self._handle)
        self._handle = -1

    def _lock(self) -> bool:
        """Whether this connection has the note's lock now."""
        for _ in range(_TRIES):
            if self._handle < 0 and not self._open():
                return False
            if not _try_lock(self._handle, fcntl.LOCK_EX):
                time.sleep(_PAUSE)
            elif self._is_there():
                return True
            else:  # another writer took the file away when it ended
                os.close(self._handle)
                self._handle = -1
        return False

    def _open(self) -> bool:
        with suppress(OSError):
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        return self._handle >= 0

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._handle), os.stat(self._path))
        except OSError:
            return False

    def _write(self) -> None:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        who = Holder(os.getpid(), socket.gethostname(), _command(), since)
        text = json.dumps(asdict(who)).encode()
        os.pwrite(self._handle, text, 0)
        os.ftruncate(self._handle, len(text))


def holder(store: Path) -> Holder | None:
    """Who writes to the store now; None when nobody does, or nobody that says so."""
    try:
        handle = os.open(note_path(store), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if _try_lock(handle, fcntl.LOCK_SH):
            return None  # its writer is gone
        who = Holder(**json.loads(os.pread(handle, 4096, 0)))
        return who if _is_alive(who) else None  # a child of its may have kept the lock
    except (ValueError, TypeError, OSError):
        return None
    finally:
        os.close(handle)


def _try_lock(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_alive(who: Holder) -> bool:
    """Whether its process is there; what another host's is doing cannot be told from here."""
    if who.host != socket.gethostname():
        return True
    try:
        os.kill(who.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _command() -> str:
    """The program and its subcommand. Other arguments may hold what is nobody's business."""
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    if program.startswith("-"):
        program = "python"
    if program == "__main__.py":
        program = Path(sys.argv[0]).parent.name
    words = [word for word in sys.argv[1:2] if program == "pagewitness" and word.isalpha()]
    return " ".join([program, *words])
