"""Opening the store: who may write, how long to wait, and what is refused."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from grounding.errors import (
    NotAStoreError,
    OutputError,
    StoreBusyError,
    StoreDamagedError,
    StoreNotFoundError,
    StoreVersionError,
)
from grounding.store.holder import HolderNote, holder
from grounding.store.schema import APPLICATION_ID, MIGRATION_NAMES, MIGRATION_SET, migrate

if TYPE_CHECKING:
    from sqlite_utils import Database

WORDS = "CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'elements_fts', 'instance')"
"""Every word of the full-text index with its row, for readers (`temp.words`)."""
BUSY_TIMEOUT_SECONDS = 30.0
"""How long a writer waits for another one. Readers never wait."""


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into this project's, with the store's path."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            who = holder(path) or "another process"
            raise StoreBusyError(
                f"store {path} is being written by {who}; waited {BUSY_TIMEOUT_SECONDS:g} s"
            ) from error
        if "unable to open" in text or "readonly" in text or "disk" in text:
            raise OutputError(f"store {path} cannot be used: {text}") from error
        raise StoreDamagedError(f"store {path}: {text}") from error
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise NotAStoreError(f"{path} is no SQLite file") from error
        raise StoreDamagedError(f"store {path}: {error}") from error


class OpenStore:
    """A store that is open; as a context manager it closes its connection at the end."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()


class _Writing(sqlite3.Connection):
    """A connection whose transactions say whose they are."""

    note: HolderNote

    def close(self) -> None:
        """Closes the connection, then the note."""
        super().close()
        self.note.close()


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. Raises StoreError when there is no usable store."""
    if not path.is_file():
        raise StoreNotFoundError(f"there is no store at {path}")
    _bring_up(path)
    with store_errors(path):
        connection = _connected(path)
        try:
            _check_is_store(connection, path)
            connection.execute(WORDS)  # a view of the index; nothing is stored
            connection.execute("PRAGMA query_only = ON")
        except BaseException:
            connection.close()
            raise
    return connection


def _bring_up(path: Path) -> None:
    """Brings a store that an older version wrote to this version's tables, as whoever writes to it
    does. Raises StoreVersionError where it cannot be written."""
    with store_errors(path):
        connection = _connected(path)
        try:
            if not _is_older(connection):
                return
        finally:
            connection.close()
    try:
        connect_writer(path).conn.close()
    except (OutputError, StoreDamagedError) as error:
        raise StoreVersionError(
            f"store {path} was written by an older version, and cannot be brought up to date:"
            f" {error.message}",
            remedy="copy it to where it can be written",
        ) from error


def _is_older(connection: sqlite3.Connection) -> bool:
    """Whether a store lacks tables of this version; what is no store is told elsewhere."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        return False
    applied = connection.execute(
        "SELECT count(*) FROM _sqlite_migrations WHERE migration_set = ?", (MIGRATION_SET,)
    )
    return bool(applied.fetchone()[0] < len(MIGRATION_NAMES))


def _connected(path: Path) -> sqlite3.Connection:
    """A connection for reading. Where nothing can be written (a read-only medium, a full disk)
    nobody else can write either, and the file is read as it is."""
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if "unable to open" not in str(error) and "readonly" not in str(error):
            raise
        name = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
        return sqlite3.connect(name, uri=True, isolation_level=None)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_writer(path: Path) -> Database:
    """The store opened for writing, created and migrated as needed. Raises StoreError."""
    from sqlite_utils import Database

    if path.is_dir():
        raise OutputError(f"store {path} is a folder")
    if not path.parent.is_dir():
        raise OutputError(f"the folder of store {path} does not exist")
    with store_errors(path):
        connection = sqlite3.connect(
            path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, factory=_Writing
        )
        connection.note = HolderNote(path)
        try:
            if not _is_blank(connection):
                _check_is_store(connection, path)
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            database = Database(connection)
            _migrate_once(database)
        except BaseException:
            connection.close()
            raise
    return database


def _write_ahead(connection: sqlite3.Connection) -> None:
    # SQLite waits for locks, but not for the one that turns a new file over to write-ahead logging.
    deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _migrate_once(database: Database) -> None:
    # Two first runs may meet here: whoever comes second waits, and then finds nothing to do.
    with transaction(database.conn):
        migrate(database)
        database.conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever put into the database: the file is new, or another first run has
    opened it and not yet made its tables."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(application_id == 0 and tables == 0)


def _check_is_store(connection: sqlite3.Connection, path: Path) -> None:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        raise NotAStoreError(f"{path} is not a pagewitness store")
    applied = connection.execute(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = ?", (MIGRATION_SET,)
    )
    unknown = sorted({name for (name,) in applied} - set(MIGRATION_NAMES))
    if unknown:
        raise StoreVersionError(f"store {path} was written by a newer version ({unknown[0]})")


def shown(connection: sqlite3.Connection) -> AbstractContextManager[None]:
    """Says who writes while the block runs, to those who wait."""
    return connection.note.shown() if isinstance(connection, _Writing) else nullcontext()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing. The write lock is taken first: a deferred transaction that reads and then
    writes fails at once when another writer committed in between."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        with shown(connection):
            yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    try:
        connection.execute("COMMIT")
    except BaseException:  # a full disk: what follows must not believe that it is in a transaction
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
