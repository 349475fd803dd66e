"""Forgetting: the content is gone, from the file too; what happened stays explainable."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest
from factories import artifact, letter, page

from grounding.errors import DocumentNotFoundError, StoreBusyError
from grounding.store import OPERATOR, StoreReader, StoreWriter, connection
from grounding.store.forget import ReportPolicy, forget
from grounding.store.holder import holder, note_path
from grounding.store.integrity import check_store
from grounding.store.saved import save_report
from grounding.store.vacuum import vacuum
from grounding.store.writer import _PageInserter

SECRET = "Zanzibarqux"
SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Source a with two versions that name the secret, source b without it."""
    path = tmp_path / "grounding.db"
    with StoreWriter(path) as writer:
        for text in (f"{SECRET} rose.", f"{SECRET} fell."):
            writer.add_document(letter(text), "/in/a.pdf", "a.pdf", "a")
        writer.add_document(letter("Nothing to hide."), "/in/b.pdf", "b.pdf", "b")
    return path


def report(source_id: str, **check: Any) -> dict[str, Any]:
    return {
        "request_sha256": "ab" * 32,
        "document": {"source_id": source_id, "name": f"{source_id}.pdf"},
        "checks": [{"id": "v0001", "claim": {"kind": "quote", "text": "claimed"}, **check}],
    }


def in_files(path: Path, words: str = SECRET) -> bool:
    files = (path, path.with_name(f"{path.name}-wal"))
    data = b"".join(f.read_bytes() for f in files if f.exists()).lower()
    return words.lower().encode() in data


def forgotten(path: Path, policy: ReportPolicy = "redact") -> dict[str, Any]:
    with StoreWriter(path) as writer:
        return forget(writer, "a", reason="asked to", reports=policy).as_dict()


class TestForget:
    def test_every_version_goes_and_a_tombstone_each_stays(self, path: Path) -> None:
        with StoreReader(path, OPERATOR) as reader:
            pin = reader.open("a").identity.document_fingerprint
        done = forgotten(path)
        assert (done["versions"], len(done["removed"]), done["kept"]) == (2, 2, [])
        with StoreReader(path, OPERATOR) as reader:
            assert [row.source_id for row in reader.sources()] == ["b"]
            assert reader.search(SECRET.lower(), 5) == []
            for doc in ("a", pin):
                with pytest.raises(DocumentNotFoundError, match=r"was forgotten at .*: asked to"):
                    reader.find(doc)
            assert reader.tombstone("b") is None
        assert check_store(path) == []

    def test_after_a_vacuum_the_words_are_not_in_the_file(self, path: Path) -> None:
        assert in_files(path)
        forgotten(path)
        done = vacuum(path)
        assert done.complete
        assert not in_files(path)
        assert check_store(path) == []

    def test_a_document_of_another_source_too_keeps_its_content(self, path: Path) -> None:
        document = letter(f"{SECRET} fell.")
        with StoreWriter(path) as writer:
            print_, sha256 = document.document_fingerprint, document.source.sha256
            writer.add_version(print_, "/in/c.pdf", "c.pdf", "c", sha256)
        done = forgotten(path)
        assert (len(done["removed"]), done["kept"]) == (1, [print_])
        with StoreReader(path, OPERATOR) as reader:
            assert reader.open("c").page_text(1) == f"{SECRET} fell."
        assert check_store(path) == []

    def test_a_source_that_came_back_can_be_forgotten_again(self, path: Path) -> None:
        forgotten(path)
        with StoreWriter(path) as writer:
            writer.add_document(letter(f"{SECRET} again."), "/in/a.pdf", "a.pdf", "a")
        assert forgotten(path)["versions"] == 1
        assert check_store(path) == []

    def test_an_unknown_source_is_an_error_and_changes_nothing(self, path: Path) -> None:
        with StoreWriter(path) as writer, pytest.raises(DocumentNotFoundError):
            forget(writer, "nobody")

    def test_a_reader_keeps_its_snapshot_and_vacuum_says_so(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.1)
        with StoreReader(path, OPERATOR) as reader:
            with reader.snapshot():
                source = reader.open("a")
                forgotten(path)
                assert not vacuum(path).complete
                assert source.page_text(1) == f"{SECRET} fell."
            assert vacuum(path).complete
        assert not in_files(path)


