"""From drawn bytes to verdicts in one call each: read, put on a shelf, check.

A shelf is a grounding store in a temporary folder that holds what a test reads.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from grounding.artifact import Artifact
from grounding.geometry import Box
from grounding.model import DocumentIdentity, Element, ElementKind, SpanFlag
from grounding.source import GroundingSource
from grounding.store import StoredSource, StoreReader, StoreWriter
from ingest.reading.document import PageLimits, ReadOptions, read_document
from verifier import PRESETS, Check, Report, VerificationConfig, parse_requests, verify


def read(data: bytes, *, tables: str = "auto", limits: PageLimits | None = None) -> Artifact:
    """The sealed artifact of a PDF's bytes."""
    return read_document(data, ReadOptions(tables), limits)


class Shelf:
    """A store in `folder`; documents are put in and opened again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "grounding.db"
        with StoreWriter(self.path):
            pass
        self.reader = StoreReader(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.reader.__exit__(kind, error, trace)

    def put(
        self, data: bytes, name: str = "drawn.pdf", *, limits: PageLimits | None = None
    ) -> StoredSource:
        """Reads bytes and stores them as the newest version of the source called `name`."""
        return self.put_artifact(read(data, limits=limits), name)

    def put_artifact(self, artifact: Artifact, name: str = "drawn.pdf") -> StoredSource:
        """Stores what was read; the stem of `name` is the source's id."""
        stem, at = Path(name).stem, f"/drawn/{name}"
        with StoreWriter(self.path) as writer:
            if writer.has_document(artifact.document_fingerprint):
                sha256 = artifact.source.sha256
                writer.add_version(artifact.document_fingerprint, at, name, stem, sha256)
            else:
                writer.add_document(artifact, at, name, stem)
        return self.reader.open(stem)

    def put_alias(self, source: StoredSource, data: bytes) -> None:
        """Records that these bytes say what `source` says."""
        with StoreWriter(self.path) as writer:
            writer.add_alias(
                source.identity.document_fingerprint,
                read(data).source,
                "/drawn/alias.pdf",
                "alias.pdf",
                source.identity.source_id,
            )


class OneDocument:
    """Resolves every name to one grounding source."""

    def __init__(self, source: GroundingSource) -> None:
        self.source = source

    def find(self, doc: str) -> str:
        return "the document"

    def current(self, key: str) -> str:
        return key

    def document(self, key: str) -> GroundingSource:
        return self.source

    def search(self, query: str, limit: int) -> list[tuple[str, int]]:
        return []

    def standing(self, key: str) -> None:
        """No map says anything of it."""

    def tombstone(self, doc: str) -> None:
        """Nothing was forgotten."""

    def map_identity(self) -> None:
        """There is no map."""

    def versions_pinned_by(self, source_id: str, pin: str) -> list[tuple[int, DocumentIdentity]]:
        return []


Rules = VerificationConfig | str
"""A configuration or the name of a preset."""


def rules(config: Rules) -> VerificationConfig:
    """The configuration itself."""
    return PRESETS[config] if isinstance(config, str) else config


def report(
    where: GroundingSource | StoreReader,
    claims: Sequence[dict[str, Any]],
    config: Rules = "default",
    **request: Any,
) -> Report:
    """The report on claims about a source, or about a document of a store."""
    body = {"document": "drawn", **request, "claims": list(claims)}
    body = {key: value for key, value in body.items() if value is not None}
    submission = parse_requests(json.dumps(body, ensure_ascii=False))
    documents = where if isinstance(where, StoreReader) else OneDocument(where)
    return cast(Report, verify(submission, documents, rules(config)))


def check(
    where: GroundingSource | StoreReader,
    claim: dict[str, Any],
    config: Rules = "default",
    **citation: Any,
) -> Check:
    """The one check of a report on `claim`, cited by the locators given."""
    return report(where, [{**claim, "citation": citation}], config)["checks"][0]


def quote(
    where: GroundingSource | StoreReader, text: str, config: Rules = "default", **citation: Any
) -> Check:
    """The check of a quote."""
    return check(where, {"kind": "quote", "text": text}, config, **citation)


def value(
    where: GroundingSource | StoreReader, text: str, config: Rules = "default", **citation: Any
) -> Check:
    """The check of a value."""
    return check(where, {"kind": "value", "value": text}, config, **citation)


def verdict(made: Check) -> tuple[str, str]:
    """Status and reason; the reason of a grounded check is empty."""
    return made["status"], made.get("reason", "")


GROUNDED = ("grounded", "")


def boxes(made: Check) -> list[tuple[int, list[int]]]:
    """(page, bbox) of every region of the evidence."""
    return [(region["page"], region["bbox"]) for region in made["evidence"]["regions"]]


def folds(made: Check) -> list[str]:
    """Names of the folds that a grounded match needed."""
    return made["match"]["folds"]


def flagged(source: GroundingSource, page: int, flag: SpanFlag) -> list[str]:
    """Texts of a page's spans that carry a flag."""
    page_start = source.pages[page - 1].start
    text = source.page_text(page)
    return [
        text[span.start - page_start : span.end - page_start]
        for span in source.spans(page)
        if span.flags & flag
    ]


def kinds(source: GroundingSource, page: int = 1) -> list[tuple[ElementKind, str]]:
    """(kind, text) of every element of a page."""
    return [(element.kind, element_text(source, element)) for element in source.elements(page)]


def element_text(source: GroundingSource, element: Element) -> str:
    """An element's raw text."""
    start = source.pages[element.page - 1].start
    return source.page_text(element.page)[element.start - start : element.end - start]


def element_with(source: GroundingSource, words: str, page: int = 1) -> Element:
    """The first element of a page whose text holds some words."""
    return next(e for e in source.elements(page) if words in element_text(source, e))


def place(source: GroundingSource, words: str, page: int = 1) -> tuple[int, int]:
    """Document offsets of the first occurrence of some words on a page."""
    at = source.page_text(page).index(words) + source.pages[page - 1].start
    return at, at + len(words)


def word_box(source: GroundingSource, words: str, page: int = 1) -> Box:
    """Box around the first occurrence of some words on a page."""
    found = source.char_boxes(page)
    start, end = place(source, words, page)
    shift = source.pages[page - 1].start
    box = found.union(start - shift, end - shift) if found else None
    if box is None:
        raise ValueError(f"no glyph of {words!r} has a box")
    return box


def codes(source: GroundingSource, page: int | None = None) -> set[str]:
    """Warning codes of one page (0: of the document as a whole), or of all."""
    return {str(w.code) for w in source.warnings if page is None or w.page == page}
