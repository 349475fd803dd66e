"""The one writer of a store: adds document versions, aliases, locations and ledger rows."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grounding.artifact import (
    PAGE_SEPARATOR,
    Artifact,
    CellContent,
    PageContent,
    TableContent,
)
from grounding.errors import UsageError
from grounding.fingerprint import SourceFingerprint
from grounding.model import CellRole, TableSearch
from grounding.store.connection import OpenStore, connect_writer, store_errors, transaction
from grounding.store.map_history import guard
from grounding.store.schema import FTS_SHIFT
from grounding.version import SCHEMA_VERSION

_SOURCE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]{0,199}")
UNNAMED = (
    "NOT EXISTS (SELECT 1 FROM source_map_history AS h WHERE h.source_id = sources.source_id"
    " AND json_extract(h.change, '$.changed.name') IS NOT NULL)"
)
"""Whether nobody gave a row of `sources` its name: one that was given stays, whatever its files are
called."""
_OF_TENANT = (
    "EXISTS (SELECT 1 FROM versions AS v JOIN sources AS s USING (source_id)"
    " WHERE v.document_id = d.id AND s.tenant = ?2)"
)
"""Whether a tenant has `documents AS d` under one of its sources."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What the store knows of one document version that a file stands for."""

    source_id: str
    document_fingerprint: str
    pages: int
    elements: int
    spans: int
    tables: int
    warnings: tuple[str, ...]
    parser_version: str
    options: str


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One file of one ingestion run."""

    run: str
    at: str
    path: str
    status: str
    seconds: float
    source_fingerprint: str | None = None
    document_fingerprint: str | None = None
    source_id: str | None = None
    code: str | None = None
    message: str | None = None


def check_source_id(source_id: str) -> str:
    """The id itself. Raises UsageError when it cannot serve as one."""
    if not _SOURCE_ID.fullmatch(source_id) or source_id.startswith(("sha256:", "blake3:")):
        raise UsageError(
            f"source id {source_id!r} is not usable",
            remedy="use up to 200 letters, digits and . _ : @ + -, starting with a letter or digit;"
            " not what looks like a fingerprint",
        )
    return source_id


class StoreWriter(OpenStore):
    """Context manager over the store opened for writing. Every public method is one transaction;
    all raise StoreError."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, connect_writer(path).conn)
        with store_errors(path):
            guard(self._connection)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything read and written inside belongs to one transaction."""
        if self._connection.in_transaction:
            yield
            return
        with store_errors(self.path), transaction(self._connection):
            yield

    @property
    def connection(self) -> sqlite3.Connection:
        """For the other modules of this package, which write inside `together()`."""
        return self._connection

    def find_location(self, path: str) -> tuple[str, str] | None:
        """(source id, source fingerprint) that a path stood for at the last ingestion."""
        row = self._connection.execute(
            "SELECT source_id, source_fingerprint FROM locations WHERE path = ?", (path,)
        ).fetchone()
        return (row[0], row[1]) if row else None

    def tenant_of(self, source_id: str | None) -> str:
        """Whose a source is; `''` for one that all share, or that is not there yet."""
        row = self._connection.execute(
            "SELECT tenant FROM sources WHERE source_id = ?", (source_id,)
        ).fetchone()
        return str(row[0]) if row else ""

    def find_bytes(self, fingerprint: SourceFingerprint, tenant: str = "") -> list[str]:
        """Fingerprints of a tenant's documents that were read from exactly these bytes or from a
        re-save of the same content, newest first. What another tenant has of them counts for
        nothing: a document that it shares would be read and named as its file was."""
        rows = self._connection.execute(
            "SELECT d.id, d.document_fingerprint FROM documents AS d WHERE source_fingerprint = ?1"
            f" AND {_OF_TENANT} UNION SELECT d.id, d.document_fingerprint FROM content_aliases AS a"
            " JOIN documents AS d ON d.id = a.document_id JOIN sources AS s USING (source_id)"
            " WHERE a.source_fingerprint = ?1 AND s.tenant = ?2 ORDER BY 1 DESC",
            (fingerprint.sha256, tenant),
        )
        return [row[1] for row in rows]

    def has_document(self, document_fingerprint: str) -> bool:
        """Whether the store has this document, whosever it is."""
        row = self._connection.execute(
            "SELECT 1 FROM documents WHERE document_fingerprint = ?", (document_fingerprint,)
        ).fetchone()
        return row is not None

    def find_content(self, artifact: Artifact, tenant: str = "") -> str | None:
        """A tenant's document whose pages are equal in text and geometry, read with the same
        options."""
        row = self._connection.execute(
            "SELECT d.document_fingerprint FROM documents AS d WHERE pages_sha256 = ?1"
            f" AND {_OF_TENANT} AND parser_version = ?3 AND options = ?4 ORDER BY id DESC",
            (
                artifact.pages_sha256,
                tenant,
                artifact.parser_version,
                _options_json(artifact.options),
            ),
        ).fetchone()
        return row[0] if row else None

    def describe(
        self, document_fingerprint: str, source_id: str | None = None, tenant: str = ""
    ) -> StoredDocument:
        """What is known of a stored document, under one of its sources: the given one, else one of
        the tenant, else any."""
        row = self._connection.execute(
            "SELECT id, page_count, element_count, span_count, table_count, parser_version, options"
            " FROM documents WHERE document_fingerprint = ?",
            (document_fingerprint,),
        ).fetchone()
        owner = self._connection.execute(
            "SELECT v.source_id FROM versions AS v JOIN sources AS s USING (source_id)"
            " WHERE v.document_id = ?"
            " ORDER BY v.source_id = ? DESC, s.tenant = ? DESC, v.source_id",
            (row[0], source_id or "", tenant),
        ).fetchone()
        codes = self._connection.execute(
            "SELECT DISTINCT code FROM warnings WHERE document_id = ? ORDER BY code", (row[0],)
        )
        _, pages, elements, spans, tables, parser_version, options = row
        return StoredDocument(
            owner[0],
            document_fingerprint,
            pages,
            elements,
            spans,
            tables,
            tuple(code for (code,) in codes),
            parser_version,
            options,
        )

    def is_current(self, source_id: str, document_fingerprint: str) -> bool:
        """Whether this document is the source's newest version."""
        row = self._connection.execute(
            "SELECT d.document_fingerprint FROM versions AS v"
            " JOIN documents AS d ON d.id = v.document_id"
            " WHERE v.source_id = ? ORDER BY v.version DESC LIMIT 1",
            (source_id,),
        ).fetchone()
        return row is not None and row[0] == document_fingerprint

    def add_document(self, artifact: Artifact, path: str, name: str, source_id: str) -> None:
        """Stores a new document and makes it the current version of its source."""
        with self.together():
            document_id = self._insert_document(artifact)
            self._add_version(source_id, name, document_id)
            self._set_location(path, name, source_id, artifact.source.sha256)

    def add_version(
        self, document_fingerprint: str, path: str, name: str, source_id: str, sha256: str
    ) -> None:
        """Makes a stored document the current version of a source, and a path its location."""
        with self.together():
            document_id = self._document_id(document_fingerprint)
            if not self.is_current(source_id, document_fingerprint):
                self._add_version(source_id, name, document_id)
            self._set_location(path, name, source_id, sha256)

    def add_alias(
        self,
        document_fingerprint: str,
        fingerprint: SourceFingerprint,
        path: str,
        name: str,
        source_id: str,
    ) -> None:
        """Records that these bytes, found at `path`, say what a stored document says."""
        with self.together():
            document_id = self._document_id(document_fingerprint)
            (original,) = self._connection.execute(
                "SELECT source_fingerprint FROM documents WHERE id = ?", (document_id,)
            ).fetchone()
            if original != fingerprint.sha256:
                self._connection.execute(
                    "INSERT OR IGNORE INTO content_aliases VALUES (?, ?, ?, ?, ?)",
                    (
                        fingerprint.sha256,
                        fingerprint.blake3,
                        fingerprint.size,
                        document_id,
                        source_id,
                    ),
                )
            self._set_location(path, name, source_id, fingerprint.sha256)

    def record(self, rows: Iterable[LedgerRow]) -> None:
        """Appends to the ingestion ledger."""
        with self.together():
            self._connection.executemany(
                "INSERT INTO ingestions (run, at, path, source_fingerprint, document_fingerprint,"
                " source_id, status, code, message, seconds) VALUES (?,?,?,?,?,?,?,?,?,?)",
                [
                    (
                        r.run, r.at, r.path, r.source_fingerprint, r.document_fingerprint,
                        r.source_id, r.status, r.code, r.message, r.seconds,
                    )
                    for r in rows
                ],
            )  # fmt: skip

    def free_source_id(self, name: str, sha256: str) -> str:
        """An id for a new source, made of the file's name, and of its fingerprint where another
        source has the name already."""
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(name).stem).strip("-._")[:120] or "document"
        if self._connection.execute(
            "SELECT 1 FROM sources WHERE source_id = ?", (stem,)
        ).fetchone():
            return f"{stem}-{sha256.removeprefix('sha256:')[:8]}"
        return stem

    def _document_id(self, document_fingerprint: str) -> int:
        row = self._connection.execute(
            "SELECT id FROM documents WHERE document_fingerprint = ?", (document_fingerprint,)
        ).fetchone()
        return int(row[0])

    def _add_version(self, source_id: str, name: str, document_id: int) -> None:
        self._connection.execute(
            "INSERT INTO sources (source_id, name) VALUES (?, ?)"
            f" ON CONFLICT (source_id) DO UPDATE SET name = excluded.name WHERE {UNNAMED}",
            (source_id, name),
        )
        self._connection.execute(
            "INSERT INTO versions (source_id, version, document_id) SELECT ?,"
            " coalesce(max(version), 0) + 1, ? FROM versions WHERE source_id = ?",
            (source_id, document_id, source_id),
        )

    def _set_location(self, path: str, name: str, source_id: str, sha256: str) -> None:
        self._connection.execute(
            "INSERT INTO locations (path, name, source_id, source_fingerprint) VALUES (?,?,?,?)"
            " ON CONFLICT (path) DO UPDATE SET name = excluded.name,"
            " source_id = excluded.source_id, source_fingerprint = excluded.source_fingerprint",
            (path, name, source_id, sha256),
        )

    def _insert_document(self, artifact: Artifact) -> int:
        cursor = self._connection.execute(
            "INSERT INTO documents (document_fingerprint, source_fingerprint, blake3, size,"
            " content_fingerprint, pages_sha256, payload_sha256, parser_name, parser_version,"
            " schema_version, options, status, page_count, element_count, span_count, table_count)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                artifact.document_fingerprint,
                artifact.source.sha256,
                artifact.source.blake3,
                artifact.source.size,
                artifact.content_fingerprint,
                artifact.pages_sha256,
                artifact.payload_sha256,
                artifact.parser_name,
                artifact.parser_version,
                SCHEMA_VERSION,
                _options_json(artifact.options),
                "partial" if artifact.partial else "stored",
                len(artifact.pages),
                sum(len(page.elements) for page in artifact.pages),
                sum(page.span_count for page in artifact.pages),
                artifact.table_count,
            ),
        )
        document_id = cursor.lastrowid
        assert document_id is not None
        _PageInserter(self._connection, document_id).insert(artifact)
        return document_id


