"""Evidence, context and provenance of a verdict, as the report shows them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from grounding.model import Cell, Element, ElementKind, Page, Region, Table, WarningCode
from grounding.tables import column_path, label_regions, row_path
from grounding.text import Fold
from verifier.checks.outcome import CheckContext, Outcome
from verifier.checks.search import around
from verifier.labels import texts_of
from verifier.locate import first_page_box, regions_of
from verifier.placement import Places
from verifier.report import ContextData, Evidence, FootnoteData, Provenance, RegionData, Skipped
from verifier.views import DocumentIndex

_PAGE_WARNINGS = frozenset(
    {
        WarningCode.LOW_CONFIDENCE_READING_ORDER,
        WarningCode.PARTIAL_PARSE,
        WarningCode.HIDDEN_TEXT_DETECTED,
        WarningCode.LOW_CONTRAST_TEXT_DETECTED,
        WarningCode.OFF_PAGE_TEXT_DETECTED,
    }
)
"""What was noted of a page that bears on every claim about it."""


_AFTER_MARKER = (" ", ")", "]", ".")
_LONGEST_TEXT = 300
"""Characters of a footnote, or of what a quote skips, that are shown."""
_QUOTED = frozenset(
    ("exact_text", "normalized_text", "exact_text_contains", "normalized_text_contains")
)
_ELLIPSIS = str(Fold.ELLIPSIS_GAP)
_FARTHEST_CAPTION = 3_600
"""Centipoints between a figure and its caption."""


_NOTE_BEGINS = re.compile(r"[(\[]?(?:\d{1,2}|[a-z]|\*{1,3}|[\u2020\u2021\u00a7])[)\].]?\s")


def _is_marked(line: str, marker: str) -> bool:
    """Whether a line begins with a footnote's marker."""
    bare, begin = marker.strip("()[]. "), line.lstrip("([ ")
    return bool(bare) and begin.startswith(bare) and begin[len(bare) :][:1] in _AFTER_MARKER


