"""The page on the audit log is what the program does.

PAGEWITNESS_UPDATE_README=1 writes the present output of its commands into it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from test_readme import _BLOCK, _VARIES, UPDATE, performed, workplace

from grounding.store.audit_chain import BREAKS
from verifier.gate.stats import METRICS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "audit.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_shows_what_the_commands_print(tmp_path: Path) -> None:
    """Every console block, run in order in one folder."""
    folder = workplace(tmp_path)
    blocks = _BLOCK.findall(TEXT)
    assert len(blocks) >= 4
    now = [performed(block, folder) for block in blocks]
    if os.environ.get(UPDATE) == "1":
        replacements = iter(now)
        PAGE.write_text(_BLOCK.sub(lambda _: next(replacements), TEXT), "utf-8")
        pytest.fail(f"docs/audit.md was rewritten; unset {UPDATE}")
    assert [_VARIES.sub("_", block) for block in blocks] == [_VARIES.sub("_", b) for b in now]


def test_codes_and_counters_are_those_of_the_code() -> None:
    rows = [row.strip("| ").split(" | ") for row in re.findall(r"^\| `.+\|$", TEXT, re.M)]
    assert {row[0].strip("`"): row[1] for row in rows if len(row) == 2} == BREAKS
    counters = [(row[0].strip("`"), row[1], row[2]) for row in rows if len(row) == 3]
    assert counters == [
        (one.name, one.help, ", ".join(f"`{label}`" for label in one.labels)) for one in METRICS
    ]
