"""Looking for a quote in a scope, and for where else it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grounding.model import Page, Region
from grounding.text import fold
from verifier.checks.outcome import CheckContext
from verifier.claims import Citation
from verifier.edges import REACH, whole
from verifier.editorial import Fault
from verifier.locate import Scope, first_page_box, regions_of
from verifier.matching import Match, Quote, find_fragments, find_quote
from verifier.report import FoundElsewhere
from verifier.views import DocumentIndex, Range, TextView

_EDGE = 6
"""Letters of a quote by whose places it is told whether it can run over a page break."""
_EXCERPT = 300
"""Characters of evidence that `found_elsewhere` repeats."""


def find_in_scope(quote: Quote, scope: Scope, context: CheckContext) -> list[Match]:
    """Every occurrence inside the scope, in text order."""
    index = context.index
    if scope.regions:
        return _in_boxes(quote, scope, context)
    if scope.ranges is not None:
        found = _in_ranges(quote, scope.ranges, index)
        if not found and scope.element is not None and scope.span is None and scope.page:
            # The cited element may begin or end at a page break that the quote runs over.
            found = [
                m
                for m in _over_breaks(quote, scope.page.number, index)
                if _overlaps(m, scope.ranges)
            ]
        return found
    if scope.is_everything:
        return _everywhere(quote, index)
    return _on_pages(quote, scope.pages, index)


def pick(matches: list[Match], citation: Citation, index: DocumentIndex) -> list[Match]:
    """Those matches that stand between the citation's prefix and suffix."""
    prefix = fold(citation.prefix).text.strip() if citation.prefix else ""
    suffix = fold(citation.suffix).text.strip() if citation.suffix else ""
    if not prefix and not suffix:
        return matches
    return [m for m in matches if _between(m, prefix, suffix, index)]


def _between(match: Match, prefix: str, suffix: str, index: DocumentIndex) -> bool:
    before, after = around(match.ranges, 2 * max(len(prefix), len(suffix)) + 20, index)
    before, after = fold(before).text.rstrip(), fold(after).text.lstrip()
    if not before.endswith(prefix) or not after.startswith(suffix):
        return False
    # Whole words on both sides: "hops" does not stand before what follows "shops".
    start, end = len(before) - len(prefix), len(suffix)
    return (not prefix or whole(before[max(start - REACH, 0) : start], prefix, "")) and (
        not suffix or whole("", suffix, after[end : end + REACH])
    )


def around(ranges: tuple[Range, ...], length: int, index: DocumentIndex) -> tuple[str, str]:
    """Raw text before and after a match, on its pages."""
    start, end = ranges[0][0], ranges[-1][1]
    first, last = index.page_at(start), index.page_at(end - 1)
    return (
        index.text(max(first.start, start - length), start) if start > first.start else "",
        index.text(end, min(last.end, end + length)) if end < last.end else "",
    )


def _on_page(quote: Quote, number: int, index: DocumentIndex) -> list[Match]:
    for make in (index.page_view, index.marked_view, index.body_view):
        view = make(number)
        found = find_quote(quote, view, index) if view is not None else []
        if found:
            return found
    return []


def _on_pages(quote: Quote, pages: Sequence[Page], index: DocumentIndex) -> list[Match]:
    """Occurrences on cited pages, else over the breaks at their ends."""
    found = [match for page in pages for match in _on_page(quote, page.number, index)]
    if found:
        return found
    for page in pages:
        found = _over_breaks(quote, page.number, index)
        if found:
            return found
    return []


def _in_ranges(quote: Quote, ranges: tuple[Range, ...], index: DocumentIndex) -> list[Match]:
    body = index.running_text(ranges) if len(ranges) > 1 else ranges
    tries = [(ranges, False), (ranges, True)] + [(body, False)] * (body != ranges)
    for pieces, markers in tries:
        found = find_quote(quote, index.view_of(pieces, markers=markers), index)
        if found:
            return found
    return []


def _over_breaks(quote: Quote, number: int, index: DocumentIndex) -> list[Match]:
    """Occurrences that begin on one page and end on the next, one of them `number`."""
    for first in (number, number - 1):
        found = _over_break(quote, first, index)
        if found:
            return found
    return []


def _over_break(quote: Quote, first: int, index: DocumentIndex) -> list[Match]:
    if not 1 <= first < len(index.pages) or not _can_run_over(quote, first, index):
        return []
    boundary = index.pages[first].start
    for view in (index.break_view, index.whole_break_view):
        found = find_quote(quote, view(first), index)
        found = [match for match in found if match.start < boundary < match.end]
        if found:
            return found
    return []


