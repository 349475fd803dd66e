"""What nobody sees is kept, flagged, and never grounds a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from drawn import (
    covered_text,
    plain,
    r14,
    r14_ocr_layer,
    tiny_text,
    white_on_dark,
    white_on_white,
)
from pdf_writer import WHITE, Page, Pdf, text_width
from raster import typed_page
from reading import GROUNDED, Shelf, check, codes, flagged, quote, report, value, verdict

from grounding.model import SpanFlag

LETTER = (612, 792)
NEVER = ("mismatch", "hidden_text")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def redacted() -> bytes:
    """ "Settled for 4,100 EUR" at 72, 700 under a black bar; "Costs were 5,200 EUR" below it."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Settled for 4,100 EUR")
    page.rect(70, 694, 200, 18)
    page.text(72, 670, 12, "Costs were 5,200 EUR")
    return pdf.to_bytes()


def transparent() -> bytes:
    """ "Plain words here" at 72, 700, "Clear words here" at 72, 680 in a state of zero opacity."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Plain words here")
    state = pdf.objects.add("<</Type /ExtGState /ca 0 /CA 0>>")
    page._use("ExtGState", "Clear", state)
    page.raw("/Clear gs")
    page.text(72, 680, 12, "Clear words here")
    return pdf.to_bytes()


HIDDEN = [
    (r14, "Grant ceiling: 3 EUR", SpanFlag.HIDDEN, "Grant ceiling: 76,500 EUR"),
    (r14, "Grant ceiling: 9,999 EUR", SpanFlag.LOW_CONTRAST, "Grant ceiling: 76,500 EUR"),
    (white_on_white, "Unseen words", SpanFlag.LOW_CONTRAST, "Visible words"),
    (covered_text, "Covered sum 4,100", SpanFlag.HIDDEN, "Open sum 5,200"),
    (redacted, "Settled for 4,100 EUR", SpanFlag.HIDDEN, "Costs were 5,200 EUR"),
    (tiny_text, "Unreadable words", SpanFlag.HIDDEN, "Readable words"),
    (transparent, "Clear words here", SpanFlag.HIDDEN, "Plain words here"),
]
each_trick = pytest.mark.parametrize(
    ("draw", "unseen", "flag", "seen"),
    HIDDEN,
    ids=["mode 3", "white", "white on white", "covered", "redacted", "tiny", "transparent"],
)
Draw = Callable[[], bytes]


@each_trick
def test_a_quote_of_hidden_text_is_never_grounded(
    shelf: Shelf, draw: Draw, unseen: str, flag: SpanFlag, seen: str
) -> None:
    """The line is flagged, its quote is `hidden_text`; the visible line beside it is grounded."""
    source = shelf.put(draw())
    assert unseen in flagged(source, 1, flag)
    assert seen not in flagged(source, 1, flag)
    assert verdict(quote(source, unseen, page=1)) == NEVER
    assert verdict(quote(source, unseen)) == NEVER
    assert verdict(quote(source, seen, page=1)) == GROUNDED


@each_trick
def test_hidden_text_stays_ungrounded_when_cited_directly(
    shelf: Shelf, draw: Draw, unseen: str, flag: SpanFlag, seen: str
) -> None:
    """Neither its span, its element, its offsets nor its box make it evidence."""
    source = shelf.put(draw())
    text = source.page_text(1)
    at = text.index(unseen)
    span = next(s for s in source.spans(1) if s.start == at)
    element = next(e for e in source.elements(1) if e.start <= at < e.end)
    box = span.box.as_list()
    for citation in (
        {"span_id": span.id},
        {"element_id": element.id},
        {"page": 1, "char_start": at, "char_end": at + len(unseen)},
        {"page": 1, "bbox": box},
    ):
        made = quote(source, unseen, **citation)
        assert verdict(made) == NEVER, citation
    assert verdict(check(source, {"kind": "region", "text": unseen}, page=1, bbox=box)) == NEVER
    assert verdict(check(source, {"kind": "presence", "text": unseen}, page=1)) == NEVER


@pytest.mark.parametrize("wrong", ["3", "3 EUR", "9,999", "EUR 9,999"])
def test_hidden_numbers_are_no_values(shelf: Shelf, wrong: str) -> None:
    """Of three ceilings only the visible one is the document's."""
    source = shelf.put(r14())
    assert verdict(value(source, "76,500 EUR", page=1)) == GROUNDED
    assert value(source, wrong, page=1)["status"] == "mismatch"


