"""Tables of the grounding store, as migrations that only ever get appended to.

Documents, pages, elements, spans, tables and cells are immutable once inserted; sources point at
them through versions. Locations and the ingestion ledger are operational: they know paths and
times, and nothing that is hashed or reported reads them.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from grounding.store.audit_schema import M003, M004

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x50675773  # "PgWs": marks the file as a store of this project
MIGRATION_SET = "pagewitness"
MIGRATION_NAMES = (
    "m001_documents", "m002_living_corpus", "m003_audit_log", "m004_audit_details",
    "m005_tenants",
)  # fmt: skip
"""Every migration this version knows; a store that has others was written by a newer one."""

FTS_SHIFT = 32
"""Bits of a full-text row number that hold the element's number; the document's id is above."""

_M001 = """
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    document_fingerprint TEXT NOT NULL UNIQUE,
    source_fingerprint TEXT NOT NULL,
    blake3 TEXT NOT NULL,
    size INTEGER NOT NULL,
    content_fingerprint TEXT NOT NULL,
    pages_sha256 TEXT NOT NULL,
    payload_sha256 TEXT NOT NULL,
    parser_name TEXT NOT NULL,
    parser_version TEXT NOT NULL,
    schema_version TEXT NOT NULL,
    options TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('stored', 'partial')),
    page_count INTEGER NOT NULL,
    element_count INTEGER NOT NULL,
    span_count INTEGER NOT NULL,
    table_count INTEGER NOT NULL
);
CREATE INDEX documents_source ON documents (source_fingerprint);
CREATE INDEX documents_blake3 ON documents (blake3);
CREATE INDEX documents_content ON documents (pages_sha256);

CREATE TABLE content_aliases (
    source_fingerprint TEXT NOT NULL,
    blake3 TEXT NOT NULL,
    size INTEGER NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents (id),
    PRIMARY KEY (source_fingerprint, document_id)
) WITHOUT ROWID;
CREATE INDEX content_aliases_blake3 ON content_aliases (blake3);
CREATE INDEX content_aliases_document ON content_aliases (document_id);

CREATE TABLE sources (
    source_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'approved'
        CHECK (status IN ('draft', 'approved', 'superseded', 'withdrawn'))
) WITHOUT ROWID;

CREATE TABLE versions (
    source_id TEXT NOT NULL REFERENCES sources (source_id),
    version INTEGER NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents (id),
    PRIMARY KEY (source_id, version)
) WITHOUT ROWID;
CREATE INDEX versions_document ON versions (document_id);

CREATE TABLE locations (
    path TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    source_id TEXT NOT NULL REFERENCES sources (source_id),
    source_fingerprint TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX locations_name ON locations (name);
CREATE INDEX locations_source ON locations (source_id);
CREATE INDEX locations_fingerprint ON locations (source_fingerprint);

CREATE TABLE pages (
    document_id INTEGER NOT NULL REFERENCES documents (id),
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    frame TEXT NOT NULL,
    char_start INTEGER NOT NULL,
    char_end INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('ok', 'no_text', 'garbled', 'failed')),
    fingerprint TEXT NOT NULL,
    styles TEXT NOT NULL,
    text TEXT NOT NULL,
    char_boxes BLOB NOT NULL,
    PRIMARY KEY (document_id, number)
);
CREATE INDEX pages_fingerprint ON pages (fingerprint);

CREATE TABLE elements (
    document_id INTEGER NOT NULL REFERENCES documents (id),
    page INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    level INTEGER NOT NULL,
    char_start INTEGER NOT NULL,
    char_end INTEGER NOT NULL,
    x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    PRIMARY KEY (document_id, page, number)
) WITHOUT ROWID;

CREATE TABLE spans (
    document_id INTEGER NOT NULL REFERENCES documents (id),
    page INTEGER NOT NULL,
    number INTEGER NOT NULL,
    char_start INTEGER NOT NULL,
    char_end INTEGER NOT NULL,
    x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL,
    style INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    element INTEGER NOT NULL,
    PRIMARY KEY (document_id, page, number)
) WITHOUT ROWID;

