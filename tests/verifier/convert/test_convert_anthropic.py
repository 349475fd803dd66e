"""Citations of the Anthropic Messages API."""

from typing import Any

import pytest
from converting import claims_of, codes, made, sources

from grounding.errors import ConversionInvalidError


def citation(kind: str = "page_location", **keys: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "cited_text": "The river rose.",
        "document_index": 0,
        "document_title": "river.pdf",
        **keys,
    }


def block(*citations: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": "An answer.", "citations": list(citations)}]}


def test_the_end_of_a_range_of_pages_is_exclusive() -> None:
    """[3, 4) is page 3; [3, 6) are the pages 3 to 5."""
    conversion = made(
        "anthropic",
        block(
            citation(start_page_number=3, end_page_number=4),
            citation(start_page_number=3, end_page_number=6),
        ),
    )
    one, several = claims_of(conversion)
    assert one["citation"] == {"page": 3}
    assert several["citation"] == {"page": 3, "page_end": 5}
    assert codes(conversion) == ["page_range"]
    assert conversion.complete


def test_ids_tell_the_block_and_the_citation() -> None:
    value = {"content": [{"type": "text", "text": "."}, *block(citation(), citation())["content"]]}
    assert [claim["id"] for claim in claims_of(made("anthropic", value))] == ["b1.c0", "b1.c1"]
    blocks = made("anthropic", value["content"])
    assert [claim["id"] for claim in claims_of(blocks)] == ["b1.c0", "b1.c1"]
    bare = made("anthropic", [citation(), citation()])
    assert [claim["id"] for claim in claims_of(bare)] == ["c0", "c1"]


def test_offsets_of_plain_text_are_kept_and_noted() -> None:
    item = citation("char_location", start_char_index=10, end_char_index=25)
    conversion = made("anthropic", block(item))
    assert claims_of(conversion)[0]["citation"] == {"char_start": 10, "char_end": 25}
    assert codes(conversion) == ["offsets_of_other_text"]


def test_content_blocks_have_the_places_that_the_map_gives() -> None:
    names = sources(
        {"name": "0", "document": "annual.pdf",
         "blocks": [{"page": 2}, {"page": 3, "bbox": [1, 2, 3, 4]}, {"page": 5}]}
    )  # fmt: skip
    conversion = made(
        "anthropic",
        block(
            citation("content_block_location", start_block_index=1, end_block_index=2),
            citation("content_block_location", start_block_index=0, end_block_index=3),
            citation("content_block_location", start_block_index=2, end_block_index=4),
        ),
        names=names,
    )
    one, several, beyond = claims_of(conversion)
    assert one["citation"] == {"page": 3, "bbox": [1, 2, 3, 4]}
    assert several["citation"] == {"page": 2, "page_end": 5}
    assert beyond["citation"] == {}
    assert codes(conversion) == ["page_range", "no_page", "blocks_without_map"]
    assert conversion.requests[0]["document"] == "annual.pdf"


def test_a_title_an_index_and_a_file_id_name_the_document_in_that_order_of_certainty() -> None:
    names = sources(
        {"name": "file_1", "document": "by-id.pdf"},
        {"name": "0", "document": "by-index.pdf"},
        {"name": "river.pdf", "document": "by-title.pdf"},
    )
    items = citation(file_id="file_1"), citation(), citation(document_index=7)
    conversion = made("anthropic", block(*items), names=names)
    assert [request["document"] for request in conversion.requests] == [
        "by-id.pdf", "by-index.pdf", "by-title.pdf"
    ]  # fmt: skip


def test_a_web_page_is_no_document() -> None:
    item = citation("web_search_result_location", url="https://example.org/a.pdf", title="A")
    conversion = made("anthropic", block(item), document="river.pdf")
    assert (conversion.claims, conversion.unconverted) == (0, 1)
    assert codes(conversion) == ["url_not_a_document"]


def test_an_unknown_kind_keeps_its_text_and_is_noted() -> None:
    conversion = made("anthropic", block(citation("audio_location", start_second=3)))
    assert codes(conversion) == ["no_page", "unknown_kind"]
    assert conversion.complete


def test_citations_without_text_or_with_blank_text_are_counted() -> None:
    conversion = made("anthropic", block(citation(cited_text=None), citation(cited_text=" \n")))
    assert codes(conversion) == ["no_text", "empty_text"]
    assert conversion.unconverted == 2


def test_settings_of_a_sent_document_are_no_citations() -> None:
    value = [{"type": "document", "citations": {"enabled": True}}, *block(citation())["content"]]
    assert made("anthropic", value).claims == 1


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"content": "text"}, "$.content: "),
        (block(citation(start_page_number="3")), "$.content[0].citations[0].start_page_number: "),
        (block(citation(start_page_number=0)), "$.content[0].citations[0].start_page_number: "),
        (block(citation(start_page_number=3, end_page_number=3)), "$.content[0].citations[0]: "),
        (block({"cited_text": "a"}), "$.content[0].citations[0].type: Field required"),
        ({"answer": ""}, "$: neither"),
        (3, "$: neither"),
    ],
)
def test_a_wrong_shape_is_named_by_its_place(value: Any, place: str) -> None:
    with pytest.raises(ConversionInvalidError) as caught:
        made("anthropic", value)
    assert caught.value.message.startswith(place)
    assert caught.value.what_to_do.startswith("anthropic is a response with")
