"""Checking what an answer cites: against a store, and whether what comes back is a report on it."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import local
from typing import Any

from grounding.errors import (
    DocumentAmbiguousError,
    DocumentNotFoundError,
    PagewitnessError,
    RequestInvalidError,
)
from grounding.json_input import load_json
from grounding.store import Access, StoreReader
from grounding.version import __version__
from verifier.claims import parse_requests
from verifier.config import VerificationConfig
from verifier.gate.cache import CacheKey, ReportCache
from verifier.gate.plan import Planned
from verifier.report import Report, all_evidence_grounded
from verifier.stored import reports_in
from verifier.verify import report_bytes, verify_one
from verifier.views import DocumentIndex

Check = Callable[[Planned], bytes]
"""From a request to the bytes of the report on it; may be called from several threads at once."""
_DOCUMENTS_KEPT = 32


class MalformedReportError(PagewitnessError):
    """What a verifier answered is no report, or not one on what was asked."""

    code = "malformed_report"
    remedy = "look at the verifier"


class StoreCheck:
    """Checks against a store. Every thread has a reader of its own, whose pages stay in memory.

    Kept are reports in which everything is grounded, under the fingerprint of the document, the
    request, the rules, the verifier, the caller and the state of the source map: nothing else can
    change them. What is not grounded may be another time.
    """

    def __init__(
        self,
        path: Path,
        access: Access,
        config: VerificationConfig,
        cache: ReportCache | None = None,
    ) -> None:
        self._path, self._access, self._config, self._cache = path, access, config, cache
        self._here = local()

    def __call__(self, planned: Planned) -> bytes:
        try:
            reader = self._reader()
            with reader.snapshot():
                return self._checked(planned, reader)
        except BaseException:
            self._forget()  # whatever is wrong, the next one begins anew
            raise

    def _checked(self, planned: Planned, reader: StoreReader) -> bytes:
        key = self._key(planned, reader)
        kept = self._cache.get(key) if self._cache is not None and key is not None else None
        if kept is not None:
            return kept
        indexes: dict[Any, DocumentIndex] = self._here.indexes
        if len(indexes) > _DOCUMENTS_KEPT:
            indexes.clear()
        (submitted,) = parse_requests(planned.data).requests
        report = verify_one(submitted, reader, self._config, indexes)
        data = report_bytes(report)
        if self._cache is None or key is None or not report["all_evidence_grounded"]:
            return data
        return self._cache.put(key, data)

    def _key(self, planned: Planned, reader: StoreReader) -> CacheKey | None:
        try:
            found = reader.current(reader.find(planned.document))
        except (DocumentNotFoundError, DocumentAmbiguousError):
            return None
        state = reader.map_identity()
        standing = reader.standing(found)
        return (
            reader.document(found).identity.document_fingerprint,
            planned.sha256,
            self._config.sha256,
            self._config.normalization_profile,
            __version__,
            self._access.tenant,
            "\n".join(sorted(self._access.permissions)),
            f"{state['version']}:{state['sha256']}",
            f"{standing}",
        )

    def _reader(self) -> StoreReader:
        """This thread's reader of the file that is at the path now. What it has in memory is
        dropped with every change of the store: a number of a row may then mean another document."""
        file = self._path.stat()
        if getattr(self._here, "file", None) != (file.st_dev, file.st_ino):
            self._forget()
            self._here.reader = StoreReader(self._path, self._access)
            self._here.file = file.st_dev, file.st_ino
            self._here.state = None
        reader: StoreReader = self._here.reader
        ((state,),) = reader.rows("PRAGMA data_version")
        if state != self._here.state:
            self._here.state, self._here.indexes = state, {}
        return reader

    def _forget(self) -> None:
        if hasattr(self._here, "reader"):
            self._here.reader.__exit__(None, None, None)
            del self._here.reader
            self._here.file = None


@lru_cache(maxsize=256)
def _read(data: bytes) -> Report:
    """The report of some bytes; nobody changes it. Raises MalformedReportError."""
    try:
        reports = reports_in(load_json(data))
    except RequestInvalidError as error:
        raise MalformedReportError(error.message) from error
    if len(reports) != 1:
        raise MalformedReportError("it is a set of reports")
    return reports[0]


def report_on(data: bytes, planned: Planned, config: VerificationConfig) -> Report:
    """The report of some bytes, if it is one on what was planned, under the rules that were meant.
    Raises MalformedReportError: unknown fields and versions may say what must not be missed."""
    report = _read(data)
    said = report["request_sha256"], report["verification_config_sha256"]
    meant = planned.sha256, config.sha256
    if not all(hmac.compare_digest(one, other) for one, other in zip(said, meant, strict=True)):
        raise MalformedReportError("it is on another request, or made by other rules")
    ids = [check["id"] for check in report["checks"]]
    if ids != [f"v{number:04d}" for number in range(1, len(planned.refs) + 1)]:
        raise MalformedReportError("its checks are not those of the claims")
    if [check["claim"].get("id") for check in report["checks"]] != list(planned.refs):
        raise MalformedReportError("its checks are of other claims")
    if report["all_evidence_grounded"] and not all_evidence_grounded(report):
        raise MalformedReportError("it certifies what its own checks do not bear out")
    return report
