"""What a check of the store can find, by stable codes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

MOST_LISTED = 20
"""Findings of one code in one document that are listed one by one; the others are counted."""

_REPARSE = "ingest the file again with `--reparse` into a new store, or restore a copy"
_REPAIR = "`check-store --repair` makes it again"

CODES: dict[str, tuple[str, str]] = {
    "database_damaged": ("SQLite finds the file damaged, or cannot read it.", "restore a copy"),
    "audit_chain_broken": ("The log of decisions was changed.",
                           "find out who did it; restore a copy"),
    "orphan_rows": ("Rows belong to something that is not there.", "`check-store --repair`"
                    " removes those of missing documents; for others restore a copy"),
    "document_without_source": ("No version of any source is this document.", "restore a copy"),
    "document_unreadable": ("A value of the document is none of its kind.", _REPARSE),
    "page_unreadable": ("A value of the page is none of its kind.", _REPARSE),
    "page_fingerprint_mismatch": ("The page is not what its fingerprint says.", _REPARSE),
    "content_fingerprint_mismatch": ("The content fingerprint is not that of the text.", _REPAIR),
    "pages_hash_mismatch": ("The hash of the pages is not theirs.", _REPAIR),
    "payload_hash_mismatch": ("The payload hash is not that of pages, labels and warnings.",
                              f"{_REPAIR} where the document fingerprint proves it; else"
                              f" {_REPARSE}"),
    "document_fingerprint_mismatch": ("The document fingerprint is not that of bytes, parser,"
                                      " options, payload and schema.", _REPARSE),
    "source_bytes_mismatch": ("Size or blake3 are not those of the file with the stored sha256.",
                              _REPARSE),
    "fingerprint_malformed": ("A fingerprint has not the form of one.", _REPARSE),
    "count_mismatch": ("A counter or the status is not what was counted.", _REPAIR),
    "numbering_broken": ("Pages, elements, spans, tables or positions do not count on by one.",
                         _REPARSE),
    "offsets_outside_page": ("A piece of text is not inside its page.", _REPARSE),
    "span_outside_element": ("A span is not inside the element that it names.", _REPARSE),
    "box_outside_page": ("A box is not inside its page.", _REPARSE),
    "char_boxes_mismatch": ("There is not one box a character.", _REPARSE),
    "table_structure_broken": ("Parts, cells or roles of a table do not fit together.",
                               f"{_REPAIR} where only the number of rows is wrong; else"
                               f" {_REPARSE}"),
    "value_not_canonical": ("A stored value is not written the one way it can be.", _REPARSE),
    "search_index_mismatch": ("The full-text index has not exactly the words of the elements.",
                              _REPAIR),
    "search_index_damaged": ("The full-text index cannot be read.", _REPAIR),
    "version_numbering_broken": ("Versions of a source do not count from 1 by one.",
                                 "restore a copy"),
    "source_without_version": ("A source has no document, and was neither declared nor"
                               " forgotten.", "ingest its file again"),
    "location_unknown_bytes": ("A path stands for bytes of no document of its source.",
                               "ingest the file again"),
    "report_hash_mismatch": ("A saved report, or what is noted beside it, was changed.",
                             "restore a copy, or make the report again"),
    "forgotten_content_present": ("A source has a document that was forgotten, and no ingestion"
                                  " since then brought it back.", "`forget` the source again"),
}  # fmt: skip
"""Every code with what it means and what to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it must be. `document` is a document fingerprint, empty where it is
    about none; `page` is 0 where it is about none."""

    code: str
    detail: str
    document: str = ""
    page: int = 0

    def as_dict(self) -> dict[str, object]:
        """The shape that `--json` prints."""
        data: dict[str, object] = {"code": self.code, "detail": self.detail}
        if self.document:
            data["document"] = self.document
        if self.page:
            data["page"] = self.page
        return data


class Findings:
    """Findings in the order in which they were made. What goes beyond MOST_LISTED of a code in a
    document is counted, and said in a line of its own."""

    def __init__(self) -> None:
        self._listed: list[Finding] = []
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, code: str, detail: str, document: str = "", page: int = 0) -> None:
        """Notes a finding; a code that is not in CODES is a bug here, so it raises KeyError."""
        _ = CODES[code]
        self._counts[code, document] += 1
        if self._counts[code, document] <= MOST_LISTED:
            self._listed.append(Finding(code, detail, document, page))

    def all(self) -> list[Finding]:
        """What was noted, and how much more there was of what."""
        more = [
            Finding(code, f"{count - MOST_LISTED} more of these", document)
            for (code, document), count in sorted(self._counts.items())
            if count > MOST_LISTED
        ]
        return self._listed + more
