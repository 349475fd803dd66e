"""The registry of table engines, and what an engine is asked for: where the cells are.

Engines find grids; what stands in a cell is read from the page's own characters (see
ingest.tables.cells). Every engine answers in points of the displayed page from its top left corner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ingest.tables.view import PageView

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
    """A grid as an engine sees it. `as_read` says that rows and columns are those of the reader,
    who turns the page where the text is turned; engines that do not know count from the top left
    of the page. `header_rows` is None where the engine does not tell a header."""

    rect: Rect
    rows: int
    columns: int
    cells: tuple[FoundCell, ...]
    as_read: bool = False
    header_rows: int | None = None


class TableEngine(Protocol):
    """Finds grids on a page."""

    name: str

    def find(self, view: PageView) -> list[FoundTable]:
        """The tables of a page, in any order."""
        ...


class EngineError(RuntimeError):
    """A table engine gives no answer; the page's text is not concerned."""


class EngineUnavailable(EngineError):
    """The package that an engine is made of is not installed."""

    def __init__(self, name: str, package: str) -> None:
        super().__init__(name, package)
        self.name, self.package = name, package

    def __str__(self) -> str:
        return f"table engine {self.name} needs the package {self.package}"


class EngineFailed(EngineError):
    """An engine raised an error on this page; it is the cause of this one."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason

    def __str__(self) -> str:
        return f"table engine {self.name} failed: {self.reason}"


_ENGINES: dict[str, Callable[[], TableEngine]] = {}


def register(name: str, make: Callable[[], TableEngine]) -> None:
    """Adds an engine; a second one of the same name is a mistake. `make` imports what the engine
    needs and raises EngineUnavailable where that is not installed."""
    if name in _ENGINES:
        raise ValueError(f"table engine {name} is registered already")
    _ENGINES[name] = make


def engine(name: str) -> TableEngine:
    """A new engine of this name. Raises KeyError, and EngineUnavailable without its package."""
    return _ENGINES[name]()


def engine_names() -> list[str]:
    return sorted(_ENGINES)


def grid(rects: list[Rect], scale: float = 1.0) -> FoundTable | None:
    """Rows, columns and spans of cells given by their rectangles alone, in units of `scale` points;
    None below 2 × 2."""
    rects = [(a * scale, b * scale, c * scale, d * scale) for a, b, c, d in rects]
    xs = levels([value for rect in rects for value in (rect[0], rect[2])], _SAME_EDGE_POINTS)
    ys = levels([value for rect in rects for value in (rect[1], rect[3])], _SAME_EDGE_POINTS)
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


def levels(values: list[float], same: float) -> list[float]:
    """Values from the least, without those that are no more than `same` from the one before."""
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > same:
            kept.append(value)
    return kept


def _nearest(edges: list[float], value: float) -> int:
    return min(range(len(edges)), key=lambda i: abs(edges[i] - value))
