"""Structured and ambiguous values against drawn pages; what the report shows of both sides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain, ruled_table
from drawn_text import r7
from pdf_writer import Glyph, MappedFont, Pdf
from reading import GROUNDED, Shelf, check, value, verdict

from grounding.errors import RequestInvalidError
from verifier import VerificationConfig, parse_requests

SPACES = MappedFont("Spaces", {mark: Glyph("space", mark, 250) for mark in "\u00a0\u202f"})


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def structured(where: Any, config: Any = "default", **parts: Any) -> Any:
    return check(where, {"kind": "value", "value": parts}, config, page=1)


SALES = "Sales were $5.5 billion in 2023, the margin 18.4%, the result $(41.7)."


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"number": "5.5"}, ""),
        ({"number": 5.5}, ""),
        ({"number": "5.5", "scale": "billion"}, ""),
        ({"number": "5500", "scale": "million", "currency": "USD"}, ""),
        ({"number": 5500000000, "currency": "$"}, ""),
        ({"number": "5.5", "scale": "billion", "currency": "USD", "sign": "positive"}, ""),
        ({"number": "5.5", "scale": "billion", "currency": "USD", "period": "2023"}, ""),
        ({"number": "5.5", "scale": "billion", "period": "fiscal 2023"}, ""),
        ({"number": "5.5", "scale": "million"}, "scale_mismatch"),
        ({"number": "5.5", "scale": "1"}, "scale_mismatch"),
        ({"number": "5.5", "scale": "billion", "currency": "EUR"}, "currency_mismatch"),
        ({"number": "5.5", "scale": "billion", "sign": "negative"}, "sign_mismatch"),
        ({"number": "-5.5", "scale": "billion"}, "sign_mismatch"),
        ({"number": "5.5", "scale": "billion", "unit": "percent"}, "unit_mismatch"),
        ({"number": "5.5", "scale": "billion", "period": "2022"}, "period_mismatch"),
        ({"number": "5.6", "scale": "billion"}, "value_mismatch"),
        ({"number": "18.4", "unit": "%"}, ""),
        ({"number": "18.4", "unit": "percentage points"}, "unit_mismatch"),
        ({"number": "18", "unit": "%"}, ""),
        ({"number": "41.7", "sign": "negative"}, ""),
        ({"number": "-41.7"}, ""),
        ({"number": "41.7"}, "sign_mismatch"),
        ({"number": 6, "scale": "billion", "precision": 0}, ""),
        ({"number": 5000, "scale": "million", "precision": -3}, "value_mismatch"),
        ({"number": 6000, "scale": "million", "precision": -3}, ""),
    ],
    ids=lambda item: json.dumps(item),
)
def test_everything_that_a_structured_value_states_must_agree(
    shelf: Shelf, parts: dict[str, Any], reason: str
) -> None:
    """Each disagreement has its own reason."""
    made = structured(shelf.put(plain([SALES])), **parts)
    assert verdict(made) == (GROUNDED if not reason else ("mismatch", reason))
    assert made["quantities"]["claim"]["number"] == str(abs(float(parts["number"]))).removesuffix(
        ".0"
    )


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"number": "5.5", "scale": "zillion"}, "scale 'zillion' is not known"),
        ({"number": "5.5", "unit": "parsec"}, "unit 'parsec' is not known"),
        ({"number": "5.5", "currency": "XXX"}, "currency 'XXX' is not known"),
        ({"number": "5.5", "period": "soon"}, "period 'soon' is not known"),
        ({"number": "5,5"}, "number"),
        ({"number": "nan"}, "number"),
        ({"number": "1e99"}, "digits"),
        ({"number": "-5", "sign": "positive"}, "sign says positive"),
        ({"number": "5.55", "precision": 1}, "beyond its precision"),
        ({"number": "5", "surprise": 1}, "surprise"),
        ({"scale": "million"}, "number"),
        ({"number": True}, "number"),
    ],
)
def test_a_structured_value_of_unknown_words_is_refused(parts: dict[str, Any], fault: str) -> None:
    """Nothing is guessed, nothing is dropped."""
    claim = {"kind": "value", "value": parts}
    with pytest.raises(RequestInvalidError) as raised:
        parse_requests(json.dumps({"document": "d", "claims": [claim]}))
    assert fault in str(raised.value)


def test_a_structured_value_belongs_to_values(shelf: Shelf) -> None:
    """A quote is words."""
    claim = {"kind": "quote", "value": {"number": "5"}}
    with pytest.raises(RequestInvalidError, match="kind quote"):
        parse_requests(json.dumps({"document": "d", "claims": [claim]}))


def test_fractions_of_a_structured_value_travel_as_text(shelf: Shelf) -> None:
    """The request keeps one canonical form, and 5.50 keeps its precision."""
    source = shelf.put(plain(["The rate was 5.4961 points."]))
    made = structured(source, number=5.5)
    assert made["claim"]["value"] == {"number": "5.5"}
    assert (verdict(made), made["match"]["rounded"]) == (GROUNDED, True)


def test_the_report_shows_both_sides_as_they_were_read(shelf: Shelf) -> None:
    """On success and on mismatch."""
    source = shelf.put(plain(["The loss was $(41.7) million in May."]))
    right = value(source, "-$41.7 million", page=1)
    wrong = value(source, "$41.7 million", page=1)
    read = {
        "number": "41.7", "sign": "negative", "sign_source": "parentheses", "scale": "1000000",
        "scale_source": "word", "currency": "$", "precision": 1,
    }  # fmt: skip
    assert right["quantities"]["source"] == wrong["quantities"]["source"] == read
    assert right["quantities"]["claim"]["sign_source"] == "minus"
    assert wrong["quantities"]["claim"]["sign"] == "positive"
    nowhere = value(source, "999", page=1)
    assert nowhere["quantities"] == {"claim": {"number": "999", "sign": "positive", "precision": 0}}


def test_a_number_of_several_places_lists_them(shelf: Shelf) -> None:
    """With the reason of each that is not the claim's."""
    source = shelf.put(
        plain(["A loss of $(41.7) was feared.", "A gain of 41.7 was made, 41.7 in all."])
    )
    made = value(source, "41.7", page=1)
    assert made["match"]["occurrences"] == 2
    found = made["quantities"]["found"]
    assert [(f["text"], f.get("reason")) for f in found] == [
        ("$(41.7)", "sign_mismatch"), ("41.7", None), ("41.7", None),
    ]  # fmt: skip
    assert all(f["page"] == 1 and len(f["bbox"]) == 4 for f in found)


