"""The page on the source map is what the program does.

PAGEWITNESS_UPDATE_README=1 writes the present output of its commands into it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from test_readme import _BLOCK, _VARIES, UPDATE, performed, workplace

from grounding.store.source_entry import FIELDS, STATUSES
from verifier.trusted import _REFUSALS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "sources.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_shows_what_the_commands_print(tmp_path: Path) -> None:
    """Every console block, run in order in one folder."""
    folder = workplace(tmp_path)
    blocks = _BLOCK.findall(TEXT)
    assert len(blocks) >= 3
    now = [performed(block, folder) for block in blocks]
    if os.environ.get(UPDATE) == "1":
        replacements = iter(now)
        PAGE.write_text(_BLOCK.sub(lambda _: next(replacements), TEXT), "utf-8")
        pytest.fail(f"docs/sources.md was rewritten; unset {UPDATE}")
    assert [_VARIES.sub("_", block) for block in blocks] == [_VARIES.sub("_", b) for b in now]


def test_keys_statuses_and_reasons_are_those_of_the_code() -> None:
    table = TEXT[TEXT.index("| key |") : TEXT.index("What is ingested")]
    keys = [key for cell in re.findall(r"^\| (`.+?) \|", table, re.M) for key in cell.split(", ")]
    assert [key.strip("`") for key in keys] == ["id", *FIELDS]
    assert all(f"`{status}`" in table for status in STATUSES)
    decided = TEXT[TEXT.index("| reason |") :]
    assert set(_REFUSALS) <= set(re.findall(r"^\| `(\w+)` \|", decided, re.M))
