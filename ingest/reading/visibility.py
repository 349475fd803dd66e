"""Which text a reader can see.

Suspicion is cheap and comes from the text itself: unpainted glyphs, tiny or pale type, something
drawn over it. Whether a suspect is really invisible is decided by looking: the page is rendered
once, in grey, and the place where the text stands either shows a contrast or does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grounding.model import UNSEEN, DocumentWarning, SpanFlag, WarningCode
from ingest.reading.engine import pymupdf
from ingest.reading.glyphs import Fragment, GlyphPage, Rect, Run, Vector

_UNSEEN = int(UNSEEN)

_PAPER = 255
"""Grey of the page where no path was painted."""
_TINY_POINTS = 1.5
_CONTRAST = 20
"""Grey levels of 255 between the darkest and the lightest pixel of a word that can be seen."""
_INSET = 1.5
_LEVEL = 0.9
"""Cosine of the angle up to which a line runs from left to right."""
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


_FAINT_ALPHA = 128
_THICK_STROKE = 40.0
"""Strokes up to this many points thick, or frames up to this high, may be bars over text."""
_OVERPRINT = 0.5
"""Share of the smaller of two texts in one place above which neither can be read."""
_REPLACED = 0.3
"""Share of a covered text on which something else was printed later."""
_INK = (0.42, 0.8)
"""Part of a line's height, from the top, that lower-case letters and digits fill: the box reaches
from the ascender to the descender, and only there every word has ink."""
# Inline images, shadings and pattern fills leave no trace among the paths and images of a page.
_OTHER_PAINT = re.compile(rb"\sBI\s|\ssh\s|/Pattern\s+cs\s")
_OTHER_PAINT_SIGNS = (b"\nBI", b" BI", b"\nsh", b" sh", b"/Pattern")
"""Found by a scan at memory speed; only content that has one is looked at more closely."""


@dataclass(frozen=True, slots=True)
class _Area:
    """A place in displayed points that may hide text: its grey where it lies under the text (None:
    it may lie over it), and what was printed on it later."""

    box: Rect
    grey: int | None
    printed: tuple[Rect, ...] = ()


def flag_visibility(page: Any, glyphs: GlyphPage) -> list[DocumentWarning]:
    """Sets HIDDEN, LOW_CONTRAST and OCR on the runs of a page; returns the page's warnings."""
    ground = _Ground(page, glyphs)
    picture = _Picture(page)
    for position, areas in ground.touching().items():
        fragment = glyphs.fragments[position]
        look = partial(picture.shows, upright=fragment.direction[0] > _LEVEL)
        fragment.runs = [p for run in fragment.runs for p in _parts(run, areas, glyphs, look)]
    suspects = [(run, level) for run, grey, level in ground.runs() if _is_suspect(run, grey)]
    if suspects:
        _judge(page, glyphs, suspects, picture)
    _flag_overprints(glyphs)
    return _warnings(glyphs)


def _is_suspect(run: Run, ground: int) -> bool:
    """Whether a run may be invisible where it stands: not painted, tiny, faint, of a font of
    drawings that may be empty, or nearly of the grey of the path drawn before it, which is white
    paper where there is none."""
    doubtful = (
        not run.painted
        or run.size < _TINY_POINTS
        or run.alpha < _FAINT_ALPHA
        or run.font.startswith("Type3")
        or abs(_grey(run.color) - ground) < _NEAR
    )
    return doubtful and not run.text.isspace()


@cache
def _grey(color: int) -> int:
    """Lightness of an sRGB colour, 0 to 255, by the weights of ITU-R BT.601."""
    return (299 * (color >> 16 & 255) + 587 * (color >> 8 & 255) + 114 * (color & 255)) // 1000


