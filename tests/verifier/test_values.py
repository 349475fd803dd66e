"""Values: a whole number with its sign, currency, unit and scale, or it is another number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import plain
from pdf_writer import Glyph, MappedFont, Pdf
from reading import GROUNDED, Shelf, check, quote, report, value, verdict, word_box

from grounding.geometry import Box

WIDE = MappedFont("Wide", {mark: Glyph("minus", mark, 500) for mark in "\u2212\u00a0\u202f"})


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def line(text: str) -> bytes:
    """One line of text; odd dashes and spaces work."""
    pdf = Pdf()
    pdf.page().text(72, 700, 11, text, font=WIDE)
    return pdf.to_bytes()


@pytest.mark.parametrize(
    ("source", "right", "wrong", "reason"),
    [
        # Whole numbers
        ("Assets were 1,577 units.", "1,577", "577", "value_mismatch"),
        ("Assets were 1,577 units.", "1577", "1", "value_mismatch"),
        ("The rate was 12.5 points.", "12.5", "12", "value_mismatch"),
        ("The rate was 12.5 points.", "12.50", "5", "value_mismatch"),
        ("The rate was 12.5 points.", "12.5", "125", "value_mismatch"),
        ("The rate was 12.5 points.", "12.5", "1.25", "value_mismatch"),
        ("The sum was 1,234.50 francs.", "1234.5", "1,234", "value_mismatch"),
        ("Cases of COVID-19 were 120.", "120", "19", "value_mismatch"),
        ("Form 10-K lists 12 items.", "12", "10", "value_mismatch"),
        ("A 12-month term of 30 days.", "12", "1", "value_mismatch"),
        ("Between 5-10 ships sailed.", "10", "-10", "sign_mismatch"),
        ("The year 2019-2021 was dry.", "2021", "-2021", "sign_mismatch"),
        ("A hundred of 85.19 tonnes.", "85.19", "85.1", "value_mismatch"),
        ("A hundred of 85.19 tonnes.", "85.19", "86", "value_mismatch"),
        ("Only 10 ships came.", "10", "14", "value_mismatch"),
        ("Some 8,234 ships came.", "8,234", "8,000", "value_mismatch"),
        # Signs
        ("The result was $(41.7) then.", "-41.7", "41.7", "sign_mismatch"),
        ("The result was $(41.7) then.", "(41.7)", "41.7", "sign_mismatch"),
        ("The result was -41.7 then.", "-41.7", "41.7", "sign_mismatch"),
        ("The result was \u221241.7 then.", "-41.7", "41.7", "sign_mismatch"),
        ("The result was 41.7 then.", "41.7", "-41.7", "sign_mismatch"),
        ("The result was $(41.7) then.", "-$41.7", "$41.7", "sign_mismatch"),
        ("The result was $ (1,234) then.", "(1,234)", "1,234", "sign_mismatch"),
        ("Within thirty (30) days.", "30", "-30", "sign_mismatch"),
        ("The act (2019) was new.", "2019", "-2019", "sign_mismatch"),
        # Units
        ("The margin was 45% then.", "45%", "45 basis points", "unit_mismatch"),
        ("The margin was 45 percent.", "45%", "45 bps", "unit_mismatch"),
        ("It rose by 45 basis points.", "45 bps", "45%", "unit_mismatch"),
        ("It came to 45 units.", "45", "45%", "unit_mismatch"),
        # Currencies
        ("The price was $90 then.", "$90", "\u00a390", "currency_mismatch"),
        ("The price was \u20ac90 then.", "90 EUR", "$90", "currency_mismatch"),
        ("The price was USD 90 then.", "$90", "\u20ac90", "currency_mismatch"),
        ("The price was C$90 then.", "C$90", "US$90", "currency_mismatch"),
        ("The price was 90 in all.", "90", "$90", "currency_mismatch"),
        # Scales
        ("Sales were $5.5 billion.", "$5.5 billion", "$5.5 million", "scale_mismatch"),
        ("Sales were $5.5 billion.", "$5,500 million", "$5.5", "scale_mismatch"),
        ("Sales were 5.5 million.", "5,500,000", "5.5 thousand", "scale_mismatch"),
        ("Sales were $41.7 million.", "$41.7 million", "$41.7 thousand", "scale_mismatch"),
        ("Sales were 5,500,000 then.", "5.5 million", "5.5 billion", "value_mismatch"),
    ],
)
def test_a_value_is_grounded_only_as_what_is_printed(
    shelf: Shelf, source: str, right: str, wrong: str, reason: str
) -> None:
    """Size, sign, unit, currency and scale: the first that differs is the reason."""
    opened = shelf.put(line(source))
    made = value(opened, right, page=1)
    assert (verdict(made), made["match_method"]) == (GROUNDED, "typed_value")
    assert verdict(value(opened, wrong, page=1)) == ("mismatch", reason)


@pytest.mark.parametrize(
    ("source", "right", "wrongs"),
    [
        ("Exports of 1\u00a0234\u00a0567 tonnes.", "1,234,567", ("1", "234", "567")),
        ("Exports of 1\u202f234\u202f567 tonnes.", "1234567", ("1", "234", "567")),
        ("Nearly 1/2 of them voted.", "1/2", ("1", "2", "12")),
        ("A ratio of 12.5x was kept.", "12.5x", ("12", "5")),
        ("A sum of 12'500 francs.", "12,500", ("12", "500")),
    ],
)
def test_parts_of_a_number_are_no_numbers(
    shelf: Shelf, source: str, right: str, wrongs: tuple[str, ...]
) -> None:
    """Digits grouped by spaces, fractions and multiples are one number each."""
    opened = shelf.put(line(source))
    assert verdict(value(opened, right, page=1)) == GROUNDED
    for wrong in wrongs:
        assert value(opened, wrong, page=1)["status"] == "mismatch", wrong


def test_numbers_that_wide_no_break_spaces_part_are_two(shelf: Shelf) -> None:
    """Columns of filings are parted so; 94 and 112 are not 94,112."""
    pdf = Pdf()
    columns = MappedFont("Columns", {"\u00a0": Glyph("minus", "\u00a0", 3_000)})
    pdf.page().text(72, 700, 11, "Vessels 94\u00a0112", font=columns)
    source = shelf.put(pdf.to_bytes())
    for right in ("94", "112"):
        assert verdict(value(source, right, page=1)) == GROUNDED, right
    for wrong in ("94,112", "94112"):
        assert value(source, wrong, page=1)["status"] == "mismatch", wrong


def test_a_number_in_brackets_that_opens_a_note_is_no_loss(shelf: Shelf) -> None:
    """ "(2) Restated" grounds no -2, and neither does a telephone number."""
    source = shelf.put(plain(["Sales rose.", "(2) Restated for leases.", "Call (425) 313-8100."]))
    for wrong in ("-2", "-425"):
        assert value(source, wrong, page=1)["status"] == "mismatch", wrong
    lost = shelf.put(plain(["Sales fell by (2)"]), "lost.pdf")
    assert verdict(value(lost, "-2", page=1)) == GROUNDED


def test_a_short_scale_letter_is_read_or_refused(shelf: Shelf) -> None:
    """ "1.5m" grounds itself; 1.5 alone, 1.5 thousand and 1.5 billion are other amounts."""
    source = shelf.put(line("The fund of $1.5m was spent."))
    assert verdict(value(source, "$1.5m", page=1)) == GROUNDED
    for wrong in ("$1.5", "$1.5 thousand", "$1.5 billion", "$1.5bn", "$5m"):
        assert value(source, wrong, page=1)["status"] == "mismatch", wrong


def test_an_amount_without_a_place_is_looked_for_everywhere(shelf: Shelf) -> None:
    """Found on page 2; a value that is nowhere is `not_found`."""
    source = shelf.put(plain(["No numbers here."], ["The fee is 940 EUR."]))
    made = value(source, "940 EUR")
    assert (verdict(made), made["evidence"]["page_number"]) == (GROUNDED, 2)
    assert verdict(value(source, "950 EUR")) == ("not_found", "value_mismatch")
    assert verdict(value(source, "940 EUR", page=1)) == ("mismatch", "value_mismatch")


def test_the_evidence_of_a_value_is_its_token(shelf: Shelf) -> None:
    """Box and text are those of the amount, sign and scale included."""
    source = shelf.put(plain(["The loss was $(41.7) million in May."]))
    made = value(source, "-41.7 million", page=1)
    assert made["evidence"]["text"] == "$(41.7) million"
    assert made["evidence"]["bbox"] == word_box(source, "$(41.7) million").as_list()


def test_a_wrong_value_shows_the_number_that_it_should_have_been(shelf: Shelf) -> None:
    """A sign mismatch points at the printed number, which grounds nothing."""
    source = shelf.put(plain(["The result was $(41.7) in May."]))
    made = value(source, "41.7", page=1)
    assert (verdict(made), made["evidence"]["text"]) == (("mismatch", "sign_mismatch"), "$(41.7)")
    assert made["evidence_tier"] == "none"
    assert "match" not in made


def test_the_same_number_with_another_sign_elsewhere_does_not_stand_in_the_way(
    shelf: Shelf,
) -> None:
    """One right occurrence is enough, and it is the one that is shown."""
    source = shelf.put(plain(["A loss of (41.7) was feared.", "A gain of 41.7 was made."]))
    made = value(source, "41.7", page=1)
    assert (verdict(made), made["match"]["occurrences"]) == (GROUNDED, 1)
    assert made["evidence"]["bbox"][1] > word_box(source, "feared").y0


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("Oak Lane", "Elm Lane"), ("not payable", "payable now"), ("4 June 2024", "4 July 2024")],
)
def test_a_value_that_is_no_number_is_compared_word_for_word(
    shelf: Shelf, right: str, wrong: str
) -> None:
    """Names, dates and terms are texts."""
    source = shelf.put(plain(["The fee for Oak Lane is not payable before 4 June 2024."]))
    assert verdict(value(source, right, page=1)) == GROUNDED
    assert verdict(value(source, wrong, page=1)) == ("mismatch", "text_mismatch")


@pytest.mark.parametrize("claim", [{}, {"value": ""}, {"value": " "}, {"text": ""}])
def test_a_value_without_a_value_is_an_error(shelf: Shelf, claim: dict[str, str]) -> None:
    """Nothing to compare."""
    source = shelf.put(plain(["The fee is 940 EUR."]))
    made = check(source, {"kind": "value", **claim}, page=1)
    assert verdict(made) == ("error", "missing_required_text")


def test_the_text_of_a_value_serves_where_no_value_is_given(shelf: Shelf) -> None:
    """`value` comes first, `text` is the fallback."""
    source = shelf.put(plain(["The fee is 940 EUR."]))
    assert verdict(check(source, {"kind": "value", "text": "940 EUR"}, page=1)) == GROUNDED
    both = {"kind": "value", "text": "940 EUR", "value": "950 EUR"}
    assert verdict(check(source, both, page=1)) == ("mismatch", "value_mismatch")


def test_a_box_narrows_a_value_to_one_of_two_columns(shelf: Shelf) -> None:
    """The number beside the cited one is another number."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Sales")
    page.text(200, 700, 12, "612")
    page.text(300, 700, 12, "588")
    source = shelf.put(pdf.to_bytes())
    box = Box(19_000, 7_500, 24_000, 10_000).as_list()
    assert verdict(value(source, "612", page=1, bbox=box)) == GROUNDED
    assert verdict(value(source, "588", page=1, bbox=box)) == ("mismatch", "value_mismatch")


