"""What a citation leads to: the first of its locators that applies decides, the others are not
looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grounding.adapters.model import ForeignBox, ForeignElement
from verifier.codes import Status
from verifier.ethos.citations import EthosCitation, EthosClaim
from verifier.ethos.index import DocumentIndex
from verifier.ethos.report import EthosReason
from verifier.ethos.text import Comparison

TargetKind = Literal["table_cell", "span", "element", "region", "page"]


@dataclass(frozen=True, slots=True)
class Target:
    """The place that a claim is compared with. `page` is empty and `bbox` None where the document
    does not say them; `text` is None for a place without text. `position` is that of the element
    in the document, `joined` says that the text is of two elements."""

    kind: TargetKind
    page: str
    bbox: ForeignBox | None
    text: str | None
    position: int | None = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class NoTarget:
    """Why a citation leads nowhere."""

    status: Status
    reason: EthosReason


def resolve(claim: EthosClaim, index: DocumentIndex, tolerance: int) -> Target | NoTarget:
    """The place that a claim's citation leads to; `tolerance` in centipoints."""
    cited = claim.citation
    if claim.kind == "table_cell" or cited.table_id is not None or cited.cell is not None:
        return _cell(cited, index)
    if cited.span_id is not None:
        return _span(cited.span_id, index)
    if cited.element_id is not None:
        return _element(cited.element_id, index)
    if cited.bbox is not None:
        return _region(cited, index, tolerance)
    if cited.page is not None:
        return _page(cited.page, index)
    return NoTarget("error", "missing_locator")


def _cell(cited: EthosCitation, index: DocumentIndex) -> Target | NoTarget:
    if cited.table_id is None or cited.cell is None:
        return NoTarget("error", "missing_table_cell_locator")
    if not index.document.capabilities.tables:
        return NoTarget("capability_blocked", "missing_table_capability")
    table = index.tables.get(cited.table_id)
    if table is None:
        return NoTarget("not_found", "table_not_found")
    cell = index.cell(table, cited.cell.row, cited.cell.col)
    if cell is None:
        return NoTarget("not_found", "table_cell_not_found")
    return Target("table_cell", table.page, cell.bbox, cell.text)


def _span(span_id: str, index: DocumentIndex) -> Target | NoTarget:
    if not index.document.capabilities.spans:
        return NoTarget("capability_blocked", "missing_span_capability")
    span = index.spans.get(span_id)
    if span is None:
        return NoTarget("not_found", "span_not_found")
    return Target("span", span.page, span.bbox, span.text)


def _element(element_id: str, index: DocumentIndex) -> Target | NoTarget:
    position = index.positions.get(element_id)
    if position is None:
        return NoTarget("not_found", "element_not_found")
    element = index.document.elements[position]
    return Target("element", element.page, element.bbox, element.text, position)


def _region(cited: EthosCitation, index: DocumentIndex, tolerance: int) -> Target | NoTarget:
    """The smallest element around a box. Whether the document has the page is not asked: a page
    without elements has nothing around the box either."""
    if cited.page is None or cited.bbox is None:
        return NoTarget("error", "missing_page_for_bbox")
    if index.document.capabilities.coordinate_origin == "unknown":
        return NoTarget("capability_blocked", "unknown_coordinate_origin")
    position = index.boxes(cited.page, tolerance).smallest_around(cited.bbox)
    if position is None:
        return NoTarget("not_found", "bbox_not_found")
    element = index.document.elements[position]
    return Target("region", element.page, element.bbox, element.text, position)


def _page(page_id: str, index: DocumentIndex) -> Target | NoTarget:
    page = index.pages.get(page_id)
    if page is None:
        return NoTarget("not_found", "page_not_found")
    sized = page.width > 0 and page.height > 0
    return Target("page", page.id, (0, 0, page.width, page.height) if sized else None, None)


def with_neighbour(
    claim: EthosClaim, target: Target, index: DocumentIndex, comparison: Comparison
) -> Target:
    """The cited element together with the next or the one before it, where only both together hold
    a quote; else the target as it is."""
    single = target.kind == "element" and claim.citation.bbox is None
    if claim.kind != "quote" or not single or target.position is None:
        return target
    elements = index.document.elements
    for first in (target.position, target.position - 1):
        if 0 <= first < len(elements) - 1:
            joined = _joined(elements[first], elements[first + 1], claim.text, comparison)
            if joined is not None:
                return joined
    return target


def _joined(
    first: ForeignElement, second: ForeignElement, quote: str | None, comparison: Comparison
) -> Target | None:
    if first.page != second.page or first.text is None or second.text is None:
        return None
    if first.bbox is None or second.bbox is None or not _touch(first.bbox, second.bbox):
        return None
    if comparison.contains(first.text, quote) or comparison.contains(second.text, quote):
        return None
    text = comparison.shown(f"{first.text} {second.text}")
    if not comparison.contains(text, quote):
        return None
    a, b = first.bbox, second.bbox
    union = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
    return Target("element", first.page, union, text, joined=True)


def _touch(first: ForeignBox, second: ForeignBox) -> bool:
    """Whether the second box begins exactly where the first ends, to its right or below it."""
    beside = first[2] == second[0] and _overlap(first[1], first[3], second[1], second[3])
    below = first[3] == second[1] and _overlap(first[0], first[2], second[0], second[2])
    return beside or below


def _overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    return max(start, other_start) < min(end, other_end)
