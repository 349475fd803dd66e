"""The header of a table: which of its lines go together, and over which columns they stand."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.tables.columns import Columns, LineCell
from ingest.tables.lines import Segment
from ingest.tables.rules import Rules

_CENTRED = 0.2
"""Share of a column's width by which a header may stand off the middle of its columns."""
_CLOSE = 0.35
"""Share of the type size that two lines of one header may be apart."""
_RULE_BELOW = 0.6
_OFF_RULE = 0.2
"""A header stands over the middle of its rule, or begins where the rule does."""


@dataclass(slots=True)
class Piece:
    """A cell: rows and columns first to last, its segments, and the lines that they stand on."""

    row: int
    last_row: int
    col: int
    last_col: int
    segments: list[Segment]
    lines: tuple[int, int]

    @property
    def text(self) -> str:
        return " ".join(s.text for s in self.segments)

    @property
    def x0(self) -> float:
        return min(s.x0 for s in self.segments)

    @property
    def x1(self) -> float:
        return max(s.x1 for s in self.segments)


def read_header(table: Columns, body: int, rules: Rules) -> tuple[list[Piece], int]:
    pieces: list[Piece] = []
    for i in range(body):
        for cell in table.rows[i]:
            over = [p for p in pieces if p.col <= cell.last and p.last_col >= cell.first]
            above = max(over, key=lambda p: p.lines[1], default=None)
            if above is not None and _joins(above, cell, i, table, rules):
                above.segments = above.segments + cell.segments
                above.col, above.last_col = (
                    min(above.col, cell.first),
                    max(above.last_col, cell.last),
                )
                above.lines = (above.lines[0], i)
            else:
                pieces.append(Piece(0, 0, cell.first, cell.last, list(cell.segments), (i, i)))
    _spread(pieces, table, rules)
    return _leveled(pieces)


def _leveled(pieces: list[Piece]) -> tuple[list[Piece], int]:
    """Header cells with their rows: a header stands one row above what is under it, and reaches
    over every row that its lines do."""
    height: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for number in sorted(range(len(pieces)), key=lambda n: -pieces[n].lines[0]):
        piece = pieces[number]
        children[number] = [
            other
            for other in height
            if pieces[other].lines[0] > piece.lines[1]
            and pieces[other].col <= piece.last_col
            and pieces[other].last_col >= piece.col
        ]
        height[number] = max((height[o] for o in children[number]), default=-1) + 1
    levels = max(height.values(), default=-1) + 1
    for number, piece in enumerate(pieces):
        piece.row = piece.last_row = levels - 1 - height[number]
    for piece in pieces:
        # Where a header of several lines stands beside two rows of others it spans both.
        while piece.row and piece.lines[0] < _first_of(pieces, height, levels - 1 - piece.row):
            if any(_occupies(other, piece.row - 1, piece) for other in pieces):
                break
            piece.row -= 1
    return pieces, levels


def _occupies(other: Piece, row: int, piece: Piece) -> bool:
    beside = other.col <= piece.last_col and other.last_col >= piece.col
    return other is not piece and beside and other.row <= row <= other.last_row


def _first_of(pieces: list[Piece], height: dict[int, int], level: int) -> int:
    """The first line of the headers of a level that stand under others."""
    under = [
        pieces[n].lines[0]
        for n in height
        if height[n] == level
        and any(
            height[o] == level + 1 and pieces[o].col <= pieces[n].col <= pieces[o].last_col
            for o in height
        )
    ]
    return min(under, default=0)


def _joins(piece: Piece, cell: LineCell, line: int, table: Columns, rules: Rules) -> bool:
    """Whether a cell of a header line goes on with a header cell above it."""
    if piece.lines[1] == line:
        return False
    before, after = piece.segments[-1], cell.segments[0]
    if after.y0 - before.y1 > _CLOSE * after.size:
        return False
    if rules.between(
        max(piece.x0, cell.x0),
        min(piece.x1, cell.x1),
        (before.y0 + before.y1) / 2,
        (after.y0 + after.y1) / 2,
    ):
        return False
    if (piece.col, piece.last_col) == (cell.first, cell.last):
        return True
    inside = piece.col <= cell.first and cell.last <= piece.last_col
    around = cell.first <= piece.col and piece.last_col <= cell.last
    if not (inside or around):
        return False
    others = [
        c
        for c in table.rows[line]
        if c is not cell and c.first <= piece.last_col and c.last >= piece.col
    ]
    centred = abs((piece.x0 + piece.x1) - (cell.x0 + cell.x1)) < 2 * after.size
    return not others and (centred or abs(piece.x0 - cell.x0) < 2)


