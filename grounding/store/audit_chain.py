"""Proving the audit log: that events follow each other from the first on, and where not.

The first broken place is told by its number. What was cut off the end leaves no trace in what
remains, so whoever wants to know has to have noted the number and the hash of a last event.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from grounding.canonical import canonical_bytes
from grounding.errors import AuditInvalidError, NotCanonicalError, StoreDamagedError
from grounding.json_input import load_json
from grounding.store.audit_log import (
    REMOVAL_TYPE,
    VERIFY,
    AuditRow,
    audit_rows,
    chained,
    first_orphan,
    sha256_of,
)
from grounding.store.audit_schema import GENESIS
from grounding.store.reader import StoreReader

BREAKS: dict[str, str] = {
    "row_malformed": "A value of the event is none of its kind, or its line cannot be read.",
    "sequence_broken": "The number is not the next one: events were taken out, put in or moved.",
    "genesis_mismatch": "The first event does not stand on the declared genesis.",
    "link_broken": "The event does not stand on the hash of the one before.",
    "hash_mismatch": "The hash of the event is not that of its record.",
    "record_not_canonical": "The record is not written in the one way in which it can be.",
    "detail_mismatch": "The names or the text kept beside the event are not those of its hash.",
    "detail_missing": "Names or a text are gone, and no event says that they were taken out.",
    "event_missing": "The event is gone, and what was kept beside it is there.",
    "count_mismatch": "There are fewer events than there were.",
    "head_mismatch": "The hash that was noted is not that of the event that had it.",
}
"""What can be wrong at the first broken place."""

_KEYS = {"seq", "prev_hash", "hash", "record"}
_DETAILS = ("names", "text")


@dataclass(frozen=True, slots=True)
class Break:
    """The first broken place: the number that the event there has to have, a code of BREAKS, and
    what is wrong with it."""

    seq: int
    code: str
    detail: str

    def as_dict(self) -> dict[str, Any]:
        """The shape that `--json` prints."""
        return {"seq": self.seq, "code": self.code, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Chain:
    """What was proven: how many events follow each other from the first on, the hash of the last of
    these (the genesis where there is none), how many texts were taken out, and what is broken
    first."""

    events: int
    head: str
    texts_removed: int = 0
    broken: Break | None = None

    def as_dict(self) -> dict[str, Any]:
        """The shape that `audit verify --json` prints."""
        return {
            "whole": self.broken is None,
            "events": self.events,
            "head": self.head,
            "texts_removed": self.texts_removed,
            "broken": None if self.broken is None else self.broken.as_dict(),
        }


def verify_store(
    reader: StoreReader, *, head: str | None = None, count: int | None = None
) -> Chain:
    """The log of a store, to be read inside `snapshot()`; `head` and `count` as for verify_rows."""
    return verify_rows(
        audit_rows(reader), head=head, count=count, whole=True, orphan=first_orphan(reader)
    )


def verify_rows(
    rows: Iterable[AuditRow],
    *,
    head: str | None = None,
    count: int | None = None,
    whole: bool = False,
    orphan: int | None = None,
) -> Chain:
    """Whether events are a chain from the genesis on. `head` is the hash that some event had when
    it was the last one, `count` how many there were at least; with both, event `count` has that
    hash. `whole` says that names and texts have to be there; `orphan` is what first_orphan found.
    """
    walk = _Walk(head, whole)
    for row in rows:
        found = walk.step(row)
        if found is not None:
            return walk.ended(found)
    return walk.ended(walk.missing(orphan) or walk.short(count))


def linked(rows: Iterable[AuditRow]) -> Iterator[AuditRow]:
    """The same events, as long as they are a chain; their records are not looked into. Raises
    StoreDamagedError at the first that is not."""
    before = GENESIS
    for due, row in enumerate(rows, 1):
        whole = row.sound and (row.seq, row.prev_hash) == (due, before)
        if not whole or row.hash != chained(row.prev_hash, row.record):
            raise StoreDamagedError(
                f"the audit log is broken at its event {due}; nothing was counted", remedy=VERIFY
            )
        before = row.hash
        yield row


class _Walk:
    """One pass over the events."""

    def __init__(self, head: str | None, whole: bool) -> None:
        self._wanted, self._whole = head, whole
        self._events, self._head, self._wanted_at = 0, GENESIS, 0
        self._gone: set[int] = set()
        self._removed = 0

    def step(self, row: AuditRow) -> Break | None:
        """Takes the next event in, unless it is broken."""
        code, detail = self._fault(row)
        if code:
            return Break(self._events + 1, code, detail)
        self._events, self._head = row.seq, row.hash
        if row.hash == self._wanted:
            self._wanted_at = row.seq
        return None

    def _fault(self, row: AuditRow) -> tuple[str, str]:
        due = self._events + 1
        if not row.sound:
            return "row_malformed", f"event {row.seq} has a value that is none of its kind"
        if row.seq != due:
            return "sequence_broken", f"event {due} is due, and there is {row.seq}"
        if row.prev_hash != self._head:
            code = "link_broken" if self._events else "genesis_mismatch"
            return code, f"it stands on {_short(row.prev_hash)}, not on {_short(self._head)}"
        computed = chained(row.prev_hash, row.record)
        if row.hash != computed:
            return "hash_mismatch", f"the hash is {_short(row.hash)}, computed {_short(computed)}"
        value = _canonical(row.record)
        if value is None:
            return "record_not_canonical", "the record is no canonical JSON with an envelope"
        return self._details(row, value)

    def _details(self, row: AuditRow, value: dict[str, Any]) -> tuple[str, str]:
        event, envelope = value["event"], value["envelope"]
        for kind, detail in zip(_DETAILS, (row.names, row.text), strict=True):
            due = envelope.get(f"{kind}_sha256")
            if detail is None:
                if due is not None and self._whole and kind == "names":
                    return "detail_missing", "its names are gone"
                if due is not None and kind == "text":
                    self._gone.add(row.seq)
            elif sha256_of(detail) != due:
                return "detail_mismatch", f"its {kind} are not what the hash in the record says"
        if event.get("artifact_type") == REMOVAL_TYPE:
            removed = event.get("removed")
            said = {seq for seq in removed if type(seq) is int} if type(removed) is list else set()
            self._removed += len(said & self._gone)
            self._gone -= said
        return "", ""

    def missing(self, orphan: int | None) -> Break | None:
        """What is told by what is not there."""
        if orphan is not None:
            whose = f"event {orphan}" if orphan else "what is no event"
            detail = f"names or a text of {whose} are there"
            return Break(self._events + 1, "event_missing", detail)
        if self._whole and self._gone:
            return Break(min(self._gone), "detail_missing", "its text is gone")
        return None

    def short(self, count: int | None) -> Break | None:
        """Whether the end is the one that was noted."""
        if count is not None and self._events < count:
            detail = f"there were {count} events, and there are {self._events}"
            return Break(self._events + 1, "count_mismatch", detail)
        if self._wanted is None or (self._wanted == GENESIS and not count):
            return None  # every log was empty once
        if self._wanted_at == 0:
            detail = f"no event has the hash {_short(self._wanted)}"
            return Break(count or self._events + 1, "head_mismatch", detail)
        if count is not None and count != self._wanted_at:
            detail = f"{_short(self._wanted)} is the hash of event {self._wanted_at}, not {count}"
            return Break(max(1, min(count, self._wanted_at)), "head_mismatch", detail)
        return None

    def ended(self, broken: Break | None) -> Chain:
        """The answer. A break that shows only at the end is before events that were taken in."""
        return Chain(self._events, self._head, self._removed, broken)


def _short(digest: str) -> str:
    return f"{digest[:12]}…" if digest.isascii() and digest.isalnum() else ascii(digest[:12])


def _canonical(record: str) -> dict[str, Any] | None:
    """The record's value, or None where it is not as it was written."""
    try:
        value = json.loads(record)
        same = canonical_bytes(value).decode("utf-8") == record
    except (ValueError, RecursionError, NotCanonicalError):
        return None
    if not same or not isinstance(value, dict) or set(value) != {"event", "envelope"}:
        return None
    return value if all(isinstance(part, dict) for part in value.values()) else None


