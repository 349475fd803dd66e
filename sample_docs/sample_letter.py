"""scanned-letter.pdf: two scanned pages, the first turned and with an OCR layer, one bare."""

from pdf_writer import Page, Pdf
from raster import typed_page

PIXELS = (1020, 1320)  # a letter page at 120 dpi
DOT = 72 / 120  # points a pixel
LEFT, TOP, STEP = 125, 130, 34  # pixels
BASE = 18  # pixels from the top of a typed character to its baseline

LETTER_LINES = (
    "FERNHILL ALLOTMENT SOCIETY",
    "12 Orchard Lane, Anytown",
    "",
    "18 March 2024",
    "",
    "To the holders of plots 1 to 46",
    "",
    "Dear members,",
    "",
    "the water main on the upper path will be renewed",
    "between 8 April and 19 April 2024. During these two",
    "weeks there is no water at the taps of plots 20 to",
    "46. Please fill your barrels before 7 April.",
    "",
    "The society pays the cost of 3,860 euro from its",
    "reserve. The yearly rent of 58 euro a plot is not",
    "raised. Members who cannot carry water may ask the",
    "committee for help until 5 April.",
    "",
    "The tool shed stays open. Keys are lent by the",
    "warden on Saturdays from 9 to 12 only.",
    "",
    "Yours sincerely,",
    "",
    "A. Example, secretary",
)
ENCLOSURE_LINES = (
    "ENCLOSURE: PRICE LIST 2024",
    "",
    "Compost, one barrow              4.50 euro",
    "Wood chips, one barrow           2.00 euro",
    "Hire of the rotary tiller, day  15.00 euro",
    "Key deposit                     20.00 euro",
    "",
    "Prices hold until 31 December 2024.",
)


def draw() -> bytes:
    """Return the file."""
    pdf = Pdf({"Title": "Letter of 18 March 2024", "Producer": "pdf_writer"})
    _turned_page(pdf.page((0, 0, 792, 612), rotate=90))
    pixels = typed_page(PIXELS, _placed(ENCLOSURE_LINES), specks=300)
    pdf.page().image(0, 0, 612, 792, pixels, PIXELS)
    return pdf.to_bytes()


def _turned_page(page: Page) -> None:
    """Draw image and invisible text so that both stand upright once the page is turned by 90.

    On such a page, x in user space runs down the displayed page and y runs to its right.
    """
    lines = _placed(LETTER_LINES)
    pixels = typed_page(PIXELS, lines, specks=300)
    page.image(792, 0, 612, 792, pixels, PIXELS, matrix=(0, 612, -792, 0))
    for column, row, text in lines:
        down, right = (row + BASE) * DOT, column * DOT
        # Courier 12 advances 7.2 points, the 12 pixels of a typed character at scale 2.
        page.text(down, right, 12, text, font="Courier", render_mode=3, matrix=(0, 1, -1, 0))


def _placed(lines: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """Return the lines that hold text, with the pixel place of each."""
    return [(LEFT, TOP + STEP * at, line) for at, line in enumerate(lines) if line]
