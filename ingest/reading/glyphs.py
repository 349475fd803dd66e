"""From MuPDF's text page to fragments: runs of characters as the content stream has them.

A fragment is what MuPDF calls a line: characters on one baseline without a wide gap. Boxes of all
characters of a page lie in one array, in centipoints of the displayed page; spans refer to it by
index, so that regrouping text never copies geometry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grounding.geometry import MAX_CENTIPOINTS, PageFrame
from grounding.model import SpanFlag
from ingest.reading.engine import EVERYWHERE, TEXT_FLAGS

_CHARACTER = itemgetter("c")
_BOX = itemgetter("bbox")
_LOOK = ("size", "font", "color", "flags", "alpha")
_PRINTED = re.compile(r"\S")
_NUL = "\x00"
_REPLACEMENT = "\ufffd"
_BOLD, _ITALIC, _SUPERSCRIPT = 16, 2, 1  # bits of MuPDF's span flags
_MADE_UP = 4 | 512
"""Bits of MuPDF's character flags: a space that it put in, a small or a large one."""
_UNKNOWN = 128 | 256
"""The character stands for a glyph without known Unicode: it is a code of the font."""
_TYPE3 = "Type3 "
_VECTOR_BLOCK = 3
_LEADING = 1.5
"""Lines of one block stand at most this many type sizes apart."""

_STYLE_FLAGS = {
    0: 0,
    _BOLD: int(SpanFlag.BOLD),
    _ITALIC: int(SpanFlag.ITALIC),
    _BOLD | _ITALIC: int(SpanFlag.BOLD | SpanFlag.ITALIC),
}

Rect = tuple[float, float, float, float]


@dataclass(slots=True)
class Run:
    """Characters of one style: their text and where their boxes are in the page's array."""

    text: str
    glyphs: Sequence[int]
    font: str
    size: float
    color: int
    alpha: int
    baseline: float
    bold: bool
    raised: bool
    flags: int = 0
    """Bits of SpanFlag, as a plain integer: enum arithmetic is slow and there are many runs."""
    painted: bool = True


@dataclass(slots=True)
class Fragment:
    """Runs on one baseline, left to right as drawn; the box is in displayed points."""

    runs: list[Run]
    box: Rect
    block: int
    direction: tuple[float, float]
    size: float
    text: str = field(default="")

    def retext(self) -> None:
        """Recomputes `text` after the runs changed."""
        self.text = "".join([run.text for run in self.runs])

    @property
    def baseline(self) -> float:
        return self.runs[0].baseline


@dataclass(slots=True)
class Vector:
    """A path that was filled or stroked: its box in displayed points, and how many fragments had
    been drawn before it."""

    after: int
    box: Rect
    color: int
    opaque: bool
    stroked: bool


@dataclass(slots=True)
class GlyphPage:
    """Fragments in content order, and the boxes [x0, y0, x1, y1] of every character."""

    frame: PageFrame
    fragments: list[Fragment]
    vectors: list[Vector]
    boxes: NDArray[np.int64]
    synthetic: set[int]
    """Indices of spaces that no glyph of the file stands for."""
    off_page: list[str]
    lost: str = ""
    """Text that MuPDF prints but gives no boxes for."""


def read_glyphs(page: Any, frame: PageFrame) -> GlyphPage:
    """All characters of a page, those outside its box set aside."""
    text_page = page.get_textpage(clip=EVERYWHERE, flags=TEXT_FLAGS)
    raw = text_page.extractRAWDICT()
    fragments: list[Fragment] = []
    vectors: list[Vector] = []
    boxes: list[Rect] = []
    synthetic: set[int] = set()
    for number, block in enumerate(raw["blocks"]):
        if block["type"] == _VECTOR_BLOCK:
            vectors.append(_vector(block, len(fragments)))
            continue
        before = fragments[-1] if fragments else None
        first = len(fragments)
        for line in block.get("lines", ()):
            fragment = _fragment(line, number, boxes, synthetic)
            if fragment is not None:
                fragments.append(fragment)
        if before is not None and len(fragments) > first and _goes_on(before, fragments[first]):
            # A path drawn in between, such as a shaded row, cuts a block that is one to the eye.
            for fragment in fragments[first:]:
                fragment.block = before.block
    lost = _lost_text(text_page, fragments)
    array = _displayed(boxes, frame)
    if frame.rotation:
        _turn(fragments, vectors, frame)
    off_page = _drop_outside(fragments, array, frame)
    return GlyphPage(frame, fragments, vectors, array, synthetic, off_page, lost)


