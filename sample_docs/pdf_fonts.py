"""Fonts for drawing: the standard Type1 fonts, and fonts whose text differs from their glyphs.

Widths are those of Adobe's Core 14 metrics, in 1/1000 of the font size, for the codes 32 to 255
of WinAnsiEncoding.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pdf_objects import DrawError, Objects, stream

# fmt: off
_HELVETICA = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    350, 556, 350, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350, 350,
    222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 350, 500, 667, 278, 333, 556,
    556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333, 333, 333, 556,
    537, 278, 333, 333, 365, 556, 834, 834, 834, 611, 667, 667, 667, 667, 667, 667, 1000, 722, 667,
    667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722,
    722, 667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278,
    278, 556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
)
_HELVETICA_BOLD = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
    350, 556, 350, 278, 556, 500, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350, 350,
    278, 278, 500, 500, 350, 556, 1000, 333, 1000, 556, 333, 944, 350, 500, 667, 278, 333, 556,
    556, 556, 556, 280, 556, 333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333, 333, 333, 611,
    556, 278, 333, 333, 365, 556, 834, 834, 834, 611, 722, 722, 722, 722, 722, 722, 1000, 722, 667,
    667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722,
    722, 667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556, 278, 278, 278,
    278, 611, 611, 611, 611, 611, 611, 611, 584, 611, 611, 611, 611, 611, 556, 611, 556,
)
_TIMES = (
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
    556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
    722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
    278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
    350, 500, 350, 333, 500, 444, 1000, 500, 500, 333, 1000, 556, 333, 889, 350, 611, 350, 350,
    333, 333, 444, 444, 350, 500, 1000, 333, 980, 389, 333, 722, 350, 444, 722, 250, 333, 500, 500,
    500, 500, 200, 500, 333, 760, 276, 500, 564, 333, 760, 333, 400, 564, 300, 300, 333, 500, 453,
    250, 333, 300, 310, 500, 750, 750, 750, 444, 722, 722, 722, 722, 722, 722, 889, 667, 611, 611,
    611, 611, 333, 333, 333, 333, 722, 722, 722, 722, 722, 722, 722, 564, 722, 722, 722, 722, 722,
    722, 556, 500, 444, 444, 444, 444, 444, 444, 667, 444, 444, 444, 444, 444, 278, 278, 278, 278,
    500, 500, 500, 500, 500, 500, 500, 564, 500, 500, 500, 500, 500, 500, 500, 500,
)
# fmt: on
_WIDTHS: dict[str, tuple[int, ...]] = {
    "Helvetica": _HELVETICA,
    "Helvetica-Bold": _HELVETICA_BOLD,
    "Helvetica-Oblique": _HELVETICA,
    "Times-Roman": _TIMES,
    "Courier": (600,) * 224,
}
STANDARD_FONTS = tuple(_WIDTHS)


@dataclass(frozen=True, slots=True)
class Glyph:
    """What one typed character of a `MappedFont` draws and what it is read as.

    `name` is an Adobe glyph name ("hyphen", "fi"), `reads_as` the text that extraction gives,
    `width` the advance in 1/1000 of the font size.
    """

    name: str
    reads_as: str
    width: int


@dataclass(frozen=True, slots=True)
class MappedFont:
    """A standard font with a ToUnicode map of its own.

    `glyphs` gives, for a typed character, the glyph to draw and the text to extract; every other
    WinAnsi character draws and reads as itself. At most 31 characters may lie outside WinAnsi.
    """

    name: str
    glyphs: Mapping[str, Glyph]
    base: str = "Helvetica"
    codes: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Give every mapped character a code: its WinAnsi one, or a free one below 32."""
        free = iter(range(1, 32))
        codes = {}
        for typed in self.glyphs:
            code = _winansi(typed)
            code = next(free, None) if code is None else code
            if code is None:
                raise DrawError(f"font {self.name}: more than 31 characters outside WinAnsi")
            codes[typed] = code
        object.__setattr__(self, "codes", codes)


