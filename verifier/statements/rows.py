"""Rows of tables in plain text: which number stands under which header.

Read are rows between bars (Markdown) and lines that end in as many numbers as the line of headers
above them ends in times. A line with fewer or more numbers is not read: nobody can tell which cell
is blank. What a header, the corner over the labels and the lines above the table say of scale,
unit, currency and time is taken as `verifier.quantities.context` takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from grounding.text import fold
from verifier.quantities import Notation, Quantity, number_text, quantities
from verifier.quantities.cells import parse_cell
from verifier.quantities.context import QuantityContext, context_of, statement_of
from verifier.quantities.dates import parse_period
from verifier.quantities.period import Period
from verifier.statements.source import TAKEN_BACK
from verifier.statements.tokens import ARTICLES

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*")
_TIMES_AT_END = re.compile(r"(?:(?<=\s)|\A)(?:(?:FY ?|Q[1-4] )?(?:19|20)\d\d)(?:\s+|\Z)", re.I)
_NOTE_COLUMN = re.compile(r"\bnotes?\s*\Z", re.I)
_WORD = re.compile(r"[^\W_]+(?:['.&/-][^\W_]+)*")
_ABOVE = 3
"""Lines above a table that may say something of its numbers."""
_REST = re.compile(r"[\s$€£¥%().,-]*")
_LONGEST_LABEL = 120
_LONGEST_CORNER = 4
"""Words beside a single time that is the header of a column."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row: its text, the header over it, its number if it is one, what is said of it,
    and where it stands in the document."""

    text: str
    header: str
    quantity: Quantity | None
    context: QuantityContext
    start: int
    end: int

    @property
    def period(self) -> Period | None:
        return self.context.period.value if self.context.period is not None else None


@dataclass(frozen=True)
class Row:
    """A row of a table: its label, its other cells, and its range in the document."""

    label: str
    cells: tuple[Cell, ...]
    start: int
    end: int
    taken_back: bool = False
    """Whether what stands over the table says that its numbers are planned or the like."""

    @property
    def key(self) -> tuple[str, ...]:
        return label_key(self.label)

    @cached_property
    def numbers(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.quantity is not None]


def label_key(text: str) -> tuple[str, ...]:
    """The words of a label, in small letters, without articles."""
    words = (word.casefold() for word in _WORD.findall(fold(text).text))
    return tuple(word for word in words if word not in ARTICLES)


def rows_of(text: str, notation: Notation | None = None) -> list[Row]:
    """The rows of all tables of a text, in order; `notation` is the text's."""
    if "|" not in text and not any(c.isdigit() for c in text):
        return []
    return list(_Reader(text, notation).rows())


