"""What type, page, extractor and writer do to a quote, and what none of them may do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from drawn import plain
from pdf_writer import Glyph, MappedFont, Pdf
from reading import GROUNDED, Shelf, quote, verdict
from typed_pages import MISMATCH, overlooked, typed, without

from grounding.text import Fold
from verifier.editorial import unmarked


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


class Row(NamedTuple):
    """A quote that is the source's words under some folds, and a twin that is not."""

    folds: str
    source: str
    right: str
    wrong: str


FERRY = "At noon the ferry sails for the island."
GOATS = "Aboard are\n\u2022 two goats\n\u2022 three sheep"
HAN = "\u6e21\u8239\u6b63\u5348\u5f00\u5f80\u5c9b\u4e0a"
OTHER_HAN = HAN.replace("\u5f00", "\u4e0d")
ARABIC = "\u0627\u0644\u0645\u0627\u0644 \u0643\u062b\u064a\u0631"
ARABIC_JOINED = "\ufe8d\ufedf\ufee4\ufe8e\ufedd \ufedb\ufe9c\ufef4\ufeae"
OTHER_ARABIC = ARABIC.replace("\u062b", "\u0628")

ROWS = {
    "typography": [
        Row("ligatures", "The \ufb01rst \ufb02eet left.", "The first fleet", "The fist fleet"),
        Row("quotes", "The pilot\u2019s boat left.", "The pilot's boat", "The pilots' boat"),
        Row(
            "dashes", "The 4\u20136 knot breeze fell.", "The 4-6 knot breeze", "The 46 knot breeze"
        ),
        Row("ellipsis", "The ferry left\u2026 at last", "ferry left... at", "ferry left. at last"),
        Row("full_width", "Aboard: \uff14\uff12 goats", "Aboard: 42 goats", "Aboard: 24 goats"),
        Row("full_width", "Aboard: 42 goats", "Aboard: \uff14\uff12 goats", "Aboard: \uff14 goats"),
        Row("full_width", "Fare\uff1a 30\uff05 more", "Fare: 30% more", "Fare: 30 more"),
        Row("compatibility", "Depth \U0001d7d2 fathoms", "Depth 4 fathoms", "Depth 5 fathoms"),
        Row("presentation_forms", ARABIC_JOINED, ARABIC, OTHER_ARABIC),
        Row("presentation_forms", ARABIC, ARABIC_JOINED, OTHER_ARABIC),
        Row("composition", "The cafe\u0301 on deck", "The caf\u00e9 on deck", "The cafe on deck"),
    ],
    "layout": [
        Row("whitespace", "The ferry\n  sails at noon", "ferry sails at", "ferry sails, at noon"),
        Row(
            "line_end_hyphen",
            "The har-\nbour is full",
            "The harbour is full",
            "The har bour is full",
        ),
        Row(
            "soft_hyphens",
            "The har\u0002bour is full",
            "The harbour is full",
            "The har bour is full",
        ),
        Row("soft_hyphens", "The har\ufffebour is full", "The harbour is full", "The har is full"),
        Row(
            "soft_hyphens", "The har\u0002\nbour is full", "The harbour is full", "The bour is full"
        ),
        Row(
            "soft_hyphens", "The har\ufffe\nbour is full", "The harbour is full", "The harp is full"
        ),
        Row(
            "soft_hyphens", "The har\u00adbour is full", "The harbour is full", "The arbour is full"
        ),
        Row(
            "soft_hyphens",
            "The harbour is full",
            "The har\ufffebour is full",
            "The har\ufffedour is full",
        ),
        Row(
            "soft_hyphens",
            "The harbour is full",
            "The har\u0002bour is full",
            "The har\u0002dour is full",
        ),
        Row("han_spacing", " ".join(HAN), HAN, OTHER_HAN),
        Row("han_spacing", HAN, " ".join(HAN), " ".join(OTHER_HAN)),
        Row("han_spacing", f"{HAN[:4]}\n{HAN[4:]}", HAN, OTHER_HAN),
        Row("bullets", GOATS, "two goats three sheep", "two goats, three sheep"),
        Row(
            "bullets", GOATS, "\u25aa two goats \u25aa three sheep", "\u25aa two goats, three sheep"
        ),
        Row("bullets", "the ferry sails", "- the ferry sails", "-- the ferry sails"),
        Row("bullets", "the ferry sails", "\u2022 the ferry sails", "\u2022 the ferry sailed"),
    ],
    "extraction": [
        Row("zero_width", "The ferry\u200b sails\ufeff now", "ferry sails now", "ferry sailed now"),
        Row("spacing", FERRY, "ferry sailsfor the island", "ferry sailedfor the island"),
        Row("spacing", FERRY, "the fer ry sails for", "the fer ret sails for"),
        Row("spacing", "The ferrysails at noon.", "ferry sails at noon", "ferry failed at noon"),
        Row("spacing", "The fer ry sails at noon.", "The ferry sails", "The ferret sails"),
        Row("spacing", "A fare of $ 90 was met.", "A fare of $90 was", "A fare of $9 0 was"),
        Row("spacing", "The ship ( a barge ) left.", "The ship (a barge)", "The ship a barge left"),
        Row("doubled_glyphs", FERRY, "tthhee ffeerrrryy ssaaiillss", "tthhee ffeerrrryy ssaaiill"),
    ],
    "editorial": [
        Row("markdown", FERRY, "the **ferry** sails _for_ the", "the **barge** sails _for_ the"),
        Row("markdown", FERRY, "## the ferry sails for", "## the barge sails for"),
        Row("markdown", FERRY, "> the ferry sails for", "> the ferry sailed for"),
        Row("markdown", FERRY, "| the ferry sails for |", "| the ferry | fails for |"),
        Row("quotation_marks", FERRY, '"the ferry sails for"', '"the ferry" sails for'),
        Row("quotation_marks", FERRY, "\u201cthe ferry sails\u201d", "\u201cthe barge sails\u201d"),
        Row("quotation_marks", FERRY, "\u201ethe ferry sails\u201c", "\u201ethe ferry sail\u201c"),
        Row("quotation_marks", FERRY, "\u00abthe ferry sails\u00bb", "\u00abthe ferry\u00bb sails"),
        Row("omission_marks", FERRY, "... the ferry sails for", "... the ferry sailed for"),
        Row("omission_marks", FERRY, "the ferry sails [...]", "the ferry sails [sic]"),
        Row(
            "omission_marks", FERRY, "\u2026 the ferry sails \u2026", "\u2026 the ferry sail \u2026"
        ),
        Row("final_stop", FERRY, "the ferry sails.", "the ferry sails!"),
        Row("final_stop", FERRY, "the ferry sails.", "the ferry sails;"),
        Row("first_letter_case", FERRY, "The ferry sails for", "the Ferry sails for"),
        Row("first_letter_case", "The ferry sails.", "the ferry sails", "THe ferry sails"),
        Row("ellipsis_gap", FERRY, "the ferry ... the island", "the island ... the ferry"),
    ],
    "typography extraction": [
        Row(
            "quotes missing_character",
            "The \u201cgreen\u201d ship left",
            "The green ship left",
            "The grey ship left",
        ),
        Row(
            "dashes missing_character",
            "The ship \u2014 a barge \u2014 left",
            "The ship a barge left",
            "The ship, a barge, left",
        ),
        Row(
            "ellipsis missing_character",
            "The ship \u2026 left at noon",
            "The ship left at noon",
            "The ship, left at noon",
        ),
    ],
    "layout extraction": [
        Row(
            "soft_hyphens zero_width",
            "The har\u00adbour\u200b is full",
            "The harbour is full",
            "The harbours full",
        ),
    ],
}
EACH = [(group, row) for group, rows in ROWS.items() for row in rows]


