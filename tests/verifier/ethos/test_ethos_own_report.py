"""Ethos's verdicts in Pagewitness's frame: nothing of them changes."""

import json
from dataclasses import replace
from typing import Any

import pytest
from ethos_documents import (
    EXACT,
    FERRY,
    LENIENT,
    OTHER_PIN,
    PIN,
    able,
    claim,
    configured,
    unpinned,
)
from pydantic import TypeAdapter

from grounding.adapters.model import ForeignDocument, ForeignPage
from grounding.model import DocumentWarning, Parser, WarningCode
from verifier.ethos import (
    DEFAULT,
    EthosConfig,
    EthosReport,
    ethos_shape,
    own_report,
    parse_citations,
    verify_ethos,
)
from verifier.proof import freshness_line, proof_summary
from verifier.report import Check, Report, all_evidence_grounded
from verifier.summary import summary_text
from verifier.verify import report_bytes

CELL: dict[str, Any] = {"table_id": "tb-1", "cell": {"row": 1, "col": 1}}
ADAPTER = TypeAdapter(Report)


def both(
    claims: list[dict[str, Any]],
    document: ForeignDocument = FERRY,
    config: EthosConfig = DEFAULT,
    pin: str | None = PIN,
) -> tuple[Report, EthosReport]:
    data = json.dumps({"claims": claims, "document_fingerprint": pin})
    citations = parse_citations(data, config)
    report = verify_ethos(document, citations, config)
    own = own_report(report, citations, document, config, name="ferry.json")
    ADAPTER.validate_python(own, strict=True)
    return own, report


def own(*claims: dict[str, Any], **more: Any) -> Report:
    return both(list(claims), **more)[0]


def one(made: dict[str, Any], **more: Any) -> Check:
    return own(made, **more)["checks"][0]


EVERY = [
    claim("quote", "ticket costs", element_id="fares"),
    claim("value", "25", element_id="fares"),
    claim("quote", "leaves the north", element_id="left"),
    claim("table_cell", "1 240", **CELL),
    claim("presence", span_id="sp-9"),
    claim("presence", page="pg-2"),
    claim("presence", page="pg-1", bbox=[6000, 10500, 7000, 11000]),
    claim("other", "x", page="pg-2"),
]


@pytest.mark.parametrize("pin", [PIN, OTHER_PIN, None])
@pytest.mark.parametrize("document", [FERRY, unpinned(), able(tables=False, spans=False)])
def test_verdicts_are_the_same(document: ForeignDocument, pin: str | None) -> None:
    made, report = both(EVERY, document, pin=pin)
    for ours, theirs in zip(made["checks"], report["checks"], strict=True):
        for key in ("id", "claim", "status", "reason", "match_method", "warnings"):
            assert ours.get(key) == theirs.get(key)
        assert ("match" in ours) is (ours["status"] == "grounded")
    for key in (
        "fingerprint_stale",
        "all_evidence_grounded",
        "capability_limits",
        "unsupported_claim_kinds",
        "verification_config_sha256",
    ):
        assert made[key] == report[key]  # type: ignore[literal-required]
    assert made["all_evidence_grounded"] is all_evidence_grounded(made)
    assert ethos_shape(made)["checks"] == report["checks"]


@pytest.mark.parametrize(
    ("made", "tier"),
    [
        (EVERY[0], "element"),
        (EVERY[1], "none"),
        (EVERY[2], "element"),
        (EVERY[3], "table_cell"),
        (claim("quote", "ticket", span_id="sp-1"), "exact_span"),
        (EVERY[5], "page"),
        (EVERY[6], "region"),
        (EVERY[7], "none"),
    ],
)
def test_the_tier_is_what_was_cited(made: dict[str, Any], tier: str) -> None:
    assert one(made)["evidence_tier"] == tier


def test_evidence() -> None:
    element = one(EVERY[0])
    box = [5000, 10000, 50000, 12000]
    assert element["evidence"] == {
        "text": "A return ticket\n costs 24.50 crowns.",
        "page": "pg-1",
        "page_number": 1,
        "bbox": box,
        "regions": [{"page": 1, "bbox": box}],
        "element_id": "fares",
    }
    cell = one(EVERY[3])["evidence"]
    assert (cell["table_id"], cell["cell"]) == ("tb-1", {"row": 1, "col": 1})
    assert (cell["page_number"], "element_id" in cell) == (2, False)


def test_a_locator_that_was_ignored_is_no_evidence() -> None:
    check = one(claim("quote", "return", span_id="sp-1", element_id="title"))
    assert "element_id" not in check["evidence"]


