"""The page on audits is what the program does.

PAGEWITNESS_UPDATE_README=1 writes the present output of its commands into it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import get_args

import pytest
from test_readme import _BLOCK, _VARIES, UPDATE, performed, workplace

from verifier.coverage.claims import MAX_CLAIMS
from verifier.coverage.model import Basis
from verifier.scorecard.model import TO_HARNESS
from verifier.traces.draft import MAX_ANSWER, MAX_CONTENT, MAX_DOCUMENTS
from verifier.traces.formats import FORMATS
from verifier.traces.model import FACETS, RejectionCode
from verifier.traces.spans import MOST_OPEN, MOST_SPANS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "audits.md"
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
        pytest.fail(f"docs/audits.md was rewritten; unset {UPDATE}")
    assert [_VARIES.sub("_", block) for block in blocks] == [_VARIES.sub("_", b) for b in now]


def test_every_word_and_number_of_the_code_is_on_the_page() -> None:
    """Forms, facets, reasons, bases, both vocabularies, limits."""
    for words in (get_args(RejectionCode), FACETS, [form.name for form in FORMATS]):
        assert not [word for word in words if f"`{word}`" not in TEXT]
    assert not [b for b in get_args(Basis) if b != "judged" and f"`{b}`" not in TEXT]
    assert not [word for word in (*TO_HARNESS, *TO_HARNESS.values()) if f"`{word}`" not in TEXT]
    for number in (MAX_DOCUMENTS, MAX_ANSWER, MAX_CONTENT, MAX_CLAIMS, MOST_OPEN, MOST_SPANS):
        assert f"{number:,}" in TEXT


def test_the_table_of_reasons_is_complete() -> None:
    section = TEXT[TEXT.index("| reason | the trace |") : TEXT.index("With `--db`")]
    assert re.findall(r"^\| `(\w+)`", section, re.M) == list(get_args(RejectionCode))