def test_a_period_picks_one_of_two_equal_numbers(shelf: Shelf) -> None:
    """The sentence that names it decides; a sentence of two years does not."""
    source = shelf.put(
        plain(
            ["Sales were $90 in 2022. Sales were $90 in 2023.", "Costs were $70 in 2022 and 2023."]
        )
    )
    made = structured(source, number=90, currency="USD", period="2023")
    assert (verdict(made), made["match"]["occurrences"]) == (GROUNDED, 1)
    assert made["quantities"]["source"]["period"] == "2023"
    assert verdict(structured(source, number=90, period="2021")) == ("mismatch", "period_mismatch")
    assert verdict(structured(source, number=70, period="2023")) == ("mismatch", "value_ambiguous")


# J4


@pytest.mark.parametrize(
    ("lines", "claim", "wanted"),
    [
        (["Der Umsatz war 1.234,56 EUR."], "1234.56", ""),
        (["Der Umsatz war 1.234,56 EUR."], "1.234,56 EUR", ""),
        (["Der Umsatz war 1.234,56 EUR."], "1,234.56", ""),
        (["Der Umsatz war 1.234,56 EUR."], "1.23456", "value_mismatch"),
        (["Der Umsatz war 1.234 EUR."], "1.234", ""),
        (["Der Umsatz war 1.234 EUR."], "1234", "value_ambiguous"),
        (["Der Umsatz war 1.234 EUR."], "1", "value_mismatch"),
        (["Der Umsatz war 1.234 EUR bei 12,5 % Marge und 1.234.567 Stück."], "1234", ""),
        (["Der Umsatz war 1.234 EUR bei 12,5 % Marge und 1.234.567 Stück."], "1", "value_mismatch"),
        (["Sales were 1.234 tonnes at 12.5% and 1,234,567 trees."], "1.2340", ""),
        (["Sales were 1.234 tonnes at 12.5% and 1,234,567 trees."], "1234", "value_mismatch"),
        (["Die Abgabe ist 0,001 EUR."], "0.001", ""),
        (["Die Abgabe ist 0,001 EUR."], "1", "value_mismatch"),
    ],
)
def test_j4_a_number_of_unknown_notation_is_never_guessed(
    shelf: Shelf, lines: list[str], claim: str, wanted: str
) -> None:
    """Both readings are listed; the document's own numbers may decide."""
    made = value(shelf.put(plain(lines)), claim, page=1)
    assert verdict(made) == (GROUNDED if not wanted else ("mismatch", wanted))
    if wanted == "value_ambiguous":
        read = made["quantities"]["source"]
        assert [read["number"], *(r["number"] for r in read["other_readings"])] == ["1.234", "1234"]


