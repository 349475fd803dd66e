"""Boxes of foreign formats as the places of claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

MAX_REGIONS = 100
"""As many as a citation may have."""


@dataclass(frozen=True, slots=True)
class FoundBox:
    """A box on a page (from 1), from the top left: left, top, right, bottom as decimal text in
    points, or in fractions of the page. Without corners it is the whole page."""

    page: int
    corners: tuple[str, ...] | None = None
    unit: Literal["point", "fraction"] = "point"


def few(boxes: Sequence[FoundBox]) -> list[FoundBox]:
    """Boxes without repeats; of more than a citation may have, only their first and last page."""
    distinct = list(dict.fromkeys(boxes))
    if len(distinct) <= MAX_REGIONS:
        return distinct
    numbers = [box.page for box in distinct]
    return [FoundBox(min(numbers)), FoundBox(max(numbers))]


def placed(boxes: Sequence[FoundBox]) -> dict[str, Any]:
    """The place of a claim that stands in all of some boxes together.

    Where a box cannot be said, or there are too many, the pages remain.
    """
    if not boxes:
        return {}
    boxes = few(boxes)
    units = {box.unit for box in boxes}
    if len(units) > 1 or any(box.corners is None for box in boxes):
        first, last = min(box.page for box in boxes), max(box.page for box in boxes)
        return {"page": first} if first == last else {"page": first, "page_end": last}
    space = {"origin": "top-left", "unit": units.pop()}
    if len(boxes) == 1:
        return {"page": boxes[0].page, "bbox": list(boxes[0].corners or ()), "bbox_space": space}
    regions = [{"page": box.page, "bbox": list(box.corners or ())} for box in boxes]
    return {"regions": regions, "bbox_space": space}