class _Ground:
    """What lies under and over the text of a page: paths by drawing order, and pictures."""

    def __init__(self, page: Any, glyphs: GlyphPage) -> None:
        self.fragments = glyphs.fragments
        self.frame = glyphs.frame
        self.areas = [v for v in glyphs.vectors if _may_hide(v)]
        self.pictures = self._pictures(page)
        self.under: list[int] = []
        self.touched: list[tuple[int, _Area]] = []
        if self.areas and self.fragments:
            self._compare()

    def _pictures(self, page: Any) -> list[Rect]:
        """Pictures that may lie over text, in displayed points; on a scan text lies over them."""
        if not self.fragments:
            return []
        listed = page.get_images()
        shown = page.get_image_info() if listed else []
        if len(shown) < len(listed) or _paints_otherwise(page.read_contents() or b""):
            # Something is painted of which the place is not known: it may be anywhere.
            return [(0.0, 0.0, self.frame.width / 100, self.frame.height / 100)]
        boxes = [self.frame.unrotated_box(*image["bbox"]) for image in shown]
        return [
            (box.x0 / 100, box.y0 / 100, box.x1 / 100, box.y1 / 100)
            for box in boxes
            if box is not None
        ]

    def _compare(self) -> None:
        boxes = np.array([area.box for area in self.areas])
        after = np.array([area.after for area in self.areas])
        texts = np.array([fragment.box for fragment in self.fragments])
        x, y = (texts[:, 0] + texts[:, 2]) / 2, (texts[:, 1] + texts[:, 3]) / 2
        inside = (boxes[:, 0, None] <= x) & (x <= boxes[:, 2, None])
        inside &= (boxes[:, 1, None] <= y) & (y <= boxes[:, 3, None])
        later = after[:, None] > np.arange(len(self.fragments))
        solid = np.array([area.opaque and not area.stroked for area in self.areas])
        earlier = inside & ~later & solid[:, None]
        # The last area drawn before a fragment is what it stands on.
        last = len(self.areas) - 1 - np.argmax(earlier[::-1], axis=0)
        found = earlier.any(axis=0)
        self.under = np.where(found, last, -1).tolist()
        # Areas that cross the middle of a line, be it upright or turned, and end within it.
        level = (boxes[:, 1, None] <= y) & (y <= boxes[:, 3, None])
        level &= (boxes[:, 0, None] < texts[:, 2]) & (texts[:, 0] < boxes[:, 2, None])
        turned = (boxes[:, 0, None] <= x) & (x <= boxes[:, 2, None])
        turned &= (boxes[:, 1, None] < texts[:, 3]) & (texts[:, 1] < boxes[:, 3, None])
        greys = np.array([_grey(area.color) for area in self.areas])
        types = [[_grey(run.color) for run in f.runs] for f in self.fragments]
        darkest = np.array([min(found) for found in types])
        lightest = np.array([max(found) for found in types])
        near = (greys[:, None] > darkest - _NEAR) & (greys[:, None] < lightest + _NEAR)
        covers: dict[int, _Area] = {}
        matters = (level | turned) & (later | (near & solid[:, None]))
        for number, position in np.argwhere(matters).tolist():
            area = self.areas[number]
            if not later[number, position]:
                self.touched.append((position, _Area(area.box, int(greys[number]))))
                continue
            if number not in covers:
                covers[number] = self._cover(area)
            self.touched.append((position, covers[number]))

    def _cover(self, area: Vector) -> _Area:
        """An area painted over text, and what was printed on it afterwards."""
        printed: tuple[Rect, ...] = ()
        if area.opaque and not area.stroked:
            later = self.fragments[area.after :]
            printed = tuple(f.box for f in later if f.text.strip() and _meet(area.box, f.box))
        return _Area(area.box, None, printed)

    def touching(self) -> dict[int, list[_Area]]:
        """By position of a fragment, the areas that may make some of it invisible: paths painted
        over it, pictures, and paths under it in nearly the grey of its type."""
        found: dict[int, list[_Area]] = {}
        for position, area in self.touched:
            runs, grey = self.fragments[position].runs, area.grey
            if grey is None or any(abs(_grey(run.color) - grey) < _NEAR for run in runs):
                found.setdefault(position, []).append(area)
        for position, fragment in enumerate(self.fragments if self.pictures else ()):
            for box in self.pictures:
                if _meet(box, fragment.box):
                    found.setdefault(position, []).append(_Area(box, None))
        return found

    def runs(self) -> Iterator[tuple[Run, int, bool]]:
        """Every run with the grey of what it stands on, and whether it runs from left to right."""
        greys = [_grey(area.color) for area in self.areas]
        for position, fragment in enumerate(self.fragments):
            area = self.under[position] if self.under else -1
            grey = greys[area] if area >= 0 else _PAPER
            level = fragment.direction[0] > _LEVEL
            for run in fragment.runs:
                yield run, grey, level


