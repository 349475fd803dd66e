"""income-statement.pdf: a ruled statement of income of two years, and a page of notes."""

from page_layout import Frame, Style, block, draw_centred, pour
from pdf_writer import Page, Pdf, text_width

BODY = Style(10, 14, before=6)
HEADING = Style(11, 15, "Helvetica-Bold", before=12, keep=True)
CELL = 10
ROW = 22
COLUMNS = (60, 320, 368, 460, 552)  # label, note, 2024, 2023

INCOME = (
    ("Year ended 31 December", "Note", "2024", "2023"),
    ("Net sales", "2", "$ 184,320", "$ 171,905"),
    ("Cost of sales", "", "(112,648)", "(106,230)"),
    ("Gross profit", "", "71,672", "65,675"),
    ("Research and development", "3", "(18,940)", "(16,215)"),
    ("Selling and administration", "", "(31,507)", "(29,884)"),
    ("Impairment of goodwill", "4", "(6,200)", ""),
    ("Operating income", "", "15,025", "19,576"),
    ("Interest expense", "5", "(3,318)", "(2,870)"),
    ("Foreign exchange gain (loss)", "", "(412)", "157"),
    ("Income before taxes", "", "11,295", "16,863"),
    ("Income tax expense", "6", "(2,824)", "(4,216)"),
    ("Net income", "", "$ 8,471", "$ 12,647"),
    ("Earnings per share, basic", "", "$ 0.42", "$ 0.63"),
)
REGIONS = (
    ("Net sales by region", "", "2024", "2023"),
    ("Americas", "", "$ 92,410", "$ 84,120"),
    ("Europe", "", "58,775", "55,390"),
    ("Asia and Pacific", "", "33,135", "32,395"),
    ("Total", "", "$ 184,320", "$ 171,905"),
)
TOTALS = {"Gross profit", "Operating income", "Income before taxes", "Net income", "Total"}
NOTES = (
    "#1. Basis of preparation",
    "Amounts are in thousands of United States dollars unless another unit is named. Losses and "
    "expenses stand in parentheses. A cell that is left blank means that there was no such item.",
    "#2. Net sales",
    "Sales are recorded when an instrument is handed to the carrier. One customer accounted for "
    "11 percent of net sales in 2024; no customer reached 10 percent in 2023.",
    "@",
    "#3. Research and development",
    "Costs are expensed as they arise. The increase of $2.7 million is due to the flow sensor "
    "programme, which employed 38 engineers at the end of the year.",
    "#4. Impairment of goodwill",
    "The laboratory glass business no longer earned its cost of capital. Goodwill of $6.2 million "
    "was written off in the third quarter of 2024. No impairment was recorded in 2023.",
    "#5. Interest expense",
    "The term loan of $45.0 million bears interest at 6.85 percent and is due on 30 June 2028. "
    "The company was not in breach of any covenant.",
    "#6. Income taxes",
    "The effective tax rate was 25.0 percent in both years. Unused losses of $1.9 million expire "
    "after 2031 and are not recognised as an asset.",
)


def draw() -> bytes:
    """Return the file."""
    pdf = Pdf({"Title": "Brightwater Instruments, statement of income", "Producer": "pdf_writer"})
    page = pdf.page()
    for y, size, text in (
        (716, 16, "Brightwater Instruments, Inc."),
        (694, 13, "Consolidated Statements of Income"),
    ):
        draw_centred(page, 306, y, text, Style(size, size, "Helvetica-Bold"))
    draw_centred(page, 306, 676, "($ in thousands, except per share amounts)", BODY)
    bottom = _table(page, 656, INCOME)
    page.text(60, bottom - 20, 9, "The notes on page 2 are part of this statement.")
    _notes(pdf.page())
    return pdf.to_bytes()


def _notes(page: Page) -> None:
    """Draw the notes, with the table of regions in its place among them."""
    title = Style(13, 16, "Helvetica-Bold")
    draw_centred(page, 306, 730, "Notes to the Consolidated Statements of Income", title)
    y = 704.0
    for text in NOTES:
        if text == "@":
            y = _table(page, y, REGIONS, with_note=False) - 14
            continue
        style = HEADING if text.startswith("#") else BODY
        lines = block(text.removeprefix("#"), style, 492)
        gap = style.before if y < 704 else 0
        _, y = pour([lines], iter([Frame(page, 60, y - gap, 60)]))


def _table(
    page: Page, top: float, rows: tuple[tuple[str, ...], ...], *, with_note: bool = True
) -> float:
    """Draw a ruled table whose upper edge is at `top`; return the y of its lower edge."""
    columns = COLUMNS if with_note else (COLUMNS[0], *COLUMNS[2:])
    bottom = top - ROW * len(rows)
    page.rect(columns[0], top - ROW, columns[-1] - columns[0], ROW, (0.88, 0.92, 0.95))
    for at, row in enumerate(rows):
        cells = row if with_note else (row[0], *row[2:])
        bold = at == 0 or row[0] in TOTALS
        for column, cell in enumerate(cells):
            edges = (columns[column], columns[column + 1])
            _cell(page, edges, top - ROW * at - 15, cell, bold=bold, label=column == 0)
    for at in range(len(rows) + 1):
        y = top - ROW * at
        page.line(columns[0], y, columns[-1], y, 0.9 if at in (0, 1, len(rows)) else 0.4)
    for x in columns:
        page.line(x, top, x, bottom, 0.4)
    return bottom


def _cell(
    page: Page, edges: tuple[float, float], y: float, text: str, *, bold: bool, label: bool
) -> None:
    """Draw a label at the left edge, a number at the right one, a currency sign at the left.

    A closing parenthesis hangs to the right of the digits, so that the digits stay in line.
    """
    font = "Helvetica-Bold" if bold else "Helvetica"
    if label:
        page.text(edges[0] + 6, y, CELL, text, font=font)
        return
    sign, _, digits = text.rpartition(" ")
    if sign:
        page.text(edges[0] + 8, y, CELL, sign, font=font)
    if digits:
        inner = text_width(font, CELL, digits.removesuffix(")"))
        page.text(edges[1] - 10 - inner, y, CELL, digits, font=font)
