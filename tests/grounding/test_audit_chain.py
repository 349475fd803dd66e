"""The audit log: events are only added, and whatever else happens to them is found."""

from __future__ import annotations

import hashlib
import io
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factories import letter
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding.canonical import canonical_bytes
from grounding.errors import (
    AuditEventNotFoundError,
    AuditInvalidError,
    AuditUnavailableError,
    StoreBusyError,
    StoreDamagedError,
)
from grounding.store import StoreReader, StoreWriter, connection
from grounding.store.audit_chain import (
    BREAKS,
    Chain,
    export_line,
    exported_rows,
    linked,
    verify_rows,
    verify_store,
)
from grounding.store.audit_log import (
    REMOVAL_TYPE,
    AuditRow,
    append,
    audit_row,
    audit_rows,
    chained,
    remove_texts,
)
from grounding.store.audit_schema import GENESIS, GUARDS
from grounding.store.forget import forget
from grounding.store.integrity import check_store
from grounding.store.repair import repair_store
from grounding.store.vacuum import vacuum

ROOT = Path(__file__).parents[2]
LOG = 7
COLUMNS = ("seq", "prev_hash", "record", "hash")


def event(number: int, **more: Any) -> dict[str, Any]:
    return {"artifact_type": "test.v1", "number": number, **more}


def filled(path: Path, count: int = 6) -> list[AuditRow]:
    """A log of so many events, all with names and every second one with a text."""
    with StoreWriter(path) as writer:
        return [
            append(
                writer,
                event(number),
                envelope={"timings_us": {"total": 5}},
                names={"actor": f"clerk-{number}"},
                text={"answer_text": "The river rose."} if number % 2 else None,
            )
            for number in range(count)
        ]


def verified(path: Path, head: str | None = None, count: int | None = None) -> Chain:
    with StoreReader(path) as reader, reader.snapshot():
        return verify_store(reader, head=head, count=count)


@contextmanager
def unguarded(path: Path) -> Iterator[sqlite3.Connection]:
    """The log with its triggers dropped, for whoever wants to change it; they come back."""
    with closing(sqlite3.connect(path)) as raw, raw:
        for name in GUARDS:
            raw.execute(f"DROP TRIGGER {name}")
        yield raw
        for sql in GUARDS.values():
            raw.execute(sql)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "grounding.db"


class TestAppending:
    def test_events_are_chained_by_the_hash_of_hash_and_record(self, path: Path) -> None:
        rows = filled(path)
        before = "0" * 64
        with StoreReader(path) as reader:
            assert list(audit_rows(reader)) == rows
        for number, row in enumerate(rows, 1):
            assert (row.seq, row.prev_hash) == (number, before)
            assert row.record.encode() == canonical_bytes(json.loads(row.record))
            before = hashlib.sha256((before + row.record).encode()).hexdigest()
            assert row.hash == before
        assert verified(path) == Chain(len(rows), before)

    def test_an_event_has_its_time_and_hashes_of_names_and_text_around_it(self, path: Path) -> None:
        with StoreWriter(path) as writer:
            row = append(writer, event(1), names={"actor": "clerk"}, text={"question": "How?"})
        value = row.value()
        assert value["event"] == event(1)
        assert row.names is not None
        assert row.text is not None
        assert value["envelope"]["names_sha256"] == hashlib.sha256(row.names.encode()).hexdigest()
        assert value["envelope"]["text_sha256"] == hashlib.sha256(row.text.encode()).hexdigest()
        assert value["envelope"]["at"].endswith("+00:00")
        assert "clerk" not in row.record
        assert row.details()["names"]["actor"] == "clerk"

    def test_equal_names_have_different_hashes(self, path: Path) -> None:
        """Else whoever has a list of names could try them."""
        with StoreWriter(path) as writer:
            rows = [append(writer, event(1), names={"actor": "clerk"}) for _ in range(2)]
        assert len({row.value()["envelope"]["names_sha256"] for row in rows}) == 2

    def test_more_events_than_one_reading_takes(self, path: Path) -> None:
        with StoreWriter(path) as writer, writer.together():
            for number in range(1_203):
                append(writer, event(number))
        assert verified(path).events == 1_203

    def test_an_empty_log_stands_on_the_genesis(self, path: Path) -> None:
        with StoreWriter(path):
            pass
        assert verified(path) == Chain(0, GENESIS)
        with StoreReader(path) as reader, pytest.raises(AuditEventNotFoundError):
            audit_row(reader, 1)

    def test_an_event_goes_with_the_transaction_that_it_is_part_of(self, path: Path) -> None:
        with StoreWriter(path) as writer:
            with pytest.raises(KeyError), writer.together():  # noqa: PT012
                append(writer, event(1))
                raise KeyError
            append(writer, event(2))
        with StoreReader(path) as reader:
            assert [row.value()["event"]["number"] for row in audit_rows(reader)] == [2]

    def test_what_has_no_canonical_form_is_not_added(self, path: Path) -> None:
        with StoreWriter(path) as writer:
            with pytest.raises(AuditUnavailableError):
                append(writer, event(1, share=0.5))
            append(writer, event(2))
        assert verified(path).events == 1

    def test_a_log_from_before_details_goes_on(self, path: Path) -> None:
        """Its events have everything in their records; the chain is one."""
        with StoreWriter(path) as writer:
            for name in ("audit_events_at_end", "audit_details_at_end"):
                writer.connection.execute(f"DROP TRIGGER {name}")
            writer.connection.execute("DROP TABLE audit_details")
            writer.connection.execute(
                "DELETE FROM _sqlite_migrations WHERE name = 'm004_audit_details'"
            )
            record = canonical_bytes({"event": {"answer_id": "a"}, "envelope": {}}).decode()
            values = (1, GENESIS, record, chained(GENESIS, record))
            writer.connection.execute("INSERT INTO audit_events VALUES (?, ?, ?, ?)", values)
        assert verified(path) == Chain(1, values[3])
        filled(path, 2)
        assert verified(path).events == 3
        assert check_store(path) == []


