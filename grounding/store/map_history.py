"""What was done to the source map: rows that are added in the transaction of the change, and that
nothing rewrites."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from grounding.canonical import canonical_bytes
from grounding.store.access import VISIBLE
from grounding.store.source_entry import SourceEntry, changed

if TYPE_CHECKING:
    from grounding.store.reader import StoreReader

_GUARDS = tuple(
    f"CREATE TEMP TRIGGER IF NOT EXISTS source_map_history_no_{event.lower()}"
    f" BEFORE {event} ON main.source_map_history"
    " BEGIN SELECT RAISE(ABORT, 'source_map_history is only added to'); END"
    for event in ("UPDATE", "DELETE")
)
_SEEN = (
    "NOT EXISTS (SELECT 1 FROM json_each(h.change, '$.tenants') AS t"
    " WHERE NOT source_visible(t.value)) AND EXISTS (SELECT 1 FROM sources AS s"
    f" WHERE s.source_id = h.source_id AND {VISIBLE})"
)
"""Whether the caller could see the source before and after a change, and sees it now; of
`source_map_history AS h`."""


@dataclass(frozen=True, slots=True)
class MapChange:
    """One change of one source. `version` is the state of the map that it made, counted over the
    changes that the caller may see; `at` is UTC; `changed` has `{"from", "to"}` by field."""

    version: int
    at: str
    source_id: str
    changed: dict[str, dict[str, Any]]
    declared: bool
    """Whether the source came into the store by this change, and not by an ingestion."""

    def as_dict(self) -> dict[str, Any]:
        """The change as `source history --json` prints it."""
        return {
            "version": self.version,
            "at": self.at,
            "source_id": self.source_id,
            "declared": self.declared,
            "changed": self.changed,
        }


def guard(connection: sqlite3.Connection) -> None:
    """Makes a connection refuse to change or delete what stands in the history."""
    for trigger in _GUARDS:
        connection.execute(trigger)


def append(
    connection: sqlite3.Connection, before: SourceEntry, after: SourceEntry, *, declared: bool
) -> None:
    """Adds a change to the history, inside the transaction that makes it."""
    change = {
        "changed": changed(before, after),
        "declared": declared,
        "tenants": sorted({before.tenant, after.tenant}),
    }
    connection.execute(
        "INSERT INTO source_map_history (version, at, source_id, change)"
        " SELECT coalesce(max(version), 0) + 1, ?, ?, ? FROM source_map_history",
        (
            datetime.now(UTC).isoformat(timespec="seconds"),
            after.id,
            canonical_bytes(change).decode("utf-8"),
        ),
    )


def map_version(reader: StoreReader) -> int:
    """How many changes were made to the sources that the caller sees, and could see then; 0 when
    there were none. It falls when a source passes to another tenant: nothing of that one's sources
    counts. The hash beside it (see map_identity) tells states of one number apart."""
    ((count,),) = reader.rows(f"SELECT count(*) FROM source_map_history AS h WHERE {_SEEN}")
    return int(count)


def history(reader: StoreReader, source_id: str | None = None) -> Iterator[MapChange]:
    """The changes of one source or of all, oldest first; those of sources that the caller sees."""
    rows = reader.rows(
        f"SELECT h.at, h.source_id, h.change FROM source_map_history AS h WHERE {_SEEN}"
        " ORDER BY h.version"
    )
    for version, (at, id_, text) in enumerate(rows, 1):
        if source_id in (None, id_):
            change = json.loads(text)
            yield MapChange(version, at, id_, change["changed"], change["declared"])
