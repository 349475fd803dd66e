"""The tree of nodes that OpenDataLoader PDF writes: `file name`, `number of pages`, `kids`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field, StrictInt, StrictStr

from grounding.adapters.model import (
    ForeignBox,
    ForeignCell,
    ForeignElement,
    ForeignPage,
    ForeignTable,
)
from grounding.adapters.shape import (
    MAX_DEPTH,
    Number,
    OpenShape,
    apart,
    centipoints,
    ordered,
    refuse,
    shaped,
)

MAX_TREE_PAGES = 10_000

_ROOT = ("file name", "number of pages", "kids")
_CHILDREN = (("kids", "children"), ("list items", "list_items"))
_OWN = ("type", "id", "page number", "bounding box", "content", "text")
_PLACED = ("type", "id", "page number", "bounding box")


Position = Annotated[StrictInt, Field(ge=1, le=2**31)]


class TreeFile(OpenShape):
    """The root of the tree."""

    file_name: Annotated[StrictStr, Field(alias="file name")]
    pages: Annotated[StrictInt, Field(alias="number of pages", ge=1, le=MAX_TREE_PAGES)]
    kids: list[Any]


class Node(OpenShape):
    """What a node says of itself; its children are walked."""

    id: StrictInt | StrictStr | None = None
    type: StrictStr | None = None
    page: Annotated[StrictInt | None, Field(alias="page number")] = None
    bbox: Annotated[tuple[Number, Number, Number, Number] | None, Field(alias="bounding box")] = (
        None
    )
    content: StrictStr | None = None
    text: StrictStr | None = None
    row: Annotated[Position | None, Field(alias="row number")] = None
    column: Annotated[Position | None, Field(alias="column number")] = None
    rows: Annotated[Position, Field(alias="row span")] = 1
    columns: Annotated[Position, Field(alias="column span")] = 1


def is_tree(value: dict[str, Any]) -> bool:
    """Whether a file is a tree and not the flat form, which names its tool."""
    return "tool" not in value and all(key in value for key in _ROOT)


def read_tree(
    value: dict[str, Any],
) -> tuple[tuple[ForeignPage, ...], tuple[ForeignElement, ...], tuple[ForeignTable, ...] | None]:
    """Pages, elements and tables of a tree; None for tables when it has none. Raises
    ArtifactInvalidError with the place of the node."""
    root = shaped(TreeFile, value)
    walk = _Walk(root.pages)
    for at, child in enumerate(_list(value, "kids", "the file")):
        walk.node(child, f"kids[{at}]", _Above("", 0))
    return (
        walk.pages(),
        tuple(e for e in walk.elements if e is not None),
        tuple(walk.tables) or None,
    )


class _Above:
    """What a node stands in: the element whose text repeats it, and how deep."""

    def __init__(self, element: str, depth: int) -> None:
        self.element, self.depth = element, depth


class _Walk:
    """One way through the tree, depth first."""

    def __init__(self, pages: int) -> None:
        self.count = pages
        self.elements: list[ForeignElement | None] = []
        self.tables: list[ForeignTable] = []
        self._extents: dict[int, tuple[int, int]] = {}
        self._ids: set[str] = set()
        self._table_ids: set[str] = set()
        self._counter = 0

    def pages(self) -> tuple[ForeignPage, ...]:
        """All pages, as large as what stands on them."""
        sizes = (self._extents.get(number, (1, 1)) for number in range(1, self.count + 1))
        return tuple(
            ForeignPage(f"page-{number}", number, *size) for number, size in enumerate(sizes, 1)
        )

    def node(self, value: Any, where: str, above: _Above) -> list[str]:
        """Takes a node in and gives its texts, its own first."""
        if not isinstance(value, dict):
            refuse(where, "is no JSON object")
        if above.depth > MAX_DEPTH:
            refuse(where, f"is nested deeper than {MAX_DEPTH} levels")
        node = shaped(Node, value, where)
        if not any(key in value for key in _OWN):
            texts = list(self._below(value, where, _Above(above.element, above.depth + 1)))
            if not any(key in value for keys in _CHILDREN for key in keys) and "rows" not in value:
                refuse(where, "says nothing of itself and has no children")
            return texts
        return self._element(node, value, where, above)

    def _element(self, node: Node, value: dict[str, Any], where: str, above: _Above) -> list[str]:
        page, box = self._place(node, where)
        own_id = self._own_id(node)
        at = len(self.elements)
        self.elements.append(None)  # stands before what is below it
        own = _content(node, where)
        texts = [own] if own else []
        inner = _Above(own_id, above.depth + 1)
        is_table = "rows" in value and any(key in value for key in _PLACED)
        texts += self._below(value, where, inner, rows=not is_table)
        table = ""
        if is_table:
            table = self._table_id(node, where)
            texts += self._table(table, value, where, inner, page, box)
        text = "\n".join(texts) or None
        self.elements[at] = ForeignElement(
            own_id,
            page,
            box,
            (node.type or "unknown").lower(),
            text,
            table=table,
            inside=above.element,
            own_text=own,
        )
        return [text] if text else []

    def _place(self, node: Node, where: str) -> tuple[str, ForeignBox]:
        if node.page is None or node.bbox is None:
            refuse(where, "needs a page number and a bounding box")
        if not 1 <= node.page <= self.count:
            refuse(f"{where}.page number", f"references unknown page {node.page}")
        x0, y0, x1, y1 = (centipoints(n, f"{where}.bounding box") for n in node.bbox)
        box = ordered((x0, y0, x1, y1), f"{where}.bounding box")
        width, height = self._extents.get(node.page, (1, 1))
        self._extents[node.page] = max(width, box[2]), max(height, box[3])
        return f"page-{node.page}", box

    def _own_id(self, node: Node) -> str:
        given = f"odl-{node.id}" if node.id not in (None, "") else ""
        while not given or given in self._ids:
            self._counter += 1
            given = f"odl-el-{self._counter}"
        self._ids.add(given)
        return given

    def _below(
        self, value: dict[str, Any], where: str, above: _Above, *, rows: bool = True
    ) -> Iterator[str]:
        for names in _CHILDREN:
            for key, child in _children(value, names, where):
                yield from self.node(child, f"{where}.{key}", above)
        if rows and "rows" in value:
            for place, _, _, cell in _cells(value, where):
                yield from self.node(cell, place, above)

    def _table_id(self, node: Node, where: str) -> str:
        given = f"odl-{node.id}" if node.id not in (None, "") else ""
        given = given or f"odl-table-{len(self.tables) + 1}"
        if given in self._table_ids:
            refuse(f"{where}.id", f"table {given!r} is given twice")
        self._table_ids.add(given)
        return given

    def _table(
        self,
        given: str,
        value: dict[str, Any],
        where: str,
        above: _Above,
        page: str,
        box: ForeignBox,
    ) -> list[str]:
        at = len(self.tables)
        self.tables.append(ForeignTable(given, page, box, ()))
        cells, texts = [], []
        for place, row, col, item in _cells(value, where):
            cell = shaped(Node, item, place)
            own_page, own_box = self._place(cell, place)
            if own_page != page:
                refuse(f"{place}.page number", "is not the page of the table")
            first = len(self.elements)
            text = "\n".join(self.node(item, place, above))
            if not text.strip():
                refuse(place, "a cell has no text")
            if any(e is not None and e.page != page for e in self.elements[first:]):
                refuse(place, "holds what stands on another page than the table")
            stated = _stated(cell, place)
            cells.append(ForeignCell(row, col, 1, 1, own_box, text, place=stated))
            texts.append(text)
        _check_places(cells, where)
        self.tables[at] = ForeignTable(given, page, box, tuple(cells))
        return texts


def _stated(cell: Node, where: str) -> tuple[int, int, int, int] | None:
    """Where a cell says that it is; None where it does not."""
    if cell.row is not None and cell.column is not None:
        return cell.row, cell.column, cell.rows, cell.columns
    if cell.row is not None or cell.column is not None or (cell.rows, cell.columns) != (1, 1):
        refuse(where, "says a part of where it is in its table: it needs row and column number")
    return None


def _check_places(cells: list[ForeignCell], where: str) -> None:
    """All cells of a table say where they are, or none does."""
    stated = [cell.place for cell in cells if cell.place is not None]
    if stated and len(stated) != len(cells):
        refuse(where, "some of its cells say where they are in it, and some do not")
    apart(stated, f"{where}.rows")


def _content(node: Node, where: str) -> str:
    if node.content and node.text and node.content != node.text:
        refuse(where, "content and text differ")
    return node.content or node.text or ""


def _children(
    value: dict[str, Any], names: tuple[str, str], where: str
) -> Iterator[tuple[str, Any]]:
    given = [name for name in names if name in value]
    if len(given) > 1:
        refuse(where, f"has both {names[0]!r} and {names[1]!r}")
    for name in given:
        for at, child in enumerate(_list(value, name, where)):
            yield f"{name}[{at}]", child


def _cells(value: dict[str, Any], where: str) -> Iterator[tuple[str, int, int, Any]]:
    """(place, row, column, cell) of a table's cells, counted from 1 by their order."""
    for at, row in enumerate(_list(value, "rows", where)):
        place = f"{where}.rows[{at}]"
        if not isinstance(row, dict):
            refuse(place, "is no JSON object")
        for number, cell in enumerate(_list(row, "cells", place)):
            if not isinstance(cell, dict):
                refuse(f"{place}.cells[{number}]", "is no JSON object")
            yield f"{place}.cells[{number}]", at + 1, number + 1, cell


def _list(value: dict[str, Any], key: str, where: str) -> list[Any]:
    items = value.get(key)
    if not isinstance(items, list):
        refuse(f"{where}.{key}", "is no array")
    return items