# J5


@pytest.mark.parametrize(
    ("claim", "rounded"),
    [("85", True), ("85.2", True), ("85.19", False), ("85.1", None), ("86", None), ("14", None),
     ("8,000", None), ("8,200", None), ("8.2 thousand", True), ("8", None)],
)  # fmt: skip
def test_j5_only_the_claims_own_precision_rounds(
    shelf: Shelf, claim: str, rounded: bool | None
) -> None:
    """And the report says so; under strict rules nothing does."""
    source = shelf.put(plain(["Of 85.19 tonnes 10 were lost, and 8,234 trees."]))
    made = value(source, claim, page=1)
    if rounded is None:
        assert verdict(made) == ("mismatch", "value_mismatch")
        return
    assert verdict(made) == GROUNDED
    assert made["match"].get("rounded", False) is rounded
    exact = value(source, claim, VerificationConfig(allow_rounding=False), page=1)
    assert verdict(exact) == (("mismatch", "value_mismatch") if rounded else GROUNDED)


def test_an_exact_number_comes_before_a_rounded_one(shelf: Shelf) -> None:
    """85 stands there as 85, too."""
    made = value(shelf.put(plain(["Of 85.19 tonnes 85 were lost."])), "85", page=1)
    assert (made["match"], made["evidence"]["text"]) == ({"folds": [], "occurrences": 1}, "85")


# Dates


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("2024-06-04", ""),
        ("June 4, 2024", ""),
        ("4 June 2024", ""),
        ("04.06.2024", ""),
        ("04/06/2024", "value_ambiguous"),
        ("2024-06-05", "text_mismatch"),
        ("4 July 2024", "text_mismatch"),
        ("June 2024", ""),
        ("Q3 2024", ""),
        ("third quarter of 2024", ""),
        ("third quarter of fiscal 2024", "text_mismatch"),
        ("FY2024", "text_mismatch"),
    ],
)
def test_a_date_is_the_day_that_it_names(shelf: Shelf, claim: str, wanted: str) -> None:
    """In whatever form; a form of two readings names no day."""
    source = shelf.put(plain(["It is payable before 4 June 2024, or in Q3 2024."]))
    made = value(source, claim, page=1)
    assert verdict(made)[0] == ("mismatch" if wanted else "grounded")
    if wanted:
        assert made["reason"] in (wanted, "quote_too_short")


# R7 and cells


def test_r7_a_raised_marker_is_no_digit(shelf: Shelf) -> None:
    """83.4 with a footnote 1 is 83.4, and never 83.41."""
    source = shelf.put(r7())
    assert verdict(structured(source, number="83.4", unit="percent")) == GROUNDED
    assert verdict(structured(source, number="83.41"))[0] == "mismatch"
    assert verdict(structured(source, number=20232))[0] == "mismatch"


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ({"text": "(12)"}, ""),
        ({"value": {"number": -12}}, ""),
        ({"value": {"number": 12}}, "sign_mismatch"),
        ({"value": {"number": 12, "sign": "negative"}}, ""),
        ({"value": {"number": -12, "scale": "thousand"}}, "scale_mismatch"),
        ({"value": {"number": -12, "currency": "EUR"}}, "currency_mismatch"),
        ({"value": {"number": -13}}, "value_mismatch"),
        ({"value": {"number": -12, "period": "2023"}}, "period_mismatch"),
    ],
)
def test_a_cell_is_compared_with_a_structured_value(
    shelf: Shelf, claim: dict[str, Any], wanted: str
) -> None:
    """Both sides are shown."""
    source = shelf.put(ruled_table())
    made = check(
        source, {"kind": "table_cell", **claim}, table_id="t0001", cell={"row": 2, "col": 2}
    )
    assert verdict(made) == (GROUNDED if not wanted else ("mismatch", wanted))
    assert made["quantities"]["source"]["sign_source"] == "parentheses"


def test_spaces_that_group_make_one_number(shelf: Shelf) -> None:
    """No-break ones in a text, plain ones in a claim."""
    pdf = Pdf()
    pdf.page().text(72, 700, 11, "Exports of 1\u00a0234\u00a0567 tonnes.", font=SPACES)
    source = shelf.put(pdf.to_bytes())
    assert verdict(value(source, "1 234 567", page=1)) == GROUNDED
    assert verdict(value(source, "234 567", page=1)) == ("mismatch", "value_mismatch")