CREATE TABLE tables (
    document_id INTEGER NOT NULL REFERENCES documents (id),
    number INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    columns INTEGER NOT NULL,
    PRIMARY KEY (document_id, number)
) WITHOUT ROWID;

CREATE TABLE table_parts (
    document_id INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    page INTEGER NOT NULL,
    x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    engine TEXT NOT NULL,
    reason TEXT NOT NULL,
    trusted INTEGER NOT NULL,
    caption TEXT NOT NULL,
    caption_ranges TEXT NOT NULL,
    statement TEXT NOT NULL,
    statement_ranges TEXT NOT NULL,
    PRIMARY KEY (document_id, table_number, page),
    FOREIGN KEY (document_id, table_number) REFERENCES tables (document_id, number)
) WITHOUT ROWID;
CREATE INDEX table_parts_page ON table_parts (document_id, page);

-- Rows count through the parts of a table; those of a header that is printed again count from the
-- top of its page.
CREATE TABLE cells (
    document_id INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    page INTEGER NOT NULL,
    row INTEGER NOT NULL,
    col INTEGER NOT NULL,
    row_span INTEGER NOT NULL,
    col_span INTEGER NOT NULL,
    x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL,
    text TEXT NOT NULL,
    ranges TEXT NOT NULL,
    role TEXT NOT NULL,
    level INTEGER NOT NULL,
    notes TEXT NOT NULL,
    PRIMARY KEY (document_id, table_number, page, row, col),
    FOREIGN KEY (document_id, table_number) REFERENCES tables (document_id, number)
) WITHOUT ROWID;

CREATE TABLE table_searches (
    document_id INTEGER NOT NULL REFERENCES documents (id),
    page INTEGER NOT NULL,
    position INTEGER NOT NULL,
    engine TEXT NOT NULL,
    found INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (document_id, page, position)
) WITHOUT ROWID;

CREATE TABLE warnings (
    document_id INTEGER NOT NULL REFERENCES documents (id),
    page INTEGER NOT NULL,
    position INTEGER NOT NULL,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (document_id, page, position)
) WITHOUT ROWID;

CREATE TABLE ingestions (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    at TEXT NOT NULL,
    path TEXT NOT NULL,
    source_fingerprint TEXT,
    document_fingerprint TEXT,
    source_id TEXT,
    status TEXT NOT NULL,
    code TEXT,
    message TEXT,
    seconds REAL NOT NULL
);
CREATE INDEX ingestions_path ON ingestions (path);

-- The words of every element; its text itself stays in its page. Row numbers are made of the
-- document's id and the element's number (see FTS_SHIFT).
CREATE VIRTUAL TABLE elements_fts USING fts5 (text, content = '', tokenize = 'unicode61');
"""


_M002 = """
ALTER TABLE sources ADD COLUMN effective TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN expires TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN authority TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN permissions TEXT NOT NULL DEFAULT '[]';

-- Every state that the source map has been in; `change` says what was done to which source.
CREATE TABLE source_map_history (
    version INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    source_id TEXT NOT NULL,
    change TEXT NOT NULL
);

-- Where files were last seen. A file that is missing keeps its row.
ALTER TABLE locations ADD COLUMN size INTEGER NOT NULL DEFAULT -1;
ALTER TABLE locations ADD COLUMN mtime_ns INTEGER NOT NULL DEFAULT -1;
ALTER TABLE locations ADD COLUMN missing INTEGER NOT NULL DEFAULT 0;

-- Requests and reports as they were; nothing in them is ever changed.
CREATE TABLE saved_reports (
    id INTEGER PRIMARY KEY,
    report_sha256 TEXT NOT NULL UNIQUE,
    request_sha256 TEXT NOT NULL,
    source_id TEXT NOT NULL,
    document_fingerprint TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    request TEXT NOT NULL,
    report TEXT NOT NULL
);
CREATE INDEX saved_reports_source ON saved_reports (source_id);

