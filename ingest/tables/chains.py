"""Tables that go on over a page break."""

from __future__ import annotations

from itertools import pairwise

from grounding.artifact import PageContent, TableContent
from grounding.model import CellRole, ElementKind

_SAME_EDGE = 1500
"""Centipoints by which the sides of two parts may differ."""
_BESIDE = frozenset({ElementKind.HEADER, ElementKind.FOOTER, ElementKind.FOOTNOTE})
"""What may stand between two parts of a table."""
_CONTINUED = "continued"


def link_tables(pages: list[PageContent]) -> None:
    """Marks the first table of a page as going on with the last one of the page before where
    nothing but page heads, feet and footnotes stands between them, they have the same columns at
    the same place, and the second has no header or the first one's."""
    for before, after in pairwise(pages):
        if not before.tables or not after.tables:
            continue
        upper, lower = before.tables[-1], after.tables[0]
        if _goes_on(upper, lower) and _ends(before, upper) and _begins(after, lower):
            lower.continues = True


def _goes_on(upper: TableContent, lower: TableContent) -> bool:
    if upper.columns != lower.columns:
        return False
    if (
        abs(upper.box.x0 - lower.box.x0) > _SAME_EDGE
        or abs(upper.box.x1 - lower.box.x1) > _SAME_EDGE
    ):
        return False
    header = _header_texts(lower)
    return not header or header == _header_texts(upper)


def _header_texts(table: TableContent) -> list[tuple[int, int, int, str]]:
    return [
        (c.row, c.col, c.col_span, " ".join(c.text.split()))
        for c in table.cells
        if c.role is CellRole.COLUMN_HEADER and c.text
    ]


def _ends(page: PageContent, table: TableContent) -> bool:
    """Whether nothing but a foot stands below a table."""
    return all(
        e.kind in _BESIDE or e.table >= 0 or e.box.y0 < table.box.y1 - 200
        for e in page.elements
        if e.start < e.end
    )


def _begins(page: PageContent, table: TableContent) -> bool:
    """Whether nothing but a head, or a line that says that it goes on, stands above a table."""
    return all(
        e.kind in _BESIDE
        or e.table >= 0
        or e.box.y1 > table.box.y0 + 200
        or _CONTINUED in page.text[e.start : e.end].lower()
        for e in page.elements
        if e.start < e.end
    )