def _paints_otherwise(content: bytes) -> bool:
    return any(sign in content for sign in _OTHER_PAINT_SIGNS) and (
        _OTHER_PAINT.search(content) is not None
    )


def _may_hide(vector: Vector) -> bool:
    """Whether a path is more than a rule: an area, a bar, or a stroke as thick as one."""
    width, height = vector.box[2] - vector.box[0], vector.box[3] - vector.box[1]
    if min(width, height) <= _RULE_POINTS:
        return False
    return not vector.stroked or min(width, height) <= _THICK_STROKE


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


Look = Callable[[NDArray[np.int64], float], bool]
"""Whether text shows at a place, in centipoints, but for some points at both ends."""


def _parts(run: Run, areas: list[_Area], glyphs: GlyphPage, shows: Look) -> list[Run]:
    """The run, cut where some of its characters cannot be seen: a bar over a name leaves the rest
    of the sentence readable."""
    boxes = glyphs.boxes[list(run.glyphs)]
    x, y = (boxes[:, 0] + boxes[:, 2]) / 200, (boxes[:, 1] + boxes[:, 3]) / 200
    flags = np.zeros(len(boxes), dtype=np.int64)
    for area in areas:
        (x0, y0, x1, y1), grey = area.box, area.grey
        if grey is not None and abs(_grey(run.color) - grey) >= _NEAR:
            continue
        there = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        for start, end in _stretches(there):
            if there[start] and run.text[start:end].strip():
                part = boxes[start:end]
                place = np.concatenate([part[:, :2].min(0), part[:, 2:].max(0)])
                if _is_replaced(place / 100, area):
                    flags[start:end] = int(SpanFlag.HIDDEN | SpanFlag.REPLACED)
                elif not shows(place, _INSET):
                    flag = SpanFlag.HIDDEN if grey is None else SpanFlag.LOW_CONTRAST
                    flags[start:end] |= int(flag)
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


def _is_replaced(place: NDArray[np.float64], area: _Area) -> bool:
    """Whether what shows at a covered place is something else that was printed there later."""
    x0, y0, x1, y1 = place.tolist()
    whole = max((x1 - x0) * (y1 - y0), 0.01)
    return any(_shared((x0, y0, x1, y1), box) >= _REPLACED * whole for box in area.printed)


def _shared(one: Rect, other: Rect) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def _flag_overprints(glyphs: GlyphPage) -> None:
    """Flags two different texts in one place: a reader can read neither."""
    lines = sorted(glyphs.fragments, key=lambda f: f.box[1] + f.box[3])
    for position, one in enumerate(lines):
        x0, y0, x1, y1 = one.box
        for other in lines[position + 1 :]:
            a0, b0, a1, b1 = other.box
            if b0 + b1 - y0 - y1 > y1 - y0:  # the middle of the other lies below this line
                break
            if a0 < x1 and x0 < a1:
                smaller = min((x1 - x0) * (y1 - y0), (a1 - a0) * (b1 - b0))
                if _shared(one.box, other.box) >= _OVERPRINT * smaller and _both_show(
                    one, other, glyphs
                ):
                    for run in (*one.runs, *other.runs):
                        run.flags |= SpanFlag.HIDDEN


