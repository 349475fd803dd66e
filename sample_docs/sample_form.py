"""registration-form.pdf: a filled form with text fields, checkboxes and a link."""

from pdf_writer import Page, Pdf

FIELDS = (
    ("Full name", "full_name", "Jordan Example"),
    ("Street and number", "street", "7 Mill Road"),
    ("Town", "town", "Anytown"),
    ("E-mail", "email", "jordan@example.org"),
    ("Voice part", "voice_part", "Alto"),
    ("Years of choir singing", "years", "6"),
    ("Yearly fee, in euro", "fee", "84.00"),
)
BOXES = (
    ("I can read music", "reads_music", True),
    ("I wish to sing solo parts", "solo", False),
    ("I have read the privacy notice", "privacy", True),
)
TERMS = (
    "Rehearsals are held on Tuesdays from 19:30 to 21:30, except in school holidays.",
    "Membership runs for one year and ends with a written notice of one month.",
    "The fee is due on 31 January and is not refunded when a member leaves early.",
)
PRIVACY_URL = "https://www.example.org/riverside-choir/privacy"
BLUE = (0.05, 0.25, 0.6)


def draw() -> bytes:
    """Return the file."""
    pdf = Pdf({"Title": "Registration form, Riverside Community Choir", "Producer": "pdf_writer"})
    page = pdf.page()
    page.text(72, 720, 18, "Riverside Community Choir", font="Helvetica-Bold")
    page.text(72, 698, 12, "Registration form for new members, season 2024/25")
    page.line(72, 686, 540, 686, 1)
    y = _fields(page, 650)
    y = _boxes(page, y - 12)
    page.text(72, y - 20, 12, "Terms", font="Helvetica-Bold")
    for at, term in enumerate(TERMS):
        page.text(72, y - 40 - 18 * at, 10, f"{at + 1}. {term}")
    _link(page, y - 110)
    return pdf.to_bytes()


def _fields(page: Page, y: float) -> float:
    """Draw labels and text fields from y downwards; return the y below them."""
    for label, name, value in FIELDS:
        page.text(72, y, 11, label)
        page.frame(220, y - 6, 320, 20, 0.6, (0.45, 0.45, 0.45))
        page.text_field(name, (220, y - 6, 540, y + 14), value, size=11)
        y -= 32
    return y


def _boxes(page: Page, y: float) -> float:
    """Draw checkboxes with their labels from y downwards; return the y below them."""
    for label, name, checked in BOXES:
        page.frame(72, y - 3, 14, 14, 0.6, (0.45, 0.45, 0.45))
        page.checkbox(name, (72, y - 3, 86, y + 11), checked)
        page.text(96, y, 11, label)
        y -= 26
    return y


def _link(page: Page, y: float) -> None:
    """Draw the pointer to the privacy notice, its address underlined and clickable."""
    x = 72 + page.text(72, y, 10, "Privacy notice: ")
    width = page.text(x, y, 10, PRIVACY_URL, rgb=BLUE)
    page.line(x, y - 2, x + width, y - 2, 0.5, BLUE)
    page.link((x, y - 4, x + width, y + 10), PRIVACY_URL)
