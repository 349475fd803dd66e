"""Our own artifact as Grounding JSON and back: the same verdict on every claim that it carries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import r9, r10, r14, r15, r18, r20, r23, ruled_table
from drawn_grids import long_table
from jsonschema import Draft202012Validator
from pdf_writer import Pdf
from reading import Shelf, report, verdict

from grounding.adapters import ForeignSource, read_artifact
from grounding.canonical import canonical_bytes
from grounding.grounding_json import grounding_json
from grounding.store import StoredSource

ROOT = Path(__file__).parents[1]
SAMPLES = sorted((ROOT / "sample_docs").glob("*.pdf"))
SCHEMA = json.loads((ROOT / "schemas" / "foreign_ethos_grounding.schema.json").read_text())
DRAWN = {
    "r9": r9(), "r10": r10(), "r15": r15(), "r18": r18(), "r20": r20(), "r23": r23(),
    "ruled": ruled_table(), "long": long_table(60),
}  # fmt: skip


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def back(made: StoredSource) -> ForeignSource:
    """The document as another program would hand it over."""
    data = canonical_bytes(grounding_json(made))
    return ForeignSource(read_artifact("ethos-grounding", data), "drawn")


def claims_on(made: StoredSource) -> Iterator[dict[str, Any]]:
    """Every line, every number of it, and every cell by place and by labels, each with a false
    twin; all of them by page, the lines by their element too."""
    for page in made.pages:
        text = made.page_text(page.number)
        for element in made.elements(page.number):
            for line in text[element.start - page.start : element.end - page.start].split("\n"):
                for wording in (line, line.replace("1", "7"), line[:-6] + " not " + line[-6:]):
                    if len(wording) > 12:
                        yield claim("quote", wording, page=page.number)
                        yield claim("quote", wording, element_id=element.id)
        for word in text.split():
            if any(map(str.isdigit, word)):
                yield claim("value", word, page=page.number)
                yield claim("value", f"{word}1 million", page=page.number)
        for table in made.tables(page.number):
            for cell in table.cells:
                place = {"table_id": table.id, "cell": {"row": cell.row, "col": cell.col}}
                for wording in (cell.text, f"{cell.text}1"):
                    yield claim("table_cell", wording, **place)
                    yield claim("value", wording, **place)


def claim(kind: str, text: str, **citation: Any) -> dict[str, Any]:
    return {"kind": kind, "text": text, "citation": citation}


def assert_alike(made: StoredSource, claims: list[dict[str, Any]]) -> None:
    own, foreign = report(made, claims), report(back(made), claims)
    for one, other in zip(own["checks"], foreign["checks"], strict=True):
        assert verdict(other)[0] == verdict(one)[0], one["claim"]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_sample_documents_keep_their_verdicts(path: Path, shelf: Shelf) -> None:
    made = shelf.put(path.read_bytes(), path.name)
    claims = list(claims_on(made))
    assert len(claims) > 30
    assert_alike(made, claims)


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_drawn_documents_keep_their_verdicts(name: str, shelf: Shelf) -> None:
    """Page breaks, markers, tables over pages, statements of scale."""
    made = shelf.put(DRAWN[name], "drawn.pdf")
    assert_alike(made, list(claims_on(made)))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_what_is_written_fits_the_format(path: Path, shelf: Shelf) -> None:
    """Its schema, and everything else that the adapter holds it to."""
    made = shelf.put(path.read_bytes(), path.name)
    value = grounding_json(made)
    Draft202012Validator(SCHEMA).validate(value)
    assert json.loads(canonical_bytes(value)) == value
    assert grounding_json(made) == value


def test_labels_statements_and_roles_come_back(shelf: Shelf) -> None:
    """The format has no place for them; ids and kinds say them."""
    made = shelf.put((ROOT / "sample_docs" / "income-statement.pdf").read_bytes(), "income.pdf")
    foreign = back(made)
    assert foreign.capabilities.cell_roles
    for page in made.pages:
        own, other = made.tables(page.number), foreign.tables(page.number)
        assert [t.id for t in own] == [t.id for t in other]
        for one, two in zip(own, other, strict=True):
            assert [(c.row, c.col, c.text, c.role, c.level) for c in one.cells] == [
                (c.row, c.col, c.text, c.role, c.level) for c in two.cells
            ]
            assert (one.caption, one.statement) == (two.caption, two.statement)


def test_hidden_text_is_not_carried(shelf: Shelf) -> None:
    """Whoever checks the file elsewhere must not ground a claim on it."""
    made = shelf.put(r14(), "drawn.pdf")
    assert "Grant ceiling: 9,999 EUR" in made.page_text(1)
    data = canonical_bytes(grounding_json(made)).decode()
    assert "Grant ceiling: 76,500 EUR" in data
    assert "9,999" not in data
    hidden = claim("quote", "Grant ceiling: 9,999 EUR", page=1)
    assert report(back(made), [hidden])["checks"][0]["status"] == "mismatch"


def test_a_long_text_is_cut_where_the_format_ends_it(shelf: Shelf) -> None:
    """No text of the format is longer than 16,384 bytes; nothing of it is lost."""
    pdf = Pdf()
    page = pdf.page()
    lines = [
        f"The works of week {at} began at dawn, in fog, and ended at dusk." for at in range(110)
    ]
    for at, line in enumerate(lines):
        page.text(72, 780 - 6 * at, 5, line)
    made = shelf.put(pdf.to_bytes(), "drawn.pdf")
    texts = [e.get("text", "") for e in grounding_json(made)["elements"]]
    assert len(texts) > len(made.elements(1))
    assert all(len(text.encode()) <= 16_384 for text in texts)
    assert_alike(made, [claim("quote", line, page=1) for line in lines[:40]])
