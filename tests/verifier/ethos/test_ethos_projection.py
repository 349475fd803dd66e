"""Reports under Pagewitness's own rules in Ethos's form: the same verdicts, or a refusal."""

import json
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from drawn import plain, ruled_table
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter
from reading import Shelf

from grounding.errors import UsageError
from verifier import PRESETS, Report, parse_requests, verify
from verifier.codes import MatchMethod, Reason
from verifier.ethos import ethos_shape
from verifier.ethos.projection import NEAREST_REASON, NEAREST_WARNING
from verifier.ethos.report import EthosReason, EthosReport, EthosWarning

VALIDATOR = Draft202012Validator(TypeAdapter(EthosReport).json_schema())


def made_report(**changes: Any) -> Report:
    """A report of one grounded check; `changes` are to the check."""
    check = {
        "id": "v0001",
        "claim": {"kind": "quote", "text": "a line", "citation": {"page": 3}},
        "status": "grounded",
        "match_method": "exact_text_contains",
        "semantic_unverified": False,
        "evidence_tier": "exact_span",
        "evidence": {
            "text": "a line",
            "page": "p0003",
            "page_number": 3,
            "bbox": [1, 2, 3, 4],
            "regions": [{"page": 3, "bbox": [1, 2, 3, 4]}],
            "char_start": 5,
            "char_end": 11,
        },
        "match": {"folds": [], "occurrences": 1},
        "context": {"before": "", "match": "a line", "after": ""},
        "warnings": [],
        **changes,
    }
    report: Any = {
        "artifact_type": "pagewitness.verification_report.v1",
        "schema_version": "1.0.0",
        "verifier": {"name": "pagewitness", "version": "0"},
        "request_sha256": "0" * 64,
        "document": {"name": "x.pdf"},
        "document_fingerprint": "sha256:" + "12" * 32,
        "verification_config_sha256": "34" * 32,
        "normalization_profile": "p",
        "grounding": {
            "parser": {"name": "reader", "version": "1"},
            "capabilities": {
                "spans": True,
                "char_offsets": True,
                "tables": True,
                "fingerprint": True,
                "coordinate_origin": "top-left",
                "crop_support": True,
            },
        },
        "capability_limits": [],
        "fingerprint_stale": False,
        "all_evidence_grounded": check["status"] == "grounded",
        "checks": [check],
        "unsupported_claim_kinds": [],
        "warnings": [],
    }
    return cast(Report, report)


def shaped(**changes: Any) -> Any:
    report = ethos_shape(made_report(**changes))
    VALIDATOR.validate(report)
    return report["checks"][0]


def claimed(kind: str = "quote", **parts: Any) -> dict[str, Any]:
    return {"claim": {"kind": kind, "citation": {"page": 3}, **parts}}


class TestFrame:
    def test_a_report_is_reduced(self) -> None:
        report = ethos_shape(made_report())
        assert report["checks"] == [
            {
                "id": "v0001",
                "claim": {"kind": "quote", "text": "a line", "citation": {"page": "p0003"}},
                "status": "grounded",
                "match_method": "exact_text_contains",
                "semantic_unverified": False,
                "evidence": {"text": "a line", "page": "p0003", "bbox": [1, 2, 3, 4]},
                "warnings": [],
            }
        ]
        assert report["document_fingerprint"] == "sha256:" + "12" * 32
        assert report["verification_config_sha256"] == "34" * 32
        assert report["all_evidence_grounded"] is True

    @pytest.mark.parametrize("stale", [True, False])
    @pytest.mark.parametrize("grounded", [True, False])
    def test_staleness_and_certification_are_not_touched(self, stale: bool, grounded: bool) -> None:
        report = made_report()
        report["fingerprint_stale"], report["all_evidence_grounded"] = stale, grounded
        shape = ethos_shape(report)
        assert (shape["fingerprint_stale"], shape["all_evidence_grounded"]) == (stale, grounded)

    def test_a_report_on_no_document_is_refused(self) -> None:
        report = made_report()
        del report["grounding"]
        with pytest.raises(UsageError, match="no document"):
            ethos_shape(report)

    def test_limits_and_warnings(self) -> None:
        report = made_report(warnings=["ocr_text", "image_only_page", "garbled_text"])
        report["capability_limits"] = ["missing_tables"]
        report["warnings"] = ["capability_limited", "citation_not_pinned", "recovered_file"]
        shape = ethos_shape(report)
        assert shape["capability_limits"] == ["missing_tables"]
        assert shape["warnings"] == ["capability_limited", "partial_parse"]
        assert shape["checks"][0]["warnings"] == ["image_only_page", "partial_parse"]


