"""Text: what typesetting does to words is kept raw, and undone only where a quote is compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import (
    R5_LINES,
    R6_SENTENCE,
    R8_SENTENCE,
    R9_SENTENCE,
    R10_SENTENCE,
    annotated,
    captions,
    filled_form,
    han_spaced,
    headings_and_lists,
    hidden_layer,
    no_to_unicode,
    plain,
    private_use,
    r5,
    r6,
    r7,
    r8,
    r9,
    r9_twin,
    r10,
    r13,
    r26,
    r28,
    running_header_footer,
    spaced_heading,
    text_cut_by_crop,
    text_outside_page,
    tiny_text,
)
from drawn_text import SPECIAL
from pdf_writer import Glyph, MappedFont, Pdf
from reading import (
    GROUNDED,
    Shelf,
    boxes,
    codes,
    element_text,
    flagged,
    folds,
    kinds,
    place,
    quote,
    report,
    value,
    verdict,
    word_box,
)

from grounding.geometry import Box
from grounding.model import ElementKind, SpanFlag


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def one_line(text: str, font: MappedFont = SPECIAL) -> bytes:
    """A page with one line at 72, 700."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, text, font=font)
    return pdf.to_bytes()


# Hyphens at line ends


def test_the_raw_text_keeps_every_hyphen_and_line_end(shelf: Shelf) -> None:
    """What is stored is what is printed, line by line."""
    assert shelf.put(r5()).page_text(1) == "\n".join(R5_LINES)


def test_a_word_broken_at_a_line_end_is_one_word(shelf: Shelf) -> None:
    """ "reservoir level" is grounded over "reser-" and "voir level", one region a line."""
    source = shelf.put(r5())
    made = quote(source, "reservoir level", page=1)
    assert verdict(made) == GROUNDED
    assert folds(made) == ["line_end_hyphen"]
    assert boxes(made) == [
        (1, word_box(source, "reser-").as_list()),
        (1, word_box(source, "voir level").as_list()),
    ]
    assert made["evidence"]["text"] == "reser-\nvoir level"


def test_a_hyphen_that_belongs_to_the_word_may_be_kept(shelf: Shelf) -> None:
    """ "north-west basin" is grounded over "north-" and "west basin.", two regions."""
    source = shelf.put(r5())
    made = quote(source, "north-west basin", page=1)
    assert verdict(made) == GROUNDED
    assert boxes(made) == [
        (1, word_box(source, "north-").as_list()),
        (1, word_box(source, "west basin").as_list()),
    ]


def test_a_real_hyphen_is_dropped_only_under_its_name(shelf: Shelf) -> None:
    """ "northwest basin" may be grounded, if the fold that dropped the hyphen is named."""
    made = quote(shelf.put(r5()), "northwest basin", page=1)
    assert made["status"] != "grounded" or "line_end_hyphen" in folds(made)


def test_a_soft_hyphen_at_a_line_end_is_named_as_one(shelf: Shelf) -> None:
    """U+00AD at the line's end is another fold than a printed hyphen."""
    source = shelf.put(r5(soft=True))
    made = quote(source, "reservoir level", page=1)
    assert "reser\u00ad\nvoir" in source.page_text(1)
    assert (verdict(made), folds(made)) == (GROUNDED, ["soft_hyphens"])
    assert len(boxes(made)) == 2


@pytest.mark.parametrize("text", ["reservoirs level", "reserve level", "south-west basin"])
def test_another_word_is_not_found_over_a_line_end(shelf: Shelf, text: str) -> None:
    """The fold joins the two halves and nothing else."""
    assert verdict(quote(shelf.put(r5()), text, page=1)) == ("mismatch", "text_mismatch")


