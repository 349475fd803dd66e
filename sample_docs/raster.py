"""Typewritten pages as gray pixels: what a scanner would have made of a letter.

Pillow's built-in bitmap font is used, and not its outline font: bitmaps do not change with the
FreeType that a machine has, so the pixels are equal everywhere.
"""

from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFont

GLYPH = (6, 11)  # columns and rows of one character of the bitmap font
_PAPER, _INK = 250, 30


def typed_page(
    size: tuple[int, int],
    lines: Sequence[tuple[int, int, str]],
    *,
    scale: int = 2,
    specks: int = 0,
) -> bytes:
    """Return 8-bit gray pixels, top row first, of a page of `size` (columns, rows).

    A line is (column, row, text) of the upper left corner of its first character, in pixels; a
    character takes 6 x 11 pixels times `scale`. `specks` dark dots are strewn over the paper, as
    dust on a scanner's glass.
    """
    page = Image.new("L", size, _PAPER)
    for column, row, text in lines:
        strip = _typed_line(text)
        wide = (strip.width * scale, strip.height * scale)
        page.paste(strip.resize(wide, Image.Resampling.NEAREST), (column, row))
    for column, row in _scattered(specks, size):
        page.putpixel((column, row), 120)
    return page.tobytes()


def _typed_line(text: str) -> Image.Image:
    """Return one line of text, a pixel a dot.

    Wide letters reach a dot to the left of their cell. Pillow cuts that dot off a string's first
    letter and from under a neighbour, so each letter is drawn alone, after a space, one dot in.
    """
    font = ImageFont.load_default_imagefont()
    strip = Image.new("L", (GLYPH[0] * len(text) + 2, GLYPH[1]), _PAPER)
    for at, character in enumerate(text):
        glyph = Image.new("L", strip.size, _PAPER)
        left = GLYPH[0] * (at - 1) + 1
        ImageDraw.Draw(glyph).text((left, 0), f" {character}", fill=_INK, font=font)
        strip = ImageChops.darker(strip, glyph)
    return strip


def _scattered(count: int, size: tuple[int, int]) -> list[tuple[int, int]]:
    """Return places that look random and are always the same (a linear congruential series)."""
    places = []
    state = 20240229
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        column = (state >> 8) % size[0]
        state = (1103515245 * state + 12345) % 2**31
        places.append((column, (state >> 8) % size[1]))
    return places
