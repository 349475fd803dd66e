"""An ingestion run: what each file becomes in the store."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from drawn import (
    empty_file,
    html_named_pdf,
    plain,
    r21_original,
    r21_resaved,
    r21_twin,
    ruled_table,
    truncated_file,
)
from odd_readers import odd
from pdf_writer import Pdf

from grounding.errors import StoreBusyError, UsageError
from grounding.fingerprint import fingerprint_bytes
from grounding.store import StoreReader, StoreWriter
from ingest.executors import Executor, Job, Outcome, ProcessExecutor, SerialExecutor
from ingest.pipeline import FileResult, IngestOptions, IngestSummary, ingest
from ingest.worker import Rules

READER = "odd_readers:read"


def picture(gray: float) -> bytes:
    """A page that shows a gray area and no text."""
    pdf = Pdf()
    pdf.page().rect(72, 72, 400, 600, (gray, gray, gray))
    return pdf.to_bytes()


@dataclass
class Counting:
    """A serial executor that notes the names of the files it was asked to read."""

    rules: Rules
    read: list[str] = field(default_factory=list)

    def run(self, jobs: Iterable[Job]) -> Generator[Outcome, None, None]:
        def noted() -> Iterator[Job]:
            for job in jobs:
                self.read.append(Path(job.path).name)
                yield job

        yield from SerialExecutor(self.rules).run(noted())


@dataclass
class Desk:
    """A folder with files and a store, and runs over them."""

    folder: Path
    read: list[str] = field(default_factory=list)
    summary: IngestSummary = field(default_factory=IngestSummary)

    @property
    def db(self) -> Path:
        return self.folder / "grounding.db"

    def put(self, **files: bytes) -> None:
        for name, data in files.items():
            (self.folder / f"{name}.pdf").write_bytes(data)

    def ingest(self, *names: str, **options: Any) -> list[FileResult]:
        """Runs over the named files, or over the folder; `read` tells which were read."""
        rules = options.pop("rules", Rules(reader=READER))
        executor = Counting(rules)
        results: list[FileResult] = []
        paths = [str(self.folder / f"{name}.pdf") for name in names] or [str(self.folder)]
        self.summary = ingest(
            paths, self.db, IngestOptions(rules=rules, **options), results.append, executor=executor
        )
        self.read = executor.read
        return results

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.db)) as connection:
            return connection.execute(sql).fetchall()

    def versions(self) -> list[tuple[str, int, bool]]:
        with StoreReader(self.db) as store:
            return [(row.source_id, row.version, row.current) for row in store.sources()]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def status_of(results: list[FileResult]) -> list[str]:
    return [result.status for result in results]


class TestNewFiles:
    def test_a_new_file_is_stored_with_its_identity_and_counts(self, desk: Desk) -> None:
        data = ruled_table()
        desk.put(table=data)
        (result,) = desk.ingest("table")
        fingerprint = fingerprint_bytes(data)
        assert result.status == "stored"
        assert result.path == str(desk.folder / "table.pdf")
        assert result.source_id == "table"
        assert (result.source_fingerprint, result.blake3) == (
            fingerprint.sha256,
            fingerprint.blake3,
        )
        assert (result.pages, result.tables) == (1, 1)
        assert result.elements > 0
        assert result.spans > 0
        assert result.error is None

    def test_the_fields_are_those_of_the_contract_in_their_order(self, desk: Desk) -> None:
        desk.put(a=plain(["Words"]))
        (result,) = desk.ingest("a")
        assert list(result.as_dict()) == [
            "path", "source_id", "document_fingerprint", "source_fingerprint", "blake3", "status",
            "pages", "elements", "spans", "tables", "warnings", "error", "seconds",
        ]  # fmt: skip

    def test_a_file_with_a_lost_page_is_partial_and_says_so(self, desk: Desk) -> None:
        desk.put(cut=truncated_file())
        (result,) = desk.ingest("cut")
        assert result.status == "partial"
        assert "partial_parse" in result.warnings

    def test_tables_can_be_left_out(self, desk: Desk) -> None:
        desk.put(table=ruled_table())
        (result,) = desk.ingest("table", rules=Rules(tables="off"))
        assert (result.status, result.tables) == ("stored", 0)

    def test_two_files_of_one_name_become_two_sources(self, desk: Desk) -> None:
        (desk.folder / "sub").mkdir()
        desk.put(a=plain(["One"]), **{"sub/a": plain(["Two"])})
        first, second = desk.ingest("a", "sub/a")
        assert first.source_id == "a"
        assert second.source_id is not None
        assert second.source_id.startswith("a-")

    def test_a_name_that_is_no_utf_8_is_stored_and_found_again(self, desk: Desk) -> None:
        path = os.fsencode(desk.folder) + b"/caf\xe9.pdf"
        with open(path, "wb") as file:
            file.write(plain(["Words"]))
        assert status_of(desk.ingest()) == ["stored"]
        assert status_of(desk.ingest()) == ["unchanged"]


class TestKnownFiles:
    def test_unchanged_bytes_are_not_read_again(self, desk: Desk) -> None:
        desk.put(a=plain(["Words"]))
        (before,) = desk.ingest("a")
        (after,) = desk.ingest("a")
        assert after.status == "unchanged"
        assert desk.read == []
        assert after.document_fingerprint == before.document_fingerprint
        assert (after.pages, after.spans) == (before.pages, before.spans)

    def test_a_partial_document_is_unchanged_too(self, desk: Desk) -> None:
        desk.put(cut=truncated_file())
        desk.ingest("cut")
        assert status_of(desk.ingest("cut")) == ["unchanged"]
        assert desk.read == []

    def test_the_same_bytes_under_another_name_are_an_alias_and_not_read(self, desk: Desk) -> None:
        desk.put(a=plain(["Words"]))
        (first,) = desk.ingest("a")
        desk.put(b=plain(["Words"]))
        (second,) = desk.ingest("b")
        assert (second.status, second.source_id) == ("alias", "a")
        assert second.document_fingerprint == first.document_fingerprint
        assert desk.read == []
        assert status_of(desk.ingest("b")) == ["unchanged"]

    def test_a_resave_of_the_same_content_is_an_alias_with_its_own_fingerprint(
        self, desk: Desk
    ) -> None:
        desk.put(a=r21_original(), b=r21_resaved())
        first, second = desk.ingest("a", "b")
        assert (first.status, second.status) == ("stored", "alias")
        assert second.document_fingerprint == first.document_fingerprint
        assert second.source_fingerprint == fingerprint_bytes(r21_resaved()).sha256
        assert status_of(desk.ingest("b")) == ["unchanged"]
        assert desk.read == []

    def test_a_resave_in_place_is_no_new_version(self, desk: Desk) -> None:
        desk.put(a=r21_original())
        desk.ingest("a")
        desk.put(a=r21_resaved())
        assert status_of(desk.ingest("a")) == ["alias"]
        assert desk.versions() == [("a", 1, True)]

    def test_a_twin_that_differs_in_one_digit_is_a_document_of_its_own(self, desk: Desk) -> None:
        desk.put(a=r21_original(), b=r21_twin())
        first, second = desk.ingest("a", "b")
        assert status_of([first, second]) == ["stored", "stored"]
        assert first.document_fingerprint != second.document_fingerprint

    def test_two_scans_without_text_are_never_taken_for_the_same(self, desk: Desk) -> None:
        """Their pages are equal as far as can be read, which is not far."""
        desk.put(a=picture(0.2), b=picture(0.7))
        assert status_of(desk.ingest("a", "b")) == ["stored", "stored"]

    def test_changed_bytes_are_a_new_version_of_the_same_source(self, desk: Desk) -> None:
        desk.put(a=r21_original())
        desk.ingest("a")
        desk.put(a=r21_twin())
        (result,) = desk.ingest("a")
        assert (result.status, result.source_id) == ("stored", "a")
        assert desk.versions() == [("a", 1, False), ("a", 2, True)]

    def test_going_back_to_earlier_bytes_makes_them_current_without_reading(
        self, desk: Desk
    ) -> None:
        for data in (r21_original(), r21_twin(), r21_original()):
            desk.put(a=data)
            (result,) = desk.ingest("a")
        assert (result.status, result.source_id) == ("alias", "a")
        assert desk.read == []
        assert desk.versions() == [("a", 1, False), ("a", 2, False), ("a", 3, True)]

    def test_reparse_reads_known_bytes_and_finds_the_same_document(self, desk: Desk) -> None:
        desk.put(a=plain(["Words"]))
        (before,) = desk.ingest("a")
        (after,) = desk.ingest("a", reparse=True)
        assert desk.read == ["a.pdf"]
        assert after.status == "unchanged"
        assert after.document_fingerprint == before.document_fingerprint

    def test_asking_for_tables_later_reads_the_file_again(self, desk: Desk) -> None:
        """The table option is part of what a document is; its old version stays."""
        desk.put(table=ruled_table())
        desk.ingest("table", rules=Rules(tables="off"))
        (result,) = desk.ingest("table")
        assert (result.status, result.tables) == ("stored", 1)
        assert desk.versions() == [("table", 1, False), ("table", 2, True)]


class TestOneRun:
    def test_copies_among_new_files_are_read_once(self, desk: Desk) -> None:
        data = plain(["Words"])
        desk.put(a=data, b=data, c=data)
        assert status_of(desk.ingest()) == ["stored", "alias", "alias"]
        assert desk.read == ["a.pdf"]

    def test_copies_of_a_bad_file_are_refused_alike_and_read_once(self, desk: Desk) -> None:
        desk.put(a=html_named_pdf(), b=html_named_pdf())
        first, second = desk.ingest()
        assert first.error == second.error
        assert first.error is not None
        assert first.error["code"] == "not_a_pdf"
        assert desk.read == ["a.pdf"]

    def test_a_bad_file_does_not_stop_the_run_and_keeps_its_fingerprints(self, desk: Desk) -> None:
        desk.put(a=plain(["One"]), b=empty_file(), c=odd(plain(["x"]), "bug"), d=plain(["Two"]))
        results = desk.ingest()
        assert status_of(results) == ["stored", "refused", "refused", "stored"]
        assert results[1].source_fingerprint == fingerprint_bytes(b"").sha256
        assert results[1].document_fingerprint is None
        assert results[1].error == {"code": "empty_file", "message": "the file has no bytes"}
        assert (results[1].pages, results[1].warnings) == (0, ())

    def test_a_missing_file_is_refused_without_fingerprints(self, desk: Desk) -> None:
        (result,) = desk.ingest("nowhere")
        assert result.error is not None
        assert result.error["code"] == "file_not_found"
        assert result.source_fingerprint is None

    def test_a_pipe_is_not_waited_for(self, desk: Desk) -> None:
        os.mkfifo(desk.folder / "pipe.pdf")
        (result,) = desk.ingest("pipe")
        assert result.error is not None
        assert result.error["code"] == "file_not_found"

    def test_a_file_over_the_limit_is_refused_unread_with_its_fingerprints(
        self, desk: Desk
    ) -> None:
        data = plain(["Words"])
        desk.put(a=data)
        (result,) = desk.ingest("a", rules=Rules(max_bytes=len(data) - 1))
        assert result.error is not None
        assert result.error["code"] == "too_large"
        assert result.source_fingerprint == fingerprint_bytes(data).sha256
        assert desk.read == []

    def test_the_ledger_has_one_row_a_file_under_one_run(self, desk: Desk) -> None:
        desk.put(a=plain(["One"]), b=empty_file(), c=plain(["One"]))
        desk.ingest()
        rows = desk.rows("SELECT run, path, status, code, source_id FROM ingestions ORDER BY id")
        assert {row[0] for row in rows} == {desk.summary.run}
        assert [(Path(row[1]).name, *row[2:]) for row in rows] == [
            ("a.pdf", "stored", None, "a"),
            ("b.pdf", "refused", "empty_file", None),
            ("c.pdf", "alias", None, "a"),
        ]

    def test_the_summary_counts_files_and_the_pages_read(self, desk: Desk) -> None:
        desk.put(a=plain(["One"], ["Two"]), b=empty_file(), c=plain(["One"], ["Two"]))
        desk.ingest()
        assert desk.summary.counts == {"stored": 1, "refused": 1, "alias": 1}
        assert (desk.summary.pages, desk.summary.refused) == (2, 1)


class TestSourceId:
    def test_a_file_becomes_a_version_of_the_named_source(self, desk: Desk) -> None:
        desk.put(old=r21_original(), new=r21_twin())
        desk.ingest("old", source_id="water-report")
        (result,) = desk.ingest("new", source_id="water-report")
        assert (result.status, result.source_id) == ("stored", "water-report")
        assert desk.versions() == [("water-report", 1, False), ("water-report", 2, True)]

    def test_known_bytes_become_a_version_without_reading(self, desk: Desk) -> None:
        desk.put(a=plain(["Words"]))
        desk.ingest("a")
        (result,) = desk.ingest("a", source_id="other")
        assert (result.status, result.source_id) == ("alias", "other")
        assert desk.read == []
        assert desk.versions() == [("a", 1, True), ("other", 1, True)]

    @pytest.mark.parametrize(
        ("names", "source_id"), [(["a", "b"], "x"), ([], "x"), (["a"], "no spaces")]
    )
    def test_it_is_refused_for_several_files_or_an_unusable_id(
        self, desk: Desk, names: list[str], source_id: str
    ) -> None:
        desk.put(a=plain(["One"]), b=plain(["Two"]))
        with pytest.raises(UsageError):
            desk.ingest(*names, source_id=source_id)
        assert not desk.db.exists()


class TestEndings:
    def interrupted_after(self, files: int) -> Callable[[FileResult], None]:
        seen: list[FileResult] = []

        def on_outcome(result: FileResult) -> None:
            seen.append(result)
            if len(seen) == files:
                raise KeyboardInterrupt

        return on_outcome

    def test_after_an_interruption_the_next_run_goes_on(self, desk: Desk) -> None:
        desk.put(**{f"f{n}": plain([f"File {n}"]) for n in range(5)})
        rules = Rules(reader=READER)
        with pytest.raises(KeyboardInterrupt):
            ingest(
                [str(desk.folder)],
                desk.db,
                IngestOptions(rules=rules),
                self.interrupted_after(2),
                executor=SerialExecutor(rules),
            )
        assert status_of(desk.ingest()) == ["unchanged"] * 2 + ["stored"] * 3

    def test_an_interruption_while_a_document_is_stored_leaves_nothing_of_it(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        desk.put(a=plain(["Words"]))
        with monkeypatch.context() as patch:
            patch.setattr(StoreWriter, "record", interrupt)
            with pytest.raises(KeyboardInterrupt):
                desk.ingest("a")
        assert desk.rows("SELECT count(*) FROM documents, ingestions") == [(0,)]
        assert status_of(desk.ingest("a")) == ["stored"]

    def test_a_store_that_fails_ends_the_run(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def busy(*_: object) -> None:
            raise StoreBusyError("another process writes")

        desk.put(a=plain(["Words"]))
        monkeypatch.setattr(StoreWriter, "record", busy)
        with pytest.raises(StoreBusyError):
            desk.ingest("a")


_OPERATIONAL = {"ingestions", "locations", "_sqlite_migrations"}


def contents(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of a store but those that know paths and times."""
    with closing(sqlite3.connect(db)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = [name for (name,) in names if name not in _OPERATIONAL]
        return {
            name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall()) for name in tables
        }


