"""Which text a reader can see.

Suspicion is cheap and comes from the text itself: unpainted glyphs, tiny or pale type, something
drawn over it. Whether a suspect is really invisible is decided by looking: the page is rendered
once, in grey, and the place where the text stands either shows a contrast or does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grounding.model import DocumentWarning, SpanFlag, WarningCode
from ingest.reading.engine import pymupdf
from ingest.reading.glyphs import GlyphPage, Rect, Run

_PAPER = 255
"""Grey of the page where no path was painted."""
_TINY_POINTS = 1.5
_CONTRAST = 20
"""Grey levels of 255 between the darkest and the lightest pixel of a word that can be seen."""
_INSET = 1.5
_LOOK_DPI = 72
_LOOK_PIXELS = 4_000_000
_SCAN_COVER = 0.7
"""Share of the page that images cover on a scanned page."""
_SCAN_PAINTED = 0.2
"""A page with more painted text than this share of the unpainted one is no scan."""

_RULE_POINTS = 3.0
"""Paths thinner than this are rules and neither hide nor carry a line of type."""
_NEAR = 40
"""Grey levels within which type and what it stands on are looked at."""

_FLAG_WARNINGS = (
    (int(SpanFlag.HIDDEN), WarningCode.HIDDEN_TEXT_DETECTED),
    (int(SpanFlag.LOW_CONTRAST), WarningCode.LOW_CONTRAST_TEXT_DETECTED),
    (int(SpanFlag.OCR), WarningCode.OCR_TEXT),
)


_Area = tuple[Rect, int | None]
"""A place in displayed points, and its grey where it lies under the text (None: over it)."""


def flag_visibility(page: Any, glyphs: GlyphPage) -> list[DocumentWarning]:
    """Sets HIDDEN, LOW_CONTRAST and OCR on the runs of a page; returns the page's warnings."""
    ground = _Ground(page, glyphs)
    picture = _Picture(page)
    for position, areas in ground.touching().items():
        fragment = glyphs.fragments[position]
        fragment.runs = [p for run in fragment.runs for p in _parts(run, areas, glyphs, picture)]
    suspects = [run for run, grey in ground.runs() if _is_suspect(run, grey)]
    covered = ground.covered_runs()
    if suspects or covered:
        _judge(page, glyphs, suspects, covered, picture)
    return _warnings(glyphs)


def _is_suspect(run: Run, ground: int) -> bool:
    """Whether a run may be invisible where it stands: not painted, tiny, or nearly of the grey of
    the path drawn before it, which is white paper where there is none."""
    if not run.painted or run.size < _TINY_POINTS or abs(_grey(run.color) - ground) < _NEAR:
        return not run.text.isspace()
    return False


def _grey(color: int) -> int:
    """Lightness of an sRGB colour, 0 to 255, by the weights of ITU-R BT.601."""
    return (299 * (color >> 16 & 255) + 587 * (color >> 8 & 255) + 114 * (color & 255)) // 1000


