"""The plug-in of pytest: a project gates its answers in its own tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from gating import answer, labels, library, pins

import pagewitness
from grounding.store import OPERATOR, StoreReader
from grounding.store.audit_log import audit_rows

pytest_plugins = ["pytester"]

# The entry point of an installed copy is blocked, and this tree's module is named.
PLUGIN = ("-p", "no:pagewitness", "-p", "pagewitness.pytest_plugin", "-p", "no:cacheprovider")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("plugin"))


@pytest.fixture
def made(shelf: Path, pytester: pytest.Pytester) -> dict[str, Any]:
    """A project with a true answer, its labels, and settings under which warnings are errors."""
    true = answer(pins(shelf))
    Path("answer.json").write_text(json.dumps(true))
    Path("labels.json").write_text(json.dumps(labels(true)))
    pytester.makeini(
        f"[pytest]\npagewitness_db = {shelf}\npagewitness_as_of = 2025-06-30\n"
        "filterwarnings = error\naddopts = --strict-config --strict-markers\n"
    )
    return true


@pytest.fixture(autouse=True)
def this_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is installed, what runs in other processes is what is tested here."""
    monkeypatch.setenv("PYTHONPATH", str(Path(pagewitness.__file__).parents[1]))


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*PLUGIN, *arguments)


def put(folder: str, name: str, made: dict[str, Any], *, labelled: bool = True) -> None:
    Path(folder).mkdir(exist_ok=True)
    Path(folder, f"{name}.answer.json").write_text(json.dumps(made))
    if labelled:
        Path(folder, f"{name}.labels.json").write_text(json.dumps(labels(made)))


class TestFixture:
    def test_an_answer_is_a_file_or_its_value(
        self, pytester: pytest.Pytester, made: dict[str, Any]
    ) -> None:
        pytester.makepyfile(
            """
            import json
            from pathlib import Path

            def test_files(pagewitness_gate):
                made = pagewitness_gate.assert_released("answer.json", labels="labels.json")
                assert made["action"] == "release"

            def test_values(pagewitness_gate):
                answer, labels = (json.loads(Path(f"{name}.json").read_text())
                                  for name in ("answer", "labels"))
                assert pagewitness_gate(answer, labels)["action"] == "release"
                assert pagewitness_gate.decide(answer)["action"] == "review"
            """
        )
        run(pytester).assert_outcomes(passed=2)

    def test_a_failure_lists_what_holds_back_each_claim(
        self, pytester: pytest.Pytester, made: dict[str, Any]
    ) -> None:
        made["claims"][0]["text"] = "In 2024 the harbour handled 999,999 tonnes of cargo."
        Path("wrong.json").write_text(json.dumps(made))
        pytester.makepyfile(
            """
            def test_held(pagewitness_gate):
                pagewitness_gate.assert_released("wrong.json", labels="labels.json")

            def test_unlabelled(pagewitness_gate):
                pagewitness_gate.assert_released("answer.json")
            """
        )
        result = run(pytester)
        result.assert_outcomes(failed=2)
        result.stdout.fnmatch_lines(["*block*cargo*", "*figure_not_in_evidence*"])
        result.stdout.fnmatch_lines(["*REVIEW: *", "*support_not_evaluated*"])
        result.stdout.no_fnmatch_line("*pytest_plugin.py*Failed*")

    def test_decisions_are_kept_where_a_log_is_named(
        self, pytester: pytest.Pytester, made: dict[str, Any], shelf: Path
    ) -> None:
        pytester.makepyfile(
            """
            def test_released(pagewitness_gate):
                pagewitness_gate.assert_released("answer.json", labels="labels.json")
            """
        )
        run(pytester).assert_outcomes(passed=1)
        with StoreReader(shelf, OPERATOR) as reader:
            assert list(audit_rows(reader)) == []
        run(pytester, "--pagewitness-audit-db", "log.db").assert_outcomes(passed=1)
        with StoreReader(pytester.path / "log.db", OPERATOR) as reader:
            (row,) = audit_rows(reader)
        assert row.event["action"] == "release"
        assert row.details()["names"]["actor"] == "pytest"

    def test_an_unknown_policy_is_told_in_one_line(
        self, pytester: pytest.Pytester, made: dict[str, Any]
    ) -> None:
        pytester.makepyfile("def test_it(pagewitness_gate): pass")
        result = run(pytester, "--pagewitness-policy", "lenient")
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["*UsageError: error[[]invalid_policy[]]: *"])