def test_a_hyphen_within_a_line_is_never_dropped(shelf: Shelf) -> None:
    """ "co-operation" on one line does not ground "cooperation"."""
    source = shelf.put(plain(["Their co-operation agreement ended."]))
    assert verdict(quote(source, "Their co-operation agreement", page=1)) == GROUNDED
    assert quote(source, "Their cooperation agreement", page=1)["status"] == "mismatch"


# Characters that nobody sees


def test_invisible_characters_stay_raw_and_do_not_stand_in_the_way(shelf: Shelf) -> None:
    """U+00AD, U+00A0 and U+200B are stored; the plain sentence is grounded and names the folds."""
    source = shelf.put(r6())
    made = quote(source, R6_SENTENCE, page=1)
    assert {"\u00ad", "\u00a0", "\u200b"} <= set(source.page_text(1))
    assert verdict(made) == GROUNDED
    assert set(folds(made)) == {"soft_hyphens", "whitespace", "zero_width"}
    assert verdict(value(source, "12.4 percent", page=1)) == GROUNDED


@pytest.mark.parametrize(("right", "wrong"), [("12.4", "12.5"), ("margin", "margins")])
def test_invisible_characters_hide_no_other_sentence(shelf: Shelf, right: str, wrong: str) -> None:
    """The same sentence with another word or number is not there."""
    made = quote(shelf.put(r6()), R6_SENTENCE.replace(right, wrong), page=1)
    assert verdict(made) == ("mismatch", "text_mismatch")


def test_full_width_digits_are_digits(shelf: Shelf) -> None:
    """A quote of 123 is grounded by full-width digits and names the fold."""
    source = shelf.put(r28())
    made = quote(source, "Units sold: 123", page=1)
    assert source.page_text(1) == "Units sold: \uff11\uff12\uff13"
    assert (verdict(made), folds(made)) == (GROUNDED, ["full_width"])
    assert quote(source, "Units sold: 132", page=1)["status"] == "mismatch"


def test_a_value_in_full_width_digits_names_the_fold(shelf: Shelf) -> None:
    """The value 123 is grounded, the fold named; 124 is not there."""
    source = shelf.put(r28())
    made = value(source, "123", page=1)
    assert (verdict(made), folds(made)) == (GROUNDED, ["full_width"])
    assert verdict(value(source, "124", page=1)) == ("mismatch", "value_mismatch")


# Footnote markers


def test_a_footnote_marker_is_no_digit_of_the_number_before_it(shelf: Shelf) -> None:
    """83.4 with a raised 1 grounds 83.4 and never 83.41; 2023 with a raised 2 never 20232."""
    source = shelf.put(r7())
    assert flagged(source, 1, SpanFlag.MARKER) == ["1", "2"]
    for right in ("83.4", "83.4 percent", "2023"):
        assert verdict(value(source, right, page=1)) == GROUNDED
    for wrong in ("83.41", "20232", "84"):
        assert verdict(value(source, wrong, page=1)) == ("mismatch", "value_mismatch")


def test_a_sentence_with_markers_is_quoted_without_them(shelf: Shelf) -> None:
    """Nobody types the marker; with the marker glued on, the quote is another number."""
    source = shelf.put(r7())
    made = quote(source, "Load factor was 83.4 percent in 2023", page=1)
    assert verdict(made) == GROUNDED
    assert len(boxes(made)) == 1
    for wrong in ("Load factor was 83.41 percent", "83.4 percent in 20232"):
        assert quote(source, wrong, page=1)["status"] == "mismatch"


# Ligatures


def test_ligatures_are_the_letters_they_join(shelf: Shelf) -> None:
    """fi, ff and fl glyphs ground the spelled-out words; the raw text keeps the glyphs."""
    source = shelf.put(r8())
    made = quote(source, "specific staff workflow", page=1)
    assert {"\ufb00", "\ufb01", "\ufb02"} <= set(source.page_text(1))
    assert (verdict(made), folds(made)) == (GROUNDED, ["ligatures"])
    assert verdict(quote(source, R8_SENTENCE, page=1)) == GROUNDED


