"""Executors: one outcome a job, in order, whatever the documents do to the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from drawn import (
    empty_file,
    header_only,
    html_named_pdf,
    plain,
    r22_user_password,
    ruled_table,
    zero_pages,
)
from odd_readers import odd
from pdf_objects import assemble

from ingest import executors
from ingest.executors import (
    MAX_RETRIES,
    Executor,
    Job,
    Outcome,
    ProcessExecutor,
    SerialExecutor,
    without,
)
from ingest.worker import MIB, Faults, Place, Places, Rules

READER = "odd_readers:read"
PAGES = plain(["First page"], ["Second page"], ["Third page"])
TABLE = ruled_table()


def foreign_encryption() -> bytes:
    """A page locked by a security handler that nobody knows."""
    file = assemble(
        {
            1: b"<</Type /Catalog /Pages 2 0 R>>",
            2: b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
            3: b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]>>",
            4: b"<</Filter /FooSec /V 1>>",
        }
    )
    return file.replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt 4 0 R")


@dataclass
class Batch:
    """Files by name, what came of them, and how far the executor ran ahead of its consumer."""

    names: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    ahead: int = 0

    def __getitem__(self, name: str) -> Outcome:
        return self.outcomes[self.names.index(name)]

    def run(self, executor: Executor, folder: Path, files: dict[str, bytes | None]) -> Batch:
        self.names = list(files)
        taken = 0

        def jobs() -> Iterator[Job]:
            nonlocal taken
            for name, data in files.items():
                if data is not None:
                    (folder / name).write_bytes(data)
                taken += 1
                yield Job(str(folder / name))

        for outcome in executor.run(jobs()):
            self.ahead = max(self.ahead, taken - len(self.outcomes))
            self.outcomes.append(outcome)
        return self


def statuses(outcome: Outcome) -> list[str]:
    assert outcome.artifact is not None, outcome.message
    return [page.status for page in outcome.artifact.pages]


CONTRACT: dict[str, bytes | None] = {
    "good.pdf": PAGES,
    "missing.pdf": None,
    "web.pdf": html_named_pdf(),
    "empty.pdf": empty_file(),
    "locked.pdf": r22_user_password(),
    "pageless.pdf": zero_pages(),
    "header.pdf": header_only(),
    "large.pdf": PAGES + b"%" * 50_000,
    "foreign.pdf": foreign_encryption(),
    "bug-at-open.pdf": odd(PAGES, "bug"),
    "bug-on-page.pdf": odd(PAGES, "bug", 1, "text"),
    "bug-in-tables.pdf": odd(TABLE, "bug", 0, "tables"),
    "bug-in-the-end.pdf": odd(PAGES, "bug", -1, "document"),
    "hog-at-open.pdf": odd(PAGES, "hog"),
    "hog-on-page.pdf": odd(PAGES, "hog", 2, "text"),
    "table.pdf": TABLE,
    "last.pdf": plain(["Still read"]),
}


@pytest.fixture(scope="module", params=["serial", "processes"])
def contract(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    rules = Rules(reader=READER, max_bytes=50_000)
    serial = request.param == "serial"
    executor: Executor = SerialExecutor(rules) if serial else ProcessExecutor(1, rules)
    return Batch().run(executor, tmp_path_factory.mktemp(request.param), CONTRACT)


class TestEveryExecutor:
    """What holds for a serial run and for one in child processes."""

    def test_outcomes_come_in_the_order_of_the_jobs(self, contract: Batch) -> None:
        assert [Path(one.job.path).name for one in contract.outcomes] == list(CONTRACT)

    def test_only_a_few_jobs_are_taken_ahead(self, contract: Batch) -> None:
        assert contract.ahead <= 4 * 1 + 4

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("missing.pdf", "file_not_found"),
            ("web.pdf", "not_a_pdf"),
            ("empty.pdf", "empty_file"),
            ("locked.pdf", "password_required"),
            ("pageless.pdf", "no_pages"),
            ("header.pdf", "damaged"),
            ("large.pdf", "too_large"),
            ("foreign.pdf", "unsupported"),
            ("bug-at-open.pdf", "worker_crashed"),
            ("bug-in-the-end.pdf", "worker_crashed"),
            ("hog-at-open.pdf", "out_of_memory"),
        ],
    )
    def test_a_file_that_cannot_be_read_is_refused_by_its_code(
        self, contract: Batch, name: str, code: str
    ) -> None:
        outcome = contract[name]
        assert (outcome.code, outcome.artifact) == (code, None)
        assert outcome.message

    def test_the_files_after_a_bad_one_are_read(self, contract: Batch) -> None:
        assert statuses(contract["last.pdf"]) == ["ok"]

    def test_a_page_that_the_reader_fails_on_costs_that_page(self, contract: Batch) -> None:
        outcome = contract["bug-on-page.pdf"]
        assert statuses(outcome) == ["ok", "failed", "ok"]
        assert outcome.artifact is not None
        (warning,) = outcome.artifact.pages[1].warnings
        assert warning.detail == "the reader failed on it: ZeroDivisionError"

    def test_a_page_that_takes_too_much_memory_costs_that_page(self, contract: Batch) -> None:
        assert statuses(contract["hog-on-page.pdf"]) == ["ok", "ok", "failed"]

    def test_a_table_finder_that_fails_costs_the_tables_of_its_page(self, contract: Batch) -> None:
        """The text stays, and the page says that its tables are missing."""
        whole, bare = contract["table.pdf"].artifact, contract["bug-in-tables.pdf"].artifact
        assert whole is not None
        assert bare is not None
        assert whole.pages[0].tables
        assert not bare.pages[0].tables
        assert bare.pages[0].text == whole.pages[0].text
        assert "tables_timed_out" in bare.warning_codes()


def test_both_executors_read_the_same(tmp_path: Path) -> None:
    """Document fingerprints do not depend on where a file was read."""
    rules = Rules(reader=READER)
    files = {"a.pdf": TABLE, "b.pdf": odd(PAGES, "bug", 1, "text")}
    serial = Batch().run(SerialExecutor(rules), tmp_path, dict(files))
    processes = Batch().run(ProcessExecutor(1, rules), tmp_path, dict(files))
    for name in files:
        one, other = serial[name].artifact, processes[name].artifact
        assert one is not None
        assert other is not None
        assert one.document_fingerprint == other.document_fingerprint


DEADLY: dict[str, bytes | None] = {
    "before.pdf": PAGES,
    "crash-at-open.pdf": odd(PAGES, "crash"),
    "crash-on-page.pdf": odd(PAGES, "crash", 1, "text"),
    "crash-in-tables.pdf": odd(TABLE, "crash", 0, "tables"),
    "crash-on-two-pages.pdf": odd(odd(PAGES, "crash", 0, "text"), "crash", 2, "text"),
    "killed-on-page.pdf": odd(PAGES, "killed", 0, "text"),
    "killed-at-open.pdf": odd(PAGES, "killed"),
    "spin-on-page.pdf": odd(PAGES, "spin", 2, "text"),
    "spin-at-open.pdf": odd(PAGES, "spin"),
    "large-page.pdf": odd(PAGES, "large", 1, "text"),
    "sleep.pdf": odd(PAGES, "sleep", 1, "text"),
    "after.pdf": plain(["Still read"]),
}


@pytest.fixture(scope="module")
def deadly(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    rules = Rules(reader=READER, page_seconds=0.5, memory_bytes=256 * MIB)
    executor = ProcessExecutor(2, rules, timeout=2.5)
    return Batch().run(executor, tmp_path_factory.mktemp("deadly"), DEADLY)


class TestProcessExecutor:
    """What only child processes can promise: a death costs a page or a file, never the run."""

    def test_a_crash_before_the_first_page_refuses_the_file(self, deadly: Batch) -> None:
        outcome = deadly["crash-at-open.pdf"]
        assert outcome.code == "worker_crashed"
        assert "SIGSEGV" in outcome.message

    def test_a_crash_on_a_page_costs_that_page_and_says_why(self, deadly: Batch) -> None:
        outcome = deadly["crash-on-page.pdf"]
        assert statuses(outcome) == ["ok", "failed", "ok"]
        assert outcome.artifact is not None
        (warning,) = outcome.artifact.pages[1].warnings
        assert warning.detail == "the reader crashed (SIGSEGV)"

    def test_several_pages_may_be_lost(self, deadly: Batch) -> None:
        assert statuses(deadly["crash-on-two-pages.pdf"]) == ["failed", "ok", "failed"]

    def test_a_crash_in_the_table_finder_costs_the_tables(self, deadly: Batch) -> None:
        outcome = deadly["crash-in-tables.pdf"]
        assert statuses(outcome) == ["ok"]
        assert outcome.artifact is not None
        assert outcome.artifact.pages[0].text

    def test_a_kill_by_the_system_counts_as_want_of_memory(self, deadly: Batch) -> None:
        assert deadly["killed-at-open.pdf"].code == "out_of_memory"
        assert statuses(deadly["killed-on-page.pdf"]) == ["failed", "ok", "ok"]

    def test_a_page_beyond_the_memory_limit_costs_that_page(self, deadly: Batch) -> None:
        outcome = deadly["large-page.pdf"]
        assert statuses(outcome) == ["ok", "failed", "ok"]
        assert outcome.artifact is not None
        (warning,) = outcome.artifact.pages[1].warnings
        assert warning.detail == "it took more memory than allowed"

    def test_a_page_that_never_ends_costs_that_page(self, deadly: Batch) -> None:
        assert statuses(deadly["spin-on-page.pdf"]) == ["ok", "ok", "failed"]

    def test_an_opening_that_never_ends_is_timed_out(self, deadly: Batch) -> None:
        outcome = deadly["spin-at-open.pdf"]
        assert outcome.code == "timed_out"
        assert "while the file was opened" in outcome.message

    def test_the_time_of_the_whole_file_is_final(self, deadly: Batch) -> None:
        """Waiting takes no CPU time, so only the file's own limit ends it; nothing is retried."""
        outcome = deadly["sleep.pdf"]
        assert outcome.code == "timed_out"
        assert "2.5 s" in outcome.message
        assert "page 2" in outcome.message
        assert outcome.seconds == pytest.approx(2.5, abs=1.5)

    def test_the_files_around_the_deaths_are_read(self, deadly: Batch) -> None:
        assert statuses(deadly["before.pdf"]) == ["ok", "ok", "ok"]
        assert statuses(deadly["after.pdf"]) == ["ok"]


