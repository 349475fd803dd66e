"""The source map of a store: what it says, how it is changed, and its identity.

The application owns the map. A document is found through it and through nothing else: an id that is
not in it opens no file and no address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypedDict

from grounding.canonical import canonical_bytes
from grounding.errors import DocumentNotFoundError, PagewitnessError
from grounding.store.access import VISIBLE
from grounding.store.map_file import entries_of
from grounding.store.map_history import append, history, map_version
from grounding.store.reader import StoreReader
from grounding.store.source_entry import SourceEntry
from grounding.store.writer import StoreWriter, check_source_id

_COLUMNS = "source_id, name, status, effective, expires, authority, tenant, permissions"


class MapIdentity(TypedDict):
    """Which state of the map an answer was made under, as far as the asker sees it: the number of
    its changes, and the SHA-256 (64 hex digits) of its canonical form."""

    version: int
    sha256: str


@dataclass(frozen=True, slots=True)
class MappedSource:
    """A source as it stands in the map, with the fingerprints of its document versions by their
    number. One that was only declared has none."""

    entry: SourceEntry
    versions: tuple[tuple[int, str], ...]

    def as_dict(self) -> dict[str, Any]:
        """The canonical form, without times and paths."""
        versions = [
            {"version": number, "document_fingerprint": fingerprint}
            for number, fingerprint in self.versions
        ]
        return {**self.entry.as_dict(), "versions": versions}


def read_map(reader: StoreReader) -> list[MappedSource]:
    """Every source that the caller sees, by id."""
    rows = reader.rows(f"SELECT {_COLUMNS} FROM sources AS s WHERE {VISIBLE} ORDER BY source_id")
    versions: dict[str, list[tuple[int, str]]] = {}
    for source_id, number, fingerprint in reader.rows(
        "SELECT v.source_id, v.version, d.document_fingerprint FROM versions AS v"
        " JOIN sources AS s ON s.source_id = v.source_id"
        f" JOIN documents AS d ON d.id = v.document_id WHERE {VISIBLE} ORDER BY 1, 2"
    ):
        versions.setdefault(source_id, []).append((number, fingerprint))
    return [MappedSource(_entry(row), tuple(versions.get(row[0], ()))) for row in rows]


def map_identity(reader: StoreReader) -> MapIdentity:
    """The state of the map. Its hash covers the sources that somebody said something of: one that
    was only ingested stands under what every source has by itself, so that two stores give the
    same answer whatever else they hold."""
    said = {change.source_id for change in history(reader)}
    form = {"sources": [one.entry.as_dict() for one in read_map(reader) if one.entry.id in said]}
    digest = sha256(canonical_bytes(form, checked=False)).hexdigest()
    return {"version": map_version(reader), "sha256": digest}


def export_map(reader: StoreReader) -> bytes:
    """The map as a JSON file that `import_map` takes."""
    form = {"sources": [source.entry.as_dict() for source in read_map(reader)]}
    text = json.dumps(form, ensure_ascii=False, indent=2, sort_keys=True)
    return f"{text}\n".encode()


def set_source(
    writer: StoreWriter, source_id: str, *, declare: bool = False, **changes: Any
) -> bool:
    """Changes what the map says of a source; whether anything is other than it was. `declare` puts
    a source into the map that the store does not have.

    Raises UsageError, and DocumentNotFoundError for a source that is not there.
    """
    check_source_id(source_id)
    with writer.together():
        before = _stored(writer, source_id)
        missing = before is None
        if before is None:
            if not declare:
                raise DocumentNotFoundError(
                    f"there is no source {source_id!r} in the store",
                    remedy="ingest it under this id, or put it in with --declare",
                )
            before = SourceEntry(source_id, source_id)
        after = before.with_changes(changes)
        if after == before and not missing:
            return False
        _put(writer, after)
        append(writer.connection, before, after, declared=missing)
    return True


def import_map(
    writer: StoreWriter, data: bytes, suffix: str, *, declare: bool = False
) -> list[str]:
    """Changes the map as a TOML or JSON file says: all of it or, when anything in it is wrong,
    nothing. Ids of the sources that are other than they were. What the file does not mention stays.

    Raises UsageError with the place in the file, and DocumentNotFoundError.
    """
    done = []
    with writer.together():
        for at, (source_id, changes) in enumerate(entries_of(data, suffix)):
            if _set_from_file(writer, at, source_id, changes, declare=declare):
                done.append(source_id)
    return done


def _set_from_file(
    writer: StoreWriter, at: int, source_id: str, changes: Mapping[str, Any], *, declare: bool
) -> bool:
    try:
        return set_source(writer, source_id, declare=declare, **changes)
    except PagewitnessError as error:
        error.message = f"sources.{at}: {error.message}"
        raise


def _stored(writer: StoreWriter, source_id: str) -> SourceEntry | None:
    row = writer.connection.execute(
        f"SELECT {_COLUMNS} FROM sources WHERE source_id = ?", (source_id,)
    ).fetchone()
    return _entry(row) if row else None


def _put(writer: StoreWriter, entry: SourceEntry) -> None:
    values = entry.as_dict()
    values["permissions"] = canonical_bytes(values["permissions"]).decode("utf-8")
    writer.connection.execute(
        f"INSERT INTO sources ({_COLUMNS}) VALUES"
        " (:id, :name, :status, :effective, :expires, :authority, :tenant, :permissions)"
        " ON CONFLICT (source_id) DO UPDATE SET name = excluded.name, status = excluded.status,"
        " effective = excluded.effective, expires = excluded.expires,"
        " authority = excluded.authority, tenant = excluded.tenant,"
        " permissions = excluded.permissions",
        values,
    )


def _entry(row: Any) -> SourceEntry:
    id_, name, status, effective, expires, authority, tenant, labels = row
    permissions = tuple(json.loads(labels))
    return SourceEntry(id_, name, status, effective, expires, authority, tenant, permissions)
