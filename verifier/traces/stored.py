"""Contents that a trace lacks, from the store.

Retrievers often record ids and scores alone. An id names what the store has: a document (source id,
fingerprint, unique file name), `DOC#p0003` one of its pages, `DOC#e000012` one of its elements; or
the recorded metadata say the range, as the lines of `export --format chunks` do. What nobody sees
on the page is in no content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grounding.errors import InputError
from grounding.model import UNSEEN
from grounding.source import GroundingSource
from grounding.store import StoreReader
from grounding.visible import pieces_without
from verifier.traces.draft import Content

_UNSEEN = int(UNSEEN)


class StoredContents:
    """Looks contents up in a store, as whoever opened it may see them."""

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader

    def content(self, document_id: str, metadata: Mapping[str, str]) -> Content | None:
        """The text that an id and its metadata name; None where the store has nothing of it."""
        name, _, part = document_id.partition("#")
        source = self._open(metadata.get("document_fingerprint", "")) or self._open(
            metadata.get("document", "") or name
        )
        if source is None:
            return None
        place = _range(source, metadata) or _part(source, part)
        text = "\n\n".join(_visible(source, place)) if place is not None else ""
        return Content(text, source.identity.document_fingerprint) if text.strip() else None

    def _open(self, name: str) -> GroundingSource | None:
        if not name:
            return None
        try:
            return self._reader.open(name)
        except InputError:
            return None


def _range(source: GroundingSource, metadata: Mapping[str, str]) -> tuple[int, int] | None:
    """The recorded range of the document's text."""
    start, end = metadata.get("char_start", ""), metadata.get("char_end", "")
    if not (start.isdecimal() and end.isdecimal()) or not int(start) < int(end):
        return None
    return int(start), int(end)


def _part(source: GroundingSource, part: str) -> tuple[int, int] | None:
    """A page or an element by its id; everything where none is named."""
    if not part:
        return (source.pages[0].start, source.pages[-1].end) if source.pages else None
    page = next((page for page in source.pages if page.id == part), None)
    if page is not None:
        return page.start, page.end
    element = source.find_element(part)
    return (element.start, element.end) if element is not None else None


def _visible(source: GroundingSource, place: tuple[int, int]) -> Iterator[str]:
    """What a reader sees of a range, page by page."""
    for page in source.pages:
        start, end = max(place[0], page.start), min(place[1], page.end)
        if start < end:
            text, flagged = source.page_text(page.number), source.flagged(page.number, UNSEEN)
            pieces = pieces_without(text, start, end, page.start, flagged, _UNSEEN)
            yield "".join(f"{piece.glue}{piece.text}" for piece in pieces)
