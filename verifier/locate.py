"""From a citation to the places in which its claim may stand.

Every locator narrows the same scope; when two of them exclude each other the citation contradicts
itself (`locator_conflict`), and none of them is silently preferred.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from grounding.errors import BoxInvalidError
from grounding.geometry import Box, BoxSpace
from grounding.model import Cell, Element, Page, Region, Span, Table
from verifier.claims import Citation, CitedRegion
from verifier.codes import EvidenceTier, Reason, Status
from verifier.labels import LabelledPlace, Unlabelled, find_labelled
from verifier.views import DocumentIndex, Range

_PAGE_ALONE = {"page"}
_BOX_SLACK = 100
"""Centipoints that a cited box may reach beyond the page's edge: rounding by other tools."""


@dataclass(frozen=True, slots=True)
class Unlocated:
    """A citation that leads nowhere."""

    status: Status
    reason: Reason
    candidates: tuple[LabelledPlace, ...] = ()
    """The places that labels lead to, where they lead to several."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a claim may stand: on a page or one of several in a row (none: the whole document), and
    inside it text ranges and boxes if the citation narrows to them. Only boxes may lie on other
    pages too."""

    pages: tuple[Page, ...] = ()
    ranges: tuple[Range, ...] | None = None
    regions: tuple[Region, ...] = ()
    tier: EvidenceTier = "page"
    element: Element | None = None
    span: Span | None = None
    table: Table | None = None
    cell: Cell | None = None
    offsets: Range | None = None
    perhaps: bool = False
    """Whether text counts as inside boxes of which the source cannot tell that it is outside."""

    @property
    def page(self) -> Page | None:
        """The cited page, of several the first; None for the whole document."""
        return self.pages[0] if self.pages else None

    @property
    def is_everything(self) -> bool:
        return not self.pages


@dataclass(slots=True)
class _Building:
    """A scope while locators are added; `pages` holds every page that one of them names, `row` all
    pages of a cited row of them, in one of which the others have to lie."""

    index: DocumentIndex
    row: tuple[Page, ...] = ()
    pages: dict[int, Page] = field(default_factory=dict)
    ranges: list[tuple[Range, ...]] = field(default_factory=list)
    places: list[Box] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    element: Element | None = None
    span: Span | None = None
    table: Table | None = None
    cell: Cell | None = None
    offsets: Range | None = None
    failed: Unlocated | None = None

    def fail(
        self,
        reason: Reason,
        status: Status = "not_found",
        candidates: tuple[LabelledPlace, ...] = (),
    ) -> None:
        self.failed = self.failed or Unlocated(status, reason, candidates)

    def on_page(self, number: int | str) -> None:
        page = page_of(self.index, number)
        if page is None:
            self.fail("page_not_found")
        elif page.left_out:
            self.cannot_tell("page_failed")
        else:
            self.pages[page.number] = page

    def cannot_tell(self, reason: Reason) -> None:
        """The source does not know places of this kind at all."""
        self.fail(reason, "capability_blocked")


def locate(citation: Citation, index: DocumentIndex) -> Scope | Unlocated:
    """The scope that all locators of a citation describe together."""
    if citation.model_fields_set == _PAGE_ALONE and index.source.capabilities.pages:
        page = page_of(index, citation.page)  # as nearly all citations are
        if page is None:
            return Unlocated("not_found", "page_not_found")
        return Unlocated("capability_blocked", "page_failed") if page.left_out else Scope((page,))
    building = _Building(index)
    for step in (_page, _page_label, _element, _span, _table_cell, _labels, _offsets, _boxes):
        step(citation, building)
        if building.failed is not None:
            return building.failed
    if len(building.pages) > 1 or not _agree(building):
        return Unlocated("mismatch", "locator_conflict")
    pages = tuple(building.pages.values()) or building.row
    if building.row and pages[0] not in building.row:
        return Unlocated("mismatch", "locator_conflict")
    return Scope(
        pages,
        _narrowest(building.ranges),
        tuple(building.regions),
        _tier(building),
        building.element,
        building.span,
        building.table,
        building.cell,
        building.offsets,
    )


def _page(citation: Citation, building: _Building) -> None:
    if citation.page is None:
        return
    if not building.index.source.capabilities.pages:
        building.cannot_tell("page_not_found")
    elif citation.page_end is not None and isinstance(citation.page, int):
        first = citation.page
        building.row = tuple(building.index.pages[max(first, 1) - 1 : citation.page_end])
        if len(building.row) != citation.page_end - first + 1:
            building.fail("page_not_found")
        elif all(page.left_out for page in building.row):
            building.cannot_tell("page_failed")
    else:
        building.on_page(citation.page)


