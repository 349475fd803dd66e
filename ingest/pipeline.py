"""An ingestion run: discover, fingerprint, read in workers, store in order, one row a file.

Only this process writes to the store. Every decision about a file is taken when its turn to be
stored comes, in the order of the input, so that the result does not depend on how many workers
there are or on which of them is faster.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grounding.artifact import Artifact
from grounding.errors import Refusal, UsageError, refusal
from grounding.fingerprint import SourceFingerprint, fingerprint_file
from grounding.store import LedgerRow, StoredDocument, StoreWriter, check_source_id
from grounding.store.connection import store_errors
from ingest.discover import Found, discover
from ingest.executors import DEFAULT_TIMEOUT, Executor, Job, Outcome, ProcessExecutor
from ingest.worker import Rules, too_large, unreadable

STATUSES = ("stored", "partial", "unchanged", "alias", "refused")


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How a run goes. `jobs` worker processes; `timeout` wall seconds a file; see worker.Rules for
    the other limits. `source_id` forces the source of the only file; `reparse` reads known bytes
    again."""

    jobs: int = 1
    rules: Rules = field(default_factory=Rules)
    timeout: float = DEFAULT_TIMEOUT
    source_id: str | None = None
    reparse: bool = False


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one file, as `ingest --json` prints it. Counts are those of the document
    version that the file stands for, whether or not it was read now."""

    path: str
    source_id: str | None = None
    document_fingerprint: str | None = None
    source_fingerprint: str | None = None
    blake3: str | None = None
    status: str = "refused"
    pages: int = 0
    elements: int = 0
    spans: int = 0
    tables: int = 0
    warnings: tuple[str, ...] = ()
    error: dict[str, str] | None = None
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "warnings": list(self.warnings)}


@dataclass(slots=True)
class IngestSummary:
    """Totals of a run: files by status, pages read by it, and its wall time in seconds."""

    run: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    seconds: float = 0.0

    def add(self, result: FileResult) -> None:
        self.counts[result.status] += 1
        if result.status in ("stored", "partial"):
            self.pages += result.pages

    @property
    def refused(self) -> int:
        return self.counts["refused"]


def ingest(
    paths: Sequence[str],
    db: Path,
    options: IngestOptions,
    on_outcome: Callable[[FileResult], None] = lambda result: None,
    *,
    on_found: Callable[[int], None] = lambda files: None,
    executor: Executor | None = None,
) -> IngestSummary:
    """Brings files into the store at `db`, which is created when it does not exist.

    `on_found` hears how many files there are, `on_outcome` of every file right after it was
    stored, in input order. Raises UsageError and StoreError; what is wrong with a file is in its
    result. Whatever ends the run early, Ctrl-C too, leaves every file stored wholly or not at all.
    """
    started = time.monotonic()
    found = discover(paths)
    _check_source_id(options, len(found))
    on_found(len(found))
    workers = max(1, min(options.jobs, len(found)))
    executor = executor or ProcessExecutor(workers, options.rules, options.timeout)
    summary = IngestSummary(uuid.uuid4().hex)

    def done(result: FileResult) -> None:
        summary.add(result)
        on_outcome(result)

    with StoreWriter(db) as writer:
        run = _Run(writer, options, summary.run, done)
        with closing(executor.run(run.jobs(found))) as outcomes:
            for outcome in outcomes:
                run.read(outcome)
            run.settle_waiting()
    summary.seconds = time.monotonic() - started
    return summary


def _check_source_id(options: IngestOptions, files: int) -> None:
    if options.source_id is None:
        return
    check_source_id(options.source_id)
    if files != 1:
        raise UsageError(
            f"a source id was given for {files} files",
            remedy="ingest that file alone, or leave out --source-id",
        )


@dataclass(slots=True)
class _Item:
    """A file between discovery and its row. `job` is None when its bytes need no reading."""

    found: Found
    fingerprint: SourceFingerprint | None = None
    tenant: str = ""
    """Whose source the file belongs to. What others have of the same content counts for nothing."""
    refused: Refusal | None = None
    job: Job | None = None
    seconds: float = 0.0

    @property
    def reading(self) -> tuple[str, str]:
        """What one reading is enough for: its bytes, for one tenant."""
        return (self.fingerprint.sha256 if self.fingerprint else "", self.tenant)

    @property
    def name(self) -> str:
        return stored_text(os.path.basename(self.found.path))

    @property
    def location(self) -> str:
        return stored_text(self.found.location)


def stored_text(path: str) -> str:
    """A path as text that a database takes: bytes that are no UTF-8 become `\\xNN`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def comparable(artifact: Artifact) -> bool:
    """Whether equal pages mean the same content. Two scans without a text layer look equal here
    and may show anything; so do pages that could not be read."""
    legible = all(page.status == "ok" for page in artifact.pages)
    return legible and any(page.text.strip() for page in artifact.pages)