def test_a_box_that_cuts_a_number_does_not_make_another(shelf: Shelf) -> None:
    """The right half of 1,577 is not 577."""
    source = shelf.put(plain(["Assets were 1,577 units."]))
    whole = word_box(source, "1,577")
    half = Box(word_box(source, "577").x0 + 60, whole.y0, whole.x1, whole.y1)
    made = value(source, "577", page=1, bbox=half.as_list())
    assert made["status"] != "grounded"


def test_offsets_that_cut_a_number_do_not_make_another(shelf: Shelf) -> None:
    """Neither do offsets, for a value nor for a quote."""
    source = shelf.put(plain(["Assets were 1,577 units then."]))
    text = source.page_text(1)
    at = text.index("577")
    made = value(source, "577", page=1, char_start=at, char_end=at + 3)
    assert made["status"] != "grounded"
    cut = quote(source, "577 units then", page=1, char_start=at, char_end=len(text))
    assert cut["status"] != "grounded"
    whole = value(source, "1,577", page=1, char_start=at - 2, char_end=at + 3)
    assert verdict(whole) == GROUNDED


def test_a_sign_outside_the_cited_offsets_still_counts(shelf: Shelf) -> None:
    """Citing the digits of (41.7) alone does not make the loss a gain."""
    source = shelf.put(plain(["The result was $(41.7) in May."]))
    at = source.page_text(1).index("41.7")
    made = value(source, "41.7", page=1, char_start=at, char_end=at + 4)
    assert made["status"] != "grounded"


