"""The command line at its doors: where output goes, what names mean, what stays whole."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drawn import plain

from ingest import pipeline
from ingest.executors import SerialExecutor
from pagewitness.cli import cli

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), *sys.path]))}
CLAIM = {"kind": "quote", "text": "The works began at dawn.", "citation": {"page": 1}}
WRONG = {"kind": "quote", "text": "The works began at dusk.", "citation": {"page": 1}}
DAWN = plain(["The works began at dawn.", "The fee is 940 EUR."])
FEE = plain(["The fine is 55 EUR."])


@pytest.fixture(autouse=True)
def _in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads in this process: starting workers takes time and is tested elsewhere."""
    monkeypatch.setattr(
        pipeline, "ProcessExecutor", lambda jobs, rules, timeout: SerialExecutor(rules)
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with dawn.pdf, fee.pdf, the store that holds both, and req.json on dawn."""
    monkeypatch.chdir(tmp_path)
    Path("dawn.pdf").write_bytes(DAWN)
    Path("fee.pdf").write_bytes(FEE)
    assert call("ingest", "dawn.pdf", "fee.pdf").exit_code == 0
    Path("req.json").write_text(json.dumps({"document": "dawn.pdf", "claims": [CLAIM]}))
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def shell(line: str) -> subprocess.CompletedProcess[bytes]:
    """A shell line in which `$pw` is the command."""
    environment = {**ENVIRONMENT, "pw": f"{sys.executable} -m pagewitness"}
    return subprocess.run(line, shell=True, env=environment, capture_output=True, check=False)


def failed(result: Result, code: str, exit_code: int = 2) -> None:
    """One line with the code on stderr, nothing on stdout."""
    assert result.exit_code == exit_code, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error[{code}]: ")


def source(name: str = "dawn") -> dict[str, Any]:
    rows = map(json.loads, call("sources", "--json").stdout.splitlines())
    return next(row for row in rows if row["source_id"] == name)


def report_at(path: str = "report.json", *claims: dict[str, Any]) -> dict[str, Any]:
    """The report on dawn.pdf, written to a path."""
    request = {"document": "dawn.pdf", "claims": list(claims) or [CLAIM]}
    Path("asked.json").write_text(json.dumps(request))
    call("verify", "asked.json", "--out", path)
    made: dict[str, Any] = json.loads(Path(path).read_bytes())
    return made


# Where output goes


def written(call_: Callable[[], Result], path: str) -> bytes:
    """What a call writes to a FIFO, read as it comes."""
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(Path(path).read_bytes()), daemon=True)
    reader.start()
    assert call_().exit_code == 0
    reader.join(10)
    return got[0]


def test_a_pipe_gets_the_report_and_stays_a_pipe(here: Path) -> None:
    """`--out` may name a FIFO: it is written to, not replaced by a file."""
    os.mkfifo("pipe")
    data = written(lambda: call("verify", "req.json", "--out", "pipe"), "pipe")
    assert json.loads(data)["all_evidence_grounded"] is True
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)


def test_a_link_is_followed_and_stays_a_link(here: Path) -> None:
    """The file that it leads to holds the report."""
    Path("real.json").write_text("old")
    Path("link.json").symlink_to("real.json")
    assert call("verify", "req.json", "--out", "link.json").exit_code == 0
    assert Path("link.json").is_symlink()
    assert json.loads(Path("real.json").read_bytes())["all_evidence_grounded"] is True


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
@pytest.mark.parametrize(
    "arguments", [("verify", "req.json"), ("export", "dawn", "--format", "text")], ids=["v", "e"]
)
def test_the_mode_of_an_existing_file_is_kept(
    here: Path, mode: int, arguments: tuple[str, ...]
) -> None:
    """Whoever closed a file to others finds it closed."""
    Path("out").write_text("old")
    Path("out").chmod(mode)
    assert call(*arguments, "--out", "out").exit_code == 0
    assert stat.S_IMODE(Path("out").stat().st_mode) == mode
    assert Path("out").read_text() != "old"
    assert not list(here.glob(".out*"))


def test_a_dash_is_standard_output(here: Path) -> None:
    """`--out -` writes what no `--out` writes, and no file called `-`."""
    for arguments in (("verify", "req.json"), ("export", "dawn", "--format", "artifact")):
        assert call(*arguments, "--out", "-").stdout_bytes == call(*arguments).stdout_bytes != b""
    assert not Path("-").exists()


def aliases(name: str) -> list[str]:
    """A file's own name, a roundabout one, a link to it and a second name of it."""
    folder, stem = os.path.split(name)
    link, twin = os.path.join(folder, f"link-{stem}"), os.path.join(folder, f"twin-{stem}")
    os.symlink(stem, link)
    os.link(name, twin)
    return [name, os.path.join(folder, ".", f"../{Path.cwd().name}", stem), link, twin]


@pytest.mark.parametrize(
    ("arguments", "victim"),
    [
        (("verify", "req.json"), "grounding.db"),
        (("verify", "req.json"), "req.json"),
        (("verify", "req.json", "--format", "html"), "grounding.db"),
        (("export", "dawn", "--format", "text"), "grounding.db"),
        (("export", "dawn", "--format", "text"), "dawn.pdf"),
    ],
)
def test_what_a_command_reads_is_never_what_it_writes(
    here: Path, arguments: tuple[str, ...], victim: str
) -> None:
    """The store, the request and the source stay whole, under whatever name they are given."""
    before = Path(victim).read_bytes()
    for name in aliases(victim):
        failed(call(*arguments, "--out", name), "output_failed")
        assert Path(victim).read_bytes() == before
    assert call("sources").exit_code == 0


@pytest.mark.parametrize("out", ["no/such/folder.json", "."])
def test_an_output_that_cannot_be_written_is_said(here: Path, out: str) -> None:
    """A missing folder, or a folder itself."""
    failed(call("verify", "req.json", "--out", out), "output_failed")
    assert call("verify", "req.json", "--out", "fine.json").exit_code == 0


@pytest.mark.parametrize("out", ["picture", "picture.jpg", "picture.json", "grounding.db", "-"])
def test_a_picture_is_a_png_or_is_refused(here: Path, out: str) -> None:
    """The descriptor beside it would take the place of anything else."""
    before = Path("grounding.db").read_bytes()
    place = ("crop", "dawn", "--page", "1", "--bbox", "7000,5000,30000,9000")
    failed(call(*place, "--out", out), "usage")
    assert Path("grounding.db").read_bytes() == before
    assert call(*place, "--out", "picture.PNG").exit_code == 0
    assert Path("picture.PNG").read_bytes().startswith(b"\x89PNG")
    assert json.loads(Path("picture.json").read_bytes())


# Reports that come back


@pytest.mark.parametrize(
    "check_id", ["../../evil", "/evil", "v0001/../../evil", "..", "", "v1", "v0001\n", "v\u0660001"]
)
def test_a_check_id_cannot_lead_out_of_the_folder(here: Path, check_id: str) -> None:
    """A report whose ids are no check ids is refused; the same report with its own id is drawn."""
    made = report_at()
    made["checks"][0]["id"] = check_id
    Path("evil.json").write_text(json.dumps(made))
    Path("a/b").mkdir(parents=True)
    result = call("crop", "--report", "evil.json", "--out-dir", "a/b")
    failed(result, "invalid_request")
    assert not list(here.rglob("*.png"))
    assert call("crop", "--report", "report.json", "--out-dir", "a/b").exit_code == 0
    assert Path("a/b/v0001.png").is_file()


def test_a_report_that_points_past_the_last_page_has_no_picture(here: Path) -> None:
    """Page 99 of one page: an error, no traceback, no picture."""
    made = report_at()
    evidence = made["checks"][0]["evidence"]
    evidence["page"], evidence["page_number"] = "p0099", 99
    for region in evidence["regions"]:
        region["page"] = 99
    Path("far.json").write_text(json.dumps(made))
    result = call("crop", "--report", "far.json", "--out-dir", "out")
    failed(result, "page_not_found", 1)
    assert not list(here.rglob("*.png"))


def test_a_report_with_the_pdf_gone_is_rendered_without_pictures(here: Path) -> None:
    """The page says what was found; stderr says why there are no pictures."""
    whole = call("verify", "req.json", "--format", "html")
    assert (whole.exit_code, whole.stderr) == (0, "")
    assert b"data:image/png" in whole.stdout_bytes
    Path("dawn.pdf").unlink()
    bare = call("verify", "req.json", "--format", "html")
    assert bare.exit_code == 0
    assert b"data:image/png" not in bare.stdout_bytes
    assert "The works began at dawn." in bare.stdout
    assert bare.stderr.startswith("without pictures: ")
    assert len(bare.stderr.splitlines()) == 1


def test_a_file_that_was_replaced_is_no_evidence(here: Path) -> None:
    """A picture of other bytes would show something else; the original may be named."""
    place = ("crop", "dawn", "--page", "1", "--bbox", "7000,5000,30000,9000", "--out", "x.png")
    Path("kept.pdf").write_bytes(DAWN)
    Path("dawn.pdf").write_bytes(FEE)
    failed(call(*place), "source_bytes_changed", 1)
    assert not Path("x.png").exists()
    assert call(*place, "--pdf", "kept.pdf").exit_code == 0
    assert Path("x.png").is_file()


def test_markdown_holds_no_tag_of_the_source(here: Path) -> None:
    """`<script>` of a document stays text where Markdown is rendered."""
    Path("tag.pdf").write_bytes(plain(["Call <script>alert(1)</script> & see 3 < 4 below."]))
    assert call("ingest", "tag.pdf").exit_code == 0
    text = call("export", "tag", "--format", "markdown").stdout
    assert "<script" not in text
    assert "&lt;script>alert(1)&lt;/script> &amp; see 3 &lt; 4 below." in text
    assert "<script>alert(1)</script>" in call("export", "tag", "--format", "text").stdout


# Streams that are closed or full


COMMANDS = [
    "verify req.json",
    "sources",
    "sources --json",
    "show dawn",
    "show dawn --page 1 --json",
    "search dawn",
    "export dawn --format text",
    "ingest dawn.pdf --json",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_or_full_standard_output_is_an_error_of_output(here: Path, command: str) -> None:
    """One line on stderr, exit 2 and no traceback; with a place to write to the command works."""
    for stdout in (">&-", ">/dev/full"):
        done = shell(f"$pw {command} {stdout}")
        assert done.returncode == 2, done
        (line,) = done.stderr.decode().splitlines()
        assert "output_failed" in line
    assert shell(f"$pw {command} > out.txt").returncode == 0
    assert Path("out.txt").stat().st_size > 0


@pytest.mark.parametrize(
    ("command", "code"),
    [("verify req.json", 0), ("sources", 0), ("verify nothing.json", 2), ("show nothing", 2),
     ("crop dawn --element e999999 --out x.png", 2)],
)  # fmt: skip
def test_a_closed_or_full_standard_error_changes_no_exit_code(
    here: Path, command: str, code: int
) -> None:
    """Data go to stdout as ever, and a complaint that nobody hears goes nowhere else."""
    expected = shell(f"$pw {command}")
    assert expected.returncode == code
    for stderr in ("2>&-", "2>/dev/full"):
        done = shell(f"$pw {command} {stderr}")
        assert (done.returncode, done.stdout, done.stderr) == (code, expected.stdout, b"")


def test_with_both_streams_full_a_command_just_ends(here: Path) -> None:
    """Nobody can be told; the exit code says it."""
    for redirects in (">/dev/full 2>/dev/full", ">&- 2>&-"):
        done = shell(f"$pw sources {redirects}")
        assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


# Names and numbers


@pytest.mark.parametrize("query", ["", " ", "...", "\t"])
def test_a_search_for_nothing_is_a_wrong_call(here: Path, query: str) -> None:
    """A query holds a word; with one the line is found."""
    failed(call("search", query), "usage")
    assert "dawn" in call("search", "works").stdout


def test_a_name_that_is_no_text_names_no_document(here: Path) -> None:
    """Bytes that are no UTF-8, on the command line and with `--json`."""
    done = shell("$pw show $(printf 'caf\\351')")
    assert done.returncode == 2
    assert done.stderr.startswith(b"error[document_not_found]: ")
    assert len(done.stderr.splitlines()) == 1
    done = shell("$pw show $(printf 'caf\\351') --json")
    assert json.loads(done.stdout)["error"]["code"] == "document_not_found"
    assert shell("$pw show dawn").returncode == 0


@pytest.mark.parametrize("option", ["--page-timeout", "--timeout"])
@pytest.mark.parametrize("seconds", ["nan", "inf", "-inf", "0", "-1", "1e400", "NaN"])
def test_a_time_that_never_comes_is_a_wrong_call(here: Path, option: str, seconds: str) -> None:
    """Limits are positive numbers of seconds."""
    failed(call("ingest", "dawn.pdf", "--db", "new.db", option, seconds), "usage")
    assert not Path("new.db").exists()
    assert call("ingest", "dawn.pdf", "--db", "new.db", option, "30.5").exit_code == 0


@pytest.mark.parametrize(
    "source_id",
    ["sha256:" + "0" * 64, "blake3:" + "0" * 64, "sha256:0", "sha256:", "", " ", "a\nb", "x" * 201],
)
def test_a_source_id_does_not_look_like_a_fingerprint(here: Path, source_id: str) -> None:
    """It would stand in for a document that it is not; an ordinary id is taken."""
    failed(call("ingest", "dawn.pdf", "--db", "new.db", "--source-id", source_id), "usage")
    assert not Path("new.db").exists()
    good = call("ingest", "dawn.pdf", "--db", "new.db", "--source-id", "sha256-of-dawn", "--json")
    assert json.loads(good.stdout)["source_id"] == "sha256-of-dawn"


@pytest.mark.parametrize("which", ["document_fingerprint", "source_fingerprint"])
def test_the_beginning_of_a_fingerprint_names_a_document(here: Path, which: str) -> None:
    """Twelve hexadecimal digits do where only one fingerprint begins so; eleven do not."""
    algorithm, digits = source()[which].split(":")
    for length in (12, 13, 40, 63, 64):
        shown = call("show", f"{algorithm}:{digits[:length]}", "--json")
        assert json.loads(shown.stdout)["source_id"] == "dawn", length
    failed(call("show", f"{algorithm}:{digits[:11]}"), "document_not_found")
    failed(call("show", digits[:12]), "document_not_found")
    other = "0" if digits[11] != "0" else "1"
    failed(call("show", f"{algorithm}:{digits[:11]}{other}"), "document_not_found")


def test_a_source_id_means_its_source_whatever_other_files_are_called(here: Path) -> None:
    """Source "fee.pdf" is that source, although another source's file has this name."""
    Path("third.pdf").write_bytes(plain(["The third document."]))
    assert call("ingest", "third.pdf", "--source-id", "fee.pdf").exit_code == 0
    assert json.loads(call("show", "fee.pdf", "--json").stdout)["name"] == "third.pdf"
    assert json.loads(call("show", "fee", "--json").stdout)["name"] == "fee.pdf"
    assert json.loads(call("show", "dawn.pdf", "--json").stdout)["name"] == "dawn.pdf"


# Stores that are damaged or cannot be written


def tables() -> list[str]:
    with closing(sqlite3.connect("grounding.db")) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return [name for (name,) in rows]


@pytest.mark.parametrize("table", ["documents", "pages", "spans", "sources", "versions"])
def test_a_store_without_one_of_its_tables_is_damaged(here: Path, table: str) -> None:
    """Exit 2 and nothing written: what is missing is no reason to call a quote absent."""
    assert table in tables()
    assert call("verify", "req.json", "--out", "fine.json").exit_code == 0
    with closing(sqlite3.connect("grounding.db")) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"DROP TABLE {table}")
        connection.commit()
    failed(call("verify", "req.json", "--out", "out.json"), "store_damaged")
    assert not Path("out.json").exists()


DROP = "-dac_override,-dac_read_search"
BOUND = ["setpriv", f"--bounding-set={DROP}", f"--inh-caps={DROP}"] if os.geteuid() == 0 else []
"""Makes root respect the modes of files."""


def test_a_store_in_a_folder_that_cannot_be_written_is_read(here: Path) -> None:
    """A read-only medium holds evidence too; nothing is put there, and nothing can be."""
    folder = here / "closed"
    folder.mkdir()
    shutil.copy("grounding.db", folder / "grounding.db")
    shutil.copy("req.json", folder / "req.json")
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    if BOUND and not shutil.which(BOUND[0]):
        pytest.skip("root is not bound by modes, and there is no setpriv to bind it")

    def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*BOUND, *arguments], cwd=folder, env=ENVIRONMENT,
                              capture_output=True, check=False)  # fmt: skip

    if run("touch", "new").returncode == 0:
        pytest.skip("this user may write into a folder of mode 0555")
    command = (sys.executable, "-m", "pagewitness")
    done = run(*command, "verify", "req.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout == call("verify", "req.json").stdout_bytes
    refused = run(*command, "ingest", "../fee.pdf", "--source-id", "again")
    assert refused.returncode == 2
    assert refused.stderr.startswith(b"error[output_failed]: ")
    assert run(*command, "verify", "req.json", "--out", "new.json").returncode == 2
    assert sorted(path.name for path in folder.iterdir()) == ["grounding.db", "req.json"]
    folder.chmod(0o755)


def test_a_wrong_claim_is_exit_1_and_written(here: Path) -> None:
    """Bad evidence is an answer, bad input is none."""
    assert report_at("wrong.json", WRONG)["all_evidence_grounded"] is False
    assert call("verify", "asked.json").exit_code == 1
    assert call("verify", "asked.json", "--exit-zero").exit_code == 0