@pytest.mark.parametrize(("groups", "row"), EACH, ids=ascii)
def test_a_tidied_quote_is_grounded_and_names_its_folds(
    shelf: Shelf, groups: str, row: Row
) -> None:
    """Those that it needed, no others, and where such differences come from."""
    made = quote(typed(shelf, row.source), row.right, page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == (set(row.folds.split()), groups.split())
    assert made["match_method"].startswith("normalized_text")


@pytest.mark.parametrize(("groups", "row"), EACH, ids=ascii)
def test_tidying_makes_no_other_words(shelf: Shelf, groups: str, row: Row) -> None:
    made = quote(typed(shelf, row.source), row.wrong, page=1)
    assert verdict(made) == MISMATCH
    assert "match" not in made


@pytest.mark.parametrize(("groups", "row"), EACH, ids=ascii)
def test_a_forbidden_fold_grounds_nothing(shelf: Shelf, groups: str, row: Row) -> None:
    """Whichever of the needed ones it is; forbidding all the others changes nothing."""
    source = typed(shelf, row.source)
    needed = {Fold(name) for name in row.folds.split()}
    for fold in needed:
        assert verdict(quote(source, row.right, without(fold), page=1)) == MISMATCH
    others = without(*set(Fold) - needed)
    assert verdict(quote(source, row.right, others, page=1)) == GROUNDED


def test_every_fold_has_a_row() -> None:
    """But those of changes in brackets and of raised markers, which have tests of their own."""
    named = {Fold(name) for _, row in EACH for name in row.folds.split()}
    assert set(Fold) - named == {Fold.BRACKETED_CHANGE, Fold.FOOTNOTE_MARKERS}


# Spaces


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("Wages of 12 345 marks were met.", "Wages of 12345 marks were met"),
        ("Wages of 12345 marks were met.", "Wages of 12 345 marks were met"),
        ("Wages of 12\n345 marks were met.", "Wages of 12345 marks were met"),
        ("Wages of 12-\n345 marks were met.", "Wages of 12345 marks were met"),
        ("Wages of 12\u200b 345 marks were met.", "Wages of 12345 marks were met"),
        ("Wages of 12. 5 marks were met.", "Wages of 12.5 marks were met"),
        ("Wages of 12, 345 marks were met.", "Wages of 12,345 marks were met"),
        ("Wages of 12,345 marks were met.", "Wages of 12, 345 marks were met"),
        ("Of 12 - 5 marks some were met.", "Of 12-5 marks some were met"),
        (f"{HAN} 12 34 {HAN}", f"{HAN} 1234 {HAN}"),
    ],
)
def test_no_space_comes_or_goes_between_digits(shelf: Shelf, source: str, wrong: str) -> None:
    """12 345 may be two numbers."""
    opened = typed(shelf, source)
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH
    assert verdict(quote(opened, source, page=1)) == GROUNDED


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("The goods are nowhere in port.", "The goods are now here in port"),
        ("The therapist came aboard.", "The the rapist came aboard"),
        ("The captain is notable for it.", "The captain is not able for it"),
        ("The dues are informal in port.", "The dues are in formal in port"),
        ("The dues are invalid in port.", "The dues are in valid in port"),
        ("The island was apart of it.", "The island was a part of it"),
        ("The mate re-signed in port.", "The mate re signed in port"),
        ("The dues are paid in port.", "The dues are un paid in port"),
    ],
)
def test_a_space_that_parts_one_word_in_two_is_no_typography(
    shelf: Shelf, source: str, wrong: str
) -> None:
    """Where both halves are words they say something else."""
    opened = typed(shelf, source)
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH
    assert verdict(quote(opened, source, page=1)) == GROUNDED


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("The goods are now here in port.", "The goods are nowhere in port"),
        ("The rapist came aboard at noon.", "Therapist came aboard at noon"),
        ("The captain is not able to sail.", "The captain is notable to sail"),
        ("The dues are in formal order.", "The dues are informal order"),
        ("The dues are in valid form.", "The dues are invalid form"),
        ("The port has no thing to sell.", "The port has nothing to sell"),
        ("It was a part of the island.", "It was apart of the island"),
    ],
)
def test_a_space_that_is_dropped_makes_no_other_word(shelf: Shelf, source: str, wrong: str) -> None:
    """ "In formal order" is not "informal order"."""
    assert verdict(quote(typed(shelf, source), wrong, page=1)) == MISMATCH