@each_trick
def test_a_place_that_shows_nothing_is_not_present(
    shelf: Shelf, draw: Draw, unseen: str, flag: SpanFlag, seen: str
) -> None:
    """A box or span that holds hidden text alone has nothing printed in it."""
    source = shelf.put(draw())
    start = source.page_text(1).index(unseen)
    span = next(s for s in source.spans(1) if s.start == start)
    other = next(s for s in source.spans(1) if s.start == source.page_text(1).index(seen))
    for made in (
        check(source, {"kind": "region"}, page=1, bbox=span.box.as_list()),
        check(source, {"kind": "presence"}, span_id=span.id),
    ):
        assert made["status"] != "grounded"
    assert check(source, {"kind": "region"}, page=1, bbox=other.box.as_list())["status"] == (
        "grounded"
    )


def test_hidden_and_pale_text_are_warned_of(shelf: Shelf) -> None:
    """The page, and every check on it, says that something is hidden there."""
    source = shelf.put(r14())
    assert codes(source, 1) == {"hidden_text_detected", "low_contrast_text_detected"}
    made = quote(source, "Grant ceiling: 76,500 EUR", page=1)
    assert made["warnings"] == ["hidden_text_detected", "low_contrast_text_detected"]
    assert codes(shelf.put(plain(["Nothing hidden."]), "plain.pdf")) == set()


def test_white_on_dark_is_visible(shelf: Shelf) -> None:
    """A heading in white on a dark bar is as good as black on white."""
    source = shelf.put(white_on_dark())
    assert codes(source, 1) == set()
    assert verdict(quote(source, "Clearly visible words", page=1)) == GROUNDED


def test_a_cover_that_was_painted_first_hides_nothing(shelf: Shelf) -> None:
    """A black bar under black type hides it, a pale bar under it does not."""
    pdf = Pdf()
    page = pdf.page()
    page.rect(70, 694, 200, 18, (0.9, 0.9, 0.8))
    page.text(72, 700, 12, "Shaded sum 4,100")
    page.rect(70, 664, 200, 18)
    page.text(72, 670, 12, "Blackened sum 5,200")
    source = shelf.put(pdf.to_bytes())
    assert verdict(quote(source, "Shaded sum 4,100", page=1)) == GROUNDED
    assert quote(source, "Blackened sum 5,200", page=1)["status"] != "grounded"


def barred(*, before: bool, bar: tuple[float, float, float], rotate: int = 0) -> bytes:
    """A sentence in three runs of one style, a bar over or (drawn before it) under the name."""
    pdf = Pdf()
    page = pdf.page(rotate=rotate)
    x = 72 + text_width("Helvetica", 12, "The witness ")
    end = x + text_width("Helvetica", 12, "Robin Example ")
    if before:
        page.rect(x - 1, 694, end - x - 1, 18, bar)
    page.text(72, 700, 12, "The witness ")
    page.text(x, 700, 12, "Robin Example ")
    page.text(end, 700, 12, "was heard in June.")
    if not before:
        page.rect(x - 1, 694, end - x - 1, 18, bar)
    return pdf.to_bytes()


BLACK, YELLOW = (0.0, 0.0, 0.0), (1.0, 1.0, 0.4)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("before", [True, False], ids=["under", "over"])
def test_a_name_in_a_black_bar_is_hidden_and_its_sentence_is_not(
    shelf: Shelf, before: bool, rotate: int
) -> None:
    """A bar over one run leaves the rest readable; black type on a black bar is hidden as well."""
    source = shelf.put(barred(before=before, bar=BLACK, rotate=rotate))
    flag = SpanFlag.LOW_CONTRAST if before else SpanFlag.HIDDEN
    assert [text.strip() for text in flagged(source, 1, flag)] == ["Robin Example"]
    for hidden in ("witness Robin Example", "Robin Example was heard", "Robin Example"):
        assert verdict(quote(source, hidden, page=1)) == NEVER
    assert verdict(quote(source, "was heard in June", page=1)) == GROUNDED


def test_a_name_on_a_yellow_marker_is_visible(shelf: Shelf) -> None:
    """Under the type it is a highlight; over it, opaque, it hides the name."""
    under = shelf.put(barred(before=True, bar=YELLOW))
    over = shelf.put(barred(before=False, bar=YELLOW), "over.pdf")
    assert verdict(quote(under, "The witness Robin Example was heard", page=1)) == GROUNDED
    assert codes(under, 1) == set()
    assert verdict(quote(over, "The witness Robin Example was heard", page=1)) == NEVER


# OCR layers


def test_an_ocr_layer_grounds_with_a_warning(shelf: Shelf) -> None:
    """Mode-3 text over a page-size image is what OCR read, not a hidden message."""
    source = shelf.put(r14_ocr_layer())
    assert flagged(source, 1, SpanFlag.OCR) == [
        "Grant ceiling: 76,500 EUR",
        "Decided on 4 June 2024.",
    ]
    assert flagged(source, 1, SpanFlag.HIDDEN) == []
    made = quote(source, "Grant ceiling: 76,500 EUR", page=1)
    assert verdict(made) == GROUNDED
    assert "ocr_text" in made["warnings"]
    assert "ocr_text" in report(source, [])["warnings"]
    assert quote(source, "Grant ceiling: 76,800 EUR", page=1)["status"] == "mismatch"