def export_line(row: AuditRow, *, private: bool) -> bytes:
    """An event as a line of an export, canonical JSON. The private form has no names and texts."""
    value: dict[str, Any] = {
        "seq": row.seq,
        "prev_hash": row.prev_hash,
        "hash": row.hash,
        "record": row.value(),
    }
    if not private:
        value |= row.details()
    return canonical_bytes(value) + b"\n"


def exported_rows(stream: IO[bytes]) -> Iterator[AuditRow]:
    """The events of an export, line by line. A line that cannot be read is an event that is not
    sound. Raises AuditInvalidError where already the first line is none, or there is none."""
    number = 0
    for line in stream:
        if not line.strip():
            continue
        number += 1
        try:
            yield _exported(line)
        except AuditInvalidError as error:
            if number == 1:
                raise AuditInvalidError(f"line 1 is no audit event: {error}") from error
            yield AuditRow(number, "", "", "", sound=False)
    if number == 0:
        raise AuditInvalidError("the file has no events")


def _exported(line: bytes) -> AuditRow:
    value = load_json(line, refusal=AuditInvalidError)
    if not isinstance(value, dict) or set(value) - set(_DETAILS) != _KEYS:
        raise AuditInvalidError(f"its keys are not {', '.join(sorted(_KEYS))}")
    seq, before, digest = value["seq"], value["prev_hash"], value["hash"]
    if type(seq) is not int or not isinstance(before, str) or not isinstance(digest, str):
        raise AuditInvalidError("a value is none of its kind")
    try:
        record = canonical_bytes(value["record"]).decode("utf-8")
        names, text = (
            canonical_bytes(value[kind]).decode("utf-8") if kind in value else None
            for kind in _DETAILS
        )
    except (NotCanonicalError, RecursionError) as error:
        raise AuditInvalidError(f"it is not canonical: {error}") from error
    return AuditRow(seq, before, record, digest, names, text)
