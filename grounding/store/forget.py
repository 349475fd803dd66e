"""Forgetting a source: its content goes, and tombstones say that it was there."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from grounding.canonical import canonical_bytes
from grounding.errors import DocumentNotFoundError
from grounding.store.audit_log import remove_texts
from grounding.store.integrity_words import indexed_texts
from grounding.store.redaction import marked, without_places_in, without_text
from grounding.store.repair import PARTS_OF_DOCUMENTS
from grounding.store.source_map import set_source
from grounding.store.writer import StoreWriter, check_source_id

ReportPolicy = Literal["redact", "keep", "delete"]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten. `removed` and `kept` are document fingerprints: those whose content went,
    and those whose content another source still has. Reports are counted as they were dealt with;
    `impacts` are those that went with their reports. Events of the audit log stay, with hashes and
    codes; `audit_texts` are those that a policy had kept beside them."""

    source_id: str
    versions: int
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    reports_redacted: int = 0
    reports_deleted: int = 0
    reports_kept: int = 0
    impacts_deleted: int = 0
    audit_texts_removed: int = 0

    def as_dict(self) -> dict[str, object]:
        """The shape that `--json` prints."""
        return {**asdict(self), "removed": list(self.removed), "kept": list(self.kept)}


def forget(
    writer: StoreWriter, source_id: str, *, reason: str = "", reports: ReportPolicy = "redact"
) -> Forgotten:
    """Removes every version of a source in one transaction. Documents of other sources keep their
    content; what was removed may be in free parts of the file until it is vacuumed.

    Raises DocumentNotFoundError when the store has no version of the source, and UsageError for
    what cannot be the id of one.
    """
    check_source_id(source_id)
    writer.connection.execute("PRAGMA secure_delete = ON")
    with writer.together():
        return _Forgetting(writer, source_id).run(reason, reports)


class _Forgetting:
    """One source on its way out, inside one transaction."""

    def __init__(self, writer: StoreWriter, source_id: str) -> None:
        self._writer, self._source_id = writer, source_id
        self._execute = writer.connection.execute

    def _rows(self, sql: str, *values: object) -> list[tuple[str, ...]]:
        return self._execute(sql, values).fetchall()

    def run(self, reason: str, reports: ReportPolicy) -> Forgotten:
        documents = self._documents()
        if not documents:
            raise DocumentNotFoundError(
                f"the store has no document of a source {self._source_id!r}"
            )
        called = self._names()
        self._bury(reason)
        versions = self._execute(
            "DELETE FROM versions WHERE source_id = ?", (self._source_id,)
        ).rowcount
        self._forget_places()
        removed = {id_: name for id_, name in documents.items() if self._is_nobodys(id_)}
        for document_id in removed:
            self._remove(document_id)
        gone = tuple(sorted(removed.values()))
        kept = tuple(sorted(set(documents.values()) - set(gone)))
        answer = Forgotten(self._source_id, versions, gone, kept)
        if reports != "keep":
            texts = remove_texts(self._writer, gone, called if gone else ())
            answer = replace(answer, audit_texts_removed=texts)
        return _Reports(self._writer, answer).dealt_with(reports)

    def _documents(self) -> dict[int, str]:
        rows = self._execute(
            "SELECT d.id, d.document_fingerprint FROM versions AS v"
            " JOIN documents AS d ON d.id = v.document_id WHERE v.source_id = ? ORDER BY d.id",
            (self._source_id,),
        )
        return dict(rows.fetchall())

    def _names(self) -> set[str]:
        """What a citation may call the source or one of its versions."""
        rows = self._rows(
            "SELECT source_id, name, name, name FROM sources WHERE source_id = ?1 UNION"
            " SELECT name, name, name, name FROM locations WHERE source_id = ?1 UNION"
            " SELECT d.document_fingerprint, d.source_fingerprint, d.blake3, d.content_fingerprint"
            "  FROM versions AS v JOIN documents AS d ON d.id = v.document_id"
            "  WHERE v.source_id = ?1 UNION"
            " SELECT a.source_fingerprint, a.blake3, a.blake3, a.blake3 FROM versions AS v"
            "  JOIN content_aliases AS a ON a.document_id = v.document_id WHERE v.source_id = ?1",
            self._source_id,
        )
        return {name for row in rows for name in row}

    def _bury(self, reason: str) -> None:
        """A tombstone a version. A source that was forgotten before and came back counts on from
        its tombstones."""
        self._execute(
            "INSERT INTO tombstones SELECT v.source_id, v.version + (SELECT coalesce(max(version),"
            " 0) FROM tombstones WHERE source_id = ?1), d.document_fingerprint,"
            " d.source_fingerprint, d.blake3, d.content_fingerprint, ?2, ?3"
            " FROM versions AS v JOIN documents AS d ON d.id = v.document_id"
            " WHERE v.source_id = ?1",
            (self._source_id, datetime.now(UTC).isoformat(timespec="seconds"), reason),
        )

    def _forget_places(self) -> None:
        """Where the files were. The entry in the source map is the application's own: it stays, and
        is withdrawn, so that content which comes back under it has to be approved again."""
        self._execute(
            "UPDATE ingestions SET path = '', message = NULL WHERE source_id = ?1 OR path IN"
            " (SELECT path FROM locations WHERE source_id = ?1)",
            (self._source_id,),
        )
        for table in ("locations", "content_aliases"):
            self._execute(f"DELETE FROM {table} WHERE source_id = ?", (self._source_id,))
        set_source(self._writer, self._source_id, status="withdrawn")

    def _is_nobodys(self, document_id: int) -> bool:
        found = self._execute("SELECT 1 FROM versions WHERE document_id = ?", (document_id,))
        return found.fetchone() is None

    def _remove(self, document_id: int) -> None:
        # The index has no text of its own: it takes words out only where it is told them again.
        self._writer.connection.executemany(
            "INSERT INTO elements_fts (elements_fts, rowid, text) VALUES ('delete', ?, ?)",
            indexed_texts(self._rows, document_id),
        )
        for table in PARTS_OF_DOCUMENTS:
            self._execute(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))
        self._execute("DELETE FROM documents WHERE id = ?", (document_id,))


