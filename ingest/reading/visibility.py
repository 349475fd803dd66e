"""Which text a reader can see.

Suspicion is cheap and comes from the text itself: unpainted glyphs, tiny or pale type, something
drawn over it. Whether a suspect is really invisible is decided by looking: the page is rendered
once, in grey, and the place where the text stands either shows a contrast or does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grounding.model import DocumentWarning, SpanFlag, WarningCode
from ingest.reading.engine import pymupdf
from ingest.reading.glyphs import Fragment, GlyphPage, Rect, Run

_PALE = 0xC8
"""Colours whose three channels are all at least this are looked at on the rendered page."""
_TINY_POINTS = 1.5
_CONTRAST = 20
"""Grey levels of 255 between the darkest and the lightest pixel of a word that can be seen."""
_LOOK_DPI = 72
_LOOK_PIXELS = 4_000_000
_SCAN_COVER = 0.7
"""Share of the page that images cover on a scanned page."""
_SCAN_PAINTED = 0.2
"""A page with more painted text than this share of the unpainted one is no scan."""

# Operators that fill a path, shade, or draw an image or form (PDF 32000-1, tables 60 and 87).
_PAINT = re.compile(rb"\s(?:[fF]\*?|[bB]\*?|sh|Do)\s")
_RULE_UNITS = 3.0
"""Rectangles thinner than this are rules and cannot hide a line of type."""
_OPERANDS = 64
"""Bytes before a painting operator in which its path is looked for."""

_FLAG_WARNINGS = (
    (int(SpanFlag.HIDDEN), WarningCode.HIDDEN_TEXT_DETECTED),
    (int(SpanFlag.LOW_CONTRAST), WarningCode.LOW_CONTRAST_TEXT_DETECTED),
    (int(SpanFlag.OCR), WarningCode.OCR_TEXT),
)


def flag_visibility(page: Any, glyphs: GlyphPage) -> list[DocumentWarning]:
    """Sets HIDDEN, LOW_CONTRAST and OCR on the runs of a page; returns the page's warnings."""
    suspects = _suspects(glyphs.fragments)
    covered = _covered_runs(page, glyphs)
    if suspects or covered:
        _judge(page, glyphs, suspects, covered)
    return _warnings(glyphs)


def _suspects(fragments: list[Fragment]) -> list[Run]:
    found = []
    for fragment in fragments:
        for run in fragment.runs:
            if not run.painted or run.size < _TINY_POINTS or _is_pale(run.color):
                found.append(run)
    return found


def _is_pale(color: int) -> bool:
    return (color >> 16) & 255 >= _PALE and (color >> 8) & 255 >= _PALE and color & 255 >= _PALE


def _covered_runs(page: Any, glyphs: GlyphPage) -> list[Run]:
    """Runs over which something was painted later."""
    if not glyphs.fragments or not _paints_after_text(page.read_contents() or b""):
        return []
    texts: list[Rect] = []
    covers: list[tuple[int, Rect]] = []
    for kind, box in page.get_bboxlog():
        if kind.endswith("text"):
            texts.append(box)
        elif kind.startswith(("fill-path", "fill-image", "fill-shade")) and texts:
            covers.append((len(texts), box))
    hit = _covered(texts, covers)
    if not hit:
        return []
    matrix = page.rotation_matrix
    places = [(pymupdf.Rect(box) * matrix).normalize() for box in hit]
    return [run for run in _runs(glyphs) if any(_inside(run, glyphs, rect) for rect in places)]


def _covered(texts: list[Rect], covers: list[tuple[int, Rect]]) -> list[Rect]:
    """Boxes of texts whose middle lies under something painted after them."""
    if not covers:
        return []
    boxes = np.array(texts)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    hit = np.zeros(len(texts), dtype=bool)
    for count, (x0, y0, x1, y1) in covers:
        hit[:count] |= (x[:count] >= x0) & (x[:count] <= x1) & (y[:count] >= y0) & (y[:count] <= y1)
    return [texts[i] for i in np.flatnonzero(hit).tolist()]


def _paints_after_text(content: bytes) -> bool:
    """Whether anything larger than a rule is painted after text began: only then can text be
    covered. A cheap look at the operators, because asking MuPDF costs as much as the text does."""
    text = content.find(b"BT")
    if text < 0:
        return False
    return any(
        not _is_rule(content[max(paint.start() - _OPERANDS, text) : paint.start()].rsplit(None, 4))
        for paint in _PAINT.finditer(content, text)
    )


