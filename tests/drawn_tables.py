"""Drawn tables and columns: what looks alike and must be read in different orders."""

from pdf_writer import Page, Pdf, text_width

R9_SENTENCE = (
    "The harbour authority approved the new dredging programme after the autumn survey had "
    "found silt in the main channel."
)
_R9_X = (72, 320)
_R9_Y = (700, 684)
R18_HEADER = ("Depot", "Opened", "Tonnes")
R18_ROWS = (
    ("Alder Quay", "1994", "1,210"),
    ("Birch Lane", "2001", "2,480"),
    ("Cedar Park", "2006", "3,175"),
    ("Dune Road", "2012", "4,060"),
    ("Elm Street", "2019", "5,930"),
)


def r9() -> bytes:
    """Two columns at x 72 and 320, lines at y 700 and 684; R9_SENTENCE runs down both in turn."""
    left = ("The harbour authority approved", "the new dredging programme")
    right = ("after the autumn survey had", "found silt in the main channel.")
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 730, 14, "Harbour works", font="Helvetica-Bold")
    for x, lines in zip(_R9_X, (left, right), strict=True):
        for y, line in zip(_R9_Y, lines, strict=True):
            page.text(x, y, 12, line)
    return pdf.to_bytes()


def r9_twin(*, ruled: bool = True) -> bytes:
    """A 2 x 2 table at the places of `r9`: Vessel class | Draught limit, Coaster | 6.5 metres.

    Ruled, its lines are at x 66, 314, 562 and y 716, 696, 676.
    """
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 730, 14, "Harbour works", font="Helvetica-Bold")
    rows = (("Vessel class", "Draught limit"), ("Coaster", "6.5 metres"))
    for y, row in zip(_R9_Y, rows, strict=True):
        for x, cell in zip(_R9_X, row, strict=True):
            page.text(x, y, 12, cell)
    if ruled:
        _grid(page, (66, 314, 562), (716, 696, 676))
    return pdf.to_bytes()


def r15() -> bytes:
    """A 3 x 3 table turned a quarter (matrix 0 1 -1 0) on a portrait page, rules included.

    Read with the page turned clockwise: Year Import Export / 2022 455 310 / 2023 487 329. Rows go
    to the right from x 180 in steps of 30, columns upwards from y 200 in steps of 120.
    """
    rows = (("Year", "Import", "Export"), ("2022", "455", "310"), ("2023", "487", "329"))
    pdf = Pdf()
    page = pdf.page()
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            page.text(200 + 30 * at, 208 + 120 * column, 12, cell, matrix=(0, 1, -1, 0))
    _grid(page, (180, 210, 240, 270), (200, 320, 440, 560))
    return pdf.to_bytes()


def r17(currency: str = "$") -> bytes:
    """A statement without rules, "(amounts in millions of euro)" above, first row at y 650.

    Labels at x 72, years right-aligned at 400 and 500; the currency sign stands only in the first
    and last rows, the impairment is (41.7) in 2024 and blank in 2023.
    """
    rows = (
        ("Passenger revenue", "612.4", "588.0"),
        ("Freight revenue", "143.2", "151.9"),
        ("Fuel and lubricants", "(198.6)", "(176.3)"),
        ("Crew and port costs", "(397.0)", "(466.1)"),
        ("Impairment of vessels", "(41.7)", ""),
        ("Result for the year", "118.3", "97.5"),
    )
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 730, 14, "Harrow Ferries Group", font="Helvetica-Bold")
    page.text(72, 712, 12, "Statement of income")
    page.text(72, 696, 10, "(amounts in millions of euro)")
    _right(page, 400, 672, "2024", bold=True)
    _right(page, 500, 672, "2023", bold=True)
    for at, (label, *values) in enumerate(rows):
        y = 650 - 18 * at
        page.text(72, y, 11, label)
        for right, value in zip((400, 500), values, strict=True):
            _right(page, right, y, value)
            if at in (0, len(rows) - 1):
                page.text(right - 50, y, 11, currency)
    return pdf.to_bytes()


def r18(*, repeat_header: bool = True) -> bytes:
    """A ruled table over two pages: header and 2 rows end page 1, 3 rows begin page 2 at y 740.

    Columns at x 72, 252, 402 to 540, rows 24 high; the header is drawn again on page 2 unless
    `repeat_header` is false. Counted with the header, row 3 ("Cedar Park") is on page 2.
    """
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 720, 14, "Depots of the northern region", font="Helvetica-Bold")
    for at in range(32):
        page.text(72, 690 - 16 * at, 11, f"Paragraph line {at + 1} describes how depots are run.")
    _rows(page, 150, (R18_HEADER, *R18_ROWS[:2]))
    second = pdf.page()
    rest = (R18_HEADER, *R18_ROWS[2:]) if repeat_header else R18_ROWS[2:]
    _rows(second, 740, rest)
    second.text(72, 560, 11, "Tonnes are metric and unaudited.")
    return pdf.to_bytes()


RULED_ROWS = (
    ("Region", "Q1", "Q2", "Q3"),
    ("North", "120", "135", "150"),
    ("South", "80", "(12)", "95"),
)


def ruled_table() -> bytes:
    """A ruled table of 3 rows and 4 columns: x 72, 192, 302, 412, 522 and y 700, 676, 652, 628.

    Region Q1 Q2 Q3 / North 120 135 150 / South 80 (12) 95; the header row is gray.
    """
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 730, 14, "Sales by region", font="Helvetica-Bold")
    page.rect(72, 676, 450, 24, (0.9, 0.9, 0.9))
    for at, row in enumerate(RULED_ROWS):
        for x, cell in zip((78, 198, 308, 418), row, strict=True):
            page.text(x, 684 - 24 * at, 11, cell, font="Helvetica" if at else "Helvetica-Bold")
    _grid(page, (72, 192, 302, 412, 522), (700, 676, 652, 628))
    page.text(72, 600, 11, "All figures are counts of orders.")
    return pdf.to_bytes()


def _rows(page: Page, top: float, rows: tuple[tuple[str, ...], ...]) -> None:
    """Draw ruled rows of three cells, 24 points high, downwards from y `top`."""
    for at, row in enumerate(rows):
        font = "Helvetica-Bold" if row == R18_HEADER else "Helvetica"
        for x, cell in zip((78, 258, 408), row, strict=True):
            page.text(x, top - 16 - 24 * at, 11, cell, font=font)
    _grid(page, (72, 252, 402, 540), tuple(top - 24 * at for at in range(len(rows) + 1)))


def _grid(page: Page, xs: tuple[float, ...], ys: tuple[float, ...]) -> None:
    """Rule a grid through all xs and ys."""
    for x in xs:
        page.line(x, ys[0], x, ys[-1])
    for y in ys:
        page.line(xs[0], y, xs[-1], y)


def _right(page: Page, right: float, y: float, text: str, *, bold: bool = False) -> None:
    """Draw text of 11 points that ends at x `right`; a closing bracket hangs over the edge."""
    font = "Helvetica-Bold" if bold else "Helvetica"
    inner = text.removesuffix(")")
    if text:
        page.text(right - text_width(font, 11, inner), y, 11, text, font=font)