def _vector(block: dict[str, Any], after: int) -> Vector:
    return Vector(
        after, block["bbox"], block["color"], block["alpha"] == 255, bool(block["stroked"])
    )


def _goes_on(before: Fragment, after: Fragment) -> bool:
    """Whether a block is the last one continued: on the same line, or on the next."""
    if before.direction != after.direction or abs(before.direction[0]) < 0.99:
        return False
    down = after.baseline - before.baseline
    size = max(before.size, after.size)
    if abs(down) < 0.35 * size:
        return after.box[0] >= before.box[2] - 0.5 * size
    beside = after.box[0] >= before.box[2] or after.box[2] <= before.box[0]
    return 0 < down <= _LEADING * min(before.size, after.size) and not beside


def _fragment(
    line: dict[str, Any], block: int, boxes: list[Rect], synthetic: set[int]
) -> Fragment | None:
    runs: list[Run] = []
    last: dict[str, Any] | None = None
    for span in line["spans"]:
        chars = span["chars"]
        if not chars:
            continue
        at = len(boxes)
        boxes.extend(map(_BOX, chars))
        text = "".join(map(_CHARACTER, chars))
        if span["char_flags"] & _MADE_UP:
            synthetic.update(range(at, len(boxes)))
        elif text.count(" ") * 3 > len(text) > 8:
            synthetic.update(at + i for i, char in enumerate(chars) if char["synthetic"])
        flags = span["flags"]
        if span["char_flags"] & _UNKNOWN and span["font"].startswith(_TYPE3):
            # Codes of a font of drawings say nothing; of other fonts they are mostly right.
            text = _PRINTED.sub(_REPLACEMENT, text)
        if last is not None and _same_look(last, span):
            runs[-1].text += text.replace(_NUL, _REPLACEMENT)
            runs[-1].glyphs = range(runs[-1].glyphs[0], len(boxes))
            continue
        last = span
        runs.append(
            Run(
                # A glyph without Unicode comes as NUL, which SQLite and JSON readers cut text at.
                text.replace(_NUL, _REPLACEMENT) if _NUL in text else text,
                range(at, len(boxes)),
                span["font"],
                span["size"],
                span["color"],
                span["alpha"],
                span["origin"][1],
                bool(flags & _BOLD),
                bool(flags & _SUPERSCRIPT),
                _STYLE_FLAGS[flags & (_BOLD | _ITALIC)],
                # Bits 16, 32 and 64: filled, stroked, clipped. Render mode 3 has none, mode 7 has
                # the last alone, and neither leaves a mark on the page.
                bool(span["char_flags"] & 48) and span["alpha"] > 0,
            )
        )
    if not runs:
        return None
    size = runs[0].size if len(runs) == 1 else max(runs, key=lambda run: len(run.text)).size
    fragment = Fragment(runs, line["bbox"], block, line["dir"], size)
    fragment.retext()
    return fragment


