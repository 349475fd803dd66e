"""What drawing tricks leave in the text is undone, and recorded: overprinted duplicates, footnote
markers glued to numbers, letters set apart, vertical writing cut into single characters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from grounding.model import SpanFlag
from ingest.reading.glyphs import Fragment, GlyphPage, Run

_OVERPRINT_POINTS = 1.0
"""Fake bold shifts the second print by a fraction of a point; a word repeated by its author stands
at least its own width away."""

_MARKER = re.compile(r"\(?(?:\d{1,3}|[*†‡§¶#]{1,4}|[a-z])(?:,\s?(?:\d{1,3}|[a-z]))*\)?\.?\s*")
_MARKER_SIZE = 0.85
"""A marker is set smaller than this share of its line's size …"""
_MARKER_RISE = 0.12
"""… and its baseline lies higher by this share of that size."""

_JUMP = 200
"""Centipoints to the left that no kerning goes."""
_LINE_POINTS = 2.0
_TOUCHING = 0.25
"""Share of the type size within which two pieces of a line touch or belong to one word."""
_SPACED_LETTERS = re.compile(r"(?:\S )(?:\S  ?){3,}\S?")


def clean(page: GlyphPage) -> None:
    """All repairs, in place, in the order in which they depend on each other."""
    _drop_overprints(page.fragments)
    _merge_vertical(page.fragments)
    _split_at_jumps(page)
    _put_into_line(page)
    for fragment in page.fragments:
        if len(fragment.runs) > 1:
            _split_markers(fragment)
        if fragment.text.count(" ") * 3 > len(fragment.text) and len(fragment.text) > 8:
            _close_letters(fragment, page)


def _drop_overprints(fragments: list[Fragment]) -> None:
    """Keeps the first of several prints of the same characters at the same place."""
    if len({fragment.text for fragment in fragments}) == len(fragments):
        return
    # By text and height, so that a column of dollar signs is not compared with itself.
    seen: dict[tuple[str, int], list[Fragment]] = defaultdict(list)
    kept = []
    for fragment in fragments:
        text, height = fragment.text.strip(), round(fragment.box[1])
        if text:
            near = [f for y in (height - 1, height, height + 1) for f in seen.get((text, y), ())]
            if any(_same_place(fragment, other) for other in near):
                continue
            seen[text, height].append(fragment)
        kept.append(fragment)
    if len(kept) != len(fragments):
        fragments[:] = kept


def _same_place(one: Fragment, other: Fragment) -> bool:
    # A hidden twin of a visible line is not a second print of it: both are kept and flagged.
    if one.runs[0].painted != other.runs[0].painted:
        return False
    return all(abs(a - b) <= _OVERPRINT_POINTS for a, b in zip(one.box, other.box, strict=True))


def _merge_vertical(fragments: list[Fragment]) -> None:
    """Vertical writing arrives as one fragment a character; a column becomes one fragment."""
    merged: list[Fragment] = []
    for fragment in fragments:
        if merged and _continues_column(merged[-1], fragment):
            last = merged[-1]
            last.runs.extend(fragment.runs)
            last.text += fragment.text
            x0, y0, x1, y1 = zip(last.box, fragment.box, strict=True)
            last.box = (min(x0), min(y0), max(x1), max(y1))
        else:
            merged.append(fragment)
    if len(merged) != len(fragments):
        fragments[:] = merged


def _continues_column(last: Fragment, fragment: Fragment) -> bool:
    if len(fragment.text) != 1 or abs(fragment.direction[0]) > 0.5 or fragment.direction[1] < 0.5:
        return False
    if last.direction != fragment.direction or last.block != fragment.block:
        return False
    gap = fragment.box[1] - last.box[3]
    same_column = abs(fragment.box[0] - last.box[0]) < fragment.size * 0.5
    return same_column and -fragment.size * 0.5 < gap < fragment.size


def _split_at_jumps(page: GlyphPage) -> None:
    """Cuts fragments where drawing went back to the left on the same line: what follows stands
    somewhere in what was drawn before. Right-to-left writing does so at every letter and is left
    as it is."""
    if len(page.boxes) < 2:
        return
    back = np.flatnonzero(np.diff(page.boxes[:, 0]) < -_JUMP) + 1
    starts = {fragment.runs[0].glyphs[0] for fragment in page.fragments}
    jumps = [glyph for glyph in back.tolist() if glyph not in starts]
    if not jumps:
        return
    cut: list[Fragment] = []
    for fragment in page.fragments:
        cut.extend(_cut_at(fragment, set(jumps), page))
    page.fragments[:] = cut


def _cut_at(fragment: Fragment, jumps: set[int], page: GlyphPage) -> list[Fragment]:
    inside = sum(glyph in jumps for run in fragment.runs for glyph in run.glyphs)
    if not inside or fragment.direction[0] < 0.99 or inside * 4 > len(fragment.text):
        return [fragment]
    pieces: list[list[Run]] = [[]]
    for run in fragment.runs:
        glyphs = list(run.glyphs)
        edges = [0, *(i for i, g in enumerate(glyphs) if g in jumps and i), len(glyphs)]
        for start, end in pairwise(edges):
            if glyphs[start] in jumps:
                pieces.append([])
            pieces[-1].append(replace(run, text=run.text[start:end], glyphs=glyphs[start:end]))
    return [_fragment_of(fragment, runs, page) for runs in pieces if runs]


