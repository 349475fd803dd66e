"""Reports that were kept, and what became of them on later versions of their documents."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from grounding.canonical import canonical_bytes
from grounding.store.access import VISIBLE
from grounding.store.reader import StoreReader
from grounding.store.writer import StoreWriter


@dataclass(frozen=True, slots=True)
class SavedReport:
    """A report as it was made, with its number in the store."""

    id: int
    report_sha256: str
    source_id: str
    document_fingerprint: str
    report: dict[str, Any]


def save_report(writer: StoreWriter, report: dict[str, Any], tenant: str = "") -> str:
    """Keeps a report and the request that it answers for a tenant (`''`: for all); the SHA-256 of
    its canonical bytes. The same report is kept once."""
    text = canonical_bytes(report).decode("utf-8")
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    request = {
        "document": report["document"].get("source_id", report["document"]["name"]),
        "claims": [check["claim"] for check in report["checks"]],
    }
    row = (
        digest,
        report["request_sha256"],
        report["document"].get("source_id", ""),
        report.get("document_fingerprint", ""),
        datetime.now(UTC).isoformat(timespec="seconds"),
        canonical_bytes(request).decode("utf-8"),
        text,
    )
    with writer.together():
        writer.connection.execute(
            "INSERT OR IGNORE INTO saved_reports (report_sha256, request_sha256, source_id,"
            " document_fingerprint, saved_at, request, report) VALUES (?,?,?,?,?,?,?)",
            row,
        )
        writer.connection.execute(
            "INSERT OR IGNORE INTO saved_for (report_id, tenant)"
            " SELECT id, ? FROM saved_reports WHERE report_sha256 = ?",
            (tenant, digest),
        )
    return digest


def saved_reports(reader: StoreReader, source_id: str | None = None) -> list[SavedReport]:
    """The reports that were kept for whoever reads, of one source or of all, oldest first. What
    another tenant asked of a source that all share is for nobody else to know."""
    rows = reader.rows(
        "SELECT r.id, r.report_sha256, r.source_id, r.document_fingerprint, r.report"
        " FROM saved_reports AS r JOIN saved_for AS s ON s.report_id = r.id"
        f" WHERE (?1 IS NULL OR r.source_id = ?1) AND {VISIBLE} GROUP BY r.id ORDER BY min(s.id)",
        source_id,
    )
    return [
        SavedReport(id_, digest, source, document, json.loads(report))
        for id_, digest, source, document, report in rows
    ]


def save_impacts(writer: StoreWriter, report_id: int, items: list[dict[str, Any]]) -> None:
    """Keeps what became of a report's checks on one later version."""
    with writer.together():
        writer.connection.executemany(
            "INSERT OR REPLACE INTO impacts VALUES (?,?,?,?,?)",
            [
                (
                    report_id,
                    item["check_id"],
                    item["document_fingerprint"],
                    item["state"],
                    canonical_bytes(item).decode("utf-8"),
                )
                for item in items
            ],
        )


def saved_impacts(
    reader: StoreReader, report_id: int, document_fingerprint: str
) -> list[dict[str, Any]]:
    """What is kept about a report on one later version, in the order of its checks."""
    rows = reader.rows(
        "SELECT detail FROM impacts WHERE report_id = ? AND document_fingerprint = ?"
        " ORDER BY check_id",
        report_id,
        document_fingerprint,
    )
    return [json.loads(detail) for (detail,) in rows]
