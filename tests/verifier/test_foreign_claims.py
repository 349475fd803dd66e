"""Claims against foreign artifacts: what they bear out is proven, what they cannot tell is said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from foreign_files import ADAPTER_OF, OVER_THE_BREAK, SENTENCE, source
from reading import GROUNDED, check, report, verdict

from grounding.adapters import ForeignSource
from verifier import PRESETS, Check, parse_requests, verify
from verifier.single import SingleDocument

PAGED = sorted(name for name in ADAPTER_OF if "without" not in name and name != "plain-text.txt")
PAGELESS = ["ethos-grounding-without-pages.json", "plain-text.txt"]
PLACED = ["docling-json.json", "ethos-document.json", "ethos-grounding.json"]


def checked(made: ForeignSource, kind: str, text: str | None = None, **citation: Any) -> Check:
    claim: dict[str, Any] = {"kind": kind}
    if text is not None:
        claim["text"] = text
    return check(made, claim, **citation)


class TestQuotesAndValues:
    @pytest.mark.parametrize("name", PAGED)
    def test_a_quote_is_grounded_where_it_stands_and_not_its_false_twin(self, name: str) -> None:
        made = source(name)
        assert verdict(checked(made, "quote", SENTENCE, page=1)) == GROUNDED
        twin = SENTENCE.replace("5,500", "5,600")
        assert checked(made, "quote", twin, page=1)["status"] == "mismatch"
        elsewhere = checked(made, "quote", SENTENCE, page=2)
        assert verdict(elsewhere) == ("mismatch", "quote_on_other_page")
        assert [place["page"] for place in elsewhere["found_elsewhere"]] == [1]

    @pytest.mark.parametrize("name", PAGED)
    def test_a_sentence_over_a_page_break_is_one(self, name: str) -> None:
        made = source(name, _without_the_list if "tree" in name else None)
        for page in (1, 2):
            assert verdict(checked(made, "quote", OVER_THE_BREAK, page=page)) == GROUNDED
        assert verdict(checked(made, "quote", OVER_THE_BREAK, page=1, page_end=2)) == GROUNDED

    @pytest.mark.parametrize("name", sorted(ADAPTER_OF))
    def test_values_are_numbers_whatever_the_parser(self, name: str) -> None:
        made = source(name)
        assert verdict(checked(made, "value", "5500 tonnes")) == GROUNDED
        assert checked(made, "value", "5501 tonnes")["status"] == "not_found"

    def test_a_docling_cell_is_read_with_its_caption(self) -> None:
        """The caption says thousands: 5.5 is 5,500 and not 5.5 million."""
        made = source("docling-json.json")
        cell = {"row_label": "Alder Quay", "column_label": "2024"}
        assert verdict(checked(made, "table_cell", "5.5 thousand", **cell)) == GROUNDED
        assert verdict(checked(made, "table_cell", "5.5 million", **cell))[0] == "mismatch"
        assert verdict(checked(made, "table_cell", "-0.3", row_label="Birch Lane",
                               column_label="2023")) == GROUNDED  # fmt: skip

    def test_a_hidden_span_grounds_nothing(self) -> None:
        made = source("ethos-document.json")
        found = checked(made, "quote", "draft: not for release", page=2)
        assert verdict(found) == ("mismatch", "hidden_text")

    @pytest.mark.parametrize("name", PAGELESS)
    def test_a_document_without_pages_proves_quotes_and_values_alone(self, name: str) -> None:
        """Its pages, boxes and tables are not missing: it has none, and nobody can tell."""
        made = source(name)
        grounded = checked(made, "quote", OVER_THE_BREAK)
        assert verdict(grounded) == GROUNDED
        assert not {"page", "page_number", "bbox", "regions"} & grounded["evidence"].keys()
        assert verdict(checked(made, "quote", OVER_THE_BREAK + " Soon.")) == (
            "not_found",
            "text_mismatch",
        )
        blocked = [
            checked(made, "quote", SENTENCE, page=1),
            checked(made, "presence", page=1),
            checked(made, "quote", SENTENCE, page_label="1"),
            checked(made, "region", SENTENCE, page=1, bbox=[0, 0, 9, 9]),
            checked(made, "table_cell", "5.5", table_id="t1", cell={"row": 1, "col": 2}),
            checked(made, "value", "5.5", row_label="Alder Quay", column_label="2024"),
        ]
        assert {one["status"] for one in blocked} == {"capability_blocked"}

    def test_offsets_into_plain_text_are_places(self) -> None:
        made = source("plain-text.txt")
        start = made.page_text(1).index(SENTENCE)
        cited = {"char_start": start, "char_end": start + len(SENTENCE)}
        assert verdict(checked(made, "quote", SENTENCE, **cited)) == GROUNDED
        assert checked(made, "quote", OVER_THE_BREAK, **cited)["status"] == "mismatch"
        assert verdict(checked(made, "quote", SENTENCE, element_id="text")) == (
            "capability_blocked",
            "element_not_found",
        )


class TestPlaces:
    @pytest.mark.parametrize("name", PLACED)
    def test_text_lies_in_a_box_when_its_whole_block_does(self, name: str) -> None:
        """Where in its block a word stands, the file does not say: a box that cuts the block
        neither proves nor refutes it."""
        made = source(name)
        around = checked(made, "region", "5,500 tonnes", page=1, bbox=[7000, 10000, 41000, 12000])
        assert verdict(around) == GROUNDED
        assert around["evidence"]["regions"]
        cut = checked(made, "region", "5,500 tonnes", page=1, bbox=[7000, 10000, 31000, 12000])
        assert verdict(cut) == ("capability_blocked", "missing_span_capability")
        beside = checked(made, "region", "5,500 tonnes", page=1, bbox=[7000, 40000, 41000, 42000])
        assert beside["status"] == "mismatch"
        value = checked(made, "value", "5500", page=1, bbox=[7000, 10000, 31000, 12000])
        assert verdict(value) == ("capability_blocked", "missing_span_capability")

    @pytest.mark.parametrize("name", ["opendataloader-json.json", "opendataloader-json-tree.json"])
    def test_boxes_of_unknown_origin_prove_nothing_and_are_not_shown(self, name: str) -> None:
        made = source(name)
        boxed = checked(made, "region", SENTENCE, page=1, bbox=[7000, 10000, 41000, 12000])
        assert verdict(boxed) == ("capability_blocked", "unknown_coordinate_origin")
        cell = {"row": 1, "col": 2}
        table = {"opendataloader-json.json": "depots"}.get(name, "odl-6")
        for one in (
            checked(made, "quote", SENTENCE, page=1),
            checked(made, "table_cell", "5.5", table_id=table, cell=cell),
            checked(made, "presence", page=2),
        ):
            assert verdict(one) == GROUNDED
            assert not {"bbox", "regions", "label_regions"} & one["evidence"].keys()

    @pytest.mark.parametrize(
        ("name", "citation"),
        [
            ("docling-json.json", {"element_id": "#/texts/2"}),
            ("docling-json.json", {"span_id": "#/texts/2", "page": 1}),
            ("docling-json.json", {"page": "page-1"}),
            ("ethos-document.json", {"element_id": "e000002", "page": "p0001"}),
            ("ethos-document.json", {"span_id": "s000002"}),
            ("ethos-grounding.json", {"element_id": "b2"}),
            ("opendataloader-json.json", {"element_id": "odl-el-2", "page": "page-1"}),
            ("opendataloader-json-tree.json", {"element_id": "odl-2"}),
        ],
    )
    def test_the_parsers_own_ids_are_places(self, name: str, citation: dict[str, Any]) -> None:
        made = source(name)
        assert verdict(checked(made, "quote", SENTENCE, **citation)) == GROUNDED
        assert (
            checked(made, "quote", SENTENCE.replace("5", "6"), **citation)["status"] == "mismatch"
        )

    @pytest.mark.parametrize("name", PLACED)
    def test_locators_that_contradict_each_other_are_a_conflict(self, name: str) -> None:
        made = source(name)
        first = made.elements(1)[-1].id
        found = checked(made, "presence", page=2, element_id=first)
        assert verdict(found) == ("mismatch", "locator_conflict")

    @pytest.mark.parametrize("name", ["ethos-grounding.json", "opendataloader-json.json"])
    def test_labels_lead_nowhere_where_no_cell_is_known_as_a_label(self, name: str) -> None:
        found = checked(
            source(name), "table_cell", "5.5", row_label="Alder Quay", column_label="2024"
        )
        assert verdict(found) == ("capability_blocked", "missing_table_capability")

    def test_an_item_of_a_list_stands_in_its_list_once(self) -> None:
        """The list repeats its items: one occurrence, by either id."""
        made = source("opendataloader-json-tree.json")
        for owner in ("odl-3", "odl-4"):
            found = checked(made, "quote", "open in the autumn", element_id=owner)
            assert verdict(found) == GROUNDED
            assert found["match"]["occurrences"] == 1
        assert (
            checked(made, "quote", "open in the autumn", element_id="odl-5")["status"] == "mismatch"
        )

    def test_rows_of_a_tree_count_from_one_in_the_file_and_from_zero_here(self) -> None:
        made = source("opendataloader-json-tree.json")
        (table,) = made.tables(1)
        assert (table.rows, table.columns) == (3, 3)
        first = table.cell_at(0, 0)
        assert first is not None
        assert first.text == "Depot"

    def test_a_span_whose_place_nobody_knows_is_no_place(self) -> None:
        """Its text stands twice on the page and it has no offsets."""

        def change(value: Any) -> None:
            value["capabilities"]["char_offsets"] = False
            for span in value["spans"]:
                del span["char_start"], span["char_end"], span["element"]
            value["elements"][0]["text"] = value["spans"][0]["text"]

        made = source("ethos-grounding.json", change)
        found = checked(made, "quote", "The depot at Alder Quay", span_id="s1")
        assert verdict(found) == ("capability_blocked", "missing_span_capability")
        assert verdict(checked(made, "quote", "tonnes in 2024", span_id="s2")) == GROUNDED


class TestPins:
    @pytest.mark.parametrize(
        "name", ["ethos-document.json", "ethos-grounding.json", "plain-text.txt"]
    )
    def test_a_pin_holds_for_the_file_or_its_source_and_for_nothing_else(self, name: str) -> None:
        made = source(name)
        claim = {"kind": "quote", "text": SENTENCE}
        for pin in (made.document.fingerprint, made.document.source_fingerprint):
            fresh = report(made, [claim], document_fingerprint=pin)
            assert fresh["all_evidence_grounded"]
        stale = report(made, [claim], document_fingerprint="sha256:" + "0" * 64)
        assert stale["fingerprint_stale"]
        assert verdict(stale["checks"][0]) == ("stale", "stale_fingerprint")

    def test_a_file_without_a_fingerprint_cannot_tell(self) -> None:
        made = source("docling-json.json")
        pinned = report(made, [{"kind": "quote", "text": SENTENCE}],
                        document_fingerprint="sha256:" + "0" * 64)  # fmt: skip
        assert not pinned["fingerprint_stale"]
        assert verdict(pinned["checks"][0]) == ("capability_blocked", "missing_source_fingerprint")
        assert "document_fingerprint" not in pinned

    def test_an_artifact_that_knows_its_document_is_not_taken_for_another(self) -> None:
        made = source("docling-json.json")
        known = SingleDocument(made, made.document.name)
        text = {"claims": [{"kind": "quote", "text": SENTENCE, "citation": {}}]}
        for name, status in (("depot-report.pdf", "grounded"), ("other.pdf", "error")):
            submission = parse_requests(json.dumps({**text, "document": name}))
            made_report: Any = verify(submission, known, PRESETS["default"])
            assert made_report["checks"][0]["status"] == status


def _without_the_list(value: Any) -> None:
    """Takes out what stands between the two parts of the sentence."""
    del value["kids"][2]


def _partial(value: Any) -> None:
    for at, page in enumerate(value["pages"]):
        page["number"] = 5 + at
    for item in (*value["elements"], *value["tables"]):
        item["page"] += 4


class TestPagesThatAreLeftOut:
    def test_pages_keep_their_numbers_and_the_missing_ones_cannot_be_told(self) -> None:
        """A file of pages 5 and 6 alone says nothing of page 2."""
        made = source("opendataloader-json.json", _partial)
        assert verdict(checked(made, "quote", SENTENCE, page=5)) == GROUNDED
        assert verdict(checked(made, "quote", SENTENCE, page=2)) == (
            "capability_blocked",
            "page_failed",
        )
        assert checked(made, "quote", SENTENCE, page=7)["reason"] == "page_not_found"
        absent = checked(made, "quote", "The depot at Cedar Park moved nothing at all")
        assert verdict(absent) == ("capability_blocked", "page_failed")


@pytest.mark.parametrize("name", sorted(ADAPTER_OF))
def test_reports_say_who_read_the_file_and_what_it_lacks(name: str) -> None:
    made = source(name)
    answer = report(made, [{"kind": "quote", "text": SENTENCE}])
    parser = answer["grounding"]["parser"]
    assert parser["adapter"] == ADAPTER_OF[name]
    assert "capability_limited" in answer["warnings"]
    assert "missing_crop_support" in answer["capability_limits"]