# Hyphens that an extractor replaced


@pytest.mark.parametrize("mark", ["\u0002", "\ufffe", "\ufffe\n", "\u00ad\n"], ids=ascii)
def test_what_stands_for_a_hyphen_may_be_read_as_one(shelf: Shelf, mark: str) -> None:
    """ "North-west" was broken at its own hyphen; two words it never was."""
    source = typed(shelf, f"The north{mark}west wind rose again.")
    made = quote(source, "The north-west wind rose", page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"soft_hyphens", "line_end_hyphen"}, ["layout"])
    assert verdict(quote(source, "The north west wind rose", page=1)) == MISMATCH


@pytest.mark.parametrize("mark", ["\u0002", "\ufffe"], ids=ascii)
def test_what_stands_for_a_hyphen_does_not_join_two_numbers(shelf: Shelf, mark: str) -> None:
    """2019-2020 is no 20192020."""
    source = typed(shelf, f"The years 2019{mark}2020 were calm.")
    assert verdict(quote(source, "The years 20192020 were calm", page=1)) == MISMATCH


def test_a_hyphen_that_a_font_maps_to_no_character_is_read_over(shelf: Shelf) -> None:
    """Drawn at two line ends, once as U+FFFE and once as itself."""
    font = MappedFont("Odd", {"\ufffe": Glyph("hyphen", "\ufffe", 333)})
    pdf = Pdf()
    page = pdf.page()
    for at, line in enumerate(("Beyond the har\ufffe", "bour the fer-", "ry turned about.")):
        page.text(72, 700 - 16 * at, 12, line, font=font)
    source = shelf.put(pdf.to_bytes())
    made = quote(source, "Beyond the harbour the ferry turned", page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"soft_hyphens", "line_end_hyphen"}, ["layout"])
    assert len(made["evidence"]["regions"]) == 3
    assert verdict(quote(source, "Beyond the harbour the ferret turned", page=1)) == MISMATCH


