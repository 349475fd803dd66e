"""What was painted over, patched or made too faint is unseen; marks that leave type readable are
harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from drawn_hidden import covered_text
from pdf_writer import WHITE, Page, Pdf, Rgb, stream, text_width
from reading import GROUNDED, Shelf, check, quote, value, verdict

from grounding.source import GroundingSource

NEVER = ("mismatch", "hidden_text")
BLACK: Rgb = (0.0, 0.0, 0.0)
EVERYWHERE = [0, 0, 61_200, 79_200]
SENTENCE, COVERED, AMOUNT = "Settled for 4,100 EUR", "Settled for", "4,100"
"""The line at 72, 700 of most pages here, 12 points; 5,200 stands openly below it."""


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def drawn(*draws: Callable[[Pdf, Page], None]) -> bytes:
    """A page with an open line at y 640, "Costs were 5,200 EUR then", and what `draws` draw."""
    pdf = Pdf()
    page = pdf.page()
    for draw in draws:
        draw(pdf, page)
    page.text(72, 640, 12, "Costs were 5,200 EUR then")
    return pdf.to_bytes()


def sentence(pdf: Pdf, page: Page) -> None:
    page.text(72, 700, 12, SENTENCE)


def span_of(text: str, word: str, size: float = 12, x: float = 72) -> tuple[float, float]:
    """Left end and width of a word of a Helvetica line that starts at x."""
    left = x + text_width("Helvetica", size, text[: text.index(word)])
    return left, text_width("Helvetica", size, word)


def assert_unseen(source: GroundingSource, words: str, amount: str | None = None) -> None:
    """No kind of claim grounds the words or the amount; each says that they are hidden."""
    assert verdict(quote(source, words, page=1)) == NEVER
    assert verdict(quote(source, words)) == NEVER
    assert verdict(check(source, {"kind": "presence", "text": words}, page=1)) == NEVER
    region = {"kind": "region", "text": words}
    assert verdict(check(source, region, page=1, bbox=EVERYWHERE)) == NEVER
    if amount is not None:
        assert verdict(value(source, amount, page=1)) == NEVER
        assert verdict(value(source, amount)) == NEVER


def assert_seen(source: GroundingSource, words: str, amount: str | None = None) -> None:
    """Every kind of claim grounds the words, and a value the amount."""
    assert verdict(quote(source, words, page=1)) == GROUNDED
    assert verdict(check(source, {"kind": "presence", "text": words}, page=1)) == GROUNDED
    region = {"kind": "region", "text": words}
    assert verdict(check(source, region, page=1, bbox=EVERYWHERE)) == GROUNDED
    if amount is not None:
        assert verdict(value(source, amount, page=1)) == GROUNDED


def assert_open_line(source: GroundingSource) -> None:
    assert_seen(source, "Costs were 5,200 EUR", "5,200 EUR")


# Bars that hug the glyphs


@pytest.mark.parametrize("grey", [0.0, 0.5, 0.8], ids=["black", "grey", "pale"])
@pytest.mark.parametrize("size", [8, 12, 24])
def test_a_bar_no_higher_than_the_glyphs_hides_an_amount(
    shelf: Shelf, size: float, grey: float
) -> None:
    """At 12 points the bar reaches from 695 to 709; words beside it stay readable."""
    text = "Settled for 4,100 EUR in early June"

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, size, text)
        left, width = span_of(text, AMOUNT, size)
        page.rect(left, 700 - 5 * size / 12, width, 14 * size / 12, (grey, grey, grey))

    source = shelf.put(drawn(draw))
    assert_unseen(source, "Settled for 4,100 EUR", AMOUNT)
    assert_seen(source, "EUR in early June")
    assert_open_line(source)


@pytest.mark.parametrize("grey", [0.0, 0.5, 1.0], ids=["black", "grey", "white"])
@pytest.mark.parametrize("size", [8, 12, 24])
def test_a_bar_over_half_a_line_hides_that_half(shelf: Shelf, size: float, grey: float) -> None:
    """The first half cannot be read, the second can."""
    text = "Settled for 4,100 EUR in early June"

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, size, text)
        left, width = span_of(text, "Settled for 4,100", size)
        page.rect(left, 700 - 5 * size / 12, width, 14 * size / 12, (grey, grey, grey))

    source = shelf.put(drawn(draw))
    assert_unseen(source, "Settled for 4,100", AMOUNT)
    assert_seen(source, "EUR in early June")
    assert_open_line(source)


# Patches: something else is printed on the cover


@pytest.mark.parametrize("ground", [WHITE, BLACK], ids=["white", "black"])
def test_an_amount_that_was_patched_over_is_the_new_one(shelf: Shelf, ground: Rgb) -> None:
    """9.75 stands where 3.50 was."""
    text = "The yearly rate is 3.50 percent of the loan"

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, text)
        left, width = span_of(text, "3.50")
        page.rect(left, 695, width, 14, ground)
        page.text(left, 700, 12, "9.75", rgb=BLACK if ground == WHITE else WHITE)

    source = shelf.put(drawn(draw))
    assert quote(source, "yearly rate is 3.50 percent", page=1)["status"] == "mismatch"
    assert value(source, "3.50", page=1)["status"] == "mismatch"
    assert value(source, "3.50")["status"] != "grounded"
    assert verdict(value(source, "9.75", page=1)) == GROUNDED
    assert_seen(source, "percent of the loan")
    assert_open_line(source)


def test_a_patched_amount_is_read_in_its_line(shelf: Shelf) -> None:
    """A quote with the new amount is what a reader sees."""
    text = "The yearly rate is 3.50 percent of the loan"

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, text)
        left, width = span_of(text, "3.50")
        page.rect(left, 695, width, 14, WHITE)
        page.text(left, 700, 12, "9.75")

    source = shelf.put(drawn(draw))
    assert verdict(quote(source, "yearly rate is 9.75 percent", page=1)) == GROUNDED


def test_a_single_digit_that_was_patched_over_changes_the_amount(shelf: Shelf) -> None:
    """1,234 with a 9 over its 2 is not 1,234 any more."""
    text = "The entry fee is 1,234 EUR a year"

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, text)
        left, width = span_of(text, "2")
        page.rect(left, 695, width, 14, WHITE)
        page.text(left, 700, 12, "9")

    source = shelf.put(drawn(draw))
    assert quote(source, "entry fee is 1,234 EUR", page=1)["status"] != "grounded"
    assert value(source, "1,234", page=1)["status"] != "grounded"
    assert value(source, "1,234 EUR")["status"] != "grounded"
    assert_open_line(source)


@pytest.mark.parametrize("ground", [WHITE, BLACK], ids=["white", "black"])
def test_a_line_that_was_retyped_on_a_cover_is_the_new_one(shelf: Shelf, ground: Rgb) -> None:
    """The old wording is hidden, the new one is the document's."""

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, "The fee is 500 EUR a year")
        page.rect(70, 695, 160, 14, ground)
        ink = BLACK if ground == WHITE else WHITE
        page.text(72, 700, 12, "The fee is 980 EUR a year", rgb=ink)

    source = shelf.put(drawn(draw))
    assert_unseen(source, "The fee is 500 EUR", "500 EUR")
    assert_seen(source, "The fee is 980 EUR", "980 EUR")
    assert_open_line(source)