@pytest.mark.parametrize("origin", ["bottom-left", "unknown"])
def test_boxes_are_shown_from_the_top_left_alone(origin: str) -> None:
    evidence = one(EVERY[0], document=able(coordinate_origin=origin))["evidence"]
    assert "bbox" not in evidence
    assert "regions" not in evidence
    assert evidence["page_number"] == 1


def test_boxes_without_area_and_pages_that_are_not_listed_are_left_out() -> None:
    flat = replace(FERRY.elements[0], id="flat", bbox=(5, 5, 5, 9), page="pg-7")
    document = replace(FERRY, elements=(flat,))
    evidence = one(claim("presence", element_id="flat"), document=document)["evidence"]
    assert evidence == {"text": "Ferry timetable", "page": "pg-7", "element_id": "flat"}


def test_page_numbers_are_those_of_the_file() -> None:
    document = replace(FERRY, pages=(ForeignPage("pg-1", 17, 100, 100),))
    assert one(EVERY[0], document=document)["evidence"]["page_number"] == 17


@pytest.mark.parametrize(
    ("made", "config", "folds"),
    [
        (claim("quote", "A return ticket", element_id="fares"), DEFAULT, []),
        (claim("quote", "ticket costs", element_id="fares"), DEFAULT, ["whitespace"]),
        (claim("value", "Dogs travel free.", element_id="second"), DEFAULT, []),
        (claim("value", "Dogs travel free. ", element_id="second"), DEFAULT, ["whitespace"]),
        (claim("table_cell", "1 240", **CELL), DEFAULT, ["whitespace"]),
        (claim("quote", "leaves the north", element_id="left"), DEFAULT, ["whitespace"]),
        (claim("presence", element_id="fares"), DEFAULT, []),
        (claim("quote", "ticket\n costs", element_id="fares"), EXACT, []),
        (
            claim("quote", "FERRY", element_id="title"),
            configured(matching={"case_sensitive": False}),
            [],
        ),
    ],
)
def test_a_fold_is_named_where_it_was_needed(
    made: dict[str, Any], config: EthosConfig, folds: list[str]
) -> None:
    match = one(made, config=config)["match"]
    assert match["folds"] == folds
    assert match["occurrences"] == 1
    assert match.get("fold_groups", []) == (["layout"] if folds else [])


def test_without_evidence_text_folds_are_still_told() -> None:
    check = one(EVERY[0], config=configured(evidence={"include_text": False}))
    assert "text" not in check["evidence"]
    assert check["match"]["folds"] == ["whitespace"]


def test_the_frame() -> None:
    parser = Parser("tide-reader", "2.1", "ethos-grounding", "4")
    warnings = (DocumentWarning(WarningCode.PARTIAL_PARSE, 1),)
    made = own(EVERY[0], document=replace(FERRY, parser=parser, warnings=warnings))
    assert made["document"] == {"name": "ferry.json"}
    assert made["grounding"]["parser"]["adapter"] == "ethos-grounding"
    assert made["warnings"] == ["partial_parse"]
    assert made["document_fingerprint"] == made["expected_fingerprint"] == PIN
    assert made["source_fingerprint"] == FERRY.source_fingerprint
    assert made["normalization_profile"] == "ethos_collapse_whitespace_v1"
    assert own(EVERY[0], config=EXACT)["normalization_profile"] == "none"
    assert len(made["request_sha256"]) == 64
    assert made["request_sha256"] != own(EVERY[0], pin=OTHER_PIN)["request_sha256"]


@pytest.mark.parametrize(
    ("document", "pin", "config", "reason"),
    [
        (FERRY, PIN, DEFAULT, None),
        (FERRY, OTHER_PIN, DEFAULT, "stale_fingerprint"),
        (FERRY, None, DEFAULT, "missing_citation_fingerprint"),
        (unpinned(), PIN, DEFAULT, "missing_source_fingerprint"),
        (FERRY, OTHER_PIN, LENIENT, None),
    ],
)
def test_freshness(
    document: ForeignDocument, pin: str | None, config: EthosConfig, reason: str | None
) -> None:
    made = own(EVERY[0], document=document, pin=pin, config=config)
    assert made.get("fingerprint_reason") == reason
    assert ("citation_not_pinned" in made["warnings"]) is (pin is None)


def test_readers_of_reports_read_it() -> None:
    made = own(*EVERY)
    assert json.loads(report_bytes(made)) == made
    assert proof_summary(made)["proof_status"] == "partially_verified"
    assert "text_mismatch" in summary_text(made)
    assert freshness_line(own(EVERY[0], pin=None)).startswith("not pinned")
