"""The page on search, chunks, context and loaders is what the program does.

PAGEWITNESS_UPDATE_README=1 writes the present output of its commands into it.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path

import pytest
from test_readme import _BLOCK, _VARIES, UPDATE, performed, workplace

from grounding.cutting import DEFAULT_SIZE, TOKEN_RULE
from grounding.store.query import MAX_QUERY, MAX_TERMS
from pagewitness.answers import CODES
from pagewitness.context import MAX_EVIDENCE, QUOTED

PAGE = Path(__file__).resolve().parents[1] / "docs" / "rag.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_shows_what_the_commands_print(tmp_path: Path) -> None:
    """Every console block, run in order in one folder."""
    folder = workplace(tmp_path)
    blocks = _BLOCK.findall(TEXT)
    assert len(blocks) >= 5
    now = [performed(block, folder) for block in blocks]
    if os.environ.get(UPDATE) == "1":
        replacements = iter(now)
        PAGE.write_text(_BLOCK.sub(lambda _: next(replacements), TEXT), "utf-8")
        pytest.fail(f"docs/rag.md was rewritten; unset {UPDATE}")
    assert [_VARIES.sub("_", block) for block in blocks] == [_VARIES.sub("_", b) for b in now]


def test_the_notes_are_those_of_the_code() -> None:
    section = TEXT[TEXT.index("Notes are lines") : TEXT.index("## Loaders")]
    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.M)) == CODES


def test_the_numbers_are_those_of_the_code() -> None:
    assert f"`{TOKEN_RULE}`" in TEXT
    assert f"| `--chunk-size` | {DEFAULT_SIZE} |" in TEXT
    assert f"{MAX_TERMS} terms or {MAX_QUERY:,} characters" in TEXT
    assert f"more than {MAX_EVIDENCE:,} characters" in TEXT
    assert f"begins with `{QUOTED}`" in TEXT


def test_the_loaders_are_there() -> None:
    calls = re.findall(r"\| `(pagewitness\.loaders\.\w+)\.(\w+)` \|", TEXT)
    assert len(calls) == 3
    for module, name in calls:
        assert callable(getattr(import_module(module), name))
