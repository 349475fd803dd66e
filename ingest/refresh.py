"""What became of the files that a store knows: unchanged, changed, renamed, moved, missing, back.

A file whose size and time of change are as noted is taken for unchanged; `paranoid` hashes every
file. A time that lies within two seconds of the look is not noted, since the file may still change
within it: such a file is hashed at the next refresh. Only blake3 is computed here; files that
changed are read again by an ordinary ingestion.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from blake3 import blake3

from grounding.pages import PageChanges, page_changes
from grounding.store import OPERATOR, StoreReader, StoreWriter
from grounding.store.locations import (
    KnownFile,
    SeenFile,
    known_files,
    note_missing,
    note_renamed,
    note_seen,
    page_fingerprints,
)
from ingest.discover import Found, discover
from ingest.pipeline import FileResult, IngestOptions, ingest, stored_text

State = Literal[
    "unchanged", "metadata_changed", "changed", "new", "renamed", "moved", "missing", "restored",
    "refused",
]  # fmt: skip
_RACY_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What became of one file. `previous` is the document that it stood for before, `old_path`
    where it was."""

    path: str
    status: State
    source_id: str = ""
    document_fingerprint: str = ""
    previous: str = ""
    old_path: str = ""
    pages: PageChanges = field(default_factory=PageChanges)
    error: dict[str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """One line of `refresh --json`."""
        data: dict[str, Any] = {
            "path": self.path,
            "status": self.status,
            "source_id": self.source_id or None,
            "document_fingerprint": self.document_fingerprint or None,
            "error": self.error,
        }
        if self.previous:
            data["previous_fingerprint"] = self.previous
        if self.old_path:
            data["old_path"] = self.old_path
        if self.status == "changed":
            data["pages_changed"] = list(self.pages.changed)
            data["pages_added"] = list(self.pages.added)
            data["pages_removed"] = list(self.pages.removed)
            data["pages_moved"] = [list(pair) for pair in self.pages.moved]
        return data


def refresh(
    paths: Sequence[str],
    db: Path,
    options: IngestOptions,
    *,
    paranoid: bool = False,
    on_result: Callable[[Refreshed], None] = lambda result: None,
) -> list[Refreshed]:
    """Looks at paths, or at every file that the store knows, and brings the store up to date.

    Every result is also handed to `on_result`, in the order of paths. Raises UsageError and
    StoreError; what is wrong with a file is in its result.
    """
    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        known = known_files(reader)
        current = {
            row.source_id: row.document_fingerprint for row in reader.sources() if row.current
        }
    look = _Look(known, current, paranoid)
    look.at(_candidates(paths, known))
    look.pair_renamed()
    with StoreWriter(db) as writer:
        look.note(writer)
    results = {**look.settled, **_read_again(look, db, options)}
    ordered = [results[path] for path in sorted(results)]
    for result in ordered:
        on_result(result)
    return ordered


def _candidates(paths: Sequence[str], known: dict[str, KnownFile]) -> Iterator[Found]:
    """The files to look at: what the paths mean, and what the store knows below them."""
    if not paths:
        yield from (Found(path, path) for path in known)
        return
    seen = set()
    for found in discover(paths):
        seen.add(stored_text(found.location))
        yield found
    roots = [stored_text(os.path.realpath(path)) for path in paths]
    for path in known:
        below = any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)
        if below and path not in seen:
            yield Found(path, path)