class _Ground:
    """What lies under and over the text of a page: paths by drawing order, and pictures."""

    def __init__(self, page: Any, glyphs: GlyphPage) -> None:
        self.fragments = glyphs.fragments
        self.frame = glyphs.frame
        self.areas = [
            v
            for v in glyphs.vectors
            if v.opaque
            and not v.stroked
            and v.box[2] - v.box[0] > _RULE_POINTS
            and v.box[3] - v.box[1] > _RULE_POINTS
        ]
        self.pictures = self._pictures(page)
        self.under: list[int] = []
        self.over = np.zeros(len(self.fragments), dtype=bool)
        self.touched: list[tuple[int, _Area]] = []
        if self.areas and self.fragments:
            self._compare()

    def _pictures(self, page: Any) -> list[Rect]:
        """Pictures that may lie over text, in displayed points; on a scan text lies over them."""
        if not self.fragments or not page.get_images():
            return []
        limit = _SCAN_COVER * self.frame.width * self.frame.height
        boxes = [self.frame.unrotated_box(*image["bbox"]) for image in page.get_image_info()]
        return [
            (box.x0 / 100, box.y0 / 100, box.x1 / 100, box.y1 / 100)
            for box in boxes
            if box is not None and box.width * box.height < limit
        ]

    def _compare(self) -> None:
        boxes = np.array([area.box for area in self.areas])
        after = np.array([area.after for area in self.areas])
        texts = np.array([fragment.box for fragment in self.fragments])
        x, y = (texts[:, 0] + texts[:, 2]) / 2, (texts[:, 1] + texts[:, 3]) / 2
        inside = (boxes[:, 0, None] <= x) & (x <= boxes[:, 2, None])
        inside &= (boxes[:, 1, None] <= y) & (y <= boxes[:, 3, None])
        later = after[:, None] > np.arange(len(self.fragments))
        self.over = (inside & later).any(axis=0)
        earlier = inside & ~later
        # The last area drawn before a fragment is what it stands on.
        last = len(self.areas) - 1 - np.argmax(earlier[::-1], axis=0)
        found = earlier.any(axis=0)
        self.under = np.where(found, last, -1).tolist()
        # Areas that cross the middle of a line, be it upright or turned, and end within it.
        level = (boxes[:, 1, None] <= y) & (y <= boxes[:, 3, None])
        level &= (boxes[:, 0, None] < texts[:, 2]) & (texts[:, 0] < boxes[:, 2, None])
        turned = (boxes[:, 0, None] <= x) & (x <= boxes[:, 2, None])
        turned &= (boxes[:, 1, None] < texts[:, 3]) & (texts[:, 1] < boxes[:, 3, None])
        for area, position in np.argwhere(level | turned).tolist():
            grey = None if later[area, position] else _grey(self.areas[area].color)
            self.touched.append((position, (self.areas[area].box, grey)))

    def touching(self) -> dict[int, list[_Area]]:
        """By position of a fragment, the areas that may make some of it invisible: paths painted
        over it, pictures, and paths under it in nearly the grey of its type."""
        found: dict[int, list[_Area]] = {}
        for position, (box, grey) in self.touched:
            runs = self.fragments[position].runs
            if grey is None or any(abs(_grey(run.color) - grey) < _NEAR for run in runs):
                found.setdefault(position, []).append((box, grey))
        for position, fragment in enumerate(self.fragments if self.pictures else ()):
            for box in self.pictures:
                if _meet(box, fragment.box):
                    found.setdefault(position, []).append((box, None))
        return found

    def runs(self) -> Iterator[tuple[Run, int]]:
        """Every run with the grey of what it stands on."""
        greys = [_grey(area.color) for area in self.areas]
        for position, fragment in enumerate(self.fragments):
            area = self.under[position] if self.under else -1
            grey = greys[area] if area >= 0 else _PAPER
            for run in fragment.runs:
                yield run, grey

    def covered_runs(self) -> list[Run]:
        """Runs over which a path was painted later, or that stand where a picture is."""
        found = []
        for fragment, over in zip(self.fragments, self.over.tolist(), strict=True):
            if over or (self.pictures and any(_holds(p, fragment.box) for p in self.pictures)):
                found.extend(fragment.runs)
        return found


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _parts(run: Run, areas: list[_Area], glyphs: GlyphPage, picture: _Picture) -> list[Run]:
    """The run, cut where some of its characters cannot be seen: a bar over a name leaves the rest
    of the sentence readable."""
    boxes = glyphs.boxes[list(run.glyphs)]
    x, y = (boxes[:, 0] + boxes[:, 2]) / 200, (boxes[:, 1] + boxes[:, 3]) / 200
    flags = np.zeros(len(boxes), dtype=np.int64)
    for (x0, y0, x1, y1), grey in areas:
        if grey is not None and abs(_grey(run.color) - grey) >= _NEAR:
            continue
        there = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        for start, end in _stretches(there):
            if there[start] and run.text[start:end].strip():
                part = boxes[start:end]
                place = np.concatenate([part[:, :2].min(0), part[:, 2:].max(0)])
                if not picture.shows(place, _INSET):
                    flag = SpanFlag.HIDDEN if grey is None else SpanFlag.LOW_CONTRAST
                    flags[start:end] = int(flag)
    if not flags.any():
        return [run]
    glyph_list = list(run.glyphs)
    return [
        replace(
            run,
            text=run.text[start:end],
            glyphs=glyph_list[start:end],
            flags=run.flags | int(flags[start]),
        )
        for start, end in _stretches(flags)
    ]