def _fragment_of(like: Fragment, runs: list[Run], page: GlyphPage) -> Fragment:
    boxes = page.boxes[[glyph for run in runs for glyph in run.glyphs]] / 100
    low, high = boxes[:, :2].min(0).tolist(), boxes[:, 2:].max(0).tolist()
    piece = replace(like, runs=runs, box=(low[0], low[1], high[0], high[1]))
    piece.retext()
    return piece


def _put_into_line(page: GlyphPage) -> None:
    """Puts what was drawn late where it stands: a word in the gap of a line that was drawn before
    is part of that line, and so is one that touches its beginning or end."""
    fragments = page.fragments
    lines: dict[int, list[int]] = defaultdict(list)
    for position, fragment in enumerate(fragments):
        if fragment.direction[0] > 0.99 and fragment.text.strip():
            lines[round(fragment.baseline / _LINE_POINTS)].append(position)
    moved: set[int] = set()
    for level, positions in lines.items():
        near = sorted({*positions, *lines.get(level + 1, ()), *lines.get(level - 1, ())})
        for late in positions:
            host = next((h for h in near if h < late and _takes_in(fragments, h, late)), None)
            if host is not None and host not in moved:
                _insert(fragments[host], fragments[late], page)
                moved.add(late)
    if moved:
        fragments[:] = [f for position, f in enumerate(fragments) if position not in moved]


def _takes_in(fragments: list[Fragment], host: int, late: int) -> bool:
    """Whether a fragment belongs inside or right beside one that was drawn before it, although the
    drawing did not simply go on from there."""
    line, word = fragments[host], fragments[late]
    if abs(line.baseline - word.baseline) > 0.2 * line.size or word.size > 1.3 * line.size:
        return False
    touching = _TOUCHING * line.size
    if word.box[0] >= line.box[2] - touching:
        # Behind the line: only when something else was drawn in between.
        return (
            late > host + 1
            and word.box[0] - line.box[2] < touching
            and word.box[0] < line.box[2] + touching
        )
    if word.box[2] <= line.box[0] + touching:
        return line.box[0] - word.box[2] < touching
    return word.box[0] > line.box[0] and word.box[2] < line.box[2]


def _insert(line: Fragment, word: Fragment, page: GlyphPage) -> None:
    """Merges a fragment into another by where their characters stand."""
    pieces = [piece for run in line.runs for piece in _around(run, word, page)]
    middle = (word.box[0] + word.box[2]) / 2

    def starts(run: Run) -> float:
        first = page.boxes[run.glyphs[0]]
        return float(first[0] + first[2]) / 200

    before = [run for run in pieces if starts(run) <= middle]
    after = [run for run in pieces if starts(run) > middle]
    line.runs = [*before, *word.runs, *after]
    x0, y0, x1, y1 = zip(line.box, word.box, strict=True)
    line.box = (min(x0), min(y0), max(x1), max(y1))
    line.retext()


def _around(run: Run, word: Fragment, page: GlyphPage) -> list[Run]:
    """A run, cut where a word stands between its characters."""
    middle = (word.box[0] + word.box[2]) / 2 * 100
    glyphs = list(run.glyphs)
    cut = sum((page.boxes[g][0] + page.boxes[g][2]) / 2 <= middle for g in glyphs)
    if not 0 < cut < len(glyphs):
        return [run]
    return [
        replace(run, text=run.text[:cut], glyphs=glyphs[:cut]),
        replace(run, text=run.text[cut:], glyphs=glyphs[cut:]),
    ]


def _split_markers(fragment: Fragment) -> None:
    """Flags small marks, so that `83.4` and a footnote 1 never read as 83.41: raised ones, and
    small digits right behind a number."""
    size = fragment.size
    body = next((r for r in fragment.runs if abs(r.size - size) < 0.01 and not r.raised), None)
    if body is None:
        return
    before = ""
    for run in fragment.runs:
        raised = run.raised or run.baseline < body.baseline - _MARKER_RISE * size
        raised = raised or (before.isdigit() and run.text.strip().isdigit())
        before = run.text[-1:] if abs(run.size - size) < 0.01 else ""
        if raised and run.size < _MARKER_SIZE * size and _MARKER.fullmatch(run.text):
            run.flags |= SpanFlag.MARKER


def _close_letters(fragment: Fragment, page: GlyphPage) -> None:
    """Takes out the spaces that the parser put between letters set apart.

    Only spaces that no glyph of the file stands for go; typed ones are part of the text.
    """
    if not _SPACED_LETTERS.search(fragment.text):
        return
    for run in fragment.runs:
        gaps = _letter_gaps(run, page)
        if len(gaps) < 4:
            continue
        middle = sorted(gap for _, gap in gaps)[len(gaps) // 2]
        if middle <= 0:
            continue
        drop = {index for index, gap in gaps if gap < middle * 1.6}
        run.text, run.glyphs = _without(run.text, run.glyphs, drop)
        run.flags |= SpanFlag.LETTER_SPACED
    fragment.retext()


def _letter_gaps(run: Run, page: GlyphPage) -> list[tuple[int, int]]:
    """(index of the space, width of the gap) for every parser-made space between two characters."""
    gaps = []
    for index in range(1, len(run.text) - 1):
        glyph = run.glyphs[index]
        if run.text[index] == " " and glyph in page.synthetic:
            left, right = run.glyphs[index - 1], run.glyphs[index + 1]
            gaps.append((index, int(page.boxes[right][0] - page.boxes[left][2])))
    return gaps


def _without(text: str, glyphs: Sequence[int], drop: set[int]) -> tuple[str, Sequence[int]]:
    kept = [(c, g) for i, (c, g) in enumerate(zip(text, glyphs, strict=True)) if i not in drop]
    return "".join(c for c, _ in kept), [g for _, g in kept]