def test_letters_of_one_ligature_have_one_box(shelf: Shelf) -> None:
    """A quote that ends in the middle of a ligature would cut the glyph: it is no whole word."""
    source = shelf.put(r8())
    made = quote(source, "A specific staff", page=1)
    ((_, box),) = boxes(made)
    assert box[2] == word_box(source, "sta\ufb00").x1
    assert quote(source, "A specific staf", page=1)["status"] == "mismatch"


@pytest.mark.parametrize("text", ["keeps the oeuvre and the", "and the Caesar plan apart"])
def test_letters_that_look_like_ligatures_are_letters(shelf: Shelf, text: str) -> None:
    """œ and æ are not folded."""
    assert quote(shelf.put(r8()), text, page=1)["status"] == "mismatch"


# Reading order


def test_two_columns_are_read_one_after_the_other(shelf: Shelf) -> None:
    """The sentence runs down the left column, then the right one."""
    source = shelf.put(r9())
    made = quote(source, R9_SENTENCE, page=1)
    assert verdict(made) == GROUNDED
    assert [box[0] for _, box in boxes(made)] == [7_200, 7_200, 32_000, 32_000]


@pytest.mark.parametrize(
    "text",
    [
        "The harbour authority approved after the autumn survey had",
        "the new dredging programme found silt in the main channel",
    ],
)
def test_text_read_across_columns_is_not_grounded(shelf: Shelf, text: str) -> None:
    """Lines of two columns side by side are no sentence."""
    made = quote(shelf.put(r9()), text, page=1)
    assert made["status"] == "mismatch"
    assert made["reason"] in ("text_mismatch", "quote_interleaved")


@pytest.mark.parametrize("ruled", [True, False], ids=["ruled", "bare"])
def test_a_table_with_the_same_geometry_is_read_row_by_row(shelf: Shelf, ruled: bool) -> None:
    """Cells at the places of two columns' lines are rows."""
    source = shelf.put(r9_twin(ruled=ruled))
    assert verdict(quote(source, "Vessel class Draught limit", page=1)) == GROUNDED
    assert verdict(quote(source, "Coaster 6.5 metres", page=1)) == GROUNDED
    assert quote(source, "Vessel class Coaster 6.5 metres", page=1)["status"] == "mismatch"


def prose_columns(*, interleaved: bool) -> bytes:
    """Two columns of six full lines, drawn one after the other or line by line across."""
    left = [f"Left line {at} goes on about the harbour and" for at in range(1, 7)]
    right = [f"right line {at} tells of the ships in the bay" for at in range(1, 7)]
    lines = [(72, 700 - 16 * at, line) for at, line in enumerate(left)]
    other = [(330, 700 - 16 * at, line) for at, line in enumerate(right)]
    order = [run for pair in zip(lines, other, strict=True) for run in pair]
    pdf = Pdf()
    page = pdf.page()
    for x, y, line in order if interleaved else [*lines, *other]:
        page.text(x, y, 11, line)
    return pdf.to_bytes()


@pytest.mark.parametrize("interleaved", [True, False])
def test_prose_columns_are_read_down_however_they_were_drawn(
    shelf: Shelf, interleaved: bool
) -> None:
    """The last line of the left column is followed by the first of the right."""
    source = shelf.put(prose_columns(interleaved=interleaved))
    over = "Left line 6 goes on about the harbour and right line 1 tells of the ships"
    across = "Left line 2 goes on about the harbour and right line 2 tells of the ships"
    assert verdict(quote(source, over, page=1)) == GROUNDED
    assert quote(source, across, page=1)["status"] == "mismatch"


# Over a page break


