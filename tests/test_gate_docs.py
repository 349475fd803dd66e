"""The page on the gate is what the program does.

PAGEWITNESS_UPDATE_README=1 writes the present output of its commands into it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import get_args

import pytest
from test_readme import _BLOCK, _VARIES, UPDATE, performed, workplace

from verifier.gate.codes import Action, ClaimType
from verifier.gate.policy import Policy

PAGE = Path(__file__).resolve().parents[1] / "docs" / "gate.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_shows_what_the_commands_print(tmp_path: Path) -> None:
    """Every console block, run in order in one folder."""
    folder = workplace(tmp_path)
    blocks = _BLOCK.findall(TEXT)
    assert len(blocks) >= 2
    now = [performed(block, folder) for block in blocks]
    if os.environ.get(UPDATE) == "1":
        replacements = iter(now)
        PAGE.write_text(_BLOCK.sub(lambda _: next(replacements), TEXT), "utf-8")
        pytest.fail(f"docs/gate.md was rewritten; unset {UPDATE}")
    assert [_VARIES.sub("_", block) for block in blocks] == [_VARIES.sub("_", b) for b in now]


def test_types_actions_and_keys_are_those_of_the_code() -> None:
    def first(section: str) -> list[str]:
        cells = re.findall(r"^\| (`.+?) \|", section, re.M)
        return [name.strip("` ") for cell in cells for name in cell.split(",")]

    parts = re.split(r"^## ", TEXT, flags=re.M)
    assert first(parts[1]) == list(get_args(ClaimType))
    assert sorted(first(parts[2])) == sorted(get_args(Action))
    assert set(first(parts[3])) == set(Policy.model_fields) - {"policy_version", "name"}