# As drawn


def test_overprinted_type_is_read_once_with_the_letters_that_are_double(shelf: Shelf) -> None:
    """Each glyph drawn twice; a claim may still have what another extractor made of it."""
    pdf = Pdf()
    page = pdf.page()
    x = 72.0
    for glyph in "The grass weighs 88 in all":
        page.text(x + 0.3, 700, 12, glyph)
        x += page.text(x, 700, 12, glyph)
    source = shelf.put(pdf.to_bytes())
    assert verdict(quote(source, "The grass weighs 88 in all", page=1)) == GROUNDED
    made = quote(source, "TThhee ggrraassss weighs 88 in all", page=1)
    assert (verdict(made), overlooked(made)) == (GROUNDED, ({"doubled_glyphs"}, ["extraction"]))
    for wrong in ("The gras weighs 88 in all", "The grass weighs 8 in all", "grass weighs 8888 in"):
        assert verdict(quote(source, wrong, page=1)) == MISMATCH


def test_joined_arabic_letters_are_the_letters(shelf: Shelf) -> None:
    """Drawn from left to right as a reader sees them, read from right to left."""
    font = MappedFont("Joined", {c: Glyph("a", c, 500) for c in ARABIC_JOINED if c != " "})
    pdf = Pdf()
    pdf.page().text(72, 700, 12, ARABIC_JOINED[::-1], font=font)
    source = shelf.put(pdf.to_bytes())
    made = quote(source, ARABIC, page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"presentation_forms"}, ["typography"])
    for wrong in (OTHER_ARABIC, ARABIC[::-1]):
        assert verdict(quote(source, wrong, page=1)) == MISMATCH


# List items


