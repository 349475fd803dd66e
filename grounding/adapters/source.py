"""A foreign artifact as a grounding source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Protocol, TypeVar

from grounding.adapters.blocks import BlockBoxes
from grounding.adapters.model import (
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignTable,
)
from grounding.adapters.page_text import PageBuilder, PageText, Piece, box_of, element_kind
from grounding.charboxes import TextBoxes
from grounding.errors import ArtifactInvalidError
from grounding.geometry import Box, PageFrame
from grounding.model import (
    Capabilities,
    Cell,
    CellRole,
    DocumentIdentity,
    DocumentWarning,
    Element,
    Page,
    PageStatus,
    Parser,
    Span,
    SpanFlag,
    Style,
    Table,
    TablePart,
)

_PAGES_KEPT = 64
UNNAMED = "unnamed document"
_NOWHERE = Box(0, 0, 1, 1)
"""Stands for the box of what the file gives none."""


class _OnPage(Protocol):
    @property
    def page(self) -> str: ...


_OnPageT = TypeVar("_OnPageT", bound=_OnPage)


def _by_page(items: Iterable[_OnPageT]) -> dict[str, list[_OnPageT]]:
    found: dict[str, list[_OnPageT]] = {}
    for item in items:
        found.setdefault(item.page, []).append(item)
    return found


class ForeignSource:
    """A foreign artifact; implements GroundingSource. `name` is what the document is called by who
    asks; else the artifact's own name of it is used."""

    def __init__(self, document: ForeignDocument, name: str = "") -> None:
        self.document = document
        called = name or document.name
        self._identity = DocumentIdentity(
            called, called or UNNAMED, document.fingerprint, document.source_fingerprint, "", ""
        )
        self._boxes = lru_cache(maxsize=_PAGES_KEPT)(self._block_boxes)

    @property
    def identity(self) -> DocumentIdentity:
        return self._identity

    @property
    def parser(self) -> Parser:
        return self.document.parser

    @property
    def capabilities(self) -> Capabilities:
        return self.document.capabilities

    @property
    def warnings(self) -> Sequence[DocumentWarning]:
        return self.document.warnings

    @cached_property
    def _texts(self) -> list[PageText]:
        """The pages by their number from 1; empty ones where the file leaves pages out."""
        self._check_tables()
        spread = self._spread()
        made = [PageText() for _ in range(self._last)]
        elements = _by_page(self.document.elements)
        spans, tables = _by_page(self.document.spans), _by_page(self.document.tables)
        for page in self._given:
            parts = (elements.get(page.id, []), spans.get(page.id, []), tables.get(page.id, []))
            made[page.index - 1] = PageBuilder(*parts, spread).build()
        return made

    def _spread(self) -> frozenset[str]:
        """Elements whose text holds that of elements on other pages."""
        page_of = {element.id: element.page for element in self.document.elements}
        above = {element.id: element.inside for element in self.document.elements}
        found: set[str] = set()
        for element in self.document.elements:
            owner = element.inside
            while owner and owner in page_of and owner not in found:
                if page_of[owner] != element.page:
                    found.add(owner)
                owner = above[owner]
        return frozenset(found)

    def _check_tables(self) -> None:
        """Refuses tables of which nobody can tell which cells stand on which page."""
        for at, table in enumerate(self.document.tables):
            if table.other_pages:
                raise ArtifactInvalidError(
                    f"{self.parser.adapter} adapter: tables[{at}]: {table.id!r} stands on several"
                    " pages, and the file does not say which of its cells are where",
                    remedy="let the parser write a table for each page",
                )

    @cached_property
    def _given(self) -> Sequence[ForeignPage]:
        """The file's pages; one for everything where it has none."""
        return self.document.pages or (ForeignPage("", 1),)

    @property
    def _last(self) -> int:
        return max(page.index for page in self._given)

    @cached_property
    def pages(self) -> Sequence[Page]:
        given = {page.index: page for page in self._given}
        texts = [made.text for made in self._texts]
        starts = [0, *accumulate(len(text) + 1 for text in texts)]
        return tuple(
            _page(number, given.get(number), starts[number - 1], text)
            for number, text in enumerate(texts, 1)
        )

    def page_text(self, page: int) -> str:
        return self._texts[page - 1].text

    def char_boxes(self, page: int) -> TextBoxes | None:
        return self._boxes(page)

    def _block_boxes(self, page: int) -> TextBoxes | None:
        if self.capabilities.coordinate_origin == "unknown":
            return None
        made = self._texts[page - 1]
        return BlockBoxes(made.length, made.blocks)

    def elements(self, page: int) -> Sequence[Element]:
        return self._elements[page - 1]

    def spans(self, page: int) -> Sequence[Span]:
        return self._spans[page - 1]

    def flagged(self, page: int, flags: SpanFlag) -> Sequence[tuple[int, int, int]]:
        start, made = self.pages[page - 1].start, self._texts[page - 1]
        marked = [(*piece, SpanFlag.MARKER) for piece in made.markers]
        found = sorted([*marked, *((*piece, SpanFlag.HIDDEN) for piece in made.unseen)])
        return [(a + start, b + start, int(flag)) for a, b, flag in found if flag & flags]

    def styles(self, page: int) -> Sequence[Style]:
        return (Style("", 0, 0),)

    def tables(self, page: int) -> Sequence[Table]:
        return self._tables_on.get(page, [])

    def find_element(self, element_id: str) -> Element | None:
        return self._element_ids.get(element_id)

    def find_span(self, span_id: str) -> Span | None:
        return self._span_ids.get(span_id)

    def find_table(self, table_id: str) -> Table | None:
        return self._table_ids.get(table_id)

    @cached_property
    def _elements(self) -> list[list[Element]]:
        """The elements of every page that stand side by side; nested ones are found by their id."""
        found: list[list[Element]] = []
        number = 0
        for page, made in zip(self.pages, self._texts, strict=True):
            found.append([])
            for foreign, piece in made.elements:
                number += 1
                found[-1].append(self._element(number, page, foreign, piece))
        return found

    def _element(self, number: int, page: Page, foreign: ForeignElement, piece: Piece) -> Element:
        table = self._table_ids.get(foreign.table)
        return Element(
            number,
            page.number,
            element_kind(foreign.kind),
            foreign.level,
            page.start + piece[0],
            page.start + piece[1],
            box_of(foreign.bbox) or _NOWHERE,
            table.number if table is not None else 0,
            foreign.id,
        )

    @cached_property
    def _element_ids(self) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for elements in self._elements:
            for element in elements:
                found.setdefault(element.id, element)
        for page, made in zip(self.pages, self._texts, strict=True):
            for foreign, piece in made.nested:
                found.setdefault(foreign.id, self._element(0, page, foreign, piece))
        return found

    @cached_property
    def _spans(self) -> list[list[Span]]:
        found: list[list[Span]] = []
        number = 0
        for page, made in zip(self.pages, self._texts, strict=True):
            found.append([])
            for foreign, (start, end) in sorted(made.spans, key=lambda item: item[1]):
                number += 1
                owner = self._element_ids.get(foreign.element)
                flags = SpanFlag.HIDDEN if foreign.hidden else SpanFlag(0)
                flags |= SpanFlag.MARKER if foreign.marker else SpanFlag(0)
                box = box_of(foreign.bbox) or _NOWHERE
                found[-1].append(
                    Span(number, page.number, page.start + start, page.start + end, box, 0, flags,
                         owner.number if owner is not None else 0, foreign.id)
                )  # fmt: skip
        return found

    @cached_property
    def _span_ids(self) -> dict[str, Span]:
        """Spans by their ids; those whose place nobody can tell have no extent."""
        found = {span.id: span for spans in reversed(self._spans) for span in reversed(spans)}
        numbers = {page.id: page for page in self.pages}
        for foreign in self.document.spans:
            page = numbers.get(foreign.page)
            if foreign.id not in found and page is not None:
                found[foreign.id] = Span(
                    0, page.number, page.start, page.start, _NOWHERE, 0, SpanFlag(0), 0, foreign.id
                )
        return found

    @cached_property
    def _tables_on(self) -> dict[int, list[Table]]:
        found: dict[int, list[Table]] = {}
        for table in self._tables:
            for number in sorted({part.page for part in table.parts}):
                found.setdefault(number, []).append(table)
        return found

    @cached_property
    def _tables(self) -> list[Table]:
        """Tables in the file's order; parts that go on with another one's rows belong to it."""
        chains: dict[str, list[ForeignTable]] = {}
        for table in self.document.tables:
            chains.setdefault(table.continues or table.id, []).append(table)
        return [self._table(number, parts) for number, parts in enumerate(chains.values(), 1)]

    def _table(self, number: int, parts: list[ForeignTable]) -> Table:
        base = self.document.grid_from
        cells = [self._cell(part, *item) for part in parts for item in self._placed(part)]
        return Table(
            number,
            max((cell.row + cell.row_span for cell in cells), default=0),
            max((cell.col + cell.col_span for cell in cells), default=0),
            tuple(self._part(part, base) for part in parts),
            tuple(cells),
            given_id=parts[0].id,
        )

    def _placed(self, table: ForeignTable) -> list[tuple[ForeignCell, tuple[Piece, ...]]]:
        return self._texts[self._index[table.page] - 1].cells[table.id]

    @cached_property
    def _index(self) -> dict[str, int]:
        """Numbers of pages by their ids."""
        return {page.id: page.index for page in self._given}

    def _cell(self, table: ForeignTable, cell: ForeignCell, pieces: tuple[Piece, ...]) -> Cell:
        page, base = self.pages[self._index[table.page] - 1], self.document.grid_from
        ranges = tuple((page.start + a, page.start + b) for a, b in pieces if a < b)
        row, col, rows, cols = cell.place or (cell.row, cell.col, cell.row_span, cell.col_span)
        return Cell(
            page.number,
            row - base,
            col - base,
            max(rows, 1),
            max(cols, 1),
            box_of(cell.bbox) or _NOWHERE,
            cell.text,
            ranges,
            cell.role or CellRole.DATA,
            cell.level,
        )

    def _part(self, table: ForeignTable, base: int) -> TablePart:
        rows = [(cell.place or (cell.row,))[0] - base for cell in table.cells]
        first = min(rows, default=0)
        return TablePart(
            self._index[table.page],
            box_of(table.bbox) or _NOWHERE,
            first,
            max(rows, default=first - 1) - first + 1,
            self.parser.name,
            "",
            trusted=True,
            caption=table.caption,
            statement=table.statement,
        )

    @cached_property
    def _table_ids(self) -> dict[str, Table]:
        found = {table.id: table for table in reversed(self._tables)}
        for part in self.document.tables:
            if part.continues in found:
                found.setdefault(part.id, found[part.continues])
        return found


def _page(number: int, given: ForeignPage | None, start: int, text: str) -> Page:
    """A page; one that the file leaves out cannot be compared with."""
    if given is None:
        frame = PageFrame((0, 0, 10, 10))
        return Page(number, "", frame, start, start, "failed", "", left_out=True)
    frame = PageFrame((0, 0, 10 * max(given.width, 1), 10 * max(given.height, 1)))
    status: PageStatus = "ok" if text.strip() else "no_text"
    return Page(number, given.label, frame, start, start + len(text), status, "", given.id)
