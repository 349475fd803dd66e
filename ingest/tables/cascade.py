"""Which table engine is asked, in which order, and whose answer is taken.

First a cheap look: a page without rules both ways and without lines that have gaps has no table.
Then `ruled`, whose grids are drawn, then `aligned` on the words that are left. Only where their
answer fails its check are others asked, until one passes; what every engine found and what became
of it is recorded. The mode `thorough` asks PyMuPDF's fusion with its layout model as well, and
takes its tables where the first two have none or doubtful ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import SPAN_FIELDS, TableContent
from grounding.geometry import Box
from grounding.model import TableSearch
from ingest.tables.cells import build_table
from ingest.tables.engines import EngineError, EngineUnavailable, FoundTable, engine
from ingest.tables.view import PageView

FIRST = ("ruled", "aligned")
SECOND = ("pymupdf-lines", "pdfplumber-lines", "camelot-lattice", "camelot-network")
AFTER = {"ruled": SECOND, "aligned": ("camelot-network",)}
"""Who is asked after whom. Where no grid is drawn for `ruled`, engines that follow lines find none
either: on filings they answered nothing that passed, at three quarters of the cost."""
MODEL = "pymupdf-union"
_FEWEST_GAPS, _FEWEST_PATHS = 3, 4
_WIDE = 0.7
"""Share of a line's height from which a gap can lie between columns."""
_SAME_LINE = 300
_FILLED = 0.9
_OVERLAP = 0.5
"""Two tables of which this share of the smaller one is common are one."""


@dataclass(slots=True)
class TableSearches:
    """The search for the tables of one page, and its record."""

    view: PageView
    log: list[TableSearch] = field(default_factory=list)
    _answers: dict[str, list[TableContent]] = field(default_factory=dict)
    """What engines found that were asked before, for another table of the page."""

    def run(self, mode: str) -> list[TableContent]:
        """The tables of the page, in any order. Mode is `auto` or `thorough`."""
        if mode == "auto" and not _may_have_tables(self.view):
            return []
        tables: list[TableContent] = []
        for name in FIRST:
            tables.extend(self._first(name))
        for at, table in enumerate(tables):
            if not table.trusted:
                tables[at] = self._second(table, [o for o in tables if o is not table])
        return self._with_model(tables) if mode == "thorough" else tables

    def _first(self, name: str) -> list[TableContent]:
        found = engine(name).find(self.view)
        built = []
        for each in found:
            table = self._build(each, name)
            if table is not None:
                table.reason = "passed the check" if table.trusted else "failed the check"
                built.append(table)
                self.view.take([each])
        self.log.append(TableSearch(name, len(found), len(built)))
        return built

    def _build(self, found: FoundTable, name: str) -> TableContent | None:
        return build_table(found, self.view.content, self.view.boxes, name)

    def _second(self, doubtful: TableContent, others: list[TableContent]) -> TableContent:
        """Another engine's table in the place of one that failed the check and of no other; that
        one where none passes."""
        for name in AFTER[doubtful.engine]:
            candidates = self._ask(name, f"{doubtful.engine} failed the check")
            for table in candidates:
                alone = not any(table.box.overlap(other.box) for other in others)
                if table.trusted and alone and _as_good(table, doubtful):
                    table.reason = f"passed the check that {doubtful.engine} failed"
                    self._taken(name, 1)
                    return table
        return doubtful

    def _ask(self, name: str, note: str) -> list[TableContent]:
        if name not in self._answers:
            self._answers[name] = self._find(name, note)
        return self._answers[name]

    def _find(self, name: str, note: str) -> list[TableContent]:
        try:
            found = engine(name).find(self.view)
        except EngineUnavailable:
            self.log.append(TableSearch(name, 0, 0, f"{note}; not installed"))
            return []
        except EngineError as error:
            self.log.append(TableSearch(name, 0, 0, f"{note}; {str(error)[:120]}"))
            return []
        self.log.append(TableSearch(name, len(found), 0, note))
        return [table for each in found if (table := self._build(each, name)) is not None]

    def _taken(self, name: str, count: int) -> None:
        at = next(at for at, search in enumerate(self.log) if search.engine == name)
        last = self.log[at]
        self.log[at] = TableSearch(name, last.found, last.taken + count, last.note)

    def _with_model(self, tables: list[TableContent]) -> list[TableContent]:
        """Adds the model's tables where there is none, and takes them for doubtful ones."""
        kept, taken = list(tables), 0
        for table in self._ask(MODEL, "thorough"):
            if table.rows < 2 or table.columns < 2:
                continue
            rivals = [other for other in kept if _same_place(other.box, table.box)]
            if not rivals:
                table.reason = "found by the model alone"
            elif table.trusted and not any(other.trusted for other in rivals):
                table.reason = "passed the check that others failed"
            else:
                continue
            kept = [other for other in kept if other not in rivals]
            kept.append(table)
            taken += 1
        self._taken(MODEL, taken)
        return kept


def _as_good(table: TableContent, doubtful: TableContent) -> bool:
    """Whether a table is at the place of another and finds about as much in it: a grid that throws
    rows together passes any check."""
    filled, wanted = (sum(bool(c.text) for c in t.cells) for t in (table, doubtful))
    return _same_place(table.box, doubtful.box) and filled >= _FILLED * wanted


def _same_place(one: Box, other: Box) -> bool:
    smaller = min(one.width * one.height, other.width * other.height)
    return one.overlap(other) >= _OVERLAP * smaller


def _may_have_tables(view: PageView) -> bool:
    """The cheap look: whether there are a few gaps as wide as those between columns, or enough
    paths for a grid. Text that is not upright is always looked at."""
    content, boxes = view.content, view.boxes
    if not len(boxes):
        return False
    if view.paths >= _FEWEST_PATHS:
        return True
    spans = np.array(content.spans, dtype=np.int64).reshape(-1, SPAN_FIELDS)
    if not len(spans):
        return False
    x0, y0, x1, y1 = spans[:, 2:6].T
    if ((y1 - y0 > 2 * (x1 - x0)) & (spans[:, 1] - spans[:, 0] > 3)).any():
        return True
    middle, height = (y0 + y1) // 2, y1 - y0
    order = np.lexsort((x0, middle // _SAME_LINE))
    before, after = order[:-1], order[1:]
    beside = np.abs(middle[before] - middle[after]) < _SAME_LINE
    gaps = int((beside & (x0[after] - x1[before] > _WIDE * height[before])).sum())
    return gaps >= _FEWEST_GAPS or gaps + _wide_spaces(content.text, boxes) >= _FEWEST_GAPS


def _wide_spaces(text: str, boxes: NDArray[np.int64]) -> int:
    """How many spaces inside lines are as wide as gaps between columns."""
    space = np.array([c == " " for c in text], dtype=bool)
    space[0] = space[-1] = False
    at = np.flatnonzero(space)
    at = at[~space[at - 1]]  # the first of several
    if not len(at):
        return 0
    # The next character that is no space.
    printed = np.flatnonzero(~space)
    after = printed[np.searchsorted(printed, at)]
    gap = boxes[after, 0] - boxes[at - 1, 2]
    height = boxes[at - 1, 3] - boxes[at - 1, 1]
    return int(((gap > _WIDE * height) & (gap < 40 * height)).sum())
