"""What table engines may look at: a page's words and rules, and its upright copy."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grounding.artifact import PageContent
from ingest.tables.registry import FoundTable, Rect
from ingest.tables.rules import Rules, page_rules, read_rules
from ingest.tables.upright import upright_copy
from ingest.tables.words import Direction, Word, turned, words_by_direction


class PageView:
    """One page for all engines. Whatever costs time is made when it is first asked for."""

    def __init__(
        self,
        document: Any,
        page: Any,
        content: PageContent,
        boxes: NDArray[np.int64],
        paths: int = 0,
    ) -> None:
        """`boxes` are those of the characters of the content, `paths` how many paths are drawn."""
        self.document, self.page, self.content, self.boxes = document, page, content, boxes
        self.paths = paths
        self._taken: list[Rect] = []

    @cached_property
    def upright(self) -> Any:
        """The page displayed, unrotated and uncropped, as a PyMuPDF page of a document of its own.
        PyMuPDF's tables refer to their page weakly: it has to outlive them."""
        copy = upright_copy(self.document, self.page.number, self.content.frame)
        return copy[0]

    @property
    def unit(self) -> float:
        """Points of the displayed page a unit of its upright copy, which knows no UserUnit."""
        return self.content.frame.user_unit / 1000

    @cached_property
    def _drawn(self) -> tuple[list[Rect], list[Rect]]:
        return page_rules(self.page, self.content.frame) if self.paths else ([], [])

    @cached_property
    def _words(self) -> list[tuple[Direction, list[Word]]]:
        return list(words_by_direction(self.content, self.boxes))

    def rules(self, direction: Direction) -> Rules:
        """The page's rules in the frame of a direction."""
        return read_rules(*self._drawn, direction)

    def words(self) -> Iterable[tuple[Direction, list[Word]]]:
        """The words of each direction outside tables that were found already."""
        for direction, words in self._words:
            areas = [tuple(turned(np.array([r]), direction)[0].tolist()) for r in self._taken]
            yield (
                direction,
                [
                    w
                    for w in words
                    if not any(
                        x0 <= (w.x0 + w.x1) / 2 < x1 and y0 <= w.middle < y1
                        for x0, y0, x1, y1 in areas
                    )
                ],
            )

    def take(self, tables: Iterable[FoundTable]) -> None:
        """Sets the words of found tables aside."""
        self._taken.extend(table.rect for table in tables)
