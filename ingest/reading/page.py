"""One page, from glyphs to the content that is stored."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import ElementContent, PageContent
from grounding.geometry import Box, PageFrame
from grounding.model import (
    UNSEEN,
    DocumentWarning,
    ElementKind,
    PageStatus,
    SpanFlag,
    Style,
    WarningCode,
)
from ingest.reading.annotations import flag_annotations
from ingest.reading.cleaning import clean
from ingest.reading.glyphs import Fragment, GlyphPage, Run, Vector, read_glyphs
from ingest.reading.layout import arrange
from ingest.reading.pdf import ENGINE_ERRORS, page_frame
from ingest.reading.structure import Draft, Note, drafts_of, note
from ingest.reading.visibility import flag_visibility

_ELEMENT_BREAK = "\n\n"
_ROW_BREAK = "\n"
_CELL_BREAK = " "
_TOUCHING = 0.1
"""Share of the type size below which a gap is no space; MuPDF takes 0.15 for one."""
_MARKER = int(SpanFlag.MARKER)
_UNSEEN = int(UNSEEN)
_UNPRINTABLE = re.compile("[\x00\ud800-\udfff]")
_GARBAGE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\x01-\x08\x0e-\x1f\x7f-\x9f]")
_GARBLED_SHARE = 0.2
"""A page on which this share of the characters stands for no letter cannot be compared with."""
_LATIN = re.compile(r"[a-zA-Z]{4,}")
_VOWELLESS = re.compile(r"(?<![a-zA-Z])[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{4,}(?![a-zA-Z])")
_VOWELLESS_SHARE = 0.5
_FEW_WORDS = 10
_VOWELS_SHARE = 0.2
"""With more vowels than this among its characters a text consists of words."""
# Symbol and Wingdings glyphs that word processors use as bullets and boxes.
_WITHOUT_BULLETS = dict.fromkeys(map(ord, "\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf0a8\uf06f\uf0e0"))


@dataclass(slots=True)
class PageReading:
    """A page's content, what its elements look like, and the boxes [x0, y0, x1, y1] of its
    characters in text order."""

    content: PageContent
    notes: list[Note] = field(default_factory=list)
    boxes: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    vectors: list[Vector] = field(default_factory=list)


def read_page(document: Any, page: Any, number: int) -> PageReading:
    """Reads one page. Raises what PyMuPDF raises on a damaged one."""
    frame = page_frame(document, page)
    glyphs = read_glyphs(page, frame)
    warnings = flag_annotations(document, page, glyphs)
    warnings += flag_visibility(page, glyphs)
    clean(glyphs)
    layout = arrange(glyphs.fragments, frame.width / 100, frame.height / 100)
    if not layout.certain:
        warnings.append(DocumentWarning(WarningCode.LOW_CONFIDENCE_READING_ORDER))
    builder, height = _Builder(glyphs), frame.height
    reading = PageReading(builder.content, vectors=glyphs.vectors)
    for block in layout.blocks:
        for draft in drafts_of(block):
            element = builder.add(draft)
            if element is not None:
                reading.notes.append(note(number, element, draft, height))
    if glyphs.lost:
        warnings.append(
            DocumentWarning(WarningCode.PARTIAL_PARSE, 0, f"without boxes: {glyphs.lost[:200]}")
        )
    reading.boxes = builder.finish()
    _add_figures(page, builder.content)
    _judge_text(page, builder.content, warnings)
    builder.content.warnings = warnings
    return reading


def failed_page(frame: PageFrame | None, reason: str) -> PageContent:
    """Stands for a page that could not be read."""
    warning = DocumentWarning(WarningCode.PARTIAL_PARSE, 0, reason[:200])
    letter = PageFrame((0, 0, 612_000, 792_000))
    return PageContent(frame or letter, status="failed", warnings=[warning])


class _Builder:
    """Writes text, spans and character boxes of a page in reading order."""

    def __init__(self, glyphs: GlyphPage) -> None:
        self.glyphs = glyphs
        self._unknown = glyphs.frame.box
        self.content = PageContent(glyphs.frame)
        self._text: list[str] = []
        self._length = 0
        self._order: list[Any] = []
        self._styles: dict[tuple[str, float, int], int] = {}
        self._spans: list[tuple[int, int, int, int, int]] = []

    def add(self, draft: Draft) -> ElementContent | None:
        """Appends an element; None when it has no visible characters at all."""
        if not draft.text.strip():
            return None
        if self._length:
            self._separate(_ELEMENT_BREAK)
        start, index = self._length, len(self.content.elements)
        for row_number, row in enumerate(draft.rows):
            if row_number:
                self._separate(_ROW_BREAK)
            for cell_number, fragment in enumerate(row.fragments):
                if cell_number and self._are_apart(row.fragments[cell_number - 1], fragment):
                    self._separate(_CELL_BREAK)
                for run in fragment.runs:
                    self._run(run, index)
        # The box is filled in when all boxes are known.
        element = ElementContent(ElementKind.PARAGRAPH, 0, start, self._length, self._unknown)
        self.content.elements.append(element)
        return element

    def _are_apart(self, before: Fragment, after: Fragment) -> bool:
        """Whether white space has to stand between two fragments of a row. What touches was one
        word that was drawn in two pieces."""
        if self._text[-1][-1:].isspace():
            return False
        if before.direction[0] < 0.99:
            return True
        return after.box[0] - before.box[2] > _TOUCHING * after.size

    def _separate(self, separator: str) -> None:
        self._text.append(separator)
        self._order.append((-1,) * len(separator))
        self._length += len(separator)

    def _run(self, run: Run, element: int) -> None:
        if not run.text:
            return
        last = self._text[-1][-1:] if self._text else ""
        marker = run.flags & _MARKER
        after_marker = self._spans and self._spans[-1][3] & _MARKER
        # A marker is a word of its own: its digit must not become the number's last.
        if (marker and last and not last.isspace()) or (
            after_marker and last.isalnum() and run.text[0].isalnum()
        ):
            self._separate(_CELL_BREAK)
        number = self._styles.setdefault((run.font, run.size, run.color), len(self._styles))
        end = self._length + len(run.text)
        self._spans.append((self._length, end, number, run.flags, element))
        self._text.append(run.text)
        self._order.append(run.glyphs)
        self._length = end

    def finish(self) -> NDArray[np.int64]:
        """Turns what was collected into the page's text, spans and boxes; returns the boxes."""
        content = self.content
        text = "".join(self._text)
        if _UNPRINTABLE.search(text):
            text = _UNPRINTABLE.sub("\ufffd", text)
        content.text = text
        content.styles = [
            Style(font, round(size * 100), color) for font, size, color in self._styles
        ]
        boxes = _in_order(self.glyphs.boxes, list(chain.from_iterable(self._order)))
        content.box_arrays = _arrays(boxes)
        ranges = [span[:2] for span in self._spans] + [(e.start, e.end) for e in content.elements]
        if ranges:
            unions = _unions(boxes, ranges, self.glyphs.frame)
            count = len(self._spans)
            spans = np.array(self._spans, dtype=np.int64).reshape(count, 5)
            rows = np.hstack([spans[:, :2], unions[:count], spans[:, 2:]])
            content.spans = array("i", rows.astype(np.int32).tobytes())
            for item, box in zip(content.elements, unions[count:].tolist(), strict=True):
                item.box = Box(*box)
        return boxes


