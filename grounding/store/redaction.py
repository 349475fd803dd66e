"""Saved reports without what they repeat of a document."""

from __future__ import annotations

import hashlib
from typing import Any

from grounding.canonical import canonical_bytes

_BLANKED = frozenset(
    {"text", "own_text", "before", "match", "after", "caption", "statement", "marker"}
)
"""Keys under which a report repeats text of a document."""
_EMPTIED = frozenset({"row_labels", "column_labels", "heading_path", "differences"})
"""Lists of it."""
_DROPPED = frozenset({"quantities", "calculation"})
"""Numbers of it, as they were read; a report may be without them."""


def without_text(value: Any) -> Any:
    """Data of a report or an impact with every text of the document taken out: texts are empty,
    lists of texts too, readings of numbers are gone. Claims and citations are whoever's who made
    them, and stay."""
    if isinstance(value, list):
        return [without_text(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _kept(key, item) for key, item in value.items() if key not in _DROPPED}


def _kept(key: str, value: Any) -> Any:
    if key == "claim":
        return value
    if key in _BLANKED and isinstance(value, str):
        return ""
    return [] if key in _EMPTIED else without_text(value)


def without_places_in(report: dict[str, Any], source_id: str) -> dict[str, Any]:
    """A report on another source without the text of places that it found in this one."""
    checks = [
        {**check, "found_elsewhere": [
            without_text(place) if place.get("document") == source_id else place
            for place in check["found_elsewhere"]
        ]} if "found_elsewhere" in check else check
        for check in report["checks"]
    ]  # fmt: skip
    return {**report, "checks": checks}


def marked(report: dict[str, Any], redacted: dict[str, Any], original_sha256: str) -> str:
    """The JSON text of a redacted report. It says so itself: `redacted` has the hash that the
    report had, under which it is kept, and that of what is left without this note."""
    body = {key: value for key, value in redacted.items() if key != "redacted"}
    note = {
        "report_sha256": report.get("redacted", {}).get("report_sha256", original_sha256),
        "sha256": hashlib.sha256(canonical_bytes(body)).hexdigest(),
    }
    return canonical_bytes({**body, "redacted": note}).decode("utf-8")
