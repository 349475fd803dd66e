"""The verdicts of Ethos's rules, row by row, with what they let pass."""

import json
from dataclasses import replace
from typing import Any

import pytest
from ethos_documents import (
    ALL,
    EXACT,
    FERRY,
    LENIENT,
    OTHER_PIN,
    PIN,
    able,
    answer,
    claim,
    configured,
    element,
    one,
    unpinned,
    verdict,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter

from grounding.adapters.model import (
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignSpan,
    ForeignTable,
)
from grounding.errors import InputError
from grounding.model import Capabilities, Parser
from verifier.ethos import DEFAULT, EthosConfig, ethos_report_bytes, parse_citations, verify_ethos
from verifier.ethos.citations import Citations, EthosCitation, EthosClaim
from verifier.ethos.report import EthosCheck, EthosReport
from verifier.ethos.verify import EthosRun

CONTAINED = ("grounded", None, "normalized_text_contains")
ABSENT = ("mismatch", "text_mismatch", "normalized_text_contains")
SEEN = ("grounded", None, "presence_only")
QUOTE = claim("quote", "Dogs travel free.", element_id="second")
CELL: dict[str, Any] = {"table_id": "tb-1", "cell": {"row": 1, "col": 1}}
FARES = "A return ticket\n costs 24.50 crowns."


def early(check: EthosCheck, status: str, reason: str, *warnings: str) -> None:
    """A verdict without a look at a place."""
    assert verdict(check) == (status, reason, "none")
    assert "evidence" not in check
    assert check["warnings"] == list(warnings)
    assert check["semantic_unverified"] is False


class TestOrder:
    """The first row that applies decides."""

    def test_a_claim_without_a_locator_is_an_error(self) -> None:
        """Citations from a file are refused before; callers can still make one."""
        made = EthosClaim(kind="region", citation=EthosCitation())
        citations = Citations(PIN, (made,), ({"kind": "region", "citation": {}},), "0" * 64)
        early(verify_ethos(FERRY, citations, DEFAULT)["checks"][0], "error", "missing_locator")

    @pytest.mark.parametrize("pin", [PIN, OTHER_PIN, None])
    @pytest.mark.parametrize("kind", ["region", "other"])
    def test_an_unsupported_kind_stays_so_in_a_stale_run(self, kind: str, pin: str | None) -> None:
        early(
            one(claim(kind, element_id="fares"), pin=pin),
            "unsupported_claim_kind",
            "unsupported_claim_kind",
        )

    def test_a_kind_that_the_configuration_leaves_out_is_unsupported(self) -> None:
        config = configured(claim_kinds=["presence"])
        report = answer([QUOTE, claim("presence", page="pg-1")], config=config)
        early(report["checks"][0], "unsupported_claim_kind", "unsupported_claim_kind")
        assert report["unsupported_claim_kinds"] == ["quote"]
        assert report["all_evidence_grounded"] is False

    def test_unsupported_kinds_are_listed_once_in_the_order_of_their_coming(self) -> None:
        kinds = ["other", "region", "other", "presence"]
        report = answer([claim(kind, page="pg-1") for kind in kinds])
        assert report["unsupported_claim_kinds"] == ["other", "region"]

    @pytest.mark.parametrize("pin", [PIN, OTHER_PIN])
    def test_a_blank_text_is_told_before_staleness(self, pin: str) -> None:
        cited = EthosCitation(element_id="fares")
        made = EthosClaim(kind="quote", text=" \xa0", citation=cited)
        citations = Citations(pin, (made,), ({"kind": "quote", "citation": {}},), "0" * 64)
        check = verify_ethos(FERRY, citations, DEFAULT)["checks"][0]
        early(check, "error", "missing_required_text")

    def test_another_pin_makes_everything_stale(self) -> None:
        report = answer([QUOTE, claim("presence", page="nowhere")], pin=OTHER_PIN)
        for check in report["checks"]:
            early(check, "stale", "stale_fingerprint")
        assert report["fingerprint_stale"] is True
        assert report["document_fingerprint"] == PIN

    def test_a_pin_on_a_document_without_fingerprint_cannot_be_checked(self) -> None:
        report = answer([QUOTE], unpinned())
        early(
            report["checks"][0],
            "capability_blocked",
            "missing_source_fingerprint",
            "capability_limited",
        )
        assert report["fingerprint_stale"] is False
        assert "document_fingerprint" not in report

    def test_no_pin_on_a_document_with_fingerprint_is_stale_check_by_check(self) -> None:
        """The report's own flag stays false."""
        report = answer([QUOTE], pin=None)
        early(report["checks"][0], "stale", "missing_citation_fingerprint")
        assert report["fingerprint_stale"] is False
        assert report["all_evidence_grounded"] is False

    def test_no_pin_and_no_fingerprint_is_fresh(self) -> None:
        assert verdict(one(QUOTE, unpinned(), pin=None)) == CONTAINED

    @pytest.mark.parametrize("pin", [PIN, OTHER_PIN, None])
    @pytest.mark.parametrize("document", [FERRY, unpinned()])
    def test_without_the_rule_nothing_is_ever_stale(
        self, document: ForeignDocument, pin: str | None
    ) -> None:
        report = answer([QUOTE], document, LENIENT, pin)
        assert verdict(report["checks"][0]) == CONTAINED
        assert report["fingerprint_stale"] is False
        assert report["all_evidence_grounded"] is True


class TestTargets:
    def test_a_cell_kind_without_an_address_is_an_error(self) -> None:
        made = EthosClaim(kind="table_cell", text="x", citation=EthosCitation(table_id="tb-1"))
        run = EthosRun(FERRY, DEFAULT, PIN)
        assert run.answer(made).place.reason == "missing_table_cell_locator"  # type: ignore[union-attr]
        presence = made.model_copy(update={"kind": "presence"})
        assert run.answer(presence).place.reason == "missing_table_cell_locator"  # type: ignore[union-attr]

    def test_a_box_without_a_page_is_an_error(self) -> None:
        made = EthosClaim(kind="presence", citation=EthosCitation(bbox=(0, 0, 1, 1)))
        answered = EthosRun(FERRY, DEFAULT, PIN).answer(made)
        assert answered.place.status == "error"  # type: ignore[union-attr]
        assert answered.place.reason == "missing_page_for_bbox"  # type: ignore[union-attr]

    def test_a_source_without_tables_blocks_cells(self) -> None:
        early(
            one(claim("table_cell", "x", **CELL), able(tables=False)),
            "capability_blocked",
            "missing_table_capability",
            "capability_limited",
        )

    @pytest.mark.parametrize("kind", ["quote", "value", "presence", "table_cell"])
    def test_a_table_that_is_not_there_is_not_found(self, kind: str) -> None:
        text = None if kind == "presence" else "x"
        cited: dict[str, Any] = {**CELL, "table_id": "tb-9"}
        early(one(claim(kind, text, **cited)), "not_found", "table_not_found")

    @pytest.mark.parametrize("address", [(9999, 0), (0, 2), (1, 2)])
    def test_an_address_without_a_cell_is_not_found(self, address: tuple[int, int]) -> None:
        cited: dict[str, Any] = {"table_id": "tb-1", "cell": {"row": address[0], "col": address[1]}}
        early(one(claim("presence", **cited)), "not_found", "table_cell_not_found")

    @pytest.mark.parametrize(
        ("row", "col", "text"),
        [
            (0, 0, "Crossings"),
            (0, 1, "Crossings"),
            (1, 0, "Summer"),
            (1, 1, " 1 240\n"),
            (50, 0, "Winter"),
            (101, 0, "Winter"),
        ],
    )
    def test_a_cell_answers_for_all_addresses_that_it_covers(
        self, row: int, col: int, text: str
    ) -> None:
        """Spans of 0 count as 1, and the first cell of the list is meant."""
        check = one(claim("presence", table_id="tb-1", cell={"row": row, "col": col}))
        assert verdict(check) == SEEN
        assert check["evidence"]["text"] == text
        assert check["evidence"]["page"] == "pg-2"

    def test_a_wide_cell_before_a_narrow_one_and_after_it(self) -> None:
        """The order of the list decides, however large the cells are."""
        wide = ForeignCell(0, 0, 1000, 1000, None, "wide")
        narrow = ForeignCell(3, 3, 1, 1, None, "narrow")
        for cells, text in (((wide, narrow), "wide"), ((narrow, wide), "narrow")):
            table = ForeignTable("tb", "pg-1", None, cells)
            document = replace(FERRY, tables=(table,))
            check = one(claim("presence", table_id="tb", cell={"row": 3, "col": 3}), document)
            assert check["evidence"]["text"] == text

    def test_a_source_without_spans_blocks_spans(self) -> None:
        early(
            one(claim("presence", span_id="sp-1"), able(spans=False)),
            "capability_blocked",
            "missing_span_capability",
            "capability_limited",
        )

    def test_spans(self) -> None:
        early(one(claim("presence", span_id="sp-9")), "not_found", "span_not_found")
        check = one(claim("quote", "return", span_id="sp-1"))
        assert verdict(check) == CONTAINED
        assert check["evidence"] == {
            "text": "return ticket",
            "page": "pg-1",
            "bbox": [5000, 10000, 20000, 12000],
        }

    def test_elements(self) -> None:
        early(one(claim("presence", element_id="e-9")), "not_found", "element_not_found")
        check = one(claim("quote", "Ferry", element_id="title"))
        assert verdict(check) == CONTAINED
        assert check["evidence"]["page"] == "pg-1"

    def test_of_equal_ids_the_first_is_meant(self) -> None:
        assert verdict(one(claim("quote", "second title", element_id="title"))) == ABSENT

    def test_an_element_without_text_has_presence_alone(self) -> None:
        check = one(claim("presence", element_id="frame"))
        assert verdict(check) == SEEN
        assert check["evidence"] == {"page": "pg-1", "bbox": [4000, 9000, 55000, 40000]}
        assert verdict(one(claim("quote", "A", element_id="frame"))) == ABSENT

    def test_a_box_leads_to_the_smallest_element_around_it(self) -> None:
        check = one(claim("quote", "24.50", page="pg-1", bbox=[6000, 10500, 7000, 11000]))
        assert verdict(check) == CONTAINED
        assert check["evidence"]["bbox"] == [5000, 10000, 50000, 12000]
        wider = one(claim("presence", page="pg-1", bbox=[6000, 10500, 7000, 20000]))
        assert wider["evidence"]["bbox"] == [4000, 9000, 55000, 40000]

    def test_of_equally_small_elements_the_first_is_taken(self) -> None:
        box = (100, 100, 200, 200)
        twins = tuple(element(name, box, name) for name in ("one", "two"))
        document = replace(FERRY, elements=twins)
        check = one(claim("presence", page="pg-1", bbox=[110, 110, 120, 120]), document)
        assert check["evidence"]["text"] == "one"

    @pytest.mark.parametrize(("out", "found"), [(50, True), (51, False)])
    def test_a_box_may_stand_out_by_the_tolerance(self, out: int, found: bool) -> None:
        alone = replace(FERRY, elements=(element("e", (1000, 1000, 2000, 2000), "x"),))
        cited = claim("presence", page="pg-1", bbox=[1000 - out, 1000, 2000, 2000 + out])
        assert (one(cited, alone)["status"] == "grounded") is found
        none = configured(matching={"bbox_containment_tolerance_q": None})
        early(one(cited, alone, none), "not_found", "bbox_not_found")

    @pytest.mark.parametrize("page", ["pg-1", "pg-2", "nowhere"])
    def test_a_box_around_which_nothing_stands_is_not_found(self, page: str) -> None:
        """Neither spans nor cells are looked at, nor whether there is such a page."""
        cited = claim("presence", page=page, bbox=[6000, 60000, 9000, 61000])
        early(one(cited), "not_found", "bbox_not_found")

    def test_an_unknown_origin_blocks_boxes_and_another_corner_does_not(self) -> None:
        cited = claim("presence", page="pg-1", bbox=[6000, 10500, 7000, 11000])
        early(
            one(cited, able(coordinate_origin="unknown")),
            "capability_blocked",
            "unknown_coordinate_origin",
            "capability_limited",
        )
        assert verdict(one(cited, able(coordinate_origin="bottom-left"))) == SEEN

    def test_pages(self) -> None:
        early(one(claim("presence", page="1")), "not_found", "page_not_found")
        check = one(claim("presence", page="pg-2"))
        assert verdict(check) == SEEN
        assert check["evidence"] == {"page": "pg-2", "bbox": [0, 0, 60000, 80000]}

    def test_a_page_of_unknown_size_has_no_box(self) -> None:
        bare = replace(FERRY, pages=(ForeignPage("pg-1", 1),))
        assert one(claim("presence", page="pg-1"), bare)["evidence"] == {"page": "pg-1"}

    def test_a_document_without_pages_shows_what_it_has(self) -> None:
        plain = ForeignDocument(
            Parser("notes", "1"), ALL, PIN, elements=(ForeignElement("n", "", None, "text", "Hi"),)
        )
        assert one(claim("quote", "Hi", element_id="n"), plain)["evidence"] == {"text": "Hi"}
        early(
            one(claim("quote", "Hi", page="", bbox=[0, 0, 1, 1]), plain),
            "not_found",
            "bbox_not_found",
        )
        early(one(claim("presence", page=""), plain), "not_found", "page_not_found")


class TestMatching:
    def test_a_quote_is_part_of_its_target_and_a_value_all_of_it(self) -> None:
        assert verdict(one(claim("quote", "ticket costs", element_id="fares"))) == CONTAINED
        part = one(claim("value", "24.50", element_id="fares"))
        assert verdict(part) == ("mismatch", "text_mismatch", "normalized_text")
        whole = one(claim("value", f"\xa0{FARES}\r\n", element_id="fares"))
        assert verdict(whole) == ("grounded", None, "normalized_text")

    def test_without_normalization_white_space_counts(self) -> None:
        spaced = claim("quote", "ticket costs", element_id="fares")
        assert verdict(one(spaced, config=EXACT)) == (
            "mismatch",
            "text_mismatch",
            "exact_text_contains",
        )
        raw = claim("quote", "ticket\n costs", element_id="fares")
        assert verdict(one(raw, config=EXACT)) == ("grounded", None, "exact_text_contains")
        value = claim("value", FARES, element_id="fares")
        assert verdict(one(value, config=EXACT)) == ("grounded", None, "exact_text")
        assert verdict(one(claim("value", "x", element_id="fares"), config=EXACT)) == (
            "mismatch",
            "text_mismatch",
            "exact_text",
        )

    def test_case_counts_unless_told_otherwise(self) -> None:
        made = claim("quote", "FERRY TIMETABLE", element_id="title")
        assert verdict(one(made)) == ABSENT
        config = configured(matching={"case_sensitive": False})
        assert verdict(one(made, config=config)) == CONTAINED

    @pytest.mark.parametrize("kind", ["quote", "value", "table_cell"])
    def test_texts_of_cells_are_looked_up(self, kind: str) -> None:
        right = one(claim(kind, "1 240", **CELL))
        assert verdict(right) == ("grounded", None, "table_cell_lookup")
        assert right["evidence"]["text"] == " 1 240\n"
        wrong = one(claim(kind, "1 241", **CELL))
        assert verdict(wrong) == ("mismatch", "text_mismatch", "table_cell_lookup")
        assert verdict(one(claim("presence", **CELL))) == SEEN

    def test_part_of_a_cell_is_a_quote_and_no_value(self) -> None:
        assert one(claim("quote", "240", **CELL))["status"] == "grounded"
        assert one(claim("value", "240", **CELL))["status"] == "mismatch"
        assert one(claim("table_cell", "240", **CELL))["status"] == "mismatch"

    def test_text_of_presence_is_not_compared(self) -> None:
        assert verdict(one(claim("presence", "anything", element_id="title"))) == SEEN


class TestNeighbours:
    """A quote over two elements whose boxes touch."""

    JOINED = "The last boat leaves the north pier at nine"

    @pytest.mark.parametrize("cited", ["left", "right"])
    def test_either_half_may_be_cited(self, cited: str) -> None:
        check = one(claim("quote", "leaves  the\nnorth", element_id=cited))
        assert verdict(check) == CONTAINED
        assert check["evidence"] == {
            "text": self.JOINED,
            "page": "pg-1",
            "bbox": [5000, 50000, 50000, 52000],
        }

    def test_page_and_locators_beside_the_element_do_not_matter(self) -> None:
        made = claim("quote", self.JOINED, element_id="left", page="pg-2")
        assert verdict(one(made)) == CONTAINED

    def test_not_with_a_box(self) -> None:
        box = [5000, 50000, 6000, 51000]
        made = claim("quote", self.JOINED, element_id="left", bbox=box)
        check = one(made)
        assert verdict(check) == ABSENT
        assert check["evidence"]["text"] == "The last boat leaves"

    @pytest.mark.parametrize("kind", ["value", "presence"])
    def test_quotes_alone_are_joined(self, kind: str) -> None:
        check = one(claim(kind, self.JOINED, element_id="left"))
        assert check["evidence"]["text"] == "The last boat leaves"

    def test_not_for_spans_and_boxes(self) -> None:
        cited = claim("quote", self.JOINED, page="pg-1", bbox=[5000, 50000, 6000, 51000])
        assert verdict(one(cited)) == ABSENT
        span = ForeignSpan("left", "pg-1", (5000, 50000, 25000, 52000), "The last boat leaves")
        document = replace(FERRY, spans=(span,))
        made = claim("quote", self.JOINED, span_id="left", element_id="left")
        assert verdict(one(made, document)) == ABSENT

    def pair(self, *elements: ForeignElement) -> ForeignDocument:
        return replace(FERRY, elements=elements)

    def joins(self, first: ForeignElement, second: ForeignElement) -> bool:
        made = claim("quote", "alpha beta", element_id=first.id)
        return one(made, self.pair(first, second))["status"] == "grounded"

    @pytest.mark.parametrize(
        ("first", "second", "touch"),
        [
            ((0, 0, 10, 10), (10, 0, 20, 10), True),
            ((0, 0, 10, 10), (10, 9, 20, 30), True),
            ((0, 0, 10, 10), (10, 10, 20, 20), False),
            ((0, 0, 10, 10), (11, 0, 20, 10), False),
            ((0, 0, 10, 10), (9, 0, 20, 10), False),
            ((0, 0, 10, 10), (0, 10, 10, 20), True),
            ((0, 0, 10, 10), (9, 10, 30, 20), True),
            ((0, 0, 10, 10), (0, 11, 10, 20), False),
            ((10, 0, 20, 10), (0, 0, 10, 10), False),
            ((0, 10, 10, 20), (0, 0, 10, 10), False),
            (None, (10, 0, 20, 10), False),
            ((0, 0, 10, 10), None, False),
        ],
    )
    def test_the_second_box_begins_where_the_first_ends(
        self, first: Any, second: Any, touch: bool
    ) -> None:
        assert self.joins(element("a", first, "alpha"), element("b", second, "beta")) is touch

    def test_both_are_on_one_page_and_have_text(self) -> None:
        a, b = element("a", (0, 0, 10, 10), "alpha"), element("b", (10, 0, 20, 10), "beta")
        assert self.joins(a, b)
        assert not self.joins(a, replace(b, page="pg-2"))
        assert not self.joins(a, replace(b, text=None))
        assert not self.joins(replace(a, text=None), replace(b, text="alpha beta"))

    def test_a_quote_that_the_neighbour_has_alone_is_not_joined(self) -> None:
        a, b = element("a", (0, 0, 10, 10), "alpha"), element("b", (10, 0, 20, 10), "beta")
        check = one(claim("quote", "beta", element_id="a"), self.pair(a, b))
        assert verdict(check) == ABSENT

    def test_the_next_element_is_tried_before_the_one_before(self) -> None:
        row = [element(n, (at, 0, at + 10, 10), "so") for at, n in ((0, "a"), (10, "b"), (20, "c"))]
        check = one(claim("quote", "so so", element_id="b"), self.pair(*row))
        assert check["evidence"]["bbox"] == [10, 0, 30, 10]
        three = one(claim("quote", "so so so", element_id="b"), self.pair(*row))
        assert verdict(three) == ABSENT
        assert three["evidence"]["bbox"] == [10, 0, 20, 10]

    def test_without_normalization_the_joined_text_is_as_it_stands(self) -> None:
        a, b = element("a", (0, 0, 10, 10), " alpha"), element("b", (10, 0, 20, 10), "beta ")
        check = one(claim("quote", "alpha beta", element_id="a"), self.pair(a, b), EXACT)
        assert verdict(check) == ("grounded", None, "exact_text_contains")
        assert check["evidence"]["text"] == " alpha beta "

    def test_case_does_not_change_the_shown_text(self) -> None:
        config = configured(matching={"case_sensitive": False})
        check = one(claim("quote", self.JOINED.upper(), element_id="left"), config=config)
        assert check["evidence"]["text"] == self.JOINED


class TestEvidence:
    @pytest.mark.parametrize("options", [{"include_text": False}, None])
    def test_without_text_page_and_box_remain(self, options: Any) -> None:
        config = configured(evidence=options)
        for text in ("Dogs", "Cats"):
            check = one(claim("quote", text, element_id="second"), config=config)
            assert check["evidence"] == {"page": "pg-2", "bbox": [5000, 10000, 50000, 12000]}

    def test_a_mismatch_shows_what_is_there_as_it_stands(self) -> None:
        check = one(claim("quote", "30 crowns", element_id="fares"))
        assert check["evidence"]["text"] == FARES


class TestReport:
    def test_the_frame(self) -> None:
        report = answer([QUOTE])
        assert report["schema_version"] == "1.0.0"
        assert report["verification_config_sha256"] == DEFAULT.sha256
        assert report["grounding"] == {
            "parser": {"name": "tide-reader", "version": "2.1"},
            "capabilities": FERRY.capabilities.as_dict(),
        }
        assert (report["capability_limits"], report["warnings"]) == ([], [])
        assert report["all_evidence_grounded"] is True

    def test_ids_count_from_one_and_grow(self) -> None:
        config = configured(limits={"max_checks": 10_000})
        ids = [c["id"] for c in answer([QUOTE] * 10_000, config=config)["checks"]]
        assert (ids[0], ids[9998], ids[9999]) == ("v0001", "v9999", "v10000")

    @pytest.mark.parametrize(
        ("adapter", "version", "written"),
        [
            ("", "", {}),
            ("ethos-document", "9", {}),
            (
                "ethos-grounding",
                "9",
                {"adapter": "ethos-grounding-json", "adapter_version": "1.0.0"},
            ),
            ("other-json", "3", {"adapter": "other-json", "adapter_version": "3"}),
        ],
    )
    def test_adapters_have_the_names_that_ethos_gives_them(
        self, adapter: str, version: str, written: dict[str, str]
    ) -> None:
        parser = Parser("tide-reader", "2.1", adapter, version)
        made = answer([QUOTE], replace(FERRY, parser=parser))["grounding"]["parser"]
        assert made == {"name": "tide-reader", "version": "2.1", **written}

    def test_limits_come_in_a_fixed_order_and_do_not_touch_the_verdict(self) -> None:
        bare = replace(
            FERRY,
            capabilities=Capabilities(False, False, False, False, "unknown", False),
            fingerprint="",
        )
        config = configured(evidence={"include_crops": True})
        report = answer([QUOTE], bare, config, None)
        assert report["capability_limits"] == [
            "missing_fingerprint",
            "missing_spans",
            "missing_char_offsets",
            "missing_tables",
            "unknown_coordinate_origin",
            "missing_crop_support",
        ]
        assert report["warnings"] == ["capability_limited"]
        assert report["checks"][0]["warnings"] == []
        assert report["all_evidence_grounded"] is True

    def test_limits_depend_on_what_the_configuration_asks_for(self) -> None:
        bare = able(unpinned(), tables=False)
        config = configured(
            staleness={"require_fingerprint_match": False}, claim_kinds=["quote", "value"]
        )
        assert answer([QUOTE], bare, config, None)["capability_limits"] == []
        assert answer([QUOTE], bare, LENIENT, None)["capability_limits"] == ["missing_tables"]

    @pytest.mark.parametrize(
        ("claims", "grounded"),
        [
            ([QUOTE], True),
            ([QUOTE, claim("presence", page="pg-1")], True),
            ([QUOTE, claim("quote", "Cats", element_id="second")], False),
            ([QUOTE, claim("other", page="pg-1")], False),
            ([claim("other", page="pg-1")], False),
        ],
    )
    def test_certification(self, claims: list[dict[str, Any]], grounded: bool) -> None:
        assert answer(claims)["all_evidence_grounded"] is grounded

    def test_the_same_input_gives_the_same_bytes(self) -> None:
        claims = [QUOTE, claim("presence", page="pg-1"), claim("other", page="x")]
        first, second = (ethos_report_bytes(answer(claims)) for _ in range(2))
        assert first == second
        assert first.endswith(b"}\n")


class TestWhatPasses:
    """Weaknesses of these rules, kept: users who change nothing see no other verdict."""

    def test_locators_are_not_held_against_each_other(self) -> None:
        """A wrong page or box beside a right element is never noticed."""
        made = claim("quote", "Dogs", element_id="second", page="pg-9", bbox=[0, 0, 1, 1])
        report = answer([made])
        assert verdict(report["checks"][0]) == CONTAINED
        assert report["all_evidence_grounded"] is True
        span = claim("quote", "return", span_id="sp-1", element_id="nothing")
        assert verdict(one(span)) == CONTAINED
        cell = claim("value", "1 240", **CELL, span_id="nothing", element_id="nothing")
        assert one(cell)["status"] == "grounded"

    @pytest.mark.parametrize("text", ["e", "4.50 crown", "icket"])
    def test_a_quote_may_be_part_of_a_word_or_number(self, text: str) -> None:
        assert verdict(one(claim("quote", text, element_id="fares"))) == CONTAINED

    @pytest.mark.parametrize(("kind", "method"), [
        ("quote", "normalized_text_contains"), ("value", "normalized_text"),
    ])  # fmt: skip
    def test_a_page_alone_proves_no_text(self, kind: str, method: str) -> None:
        check = one(claim(kind, "Dogs travel free.", page="pg-2"))
        assert verdict(check) == ("mismatch", "text_mismatch", method)
        assert check["evidence"] == {"page": "pg-2", "bbox": [0, 0, 60000, 80000]}

    @pytest.mark.parametrize("text", ["24.5 crowns", "24,50 crowns", "24.50\u00a0crowns"])
    def test_numbers_and_typography_are_compared_letter_by_letter(self, text: str) -> None:
        assert verdict(one(claim("quote", text, element_id="fares"))) == ABSENT


# Anything


names = st.sampled_from(["", "a", "b", "pg-1"])
texts = st.sampled_from(["", " ", "so", "so so", "\xa0so", "SO", "\U0001f6a2"])
corners = st.integers(-100, 100)
free_boxes = st.none() | st.tuples(corners, corners, corners, corners)
documents = st.builds(
    ForeignDocument,
    st.builds(Parser, texts, texts, st.sampled_from(["", "ethos-grounding", "x"]), texts),
    st.builds(
        Capabilities,
        *(st.booleans() for _ in range(4)),
        st.sampled_from(["top-left", "bottom-left", "unknown"]),
        st.booleans(),
    ),
    fingerprint=st.sampled_from(["", PIN]),
    pages=st.lists(st.builds(ForeignPage, names, st.integers(0, 3)), max_size=3).map(tuple),
    elements=st.lists(
        st.builds(ForeignElement, names, names, free_boxes, names, st.none() | texts), max_size=4
    ).map(tuple),
    spans=st.lists(st.builds(ForeignSpan, names, names, free_boxes, texts), max_size=3).map(tuple),
    tables=st.lists(
        st.builds(
            ForeignTable,
            names,
            names,
            free_boxes,
            st.lists(
                st.builds(
                    ForeignCell,
                    *(st.integers(-1, 3), st.integers(-1, 3)),
                    *(st.integers(-1, 10**9), st.integers(-1, 10**9)),
                    free_boxes,
                    texts,
                ),
                max_size=4,
            ).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
)
locators = st.fixed_dictionaries(
    {},
    optional={
        "page": names,
        "element_id": names,
        "span_id": names,
        "table_id": names,
        "cell": st.fixed_dictionaries({"row": st.integers(0, 4), "col": st.integers(0, 4)}),
        "bbox": st.tuples(corners, corners, corners, corners).map(
            lambda b: [min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3])]
        ),
    },
)
any_claims = st.lists(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from("quote value presence table_cell region other".split()),
            "citation": locators,
        },
        optional={"text": texts},
    ),
    min_size=1,
    max_size=4,
)
configs = st.sampled_from(
    [DEFAULT, LENIENT, EXACT, configured(matching={"case_sensitive": False}, evidence=None)]
)
VALIDATOR = Draft202012Validator(TypeAdapter(EthosReport).json_schema())


