"""The command line as a whole, and `pagewitness ingest`."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drawn import empty_file, html_named_pdf, plain, truncated_file

from grounding.version import __version__
from ingest import pipeline
from ingest.executors import SerialExecutor
from pagewitness.cli import COMMANDS, cli
from pagewitness.commands import ingest as command_module

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))}
HEAVY = ("pymupdf", "numpy", "pydantic", "sqlite_utils", "pebble", "rich", "ingest", "verifier")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads in this process: what workers do is tested elsewhere, and starting them takes time."""
    monkeypatch.setattr(
        pipeline, "ProcessExecutor", lambda jobs, rules, timeout: SerialExecutor(rules)
    )


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


class TestCommandLine:
    def test_help_lists_every_command_and_loads_nothing_heavy(self) -> None:
        """Neither a PDF engine nor anything else that takes a noticeable time to import."""
        script = (
            "import sys\n"
            "from pagewitness.cli import cli\n"
            "try:\n    cli.main(['--help'], prog_name='pagewitness')\n"
            "except SystemExit as end:\n    assert end.code == 0\n"
            f"print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], env=ENVIRONMENT, capture_output=True, text=True
        )
        assert done.stderr.strip() == "[]"
        for name, (_, text) in COMMANDS.items():
            assert f"{name} " in done.stdout
            assert text in done.stdout

    def test_the_version_is_the_packages(self) -> None:
        assert call("--version").stdout.split()[-1] == __version__

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nonsense"], "No such command"),
            (["ingest"], "Missing argument"),
            (["ingest", "x.pdf", "--jobs", "none"], "is not a valid integer"),
            (["ingest", "x.pdf", "--tables", "some"], "--tables"),
            (["ingest", "x.pdf", "--frobnicate"], "No such option"),
        ],
    )
    def test_a_wrong_call_is_one_line_and_exit_2(self, arguments: list[str], message: str) -> None:
        result = call(*arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        (line,) = result.stderr.splitlines()
        assert line.startswith("error[usage]: ")
        assert message in line
        assert "--help" in line

    def test_with_json_an_error_is_an_object_on_stdout(self) -> None:
        result = call("ingest", "--json")
        assert (result.exit_code, result.stderr) == (2, "")
        (error,) = lines(result)
        assert error["error"]["code"] == "usage"
        assert set(error["error"]) == {"code", "message", "remedy"}

    def test_a_json_after_the_end_of_options_is_a_path(self, here: Path) -> None:
        result = call("ingest", "--source-id", "x", "--", "--json", "other")
        assert result.stdout == ""
        assert result.stderr.startswith("error[usage]: ")

    def test_a_bug_is_one_line_without_a_traceback(
        self, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def bug(*_: object, **__: object) -> None:
            raise ZeroDivisionError("division\nby zero")

        monkeypatch.setattr(command_module, "ingest", bug)
        result = call("ingest", "x.pdf")
        assert result.exit_code == 2
        assert result.stderr.startswith(
            "error[internal_error]: ZeroDivisionError: division by zero"
        )
        assert len(result.stderr.splitlines()) == 1
        monkeypatch.setenv("PAGEWITNESS_DEBUG", "1")
        assert "Traceback" in call("ingest", "x.pdf").stderr

    def test_a_closed_pipe_is_no_error_message(self, here: Path) -> None:
        done = subprocess.run(
            f"{sys.executable} -m pagewitness ingest --json nowhere*.pdf 2>&1 >&- | head -c 0;"
            f" {sys.executable} -m pagewitness ingest --json a b c | head -c 0",
            shell=True,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
        )
        assert "Traceback" not in done.stderr
        assert "Error" not in done.stderr


@pytest.mark.usefixtures("in_process")
class TestIngest:
    def test_json_gives_one_line_a_file_and_exit_0_when_all_are_stored(self, here: Path) -> None:
        Path("a.pdf").write_bytes(plain(["One"]))
        Path("b.pdf").write_bytes(plain(["One"]))
        result = call("ingest", "a.pdf", "b.pdf", "--json")
        assert result.exit_code == 0
        assert result.stderr == ""
        assert [(row["path"], row["status"]) for row in lines(result)] == [
            ("a.pdf", "stored"),
            ("b.pdf", "alias"),
        ]
        assert Path("grounding.db").is_file()

    def test_a_refused_file_makes_exit_1_and_the_others_are_stored(self, here: Path) -> None:
        Path("a.pdf").write_bytes(html_named_pdf())
        Path("b.pdf").write_bytes(plain(["One"]))
        result = call("ingest", "a.pdf", "b.pdf", "--json")
        assert result.exit_code == 1
        first, second = lines(result)
        assert first["error"]["code"] == "not_a_pdf"
        assert second["status"] == "stored"

    def test_a_partial_file_is_stored_so_exit_0(self, here: Path) -> None:
        Path("cut.pdf").write_bytes(truncated_file())
        result = call("ingest", "cut.pdf")
        assert result.exit_code == 0
        assert result.stderr.startswith("partial: cut.pdf: ")

    def test_without_json_complaints_go_to_stderr_and_the_summary_to_stdout(
        self, here: Path
    ) -> None:
        Path("a.pdf").write_bytes(empty_file())
        Path("b.pdf").write_bytes(plain(["One"], ["Two"]))
        result = call("ingest", ".", "--db", "store.db")
        assert result.exit_code == 1
        (line,) = result.stderr.splitlines()
        assert line == "refused[empty_file]: ./a.pdf: the file has no bytes; fetch the file again"
        assert result.stdout.startswith("files 2: 1 stored, 1 refused; pages read 2; ")

    def test_a_folder_without_pdfs_does_not_pass_for_success(self, here: Path) -> None:
        result = call("ingest", ".", "--json")
        assert result.exit_code == 1
        (row,) = lines(result)
        assert row["error"]["code"] == "file_not_found"

    def test_a_file_name_cannot_move_the_cursor(self, here: Path) -> None:
        Path("a\x1b[2J.pdf").write_bytes(b"")
        result = call("ingest", ".")
        assert "\x1b" not in result.stderr
        assert "a\\x1b[2J.pdf" in result.stderr

    def test_a_name_that_is_no_utf_8_is_printed_as_json(self, here: Path) -> None:
        with open(b"caf\xe9.pdf", "wb") as file:
            file.write(plain(["One"]))
        (row,) = lines(call("ingest", ".", "--json"))
        assert os.fsencode(row["path"]) == b"./caf\xe9.pdf"

    def test_a_source_id_for_two_files_is_a_wrong_call(self, here: Path) -> None:
        result = call("ingest", "a.pdf", "b.pdf", "--source-id", "x")
        assert result.exit_code == 2
        assert result.stderr.startswith("error[usage]: ")
        assert not Path("grounding.db").exists()

    @pytest.mark.parametrize(
        ("db", "code"),
        [("no/such/folder.db", "output_failed"), ("a.pdf", "error"), (".", "output_failed")],
    )
    def test_a_store_that_cannot_be_used_is_exit_2(self, here: Path, db: str, code: str) -> None:
        Path("a.pdf").write_bytes(plain(["One"]))
        result = call("ingest", "a.pdf", "--db", db)
        assert result.exit_code == 2
        assert result.stderr.startswith("error[")
        assert len(result.stderr.splitlines()) == 1
        assert Path("a.pdf").read_bytes() == plain(["One"])


def test_on_a_terminal_progress_is_drawn_on_stderr_only(here: Path) -> None:
    Path("a.pdf").write_bytes(plain(["One"]))
    Path("b.pdf").write_bytes(empty_file())
    parent, child = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "pagewitness", "ingest", ".", "--jobs", "1"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=child,
        text=True,
    )
    os.close(child)
    drawn = os.read(parent, 1 << 16).decode()
    os.close(parent)
    assert done.returncode == 1
    assert done.stdout.startswith("files 2: ")
    assert "2/2" in drawn
    assert "refused[empty_file]" in drawn


def test_ctrl_c_keeps_what_is_stored_and_the_next_run_goes_on(here: Path) -> None:
    """The signal goes to the workers too, as a terminal sends it; nobody prints a traceback."""
    Path("files").mkdir()
    for number in range(24):
        page = [f"Line {line} of file {number}" for line in range(40)]
        Path(f"files/{number:02}.pdf").write_bytes(plain(*[page] * 40))
    call_ = [sys.executable, "-m", "pagewitness", "ingest", "files", "--json", "--jobs", "2"]
    run = subprocess.Popen(
        call_,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert run.stdout is not None
    first = json.loads(run.stdout.readline())
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=30)
    stored = [first, *map(json.loads, out.splitlines())]
    assert run.returncode == 130
    (line,) = err.splitlines()
    assert line.startswith(f"interrupted: {len(stored)} files are in the store")
    again = subprocess.run(call_, env=ENVIRONMENT, capture_output=True, text=True)
    statuses = [json.loads(row)["status"] for row in again.stdout.splitlines()]
    assert again.returncode == 0
    assert len(statuses) == 24
    assert set(statuses[: len(stored)]) == {"unchanged"}
    assert "stored" in statuses[len(stored) :]
