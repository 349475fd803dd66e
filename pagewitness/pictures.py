"""Pictures for the doors: finds a source's bytes, checks them, and renders what a report cites."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grounding.errors import PagewitnessError
from grounding.store import StoredSource, StoreReader
from verifier.crops import crop_requests
from verifier.proof import reports_of
from verifier.report import Report, ReportSet

if TYPE_CHECKING:
    from grounding.crop import CropRenderer


def renderer_for(source: StoredSource, reader: StoreReader, pdf: Path | None) -> CropRenderer:
    """A renderer over the source's own bytes. Raises CropError when they are gone or changed."""
    from ingest.rendering import PdfRenderer, checked_bytes

    fingerprint = source.identity.source_fingerprint
    known = (*reader.locations(fingerprint), *reader.locations_of(source.identity.source_id))
    paths = [pdf] if pdf is not None else [Path(path) for path in known]
    return PdfRenderer(checked_bytes(paths, fingerprint))


def without_pictures(report: int, check_id: str) -> list[tuple[bytes, str, int]]:
    """The pictures of a document whose bytes are not at hand."""
    return []


class Pictures:
    """The pictures of a report's checks, rendered when the page is written."""

    def __init__(self, report: Report | ReportSet, reader: StoreReader) -> None:
        self._reports = reports_of(report)
        self._reader = reader
        self._open: dict[int, tuple[StoredSource, CropRenderer] | str] = {}

    def __call__(self, report: int, check_id: str) -> list[tuple[bytes, str, int]]:
        """(PNG, caption, page) of every picture of a check; empty where none can be made."""
        check = next(c for c in self._reports[report]["checks"] if c["id"] == check_id)
        opened = self._opened(report)
        if isinstance(opened, str):
            return []
        source, renderer = opened
        try:
            return [
                (renderer.render(request).png, _caption(request.page, source), request.page)
                for request in crop_requests(check, source.pages)
            ]
        except PagewitnessError:
            return []

    def _opened(self, report: int) -> tuple[StoredSource, CropRenderer] | str:
        if report not in self._open:
            fingerprint = self._reports[report].get("document_fingerprint")
            try:
                if fingerprint is None:
                    self._open[report] = "the document is not in the store"
                else:
                    source = self._reader.open(fingerprint)
                    self._open[report] = source, renderer_for(source, self._reader, None)
            except PagewitnessError as error:
                self._open[report] = error.message
                print(f"without pictures: {error.message}", file=sys.stderr)
        return self._open[report]


def _caption(page: int, source: StoredSource) -> str:
    label = source.pages[page - 1].label
    return f"printed as page {label}" if label and label != str(page) else ""