@pytest.mark.parametrize("page", [1, 2])
def test_a_sentence_over_a_page_break_may_cite_either_page(shelf: Shelf, page: int) -> None:
    """Its regions lie on both pages; head and foot between them are no part of it."""
    source = shelf.put(r10())
    made = quote(source, R10_SENTENCE, page=page)
    assert verdict(made) == GROUNDED
    assert [number for number, _ in boxes(made)] == [1, 1, 2, 2]
    assert "Page 1" not in made["evidence"]["text"]
    assert "Quarry Review" not in made["evidence"]["text"]
    foot = word_box(source, "Page 1", 1)
    assert not any(Box(*box).overlap(foot) for number, box in boxes(made) if number == 1)


def test_a_sentence_over_a_page_break_may_not_cite_a_third_page(shelf: Shelf) -> None:
    """Cited on a page that it does not touch, it is on other pages."""
    source = shelf.put(plain(["An unrelated page of words."], ["The quay was closed for"],
                             ["repairs in the spring."], ["The end of it."]))  # fmt: skip
    sentence = "The quay was closed for repairs in the spring."
    assert verdict(quote(source, sentence, page=2)) == GROUNDED
    assert verdict(quote(source, sentence, page=3)) == GROUNDED
    assert verdict(quote(source, sentence, page=4)) == ("mismatch", "quote_on_other_page")


def test_a_page_break_does_not_join_what_other_words_part(shelf: Shelf) -> None:
    """The end of page 1 is not followed by the end of page 2."""
    source = shelf.put(r10())
    made = quote(source, "on the condition that the third year", page=1)
    assert verdict(made) == ("mismatch", "text_mismatch")


# Overprints and spaced letters


def test_fake_bold_is_read_once(shelf: Shelf) -> None:
    """A run printed twice, 0.35 points apart, is one run: 88 and not 8888."""
    source = shelf.put(r13())
    assert source.page_text(1) == "Gross weight 88"
    assert verdict(value(source, "88", page=1)) == GROUNDED
    assert verdict(value(source, "8888", page=1)) == ("mismatch", "value_mismatch")


def test_a_word_that_its_author_repeats_is_kept(shelf: Shelf) -> None:
    """Equal words one line apart are two."""
    source = shelf.put(plain(["Gross weight 88", "Gross weight 88"]))
    assert source.page_text(1).count("Gross weight 88") == 2
    assert quote(source, "Gross weight 88", page=1)["match"]["occurrences"] == 2


def test_letters_set_apart_are_a_word_again(shelf: Shelf) -> None:
    """Spaces that the parser put between spaced letters go, and the span says so."""
    source = shelf.put(spaced_heading())
    assert source.page_text(1).startswith("ANNUAL REPORT\n")
    assert flagged(source, 1, SpanFlag.LETTER_SPACED) == ["ANNUAL REPORT"]
    assert verdict(quote(source, "ANNUAL REPORT", page=1)) == GROUNDED


def test_spaces_that_were_typed_between_letters_stay(shelf: Shelf) -> None:
    """A typed space is a character of the file."""
    source = shelf.put(spaced_heading(typed=True))
    assert source.page_text(1).startswith("A N N U A L   R E P O R T\n")
    assert flagged(source, 1, SpanFlag.LETTER_SPACED) == []


def test_a_line_of_words_set_apart_keeps_its_spaces(shelf: Shelf) -> None:
    """Gaps that part words are no letter spacing, even between short words."""
    pdf = Pdf()
    page = pdf.page()
    x = 72.0
    for word in "it is as he or we do in an up".split():
        x += page.text(x, 700, 12, word) + 4
    source = shelf.put(pdf.to_bytes())
    assert source.page_text(1) == "it is as he or we do in an up"


