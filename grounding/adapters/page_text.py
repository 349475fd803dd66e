"""The text of a page of a foreign artifact, put together from its blocks.

Blocks stand in the file's order, parted by an empty line, and in the place of a table its rows, one
a line. A text that the file repeats (a list and its items, a table and its cells) stands there
once, where the parts can be found in the whole in their order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grounding.adapters.model import (
    ForeignBox,
    ForeignCell,
    ForeignElement,
    ForeignSpan,
    ForeignTable,
)
from grounding.geometry import Box
from grounding.model import ElementKind

_KINDS = {
    "title": ElementKind.HEADING,
    "section_header": ElementKind.HEADING,
    "heading": ElementKind.HEADING,
    "list": ElementKind.LIST_ITEM,
    "list_item": ElementKind.LIST_ITEM,
    "list item": ElementKind.LIST_ITEM,
    "table": ElementKind.TABLE,
    "document_index": ElementKind.TABLE,
    "caption": ElementKind.CAPTION,
    "header": ElementKind.HEADER,
    "page_header": ElementKind.HEADER,
    "footer": ElementKind.FOOTER,
    "page_footer": ElementKind.FOOTER,
    "figure": ElementKind.FIGURE,
    "image": ElementKind.FIGURE,
    "picture": ElementKind.FIGURE,
    "chart": ElementKind.FIGURE,
    "footnote": ElementKind.FOOTNOTE,
}
"""Kinds of elements as foreign parsers name them; every other one is a paragraph."""

_MOST_STEPS = 50_000_000
"""Comparisons and characters searched on one page, beyond which it counts as not told where spans
and cells stand: files may be made to take forever."""

Piece = tuple[int, int]
"""[start, end) in the text of a page."""


def element_kind(kind: str) -> ElementKind:
    """What an element is, by a foreign parser's name for it."""
    return _KINDS.get(kind.lower(), ElementKind.PARAGRAPH)


@dataclass(slots=True)
class PageText:
    """A page's text while it is put together, and where its parts stand in it."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    elements: list[tuple[ForeignElement, Piece]] = field(default_factory=list)
    nested: list[tuple[ForeignElement, Piece]] = field(default_factory=list)
    """Elements that repeat a part of another one's text."""
    blocks: list[tuple[int, int, Box]] = field(default_factory=list)
    spans: list[tuple[ForeignSpan, Piece]] = field(default_factory=list)
    unseen: list[Piece] = field(default_factory=list)
    markers: list[Piece] = field(default_factory=list)
    cells: dict[str, list[tuple[ForeignCell, tuple[Piece, ...]]]] = field(default_factory=dict)
    """The cells of every table by its id."""
    by_box: dict[tuple[str, ForeignBox | None], tuple[Piece, ...]] = field(default_factory=dict)
    """The text of cells by their table's id and their box."""

    def add(self, text: str) -> Piece:
        """Appends a block."""
        if self.parts:
            self.parts.append("\n\n")
            self.length += 2
        start = self.length
        self.parts.append(text)
        self.length += len(text)
        return start, self.length

    def box(self, piece: Piece, bbox: ForeignBox | None) -> None:
        """Says where a piece stands."""
        box = box_of(bbox)
        if box is not None and piece[0] < piece[1]:
            self.blocks.append((*piece, box))

    @property
    def text(self) -> str:
        return "".join(self.parts)


def box_of(bbox: ForeignBox | None) -> Box | None:
    return Box(*bbox) if bbox is not None and bbox[0] < bbox[2] and bbox[1] < bbox[3] else None


def _sought(whole: str, parts: Sequence[str]) -> list[Piece] | None:
    """Where parts stand in a text in their order with nothing but space between; None when they
    are not all of it."""
    found: list[Piece] = []
    at = 0
    for part in parts:
        start = whole.find(part, at)
        if start < 0 or whole[at:start].strip():
            return None
        at = start + len(part)
        found.append((start, at))
    return None if whole[at:].strip() else found