def is_taken(made: dict[str, Any], config: EthosConfig) -> bool:
    try:
        return bool(parse_citations(json.dumps([made]), config).claims)
    except InputError:
        return False


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
@given(documents, any_claims, configs, st.sampled_from([None, PIN, OTHER_PIN]))
def test_every_document_and_citation_gets_a_report_or_a_refusal(
    document: ForeignDocument, claims: list[dict[str, Any]], config: EthosConfig, pin: str | None
) -> None:
    """The report keeps its schema, every failed check says why, and twice is the same."""
    good = [made for made in claims if is_taken(made, config)]
    if not good:
        return
    data = json.dumps({"claims": good, "document_fingerprint": pin})
    citations = parse_citations(data, config)
    report = verify_ethos(document, citations, config)
    VALIDATOR.validate(report)
    assert ethos_report_bytes(report) == ethos_report_bytes(
        verify_ethos(document, citations, config)
    )
    for check in report["checks"]:
        assert ("reason" in check) is (check["status"] != "grounded")
        assert check["status"] != "grounded" or "evidence" in check


def rows(count: int) -> ForeignDocument:
    """One page with so many elements in rows of a hundred."""
    boxes = [
        (500 * column, 1200 * row, 500 * column + 450, 1200 * row + 1000)
        for row in range(count // 100)
        for column in range(100)
    ]
    elements = [element(f"e{at}", box, f"word {at}") for at, box in enumerate(boxes)]
    return replace(FERRY, elements=tuple(elements))


def compared(count: int) -> int:
    """How many boxes are held against three hundred cited ones on a page of `count` elements."""
    run = EthosRun(rows(count), DEFAULT, PIN)
    for at in range(0, count, count // 300):
        box = rows_box(at)
        cited = EthosCitation(page="pg-1", bbox=box)
        answered = run.answer(EthosClaim(kind="value", text=f"word {at}", citation=cited))
        assert answered.matched
    return run.index.boxes("pg-1", DEFAULT.tolerance).compared


def rows_box(at: int) -> tuple[int, int, int, int]:
    row, column = divmod(at, 100)
    return 500 * column + 10, 1200 * row + 10, 500 * column + 400, 1200 * row + 900


def test_a_cited_box_is_not_held_against_every_element() -> None:
    """Thirty times the elements, the same work a claim."""
    small, large = compared(3_000), compared(90_000)
    assert small < 300 * 20
    assert large <= 2 * small


def test_ten_thousand_claims_on_a_hundred_thousand_elements() -> None:
    """Every locator is looked up, none is searched for: no claim walks through the document."""
    count = 100_000
    document = rows(count)
    config = configured(limits={"max_checks": count})
    ids = range(0, count, 20)
    claims = [claim("quote", f"word {at}", element_id=f"e{at}") for at in ids]
    claims += [claim("presence", page="pg-1", bbox=list(rows_box(at))) for at in ids]
    assert len(claims) == 10_000
    assert answer(claims, document, config)["all_evidence_grounded"] is True