def test_a_span_is_not_cut_at_spaces_that_no_glyph_stands_for(shelf: Shelf) -> None:
    """One style on one line is one span, even where TJ offsets make the spaces."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 740, 12, "Other words")
    page.raw("BT /Helvetica 12 Tf 72 700 Td [(Total) -300 (of) -300 (assets)] TJ ET")
    source = shelf.put(pdf.to_bytes())
    texts = [source.page_text(1)[s.start : s.end] for s in source.spans(1)]
    assert texts == ["Other words", "Total of assets"]


def test_spaces_between_han_characters_do_not_matter(shelf: Shelf) -> None:
    """A Han sentence typed with spaces grounds the sentence without, and names the fold."""
    source = shelf.put(han_spaced())
    made = quote(source, "公司去年收入增加", page=1)
    assert source.page_text(1) == "公 司 去 年 收 入 增 加"
    assert (verdict(made), folds(made)) == (GROUNDED, ["han_spacing"])
    assert quote(source, "公司去年收入减少", page=1)["status"] == "mismatch"


# Text that is not there for a reader


def test_text_on_a_layer_that_is_off_is_not_there(shelf: Shelf) -> None:
    """A hidden layer is not displayed, so it is not the page's text."""
    source = shelf.put(hidden_layer())
    assert quote(source, "Shown words", page=1)["status"] == "grounded"
    assert quote(source, "Layer words", page=1)["status"] == "mismatch"


def test_type_of_half_a_point_is_hidden(shelf: Shelf) -> None:
    """It is kept, flagged, and warned of."""
    source = shelf.put(tiny_text())
    assert flagged(source, 1, SpanFlag.HIDDEN) == ["Unreadable words"]
    assert "hidden_text_detected" in codes(source, 1)


def test_text_beside_and_above_the_page_is_not_there(shelf: Shelf) -> None:
    """It is left out and warned of."""
    source = shelf.put(text_outside_page())
    assert source.page_text(1) == "Inside the page"
    assert codes(source, 1) == {"off_page_text_detected"}
    assert quote(source, "Outside the page", page=1)["status"] == "mismatch"


def test_text_cut_by_the_crop_box_ends_with_the_last_visible_letter(shelf: Shelf) -> None:
    """The line stops at the edge and its box does too."""
    source = shelf.put(text_cut_by_crop())
    line = source.elements(1)[0]
    assert element_text(source, line) == "This line stradd"
    assert line.box.x1 == source.pages[0].frame.width == 20_000


def test_text_without_a_map_to_unicode_is_garbled(shelf: Shelf) -> None:
    """What stands on the page cannot be told: the page says so instead of "not there"."""
    source = shelf.put(no_to_unicode())
    assert source.pages[0].status == "garbled"
    assert codes(source, 1) == {"garbled_text"}
    assert verdict(quote(source, "secret figures", page=1)) == (
        "capability_blocked",
        "page_garbled",
    )
    assert verdict(value(source, "6", page=1)) == ("capability_blocked", "page_garbled")


def test_text_that_maps_to_private_use_is_garbled(shelf: Shelf) -> None:
    """U+E0xx for every letter is no text to compare with."""
    source = shelf.put(private_use())
    made = quote(source, "Total revenue rose", page=1)
    assert verdict(made) == ("capability_blocked", "page_garbled")


def test_private_use_bullets_do_not_make_a_page_garbled(shelf: Shelf) -> None:
    """Word processors map their bullets to private use; the words beside them are text."""
    font = MappedFont("Bullets", {"\u2022": Glyph("bullet", "\uf0b7", 350)})
    pdf = Pdf()
    page = pdf.page()
    for at, item in enumerate(("Oak", "Elm", "Ash", "Yew", "Box")):
        page.text(72, 700 - 20 * at, 12, f"\u2022 {item}", font=font)
    source = shelf.put(pdf.to_bytes())
    assert source.pages[0].status == "ok"
    assert [kind for kind, _ in kinds(source)] == [ElementKind.LIST_ITEM] * 5
    assert verdict(value(source, "Elm", page=1)) == GROUNDED