def page_of(index: DocumentIndex, page: int | str | None) -> Page | None:
    """A page by its number or its id."""
    if isinstance(page, int):
        return index.page(page)
    return index.page_named(page) if page is not None else None


def _page_label(citation: Citation, building: _Building) -> None:
    if citation.page_label is None:
        return
    if not building.index.source.capabilities.page_labels:
        building.cannot_tell("page_not_found")
        return
    wanted = citation.page_label.strip()
    found = _labelled(wanted, building.index)
    if len(found) > 1 and building.pages:
        # A page number picks one of several pages with the same printed label.
        found = [page for page in found if page.number in building.pages] or found
    if not found:
        building.fail("page_not_found")
    elif len(found) > 1:
        building.fail("page_label_ambiguous", "mismatch")
    else:
        building.on_page(found[0].number)


def _labelled(wanted: str, index: DocumentIndex) -> list[Page]:
    """The pages with a printed label. Where a document has none, its pages go by their numbers, as
    viewers show them."""
    if any(page.label for page in index.pages):
        return [page for page in index.pages if page.label == wanted]
    return [page for page in index.pages if str(page.number) == wanted]


def _element(citation: Citation, building: _Building) -> None:
    if citation.element_id is None:
        return
    if not building.index.source.capabilities.elements:
        building.cannot_tell("element_not_found")
        return
    element = building.index.source.find_element(citation.element_id)
    if element is None:
        building.fail("element_not_found")
        return
    building.element = element
    building.on_page(element.page)
    building.ranges.append(((element.start, element.end),))
    building.places.append(element.box)


def _span(citation: Citation, building: _Building) -> None:
    if citation.span_id is None:
        return
    if not building.index.source.capabilities.spans:
        building.cannot_tell("missing_span_capability")
        return
    span = building.index.source.find_span(citation.span_id)
    if span is None:
        building.fail("span_not_found")
        return
    if span.start == span.end:  # a foreign span of which nobody can tell where its text stands
        building.cannot_tell("missing_span_capability")
        return
    building.span = span
    building.on_page(span.page)
    building.ranges.append(((span.start, span.end),))
    building.places.append(span.box)


def _table_cell(citation: Citation, building: _Building) -> None:
    if citation.table_id is None and citation.cell is None:
        return
    if citation.table_id is None:
        building.fail("missing_table_cell_locator", "error")
        return
    if not building.index.source.capabilities.tables:
        building.cannot_tell("missing_table_capability")
        return
    table = building.index.source.find_table(citation.table_id)
    if table is None:
        building.fail("table_not_found")
        return
    building.table = table
    if citation.cell is None:
        _in_table(building, table)
        building.ranges.append(_table_ranges(table))
        return
    cell = table.cell_at(citation.cell.row, citation.cell.col)
    if cell is None:
        building.fail("table_cell_not_found")
        return
    building.cell = cell
    building.on_page(cell.page)
    building.ranges.append(cell.ranges)
    building.places.append(cell.box)


def _in_table(building: _Building, table: Table) -> None:
    """Puts a whole table on the cited page if it has a part there, else on its first."""
    number = next((n for n in building.pages if table.box_on(n)), table.page)
    building.on_page(number)
    box = table.box_on(number)
    if box is not None:
        building.places.append(box)


def _labels(citation: Citation, building: _Building) -> None:
    if citation.row_label is None and citation.column_label is None:
        return
    able = building.index.source.capabilities
    if not able.tables or not able.cell_roles:
        building.cannot_tell("missing_table_capability")
        return
    found = find_labelled(_candidates(building), citation.row_label, citation.column_label)
    if isinstance(found, Unlabelled):
        building.fail(found.reason, found.status, found.candidates)
        return
    if found.cell is not None:
        building.on_page(found.cell.page)
        building.places.append(found.cell.box)
    else:
        _in_table(building, found.table)
    building.ranges.append(tuple(sorted(r for cell in found.cells for r in cell.ranges)))
    if building.cell is not None and building.cell not in found.cells:
        building.fail("locator_conflict", "mismatch")
    building.table, building.cell = found.table, building.cell or found.cell


def _candidates(building: _Building) -> list[Table]:
    """The cited table; else those of the cited page; else all."""
    if building.table is not None:
        return [building.table]
    numbers = building.pages or [page.number for page in building.index.pages]
    found = {t.number: t for number in numbers for t in building.index.tables(number)}
    return list(found.values())


def _table_ranges(table: Table) -> tuple[Range, ...]:
    return tuple(sorted(piece for cell in table.cells for piece in cell.ranges))