class TestTables:
    def test_every_reason_is_ethoss_or_in_the_table(self) -> None:
        theirs = set(get_args(EthosReason))
        assert theirs | set(NEAREST_REASON) == set(get_args(Reason))
        assert not theirs & set(NEAREST_REASON)
        assert {r for r in NEAREST_REASON.values() if r} <= theirs
        assert not set(get_args(EthosWarning)) & set(NEAREST_WARNING)

    @pytest.mark.parametrize("reason", get_args(Reason))
    def test_every_reason_can_be_written(self, reason: str) -> None:
        check = shaped(status="mismatch", reason=reason, match_method="none")
        assert check["status"] == "mismatch"
        assert check.get("reason") == NEAREST_REASON.get(cast(Reason, reason), reason)

    @pytest.mark.parametrize(
        ("reason", "written"),
        [
            ("value_mismatch", "text_mismatch"),
            ("negation_dropped", "text_mismatch"),
            ("quote_on_other_page", "text_mismatch"),
            ("hidden_text", "text_mismatch"),
            ("page_label_ambiguous", "page_not_found"),
            ("bbox_out_of_bounds", "bbox_not_found"),
            ("row_label_not_found", "table_cell_not_found"),
        ],
    )
    def test_the_nearest_reason(self, reason: str, written: str) -> None:
        assert shaped(status="mismatch", reason=reason, match_method="none")["reason"] == written

    @pytest.mark.parametrize("reason", ["limit_exceeded", "timed_out", "internal_error"])
    def test_a_reason_without_a_near_one_is_left_out(self, reason: str) -> None:
        check = shaped(status="error", reason=reason, match_method="none")
        assert check["status"] == "error"
        assert "reason" not in check

    def test_cannot_tell_is_a_capability_limit(self) -> None:
        blocked = {"status": "capability_blocked", "match_method": "none"}
        check = shaped(**blocked, reason="page_garbled")
        assert check["reason"] == "missing_span_capability"
        assert check["warnings"] == ["capability_limited"]
        twice = shaped(**blocked, reason="page_failed", warnings=["capability_limited"])
        assert twice["warnings"] == ["capability_limited"]

    @pytest.mark.parametrize("method", get_args(MatchMethod))
    def test_methods(self, method: str) -> None:
        if method == "recomputed":
            with pytest.raises(UsageError, match="v0001: match_method"):
                shaped(match_method=method)
            return
        written = "normalized_text" if method == "typed_value" else method
        assert shaped(match_method=method)["match_method"] == written