class _Run:
    """The files of one run on their way from discovery into the store."""

    def __init__(
        self,
        writer: StoreWriter,
        options: IngestOptions,
        run: str,
        done: Callable[[FileResult], None],
    ) -> None:
        self.writer = writer
        self.options = options
        self.run = run
        self.done = done
        self.waiting: deque[_Item] = deque()
        self.being_read: set[tuple[str, str]] = set()
        self.refusals: dict[str, Refusal] = {}

    def jobs(self, found: list[Found]) -> Iterator[Job]:
        """The files whose bytes the store does not know. Others are settled on the way, or wait
        for those before them."""
        for file in found:
            item = self._look_at(file)
            self.waiting.append(item)
            if item.job is not None:
                yield item.job
            else:
                self.settle_waiting()

    def read(self, outcome: Outcome) -> None:
        """Stores what the first file that waits for its reading came to."""
        self.settle_waiting()
        item = self.waiting.popleft()
        item.seconds += outcome.seconds
        if item.fingerprint is not None:
            self.being_read.discard(item.reading)
        if outcome.artifact is None:
            item.refused = refusal(outcome.code, outcome.message)
        self._settle(item, outcome.artifact)

    def settle_waiting(self) -> None:
        """Settles the files up to the first one that is being read."""
        while self.waiting and self.waiting[0].job is None:
            self._settle(self.waiting.popleft(), None)

    def _look_at(self, found: Found) -> _Item:
        started = time.monotonic()
        item = _Item(found)
        try:
            item.fingerprint = self._fingerprint(found)
            if item.fingerprint.size > self.options.rules.max_bytes:
                item.refused = too_large(self.options.rules.max_bytes)
        except Refusal as error:
            item.refused = error
        if item.fingerprint is not None and item.refused is None:
            with store_errors(self.writer.path):
                item.tenant = self.writer.tenant_of(self._source_of(item))
                known = item.reading in self.being_read
                known = known or item.fingerprint.sha256 in self.refusals
                known = known or bool(not self.options.reparse and self._known(item))
            if not known:
                self.being_read.add(item.reading)
                item.job = Job(found.location)
        item.seconds = time.monotonic() - started
        return item

    def _fingerprint(self, found: Found) -> SourceFingerprint:
        if found.problem:
            raise refusal("file_not_found", found.problem)
        path = Path(found.location)
        try:
            if not path.is_file() and path.exists():  # reading a pipe or a device may never end
                raise refusal("file_not_found", "it is no regular file")
            return fingerprint_file(path)
        except OSError as error:
            raise unreadable(error) from error

    def _known(self, item: _Item) -> list[StoredDocument]:
        """Documents that a file's bytes stand for, read with the table option of this run."""
        assert item.fingerprint is not None
        found = self.writer.find_bytes(item.fingerprint, item.tenant)
        known = [self.writer.describe(id_) for id_ in found]
        tables = self.options.rules.tables
        return [one for one in known if json.loads(one.options).get("tables") == tables]

    def _settle(self, item: _Item, artifact: Artifact | None) -> None:
        """One transaction: the document or alias, and its row in the ledger."""
        started = time.monotonic()
        with self.writer.together():
            if artifact is not None:
                # The bytes that were read count, should the file have changed in between.
                item.fingerprint = artifact.source
            result = self._stored(item, artifact) or self._refused(item)
            seconds = round(item.seconds + time.monotonic() - started, 3)
            result = replace(result, seconds=seconds)
            self.writer.record([self._row(result)])
        self.done(result)

    def _stored(self, item: _Item, artifact: Artifact | None) -> FileResult | None:
        """None when there is nothing to store: the file is refused."""
        if item.refused is not None or item.fingerprint is None:
            return None
        if artifact is None:
            known = self._known(item)
            return self._known_again(item, item.fingerprint, known) if known else None
        if self.writer.has_document(artifact.document_fingerprint):
            same = self.writer.describe(artifact.document_fingerprint)
            return self._known_again(item, artifact.source, [same])
        content = None
        if comparable(artifact):
            content = self.writer.find_content(artifact, item.tenant)
        if content is not None:
            return self._known_again(item, artifact.source, [self.writer.describe(content)])
        return self._new(item, artifact)

    def _new(self, item: _Item, artifact: Artifact) -> FileResult:
        source = self._source_of(item)
        if source is None:
            source = self.writer.free_source_id(item.name, artifact.source.sha256)
        self.writer.add_document(artifact, item.location, item.name, source)
        stored = self.writer.describe(artifact.document_fingerprint, source)
        return self._result(item, stored, "partial" if artifact.partial else "stored")

    def _known_again(
        self, item: _Item, fingerprint: SourceFingerprint, known: list[StoredDocument]
    ) -> FileResult:
        """The store has what the file says: it is `unchanged` where it was, else an `alias`."""
        source = self._source_of(item)
        described = [
            self.writer.describe(one.document_fingerprint, source, item.tenant) for one in known
        ]
        stored = next((one for one in described if one.source_id == source), described[0])
        if source is None and self.writer.tenant_of(stored.source_id) != item.tenant:
            source = self.writer.free_source_id(item.name, fingerprint.sha256)
        if self.writer.find_location(item.location) == (source, fingerprint.sha256):
            return self._result(item, stored, "unchanged")
        id_, place = stored.document_fingerprint, (item.location, item.name)
        if source is not None:
            self.writer.add_version(id_, *place, source, fingerprint.sha256)
        self.writer.add_alias(id_, fingerprint, *place, source or stored.source_id)
        return self._result(item, self.writer.describe(id_, source), "alias")

    def _source_of(self, item: _Item) -> str | None:
        """The source that the file belongs to: the one asked for, or the one of its location."""
        if self.options.source_id is not None:
            return self.options.source_id
        place = self.writer.find_location(item.location)
        return place[0] if place else None

    def _result(self, item: _Item, stored: StoredDocument, status: str) -> FileResult:
        assert item.fingerprint is not None
        return FileResult(
            path=item.found.path,
            source_id=stored.source_id,
            document_fingerprint=stored.document_fingerprint,
            source_fingerprint=item.fingerprint.sha256,
            blake3=item.fingerprint.blake3,
            status=status,
            pages=stored.pages,
            elements=stored.elements,
            spans=stored.spans,
            tables=stored.tables,
            warnings=stored.warnings,
        )

    def _refused(self, item: _Item) -> FileResult:
        fingerprint = item.fingerprint
        error = item.refused
        if fingerprint is not None:
            changed = refusal("damaged", "the file changed while the run was reading it")
            error = self.refusals.setdefault(fingerprint.sha256, error or changed)
        assert error is not None
        return FileResult(
            path=item.found.path,
            source_fingerprint=fingerprint.sha256 if fingerprint else None,
            blake3=fingerprint.blake3 if fingerprint else None,
            error={"code": error.code, "message": error.message},
        )

    def _row(self, result: FileResult) -> LedgerRow:
        error = result.error or {}
        return LedgerRow(
            run=self.run,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            path=stored_text(result.path),
            status=result.status,
            seconds=result.seconds,
            source_fingerprint=result.source_fingerprint,
            document_fingerprint=result.document_fingerprint,
            source_id=result.source_id,
            code=error.get("code"),
            message=error.get("message"),
        )
