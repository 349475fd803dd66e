"""Setting prose: line breaking with hyphenation, justified lines, columns and pages.

In the text to set, `~` marks a place inside a word where a hyphen may be put at a line's end, and
`{1}` is a raised footnote marker. Sizes and places are points in PDF user space.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pdf_writer import DrawError, Page, text_width

_MARKER = re.compile(r"\{(\d)\}")
_MARKER_SIZE, _MARKER_RISE = 0.62, 0.36  # shares of the font size


@dataclass(frozen=True, slots=True)
class Style:
    """How a block of text is set; `keep` holds a heading together with the line after it."""

    size: float
    leading: float
    font: str = "Helvetica"
    before: float = 0
    indent: float = 0
    justify: bool = False
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line to draw; `stretch` is what every space grows by, `first` opens its block."""

    text: str
    style: Style
    stretch: float
    first: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """A column on a page: baselines run from `top` down to `bottom`."""

    page: Page
    x: float
    top: float
    bottom: float


def width_of(text: str, style: Style) -> float:
    """Return the width of a line in points, markers included."""
    plain = text_width(style.font, style.size, _MARKER.sub("", text))
    raised = "".join(_MARKER.findall(text))
    return plain + text_width(style.font, style.size * _MARKER_SIZE, raised)


def block(text: str, style: Style, width: float) -> list[Line]:
    """Break one paragraph into lines that fit `width`; DrawError for a word that does not."""
    room = width - style.indent
    rows: list[str] = []
    row = ""
    for word in text.split():
        head, tail = _fit(row, word, style, room)
        while tail is not None:
            rows.append(head)
            head, tail = _fit("", tail, style, room)
        row = head
    rows.append(row)
    return [
        Line(row, style, _stretch(row, style, room) if at < len(rows) - 1 else 0, at == 0)
        for at, row in enumerate(rows)
    ]


def pour(blocks: Iterable[list[Line]], frames: Iterator[Frame]) -> tuple[Frame, float]:
    """Fill one frame after the other; return the last frame and the baseline after its last line.

    DrawError when the frames are used up before the text.
    """
    frame = _next(frames)
    y = frame.top
    for lines in blocks:
        for line in lines:
            style = line.style
            opens_frame = y == frame.top
            if line.first and not opens_frame:
                y -= style.before
            below = 2 * style.leading if style.keep else 0
            if y - below < frame.bottom:
                frame = _next(frames)
                y = frame.top
            draw_line(frame.page, frame.x + style.indent, y, line)
            y -= style.leading
    return frame, y


def draw_line(page: Page, x: float, y: float, line: Line) -> None:
    """Draw a line with its markers raised."""
    style = line.style
    for at, part in enumerate(_MARKER.split(line.text)):
        if at % 2:
            size = style.size * _MARKER_SIZE
            x += page.text(x, y + style.size * _MARKER_RISE, size, part, font=style.font)
        elif part:
            x += page.text(x, y, style.size, part, font=style.font, word_spacing=line.stretch)


def draw_right(page: Page, right: float, y: float, text: str, style: Style) -> None:
    """Draw text that ends at x `right`."""
    page.text(right - width_of(text, style), y, style.size, text, font=style.font)


def draw_centred(page: Page, middle: float, y: float, text: str, style: Style) -> None:
    """Draw text around x `middle`."""
    page.text(middle - width_of(text, style) / 2, y, style.size, text, font=style.font)


def _fit(row: str, word: str, style: Style, room: float) -> tuple[str, str | None]:
    """Add a word to a row; return the full row and what goes to the next, None if nothing does."""
    start = f"{row} " if row else ""
    whole = start + word.replace("~", "")
    if width_of(whole, style) <= room:
        return whole, None
    for at in range(len(word) - 1, 0, -1):
        if word[at] == "~" or word[at - 1] == "-":
            head = start + word[:at].replace("~", "") + ("-" if word[at] == "~" else "")
            if width_of(head, style) <= room:
                return head, word[at:].removeprefix("~")
    if not row:
        raise DrawError(f"{word!r} is wider than {room} points")
    return row, word


def _stretch(row: str, style: Style, room: float) -> float:
    """Return how much every space grows so that the row fills the room."""
    spaces = row.count(" ")
    if not style.justify or not spaces:
        return 0
    return (room - width_of(row, style)) / spaces


def _next(frames: Iterator[Frame]) -> Frame:
    """Return the next frame, or say that there is none."""
    frame = next(frames, None)
    if frame is None:
        raise DrawError("the text is longer than its frames")
    return frame
