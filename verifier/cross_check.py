"""A foreign artifact beside this project's own reading of the same document.

Two parsers that differ are evidence too: each place where they do is listed. Texts are compared by
their letters and digits, since parsers differ in spaces and marks everywhere; numbers by the marks
that belong to them as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from grounding.geometry import Box
from grounding.model import UNSEEN, Element, ElementKind, Page, Table, WarningCode
from grounding.source import GroundingSource
from grounding.text import fold
from verifier.report import CrossCheck, Disagreement, DisagreementKind, Report
from verifier.skeleton import Skeleton

MOST_LISTED = 200
_WORD = re.compile(r"[^\W_]+")
_SIZE_TOLERANCE = 100
_BOX_TOLERANCE = 200
"""Centipoints: boxes of glyphs differ by parser, by up to a fifth of a line."""
_EXCERPT = 300
_FIGURE = re.compile(
    r"(?<![^\W_])(?P<before>[-(]?\s?[$€£¥]?\s?-?)(?P<digits>\d+(?:[.,']\d+)*)(?P<after>\s?%)?"
)
"""A number with the marks that change what it says: its sign, its currency, percent."""


def cross_check(foreign: GroundingSource, own: GroundingSource) -> CrossCheck:
    """What the two readings agree on, and where they differ."""
    found = _Comparison(foreign, own)
    disagreements = list(found.all())
    kinds = Counter(item["kind"] for item in disagreements)
    return {
        "parser": {"name": own.parser.name, "version": own.parser.version},
        "document_fingerprint": own.identity.document_fingerprint,
        "blocks_compared": found.compared,
        "blocks_alike": found.alike,
        "disagreements_by_kind": dict(sorted(kinds.items())),
        "disagreements": disagreements[:MOST_LISTED],
    }


def with_cross_check(report: Report, result: CrossCheck) -> Report:
    """The report with what the readings differ in, and a warning on each check whose evidence is
    such a place."""
    report["cross_check"] = result
    if not result["disagreements"]:
        return report
    warning = str(WarningCode.PARSERS_DISAGREE)
    report["warnings"] = sorted({*report["warnings"], warning})
    places = {(d.get("page"), d.get("element_id")) for d in result["disagreements"]}
    whole = any(d["kind"] in ("source_bytes", "page_count") for d in result["disagreements"])
    for check in report["checks"]:
        evidence = check.get("evidence", {})
        ids = (evidence.get("element_id"), evidence.get("table_id"))
        if whole or any((evidence.get("page_number"), one) in places for one in ids if one):
            check["warnings"] = sorted({*check["warnings"], warning})
    return report


class _Comparison:
    """One artifact against one reading."""

    def __init__(self, foreign: GroundingSource, own: GroundingSource) -> None:
        self.foreign, self.own = foreign, own
        self._own = [page for page in own.pages if page.status == "ok"]
        self.compared = self.alike = 0
        self.placed = foreign.capabilities.coordinate_origin != "unknown"

    def all(self) -> Iterator[Disagreement]:
        """Differences of the whole document first, then page by page."""
        theirs, ours = self.foreign.identity.source_fingerprint, self.own.identity
        if theirs and not ours.is_pinned_by(theirs):
            yield {"kind": "source_bytes", "text": theirs, "own_text": ours.source_fingerprint}
        if not self.foreign.capabilities.pages:
            yield from self._blocks(
                self.foreign.pages[0], "\n".join(map(self._own_text, self._own))
            )
            whole = self.foreign.page_text(1)
            for page in self._own:
                yield from self._left_out(page, whole)
            return
        counts = len(self.foreign.pages), len(self.own.pages)
        if counts[0] != counts[1]:
            yield {"kind": "page_count", "text": str(counts[0]), "own_text": str(counts[1])}
        for page, own in zip(self.foreign.pages, self.own.pages, strict=False):
            if page.status != "failed":
                yield from self._page(page, own)

    def _page(self, page: Page, own: Page) -> Iterator[Disagreement]:
        theirs, ours = page.frame, own.frame
        off = max(abs(theirs.width - ours.width), abs(theirs.height - ours.height))
        if self.placed and off > _SIZE_TOLERANCE:
            yield {
                "kind": "page_size",
                "page": page.number,
                "text": f"{theirs.width} x {theirs.height}",
                "own_text": f"{ours.width} x {ours.height}",
            }
        yield from self._blocks(page, self._own_text(own))
        yield from self._left_out(own, self.foreign.page_text(page.number))

    def _own_text(self, page: Page) -> str:
        return self.own.page_text(page.number)

    def _left_out(self, page: Page, theirs: str) -> Iterator[Disagreement]:
        """What a reader sees of each of our elements and the file does not have at all."""
        letters, words = _letters(theirs), set(_words(theirs))
        shown = _Shown(self.own, page.number)
        for element in self.own.elements(page.number):
            runs = (text for text in shown.runs_of(element) if _letters(text) not in letters)
            missing = [text.strip() for text in runs if not words.issuperset(_words(text))]
            if missing:
                found: Disagreement = {
                    "kind": "text_left_out",
                    "bbox": element.box.as_list(),
                    "own_text": " ".join(missing)[:_EXCERPT],
                }
                if self.foreign.capabilities.pages:
                    found["page"] = page.number
                yield found

    def _blocks(self, page: Page, own_text: str) -> Iterator[Disagreement]:
        shown = _Shown(self.own, page.number) if self.placed else None
        whole = _Whole(own_text)
        start, text = page.start, self.foreign.page_text(page.number)
        for element in self.foreign.elements(page.number):
            if element.kind is not ElementKind.TABLE or not element.table:
                words = text[element.start - start : element.end - start]
                yield from self._block(element, element.id, page, words, element.box, whole, shown)
        for table in self.foreign.tables(page.number):
            for cell in table.cells:
                if cell.page == page.number:
                    yield from self._block(table, table.id, page, cell.text, cell.box, whole, shown)

    def _block(
        self,
        block: Element | Table,
        own_id: str,
        page: Page,
        text: str,
        box: Box,
        whole: _Whole,
        shown: _Shown | None,
    ) -> Iterator[Disagreement]:
        letters = _letters(text)
        if not letters:
            return
        self.compared += 1
        inside = shown.text_in(box) if shown is not None else None
        kind: DisagreementKind | None = None
        if inside is not None and letters != _letters(inside):
            kind = _difference(text, inside, whole.letters)
        elif inside is None and letters not in whole.letters:
            kind = "text_not_on_page"
        there = whole.figures if inside is None else _figures(inside)
        if kind is None and _figures(text) - there:
            kind = "figures_differ"
        if kind is None:
            self.alike += 1
            return
        found: Disagreement = {"kind": kind, "element_id": own_id, "text": text[:_EXCERPT]}
        if self.foreign.capabilities.pages:
            found["page"] = page.number
        if inside is not None:
            found["bbox"] = box.as_list()
            found["own_text"] = inside[:_EXCERPT]
        yield found


def _difference(theirs: str, ours: str, whole: str) -> DisagreementKind | None:
    """What two texts of one box differ in. A box that is cut close may lack a letter at its edge,
    and one that is cut wide may hold a neighbour's: text that lies in the box is in it."""
    letters = _letters(theirs)
    if letters in _letters(ours):
        return None
    if sorted(_words(theirs)) == sorted(_words(ours)):
        return "order_differs"
    return "text_not_in_box" if letters in whole else "text_not_on_page"