def test_a_bullet_of_a_symbol_font_is_a_bullet(shelf: Shelf) -> None:
    font = MappedFont("Marks", {"\uf0b7": Glyph("bullet", "\uf0b7", 350)})
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "\uf0b7 two goats aboard", font=font)
    source = shelf.put(pdf.to_bytes())
    made = quote(source, "\u2022 two goats aboard", page=1)
    assert (verdict(made), overlooked(made)) == (GROUNDED, ({"bullets"}, ["layout"]))
    assert verdict(quote(source, "two goats aboard", page=1)) == GROUNDED
    assert verdict(quote(source, "-2 goats aboard", page=1)) == MISMATCH


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("two goats aboard", "3. two goats aboard"),
        ("1. two goats aboard", "1) two goats aboard"),
        ("two goats aboard 2. three sheep", "two goats aboard 3. three sheep"),
        ("1. two goats aboard 2. three sheep", "two goats aboard three sheep"),
    ],
)
def test_the_number_of_a_list_item_may_be_left_before_a_quote(
    shelf: Shelf, right: str, wrong: str
) -> None:
    """But it is a number: it is not changed, made up or dropped from the middle."""
    source = typed(shelf, "1. two goats aboard\n2. three sheep below")
    assert verdict(quote(source, right, page=1)) == GROUNDED
    assert verdict(quote(source, wrong, page=1)) == MISMATCH


# Signs


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("The area a * b is known.", "The area a b is known"),
        ("The area 3 * 4 is known.", "The area 3 4 is known"),
        ("The area 3 4 is known.", "The area 3 * 4 is known"),
        ("The level -5 is known.", "The level 5 is known"),
        ("The level 5 is known.", "The level -5 is known"),
        ("At the pier:\n5 goats stood.", "-5 goats stood"),
        ("At the pier:\n5 goats stood.", "- 5 goats stood"),
        ("The level > 5 is known.", "The level 5 is known"),
        ("The level 5 is known.", "The level > 5 is known"),
        ("The rows North | South are set.", "The rows North South are set"),
        ("The ship #4 is known here.", "The ship 4 is known here"),
        ("The name x_1 is known here.", "The name x1 is known here"),
    ],
)
def test_no_sign_of_a_formula_is_taken_for_markdown_or_a_bullet(
    shelf: Shelf, source: str, wrong: str
) -> None:
    opened = typed(shelf, source)
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH
    assert verdict(quote(opened, source, page=1)) == GROUNDED


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("The area a b is known.", "The area a * b is known"),
        ("The area x 2 is known.", "The area x*2 is known"),
        ("The area x2 is known here.", "The area x**2 is known here"),
        ("The area x \u00b7 5 is known.", "The area x 5 is known"),
        ("The area x 5 is known here.", "The area x \u00b7 5 is known here"),
        ("The name x1 is known here.", "The name x_1 is known here"),
        ("Levels of 5 fathoms are known.", "> 5 fathoms are known"),
        ("Levels of 5 fathoms are known.", ">5 fathoms are known"),
        ("Levels of 5 fathoms are known.", "#5 fathoms are known"),
    ],
)
def test_no_sign_is_added_or_dropped_as_markdown_or_a_bullet(
    shelf: Shelf, source: str, wrong: str
) -> None:
    """ "> 5 fathoms" is more than 5."""
    assert verdict(quote(typed(shelf, source), wrong, page=1)) == MISMATCH


def test_marks_of_code_inside_a_quote_are_markdown(shelf: Shelf) -> None:
    made = quote(typed(shelf, FERRY), "the `ferry` sails for", page=1)
    assert verdict(made) == GROUNDED


@pytest.mark.parametrize("mark", ['"', "'", "\u2033", "\u2032"], ids=ascii)
def test_a_mark_of_feet_or_inches_is_no_quotation_mark(shelf: Shelf, mark: str) -> None:
    source = typed(shelf, "The mast has a length of 9 in all.")
    assert verdict(quote(source, f"mast has a length of 9{mark}", page=1)) == MISMATCH


def test_the_first_letter_of_a_unit_keeps_its_case(shelf: Shelf) -> None:
    """A milliwatt is no megawatt."""
    source = typed(shelf, "The lamp takes 5 mW of power at sea.")
    assert verdict(quote(source, "MW of power at sea", page=1)) == MISMATCH


# Ends


@pytest.mark.parametrize("right", ["the ferry sails for the island", FERRY, FERRY[:-1]])
def test_a_quote_may_end_before_the_stop(shelf: Shelf, right: str) -> None:
    """That takes no fold; a mark that says more is another one."""
    made = quote(typed(shelf, FERRY), right, page=1)
    assert (verdict(made), overlooked(made)) == (GROUNDED, (set(), []))
    wrong = right.rstrip(".") + "?"
    assert verdict(quote(typed(shelf, FERRY), wrong, page=1)) == MISMATCH