class TestFolders:
    def test_every_answer_of_a_folder_is_a_test(
        self, pytester: pytest.Pytester, made: dict[str, Any]
    ) -> None:
        """With the labels beside it; other files, and answers elsewhere, are none."""
        put("answers", "true", made)
        put("answers", "unlabelled", made, labelled=False)
        put("answers", "broken", {"answer_id": 5}, labelled=False)
        put("others", "other", made)
        Path("answers", "notes.json").write_text("{}")
        pytester.makepyfile("def test_of_the_project(): pass")
        result = run(pytester, "--pagewitness-answers", "answers", "-v")
        result.assert_outcomes(passed=2, failed=2)
        result.stdout.fnmatch_lines(
            [
                "answers/broken.answer.json::released FAILED*",
                "answers/true.answer.json::released PASSED*",
                "answers/unlabelled.answer.json::released FAILED*",
            ]
        )
        result.stdout.fnmatch_lines(["*error[[]invalid_answer[]]: *", "*support_not_evaluated*"])
        result.stdout.no_fnmatch_line("*Traceback*")
        result.stdout.no_fnmatch_line("*others*")

    def test_a_folder_outside_of_what_is_collected(
        self, pytester: pytest.Pytester, made: dict[str, Any], tmp_path: Path
    ) -> None:
        """Each answer once, also where the folder is named twice or lies in another."""
        put(str(tmp_path / "far"), "true", made)
        put("near", "true", made)
        Path("unit").mkdir()
        Path("unit", "test_unit.py").write_text("def test_it(): pass")
        folders = (str(tmp_path / "far"), "near", str(tmp_path / "far"))
        result = run(pytester, "unit", *(f"--pagewitness-answers={one}" for one in folders))
        result.assert_outcomes(passed=3)
        inside = run(pytester, ".", "--pagewitness-answers=near")
        inside.assert_outcomes(passed=2)

    def test_a_missing_folder_is_a_usage_error(
        self, pytester: pytest.Pytester, made: dict[str, Any]
    ) -> None:
        result = run(pytester, "--pagewitness-answers", "absent")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*--pagewitness-answers: there is no folder *absent"])

    def test_an_answer_that_lost_its_store_is_not_released(
        self, pytester: pytest.Pytester, made: dict[str, Any]
    ) -> None:
        put("answers", "true", made)
        result = run(pytester, "--pagewitness-answers", "answers", "--pagewitness-db", "absent.db")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["*store_unavailable*"])
        assert not Path("absent.db").exists()


class TestUnused:
    def test_a_run_without_it_loads_nothing_of_the_gate(self, pytester: pytest.Pytester) -> None:
        pytester.makeini("[pytest]\nfilterwarnings = error\n")
        pytester.makepyfile(
            """
            import sys

            def test_nothing_is_loaded():
                ours = {name for name in sys.modules
                        if name.partition(".")[0] in ("grounding", "verifier", "ingest")}
                assert ours == set()
                assert {name for name in sys.modules if name.startswith("pagewitness")} == {
                    "pagewitness", "pagewitness.pytest_plugin"}
            """
        )
        run(pytester).assert_outcomes(passed=1)

    def test_the_entry_point_names_the_module(self) -> None:
        text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
        assert '[project.entry-points.pytest11]\npagewitness = "pagewitness.pytest_plugin"' in text

    def test_the_package_loads_its_rooms_only_when_asked(self) -> None:
        code = (
            "import sys, pagewitness; assert 'grounding' not in sys.modules;"
            "print(pagewitness.__version__); assert 'grounding.version' in sys.modules"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout[0].isdigit()
