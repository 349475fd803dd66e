"""The only thing that the verifier knows about a document.

The store implements this protocol; adapters implement it over foreign parser output. Whatever a
source cannot answer it declares in `capabilities`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from grounding.charboxes import TextBoxes
from grounding.model import (
    Capabilities,
    DocumentIdentity,
    DocumentWarning,
    Element,
    Page,
    Parser,
    Span,
    SpanFlag,
    Style,
    Table,
)


class GroundingSource(Protocol):
    """One document version. Page numbers count from 1; offsets are those of the document."""

    @property
    def identity(self) -> DocumentIdentity: ...

    @property
    def parser(self) -> Parser: ...

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def pages(self) -> Sequence[Page]: ...

    @property
    def warnings(self) -> Sequence[DocumentWarning]: ...

    def page_text(self, page: int) -> str:
        """Raw text of a page; the document's text is these joined by PAGE_SEPARATOR."""
        ...

    def char_boxes(self, page: int) -> TextBoxes | None:
        """Boxes of the page's characters; None when the source has none."""
        ...

    def elements(self, page: int) -> Sequence[Element]:
        """Elements of a page in reading order."""
        ...

    def spans(self, page: int) -> Sequence[Span]:
        """Spans of a page in text order."""
        ...

    def flagged(self, page: int, flags: SpanFlag) -> Sequence[tuple[int, int, int]]:
        """(start, end, bits of SpanFlag) of a page's spans with one of some flags, in order."""
        ...

    def styles(self, page: int) -> Sequence[Style]:
        """What `Span.style` indexes."""
        ...

    def tables(self, page: int) -> Sequence[Table]:
        """Tables of a page, top to bottom."""
        ...

    def find_element(self, element_id: str) -> Element | None: ...

    def find_span(self, span_id: str) -> Span | None: ...

    def find_table(self, table_id: str) -> Table | None: ...
