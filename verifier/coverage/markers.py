"""Citation markers of an answer: where they stand and which documents they name.

Read are `[1]`, `[1, 2]`, `[1-3]`, `[^a]` with its footnote, `【1】`, `【3†report.pdf】`, handles
such as `[E1]`, Markdown links around them, and any document's id in brackets. A number is the id of
a document where one has it, else its position from 1. Brackets around anything else are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.traces.model import Trace, TraceDocument

MOST_IN_RANGE = 100
"""Documents that one range of numbers may name."""

_MARKER = re.compile(
    r"\[(?P<square>[^\[\]\n]{1,300})\](?P<link>\([^()\s]{1,2000}\))?|【(?P<lens>[^【】\n]{1,300})】"
)
_NUMBER = re.compile(r"\d{1,6}", re.A)
_RANGE = re.compile(r"(E?)(\d{1,6})\s*[-–—]\s*(E?)(\d{1,6})", re.A)
_HANDLE = re.compile(r"[A-Z]{1,3}\d{1,6}", re.A)
_FOOTNOTE = re.compile(r"^[ \t]*\[\^([^\[\]\n]{1,100})\]:[ \t]*(.*)$", re.M)
_PARTS = re.compile(r"\s*[,;]\s*")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker: its range in the answer, the ids of the documents that it names, and what of it
    names none."""

    start: int
    end: int
    cited: tuple[str, ...]
    unknown: tuple[str, ...]


def markers(answer: str, trace: Trace) -> list[Marker]:
    """The markers of an answer, in order; definitions of footnotes are none."""
    names = _Names(trace.documents, dict(_footnotes(answer)))
    defined = {start for start, _ in footnote_lines(answer)}
    every = []
    for found in _MARKER.finditer(answer):
        if answer.rfind("\n", 0, found.start()) + 1 in defined:
            continue
        marker = names.read(found)
        if marker is not None:
            every.append(marker)
    return every


def footnote_lines(answer: str) -> list[tuple[int, int]]:
    """Ranges of the lines that define footnotes."""
    return [found.span() for found in _FOOTNOTE.finditer(answer)]


def _footnotes(answer: str) -> Iterator[tuple[str, str]]:
    for found in _FOOTNOTE.finditer(answer):
        yield found[1].strip(), found[2].strip()


class _Names:
    """What markers may call the documents of a trace."""

    def __init__(self, documents: Sequence[TraceDocument], footnotes: dict[str, str]) -> None:
        self._documents, self._footnotes = documents, footnotes
        self._ids = {document.id: document.id for document in documents}
        self._handles = {
            handle: document.id
            for document in documents
            if (handle := document.metadata.get("handle", ""))
        }
        self._files: dict[str, list[str]] = {}
        for document in documents:
            for name in _file_names(document):
                self._files.setdefault(name, []).append(document.id)
        self._numbered = any(_NUMBER.fullmatch(document.id) for document in documents)
        self._handled = bool(self._handles) or any(map(_HANDLE.fullmatch, self._ids))

    def read(self, found: re.Match[str]) -> Marker | None:
        inside = (found["square"] or found["lens"]).strip()
        if (whole := self._one(inside)) is not None:
            return Marker(*found.span(), (whole,), ())
        if found["lens"]:
            return self._lens(found, inside)
        if inside.startswith("^"):
            return self._note(found, inside[1:].strip())
        return self._list(found, inside)

    def _list(self, found: re.Match[str], inside: str) -> Marker | None:
        cited: dict[str, None] = {}
        unknown: dict[str, None] = {}
        for part in _PARTS.split(inside):
            for key in _spelled_out(part):
                known = self._one(key)
                if known is not None:
                    cited.setdefault(known)
                elif _NUMBER.fullmatch(key) or (_HANDLE.fullmatch(key) and key[0] == "E"):
                    unknown.setdefault(key)
                else:
                    return None  # text in brackets
        if found["link"] and not cited:
            return None
        return Marker(*found.span(), tuple(cited), tuple(unknown))

    def _lens(self, found: re.Match[str], inside: str) -> Marker:
        key, _, name = inside.partition("†")
        known = self._one(key.strip()) or self._file(name.strip())
        if known is not None:
            return Marker(*found.span(), (known,), ())
        listed = self._list(found, key.strip())
        return listed if listed is not None else Marker(*found.span(), (), (inside,))

    def _note(self, found: re.Match[str], key: str) -> Marker:
        said = self._footnotes.get(key, "")
        known = self._one(key) or self._ids.get(said) or self._file(said)
        if known is None and said:
            inner = _MARKER.search(said)
            known = self._one(inner["square"].strip()) if inner and inner["square"] else None
        return Marker(*found.span(), (known,) if known else (), () if known else (f"^{key}",))

    def _one(self, key: str) -> str | None:
        """The document that a key names: by its id, its handle, or its position."""
        if key in self._ids:
            return key
        if key in self._handles:
            return self._handles[key]
        number = key[1:] if key[:1] == "E" and not self._handled else key
        if _NUMBER.fullmatch(number) and not self._numbered:
            at = int(number)
            return self._documents[at - 1].id if 1 <= at <= len(self._documents) else None
        return None

    def _file(self, name: str) -> str | None:
        """The one document of a file of this name; None where there are several or none."""
        known = self._files.get(name.lower(), [])
        return known[0] if len(known) == 1 else None


def _file_names(document: TraceDocument) -> set[str]:
    named = [document.facet("source")]
    named += [document.metadata.get(k, "") for k in ("source", "file_name", "filename", "title")]
    return {name.rsplit("/", 1)[-1].lower() for name in named if name}


def _spelled_out(part: str) -> list[str]:
    """`1-3` as its numbers; anything else as it is."""
    both = _RANGE.fullmatch(part)
    if both is None or (both[1] != both[3] and both[3]):
        return [part]
    first, last = int(both[2]), int(both[4])
    if not 0 <= last - first < MOST_IN_RANGE:
        return [part]
    return [f"{both[1]}{number}" for number in range(first, last + 1)]
