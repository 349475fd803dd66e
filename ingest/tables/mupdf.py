"""PyMuPDF's table finder, with and without its layout model."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ingest.tables.registry import EngineUnavailable, FoundTable, grid
from ingest.tables.view import PageView


class MupdfLines:
    """PyMuPDF's finder over ruling lines, without its layout model."""

    name = "pymupdf-lines"

    def find(self, view: PageView) -> list[FoundTable]:
        # The model is switched off by name: builds that lack it would find other tables.
        return _grids(view.upright.find_tables(strategy="lines", use_layout=False), view.unit)


class MupdfUnion:
    """PyMuPDF's fusion of its layout model's grids with ruling lines.

    The model costs more than a second of CPU a page, so only the mode `thorough` may ask.
    """

    name = "pymupdf-union"

    def __init__(self) -> None:
        if find_spec("pymupdf.layout") is None:
            raise EngineUnavailable(self.name, "pymupdf-layout")
        import_module("pymupdf.layout")  # importing it makes it known to PyMuPDF

    def find(self, view: PageView) -> list[FoundTable]:
        return _grids(view.upright.find_tables(union=True), view.unit)


def _grids(finder: Any, unit: float) -> list[FoundTable]:
    if finder is None:  # its way of saying that an exception was swallowed
        return []
    found = []
    for table in finder.tables:
        rects = [tuple(cell) for row in table.rows for cell in row.cells if cell]
        shape = grid(rects, unit)
        if shape is not None:
            found.append(shape)
    return found