def test_a_label_on_a_black_bar_does_not_show_what_is_below(shelf: Shelf) -> None:
    """The contrast of a white "REDACTED" is no contrast of the sentence that the bar covers."""

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, "Settled for 4,100 EUR in the month of June")
        page.rect(70, 694, 260, 18)
        page.text(150, 700, 12, "REDACTED", rgb=WHITE)

    source = shelf.put(drawn(draw))
    assert_unseen(source, "Settled for 4,100", AMOUNT)
    assert_open_line(source)


def test_a_table_cell_that_was_patched_over_is_the_new_one(shelf: Shelf) -> None:
    """The page shows 650; the 480 below the patch is hidden, and no cell holds it."""

    def draw(pdf: Pdf, page: Page) -> None:
        for row, (name, amount) in enumerate(
            (("Name", "Amount"), ("Boats", "480"), ("Nets", "75"))
        ):
            page.text(76, 740 - 24 * row, 11, name)
            page.text(206, 740 - 24 * row, 11, amount)
        for row in range(4):
            page.line(72, 756 - 24 * row, 332, 756 - 24 * row)
        for x in (72, 202, 332):
            page.line(x, 756, x, 684)
        page.rect(204, 711, 60, 16, WHITE)
        page.text(206, 716, 11, "650")

    source = shelf.put(drawn(draw))
    assert verdict(value(source, "480", page=1)) == NEVER
    assert verdict(value(source, "650", page=1)) == GROUNDED
    (table,) = source.tables(1)
    cell = {"table_id": table.id, "cell": {"row": 1, "col": 1}}
    old = check(source, {"kind": "table_cell", "value": "480"}, **cell)
    assert old["status"] != "grounded"
    new = check(source, {"kind": "table_cell", "value": "650"}, **cell)
    assert verdict(new) == GROUNDED


