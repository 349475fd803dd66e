"""Chunks: exact slices of the document, within their size, of what a reader sees."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn_hidden import covered_text, r14
from drawn_pages import headings_and_lists, running_header_footer
from drawn_tables import r17, r18, ruled_table
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import Shelf, report

from grounding.artifact import PAGE_SEPARATOR
from grounding.chunks import chunk_lines, chunks
from grounding.cutting import ChunkRules, count_tokens, fitting
from grounding.errors import UsageError
from grounding.model import RUNNING_KINDS, UNSEEN
from grounding.store import StoredSource

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
DRAWN = {
    "grant": r14, "sums": covered_text, "duties": headings_and_lists,
    "review": running_header_footer, "r17": r17, "r18": r18, "orders": ruled_table,
}  # fmt: skip
RULES = [
    ChunkRules(),
    ChunkRules(40),
    ChunkRules(7),
    ChunkRules(90, "characters"),
    ChunkRules(4000, across_headings=True),
    ChunkRules(60, tables="rows"),
    ChunkRules(4000, across_headings=True, tables="rows"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[StoredSource]]:
    with Shelf(tmp_path_factory.mktemp("chunks")) as shelf:
        sources = [shelf.put(p.read_bytes(), p.name) for p in sorted(SAMPLES.glob("*.pdf"))]
        yield sources + [shelf.put(draw(), f"{name}.pdf") for name, draw in DRAWN.items()]


def named(library: list[StoredSource], name: str) -> StoredSource:
    return next(source for source in library if source.identity.source_id == name)


def whole_text(source: StoredSource) -> str:
    return PAGE_SEPARATOR.join(source.page_text(page.number) for page in source.pages)


def unseen(source: StoredSource) -> set[int]:
    """Offsets of what nobody sees, and of heads and feet."""
    found: set[int] = set()
    for page in source.pages:
        for start, end, _ in source.flagged(page.number, UNSEEN):
            found.update(range(start, end))
        for element in source.elements(page.number):
            if element.kind in RUNNING_KINDS:
                found.update(range(element.start, element.end))
    return found


@pytest.mark.parametrize("rules", RULES, ids=str)
class TestEveryChunk:
    """What holds under all rules and for all documents."""

    def test_its_text_is_the_slice_of_the_document(
        self, library: list[StoredSource], rules: ChunkRules
    ) -> None:
        for source in library:
            text = whole_text(source)
            for chunk in chunks(source, rules):
                assert chunk["text"] == text[chunk["char_start"] : chunk["char_end"]]
                assert chunk["text"] == chunk["text"].strip() != ""

    def test_chunks_are_in_order_and_numbered_and_do_not_overlap(
        self, library: list[StoredSource], rules: ChunkRules
    ) -> None:
        for source in library:
            made = list(chunks(source, rules))
            assert [chunk["id"] for chunk in made] == [f"c{n + 1:06d}" for n in range(len(made))]
            for one, other in itertools.pairwise(made):
                assert one["char_end"] <= other["char_start"]

    def test_everything_that_is_seen_is_in_one_and_nothing_else(
        self, library: list[StoredSource], rules: ChunkRules
    ) -> None:
        """Header rows of tables are beside the rows where these are chunks."""
        for source in library:
            text, left_out = whole_text(source), unseen(source)
            made = list(chunks(source, rules))
            covered = {n for c in made for n in range(c["char_start"], c["char_end"])}
            assert not {n for n in covered & left_out if not text[n].isspace()}
            missing = {
                n for n in range(len(text))
                if n not in covered and n not in left_out and not text[n].isspace()
            }  # fmt: skip
            heads = " ".join(label for c in made for label in c.get("table", {}).get("header", []))
            if rules.tables == "rows":
                assert {text[n] for n in missing} <= set(heads)
            else:
                assert missing == set()

    def test_it_is_no_larger_than_asked_for_unless_it_is_a_table(
        self, library: list[StoredSource], rules: ChunkRules
    ) -> None:
        for source in library:
            for chunk in chunks(source, rules):
                if chunk["kind"] not in ("table", "table_row"):
                    assert rules.measure(chunk["text"]) <= rules.size

    def test_its_citation_is_grounded(self, library: list[StoredSource], rules: ChunkRules) -> None:
        """But for one with too few words to prove anything; another text there is not. Chunks that
        are shorter than a line may end in the middle of an amount."""
        if rules.size < 40:
            pytest.skip("shorter than a line")
        for source in library:
            made = list(chunks(source, rules))
            quotes = [quote(chunk) for chunk in made]
            pin = source.identity.document_fingerprint
            checks = report(source, quotes, document_fingerprint=pin)["checks"]
            assert {c["status"] for c in checks if c.get("reason") != "quote_too_short"} <= {
                "grounded"
            }
            false = [{**q, "text": f"{q['text']} and nothing of the kind"} for q in quotes]
            assert "grounded" not in {c["status"] for c in report(source, false)["checks"]}

    def test_the_same_document_gives_the_same_bytes(
        self, library: list[StoredSource], rules: ChunkRules
    ) -> None:
        for source in library[:3]:
            lines = chunk_lines(source, rules)
            assert lines == chunk_lines(source, rules)
            assert [json.loads(line) for line in lines.splitlines()] == list(chunks(source, rules))


def quote(chunk: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "quote", "text": chunk["text"], "citation": chunk["citation"]}


class TestHeadings:
    def test_a_heading_begins_a_chunk(self, library: list[StoredSource]) -> None:
        made = list(chunks(named(library, "duties")))
        assert made[0]["text"].startswith("1 Scope\n")
        assert [c["heading_path"] for c in made if c["text"].startswith("2.1 Records")] == [
            ["2 Duties", "2.1 Records"]
        ]
        for chunk in made:
            assert "2 Duties" not in chunk["text"][1:]

    def test_a_chunk_goes_on_over_headings_when_asked(self, library: list[StoredSource]) -> None:
        source = named(library, "duties")
        rules = ChunkRules(4000, across_headings=True)
        assert len(list(chunks(source, rules))) < len(list(chunks(source)))
        (first, *_) = chunks(source, rules)
        assert {"1 Scope", "2 Duties"} <= set(first["text"].splitlines())
        assert first["heading_path"] == ["1 Scope"]


class TestTables:
    def test_a_table_is_one_chunk(self, library: list[StoredSource]) -> None:
        made = [c for c in chunks(named(library, "orders"), ChunkRules(5)) if c["kind"] == "table"]
        assert len(made) == 1
        assert len(made[0]["element_ids"]) > 1

    def test_a_row_comes_with_the_labels_over_its_columns(
        self, library: list[StoredSource]
    ) -> None:
        source = named(library, "orders")
        rows = [c for c in chunks(source, ChunkRules(tables="rows")) if c["kind"] == "table_row"]
        table = source.tables(1)[0]
        assert [row["table"]["row"] for row in rows] == list(range(1, table.rows))
        for row in rows:
            cells = [c.text for c in table.cells if c.row == row["table"]["row"]]
            assert row["text"].split() == " ".join(cells).split()
            assert row["table"]["header"] == [c.text for c in table.cells if c.row == 0]


def test_hidden_text_ends_a_chunk(library: list[StoredSource]) -> None:
    """Around it the text goes on in the next one; no slice holds it."""
    made = [chunk["text"] for chunk in chunks(named(library, "grant"))]
    assert made == ["Grant ceiling: 76,500 EUR"]
    assert "9,999" in whole_text(named(library, "grant"))


def test_a_chunk_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="holds nothing"):
        ChunkRules(0)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("sixsix", 1), ("seven77", 2), ("a, b.", 4), ("甲乙 丙", 3), ("x甲y", 3),
     (" \n", 0), ("_-_", 3), ("é" * 12, 2)],
)  # fmt: skip
def test_tokens_are_estimated_without_a_model(text: str, tokens: int) -> None:
    """`pagewitness-words-1`."""
    assert count_tokens(text) == tokens


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab \n.A1-甲", max_size=120),
    st.integers(1, 12),
    st.sampled_from(["tokens", "characters"]),
)
def test_any_text_is_cut_into_pieces_that_fit(text: str, size: int, unit: Any) -> None:
    """Nothing but white space is lost, and the order is kept."""
    rules = ChunkRules(size, unit)
    pieces = list(fitting(text, rules))
    assert all(rules.measure(text[start:end]) <= size for start, end in pieces)
    kept = {n for start, end in pieces for n in range(start, end)}
    assert all(text[n].isspace() for n in range(len(text)) if n not in kept)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(pieces))
