"""The audit log: events that are only ever added, each chained to the one before by its hash.

An event's record is canonical JSON, `{"event", "envelope"}`: what happened, and when and how fast.
It holds hashes, codes and counts. What names somebody, and texts where they are kept, are details:
the envelope has their hashes, made with a salt that lies in the detail, so that nobody can guess
from the log what they said. Texts can be taken out without breaking the chain.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from grounding.canonical import canonical_bytes
from grounding.errors import (
    AuditEventNotFoundError,
    AuditUnavailableError,
    PagewitnessError,
    StoreDamagedError,
)
from grounding.store.audit_schema import GENESIS

if TYPE_CHECKING:
    from grounding.store.reader import StoreReader
    from grounding.store.writer import StoreWriter

DetailKind = Literal["names", "text"]
REMOVAL_TYPE = "pagewitness.audit_removal.v1"
"""The artifact type of an event that says which texts were taken out."""
REMOVAL_VERSION = "1.0.0"
VERIFY = "`pagewitness audit verify` says what is broken"
_FIRST = -(2**63)
_BATCH = 500
_COLUMNS = (
    "SELECT e.seq, typeof(e.prev_hash) = 'text' AND typeof(e.record) = 'text' AND"
    " typeof(e.hash) = 'text', CAST(e.prev_hash AS BLOB), CAST(e.record AS BLOB),"
    " CAST(e.hash AS BLOB), CAST(n.detail AS BLOB), CAST(t.detail AS BLOB)"
    " FROM audit_events AS e"
    " LEFT JOIN audit_details AS n ON n.seq = e.seq AND n.kind = 'names'"
    " LEFT JOIN audit_details AS t ON t.seq = e.seq AND t.kind = 'text'"
)
"""As bytes: a row whose text was damaged has to be read before it can be told of."""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An event as it stands in the log. `record`, `names` and `text` are canonical JSON; `sound` is
    false where a value is none of its kind."""

    seq: int
    prev_hash: str
    record: str
    hash: str
    names: str | None = None
    text: str | None = None
    sound: bool = True

    def value(self) -> dict[str, Any]:
        """`{"event", "envelope"}`. Raises StoreDamagedError where the record is none."""
        try:
            value = json.loads(self.record)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or not all(
            isinstance(value.get(part), dict) for part in ("event", "envelope")
        ):
            raise StoreDamagedError(
                f"event {self.seq} of the audit log cannot be read", remedy=VERIFY
            )
        return value

    @property
    def event(self) -> dict[str, Any]:
        """What happened. Raises StoreDamagedError."""
        event: dict[str, Any] = self.value()["event"]
        return event

    def at(self) -> datetime:
        """When the event was added, in UTC. Raises StoreDamagedError."""
        try:
            at = datetime.fromisoformat(self.value()["envelope"]["at"])
            return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise StoreDamagedError(
                f"event {self.seq} of the audit log has no time", remedy=VERIFY
            ) from error

    def details(self) -> dict[str, dict[str, Any]]:
        """The details that are there. Raises StoreDamagedError."""
        kept = (("names", self.names), ("text", self.text))
        try:
            return {kind: json.loads(detail) for kind, detail in kept if detail is not None}
        except (ValueError, RecursionError) as error:
            raise StoreDamagedError(
                f"what is kept beside event {self.seq} of the audit log cannot be read",
                remedy=VERIFY,
            ) from error


def chained(prev_hash: str, record: str) -> str:
    """The hash of an event: SHA-256 of the hash before it (64 hex digits) and of its record."""
    return sha256_of(prev_hash + record)