def test_a_page_that_is_an_image_cannot_answer(shelf: Shelf) -> None:
    """One page of two has text; on the other "not there" is never the answer."""
    source = shelf.put(r26())
    assert [page.status for page in source.pages] == ["ok", "no_text"]
    assert codes(source, 2) == {"image_only_page"}
    blocked = ("capability_blocked", "page_without_text")
    assert verdict(quote(source, "The permit fee was 940 EUR.", page=2)) == blocked
    assert verdict(quote(source, "The permit fee was 940 EUR.")) == blocked
    assert verdict(value(source, "940 EUR", page=2)) == blocked
    assert verdict(quote(source, "The permit was issued in April 2024.", page=1)) == GROUNDED
    assert quote(source, "The permit was issued in May 2024.", page=1)["status"] == "mismatch"


def test_an_empty_page_says_nothing_and_that_can_be_told(shelf: Shelf) -> None:
    """A page without text and pictures is readable: the quote is not there."""
    source = shelf.put(plain(["Some words here."], []))
    assert [page.status for page in source.pages] == ["ok", "ok"]
    assert verdict(quote(source, "Some words here.", page=2)) == ("mismatch", "quote_on_other_page")


# Structure


def test_lines_that_run_through_all_pages_are_heads_and_feet(shelf: Shelf) -> None:
    """The title above and the page number below are no part of the body."""
    source = shelf.put(running_header_footer())
    for number, word in enumerate(("first", "second", "third", "fourth", "fifth"), 1):
        (head, title), (body, text), (foot, count) = kinds(source, number)
        assert (head, title) == (ElementKind.HEADER, "Tidewater Trust - Annual Review")
        assert (body, text.split()[1]) == (ElementKind.PARAGRAPH, word)
        assert (foot, count) == (ElementKind.FOOTER, f"Page {number} of 5")


def test_a_line_at_the_top_of_one_page_only_is_no_running_head(shelf: Shelf) -> None:
    """What stands once is text."""
    source = shelf.put(plain(["Only here"], ["First line"], ["Another line"], ["Last line"]))
    pdf = Pdf()
    for at in range(4):
        page = pdf.page()
        page.text(72, 770, 12, f"A line of its own {'abcd'[at]} in {'wxyz'[at]}")
    other = shelf.put(pdf.to_bytes(), "other.pdf")
    for opened in (source, other):
        found = {kind for page in opened.pages for kind, _ in kinds(opened, page.number)}
        assert ElementKind.HEADER not in found


def test_headings_have_levels_and_lists_have_items(shelf: Shelf) -> None:
    """Larger type is a higher level; bullets and numbers begin items."""
    source = shelf.put(headings_and_lists())
    found = [(e.kind, e.level, element_text(source, e)) for e in source.elements(1)]
    assert [(level, text) for kind, level, text in found if kind is ElementKind.HEADING] == [
        (1, "1 Scope"), (1, "2 Duties"), (2, "2.1 Records"),
    ]  # fmt: skip
    assert [text for kind, _, text in found if kind is ElementKind.LIST_ITEM] == [
        "• earth dams", "• stone dams", "• timber weirs",
        "1. Note the date.", "2. Note the water level.", "3. Sign the page.",
    ]  # fmt: skip
    assert {level for kind, level, _ in found if kind is not ElementKind.HEADING} == {0}


def test_evidence_names_the_headings_above_it(shelf: Shelf) -> None:
    """The path is outermost first and ends at the heading that the text stands under."""
    source = shelf.put(headings_and_lists())
    paths = {
        text: quote(source, text, page=1)["provenance"]["heading_path"]
        for text in ("the care of small reservoirs", "written down in the log")
    }
    assert paths == {
        "the care of small reservoirs": ["1 Scope"],
        "written down in the log": ["2 Duties", "2.1 Records"],
    }