def _same_look(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether MuPDF cut a span in two only because it put a space in."""
    return all(one[key] == other[key] for key in _LOOK) and not (
        (one["char_flags"] ^ other["char_flags"]) & ~_MADE_UP
    )


def _displayed(boxes: list[Rect], frame: PageFrame) -> NDArray[np.int64]:
    """Character boxes in centipoints of the displayed page."""
    flat = np.fromiter(chain.from_iterable(boxes), dtype=np.float64, count=4 * len(boxes))
    array = flat.reshape(-1, 4)
    if frame.rotation:
        a, b, c, d, e, f = frame.from_unrotated
        xs, ys = array[:, 0::2], array[:, 1::2]
        x, y = a * xs + c * ys + e, b * xs + d * ys + f
        array = np.stack([x.min(1), y.min(1), x.max(1), y.max(1)], axis=1)
    if not np.isfinite(array.sum()):
        array = np.nan_to_num(array)
    return np.rint(np.clip(array * 100, -MAX_CENTIPOINTS, MAX_CENTIPOINTS)).astype(np.int64)


def _turn(fragments: list[Fragment], vectors: list[Vector], frame: PageFrame) -> None:
    """Boxes, directions and baselines as displayed on a rotated page."""
    a, b, c, d, e, f = frame.from_unrotated
    items: list[Fragment | Vector] = [*fragments, *vectors]
    for item in items:
        x0, y0, x1, y1 = item.box
        xs = (a * x0 + c * y0 + e, a * x1 + c * y1 + e)
        ys = (b * x0 + d * y0 + f, b * x1 + d * y1 + f)
        item.box = (min(xs), min(ys), max(xs), max(ys))
    for fragment in fragments:
        dx, dy = fragment.direction
        fragment.direction = (a * dx + c * dy, b * dx + d * dy)
        for run in fragment.runs:
            run.baseline = fragment.box[3] - 0.2 * run.size


def _drop_outside(
    fragments: list[Fragment], boxes: NDArray[np.int64], frame: PageFrame
) -> list[str]:
    """Takes characters whose centre lies outside the page out of their runs; returns their text.

    A reader sees none of them. Boxes of those that straddle the edge are cut at it.
    """
    if not len(boxes):
        return []
    width, height = frame.width, frame.height
    x, y = (boxes[:, 0] + boxes[:, 2]) // 2, (boxes[:, 1] + boxes[:, 3]) // 2
    outside = (x < 0) | (y < 0) | (x > width) | (y > height)
    np.clip(boxes[:, 0::2], 0, width, out=boxes[:, 0::2])
    np.clip(boxes[:, 1::2], 0, height, out=boxes[:, 1::2])
    if not outside.any():
        return []
    dropped = []
    for fragment in fragments:
        gone = [_keep(run, outside) for run in fragment.runs]
        fragment.runs = [run for run in fragment.runs if run.text]
        if any(gone):
            dropped.append("".join(gone))
            fragment.retext()
            if fragment.runs:
                fragment.box = _clipped(fragment.box, width / 100, height / 100)
    fragments[:] = [fragment for fragment in fragments if fragment.runs]
    return [text for text in dropped if text.strip()]


def _keep(run: Run, outside: NDArray[np.bool_]) -> str:
    """Leaves the visible characters in `run`; returns the others."""
    kept = [(c, g) for c, g in zip(run.text, run.glyphs, strict=True) if not outside[g]]
    if len(kept) == len(run.text):
        return ""
    gone = "".join(c for c, g in zip(run.text, run.glyphs, strict=True) if outside[g])
    run.text, run.glyphs = "".join(c for c, _ in kept), [g for _, g in kept]
    return gone


def _clipped(box: Rect, width: float, height: float) -> Rect:
    x0, y0, x1, y1 = box
    return max(x0, 0.0), max(y0, 0.0), min(x1, width), min(y1, height)


def _lost_text(text_page: Any, fragments: list[Fragment]) -> str:
    """Lines that MuPDF prints and `rawdict` drops because their spans have empty boxes."""
    printed = text_page.extractText()
    ours = sum(len(fragment.text) + 1 for fragment in fragments)
    if len(printed) <= ours:
        return ""
    have = {fragment.text.strip() for fragment in fragments}
    lines = [line.strip() for line in printed.replace(_NUL, _REPLACEMENT).split("\n")]
    return "\n".join(line for line in lines if line and line not in have)
