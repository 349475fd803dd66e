"""A word that was drawn later than its line is read where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pdf_writer import Pdf, stream, text_width
from reading import GROUNDED, Shelf, quote, value, verdict

SIZE = 12


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


Piece = tuple[float, str]
Pieces = tuple[list[Piece], list[Piece]]
"""(x, text) of what is drawn first, and of what is drawn after everything else."""


def split(*parts: str, late: int) -> Pieces:
    """A line in pieces set side by side, of which one is drawn late."""
    x = 72.0
    first: list[Piece] = []
    last: list[Piece] = []
    for number, part in enumerate(parts):
        (last if number == late else first).append((x, part))
        x += text_width("Helvetica", SIZE, part)
    return first, last


def in_page(pieces: Pieces) -> bytes:
    """The pieces at y 700 with two lines below them drawn in between."""
    pdf = Pdf()
    page = pdf.page()
    for x, text in pieces[0]:
        page.text(x, 700, SIZE, text)
    page.text(72, 680, SIZE, "Notices are sent by letter.")
    page.text(72, 660, SIZE, "Fees fall due in May.")
    for x, text in pieces[1]:
        page.text(x, 700, SIZE, text)
    return pdf.to_bytes()


def in_form(pieces: Pieces) -> bytes:
    """The same, with what is late drawn by a form XObject."""
    pdf = Pdf()
    page = pdf.page()
    for x, text in pieces[0]:
        page.text(x, 700, SIZE, text)
    page.text(72, 680, SIZE, "Notices are sent by letter.")
    page.text(72, 660, SIZE, "Fees fall due in May.")
    drawn = b"".join(
        f"BT /F {SIZE} Tf 0 g {x:.4f} 700 Td ({text}) Tj ET\n".encode() for x, text in pieces[1]
    )
    font = pdf.font("Helvetica")
    body = stream(
        drawn,
        f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources <</Font <</F {font} 0 R>>>>",
    )
    page._use("XObject", "Late", pdf.objects.add(body))
    page.raw("/Late Do")
    return pdf.to_bytes()


each_way = pytest.mark.parametrize("draw", [in_page, in_form])
Draw = Callable[[Pieces], bytes]


@each_way
def test_a_negation_drawn_into_a_gap_is_part_of_its_sentence(shelf: Shelf, draw: Draw) -> None:
    """ "not" in the gap that was left for it: the sentence without it is not the document's."""
    source = shelf.put(draw(split("The tenant may ", "not ", "sublet the upper floor.", late=1)))
    assert verdict(quote(source, "The tenant may not sublet the upper floor", page=1)) == GROUNDED
    assert quote(source, "The tenant may sublet the upper floor", page=1)["status"] != "grounded"
    assert quote(source, "The tenant may sublet the upper floor")["status"] != "grounded"


@each_way
def test_a_sentence_without_the_negation_in_its_gap_is_never_grounded(
    shelf: Shelf, draw: Draw
) -> None:
    """Also where the line is a single run whose spaces leave the gap."""
    gap = " " * 8
    head = "The tenant may"
    x = 72 + text_width("Helvetica", SIZE, head + " ")
    pieces = ([(72.0, f"{head}{gap}sublet the upper floor.")], [(x, "not ")])
    source = shelf.put(draw(pieces))
    assert quote(source, "The tenant may sublet the upper floor", page=1)["status"] != "grounded"
    assert quote(source, "The tenant may sublet the upper floor")["status"] != "grounded"
    assert verdict(quote(source, "Notices are sent by letter.", page=1)) == GROUNDED


@each_way
@pytest.mark.parametrize(
    ("parts", "late", "right", "wrong"),
    [
        (("The result was ", "-", "41.7 tonnes."), 1, "-41.7", "41.7"),
        (("The result was ", "1", "2,500 tonnes."), 1, "12,500", "2,500"),
        (("The rate was 12", ".5", "% of sales."), 1, "12.5%", "12%"),
        (("The cost was $4", " million", " in May."), 1, "$4 million", "$4"),
        (("The cost was $4", " million"), 1, "$4 million", "$4"),
        (("The result was 41.7 tonnes.",), 1, "41.7", "-41.7"),
        (("The result was 2,500 tonnes.",), 1, "2,500", "12,500"),
        (("The rate was 12% of sales.",), 1, "12%", "12.5%"),
        (("The cost was $4 in May.",), 1, "$4", "$4 million"),
    ],
)
def test_what_is_drawn_late_beside_a_number_belongs_to_it(
    shelf: Shelf, draw: Draw, parts: tuple[str, ...], late: int, right: str, wrong: str
) -> None:
    """A sign, a leading digit, a fraction, a scale word; drawn in one go or piece by piece."""
    source = shelf.put(draw(split(*parts, late=late)))
    assert verdict(value(source, right, page=1)) == GROUNDED
    assert value(source, wrong, page=1)["status"] == "mismatch"
    assert value(source, wrong)["status"] != "grounded"


