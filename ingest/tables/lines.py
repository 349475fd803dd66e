"""Lines of words, cut into segments: words that a reader takes together, as a cell or a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.tables.words import Word

_WIDE_GAP = 0.9
"""Share of the type size; words of a sentence stand nearer to each other."""
_NUMBER_GAP = 0.2
"""Two numbers are two cells already from this gap on: nobody writes them beside each other."""
_CURRENCY_GAP = 8.0
"""A currency sign that opens a column of amounts stands at its left edge, apart from the number."""
_CLOSING_GAP = 2.0
_NUMBER = re.compile(
    r"[(\[<>~±+\-\u2212\u2013]?[$€£¥]?[(\-\u2212\u2013]?[$€£¥]?\d[\d.,:/'’]*[%x]?[)\]]?[%*†‡]?[a-z]?"
    r"|[-\u2010-\u2015\u2212]+%?|n/?[am]\.?|N/?[AM]\.?|nil|\.\.+|…|\*+|[Xx✓✔•●]"
)
_CURRENCY = re.compile(
    r"\(?(?:US|C|CA|A|AU|HK|NZ|S|R)?[$€£¥₹]|Rs\.?|EUR|USD|GBP|CHF|CAD|AUD|INR|JPY"
)
_MONTH = re.compile(
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?,?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"^(?:19|20)\d\d(?:[a-z*)]?$|\b(?![.,]\d).*[^\W\d_])|^\d{1,2},(?: (?:19|20)\d\d)?$"
    r"|^\d{1,2}/\d{1,2}/\d{2,4}$|^FY ?\d\d(?:\d\d)?$|^[1-4]Q ?\d\d|^Q[1-4]\b"
    rf"|\b{_MONTH.pattern}",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"[%)]+|pts?\.?")
_VALUE = re.compile(r"\(?[$€£¥]?\d[\d.,]*\d%?\)?|\d%?")
_PROSE_CHARACTERS, _PROSE_WORDS, _PROSE_LETTERS = 25, 4, 0.6
_LONG_PROSE = 70
"""A line as long as this is prose without neighbours that are, too."""
_PROSE_LEADING = 1.9
_SAME_LINE = 0.3
_RAISED_SIZE, _RAISED_BY, _RAISED_LENGTH = 0.8, 0.7, 6
"""A footnote mark: smaller by this, raised at most by this share of the type size, so long."""


@dataclass(slots=True)
class Segment:
    """Words of one line that belong together, in the reader's frame."""

    words: list[Word]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    numeric: bool

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class Line:
    """Segments on one baseline, left to right."""

    segments: list[Segment]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    prose: bool = False

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2

    @property
    def multiple(self) -> bool:
        return len(self.segments) > 1


def is_number(text: str) -> bool:
    """Whether a word can be all that a cell of numbers holds: an amount, a dash, a mark."""
    return _NUMBER.fullmatch(text) is not None


def read_lines(words: list[Word]) -> list[Line]:
    """The words of one direction as lines, top to bottom. Lines of running text are marked; of a
    line beside running text the rest is a line of its own."""
    rows = _rows(words)
    pieces = [piece for row in rows for piece in _pieces(row)]
    prose = _prose(pieces)
    lines = []
    for row in rows:
        kept: list[Segment] = []
        signs_lead = _signs_lead(row)
        for piece in _pieces(row):
            if _key(piece) in prose:
                lines.append(line_of([segment_of(piece)], prose=True))
            else:
                parts = _cells(piece, signs_lead=signs_lead)
                kept.extend(segment_of(part) for part in parts)
        if kept:
            lines.append(line_of(_rejoined(kept)))
    return sorted(lines, key=lambda line: (line.middle, line.x0))


def _rows(words: list[Word]) -> list[list[Word]]:
    """Words by baseline."""
    rows: list[tuple[float, float, list[Word]]] = []
    for word in sorted(words, key=lambda w: (w.middle, w.x0)):
        for i in range(len(rows) - 1, max(-1, len(rows) - 5), -1):
            middle, size, row = rows[i]
            if abs(middle - word.middle) < _SAME_LINE * (1 + min(size, word.size)):
                row.append(word)
                break
        else:
            rows.append((word.middle, word.size, [word]))
    return _with_raised(rows)


def _with_raised(rows: list[tuple[float, float, list[Word]]]) -> list[list[Word]]:
    """Rows of a few small words beside larger ones, as footnote marks are raised, put back."""
    kept: list[list[Word]] = []
    for at, (middle, size, row) in enumerate(rows):
        near = rows[max(0, at - 2) : at] + rows[at + 1 : at + 3]
        host = next(
            (
                other
                for other_middle, other_size, other in near
                if size < _RAISED_SIZE * other_size
                and abs(middle - other_middle) < _RAISED_BY * other_size
                and len(row) <= len(other)
                and all(len(word.text) <= _RAISED_LENGTH for word in row)
            ),
            None,
        )
        if host is None:
            kept.append(row)
        else:
            host.extend(row)
    return [sorted(row, key=lambda w: w.x0) for row in kept]


def _pieces(row: list[Word]) -> list[list[Word]]:
    """A row cut at wide gaps alone."""
    pieces = [[row[0]]]
    for before, word in pairwise(row):
        if word.x0 - before.x1 > _WIDE_GAP * min(before.size, word.size):
            pieces.append([])
        pieces[-1].append(word)
    return pieces


def _cells(piece: list[Word], *, signs_lead: bool) -> list[list[Word]]:
    """A piece cut between numbers, too, and before the currency sign of the next one."""
    cells = [[piece[0]]]
    for before, word in pairwise(piece):
        gap = (word.x0 - before.x1) / min(before.size, word.size)
        apart = _is_amount(word.text) or (signs_lead and is_currency(word.text))
        if gap > _NUMBER_GAP and _is_amount(before.text) and apart:
            cells.append([])
        cells[-1].append(word)
    return cells