def _is_rule(tokens: list[bytes]) -> bool:
    """Whether the path before a painting operator is a thin rectangle or a single line."""
    try:
        if tokens[-1] == b"re":
            return min(abs(float(tokens[-2])), abs(float(tokens[-3]))) < _RULE_UNITS
        return tokens[-1] == b"l" and tokens[-4] == b"m"
    except (IndexError, ValueError):
        return False


def _runs(glyphs: GlyphPage) -> Iterable[Run]:
    return (run for fragment in glyphs.fragments for run in fragment.runs)


def _run_box(run: Run, glyphs: GlyphPage) -> NDArray[np.int64]:
    boxes = glyphs.boxes[list(run.glyphs)]
    return np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)])


def _inside(run: Run, glyphs: GlyphPage, rect: Any) -> bool:
    x0, y0, x1, y1 = _run_box(run, glyphs) / 100
    return bool(
        rect.x0 <= (x0 + x1) / 2 <= rect.x1 and rect.y0 <= (y0 + y1) / 2 <= rect.y1
    )


def _judge(page: Any, glyphs: GlyphPage, suspects: list[Run], covered: list[Run]) -> None:
    picture, scale = _look(page)
    scanned = _is_scanned(page, glyphs) if any(not run.painted for run in suspects) else False
    for run in suspects:
        if not run.text.strip():
            continue
        shows = _shows(picture, _run_box(run, glyphs) / 100 * scale)
        if not run.painted:
            run.flags |= SpanFlag.OCR if scanned and shows else SpanFlag.HIDDEN
        elif run.size < _TINY_POINTS:
            run.flags |= SpanFlag.HIDDEN
        elif not shows:
            run.flags |= SpanFlag.LOW_CONTRAST
    for run in covered:
        if run.text.strip() and not _shows(picture, _run_box(run, glyphs) / 100 * scale):
            run.flags |= SpanFlag.HIDDEN


def _look(page: Any) -> tuple[NDArray[np.uint8], float]:
    """The page in grey, and pixels per point."""
    width, height = page.rect.width, page.rect.height
    scale = _LOOK_DPI / 72
    scale = min(scale, (_LOOK_PIXELS / max(width * height, 1.0)) ** 0.5)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY)
    samples = np.frombuffer(pixmap.samples, dtype=np.uint8)
    return samples.reshape(pixmap.height, pixmap.stride)[:, : pixmap.width], scale


def _shows(picture: NDArray[np.uint8], box: NDArray[np.float64]) -> bool:
    """Whether there is a contrast where a run stands. The box reaches from the ascender to the
    descender; its outer sixths may hold a rule or the next line and are left out."""
    x0, y0, x1, y1 = box
    margin = (y1 - y0) / 6
    height, width = picture.shape
    left, right = int(max(x0, 0)), min(int(x1) + 1, width)
    top, bottom = int(max(y0 + margin, 0)), min(int(y1 - margin) + 1, height)
    part = picture[top:bottom, left:right]
    return part.size > 0 and int(part.max()) - int(part.min()) >= _CONTRAST


def _is_scanned(page: Any, glyphs: GlyphPage) -> bool:
    """Whether unpainted text lies over the picture of a page: an OCR layer, not a hidden message."""
    painted = sum(len(run.text) for run in _runs(glyphs) if run.painted)
    unpainted = sum(len(run.text) for run in _runs(glyphs) if not run.painted)
    if painted > _SCAN_PAINTED * unpainted:
        return False
    area = abs(page.rect.width * page.rect.height)
    unturned = page.rect * page.derotation_matrix
    covered = sum(
        abs((pymupdf.Rect(image["bbox"]) & unturned.normalize()).get_area())
        for image in page.get_image_info()
    )
    return covered >= _SCAN_COVER * area


def _warnings(glyphs: GlyphPage) -> list[DocumentWarning]:
    found: dict[WarningCode, list[str]] = {}
    for run in _runs(glyphs):
        for flag, code in _FLAG_WARNINGS:
            if run.flags & flag:
                found.setdefault(code, []).append(run.text)
                break
    if glyphs.off_page:
        found[WarningCode.OFF_PAGE_TEXT_DETECTED] = glyphs.off_page
    return [
        DocumentWarning(code, 0, f"{sum(len(t.strip()) for t in texts)} characters")
        for code, texts in sorted(found.items())
    ]
