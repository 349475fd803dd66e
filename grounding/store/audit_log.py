"""The audit log: events that are only ever added, each chained to the one before by its hash.

`hash` is the SHA-256 of the hash before (64 hex digits) followed by the record's bytes (canonical
JSON); the first event stands on GENESIS. Whoever knows the last hash knows that nothing before it
was changed, left out, put in or moved.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grounding.canonical import canonical_bytes
from grounding.errors import (
    AuditInvalidError,
    AuditUnavailableError,
    NotCanonicalError,
    PagewitnessError,
)
from grounding.json_input import load_json

if TYPE_CHECKING:
    from grounding.store.reader import StoreReader
    from grounding.store.writer import StoreWriter

GENESIS = "0" * 64
_KEYS = {"seq", "prev_hash", "hash", "record"}


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An event as it stands in the log; `record` is canonical JSON."""

    seq: int
    prev_hash: str
    record: str
    hash: str

    @property
    def value(self) -> dict[str, Any]:
        """`{"event", "envelope"}`."""
        value: dict[str, Any] = json.loads(self.record)
        return value

    def line(self) -> str:
        """The event as a line of an export."""
        return json.dumps(
            {
                "seq": self.seq,
                "prev_hash": self.prev_hash,
                "hash": self.hash,
                "record": self.record,
            },
            ensure_ascii=False,
            sort_keys=True,
        )


@dataclass(frozen=True, slots=True)
class Chain:
    """What a look at the log found: how many events follow each other from the first on, the hash
    of the last of these, and the first place that is broken, with why."""

    events: int
    head: str
    broken: int | None = None
    why: str = ""

    @property
    def whole(self) -> bool:
        return self.broken is None


def chained(prev_hash: str, record: str) -> str:
    """The hash of an event."""
    return hashlib.sha256(prev_hash.encode("ascii") + record.encode("utf-8")).hexdigest()


def append(writer: StoreWriter, event: Mapping[str, Any], envelope: Mapping[str, Any]) -> AuditRow:
    """Adds an event in a transaction of its own. Raises AuditUnavailableError."""
    try:
        record = canonical_bytes({"event": event, "envelope": envelope}).decode("utf-8")
        with writer.together():
            last = writer.connection.execute(
                "SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1"
            ).fetchone()
            seq, before = (last[0] + 1, last[1]) if last else (1, GENESIS)
            row = AuditRow(seq, before, record, chained(before, record))
            writer.connection.execute(
                "INSERT INTO audit_events (seq, prev_hash, record, hash) VALUES (?, ?, ?, ?)",
                (row.seq, row.prev_hash, row.record, row.hash),
            )
    except (PagewitnessError, sqlite3.Error, OSError, NotCanonicalError) as error:
        raise AuditUnavailableError(f"the decision is not recorded: {error}") from error
    return row


def rows(reader: StoreReader) -> Iterator[AuditRow]:
    """All events, oldest first."""
    for row in reader.rows("SELECT seq, prev_hash, record, hash FROM audit_events ORDER BY seq"):
        yield AuditRow(*row)


def lines(data: bytes) -> Iterator[AuditRow]:
    """The events of an export. Raises AuditInvalidError for what is none."""
    for number, line in enumerate(data.splitlines(), 1):
        value = load_json(line, refusal=AuditInvalidError)
        if not isinstance(value, dict) or set(value) != _KEYS:
            raise AuditInvalidError(f"line {number}: is no audit event")
        row = AuditRow(value["seq"], value["prev_hash"], value["record"], value["hash"])
        texts = (row.prev_hash, row.record, row.hash)
        if type(row.seq) is not int or not all(isinstance(text, str) for text in texts):
            raise AuditInvalidError(f"line {number}: is no audit event")
        yield row


def verify_chain(
    events: Iterable[AuditRow], *, head: str | None = None, count: int | None = None
) -> Chain:
    """Whether events follow each other without a gap from the first on, and where not. `head` and
    `count` are what somebody wrote down of the log's end: without them nobody can tell whether the
    last events were cut off."""
    before, number, seen = GENESIS, 0, {GENESIS}
    for row in events:
        number += 1
        why = _fault(row, number, before)
        if why:
            return Chain(number - 1, before, number, why)
        before = row.hash
        seen.add(before)
    if head is not None and head not in seen:
        return Chain(number, before, number + 1, f"the hash {head[:12]}… is in no event of the log")
    if count is not None and number < count:
        return Chain(
            number, before, number + 1, f"there were {count} events, and there are {number}"
        )
    return Chain(number, before)


def _fault(row: AuditRow, number: int, before: str) -> str:
    if row.seq != number:
        return f"the number is {row.seq} and not {number}"
    if row.prev_hash != before:
        return "it does not stand on the event before it"
    try:
        canonical = canonical_bytes(json.loads(row.record)).decode("utf-8")
    except (ValueError, NotCanonicalError):
        return "its record is no canonical JSON"
    if canonical != row.record:
        return "its record is no canonical JSON"
    if row.hash != chained(before, row.record):
        return "its hash is not that of its record"
    return ""
