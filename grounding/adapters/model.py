"""What a foreign parser says of a document, after its file was read and checked.

Names, order and texts are the file's own. Boxes are centipoints, converted once by the adapter that
read the file; where its origin is unknown they are the file's numbers and prove nothing about
places. Nothing is filled in: what the file does not say is None or empty.
"""

from __future__ import annotations

from dataclasses import dataclass

from grounding.model import Capabilities, CellRole, DocumentWarning, Parser

ForeignBox = tuple[int, int, int, int]
"""x0, y0, x1, y1 in centipoints; may have no area where the file's format allows it."""


@dataclass(frozen=True, slots=True)
class ForeignPage:
    """One page. `index` counts from 1; width and height are 0 where the file does not say them."""

    id: str
    index: int
    width: int = 0
    height: int = 0
    rotation: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class ForeignElement:
    """One block, in the file's order. `page` is a page's id, empty in a file without pages. `text`
    is None where the file gives the element none. `level` is a heading's depth, 0 unknown; `table`
    is the id of the table that the element stands for; `inside` is the id of an element before it
    whose text repeats this one's. `hidden` says that the file warns of it as text that nobody
    sees. `own_text` is what of the text does not come from the elements inside it."""

    id: str
    page: str
    bbox: ForeignBox | None
    kind: str
    text: str | None = None
    level: int = 0
    table: str = ""
    inside: str = ""
    hidden: bool = False
    own_text: str = ""


@dataclass(frozen=True, slots=True)
class ForeignSpan:
    """A run of text. `start` and `end` are offsets into the text of `element`, code points, where
    the file says both. `hidden` says that the file warns of it as text that nobody sees,
    `marker` that it is a footnote marker and no part of the words around it."""

    id: str
    page: str
    bbox: ForeignBox | None
    text: str
    element: str = ""
    start: int | None = None
    end: int | None = None
    hidden: bool = False
    marker: bool = False


@dataclass(frozen=True, slots=True)
class ForeignCell:
    """A cell; rows and columns are numbered as the file numbers them. `role` and `level` are
    those of grounding.model.Cell, None and 0 where the file does not say them."""

    row: int
    col: int
    row_span: int
    col_span: int
    bbox: ForeignBox | None
    text: str
    role: CellRole | None = None
    level: int = 0
    hidden: bool = False
    place: tuple[int, int, int, int] | None = None
    """Row, column, rows and columns as the file states them, where it numbers by order too."""

    def covers(self, row: int, col: int) -> bool:
        """Whether a grid position lies in the cell, its spans included."""
        return self.row <= row < self.row + max(
            1, self.row_span
        ) and self.col <= col < self.col + max(1, self.col_span)


@dataclass(frozen=True, slots=True)
class ForeignTable:
    """A table on one page; `statement` is what the file marks as said of all its numbers.
    `continues` is the id of the table whose rows go on in this one."""

    id: str
    page: str
    bbox: ForeignBox | None
    cells: tuple[ForeignCell, ...]
    caption: str = ""
    statement: str = ""
    continues: str = ""
    hidden: bool = False
    other_pages: tuple[str, ...] = ()
    """Further pages on which it stands; which cells are there, the file does not say."""


@dataclass(frozen=True, slots=True)
class ForeignDocument:
    """A whole artifact of a foreign parser.

    `fingerprint` is the one that the file goes by, `source_fingerprint` that of the PDF's bytes;
    both `sha256:<64 hex>` or empty. `name` is the file name of the PDF where the artifact has it.
    Ids may repeat where the format lets them: the first one is meant. `grid_from` is the number of
    the first row and column of its tables.
    """

    parser: Parser
    capabilities: Capabilities
    fingerprint: str = ""
    source_fingerprint: str = ""
    name: str = ""
    pages: tuple[ForeignPage, ...] = ()
    elements: tuple[ForeignElement, ...] = ()
    spans: tuple[ForeignSpan, ...] = ()
    tables: tuple[ForeignTable, ...] = ()
    warnings: tuple[DocumentWarning, ...] = ()
    grid_from: int = 0
