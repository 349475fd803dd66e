"""From lines to rows: where the header ends, and which lines are one row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.tables.columns import Columns, LineCell, one_each
from ingest.tables.header import Piece, header_lines, read_header
from ingest.tables.lines import is_date
from ingest.tables.rules import Rules

_TIGHT = 1.45
"""Lines of one cell stand at most this many type sizes apart."""
_OUTDENT = 1.5
_LOOSE = 2.2
_CLOSER = 0.82
"""Share of the distance of two rows below which two lines belong to one row."""
_OVERLAID = 0.75
_CONNECTING = re.compile(
    r"(?:,|-|\u2013|/|&|\b(?:and|of|the|for|or|to|in|on|by|with|from|at))$", re.I
)


@dataclass(slots=True)
class Rows:
    """Cells by row, the lines of each row, and how many rows are header."""

    cells: list[Piece]
    lines: list[tuple[int, int]]
    header: int


def rows_of(table: Columns, rules: Rules) -> Rows:
    body = _first_data_line(table)
    for i in range(body):
        table.rows[i] = one_each(table, i)
    header, levels = read_header(table, body, rules)
    groups = _groups(table, body, rules)
    cells = list(header)
    for number, (first, last) in enumerate(groups, levels):
        cells.extend(_row(table, first, last, number))
    bounds = header_lines(header, levels) + groups
    return Rows(cells, bounds, levels)


def _first_data_line(table: Columns) -> int:
    """The line where the header ends: the first with amounts that are no years beside a label."""
    for i, row in enumerate(table.rows):
        values = [c for c in row if c.first > 0 and c.numeric]
        amounts = [c for c in values if not all(is_date(s.text) for s in c.segments)]
        if amounts and 2 * len(amounts) >= len([c for c in row if c.first > 0]):
            first = i
            break
    else:
        return 1 if table.lines[0].multiple else 0
    # Sections that stand between the header and the first amounts belong to the body.
    while (
        first > 1
        and not table.lines[first - 1].multiple
        and table.rows[first - 1][0].first == 0
        and any(line.multiple for line in table.lines[: first - 1])
    ):
        first -= 1
    return first


def _groups(table: Columns, body: int, rules: Rules) -> list[tuple[int, int]]:
    """Lines of the body by row."""
    lines = table.lines
    pitch = _row_pitch(table, body)
    ruled = _is_row_ruled(table, body, rules)
    groups: list[tuple[int, int]] = []
    for i in range(body, len(lines)):
        if groups and _same_row(table, groups[-1], i, pitch, ruled, rules):
            groups[-1] = (groups[-1][0], i)
        else:
            groups.append((i, i))
    return groups


def _row_pitch(table: Columns, body: int) -> float:
    """The usual distance of two rows with numbers in one column."""
    distances = [
        after.middle - before.middle
        for i, (before, after) in enumerate(pairwise(table.lines[body:]), body)
        if _conflict(table.rows[i], table.rows[i + 1])
    ]
    return median(distances) if distances else 0.0


def _conflict(upper: list[LineCell], lower: list[LineCell]) -> bool:
    """Whether both lines have numbers in one column: two rows."""
    columns = {c.first for c in upper if c.numeric}
    return any(c.numeric and c.first in columns for c in lower)


def _is_row_ruled(table: Columns, body: int, rules: Rules) -> bool:
    lines = table.lines[body:]
    if len(lines) < 3:
        return False
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    top, bottom = lines[0].middle, lines[-1].middle
    inner = {
        round(y)
        for y, a, b in rules.horizontal
        if top < y < bottom and min(b, x1) - max(a, x0) > 0.6 * (x1 - x0)
    }
    return len(inner) >= max(2, 0.25 * len(lines))


def _same_row(
    table: Columns, group: tuple[int, int], i: int, pitch: float, ruled: bool, rules: Rules
) -> bool:
    """Whether line i goes on with the row of the lines before it."""
    before, line = table.lines[i - 1], table.lines[i]
    upper = [c for j in range(group[0], group[1] + 1) for c in table.rows[j]]
    lower = table.rows[i]
    if _conflict(upper, lower):
        return False
    labels = [c for c in upper if c.first == 0]
    if labels and lower[0].first == 0 and lower[0].x0 < labels[0].x0 - _OUTDENT:
        return False
    distance = line.middle - before.middle
    size = max(line.size, before.size)
    if distance < _OVERLAID * size:
        return True
    if rules.between(
        min(before.x0, line.x0), max(before.x1, line.x1), before.middle, line.middle, 0.5
    ):
        return False
    if _is_label_of(upper, lower) and distance < _TIGHT * size:
        return True
    if ruled and distance < _LOOSE * size:
        return True
    if distance > _TIGHT * size:
        return False
    if pitch and distance < _CLOSER * pitch:
        return True
    if any(c.numeric for c in lower) and any(c.numeric for c in upper):
        return False
    return _wraps(upper, lower)


def _is_label_of(upper: list[LineCell], lower: list[LineCell]) -> bool:
    """Whether a label stands alone on the line above the numbers of its row."""
    alone = len(upper) == 1 and upper[0].first == 0 and not upper[0].text.rstrip().endswith(":")
    return alone and lower[0].first > 0 and all(cell.numeric for cell in lower)


def _wraps(upper: list[LineCell], lower: list[LineCell]) -> bool:
    """Whether the words of the lower line go on with a label above."""
    if lower[0].first != 0 or upper[0].first != 0:
        return False
    labels = len(upper) == 1 or len(lower) == 1
    start, end = lower[0].text, [c for c in upper if c.first == 0][-1].text
    if end.rstrip().endswith(":"):
        return False
    return labels and (start[:1].islower() or bool(_CONNECTING.search(end)))


def _row(table: Columns, first: int, last: int, number: int) -> list[Piece]:
    pieces: list[Piece] = []
    for i in range(first, last + 1):
        for cell in table.rows[i]:
            over = [p for p in pieces if p.col <= cell.last and p.last_col >= cell.first]
            if not over:
                pieces.append(
                    Piece(number, number, cell.first, cell.last, list(cell.segments), (i, i))
                )
                continue
            kept = over[0]
            for other in over[1:]:
                kept.segments += other.segments
                kept.col, kept.last_col = (
                    min(kept.col, other.col),
                    max(kept.last_col, other.last_col),
                )
                pieces.remove(other)
            kept.segments += cell.segments
            kept.col, kept.last_col = min(kept.col, cell.first), max(kept.last_col, cell.last)
            kept.lines = (kept.lines[0], i)
    return sorted(pieces, key=lambda p: p.col)