# Other ways to paint over a line


def thick_stroke(rgb: Rgb) -> Callable[[Pdf, Page], None]:
    def draw(pdf: Pdf, page: Page) -> None:
        page.line(70, 703, 270, 703, 16, rgb)

    return draw


def nearly_black(pdf: Pdf, page: Page) -> None:
    page._use("ExtGState", "Veil", pdf.objects.add("<</Type /ExtGState /ca 0.97>>"))
    page.raw("q /Veil gs 0 g 70 694 200 18 re f Q")


def image_mask(pdf: Pdf, page: Page) -> None:
    body = stream(
        b"\0",
        "/Type /XObject /Subtype /Image /Width 8 /Height 1 /ImageMask true /BitsPerComponent 1",
    )
    page._use("XObject", "Mask", pdf.objects.add(body))
    page.raw("q 0 g 200 0 0 18 70 694 cm /Mask Do Q")


def inline_image(pdf: Pdf, page: Page) -> None:
    page.raw("q 200 0 0 18 70 694 cm\nBI /W 1 /H 1 /CS /G /BPC 8 ID x\nEI Q")


def shading(pdf: Pdf, page: Page) -> None:
    body = (
        "<</ShadingType 2 /ColorSpace /DeviceRGB /Coords [70 0 270 0] /Extend [true true]"
        " /Function <</FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [0 0 0] /N 1>>>>"
    )
    page._use("Shading", "Dark", pdf.objects.add(body))
    page.raw("q 70 694 200 18 re W n /Dark sh Q")


def tiling(pdf: Pdf, page: Page) -> None:
    body = stream(
        b"0 g 0 0 10 10 re f",
        "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10]"
        " /XStep 10 /YStep 10 /Resources <<>>",
    )
    page._use("Pattern", "Tiles", pdf.objects.add(body))
    page.raw("q /Pattern cs /Tiles scn 70 694 200 18 re f Q")


def form(pdf: Pdf, page: Page) -> None:
    body = stream(b"0 g 0 0 200 18 re f", "/Type /XObject /Subtype /Form /BBox [0 0 200 18]")
    page._use("XObject", "Bar", pdf.objects.add(body))
    page.raw("q 1 0 0 1 70 694 cm /Bar Do Q")


PAINTS = {
    "black stroke": thick_stroke(BLACK),
    "white stroke": thick_stroke(WHITE),
    "97 % black": nearly_black,
    "image mask": image_mask,
    "inline image": inline_image,
    "shading": shading,
    "tiling pattern": tiling,
    "form": form,
}


@pytest.mark.parametrize("paint", PAINTS.values(), ids=PAINTS)
def test_whatever_paints_over_a_line_hides_it(
    shelf: Shelf, paint: Callable[[Pdf, Page], None]
) -> None:
    """Strokes, veils, images, shadings and patterns cover as well as rectangles do."""
    source = shelf.put(drawn(sentence, paint))
    assert_unseen(source, SENTENCE, AMOUNT)
    assert_open_line(source)


@pytest.mark.parametrize("paint", PAINTS.values(), ids=PAINTS)
def test_the_same_paint_beside_a_line_hides_nothing(
    shelf: Shelf, paint: Callable[[Pdf, Page], None]
) -> None:
    """A bar in the margin of a page, whatever it is made of."""

    def moved(pdf: Pdf, page: Page) -> None:
        page.raw("q 1 0 0 1 200 -300 cm")
        paint(pdf, page)
        page.raw("Q")

    source = shelf.put(drawn(sentence, moved))
    assert_seen(source, SENTENCE, AMOUNT)
    assert_open_line(source)


