"""The whole store against itself: everything that can be proven from what is in it.

Columns that nothing else in the store proves are in OPERATIONAL; of them only the form is checked,
or nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from grounding.errors import StoreDamagedError
from grounding.store.audit_chain import verify_store
from grounding.store.audit_schema import GUARDS
from grounding.store.connection import store_errors
from grounding.store.findings import Finding, Findings
from grounding.store.integrity_documents import check_document
from grounding.store.integrity_records import check_records
from grounding.store.integrity_words import check_words
from grounding.store.reader import StoreReader
from grounding.store.rebuilt import document_rows

OPERATIONAL = {
    "_sqlite_migrations": {"id", "migration_set", "name", "applied_at"},
    "sources": {"name", "status", "effective", "expires", "authority", "tenant", "permissions"},
    "locations": {"path", "name", "size", "mtime_ns", "missing"},
    "ingestions": {"id", "run", "at", "path", "source_fingerprint", "document_fingerprint",
                   "source_id", "status", "code", "message", "seconds"},
    "source_map_history": {"version", "at", "source_id", "change"},
    "saved_reports": {"id", "saved_at"},
    "saved_for": {"id", "report_id", "tenant"},
    "tombstones": {"source_id", "version", "document_fingerprint", "source_fingerprint", "blake3",
                   "content_fingerprint", "forgotten_at", "reason"},
}  # fmt: skip
"""Columns that say what people and runs did, and that nothing else in the store repeats."""

PROVED_BY_FILES = {
    "documents": {"blake3", "size"},
    "content_aliases": {"source_fingerprint", "blake3", "size", "source_id"},
}
"""Columns about the source's bytes that only its file proves, where it is at its location."""

_MOST_LINES = 1000
_NULL_VALUE = re.compile(r"NULL value in (\w+)\.(\w+)")


class _CheckedStore(StoreReader):
    """A store that may be compared with tables in the connection's own temporary database."""

    def documents(self) -> dict[int, str]:
        """Fingerprints of all documents by id."""
        return dict(self.rows("SELECT id, document_fingerprint FROM documents ORDER BY id"))

    def check_file(self, found: Findings) -> None:
        """What SQLite itself says about the file."""
        for (line,) in self.rows(f"PRAGMA integrity_check({_MOST_LINES})"):
            if line != "ok" and not self._is_mistaken(str(line)):
                found.add("database_damaged", str(line))
        rows = self.rows("PRAGMA foreign_key_check")
        orphans = Counter((table, parent) for table, _, parent, _ in rows)
        for (table, parent), count in sorted(orphans.items()):
            found.add("orphan_rows", f"{count} of {table} belong to {parent} that are not there")

    def _is_mistaken(self, line: str) -> bool:
        """SQLite 3.40 calls values NULL that are not, in tables without row numbers whose key is
        not made of their first columns."""
        said = _NULL_VALUE.fullmatch(line)
        if said is None:
            return False
        table, column = said.groups()
        nulls = self.rows(f"SELECT 1 FROM {table} WHERE typeof({column}) = 'null' LIMIT 1")
        return not nulls

    def check_documents(self, found: Findings) -> None:
        """Every document. One that cannot be read does not keep the others from being checked."""
        for document_id, name in self.documents().items():
            try:
                check_document(document_rows(self.rows, document_id), found)
            except StoreDamagedError as error:
                found.add("database_damaged", error.message, name)

    def check_audit(self, found: Findings) -> None:
        """The audit log; nothing of it is ever made again."""
        broken = verify_store(self).broken
        if broken is not None:
            found.add("audit_chain_broken", f"event {broken.seq}: {broken.code}: {broken.detail}")
        there = dict(self.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        for name, sql in GUARDS.items():
            if there.get(name) != sql:
                found.add("audit_guards_missing", f"trigger {name}")

    def check_index(self, found: Findings) -> None:
        """The full-text index."""
        self._connection.execute("PRAGMA query_only = OFF")  # for the temporary database
        try:
            check_words(self._connection, self.documents(), self.rows, found)
        finally:
            self._connection.execute("PRAGMA query_only = ON")


def check_store(path: Path) -> list[Finding]:
    """Everything that is not as it must be, in a fixed order; reads one state of the store and
    holds up no writer. Raises StoreError where there is no usable store."""
    found = Findings()
    with _CheckedStore(path) as store, store.snapshot():
        for check in (
            store.check_file,
            store.check_documents,
            lambda into: check_records(store.rows, into),
            store.check_audit,
            store.check_index,
        ):
            try:
                with store_errors(path):
                    check(found)
            except StoreDamagedError as error:
                found.add("database_damaged", error.message)
    return found.all()