class _Look:
    """What a look at the files found, before anything is written."""

    def __init__(
        self, known: dict[str, KnownFile], current: dict[str, str], paranoid: bool
    ) -> None:
        self.known, self.current, self.paranoid = known, current, paranoid
        self.settled: dict[str, Refreshed] = {}
        self.seen: list[SeenFile] = []
        self.renamed: list[tuple[str, SeenFile, str]] = []
        self.to_read: dict[str, Found] = {}
        self._new: dict[str, tuple[Found, str, SeenFile]] = {}
        self._by_hash: dict[str, list[KnownFile]] = {}
        for file in known.values():
            self._by_hash.setdefault(file.blake3, []).append(file)

    def at(self, candidates: Iterator[Found]) -> None:
        for found in candidates:
            path = stored_text(found.location)
            if path not in self.settled and path not in self.to_read and path not in self._new:
                self._one(found, path, self.known.get(path))

    def _one(self, found: Found, path: str, known: KnownFile | None) -> None:
        seen = _seen(found, path)
        if seen is None:
            self._absent(found, path, known)
        elif known is None:
            self._new[path] = (found, _hash(found.location), seen)
        elif self._as_noted(known, seen) or _hash(found.location) == known.blake3:
            self.seen.append(seen)
            self.settled[path] = self._result(path, "restored" if known.missing else "unchanged")
        else:
            self.to_read[path] = found

    def _absent(self, found: Found, path: str, known: KnownFile | None) -> None:
        if known is not None:
            self.settled[path] = self._result(path, "missing")
            return
        error = {"code": "file_not_found", "message": found.problem or "there is no such file"}
        self.settled[path] = Refreshed(found.path, "refused", error=error)

    def _as_noted(self, known: KnownFile, seen: SeenFile) -> bool:
        same = (known.size, known.mtime_ns) == (seen.size, seen.mtime_ns)
        return not self.paranoid and same and seen.mtime_ns >= 0

    def pair_renamed(self) -> None:
        """Puts new files together with missing ones of the same bytes; the rest is to be read."""
        for path, (found, digest, seen) in self._new.items():
            lost = [f for f in self._by_hash.get(digest, ()) if self._is_missing(f.path)]
            if not digest or not lost:
                self.to_read[path] = found
                continue
            old = min(
                lost, key=lambda f: (os.path.dirname(f.path) != os.path.dirname(path), f.path)
            )
            same_folder = os.path.dirname(old.path) == os.path.dirname(path)
            self.settled.pop(old.path, None)
            self.known.pop(old.path)
            self.renamed.append((old.path, seen, os.path.basename(path)))
            document = self.current.get(old.source_id, "")
            state: State = "renamed" if same_folder else "moved"
            self.settled[path] = Refreshed(path, state, old.source_id, document, old_path=old.path)

    def _is_missing(self, path: str) -> bool:
        known = self.known.get(path)
        return known is not None and not os.path.exists(path)

    def note(self, writer: StoreWriter) -> None:
        """Writes down what needs no reading."""
        with writer.together():
            note_seen(writer, self.seen)
            lost = [path for path, one in self.settled.items() if one.status == "missing"]
            note_missing(writer, lost)
            for old, seen, name in self.renamed:
                note_renamed(writer, old, seen, name)

    def _result(self, path: str, status: State) -> Refreshed:
        source = self.known[path].source_id
        return Refreshed(path, status, source, self.current.get(source, ""))


def _read_again(look: _Look, db: Path, options: IngestOptions) -> dict[str, Refreshed]:
    """Ingests what changed and what is new, and tells what that made of it."""
    if not look.to_read:
        return {}
    results: list[FileResult] = []
    locations = [found.location for found in look.to_read.values()]
    ingest(locations, db, options, results.append)
    with StoreWriter(db) as writer:
        seen = [_seen(found, path) for path, found in look.to_read.items()]
        note_seen(writer, [file for file in seen if file is not None])
    with StoreReader(db, OPERATOR) as reader, reader.snapshot():
        return {
            path: _told(path, result, look, reader)
            for path, result in zip(look.to_read, results, strict=True)
        }


def _told(path: str, result: FileResult, look: _Look, reader: StoreReader) -> Refreshed:
    known = look.known.get(path)
    if result.status == "refused":
        source = known.source_id if known is not None else ""
        return Refreshed(path, "refused", source, error=result.error)
    document, source = result.document_fingerprint or "", result.source_id or ""
    if known is None:
        return Refreshed(path, "new", source, document)
    previous = look.current.get(known.source_id, "")
    if document == previous:
        state: State = "metadata_changed" if result.status == "alias" else "unchanged"
        return Refreshed(path, state, source, document)
    old, new = page_fingerprints(reader, previous), page_fingerprints(reader, document)
    return Refreshed(path, "changed", source, document, previous, pages=page_changes(old, new))


def _seen(found: Found, path: str) -> SeenFile | None:
    """The file as it is; None when it is not there, or is no regular file."""
    try:
        stat = os.stat(found.location)
    except OSError:
        return None
    if found.problem or not os.path.isfile(found.location):
        return None
    racy = time.time_ns() - stat.st_mtime_ns < _RACY_NS
    return SeenFile(path, stat.st_size, -1 if racy else stat.st_mtime_ns)


def _hash(location: str) -> str:
    """The blake3 fingerprint of a file; empty when it cannot be read: its ingestion says why."""
    try:
        if os.path.getsize(location) == 0:
            return f"blake3:{blake3(b'').hexdigest()}"
        return f"blake3:{blake3(max_threads=blake3.AUTO).update_mmap(location).hexdigest()}"
    except OSError:
        return ""
