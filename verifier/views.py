"""Texts to search: pieces of a document put together the way a claim may have read them.

A page is searched without footnote markers and text that nobody sees, then with the markers; a
quote that runs over a page break is searched in the running text of two pages, without the heads
and feet between them. Every view knows the way back to the document's raw text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from grounding.charboxes import TextBoxes
from grounding.model import (
    RUNNING_KINDS,
    UNSEEN,
    Element,
    ElementKind,
    Page,
    Span,
    SpanFlag,
    Table,
)
from grounding.source import GroundingSource
from grounding.text import Folded, fold
from grounding.visible import Piece, pieces_without
from verifier.edges import REACH
from verifier.quantities.notation import Notation, groups_by_marks, notation_of
from verifier.skeleton import Skeleton

Range = tuple[int, int]
"""[start, end) in the document's text."""

# Plain integers: enum arithmetic costs a microsecond, and every claim needs some.
_UNSEEN, _MARKER = int(UNSEEN), int(SpanFlag.MARKER)
_NOT_PLAIN = ~(SpanFlag.BOLD | SpanFlag.ITALIC | SpanFlag.LETTER_SPACED)

_UNBROKEN = re.compile(r"(?<![\w-])(?<!-\n)(?<!-\n\n)[^\W\d_]+(?![\w\u00ad])(?!-\s*\n)")
_NOT_RUNNING_TEXT = RUNNING_KINDS | {
    ElementKind.FOOTNOTE,
    ElementKind.FIGURE,
    ElementKind.TABLE,
    ElementKind.CAPTION,
}


_PIECE = 12
"""Letters of a text's beginning and end by which pages are sorted out."""


class TextView:
    """Pieces joined into one text, folded when first searched."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.starts: list[int] = []
        self.pieces: list[Piece] = []
        parts: list[str] = []
        length = 0
        for piece in pieces:
            if not piece.text:
                continue
            if parts:
                parts.append(piece.glue)
                length += len(piece.glue)
            self.starts.append(length)
            self.pieces.append(piece)
            parts.append(piece.text)
            length += len(piece.text)
        self.raw = "".join(parts)

    @cached_property
    def folded(self) -> Folded:
        return fold(self.raw)

    @cached_property
    def skeleton(self) -> Skeleton:
        return Skeleton(self.folded.text)

    def ranges(self, start: int, end: int) -> tuple[Range, ...]:
        """Document ranges of the view's raw range [start, end), in order."""
        found = []
        first = max(bisect_right(self.starts, start) - 1, 0)
        for at, piece in zip(self.starts[first:], self.pieces[first:], strict=True):
            if at >= end:
                break
            low, high = max(start - at, 0), min(end - at, len(piece.text))
            if low < high:
                found.append((piece.start + low, piece.start + high))
        return tuple(found)


