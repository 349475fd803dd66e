"""Evidence anchors: what a request may say, and what is answered."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from ethos_documents import FERRY, OTHER_PIN, PIN, able, unpinned
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter

from grounding.adapters.model import ForeignDocument
from grounding.errors import InputError, RequestInvalidError
from verifier.ethos import anchor, parse_anchor_request
from verifier.ethos.anchor_report import Anchor, EthosAnchorReport

BOX = [5000, 10000, 50000, 12000]
PROFILE: dict[str, Any] = {"coordinate_profile": "ethos_quantized_top_left_v1"}
BOXED: dict[str, Any] = {"page_index": 1, "bbox": BOX, **PROFILE}
CELL: dict[str, Any] = {"table_id": "tb-1", "cell": {"row": 1, "col": 1}}
SHA = "sha256:" + hashlib.sha256(b"return ticket").hexdigest()
COLLAPSE = {"text_normalization_profile": "ethos_collapse_whitespace_v1"}


def ref(
    kind: str = "text", level: str = "text", text: str | None = "return ticket", **locator: Any
) -> dict[str, Any]:
    made: dict[str, Any] = {
        "evidence_id": "ev",
        "evidence_kind": kind,
        "required_anchor_level": level,
        "locator": locator,
    }
    return made if text is None else {**made, "expected_text": text}


def request(*refs: dict[str, Any], **more: Any) -> str:
    return json.dumps(
        {
            "artifact_type": "ethos.evidence_anchor_request.v1",
            "schema_version": "1.0.0",
            "evidence_refs": list(refs),
            **more,
        }
    )


def anchored(
    made: dict[str, Any], document: ForeignDocument = FERRY, pin: str | None = PIN
) -> Anchor:
    asked = parse_anchor_request(request(made, source_fingerprint=pin))
    return anchor(document, asked)["anchors"][0]


def brief(found: Anchor) -> tuple[str, str]:
    return found["anchor_status"], found["achieved_anchor_level"]


class TestRequest:
    @pytest.mark.parametrize(
        ("made", "message"),
        [
            (ref(page_index=0), "page_index"),
            (ref(page_index=1, page_id="pg-1"), "page_index and page_id"),
            (ref("text_region", "bbox", None, page_index=1, bbox=BOX), "coordinate_profile"),
            (ref("text_region", "bbox", None, **{**BOXED, "bbox": [9, 0, 9, 1]}), "x0 < x1"),
            (ref("text_region", "bbox", None, **{**BOXED, "coordinate_profile": "x"}), "profile"),
            (ref(text=" \xa0", page_index=1), "expected_text is blank"),
            ({**ref("page", "page", None, page_index=1), "expected_text_sha256": SHA, **COLLAPSE},
             "needs expected_text"),
            ({**ref(page_index=1), "expected_text_sha256": SHA}, "text_normalization_profile"),
            ({**ref(page_index=1), "expected_text_sha256": PIN, **COLLAPSE}, "not the hash"),
            ({**ref(page_index=1), "text_normalization_profile": "nfc"}, "profile"),
            (ref("page", "text", page_index=1), "cannot reach"),
            (ref("text", "page", page_index=1), "cannot reach"),
            (ref("text", "text_bbox", **BOXED), "cannot reach"),
            (ref("text_region", "page", page_index=1), "cannot reach"),
            (ref("text_region", "table_cell", page_index=1), "cannot reach"),
            (ref("table_cell", "text", **CELL), "cannot reach"),
            (ref("table_cell", "table_cell", page_index=1), "table_id and cell"),
            (ref("table_cell", "table_cell", table_id="tb-1"), "table_id and cell"),
            (ref("text", "text", None, page_index=1), "needs expected_text"),
            (ref("text_region", "text_bbox", None, **BOXED), "needs expected_text"),
            (ref("text_region", "text_bbox", page_index=1), "needs a bbox"),
            (ref("text_region", "bbox", None, page_index=1), "needs a bbox"),
            (ref("page", "page", None, element_id="fares"), "page_index or page_id"),
            (ref("text_region", "bbox", None, element_id="fares", bbox=BOX, **PROFILE),
             "page_index or page_id"),
            (ref(), "page_index or page_id"),
            (ref("other", "page", None), "page_index or page_id"),
            ({**ref(page_index=1), "evidence_id": ""}, "evidence_id"),
            ({**ref(page_index=1), "note": "x"}, "note"),
            (ref(page_index=1, line=3), "line"),
            (ref(page_index=1, text="\ud800"), "surrogate"),
        ],
    )  # fmt: skip
    def test_a_broken_rule_is_told(self, made: dict[str, Any], message: str) -> None:
        with pytest.raises(RequestInvalidError, match=message):
            parse_anchor_request(request(made))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"artifact_type": "x"}, "artifact_type"),
            ({"schema_version": "2"}, "schema_version"),
            ({"source_fingerprint": "x"}, "source_fingerprint"),
            ({"surprise": 1}, "surprise"),
            ({"evidence_refs": None}, "evidence_refs"),
        ],
    )
    def test_the_envelope_is_closed(self, change: dict[str, Any], message: str) -> None:
        with pytest.raises(RequestInvalidError, match=message):
            parse_anchor_request(request(ref(page_index=1), **change))

    def test_an_id_is_given_once(self) -> None:
        with pytest.raises(RequestInvalidError, match="'ev' is given twice"):
            parse_anchor_request(request(ref(page_index=1), ref(page_index=2)))

    def test_no_evidence_is_a_request(self) -> None:
        assert anchor(FERRY, parse_anchor_request(request()))["anchors"] == []

    def test_the_hash_is_of_collapsed_text(self) -> None:
        made = {**ref(text="\xa0return \n ticket ", page_index=1), "expected_text_sha256": SHA}
        assert brief(anchored({**made, **COLLAPSE})) == ("bound", "text")

    def test_null_is_absent(self) -> None:
        made = {**ref(element_id="fares", page_id=None, bbox=None), "expected_text_sha256": None}
        assert brief(anchored(made)) == ("bound", "text")


class TestFingerprint:
    @pytest.mark.parametrize(
        ("document", "pin", "axis", "status", "limits"),
        [
            (FERRY, None, "not_checked", "bound", []),
            (FERRY, PIN, "matched", "bound", []),
            (FERRY, OTHER_PIN, "stale", "stale_fingerprint", []),
            (unpinned(), PIN, "capability_limited", "capability_limited", ["missing_fingerprint"]),
            (unpinned(), None, "not_checked", "bound", []),
        ],
    )
    def test_axis(
        self,
        document: ForeignDocument,
        pin: str | None,
        axis: str,
        status: str,
        limits: list[str],
    ) -> None:
        found = anchored(ref("page", "page", None, page_index=1), document, pin)
        assert found["checks"]["fingerprint"] == axis
        assert found["anchor_status"] == status
        assert found["capability_limits"] == limits

    @pytest.mark.parametrize("kind", ["region", "other"])
    def test_kinds_that_are_not_anchored_are_told_before_staleness(self, kind: str) -> None:
        found = anchored(ref(kind, "page", None, page_index=9), pin=OTHER_PIN)
        assert brief(found) == ("unsupported_evidence_kind", "none")
        assert found["checks"] == {
            "fingerprint": "stale",
            "page": "not_checked",
            "text": "not_checked",
            "bbox": "not_checked",
            "table_cell": "not_checked",
        }

    def test_of_stale_evidence_nothing_else_is_looked_at(self) -> None:
        found = anchored(ref(page_index=9), pin=OTHER_PIN)
        assert brief(found) == ("stale_fingerprint", "none")
        assert found["checks"]["page"] == found["checks"]["text"] == "not_checked"


class TestAxes:
    @pytest.mark.parametrize(
        ("where", "axis"),
        [
            ({"page_index": 2}, "found"),
            ({"page_id": "pg-1"}, "found"),
            ({"page_index": 3}, "not_found"),
            ({"page_id": "2"}, "not_found"),
        ],
    )
    def test_page(self, where: dict[str, Any], axis: str) -> None:
        found = anchored(ref("page", "page", None, **where))
        assert found["checks"]["page"] == axis
        assert brief(found) == (("bound", "page") if axis == "found" else ("not_found", "none"))

    @pytest.mark.parametrize(
        ("where", "axis"),
        [
            ({"span_id": "sp-1"}, "matched"),
            ({"span_id": "sp-2"}, "mismatch"),
            ({"span_id": "sp-9", "element_id": "fares"}, "not_found"),
            ({"element_id": "fares"}, "matched"),
            ({"element_id": "title"}, "mismatch"),
            ({"element_id": "frame"}, "not_found"),
            ({"element_id": "e-9"}, "not_found"),
            ({"page_index": 1}, "matched"),
            ({"page_id": "pg-2"}, "mismatch"),
            ({"table_id": "tb-1"}, "not_found"),
        ],
    )
    def test_text(self, where: dict[str, Any], axis: str) -> None:
        found = anchored(ref(**where))
        assert found["checks"]["text"] == axis
        status = {"matched": "bound"}.get(axis, axis)
        assert brief(found) == (status, "text" if axis == "matched" else "none")

    def test_a_page_is_not_held_against_the_object(self) -> None:
        assert brief(anchored(ref(element_id="fares", page_index=2))) == ("bound", "text")
        lost = anchored(ref(element_id="fares", page_index=9))
        assert lost["checks"]["text"] == "matched"
        assert brief(lost) == ("not_found", "text")

    def test_spans_of_a_page_are_looked_at_and_texts_are_not_joined(self) -> None:
        assert brief(anchored(ref(text="small print", page_index=2))) == ("bound", "text")
        over_two = ref(text="leaves the north", page_index=1)
        assert anchored(over_two)["checks"]["text"] == "mismatch"
        blind = able(spans=False)
        assert anchored(ref(text="small print", page_index=2), blind)["anchor_status"] == "mismatch"

    def test_a_page_with_nothing_on_it(self) -> None:
        empty = replace(FERRY, elements=(), spans=())
        assert anchored(ref(page_index=1), empty)["checks"]["text"] == "not_found"

    def test_spans_that_the_source_does_not_have(self) -> None:
        found = anchored(ref(span_id="sp-1", element_id="fares"), able(spans=False))
        assert found["checks"]["text"] == "capability_limited"
        assert brief(found) == ("capability_limited", "none")
        assert found["capability_limits"] == ["missing_spans"]

    @pytest.mark.parametrize(
        ("box", "page", "axis"),
        [
            (BOX, 1, "valid"),
            ([4950, 9950, 50050, 12050], 1, "valid"),
            ([3000, 8000, 56000, 41000], 1, "not_found"),
            ([6000, 60000, 9000, 61000], 2, "valid"),
            ([6000, 21000, 49000, 29000], 2, "valid"),
            (BOX, 9, "not_found"),
        ],
    )
    def test_bbox(self, box: list[int], page: int, axis: str) -> None:
        """Elements, spans and tables of the page count, half a point of tolerance with them."""
        made = ref("text_region", "bbox", None, page_index=page, bbox=box, **PROFILE)
        found = anchored(made)
        assert found["checks"]["bbox"] == axis
        assert found["checks"]["text"] == "not_checked"
        assert brief(found) == (("bound", "bbox") if axis == "valid" else ("not_found", "none"))

    @pytest.mark.parametrize(("ability", "page", "box"), [
        ("spans", 2, [6000, 60000, 9000, 61000]), ("tables", 2, [6000, 21000, 49000, 29000]),
    ])  # fmt: skip
    def test_boxes_of_what_the_source_does_not_declare(
        self, ability: str, page: int, box: list[int]
    ) -> None:
        made = ref("text_region", "bbox", None, page_index=page, bbox=box, **PROFILE)
        assert anchored(made, able(FERRY, **{ability: False}))["checks"]["bbox"] == "not_found"

    @pytest.mark.parametrize("origin", ["bottom-left", "unknown"])
    def test_another_origin_limits_boxes(self, origin: str) -> None:
        found = anchored(ref("text_region", "text_bbox", **BOXED), able(coordinate_origin=origin))
        assert found["checks"]["bbox"] == "capability_limited"
        assert brief(found) == ("capability_limited", "text")
        assert found["capability_limits"] == ["unknown_coordinate_origin"]

    def test_text_and_box_are_not_held_against_each_other(self) -> None:
        title = ref("text_region", "text_bbox", "Ferry timetable", **BOXED)
        assert brief(anchored(title)) == ("bound", "text_bbox")
        assert brief(anchored(ref("text_region", "text", **BOXED))) == ("bound", "text")

    def test_half_of_what_was_asked(self) -> None:
        wrong = anchored(ref("text_region", "text_bbox", "nobody wrote this", **BOXED))
        assert brief(wrong) == ("mismatch", "bbox")
        off: dict[str, Any] = {**BOXED, "bbox": [0, 0, 9, 9]}
        off_page = replace(FERRY, elements=FERRY.elements[:-1])
        assert brief(anchored(ref("text_region", "text_bbox", **off), off_page)) == (
            "not_found",
            "text",
        )

    @pytest.mark.parametrize(
        ("cell", "text", "axis"),
        [
            (CELL, "1 240", "matched"),
            (CELL, None, "matched"),
            (CELL, "240", "mismatch"),
            ({**CELL, "table_id": "tb-9"}, None, "not_found"),
            ({**CELL, "cell": {"row": 9999, "col": 1}}, None, "not_found"),
        ],
    )
    def test_table_cell(self, cell: dict[str, Any], text: str | None, axis: str) -> None:
        found = anchored(ref("table_cell", "table_cell", text, **cell))
        assert found["checks"]["table_cell"] == axis
        assert found["checks"]["text"] == "not_checked"
        status = {"matched": "bound"}.get(axis, axis)
        assert brief(found) == (status, "table_cell" if axis == "matched" else "none")

    def test_tables_that_the_source_does_not_have(self) -> None:
        found = anchored(ref("table_cell", "table_cell", None, **CELL), able(tables=False))
        assert found["checks"]["table_cell"] == "capability_limited"
        assert found["capability_limits"] == ["missing_tables"]

    def test_the_worst_axis_decides_and_limits_have_an_order(self) -> None:
        blind = able(unpinned(), spans=False, coordinate_origin="unknown")
        made = ref("text_region", "text_bbox", **BOXED, span_id="sp-1")
        found = anchored(made, blind)
        assert found["anchor_status"] == "capability_limited"
        assert found["capability_limits"] == [
            "missing_spans",
            "missing_fingerprint",
            "unknown_coordinate_origin",
        ]
        wrong = ref("text_region", "text_bbox", "nobody", **BOXED)
        assert anchored(wrong, blind)["anchor_status"] == "mismatch"
        lost = {**wrong, "locator": {**BOXED, "page_index": 9}}
        assert anchored(lost, blind)["anchor_status"] == "not_found"


VALIDATOR = Draft202012Validator(TypeAdapter(EthosAnchorReport).json_schema())


def test_the_report_names_its_source() -> None:
    report = anchor(FERRY, parse_anchor_request(request(ref(page_index=1))))
    assert report["artifact_type"] == "ethos.evidence_anchor_report.v1"
    assert report["source_fingerprint"] == PIN
    assert report["grounding"]["parser"] == {"name": "tide-reader", "version": "2.1"}
    VALIDATOR.validate(report)
    bare = anchor(unpinned(), parse_anchor_request(request()))
    assert "source_fingerprint" not in bare


names = st.sampled_from(["pg-1", "tb-1", "sp-1", "fares", "frame", ""])
some_locator = st.fixed_dictionaries(
    {},
    optional={
        "page_index": st.integers(0, 3),
        "page_id": names,
        "element_id": names,
        "span_id": names,
        "table_id": names,
        "cell": st.just({"row": 1, "col": 1}),
        "bbox": st.just(BOX),
        "coordinate_profile": st.just(PROFILE["coordinate_profile"]),
    },
)


@settings(deadline=None)
@given(
    st.sampled_from("page text text_region table_cell region other".split()),
    st.sampled_from("page text bbox text_bbox table_cell".split()),
    st.none() | st.text(max_size=5) | st.just("return ticket"),
    some_locator,
    st.sampled_from([FERRY, unpinned(), able(spans=False, coordinate_origin="unknown")]),
    st.sampled_from([None, PIN, OTHER_PIN]),
)
def test_every_piece_of_evidence_gets_an_answer_or_a_refusal(
    kind: str,
    level: str,
    text: str | None,
    locator: dict[str, Any],
    document: ForeignDocument,
    pin: str | None,
) -> None:
    made = {**ref(kind, level, text), "locator": locator}
    try:
        asked = parse_anchor_request(request(made, source_fingerprint=pin))
    except InputError:
        return
    report = anchor(document, asked)
    VALIDATOR.validate(report)
    assert report == anchor(document, asked)
    found = report["anchors"][0]
    if found["anchor_status"] == "bound":
        assert found["achieved_anchor_level"] == level
