"""The source map: edited whole or not at all, with a history that nothing rewrites."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain
from reading import Shelf

from grounding.errors import DocumentNotFoundError, UsageError
from grounding.store import OPERATOR, Access, StoreReader, StoreWriter
from grounding.store.map_history import history
from grounding.store.source_map import export_map, import_map, map_identity, read_map, set_source

DAWN = "The works began at dawn."


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        shelf.put(plain([DAWN]), "dawn.pdf")
        yield shelf


def set_(shelf: Shelf, source_id: str = "dawn", **changes: Any) -> bool:
    with StoreWriter(shelf.path) as writer:
        return set_source(writer, source_id, **changes)


def entry(shelf: Shelf, source_id: str = "dawn") -> dict[str, Any]:
    with StoreReader(shelf.path, OPERATOR) as reader:
        return {one.entry.id: one.entry.as_dict() for one in read_map(reader)}[source_id]


class TestEditing:
    def test_what_is_ingested_is_approved_for_all(self, shelf: Shelf) -> None:
        assert entry(shelf) == {
            "id": "dawn", "name": "dawn.pdf", "status": "approved", "effective": "", "expires": "",
            "authority": "", "tenant": "", "permissions": [],
        }  # fmt: skip

    def test_a_change_is_told_once(self, shelf: Shelf) -> None:
        assert set_(shelf, status="draft", permissions=["b", "a", "b"])
        assert not set_(shelf, status="draft", permissions=["a", "b"])
        assert entry(shelf)["permissions"] == ["a", "b"]
        (change,) = history(shelf.reader)
        assert change.changed == {
            "permissions": {"from": [], "to": ["a", "b"]},
            "status": {"from": "approved", "to": "draft"},
        }

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"status": "fine"}, "status"),
            ({"effective": "2025-02-30"}, "effective"),
            ({"effective": "2025-1-1"}, "effective"),
            ({"effective": "2025-02-01", "expires": "2025-01-31"}, "after expires"),
            ({"tenant": "a b"}, "tenant"),
            ({"permissions": ["a", ""]}, "permissions"),
            ({"permissions": "a"}, "permissions"),
            ({"name": ""}, "name"),
            ({"name": "two\nlines"}, "name"),
            ({"colour": "red"}, "colour"),
            ({"authority": 5}, "authority"),
        ],
    )
    def test_what_cannot_be_is_refused_and_nothing_changes(
        self, shelf: Shelf, changes: dict[str, Any], words: str
    ) -> None:
        before = entry(shelf)
        with pytest.raises(UsageError, match=words):
            set_(shelf, **changes)
        assert entry(shelf) == before
        assert list(history(shelf.reader)) == []

    def test_a_source_that_is_not_there_is_declared_or_refused(self, shelf: Shelf) -> None:
        with pytest.raises(DocumentNotFoundError):
            set_(shelf, "dusk", tenant="acme")
        assert set_(shelf, "dusk", tenant="acme", declare=True)
        shelf.reader.__exit__(None, None, None)
        with StoreWriter(shelf.path):
            pass
        shelf.reader = StoreReader(shelf.path, Access("acme"))
        shelf.put(plain(["The works ended at dusk."]), "dusk.pdf")
        assert entry(shelf, "dusk")["tenant"] == "acme"  # ingestion never changes the map

    def test_a_file_is_taken_whole_or_not_at_all(self, shelf: Shelf) -> None:
        shelf.put(plain(["The works ended at dusk."]), "dusk.pdf")
        good = {"id": "dawn", "status": "withdrawn"}
        for bad, place in (
            ({"id": "dusk", "status": "fine"}, r"sources\.1: status"),
            ({"id": "noon", "status": "draft"}, r"sources\.1: there is no source 'noon'"),
            ({"id": "dawn"}, r"sources\.1\.id: 'dawn' is given twice"),
            ({"id": "dusk", "state": "draft"}, r"sources\.1: 'state'"),
            ({"status": "draft"}, r"sources\.1: a source"),
        ):
            data = json.dumps({"sources": [good, bad]}).encode()
            with (
                StoreWriter(shelf.path) as writer,
                pytest.raises((UsageError, DocumentNotFoundError), match=place),
            ):
                import_map(writer, data, ".json")
            assert entry(shelf)["status"] == "approved"
        assert list(history(shelf.reader)) == []

    @pytest.mark.parametrize(
        "data", [b"", b"[]", b"{}", b'{"sources": {}}', b"sources = 1", b"\xff"]
    )
    @pytest.mark.parametrize("suffix", [".json", ".toml", ".txt"])
    def test_what_is_no_map_is_refused(self, shelf: Shelf, data: bytes, suffix: str) -> None:
        with StoreWriter(shelf.path) as writer, pytest.raises(UsageError):
            import_map(writer, data, suffix)

    def test_toml_and_json_say_the_same(self, shelf: Shelf) -> None:
        toml = b'[[sources]]\nid = "dawn"\neffective = 2025-01-01\npermissions = ["b", "a"]\n'
        with StoreWriter(shelf.path) as writer:
            assert import_map(writer, toml, ".toml") == ["dawn"]
        with StoreReader(shelf.path, OPERATOR) as reader:
            exported = export_map(reader)
        with StoreWriter(shelf.path) as writer:
            assert import_map(writer, exported, ".json") == []


class TestHistory:
    def test_nothing_rewrites_it(self, shelf: Shelf) -> None:
        set_(shelf, status="draft")
        with StoreWriter(shelf.path) as writer:
            for sql in (
                "UPDATE source_map_history SET change = '{}'",
                "DELETE FROM source_map_history",
            ):
                with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                    writer.connection.execute(sql)

    def test_the_state_of_the_map_is_counted_and_hashed(self, shelf: Shelf) -> None:
        """Of stores in which nobody said anything it is the same, whatever they hold."""
        first = map_identity(shelf.reader)
        assert first["version"] == 0
        shelf.put(plain(["The works ended at dusk."]), "dusk.pdf")
        assert map_identity(shelf.reader) == first
        set_(shelf, status="draft")
        second = map_identity(shelf.reader)
        set_(shelf, status="approved")
        third = map_identity(shelf.reader)
        assert [one["version"] for one in (second, third)] == [1, 2]
        assert len({one["sha256"] for one in (first, second, third)}) == 3

    def test_two_processes_lose_no_change(self, shelf: Shelf) -> None:
        context = multiprocessing.get_context("spawn")
        workers = [context.Process(target=edit, args=(shelf.path, at)) for at in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
            assert worker.exitcode == 0
        changes = list(history(shelf.reader))
        assert [change.version for change in changes] == list(range(1, 21))
        values = ["", *(change.changed["authority"]["to"] for change in changes)]
        assert [change.changed["authority"]["from"] for change in changes] == values[:-1]


def edit(path: Path, who: int) -> None:
    """Ten changes of one source, each by a writer of its own."""
    for number in range(10):
        with StoreWriter(path) as writer:
            set_source(writer, "dawn", authority=f"{who}-{number}")
