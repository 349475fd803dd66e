"""The source map: edited whole or not at all, with a history that nothing rewrites."""

from __future__ import annotations

import json
import multiprocessing
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading import Shelf

from grounding.errors import DocumentNotFoundError, UsageError
from grounding.store import OPERATOR, Access, StoreReader, StoreWriter
from grounding.store.locations import SeenFile, note_renamed
from grounding.store.map_history import history
from grounding.store.source_map import export_map, import_map, map_identity, read_map, set_source

DAWN = "The works began at dawn."


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        shelf.put(plain([DAWN]), "dawn.pdf")
        yield shelf


def toml_of(sources: list[dict[str, Any]]) -> bytes:
    """A map as TOML; days are days where they can be."""
    lines = []
    for one in sources:
        lines.append("[[sources]]")
        for key, value in one.items():
            text = json.dumps(value)  # TOML's strings and lists of strings are JSON's
            if key in ("effective", "expires") and DAY.fullmatch(value):
                text = value
            lines.append(f"{key} = {text}")
    return "\n".join(lines if lines else ["sources = []"]).encode()


def json_of(sources: list[dict[str, Any]]) -> bytes:
    return json.dumps({"sources": sources}).encode()


DAY = re.compile(r"20\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])")
words_of = st.text("ab é.-", max_size=4)
days_of = st.sampled_from(("", "2025-01-31", "2026-12-31", "2025-02-30", "soon"))
sources_of = st.fixed_dictionaries(
    {"id": st.sampled_from(("dawn", "dusk", "a b", "noon", "night"))},
    optional={
        "name": words_of,
        "status": st.sampled_from(("draft", "approved", "superseded", "withdrawn", "fine")),
        "effective": days_of,
        "expires": days_of,
        "authority": words_of,
        "tenant": words_of,
        "permissions": st.lists(words_of, max_size=3),
    },
)


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

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(sources_of, max_size=4, unique_by=lambda one: one["id"]))
    def test_any_map_is_the_same_in_toml_in_json_and_exported(
        self, tmp_path_factory: pytest.TempPathFactory, sources: list[dict[str, Any]]
    ) -> None:
        """What one form refuses the other does too, with the same words."""
        ends = []
        for form, suffix in ((toml_of(sources), ".toml"), (json_of(sources), ".json")):
            path = tmp_path_factory.mktemp("map") / "grounding.db"
            with StoreWriter(path) as writer:
                try:
                    said: Any = import_map(writer, form, suffix, declare=True)
                except UsageError as error:
                    said = error.message
            with StoreReader(path, OPERATOR) as reader:
                changes = [c.as_dict() | {"at": ""} for c in history(reader)]
                ends.append((said, export_map(reader), changes))
            with StoreWriter(path) as writer:
                assert import_map(writer, ends[-1][1], ".json") == []
        assert ends[0] == ends[1]
        refused = isinstance(ends[0][0], str)
        assert len(ends[0][2]) == (0 if refused else len(sources))

    @pytest.mark.parametrize("suffix", [".json", ".toml"])
    def test_more_than_a_file_may_have_is_refused(
        self, shelf: Shelf, suffix: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in ("json_input", "store.map_file"):
            monkeypatch.setattr(f"grounding.{module}.MAX_INPUT_BYTES", 10)
        with StoreWriter(shelf.path) as writer, pytest.raises(UsageError, match="10 bytes"):
            import_map(writer, b"sources = []   ", suffix)

    def test_a_name_that_was_given_outlives_those_of_files(self, shelf: Shelf) -> None:
        set_(shelf, name="Rules of the works")
        shelf.put(plain(["The works ended at dusk."]), "dawn.pdf")
        with StoreWriter(shelf.path) as writer:
            seen = SeenFile("/drawn/renamed.pdf", 1, 1)
            note_renamed(writer, "/drawn/dawn.pdf", seen, "renamed.pdf")
        assert entry(shelf)["name"] == "Rules of the works"


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

    def test_what_passes_to_a_tenant_counts_for_nobody_else(self, shelf: Shelf) -> None:
        """Nor what was done to it while all shared it."""
        shelf.put(plain(["The works ended at dusk."]), "dusk.pdf")
        set_(shelf, "dusk", authority="Board")
        shared = map_identity(shelf.reader)
        set_(shelf, "dawn", authority="Board")
        set_(shelf, "dawn", tenant="acme")
        set_(shelf, "dawn", status="draft")
        assert map_identity(shelf.reader) == shared
        assert [c.version for c in history(shelf.reader)] == [1]
        for who in (Access("acme"), OPERATOR):
            with StoreReader(shelf.path, who) as reader:
                assert [c.version for c in history(reader)] == [1, 2, 3, 4]
                assert map_identity(reader)["version"] == 4

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
