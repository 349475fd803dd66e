"""The registry of table engines, and what an engine is asked for: where the cells are.

Engines find grids; what stands in a cell is read from the page's own characters (see
ingest.tables.cells). Every engine gets the page upright and uncropped, and answers in points of the
displayed page from its top left corner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from grounding.geometry import PageFrame

Rect = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class FoundCell:
    row: int
    col: int
    row_span: int
    col_span: int
    rect: Rect


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A grid as an engine sees it, in points of the displayed page."""

    rect: Rect
    rows: int
    columns: int
    cells: tuple[FoundCell, ...]


class TableEngine(Protocol):
    """Finds grids on an upright page."""

    name: str

    def find(self, page: Any) -> list[FoundTable]:
        """Tables of a PyMuPDF page with rotation 0 whose box starts at (0, 0)."""
        ...


_ENGINES: dict[str, Callable[[], TableEngine]] = {}


def register(name: str, make: Callable[[], TableEngine]) -> None:
    """Adds an engine; a second one of the same name is a mistake."""
    if name in _ENGINES:
        raise ValueError(f"table engine {name} is registered already")
    _ENGINES[name] = make


def engine(name: str) -> TableEngine:
    """A new engine of this name. Raises KeyError."""
    return _ENGINES[name]()


def engine_names() -> list[str]:
    return sorted(_ENGINES)


def grid(rects: list[Rect]) -> FoundTable | None:
    """Rows, columns and spans of cells given by their rectangles alone; None below 2 × 2."""
    xs = _edges([value for rect in rects for value in (rect[0], rect[2])])
    ys = _edges([value for rect in rects for value in (rect[1], rect[3])])
    if len(xs) < 3 or len(ys) < 3:
        return None
    cells: dict[tuple[int, int], FoundCell] = {}
    for rect in rects:
        row, col = _nearest(ys, rect[1]), _nearest(xs, rect[0])
        row_span, col_span = _nearest(ys, rect[3]) - row, _nearest(xs, rect[2]) - col
        if row_span > 0 and col_span > 0:
            cells.setdefault((row, col), FoundCell(row, col, row_span, col_span, rect))
    whole = (xs[0], ys[0], xs[-1], ys[-1])
    ordered = tuple(cells[key] for key in sorted(cells))
    return FoundTable(whole, len(ys) - 1, len(xs) - 1, ordered)


_SAME_EDGE_POINTS = 1.5


def _edges(values: list[float]) -> list[float]:
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > _SAME_EDGE_POINTS:
            edges.append(value)
    return edges


def _nearest(edges: list[float], value: float) -> int:
    return min(range(len(edges)), key=lambda i: abs(edges[i] - value))


def upright_copy(document: Any, number: int, frame: PageFrame) -> Any:
    """A one-page document that shows page `number` (from 0) as displayed, unrotated and uncropped.

    Table engines disagree about rotated and cropped pages, each silently in its own way; on such a
    copy they agree. Close it after use.
    """
    from ingest.reading.engine import pymupdf

    copy = pymupdf.open()
    copy.insert_pdf(
        document, from_page=number, to_page=number, annots=False, links=False, widgets=False
    )
    page = copy[0]
    page.set_rotation(0)
    for key in ("CropBox", "TrimBox", "BleedBox", "ArtBox", "UserUnit"):
        copy.xref_set_key(page.xref, key, "null")
    box = " ".join(f"{value / 1000:.3f}" for value in frame.crop)
    copy.xref_set_key(page.xref, "MediaBox", f"[{box}]")
    if not frame.rotation:
        return copy
    turned = pymupdf.open()
    scale = frame.user_unit / 1000
    target = turned.new_page(width=frame.width / 100 / scale, height=frame.height / 100 / scale)
    target.show_pdf_page(target.rect, copy, 0, rotate=-frame.rotation)
    return turned


class MupdfLines:
    """PyMuPDF's finder over ruling lines, without its layout model."""

    name = "pymupdf-lines"

    def find(self, page: Any) -> list[FoundTable]:
        finder = page.find_tables(strategy="lines", use_layout=False)
        if finder is None:  # its way of saying that an exception was swallowed
            return []
        found = []
        for table in finder.tables:
            rects = [tuple(cell) for row in table.rows for cell in row.cells if cell]
            shape = grid(rects)
            if shape is not None:
                found.append(shape)
        return found


register(MupdfLines.name, MupdfLines)
