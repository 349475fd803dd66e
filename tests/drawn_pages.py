"""Drawn pages with structure: headings, lists, captions, running lines, forms, annotations."""

from pdf_writer import Pdf


def running_header_footer() -> bytes:
    """Five pages: "Tidewater Trust - Annual Review" at y 760, "Page n of 5" at y 36, body at 700.

    Body lines name their page in words, so every page's body differs.
    """
    pdf = Pdf()
    for at, word in enumerate(("first", "second", "third", "fourth", "fifth"), 1):
        page = pdf.page()
        page.text(72, 760, 9, "Tidewater Trust - Annual Review")
        page.line(72, 754, 540, 754)
        page.text(72, 700, 12, f"The {word} chapter tells what the trust did for the {word} shore.")
        page.text(72, 684, 12, f"It closes with the {word} list of volunteers.")
        page.text(280, 36, 9, f"Page {at} of 5")
    return pdf.to_bytes()


def headings_and_lists() -> bytes:
    """At x 72: headings "1 Scope" and "2 Duties" in 18 bold, "2.1 Records" in 14 bold, body in 11.

    Three bulleted items (U+2022) follow the first body, three numbered ones the second.
    """
    blocks = (
        (18, "1 Scope"),
        (11, "This guide covers the care of small reservoirs."),
        (11, "It applies to dams below ten metres."),
        (0, "\u2022 earth dams"),
        (0, "\u2022 stone dams"),
        (0, "\u2022 timber weirs"),
        (18, "2 Duties"),
        (11, "The keeper walks the crest once a week."),
        (14, "2.1 Records"),
        (11, "Each walk is written down in the log."),
        (0, "1. Note the date."),
        (0, "2. Note the water level."),
        (0, "3. Sign the page."),
    )
    pdf = Pdf()
    page = pdf.page()
    y = 730.0
    for size, text in blocks:
        heading = size > 11
        y -= 34 if heading else 16
        indent = 0 if size else 18
        page.text(72 + indent, y, size or 11, text, font=_bold(heading))
        y -= 6 if heading else 0
    return pdf.to_bytes()


def captions() -> bytes:
    """A framed bar chart from 72, 520 to 372, 700 with "Figure 1. ..." at y 500; a ruled table at
    y 440 to 380 with "Table 1. ..." above it at y 450.
    """
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 730, 12, "Rainfall was uneven over the four quarters.")
    page.frame(72, 520, 300, 180)
    for at, height in enumerate((60, 130, 90, 150)):
        page.rect(100 + 65 * at, 521, 40, height, (0.3, 0.5, 0.7))
    page.text(
        72, 500, 10, "Figure 1. Rainfall by quarter, in millimetres.", font="Helvetica-Oblique"
    )
    page.text(72, 450, 10, "Table 1. Wet days by quarter.", font="Helvetica-Oblique")
    for at, row in enumerate((("Quarter", "Wet days"), ("First", "31"), ("Second", "44"))):
        page.text(78, 426 - 20 * at, 11, row[0])
        page.text(228, 426 - 20 * at, 11, row[1])
        page.line(72, 440 - 20 * at, 372, 440 - 20 * at)
    page.line(72, 380, 372, 380)
    for x in (72, 222, 372):
        page.line(x, 440, x, 380)
    page.text(72, 340, 12, "The second quarter had the most wet days.")
    return pdf.to_bytes()


def spaced_heading(*, typed: bool = False) -> bytes:
    """ "ANNUAL REPORT" spread out at 72, 700, 16 bold: 6 points of Tc, or with typed spaces.

    A body line follows at y 670.
    """
    pdf = Pdf()
    page = pdf.page()
    if typed:
        page.text(72, 700, 16, "A N N U A L   R E P O R T", font="Helvetica-Bold")
    else:
        page.text(72, 700, 16, "ANNUAL REPORT", font="Helvetica-Bold", char_spacing=6)
    page.text(72, 670, 12, "The year was quiet.")
    return pdf.to_bytes()


def filled_form() -> bytes:
    """Labels at x 72; text fields "full_name" = Jordan Example at y 690, "city" = Anytown at y 660;
    checkboxes "member" (on) at y 630 and "newsletter" (off) at y 606.
    """
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 730, 14, "Membership form", font="Helvetica-Bold")
    for y, label, name, value in (
        (690, "Full name", "full_name", "Jordan Example"),
        (660, "City", "city", "Anytown"),
    ):
        page.text(72, y, 11, label)
        page.frame(180, y - 5, 220, 18)
        page.text_field(name, (180, y - 5, 400, y + 13), value)
    for y, label, name, checked in (
        (630, "Member already", "member", True),
        (606, "Send the newsletter", "newsletter", False),
    ):
        page.text(72, y, 11, label)
        page.frame(180, y - 3, 14, 14)
        page.checkbox(name, (180, y - 3, 194, y + 11), checked)
    return pdf.to_bytes()


def annotated() -> bytes:
    """Body at 72, 700; a FreeText note "Reviewer: check the total" at 300, 640 to 500, 660; a link
    to https://www.example.com/report over "online report" at 72, 670.
    """
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "The total is 1,250 units.")
    width = page.text(72, 670, 12, "online report", rgb=(0, 0, 0.8))
    page.link((72, 666, 72 + width, 682), "https://www.example.com/report")
    page.free_text((300, 640, 500, 660), "Reviewer: check the total")
    return pdf.to_bytes()


def active_content() -> bytes:
    """Body at 72, 700; an embedded file data.csv and a script that is the open action too."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "This file carries more than its page.")
    pdf.attach("data.csv", b"quarter,units\n1,250\n")
    pdf.javascript("app.alert('opened');", on_open=True)
    return pdf.to_bytes()


def _bold(bold: bool) -> str:
    """Return the name of the bold or the regular font."""
    return "Helvetica-Bold" if bold else "Helvetica"