Font = str | MappedFont


def font_name(font: Font) -> str:
    """Return the name under which a page's resources list the font."""
    return font if isinstance(font, str) else font.name


def encode(font: Font, text: str) -> bytes:
    """Return the codes that draw `text`; DrawError names a character that the font lacks."""
    mapped = font.codes if isinstance(font, MappedFont) else {}
    out = bytearray()
    for character in text:
        code = mapped.get(character, _winansi(character))
        if code is None:
            raise DrawError(f"font {font_name(font)} has no U+{ord(character):04X}")
        out.append(code)
    return bytes(out)


def text_width(font: Font, size: float, text: str) -> float:
    """Return the advance of `text` in points at `size` points."""
    widths = _width_table(font)
    return sum(widths[code] for code in encode(font, text)) * size / 1000


def add_font(objects: Objects, font: Font) -> int:
    """Write the font's objects and return the number of its dictionary."""
    if isinstance(font, MappedFont):
        return _add_mapped(objects, font)
    if font == "ZapfDingbats":  # no WinAnsi encoding: the font has its own; used by checkboxes
        return objects.add("<</Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats>>")
    if font not in _WIDTHS:
        raise DrawError(f"not a font that can be drawn: {font!r}; choose from {STANDARD_FONTS}")
    return objects.add(
        f"<</Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding>>"
    )


def _winansi(character: str) -> int | None:
    """Return the WinAnsi code of one character, if it has one."""
    try:
        code = character.encode("cp1252")[0]
    except UnicodeEncodeError:
        return None
    return code if code >= 32 else None


def _width_table(font: Font) -> list[int]:
    """Return 256 widths, one a code; codes that draw nothing are 0 wide."""
    base = font if isinstance(font, str) else font.base
    if base not in _WIDTHS:
        raise DrawError(f"no widths for font {base!r}")
    widths = [0] * 32 + list(_WIDTHS[base])
    if isinstance(font, MappedFont):
        for typed, glyph in font.glyphs.items():
            widths[font.codes[typed]] = glyph.width
    return widths


def _add_mapped(objects: Objects, font: MappedFont) -> int:
    """Write a mapped font: descriptor, encoding differences, widths and ToUnicode map."""
    widths = " ".join(map(str, _width_table(font)))
    by_code = sorted((font.codes[typed], glyph) for typed, glyph in font.glyphs.items())
    differences = " ".join(f"{code} /{glyph.name}" for code, glyph in by_code)
    descriptor = objects.add(
        f"<</Type /FontDescriptor /FontName /{font.base} /Flags 32 /FontBBox [-166 -225 1000 931]"
        " /ItalicAngle 0 /Ascent 718 /Descent -207 /CapHeight 718 /StemV 88>>"
    )
    to_unicode = objects.add(stream(_to_unicode(font)))
    return objects.add(
        f"<</Type /Font /Subtype /Type1 /BaseFont /{font.base} /FontDescriptor {descriptor} 0 R"
        f" /FirstChar 0 /LastChar 255 /Widths [{widths}] /ToUnicode {to_unicode} 0 R"
        f" /Encoding <</Type /Encoding /BaseEncoding /WinAnsiEncoding"
        f" /Differences [{differences}]>>>>"
    )


def _to_unicode(font: MappedFont) -> bytes:
    """Write the CMap that turns codes into text: printable WinAnsi, then the mapped glyphs."""
    reads = {code: bytes((code,)).decode("cp1252", "ignore") for code in range(32, 256)}
    for typed, glyph in font.glyphs.items():
        reads[font.codes[typed]] = glyph.reads_as
    lines = [
        f"<{code:02X}> <{text.encode('utf-16-be').hex().upper()}>"
        for code, text in sorted(reads.items())
        if text
    ]
    # A CMap section holds at most 100 entries.
    sections = [lines[at : at + 100] for at in range(0, len(lines), 100)]
    body = "\n".join(
        f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in sections
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        f"/CMapName /{font.name} def /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{body}\nendcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()
