"""pdfplumber's table finder over ruling lines."""

from __future__ import annotations

from io import BytesIO

from ingest.tables.registry import EngineFailed, EngineUnavailable, FoundTable, Rect, grid
from ingest.tables.upright import copy_bytes, copy_corner
from ingest.tables.view import PageView


class PlumberLines:
    name = "pdfplumber-lines"

    def __init__(self) -> None:
        try:
            import pdfplumber
        except ImportError as error:
            raise EngineUnavailable(self.name, "pdfplumber") from error
        self._open = pdfplumber.open

    def find(self, view: PageView) -> list[FoundTable]:
        # pdfplumber measures from the origin of user space across, and downwards from the height
        # of the page over that origin.
        page = view.upright
        left, bottom = copy_corner(page)
        try:
            with self._open(BytesIO(copy_bytes(page))) as document:
                tables = document.pages[0].find_tables()
                cells: list[list[Rect]] = [table.cells for table in tables]
        except Exception as error:  # its parser raises whatever a damaged page leads to
            raise EngineFailed(self.name, f"{type(error).__name__}: {error}") from error
        found = []
        for rects in cells:
            shape = grid(
                [(x0 - left, y0 + bottom, x1 - left, y1 + bottom) for x0, y0, x1, y1 in rects],
                view.unit,
            )
            if shape is not None:
                found.append(shape)
        return found
