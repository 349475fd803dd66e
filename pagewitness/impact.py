"""Impact for the doors: saved reports whose document has a newer version, checked again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from grounding.pages import page_map
from grounding.store import SHARED, Access, StoreReader, StoreWriter
from grounding.store.locations import page_fingerprints
from grounding.store.saved import SavedReport, save_impacts, saved_impacts, saved_reports

if TYPE_CHECKING:
    from verifier.config import VerificationConfig


def impacts_of(
    db: Path,
    sources: Iterable[str] | None,
    config: VerificationConfig,
    access: Access = SHARED,
    as_of: str | None = None,
) -> list[dict[str, Any]]:
    """What became of the saved citations of some sources (None: of all that may be read) on the
    current versions. What was found out once is kept in the store and not made again, but for what
    the source map does not allow to be looked at now, and for answers of one day (`as_of`)."""
    found: list[dict[str, Any]] = []
    made: list[tuple[int, list[dict[str, Any]]]] = []
    with StoreReader(db, access) as reader, reader.snapshot():
        wanted = None if sources is None else set(sources)
        current = {
            row.source_id: row.document_fingerprint
            for row in reader.sources()
            if row.current and reader.standing(reader.find(row.source_id)).permitted
        }
        for saved in saved_reports(reader):
            document = current.get(saved.source_id)
            if document in (None, saved.document_fingerprint):
                continue
            if wanted is not None and saved.source_id not in wanted:
                continue
            items = _kept(saved, document, reader, config, as_of)
            if not items:
                items = _made(saved, reader, config, as_of)
                if not any(item.get("reason", "").startswith("source_") for item in items):
                    made.append((saved.id, items))
            found += items
    if made:
        with StoreWriter(db) as writer, writer.together():
            for report_id, items in made:
                save_impacts(writer, report_id, items)
    return found


def _kept(
    saved: SavedReport,
    document: str,
    reader: StoreReader,
    config: VerificationConfig,
    as_of: str | None,
) -> list[dict[str, Any]]:
    """What was found out before, where the source may be used still; else nothing."""
    from verifier.trusted import refusal

    standing = reader.standing(reader.find(saved.source_id))
    if refusal(standing, as_of, require_date=config.require_date) is not None:
        return []
    return saved_impacts(reader, saved.id, document)


def _made(
    saved: SavedReport, reader: StoreReader, config: VerificationConfig, as_of: str | None
) -> list[dict[str, Any]]:
    from verifier.impact import impacts
    from verifier.report import Report

    new = reader.open(saved.source_id).identity.document_fingerprint
    pages = page_map(
        page_fingerprints(reader, saved.document_fingerprint), page_fingerprints(reader, new)
    )
    report = cast(Report, saved.report)
    made = impacts(report, saved.report_sha256, saved.source_id, reader, config, pages, as_of)
    return cast(list[dict[str, Any]], made)


def impact_line(item: dict[str, Any]) -> str:
    """One impact for a person: state, place, and what the text is now."""
    was, now = item["was"], item.get("now", {})
    place = f"page {was['page']}" if "page" in was else "the document"
    text = f'"{_short(was.get("text", ""))}"'
    line = f"{item['state']:<8}  {item['document']}  {item['check_id']}  {place}  {text}"
    if item["state"] == "moved" and "page" in now:
        return f"{line}  now on page {now['page']}"
    if item["state"] == "changed":
        return f'{line}  now "{_short(now.get("text", ""))}"'
    return line


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"