def is_currency(text: str) -> bool:
    """Whether a text is a currency sign or code alone."""
    return _CURRENCY.fullmatch(text) is not None


def _signs_lead(row: list[Word]) -> bool:
    """Whether the currency signs of a line stand before their numbers."""
    for word in row:
        if is_currency(word.text):
            return True
        if _is_amount(word.text):
            return False
    return True


def is_mark(text: str) -> bool:
    """Whether a text is only what belongs to the number after it: a currency sign, a minus."""
    return is_currency(text) or text in ("-", "\u2212", "(")


def is_closing(text: str) -> bool:
    """Whether a text is only what belongs to the number before it: per cent, a bracket."""
    return _CLOSING.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Whether a text names a time and no amount: a year, a month, a quarter."""
    return _TIME.search(text) is not None


def is_value(segment: Segment) -> bool:
    """Whether a segment holds what a table is about, and no time."""
    return segment.numeric and not is_date(segment.text)


def holds_numbers(segments: list[Segment]) -> bool:
    """Whether segments are numbers, with nothing beside them but what belongs to numbers."""
    alone = all(s.numeric or is_mark(s.text) or is_closing(s.text) for s in segments)
    return alone and any(s.numeric for s in segments)


def _is_amount(text: str) -> bool:
    """Whether a word is a number that is complete: no dash of a range, no day before its year."""
    return is_number(text) and any(map(str.isdigit, text)) and not text.endswith((",", "/"))


def _rejoined(segments: list[Segment]) -> list[Segment]:
    """Currency signs joined to the amount after them, percent signs and brackets to that before."""
    joined: list[Segment] = []
    for segment in segments:
        if joined and _belongs(joined[-1], segment):
            joined[-1] = segment_of(joined[-1].words + segment.words)
        else:
            joined.append(segment)
    return joined


def _belongs(before: Segment, after: Segment) -> bool:
    gap = (after.x0 - before.x1) / min(before.size, after.size)
    if len(before.words) == 1 and is_currency(before.words[0].text):
        return gap < _CURRENCY_GAP and is_number(after.words[0].text)
    if len(after.words) == 1 and is_closing(after.words[0].text):
        return gap < _CLOSING_GAP and is_number(before.words[-1].text)
    return False


def segment_of(words: list[Word]) -> Segment:
    """Words of one line, left to right, as one."""
    marks = sum(is_number(w.text) or is_currency(w.text) or is_closing(w.text) for w in words)
    numbers = any(is_number(w.text) for w in words) and not (
        len(words) > 1 and any(_MONTH.match(w.text) for w in words)
    )
    return Segment(
        words,
        words[0].x0,
        min(w.y0 for w in words),
        max(w.x1 for w in words),
        max(w.y1 for w in words),
        median(w.size for w in words),
        numbers and 2 * marks >= len(words),
    )


def line_of(segments: list[Segment], *, prose: bool = False) -> Line:
    """Segments on one baseline, left to right, as a line."""
    return Line(
        segments,
        segments[0].x0,
        min(s.y0 for s in segments),
        max(s.x1 for s in segments),
        max(s.y1 for s in segments),
        max(s.size for s in segments),
        prose,
    )


def _key(piece: list[Word]) -> int:
    return piece[0].start


def _prose(pieces: list[list[Word]]) -> set[int]:
    """Pieces that are lines of running text: long ones, and those with another above or below."""
    likely = [
        (_key(piece), segment_of(piece), _is_cell(pieces, i))
        for i, piece in enumerate(pieces)
        if _is_prose(piece)
    ]
    found = set()
    for at, (key, segment, is_cell) in enumerate(likely):
        if is_cell:
            continue
        nearby = likely[max(0, at - 6) : at] + likely[at + 1 : at + 7]
        if len(segment.text) >= _LONG_PROSE or any(_stacked(segment, o) for _, o, _ in nearby):
            found.add(key)
    return found


def _is_cell(pieces: list[list[Word]], at: int) -> bool:
    """Whether something that is no running text follows a piece on its line, or a number stands
    before it."""
    piece = pieces[at]
    tolerance = _SAME_LINE * (1 + piece[-1].size)
    if at + 1 < len(pieces):
        after = pieces[at + 1]
        beside = abs(after[0].middle - piece[-1].middle) < tolerance
        if beside and after[0].x0 > piece[-1].x1 and not _is_prose(after):
            return True
    if not at:
        return False
    before = pieces[at - 1]
    beside = abs(before[-1].middle - piece[0].middle) < tolerance and before[-1].x1 < piece[0].x0
    return beside and len(before) == 1 and _VALUE.fullmatch(before[0].text) is not None


def _is_prose(piece: list[Word]) -> bool:
    if len(piece) < _PROSE_WORDS:
        return False
    text = " ".join(word.text for word in piece)
    return len(text) >= _PROSE_CHARACTERS and sum(map(str.isalpha, text)) >= _PROSE_LETTERS * len(
        text
    )


def _stacked(one: Segment, other: Segment) -> bool:
    """Whether two pieces are lines of one paragraph."""
    apart = abs(one.y0 - other.y0)
    if not 0.5 * one.size < apart < _PROSE_LEADING * one.size or abs(one.size - other.size) > 1:
        return False
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return shared > 0.8 * min(one.x1 - one.x0, other.x1 - other.x0)


def typical_pitch(lines: Iterable[Line]) -> float:
    """The median distance of neighbouring lines, in points; 0 for fewer than two."""
    middles = [line.middle for line in lines]
    return median([b - a for a, b in pairwise(middles)]) if len(middles) > 1 else 0.0
