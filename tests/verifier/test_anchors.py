"""Evidence anchors: a reference binds when its page, its text, its box and its cell are there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain, ruled_table
from foreign_files import SENTENCE, source
from reading import OneDocument, Shelf, place, report

from grounding.errors import RequestInvalidError
from grounding.source import GroundingSource
from grounding.store import StoredSource
from verifier import PRESETS
from verifier.anchors import AnchorReport, anchor, anchor_report_bytes, parse_anchors
from verifier.anchors.report import Anchor
from verifier.verify import report_bytes

LINES = ["The works began at dawn.", "The fee is 940 EUR.", "The works ended at dusk."]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def ref(kind: str, level: str, text: str | None = None, **locator: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "evidence_id": "r1",
        "evidence_kind": kind,
        "required_anchor_level": level,
        "locator": locator,
    }
    return made if text is None else {**made, "expected_text": text}


def answers(
    made: GroundingSource, *refs: dict[str, Any], config: str = "default", **request: Any
) -> AnchorReport:
    body = {**request, "evidence_refs": list(refs)}
    submission = parse_anchors(json.dumps(body), named=False)
    return anchor(submission, OneDocument(made), PRESETS[config])  # type: ignore[return-value]


def bound(made: GroundingSource, one: dict[str, Any]) -> Anchor:
    return answers(made, one)["anchors"][0]


def outcome(answer: Anchor) -> tuple[str, str]:
    return answer["anchor_status"], answer["achieved_anchor_level"]


def box_of(made: StoredSource, words: str) -> list[int]:
    start, end = place(made, words, 1)
    boxes = made.char_boxes(1)
    assert boxes is not None
    box = boxes.union(start - made.pages[0].start, end - made.pages[0].start)
    assert box is not None
    return box.as_list()


class TestText:
    def test_text_binds_on_its_page_and_says_where(self, shelf: Shelf) -> None:
        made = shelf.put(plain(LINES))
        answer = bound(made, ref("text", "text", "The fee is 940 EUR.", page=1))
        assert outcome(answer) == ("bound", "text")
        assert answer["checks"]["text"] == "matched"
        assert answer["evidence"]["bbox"] == box_of(made, "The fee is 940 EUR.")

    def test_other_text_does_not_bind_and_the_page_is_still_found(self, shelf: Shelf) -> None:
        answer = bound(shelf.put(plain(LINES)), ref("text", "text", "The fee is 950 EUR.", page=1))
        assert outcome(answer) == ("mismatch", "page")
        assert answer["reason"] == "text_mismatch"

    def test_a_page_that_is_not_there_is_not_found(self, shelf: Shelf) -> None:
        answer = bound(shelf.put(plain(LINES)), ref("page", "page", page=9))
        assert outcome(answer) == ("not_found", "none")
        assert answer["checks"]["page"] == "not_found"
        assert outcome(bound(shelf.reader.open("drawn"), ref("page", "page", page=1))) == (
            "bound",
            "page",
        )

    def test_a_page_that_the_file_has_no_text_of_cannot_be_told(self) -> None:
        made = source("ethos-grounding.json", lambda value: value["elements"].pop())
        answer = bound(made, ref("text", "text", "The works", page=2))
        assert answer["anchor_status"] == "capability_limited"
        assert answer["reason"] == "page_without_text"


class TestBoxes:
    def test_a_text_binds_in_its_box(self, shelf: Shelf) -> None:
        made = shelf.put(plain(LINES))
        inside = ref("text_region", "text_bbox", "940 EUR", page=1, bbox=box_of(made, "940 EUR"))
        answer = bound(made, inside)
        assert outcome(answer) == ("bound", "text_bbox")
        assert answer["checks"]["bbox"] == "valid"

    def test_a_text_beside_its_box_does_not(self, shelf: Shelf) -> None:
        """Both are on the page, apart from each other."""
        made = shelf.put(plain(LINES))
        beside = ref("text_region", "text_bbox", "940 EUR", page=1, bbox=box_of(made, "dusk"))
        answer = bound(made, beside)
        assert outcome(answer) == ("mismatch", "text")
        assert answer["checks"] == {
            "fingerprint": "not_checked",
            "page": "found",
            "text": "matched",
            "bbox": "invalid",
            "table_cell": "not_checked",
        }

    def test_a_box_without_text_needs_something_printed(self, shelf: Shelf) -> None:
        made = shelf.put(plain(LINES))
        for box, expected in ((box_of(made, "dusk"), "bound"), ([100, 100, 900, 900], "not_found")):
            for kind in ("region", "text_region"):
                answer = bound(made, ref(kind, "bbox", page=1, bbox=box))
                assert answer["anchor_status"] == expected

    def test_a_box_beyond_the_page_is_not_found(self, shelf: Shelf) -> None:
        made = shelf.put(plain(LINES))
        answer = bound(made, ref("region", "bbox", page=1, bbox=[0, 0, 99_999_999, 9]))
        assert (answer["anchor_status"], answer["reason"]) == ("not_found", "bbox_out_of_bounds")

    def test_an_unknown_origin_limits(self) -> None:
        made = source("opendataloader-json.json")
        answer = bound(made, ref("text_region", "text_bbox", SENTENCE, page=1, bbox=[0, 0, 9, 9]))
        assert answer["anchor_status"] == "capability_limited"
        assert answer["reason"] == "unknown_coordinate_origin"
        assert "bbox" not in answer.get("evidence", {})


class TestCells:
    @pytest.mark.parametrize(
        ("locator", "text", "status"),
        [
            ({"table_id": "t0001", "cell": {"row": 1, "col": 2}}, "135", "bound"),
            ({"table_id": "t0001", "cell": {"row": 1, "col": 2}}, "136", "mismatch"),
            ({"table_id": "t0001", "cell": {"row": 1, "col": 2}}, None, "bound"),
            ({"row_label": "South", "column_label": "Q2"}, "(12)", "bound"),
            ({"table_id": "t0001", "cell": {"row": 9, "col": 2}}, "135", "not_found"),
            ({"table_id": "t0009", "cell": {"row": 1, "col": 2}}, "135", "not_found"),
            ({"table_id": "t0001"}, "135", "not_found"),
        ],
    )
    def test_a_cell_binds_by_place_and_content(
        self, shelf: Shelf, locator: dict[str, Any], text: str | None, status: str
    ) -> None:
        made = shelf.put(ruled_table())
        answer = bound(made, ref("table_cell", "table_cell", text, **locator))
        assert answer["anchor_status"] == status
        expected = "table_cell" if status == "bound" else "none"
        assert (answer["achieved_anchor_level"] == "table_cell") == (expected == "table_cell")


class TestFingerprints:
    def test_a_stale_pin_binds_nothing(self, shelf: Shelf) -> None:
        made = shelf.put(plain(LINES))
        pins = {
            made.identity.source_fingerprint: "bound",
            "sha256:" + "0" * 64: "stale_fingerprint",
        }
        for pin, status in pins.items():
            whole = answers(made, ref("page", "page", page=1), document_fingerprint=pin)
            assert whole["anchors"][0]["anchor_status"] == status
            assert whole["all_bound"] == (status == "bound")

    def test_a_source_without_a_fingerprint_limits(self) -> None:
        made = source("docling-json.json")
        whole = answers(made, ref("text", "text", SENTENCE, page=1),
                        document_fingerprint="sha256:" + "0" * 64)  # fmt: skip
        (answer,) = whole["anchors"]
        assert outcome(answer) == ("capability_limited", "text")
        assert answer["checks"]["fingerprint"] == "capability_limited"

    def test_other_kinds_are_not_supported(self, shelf: Shelf) -> None:
        answer = bound(shelf.put(plain(LINES)), ref("other", "page", page=1))
        assert outcome(answer) == ("unsupported_evidence_kind", "none")


class TestRequests:
    @pytest.mark.parametrize(
        ("one", "words"),
        [
            (ref("page", "text", "x", page=1), "has no level text"),
            (ref("text", "text", page=1), "needs expected_text"),
            (ref("text", "text", "  ", page=1), "needs expected_text"),
            (ref("text_region", "text_bbox", "x", page=1), "needs a bbox"),
            ({**ref("page", "page", page=1), "note": 1}, "note"),
            (ref("page", "page", pages=1), "pages"),
        ],
    )
    def test_a_faulty_reference_is_refused_by_name(self, one: dict[str, Any], words: str) -> None:
        with pytest.raises(RequestInvalidError, match=words):
            parse_anchors(json.dumps({"evidence_refs": [one]}), named=False)

    def test_ids_are_unique_and_a_document_is_named(self) -> None:
        twice = {"document": "a", "evidence_refs": [ref("page", "page", page=1)] * 2}
        with pytest.raises(RequestInvalidError, match="given twice"):
            parse_anchors(json.dumps(twice))
        with pytest.raises(RequestInvalidError, match="names no document"):
            parse_anchors(json.dumps({"evidence_refs": [ref("page", "page", page=1)]}))

    def test_a_request_of_ethos_is_read(self, shelf: Shelf) -> None:
        """With its locators, its fingerprint and its hash of the text."""
        made = shelf.put(plain(LINES))
        text = "The  fee is\n940 EUR."
        digest = hashlib.sha256(b"The fee is 940 EUR.").hexdigest()
        one = {
            **ref("text_region", "text_bbox", text, page_index=1,
                  bbox=box_of(made, "The fee is 940 EUR."),
                  coordinate_profile="ethos_quantized_top_left_v1"),
            "expected_text_sha256": f"sha256:{digest}",
            "text_normalization_profile": "ethos_collapse_whitespace_v1",
        }  # fmt: skip
        body = {
            "artifact_type": "ethos.evidence_anchor_request.v1",
            "schema_version": "1.0.0",
            "source_fingerprint": made.identity.document_fingerprint,
            "evidence_refs": [one],
        }
        submission = parse_anchors(json.dumps(body), named=False)
        whole: Any = anchor(submission, OneDocument(made), PRESETS["default"])
        assert whole["all_bound"]
        one["expected_text_sha256"] = "sha256:" + "0" * 64
        with pytest.raises(RequestInvalidError, match=r"evidence_refs\.0\.expected_text_sha256"):
            parse_anchors(json.dumps(body), named=False)

    def test_the_grounded_checks_of_a_report_are_references(self, shelf: Shelf) -> None:
        """They bind to the document that they were made for, and are stale on another version."""
        made = shelf.put(plain(LINES), "works.pdf")
        claims = [
            {"kind": "quote", "text": text, "citation": {"page": 1}}
            for text in (*LINES, "The fee is 950 EUR.")
        ]
        whole = report(shelf.reader, claims, document="works.pdf")
        submission = parse_anchors(report_bytes(whole))
        ((request, _),) = submission.requests
        assert [one.evidence_id for one in request.evidence_refs] == ["v0001", "v0002", "v0003"]
        assert {one.required_anchor_level for one in request.evidence_refs} == {"text_bbox"}
        first: Any = anchor(submission, shelf.reader, PRESETS["default"])
        assert first["all_bound"]
        shelf.put(plain([*LINES, "More."]), "works.pdf")
        second: Any = anchor(submission, shelf.reader, PRESETS["default"])
        assert {a["anchor_status"] for a in second["anchors"]} == {"stale_fingerprint"}
        assert made.identity.document_fingerprint == request.document_fingerprint

    def test_words_that_stand_below_each_other_in_a_box_bind(self, shelf: Shelf) -> None:
        """A box over a column: on the page other words stand between."""
        made = shelf.put(ruled_table(), "sales.pdf")
        (table,) = made.tables(1)
        column = [cell for cell in table.cells if cell.col == 1]
        box = [
            min(c.box.x0 for c in column), min(c.box.y0 for c in column),
            max(c.box.x1 for c in column), max(c.box.y1 for c in column),
        ]  # fmt: skip
        text = " ".join(cell.text for cell in column)
        claim = {"kind": "region", "text": text, "citation": {"page": 1, "bbox": box}}
        whole = report(shelf.reader, [claim], document="sales.pdf")
        assert whole["all_evidence_grounded"]
        again: Any = anchor(parse_anchors(report_bytes(whole)), shelf.reader, PRESETS["default"])
        assert again["all_bound"]
        assert again["anchors"][0]["achieved_anchor_level"] == "text_bbox"

    def test_a_document_that_is_not_there_is_a_verdict(self, shelf: Shelf) -> None:
        body = {"document": "absent.pdf", "evidence_refs": [ref("page", "page", page=1)]}
        whole: Any = anchor(parse_anchors(json.dumps(body)), shelf.reader, PRESETS["default"])
        assert whole["anchors"][0]["anchor_status"] == "not_found"
        assert whole["anchors"][0]["reason"] == "document_not_found"

    def test_the_same_request_gives_the_same_bytes(self, shelf: Shelf) -> None:
        made = shelf.put(plain(LINES))
        one = ref("text", "text", "The fee is 940 EUR.", page=1)
        assert anchor_report_bytes(answers(made, one)) == anchor_report_bytes(answers(made, one))