def _both_show(one: Fragment, other: Fragment, glyphs: GlyphPage) -> bool:
    """Whether two fragments in one place are two different texts, both painted, letter on letter. A
    second print of the same is the same; a word in a gap of spaces or on a form's underscores, and
    a raised mark beside a line, can be read."""
    size = max(one.size, other.size)
    if abs(one.baseline - other.baseline) > 0.25 * size or size > 1.3 * min(one.size, other.size):
        return False
    return (
        one.text.strip() != other.text.strip()
        and one.runs[0].painted == other.runs[0].painted
        and all(sum(map(str.isalnum, f.text)) >= 2 for f in (one, other))
        and not any(run.flags & _UNSEEN for run in (*one.runs, *other.runs))
        and _letters_meet(one, other, glyphs)
    )


def _letters_meet(one: Fragment, other: Fragment, glyphs: GlyphPage) -> bool:
    """Whether most letters of the shorter fragment stand on letters of the other."""
    short, long = sorted((_letter_boxes(f, glyphs) for f in (one, other)), key=len)
    middle = (short[:, 0] + short[:, 2]) / 2
    on = (long[:, None, 0] <= middle) & (middle <= long[:, None, 2])
    return bool(on.any(axis=0).mean() >= _OVERPRINT)


def _letter_boxes(fragment: Fragment, glyphs: GlyphPage) -> NDArray[np.int64]:
    letters = [
        glyph
        for run in fragment.runs
        for char, glyph in zip(run.text, run.glyphs, strict=True)
        if char.isalnum()
    ]
    return glyphs.boxes[letters]


def _stretches(values: NDArray[Any]) -> list[tuple[int, int]]:
    """Ranges of equal values."""
    edges = np.flatnonzero(np.diff(values.astype(np.int64))) + 1
    return list(pairwise([0, *edges.tolist(), len(values)]))


def _runs(glyphs: GlyphPage) -> Iterator[Run]:
    return (run for fragment in glyphs.fragments for run in fragment.runs)


def _run_box(run: Run, glyphs: GlyphPage) -> NDArray[np.int64]:
    boxes = glyphs.boxes[list(run.glyphs)]
    return np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)])


def _judge(
    page: Any, glyphs: GlyphPage, suspects: list[tuple[Run, bool]], picture: _Picture
) -> None:
    unpainted = any(not run.painted for run, _ in suspects)
    scanned = _is_scanned(page, glyphs) if unpainted else False
    for run, level in suspects:
        if not run.text.strip():
            continue
        # Glyphs of a font of drawings keep to no line: any ink in their boxes counts.
        upright = level and not run.font.startswith("Type3")
        shows = picture.shows(_run_box(run, glyphs), upright=upright)
        if not run.painted:
            run.flags |= SpanFlag.OCR if scanned and shows else SpanFlag.HIDDEN
        elif run.size < _TINY_POINTS:
            run.flags |= SpanFlag.HIDDEN
        elif not shows:
            run.flags |= SpanFlag.LOW_CONTRAST


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

    def shows(self, box: NDArray[np.int64], inset: float = 0.0, *, upright: bool = True) -> bool:
        """Whether there is a contrast where text stands, in a box in centipoints: in the part of a
        line that every word inks (of a turned one, its middle), but for `inset` points at both
        ends, where its neighbours show."""
        pixels, scale = self._look
        x0, y0, x1, y1 = box / 100 * scale
        upper, lower = _INK if upright else (1 / 6, 5 / 6)
        across = min(inset * scale, (x1 - x0) / 4)
        height, width = pixels.shape
        left, right = int(max(x0 + across, 0)), min(int(x1 - across) + 1, width)
        top = int(max(y0 + (y1 - y0) * upper, 0))
        bottom = min(int(y0 + (y1 - y0) * lower) + 1, height)
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
