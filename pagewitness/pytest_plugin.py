"""pytest: answers that have to be released.

The fixture `pagewitness_gate` gates answers of a project in its own tests. Nothing is imported
before it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verifier.gate import Decision, Gate


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where answers are gated, and by which rules."""
    group = parser.getgroup("pagewitness")
    for name, default, about in (
        ("db", "grounding.db", "Store against which the fixture pagewitness_gate checks answers."),
        ("policy", "strict", "Its policy: strict, review, or a TOML or JSON file."),
    ):
        group.addoption(f"--pagewitness-{name}", default=None, help=about)
        parser.addini(f"pagewitness_{name}", about, default=default)


class GateFixture:
    """Gates answers in tests. Files are named relative to pytest's root."""

    def __init__(self, gate: Gate, root: Path) -> None:
        self._gate, self._root = gate, root

    def decide(
        self, answer: str | Path | dict[str, Any], labels: Any = None, *, as_of: str | None = None
    ) -> Decision:
        """The decision on an answer: a file, or its JSON value. The same for its labels."""
        said = self._data(labels) if labels is not None else None
        return self._gate.decide(self._data(answer), said, as_of=as_of)

    def assert_released(
        self, answer: str | Path | dict[str, Any], labels: Any = None, *, as_of: str | None = None
    ) -> Decision:
        """Fails with everything that holds the answer back."""
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


@pytest.fixture(scope="session")
def pagewitness_gate(pytestconfig: pytest.Config) -> Iterator[GateFixture]:
    """A gate over the store of `--pagewitness-db` under `--pagewitness-policy`. It keeps no
    decisions."""
    from verifier.gate import Gate, load_policy

    root = pytestconfig.rootpath
    db = pytestconfig.getoption("--pagewitness-db") or pytestconfig.getini("pagewitness_db")
    policy = pytestconfig.getoption("--pagewitness-policy") or pytestconfig.getini(
        "pagewitness_policy"
    )
    file = root / str(policy)
    with Gate(root / str(db), load_policy(str(file) if file.is_file() else str(policy))) as gate:
        yield GateFixture(gate, root)
