"""Answers that cite numbered sources."""

from typing import Any

import pytest
from converting import claims_of, codes, made

from grounding.errors import ConversionInvalidError

LISTED: list[dict[str, Any]] = [
    {"n": 1, "document": "a.pdf", "page": 3},
    {"id": "2", "file": "/x/b.pdf"},
    {"title": "Third report"},
]


def answer(text: str, listed: list[dict[str, Any]] = LISTED) -> Any:
    return made("numbered-answer", {"answer": text, "sources": listed})


def said(text: str) -> list[tuple[str, str, str]]:
    """Kind, text and document of every claim."""
    return [
        (claim["kind"], claim["text"], request["document"])
        for request in answer(text).requests
        for claim in request["claims"]
    ]


@pytest.mark.parametrize("marks", ["“{}”", '"{}"', "«{}»", "„{}“"])
def test_a_quotation_is_a_quote_on_the_source_behind_it(marks: str) -> None:
    assert said(f"The report says {marks.format('it rose')} [1].") == [
        ("quote", "it rose", "a.pdf")
    ]


def test_each_quotation_goes_with_the_next_source() -> None:
    assert said("First “it rose” [1], then “it fell” [2].") == [
        ("quote", "it rose", "a.pdf"),
        ("quote", "it fell", "b.pdf"),
    ]


def test_sources_side_by_side_are_all_cited() -> None:
    expected = [("quote", "it rose", "a.pdf"), ("quote", "it rose", "b.pdf")]
    assert said("“it rose” [1, 2]") == expected
    assert said("“it rose” [1][2]") == expected
    assert said("“it rose” [1–2]") == expected


def test_a_sentence_without_a_quotation_is_a_claim_of_kind_other() -> None:
    conversion = answer("All was well. The water rose by 3.5 m [1]. Nobody came.")
    (claim,) = claims_of(conversion)
    assert claim == {
        "id": "s1.c0", "kind": "other", "text": "The water rose by 3.5 m.", "citation": {"page": 3}
    }  # fmt: skip
    assert codes(conversion) == ["no_quotation"]


def test_a_source_behind_the_full_stop_belongs_to_the_sentence_before() -> None:
    assert said("It rose. [1] It fell. [2]") == [
        ("other", "It rose.", "a.pdf"),
        ("other", "It fell.", "b.pdf"),
    ]


def test_a_full_stop_inside_a_quotation_ends_no_sentence() -> None:
    assert said("He says “It rose. It fell.” [1]") == [("quote", "It rose. It fell.", "a.pdf")]


def test_brackets_around_other_things_are_text() -> None:
    assert said("It [sic] rose “a lot [of it]” [1].") == [("quote", "a lot [of it]", "a.pdf")]


def test_sources_that_are_not_listed_are_counted() -> None:
    conversion = answer("It rose [7].")
    assert (codes(conversion), conversion.unconverted) == (["source_unknown"], 1)


def test_the_same_source_twice_in_a_sentence_is_one_claim() -> None:
    conversion = answer("It rose [1] and fell [1].")
    assert (conversion.claims, codes(conversion)) == (1, ["no_quotation", "repeated"])


def test_a_source_s_own_text_is_a_quote_on_it() -> None:
    listed = [{"id": "A", "document": "a.pdf", "page": 2, "page_end": 3, "text": "It rose."}]
    conversion = answer("", listed)
    (claim,) = claims_of(conversion)
    assert (claim["id"], claim["citation"]) == ("r0", {"page": 2, "page_end": 3})


def test_addresses_are_no_documents() -> None:
    conversion = answer("It “rose” [1].", [{"n": 1, "url": "https://example.org"}])
    assert codes(conversion) == ["url_not_a_document"]


def test_plain_text_lists_its_sources_below_a_line() -> None:
    text = (
        "It “rose” [1].\nIt fell [2], or not [9].\n\n"
        "Sources:\n[1] x/a.pdf, p. 12\n[2] b.pdf, pp. 3-4\n"
    )
    conversion = made("numbered-answer", text)
    assert [(r["document"], r["claims"][0]["citation"]) for r in conversion.requests] == [
        ("a.pdf", {"page": 12}),
        ("b.pdf", {"page": 3, "page_end": 4}),
    ]
    assert [(note.code, note.where) for note in conversion.notes] == [
        ("source_unknown", "line 2"), ("page_range", "line 2"), ("no_quotation", "line 2")
    ]  # fmt: skip


@pytest.mark.parametrize("entry", ["a.pdf, page iv", "a.pdf (p. iv)", "a.pdf, p. iv."])
def test_a_roman_page_is_a_printed_label(entry: str) -> None:
    conversion = made("numbered-answer", f"It “rose” [1].\nSources:\n[1] {entry}\n")
    (request,) = conversion.requests
    assert request["document"] == "a.pdf"
    assert request["claims"][0]["citation"] == {"page_label": "iv"}
    assert ("page_label_only", "line 3") in [(note.code, note.where) for note in conversion.notes]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("It rose [1].", "line 1: neither JSON nor text"),
        ("It rose [1].\nSources:\n1. a.pdf", "line 3: no entry"),
        ("It rose [1].\nReferences:\n[1] a.pdf, pp. 4-3", "line 3: there are no pages 4 to 3"),
        ("[1]\nSources:\n[1] a.pdf\n[1] b.pdf", "source '1' is listed twice"),
        ('{"answer": 3, "sources": []}', r"\$.answer: "),
        ("[]", "line 1: neither JSON nor text"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_shape_is_named_by_its_place(text: str, place: str) -> None:
    with pytest.raises(ConversionInvalidError, match=place.replace("[", r"\[")):
        made("numbered-answer", text)


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "piece",
    [".", "!", '"', "“", "[", "[1", "[1 ", ". [1", " ", "\n", "\n ", "【", '." ', "[1] ", "<td"],
)
def test_hostile_answers_take_linear_time(piece: str) -> None:
    answer(piece * 20_000)