def test_a_file_that_dies_on_ever_more_pages_is_refused(tmp_path: Path) -> None:
    """Eight pages are given up, then the file is."""
    pages = plain(*[[f"Page {number}"] for number in range(MAX_RETRIES + 2)])
    batch = Batch().run(
        SerialExecutor(Rules(reader=READER)), tmp_path, {"a.pdf": odd(pages, "bug", -2, "text")}
    )
    # Every page fails once it is reached, so the ninth is one too many.
    assert batch["a.pdf"].code == "worker_crashed"
    assert "8 other attempts" in batch["a.pdf"].message


def test_closing_the_outcomes_stops_the_children(tmp_path: Path) -> None:
    """A consumer that gives up does not wait for files that take for ever."""
    (tmp_path / "a.pdf").write_bytes(PAGES)
    (tmp_path / "b.pdf").write_bytes(odd(PAGES, "sleep"))
    executor = ProcessExecutor(2, Rules(reader=READER))
    outcomes = executor.run(Job(str(tmp_path / name)) for name in ("a.pdf", "b.pdf"))
    assert next(outcomes).artifact is not None
    outcomes.close()


def test_a_reader_that_cannot_be_loaded_refuses_files_and_not_the_run(tmp_path: Path) -> None:
    rules = Rules(reader="no_such_module:read")
    batch = Batch().run(ProcessExecutor(1, rules), tmp_path, {"a.pdf": PAGES})
    assert batch["a.pdf"].code == "worker_crashed"
    assert "no_such_module" in batch["a.pdf"].message