def test_a_scale_outside_the_cited_offsets_still_counts(shelf: Shelf) -> None:
    """Citing "$5.5" of "$5.5 billion" does not ground five and a half dollars."""
    source = shelf.put(plain(["Sales were $5.5 billion in May."]))
    at = source.page_text(1).index("$5.5")
    made = value(source, "$5.5", page=1, char_start=at, char_end=at + 4)
    assert made["status"] != "grounded"


def test_values_of_a_report_are_judged_one_by_one(shelf: Shelf) -> None:
    """A wrong one leaves the others grounded and the report not."""
    source = shelf.put(plain(["The fee is 940 EUR and the fine 55 EUR."]))
    claims = [
        {"kind": "value", "value": amount, "citation": {"page": 1}}
        for amount in ("940 EUR", "56 EUR", "55 EUR")
    ]
    made = report(source, claims)
    assert [c["status"] for c in made["checks"]] == ["grounded", "mismatch", "grounded"]
    assert made["all_evidence_grounded"] is False
    assert report(source, [claims[0], claims[2]])["all_evidence_grounded"] is True


@pytest.mark.parametrize(("words", "raised", "claim"), [("50 m", "2", "50 m"), ("10", "6", "10")])
def test_a_raised_exponent_makes_another_number(
    shelf: Shelf, words: str, raised: str, claim: str
) -> None:
    """Fifty square metres are not fifty metres, and a million is not ten."""
    pdf = Pdf()
    page = pdf.page()
    end = 72 + page.text(72, 700, 12, f"The hall has {words}")
    page.text(end, 704, 7, raised)
    page.text(end + 8, 700, 12, "in all.")
    assert value(shelf.put(pdf.to_bytes()), claim, page=1)["status"] == "mismatch"


