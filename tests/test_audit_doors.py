"""`pagewitness coverage` and `scorecard` as a user meets them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from factories import letter

from grounding.store import StoreWriter
from pagewitness import auditing
from pagewitness.cli import cli
from pagewitness.judging import JUDGES, Asked

EXAMPLES = Path(__file__).parents[1] / "schemas" / "examples" / "traces"
GOOD = {"trace_id": "good", "query": "Did it rise?", "answer": "The river rose by two metres.",
        "documents": [{"id": "a", "content": "The river rose by two metres."}]}  # fmt: skip
BAD = {**GOOD, "trace_id": "bad", "answer": "The river rose by five metres."}
OPEN = {**GOOD, "trace_id": "open", "answer": "I don't know."}
EMPTY = {**GOOD, "trace_id": "empty", "answer": ""}

Run = Callable[..., Result]


@pytest.fixture
def traces(tmp_path: Path) -> Callable[..., str]:
    def write(*rows: Any, name: str = "traces.jsonl") -> str:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def lines(result: Result) -> list[Any]:
    return [json.loads(line) for line in result.stdout.splitlines()]


class TestExitCodes:
    """0 when all are at or above the threshold, 1 when not, 2 when the input cannot be used."""

    @pytest.mark.parametrize("command", ["coverage", "scorecard"])
    @pytest.mark.parametrize(
        ("rows", "code"),
        [
            ([GOOD], 0),
            ([GOOD, GOOD], 0),
            ([BAD], 1),
            ([GOOD, BAD], 1),
            ([OPEN], 1),
            ([GOOD, OPEN], 1),
            ([GOOD, EMPTY], 1),
        ],
    )
    def test_codes(
        self, traces: Callable[..., str], command: str, rows: list[Any], code: int
    ) -> None:
        result = run(command, traces(*rows))
        assert result.exit_code == code
        assert len(lines(result)) == len(rows)

    @pytest.mark.parametrize("command", ["coverage", "scorecard"])
    def test_bad_input_writes_nothing(
        self, traces: Callable[..., str], tmp_path: Path, command: str
    ) -> None:
        good, other = traces(GOOD), traces({"x": 1}, name="other.jsonl")
        out = tmp_path / "out.jsonl"
        for arguments in (
            [good, other],
            [str(tmp_path / "none.jsonl")],
            [str(tmp_path / "folder")],
        ):
            (tmp_path / "folder").mkdir(exist_ok=True)
            result = run(command, *arguments, "--out", str(out))
            assert result.exit_code == 2
            assert result.stderr.startswith("error[invalid_traces]: ")
            assert result.stderr.count("\n") == 1
            assert not out.exists()
            assert run(command, *arguments).stdout == ""

    @pytest.mark.parametrize(
        "arguments",
        [["--threshold", "1.1"], ["--threshold", "nan"], ["--sample", "0"], ["--where", "x"],
         ["--judge", "nobody"], ["--traces-format", "other"]],
    )  # fmt: skip
    def test_wrong_calls(self, traces: Callable[..., str], arguments: list[str]) -> None:
        result = run("coverage", traces(GOOD), *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error[usage]: ")

    def test_a_store_that_is_not_there(self, traces: Callable[..., str], tmp_path: Path) -> None:
        result = run("coverage", traces(GOOD), "--db", str(tmp_path / "none.db"))
        assert result.exit_code == 2
        assert result.stderr.startswith("error[store_not_found]: ")

    def test_the_threshold_is_exact(self, traces: Callable[..., str]) -> None:
        """Two of three is at two thirds rounded down and not at two thirds rounded up."""
        answer = "The river rose by two metres. The mill is old. The town is small."
        contents = [{"id": "a", "content": "The river rose by two metres. The mill is old."}]
        path = traces({**GOOD, "answer": answer, "documents": contents})
        assert run("coverage", path, "--threshold", "0.666666").exit_code == 0
        assert run("coverage", path, "--threshold", "0.666667").exit_code == 1
        assert run("coverage", path, "--threshold", "0").exit_code == 0

    def test_no_trace_is_no_pass(self, traces: Callable[..., str]) -> None:
        result = run("coverage", traces(GOOD), "--where", "domain=law")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "traces 0: none; 1 not chosen" in result.stderr


class TestOutput:
    """Lines on stdout or in a file, everything else on stderr."""

    def test_the_summary(self, traces: Callable[..., str]) -> None:
        result = run("coverage", traces(GOOD, BAD, OPEN, EMPTY))
        assert result.stderr.splitlines() == [
            "rejected[empty_answer]: empty: the trace has no answer (traces.jsonl:4)",
            "traces 4: 1 rejected, 3 scored; 1 at or above 0.9; 1 without a score; claims 2: 1"
            " supported, 0 unsupported, 1 contradicted",
        ]
        assert [line["status"] for line in lines(result)] == ["scored"] * 3 + ["rejected"]

    def test_the_summary_of_a_scorecard(self, traces: Callable[..., str]) -> None:
        result = run("scorecard", traces(GOOD, BAD))
        assert result.stderr == (
            "traces 2: 2 scored; 1 at or above 0.95; documents: 2 used, 0 partially_used, 0"
            " ignored, 1 faithful, 0 partially_faithful, 1 unfaithful\n"
        )

    def test_a_file_holds_what_stdout_would(
        self, traces: Callable[..., str], tmp_path: Path
    ) -> None:
        path, out = traces(GOOD, BAD), tmp_path / "out.jsonl"
        assert run("coverage", path, "--out", str(out)).stdout == ""
        assert out.read_text(encoding="utf-8") == run("coverage", path).stdout
        assert run("coverage", path, "--out", path).exit_code == 2  # it reads that file

    def test_every_example_is_audited(self) -> None:
        result = run("coverage", str(EXAMPLES))
        assert [line["status"] for line in lines(result)].count("scored") == 10
        scores = {(x["trace_id"], x.get("attribution_coverage_score")) for x in lines(result)}
        assert scores == {("depot-1", 0.5), ("depot-2", 1.0), ("depot-3", None)}

    def test_sample_and_condition(self, traces: Callable[..., str]) -> None:
        rows = [{**GOOD, "trace_id": f"t{n}"} for n in range(200)]
        path = traces(*rows, {**GOOD, "trace_id": "x", "flagged": True})
        chosen = lines(run("coverage", path, "--sample", "10%", "--where", "flagged=true"))
        assert 8 < len(chosen) < 35
        assert chosen[-1]["trace_id"] == "x"
        assert len(lines(run("coverage", path, "--sample", "all"))) == 201

    def test_a_terminal_gets_a_bar_on_stderr(
        self, traces: Callable[..., str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        with auditing._progress(100) as told:
            told(50)


class TestMissingContents:
    """Texts of the store, for traces that have ids alone."""

    @pytest.fixture
    def db(self, tmp_path: Path) -> str:
        path = tmp_path / "grounding.db"
        with StoreWriter(path) as writer:
            writer.add_document(letter(), "/in/letter.pdf", "letter.pdf", "letter")
        return str(path)

    @pytest.mark.parametrize(
        "document",
        [
            {"id": "letter"},
            {"id": "letter.pdf"},
            {"id": "letter#p0001"},
            {"id": "letter#e000001"},
            {"id": "c1", "metadata": {"document": "letter", "char_start": 0, "char_end": 29}},
        ],
    )
    def test_ids_of_the_store(
        self, traces: Callable[..., str], db: str, document: dict[str, Any]
    ) -> None:
        path = traces({**GOOD, "documents": [document]})
        (line,) = lines(run("coverage", path, "--db", db))
        assert line["status"] == "scored", line
        assert line["claim_details"][0]["source_citation_ids"] == [document["id"]]

    @pytest.mark.parametrize("name", ["nothing", "letter#p0009", "letter#e999999", "/etc/passwd"])
    def test_ids_that_the_store_has_not(
        self, traces: Callable[..., str], db: str, name: str
    ) -> None:
        path = traces({**GOOD, "documents": [{"id": name}]})
        for arguments in (["--db", db], []):
            (line,) = lines(run("coverage", path, *arguments))
            assert (line["status"], line["reason"]) == ("rejected", "content_missing")


class TestManyAtOnce:
    """A judge that is waited for gets several traces at a time; lines keep the order."""

    def test_the_lines_are_those_of_one_at_a_time(
        self, traces: Callable[..., str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = traces(*({**(GOOD if n % 3 else BAD), "trace_id": f"t{n}"} for n in range(40)))
        alone = run("coverage", path).stdout
        made = JUDGES["literal"]()
        monkeypatch.setitem(JUDGES, "literal", lambda: Asked(made.judge, 7))
        assert run("coverage", path).stdout == alone