def _spread(pieces: list[Piece], table: Columns, rules: Rules) -> None:
    """Gives headers over several columns their columns: those that a rule below them covers, or
    those over whose middle they stand."""
    for piece in pieces:
        below = [p for p in pieces if p.lines[0] > piece.lines[1]]
        if not below:
            continue
        beside = [
            p
            for p in pieces
            if p is not piece and p.lines[0] <= piece.lines[1] and p.lines[1] >= piece.lines[0]
        ]
        low = max((p.last_col + 1 for p in beside if p.last_col < piece.col), default=0)
        high = min((p.col - 1 for p in beside if p.col > piece.last_col), default=table.columns - 1)
        ruled = _under_rule(piece, table, rules)
        if ruled is not None:
            piece.col, piece.last_col = (
                max(low, min(ruled[0], piece.col)),
                min(high, max(ruled[1], piece.last_col)),
            )
            continue
        if low == 0 and piece.col > 0:
            low = 1
        if piece.col == 0:
            continue
        best = (piece.col, piece.last_col)
        for first in range(low, piece.col + 1):
            for last in range(piece.last_col, high + 1):
                left, right = _extent(table, first), _extent(table, last)
                off = abs((left[0] + right[1]) / 2 - (piece.x0 + piece.x1) / 2)
                width = right[1] - left[0]
                if last - first > best[1] - best[0] and off <= min(
                    _CENTRED * width / (last - first + 1), 12
                ):
                    best = (first, last)
        piece.col, piece.last_col = best


def _under_rule(piece: Piece, table: Columns, rules: Rules) -> tuple[int, int] | None:
    """The columns that the rule just below a header covers, where it is not the whole table's."""
    bottom = max(s.y1 for s in piece.segments)
    size = piece.segments[0].size
    # The shortest that covers the header: the next one may be the whole table's.
    for y, x0, x1 in sorted(rules.horizontal, key=lambda rule: rule[2] - rule[1]):
        if (
            bottom - _RULE_BELOW * size <= y <= bottom + _RULE_BELOW * size
            and x0 <= piece.x0 + 2
            and x1 >= piece.x1 - 2
        ):
            middle, width = (x0 + x1) / 2, x1 - x0
            if (
                abs(middle - (piece.x0 + piece.x1) / 2) > _OFF_RULE * width
                and abs(piece.x0 - x0) > size
            ):
                continue  # the rule of the whole header, and not of this one
            columns = [c for c in range(table.columns) if x0 <= sum(_extent(table, c)) / 2 <= x1]
            if columns and len(columns) < table.columns:
                return columns[0], columns[-1]
    return None


def _extent(table: Columns, column: int) -> tuple[float, float]:
    """Where the values of a column stand: between the gaps beside it."""
    left = table.gaps[column - 1][1] if column else min(line.x0 for line in table.lines)
    if column < len(table.gaps):
        return left, table.gaps[column][0]
    return left, max(line.x1 for line in table.lines)


def header_lines(pieces: list[Piece], levels: int) -> list[tuple[int, int]]:
    """First and last line of each header row, by the headers that stand in it alone."""
    bounds: list[tuple[int, int]] = []
    for level in range(levels):
        own = [p.lines for p in pieces if p.row == p.last_row == level]
        own = own or [p.lines for p in pieces if p.row <= level <= p.last_row]
        first = bounds[-1][1] + 1 if bounds else min(a for a, _ in own)
        # Rows do not overlap: a row ends before the first line of the next.
        following = [p.lines[0] for p in pieces if p.row > level]
        last = min(max(b for _, b in own), min(following, default=10**6) - 1)
        bounds.append((first, max(first, last)))
    return bounds