class PageBuilder:
    """Puts the text of one page together."""

    def __init__(
        self,
        elements: Sequence[ForeignElement],
        spans: Sequence[ForeignSpan],
        tables: Sequence[ForeignTable],
        spread: frozenset[str] = frozenset(),
    ) -> None:
        self.made = PageText()
        self._ids = {element.id for element in elements} | {table.id for table in tables}
        self._children: dict[str, list[ForeignElement]] = {}
        self._outer: list[ForeignElement] = []
        for element in elements:
            if element.inside in self._ids and element.inside and element.inside not in spread:
                self._children.setdefault(element.inside, []).append(element)
            else:
                self._outer.append(element)
        self._outer = [_without_repeats(e, self._children, spread) for e in self._outer]
        self._spans, self._tables = spans, tables
        self._owners: dict[str, tuple[ForeignElement, Piece]] = {}
        self._late: dict[str, ForeignTable] = {}
        """Tables whose element has text in which their cells do not stand one after the other."""
        self._whole = ""
        self._steps = _MOST_STEPS

    def build(self) -> PageText:
        """The page. Tables stand where their element does, those without one at the end."""
        anchors = self._anchors()
        for element in self._outer:
            self._element(element, anchors.get(element.id, []))
        for table in self._tables:
            if table.id not in self.made.cells and table.id not in self._late:
                anchor = ForeignElement(table.id, table.page, table.bbox, "table", table=table.id)
                self._element(anchor, [table])
        self._owners = {e.id: (e, p) for e, p in (*self.made.nested, *self.made.elements)}
        self._whole = self.made.text
        for span in self._spans:
            self._span(span)
        for table in self._late.values():
            if not self._by_spans(table):
                self._rows(table)
        return self.made

    def _anchors(self) -> dict[str, list[ForeignTable]]:
        """The tables that stand in an element's place: those that it names, or those with most of
        which its box has in common."""
        found: dict[str, list[ForeignTable]] = {}
        named = {e.table: e.id for e in reversed(self._outer) if e.table}
        kinds = [e for e in self._outer if element_kind(e.kind) is ElementKind.TABLE]
        self._steps -= len(kinds) * len(self._tables)
        kinds = kinds if self._steps >= 0 else []
        for table in self._tables:
            owner = named.get(table.id) or next((e.id for e in kinds if _meet(e, table)), None)
            if owner is not None:
                found.setdefault(owner, []).append(table)
        return found

    def _element(self, element: ForeignElement, tables: list[ForeignTable]) -> None:
        if not element.text and not tables:
            self.made.elements.append((element, (self.made.length, self.made.length)))
            return
        piece = self._text(element, tables)
        self.made.elements.append((element, piece))
        if element.hidden:
            self.made.unseen.append(piece)
        self._inner(element, piece)

    def _text(self, element: ForeignElement, tables: list[ForeignTable]) -> Piece:
        """Writes an element's own text, or the rows of its tables where it has none."""
        if not element.text:
            rows = [self._rows(table) for table in tables]
            return rows[0][0], rows[-1][1]
        piece = self.made.add(element.text)
        self.made.box(piece, element.bbox)
        for table in tables:
            if not self._table_in(table, element.text, piece[0]):
                self._late[table.id] = table
        return piece

    def _inner(self, owner: ForeignElement, piece: Piece) -> None:
        """Finds the elements that repeat parts of a block, and what they repeat of it in turn."""
        whole, at = owner.text or "", 0
        for child in self._children.get(owner.id, ()):
            start = whole.find(child.text, at) if child.text else -1
            if start < 0:
                self._repeated(child)
                continue
            at = start + len(child.text or "")
            inner = piece[0] + start, piece[0] + at
            self.made.nested.append((child, inner))
            self.made.box(inner, child.bbox)
            self._inner(child, inner)

    def _repeated(self, child: ForeignElement) -> None:
        """An element that stands for a cell lies where the cell's text does."""
        pieces = self.made.by_box.get((child.inside, child.bbox))
        if pieces:
            self.made.nested.append((child, (pieces[0][0], pieces[-1][1])))

    def _table_in(self, table: ForeignTable, text: str, start: int) -> bool:
        """Finds the cells of a table in the text of its element."""
        places = _sought(text, [cell.text for cell in table.cells])
        if places is None:
            return False
        self._keep(table, [((start + low, start + high),) for low, high in places])
        return True

    def _by_spans(self, table: ForeignTable) -> bool:
        """Finds the cells of a table by the spans that lie in their boxes; whether they are all
        there."""
        spans = [
            (box, piece)
            for span, piece in self.made.spans
            if (box := box_of(span.bbox)) is not None and not span.marker
        ]
        self._steps -= len(spans) * len(table.cells)
        if self._steps < 0:
            return False
        text = self.made.text
        found: list[tuple[Piece, ...]] = []
        for cell in table.cells:
            box = box_of(cell.bbox)
            inside = [p for b, p in spans if box is not None and box.holds(*_middle(b))]
            pieces = _joined(sorted(inside), text)
            if _letters("".join(text[a:b] for a, b in pieces)) != _letters(cell.text):
                return False
            found.append(pieces)
        self._keep(table, found)
        return True

    def _rows(self, table: ForeignTable) -> Piece:
        """Writes a table, one row a line, and says where its cells are."""
        start = self.made.add("")[0]
        pieces: list[tuple[Piece, ...]] = []
        row: int | None = None
        for cell in table.cells:
            if not cell.text:
                pieces.append(())
                continue
            glue = "" if row is None else " " if cell.row == row else "\n"
            row = cell.row
            self.made.parts.append(glue + cell.text)
            at = self.made.length + len(glue)
            self.made.length = at + len(cell.text)
            pieces.append(((at, self.made.length),))
        self._keep(table, pieces)
        if any(box_of(cell.bbox) is None for cell in table.cells):
            self.made.box((start, self.made.length), table.bbox)
        return start, self.made.length

    def _keep(self, table: ForeignTable, places: list[tuple[Piece, ...]]) -> None:
        self.made.cells[table.id] = list(zip(table.cells, places, strict=True))
        for cell, pieces in self.made.cells[table.id]:
            self.made.by_box.setdefault((table.id, cell.bbox), pieces)
            for piece in pieces:
                self.made.box(piece, cell.bbox)
                if cell.hidden or table.hidden:
                    self.made.unseen.append(piece)

    def _span(self, span: ForeignSpan) -> None:
        piece = self._place(span)
        if span.hidden and piece is None:
            self._hide(span)
        if piece is None:
            return
        self.made.spans.append((span, piece))
        self.made.box(piece, span.bbox)
        if span.hidden:
            self.made.unseen.append(piece)
        if span.marker:
            self.made.markers.append(piece)

    def _place(self, span: ForeignSpan) -> Piece | None:
        """Where a span stands: by its offsets, or where its text stands once in its element; on its
        own when no element of the page has it. None when nobody can tell."""
        owner = self._owners.get(span.element)
        if owner is None and span.element:
            return None  # of an element on another page
        if owner is not None and span.start is not None and span.end is not None:
            start = owner[1][0] + span.start
            text = (owner[0].text or "")[span.start : span.end]
            return (start, start + len(span.text)) if text == span.text else None
        whole = self._whole
        low, high = owner[1] if owner is not None else (0, len(whole))
        self._steps -= high - low
        if self._steps < 0:
            return None
        at = whole.find(span.text, low, high) if span.text else -1
        if at >= 0:
            once = whole.find(span.text, at + 1, high) < 0
            return (at, at + len(span.text)) if once else None
        if owner is not None or not span.text or span.hidden:
            return None
        return self.made.add(span.text)

    def _hide(self, span: ForeignSpan) -> None:
        """Text that nobody sees and whose place is not told: it is wherever its letters stand, and
        where they do not stand in its element, all of that may be it."""
        owner = self._owners.get(span.element)
        low, high = owner[1] if owner is not None else (0, len(self._whole))
        letters = [re.escape(char) for char in _letters(span.text)]
        found = list(re.finditer(r"\s*".join(letters), self._whole[low:high])) if letters else []
        self.made.unseen += [(low + one.start(), low + one.end()) for one in found]
        if not found and owner is not None:
            self.made.unseen.append(owner[1])
        elif not found and span.text:
            piece = self.made.add(span.text)
            self.made.spans.append((span, piece))
            self.made.box(piece, span.bbox)
            self.made.unseen.append(piece)