def test_a_white_picture_over_the_whole_page_hides_all_that_was_drawn_before(shelf: Shelf) -> None:
    """What is drawn afterwards stands on it and is seen."""

    def paint(pdf: Pdf, page: Page) -> None:
        page.image(0, 0, 612, 792, bytes([255] * 64), (8, 8))

    source = shelf.put(drawn(sentence, paint))
    assert_unseen(source, SENTENCE, AMOUNT)
    assert_open_line(source)


def test_a_picture_that_was_drawn_first_hides_nothing(shelf: Shelf) -> None:
    """Letter paper with a pale ground is read as paper."""

    def paint(pdf: Pdf, page: Page) -> None:
        page.image(0, 0, 612, 792, bytes([240] * 64), (8, 8))

    source = shelf.put(drawn(paint, sentence))
    assert_seen(source, SENTENCE, AMOUNT)


# Text that does not show


@pytest.mark.parametrize(("alpha", "shown"), [("0.02", False), ("0.9", True)])
def test_text_of_hardly_any_opacity_is_hidden(shelf: Shelf, alpha: str, shown: bool) -> None:
    """2 % of black on white is nothing that is seen; 90 % is."""

    def draw(pdf: Pdf, page: Page) -> None:
        state = pdf.objects.add(f"<</Type /ExtGState /ca {alpha} /CA {alpha}>>")
        page._use("ExtGState", "Faint", state)
        page.raw("q /Faint gs")
        page.text(72, 700, 12, SENTENCE)
        page.raw("Q")

    source = shelf.put(drawn(draw))
    (assert_seen if shown else assert_unseen)(source, SENTENCE, AMOUNT)
    assert_open_line(source)


def type3(pdf: Pdf, procedure: bytes) -> int:
    """A Type3 font whose every glyph is drawn by `procedure` and read as plain ASCII."""
    glyph = pdf.objects.add(stream(procedure))
    codes = range(32, 127)
    pairs = "\n".join(f"<{code:02X}> <{code:04X}>" for code in codes)
    cmap = pdf.objects.add(
        stream(
            (
                "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
                "/CMapName /Plain def /CMapType 2 def\n"
                "1 begincodespacerange <00> <FF> endcodespacerange\n"
                f"{len(codes)} beginbfchar\n{pairs}\nendbfchar\n"
                "endcmap CMapName currentdict /CMap defineresource pop end end"
            ).encode()
        )
    )
    return pdf.objects.add(
        "<</Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0]"
        f" /CharProcs <</g {glyph} 0 R>> /FirstChar 32 /LastChar 126"
        f" /Encoding <</Type /Encoding /Differences [32{' /g' * len(codes)}]>>"
        f" /Widths [{' 600' * len(codes)}] /Resources <<>> /ToUnicode {cmap} 0 R>>"
    )


BITMAP = (
    b"600 0 0 0 600 700 d1 q 500 0 0 700 0 0 cm BI /W 8 /H 4 /IM true ID \x18\x3c\x66\x7e\nEI Q"
)


@pytest.mark.parametrize(
    ("procedure", "shown"),
    [
        (b"600 0 d0", False),
        (b"600 0 0 0 600 700 d1", False),
        (b"600 0 0 0 600 700 d1 60 0 120 700 re 280 0 120 700 re f", True),
        (BITMAP, True),
    ],
    ids=["empty", "empty, one colour", "drawn", "bitmap"],
)
def test_a_drawn_font_shows_what_its_procedures_draw(
    shelf: Shelf, procedure: bytes, shown: bool
) -> None:
    """Text in a Type3 font of empty glyphs is read by programs alone."""

    def draw(pdf: Pdf, page: Page) -> None:
        page.use_font("T3", type3(pdf, procedure))
        page.raw(f"BT /T3 12 Tf 0 g 72 700 Td ({SENTENCE}) Tj ET")

    source = shelf.put(drawn(draw))
    (assert_seen if shown else assert_unseen)(source, SENTENCE, AMOUNT)
    assert_open_line(source)