def _can_run_over(quote: Quote, first: int, index: DocumentIndex) -> bool:
    """Whether a quote, in one of its readings, can begin on a page and end on the next, by the
    letters at its ends: views of two pages cost time to make."""
    above = index.page_view(first).skeleton.text
    below = index.page_view(first + 1).skeleton.text
    return any(_parts_at(text, above, below) for text in _letters(quote))


def _letters(quote: Quote) -> list[str]:
    """Letters and digits of a quote in each of its readings that has some."""
    texts = (reading.skeleton.text for reading in (quote, *quote.readings))
    return [text for text in texts if text]


def _parts_at(text: str, above: str, below: str) -> bool:
    """Whether a text begins above and ends below; its first or last few letters may be all that
    stands on one side."""
    begins, ends = text[1:][:_EDGE] in above, text[-_EDGE:] in below
    early = text[_EDGE : 2 * _EDGE] in below and ends
    late = begins and text[-2 * _EDGE : -_EDGE] in above
    return (begins and ends) or early or late


def _everywhere(quote: Quote, index: DocumentIndex) -> list[Match]:
    pages, breaks = _likely(quote, index)
    found = [m for number in sorted(pages) for m in _on_page(quote, number, index)]
    return found or [m for number in sorted(breaks) for m in _over_break(quote, number, index)]


def _likely(quote: Quote, index: DocumentIndex) -> tuple[set[int], set[int]]:
    """Pages on which the quote, in one of its readings, can stand, and those from which it can run
    over to the next one."""
    pages: set[int] = set()
    breaks: set[int] = set()
    for text in _letters(quote):
        on, over = index.places_like(text)
        pages |= on
        breaks |= over
    return pages, breaks


def _overlaps(match: Match, ranges: tuple[Range, ...]) -> bool:
    return any(a < d and c < b for a, b in match.ranges for c, d in ranges)


def _in_boxes(quote: Quote, scope: Scope, context: CheckContext) -> list[Match]:
    """Occurrences whose characters all have their centres in the cited boxes."""
    index = context.index
    inside = box_ranges(scope.regions, context, perhaps=scope.perhaps)
    if not inside:
        return []
    numbers = sorted({region.page for region in scope.regions})
    matches = [m for number in numbers for m in _on_page(quote, number, index)]
    if len(numbers) > 1:
        matches = matches or [m for number in numbers for m in _over_break(quote, number, index)]
    found = [m for m in matches if all(covered(piece, inside, index) for piece in m.ranges)]
    if scope.ranges is not None:
        found = [m for m in found if _overlaps(m, scope.ranges)]
    # Text of a narrow box may go on at another place of the page's text: lines of one cell. Several
    # boxes are not joined like that: who picks them could make any sentence of a page's words.
    return found or (_in_ranges(quote, tuple(inside), index) if len(scope.regions) == 1 else [])


def perhaps_inside(scope: Scope, context: CheckContext) -> Scope | None:
    """The scope with all text that may lie in its boxes, where the source's own boxes are too
    coarse to tell; None where they are not."""
    sure = box_ranges(scope.regions, context)
    wider = replace(scope, perhaps=True)
    return wider if box_ranges(scope.regions, context, perhaps=True) != sure else None


def box_ranges(
    regions: Sequence[Region], context: CheckContext, *, perhaps: bool = False
) -> list[Range]:
    """Ranges of the document's text whose characters have their centres in one of some boxes; with
    `perhaps` also those of which the source cannot tell."""
    numbers = sorted({region.page for region in regions})
    wanted = (True, None) if perhaps else (True,)
    return [piece for number in numbers for piece in _inside(number, regions, context, wanted)]


def _inside(
    number: int,
    regions: Sequence[Region],
    context: CheckContext,
    wanted: tuple[bool | None, ...],
) -> list[Range]:
    page, boxes = context.index.pages[number - 1], context.index.boxes(number)
    if boxes is None:
        return []
    text = context.index.source.page_text(number)
    tolerance = context.config.bbox_tolerance
    cited = [region.box for region in regions if region.page == number]
    unseen = context.index.unseen(number)
    ranges: list[Range] = []
    for at in range(len(text)):
        if text[at].isspace() or any(a <= page.start + at < b for a, b in unseen):
            continue
        if not any(boxes.lies_in(at, box, tolerance) in wanted for box in cited):
            continue
        if ranges and not text[ranges[-1][1] - page.start : at].strip():
            ranges[-1] = (ranges[-1][0], page.start + at + 1)
        else:
            ranges.append((page.start + at, page.start + at + 1))
    return ranges