class TestPoolFailures:
    """The pool itself may forget a file or break down; that costs time and no file."""

    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(executors, "_TICK", 0.05)

    def failing(
        self, monkeypatch: pytest.MonkeyPatch, submit: Callable[[Any, int], Future[Any]], times: int
    ) -> None:
        """Lets the first submissions of a session come to what `submit` gives."""
        real, calls = executors._Session._submit, 0

        def instead(session: Any, file: Any, slot: int) -> Future[Any]:
            nonlocal calls
            calls += 1
            return submit(session, slot) if calls <= times else real(session, file, slot)

        monkeypatch.setattr(executors._Session, "_submit", instead)

    def test_a_file_whose_child_vanished_unnoticed_is_tried_again_without_the_page(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone = subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()

        def vanished(session: Any, slot: int) -> Future[Any]:
            session.pool = executors._new_pool(session.executor)
            session.places.write(slot, Place(gone.pid, 1.0, 1, "text"))
            return Future()

        self.failing(monkeypatch, vanished, 1)
        batch = Batch().run(ProcessExecutor(1, Rules()), tmp_path, {"a.pdf": PAGES})
        assert statuses(batch["a.pdf"]) == ["ok", "failed", "ok"]

    def broken(self, session: Any, slot: int) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("all workers expired"))
        return future

    def test_a_pool_that_breaks_down_is_replaced(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.failing(monkeypatch, self.broken, 2)
        files: dict[str, bytes | None] = {"a.pdf": PAGES, "b.pdf": TABLE}
        batch = Batch().run(ProcessExecutor(1, Rules()), tmp_path, files)
        assert statuses(batch["a.pdf"]) == ["ok", "ok", "ok"]
        assert statuses(batch["b.pdf"]) == ["ok"]

    def test_when_no_pool_works_files_are_refused_and_the_run_ends(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.failing(monkeypatch, self.broken, 1000)
        batch = Batch().run(ProcessExecutor(1, Rules()), tmp_path, {"a.pdf": PAGES})
        assert batch["a.pdf"].code == "worker_crashed"
        assert batch["a.pdf"].message == "no worker process stays alive"


class TestWithout:
    """What the next attempt leaves out after a death."""

    def test_a_death_on_text_leaves_out_the_page(self) -> None:
        faults = without(Faults(), Place(page=3, stage="text"), "it crashed")
        assert faults == Faults({3: "it crashed"})

    def test_a_death_on_tables_leaves_out_the_tables(self) -> None:
        assert without(Faults(), Place(page=3, stage="tables"), "") == Faults({}, frozenset({3}))

    @pytest.mark.parametrize("stage", ["open", "document"])
    def test_a_death_outside_of_pages_leaves_nothing_to_try(self, stage: str) -> None:
        assert without(Faults(), Place(stage=stage), "") is None

    def test_a_page_that_is_left_out_already_cannot_be_left_out_again(self) -> None:
        place = Place(page=3, stage="text")
        assert without(Faults({3: "it crashed"}), place, "") is None


def test_places_are_read_as_another_process_wrote_them(tmp_path: Path) -> None:
    path = str(tmp_path / "places")
    parent, child = Places(path, 2), Places(path)
    place = Place(pid=7, started=12.5, page=4, stage="tables")
    child.write(1, place)
    assert parent.read(0) == Place()
    assert parent.read(1) == place
    parent.close()
    child.close()
