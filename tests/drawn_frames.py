"""Drawn pages whose frame is odd: boxes, rotation, units, labels, text at or over the edge."""

from pdf_writer import Pdf

ANCHOR = "Anchor words here"
TURNS = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}


def r1() -> bytes:
    """CropBox [100 200 512 700]; "Anchor words here" at 150, 600: 50 and about 91 down inside."""
    pdf = Pdf()
    pdf.page(crop_box=(100, 200, 512, 700)).text(150, 600, 12, ANCHOR)
    return pdf.to_bytes()


def r2() -> bytes:
    """MediaBox [-50 -60 562 732]; "Anchor words here" at 150, 600: 200 from the left edge."""
    pdf = Pdf()
    pdf.page((-50, -60, 562, 732)).text(150, 600, 12, ANCHOR)
    return pdf.to_bytes()


def r3(rotate: int = 90, *, turned: bool = False) -> bytes:
    """/Rotate `rotate`, "Anchor words here" at 150, 600; turned: upright once displayed.

    The turned run starts at 300, 300 with the matrix that undoes the rotation.
    """
    pdf = Pdf()
    page = pdf.page(rotate=rotate)
    if turned:
        page.text(300, 300, 12, ANCHOR, matrix=TURNS[rotate])
    else:
        page.text(150, 600, 12, ANCHOR)
    return pdf.to_bytes()


def r20() -> bytes:
    """Five pages, "Body of sheet one" to "five" at 72, 700, labelled i, ii, iii, 1, 2."""
    pdf = Pdf()
    for word in ("one", "two", "three", "four", "five"):
        pdf.page().text(72, 700, 12, f"Body of sheet {word}")
    pdf.page_labels([(0, "r", "", 1), (3, "D", "", 1)])
    return pdf.to_bytes()


def r23() -> bytes:
    """2,500 runs of one letter, 9 points, at scattered places that are always the same."""
    pdf = Pdf()
    page = pdf.page()
    state = 1
    for at in range(2500):
        state = (1103515245 * state + 12345) % 2**31
        x = 20 + (state >> 8) % 57000 / 100
        state = (1103515245 * state + 12345) % 2**31
        page.text(x, 20 + (state >> 8) % 75000 / 100, 9, chr(97 + at % 26))
    return pdf.to_bytes()


def r23b() -> bytes:
    """A page of 14400 x 14400 with UserUnit 10, "Giant sheet" in 400 at 1000, 12000."""
    pdf = Pdf()
    page = pdf.page((0, 0, 14400, 14400), user_unit=10)
    page.text(1000, 12000, 400, "Giant sheet")
    page.frame(1000, 9000, 4000, 2000, line=20)
    return pdf.to_bytes()


def text_outside_page() -> bytes:
    """Visible "Inside the page" at 72, 700; "Outside the page" at 700, 700 and at 72, 900."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Inside the page")
    page.text(700, 700, 12, "Outside the page")
    page.text(72, 900, 12, "Above the page")
    return pdf.to_bytes()


def text_cut_by_crop() -> bytes:
    """CropBox [0 0 200 792]; "This line straddles the edge" at 120, 700; "Whole" at 72, 660."""
    pdf = Pdf()
    page = pdf.page(crop_box=(0, 0, 200, 792))
    page.text(120, 700, 12, "This line straddles the edge")
    page.text(72, 660, 12, "Whole")
    return pdf.to_bytes()
