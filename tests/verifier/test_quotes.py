"""Quotes: word for word, with nothing cut off that changes what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import R10_SENTENCE, plain, r5, r9, r10
from pdf_writer import Glyph, MappedFont, Pdf
from reading import GROUNDED, Shelf, boxes, folds, quote, report, verdict
from typed_pages import typed

from grounding.text import Fold
from verifier import PRESETS, VerificationConfig

WIDE = MappedFont(
    "Wide",
    {mark: Glyph("minus", mark, 500) for mark in "\u2212\u2030\u00a0\u202f\u2009\u2044"},
)
MISMATCH = ("mismatch", "text_mismatch")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def lines(*texts: str) -> bytes:
    """One page, one line a text, far enough apart to be paragraphs; odd dashes and spaces work."""
    pdf = Pdf()
    page = pdf.page()
    for at, text in enumerate(texts):
        page.text(72, 720 - 30 * at, 11, text, font=WIDE)
    return pdf.to_bytes()


# Whole words


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("The assignment of rights ended.", "assignment of rights", "assign of rights"),
        ("The assignment of rights ended.", "The assignment of rights", "signment of rights"),
        ("They reassign the rights now.", "They reassign the rights", "assign the rights now"),
        ("The rights they assign ended.", "rights they assign", "rights they assig"),
        ("Held by the O'Brien trust alone.", "the O'Brien trust", "Brien trust alone"),
        ("The bank can't pay the coupon.", "The bank can't pay", "The bank can"),
        ("The bank can\u2019t pay the coupon.", "The bank can't pay", "The bank can"),
        ("The firm isn't liable for it.", "firm isn't liable", "t liable for it"),
        ("The firm cannot sell its shares.", "firm cannot sell", "The firm can"),
    ],
)
def test_a_quote_begins_and_ends_with_whole_words(
    shelf: Shelf, source: str, right: str, wrong: str
) -> None:
    """Part of a word is another word, and "can" of "can't" says the opposite."""
    opened = shelf.put(lines(source))
    assert verdict(quote(opened, right, page=1)) == GROUNDED
    assert quote(opened, wrong, page=1)["status"] == "mismatch"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("lifted the reservoir level", "winter lifted the reser"),
        ("lifted the reservoir level", "voir level across the"),
        ("lifted the reservoir level", "lifted the reser voir level"),
        ("the north-west basin", "the north west basin"),
    ],
)
def test_half_of_a_word_broken_at_a_line_end_is_no_word(
    shelf: Shelf, right: str, wrong: str
) -> None:
    """A quote may not begin or end at the break, nor put a space in its place."""
    source = shelf.put(r5())
    assert verdict(quote(source, right, page=1)) == GROUNDED
    assert quote(source, wrong, page=1)["status"] == "mismatch"


@pytest.mark.parametrize(
    "wrong",
    [
        "The Tenant may not sublet",
        "The tenant not may sublet the upper floor",
        "The tenant may not let the upper floor",
        "The tenant may not sublet the floor",
        "The tenant may sublet the upper floor",
        "The tenant may not sublet the upper, floor",
        "The tenant May not sublet the upper floor",
        "the tenant may not sublet the upper Floor",
    ],
)
def test_words_order_case_and_marks_are_compared(shelf: Shelf, wrong: str) -> None:
    """Nothing but typography may differ."""
    source = shelf.put(plain(["The tenant may not sublet the upper floor."]))
    assert verdict(quote(source, "The tenant may not sublet the upper floor", page=1)) == GROUNDED
    assert verdict(quote(source, "tenant may not sublet", page=1)) == GROUNDED
    assert quote(source, wrong, page=1)["status"] == "mismatch"


# Whole numbers, at either end of a quote


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("Assets were 1,577 units then.", "Assets were 1,577", "577 units then"),
        ("Assets were 1,577 units then.", "1,577 units then", ",577 units then"),
        ("Assets were 1,577 units then.", "Assets were 1,577 units", "Assets were 1"),
        ("Assets were 1,577 units then.", "Assets were 1,577 units", "Assets were 1,"),
        ("The rate rose 12.5 points then.", "rate rose 12.5", "rate rose 12"),
        ("The rate rose 12.5 points then.", "rate rose 12.5 points", "The rate rose 12."),
        ("The rate rose 12.5 points then.", "12.5 points then", "5 points then"),
        ("The rate rose 12.5 points then.", "12.5 points then", ".5 points then"),
        ("Assets of 12'500 francs fell.", "Assets of 12'500", "Assets of 12"),
        ("Exports of 1\u00a0234\u00a0567 tonnes fell.", "1 234 567 tonnes fell", "567 tonnes fell"),
        ("Exports of 1\u202f234 tonnes fell.", "Exports of 1 234", "Exports of 1"),
        ("Nearly 1/2 of the members voted.", "Nearly 1/2 of the members", "2 of the members voted"),
        ("Sales grew by 45% in May.", "Sales grew by 45%", "Sales grew by 45"),
        ("Sales grew by 45 % in May.", "Sales grew by 45 %", "Sales grew by 45"),
        ("Sales grew by 7\u2030 in May.", "Sales grew by 7\u2030", "Sales grew by 7"),
        ("A debt ratio of 12.5x was kept.", "debt ratio of 12.5x", "debt ratio of 12.5"),
    ],
)
def test_a_quote_begins_and_ends_with_whole_numbers(
    shelf: Shelf, source: str, right: str, wrong: str
) -> None:
    """577 is not in 1,577 and 12 not in 12.5, whatever mark the cut leaves at the quote's end."""
    opened = shelf.put(lines(source))
    assert verdict(quote(opened, right, page=1)) == GROUNDED
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("The change -4.2 points was small.", "change -4.2 points", "4.2 points was small"),
        ("The change \u22124.2 points fell.", "The change -4.2 points", "4.2 points fell"),
        ("The change (4.2) points was small.", "change (4.2) points", "4.2) points was small"),
        ("The loss $(41.7) million grew.", "loss $(41.7) million", "41.7) million grew"),
        ("The loss was (41.7) million.", "loss was (41.7) million", "loss was 41.7 million"),
        ("The loss was (41.7) million.", "loss was (41.7) million", "loss was -41.7 million"),
        ("The loss was -41.7 million.", "loss was -41.7 million", "loss was 41.7 million"),
        ("The gain was 41.7 million.", "gain was 41.7 million", "gain was -41.7 million"),
        ("The gain was 41.7 million.", "gain was 41.7 million", "gain was (41.7) million"),
        ("Between 2019-2021 sales grew.", "Between 2019-2021 sales", "-2021 sales grew"),
        ("It grows 10%-12% each year.", "10%-12% each year", "-12% each year"),
    ],
)
def test_a_sign_is_never_cut_off_added_or_made_of_a_hyphen(
    shelf: Shelf, source: str, right: str, wrong: str
) -> None:
    """Minus signs and brackets belong to their number; the dash of a range is no sign."""
    opened = shelf.put(lines(source))
    assert verdict(quote(opened, right, page=1)) == GROUNDED
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH


@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("The margin of 45% fell in May.", "margin of 45% fell", "margin of 45 fell"),
        ("The price of $90 fell in May.", "price of $90 fell", "price of 90 fell"),
        ("The price of $90 fell in May.", "price of $ 90 fell", "price of \u00a390 fell"),
        ("Items 1, 2 and 3 apply here.", "Items 1, 2 and 3 apply", "Items 12 and 3 apply"),
        ("Items 1, 2 and 3 apply here.", "Items 1, 2 and 3 apply", "Items 1 2 and 3 apply"),
        ("The ratio of 3:1 was kept.", "ratio of 3:1 was", "ratio of 31 was"),
        ("The ratio of 3.1 was kept.", "ratio of 3.1 was", "ratio of 31 was"),
        ("The sum of 1,234 was kept.", "sum of 1,234 was", "sum of 1234 was"),
        ("The sum of 1,234 was kept.", "sum of 1,234 was", "sum of 1.234 was"),
        ("See note (a) below for it.", "See note (a) below", "See note a below"),
        ("He may, if asked, sell it.", "He may, if asked, sell", "He may if asked sell"),
    ],
)
def test_marks_inside_a_quote_are_never_dropped_or_changed(
    shelf: Shelf, source: str, right: str, wrong: str
) -> None:
    """A percent or currency sign, a decimal mark, a comma: each carries meaning."""
    opened = shelf.put(lines(source))
    assert verdict(quote(opened, right, page=1)) == GROUNDED
    assert verdict(quote(opened, wrong, page=1)) == MISMATCH


# Over lines, columns and pages