def _in_order(boxes: NDArray[np.int64], order: list[int]) -> NDArray[np.int64]:
    """Boxes in text order; a separator gets an empty box at the right edge of what precedes it."""
    if not order:
        return np.zeros((0, 4), np.int64)
    index = np.array(order, dtype=np.int64)
    glyph = index >= 0
    before = np.maximum.accumulate(np.where(glyph, np.arange(len(index)), 0))
    result = boxes[index[before]]
    result[~glyph, 0] = result[~glyph, 2]
    result[~glyph, 3] = result[~glyph, 1]
    return result


def _arrays(boxes: NDArray[np.int64]) -> bytes:
    """The arrays as grounding.charboxes lays them out."""
    if not len(boxes):
        return b""
    arrays = np.empty((4, len(boxes)), dtype="<i4")
    arrays[0], arrays[2] = boxes[:, 0], boxes[:, 1]
    arrays[1], arrays[3] = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    return arrays.tobytes()


def _unions(
    boxes: NDArray[np.int64], ranges: list[tuple[int, int]], frame: PageFrame
) -> NDArray[np.int64]:
    """Boxes of ranges of the page's text, on the page and at least 1 centipoint wide and high."""
    # reduceat() takes from each index to the next: every second result is that of a range. The
    # sentinel row lets the last range end at the end of the text.
    padded = np.vstack([boxes, boxes[-1:]])
    edges = np.array(ranges, dtype=np.int64).ravel()
    low = np.minimum.reduceat(padded[:, :2], edges, axis=0)[::2]
    high = np.maximum.reduceat(padded[:, 2:], edges, axis=0)[::2]
    limit = np.array([frame.width, frame.height])
    low = np.minimum(low, limit - 1)
    high = np.minimum(np.maximum(high, low + 1), limit)
    return np.hstack([low, high])


