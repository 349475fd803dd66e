"""Which boxes contain a cited one: exact, and without a look at every box of a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from grounding.adapters.model import ForeignBox

_Bucket = list[tuple[int, int, ForeignBox]]
"""Area, position and box, smallest first."""


def contains(outer: ForeignBox, inner: ForeignBox, tolerance: int) -> bool:
    """Whether `inner` lies in `outer`, or stands out of it by `tolerance` at the most."""
    return (
        inner[0] >= outer[0] - tolerance
        and inner[1] >= outer[1] - tolerance
        and inner[2] <= outer[2] + tolerance
        and inner[3] <= outer[3] + tolerance
    )


class BoxIndex:
    """Boxes of one page by place, for one tolerance, all in centipoints.

    A box lies in grids of squares as wide as the power of two above its longer side, so in four
    squares at the most. What contains a cited box contains its corner: of each grid only the square
    with that corner is looked at. A page has about as many grids as it has orders of size.
    """

    def __init__(self, boxes: Iterable[tuple[int, ForeignBox | None]], tolerance: int) -> None:
        """`boxes` are positions with boxes; those without a box are found by none."""
        self.tolerance = tolerance
        self.compared = 0
        """How many boxes were held against cited ones so far."""
        self._grids: dict[int, dict[tuple[int, int], _Bucket]] = defaultdict(dict)
        for position, box in boxes:
            if box is not None:
                self._add(position, box)
        for grid in self._grids.values():
            for bucket in grid.values():
                bucket.sort()

    def _add(self, position: int, box: ForeignBox) -> None:
        t = self.tolerance
        x0, y0, x1, y1 = box[0] - t, box[1] - t, box[2] + t, box[3] + t
        if x0 > x1 or y0 > y1:
            return  # nothing lies in a box whose corners are swapped
        level = max(x1 - x0, y1 - y0).bit_length()
        entry = ((box[2] - box[0]) * (box[3] - box[1]), position, box)
        grid = self._grids[level]
        for column in {x0 >> level, x1 >> level}:
            for row in {y0 >> level, y1 >> level}:
                grid.setdefault((column, row), []).append(entry)

    def smallest_around(self, cited: ForeignBox) -> int | None:
        """Position of the box with the least area that contains the cited one, the first of
        equals; None if there is none."""
        best: tuple[int, int] | None = None
        for level, grid in self._grids.items():
            for area, position, box in grid.get((cited[0] >> level, cited[1] >> level), ()):
                if best is not None and (area, position) > best:
                    break
                self.compared += 1
                if contains(box, cited, self.tolerance):
                    best = (area, position)
                    break
        return best[1] if best is not None else None
