"""Evidence crops: what is asked of a renderer, what it gives back, and the descriptor that binds a
picture to its source.

Only `ingest` renders; the verifier asks through CropRenderer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from grounding.canonical import canonical_sha256
from grounding.geometry import Box, PageFrame
from grounding.model import DocumentIdentity, Region
from grounding.version import SCHEMA_VERSION

ARTIFACT_TYPE = "pagewitness.crop.v1"
DEFAULT_DPI = 144
MAX_DPI = 1200
PADDING = 600
"""Centipoints around the evidence that a crop shows as well, so that a reader sees where it is."""
GROUP_GAP = 4000
"""Regions of one page closer than this (centipoints, vertically) are one picture."""


@dataclass(frozen=True, slots=True)
class CropRequest:
    """A rectangle of a page to render, and rectangles to mark in it."""

    page: int
    clip: Box
    highlights: tuple[Box, ...] = ()
    dpi: int = DEFAULT_DPI
    labels: tuple[Box, ...] = ()
    """Rectangles to mark in a second colour: the labels of a table cell."""


@dataclass(frozen=True, slots=True)
class RenderedCrop:
    """A PNG of a request. `dpi` is lower than asked when the pixel cap was met."""

    request: CropRequest
    png: bytes
    width: int
    height: int
    dpi: int
    renderer: str

    @property
    def capped(self) -> bool:
        return self.dpi < self.request.dpi


class CropRenderer(Protocol):
    """Renders rectangles of one document whose bytes have been checked."""

    def render(self, request: CropRequest) -> RenderedCrop:
        """Raises CropError."""
        ...


def descriptor(
    crop: RenderedCrop, identity: DocumentIdentity, check_id: str | None = None
) -> dict[str, Any]:
    """What stands in the JSON file beside the PNG. `crop_ref` is the hash of all the rest, so a
    picture cannot be passed off as that of another page or document."""
    body: dict[str, Any] = {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "document_fingerprint": identity.document_fingerprint,
        "source_fingerprint": identity.source_fingerprint,
        "page": crop.request.page,
        "bbox": crop.request.clip.as_list(),
        "highlights": [box.as_list() for box in crop.request.highlights],
        "labels": [box.as_list() for box in crop.request.labels],
        "dpi": crop.dpi,
        "requested_dpi": crop.request.dpi,
        "pixels_capped": crop.capped,
        "width_px": crop.width,
        "height_px": crop.height,
        "png_sha256": hashlib.sha256(crop.png).hexdigest(),
        "renderer": crop.renderer,
    }
    if check_id is not None:
        body["check_id"] = check_id
    return {**body, "crop_ref": f"crop-{canonical_sha256(body)}"}


def crop_of(
    frame: PageFrame, page: int, boxes: Sequence[Box], *, dpi: int, highlight: bool, padding: int
) -> CropRequest:
    """The crop that shows some boxes of one page with `padding` around them."""
    clip = _around(boxes)
    if padding:
        clip = clip.padded(padding, frame)
    return CropRequest(page, clip, tuple(boxes) if highlight else (), dpi)


def lines_of(
    frame: PageFrame,
    page: int,
    boxes: Sequence[Box],
    labels: Sequence[Box] = (),
    *,
    dpi: int,
    highlight: bool,
) -> CropRequest:
    """The crop that shows some boxes in whole lines of their page, margin to margin: what a number
    means stands at the other end of its line. Those of its labels that stand on the page are shown
    and marked, too. A box that is the whole page is not marked."""
    clip = _around([*boxes, *labels]).padded(PADDING, frame)
    marked = [box for box in boxes if box != frame.box] if highlight else []
    lines = Box(0, clip.y0, frame.width, clip.y1)
    return CropRequest(page, lines, tuple(marked), dpi, tuple(labels) if highlight else ())


def _around(boxes: Sequence[Box]) -> Box:
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.union(box)
    return whole


def group_regions(regions: Sequence[Region]) -> list[list[Region]]:
    """Regions that belong in one picture: neighbours in order, on one page, close together."""
    groups: list[list[Region]] = []
    for region in regions:
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and last.page == region.page
            and region.box.y0 - last.box.y1 <= GROUP_GAP
            and last.box.y0 - region.box.y1 <= GROUP_GAP
        ):
            groups[-1].append(region)
        else:
            groups.append([region])
    return groups