def _stretches(values: NDArray[Any]) -> list[tuple[int, int]]:
    """Ranges of equal values."""
    edges = np.flatnonzero(np.diff(values.astype(np.int64))) + 1
    return list(pairwise([0, *edges.tolist(), len(values)]))


def _holds(area: Rect, box: Rect) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return area[0] <= x <= area[2] and area[1] <= y <= area[3]


def _runs(glyphs: GlyphPage) -> Iterator[Run]:
    return (run for fragment in glyphs.fragments for run in fragment.runs)


def _run_box(run: Run, glyphs: GlyphPage) -> NDArray[np.int64]:
    boxes = glyphs.boxes[list(run.glyphs)]
    return np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)])


def _judge(
    page: Any, glyphs: GlyphPage, suspects: list[Run], covered: list[Run], picture: _Picture
) -> None:
    scanned = _is_scanned(page, glyphs) if any(not run.painted for run in suspects) else False
    for run in suspects:
        if not run.text.strip():
            continue
        shows = picture.shows(_run_box(run, glyphs))
        if not run.painted:
            run.flags |= SpanFlag.OCR if scanned and shows else SpanFlag.HIDDEN
        elif run.size < _TINY_POINTS:
            run.flags |= SpanFlag.HIDDEN
        elif not shows:
            run.flags |= SpanFlag.LOW_CONTRAST
    for run in covered:
        if run.text.strip() and not picture.shows(_run_box(run, glyphs)):
            run.flags |= SpanFlag.HIDDEN


class _Picture:
    """The page in grey, rendered when it is first looked at."""

    def __init__(self, page: Any) -> None:
        self._page = page

    @cached_property
    def _look(self) -> tuple[NDArray[np.uint8], float]:
        """The pixels, and how many of them a point has."""
        page = self._page
        width, height = page.rect.width, page.rect.height
        scale = _LOOK_DPI / 72
        scale = min(scale, (_LOOK_PIXELS / max(width * height, 1.0)) ** 0.5)
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY)
        samples = np.frombuffer(pixmap.samples, dtype=np.uint8)
        return samples.reshape(pixmap.height, pixmap.stride)[:, : pixmap.width], scale

    def shows(self, box: NDArray[np.int64], inset: float = 0.0) -> bool:
        """Whether there is a contrast where text stands, in a box in centipoints. It reaches from
        the ascender to the descender; its outer sixths may hold a rule or the next line and are
        left out, as are `inset` points at both ends, where its neighbours show."""
        pixels, scale = self._look
        x0, y0, x1, y1 = box / 100 * scale
        down, across = (y1 - y0) / 6, min(inset * scale, (x1 - x0) / 4)
        height, width = pixels.shape
        left, right = int(max(x0 + across, 0)), min(int(x1 - across) + 1, width)
        top, bottom = int(max(y0 + down, 0)), min(int(y1 - down) + 1, height)
        part = pixels[top:bottom, left:right]
        return part.size > 0 and int(part.max()) - int(part.min()) >= _CONTRAST


def _is_scanned(page: Any, glyphs: GlyphPage) -> bool:
    """Whether unpainted text lies over the picture of a page: an OCR layer, no hidden message."""
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
    return bool(covered >= _SCAN_COVER * area)


def _warnings(glyphs: GlyphPage) -> list[DocumentWarning]:
    found: dict[WarningCode, list[str]] = {}
    for run in _runs(glyphs):
        for flag, code in _FLAG_WARNINGS:
            if run.flags & flag:
                found.setdefault(code, []).append(run.text)
                break
    return _off_page_warning(glyphs) + [
        DocumentWarning(code, 0, f"{sum(len(t.strip()) for t in texts)} characters")
        for code, texts in sorted(found.items())
    ]


def _off_page_warning(glyphs: GlyphPage) -> list[DocumentWarning]:
    if not glyphs.off_page:
        return []
    count = sum(len(text.strip()) for text in glyphs.off_page)
    return [DocumentWarning(WarningCode.OFF_PAGE_TEXT_DETECTED, 0, f"{count} characters")]
