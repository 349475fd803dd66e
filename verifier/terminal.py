"""Text for a terminal: lines that fit its width and move no cursor."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

COLUMNS = 100
"""Width of a line."""


def columns(text: str) -> int:
    """Terminal columns of printable text: two for wide East Asian characters, none for marks."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    marks = sum(unicodedata.category(char) in ("Mn", "Me") for char in text)
    return len(text) + wide - marks


def shortened(text: str, width: int) -> str:
    """One line of at most `width` columns that moves no cursor: controls, direction marks and other
    unseen characters are shown as escapes."""
    line = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in " ".join(text[: 8 * width].split())
    )
    if columns(line) <= width and len(text) <= 8 * width:
        return line
    while columns(line) > width - 1:
        line = line[:-1]
    return f"{line.rstrip()}…"


def quoted(text: str, width: int) -> str:
    """A text in quotation marks, of at most `width` columns with them; marks inside it do not end
    it."""
    escaped = text[: 8 * width].replace('"', '\\"') + text[8 * width :]
    return f'"{shortened(escaped, width - 2)}"'


def wrapped(text: str, width: int = COLUMNS) -> list[str]:
    """Lines of whole words, all but the first indented; a word that fits no line is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if columns(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(f"  {shortened(word, width - 2)}")
    return [line for line in lines if line]


def enumerated(items: Sequence[str], most: int = 0) -> str:
    """Items as "a, b and c", or "a, b and 7 more" with `most` 2."""
    shown = list(items)
    if most and len(shown) > most:
        shown[most:] = [f"{len(items) - most} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
