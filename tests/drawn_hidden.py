"""Drawn text that a reader cannot see, and pages whose text is only an image."""

from collections.abc import Sequence

from pdf_writer import WHITE, Page, Pdf
from raster import typed_page


def r14() -> bytes:
    """At x 72: y 700 visible "Grant ceiling: 76,500 EUR"; y 680 mode 3 and y 660 white, both lies.

    The hidden lines are "Grant ceiling: 3 EUR" and "Grant ceiling: 9,999 EUR".
    """
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Grant ceiling: 76,500 EUR")
    page.text(72, 680, 12, "Grant ceiling: 3 EUR", render_mode=3)
    page.text(72, 660, 12, "Grant ceiling: 9,999 EUR", rgb=WHITE)
    return pdf.to_bytes()


def r14_ocr_layer() -> bytes:
    """A page-size gray image of two typed lines, and the same lines in mode 3 Courier 12 over it.

    They are "Grant ceiling: 76,500 EUR" and "Decided on 4 June 2024.", baselines y 690 and 666.
    """
    pdf = Pdf()
    page = pdf.page()
    lines = ("Grant ceiling: 76,500 EUR", "Decided on 4 June 2024.")
    _place_scan(page, lines)
    for at, line in enumerate(lines):
        page.text(72, 690 - 24 * at, 12, line, font="Courier", render_mode=3)
    return pdf.to_bytes()


def r26() -> bytes:
    """Page 1 has "The permit was issued in April 2024." at 72, 700; page 2 is an image of text."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "The permit was issued in April 2024.")
    _place_scan(pdf.page(), ("The permit fee was 940 EUR.",))
    return pdf.to_bytes()


def white_on_white() -> bytes:
    """Black "Visible words" at 72, 700 and white "Unseen words" on the bare page at 72, 680."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Visible words")
    page.text(72, 680, 12, "Unseen words", rgb=WHITE)
    return pdf.to_bytes()


def white_on_dark() -> bytes:
    """White "Clearly visible words" at 72, 700 on a dark blue bar from 60, 690 to 400, 720."""
    pdf = Pdf()
    page = pdf.page()
    page.rect(60, 690, 340, 30, (0.05, 0.1, 0.35))
    page.text(72, 700, 12, "Clearly visible words", rgb=WHITE)
    page.text(72, 660, 12, "Black words below")
    return pdf.to_bytes()


def covered_text() -> bytes:
    """ "Covered sum 4,100" at 72, 700 under a white rectangle; "Open sum 5,200" at 72, 670."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Covered sum 4,100")
    page.rect(70, 694, 200, 18, WHITE)
    page.text(72, 670, 12, "Open sum 5,200")
    return pdf.to_bytes()


def hidden_layer() -> bytes:
    """ "Shown words" at 72, 700; "Layer words" at 72, 680 on an optional layer that is off."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Shown words")
    with page.layer(pdf.layer("Draft", visible=False)):
        page.text(72, 680, 12, "Layer words")
    return pdf.to_bytes()


def tiny_text() -> bytes:
    """ "Readable words" 12 points at 72, 700; "Unreadable words" half a point at 72, 680."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Readable words")
    page.text(72, 680, 0.5, "Unreadable words")
    return pdf.to_bytes()


def _place_scan(page: Page, typed: Sequence[str]) -> None:
    """Fill a page with a 120 dpi image of typed lines that start at 72 points, baseline y 690."""
    lines = [(120, 153 + 40 * at, line) for at, line in enumerate(typed)]
    page.image(0, 0, 612, 792, typed_page((1020, 1320), lines), (1020, 1320))