def test_two_different_texts_in_one_place_are_both_unreadable(shelf: Shelf) -> None:
    """500 and 980 printed over each other prove neither."""

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, "The fee is 500 EUR a year")
        page.text(72, 700, 12, "The fee is 980 EUR a year")

    source = shelf.put(drawn(draw))
    assert_unseen(source, "The fee is 500 EUR", "500 EUR")
    assert_unseen(source, "The fee is 980 EUR", "980 EUR")
    assert_open_line(source)


# What hides nothing


def test_the_line_of_a_form_under_a_filled_word_hides_neither(shelf: Shelf) -> None:
    """Underscores in the same place are there to write on."""

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, "Name")
        page.text(172, 700, 12, "_" * 25)
        page.text(176, 701, 12, "Robin Example Farm")

    source = shelf.put(drawn(draw))
    assert_seen(source, "Robin Example Farm")
    assert_open_line(source)


def test_a_multiplied_highlight_hides_nothing(shelf: Shelf) -> None:
    """A marker drawn after the text lets it show through."""

    def draw(pdf: Pdf, page: Page) -> None:
        sentence(pdf, page)
        state = pdf.objects.add("<</Type /ExtGState /BM /Multiply>>")
        page._use("ExtGState", "Marker", state)
        page.raw("q /Marker gs 1 1 0.2 rg 70 694 200 18 re f Q")

    source = shelf.put(drawn(draw))
    assert_seen(source, SENTENCE, AMOUNT)
    assert_open_line(source)


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.6])
def test_a_line_printed_twice_to_make_it_bold_is_read_once(shelf: Shelf, shift: float) -> None:
    """The same words in one place are one line, and readable."""

    def draw(pdf: Pdf, page: Page) -> None:
        page.text(72, 700, 12, SENTENCE)
        page.text(72 + shift, 700, 12, SENTENCE)

    source = shelf.put(drawn(draw))
    assert_seen(source, SENTENCE, AMOUNT)
    assert quote(source, SENTENCE, page=1)["match"]["occurrences"] == 1


@pytest.mark.parametrize("y", [697.5, 704.0], ids=["underline", "strike-through"])
@pytest.mark.parametrize("width", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("filled", [True, False], ids=["filled", "stroked"])
def test_a_thin_rule_over_a_line_hides_nothing(
    shelf: Shelf, y: float, width: float, filled: bool
) -> None:
    """Underlined and struck-out words can be read."""

    def draw(pdf: Pdf, page: Page) -> None:
        sentence(pdf, page)
        if filled:
            page.rect(70, y - width / 2, 140, width)
        else:
            page.line(70, y, 210, y, width)

    source = shelf.put(drawn(draw))
    assert_seen(source, SENTENCE, AMOUNT)
    assert_open_line(source)


def test_shaded_rows_drawn_before_their_text_hide_nothing(shelf: Shelf) -> None:
    """Dark and pale bands under the rows of a table, with type that stands out on them."""

    def draw(pdf: Pdf, page: Page) -> None:
        rows = (("Boats in use", "480"), ("Nets in use", "75"), ("Crews at sea", "31"))
        for row, grey in enumerate((0.2, 0.85, 1.0)):
            page.rect(70, 694 - 18 * row, 300, 18, (grey, grey, grey))
        for row, (name, amount) in enumerate(rows):
            ink = WHITE if row == 0 else BLACK
            page.text(76, 700 - 18 * row, 11, name, rgb=ink)
            page.text(300, 700 - 18 * row, 11, amount, rgb=ink)

    source = shelf.put(drawn(draw))
    for words, amount in (("Boats in use", "480"), ("Nets in use", "75"), ("Crews at sea", "31")):
        assert_seen(source, words, amount)


def test_the_covered_line_of_the_samples_is_unseen_in_every_kind_of_claim(shelf: Shelf) -> None:
    """A white rectangle over black type; the line below it is open."""
    source = shelf.put(covered_text())
    assert_unseen(source, "Covered sum 4,100", "4,100")
    assert_seen(source, "Open sum 5,200", "5,200")