class _Reader:
    """Goes through the lines of a text and knows the header that holds for them."""

    def __init__(self, text: str, notation: Notation | None) -> None:
        self._text, self._notation = text, notation
        self._above: list[str] = []
        self._headers: tuple[str, ...] = ()
        self._corner = ""
        self._noted = False
        self._barred = False

    def rows(self) -> Iterator[Row]:
        lines = [(s, e) for s, e in _lines(self._text) if self._text[s:e].strip()]
        for at, (start, end) in enumerate(lines):
            line = self._text[start:end]
            following = self._text[slice(*lines[at + 1])] if at + 1 < len(lines) else ""
            if _RULE.fullmatch(line):
                continue
            if _BAR.search(line):
                row = self._bars(start, end, heads=_RULE.fullmatch(following) is not None)
            else:
                self._barred = False
                row = self._plain(start, end)
            if row is not None:
                yield row

    def _bars(self, start: int, end: int, *, heads: bool) -> Row | None:
        pieces = _pieces(self._text, start, end)
        texts = [self._text[low:high].strip() for low, high in pieces]
        if heads or not self._barred:
            self._barred = True
            if heads:
                self._corner, self._headers = texts[0], tuple(texts[1:])
                return None
            self._corner, self._headers = "", ()
        if len(texts) < 2 or not label_key(texts[0]):
            return None
        headers = (
            self._headers if len(self._headers) == len(texts) - 1 else ("",) * (len(texts) - 1)
        )
        cells = [
            self._cell(texts[0], header, *piece)
            for header, piece in zip(headers, pieces[1:], strict=True)
        ]
        return Row(texts[0], tuple(cells), start, end, self._taken_back)

    def _plain(self, start: int, end: int) -> Row | None:
        """A line of a label and numbers, or a line of headers."""
        line = self._text[start:end]
        header = _header(line)
        if header is not None:
            self._corner, self._headers, self._noted = header
            return None
        split = self._split(line) if self._headers else None
        if split is None:
            self._above = [*self._above, line][-_ABOVE:]
            if len(line.split()) > 12 or line.rstrip().endswith((".", ":", ";")):
                self._headers = ()
            return None
        label, places = split
        cells = [
            self._cell(label, header, start + low, start + high)
            for header, (low, high) in zip(self._headers, places, strict=True)
        ]
        return Row(label, tuple(cells), start, end, self._taken_back)

    def _split(self, line: str) -> tuple[str, list[tuple[int, int]]] | None:
        """Label and ranges of the numbers of a row that has one under every header."""
        folded = fold(line)
        found = quantities(number_text(folded, line), self._notation)
        count = len(self._headers)
        while found and len(found) > count and not _is_trailing(found, folded.text, count):
            found = found[1:]
        noted = self._noted and len(found) == count + 1 and _is_note(found[0])
        if noted:
            first, found = found[0], found[1:]
        elif self._noted and found and _is_note(found[0]):
            return None  # a note and a blank cell, or no note
        if len(found) != count:
            return None
        low = first.start if noted else found[0].start
        label = folded.text[:low].strip()
        if not label_key(label) or len(label) > _LONGEST_LABEL or ". " in label:
            return None
        if not _only_numbers(folded.text, found):
            return None
        return label, [folded.to_raw(q.start, q.end) for q in found]

    @property
    def _taken_back(self) -> bool:
        over = " ".join((*self._above, self._corner, *self._headers))
        return TAKEN_BACK.search(over) is not None

    @property
    def _stated(self) -> str:
        """The nearest of the lines above the table that states a scale, a currency or a unit."""
        for line in reversed(self._above):
            said = statement_of(line)
            if said.scales or said.currencies or said.unit:
                return line
        return ""

    def _cell(self, label: str, header: str, start: int, end: int) -> Cell:
        while start < end and self._text[start].isspace():
            start += 1
        while end > start and self._text[end - 1].isspace():
            end -= 1
        text = self._text[start:end]
        folded = fold(text)
        quantity = parse_cell(number_text(folded, text), self._notation)
        context = context_of([header], [label], self._corner, self._stated)
        return Cell(text, header, quantity, context, start, end)


def _is_trailing(found: Sequence[Quantity], text: str, count: int) -> bool:
    """Whether the last numbers of a line, one a header and perhaps a note, stand side by side."""
    return _only_numbers(text, found[-count - 1 :])


def _only_numbers(text: str, found: Sequence[Quantity]) -> bool:
    """Whether nothing but numbers stands from the first of some numbers to the end of the line."""
    at = found[0].start
    for quantity in found:
        if not _REST.fullmatch(text, at, quantity.start):
            return False
        at = quantity.end
    return _REST.fullmatch(text, at) is not None


def _is_note(quantity: Quantity) -> bool:
    return quantity.digits.isdigit() and len(quantity.digits) <= 2 and quantity.bare


def _header(line: str) -> tuple[str, tuple[str, ...], bool] | None:
    """The corner, the times at the end of a line, and whether a column of notes is before them;
    None where the line is no header."""
    text = line.rstrip()
    times: list[str] = []
    low = len(text)
    for found in reversed(list(_TIMES_AT_END.finditer(text))):
        if found.end() != low:
            break
        times.insert(0, found.group().strip())
        low = found.start()
    corner = text[:low].strip()
    if not times or any(parse_period(time) is None for time in times):
        return None
    if any(c.isdigit() for c in corner) and len(times) < 2:
        return None
    if len(times) < 2 and not 0 < len(corner.split()) <= _LONGEST_CORNER:
        return None
    noted = _NOTE_COLUMN.search(corner) is not None
    return _NOTE_COLUMN.sub("", corner).strip(), tuple(times), noted


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Ranges of the cells between bars."""
    cuts = [bar.start() for bar in _BAR.finditer(text, start, end)]
    line = text[start:end].rstrip()
    places, low = [], start
    for cut in cuts:
        places.append((low, cut))
        low = cut + 1
    places.append((low, end))
    if text[start:end].lstrip().startswith("|"):
        places = places[1:]
    return places[:-1] if line.endswith("|") else places


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line.rstrip("\r\n"))
        at += len(line)
