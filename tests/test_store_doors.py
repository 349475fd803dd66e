"""`forget`, `vacuum` and `check-store` from the command line."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from factories import letter

from grounding.store import StoreWriter
from pagewitness.cli import cli


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "grounding.db"
    with StoreWriter(path) as writer:
        writer.add_document(letter("The river rose."), "/in/a.pdf", "a.pdf", "a")
    return path


def call(db: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, [*arguments, "--db", str(db)])


def test_forget_asks_where_it_can_and_else_demands_a_yes(db: Path) -> None:
    refused = call(db, "forget", "a")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "error[usage]" in refused.stderr
    assert "--yes" in refused.stderr
    done = call(db, "forget", "a", "--yes", "--json", "--reason", "asked to")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["versions"] == 1
    gone = call(db, "show", "a")
    assert gone.exit_code == 2
    assert "error[document_not_found]" in gone.stderr
    assert "was forgotten" in gone.stderr


def test_vacuum_prints_sizes(db: Path) -> None:
    call(db, "forget", "a", "--yes")
    done = call(db, "vacuum", "--json")
    assert done.exit_code == 0
    data = json.loads(done.stdout)
    assert data["complete"] is True
    assert data["bytes_after"] == db.stat().st_size


def test_check_store_says_what_it_finds_and_repairs(db: Path) -> None:
    assert (call(db, "check-store", "--json").exit_code, call(db, "check-store").stdout) == (
        0,
        "0 finding(s)\n",
    )
    raw = sqlite3.connect(db)
    raw.execute("UPDATE documents SET span_count = 9")
    raw.commit()
    raw.close()
    found = call(db, "check-store", "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["code"] == "count_mismatch"
    repaired = call(db, "check-store", "--repair")
    assert repaired.exit_code == 0
    assert repaired.stdout.startswith("repaired[counted]: ")


@pytest.mark.parametrize("command", [["forget", "a", "--yes"], ["vacuum"], ["check-store"]])
def test_a_missing_store_is_not_made(tmp_path: Path, command: list[str]) -> None:
    missing = tmp_path / "none.db"
    done = call(missing, *command)
    assert done.exit_code == 2
    assert "error[store_not_found]" in done.stderr
    assert not missing.exists()
