"""pytest: answers that have to be released.

The fixture `pagewitness_gate` gates answers of a project in its own tests, and with
`--pagewitness-answers DIR` every `*.answer.json` in a folder is a test of its own. Nothing of the
gate is imported before it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verifier.gate import Decision, Gate

ANSWER, LABELS = ".answer.json", ".labels.json"
"""Ends of the names of an answer's file, and of the file beside it that has its labels."""
_SETTINGS = (
    ("db", "grounding.db", "The store against which answers are checked."),
    ("policy", "strict", "The policy of the gate: strict, review, or a TOML or JSON file."),
    ("as-of", "", "The day of the questions, such as 2026-01-31."),
    ("audit-db", "", "The store that keeps the decisions; without it none keeps them."),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where answers are gated, by which rules, and which files are answers."""
    group = parser.getgroup("pagewitness", "the release gate of pagewitness")
    for name, default, about in _SETTINGS:
        group.addoption(f"--pagewitness-{name}", default=None, metavar=name.upper(), help=about)
        parser.addini(f"pagewitness_{name.replace('-', '_')}", about, default=default)
    group.addoption(
        "--pagewitness-answers",
        action="append",
        default=[],
        metavar="DIR",
        help=f"Every *{ANSWER} in this folder has to be released, with the labels of the *{LABELS}"
        " beside it; repeatable.",
    )


class GateFixture:
    """Gates answers in tests. An answer is a file, named relative to pytest's root, or its JSON
    value; so are its labels."""

    def __init__(self, gate: Gate, root: Path, as_of: str | None) -> None:
        self._gate, self._root, self._as_of = gate, root, as_of

    def decide(
        self, answer: str | Path | dict[str, Any], labels: Any = None, *, as_of: str | None = None
    ) -> Decision:
        """The decision on an answer. Raises AnswerInvalidError and LabelsInvalidError."""
        said = self._data(labels) if labels is not None else None
        return self._gate.decide(self._data(answer), said, as_of=as_of or self._as_of)

    __call__ = decide

    def assert_released(
        self, answer: str | Path | dict[str, Any], labels: Any = None, *, as_of: str | None = None
    ) -> Decision:
        """Fails with everything that holds the answer back, claim by claim."""
        __tracebackhide__ = True
        decision = self.decide(answer, labels, as_of=as_of)
        if decision["action"] != "release":
            from verifier.gate.text import decision_text

            pytest.fail(decision_text(decision), pytrace=False)
        return decision

    def _data(self, given: Any) -> bytes | str:
        if isinstance(given, str | Path):
            return (self._root / given).read_bytes()
        return json.dumps(given)


_GATE = pytest.StashKey[GateFixture]()
_CLOSE = pytest.StashKey["Gate"]()


@pytest.fixture(scope="session")
def pagewitness_gate(pytestconfig: pytest.Config) -> GateFixture:
    """A gate over the store of `pagewitness_db` under `pagewitness_policy`."""
    return _gate(pytestconfig)


def _gate(config: pytest.Config) -> GateFixture:
    """The one gate of a run, made when it is first asked for."""
    if _GATE not in config.stash:
        from grounding.errors import PolicyInvalidError
        from verifier.gate import Gate, load_policy

        policy, audit = _path(config, "policy"), _path(config, "audit-db")
        try:
            rules = load_policy(str(policy) if policy.is_file() else _setting(config, "policy"))
        except PolicyInvalidError as error:
            raise pytest.UsageError(error.line()) from error
        record = None
        if _setting(config, "audit-db"):
            from pagewitness.gate import audit_recorder

            record = audit_recorder(audit, actor="pytest", text=rules.audit_text)
        gate = Gate(_path(config, "db"), rules, record=record)
        config.stash[_CLOSE] = gate
        as_of = _setting(config, "as-of") or None
        config.stash[_GATE] = GateFixture(gate, config.rootpath, as_of)
    return config.stash[_GATE]


def _setting(config: pytest.Config, name: str) -> str:
    given = config.getoption(f"--pagewitness-{name}")
    return str(given or config.getini(f"pagewitness_{name.replace('-', '_')}"))


def _path(config: pytest.Config, name: str) -> Path:
    """What a setting names: relative to where pytest was called, or to its root where the setting
    stands in the configuration."""
    given = config.getoption(f"--pagewitness-{name}")
    return (config.invocation_params.dir if given else config.rootpath) / _setting(config, name)


def pytest_configure(config: pytest.Config) -> None:
    """Puts the folders of answers to what is collected."""
    for folder in _folders(config):
        if not folder.is_dir():
            raise pytest.UsageError(f"--pagewitness-answers: there is no folder {folder}")
        if str(folder) not in config.args:
            config.args.append(str(folder))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the threads of the gate."""
    if _CLOSE in config.stash:
        config.stash[_CLOSE].close()


def _folders(config: pytest.Config) -> list[Path]:
    given: list[str] = config.getoption("--pagewitness-answers")
    return [(config.invocation_params.dir / name).resolve() for name in given]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> AnswerFile | None:
    """Answers in the folders that were named."""
    if not file_path.name.endswith(ANSWER):
        return None
    if any(file_path.resolve().is_relative_to(folder) for folder in _folders(parent.config)):
        return AnswerFile.from_parent(parent, path=file_path)
    return None


class AnswerFile(pytest.File):
    """A file with one answer."""

    def collect(self) -> Iterable[AnswerItem]:
        yield AnswerItem.from_parent(self, name="released")


class AnswerItem(pytest.Item):
    """Passes when the answer of its file is released."""

    def runtest(self) -> None:
        __tracebackhide__ = True
        beside = self.path.with_name(f"{self.path.name.removesuffix(ANSWER)}{LABELS}")
        labels = beside if beside.is_file() else None
        _gate(self.config).assert_released(self.path, labels)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *unused: Any) -> Any:
        from grounding.errors import PagewitnessError

        if isinstance(excinfo.value, PagewitnessError):
            return excinfo.value.line()
        if isinstance(excinfo.value, pytest.UsageError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"answer: {self.path.name}"
