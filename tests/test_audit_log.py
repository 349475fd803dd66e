"""The log of decisions: chained, only added to, told at its first broken link; and the commands."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gating import Desk, answer, labels, library
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grounding.errors import AuditInvalidError, AuditUnavailableError
from grounding.store import OPERATOR, StoreReader, StoreWriter
from grounding.store import connection as store_connection
from grounding.store.audit_log import GENESIS, AuditRow, append, chained, lines, rows, verify_chain
from grounding.store.forget import forget
from grounding.store.integrity import check_store
from pagewitness.cli import cli
from pagewitness.gate import audit_recorder, gate
from verifier.gate.event import event_of, private
from verifier.gate.stats import counts, prometheus

SPAWN = multiprocessing.get_context("spawn")
EVENT: dict[str, Any] = {"action": "release", "n": 1}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "log.db"
    with StoreWriter(path) as writer:
        for number in range(6):
            append(writer, {**EVENT, "n": number}, {"at": f"2026-01-0{number + 1}"})
    return path


def events(path: Path) -> list[AuditRow]:
    with StoreReader(path, OPERATOR) as reader:
        return list(rows(reader))


def rewrite(path: Path, changed: list[AuditRow]) -> None:
    """The table as somebody with the file in hands could write it."""
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP TRIGGER audit_events_no_update; DROP TRIGGER audit_events_no_delete;"
    )
    connection.execute("DELETE FROM audit_events")
    connection.executemany(
        "INSERT INTO audit_events VALUES (?, ?, ?, ?)",
        [(row.seq, row.prev_hash, row.record, row.hash) for row in changed],
    )
    connection.commit()
    connection.close()


class TestChain:
    def test_each_stands_on_the_one_before(self, store: Path) -> None:
        found = events(store)
        assert found[0].prev_hash == GENESIS
        for one, other in pairwise(found):
            assert other.prev_hash == one.hash == chained(one.prev_hash, one.record)
        chain = verify_chain(found)
        assert (chain.whole, chain.events, chain.head) == (True, 6, found[-1].hash)

    def test_nothing_is_changed_or_taken_out(self, store: Path) -> None:
        with StoreWriter(store) as writer:
            for sql in ("UPDATE audit_events SET record = '{}'", "DELETE FROM audit_events"):
                with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                    writer.connection.execute(sql)
        assert len(events(store)) == 6

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def test_any_change_is_found_at_its_place(self, store: Path, data: st.DataObject) -> None:
        """Edited, taken out, put in twice, moved; also with its own hash made anew."""
        good = events(store)
        at = data.draw(st.integers(0, len(good) - 1))
        row = good[at]
        kind = data.draw(
            st.sampled_from(["record", "hash", "prev", "seq", "gone", "twice", "swap", "forged"])
        )
        bad = list(good)
        other = row.record.replace('"release"', '"abstain"')
        if kind == "record":
            bad[at] = AuditRow(row.seq, row.prev_hash, other, row.hash)
        elif kind == "hash":
            bad[at] = AuditRow(row.seq, row.prev_hash, row.record, "f" * 64)
        elif kind == "prev":
            bad[at] = AuditRow(row.seq, "e" * 64, row.record, chained("e" * 64, row.record))
        elif kind == "seq":
            bad[at] = AuditRow(row.seq + 40, row.prev_hash, row.record, row.hash)
        elif kind == "gone":
            del bad[at]
        elif kind == "twice":
            bad.insert(at, row)
        elif kind == "swap" and at:
            bad[at - 1], bad[at] = bad[at], bad[at - 1]
        else:
            bad[at] = AuditRow(row.seq, row.prev_hash, other, chained(row.prev_hash, other))
        chain = verify_chain(bad, head=good[-1].hash)
        assert not chain.whole
        pairs = enumerate(zip(bad, good, strict=False))
        first = next((n for n, (a, b) in pairs if a != b), min(len(bad), len(good)))
        assert chain.broken is not None
        assert first + 1 <= chain.broken <= max(first + 2, len(bad) + 1)

    def test_a_tail_that_was_cut_off_is_told_by_what_was_written_down(self, store: Path) -> None:
        good = events(store)
        assert verify_chain(good[:4]).whole
        assert verify_chain(good[:4], head=good[3].hash).whole
        assert not verify_chain(good[:4], head=good[5].hash).whole
        assert not verify_chain(good[:4], count=6).whole
        assert not verify_chain([], head=good[5].hash).whole
        assert verify_chain(good, head=good[2].hash).whole

    def test_the_store_s_own_check_tells_it(self, store: Path) -> None:
        assert check_store(store) == []
        good = events(store)
        rewrite(store, [*good[:2], *good[3:]])
        (found,) = [one for one in check_store(store) if one.code == "audit_chain_broken"]
        assert "event 3" in str(found)


class TestWriting:
    def test_two_processes_keep_one_chain(self, tmp_path: Path) -> None:
        path = tmp_path / "log.db"
        with StoreWriter(path):
            pass
        workers = [SPAWN.Process(target=write, args=(path, 25)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
            assert worker.exitcode == 0
        chain = verify_chain(events(path), count=50)
        assert (chain.whole, chain.events) == (True, 50)

    def test_a_writer_that_is_killed_leaves_a_whole_chain(self, tmp_path: Path) -> None:
        path = tmp_path / "log.db"
        with StoreWriter(path):
            pass
        child = SPAWN.Process(target=write, args=(path, 100_000))
        child.start()
        end = time.monotonic() + 30
        while not events(path) and time.monotonic() < end:
            time.sleep(0.05)
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join(10)
        before = len(events(path))
        assert before
        with StoreWriter(path) as writer:
            append(writer, EVENT, {})
        assert verify_chain(events(path), count=before + 1).whole

    def test_a_store_that_is_held_is_told(
        self, store: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(store_connection, "BUSY_TIMEOUT_SECONDS", 0.05)
        with StoreWriter(store) as first, StoreWriter(store) as second, first.together():
            first.connection.execute(
                "INSERT INTO tombstones VALUES ('a',1,'b','c','d','e','f','g')"
            )
            with pytest.raises(AuditUnavailableError):
                append(second, EVENT, {})
        assert verify_chain(events(store), count=6).whole

    def test_what_has_no_canonical_form_is_not_kept(self, store: Path) -> None:
        with StoreWriter(store) as writer, pytest.raises(AuditUnavailableError):
            append(writer, {"share": 0.5}, {})
        assert len(events(store)) == 6


def write(path: Path, count: int) -> None:
    with StoreWriter(path) as writer:
        for number in range(count):
            append(writer, {**EVENT, "n": number}, {"pid": os.getpid()})


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three decisions: released, partial, review."""
    path = library(tmp_path_factory.mktemp("audit"))
    desk = Desk(path)
    record = audit_recorder(path, actor="a.reviewer", tenant="")
    desk.decide(record=record)
    desk.decide(lambda made: made["evidence"]["e1"].update(document="nowhere"), record=record)
    desk.decide(said={"claims": {}}, record=record)
    return path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.fixture