def _middle(box: Box) -> tuple[int, int]:
    return (box.x0 + box.x1) // 2, (box.y0 + box.y1) // 2


def _letters(text: str) -> str:
    """A text without its spaces."""
    return "".join(text.split())


def _joined(pieces: Sequence[Piece], text: str) -> tuple[Piece, ...]:
    """Pieces in order, those one that have only space between them."""
    found: list[Piece] = []
    for start, end in pieces:
        if found and not text[found[-1][1] : start].strip():
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)


def _without_repeats(
    element: ForeignElement, children: dict[str, list[ForeignElement]], spread: frozenset[str]
) -> ForeignElement:
    """An element whose text says nothing twice, and nothing that stands on another page."""
    if element.id in spread:
        return replace(element, text=element.own_text or None)
    own = element.own_text
    inner = children.get(element.id, ())
    if not own or not inner or not element.text:
        return element
    rest = element.text[len(own) :].lstrip("\n")
    return replace(element, text=rest) if _letters(own) in _letters(rest) else element


def _meet(element: ForeignElement, table: ForeignTable) -> bool:
    """Whether more than half of the smaller of two boxes lies in the other."""
    one, other = box_of(element.bbox), box_of(table.bbox)
    if one is None or other is None:
        return False
    smaller = min(one.width * one.height, other.width * other.height)
    return 2 * one.overlap(other) > smaller
