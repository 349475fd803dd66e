"""Where files were last seen: what a refresh compares with, and what it notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grounding.store.reader import StoreReader
from grounding.store.writer import UNNAMED, StoreWriter


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file at its last ingestion or refresh. `size` and `mtime_ns` are −1 where they were not
    noted, or where the file had been written so shortly before that its time says nothing."""

    path: str
    name: str
    source_id: str
    source_fingerprint: str
    blake3: str
    size: int
    mtime_ns: int
    missing: bool


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file as it is now."""

    path: str
    size: int
    mtime_ns: int


def known_files(reader: StoreReader) -> dict[str, KnownFile]:
    """Every location of the store by its path."""
    rows = reader.rows(
        "SELECT l.path, l.name, l.source_id, l.source_fingerprint, coalesce("
        " (SELECT blake3 FROM documents WHERE source_fingerprint = l.source_fingerprint LIMIT 1),"
        " (SELECT blake3 FROM content_aliases WHERE source_fingerprint = l.source_fingerprint"
        " LIMIT 1), ''), l.size, l.mtime_ns, l.missing FROM locations AS l ORDER BY l.path"
    )
    return {
        path: KnownFile(path, name, source, sha256, blake3, size, mtime_ns, bool(missing))
        for path, name, source, sha256, blake3, size, mtime_ns, missing in rows
    }


def page_fingerprints(reader: StoreReader, document_fingerprint: str) -> list[str]:
    """Fingerprints of a document's pages in order."""
    rows = reader.rows(
        "SELECT p.fingerprint FROM pages AS p JOIN documents AS d ON d.id = p.document_id"
        " WHERE d.document_fingerprint = ? ORDER BY p.number",
        document_fingerprint,
    )
    return [fingerprint for (fingerprint,) in rows]


def note_seen(writer: StoreWriter, files: Iterable[SeenFile]) -> None:
    """Notes the size and time of files that are where the store knows them."""
    with writer.together():
        writer.connection.executemany(
            "UPDATE locations SET size = ?, mtime_ns = ?, missing = 0 WHERE path = ?",
            [(file.size, file.mtime_ns, file.path) for file in files],
        )


def note_missing(writer: StoreWriter, paths: Iterable[str]) -> None:
    """Notes that files are gone. Their documents stay."""
    with writer.together():
        writer.connection.executemany(
            "UPDATE locations SET missing = 1 WHERE path = ?", [(path,) for path in paths]
        )


def note_renamed(writer: StoreWriter, old: str, new: SeenFile, name: str) -> None:
    """Notes that the file of one path is now at another one, under its source."""
    with writer.together():
        writer.connection.execute("DELETE FROM locations WHERE path = ?", (new.path,))
        writer.connection.execute(
            "UPDATE locations SET path = ?, name = ?, size = ?, mtime_ns = ?, missing = 0"
            " WHERE path = ?",
            (new.path, name, new.size, new.mtime_ns, old),
        )
        writer.connection.execute(
            "UPDATE sources SET name = ? WHERE source_id ="
            f" (SELECT source_id FROM locations WHERE path = ?) AND {UNNAMED}",
            (name, new.path),
        )
