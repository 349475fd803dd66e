"""Tables drawn cell by cell, with and without rules, for tests of the table finder.

Numbers are points in PDF user space (origin lower left); a grid's first baseline is given as `top`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pdf_writer import Glyph, MappedFont, Page, Pdf, text_width

Row = Sequence[str]

DEPOTS = (
    ("Depot", "Opened", "Tonnes", "Staff"),
    ("Alder Quay", "1994", "1,210", "31"),
    ("Birch Lane", "2001", "2,480", "44"),
    ("Cedar Park", "2006", "3,175", "52"),
    ("Dune Road", "2012", "4,060", "67"),
    ("Elm Street", "2019", "5,930", "80"),
)


HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
RIGHT_TO_LEFT = MappedFont(
    "Hebrew",
    {
        **{letter: Glyph(chr(97 + at), letter, 500) for at, letter in enumerate(HEBREW)},
        " ": Glyph("space", " ", 278),
    },
)
LEDGER = (("שנה", "2024", "2023"), ("הכנסות", "612", "588"), ("הוצאות", "143", "151"))


def write_right(page: Page, right: float, y: float, text: str, size: float = 10) -> None:
    """Text that ends at x `right`; a closing bracket hangs over the edge."""
    if text:
        inner = text.removesuffix(")")
        page.text(right - text_width("Helvetica", size, inner), y, size, text)


def write_centred(page: Page, left: float, right: float, y: float, text: str) -> None:
    """Text of 10 points in the middle between two x."""
    page.text((left + right - text_width("Helvetica", 10, text)) / 2, y, 10, text)


def write_rows(
    page: Page,
    rows: Sequence[Row],
    *,
    left: float = 72,
    rights: Sequence[float] = (300, 400, 500),
    top: float = 650,
    step: float = 16,
    size: float = 10,
) -> float:
    """A label at x `left` and values that end at `rights`, row by row downwards; returns the last
    baseline. An indented label begins with spaces, 5 points each."""
    y = top
    for at, row in enumerate(rows):
        y = top - step * at
        label = row[0].lstrip(" ")
        if label:
            page.text(left + 5 * (len(row[0]) - len(label)), y, size, label)
        for right, value in zip(rights, row[1:], strict=False):
            write_right(page, right, y, value, size)
    return y


def write_cells(
    page: Page, rows: Sequence[Row], xs: Sequence[float], ys: Sequence[float], size: float = 10
) -> None:
    """Texts at the left of the cells between xs and ys, 8 points above each cell's bottom; "\\n"
    parts the lines of a cell, which then begin under its top."""
    for bottom, top, row in zip(ys[1:], ys, rows, strict=False):
        for x, cell in zip(xs, row, strict=False):
            lines = cell.split("\n")
            for at, line in enumerate(lines):
                y = bottom + 8 if len(lines) == 1 else top - 12 - 12 * at
                if line:
                    page.text(x + 6, y, size, line)


def rule(page: Page, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Rules through all xs and ys."""
    for x in xs:
        page.line(x, ys[0], x, ys[-1])
    for y in ys:
        page.line(xs[0], y, xs[-1], y)


def steps(start: float, count: int, step: float) -> tuple[float, ...]:
    """`count` + 1 heights from `start` downwards."""
    return tuple(start - step * at for at in range(count + 1))


def ruled(
    rows: Sequence[Row],
    xs: Sequence[float] = (72, 192, 302, 412, 522),
    *,
    top: float = 700,
    step: float = 24,
    pdf: Pdf | None = None,
) -> bytes:
    """A page with one ruled table."""
    pdf = pdf or Pdf()
    page = pdf.page()
    ys = steps(top, len(rows), step)
    write_cells(page, rows, xs, ys)
    rule(page, xs, ys)
    return pdf.to_bytes()


def open_rows(
    rows: Sequence[Row],
    *,
    rights: Sequence[float] = (300, 400, 500),
    step: float = 16,
    above: str = "",
) -> bytes:
    """A page with one table without rules, first baseline at y 650, a line of text above it."""
    pdf = Pdf()
    page = pdf.page()
    if above:
        page.text(72, 674, 10, above)
    write_rows(page, rows, rights=rights, step=step)
    return pdf.to_bytes()


def berth_rows(count: int) -> list[tuple[str, ...]]:
    """Rows of four cells that differ from each other and do not count in even steps."""
    return [
        (
            f"B{at:03d}",
            f"Rook {at}",
            f"{1000 + at * at * 7 % 9000:,}",
            f"{at * 53 % 97 + 3}.{at % 7}",
        )
        for at in range(1, count + 1)
    ]


BERTHS = ("Berth", "Vessel", "Tonnes", "Dues")


def long_table(count: int, *, per_page: int = 38, repeat: bool = True, lined: bool = True) -> bytes:
    """`berth_rows` over several pages, from y 740 down, page numbers at the foot; the header on
    the first page, and on the others with `repeat`; with or without rules."""
    pdf = Pdf()
    body = berth_rows(count)
    for at in range(0, count, per_page):
        page = pdf.page()
        rows = [BERTHS] if repeat or not at else []
        rows += body[at : at + per_page]
        xs, ys = (72, 172, 272, 372, 472), steps(740, len(rows), 17)
        for bottom, row in zip(ys[1:], rows, strict=True):
            page.text(78, bottom + 5, 10, row[0])
            page.text(178, bottom + 5, 10, row[1])
            write_right(page, 366, bottom + 5, row[2])
            write_right(page, 466, bottom + 5, row[3])
        if lined:
            rule(page, xs, ys)
        page.text(300, 30, 8, f"{at // per_page + 1}")
    return pdf.to_bytes()


def two_parts(
    second: Sequence[Row],
    *,
    below: str = "",
    above: str = "",
    xs: Sequence[float] = (72, 192, 302, 412, 522),
) -> bytes:
    """The first four rows of DEPOTS ruled at the end of page 1, and `second` at the top of page 2;
    a line of text below the one or above the other."""
    pdf = Pdf()
    page = pdf.page()
    for at in range(20):
        line = f"Paragraph line {at + 1} describes how the depots of the north are run."
        page.text(72, 740 - 16 * at, 10, line)
    columns, ys = (72, 192, 302, 412, 522), steps(300, 4, 24)
    write_cells(page, DEPOTS[:4], columns, ys)
    rule(page, columns, ys)
    if below:
        page.text(72, 180, 10, below)
    page = pdf.page()
    if above:
        page.text(72, 745, 10, above)
    ys = steps(730, len(second), 24)
    write_cells(page, second, xs, ys)
    rule(page, xs, ys)
    page.text(72, 400, 10, "All depots are open on weekdays.")
    return pdf.to_bytes()