class _Whole:
    """The text of a page of our own reading, by its letters and by its numbers."""

    def __init__(self, text: str) -> None:
        self.letters, self.figures = _letters(text), _figures(text)


def _figures(text: str) -> Counter[tuple[bool, str, str, bool]]:
    """The numbers of a text: whether one is negative, its currency, digits, whether percent."""
    found = _FIGURE.finditer(fold(text).text)
    return Counter(
        (
            not {"-", "("}.isdisjoint(one["before"]),
            "".join(char for char in one["before"] if char in "$€£¥"),
            one["digits"],
            one["after"] is not None,
        )
        for one in found
    )


def _letters(text: str) -> str:
    return Skeleton(fold(text).text).text


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text).text)


class _Shown:
    """What a reader sees in boxes of one page of our own reading."""

    def __init__(self, source: GroundingSource, number: int) -> None:
        self.text = source.page_text(number)
        self.start = source.pages[number - 1].start
        self.boxes = source.char_boxes(number)
        self.spans = [s for s in source.spans(number) if not s.flags & UNSEEN]

    def text_in(self, box: Box) -> str:
        """The text whose characters have their middles in a box, in reading order."""
        parts = []
        for span in self.spans:
            low, high = span.start - self.start, span.end - self.start
            if box.contains(span.box, _BOX_TOLERANCE):
                parts.append(self.text[low:high])
            elif box.overlap(span.box) and self.boxes is not None:
                inside = (
                    self.text[at]
                    for at in range(low, high)
                    if self.boxes.lies_in(at, box, _BOX_TOLERANCE)
                )
                parts.append("".join(inside))
        return " ".join(part for part in parts if part.strip())

    def runs_of(self, element: Element) -> Iterator[str]:
        """The visible runs of text of an element that have letters or digits."""
        for span in self.spans:
            if element.start <= span.start and span.end <= element.end:
                text = self.text[span.start - self.start : span.end - self.start]
                if _WORD.search(text):
                    yield text
