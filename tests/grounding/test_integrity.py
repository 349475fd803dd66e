"""The store against itself: every changed value is found, and what follows is made again."""

from __future__ import annotations

import inspect
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import drawn
import drawn_grids
import drawn_tables
import pytest
from factories import artifact, letter, page, table
from reading import Shelf, read

from grounding.artifact import Artifact
from grounding.errors import PagewitnessError
from grounding.fingerprint import fingerprint_bytes
from grounding.model import DocumentWarning, ElementKind, TableSearch, WarningCode
from grounding.store import OPERATOR, StoreReader, StoreWriter
from grounding.store.findings import CODES, MOST_LISTED, Findings
from grounding.store.integrity import OPERATIONAL, PROVED_BY_FILES, check_store
from grounding.store.integrity_documents import DocumentHashes
from grounding.store.rebuilt import document_rows
from grounding.store.repair import repair_store
from grounding.store.saved import save_impacts, save_report

ROOT = Path(__file__).parents[2]
TEXT = "Item 2023\nSales 1,204\nCosts (310)"
ROWS = (("Item", "2023"), ("Sales", "1,204"), ("Costs", "(310)"))
NEXT, NEXT_ROWS = "Item 2023\nTaxes 55", (("Item", "2023"), ("Taxes", "55"))


def drawings(module: ModuleType) -> Iterator[tuple[str, bytes]]:
    for name, function in vars(module).items():
        if inspect.isfunction(function) and not name.startswith("_"):
            parameters = inspect.signature(function).parameters.values()
            if all(p.default is not p.empty for p in parameters):
                data = function()
                if isinstance(data, bytes):
                    yield name, data


def every_reading() -> Iterator[tuple[str, Artifact]]:
    """All samples and all drawn documents that can be read."""
    known = {path.name: path.read_bytes() for path in (ROOT / "sample_docs").glob("*.pdf")}
    for module in (drawn, drawn_grids, drawn_tables):
        known.update(drawings(module))
    for name, data in sorted(known.items()):
        try:
            yield name, read(data)
        except PagewitnessError:
            continue


def test_a_stored_document_has_the_fingerprints_that_it_was_read_with(tmp_path: Path) -> None:
    """All drawn documents and samples: one function hashes what was read and what is stored."""
    count = 0
    with Shelf(tmp_path) as shelf:
        for name, made in every_reading():
            key = shelf.put_artifact(made, f"{name.removesuffix('.pdf')}.pdf").key
            rows, found = document_rows(shelf.reader.rows, key.document_id), Findings()
            again = DocumentHashes(rows, found).computed()
            assert again is not None, name
            assert found.all() == [], name
            assert again.document_fingerprint == made.document_fingerprint, name
            assert again.content_fingerprint == made.content_fingerprint, name
            assert again.pages_sha256 == made.pages_sha256, name
            assert again.payload_sha256 == made.payload_sha256, name
            count += 1
        assert count > 40
        assert check_store(shelf.path) == []


