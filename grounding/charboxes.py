"""Character boxes of one page as packed, compressed arrays.

Each character of the page's text has a box; separators that no glyph stands for (line ends, spaces
between columns) have an empty box at the right edge of the character before them, so that the union
over any range within one line is the box of its glyphs.

The arrays are four little-endian int32 sequences of equal length: x0, widths, y0, heights, in
centipoints. The packed form, version 1, is one byte 0x01 and a zlib stream of the arrays' four byte
planes (all lowest bytes first): planes compress to half of what plain arrays do, and unlike running
differences they unpack without a step a character.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Sequence
from operator import add
from typing import Protocol

from grounding.errors import StoreDamagedError
from grounding.geometry import Box

_VERSION = b"\x01"
_LEVEL = 1
"""zlib's fastest level: 2 to 3 bytes a character; higher levels gain a tenth."""
_ITEM = 4


class TextBoxes(Protocol):
    """Where the characters of one page's text stand, as finely as the source knows."""

    def union(self, start: int, end: int) -> Box | None:
        """Box of the characters [start, end) of the page; None when nothing is known of them."""
        ...

    def lies_in(self, at: int, box: Box, tolerance: int) -> bool | None:
        """Whether a character lies in a box, or up to `tolerance` centipoints outside; None when
        the source cannot tell."""
        ...


class CharBoxes:
    """Four parallel arrays, one entry a code point of the page's text."""

    __slots__ = ("_unions", "height", "width", "x0", "y0")

    def __init__(
        self, x0: Sequence[int], width: Sequence[int], y0: Sequence[int], height: Sequence[int]
    ) -> None:
        self.x0, self.width, self.y0, self.height = x0, width, y0, height
        self._unions: dict[tuple[int, int], Box | None] = {}

    def __len__(self) -> int:
        return len(self.x0)

    def union(self, start: int, end: int) -> Box | None:
        """Box of the characters [start, end) of the page; None when no glyph is among them."""
        if (start, end) not in self._unions:  # whole lines are asked for again and again
            self._unions[start, end] = self._union(start, end)
        return self._unions[start, end]

    def _union(self, start: int, end: int) -> Box | None:
        if start >= end:
            return None
        lefts, tops = self.x0[start:end], self.y0[start:end]
        x0, x1 = min(lefts), max(map(add, lefts, self.width[start:end]))
        y0, y1 = min(tops), max(map(add, tops, self.height[start:end]))
        return Box(x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def lies_in(self, at: int, box: Box, tolerance: int) -> bool | None:
        """Whether the middle of a character does; a separator without a glyph lies nowhere."""
        width, height = self.width[at], self.height[at]
        if width <= 0 and height <= 0:
            return False
        return box.holds(self.x0[at] + width // 2, self.y0[at] + height // 2, tolerance)


def plain_bytes(arrays: bytes) -> bytes:
    """What is hashed for geometry: the arrays before compression, so that another zlib build
    cannot change a fingerprint."""
    return _VERSION + arrays


def pack(arrays: bytes) -> bytes:
    """Packed form of the four arrays, concatenated (little-endian int32)."""
    planes = b"".join(arrays[plane::_ITEM] for plane in range(_ITEM))
    return _VERSION + zlib.compress(planes, _LEVEL)


def arrays_of(packed: bytes) -> bytes:
    """The arrays before compression. Raises StoreDamagedError."""
    if packed[:1] != _VERSION:
        raise StoreDamagedError(f"character boxes of unknown version {packed[:1]!r}")
    try:
        planes = zlib.decompress(packed[1:])
    except zlib.error as error:
        raise StoreDamagedError(f"character boxes cannot be unpacked: {error}") from error
    if len(planes) % (4 * _ITEM):
        raise StoreDamagedError("character boxes are cut off")
    count = len(planes) // _ITEM
    arrays = bytearray(len(planes))
    for plane in range(_ITEM):
        arrays[plane::_ITEM] = planes[plane * count : (plane + 1) * count]
    return bytes(arrays)


def unpack(packed: bytes) -> CharBoxes:
    """Character boxes of a page. Raises StoreDamagedError."""
    values = array("i")
    values.frombytes(arrays_of(packed))
    if sys.byteorder == "big":
        values.byteswap()
    count = len(values) // 4
    return CharBoxes(*(values[i * count : (i + 1) * count] for i in range(4)))