@each_way
def test_a_late_leading_digit_is_part_of_a_quoted_number(shelf: Shelf, draw: Draw) -> None:
    """A quote with 2,500 of 12,500 is another amount."""
    source = shelf.put(draw(split("The result was ", "1", "2,500 tonnes.", late=1)))
    assert verdict(quote(source, "The result was 12,500 tonnes", page=1)) == GROUNDED
    assert quote(source, "The result was 2,500 tonnes", page=1)["status"] != "grounded"


LEFT = (
    "The harbour authority has approved",
    "the dredging programme of last",
    "year after hearing the fishermen",
    "of the northern beaches and the",
    "owners of the eastern quays who",
    "had asked for it many times.",
)
RIGHT = (
    "Seals were counted on all islands",
    "by boat and by plane in the weeks",
    "before the breeding season began",
    "so that the numbers of this year",
    "can be compared with the earlier",
    "counts of the volunteers.",
)


def columns(order: str, x: float) -> bytes:
    """Two columns of six lines, the right one from x, drawn row by row or column by column."""
    cells = [(row, left, text) for left, lines in ((72.0, LEFT), (x, RIGHT))
             for row, text in enumerate(lines)]  # fmt: skip
    if order == "rows":
        cells.sort(key=lambda cell: cell[0])
    pdf = Pdf()
    page = pdf.page()
    for row, left, text in cells:
        page.text(left, 700 - 15 * row, SIZE, text)
    return pdf.to_bytes()


@pytest.mark.parametrize("order", ["rows", "columns"])
@pytest.mark.parametrize("x", [290, 330, 360])
def test_columns_stay_apart_in_whatever_order_they_are_drawn(
    shelf: Shelf, order: str, x: float
) -> None:
    """A far gap parts two texts; nothing is read across it."""
    source = shelf.put(columns(order, x))
    assert verdict(quote(source, " ".join(LEFT), page=1)) == GROUNDED
    assert verdict(quote(source, " ".join(RIGHT), page=1)) == GROUNDED
    across = quote(source, "harbour authority has approved Seals were counted", page=1)
    assert across["status"] != "grounded"


@pytest.mark.parametrize(
    ("x", "y", "text"), [(300, 40, "17"), (72, 760, "Annual report"), (520, 760, "Page 17")]
)
def test_a_page_number_or_heading_drawn_last_stays_where_it_is(
    shelf: Shelf, x: float, y: float, text: str
) -> None:
    """It does not come into a sentence of the body."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 720, SIZE, "The fee of the harbour is")
    page.text(72, 705, SIZE, "payable in the month of May.")
    page.text(x, y, SIZE, text)
    source = shelf.put(pdf.to_bytes())
    whole = "The fee of the harbour is payable in the month of May."
    assert verdict(quote(source, whole, page=1)) == GROUNDED
    assert quote(source, f"harbour is {text} payable in", page=1)["status"] != "grounded"


def test_a_line_drawn_from_the_foot_up_is_read_from_the_top(shelf: Shelf) -> None:
    """Lines keep apart, whatever was drawn last."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 680, SIZE, "payable in the month of May.")
    page.text(72, 700, SIZE, "The fee of the harbour is")
    source = shelf.put(pdf.to_bytes())
    assert quote(source, "month of May. The fee of", page=1)["status"] != "grounded"


def test_a_raised_ordinal_is_part_of_its_number(shelf: Shelf) -> None:
    """ "30" with a raised, small "th" reads 30th."""
    x = 72 + text_width("Helvetica", SIZE, "The 30")
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, SIZE, "The 30")
    page.text(x, 704.5, 7, "th")
    page.text(x + text_width("Helvetica", 7, "th"), 700, SIZE, " anniversary was held.")
    source = shelf.put(pdf.to_bytes())
    assert verdict(quote(source, "The 30th anniversary was held", page=1)) == GROUNDED
    assert quote(source, "The 31st anniversary was held", page=1)["status"] != "grounded"
    assert value(source, "30", page=1)["status"] != "grounded"