class TestGuards:
    @pytest.mark.parametrize(
        "sql",
        [
            "UPDATE audit_events SET record = '{}' WHERE seq = 2",
            "UPDATE OR REPLACE audit_events SET seq = 1 WHERE seq = 2",
            "DELETE FROM audit_events WHERE seq = 6",
            "DELETE FROM audit_events",
            "INSERT OR REPLACE INTO audit_events SELECT seq, prev_hash, '{}', hash FROM"
            " audit_events WHERE seq = 3",
            "REPLACE INTO audit_events SELECT 7, prev_hash, record, hash FROM audit_events"
            " WHERE seq = 6",
            "INSERT INTO audit_events SELECT 9, hash, record, hash FROM audit_events WHERE seq = 6",
            "INSERT INTO audit_events SELECT 0, prev_hash, record, hash FROM audit_events"
            " WHERE seq = 1",
            "INSERT INTO audit_events SELECT NULL, prev_hash, record, hash FROM audit_events",
            "UPDATE audit_details SET detail = '{}'",
            "DELETE FROM audit_details WHERE kind = 'names'",
            "DELETE FROM audit_details",
            "INSERT OR REPLACE INTO audit_details VALUES (6, 'names', '{}')",
            "INSERT INTO audit_details VALUES (1, 'text', '{}')",
        ],
    )
    def test_any_program_that_opens_the_file_is_refused(self, path: Path, sql: str) -> None:
        filled(path)
        with closing(sqlite3.connect(path)) as raw:
            before = list(raw.iterdump())
            with pytest.raises(sqlite3.IntegrityError, match="audit_"), raw:
                raw.execute(sql)
            assert list(raw.iterdump()) == before

    def test_check_store_misses_a_trigger_that_was_dropped_or_made_idle(self, path: Path) -> None:
        filled(path)
        assert check_store(path) == []
        name = "audit_events_no_update"
        with closing(sqlite3.connect(path)) as raw, raw:
            raw.execute(f"DROP TRIGGER {name}")
        assert [f.code for f in check_store(path)] == ["audit_guards_missing"]
        with closing(sqlite3.connect(path)) as raw, raw:
            raw.execute(f"CREATE TRIGGER {name} BEFORE UPDATE ON audit_events BEGIN SELECT 1; END")
        assert [f.detail for f in check_store(path)] == [f"trigger {name}"]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of LOG events, which tests change copies of."""
    path = tmp_path_factory.mktemp("log") / "grounding.db"
    filled(path, LOG)
    return path


Mutation = Callable[[sqlite3.Connection], object]


def changed(value: object, at: int) -> object:
    """Another value of the same kind."""
    if isinstance(value, int):
        return value + 100
    assert isinstance(value, str)
    at %= len(value)
    return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]


def rows_of(raw: sqlite3.Connection) -> dict[int, list[Any]]:
    rows = raw.execute("SELECT seq, prev_hash, record, hash FROM audit_events")
    return {row[0]: list(row) for row in rows}


def written(raw: sqlite3.Connection, rows: list[list[Any]]) -> None:
    raw.execute("DELETE FROM audit_events")
    raw.executemany("INSERT INTO audit_events VALUES (?, ?, ?, ?)", rows)


class TestMutations:
    """Whoever can write to the file can drop the triggers; the chain shows what was done then."""

    def broken(self, original: Path, mutate: Mutation, **noted: Any) -> tuple[int, str]:
        copy = original.with_name("copy.db")
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(original)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        with unguarded(copy) as raw:
            mutate(raw)
        chain = verified(copy, **noted)
        assert chain.broken is not None
        assert chain.broken.code in BREAKS
        if not noted:
            assert any(f.code == "audit_chain_broken" for f in check_store(copy))
        return chain.broken.seq, chain.broken.code

    @settings(max_examples=120, deadline=None)
    @given(seq=st.integers(1, LOG), column=st.sampled_from(COLUMNS), at=st.integers(0, 400))
    def test_a_changed_value_is_found_where_it_stands(
        self, original: Path, seq: int, column: str, at: int
    ) -> None:
        def mutate(raw: sqlite3.Connection) -> None:
            old = rows_of(raw)[seq][COLUMNS.index(column)]
            raw.execute(
                f"UPDATE audit_events SET {column} = ? WHERE seq = ?", (changed(old, at), seq)
            )

        assert self.broken(original, mutate)[0] == seq

    @settings(max_examples=40, deadline=None)
    @given(pair=st.tuples(st.integers(1, LOG), st.integers(1, LOG)).filter(lambda p: p[0] != p[1]))
    def test_two_events_that_changed_places_are_found_at_the_first(
        self, original: Path, pair: tuple[int, int]
    ) -> None:
        def mutate(raw: sqlite3.Connection) -> None:
            rows = rows_of(raw)
            one, two = (rows[seq] for seq in pair)
            one[0], two[0] = two[0], one[0]
            written(raw, list(rows.values()))

        assert self.broken(original, mutate)[0] == min(pair)

    @pytest.mark.parametrize("seq", range(1, LOG))
    def test_a_deleted_event_is_found_where_it_stood(self, original: Path, seq: int) -> None:
        found = self.broken(
            original, lambda raw: raw.execute("DELETE FROM audit_events WHERE seq = ?", (seq,))
        )
        assert found == (seq, "sequence_broken")

    @pytest.mark.parametrize("seq", range(1, LOG))
    def test_a_deleted_event_is_found_where_the_others_moved_up(
        self, original: Path, seq: int
    ) -> None:
        def mutate(raw: sqlite3.Connection) -> None:
            rows = rows_of(raw)
            del rows[seq]
            written(raw, [[n, *row[1:]] for n, row in enumerate(rows.values(), 1)])

        found = self.broken(original, mutate)
        assert found == (seq, "genesis_mismatch" if seq == 1 else "link_broken")

    @pytest.mark.parametrize("seq", range(1, LOG + 1))
    def test_an_event_put_in_is_found(self, original: Path, seq: int) -> None:
        """It stands rightly on the one before it; the next one does not stand on it."""

        def mutate(raw: sqlite3.Connection) -> None:
            rows = list(rows_of(raw).values())
            before = rows[seq - 2][3] if seq > 1 else GENESIS
            record = rows[0][2]
            rows.insert(seq - 1, [0, before, record, chained(before, record)])
            raw.execute("DELETE FROM audit_details")
            written(raw, [[n, *row[1:]] for n, row in enumerate(rows, 1)])

        assert self.broken(original, mutate) == (1, "detail_missing")
        copy = original.with_name("copy.db")
        with StoreReader(copy) as reader:
            broken = verify_rows(audit_rows(reader)).broken
        assert broken is not None
        assert (broken.seq, broken.code) == (seq + 1, "link_broken")

    @pytest.mark.parametrize("seq", range(1, LOG))
    def test_a_record_with_a_new_hash_breaks_the_link_to_the_next(
        self, original: Path, seq: int
    ) -> None:
        def mutate(raw: sqlite3.Connection) -> None:
            _, before, record, _ = rows_of(raw)[seq]
            record = record.replace('"total":5', '"total":6')
            raw.execute(
                "UPDATE audit_events SET record = ?, hash = ? WHERE seq = ?",
                (record, chained(before, record), seq),
            )

        assert self.broken(original, mutate) == (seq + 1, "link_broken")

    def test_another_genesis_is_found_although_everything_was_chained_anew(
        self, original: Path
    ) -> None:
        def mutate(raw: sqlite3.Connection) -> None:
            rows, before = list(rows_of(raw).values()), "f" * 64
            for row in rows:
                row[1], row[3] = before, chained(before, row[2])
                before = row[3]
            written(raw, rows)

        assert self.broken(original, mutate) == (1, "genesis_mismatch")

    def test_a_log_that_was_cut_off_is_found_by_what_was_noted(self, original: Path) -> None:
        def cut(raw: sqlite3.Connection) -> None:
            raw.execute("DELETE FROM audit_details WHERE seq > 5")
            raw.execute("DELETE FROM audit_events WHERE seq > 5")

        head = verified(original).head
        assert verified(original, head, LOG).broken is None
        assert self.broken(original, cut, head=head) == (6, "head_mismatch")
        assert self.broken(original, cut, count=LOG) == (6, "count_mismatch")
        assert self.broken(original, cut, head=head, count=LOG) == (6, "count_mismatch")

    def test_a_log_that_was_cut_off_alone_is_found_by_its_details(self, original: Path) -> None:
        found = self.broken(
            original, lambda raw: raw.execute("DELETE FROM audit_events WHERE seq > 5")
        )
        assert found == (6, "event_missing")

    def test_a_log_that_was_written_anew_is_found_by_a_noted_head(self, original: Path) -> None:
        """The last event has another record and the right hash for it."""

        def mutate(raw: sqlite3.Connection) -> None:
            seq, before, record, _ = rows_of(raw)[LOG]
            record = record.replace('"total":5', '"total":6')
            raw.execute(
                "UPDATE audit_events SET record = ?, hash = ? WHERE seq = ?",
                (record, chained(before, record), seq),
            )

        head = verified(original).head
        assert self.broken(original, mutate, head=head, count=LOG) == (LOG, "head_mismatch")

    def test_a_head_that_was_noted_earlier_is_in_the_longer_log(self, original: Path) -> None:
        with StoreReader(original) as reader:
            third = audit_row(reader, 3).hash
        assert verified(original, third, 3).broken is None
        assert verified(original, third).broken is None
        wrong = verified(original, third, 4).broken
        assert wrong is not None
        assert (wrong.seq, wrong.code) == (3, "head_mismatch")

    @pytest.mark.parametrize(
        ("sql", "found"),
        [
            ("UPDATE audit_details SET detail = '{}' WHERE seq = 3 AND kind = 'names'",
             (3, "detail_mismatch")),
            ("UPDATE audit_details SET detail = '{}' WHERE seq = 4 AND kind = 'text'",
             (4, "detail_mismatch")),
            ("INSERT INTO audit_details VALUES (3, 'text', '{}')", (3, "detail_mismatch")),
            ("DELETE FROM audit_details WHERE seq = 5 AND kind = 'names'", (5, "detail_missing")),
            ("DELETE FROM audit_details WHERE seq = 4 AND kind = 'text'", (4, "detail_missing")),
            ("UPDATE audit_events SET record = CAST(record AS BLOB) WHERE seq = 2",
             (2, "row_malformed")),
            ("UPDATE audit_events SET record = CAST(x'7bff7d' AS TEXT) WHERE seq = 2",
             (2, "hash_mismatch")),
            ("UPDATE audit_events SET seq = -5 WHERE seq = 2", (1, "sequence_broken")),
        ],
    )  # fmt: skip
    def test_other_changes(self, original: Path, sql: str, found: tuple[int, str]) -> None:
        assert self.broken(original, lambda raw: raw.execute(sql)) == found

    @pytest.mark.parametrize(
        "values",
        ["(-5, 'names', '{}')", "(0, 'text', 'x')", "(2.5, 'text', '{}')", "('last', 'names', '')",
         "(3, 'notes', '{}')"],
    )  # fmt: skip
    def test_details_of_what_is_no_event_are_found(self, original: Path, values: str) -> None:
        """Also where they stand before those of events that were cut off."""

        def mutate(raw: sqlite3.Connection) -> None:
            raw.execute("PRAGMA ignore_check_constraints = ON")
            raw.execute(f"INSERT INTO audit_details VALUES {values}")

        def cut_as_well(raw: sqlite3.Connection) -> None:
            mutate(raw)
            raw.execute("DELETE FROM audit_events WHERE seq > 4")

        assert self.broken(original, mutate) == (LOG + 1, "event_missing")
        assert self.broken(original, cut_as_well) == (5, "event_missing")

    @settings(max_examples=60, deadline=None)
    @given(seq=st.integers(1, LOG), at=st.integers(0, 400), kind=st.sampled_from(["names", "text"]))
    def test_a_changed_detail_is_found_at_its_event(
        self, original: Path, seq: int, at: int, kind: str
    ) -> None:
        def mutate(raw: sqlite3.Connection) -> None:
            found = raw.execute(
                "SELECT detail FROM audit_details WHERE seq = ? AND kind = ?", (seq, kind)
            ).fetchone()
            raw.execute(
                "INSERT OR REPLACE INTO audit_details VALUES (?, ?, ?)",
                (seq, kind, changed(found[0], at) if found else "{}"),
            )

        assert self.broken(original, mutate) == (seq, "detail_mismatch")

    def test_what_was_noted_of_an_empty_log_holds_of_all_that_grew_from_it(
        self, original: Path, path: Path
    ) -> None:
        with StoreWriter(path):
            pass
        noted = verified(path)
        assert verified(path, noted.head, noted.events) == noted
        assert verified(original, noted.head, noted.events).broken is None
        wrong = verified(original, noted.head, 3).broken
        assert wrong is not None
        assert (wrong.seq, wrong.code) == (3, "head_mismatch")

    @pytest.mark.parametrize("removed", [5, "12", None, {"1": 2}, [[1], "1", True]])
    def test_a_removal_that_says_nothing_takes_nothing_out(self, path: Path, removed: Any) -> None:
        filled(path, 2)
        with StoreWriter(path) as writer:
            writer.connection.execute("DELETE FROM audit_details WHERE kind = 'text'")
            append(writer, {"artifact_type": REMOVAL_TYPE, "removed": removed})
        broken = verified(path).broken
        assert broken is not None
        assert (broken.seq, broken.code) == (2, "detail_missing")

    def test_events_are_handed_on_until_the_chain_breaks(self, original: Path) -> None:
        with StoreReader(original) as reader:
            rows = list(audit_rows(reader))
        assert list(linked(rows)) == rows
        for broken in (
            rows[:3] + rows[4:],
            [*rows[:3], rows[4], rows[3], *rows[5:]],
            [*rows[:3], replace(rows[3], record=rows[3].record.replace("3", "4")), *rows[4:]],
            [*rows[:3], replace(rows[3], prev_hash=rows[3].hash), *rows[4:]],
            [*rows[:3], replace(rows[3], sound=False), *rows[4:]],
        ):
            walk, seen = linked(broken), []
            with pytest.raises(StoreDamagedError, match="at its event 4"):
                seen.extend(row.seq for row in walk)
            assert list(linked(broken[:3])) == rows[:3]

    def test_a_record_that_is_written_in_another_way_is_found(self, path: Path) -> None:
        """Also where its hash is right."""
        with StoreWriter(path):
            pass
        record = '{"event": {}, "envelope": {}}'
        with closing(sqlite3.connect(path)) as raw, raw:
            values = (1, GENESIS, record, chained(GENESIS, record))
            raw.execute("INSERT INTO audit_events VALUES (?, ?, ?, ?)", values)
        broken = verified(path).broken
        assert broken is not None
        assert broken.code == "record_not_canonical"

    def test_repair_leaves_the_log_as_it_is(self, original: Path) -> None:
        self.broken(original, lambda raw: raw.execute("DELETE FROM audit_events WHERE seq = 2"))
        copy = original.with_name("copy.db")
        with closing(sqlite3.connect(copy)) as raw:
            before = rows_of(raw)
        assert repair_store(copy, check_store(copy)) == []
        with closing(sqlite3.connect(copy)) as raw:
            assert rows_of(raw) == before
        assert any(f.code == "audit_chain_broken" for f in check_store(copy))


def exported(path: Path, *, private: bool = False) -> bytes:
    with StoreReader(path) as reader:
        return b"".join(export_line(row, private=private) for row in audit_rows(reader))


def verified_file(data: bytes, **noted: Any) -> Chain:
    return verify_rows(exported_rows(io.BytesIO(data)), **noted)


class TestExports:
    @pytest.mark.parametrize("private", [False, True])
    def test_an_export_is_proven_without_the_store(self, path: Path, private: bool) -> None:
        filled(path)
        whole = verified(path)
        assert verified_file(exported(path, private=private), head=whole.head, count=6) == whole

    def test_the_private_form_has_no_names_and_no_texts(self, path: Path) -> None:
        filled(path)
        assert b"clerk" in exported(path)
        assert b"river" in exported(path)
        private = exported(path, private=True)
        assert b"clerk" not in private
        assert b"river" not in private

    def test_every_line_that_was_changed_taken_out_or_moved_is_found(self, path: Path) -> None:
        filled(path)
        lines = exported(path).splitlines(keepends=True)
        for number in range(1, len(lines)):
            without = lines[:number] + lines[number + 1 :]
            swapped = [*lines]
            swapped[number - 1 : number + 1] = reversed(swapped[number - 1 : number + 1])
            other = [*lines]
            other[number] = lines[number].replace(b'"total":5', b'"total":6')
            named = [*lines]
            named[number] = lines[number].replace(b"clerk", b"chief")
            for data, at in ((other, number + 1), (swapped, number), (named, number + 1)):
                broken = verified_file(b"".join(data)).broken
                assert broken is not None
                assert broken.seq == at
            cut = verified_file(b"".join(without), head=verified(path).head)
            assert cut.broken is not None
            assert cut.broken.seq == number + 1

    def test_a_line_that_cannot_be_read_is_a_broken_place(self, path: Path) -> None:
        filled(path)
        lines = exported(path).splitlines(keepends=True)
        for bad in (
            b"{\n",
            b"[]\n",
            b"\xff\n",
            b'{"seq":1,"seq":1}\n',
            b"[" * 100_000 + b"\n",
            lines[2][:-20] + b"\n",
            lines[2].replace(b'"total":5', b'"total":0.5'),
        ):
            broken = verified_file(b"".join([*lines[:2], bad, *lines[3:]])).broken
            assert broken is not None
            assert (broken.seq, broken.code) == (3, "row_malformed")

    @pytest.mark.parametrize("data", [b"", b"\n\n", b"%PDF-1.7\n", b'{"seq":1}\n', b"null"])
    def test_what_is_no_export_is_refused(self, data: bytes) -> None:
        with pytest.raises(AuditInvalidError):
            verified_file(data)


class TestForgetting:
    @pytest.fixture
    def told(self, path: Path) -> tuple[Path, str]:
        """Two events with texts about two documents, and one of the second has none."""
        first, second = letter("The river rose."), letter("The bridge held.")
        with StoreWriter(path) as writer:
            writer.add_document(first, "/in/a.pdf", "a.pdf", "a")
            writer.add_document(second, "/in/b.pdf", "b.pdf", "b")
            for document, text in ((first, "river"), (second, "bridge"), (second, None)):
                append(
                    writer,
                    event(1, documents=[document.document_fingerprint]),
                    names={"actor": "clerk"},
                    text=None if text is None else {"answer_text": text},
                )
        return path, first.document_fingerprint

    def test_events_about_a_forgotten_source_stay_without_their_texts(
        self, told: tuple[Path, str]
    ) -> None:
        path, document = told
        before = exported(path, private=True)
        with StoreWriter(path) as writer:
            assert forget(writer, "a").audit_texts_removed == 1
        chain = verified(path)
        assert (chain.broken, chain.events, chain.texts_removed) == (None, 4, 1)
        assert check_store(path) == []
        assert exported(path, private=True).startswith(before)
        with StoreReader(path) as reader:
            rows = list(audit_rows(reader))
        assert [row.text is not None for row in rows] == [False, True, False, False]
        assert all(row.names is not None for row in rows[:3])
        removal = rows[3].value()["event"]
        assert (removal["removed"], removal["document_fingerprints"]) == ([1], [document])
        assert vacuum(path).complete
        assert b"river" not in path.read_bytes()
        assert b"bridge" in path.read_bytes()

    @pytest.mark.parametrize(
        "cited", ["a", "a.pdf", "document_fingerprint", "source_fingerprint", "blake3", "beginning"]
    )
    def test_a_text_goes_by_what_its_answer_cites_as_well(self, path: Path, cited: str) -> None:
        """A source that might not be used has no fingerprint in the event."""
        document = letter("The river rose.")
        known = {
            "document_fingerprint": document.document_fingerprint,
            "source_fingerprint": document.source.sha256,
            "blake3": document.source.blake3,
            "beginning": document.document_fingerprint[:19],
        }
        with StoreWriter(path) as writer:
            writer.add_document(document, "/in/a.pdf", "a.pdf", "a")
            for names in ([known.get(cited, cited)], ["b"], [], ["sha256:" + "0" * 12], [7]):
                append(writer, event(1), text={"claims": ["river"], "documents": names})
            append(writer, event(1), text={"claims": ["bridge"]})
            assert forget(writer, "a").audit_texts_removed == 1
        assert (verified(path).broken, verified(path).texts_removed) == (None, 1)
        with StoreReader(path) as reader:
            assert [row.text is None for row in audit_rows(reader)][:6] == [True] + [False] * 5

    def test_a_text_stays_with_a_document_that_another_source_keeps(self, path: Path) -> None:
        document = letter("The river rose.")
        with StoreWriter(path) as writer:
            writer.add_document(document, "/in/a.pdf", "a.pdf", "a")
            writer.add_version(
                document.document_fingerprint, "/in/b.pdf", "b.pdf", "b", document.source.sha256
            )
            append(writer, event(1), text={"documents": ["a"]})
            assert forget(writer, "a").audit_texts_removed == 0
            assert forget(writer, "b").audit_texts_removed == 0
        assert verified(path).events == 1

    def test_with_keep_the_texts_stay(self, told: tuple[Path, str]) -> None:
        path, _ = told
        with StoreWriter(path) as writer:
            assert forget(writer, "a", reports="keep").audit_texts_removed == 0
        assert verified(path) == verified(path)
        assert b"river" in exported(path)

    def test_without_texts_no_event_is_added(self, path: Path) -> None:
        filled(path, 1)
        with StoreWriter(path) as writer, writer.together():
            assert remove_texts(writer, ["sha256:" + "0" * 64]) == 0
        assert verified(path).events == 1

    def test_a_text_taken_out_without_an_event_is_found_behind_one_with_it(
        self, told: tuple[Path, str]
    ) -> None:
        path, _ = told
        with StoreWriter(path) as writer:
            forget(writer, "a")
        with closing(sqlite3.connect(path)) as raw, raw:
            raw.execute("DELETE FROM audit_details WHERE seq = 2 AND kind = 'text'")
        broken = verified(path).broken
        assert broken is not None
        assert (broken.seq, broken.code) == (2, "detail_missing")


class TestFailures:
    def test_a_full_disk_is_audit_unavailable_and_adds_nothing(self, path: Path) -> None:
        filled(path)
        with StoreWriter(path) as writer:
            (pages,) = writer.connection.execute("PRAGMA page_count").fetchone()
            writer.connection.execute(f"PRAGMA max_page_count = {pages}")
            with pytest.raises(AuditUnavailableError) as caught:  # noqa: PT012
                for number in range(1_000):
                    append(writer, event(number, padding="x" * 500))
            assert caught.value.code == "audit_unavailable"
            assert not writer.connection.in_transaction
            writer.connection.execute("PRAGMA max_page_count = 100000")
            with StoreReader(path) as reader:
                kept = sum(1 for _ in audit_rows(reader))
            assert append(writer, event(0)).seq == kept + 1
        assert verified(path).events == kept + 1

    def test_a_commit_that_fails_leaves_no_transaction_behind(self, path: Path) -> None:
        """Else the next event would be taken for added, and never committed."""
        filled(path, 1)
        with StoreWriter(path) as writer:
            raw = writer.connection
            raw.execute("CREATE TEMP TABLE parent (id INTEGER PRIMARY KEY)")
            raw.execute(
                "CREATE TEMP TABLE child (id REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)"
            )
            raw.execute(
                "CREATE TEMP TRIGGER unfinished AFTER INSERT ON main.audit_events"
                " BEGIN INSERT INTO child VALUES (9); END"
            )
            with pytest.raises(AuditUnavailableError):
                append(writer, event(2))
            assert not raw.in_transaction
            raw.execute("DROP TRIGGER unfinished")
            append(writer, event(3))
        with StoreReader(path) as reader:
            numbers = [row.value()["event"]["number"] for row in audit_rows(reader)]
        assert numbers == [0, 3]

    def test_a_store_that_another_process_writes_to_is_audit_unavailable(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        filled(path, 1)
        monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.05)
        with StoreWriter(path) as first, StoreWriter(path) as second, first.together():
            with pytest.raises(AuditUnavailableError) as caught:
                append(second, event(2))
            assert isinstance(caught.value.__cause__, StoreBusyError)
            append(first, event(3))
        assert verified(path).events == 2

    def test_a_store_that_cannot_be_written_is_audit_unavailable(self, path: Path) -> None:
        filled(path, 1)
        with StoreWriter(path) as writer:
            writer.connection.execute("PRAGMA query_only = ON")
            with pytest.raises(AuditUnavailableError):
                append(writer, event(2))
        assert verified(path).events == 1

    def test_an_added_event_is_waited_for_until_it_is_on_the_disk(self, path: Path) -> None:
        with StoreWriter(path) as writer:
            said: list[str] = []
            writer.connection.set_trace_callback(said.append)
            append(writer, event(1))
            writer.connection.set_trace_callback(None)
            at = said.index("PRAGMA synchronous = FULL")
            assert said.index("COMMIT") > at
            assert writer.connection.execute("PRAGMA synchronous").fetchone() == (1,)


def _add(path: Path, who: int, count: int) -> None:
    with StoreWriter(path) as writer:
        for number in range(count):
            append(writer, event(number, who=who), names={"actor": str(who)})


class TestProcesses:
    def test_processes_that_add_at_the_same_time_make_one_chain(self, path: Path) -> None:
        """Each finds its own events in the order in which it added them."""
        spawn, processes, count = multiprocessing.get_context("spawn"), 4, 60
        runs = [spawn.Process(target=_add, args=(path, n, count)) for n in range(processes)]
        for run in runs:
            run.start()
        for run in runs:
            run.join(timeout=120)
        assert [run.exitcode for run in runs] == [0] * processes
        assert verified(path).broken is None
        assert verified(path).events == processes * count
        with StoreReader(path) as reader:
            events = [row.value()["event"] for row in audit_rows(reader)]
        for who in range(processes):
            assert [e["number"] for e in events if e["who"] == who] == list(range(count))

    def test_a_process_that_is_killed_leaves_a_chain_with_all_that_it_was_told_of(
        self, path: Path
    ) -> None:
        code = (
            "import sys\n"
            "from pathlib import Path\n"
            "from grounding.store import StoreWriter\n"
            "from grounding.store.audit_log import append\n"
            "with StoreWriter(Path(sys.argv[1])) as writer:\n"
            "    while True:\n"
            "        row = append(writer, {'pad': 'x' * 3000}, names={'actor': 'clerk'})\n"
            "        print(row.seq, row.hash, flush=True)\n"
        )
        told = (0, GENESIS)
        for pause in (0.0, 0.003, 0.011, 0.02, 0.037):
            with subprocess.Popen(
                [sys.executable, "-c", code, str(path)],
                cwd=ROOT,
                env={"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", "")},
                stdout=subprocess.PIPE,
                text=True,
            ) as run:
                assert run.stdout is not None
                first = run.stdout.readline()
                time.sleep(pause)
                run.send_signal(signal.SIGKILL)
                lines = [first, *run.stdout.read().splitlines(keepends=True)]
            assert run.returncode == -signal.SIGKILL
            whole = [line for line in lines if line.endswith("\n")]
            seq, digest = whole[-1].split()
            assert int(seq) > told[0]
            told = (int(seq), digest)
            chain = verified(path, told[1], told[0])
            assert chain.broken is None
            assert chain.events >= told[0]
        assert check_store(path) == []