def test_the_store_does_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    """Not even when a slow file stands before its copies, and a page crashes the reader."""
    folder = tmp_path / "files"
    folder.mkdir()
    slow = plain(*[[f"Line {line} of page {page}" for line in range(40)] for page in range(30)])
    files = {
        "a": slow,
        "b": plain(["Short"]),
        "c": odd(plain(["One"], ["Two"]), "crash", 1, "text"),
        "d": slow,
        "e": r21_original(),
        "f": r21_resaved(),
        "g": ruled_table(),
        "h": empty_file(),
    }
    for name, data in files.items():
        (folder / f"{name}.pdf").write_bytes(data)
    rules = Rules(reader=READER)

    def run(jobs: int) -> tuple[list[dict[str, Any]], dict[str, list[tuple[Any, ...]]]]:
        results: list[dict[str, Any]] = []
        executor: Executor = ProcessExecutor(jobs, rules)
        db = tmp_path / f"{jobs}.db"
        ingest(
            [str(folder)],
            db,
            IngestOptions(rules=rules),
            lambda result: results.append({**result.as_dict(), "seconds": 0}),
            executor=executor,
        )
        return results, contents(db)

    one, three = run(1), run(3)
    assert [row["status"] for row in one[0]] == [
        "stored", "stored", "partial", "alias", "stored", "alias", "stored", "refused",
    ]  # fmt: skip
    assert one == three
