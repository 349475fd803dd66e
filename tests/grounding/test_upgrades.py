"""Stores of an older version are brought up when they are opened, with all that they say."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from factories import letter

from grounding.fingerprint import SourceFingerprint, fingerprint_bytes
from grounding.store import OPERATOR, Access, StoreReader, StoreWriter
from grounding.store.integrity import check_store
from grounding.store.saved import save_report, saved_reports
from grounding.store.schema import MIGRATION_NAMES
from grounding.store.source_map import set_source

KEPT, LOST = fingerprint_bytes(b"a re-save"), fingerprint_bytes(b"a re-save that was replaced")


def report(source_id: str) -> dict[str, Any]:
    return {
        "request_sha256": "ab" * 32,
        "document": {"source_id": source_id, "name": f"{source_id}.pdf"},
        "checks": [{"id": "v0001", "claim": {"kind": "quote"}}],
    }


@pytest.fixture
def before_tenants(tmp_path: Path) -> Path:
    """A store as the version before m005 left it: two sources of one document, one of them of a
    tenant, re-saves of which one is at a path, and saved reports."""
    path = tmp_path / "grounding.db"
    made = letter("The works began.")
    with StoreWriter(path) as writer:
        writer.add_document(made, "/in/a.pdf", "a.pdf", "a")
        print_, sha256 = made.document_fingerprint, made.source.sha256
        writer.add_version(print_, "/in/b.pdf", "b.pdf", "b", sha256)
        writer.add_alias(print_, KEPT, "/in/saved.pdf", "saved.pdf", "b")
        writer.add_alias(print_, LOST, "/in/a.pdf", "a.pdf", "a")
        writer.add_version(print_, "/in/a.pdf", "a.pdf", "a", sha256)
        set_source(writer, "b", tenant="acme")
        for source in ("a", "b"):
            save_report(writer, report(source), "")
    raw = sqlite3.connect(path)
    raw.executescript(
        "CREATE TABLE former AS SELECT DISTINCT source_fingerprint, blake3, size, document_id"
        " FROM content_aliases; DROP TABLE content_aliases; DROP TABLE saved_for;"
        "CREATE TABLE content_aliases (source_fingerprint TEXT NOT NULL, blake3 TEXT NOT NULL,"
        " size INTEGER NOT NULL, document_id INTEGER NOT NULL REFERENCES documents (id),"
        " PRIMARY KEY (source_fingerprint, document_id)) WITHOUT ROWID;"
        "INSERT INTO content_aliases SELECT * FROM former; DROP TABLE former;"
        "CREATE INDEX content_aliases_blake3 ON content_aliases (blake3);"
        "CREATE INDEX content_aliases_document ON content_aliases (document_id);"
    )
    raw.execute("DELETE FROM _sqlite_migrations WHERE name = ?", (MIGRATION_NAMES[4],))
    raw.commit()
    raw.close()
    return path


def pinned(path: Path, pin: SourceFingerprint, *who: str) -> list[str]:
    """The sources that a fingerprint finds for a tenant."""
    with StoreReader(path, Access(*who)) as reader:
        return [key.source_id for key in reader._by_fingerprint(pin.sha256)]


def test_a_re_save_is_of_the_source_at_whose_path_it_is(before_tenants: Path) -> None:
    """Of one that is at no path any more nobody can tell: its citations stay valid for all."""
    assert pinned(before_tenants, KEPT) == []
    assert pinned(before_tenants, KEPT, "acme") == ["a", "b"]
    assert pinned(before_tenants, LOST) == ["a"]
    assert pinned(before_tenants, LOST, "acme") == ["a", "b"]
    assert check_store(before_tenants) == []


def test_saved_reports_are_for_those_whose_the_source_is(before_tenants: Path) -> None:
    for who, sources in ((Access(), ["a"]), (Access("acme"), ["a", "b"]), (OPERATOR, ["a", "b"])):
        with StoreReader(before_tenants, who) as reader:
            assert [one.source_id for one in saved_reports(reader)] == sources


def test_nothing_else_is_lost(before_tenants: Path) -> None:
    with StoreReader(before_tenants, OPERATOR) as reader:
        assert reader.open("a").page_text(1) == "The works began."
        assert [row.source_id for row in reader.sources()] == ["a", "b"]
        names = reader.rows("SELECT name FROM sqlite_master WHERE name LIKE '%former%'")
        assert names == []