def sha256_of(text: str) -> str:
    """Lower-case hex SHA-256 of a text, also of one that was damaged."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def append(
    writer: StoreWriter,
    event: Mapping[str, Any],
    envelope: Mapping[str, Any] | None = None,
    *,
    names: Mapping[str, Any] | None = None,
    text: Mapping[str, Any] | None = None,
) -> AuditRow:
    """Adds an event at the end of the chain, in one transaction; when this returns outside of
    another transaction, the event is on the disk and not only in a cache of the system.

    `envelope` is what surrounds the event, such as timings; the time is put to it. `names` and
    `text` are kept beside the record, which gets their hashes.

    Raises AuditUnavailableError: nothing was added.
    """
    connection = writer.connection
    own = not connection.in_transaction
    try:
        if own:
            connection.execute("PRAGMA synchronous = FULL")
        try:
            with writer.together():
                return _append(connection, event, envelope or {}, {"names": names, "text": text})
        finally:
            if own:
                connection.execute("PRAGMA synchronous = NORMAL")
    except (PagewitnessError, sqlite3.Error, OSError) as error:
        raise AuditUnavailableError(f"the event is not in the audit log: {error}") from error


def _append(
    connection: sqlite3.Connection,
    event: Mapping[str, Any],
    envelope: Mapping[str, Any],
    details: Mapping[DetailKind, Mapping[str, Any] | None],
) -> AuditRow:
    kept = {kind: _salted(detail) for kind, detail in details.items() if detail is not None}
    around = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **envelope}
    around |= {f"{kind}_sha256": sha256_of(detail) for kind, detail in kept.items()}
    record = canonical_bytes({"event": event, "envelope": around}).decode("utf-8")
    last = connection.execute(
        "SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    seq, before = (last[0] + 1, last[1]) if last else (1, GENESIS)
    row = AuditRow(
        seq, before, record, chained(before, record), kept.get("names"), kept.get("text")
    )
    connection.execute(
        "INSERT INTO audit_events (seq, prev_hash, record, hash) VALUES (?, ?, ?, ?)",
        (row.seq, row.prev_hash, row.record, row.hash),
    )
    connection.executemany(
        "INSERT INTO audit_details (seq, kind, detail) VALUES (?, ?, ?)",
        [(seq, kind, detail) for kind, detail in kept.items()],
    )
    return row


def _salted(detail: Mapping[str, Any]) -> str:
    return canonical_bytes({**detail, "salt": secrets.token_hex(16)}).decode("utf-8")


def audit_rows(reader: StoreReader) -> Iterator[AuditRow]:
    """All events, oldest first; a few hundred are in memory. Read them inside `snapshot()`."""
    sql = f"{_COLUMNS} WHERE e.seq {{}} ? ORDER BY e.seq LIMIT {_BATCH}"
    rows = reader.rows(sql.format(">="), _FIRST)
    while rows:
        for row in rows:
            yield _row(*row)
        rows = reader.rows(sql.format(">"), rows[-1][0])


def audit_row(reader: StoreReader, seq: int) -> AuditRow:
    """One event. Raises AuditEventNotFoundError."""
    found = reader.rows(f"{_COLUMNS} WHERE e.seq = ?", seq)
    if not found:
        raise AuditEventNotFoundError(f"the audit log has no event {seq}")
    return _row(*found[0])


def audited_between(
    rows: Iterable[AuditRow], since: datetime | None, until: datetime | None
) -> Iterator[AuditRow]:
    """Events that were added from `since` on and before `until`. Raises StoreDamagedError."""
    for row in rows:
        at = row.at()
        if (since is None or since <= at) and (until is None or at < until):
            yield row


def first_orphan(reader: StoreReader) -> int | None:
    """The number of the first event that is gone while its details are there; 0 where details are
    of what can be no event, None where every detail has its event."""
    ((seq, others),) = reader.rows(
        "SELECT min(CASE WHEN typeof(seq) = 'integer' AND seq > 0 AND known THEN seq END), count(*)"
        " FROM (SELECT seq, kind IN ('names', 'text') AS known FROM audit_details)"
        " WHERE NOT known OR seq NOT IN (SELECT seq FROM audit_events)"
    )
    return int(seq or 0) if others else None


def _row(seq: int, sound: object, *values: bytes | None) -> AuditRow:
    before, record, digest, names, text = (
        None if value is None else bytes(value).decode("utf-8", "surrogateescape")
        for value in values
    )
    return AuditRow(seq, before or "", record or "", digest or "", names, text, bool(sound))


def _cites(detail: bytes, names: frozenset[str]) -> bool:
    """Whether a text is of an answer that cites by one of these names."""
    try:
        cited = json.loads(detail)["documents"]
        return any(_is_called(one, names) for one in cited)
    except (ValueError, TypeError, LookupError, RecursionError):
        return False  # it was changed, or is from before citations were kept with it


def _is_called(cited: object, names: frozenset[str]) -> bool:
    if not isinstance(cited, str):
        return False
    begins = cited.startswith(("sha256:", "blake3:"))
    return cited in names or (begins and any(name.startswith(cited) for name in names))


def remove_texts(
    writer: StoreWriter, document_fingerprints: Iterable[str], cited_as: Iterable[str] = ()
) -> int:
    """Takes the texts of events out that name one of the documents, or that cite by one of the
    names `cited_as` (a fingerprint also by its beginning), and adds an event that says of which
    documents; how many there were. Belongs into a transaction. Raises AuditUnavailableError."""
    documents = sorted(set(document_fingerprints))
    found: set[int] = set()
    for document in documents:
        found.update(
            seq
            for (seq,) in writer.connection.execute(
                "SELECT d.seq FROM audit_details AS d JOIN audit_events AS e ON e.seq = d.seq"
                " WHERE d.kind = 'text' AND instr(e.record, ?)",
                (document,),
            )
        )
    names = frozenset(cited_as)
    if names:
        texts = writer.connection.execute(
            "SELECT seq, CAST(detail AS BLOB) FROM audit_details WHERE kind = 'text'"
        )
        found.update(seq for seq, detail in texts if _cites(detail, names))
    if not found:
        return 0
    removed = sorted(found)
    writer.connection.executemany(
        "DELETE FROM audit_details WHERE seq = ? AND kind = 'text'", [(seq,) for seq in removed]
    )
    append(
        writer,
        {
            "artifact_type": REMOVAL_TYPE,
            "schema_version": REMOVAL_VERSION,
            "document_fingerprints": documents,
            "removed": removed,
        },
    )
    return len(removed)