def covered(piece: Range, inside: list[Range], index: DocumentIndex) -> bool:
    """Whether every printed character of a piece of one page lies in one of the ranges, which are
    in order."""
    start, end = piece
    text = index.text(start, end)
    low = start + len(text) - len(text.lstrip())
    high = end - (len(text) - len(text.rstrip()))
    at = low
    for a, b in inside:
        if a <= at < b:
            at = b
            while at < high and text[at - start].isspace():
                at += 1
    return at >= high


def find_elsewhere(quote: Quote, scope: Scope, context: CheckContext) -> list[Match]:
    """Occurrences in the rest of the document: nearest pages first, then in page order."""
    index = context.index
    if scope.is_everything or not context.config.search_elsewhere:
        return []
    pages, breaks = _likely(quote, index)

    def near(number: int) -> tuple[int, int]:
        return min(abs(number - page.number) for page in scope.pages), number

    found = [m for n in sorted(pages, key=near) for m in _on_page(quote, n, index)]
    return found or [m for n in sorted(breaks, key=near) for m in _over_break(quote, n, index)]


def elsewhere_data(match: Match, index: DocumentIndex) -> FoundElsewhere | None:
    """A match as the report lists it."""
    regions = regions_of(index, match.ranges)
    if not regions and index.source.capabilities.coordinate_origin != "unknown":
        return None
    data: FoundElsewhere = {
        "page": index.page_at(match.start).number,
        "text": match.raw[:_EXCERPT],
    }
    if regions:
        data["bbox"] = first_page_box(regions).as_list()
    return data


def hidden_matches(quote: Quote, scope: Scope, index: DocumentIndex) -> list[Match]:
    """Occurrences that need text nobody sees."""
    for page in scope.pages or index.pages:
        view: TextView | None = index.hidden_view(page.number)
        if view is not None:
            found = find_quote(quote, view, index)
            if found:
                return found
    return []


def fragment_fault(quote: Quote, scope: Scope, index: DocumentIndex) -> Fault | None:
    """Why the fragments of a quote with ellipses, which all stand in the cited place, cannot be put
    together there; None when that is not what is wrong."""
    if scope.is_everything or not quote.fragments:
        return None
    views: list[TextView | None] = []
    for number in (page.number for page in scope.pages):
        views += [index.page_view(number), index.body_view(number)]
        views += [index.break_view(n) for n in (number, number - 1) if 1 <= n < len(index.pages)]
    faults = [find_fragments(quote, view, index).fault for view in views if view is not None]
    return next((fault for fault in faults if fault is not None), None)


def read_across(quote: Quote, scope: Scope, index: DocumentIndex) -> list[Match]:
    """Occurrences in the lines of a cited page as they stand side by side: a text that only they
    make was read across columns."""
    for page in scope.pages:
        found = find_quote(quote, index.lines_view(page.number), index)
        if found:
            return found
    return []


def number_views(
    scope: Scope, context: CheckContext
) -> Iterator[tuple[TextView, list[Range] | None]]:
    """Views in which numbers are read, and the ranges that a number's digits must lie in (None:
    anywhere). A number is read where it stands, whole, with the sign, currency and scale beside it,
    even if the citation cuts it; only a table cell is all there is to a number in it."""
    index = context.index
    if scope.cell is not None:
        yield index.view_of(scope.ranges or (), markers=False), None
        return
    wanted: list[Range] | None = None
    if scope.regions:
        wanted = box_ranges(scope.regions, context, perhaps=scope.perhaps)
        if scope.ranges is not None:
            wanted = overlap(wanted, scope.ranges)
    elif scope.ranges is not None:
        wanted = list(scope.ranges)
    if scope.regions:
        numbers = sorted({region.page for region in scope.regions})
    else:
        numbers = [page.number for page in scope.pages or index.pages]
    for number in numbers:
        yield index.page_view(number), wanted


def overlap(ranges: list[Range], others: tuple[Range, ...]) -> list[Range]:
    """The parts of some ranges that lie in others."""
    return [(max(a, c), min(b, d)) for a, b in ranges for c, d in others if a < d and c < b]
