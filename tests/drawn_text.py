"""Drawn text that extraction gives in other characters than a reader sees."""

from pdf_writer import Glyph, MappedFont, Pdf, literal, stream

R5_LINES = (
    "A mild winter lifted the reser-",
    "voir level across the north-",
    "west basin.",
)
R6_SENTENCE = "The net margin improved to 12.4 percent in the year."
R8_SENTENCE = "A specific staff workflow keeps the œuvre and the Cæsar plan apart."
R10_SENTENCE = (
    "The board approved the sale of the northern quarry on the condition that the buyer "
    "restores the river bank before the end of the third year."
)
SPECIAL = MappedFont(
    "Special",
    {
        "\u00ad": Glyph("hyphen", "\u00ad", 333),
        "\u00a0": Glyph("space", "\u00a0", 278),
        "\u200b": Glyph("space", "\u200b", 0),
        "\u0301": Glyph("acute", "\u0301", 0),
        "\ufb00": Glyph("ff", "\ufb00", 556),
        "\ufb01": Glyph("fi", "\ufb01", 500),
        "\ufb02": Glyph("fl", "\ufb02", 500),
        **{
            chr(0xFF10 + n): Glyph(name, chr(0xFF10 + n), 1000)
            for n, name in enumerate(
                ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
            )
        },
    },
)


def r5(*, soft: bool = False) -> bytes:
    """Three lines at x 72, y 700/684/668, two ending in hyphens; soft: the first is U+00AD."""
    pdf = Pdf()
    page = pdf.page()
    for at, line in enumerate(R5_LINES):
        shown = line[:-1] + "\u00ad" if soft and at == 0 else line
        page.text(72, 700 - 16 * at, 12, shown, font=SPECIAL)
    return pdf.to_bytes()


def r6() -> bytes:
    """R6_SENTENCE at 72, 700 with U+00AD in "improved", U+00A0 after 12.4, U+200B after margin."""
    text = R6_SENTENCE.replace("improved", "im\u00adproved").replace("12.4 ", "12.4\u00a0")
    glyphs = {**SPECIAL.glyphs, "\u00ad": Glyph("space", "\u00ad", 0)}
    pdf = Pdf()
    font = MappedFont("Unseen", glyphs)
    pdf.page().text(72, 700, 12, text.replace("margin", "margin\u200b"), font=font)
    return pdf.to_bytes()


def r7() -> bytes:
    """At 72, 700: "Load factor was 83.4", a raised "1", " percent in 2023", a raised "2".

    The markers are 7 points and 4 points up.
    """
    pdf = Pdf()
    page = pdf.page()
    x = 72 + page.text(72, 700, 12, "Load factor was 83.4")
    x += page.text(x, 704, 7, "1")
    x += page.text(x, 700, 12, " percent in 2023")
    page.text(x, 704, 7, "2")
    page.text(72, 90, 8, "1 Passenger kilometres over seat kilometres.")
    page.text(72, 78, 8, "2 Calendar year.")
    return pdf.to_bytes()


def r8() -> bytes:
    """R8_SENTENCE at 72, 700 with one glyph each for fi, ff and fl; œ and æ are letters."""
    text = R8_SENTENCE.replace("specific", "speci\ufb01c")
    text = text.replace("staff", "sta\ufb00").replace("workflow", "work\ufb02ow")
    pdf = Pdf()
    pdf.page().text(72, 700, 12, text, font=SPECIAL)
    return pdf.to_bytes()


def r10() -> bytes:
    """R10_SENTENCE over two pages: y 108 and 92 of page 1, y 720 and 704 of page 2.

    Header "Quarry Review 2024" at y 760 and footers "Page 1", "Page 2" at y 40 lie between; page 1
    is full of other lines from y 720 down, page 2 ends with "Work starts in May." at y 688.
    """
    records = [f"Minute {at} records the reading of gauge {at}." for at in range(1, 37)]
    first = ["The board approved the sale of the northern quarry on the", "condition that the"]
    second = ["buyer restores the river bank before the end of the", "third year."]
    pdf = Pdf()
    for number, lines in enumerate(
        ([*records, "", "", *first], [*second, "Work starts in May."]), 1
    ):
        page = pdf.page()
        page.text(72, 760, 9, "Quarry Review 2024")
        for at, line in enumerate(lines):
            if line:
                page.text(72, 720 - 16 * at, 12, line)
        page.text(290, 40, 9, f"Page {number}")
    return pdf.to_bytes()


