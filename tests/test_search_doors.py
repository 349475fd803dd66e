"""`search`, chunks and `context` on the command line: filters, refusals, access."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from drawn import plain
from drawn_pages import headings_and_lists
from reading import Shelf

from grounding.store import StoreWriter
from grounding.store.source_map import set_source
from pagewitness.cli import cli

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a store of dawn (two pages) and duties (headings and lists)."""
    monkeypatch.chdir(tmp_path)
    with Shelf(tmp_path) as shelf:
        shelf.put(plain(["The works began at dawn."], ["The crew left at dawn, too."]), "dawn.pdf")
        shelf.put(headings_and_lists(), "duties.pdf")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def pages(*arguments: str) -> list[int]:
    """Pages of the hits on "dawn"."""
    lines = call("search", "dawn", "--json", *arguments).stdout.splitlines()
    return sorted(json.loads(line)["citation"]["page"] for line in lines)


def test_filters_narrow_a_search(here: Path) -> None:
    assert pages() == [1, 2]
    assert pages("--page", "2") == [2]
    assert pages("--page", "1-2", "--document", "dawn.pdf") == [1, 2]
    assert pages("--page", "3-9") == pages("--document", "duties") == []
    assert pages("--kind", "paragraph", "--kind", "table") == [1, 2]
    assert pages("--kind", "heading") == []
    assert pages("--limit", "1") in ([1], [2])


@pytest.mark.parametrize("page", ["0", "x", "3-1", "-1", "1-", "1--2", "\u0661", ""])
def test_pages_that_are_none_are_a_wrong_call(here: Path, page: str) -> None:
    result = call("search", "dawn", "--page", page)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[usage]: ")


def test_a_query_that_cannot_be_read_is_a_wrong_call(here: Path) -> None:
    for command in ("search", "context"):
        result = call(command, 'the "dawn')
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error[usage]: the quotation mark at character 5 ")


def test_a_document_that_is_not_there_is_named(here: Path) -> None:
    result = call("search", "dawn", "--document", "dusk")
    assert result.exit_code == 2
    assert result.stderr.startswith("error[document_not_found]: ")


def test_chunk_options_are_for_chunks(here: Path) -> None:
    result = call("export", "dawn", "--format", "text", "--chunk-size", "5")
    assert (result.exit_code, result.stdout) == (2, "")
    whole = call("export", "duties", "--format", "chunks").stdout.splitlines()
    small = call("export", "duties", "--format", "chunks", "--chunk-size", "40",
                 "--chunk-unit", "characters").stdout.splitlines()  # fmt: skip
    wide = call("export", "duties", "--format", "chunks", "--across-headings").stdout.splitlines()
    assert len(wide) < len(whole) < len(small)
    assert all(len(json.loads(line)["text"]) <= 40 for line in small)


def test_what_may_not_be_read_is_not_found(here: Path) -> None:
    """Neither by a search nor by naming the document; with the label it is."""
    with StoreWriter(here / "grounding.db") as writer:
        set_source(writer, "dawn", permissions=["board"])
    assert pages() == []
    for arguments in (("search", "dawn", "--document", "dawn"), ("export", "dawn", "--format",
                      "chunks"), ("context", "dawn", "--document", "dawn")):  # fmt: skip
        result = call(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error[source_not_permitted]: ")
    assert "dawn," not in call("context", "dawn").stdout
    assert pages("--permission", "board") == [1, 2]
    Path("hits").write_text(call("search", "dawn", "--json", "--permission", "board").stdout)
    assert call("context", "--hits", "hits").exit_code == 2
    assert call("context", "--hits", "hits", "--permission", "board").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [("search", "the", "--json"), ("export", "duties", "--format", "chunks"),
     ("context", "the", "--format", "map")],
)  # fmt: skip
def test_the_same_store_gives_the_same_bytes(here: Path, arguments: tuple[str, ...]) -> None:
    """Whatever the order of hashes is."""
    made = {
        subprocess.run(
            [sys.executable, "-m", "pagewitness", *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(made) == 1
    assert made != {b""}


def test_a_search_loads_no_pdf_engine(here: Path) -> None:
    code = (
        "import sys\nfrom pagewitness.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'pymupdf', 'numpy', 'pandas', 'ingest'} & set(sys.modules)))"
    )
    for arguments in (("search", "dawn"), ("context", "dawn")):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines()[-1] == "[]"
        assert "dawn" in done.stdout