class TestReports:
    CHECK: ClassVar[dict[str, Any]] = {
        "evidence": {"text": SECRET, "caption": SECRET, "row_labels": [SECRET], "page_number": 1},
        "context": {"before": SECRET, "match": SECRET, "after": SECRET},
        "nearest": {"text": SECRET, "similarity": 90, "differences": [{"source": SECRET}]},
        "match": {"folds": [], "occurrences": 1, "skipped": [{"text": SECRET}]},
        "quantities": {"source": {"written": SECRET}},
        "provenance": {"heading_path": [SECRET], "element_kind": "paragraph"},
    }

    def saved(self, path: Path) -> list[tuple[str, dict[str, Any]]]:
        raw = sqlite3.connect(path)
        rows = raw.execute("SELECT report_sha256, report FROM saved_reports ORDER BY id").fetchall()
        raw.close()
        return [(digest, json.loads(text)) for digest, text in rows]

    def keep(self, path: Path) -> str:
        with StoreWriter(path) as writer:
            elsewhere = [{"document": "a", "page": 1, "text": SECRET}]
            save_report(writer, report("b", found_elsewhere=elsewhere))
            return save_report(writer, report("a", **self.CHECK))

    def test_they_lose_the_text_and_keep_their_hash(self, path: Path) -> None:
        digest = self.keep(path)
        assert forgotten(path)["reports_redacted"] == 2
        other, own = self.saved(path)
        assert SECRET not in json.dumps([other, own])
        assert own[0] == own[1]["redacted"]["report_sha256"] == digest
        assert own[1]["checks"][0]["claim"]["text"] == "claimed"
        assert own[1]["checks"][0]["evidence"]["page_number"] == 1
        assert check_store(path) == []
        vacuum(path)
        assert not in_files(path)

    def test_they_can_be_kept_as_they_are(self, path: Path) -> None:
        self.keep(path)
        assert forgotten(path, "keep")["reports_kept"] == 1
        assert self.saved(path)[1][1]["checks"][0]["evidence"]["text"] == SECRET

    def test_they_can_be_deleted(self, path: Path) -> None:
        self.keep(path)
        assert forgotten(path, "delete")["reports_deleted"] == 1
        assert len(self.saved(path)) == 1
        assert SECRET not in json.dumps(self.saved(path))


def _write_slowly(path: Path, stop_at: int, ready: Path) -> None:
    """Stops in the middle of add_document, at a page."""
    insert = _PageInserter._page

    def page_or_stop(self: _PageInserter, number: int, *rest: Any) -> None:
        insert(self, number, *rest)
        if number == stop_at:
            ready.touch()
            time.sleep(60)

    _PageInserter._page = page_or_stop  # type: ignore[method-assign]
    with StoreWriter(path) as writer:
        pages = [page(f"New page {n}.") for n in range(1, 5)]
        writer.add_document(artifact(*pages, data=b"%PDF new"), "/in/a.pdf", "a.pdf", "a")


def _until(ready: Path) -> None:
    deadline = time.monotonic() + 20
    while not ready.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class TestProcesses:
    """J14: two writers, a reader, a kill."""

    @pytest.mark.parametrize("stop_at", [1, 4])
    def test_a_killed_writer_leaves_the_old_version_whole(
        self, path: Path, tmp_path: Path, stop_at: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Meanwhile a reader does not wait, and a second writer says who holds the store."""
        ready = tmp_path / "ready"
        child = SPAWN.Process(target=_write_slowly, args=(path, stop_at, ready))
        child.start()
        _until(ready)
        monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.2)
        with StoreReader(path, OPERATOR) as reader:
            assert reader.open("a").page_text(1) == f"{SECRET} fell."
        with pytest.raises(StoreBusyError, match=rf"process {child.pid} on .* since .*; waited"):
            forgotten(path)
        with pytest.raises(StoreBusyError):
            vacuum(path)
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join(10)
        assert note_path(path).exists()
        assert holder(path) is None
        with StoreReader(path, OPERATOR) as reader:
            assert reader.open("a").page_text(1) == f"{SECRET} fell."
        assert check_store(path) == []
        with StoreWriter(path) as writer:
            writer.add_document(letter("Newest."), "/in/a.pdf", "a.pdf", "a")
        assert not note_path(path).exists()
        assert check_store(path) == []

    def test_readers_see_whole_versions_while_two_writers_replace_a_document(
        self, path: Path
    ) -> None:
        """Every version's pages carry one number; a reader sees one number a snapshot."""
        writers = [SPAWN.Process(target=_replace, args=(path, n)) for n in (1, 2)]
        for writer in writers:
            writer.start()
        seen, longest = set(), 0.0
        while any(writer.is_alive() for writer in writers):
            started = time.monotonic()
            with StoreReader(path, OPERATOR) as reader, reader.snapshot():
                source = reader.open("a")
                said = {source.page_text(p.number).split()[0] for p in source.pages}
            longest = max(longest, time.monotonic() - started)
            assert len(said) == 1
            seen |= said
        assert [writer.exitcode for writer in writers] == [0, 0]
        assert len(seen) > 1
        assert longest < 5
        with StoreReader(path, OPERATOR) as reader:
            assert reader.find("a").version == 2 + 2 * 30
        assert check_store(path) == []


def _replace(path: Path, writer_number: int) -> None:
    with StoreWriter(path) as writer:
        for n in range(30):
            name = f"w{writer_number}v{n}"
            pages = [page(f"{name} page {p}.") for p in range(5)]
            made = artifact(*pages, data=name.encode())
            writer.add_document(made, "/in/a.pdf", "a.pdf", "a")
            time.sleep(0.01)
