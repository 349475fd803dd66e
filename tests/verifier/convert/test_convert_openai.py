"""Annotations of OpenAI."""

from typing import Any

import pytest
from converting import claims_of, codes, made, sources

from grounding.errors import ConversionInvalidError


def responses(text: str, *annotations: Any, results: Any = None) -> dict[str, Any]:
    search = [{"type": "file_search_call", "results": results}] if results is not None else []
    part = {"type": "output_text", "text": text, "annotations": list(annotations)}
    return {"output": [*search, {"type": "message", "content": [part]}]}


def thread(value: str, *annotations: Any) -> dict[str, Any]:
    text = {"value": value, "annotations": list(annotations)}
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def at(value: str, sign: str, **keys: Any) -> dict[str, Any]:
    start = value.index(sign)
    placed = {"text": sign, "start_index": start, "end_index": start + len(sign)}
    return {"type": "file_citation", **placed, "file_citation": {"file_id": "file-1"}, **keys}


def test_a_response_s_citation_says_which_file_and_not_what_stands_there() -> None:
    """Its `index` counts files, so no sentence of the answer is known to be meant."""
    item = {"type": "file_citation", "index": 12, "file_id": "file-1", "filename": "a.pdf"}
    conversion = made("openai", responses("The river rose.", item))
    assert (conversion.claims, codes(conversion)) == (0, ["no_text"])


def test_results_of_a_file_search_are_quotes() -> None:
    result = {"file_id": "file-1", "filename": "a.pdf", "text": "The river rose.", "score": 0.5}
    conversion = made("openai", responses("", results=[result, {"filename": "a.pdf"}]))
    (claim,) = claims_of(conversion)
    assert claim == {"id": "o0.r0", "kind": "quote", "text": "The river rose.", "citation": {}}
    assert codes(conversion) == ["no_page", "no_text"]


def test_a_quote_of_an_assistant_is_a_quote() -> None:
    answer = "It rose【1†source】."
    item = at(answer, "【1†source】", file_citation={"file_id": "file-1", "quote": "rose twice"})
    names = sources({"name": "file-1", "document": "a.pdf"})
    (claim,) = claims_of(made("openai", thread(answer, item), names=names))
    assert (claim["kind"], claim["text"], claim["id"]) == ("quote", "rose twice", "m0.p0.a0")


def test_quotation_marks_before_a_citation_make_a_quote_and_a_sentence_none() -> None:
    answer = "He said “it rose twice”【1†a】. All was well【2†b】."
    items = at(answer, "【1†a】"), at(answer, "【2†b】")
    conversion = made("openai", {"data": [thread(answer, *items)]}, document="a.pdf")
    quote, other = claims_of(conversion)
    assert (quote["kind"], quote["text"]) == ("quote", "it rose twice")
    assert (other["kind"], other["text"]) == ("other", "All was well.")
    assert codes(conversion) == ["no_page", "no_page", "no_quotation"]


def test_a_place_at_which_another_text_stands_is_not_used() -> None:
    item = {**at("It rose【1†a】.", "【1†a】"), "start_index": 0, "end_index": 5}
    conversion = made("openai", thread("It rose【1†a】.", item), document="a.pdf")
    assert codes(conversion) == ["no_text"]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "url_citation", "url": "https://example.org", "start_index": 0, "end_index": 3},
        {"type": "url_citation", "url_citation": {"url": "https://example.org", "title": "E"}},
    ],
)
def test_addresses_are_no_documents(item: dict[str, Any]) -> None:
    value = {"choices": [{"message": {"content": "Text.", "annotations": [item]}}]}
    conversion = made("openai", value, document="a.pdf")
    assert (codes(conversion), conversion.unconverted) == (["url_not_a_document"], 1)


def test_files_that_were_made_and_unknown_kinds_are_listed() -> None:
    items = {"type": "file_path", "file_id": "file-2", "index": 0}, {"type": "rumour"}
    conversion = made("openai", responses("Text.", *items), document="a.pdf")
    assert codes(conversion) == ["unknown_kind", "unknown_kind"]


def test_container_files_stand_at_a_place_in_the_answer() -> None:
    item = {"type": "container_file_citation", "filename": "a.pdf", "file_id": "f",
            "container_id": "c", "start_index": 10, "end_index": 14}  # fmt: skip
    (claim,) = claims_of(made("openai", responses("It rose.  [1].", item)))
    assert claim["kind"] == "other"


def test_a_wrong_shape_is_named_by_its_place() -> None:
    with pytest.raises(ConversionInvalidError, match=r"\$\.output\[0\]\.content\[0\]\.annotations"):
        made("openai", {"output": [{"content": [{"annotations": [{"type": 3}]}]}]})
    with pytest.raises(ConversionInvalidError, match="neither a response nor messages"):
        made("openai", {"answer": "x"})