def _offsets(citation: Citation, building: _Building) -> None:
    start, end = citation.char_start, citation.char_end
    if start is None and end is None:
        return
    last = building.index.pages[-1].end
    if start is None or end is None or not 0 <= start < end <= last:
        building.fail("span_not_found")
        return
    building.offsets = (start, end)
    pages = [p for p in building.index.pages if p.start < end and start < p.end]
    # A range over a page break lies on several pages; the cited one has to be among them.
    if building.pages and not any(page.number in building.pages for page in pages):
        building.fail("locator_conflict", "mismatch")
    elif not building.pages and pages:
        building.on_page(pages[0].number)
    ranges = tuple((max(start, page.start), min(end, page.end)) for page in pages)
    building.ranges.append(ranges)
    regions = regions_of(building.index, ranges)
    if regions:
        building.places.append(first_page_box(regions))


def _boxes(citation: Citation, building: _Building) -> None:
    cited = [CitedRegion(bbox=citation.bbox)] if citation.bbox else citation.regions
    if not cited:
        return
    if building.index.source.capabilities.coordinate_origin == "unknown":
        building.cannot_tell("unknown_coordinate_origin")
        return
    space = citation.bbox_space.space() if citation.bbox_space else BoxSpace()
    for one in cited:
        _box(one, space, building)
    pages = [region.page for region in building.regions]
    if building.failed is None and not building.pages:
        building.on_page(pages[0])
    elif pages and not any(page in building.pages for page in pages):
        building.fail("locator_conflict", "mismatch")


def _box(cited: CitedRegion, space: BoxSpace, building: _Building) -> None:
    if cited.page is not None:
        page = page_of(building.index, cited.page)
    else:
        page = next(iter(building.pages.values()), None)
    if page is None:
        if cited.page is None:
            building.fail("missing_page_for_bbox", "error")
        else:
            building.fail("page_not_found")
        return
    try:
        box = space.to_box(cited.bbox, page.frame)
    except BoxInvalidError:
        building.fail("bbox_out_of_bounds", "error")
        return
    if not page.frame.box.contains(box, _BOX_SLACK):
        building.fail("bbox_out_of_bounds")
        return
    building.regions.append(Region(page.number, box))


def _agree(building: _Building) -> bool:
    """Whether text ranges overlap each other and boxes meet."""
    ranges = building.ranges
    for one in ranges:
        for other in ranges:
            if one is not other and one and other and not _meet(one, other):
                return False
    boxes = [region.box for region in building.regions if region.page in building.pages]
    return not boxes or all(
        any(box.overlap(place) > 0 for box in boxes) for place in building.places
    )


def _meet(one: tuple[Range, ...], other: tuple[Range, ...]) -> bool:
    return any(a < d and c < b for a, b in one for c, d in other)


def _narrowest(ranges: list[tuple[Range, ...]]) -> tuple[Range, ...] | None:
    """The intersection of all ranges given; None when none was."""
    if not ranges:
        return None
    result = ranges[0]
    for other in ranges[1:]:
        result = tuple(
            (max(a, c), min(b, d)) for a, b in result for c, d in other if a < d and c < b
        )
    return result


def _tier(building: _Building) -> EvidenceTier:
    if building.cell is not None:
        return "table_cell"
    if building.regions:
        return "region"
    if building.span is not None or building.offsets is not None:
        return "exact_span"
    return "element" if building.element is not None else "page"


def regions_of(index: DocumentIndex, ranges: tuple[Range, ...]) -> list[Region]:
    """Regions that follow the lines of some text: one box a line, in text order."""
    regions: list[Region] = []
    for start, end in ranges:
        page = index.page_at(start)
        boxes = index.boxes(page.number)
        if boxes is None:
            continue
        text = index.source.page_text(page.number)
        low, high = start - page.start, end - page.start
        while low < high:
            stop = text.find("\n", low, high)
            stop = high if stop < 0 else stop
            box = boxes.union(low, stop)
            if box is not None:
                _append(regions, Region(page.number, box))
            low = stop + 1
    return regions


def _append(regions: list[Region], region: Region) -> None:
    """Pieces of one line (a footnote marker parted them) are one region."""
    if regions and regions[-1].page == region.page:
        if regions[-1] == region:  # lines of a block whose box is all that is known
            return
        last = regions[-1].box
        shared = min(last.y1, region.box.y1) - max(last.y0, region.box.y0)
        near = -200 <= region.box.x0 - last.x1 <= 1200
        if near and shared > 0.6 * min(last.height, region.box.height):
            regions[-1] = Region(region.page, last.union(region.box))
            return
    regions.append(region)


def first_page_box(regions: Sequence[Region]) -> Box:
    """The box around all regions on the first one's page."""
    box = regions[0].box
    for region in regions[1:]:
        if region.page == regions[0].page:
            box = box.union(region.box)
    return box