def r13() -> bytes:
    """Fake bold: "Gross weight 88" at 72, 700 and again at 72.35, 700."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Gross weight 88")
    page.text(72.35, 700, 12, "Gross weight 88")
    return pdf.to_bytes()


def r28() -> bytes:
    """At 72, 700: "Units sold: " and the full-width digits U+FF11 U+FF12 U+FF13."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "Units sold: \uff11\uff12\uff13", font=SPECIAL)
    return pdf.to_bytes()


def decomposed_accent() -> bytes:
    """At 72, 700: "The cafe" + U+0301 + " opened in 1998." (letter and accent are two glyphs)."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "The cafe\u0301 opened in 1998.", font=SPECIAL)
    return pdf.to_bytes()


def han_spaced() -> bytes:
    """At 72, 700: a Han sentence with a typed space after every character; font not embedded."""
    pdf = Pdf()
    page = pdf.page()
    descriptor = pdf.objects.add(
        "<</Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [-25 -254 1000 880]"
        " /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93>>"
    )
    inner = pdf.objects.add(
        "<</Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light"
        f" /FontDescriptor {descriptor} 0 R"
        " /CIDSystemInfo <</Registry (Adobe) /Ordering (GB1) /Supplement 2>> /DW 1000>>"
    )
    outer = pdf.objects.add(
        "<</Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H"
        f" /DescendantFonts [{inner} 0 R]>>"
    )
    page.use_font("Han", outer)
    codes = " ".join("公司去年收入增加").encode("utf-16-be").hex()
    page.raw(f"BT /Han 12 Tf 72 700 Td <{codes}> Tj ET")
    return pdf.to_bytes()


def no_to_unicode() -> bytes:
    """A Type3 font without ToUnicode, glyphs g1 to g26: a reader sees letters, a parser no text.

    Two lines at 72, 700 and 72, 680 show "secret figures" and "stay unread".
    """
    pdf = Pdf()
    page = pdf.page()
    page.use_font("Odd", _nameless_font(pdf))
    for at, line in enumerate(("secret figures", "stay unread")):
        codes = literal(bytes(ord(c) - 96 if c != " " else 27 for c in line)).decode("ascii")
        page.raw(f"BT /Odd 12 Tf 72 {700 - 20 * at} Td {codes} Tj ET")
    return pdf.to_bytes()


def private_use() -> bytes:
    """ "Total revenue rose" at 72, 700 in a font whose ToUnicode gives U+E0xx for every letter."""
    letters = "abcdefghijklmnopqrstuvwxyzT"
    glyphs = {c: Glyph(c, chr(0xE000 + ord(c)), 500) for c in letters}
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "Total revenue rose", font=MappedFont("Private", glyphs))
    return pdf.to_bytes()


def _nameless_font(pdf: Pdf) -> int:
    """Write a Type3 font whose glyphs draw a to z and a space, under names that mean nothing."""
    helvetica = pdf.font("Helvetica")
    procedures = []
    for at in range(1, 28):
        shown = chr(96 + at) if at < 27 else " "
        body = f"600 0 d0 BT /Helvetica 1000 Tf ({shown}) Tj ET".encode()
        procedures.append(f"/g{at} {pdf.objects.add(stream(body))} 0 R")
    names = " ".join(f"/g{at}" for at in range(1, 28))
    return pdf.objects.add(
        "<</Type /Font /Subtype /Type3 /FontBBox [0 -250 1000 1000]"
        f" /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs <<{' '.join(procedures)}>>"
        f" /Encoding <</Type /Encoding /Differences [1 {names}]>> /FirstChar 1 /LastChar 27"
        f" /Widths [{' '.join(['600'] * 27)}] /Resources <</Font <</Helvetica {helvetica} 0 R>>>>>>"
    )
