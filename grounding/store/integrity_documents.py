"""One document of the store against its own hashes."""

from __future__ import annotations

from typing import Any

from grounding.artifact import Artifact, PageContent
from grounding.store.findings import Findings
from grounding.store.integrity_rules import BAD_VALUES, DocumentRules
from grounding.store.rebuilt import DocumentRows, RebuiltPages, Row, rebuilt

COUNTERS = {
    "status": 12, "page_count": 13, "element_count": 14, "span_count": 15, "table_count": 16,
}  # fmt: skip
"""Columns of a document that are counted, by their place in its row."""


def counted(rows: DocumentRows) -> dict[str, Any]:
    """Counters and status as they follow from the rows."""
    return {
        "status": "partial" if any(p[5] == "failed" for p in rows.pages) else "stored",
        "page_count": len(rows.pages),
        "element_count": sum(map(len, rows.elements.values())),
        "span_count": sum(map(len, rows.spans.values())),
        "table_count": len(rows.tables),
    }


def proved(rows: DocumentRows) -> Artifact | None:
    """The document with its fingerprints computed again from what is stored, those of the whole
    from the fingerprints of its pages; None where a page is not what it was."""
    found = Findings()
    again = DocumentHashes(rows, found).computed()
    return None if found.all() else again


def check_document(rows: DocumentRows, found: Findings) -> None:
    """Everything about one document; what is wrong goes to `found`."""
    DocumentRules(rows, found).run()
    DocumentHashes(rows, found).run()


class DocumentHashes:
    """Counters and hashes of one document, computed again."""

    def __init__(self, rows: DocumentRows, found: Findings) -> None:
        self._rows, self._found, self._id = rows, found, str(rows.document[1])

    def run(self) -> None:
        """Compares all of them with what is stored."""
        d = self._rows.document
        for name, value in counted(self._rows).items():
            if d[COUNTERS[name]] != value:
                self._add("count_mismatch", f"{name} is {d[COUNTERS[name]]}, counted {value}")
        again = self.computed()
        if again is None:
            return
        for code, stored, computed in (
            ("content_fingerprint_mismatch", d[5], again.content_fingerprint),
            ("pages_hash_mismatch", d[6], again.pages_sha256),
            ("payload_hash_mismatch", d[7], again.payload_sha256),
            ("document_fingerprint_mismatch", d[1], again.document_fingerprint),
        ):
            if stored != computed:
                self._add(code, f"stored {stored}, computed {computed}")

    def computed(self) -> Artifact | None:
        """The document with the fingerprints of the whole; None where it cannot be put together.
        Pages that are not what they were are noted."""
        made = RebuiltPages(self._rows)
        pages = [self._page(made, row, n) for n, row in enumerate(self._rows.pages)]
        try:
            again = rebuilt(self._rows)
            again.pages = [page for page in pages if page is not None]
            again.page_fingerprints = [row[6] for row in self._rows.pages]
            return again.identify() if len(again.pages) == len(pages) else None
        except BAD_VALUES as error:
            self._add("document_unreadable", f"{type(error).__name__}: {error}")
            return None

    def _page(self, pages: RebuiltPages, row: Row, position: int) -> PageContent | None:
        try:
            page = pages.page(position)
            self._compare(page, row)
        except BAD_VALUES as error:
            self._add("page_unreadable", f"{type(error).__name__}: {error}", row[0])
            return None
        page.box_arrays = b""  # 16 bytes a character; the text is enough from here on
        return page

    def _compare(self, page: PageContent, row: Row) -> None:
        if len(page.box_arrays) != 16 * len(page.text):
            detail = f"{len(page.box_arrays) // 16} boxes, {len(page.text)} characters"
            self._add("char_boxes_mismatch", detail, row[0])
        if page.fingerprint() != row[6]:
            self._add("page_fingerprint_mismatch", f"stored as {row[6]}", row[0])

    def _add(self, code: str, detail: str, page: int = 0) -> None:
        self._found.add(code, detail, self._id, page)
