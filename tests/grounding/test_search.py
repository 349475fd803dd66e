"""Full-text search: what is found, in which order, and that every hit can be cited as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain
from drawn_hidden import covered_text, r14
from drawn_pages import headings_and_lists
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import Shelf

from grounding.errors import UsageError
from grounding.model import ElementKind
from grounding.passages import sentences
from grounding.store import StoreReader
from grounding.store.query import MAX_QUERY, MAX_TERMS, match_expression
from grounding.store.search import Filters, Hit, search
from pagewitness.hits import hit_data
from verifier import PRESETS, parse_requests, verify

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """The samples, pages with hidden text, and two documents that say the same."""
    with Shelf(tmp_path_factory.mktemp("library")) as shelf:
        for path in sorted(SAMPLES.glob("*.pdf")):
            shelf.put(path.read_bytes(), path.name)
        shelf.put(r14(), "grant.pdf")
        shelf.put(covered_text(), "sums.pdf")
        shelf.put(headings_and_lists(), "duties.pdf")
        for name in ("twin-b", "twin-a"):  # stored against the order of their ids
            lines = ["The marmot sleeps in winter.", f"This is {name}."]
            shelf.put(plain(lines, ["A marmot whistles on page two."]), f"{name}.pdf")
        yield shelf


def found(shelf: Shelf, query: str, limit: int = 10, **filters: Any) -> list[Hit]:
    return search(shelf.reader, query, Filters(**filters), limit)


def texts(hits: list[Hit]) -> list[str]:
    return [" ".join(hit.text.split()) for hit in hits]


class TestQueries:
    """Words, phrases and beginnings; nothing else has a meaning."""

    @pytest.mark.parametrize(
        ("query", "expression"),
        [
            ("net sales", '"net" "sales"'),
            ('"net sales" fee', '"net sales" "fee"'),
            ("“net sales”", '"net sales"'),
            ("„net sales“ ”x", '"net sales" "”x"'),
            ("sal*", '"sal" *'),
            ('"net sal"*', '"net sal" *'),
            ("sa*les", '"sa*les"'),
            ("a AND NOT b OR NEAR(c, 2)", '"a" "AND" "NOT" "b" "OR" "NEAR(c," "2)"'),
            ("text:sales ^first -not", '"text:sales" "^first" "-not"'),
            ("word * ... *", '"word"'),
        ],
    )
    def test_a_query_becomes_strings_of_the_index(self, query: str, expression: str) -> None:
        assert match_expression(query) == expression

    @pytest.mark.parametrize("query", ["", " ", "*", '""', '"..."', "- +"])
    def test_a_query_without_a_word_is_refused(self, query: str) -> None:
        with pytest.raises(UsageError, match="holds no word"):
            match_expression(query)
        assert match_expression(query + ' "a"')

    def test_an_open_quotation_mark_is_named_by_its_place(self) -> None:
        with pytest.raises(UsageError, match=r"at character 5 .* is not closed"):
            match_expression('net "sales')
        assert match_expression('net "sales"')

    def test_a_query_is_bounded(self) -> None:
        assert match_expression("a " * MAX_TERMS)
        with pytest.raises(UsageError, match=f"more than {MAX_TERMS}"):
            match_expression("a " * (MAX_TERMS + 1))
        with pytest.raises(UsageError, match="longer than"):
            match_expression("a" * (MAX_QUERY + 1))

    @settings(max_examples=300, deadline=None)
    @given(
        st.text(max_size=60)
        | st.text(alphabet='"*()^:+-. aAND\0\ud800“', max_size=30)
        | st.lists(
            st.sampled_from(
                ["AND", "OR", "NOT", "NEAR(", ")", '"', "*", "sales", "rowid:", "{a b}:"]
            )
        ).map(" ".join)
    )
    def test_no_query_is_an_error_of_sqlite(self, library: Shelf, query: str) -> None:
        """Hits or a UsageError."""
        try:
            hits = found(library, query, limit=3)
        except UsageError:
            return
        for hit in hits:
            assert hit.marks
            json.dumps(hit_data(hit))


class TestHits:
    def test_words_may_stand_apart_and_phrases_may_not(self, library: Shelf) -> None:
        assert texts(found(library, "winter marmot", document=library.reader.find("twin-a")))
        assert not found(library, '"winter marmot"')
        assert len(found(library, '"marmot sleeps"')) == 2
        assert len(found(library, "marm*")) == 4
        assert not found(library, "marm")

    def test_equal_ranks_are_in_the_order_of_ids_and_elements(self, library: Shelf) -> None:
        """Not in the order in which the documents were stored."""
        hits = found(library, '"marmot sleeps"')
        assert [hit.source.identity.source_id for hit in hits] == ["twin-a", "twin-b"]
        assert hits[0].score == hits[1].score > 0

    def test_a_better_hit_comes_first_and_the_limit_keeps_it(self, library: Shelf) -> None:
        hits = found(library, "sales", limit=50)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        three = found(library, "sales", limit=3)
        assert [hit.element for hit in three] == [hit.element for hit in hits[:3]]

    def test_filters_leave_out_pages_kinds_and_documents(self, library: Shelf) -> None:
        both = found(library, "marmot", limit=50)
        assert {hit.element.page for hit in both} == {1, 2}
        assert {h.element.page for h in found(library, "marmot", pages=(2, 7))} == {2}
        assert not found(library, "marmot", pages=(3, 3))
        key = library.reader.find("twin-b")
        assert {h.source.identity.source_id for h in found(library, "marmot", document=key)} == {
            "twin-b"
        }
        headings = found(library, "scope", kinds=frozenset({ElementKind.HEADING}))
        assert texts(headings) == ["1 Scope"]
        assert not found(library, "scope", kinds=frozenset({ElementKind.TABLE}))

    @pytest.mark.parametrize(
        ("hidden", "seen"),
        [("9,999", "76,500"), ('"Covered sum"', '"Open sum"'), ("4,100", "5,200")],
    )
    def test_hidden_text_is_no_hit(self, library: Shelf, hidden: str, seen: str) -> None:
        """The index knows its words; nobody sees them."""
        assert found(library, hidden) == []
        assert len(found(library, seen)) == 1
        expression = match_expression(hidden)
        assert library.reader.search(expression, 5) != []

    def test_a_query_half_of_which_is_hidden_finds_nothing(self, library: Shelf) -> None:
        assert found(library, "Open Covered") == []

    def test_superseded_versions_are_found_when_asked_for(self, tmp_path: Path) -> None:
        with Shelf(tmp_path) as shelf:
            shelf.put(plain(["The walrus is here."]), "w.pdf")
            shelf.put(plain(["The marmot is here."]), "w.pdf")
            assert found(shelf, "walrus") == []
            (old,) = found(shelf, "walrus", all_versions=True)
            assert old.element.id == "e000001"
            assert len(found(shelf, "walrus", all_versions=True, source_id="w")) == 1
            assert found(shelf, "walrus", all_versions=True, source_id="x") == []
            pinned = shelf.reader.find(old.source.identity.document_fingerprint)
            assert len(found(shelf, "walrus", document=pinned)) == 1


def words_of(reader: StoreReader) -> list[str]:
    found_words: dict[str, None] = {}
    for row in reader.sources():
        source = reader.open(row.document_fingerprint)
        for page in source.pages:
            words = source.page_text(page.number).split()
            found_words.update(dict.fromkeys(w for w in words if '"' not in w))
    return list(found_words)


def test_every_hit_has_a_claim_that_is_grounded(library: Shelf) -> None:
    """Of every word of every document; one with a changed text is not grounded."""
    claims: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for word in words_of(library.reader):
        if not any(map(str.isalnum, word)):
            continue
        for hit in found(library, word, limit=5):
            data = hit_data(hit)
            pinned = claims.setdefault((data["document"], data["document_fingerprint"]), {})
            pinned[json.dumps(data["claim"], sort_keys=True)] = data["claim"]
    requests = [
        {"document": name, "document_fingerprint": pin, "claims": list(made.values())}
        for (name, pin), made in claims.items()
    ]
    assert statuses(library, requests) == {"grounded"}
    for request in requests:
        request["claims"] = [c for c in request["claims"] if c["kind"] == "quote"]
        for claim in request["claims"]:
            claim["text"] += " as nobody ever said"
    assert "grounded" not in statuses(library, requests)


def statuses(shelf: Shelf, requests: list[dict[str, Any]]) -> set[str]:
    submission = parse_requests(json.dumps({"requests": requests}))
    reports: Any = verify(submission, shelf.reader, PRESETS["default"])
    checks = [check for report in reports["reports"] for check in report["checks"]]
    assert len(checks) > 100
    return {check["status"] for check in checks}


def test_a_snippet_marks_what_was_found(library: Shelf) -> None:
    (hit, *_) = found(library, '"reserve fund" tou*')
    data = hit_data(hit)
    assert "**reserve fund** of 2.4 million euro has to be **touched**." in data["snippet"]
    assert data["snippet"].replace("**", "") == data["excerpt"]
    assert data["claim"]["text"].startswith("They expect")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It rose. It fell.", ["It rose.", "It fell."]),
        ("Mr. Smith paid 5. 000 euro.", ["Mr. Smith paid 5. 000 euro."]),
        ("See No. A of J. Doe. Then go!", ["See No. A of J. Doe.", "Then go!"]),
        ("The U.S. Treasury said so. (They did.) Yes", ["The U.S. Treasury said so.",
                                                        "(They did.)", "Yes"]),
        ("甲は買う。乙は売る。", ["甲は買う。", "乙は売る。"]),
        ("One\n\nTwo", ["One", "Two"]),
        ("  ", []),
    ],
)  # fmt: skip
def test_sentences(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == parts
