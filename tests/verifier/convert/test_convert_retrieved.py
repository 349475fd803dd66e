"""Documents that LlamaIndex, LangChain and Haystack retrieved."""

from typing import Any

import pytest
from converting import claims_of, codes, made, sources

from grounding.errors import ConversionInvalidError


class TestLlamaIndex:
    def test_a_page_label_stays_a_label(self) -> None:
        """It is printed, or counted by the reader: nothing says which."""
        node = {"text": "It rose.", "metadata": {"file_name": "a.pdf", "page_label": "iv"}}
        conversion = made("llamaindex", {"source_nodes": [{"node": node, "score": 0.4}]})
        assert claims_of(conversion)[0]["citation"] == {"page_label": "iv"}
        assert codes(conversion) == ["page_label_only"]

    def test_offsets_are_left_out_and_noted(self) -> None:
        node = {"text": "It rose.", "metadata": {"file_path": "/x/a.pdf"}, "start_char_idx": 4}
        conversion = made("llamaindex", [node])
        assert claims_of(conversion)[0]["citation"] == {}
        assert codes(conversion) == ["no_page", "offsets_of_other_text"]
        assert conversion.requests[0]["document"] == "a.pdf"

    def test_a_node_without_a_file_is_named_by_its_id_in_the_map(self) -> None:
        nodes = [{"id_": "n1", "text": "It rose."}, {"id_": "n2", "text": "It fell."}, {"id_": "3"}]
        names = sources({"name": "n1", "document": "a.pdf", "document_fingerprint": "sha256:00"})
        conversion = made("llamaindex", nodes, names=names)
        assert codes(conversion) == ["no_page", "document_unnamed", "no_text"]
        assert conversion.requests[0]["document_fingerprint"] == "sha256:00"

    def test_a_wrong_shape_is_named_by_its_place(self) -> None:
        with pytest.raises(ConversionInvalidError, match=r"\$\.source_nodes\[0\]\.node\.text: "):
            made("llamaindex", {"source_nodes": [{"node": {"text": 4}}]})
        with pytest.raises(ConversionInvalidError, match=r"\$\.source_nodes: no array"):
            made("llamaindex", {"source_nodes": 5})


def document(text: str = "It rose.", **metadata: Any) -> dict[str, Any]:
    return {"page_content": text, "metadata": {"source": "/x/a.pdf", **metadata}}


class TestLangChain:
    def test_pages_of_loaders_count_from_0(self) -> None:
        """The printed label beside a page is left out: documents without labels have none."""
        conversion = made("langchain", [document(page=0, page_label="1")])
        assert claims_of(conversion)[0]["citation"] == {"page": 1}
        assert conversion.notes == ()

    @pytest.mark.parametrize(
        ("metadata", "place", "noted"),
        [
            ({"page_number": 3}, {"page": 3}, []),
            ({"page_label": "iv"}, {"page_label": "iv"}, ["page_label_only"]),
            ({"page": 2, "page_number": 3}, {"page": 3}, []),
            ({"page": 3, "page_number": 3}, {}, ["no_page", "pages_differ"]),
            ({}, {}, ["no_page"]),
        ],
    )
    def test_other_ways_to_name_a_page(
        self, metadata: dict[str, Any], place: dict[str, Any], noted: list[str]
    ) -> None:
        conversion = made("langchain", [document(**metadata)])
        assert claims_of(conversion)[0]["citation"] == place
        assert codes(conversion) == noted

    @pytest.mark.parametrize("key", ["source_documents", "context", "documents"])
    def test_documents_stand_under_the_names_that_chains_give_them(self, key: str) -> None:
        serialized = {"lc": 1, "type": "constructor", "kwargs": document("Two.", page=1)}
        conversion = made("langchain", {"answer": "It did.", key: [document(page=0), serialized]})
        assert [c["citation"]["page"] for c in claims_of(conversion)] == [1, 2]

    def test_addresses_and_missing_texts_are_listed(self) -> None:
        items = [document(source="https://example.org/a.pdf"), {"metadata": {"source": "a.pdf"}}]
        conversion = made("langchain", items, document="b.pdf")
        assert codes(conversion) == ["url_not_a_document", "no_text"]
        assert conversion.unconverted == 2

    def test_a_wrong_shape_is_named_by_its_place(self) -> None:
        with pytest.raises(ConversionInvalidError, match=r"\$\.context\[0\]\.metadata\.page: "):
            made("langchain", {"context": [document(page="1")]})
        with pytest.raises(ConversionInvalidError, match="no documents under"):
            made("langchain", {"text": "x"})


class TestHaystack:
    def test_a_document_s_page_counts_from_1_and_form_feeds_begin_others(self) -> None:
        items = [
            {"content": "It rose.", "meta": {"file_path": "a.pdf", "page_number": 2}},
            {"content": "It rose.\fIt fell.", "file_name": "a.pdf", "page_number": 2},
            {"content": "\fIt fell.\f", "meta": {"file_path": "a.pdf", "page_number": 2}},
        ]
        conversion = made("haystack", {"documents": items})
        assert [claim["citation"] for claim in claims_of(conversion)] == [
            {"page": 2}, {"page": 2, "page_end": 3}, {"page": 3}
        ]  # fmt: skip

    def test_an_extracted_answer_is_a_quote_on_the_page_of_its_offset(self) -> None:
        text = "It rose.\fIt fell."
        answer = {
            "data": "It fell.",
            "document": {"content": text, "meta": {"file_path": "a.pdf", "page_number": 2}},
            "document_offset": {"start": 9, "end": 17},
        }
        for value in (answer, {"type": "x.ExtractedAnswer", "init_parameters": answer}):
            conversion = made("haystack", {"answers": [value]})
            (claim,) = claims_of(conversion)
            assert (claim["text"], claim["citation"]) == ("It fell.", {"page": 3})
            assert codes(conversion) == ["offsets_of_other_text"]

    def test_answers_without_a_document_and_documents_without_a_text_are_listed(self) -> None:
        value = {"answers": [{"data": "x"}, {"documents": [{"id": "d"}]}, {"document": {}}]}
        conversion = made("haystack", value)
        assert codes(conversion) == ["document_unnamed", "no_text", "no_text"]

    def test_nothing_retrieved_is_nothing_cited(self) -> None:
        empty: tuple[Any, ...] = ([], {"documents": []}, {"answers": []})
        for value in empty:
            conversion = made("haystack", value)
            assert codes(conversion) == ["nothing_cited"]
            assert not conversion.complete

    def test_a_wrong_shape_is_named_by_its_place(self) -> None:
        with pytest.raises(ConversionInvalidError, match=r"\$\.documents\[0\]\.content: "):
            made("haystack", {"documents": [{"content": []}]})
        with pytest.raises(ConversionInvalidError, match="neither documents nor answers"):
            made("haystack", {"results": []})