def here(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    return shelf  # type: ignore[return-value]


class TestCommands:
    def test_the_log_is_listed_shown_and_proven(self, here: Path) -> None:
        text = call("audit", "list", "--json", "--db", str(here)).stdout
        listed = [json.loads(line) for line in text.splitlines()]
        assert [one["event"]["action"] for one in listed] == ["release", "partial", "review"]
        shown = json.loads(call("audit", "show", "2", "--db", str(here)).stdout)
        assert shown["event"] == listed[1]["event"]
        assert call("audit", "show", "9", "--db", str(here)).exit_code == 2
        proven = call("audit", "verify", "--db", str(here))
        assert proven.exit_code == 0
        assert proven.stdout.startswith("whole: 3 event(s), head ")
        head = proven.stdout.split()[-1]
        assert call("audit", "verify", "--db", str(here), "--head", head).exit_code == 0
        assert call("audit", "verify", "--db", str(here), "--head", "0" * 63 + "1").exit_code == 1
        assert call("audit", "verify", "--db", str(here), "--count", "4").exit_code == 1

    def test_an_export_is_proven_without_the_store(self, here: Path) -> None:
        assert call("audit", "export", "--db", str(here), "--out", "log.jsonl").exit_code == 0
        assert call("audit", "verify", "--file", "log.jsonl").exit_code == 0
        text = Path("log.jsonl").read_text()
        Path("log.jsonl").write_text(text.replace("partial", "release", 1))
        broken = call("audit", "verify", "--file", "log.jsonl", "--json")
        assert broken.exit_code == 1
        assert json.loads(broken.stdout)["broken"] == 2
        for bad in ("{}", "5", "{", '{"seq": "1", "prev_hash": 1, "record": 2, "hash": 3}'):
            Path("log.jsonl").write_text(bad)
            assert call("audit", "verify", "--file", "log.jsonl").exit_code == 2
            with pytest.raises(AuditInvalidError):
                list(lines(bad.encode()))

    def test_nothing_that_is_kept_has_a_word_of_the_answer(self, here: Path) -> None:
        """Of the answer, its claims, its evidence; the private form has no names either."""
        whole = call("audit", "export", "--db", str(here)).stdout
        words = set(re.findall(r"[A-Za-z]{6,}", answer(Desk(here).pins)["answer_text"]))
        assert words
        assert not [word for word in words if word in whole]
        assert "412,600" not in whole
        secret = call("audit", "export", "--private", "--db", str(here)).stdout
        for name in ("answer-1", "cargo", "sales-2024", "a.reviewer", "annual-report"):
            assert name not in secret
        assert len(secret.splitlines()) == 3

    def test_counts_are_those_of_the_events(self, here: Path) -> None:
        counted = json.loads(call("stats", "--format", "json", "--db", str(here)).stdout)
        assert counted["events"] == 3
        assert counted["decisions"] == {"partial": 1, "release": 1, "review": 1}
        assert sum(counted["claims"].values()) == 15
        text = call("stats", "--format", "prometheus", "--db", str(here)).stdout
        found = dict(
            re.findall(r'^pagewitness_decisions_total\{action="(\w+)"\} (\d+)$', text, re.M)
        )
        assert {key: int(n) for key, n in found.items()} == counted["decisions"]
        assert call("stats", "--db", str(here), "--until", "2020").stdout.startswith("0 decision")
        assert call("stats", "--db", str(here), "--since", "2020").stdout.startswith("3 decision")

    def test_label_values_are_escaped(self) -> None:
        counted = {**counts([]), "reasons": {'a"b\\c\nd': 1}}
        assert 'reason="a\\"b\\\\c\\nd"} 1' in prometheus(counted)

    def test_events_outlive_what_is_forgotten(self, tmp_path: Path) -> None:
        path = library(tmp_path)
        Desk(path).decide(record=audit_recorder(path))
        before = events(path)
        with StoreWriter(path) as writer:
            forget(writer, "annual-report")
        assert events(path) == before
        assert check_store(path) == []


class TestGateCommand:
    @pytest.fixture
    def files(self, here: Path) -> Path:
        made = answer(Desk(here).pins)
        Path("answer.json").write_text(json.dumps(made))
        Path("labels.json").write_text(json.dumps(labels(made)))
        Path("bad.json").write_text("{}")
        return here

    def test_it_decides_and_records(self, files: Path) -> None:
        arguments = ("gate", "answer.json", "--labels", "labels.json", "--db", str(files),
                     "--as-of", "2025-06-30", "--audit-db", "audit.db")  # fmt: skip
        made = call(*arguments)
        assert made.exit_code == 0, made.output
        decision = json.loads(made.stdout)
        assert decision["action"] == "release"
        assert call(*arguments).stdout == made.stdout
        (one, two) = events(Path("audit.db"))
        assert one.value["event"] == two.value["event"] == event_of(decision)
        assert {"at", "timings_ms"} <= one.value["envelope"].keys()
        assert private(one.value)["event"].keys() == event_of(decision).keys() - {"answer_id"}
        text = call(*arguments, "--format", "text").stdout
        assert text.startswith("RELEASE: ")
        page = call(*arguments, "--format", "html").stdout
        assert page.startswith("<!DOCTYPE html>")
        assert "script" not in page.lower().replace("description", "")
        ethos = json.loads(call(*arguments, "--format", "ethos").stdout)
        assert ethos["app_status"] == "certified"
        assert len(ethos["final_answer_claim_ids"]) == 5

    def test_without_labels_it_is_for_a_person(self, files: Path) -> None:
        made = call("gate", "answer.json", "--db", str(files), "--audit-db", "audit.db")
        assert made.exit_code == 1
        assert json.loads(made.stdout)["action"] == "review"
        ethos = call("gate", "answer.json", "--db", str(files), "--audit-db", "audit.db",
                     "--policy", "strict", "--format", "ethos")  # fmt: skip
        assert json.loads(ethos.stdout)["final_answer_claim_ids"] == []

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (("bad.json",), "invalid_answer"),
            (("absent.json",), "invalid_request"),
            (("answer.json", "--labels", "bad.json"), "invalid_labels"),
            (("answer.json", "--policy", "bad.json"), "invalid_policy"),
            (("answer.json", "--policy", "lenient"), "invalid_policy"),
            (("answer.json", "--as-of", "soon"), "usage"),
        ],
    )
    def test_input_that_cannot_be_used_decides_nothing(
        self, files: Path, arguments: tuple[str, ...], code: str
    ) -> None:
        made = call("gate", *arguments, "--db", str(files), "--audit-db", "audit.db", "--out", "d")
        assert made.exit_code == 2
        assert made.stderr.startswith(f"error[{code}]: ")
        assert not Path("d").exists()
        assert not Path("audit.db").exists()

    def test_a_log_that_cannot_be_written_releases_nothing(self, files: Path) -> None:
        Path("folder").mkdir()
        made = call("gate", "answer.json", "--labels", "labels.json", "--db", str(files),
                    "--audit-db", "folder")  # fmt: skip
        assert made.exit_code == 1
        assert json.loads(made.stdout)["faults"][0]["fault"] == "audit_unavailable"

    def test_a_store_that_is_not_there_is_a_fault_and_is_not_made(self, files: Path) -> None:
        made = call("gate", "answer.json", "--db", "absent.db", "--audit-db", "audit.db")
        assert made.exit_code == 1
        assert json.loads(made.stdout)["faults"][0]["fault"] == "store_unavailable"
        assert not Path("absent.db").exists()

    def test_it_is_a_function(self, files: Path) -> None:
        made = gate(
            Path("answer.json").read_bytes(), db=files, labels=Path("labels.json").read_bytes(),
            as_of="2025-06-30", audit_db="audit.db", actor="ci",
        )  # fmt: skip
        assert made["action"] == "release"
        assert events(Path("audit.db"))[0].value["envelope"]["actor"] == "ci"


pytest_plugins = ["pytester"]


def test_a_project_gates_its_answers_in_its_own_tests(
    shelf: Path, pytester: pytest.Pytester
) -> None:
    made = answer(Desk(shelf).pins)
    Path("answer.json").write_text(json.dumps(made))
    Path("labels.json").write_text(json.dumps(labels(made)))
    pytester.makeini(f"[pytest]\npagewitness_db = {shelf}\nfilterwarnings = error\n")
    pytester.makepyfile(
        """
        def test_released(pagewitness_gate):
            made = pagewitness_gate.assert_released("answer.json", labels="labels.json")
            assert made["action"] == "release"

        def test_held(pagewitness_gate):
            pagewitness_gate.assert_released("answer.json")
        """
    )
    result = pytester.runpytest_subprocess("-p", "pagewitness.pytest_plugin")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*REVIEW: *", "*support_not_evaluated*"])
