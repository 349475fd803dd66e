"""Reading known documents again with another parser version or other options: first what would
change, then the change itself."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grounding.pages import PageChanges, page_changes
from grounding.store import OPERATOR, StoreReader
from grounding.store.locations import known_files, page_fingerprints
from ingest.pipeline import FileResult, IngestOptions, ingest


@dataclass(frozen=True, slots=True)
class Reparsed:
    """What another reading of a source's bytes would make. `text_changed` are pages whose text
    would be another one, `pages` those whose geometry or structure would; `problem` says why it
    could not be told."""

    source_id: str
    path: str
    document_fingerprint: str = ""
    would_be: str = ""
    text_changed: tuple[int, ...] = ()
    pages: PageChanges = field(default_factory=PageChanges)
    problem: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "source_id": self.source_id,
            "path": self.path,
            "document_fingerprint": self.document_fingerprint,
            "would_be": self.would_be or None,
            "pages_with_other_text": list(self.text_changed),
            "pages_with_other_geometry": list(self.pages.changed),
            "problem": self.problem or None,
        }

    def line(self) -> str:
        """For a person."""
        if self.problem:
            return f"cannot tell        {self.source_id}  {self.problem}"
        told = f"{len(self.text_changed)} page(s) with other text"
        return f"would be read anew  {self.source_id}  {told}, {len(self.pages.changed)} changed"


def plan_reparse(db: Path, options: IngestOptions) -> list[Reparsed]:
    """Which current documents this parser with these options reads otherwise, by source. They are
    read into a store that is gone afterwards; nothing is changed. Raises StoreError."""
    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        files = [file for file in known_files(reader).values() if not file.missing]
        current = {row.source_id: row for row in reader.sources() if row.current}
        wanted: dict[str, str] = {}
        for file in files:
            row = current.get(file.source_id)
            if row is not None and row.source_fingerprint == file.source_fingerprint:
                wanted.setdefault(file.source_id, file.path)
        if not wanted:
            return []
        with tempfile.TemporaryDirectory(prefix="pagewitness-") as folder:
            other = Path(folder) / "other.db"
            results: list[FileResult] = []
            ingest(list(wanted.values()), other, options, results.append)
            with StoreReader(other) as fresh:
                told = [
                    _told(source, path, result, reader, fresh)
                    for (source, path), result in zip(wanted.items(), results, strict=True)
                ]
    return [item for item in told if item is not None]


def apply_reparse(db: Path, options: IngestOptions, plan: Sequence[Reparsed]) -> list[FileResult]:
    """Reads the planned documents again; each becomes a new version of its source."""
    results: list[FileResult] = []
    paths = [item.path for item in plan if not item.problem]
    if paths:
        ingest(paths, db, replace(options, reparse=True), results.append)
    return results


def _told(
    source: str, path: str, result: FileResult, reader: StoreReader, fresh: StoreReader
) -> Reparsed | None:
    """None when the reading is the same."""
    old = reader.open(source).identity.document_fingerprint
    if result.document_fingerprint is None:
        said = result.error or {"code": "refused", "message": "it cannot be read"}
        return Reparsed(source, path, old, problem=f"{said['code']}: {said['message']}")
    new = result.document_fingerprint
    if new == old:
        return None
    before, after = reader.open(old), fresh.open(new)
    numbers = range(1, min(len(before.pages), len(after.pages)) + 1)
    texts = tuple(n for n in numbers if before.page_text(n) != after.page_text(n))
    pages = page_changes(page_fingerprints(reader, old), page_fingerprints(fresh, new))
    return Reparsed(source, path, old, new, texts, pages)