class TestClaims:
    def test_an_id_is_dropped_and_a_value_becomes_text(self) -> None:
        claim = shaped(**claimed("value", id="c7", value="24.50"))["claim"]
        assert claim == {"kind": "value", "text": "24.50", "citation": {"page": "p0003"}}

    @pytest.mark.parametrize(
        ("claim", "key"),
        [
            (claimed("calculation", operation="sum", inputs=["a"], value="3"), "kind"),
            (claimed("value", text="a", value="3"), "value"),
            (claimed("value", value={"number": "3"}), "value"),
            (claimed("quote", text="a", parameters={}), "parameters"),
            (claimed("quote", text="a", citation={}), "citation"),
            (claimed("quote", text="a", citation=[1]), "citation"),
            (claimed("quote", text=5), "text"),
            ({"claim": {"kind": "quote", "text": "a"}}, "citation"),
        ],
    )
    def test_what_changes_the_meaning_is_refused(self, claim: dict[str, Any], key: str) -> None:
        with pytest.raises(UsageError, match=f"claim v0001: {key}"):
            shaped(**claim)

    @pytest.mark.parametrize(
        "cited",
        [
            {"page_end": 4},
            {"page_label": "iii"},
            {"row_label": "North"},
            {"column_label": "Q2"},
            {"regions": [{"bbox": [0, 0, 1, 1]}]},
            {"char_start": 0},
            {"char_end": 4},
            {"prefix": "x"},
            {"suffix": "x"},
            {"bbox": [0, 0, 1, "1.5"]},
            {"bbox": 5},
            {"bbox": [0, 0, 1, 1], "bbox_space": {"origin": "bottom-left"}},
            {"bbox": [0, 0, 1, 1], "bbox_space": {"unit": "point"}},
            {"cell": {"row": -1, "col": 0}},
            {"cell": 7},
            {"page": 0},
            {"page": True},
            {"element_id": 7},
        ],
    )
    def test_a_locator_that_ethos_lacks_is_refused(self, cited: dict[str, Any]) -> None:
        key = list(cited)[-1]
        with pytest.raises(UsageError, match=rf"claim v0001: (citation\.)?{key}"):
            shaped(**claimed(text="a", citation={"page": 3, **cited}))

    def test_locators_that_it_has_are_kept(self) -> None:
        cited = {
            "page": 12345,
            "element_id": "e000001",
            "span_id": "s000001",
            "table_id": "t0001",
            "cell": {"row": 0, "col": 1},
            "bbox": ["7200", 0, 8000, 100],
            "bbox_space": {"origin": "top-left", "unit": "centipoint"},
            "row_label": None,
        }
        made = shaped(**claimed(text="a", citation=cited))["claim"]["citation"]
        assert made == {
            "page": "p12345",
            "element_id": "e000001",
            "span_id": "s000001",
            "table_id": "t0001",
            "cell": {"row": 0, "col": 1},
            "bbox": [7200, 0, 8000, 100],
        }

    def test_a_page_has_the_id_that_its_evidence_names(self) -> None:
        """A foreign document's pages have ids of their own."""
        evidence = {"page": "page-3", "page_number": 3}
        assert shaped(evidence=evidence)["claim"]["citation"] == {"page": "page-3"}
        named = claimed(text="a", citation={"page": "p0009"})
        assert shaped(**named)["claim"]["citation"] == {"page": "p0009"}


def test_a_real_report_can_be_written(tmp_path: Path) -> None:
    claims = [
        {"id": "c1", "kind": "quote", "text": "All figures are counts of orders.",
         "citation": {"page": 1}},
        {"kind": "table_cell", "text": "(12)",
         "citation": {"table_id": "t0001", "cell": {"row": 2, "col": 2}}},
        {"kind": "value", "value": "135", "citation": {"page": 1}},
        {"kind": "presence", "citation": {"element_id": "e000001"}},
        {"kind": "quote", "text": "All figures are counts of invoices.", "citation": {"page": 1}},
        {"kind": "presence", "citation": {"page": 9}},
        {"kind": "other", "text": "It went well.", "citation": {"page": 1}},
    ]  # fmt: skip
    with Shelf(tmp_path) as shelf:
        shelf.put(ruled_table(), "orders.pdf")
        shelf.put(plain(["Nothing else."]), "other.pdf")
        data = json.dumps({"document": "orders.pdf", "claims": claims})
        for config in PRESETS.values():
            report = cast(Report, verify(parse_requests(data), shelf.reader, config))
            shape = ethos_shape(report)
            VALIDATOR.validate(shape)
            assert [c["status"] for c in shape["checks"]] == [c["status"] for c in report["checks"]]
            assert shape["all_evidence_grounded"] is report["all_evidence_grounded"]
            assert shape["fingerprint_stale"] is report["fingerprint_stale"]