def test_a_quote_over_lines_has_a_region_for_each(shelf: Shelf) -> None:
    """Three lines, three boxes, in order, each within its line."""
    source = shelf.put(plain(["The works began", "in the spring of", "the second year."]))
    made = quote(source, "began in the spring of the second", page=1)
    found = [box for _, box in boxes(made)]
    assert verdict(made) == GROUNDED
    assert folds(made) == ["whitespace"]
    assert len(found) == 3
    assert found == sorted(found, key=lambda box: box[1])
    assert found[0][0] > 7_200 == found[1][0] == found[2][0]


def test_lines_that_do_not_follow_each_other_are_no_quote(shelf: Shelf) -> None:
    """A line may not be left out."""
    source = shelf.put(plain(["The works began", "in the spring of", "the second year."]))
    assert verdict(quote(source, "The works began the second year.", page=1)) == MISMATCH


def test_an_amount_broken_over_a_line_keeps_its_parts(shelf: Shelf) -> None:
    """A number may not be put together of two lines."""
    source = shelf.put(plain(["The index stood at 1,", "234 points in May."]))
    assert quote(source, "stood at 1,234 points", page=1)["status"] == "mismatch"
    amount = shelf.put(plain(["Costs of the year were 100", "million in all."]), "b.pdf")
    assert verdict(quote(amount, "were 100 million in all", page=1)) == GROUNDED


def test_a_quote_over_columns_keeps_to_the_reading_order(shelf: Shelf) -> None:
    """From the foot of the left column to the head of the right one."""
    source = shelf.put(r9())
    made = quote(source, "dredging programme after the autumn survey", page=1)
    assert verdict(made) == GROUNDED
    assert [box[0] > 30_000 for _, box in boxes(made)] == [False, True]
    across = quote(source, "authority approved after the autumn survey", page=1)
    assert across["status"] == "mismatch"


def test_a_quote_over_a_page_break_has_regions_on_both_pages(shelf: Shelf) -> None:
    """The evidence names the first page; its regions both."""
    source = shelf.put(r10())
    made = quote(source, R10_SENTENCE, page=2)
    assert verdict(made) == GROUNDED
    assert [page for page, _ in boxes(made)] == [1, 1, 2, 2]
    assert made["evidence"]["page"] == "p0001"
    swapped = R10_SENTENCE.replace("river bank", "river bed")
    assert verdict(quote(source, swapped, page=2)) == MISMATCH


# Too short, elsewhere, several times


@pytest.mark.parametrize("text", ["the tenant", "of the", "tenant", "may not", "  the  tenant  "])
def test_common_words_prove_nothing(shelf: Shelf, text: str) -> None:
    """Fewer than two telling words are too short to be a quote, even where they stand."""
    source = shelf.put(plain(["Of all persons the tenant may not sublet."]))
    assert quote(source, text, page=1)["reason"] == "quote_too_short"
    assert quote(source, text, page=1)["status"] != "grounded"
    assert verdict(quote(source, "the tenant may not sublet", page=1)) == GROUNDED


def test_the_least_number_of_telling_words_is_a_rule(shelf: Shelf) -> None:
    """A configuration may ask for more."""
    source = shelf.put(plain(["Of all persons the tenant may not sublet."]))
    strict = VerificationConfig(minimum_significant_words=4)
    assert quote(source, "tenant may not sublet", strict, page=1)["reason"] == "quote_too_short"
    assert verdict(quote(source, "persons the tenant may not sublet", strict, page=1)) == GROUNDED


@pytest.mark.parametrize("text", [None, "", "   "])
def test_a_quote_without_words_is_an_error(shelf: Shelf, text: str | None) -> None:
    """Nothing to compare is neither there nor not there."""
    source = shelf.put(plain(["Some words here."]))
    claim = {"kind": "quote", "citation": {"page": 1}}
    if text is not None:
        claim["text"] = text
    made = report(source, [claim])["checks"][0]
    assert verdict(made) == ("error", "missing_required_text")


def test_a_quote_on_another_page_is_found_there_and_not_grounded(shelf: Shelf) -> None:
    """The report says where it stands; the citation stays wrong."""
    source = shelf.put(plain(["Words of the first page."], ["Words of the second page."]))
    made = quote(source, "Words of the second page.", page=1)
    assert verdict(made) == ("mismatch", "quote_on_other_page")
    assert [(f["page"], f["text"]) for f in made["found_elsewhere"]] == [
        (2, "Words of the second page.")
    ]
    assert verdict(quote(source, "Words of the second page.", page=2)) == GROUNDED