-- What became of a saved report's grounded checks on a later version of its document.
CREATE TABLE impacts (
    report_id INTEGER NOT NULL REFERENCES saved_reports (id),
    check_id TEXT NOT NULL,
    document_fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('holds', 'moved', 'changed', 'gone', 'unknown')),
    detail TEXT NOT NULL,
    PRIMARY KEY (report_id, check_id, document_fingerprint)
) WITHOUT ROWID;

-- What was forgotten: fingerprints and no content, so that reports stay explainable.
CREATE TABLE tombstones (
    source_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    document_fingerprint TEXT NOT NULL,
    source_fingerprint TEXT NOT NULL,
    blake3 TEXT NOT NULL,
    content_fingerprint TEXT NOT NULL,
    forgotten_at TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (source_id, version)
) WITHOUT ROWID;
CREATE INDEX tombstones_document ON tombstones (document_fingerprint);
CREATE INDEX tombstones_source ON tombstones (source_fingerprint);
"""

_M005 = """
-- Whose file a re-save was: what a tenant's files are is for nobody else to know.
ALTER TABLE content_aliases RENAME TO former_aliases;
CREATE TABLE content_aliases (
    source_fingerprint TEXT NOT NULL,
    blake3 TEXT NOT NULL,
    size INTEGER NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents (id),
    source_id TEXT NOT NULL REFERENCES sources (source_id),
    PRIMARY KEY (source_fingerprint, document_id, source_id)
) WITHOUT ROWID;
INSERT INTO content_aliases SELECT DISTINCT a.source_fingerprint, a.blake3, a.size, a.document_id,
    v.source_id FROM former_aliases AS a JOIN versions AS v ON v.document_id = a.document_id
    WHERE EXISTS (SELECT 1 FROM locations AS l WHERE l.source_id = v.source_id
        AND l.source_fingerprint = a.source_fingerprint)
    OR NOT EXISTS (SELECT 1 FROM locations AS l
        WHERE l.source_fingerprint = a.source_fingerprint);
DROP TABLE former_aliases;
CREATE INDEX content_aliases_blake3 ON content_aliases (blake3);
CREATE INDEX content_aliases_document ON content_aliases (document_id);

-- For whom reports were saved, in the order in which they were.
CREATE TABLE saved_for (
    id INTEGER PRIMARY KEY,
    report_id INTEGER NOT NULL REFERENCES saved_reports (id),
    tenant TEXT NOT NULL,
    UNIQUE (report_id, tenant)
);
INSERT INTO saved_for (report_id, tenant) SELECT r.id, coalesce((SELECT s.tenant FROM sources AS s
    WHERE s.source_id = r.source_id), '') FROM saved_reports AS r ORDER BY r.id;
"""


def migrate(db: Database) -> None:
    """Brings a store to this version's schema; does nothing when it is there already."""
    from sqlite_utils.migrations import Migrations

    migrations = Migrations(MIGRATION_SET)

    @migrations(name=MIGRATION_NAMES[0])
    def documents(db: Database) -> None:
        for statement in _statements(_M001):
            db.conn.execute(statement)

    @migrations(name=MIGRATION_NAMES[1])
    def living_corpus(db: Database) -> None:
        for statement in _statements(_M002):
            db.conn.execute(statement)

    @migrations(name=MIGRATION_NAMES[2])
    def audit_log(db: Database) -> None:
        for statement in _statements(M003):
            db.conn.execute(statement)

    @migrations(name=MIGRATION_NAMES[3])
    def audit_details(db: Database) -> None:
        for statement in _statements(M004):
            db.conn.execute(statement)

    @migrations(name=MIGRATION_NAMES[4])
    def tenants(db: Database) -> None:
        for statement in _statements(_M005):
            db.conn.execute(statement)

    migrations.apply(db)


def _statements(script: str) -> list[str]:
    """The statements of a script one by one: executescript() would commit the transaction that
    makes a migration all or nothing."""
    statements, pending = [], ""
    for line in script.splitlines():
        pending += line + "\n"
        if sqlite3.complete_statement(pending):
            statements.append(pending.strip())
            pending = ""
    return statements
