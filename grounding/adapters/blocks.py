"""Boxes as fine as a foreign file has them.

A character lies in the box of its cell, its span or its element; in which part of that box, nobody
can tell.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from grounding.geometry import Box


class BlockBoxes:
    """Boxes of stretches of a page's text, the finest that are known."""

    def __init__(self, length: int, blocks: Iterable[tuple[int, int, Box]]) -> None:
        self._boxes: list[Box] = []
        self._at = array("i", [-1]) * length
        # From the widest stretch to the narrowest, which is the finest.
        for start, end, box in sorted(blocks, key=lambda b: (b[0] - b[1], b[0])):
            self._at[start:end] = array("i", [len(self._boxes)]) * (end - start)
            self._boxes.append(box)

    def union(self, start: int, end: int) -> Box | None:
        """Box around all stretches that the characters [start, end) lie in."""
        found: Box | None = None
        for number in sorted(set(self._at[start:end])):
            if number >= 0:
                box = self._boxes[number]
                found = box if found is None else found.union(box)
        return found

    def lies_in(self, at: int, box: Box, tolerance: int) -> bool | None:
        """Whether the stretch of a character lies in a box; None when they only meet."""
        if self._at[at] < 0:
            return None
        own = self._boxes[self._at[at]]
        if box.contains(own, tolerance):
            return True
        return None if box.overlap(own) else False