class _Reports:
    """The saved reports that repeat text of a source or of its documents."""

    def __init__(self, writer: StoreWriter, answer: Forgotten) -> None:
        self._execute, self._answer = writer.connection.execute, answer

    def dealt_with(self, policy: ReportPolicy) -> Forgotten:
        """The answer with what became of the reports."""
        own = self._own()
        if policy == "keep":
            return replace(self._answer, reports_kept=len(own))
        if policy == "delete":
            impacts = sum(self._delete(id_) for id_, _, _ in own)
            return replace(
                self._answer,
                reports_deleted=len(own),
                impacts_deleted=impacts,
                reports_redacted=self._redact_mentions(),
            )
        for id_, digest, text in own:
            self._redact(id_, digest, text)
        return replace(self._answer, reports_redacted=len(own) + self._redact_mentions())

    def _own(self) -> list[tuple[int, str, str]]:
        gone = self._answer.removed
        return self._execute(
            "SELECT id, report_sha256, report FROM saved_reports WHERE source_id = ?"
            f" OR document_fingerprint IN ({', '.join('?' * len(gone))}) ORDER BY id",
            (self._answer.source_id, *gone),
        ).fetchall()

    def _delete(self, report_id: int) -> int:
        """How many impacts went with it."""
        impacts = self._execute("DELETE FROM impacts WHERE report_id = ?", (report_id,)).rowcount
        self._execute("DELETE FROM saved_for WHERE report_id = ?", (report_id,))
        self._execute("DELETE FROM saved_reports WHERE id = ?", (report_id,))
        return impacts

    def _redact(self, report_id: int, digest: str, text: str) -> None:
        report = json.loads(text)
        self._write(report_id, marked(report, without_text(report), digest))
        for check_id, document, detail in self._execute(
            "SELECT check_id, document_fingerprint, detail FROM impacts WHERE report_id = ?",
            (report_id,),
        ).fetchall():
            item = without_text(json.loads(detail))
            self._execute(
                "UPDATE impacts SET detail = ? WHERE report_id = ? AND check_id = ?"
                " AND document_fingerprint = ?",
                (canonical_bytes(item).decode("utf-8"), report_id, check_id, document),
            )

    def _redact_mentions(self) -> int:
        """Reports on other sources that list places in this one; how many there were."""
        source_id, changed = self._answer.source_id, 0
        for id_, digest, text in self._execute(
            "SELECT id, report_sha256, report FROM saved_reports WHERE source_id <> ?"
            " AND instr(report, ?) ORDER BY id",
            (source_id, json.dumps(source_id, ensure_ascii=False)),
        ).fetchall():
            report = json.loads(text)
            redacted = without_places_in(report, source_id)
            if redacted != report:
                self._write(id_, marked(report, redacted, digest))
                changed += 1
        return changed

    def _write(self, report_id: int, text: str) -> None:
        self._execute("UPDATE saved_reports SET report = ? WHERE id = ?", (text, report_id))