class EvidenceWriter:
    """Writes what a reviewer needs to see of each outcome of one document."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.index: DocumentIndex = context.index
        self._places = Places(context.index)

    def evidence(self, outcome: Outcome) -> Evidence | None:
        """Text, page, boxes and ids of the place; None when the outcome points nowhere."""
        if outcome.ranges:
            evidence = self._of_ranges(outcome)
        elif outcome.regions:
            evidence = _of_page(self.index.pages[outcome.regions[0].page - 1])
            _put_regions(evidence, outcome.regions, outcome.regions)
            if outcome.text and self.context.config.include_evidence_text:
                evidence["text"] = outcome.text
            caption = self._caption_of_figure(outcome.regions[0])
            if caption and self.context.config.include_evidence_text:
                evidence["caption"] = caption
        elif outcome.page is not None:
            evidence = _of_page(outcome.page)
        else:
            return None
        scope = outcome.scope
        if scope is not None and scope.table is not None:
            evidence["table_id"] = scope.table.id
            if scope.cell is not None:
                evidence["cell"] = {"row": scope.cell.row, "col": scope.cell.col}
                self._of_cell(evidence, scope.table, scope.cell)
        return evidence

    def _of_cell(self, evidence: Evidence, table: Table, cell: Cell) -> None:
        """What a reader has to know to read a cell: its labels, units and footnotes."""
        if not self.context.config.include_evidence_text:
            return
        rows = [c for c in row_path(table, cell.row) if c is not cell]
        columns = [c for c in column_path(table, cell.col) if c is not cell]
        if rows:
            evidence["row_labels"] = texts_of(rows)
        if columns:
            evidence["column_labels"] = texts_of(columns)
        labels = label_regions(table, cell)
        if labels:
            evidence["label_regions"] = _listed(labels)
        if table.caption:
            evidence["caption"] = table.caption
        if table.statement:
            evidence["statement"] = table.statement
        markers = list(dict.fromkeys(note for c in (cell, *rows, *columns) for note in c.notes))
        if markers:
            evidence["footnotes"] = [self._footnote(marker, cell.page) for marker in markers]

    def _caption_of_figure(self, region: Region) -> str:
        """The caption nearest to a cited figure, above or below it; empty where there is none."""
        elements = self.index.elements(region.page)
        figures = [
            e for e in elements if e.kind is ElementKind.FIGURE and e.box.overlap(region.box)
        ]
        captions = [e for e in elements if e.kind is ElementKind.CAPTION]
        if not figures or not captions:
            return ""
        figure = max(figures, key=lambda e: e.box.overlap(region.box)).box

        def distance(caption: Element) -> int:
            box = caption.box
            return max(
                box.y0 - figure.y1, figure.y0 - box.y1, box.x0 - figure.x1, figure.x0 - box.x1
            )

        nearest = min(captions, key=distance)
        if distance(nearest) > _FARTHEST_CAPTION:
            return ""
        return _one_line(self.index.text(nearest.start, nearest.end))

    def _footnote(self, marker: str, page: int) -> FootnoteData:
        """A footnote by its marker: the first line outside tables that begins with it."""
        for element in self.index.elements(page):
            if element.table:
                continue
            lines = self.index.text(element.start, element.end).split("\n")
            for at, line in enumerate(lines):
                if not _is_marked(line, marker):
                    continue
                end = next(
                    (i for i in range(at + 1, len(lines)) if _NOTE_BEGINS.match(lines[i])),
                    len(lines),
                )
                text = _one_line(" ".join(lines[at:end]))
                return {"marker": marker, "text": text[:_LONGEST_TEXT]}
        return {"marker": marker}

    def _of_ranges(self, outcome: Outcome) -> Evidence:
        ranges = outcome.ranges
        evidence = _of_page(self.index.page_at(ranges[0][0]))
        if self.context.config.include_evidence_text:
            evidence["text"] = outcome.text or "\n".join(
                self.index.text(start, end) for start, end in ranges
            )
        regions = regions_of(self.index, ranges)
        # The cell or area that was asked for is the evidence's box; its text may be narrower.
        _put_regions(evidence, outcome.regions or regions, regions or outcome.regions)
        evidence["char_start"], evidence["char_end"] = ranges[0][0], ranges[-1][1]
        element = self.index.element_at(ranges[0][0])
        if element is not None:
            evidence["element_id"] = element.id
        return evidence

    def skipped(self, outcome: Outcome) -> list[Skipped]:
        """Running heads and feet, notes, pictures and tables in the middle of a quote that goes on
        behind them. What an ellipsis stands for is not listed."""
        if len(outcome.ranges) < 2 or outcome.method not in _QUOTED or _ELLIPSIS in outcome.folds:
            return []
        found: list[Skipped] = []
        for (_, end), (start, _) in pairwise(outcome.ranges):
            first, last = self.index.page_at(end - 1).number, self.index.page_at(start).number
            for number in range(first, last + 1):
                for element in self.index.elements(number):
                    if end <= element.start < element.end <= start:
                        found.append(self._skipped(element))
        return found

    def _skipped(self, element: Element) -> Skipped:
        text = self.index.text(element.start, element.end)
        return {
            "element_id": element.id,
            "element_kind": str(element.kind),
            "page": element.page,
            "text": _one_line(text)[:_LONGEST_TEXT],
        }

    def text_context(self, outcome: Outcome) -> ContextData | None:
        """The match with some text around it."""
        length = self.context.config.context_characters
        if not outcome.ranges or not length or not self.context.config.include_evidence_text:
            return None
        before, after = around(outcome.ranges, length, self.index)
        start, end = outcome.ranges[0][0], outcome.ranges[-1][1]
        return {
            "before": before,
            "match": outcome.text
            or self.index.text(start, min(end, self.index.page_at(start).end)),
            "after": after,
        }

    def provenance(self, outcome: Outcome) -> Provenance | None:
        """Headings above the evidence, outermost first, and the kind of element it is in."""
        if not outcome.ranges:
            return None
        start = outcome.ranges[0][0]
        element = self.index.element_at(start)
        if element is None:
            return None
        path = self._headings_above(start)
        return {"heading_path": path, "element_kind": str(element.kind)}

    def _headings_above(self, start: int) -> list[str]:
        at = bisect_right(self._heading_starts, start) - 1
        return self._headings[at][1] if at >= 0 else []

    def warnings(self, outcome: Outcome) -> list[str]:
        """Codes of the check itself, of the place of its evidence, and of the pages it is about:
        those that its evidence is on, or the cited one when there is none. Sorted."""
        codes = set(outcome.warnings)
        if outcome.grounded and outcome.ranges and outcome.method != "presence_only":
            start = outcome.ranges[0][0]
            codes.update(self._places.warnings(start, self._headings_above(start)))
        if self._warnings_by_page:
            pages = {self.index.page_at(start).number for start, _ in outcome.ranges}
            if not pages and outcome.scope is not None:
                pages.update(page.number for page in outcome.scope.pages)
            for page in pages:
                codes |= self._warnings_by_page.get(page, set())
        return sorted(codes)

    @cached_property
    def _warnings_by_page(self) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        for warning in self.index.source.warnings:
            if warning.code in _PAGE_WARNINGS:
                found.setdefault(warning.page, set()).add(str(warning.code))
        return found

    @cached_property
    def _headings(self) -> list[tuple[int, list[str]]]:
        """(offset, path) of every heading of the document."""
        found: list[tuple[int, list[str]]] = []
        open_headings: list[tuple[int, str]] = []
        for page in self.index.pages:
            for element in self.index.elements(page.number):
                if element.kind is not ElementKind.HEADING:
                    continue
                while open_headings and open_headings[-1][0] >= element.level:
                    open_headings.pop()
                title = _one_line(self.index.text(element.start, element.end))
                open_headings.append((element.level, title))
                found.append((element.start, [title for _, title in open_headings]))
        return found

    @cached_property
    def _heading_starts(self) -> list[int]:
        return [start for start, _ in self._headings]


def _put_regions(evidence: Evidence, around: Sequence[Region], regions: Sequence[Region]) -> None:
    """One box for those who can show only one, and all regions; nothing where boxes are unknown."""
    if around:
        evidence["bbox"] = first_page_box(around).as_list()
    if regions:
        evidence["regions"] = _listed(regions)


def _listed(regions: Sequence[Region]) -> list[RegionData]:
    return [{"page": region.page, "bbox": region.box.as_list()} for region in regions]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _of_page(page: Page) -> Evidence:
    evidence: Evidence = {"page": page.id, "page_number": page.number}
    if page.label:
        evidence["page_label"] = page.label
    return evidence
