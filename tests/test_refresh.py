"""A folder that changes under its citations: what refresh tells, and which citations died."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from pdf_writer import Pdf

from grounding.pages import page_changes, page_map
from grounding.store import StoreReader
from ingest import pipeline
from ingest.executors import SerialExecutor
from pagewitness.cli import cli

ROOT = Path(__file__).resolve().parents[1]
TOWNS = ("Alder", "Birch", "Cedar", "Dune", "Elm", "Fern")
OLD = 1_600_000_000_000_000_000
"""A time of change long ago, in nanoseconds: it counts."""


@pytest.fixture(autouse=True)
def _in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads in this process: starting workers takes time and is tested elsewhere."""
    monkeypatch.setattr(
        pipeline, "ProcessExecutor", lambda jobs, rules, timeout: SerialExecutor(rules)
    )


def pages_of(towns: Sequence[str], tonnes: int = 100, note: str = "") -> bytes:
    """One page a town, with three sentences and a number of its own."""
    pdf = Pdf()
    for at, town in enumerate(towns):
        page = pdf.page()
        page.text(72, 720, 12, f"The depot of {town} opened in the spring of {1990 + at}.")
        page.text(
            72, 660, 12, f"In that year {town} moved {tonnes + at:,}.5 tonnes of timber{note}."
        )
        page.text(72, 600, 12, f"The yard of {town} lies behind the harbour.")
    return pdf.to_bytes()


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, ns=(OLD, OLD + len(data)))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def refreshed(*arguments: str) -> dict[str, dict[str, Any]]:
    """The lines of a refresh by the file's name."""
    result = call("refresh", *arguments, "--json")
    assert result.exit_code in (0, 1), result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return {Path(line["path"]).name: line for line in lines if "path" in line}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with in/one.pdf, in/two.pdf and in/three.pdf in a store that was refreshed."""
    monkeypatch.chdir(tmp_path)
    put(Path("in/one.pdf"), pages_of(TOWNS[:4]))
    put(Path("in/two.pdf"), pages_of(TOWNS[2:], 200))
    put(Path("in/three.pdf"), pages_of(TOWNS[1:3], 300))
    assert call("ingest", "in").exit_code == 0
    assert {line["status"] for line in refreshed("in").values()} == {"unchanged"}
    return tmp_path


class TestStates:
    def test_nothing_changed(self, here: Path) -> None:
        assert call("refresh").exit_code == 0
        assert call("refresh", "in").exit_code == 0
        assert call("refresh", "--paranoid").exit_code == 0

    def test_a_file_whose_size_and_time_are_as_noted_is_not_read(self, here: Path) -> None:
        """The stated policy, and what --paranoid is for."""
        path = Path("in/one.pdf")
        changed = path.read_bytes().replace(b"harbour", b"terrace", 1)
        stat = path.stat()
        assert len(changed) == stat.st_size
        path.write_bytes(changed)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert refreshed()["one.pdf"]["status"] == "unchanged"
        assert refreshed("--paranoid")["one.pdf"]["status"] == "changed"

    def test_a_touched_file_is_unchanged(self, here: Path) -> None:
        os.utime("in/one.pdf", ns=(OLD + 5, OLD + 5))
        assert refreshed()["one.pdf"]["status"] == "unchanged"

    def test_a_new_version_keeps_the_old_one_and_names_its_pages(self, here: Path) -> None:
        put(Path("in/one.pdf"), pages_of(["Gorse", *TOWNS[:4]]))
        line = refreshed()["one.pdf"]
        assert line["status"] == "changed"
        rows = [json.loads(row) for row in call("sources", "--json").stdout.splitlines()]
        versions = [row["status"] for row in rows if row["source_id"] == "one"]
        assert versions == ["superseded", "approved"]
        assert line["previous_fingerprint"] != line["document_fingerprint"]

    def test_a_page_that_moved_is_recognised(self, here: Path) -> None:
        """Pages know nothing of their place, so the same page is the same elsewhere."""
        with pymupdf.open("in/one.pdf") as document:
            document.move_page(0, 3)
            document.save("moved.pdf")
        put(Path("in/one.pdf"), Path("moved.pdf").read_bytes())
        line = refreshed()["one.pdf"]
        assert [1, 3] in line["pages_moved"]
        assert line["pages_changed"] == line["pages_added"] == line["pages_removed"] == []

    def test_metadata_alone_make_no_version(self, here: Path) -> None:
        with pymupdf.open("in/one.pdf") as document:
            document.set_metadata({"title": "Another title"})
            document.save("other.pdf")
        put(Path("in/one.pdf"), Path("other.pdf").read_bytes())
        assert refreshed()["one.pdf"]["status"] == "metadata_changed"
        assert refreshed()["one.pdf"]["status"] == "unchanged"
        assert len(call("sources", "--json").stdout.splitlines()) == 3

    def test_renamed_moved_missing_and_back(self, here: Path) -> None:
        shutil.move("in/one.pdf", "in/first.pdf")
        os.makedirs("in/deep")
        shutil.move("in/two.pdf", "in/deep/two.pdf")
        shutil.move("in/three.pdf", "kept.pdf")
        lines = refreshed("in")
        assert {name: line["status"] for name, line in lines.items()} == {
            "first.pdf": "renamed",
            "two.pdf": "moved",
            "three.pdf": "missing",
        }
        assert lines["first.pdf"]["source_id"] == "one"
        shutil.move("kept.pdf", "in/three.pdf")
        assert refreshed("in")["three.pdf"]["status"] == "restored"
        assert {line["status"] for line in refreshed("in").values()} == {"unchanged"}

    def test_a_missing_file_keeps_its_document(self, here: Path) -> None:
        os.remove("in/one.pdf")
        assert call("refresh").exit_code == 1
        assert call("show", "one").exit_code == 0
        assert refreshed()["one.pdf"]["status"] == "missing"

    def test_new_and_unreadable_files_are_told(self, here: Path) -> None:
        put(Path("in/four.pdf"), pages_of(TOWNS[:1], 700))
        put(Path("in/broken.pdf"), b"no pdf at all")
        lines = refreshed("in")
        assert lines["four.pdf"]["status"] == "new"
        assert lines["broken.pdf"]["status"] == "refused"
        assert lines["broken.pdf"]["error"]["code"] == "not_a_pdf"
        assert refreshed("absent.pdf")["absent.pdf"]["error"]["code"] == "file_not_found"

    def test_a_file_that_becomes_unreadable_keeps_its_last_version(self, here: Path) -> None:
        before = call("sources", "--json").stdout
        put(Path("in/one.pdf"), b"%PDF-1.7 cut off")
        assert refreshed()["one.pdf"]["status"] == "refused"
        assert call("sources", "--json").stdout == before


def save_citations() -> int:
    """Verifies and saves a quote and a number of every page; how many."""
    with StoreReader(Path("grounding.db")) as reader:
        requests = []
        for name in ("one", "two", "three"):
            claims = []
            for page in reader.open(name).pages:
                for line in reader.open(name).page_text(page.number).split("\n\n"):
                    claims.append(
                        {"kind": "quote", "text": line, "citation": {"page": page.number}}
                    )
                    for word in line.split():
                        if "." in word.strip("."):
                            number = {"kind": "value", "text": word}
                            claims.append({**number, "citation": {"page": page.number}})
            requests.append({"document": name, "claims": claims})
    Path("request.json").write_text(json.dumps({"requests": requests}))
    result = call("verify", "request.json", "--save", "--out", "report.json")
    assert result.exit_code == 0, result.output
    return sum(len(request["claims"]) for request in requests)


def impacts() -> list[dict[str, Any]]:
    result = call("impact", "--json")
    assert result.exit_code in (0, 1), result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


class TestImpact:
    def test_exactly_the_citations_that_died_are_told(self, here: Path) -> None:
        """One number swapped and a page inserted before it, one file saved with other metadata, one
        deleted: the quotes and the number of that sentence changed, everything behind the new page
        moved by one, and the rest lives."""
        assert save_citations() == 40
        old = pages_of(TOWNS[:4]).replace(b"102.5", b"192.5")
        with pymupdf.open(stream=old) as document:
            document.new_page(1, 612, 792).insert_text((72, 72), "This page is a later addition.")
            document.save("one.pdf")
        put(Path("in/one.pdf"), Path("one.pdf").read_bytes())
        with pymupdf.open("in/two.pdf") as document:
            document.set_metadata({"title": "Another title"})
            document.save("two.pdf")
        put(Path("in/two.pdf"), Path("two.pdf").read_bytes())
        os.remove("in/three.pdf")
        states = {name: line["status"] for name, line in refreshed("in").items()}
        assert states == {
            "one.pdf": "changed", "two.pdf": "metadata_changed", "three.pdf": "missing",
        }  # fmt: skip
        found = impacts()
        assert Counter(item["state"] for item in found) == {"holds": 4, "moved": 10, "changed": 2}
        assert {item["document"] for item in found} == {"one"}
        for item in found:
            text = item["claim"]["text"]
            if item["state"] == "moved":
                assert item["now"]["page"] == item["was"]["page"] + 1
                assert item["suggestion"]["page"] == item["now"]["page"]
            if item["state"] == "changed":
                assert "102.5" in text
                assert "192.5" in item["now"]["text"]
                assert item["now"]["page"] == 4
        assert call("impact").exit_code == 1

    def test_a_sentence_that_was_taken_out_is_gone(self, here: Path) -> None:
        save_citations()
        put(Path("in/three.pdf"), pages_of(TOWNS[1:2], 300))
        call("refresh")
        gone = [item for item in impacts() if item["state"] == "gone"]
        assert {item["was"]["page"] for item in gone} == {2}
        assert all("now" not in item for item in gone)

    def test_a_suggestion_is_never_applied(self, here: Path) -> None:
        """Reports are records: the saved one stays as it was."""
        save_citations()
        before = Path("report.json").read_bytes()
        put(Path("in/one.pdf"), pages_of(["Gorse", *TOWNS[:4]]))
        call("refresh")
        first, second = call("impact", "--json").stdout, call("impact", "--json").stdout
        assert first == second
        assert Path("report.json").read_bytes() == before
        with StoreReader(Path("grounding.db")) as reader:
            ((text,),) = reader.rows("SELECT report FROM saved_reports WHERE source_id = 'one'")
        assert json.loads(text) in json.loads(before)["reports"]

    def test_a_number_alone_does_not_move_to_another_that_is_the_same(self, here: Path) -> None:
        """The words around it are gone: that 100.5 stands somewhere else says nothing."""
        claim = {"kind": "value", "text": "100.5", "citation": {"page": 1}}
        Path("r.json").write_text(json.dumps({"document": "one", "claims": [claim]}))
        assert call("verify", "r.json", "--save", "--out", "x.json").exit_code == 0
        pdf = Pdf()
        pdf.page().text(72, 720, 12, "Nothing else is here.")
        pdf.page().text(72, 720, 12, "The toll was 100.5 in all.")
        put(Path("in/one.pdf"), pdf.to_bytes())
        call("refresh")
        assert [item["state"] for item in impacts()] == ["gone"]

    def test_reports_on_foreign_files_are_not_saved(self, here: Path) -> None:
        Path("t.txt").write_text("The depot opened.")
        Path("r.json").write_text('{"claims": [{"kind": "quote", "text": "The depot opened."}]}')
        result = call(
            "verify", "r.json", "--grounding", "t.txt", "--adapter", "plain-text", "--save"
        )
        assert result.exit_code == 2
        assert result.stderr.startswith("error[usage]: ")


class TestReparse:
    def test_what_another_option_would_change_is_told_first(self, here: Path) -> None:
        before = call("sources", "--json").stdout
        result = call("refresh", "--reparse", "--tables", "off", "--json")
        told = [json.loads(line) for line in result.stdout.splitlines() if "reparse" in line]
        assert {item["reparse"]["source_id"] for item in told} == {"one", "two", "three"}
        assert all(item["reparse"]["pages_with_other_text"] == [] for item in told)
        assert call("sources", "--json").stdout == before
        call("refresh", "--reparse", "--tables", "off", "--apply")
        rows = [json.loads(row) for row in call("sources", "--json").stdout.splitlines()]
        assert len(rows) == 6
        assert call("refresh", "--reparse", "--tables", "off").exit_code == 0


class TestPages:
    @pytest.mark.parametrize(
        ("old", "new", "changed", "added", "removed", "moved"),
        [
            ("abc", "abc", (), (), (), ()),
            ("abc", "axc", (2,), (), (), ()),
            ("abc", "xabc", (), (1,), (), ((1, 2), (2, 3), (3, 4))),
            ("abc", "ac", (), (), (2,), ((3, 2),)),
            ("abc", "cab", (), (), (), ((3, 1), (1, 2), (2, 3))),
            ("aab", "aba", (), (), (), ((3, 2), (2, 3))),
            ("", "ab", (), (1, 2), (), ()),
        ],
    )
    def test_pages_are_told_by_what_is_on_them(
        self, old: str, new: str, changed: Any, added: Any, removed: Any, moved: Any
    ) -> None:
        found = page_changes(old, new)
        assert (found.changed, found.added, found.removed) == (changed, added, removed)
        assert found.moved == moved

    @given(st.text("abcdef", max_size=12), st.text("abcdef", max_size=12))
    def test_every_page_is_accounted_for(self, old: str, new: str) -> None:
        found = page_changes(old, new)
        kept = len(new) - len(found.changed) - len(found.added)
        assert kept == len(old) - len(found.changed) - len(found.removed)
        places = page_map(old, new)
        assert all(new[there - 1] == old[here - 1] for here, there in found.moved)
        assert all(1 <= there <= len(new) for there in places.values())

    def test_a_changed_page_is_where_its_neighbour_went(self) -> None:
        assert page_map("abcd", "xabyd") == {1: 2, 2: 3, 3: 4, 4: 5}


class TestWatch:
    def test_a_watched_folder_is_looked_at_again(self, here: Path) -> None:
        """Until it is interrupted, which leaves the store as it is."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        command = [sys.executable, "-u", "-m", "pagewitness", "refresh", "in", "--watch", "0.2"]
        watching = subprocess.Popen(
            [*command, "--json"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        try:
            assert watching.stdout is not None
            for _ in range(3):
                assert json.loads(watching.stdout.readline())["status"] == "unchanged"
            put(Path("in/one.pdf"), pages_of(["Gorse", *TOWNS[:4]]))
            lines = (json.loads(line) for line in iter(watching.stdout.readline, ""))
            changed = next(line for line in lines if line.get("status") == "changed")
            assert changed["source_id"] == "one"
            watching.send_signal(signal.SIGINT)
            _, errors = watching.communicate(timeout=20)
        finally:
            watching.kill()
        assert watching.returncode == 130
        assert errors == "interrupted: every file is stored wholly or not at all\n"
