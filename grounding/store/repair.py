"""Making again what follows from the rest of a store.

What a document says (texts, boxes, tables, fingerprints of pages) follows from nothing but its
file; it is never touched here.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from grounding.store.findings import Finding
from grounding.store.integrity_documents import COUNTERS, counted, proved
from grounding.store.integrity_words import indexed_texts
from grounding.store.rebuilt import DocumentRows, document_rows
from grounding.store.writer import StoreWriter

PARTS_OF_DOCUMENTS = (
    "cells", "table_parts", "tables", "elements", "spans", "table_searches", "warnings", "pages",
    "content_aliases",
)  # fmt: skip
"""Tables whose rows belong to one document, those that point at others of them first."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """Something that was made again; `document` is a fingerprint, empty where it is about none."""

    action: str
    detail: str
    document: str = ""

    def as_dict(self) -> dict[str, object]:
        """The shape that `--json` prints."""
        data: dict[str, object] = {"repaired": self.action, "detail": self.detail}
        return {**data, "document": self.document} if self.document else data


def repair_store(path: Path, found: list[Finding]) -> list[Repaired]:
    """Makes again what can be of what a check found, in one transaction; what was done. Raises
    StoreError."""
    codes = {finding.code for finding in found}
    with StoreWriter(path) as writer, writer.together():
        repair = _Repair(writer.connection)
        repair.orphans()
        repair.documents()
        if codes & {"search_index_mismatch", "search_index_damaged"}:
            repair.index()
        return repair.done


def fill_index(connection: sqlite3.Connection) -> int:
    """Puts the words of all elements into an empty index; how many elements there are."""
    elements = 0

    def query(sql: str, *values: object) -> list[tuple[object, ...]]:
        return connection.execute(sql, values).fetchall()

    for (document_id,) in connection.execute("SELECT id FROM documents ORDER BY id").fetchall():
        texts = indexed_texts(query, document_id)
        connection.executemany("INSERT INTO elements_fts (rowid, text) VALUES (?, ?)", texts)
        elements += len(texts)
    return elements


class _Repair:
    """One repair inside one transaction; `done` says what was."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.done: list[Repaired] = []

    def _rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def orphans(self) -> None:
        """Takes out rows of documents that are not there."""
        for table in PARTS_OF_DOCUMENTS:
            gone = self._connection.execute(
                f"DELETE FROM {table} WHERE document_id NOT IN (SELECT id FROM documents)"
            ).rowcount
            if gone:
                detail = f"{gone} of {table} that belonged to no document"
                self.done.append(Repaired("rows_removed", detail))

    def documents(self) -> None:
        """Counts again, and computes again what the document fingerprint proves."""
        for (document_id,) in self._rows("SELECT id FROM documents ORDER BY id"):
            assert isinstance(document_id, int)
            rows = document_rows(self._rows, document_id)
            self._table_rows(rows)
            self._set(rows, {k: v for k, v in counted(rows).items()
                             if rows.document[COUNTERS[k]] != v}, "counted")  # fmt: skip
            self._hashes(rows)

    def _table_rows(self, rows: DocumentRows) -> None:
        for number, (_, stored, _) in rows.tables.items():
            parts = [p for page in rows.parts.values() for p in page if p[1] == number]
            total = sum(part[7] for part in parts)
            if total == stored:
                continue
            self._connection.execute(
                "UPDATE tables SET rows = ? WHERE document_id = ? AND number = ?",
                (total, rows.document[0], number),
            )
            detail = f"rows of table {number}: {stored} to {total}"
            self.done.append(Repaired("counted", detail, str(rows.document[1])))

    def _hashes(self, rows: DocumentRows) -> None:
        """Only under a document fingerprint that is right: it proves pages, labels and warnings,
        and the content is theirs."""
        again, d = proved(rows), rows.document
        if again is None or again.document_fingerprint != d[1]:
            return
        computed = {
            "content_fingerprint": (d[5], again.content_fingerprint),
            "pages_sha256": (d[6], again.pages_sha256),
            "payload_sha256": (d[7], again.payload_sha256),
        }
        self._set(rows, {k: new for k, (old, new) in computed.items() if old != new}, "computed")

    def _set(self, rows: DocumentRows, values: dict[str, object], action: str) -> None:
        for column, value in values.items():
            self._connection.execute(
                f"UPDATE documents SET {column} = ? WHERE id = ?", (value, rows.document[0])
            )
            self.done.append(Repaired(action, f"{column} is {value}", str(rows.document[1])))

    def index(self) -> None:
        """Makes the full-text index from the stored pages."""
        try:
            self._connection.execute(
                "INSERT INTO elements_fts (elements_fts) VALUES ('delete-all')"
            )
        except sqlite3.DatabaseError:
            self._blank_index()
        elements = fill_index(self._connection)
        self.done.append(Repaired("index_made", f"the words of {elements} elements"))

    def _blank_index(self) -> None:
        """An index that cannot be opened cannot be emptied either; its tables get the contents of
        those of a new one."""
        self._connection.execute(
            "CREATE VIRTUAL TABLE temp.blank USING fts5"
            " (text, content = '', tokenize = 'unicode61')"
        )
        for part in ("config", "data", "docsize", "idx"):
            self._connection.execute(f"DELETE FROM main.elements_fts_{part}")
            self._connection.execute(
                f"INSERT INTO main.elements_fts_{part} SELECT * FROM temp.blank_{part}"
            )
        self._connection.execute("DROP TABLE temp.blank")
