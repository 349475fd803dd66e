"""Giving free space back: what was removed is in the file until then."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from grounding.store import connection as waiting
from grounding.store.connection import shown, store_errors
from grounding.store.writer import StoreWriter

_PAUSE = 0.05
"""Seconds between two looks at whether the readers of older states have ended."""


@dataclass(frozen=True, slots=True)
class Vacuumed:
    """Sizes of the store with its log, in bytes. `complete` is false when a reader kept an older
    state of the store: what was removed is then still in the file."""

    bytes_before: int
    bytes_after: int
    complete: bool

    def as_dict(self) -> dict[str, object]:
        """The shape that `--json` prints."""
        return asdict(self)


def vacuum(path: Path) -> Vacuumed:
    """Merges the full-text index, writes the store anew without free space, and empties its log.

    Waits BUSY_TIMEOUT_SECONDS for another writer, and as long for readers of older states. Raises
    StoreError, StoreBusyError among them.
    """
    with StoreWriter(path) as writer:
        before = stored_bytes(path)
        connection = writer.connection
        with writer.together():
            # Words that were taken out are in the index until its parts are merged.
            connection.execute("INSERT INTO elements_fts (elements_fts) VALUES ('optimize')")
        with store_errors(path):
            connection.execute("PRAGMA secure_delete = ON")
            with shown(connection):
                connection.execute("VACUUM")
            complete = _log_emptied(connection)
        return Vacuumed(before, stored_bytes(path), complete)


def stored_bytes(path: Path) -> int:
    """Bytes of a store and of its log."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _log_emptied(connection: sqlite3.Connection) -> bool:
    """Whether everything is in the file itself and the log is empty."""
    deadline = time.monotonic() + waiting.BUSY_TIMEOUT_SECONDS
    connection.execute("PRAGMA busy_timeout = 0")  # SQLite would hold up writers while it waits
    while True:
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE)