@pytest.mark.parametrize(
    ("right", "needed"),
    [
        ("\u201c\u2026 the ferry sails \u2026\u201d", "quotation_marks omission_marks"),
        ("**The ferry sails.**", "markdown first_letter_case final_stop"),
        ("> \u2022 The ferry sails [...]", "markdown bullets first_letter_case omission_marks"),
    ],
    ids=ascii,
)
def test_marks_around_marks_are_all_named(shelf: Shelf, right: str, needed: str) -> None:
    source = typed(shelf, FERRY)
    made = quote(source, right, page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made)[0] == set(needed.split())
    wrong = right.replace("sails", "sailed")
    assert verdict(quote(source, wrong, page=1)) == MISMATCH


@pytest.mark.parametrize(
    "wrong",
    ["The fare is 5.", "The fare is 5", "... fare is 5 ...", '"The fare is 5"', "**fare is 5**"],
)
def test_marks_around_a_quote_do_not_hide_a_number_that_is_cut(shelf: Shelf, wrong: str) -> None:
    """The stop of "5." is not that of 5.25."""
    source = typed(shelf, "The fare is 5.25 marks a head.")
    assert verdict(quote(source, wrong, page=1)) == MISMATCH
    whole = wrong.replace("5", "5.25", 1)
    assert verdict(quote(source, whole, page=1)) == GROUNDED


# Characters that were lost


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("The fare of \u20ac7 was met.", "The fare of 7 was met"),
        ("The fare of 7\u20ac was met.", "The fare of 7 was met"),
        ("The fare of \u00a37 was met.", "The fare of 7 was met"),
        ("The share of 7\u2030 was met.", "The share of 7 was met"),
        ("The share of 7\uff05 was met.", "The share of 7 was met"),
        ("The level of \u22127 was met.", "The level of 7 was met"),
        ("The level of \u20137 was met.", "The level of 7 was met"),
        ("The level of \u2014 7 was met.", "The level of 7 was met"),
        ("The level of \u00b17 was met.", "The level of 7 was met"),
        ("The level of \u22647 was met.", "The level of 7 was met"),
        ("The level of \uff087\uff09 was met.", "The level of 7 was met"),
        ("The level of (7) was met.", "The level of 7 was met"),
        ("The level of 7\u00b0 was met.", "The level of 7 was met"),
        ("The level of 7\u2033 was met.", "The level of 7 was met"),
        ("The level of 7\u00bd was met.", "The level of 7 was met"),
        ("The level of \u0664 was met here.", "The level of was met here"),
        ("The years 2019\u20132020 were calm.", "The years 20192020 were calm"),
        ("The years 2019\u20132020 were calm.", "The years 2019 2020 were calm"),
        ("The caf\u00e9 on deck was full.", "The caf on deck was full"),
        ("The \u00e9tape on deck was full.", "The tape on deck was full"),
        ("The load \u2260 the limit here.", "The load the limit here"),
        ('The "green" ship left at noon.', "The green ship left at noon"),
        ("The ship - a barge - left.", "The ship a barge left"),
        ("The ship left\u2014at noon again.", "The ship leftat noon again"),
    ],
    ids=ascii,
)
def test_no_character_with_a_meaning_is_ever_lost(shelf: Shelf, source: str, wrong: str) -> None:
    """No digit, letter, sign, currency, percent, no bracket around a number; nothing of ASCII."""
    opened = typed(shelf, source)
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH
    assert verdict(quote(opened, source, page=1)) == GROUNDED


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("The green ship left at noon.", "The \u201cgreen\u201d ship left at noon"),
        ("The ship a barge left at noon.", "The ship \u2014 a barge \u2014 left at noon"),
        ("The green ship left at noon.", "The green\u2122 ship left at noon"),
        ("The tide was high at noon.", "The tide\u00b9 was high at noon"),
    ],
    ids=ascii,
)
def test_a_character_that_the_source_lacks_is_not_added(
    shelf: Shelf, source: str, wrong: str
) -> None:
    opened = typed(shelf, source)
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH
    assert verdict(quote(opened, source, page=1)) == GROUNDED