class _PageInserter:
    """Turns offsets and numbers within pages into those of the document, and inserts rows."""

    def __init__(self, connection: sqlite3.Connection, document_id: int) -> None:
        self.connection = connection
        self.document_id = document_id
        self.start = 0
        self.elements = 0
        self.spans = 0
        self.tables = 0
        self.rows = 0
        """Rows of the table that was inserted last."""

    def insert(self, artifact: Artifact) -> None:
        self._warnings(0, [(w.code, w.detail) for w in artifact.warnings])
        for number, page in enumerate(artifact.pages, 1):
            self._page(number, page, artifact.page_fingerprints[number - 1])
            self._spans(number, page)
            self._elements(number, page)
            for table in page.tables:
                self._table(number, table)
            self._searches(number, page.searches)
            self._warnings(number, [(w.code, w.detail) for w in page.warnings])
            self.start += len(page.text) + len(PAGE_SEPARATOR)

    def _page(self, number: int, page: PageContent, fingerprint: str) -> None:
        styles = [[s.font, s.size, s.color] for s in page.styles]
        self.connection.execute(
            "INSERT INTO pages (document_id, number, label, frame, char_start, char_end, status,"
            " fingerprint, styles, text, char_boxes) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            (
                self.document_id, number, page.label, _json(page.frame.as_dict()), self.start,
                self.start + len(page.text), page.status, fingerprint, _json(styles), page.text,
                page.packed_boxes,
            ),
        )  # fmt: skip

    def _spans(self, number: int, page: PageContent) -> None:
        document, shift, elements = self.document_id, self.start, self.elements
        rows = (
            (document, number, n, s + shift, e + shift, x0, y0, x1, y1, style, flags,
             element + elements + 1)
            for n, (s, e, x0, y0, x1, y1, style, flags, element) in enumerate(
                page.span_rows(), self.spans + 1
            )
        )  # fmt: skip
        self.connection.executemany("INSERT INTO spans VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", rows)
        self.spans += page.span_count

    def _elements(self, number: int, page: PageContent) -> None:
        rows = []
        for n, e in enumerate(page.elements, self.elements + 1):
            # A table that goes on has its number already.
            table = self.tables + e.table + (not page.continues_table) if e.table >= 0 else 0
            rows.append(
                (self.document_id, number, n, str(e.kind), e.level, e.start + self.start,
                 e.end + self.start, *e.box.as_list(), table)
            )  # fmt: skip
        self.connection.executemany("INSERT INTO elements VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", rows)
        self.connection.executemany(
            "INSERT INTO elements_fts (rowid, text) VALUES (?, ?)",
            (
                (self.document_id << FTS_SHIFT | n, page.text[e.start : e.end])
                for n, e in enumerate(page.elements, self.elements + 1)
            ),
        )
        self.elements += len(page.elements)

    def _table(self, page: int, table: TableContent) -> None:
        """A part of a table. One that goes on adds its rows to the table before, its header apart:
        that was there already."""
        repeated = table.header_rows if table.continues else 0
        if not table.continues:
            self.tables += 1
            self.rows = 0
            self.connection.execute(
                "INSERT INTO tables VALUES (?,?,?,?)",
                (self.document_id, self.tables, 0, table.columns),
            )
        self.connection.execute(
            "INSERT INTO table_parts VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (self.document_id, self.tables, page, *table.box.as_list(), self.rows,
             table.rows - repeated, table.engine, table.reason, int(table.trusted),
             table.caption, self._ranges(table.caption_ranges), table.statement,
             self._ranges(table.statement_ranges)),
        )  # fmt: skip
        self.connection.executemany(
            "INSERT INTO cells VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            self._cells(page, table.cells, self.rows - repeated, continues=table.continues),
        )
        self.rows += table.rows - repeated
        self.connection.execute(
            "UPDATE tables SET rows = ? WHERE document_id = ? AND number = ?",
            (self.rows, self.document_id, self.tables),
        )

    def _cells(
        self, page: int, cells: Iterable[CellContent], shift: int, *, continues: bool
    ) -> Iterator[tuple[object, ...]]:
        for c in cells:
            repeated = continues and c.role is CellRole.COLUMN_HEADER
            row = c.row if repeated else c.row + shift
            role = CellRole.REPEATED_HEADER if repeated else c.role
            yield (
                self.document_id, self.tables, page, row, c.col, c.row_span, c.col_span,
                *c.box.as_list(), c.text, self._ranges(c.ranges), str(role), c.level,
                _json(c.notes),
            )  # fmt: skip

    def _ranges(self, ranges: Iterable[tuple[int, int]]) -> str:
        return _json([[start + self.start, end + self.start] for start, end in ranges])

    def _searches(self, page: int, searches: Iterable[TableSearch]) -> None:
        self.connection.executemany(
            "INSERT INTO table_searches VALUES (?,?,?,?,?,?,?)",
            [
                (self.document_id, page, position, s.engine, s.found, s.taken, s.note)
                for position, s in enumerate(searches)
            ],
        )

    def _warnings(self, page: int, warnings: list[tuple[str, str]]) -> None:
        self.connection.executemany(
            "INSERT INTO warnings VALUES (?,?,?,?,?)",
            [
                (self.document_id, page, position, str(code), detail)
                for position, (code, detail) in enumerate(warnings)
            ],
        )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _options_json(options: dict[str, object]) -> str:
    return _json(options)
