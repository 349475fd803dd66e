"""Where on a page a table may stand: runs of lines with common columns."""

from __future__ import annotations

import re
from itertools import pairwise

from ingest.tables.columns import (
    MOST_COLUMNS,
    Columns,
    Gap,
    gaps_of,
    gutter_of,
    line_cells,
    with_empty_columns,
    without_mark_columns,
)
from ingest.tables.lines import Line, Segment, is_date, is_value, line_of, read_lines, typical_pitch
from ingest.tables.rules import Rules
from ingest.tables.words import Word

_FAR_LINES = 2.2
"""Lines farther apart than this, in type sizes, are no neighbours in a table."""
_CLOSE = 0.9
"""A label that reads like prose stands at most this many type sizes from its neighbours."""
_LABEL_LINES = 3
_SINGLES = 4
"""So many lines of one segment in a row part two tables."""
_BLOCK_PITCH = 1.6
"""Rows of one block stand at most this many usual distances apart."""
_NEARER, _HEADS = 0.8, 1.3
"""A row alone belongs to what is below when that is nearer by this share; with a header above it,
when it is not much farther."""
_APART = 1.3
_ROWS_BEFORE, _HEADER_LINES, _NAME_LETTERS = 2, 5, 4
_HEADER_GAP = 1.3
_WHOLE_WIDTH = 0.85
_TITLE_SIZE = 1.2
_CAPTION = re.compile(
    r"(?:Table|Figure|Fig\.|Exhibit|Chart|Box|Note|Notes|Source|Sources|NOTE|SOURCE|TABLE|FIGURE)\b"
)

_ASIDE = re.compile(r"[(\[].*[)\]]")
"""What states units or says "continued"."""
_SOURCE = re.compile(r"(?:Sources?|SOURCES?|Notes?|NOTES?)\b ?[:.]")


def columns_in(words: list[Word], rules: Rules) -> list[Columns]:
    found = []
    for region in _regions(read_lines(words)):
        for lines in _by_structure(region):
            for part in _between_headers(lines):
                found.extend(_tables(part, rules))
    return found


def _tables(lines: list[Line], rules: Rules) -> list[Columns]:
    """The table of some lines; two where a wide gutter parts them."""
    table = _table(lines, rules)
    if table is None:
        return []
    gutter = gutter_of(table)
    if gutter is None:
        return [table]
    sides = [_side(table.lines, gutter, left=left) for left in (True, False)]
    return [made for side in sides if side and (made := _table(side, rules)) is not None]


def _side(lines: list[Line], gutter: float, *, left: bool) -> list[Line]:
    """The segments of each line on one side of a gutter."""
    kept = [[s for s in line.segments if (s.x1 <= gutter) == left] for line in lines]
    return [line_of(segments) for segments in kept if segments]


def _between_headers(lines: list[Line]) -> list[list[Line]]:
    """Lines cut where a header stands below rows of data: another table begins there, whose numbers
    must not get the first one's labels."""
    gaps = gaps_of(lines)
    if not gaps:
        return [lines]
    left = gaps[0][0]
    parts: list[list[Line]] = [[]]
    data = 0
    for at, line in enumerate(lines):
        if data >= _ROWS_BEFORE and _is_inner_header(lines, at, left):
            parts.append([])
            data = 0
        data += any(is_value(s) for s in line.segments if s.x0 > left)
        parts[-1].append(line)
    return parts


def _is_inner_header(lines: list[Line], at: int, left: float) -> bool:
    """Whether lines from here on name columns anew: texts or dates over the columns of numbers,
    with numbers below."""
    for line in lines[at : at + _HEADER_LINES]:
        values = [s for s in line.segments if s.x0 > left]
        if any(is_value(s) for s in values):
            return line is not lines[at]
        if values and not any(_names_a_column(s) for s in values):
            return False
        if not values and line is lines[at]:
            return False
    return False


def _names_a_column(segment: Segment) -> bool:
    return is_date(segment.text) or sum(map(str.isalpha, segment.text)) >= _NAME_LETTERS


def _regions(lines: list[Line]) -> list[list[Line]]:
    """Runs of lines near each other with at least two of several segments among them."""
    regions: list[list[Line]] = []
    current: list[Line] = []
    singles: list[Line] = []

    def close() -> None:
        nonlocal current, singles
        if sum(line.multiple for line in current) >= 2:
            regions.append(current + singles)
        current, singles = [], []

    for at, line in enumerate(lines):
        inside = current + singles
        if line.prose and not _is_label(lines, at, inside):
            if inside and _overlap(line, inside):
                close()
            continue
        if inside and _parts(inside[-1], line, lines[at + 1] if at + 1 < len(lines) else None):
            close()
        if line.multiple:
            current += [*singles, line]
            singles = []
        else:
            singles.append(line)
            if len(singles) >= _SINGLES:
                kept = singles[-_SINGLES + 1 :]
                close()
                singles = kept
    close()
    return regions


def _parts(before: Line, line: Line, below: Line | None) -> bool:
    """Whether a table cannot go on from one line to the next: far below it, a note on sources, or a
    title, which is larger than what is above and below it."""
    if line.y0 - before.y1 > _FAR_LINES * max(line.size, before.size):
        return True
    if _SOURCE.match(line.segments[0].text):
        return True
    smaller = below is None or line.size > _TITLE_SIZE * below.size
    return not line.multiple and line.size > _TITLE_SIZE * before.size and smaller


