"""Calculations: made again from grounded checks of the same request, or not grounded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain
from reading import GROUNDED, Shelf, report, verdict

from grounding.errors import RequestInvalidError
from grounding.source import GroundingSource
from verifier import Check, VerificationConfig, parse_requests, report_bytes
from verifier.stored import load_reports
from verifier.summary import summary_text

LINES = [
    "Sales were $120 million in 2023 after $96 million in 2022.",
    "The margin was 18.4% after 16.9% the year before.",
    "The tax of 30 million euro was paid on 4 June 2024.",
    "Notice was given on 5 May 2024.",
    "Zero was 0 in all. A loss of $(40) was made.",
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GroundingSource]:
    with Shelf(tmp_path_factory.mktemp("calculations")) as shelf:
        yield shelf.put(plain(LINES))


def value(claim_id: str, text: str) -> dict[str, Any]:
    return {"id": claim_id, "kind": "value", "value": text, "citation": {"page": 1}}


VALUES = [
    value("new", "$120 million"),
    value("old", "$96 million"),
    value("margin", "18.4%"),
    value("before", "16.9%"),
    value("tax", "30 million euro"),
    value("paid", "4 June 2024"),
    value("notice", "5 May 2024"),
    value("nothing", "0"),
    value("wrong", "$121 million"),
    value("loss", "-40"),
    {"id": "words", "kind": "quote", "text": "Notice was given on 5 May", "citation": {"page": 1}},
]


def calculation(operation: str, inputs: list[str], **more: Any) -> dict[str, Any]:
    return {"id": "result", "kind": "calculation", "operation": operation, "inputs": inputs, **more}


def made(source: GroundingSource, claim: dict[str, Any], rules: Any = "default") -> Check:
    """The check of one calculation, after those of all values."""
    return report(source, [*VALUES, claim], rules)["checks"][-1]


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (calculation("percent_change", ["old", "new"], value="25%"), ""),
        (calculation("percent_change", ["old", "new"], value="25"), "calculation_mismatch"),
        (calculation("percent_change", ["new", "old"], value="-20%"), ""),
        (calculation("percent_change", ["old", "new"], value="26%"), "calculation_mismatch"),
        (calculation("percent_change", ["old", "new"], value="25 percentage points"),
         "calculation_mismatch"),
        (calculation("percent_change", ["old", "new"], value="-25%"), "calculation_mismatch"),
        (calculation("sum", ["old", "new"], value="$216 million"), ""),
        (calculation("sum", ["old", "new"], value="$0.216 billion"), ""),
        (calculation("sum", ["old", "new"], value="216"), ""),
        (calculation("sum", ["old", "new"], value="$216"), "calculation_mismatch"),
        (calculation("sum", ["old", "new"], value="216 million euro"), "calculation_mismatch"),
        (calculation("sum", ["old", "new"], value="$216 billion"), "calculation_mismatch"),
        (calculation("sum", ["old", "new"], value={"number": 216, "scale": "million",
                                                   "currency": "USD"}), ""),
        (calculation("sum", ["new", "tax"], value="$150 million"), "calculation_undefined"),
        (calculation("percentage_point_difference", ["margin", "before"],
                     value="1.5 percentage points"), ""),
        (calculation("percentage_point_difference", ["margin", "before"], value="1.5%"),
         "calculation_mismatch"),
        (calculation("percentage_point_difference", ["margin", "new"], value="1.5"),
         "calculation_undefined"),
        (calculation("ratio", ["new", "nothing"], value="0"), "calculation_undefined"),
        (calculation("percent_change", ["loss", "nothing"], value="100%"), "calculation_undefined"),
        (calculation("ratio", ["new", "old"], value="1.25"), ""),
        (calculation("ratio", ["old", "new"], value="0.8"), ""),
        (calculation("share_of_total", ["old", "new"], value="80%"), ""),
        (calculation("date_difference", ["notice", "paid"], value="30 days"), ""),
        (calculation("date_difference", ["notice", "paid"], value="31 days"),
         "calculation_mismatch"),
        (calculation("date_addition", ["notice"], value="2024-06-04",
                     parameters={"duration": "30 days"}), ""),
        (calculation("date_addition", ["notice"], value="5 June 2024",
                     parameters={"duration": "30 days"}), "calculation_mismatch"),
        (calculation("before", ["notice", "paid"]), ""),
        (calculation("after", ["notice", "paid"]), "calculation_mismatch"),
        (calculation("after", ["notice", "paid"], value="false"), ""),
        (calculation("after", ["notice", "paid"], value="maybe"), "calculation_mismatch"),
        (calculation("greater_than", ["new"], parameters={"threshold": "$100 million"}), ""),
        (calculation("greater_than", ["new"], parameters={"threshold": "$100"}), ""),
        (calculation("greater_than", ["new"], parameters={"threshold": "\u20ac100"}),
         "calculation_undefined"),
        (calculation("sum", ["new", "wrong"], value="$241 million"),
         "calculation_input_not_grounded"),
        (calculation("sum", ["v0001", "v0002"], value="$216 million"), ""),
        (calculation("sum", ["v0001", "old"], value="$216 million"), ""),
    ],
    ids=lambda item: json.dumps(item)[:90],
)  # fmt: skip
def test_a_claimed_result_is_grounded_only_as_the_recomputed_one(
    source: GroundingSource, claim: dict[str, Any], reason: str
) -> None:
    """Number, unit, currency, scale and sign of the result count."""
    check = made(source, claim)
    assert verdict(check) == (GROUNDED if not reason else ("mismatch", reason))
    assert check["match_method"] == ("none" if reason else "recomputed")


def test_the_report_lists_inputs_result_and_difference(source: GroundingSource) -> None:
    """With the ids of their checks and what was read at the source; the problem if there is one."""
    check = made(source, calculation("sum", ["old", "new"], value="$215 million"))
    data = check["calculation"]
    assert [item["check_id"] for item in data["inputs"]] == ["v0002", "v0001"]
    assert data["inputs"][0]["quantity"] == {
        "number": "96", "sign": "positive", "scale": "1000000", "scale_source": "word",
        "currency": "$", "precision": 0,
    }  # fmt: skip
    assert data["result"]["number"] == "216"
    assert data["difference"] == "-1000000"
    assert check["quantities"]["claim"]["number"] == "215"
    undefined = made(source, calculation("ratio", ["new", "nothing"], value="0"))
    assert undefined["calculation"]["problem"] == "division by zero"
    lacking = made(source, calculation("sum", ["new", "wrong"], value="1"))
    assert lacking["calculation"]["problem"] == "not grounded: v0009"


def test_calculations_may_stand_on_calculations_in_any_order(source: GroundingSource) -> None:
    """The change of a sum, asked before the sum itself."""
    claims = [
        calculation("percent_change", ["old", "sum"], value="125%"),
        {**calculation("sum", ["new", "old"], value="$216 million"), "id": "sum"},
        *VALUES[:2],
    ]
    checks = report(source, claims)["checks"]
    assert [verdict(check) for check in checks] == [GROUNDED] * 4
    assert report(source, claims)["all_evidence_grounded"] is True
    claims[1]["value"] = "$217 million"
    assert [verdict(check) for check in report(source, claims)["checks"]][:2] == [
        ("mismatch", "calculation_input_not_grounded"),
        ("mismatch", "calculation_mismatch"),
    ]


def test_a_result_is_rounded_to_its_last_digit_or_as_declared(source: GroundingSource) -> None:
    """18.4 / 16.9 is 1.0887…; the match says `rounded`."""
    check = made(source, calculation("ratio", ["margin", "before"], value="1.089"))
    assert (verdict(check), check["match"].get("rounded")) == (GROUNDED, True)
    for text in ("1.088", "1.09", "1.1"):
        grounded = text != "1.088"
        check = made(source, calculation("ratio", ["margin", "before"], value=text))
        assert (verdict(check) == GROUNDED) is grounded
    down = {"places": 3, "mode": "down"}
    cut = calculation("ratio", ["margin", "before"], value="1.088", rounding=down)
    assert verdict(made(source, cut)) == GROUNDED
    up = calculation("ratio", ["margin", "before"], value="1.089", rounding=down)
    assert verdict(made(source, up)) == ("mismatch", "calculation_mismatch")


def test_rules_without_rounding_still_allow_a_declared_one(source: GroundingSource) -> None:
    """What is not said to be rounded must be exact."""
    exact = VerificationConfig(allow_rounding=False)
    plainly = calculation("ratio", ["margin", "before"], value="1.089")
    assert verdict(made(source, plainly, exact)) == ("mismatch", "calculation_mismatch")
    declared = {**plainly, "rounding": {"places": 3}}
    assert verdict(made(source, declared, exact)) == GROUNDED
    whole = calculation("ratio", ["new", "old"], value="1.25")
    assert verdict(made(source, whole, exact)) == GROUNDED


def test_an_ambiguous_number_is_no_input(source: GroundingSource) -> None:
    """A value whose occurrences differ in unit cannot be added to another."""
    claims = [value("a", "120"), value("b", "18.4"), calculation("sum", ["a", "b"], value="138.4")]
    check = report(source, claims)["checks"][-1]
    assert verdict(check) == ("mismatch", "calculation_undefined")


def test_a_stale_or_unlocated_calculation_is_not_made(source: GroundingSource) -> None:
    """Its citation has to lead somewhere, and its request to the version at hand."""
    claim = calculation("sum", ["old", "new"], value="$216 million", citation={"page": 99})
    assert verdict(made(source, claim)) == ("not_found", "page_not_found")
    stale = report(source, [*VALUES, claim], document_fingerprint="sha256:" + "0" * 64)["checks"]
    assert {check["status"] for check in stale} == {"stale"}


def test_a_kind_that_the_rules_leave_out_is_unsupported(source: GroundingSource) -> None:
    """As every other kind; so is a calculation in words, which gives nothing to recompute."""
    rules = VerificationConfig(claim_kinds=("value", "quote"))
    claim = calculation("sum", ["old", "new"], value="$216 million")
    assert made(source, claim, rules)["status"] == "unsupported_claim_kind"
    said = {"kind": "calculation", "text": "96 + 120 = 216", "citation": {"page": 1}}
    assert made(source, said)["status"] == "unsupported_claim_kind"


@pytest.mark.parametrize(
    ("claims", "fault"),
    [
        ([calculation("sum", ["old", "nobody"], value="1")], "'nobody' is no claim"),
        ([calculation("sum", ["old", "v0099"], value="1")], "'v0099' is no claim"),
        ([calculation("sum", ["old", "old"], value="1")], "comes twice"),
        ([calculation("ratio", ["old", "v0002"], value="1")], "comes twice"),
        ([calculation("sum", ["old", "words"], value="1")], "is a quote and has no value"),
        ([calculation("sum", ["old", "result"], value="1")], "is an input of itself"),
        ([calculation("sum", ["old", "other"], value="1"),
          {**calculation("sum", ["old", "result"], value="1"), "id": "other"}],
         "is an input of itself"),
        ([calculation("sum", ["old"], value="1")], "at least 2"),
        ([calculation("sum", ["old", "new"])], "needs the value"),
        ([calculation("guess", ["old", "new"], value="1")], "operation"),
        ([calculation("ratio", ["old", "new"], value="1", parameters={"unit": "km"})],
         "no parameter unit"),
        ([calculation("ratio", ["old", "new"], value="1", parameters={"surprise": 1})], "surprise"),
        ([calculation("ratio", ["old", "new"], value="1", rounding={"places": 99})], "places"),
        ([{"kind": "calculation", "inputs": ["old"], "value": "1"}], "needs an operation"),
        ([{"kind": "value", "value": "1", "operation": "sum"}], "for calculations"),
        ([{"kind": "calculation", "operation": "sum", "value": "1"}], "needs inputs"),
        ([value("v0001", "5"), calculation("sum", ["v0001", "new"], value="1")],
         "the id of one claim and the position of another"),
    ],
)  # fmt: skip
def test_a_calculation_that_cannot_be_made_is_refused(
    claims: list[dict[str, Any]], fault: str
) -> None:
    """Unknown inputs, circles, doubles and wrong shapes are faults of the request."""
    with pytest.raises(RequestInvalidError) as raised:
        parse_requests(json.dumps({"document": "d", "claims": [*VALUES, *claims]}))
    assert fault in str(raised.value)


def test_a_long_chain_of_calculations_is_ordered(source: GroundingSource) -> None:
    """A thousand of them, the last one first, without a deep stack."""
    chain = [
        {**calculation("product", [f"c{n + 1}", f"c{n + 1}"], value="0"), "id": f"c{n}"}
        for n in range(3000)
    ]
    checks = report(source, [*chain, value("c3000", "0")])["checks"]
    assert {verdict(check) for check in checks} == {GROUNDED}


def test_no_input_is_a_product_of_itself_unless_it_is_squared(tmp_path: Path) -> None:
    """The same check twice proves a square and nothing else."""
    with Shelf(tmp_path) as shelf:
        source = shelf.put(plain(["A side of 12 tiles."]))
        claims = [value("side", "12"), calculation("product", ["side", "side"], value="144")]
        assert verdict(report(source, claims)["checks"][1]) == GROUNDED


def test_a_summary_says_what_a_calculation_gave(source: GroundingSource) -> None:
    """Or why it gave nothing; a written report reads back."""
    wrong = calculation("sum", ["old", "new"], value="$215 million")
    undefined = {**calculation("ratio", ["new", "nothing"], value="0"), "id": "other"}
    answer = report(source, [*VALUES, wrong, undefined])
    text = summary_text(answer)
    assert "recomputed 216 × million $" in text
    assert "Division by zero." in text
    assert load_reports(report_bytes(answer)) == [answer]


def test_one_printed_number_is_not_counted_twice(source: GroundingSource) -> None:
    """A sum of a number and itself stands on one input; two numbers make a sum."""
    again = value("again", "$0.12 billion")
    twice = calculation("sum", ["new", "again"], value="$240 million")
    made_of = report(source, [*VALUES, again, twice])["checks"][-1]
    assert verdict(made_of) == ("mismatch", "calculation_input_not_grounded")


STATEMENT = Path(__file__).resolve().parents[2] / "sample_docs" / "income-statement.pdf"


@pytest.fixture(scope="module")
def statement(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GroundingSource]:
    with Shelf(tmp_path_factory.mktemp("statement")) as shelf:
        yield shelf.put(STATEMENT.read_bytes(), STATEMENT.name)


@pytest.mark.parametrize("kind", ["value", "table_cell"])
@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("$12,415 thousand", None),
        ("$12.415 million", None),
        ("$12,415", "calculation_mismatch"),
        ("$12,415 million", "calculation_mismatch"),
    ],
)
def test_inputs_are_as_large_as_their_table_says(
    statement: GroundingSource, kind: str, result: str, reason: str | None
) -> None:
    """The table is in thousands, whatever the kind of the claim that takes a number out of it."""
    cells = [
        {
            "id": year, "kind": kind, "text": text,
            "citation": {"page": 1, "row_label": "Net sales", "column_label": year},
        }
        for year, text in (("2024", "$184,320"), ("2023", "$171,905"))
    ]  # fmt: skip
    if kind == "value":
        cells = [{**cell, "text": f"{cell['text']} thousand"} for cell in cells]
    claim = calculation("difference", ["2024", "2023"], value=result)
    assert report(statement, [*cells, claim])["checks"][-1].get("reason") == reason