CLAIMS = [
    {"kind": "quote", "text": "Grant ceiling: 76,500 EUR"},
    {"kind": "value", "value": "76,500 EUR"},
    {"kind": "presence", "text": "Decided on 4 June 2024."},
    {"kind": "region", "text": "Decided on 4 June 2024."},
]
each_kind = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["kind"])


@each_kind
def test_every_kind_of_claim_on_an_ocr_layer_warns(shelf: Shelf, claim: dict[str, str]) -> None:
    """Whoever cites what OCR read is told so."""
    source = shelf.put(r14_ocr_layer())
    made = check(source, claim, page=1, bbox=[0, 0, 61_200, 79_200])
    assert verdict(made) == GROUNDED
    assert "ocr_text" in made["warnings"]


@each_kind
def test_the_strict_preset_does_not_accept_what_ocr_read(
    shelf: Shelf, claim: dict[str, str]
) -> None:
    """Under `strict` the page cannot prove it: blocked, not "not there"."""
    source = shelf.put(r14_ocr_layer())
    cited = {**claim, "citation": {"page": 1, "bbox": [0, 0, 61_200, 79_200]}}
    pin = source.identity.source_fingerprint
    made = report(source, [cited], "strict", document_fingerprint=pin)["checks"][0]
    assert verdict(made) == ("capability_blocked", "page_without_text")


@each_kind
def test_the_strict_preset_accepts_text_of_the_same_words(
    shelf: Shelf, claim: dict[str, str]
) -> None:
    """Printed, the same claims are grounded under `strict`."""
    source = shelf.put(plain(["Grant ceiling: 76,500 EUR", "Decided on 4 June 2024."]))
    cited = {**claim, "citation": {"page": 1, "bbox": [0, 0, 61_200, 79_200]}}
    pin = source.identity.source_fingerprint
    made = report(source, [cited], "strict", document_fingerprint=pin)["checks"][0]
    assert verdict(made) == GROUNDED
    assert made["warnings"] == []


def scanned(draw: Callable[[Page], None]) -> bytes:
    """A page-size picture of "The scanned line", and what `draw` puts over it."""
    pdf = Pdf()
    page = pdf.page()
    picture = typed_page((1020, 1320), [(120, 153, "The scanned line")])
    page.image(0, 0, *LETTER, picture, (1020, 1320))
    draw(page)
    return pdf.to_bytes()


def test_invisible_text_where_the_scan_shows_nothing_is_hidden(shelf: Shelf) -> None:
    """An OCR layer stands over type; a line over blank paper was slipped in."""

    def draw(page: Page) -> None:
        page.text(72, 690, 12, "The scanned line", font="Courier", render_mode=3)
        page.text(72, 300, 12, "The slipped line", font="Courier", render_mode=3)

    source = shelf.put(scanned(draw))
    assert flagged(source, 1, SpanFlag.OCR) == ["The scanned line"]
    assert flagged(source, 1, SpanFlag.HIDDEN) == ["The slipped line"]
    assert verdict(quote(source, "The scanned line", page=1)) == GROUNDED
    assert verdict(quote(source, "The slipped line", page=1)) == NEVER


def test_invisible_text_beside_a_small_picture_is_hidden(shelf: Shelf) -> None:
    """A logo does not make a page a scan."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 740, 12, "The letter itself says nothing of money.")
    page.image(400, 600, 100, 50, bytes([90] * 100 * 50), (100, 50))
    page.text(72, 640, 12, "Pay 5,000 EUR today", render_mode=3)
    source = shelf.put(pdf.to_bytes())
    assert verdict(quote(source, "Pay 5,000 EUR today", page=1)) == NEVER


def test_text_of_no_colour_but_with_an_outline_is_visible(shelf: Shelf) -> None:
    """Render mode 1 draws outlines: a reader sees them."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "Outlined words here", render_mode=1)
    source = shelf.put(pdf.to_bytes())
    assert flagged(source, 1, SpanFlag.HIDDEN) == []
    assert verdict(quote(source, "Outlined words here", page=1)) == GROUNDED


def test_pale_type_that_can_still_be_read_is_visible(shelf: Shelf) -> None:
    """Grey on white is pale and not hidden; white on white is."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Pale grey words", rgb=(0.8, 0.8, 0.8))
    page.text(72, 680, 12, "Paper white words", rgb=WHITE)
    source = shelf.put(pdf.to_bytes())
    assert verdict(quote(source, "Pale grey words", page=1)) == GROUNDED
    assert verdict(quote(source, "Paper white words", page=1)) == NEVER