@pytest.mark.parametrize("mark", "\u2122\u00ae\u00a9", ids=ascii)
def test_a_trade_mark_sign_may_be_lost(shelf: Shelf, mark: str) -> None:
    source = typed(shelf, f"The Mastic{mark} paint was used on deck.")
    made = quote(source, "The Mastic paint was used", page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"missing_character"}, ["extraction"])


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("So we\u2019re paid in port at noon.", "So were paid in port"),
        ("So we\u2019ll paid in port at noon.", "So well paid in port"),
        ("So she\u2019ll be seen in port.", "So shell be seen in port"),
        ("The mast is 9\u2019 in all at sea.", "The mast is 9 in all at sea"),
    ],
    ids=ascii,
)
def test_an_apostrophe_that_makes_a_word_is_not_lost(shelf: Shelf, source: str, wrong: str) -> None:
    """ "We're" is not "were", and 9' is not 9."""
    assert verdict(quote(typed(shelf, source), wrong, page=1)) == MISMATCH


# Raised markers


def raised(before: str, mark: str, after: str) -> bytes:
    """One line at (72, 700) in 12 points with a mark of 7 points raised by 4."""
    pdf = Pdf()
    page = pdf.page()
    x = 72 + page.text(72, 700, 12, before)
    x += page.text(x, 704, 7, mark)
    page.text(x, 700, 12, after)
    return pdf.to_bytes()


def test_a_raised_marker_is_stepped_over_by_name(shelf: Shelf) -> None:
    """It is left out or kept as it is, and never another one."""
    source = shelf.put(raised("The spring tide", "3", " rose to 21 feet."))
    made = quote(source, "The spring tide rose to 21 feet", page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"footnote_markers"}, ["layout"])
    assert verdict(quote(source, "The spring tide4 rose to 21 feet", page=1)) == MISMATCH
    forbidden = without(Fold.FOOTNOTE_MARKERS)
    assert verdict(quote(source, "spring tide rose to 21", forbidden, page=1)) == MISMATCH


@pytest.mark.parametrize(
    ("line", "right", "wrong"),
    [
        (("The tide rose 21", "2", " feet at noon."), "rose 21 feet at", "rose 212 feet at"),
        (("The tide rose 21.5", "2", " feet at noon."), "rose 21.5 feet", "rose 21.52 feet"),
        (("The tide of 1931", "2", " rose at noon."), "tide of 1931 rose", "tide of 19312 rose"),
    ],
)
def test_a_raised_marker_is_no_digit(
    shelf: Shelf, line: tuple[str, str, str], right: str, wrong: str
) -> None:
    source = shelf.put(raised(*line))
    made = quote(source, right, page=1)
    assert (verdict(made), overlooked(made)) == (GROUNDED, ({"footnote_markers"}, ["layout"]))
    assert verdict(quote(source, wrong, page=1)) == MISMATCH


@pytest.mark.parametrize("wrong", ["rose 212 feet", "rose 21 feet"])
def test_a_typed_superscript_is_neither_a_digit_nor_dropped(shelf: Shelf, wrong: str) -> None:
    """It may be a power."""
    source = shelf.put(plain(["The tide rose 21\u00b2 feet at noon."]))
    assert verdict(quote(source, wrong, page=1)) == MISMATCH
    assert verdict(quote(source, "rose 21\u00b2 feet", page=1)) == GROUNDED


@pytest.mark.parametrize("mark", ["*a ", "**a ", "`a ", "| ", "> "])
def test_marks_without_end_are_looked_at_in_bounded_work(shelf: Shelf, mark: str) -> None:
    """A claim of thousands of marks gets its verdict like any other."""
    source = typed(shelf, FERRY)
    made = quote(source, f"The ferry {mark * 4_000} fails", page=1)
    assert verdict(made)[0] == "mismatch"
    assert unmarked("**The ferry** sails `for` | the island") == "The ferry sails for | the island"
