"""A whole document: pages one by one, then what only the whole tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from grounding.artifact import Artifact, PageContent
from grounding.collector import collector_paused
from grounding.errors import Damaged, NoPages, OutOfMemory
from grounding.fingerprint import fingerprint_bytes
from grounding.model import DocumentWarning, WarningCode
from ingest.reading.engine import PARSER_NAME, PARSER_VERSION, take_messages
from ingest.reading.page import PageReading, failed_page, read_page
from ingest.reading.pdf import (
    ENGINE_ERRORS,
    count_pages,
    document_warnings,
    open_pdf,
    page_frame,
    page_labels,
    refusal_for,
)
from ingest.reading.structure import Note, classify
from ingest.tables.chains import link_tables
from ingest.tables.finder import add_tables

READER = "pagewitness-reader-2"
"""Version of the rules in this package; part of the parser options, so of every fingerprint."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What changes a reading. `tables` is "auto", "thorough" or "off"."""

    tables: str = "auto"

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "reader": READER}


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Pages that earlier attempts died on: by number from 0, and why."""

    failed: dict[int, str] = field(default_factory=dict)
    without_tables: frozenset[int] = frozenset()
    table_seconds: float = 10.0


Progress = Callable[[int, str], None]
"""Called with a page's index from 0 and the stage ("text" or "tables") before it starts, and at
last with −1 and "document", for what only the whole tells."""


def read_document(
    data: bytes,
    options: ReadOptions,
    limits: PageLimits | None = None,
    progress: Progress = lambda page, stage: None,
) -> Artifact:
    """The sealed artifact of a PDF's bytes. Raises a Refusal."""
    limits = limits or PageLimits()
    document = open_pdf(data)
    warnings = document_warnings(document)
    stated = count_pages(document)
    contents: list[PageContent] = []
    notes: list[Note] = []
    for number in range(stated):
        progress(number, "text")
        if number in limits.failed:
            contents.append(failed_page(None, limits.failed[number]))
            continue
        reading = _read(document, number, options, limits, progress)
        if reading is None:  # the file claims more pages than it has
            break
        contents.append(reading.content)
        notes.extend(reading.notes)
    progress(-1, "document")
    _check_pages(contents, stated, warnings)
    classify(notes, len(contents))
    link_tables(contents)
    for content, label in zip(contents, page_labels(document, len(contents)), strict=True):
        content.label = label
    return Artifact(
        fingerprint_bytes(data),
        PARSER_NAME,
        PARSER_VERSION,
        options.as_dict(),
        contents,
        warnings,
    ).seal()


def _read(
    document: Any, number: int, options: ReadOptions, limits: PageLimits, progress: Progress
) -> PageReading | None:
    take_messages()
    page = frame = None
    try:
        page = document[number]
        frame = page_frame(document, page)
        with collector_paused():
            reading = read_page(document, page, number)
    except MemoryError as error:
        raise OutOfMemory(f"page {number + 1} took more memory than allowed") from error
    except IndexError:
        if page is None:
            return None
        return PageReading(failed_page(frame, "the page's content cannot be read"))
    except ENGINE_ERRORS as error:
        refused = refusal_for(error, f"page {number + 1} cannot be read")
        if isinstance(refused, OutOfMemory):
            raise refused from error
        return PageReading(failed_page(frame, f"the page cannot be read: {error}"))
    _note_messages(reading.content)
    if options.tables != "off" and number not in limits.without_tables:
        progress(number, "tables")
        add_tables(document, page, reading, limits.table_seconds, options.tables)
    elif number in limits.without_tables:
        reading.content.warnings.append(
            DocumentWarning(WarningCode.TABLES_TIMED_OUT, 0, "the table finder did not return")
        )
    return reading


_LOST = ("not a stream", "cannot find", "cannot load")
_SERIOUS = (*_LOST, "syntax error", "corrupt", "premature", "broken", "unexpected")


def _note_messages(content: PageContent) -> None:
    """MuPDF skips what it cannot read and only says so. A page that came out empty that way must
    not pass for a blank one: it failed where its content is missing from the file, and has no
    readable text where the content is damaged."""
    messages = take_messages()
    lowered = messages.lower()
    if not any(word in lowered for word in _SERIOUS):
        return
    if not content.text.strip():
        if any(word in lowered for word in _LOST):
            content.status = "failed"
        elif content.status == "ok":
            content.status = "no_text"
    first = messages.splitlines()[0]
    content.warnings.append(DocumentWarning(WarningCode.PARTIAL_PARSE, 0, first[:200]))


def _check_pages(contents: list[PageContent], stated: int, warnings: list[DocumentWarning]) -> None:
    if not contents:
        raise NoPages(f"the file claims {stated} pages and holds none")
    if len(contents) < stated:
        warnings.append(
            DocumentWarning(
                WarningCode.PARTIAL_PARSE, 0, f"{len(contents)} of {stated} claimed pages exist"
            )
        )
    if all(content.status == "failed" for content in contents):
        raise Damaged(f"none of {len(contents)} pages can be read")