def test_a_quote_does_not_step_over_an_exponent(shelf: Shelf) -> None:
    """A raised digit behind a unit is part of it; behind a word it leads to a note."""
    pdf = Pdf()
    page = pdf.page()
    for y, words in ((700, "The hall has 50 m"), (660, "The hall has windows")):
        end = 72 + page.text(72, y, 12, words)
        page.text(end, y + 4, 7, "2")
        page.text(end + 8, y, 12, "in the north wing.")
    source = shelf.put(pdf.to_bytes())
    assert quote(source, "50 m in the north wing", page=1)["status"] == "mismatch"
    assert verdict(quote(source, "has windows in the north wing", page=1)) == GROUNDED


def test_a_scale_that_a_heading_states_may_hold_for_a_row_below_it(shelf: Shelf) -> None:
    """A row is told by its own line, whatever the page says behind it; and a sentence is none."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 720, 12, "Sales by quarter (in thousands)")
    page.text(72, 700, 12, "North 5,512 4,917")
    page.text(72, 600, 12, "The board met in May and bought 3,018 desks for the new hall.")
    source = shelf.put(pdf.to_bytes())
    assert verdict(value(source, "5,512", page=1)) == GROUNDED
    for claim in ("5,512 thousand", "5,512 million"):
        assert verdict(value(source, claim, page=1)) == ("mismatch", "value_ambiguous")
    assert verdict(value(source, "3,018 thousand", page=1)) == ("mismatch", "scale_mismatch")
