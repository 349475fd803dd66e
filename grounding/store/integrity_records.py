"""What the store has beside documents: fingerprints, versions, locations, reports, tombstones."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from itertools import chain
from pathlib import Path
from typing import Any

from grounding.canonical import canonical_bytes
from grounding.errors import PagewitnessError
from grounding.fingerprint import fingerprint_file, is_fingerprint
from grounding.store.findings import Findings
from grounding.store.rebuilt import Query

_FINGERPRINTS = (
    ("document", "SELECT document_fingerprint, source_fingerprint, blake3, content_fingerprint"
     " FROM documents ORDER BY id"),
    ("alias", "SELECT source_fingerprint, blake3 FROM content_aliases"
     " ORDER BY document_id, source_fingerprint"),
    ("tombstone", "SELECT document_fingerprint, source_fingerprint, blake3, content_fingerprint"
     " FROM tombstones ORDER BY source_id, version"),
    ("location", "SELECT source_fingerprint FROM locations ORDER BY path"),
)  # fmt: skip


def check_records(query: Query, found: Findings) -> None:
    """Everything beside documents; what is wrong goes to `found`."""
    _fingerprints(query, found)
    _source_bytes(query, found)
    _versions(query, found)
    _locations(query, found)
    for report in query(
        "SELECT report_sha256, request_sha256, source_id, document_fingerprint, request, report"
        " FROM saved_reports ORDER BY id"
    ):
        if problem := report_problem(*report):
            found.add("report_hash_mismatch", f"report {report[0]}: {problem}")
    _impacts(query, found)
    _tombstones(query, found)


def _fingerprints(query: Query, found: Findings) -> None:
    for what, sql in _FINGERPRINTS:
        for value in chain.from_iterable(query(sql)):
            if not is_fingerprint(value):
                found.add("fingerprint_malformed", f"{what}: {value!r}")


def _source_bytes(query: Query, found: Findings) -> None:
    """No stored hash covers size and blake3 of a source; its file does, where it is at hand."""
    for path, sha256, blake3, size, document in query(
        "SELECT l.path, d.source_fingerprint, d.blake3, d.size, d.document_fingerprint"
        " FROM locations AS l JOIN documents AS d USING (source_fingerprint) UNION"
        " SELECT l.path, a.source_fingerprint, a.blake3, a.size, d.document_fingerprint"
        " FROM locations AS l JOIN content_aliases AS a USING (source_fingerprint)"
        " JOIN documents AS d ON d.id = a.document_id ORDER BY 1, 5"
    ):
        try:
            there = fingerprint_file(Path(path)) if Path(path).is_file() else None
        except OSError:
            continue  # a file that cannot be read proves nothing, as one that is not there
        if there and there.sha256 == sha256 and (there.blake3, there.size) != (blake3, size):
            found.add("source_bytes_mismatch", f"{blake3}, {size} bytes; the file {path} has"
                      f" {there.blake3}, {there.size} bytes", document)  # fmt: skip


def _versions(query: Query, found: Findings) -> None:
    numbers: dict[str, list[int]] = defaultdict(list)
    for source_id, version in query("SELECT source_id, version FROM versions ORDER BY 1, 2"):
        numbers[source_id].append(version)
    for source_id, versions in numbers.items():
        if versions != list(range(1, len(versions) + 1)):
            found.add("version_numbering_broken", f"source {source_id}: {versions}")
    for (source_id,) in query(
        "SELECT source_id FROM sources AS s WHERE NOT EXISTS (SELECT 1 FROM tombstones AS t"
        "  WHERE t.source_id = s.source_id) AND NOT EXISTS (SELECT 1 FROM source_map_history AS h"
        "  WHERE h.source_id = s.source_id AND json_extract(h.change, '$.declared'))"
        " ORDER BY 1"
    ):
        if source_id not in numbers:
            found.add("source_without_version", f"source {source_id}")
    for (document,) in query(
        "SELECT document_fingerprint FROM documents WHERE id NOT IN"
        " (SELECT document_id FROM versions) ORDER BY id"
    ):
        found.add("document_without_source", "no source has this document", document)


def _locations(query: Query, found: Findings) -> None:
    """The bytes of a path are those of a document of its source, or of a re-save of one."""
    for path, sha256 in query(
        "SELECT l.path, l.source_fingerprint FROM locations AS l WHERE NOT EXISTS"
        " (SELECT 1 FROM versions AS v JOIN documents AS d ON d.id = v.document_id"
        "  LEFT JOIN content_aliases AS a ON a.document_id = d.id WHERE v.source_id = l.source_id"
        "  AND l.source_fingerprint IN (d.source_fingerprint, a.source_fingerprint)) ORDER BY 1"
    ):
        found.add("location_unknown_bytes", f"{path}: {sha256}")


def report_problem(
    digest: str, request_sha256: str, source_id: str, document: str, request: str, text: str
) -> str:
    """What of a saved report is not as it was saved; empty when nothing is. A report that was
    redacted keeps the hash that it had, and has one of what was left of it."""
    try:
        report = json.loads(text)
        redacted = report.pop("redacted", None)
        body = canonical_bytes(report)
        whole = canonical_bytes({**report, "redacted": redacted}) if redacted else body
        computed = hashlib.sha256(body).hexdigest()
        due = redacted["sha256"] if redacted else digest
        if text.encode() != whole or computed != due:
            return "the text is not what its hash says"
        if redacted and redacted["report_sha256"] != digest:
            return "the hash from before its redaction differs"
        expected = (
            report["request_sha256"],
            report["document"].get("source_id", ""),
            report.get("document_fingerprint", ""),
            _request(report),
        )
    except (ValueError, TypeError, LookupError, AttributeError, PagewitnessError) as error:
        return f"{type(error).__name__}: {error}"
    return (
        ""
        if expected == (request_sha256, source_id, document, request)
        else ("what is noted beside it differs")
    )


def _request(report: dict[str, Any]) -> str:
    document = report["document"]
    return canonical_bytes(
        {
            "document": document.get("source_id", document.get("name")),
            "claims": [check["claim"] for check in report["checks"]],
        }
    ).decode()


def _impacts(query: Query, found: Findings) -> None:
    for digest, *noted, detail in query(
        "SELECT r.report_sha256, i.check_id, i.document_fingerprint, i.state, i.detail"
        " FROM impacts AS i JOIN saved_reports AS r ON r.id = i.report_id ORDER BY i.report_id, 2"
    ):
        try:
            item = json.loads(detail)
            same = [item["check_id"], item["document_fingerprint"], item["state"]] == noted
        except (ValueError, TypeError, LookupError):
            same = False
        if not same:
            found.add("report_hash_mismatch", f"impact of {noted[0]} in report {digest}")


def _tombstones(query: Query, found: Findings) -> None:
    """A document may come back under its source, by an ingestion that the ledger knows."""
    back = Counter(
        query(
            "SELECT t.source_id, t.document_fingerprint, t.forgotten_at FROM tombstones AS t"
            " JOIN documents AS d USING (document_fingerprint)"
            " JOIN versions AS v ON v.document_id = d.id AND v.source_id = t.source_id"
            " WHERE NOT EXISTS (SELECT 1 FROM ingestions AS i WHERE i.at >= t.forgotten_at"
            "  AND i.document_fingerprint = t.document_fingerprint"
            "  AND i.source_id = t.source_id AND i.status <> 'refused')"
            " ORDER BY t.source_id, t.version"
        )
    )
    for source_id, document, at in back:
        found.add("forgotten_content_present", f"source {source_id}, forgotten at {at}", document)