def test_captions_are_told_from_text(shelf: Shelf) -> None:
    """ "Figure 1." and "Table 1." begin captions; a sentence that mentions them does not."""
    source = shelf.put(captions())
    assert [text for kind, text in kinds(source) if kind is ElementKind.CAPTION] == [
        "Figure 1. Rainfall by quarter, in millimetres.",
        "Table 1. Wet days by quarter.",
    ]
    plain_text = shelf.put(plain(["The table shows rainfall.", "See figure 1 for it."]), "b.pdf")
    assert {kind for kind, _ in kinds(plain_text)} == {ElementKind.PARAGRAPH}


def footnoted() -> bytes:
    """Body lines in 12 points; a note in 8 points at the foot that begins with a raised 1."""
    pdf = Pdf()
    page = pdf.page()
    for at in range(6):
        page.text(72, 700 - 16 * at, 12, f"Line {at} of the body of this page goes on.")
    x = 72 + page.text(72, 94, 5, "1")
    page.text(x + 1, 90, 8, "Measured at the lower gauge.")
    return pdf.to_bytes()


def test_small_type_after_a_raised_mark_at_the_foot_is_a_footnote(shelf: Shelf) -> None:
    """The note is an element of its own kind and can be quoted without its mark."""
    source = shelf.put(footnoted())
    (*body, (kind, text)) = kinds(source)
    assert {k for k, _ in body} == {ElementKind.PARAGRAPH}
    assert (kind, text) == (ElementKind.FOOTNOTE, "1 Measured at the lower gauge.")
    assert verdict(quote(source, "Measured at the lower gauge.", page=1)) == GROUNDED


def test_small_type_without_a_mark_is_no_footnote(shelf: Shelf) -> None:
    """A small line at the foot that begins with words is text."""
    pdf = Pdf()
    page = pdf.page()
    for at in range(6):
        page.text(72, 700 - 16 * at, 12, f"Line {at} of the body of this page goes on.")
    page.text(72, 150, 8, "Measured at the lower gauge.")
    assert ElementKind.FOOTNOTE not in {kind for kind, _ in kinds(shelf.put(pdf.to_bytes()))}


# Annotations and forms


def test_values_of_form_fields_are_text_and_flagged(shelf: Shelf) -> None:
    """What is filled in can be cited; labels are no annotation."""
    source = shelf.put(filled_form())
    filled = flagged(source, 1, SpanFlag.ANNOTATION)
    assert filled[:2] == ["Jordan Example", "Anytown"]
    assert "Full name" not in filled
    assert "form_fields_present" in codes(source, 1)
    assert verdict(quote(source, "Jordan Example", page=1)) == GROUNDED
    assert quote(source, "Morgan Example", page=1)["status"] == "mismatch"


def test_a_box_that_is_not_ticked_leaves_no_mark(shelf: Shelf) -> None:
    """Of two checkboxes one is on: three fields show something."""
    assert len(flagged(shelf.put(filled_form()), 1, SpanFlag.ANNOTATION)) == 3


def test_notes_and_links_are_warned_of(shelf: Shelf) -> None:
    """A note's text is on the page and flagged; the link is counted and not followed."""
    source = shelf.put(annotated())
    assert flagged(source, 1, SpanFlag.ANNOTATION) == ["Reviewer: check the total"]
    assert codes(source, 1) == {"annotations_present", "external_links_present"}
    assert codes(shelf.put(plain(["No notes here."]), "plain.pdf")) == set()


def test_offsets_of_evidence_give_its_text(shelf: Shelf) -> None:
    """char_start and char_end cut the evidence out of the document's text, past page 1 too."""
    source = shelf.put(running_header_footer())
    whole = "\f".join(source.page_text(page.number) for page in source.pages)
    made = quote(source, "the fourth list of volunteers", page=4)
    evidence = made["evidence"]
    assert whole[evidence["char_start"] : evidence["char_end"]] == "the fourth list of volunteers"
    assert (evidence["char_start"], evidence["char_end"]) == place(
        source, "the fourth list of volunteers", 4
    )
    assert report(source, [])["all_evidence_grounded"] is False