def report() -> dict[str, Any]:
    return {
        "request_sha256": "ab" * 32,
        "document": {"source_id": "a", "name": "a.pdf"},
        "document_fingerprint": "sha256:" + "0" * 64,
        "checks": [{"id": "v0001", "claim": {"kind": "quote"}, "evidence": {"text": "Sales"}}],
    }


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A store with rows in every table: a table over two pages, warnings, an alias whose file is at
    hand, two sources, a saved report with an impact, a tombstone, a change of the map."""
    path, data = tmp_path / "grounding.db", b"%PDF-1.7 at hand"
    for name in ("a.pdf", "copy.pdf"):
        (tmp_path / name).write_bytes(data + name.encode())
    goes_on = table(NEXT, NEXT_ROWS)
    goes_on.continues = True
    first, second = (
        page(text, kinds={0: ElementKind.TABLE}, tables=[made], label=label)
        for text, made, label in ((TEXT, table(TEXT, ROWS), "i"), (NEXT, goes_on, "ii"))
    )
    first.elements[0].table = second.elements[0].table = 0
    first.searches = [TableSearch("ruled", 1, 1, "lines")]
    first.warnings = [DocumentWarning(WarningCode.GARBLED_TEXT, 0, "in part")]
    warned = [DocumentWarning(WarningCode.RECOVERED_FILE, 0, "rebuilt")]
    document = artifact(first, second, page("The end."), data=data + b"a.pdf", warnings=warned)
    with StoreWriter(path) as writer:
        writer.add_document(document, str(tmp_path / "a.pdf"), "a.pdf", "a")
        writer.add_alias(document.document_fingerprint, fingerprint_bytes(data + b"copy.pdf"),
                         str(tmp_path / "copy.pdf"), "copy.pdf", "a")  # fmt: skip
        writer.add_document(letter("Old text."), "/in/b.pdf", "b.pdf", "b")
        writer.add_document(letter("New text."), "/in/b.pdf", "b.pdf", "b")
        save_report(writer, report())
        item = {"check_id": "v0001", "document_fingerprint": "sha256:" + "1" * 64, "state": "gone"}
        save_impacts(writer, 1, [item])
        prints = ["sha256:" + "2" * 64, "sha256:" + "3" * 64, "blake3:" + "4" * 64]
        writer.connection.execute(
            "INSERT INTO tombstones VALUES ('gone', 1, ?, ?, ?, ?, '2026-01-01', '')",
            (*prints, prints[0]),
        )
    return path


def columns(path: Path) -> dict[str, list[str]]:
    """Every table of a store, those of the full-text index aside, with its columns."""
    raw = sqlite3.connect(path)
    names = raw.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'elements_fts%'"
        " AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    found = {name: [row[1] for row in raw.execute(f"PRAGMA table_info({name})")]
             for (name,) in names}  # fmt: skip
    raw.close()
    return found


def flipped(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    assert isinstance(value, str)
    if not value:
        return "x"
    at = len(value) // 2
    return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]


def with_change(path: Path, change: Callable[[sqlite3.Connection], object]) -> list[str]:
    """Codes that are found on a copy of a store after a change to it."""
    copy = path.with_name("copy.db")
    for name in (copy.name, f"{copy.name}-wal", f"{copy.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    source, target = sqlite3.connect(path), sqlite3.connect(copy)
    try:
        source.backup(target)
        target.execute("PRAGMA ignore_check_constraints = ON")
        change(target)
        target.commit()
    finally:
        source.close()
        target.close()
    return [finding.code for finding in check_store(copy)]


def flip(path: Path, name: str, column: str, row: int) -> list[str] | None:
    """Codes that are found when a value of one row is another one; None where SQLite itself does
    not let it be."""
    raw = sqlite3.connect(path)
    keys = [r[1] for r in raw.execute(f"PRAGMA table_info({name})") if r[5]] or ["rowid"]
    wanted = ", ".join([*keys, column])
    *key, value = raw.execute(f"SELECT {wanted} FROM {name} ORDER BY 1, 2").fetchall()[row]
    raw.close()
    where = " AND ".join(f"{k} = ?" for k in keys)
    sql = f"UPDATE {name} SET {column} = ? WHERE {where}"
    try:
        return with_change(path, lambda c: c.execute(sql, (flipped(value), *key)))
    except sqlite3.IntegrityError:
        return None


class TestChangedValues:
    """One value of one row at a time."""

    def test_every_table_has_a_row_to_change(self, full: Path) -> None:
        raw = sqlite3.connect(full)
        empty = {n for n in columns(full) if not raw.execute(f"SELECT 1 FROM {n}").fetchone()}
        raw.close()
        assert empty == {"ingestions", "source_map_history", "audit_events"}
        assert check_store(full) == []

    def test_every_changed_value_is_found(self, full: Path) -> None:
        """In every row of every table and column that is not operational."""
        missed, tried = set(), 0
        for name, its in columns(full).items():
            raw = sqlite3.connect(full)
            (rows,) = raw.execute(f"SELECT count(*) FROM {name}").fetchone()
            raw.close()
            for column in set(its) - OPERATIONAL.get(name, set()):
                for row in sorted({0, rows // 2, rows - 1}) if rows else ():
                    if name in PROVED_BY_FILES and column in PROVED_BY_FILES[name] and row:
                        continue  # only the first document's file is at hand
                    found = flip(full, name, column, row)
                    tried += found is not None
                    if found == []:
                        missed.add((name, column, row))
        assert missed == set()
        assert tried > 200

    @pytest.mark.parametrize(
        ("sql", "code"),
        [
            ("UPDATE elements_fts_docsize SET sz = x'7f' WHERE id = (SELECT max(id) FROM"
             " elements_fts_docsize)", "search_index_mismatch"),
            ("DELETE FROM elements_fts_docsize", "search_index_mismatch"),
            ("UPDATE elements_fts_data SET block = x'0101' WHERE id = 1", "search_index_mismatch"),
            ("UPDATE elements_fts_data SET block = x'ff' WHERE id > 10", "search_index_damaged"),
            ("DELETE FROM elements_fts_data WHERE id = 10", "search_index_damaged"),
            ("UPDATE elements_fts_config SET v = 99", "search_index_damaged"),
            ("INSERT INTO elements_fts (rowid, text) VALUES (99, 'word')", "search_index_mismatch"),
            ("DELETE FROM elements WHERE document_id = 2", "count_mismatch"),
            ("DELETE FROM pages WHERE number = 2", "numbering_broken"),
            ("DELETE FROM documents WHERE id = 2", "orphan_rows"),
            ("DELETE FROM versions WHERE source_id = 'b' AND version = 1",
             "version_numbering_broken"),
            ("DELETE FROM versions WHERE source_id = 'a'", "source_without_version"),
            ("UPDATE cells SET notes = '[ ]'", "value_not_canonical"),
            ("UPDATE table_parts SET trusted = 2", "table_structure_broken"),
            ("UPDATE pages SET frame = '[]'", "page_unreadable"),
            ("UPDATE pages SET text = CAST(x'ff' AS TEXT)", "database_damaged"),
            ("UPDATE documents SET blake3 = 'blake3:0'", "fingerprint_malformed"),
        ],
    )  # fmt: skip
    def test_a_broken_rule_has_its_code(self, full: Path, sql: str, code: str) -> None:
        assert code in with_change(full, lambda c: c.execute(sql))

    def test_a_forgotten_document_that_is_there_is_found_unless_it_was_ingested_again(
        self, full: Path
    ) -> None:
        back = (
            "INSERT INTO tombstones SELECT 'b', 9, document_fingerprint, source_fingerprint,"
            " blake3, content_fingerprint, '2026-01-01T00:00:00+00:00', '' FROM documents"
            " WHERE id = 3"
        )
        again = (
            "INSERT INTO ingestions (run, at, path, document_fingerprint, source_id, status,"
            " seconds) SELECT 'r', '2026-01-02T00:00:00+00:00', '', document_fingerprint, 'b',"
            " 'stored', 1 FROM documents WHERE id = 3"
        )
        assert with_change(full, lambda c: c.execute(back)) == ["forgotten_content_present"]
        assert with_change(full, lambda c: [c.execute(back), c.execute(again)]) == []

    def test_many_findings_of_one_code_are_counted(self) -> None:
        found = Findings()
        for n in range(MOST_LISTED + 5):
            found.add("box_outside_page", f"span {n}", "sha256:x", 1)
        listed = found.all()
        assert len(listed) == MOST_LISTED + 1
        assert listed[-1].detail == "5 more of these"
        with pytest.raises(KeyError):
            found.add("bad_weather", "it rains")


class TestRepair:
    """What follows from the rest is made again; what does not is left and still found."""

    @pytest.mark.parametrize(
        "sql",
        [
            "UPDATE documents SET table_count = 77, page_count = 0, status = 'partial'",
            "UPDATE documents SET content_fingerprint = blake3 WHERE id = 1",
            "UPDATE documents SET pages_sha256 = '', payload_sha256 = ''",
            "UPDATE tables SET rows = 50",
            "DELETE FROM elements_fts_docsize",
            "DELETE FROM elements_fts_data",
            "UPDATE elements_fts_config SET v = 99",
            "INSERT INTO warnings VALUES (99, 1, 0, 'garbled_text', '')",
        ],
    )
    def test_it_is_made_again_and_nothing_else_changes(self, full: Path, sql: str) -> None:
        whole = dump(full)
        raw = sqlite3.connect(full)
        raw.execute(sql)
        raw.commit()
        raw.close()
        found = check_store(full)
        assert found
        assert repair_store(full, found)
        assert check_store(full) == []
        assert dump(full) == whole
        with StoreReader(full, OPERATOR) as reader:
            assert [key.source_id for key, _ in reader.search("sales", 5)] == ["a"]

    def test_what_only_the_file_has_is_left(self, full: Path) -> None:
        raw = sqlite3.connect(full)
        raw.execute("UPDATE pages SET text = replace(text, 'Sales', 'Salts')")
        raw.commit()
        raw.close()
        repair_store(full, check_store(full))
        assert "page_fingerprint_mismatch" in {finding.code for finding in check_store(full)}


def dump(path: Path) -> list[str]:
    """A store's rows, those of the full-text index aside."""
    raw = sqlite3.connect(path)
    rows = [f"{name}: {row}" for name in columns(path)
            for row in raw.execute(f"SELECT * FROM {name}")]  # fmt: skip
    raw.close()
    return sorted(rows)


def test_a_hundred_pages_are_checked_in_less_than_three_seconds(tmp_path: Path) -> None:
    """About 3,000 characters a page, 48 lines."""
    lines = [f"Line {n} of this page says what the river did in {1900 + n}." for n in range(48)]
    pages = [page(*(f"{line} Page {n}." for line in lines)) for n in range(100)]
    path = tmp_path / "grounding.db"
    with StoreWriter(path) as writer:
        writer.add_document(artifact(*pages), "/in/a.pdf", "a.pdf", "a")
    started = time.monotonic()
    assert check_store(path) == []
    assert time.monotonic() - started < 3


def test_the_page_on_the_store_lists_exactly_the_codes() -> None:
    text = (ROOT / "docs" / "store.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_0-9]+)` \| (.*) \| (.*) \|$", text, re.M)
    assert {code: (meaning, remedy) for code, meaning, remedy in rows} == CODES


def test_a_check_reads_and_holds_nobody_up(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grounding.store import connection

    monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.0)
    with StoreWriter(full) as writer, writer.together():
        writer.add_document(letter("Not yet there."), "/in/c.pdf", "c.pdf", "c")
        assert check_store(full) == []
    assert json.dumps([f.as_dict() for f in check_store(full)]) == "[]"