def test_a_quote_without_a_place_is_looked_for_everywhere(shelf: Shelf) -> None:
    """Without locators the whole document is the scope, and `not_found` its answer."""
    source = shelf.put(plain(["Words of the first page."], ["Words of the second page."]))
    made = quote(source, "Words of the second page.")
    assert (verdict(made), made["evidence"]["page_number"]) == (GROUNDED, 2)
    assert verdict(quote(source, "Words of the third page.")) == ("not_found", "text_mismatch")


def test_the_nearest_text_is_shown_and_grounds_nothing(shelf: Shelf) -> None:
    """What stands there instead, and in which words it differs."""
    source = shelf.put(plain(["The tenant may not sublet the upper floor."]))
    made = quote(source, "The tenant may now sublet the upper floor.", page=1)
    assert verdict(made) == MISMATCH
    assert made["nearest"]["text"] == "The tenant may not sublet the upper floor."
    assert made["nearest"]["differences"] == [{"claim": "now", "source": "not", "kind": "negation"}]
    assert "evidence" not in made


def test_occurrences_are_counted(shelf: Shelf) -> None:
    """Text that stands twice says so; under `strict` it is ambiguous."""
    source = shelf.put(plain(["Rent is due monthly.", "Rent is due monthly."]))
    assert quote(source, "Rent is due monthly.", page=1)["match"]["occurrences"] == 2
    unique = VerificationConfig(require_unique_occurrence=True)
    made = quote(source, "Rent is due monthly.", unique, page=1)
    assert verdict(made) == ("mismatch", "ambiguous_occurrence")


def test_prefix_and_suffix_pick_one_occurrence(shelf: Shelf) -> None:
    """The words around decide which of two places is meant."""
    source = shelf.put(plain(["For shops the rent is due monthly in cash.",
                              "For flats the rent is due monthly by bank."]))  # fmt: skip
    text = "the rent is due monthly"
    first = quote(source, text, page=1, prefix="For shops")
    second = quote(source, text, page=1, suffix="by bank")
    assert (verdict(first), verdict(second)) == (GROUNDED, GROUNDED)
    assert first["match"]["occurrences"] == second["match"]["occurrences"] == 1
    assert first["evidence"]["bbox"][1] < second["evidence"]["bbox"][1]
    unique = VerificationConfig(require_unique_occurrence=True)
    assert verdict(quote(source, text, unique, page=1, prefix="flats")) == GROUNDED


@pytest.mark.parametrize(
    "around",
    [{"prefix": "For barns"}, {"suffix": "by post"}, {"prefix": "shops", "suffix": "by bank"}],
)
def test_a_prefix_or_suffix_that_is_not_there_grounds_nothing(
    shelf: Shelf, around: dict[str, str]
) -> None:
    """No occurrence stands between these words."""
    source = shelf.put(plain(["For shops the rent is due monthly in cash.",
                              "For flats the rent is due monthly by bank."]))  # fmt: skip
    made = quote(source, "the rent is due monthly", page=1, **around)
    assert made["status"] == "mismatch"


@pytest.mark.parametrize(
    ("source", "prefix"),
    [("For shops the rent is due.", "hops"), ("Note 12 the rent is due.", "2")],
)
def test_a_prefix_is_whole_words(shelf: Shelf, source: str, prefix: str) -> None:
    """Part of the word before is not the word before."""
    opened = shelf.put(plain([source]))
    made = quote(opened, "the rent is due", page=1, prefix=prefix)
    assert made["status"] == "mismatch"


# Folds


@pytest.mark.parametrize(
    ("source", "text", "needed"),
    [
        ("She said \u201cit is done\u201d and left.", 'She said "it is done" and left', ["quotes"]),
        ("The years 2019\u20132021 were dry.", "The years 2019-2021 were dry", ["dashes"]),
        ("The works began at dawn.", "The  works\tbegan at dawn", ["whitespace"]),
        ("The works began at dawn.", "The works began at dawn", []),
        ("A cost of $ 90 was met.", "A cost of $90 was met", ["spacing"]),
    ],
)
def test_a_match_names_the_folds_that_it_needed(
    shelf: Shelf, source: str, text: str, needed: list[str]
) -> None:
    """What had to be overlooked is in the report, and nothing else."""
    made = quote(shelf.put(plain([source])), text, page=1)
    assert (verdict(made), folds(made)) == (GROUNDED, needed)
    assert made["match_method"].startswith("normalized" if needed else "exact")


