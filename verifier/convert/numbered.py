"""Answers with numbered sources: `… [1] … [2, 3] …`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grounding.errors import ConversionInvalidError
from grounding.json_input import MAX_INPUT_BYTES, load_json
from verifier.convert.answers import MOST_TOGETHER, Mark, add_passages, passages
from verifier.convert.model import Converter, Draft, pages
from verifier.convert.naming import Cited
from verifier.convert.shapes import Foreign, PageNumber, Path, expected, shaped

MAX_ENTRY = 2000

_BRACKETS = re.compile(r"\[([^\[\]\n]{1,200})\]")
_RANGE = re.compile(r"(\d{1,6})\s*[-–]\s*(\d{1,6})", re.A)
_NUMBERS = re.compile(r"[\d\s,;–-]+", re.A)
_HEADING = re.compile(r"[#*\s]*(?:sources|references)[*\s]*:?[*\s]*", re.I)
_ENTRY = re.compile(r"\s*\[([^\[\]]{1,200})\]:?\s*(\S.*)")
_PAGES = re.compile(
    r"[,;(]?\s*\b(?:pp?\.|pages?)\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?\s*\)?\.?\s*", re.I
)
_LABEL = re.compile(r"[,;(]?\s*\b(?:p\.|page)\s*(?P<label>[ivxlcdm]{1,15})\s*\)?\.?\s*", re.I)


class Source(Foreign):
    """A listed source; `page` counts from 1. It is called by `id`, `n`, or its position from 1."""

    id: str | int | None = None
    n: str | int | None = None
    document: str | None = None
    file: str | None = None
    url: str | None = None
    title: str | None = None
    page: PageNumber | None = None
    page_end: PageNumber | None = None
    text: str | None = None


class Answer(Foreign):
    answer: str
    sources: list[Source]


@dataclass(frozen=True, slots=True)
class _Listed:
    """A source of an answer and where it is listed."""

    key: str
    cited: Cited
    at: Path | str
    place: dict[str, Any]
    text: str | None = None


class _Text:
    """An answer. Places in plain text are lines; in JSON, the string as a whole."""

    def __init__(self, text: str, *, is_plain: bool) -> None:
        self.text = text
        self._lines = [m.end() for m in re.finditer("\n", text)] if is_plain else None

    def at(self, start: int) -> Path | str:
        if self._lines is None:
            return ("answer",)
        return f"line {bisect_right(self._lines, start) + 1}"


def _read(data: bytes, draft: Draft) -> None:
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        value = load_json(data, refusal=ConversionInvalidError)
        answer: Answer = shaped(Answer, value)
        listed = [_of_json(source, number) for number, source in enumerate(answer.sources)]
        _convert(_Text(answer.answer, is_plain=False), listed, draft)
    else:
        _convert(*_of_text(data), draft)


def _of_json(source: Source, number: int) -> _Listed:
    key = next((str(name) for name in (source.id, source.n) if name is not None), str(number + 1))
    place: dict[str, Any] = {}
    if source.page is not None:
        last = source.page_end or source.page
        if last < source.page:
            raise expected("page_end is before page", ("sources", number))
        place = pages(source.page, last)
    cited = Cited.of(source.document, source.file, source.url or source.title, ids=(key,))
    return _Listed(key, cited, ("sources", number), place, source.text)


def _of_text(data: bytes) -> tuple[_Text, list[_Listed]]:
    """The answer above the last line `Sources:`, and what is listed below it."""
    if len(data) > MAX_INPUT_BYTES:
        raise ConversionInvalidError(f"the file is larger than {MAX_INPUT_BYTES} bytes")
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ConversionInvalidError(f"not UTF-8: {error.reason} at byte {error.start}") from error
    headings = [n for n, line in enumerate(lines) if len(line) < 80 and _HEADING.fullmatch(line)]
    if not headings:
        raise ConversionInvalidError("line 1: neither JSON nor text with a line Sources:")
    listed = [
        _entry(line, number + 1)
        for number, line in enumerate(lines[headings[-1] + 1 :], headings[-1] + 1)
        if line.strip()
    ]
    return _Text("\n".join(lines[: headings[-1]]), is_plain=True), listed


def _entry(line: str, number: int) -> _Listed:
    """`[1] name.pdf, p. 12`, in at most MAX_ENTRY characters.

    Raises ConversionInvalidError for any other line.
    """
    found = _ENTRY.fullmatch(line.rstrip()) if len(line) <= MAX_ENTRY else None
    if found is None:
        raise ConversionInvalidError(f"line {number}: no entry such as [1] name.pdf, p. 12")
    name, place = found[2], dict[str, Any]()
    cited_pages = next((m for m in _PAGES.finditer(name) if m.end() == len(name)), None)
    if cited_pages is not None:
        first, last = int(cited_pages[1]), int(cited_pages[2] or cited_pages[1])
        if not 1 <= first <= last:
            raise ConversionInvalidError(f"line {number}: there are no pages {first} to {last}")
        name, place = name[: cited_pages.start()].rstrip(" ,;("), pages(first, last)
    label = next((m for m in _LABEL.finditer(name) if m.end() == len(name)), None)
    if label is not None and not place:
        name, place = name[: label.start()].rstrip(" ,;("), {"page_label": label["label"]}
    key = found[1].strip()
    return _Listed(key, Cited.of(name, ids=(key,)), f"line {number}", place)


def _convert(answer: _Text, listed: list[_Listed], draft: Draft) -> None:
    by_key: dict[str, _Listed] = {}
    for number, source in enumerate(listed):
        if by_key.setdefault(source.key, source) is not source:
            raise ConversionInvalidError(f"source {source.key!r} is listed twice")
        if "page_label" in source.place:
            draft.note("page_label_only", source.at)
        if source.text is not None:
            draft.claim(
                source.cited, source.at, f"r{number}", "quote", text=source.text, place=source.place
            )
    marks = list(_marks(answer, by_key, draft))
    counts: dict[int, int] = {}
    citations: dict[int, str] = {}
    for passage in passages(answer.text, marks):
        mark = marks[passage.mark]
        if passage.mark not in citations:
            number = counts[passage.number] = counts.get(passage.number, -1) + 1
            citations[passage.mark] = f"s{passage.number}.c{number}"
        source, claim_id = by_key[mark.key], citations[passage.mark]
        add_passages([passage], source.cited, answer.at(mark.start), draft, claim_id, source.place)


def _marks(answer: _Text, listed: Mapping[str, _Listed], draft: Draft) -> Iterator[Mark]:
    """The citations of an answer. Brackets around other things than sources are text."""
    for found in _BRACKETS.finditer(answer.text):
        keys = list(dict.fromkeys(_keys(found[1], listed)))
        known = [key for key in keys if key in listed]
        if not known and not _NUMBERS.fullmatch(found[1]):
            continue
        for key in known[:MOST_TOGETHER]:
            yield Mark(found.start(), found.end(), key)
        for key in [key for key in keys if key not in listed] + known[MOST_TOGETHER:]:
            draft.lose("source_unknown", answer.at(found.start()), repr(key))


def _keys(inside: str, listed: Mapping[str, _Listed]) -> Iterator[str]:
    """The sources between brackets: names or numbers, and ranges of numbers."""
    if inside.strip() in listed:
        yield inside.strip()
        return
    for part in re.split(r"[,;]", inside):
        both = _RANGE.fullmatch(part.strip())
        if both is None or int(both[2]) - int(both[1]) not in range(MOST_TOGETHER):
            yield part.strip()
        else:
            yield from map(str, range(int(both[1]), int(both[2]) + 1))


CONVERTER = Converter(
    name="numbered-answer",
    shape='an object with "answer" and "sources", or text with a line "Sources:" and lines such as '
    "[1] name.pdf, p. 12 below it",
    read=_read,
    kind=Answer,
    about="Answers that cite numbered sources.",
)
