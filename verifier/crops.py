"""Which pictures show the evidence of a check."""

from __future__ import annotations

from collections.abc import Sequence

from grounding.crop import DEFAULT_DPI, CropRequest, group_regions, lines_of
from grounding.errors import PageNotFoundError
from grounding.geometry import Box, PageFrame
from grounding.model import Page, Region
from verifier.report import Check, RegionData


def check_regions(check: Check) -> list[Region]:
    """The regions that a check points to: its evidence; without any, where the text was found
    instead, or the nearest text."""
    evidence = check.get("evidence")
    if evidence is not None and evidence.get("regions"):
        return _regions(evidence["regions"])
    if evidence is not None and "bbox" in evidence and "page_number" in evidence:
        return [Region(evidence["page_number"], Box(*evidence["bbox"]))]
    for place in (*check.get("found_elsewhere", ())[:1], check.get("nearest")):
        if place is not None and "page" in place and "bbox" in place:
            return [Region(place["page"], Box(*place["bbox"]))]
    return []


def _regions(data: Sequence[RegionData]) -> list[Region]:
    return [Region(item["page"], Box(*item["bbox"])) for item in data]


def crop_requests(
    check: Check, pages: Sequence[Page], *, dpi: int = DEFAULT_DPI, highlight: bool = True
) -> list[CropRequest]:
    """One picture a group of neighbouring regions, with the regions and the labels of a cited cell
    marked; empty when the check points nowhere."""
    requests = []
    beside = _regions(check.get("evidence", {}).get("label_regions", []))
    for group in group_regions(check_regions(check)):
        number = group[0].page
        if not 1 <= number <= len(pages):
            raise PageNotFoundError(f"the report's check {check['id']} points to page {number}")
        frame: PageFrame = pages[number - 1].frame
        boxes = [region.box for region in group]
        labels = [region.box for region in beside if region.page == number]
        requests.append(lines_of(frame, number, boxes, labels, dpi=dpi, highlight=highlight))
    return requests