class DocumentIndex:
    """Views and lookups over one grounding source, each made once."""

    def __init__(self, source: GroundingSource) -> None:
        self.source = source
        self.pages: Sequence[Page] = source.pages
        self._starts = [page.start for page in self.pages]
        self.page_view = lru_cache(maxsize=None)(self._page_view)
        self.marked_view = lru_cache(maxsize=None)(self._marked_view)
        self.body_view = lru_cache(maxsize=None)(self._body_view)
        self.break_view = lru_cache(maxsize=256)(self._break_view)
        self.whole_break_view = lru_cache(maxsize=256)(self._whole_break_view)
        self.lines_view = lru_cache(maxsize=64)(self._lines_view)
        self._element_starts = lru_cache(maxsize=None)(self._read_element_starts)
        self._flagged = lru_cache(maxsize=None)(self._read_flagged)

    def page(self, number: int) -> Page | None:
        return self.pages[number - 1] if 1 <= number <= len(self.pages) else None

    def page_named(self, page_id: str) -> Page | None:
        """The page with an id such as p0060."""
        return self._page_ids.get(page_id)

    @cached_property
    def _page_ids(self) -> dict[str, Page]:
        return {page.id: page for page in reversed(self.pages)}

    def page_at(self, offset: int) -> Page:
        """The page whose text holds a document offset."""
        return self.pages[bisect_right(self._starts, offset) - 1]

    def text(self, start: int, end: int) -> str:
        """Raw text of a range within one page."""
        page = self.page_at(start)
        return self.source.page_text(page.number)[start - page.start : end - page.start]

    def around(self, start: int, end: int) -> tuple[str, str]:
        """Up to REACH raw characters before and after a range, on its first and last page."""
        first = self.page_at(start)
        text, at = self.source.page_text(first.number), start - first.start
        before = text[max(at - REACH, 0) : at]
        if end > first.end:
            last = self.page_at(end - 1)
            text, at = self.source.page_text(last.number), end - last.start
        else:
            at = end - first.start
        return before, text[at : at + REACH]

    def is_word(self, word: str) -> bool:
        """Whether the document has a word on its own, not broken by a line end."""
        return word in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(
            word
            for page in self.pages
            for word in _UNBROKEN.findall(self.source.page_text(page.number))
        )

    @cached_property
    def notation(self) -> Notation | None:
        """Which decimal mark the document's numbers have, where they tell."""
        return notation_of(self.source.page_text(page.number) for page in self.pages)

    @cached_property
    def spaces_group(self) -> bool:
        """Whether spaces may group the digits of the document: it groups none by other marks."""
        return not groups_by_marks(self.source.page_text(page.number) for page in self.pages)

    def places_like(self, letters: str) -> tuple[set[int], set[int]]:
        """Where a text of these letters and digits can stand, by its beginning and its end: numbers
        of pages that hold both, and of pages that hold the one before a page that holds the
        other."""
        rest = letters[1:] or letters  # the first letter's case may differ
        begins, ends = self._pages_with(rest[:_PIECE]), self._pages_with(rest[-_PIECE:])
        return begins & ends, {number for number in begins if number + 1 in ends}

    def _pages_with(self, piece: str) -> set[int]:
        text, starts = self._letters
        found: set[int] = set()
        at = text.find(piece)
        while at >= 0:
            page = bisect_right(starts, at)
            found.add(page)
            at = text.find(piece, starts[page]) if page < len(starts) else -1
        return found

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        """Letters and digits of all pages, and where each page begins in them."""
        parts, starts, length = [], [], 0
        for page in self.pages:
            letters = self.page_view(page.number).skeleton.text
            starts.append(length)
            parts.append(letters)
            length += len(letters) + 1
        return "\n".join(parts), starts

    def boxes(self, page: int) -> TextBoxes | None:
        return self.source.char_boxes(page)

    def elements(self, page: int) -> Sequence[Element]:
        return self.source.elements(page)

    def element_at(self, offset: int) -> Element | None:
        """The element whose text holds an offset."""
        number = self.page_at(offset).number
        at = bisect_right(self._element_starts(number), offset) - 1
        if at < 0:
            return None
        element = self.elements(number)[at]
        return element if offset < element.end else None

    def _read_element_starts(self, page: int) -> list[int]:
        return [element.start for element in self.elements(page)]

    def tables(self, page: int) -> Sequence[Table]:
        return self.source.tables(page)

    def flags_in(self, ranges: Iterable[Range]) -> int:
        """Bits of SpanFlag of all spans that a range touches."""
        found = 0
        for start, end in ranges:
            for low, high, flags in self._flagged(self.page_at(start).number):
                if low < end and start < high:
                    found |= flags
        return found

    def unseen(self, page: int) -> list[Range]:
        """Ranges of a page's text that no reader sees."""
        return [(low, high) for low, high, flags in self._flagged(page) if flags & _UNSEEN]

    def running_text(self, ranges: Iterable[Range]) -> tuple[Range, ...]:
        """The parts of some ranges that are running text: no heads, feet, footnotes, tables."""
        found = []
        for start, end in ranges:
            for element in self.elements(self.page_at(start).number):
                low, high = max(start, element.start), min(end, element.end)
                if low < high and element.kind not in _NOT_RUNNING_TEXT:
                    found.append((low, high))
        return tuple(found)

    def _read_flagged(self, page: int) -> tuple[tuple[int, int, int], ...]:
        """(start, end, bits of SpanFlag) of a page's spans that are anything but plain text."""
        return tuple(self.source.flagged(page, _NOT_PLAIN))

    def _page_view(self, number: int) -> TextView:
        """What a reader sees of a page, footnote markers aside."""
        return TextView(self._visible(number, _UNSEEN | _MARKER))

    def _marked_view(self, number: int) -> TextView | None:
        """The same with footnote markers; None when the page has none."""
        if not any(flags & _MARKER for _, _, flags in self._flagged(number)):
            return None
        return TextView(self._visible(number, _UNSEEN))

    def _body_view(self, number: int) -> TextView | None:
        """The page's running text alone, in which a sentence goes on behind a footnote or a table;
        None when there is nothing else on the page."""
        if all(element.kind not in _NOT_RUNNING_TEXT for element in self.elements(number)):
            return None
        return TextView(self._body(number))

    def hidden_view(self, number: int) -> TextView | None:
        """Everything on the page, hidden text too; None when nothing is hidden."""
        if not any(flags & _UNSEEN for _, _, flags in self._flagged(number)):
            return None
        page = self.pages[number - 1]
        return TextView([Piece(page.start, self.source.page_text(number))])

    def _lines_view(self, number: int) -> TextView:
        """What is printed on a page, line by line across columns, as nobody reads it."""
        spans = [s for s in self.source.spans(number) if not s.flags & (_UNSEEN | _MARKER)]
        lines: list[list[Span]] = []
        for span in sorted(spans, key=lambda s: (s.box.y0 + s.box.y1, s.box.x0)):
            last = lines[-1][0].box if lines else None
            middle = (span.box.y0 + span.box.y1) // 2
            if last is not None and last.y0 <= middle < last.y1:
                lines[-1].append(span)
            else:
                lines.append([span])
        return TextView(
            Piece(span.start, self.text(span.start, span.end), " " if at else "\n")
            for line in lines
            for at, span in enumerate(sorted(line, key=lambda s: s.box.x0))
        )

    def _break_view(self, number: int) -> TextView:
        """The running text of a page and the next one: no heads, feet, footnotes, tables or
        captions, which may stand between two parts of a sentence."""
        return TextView([*self._body(number), *self._body(number + 1)])

    def _whole_break_view(self, number: int) -> TextView:
        """All that is printed on a page and the next one, heads and feet too: some quotes were
        copied with the foot of the page in their middle."""
        without = _UNSEEN | _MARKER
        second = [p._replace(glue="\n") if i == 0 else p
                  for i, p in enumerate(self._visible(number + 1, without))]  # fmt: skip
        return TextView([*self._visible(number, without), *second])

    def _body(self, number: int) -> Iterable[Piece]:
        for element in self.elements(number):
            if element.kind in _NOT_RUNNING_TEXT:
                continue
            pieces = self._cut(element.start, element.end, number, _UNSEEN | _MARKER)
            for position, piece in enumerate(pieces):
                yield piece._replace(glue="\n\n") if position == 0 else piece

    def _visible(self, number: int, without: int) -> Iterable[Piece]:
        page = self.pages[number - 1]
        return self._cut(page.start, page.end, number, without)

    def view_of(self, ranges: Iterable[Range], *, markers: bool) -> TextView:
        """A view of some ranges of the document, in order, without unseen text."""
        without = _UNSEEN if markers else _UNSEEN | _MARKER
        pieces: list[Piece] = []
        for start, end in ranges:
            cut = list(self._cut(start, end, self.page_at(start).number, without))
            pieces += [p._replace(glue="\n") if i == 0 else p for i, p in enumerate(cut)]
        return TextView(pieces)

    def _cut(self, start: int, end: int, number: int, without: int) -> Iterable[Piece]:
        """The text [start, end) without spans that have one of the flags."""
        text, shift = self.source.page_text(number), self.pages[number - 1].start
        return pieces_without(text, start, end, shift, self._flagged(number), without)