def _is_label(lines: list[Line], at: int, inside: list[Line]) -> bool:
    """Whether a line that reads like prose is a long label in a table: a few such lines that begin
    where the table does, with rows of it close above and below."""
    line = lines[at]
    table = [o for o in inside if o.multiple]
    if not table or line.y0 - inside[-1].y1 > _CLOSE * line.size:
        return False
    left = min(o.x0 for o in table)
    if abs(line.x0 - left) > 4 * line.size or line.x1 > max(o.x1 for o in table) + line.size:
        return False
    before = line
    for below in [o for o in lines[at + 1 : at + 6] if _overlap(o, [line])][:_LABEL_LINES]:
        if below.y0 - before.y1 > _CLOSE * line.size:
            return False
        if below.multiple:
            return True
        before = below
    return False


def _overlap(line: Line, lines: list[Line]) -> bool:
    return line.x0 < max(o.x1 for o in lines) and line.x1 > min(o.x0 for o in lines)


def _by_structure(lines: list[Line]) -> list[list[Line]]:
    """A region cut where its columns change."""
    tables: list[list[Line]] = []
    for block in _blocks(lines):
        if tables and _fit(tables[-1], block):
            tables[-1] = tables[-1] + block
        else:
            tables.append(block)
    return tables


def _blocks(lines: list[Line]) -> list[list[Line]]:
    """A region cut before single lines and wide gaps."""
    pitch = typical_pitch(lines)
    blocks = [[lines[0]]]
    for before, line in pairwise(lines):
        wide = line.middle - before.middle > _BLOCK_PITCH * pitch
        if (wide or (before.multiple and not line.multiple)) and any(
            o.multiple for o in blocks[-1]
        ):
            blocks.append([])
        blocks[-1].append(line)
    return _with_headers(blocks)


def _with_headers(blocks: list[list[Line]]) -> list[list[Line]]:
    """Blocks of one row that stand nearer to what is below them go there: they are its header."""
    joined: list[list[Line]] = []
    for i in range(len(blocks) - 1, -1, -1):
        block = blocks[i]
        if i > 0 and joined and sum(line.multiple for line in block) == 1:
            above = block[0].middle - blocks[i - 1][-1].middle
            below = joined[0][0].middle - block[-1].middle
            heads = not block[0].multiple  # a header over the names of the columns
            if below < (_HEADS if heads else _NEARER) * above:
                joined[0] = block + joined[0]
                continue
        joined.insert(0, block)
    return joined


def _fit(upper: list[Line], lower: list[Line]) -> bool:
    """Whether two blocks have their columns in common."""
    one, other = len(gaps_of(upper)), len(gaps_of(lower))
    both = len(gaps_of(upper + lower))
    fewer = min(one, other)
    if fewer <= 1 and sum(line.multiple for line in lower) <= 1:
        return both >= 1
    return both >= max(1, 0.8 * fewer)


def _table(lines: list[Line], rules: Rules) -> Columns | None:
    gaps = gaps_of(lines)
    if not 0 < len(gaps) <= MOST_COLUMNS:
        return None
    gaps = with_empty_columns(lines, without_mark_columns(lines, gaps))
    if not gaps:
        return None
    lines = _trimmed(lines, gaps, rules)
    if sum(line.multiple for line in lines) < 2:
        return None
    return Columns(lines, gaps, [line_cells(line, gaps) for line in lines])


def _trimmed(lines: list[Line], gaps: list[Gap], rules: Rules) -> list[Line]:
    """Without captions above and notes below."""
    first = next(i for i, line in enumerate(lines) if line.multiple)
    last = max(i for i, line in enumerate(lines) if line.multiple)
    last = _last_row(lines, first, last)
    while first and _is_header_part(lines[first - 1], lines[first:], gaps, rules):
        first -= 1
    while last + 1 < len(lines) and _goes_on(lines[last], lines[last + 1], gaps):
        last += 1
    return lines[first : last + 1]


def _last_row(lines: list[Line], first: int, last: int) -> int:
    """The last line of a table: in one of numbers, lines without any that stand apart below are the
    heading of what follows."""
    values = [i for i in range(first, last + 1) if any(s.numeric for s in lines[i].segments[1:])]
    if len(values) < 2:
        return last
    pitch = typical_pitch(lines[first : values[-1] + 1])
    end = values[-1]
    while end < last and lines[end + 1].middle - lines[end].middle < _APART * pitch:
        end += 1
    return end


def _is_header_part(line: Line, below: list[Line], gaps: list[Gap], rules: Rules) -> bool:
    """Whether a line of one segment above a table is a header over several of its columns."""
    text = line.segments[0].text
    if line.x0 <= gaps[0][0] or _CAPTION.match(text) or _ASIDE.fullmatch(text):
        return False
    if below[0].y0 - line.y1 >= _HEADER_GAP * line.size:
        return False
    # What stands above the table's first rule is its title.
    x0, x1 = min(o.x0 for o in below), max(o.x1 for o in below)
    return not rules.between(x0, x1, line.middle, below[0].middle, _WHOLE_WIDTH)


def _goes_on(before: Line, line: Line, gaps: list[Gap]) -> bool:
    return line.y0 - before.y1 < 0.5 * line.size and line.segments[0].text[:1].islower()