def test_a_fold_that_is_not_allowed_grounds_nothing(shelf: Shelf) -> None:
    """Without the fold of quotation marks, straight ones are other marks."""
    source = shelf.put(plain(["She said \u201cit is done\u201d and left."]))
    allowed = tuple(fold for fold in Fold if fold is not Fold.QUOTES)
    rules = VerificationConfig(allowed_folds=allowed)
    assert verdict(quote(source, 'She said "it is done"', rules, page=1)) == MISMATCH
    assert verdict(quote(source, "She said \u201cit is done\u201d", rules, page=1)) == GROUNDED


def test_the_method_says_whether_the_quote_is_all_there_is(shelf: Shelf) -> None:
    """A whole page is `exact_text`, part of it `exact_text_contains`."""
    source = shelf.put(plain(["The works began at dawn."]))
    assert quote(source, "The works began at dawn.", page=1)["match_method"] == "exact_text"
    assert quote(source, "works began at dawn", page=1)["match_method"] == "exact_text_contains"


def test_evidence_shows_the_raw_text_in_its_context(shelf: Shelf) -> None:
    """The source's own characters, with what stands before and after."""
    source = shelf.put(plain(["She said \u201cit is done\u201d and left."]))
    made = quote(source, 'said "it is done"', page=1)
    assert made["evidence"]["text"] == "said \u201cit is done\u201d"
    assert made["context"] == {
        "before": "She ",
        "match": "said \u201cit is done\u201d",
        "after": " and left.",
    }


def test_evidence_text_can_be_left_out(shelf: Shelf) -> None:
    """A configuration may keep the source's words out of the report."""
    source = shelf.put(plain(["The works began at dawn."]))
    bare = VerificationConfig(include_evidence_text=False)
    made = quote(source, "The works began at dawn.", bare, page=1)
    assert verdict(made) == GROUNDED
    assert "text" not in made["evidence"]
    assert "context" not in made


def test_looking_elsewhere_can_be_switched_off(shelf: Shelf) -> None:
    """Then the quote is not where it was cited, and no more is said."""
    source = shelf.put(plain(["Words of the first page."], ["Words of the second page."]))
    blind = PRESETS["default"].model_copy(update={"search_elsewhere": False})
    made = quote(source, "Words of the second page.", blind, page=1)
    assert verdict(made) == MISMATCH
    assert "found_elsewhere" not in made


def test_places_found_elsewhere_are_limited(shelf: Shelf) -> None:
    """The nearest pages come first, and no more than asked for."""
    source = shelf.put(plain(*[["Same words here."]] * 4, ["Other text stands."]))
    few = VerificationConfig(max_found_elsewhere=2)
    made = quote(source, "Same words here.", few, page=5)
    assert [found["page"] for found in made["found_elsewhere"]] == [4, 3]


# What is left out


@pytest.mark.parametrize(
    "text",
    [
        "The tenant may ... sublet the upper floor",
        "The tenant may \u2026 sublet the upper floor",
        "The tenant may [...] sublet the upper floor",
        "sublet the upper floor ... The tenant may",
    ],
)
def test_an_ellipsis_may_not_swallow_a_negation_or_turn_the_order(shelf: Shelf, text: str) -> None:
    """ "may ... sublet" out of "may not sublet" says the opposite."""
    source = shelf.put(plain(["The tenant may not sublet the upper floor."]))
    assert quote(source, text, page=1)["status"] != "grounded"


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("Sales came to $1,577\u00a0million in all.", "Sales came to $1,577"),
        ("Sales came to 1,577\u202fmn in all.", "Sales came to 1,577"),
        ("Sales came to 12 crore in all.", "Sales came to 12"),
        ("Sales of HK$500 were made.", "$500 were made"),
    ],
)
def test_an_amount_is_not_cut_from_its_scale_or_currency(
    shelf: Shelf, source: str, wrong: str
) -> None:
    """Whatever space stands between them."""
    opened = typed(shelf, source)
    assert verdict(quote(opened, source, page=1)) == GROUNDED
    assert quote(opened, wrong, page=1)["status"] == "mismatch"