def _add_figures(page: Any, content: PageContent) -> None:
    """Images of more than an icon's size become elements without text, after those with text."""
    if not page.get_images():
        return
    smallest = 0.01 * content.frame.width * content.frame.height
    figures = []
    for image in page.get_image_info():
        box = content.frame.unrotated_box(*image["bbox"])
        if box is not None and box.width * box.height >= smallest:
            figures.append(box)
    for box in sorted(set(figures), key=lambda b: (b.y0, b.x0)):
        content.elements.append(ElementContent(ElementKind.FIGURE, 0, 0, 0, box))
    if figures:
        end = len(content.text)
        for element in content.elements:
            if element.kind is ElementKind.FIGURE:
                element.start = element.end = end


def _judge_text(page: Any, content: PageContent, warnings: list[DocumentWarning]) -> None:
    """Sets the page's status: a page without text, or whose text is not what is printed, must
    never answer that something is not there."""
    content.status = _status(content)
    if content.status == "garbled":
        warnings.append(DocumentWarning(WarningCode.GARBLED_TEXT))
    elif content.status == "no_text":
        if _has_picture(page):
            warnings.append(DocumentWarning(WarningCode.IMAGE_ONLY_PAGE))
        else:
            content.status = "ok"  # an empty page says nothing, and that can be told


def _status(content: PageContent) -> PageStatus:
    seen = _seen_text(content)
    letters = "".join(seen.split())
    if not letters:
        return "no_text"
    if not letters.isascii():
        letters = letters.translate(_WITHOUT_BULLETS)
    clean = letters.isprintable() and "\ufffd" not in letters
    if not clean and len(_GARBAGE.findall(letters)) > _GARBLED_SHARE * len(letters):
        return "garbled"
    vowels = sum(map(letters.count, "aeiouAEIOU"))
    if vowels > _VOWELS_SHARE * len(letters):
        return "ok"
    vowelless = len(_VOWELLESS.findall(seen))
    if vowelless >= _FEW_WORDS and vowelless > _VOWELLESS_SHARE * len(_LATIN.findall(seen)):
        return "garbled"
    return "ok"


def _seen_text(content: PageContent) -> str:
    """The page's text without spans that nobody sees."""
    if not any(flags & _UNSEEN for flags in content.spans[7::9]):
        return content.text
    return " ".join(
        content.text[row[0] : row[1]] for row in content.span_rows() if not row[7] & _UNSEEN
    )


def _has_picture(page: Any) -> bool:
    try:
        return bool(page.get_image_info()) or bool(page.get_cdrawings())
    except ENGINE_ERRORS:
        return False
