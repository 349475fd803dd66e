"""A document's text as statements: its sentences, list items and lines that stand alone.

Retrieved texts are slices of pages: lines that were wrapped, headings, rows of tables, notes. A
statement must not begin in the middle of a sentence, or half of "he denied that / the harbour is
closed" would say the opposite. So lines are joined unless a reader sees that they are apart: a
blank line, a mark of a list, a row of numbers, or a line that ended although the next word had had
room. An item of a list that a line with a colon introduces is no statement of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from grounding.passages import sentences
from verifier.quantities import Notation, notation_of
from verifier.statements.tokens import Tokens

_NUMBERING = re.compile(
    r"[ \t]*(?:(?:\d{1,3}(?:\.\d{1,3}){1,4}[.)]?|\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}[.)]"
    r"|\(\d{1,3}\))[ \t]+|[-*+•▪●◦–#>]+[ \t]+)(?=\S)"
)
"""What numbers or marks a clause, a heading or an item of a list."""
_ITEM = re.compile(
    r"[ \t]*(?:\d{1,3}\.\d{1,3}(?:\.\d{1,3}){0,3}[.)]?[ \t]+(?=[A-Z“\"'(])"
    r"|(?:\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]{1,5}[.)]|\(\d{1,3}\)|[-*+•▪●◦–]|#{1,6}|>)[ \t]+(?=\S))"
)
_UNFINISHED = frozenset(
    "to of and or nor the a an in on at by for from with without until than that which who as is"
    " are was were be been not no if when unless but shall will would may must can has have had do"
    " does did say says said its their our his her per under into upon about between".split()
)
"""How no line ends that is complete."""
_NOTE = re.compile(r"[.!?]['\")\]”’]* \d{1,2} (?=[A-Z])")
"""A raised mark of a footnote between two sentences, as plain text has it."""
_ENDED = re.compile(r"[.!?:;]['\")\]”’]*[ \t]*\d{0,2}[ \t]*$")
_TAIL = 16
"""Characters at a line's end that tell whether it is ended."""
_NUMBERS_ALONE = re.compile(r"[^\W\d_]?[\d\s$€£¥%().,'–—-]*\Z")
_ROW_END = re.compile(r"\d[\d.,]*\)?%?[ \t]+\(?[$€£]?[ \t]?\(?-?\d[\d.,]*\)?%?[ \t]*\Z")
GROUPED = re.compile(r"\d[.,]\d{3}(?!\d)")
"""A number that only the notation of its document tells how to read."""
_ROW_TAIL = 80
"""Characters at a line's end in which two numbers side by side make it a row."""
_ROOM = 0.8
"""Share of the longest line that a line and the next word have to stay below for its end to be
meant: letters are of different widths."""
_SPEECH = re.compile(
    r"[“„](?:(?!\n[ \t]*\n)[^“”„]){1,2000}”|(?<![^\s(])\"(?=\S)(?:(?!\n[ \t]*\n)[^\"]){1,2000}\""
)
TAKEN_BACK = re.compile(
    r"\b(?:myths?|misconceptions?|false|untrue|rumou?rs?|drafts?|superseded|repealed|obsolete"
    r"|hypothe\w+|examples?|scenarios?|budget\w*|forecasts?|planned|targets?|estimates?|projected"
    r"|projections?|outlook|pro forma|proposals?|proposed|fiction\w*)\b",
    re.I,
)
"""What a heading says over statements that are not meant as they stand."""
_HEAD = 8
"""Words of a heading at most."""
_WORD = re.compile(r"[^\W\d_]+|\d+")
_BROKEN = re.compile(r"(?<=[^\W\d_])-[ \t]*\n\s*(?=[a-z])")

Range = tuple[int, int]


class Place(NamedTuple):
    """The range of a statement, and whether a line with a colon introduces it."""

    start: int
    end: int
    introduced: bool


class Statement:
    """One statement of a document: `content[start:end]`."""

    def __init__(self, source: SourceText, position: int, place: Place) -> None:
        self.source, self.position = source, position
        self.start, self.end, self.introduced = place

    @cached_property
    def tokens(self) -> Tokens:
        text = self.source.text[self.start : self.end]
        return Tokens(text, self.source.notation if GROUPED.search(text) else None)

    @cached_property
    def begun_before(self) -> bool:
        """Whether the text may begin in the middle of it: it is the first of a slice, and no
        capital or number begins it."""
        return self.position == 0 and self.source.text[self.start : self.start + 1].islower()

    @cached_property
    def goes_on(self) -> bool:
        """Whether it may go on behind the end of the text: it is the last of several and has no
        full stop."""
        last = self.position == len(self.source.statements) - 1
        text = self.source.text[self.start : self.end]
        if not last or self.position == 0 or _ENDED.search(text[-_TAIL:]) or _is_row(text):
            return False
        before = self.source.statements[self.position - 1]
        return "\n" in text or "\n\n" not in self.source.text[before.end : self.start]

    @property
    def heads(self) -> bool:
        """Whether it is a heading or a line of headers: a few words without a full stop, or what
        stands over a row."""
        text = self.source.text[self.start : self.end]
        if _is_row(text):
            return self.position == 0 or not _is_row(self._before)
        return (
            "\n" not in text.strip()
            and not _ENDED.search(text[-_TAIL:])
            and len(text.split()) <= _HEAD
        )

    @property
    def _before(self) -> str:
        before = self.source.statements[self.position - 1]
        return self.source.text[before.start : before.end]

    @cached_property
    def of_others(self) -> bool:
        """Whether the source does not say it itself: it stands in somebody's speech, or under a
        heading that takes back what is below it."""
        start = self.start
        return any(low < start < high for low, high in self.source.quoted) or self._taken_back

    @cached_property
    def _taken_back(self) -> bool:
        for position in range(self.position - 1, -1, -1):
            above = self.source.statements[position]
            if above.heads:
                return TAKEN_BACK.search(self.source.text, above.start, above.end) is not None
        return False

    @property
    def asks(self) -> bool:
        """Whether it is a question, which says nothing."""
        return self.source.text[self.start : self.end].rstrip("\"'”’) ").endswith("?")

    def place(self, first: int, stop: int) -> Range:
        """The range in the document of the tokens from one position up to another."""
        low, high = self.tokens.raw_range(first, stop)
        return self.start + low, self.start + high


class SourceText:
    """A document's text with its statements, made when they are first asked for."""

    def __init__(self, document_id: str, text: str) -> None:
        self.id, self.text = document_id, text

    @cached_property
    def notation(self) -> Notation | None:
        return notation_of([self.text])

    @cached_property
    def statements(self) -> list[Statement]:
        return [Statement(self, n, place) for n, place in enumerate(_places(self.text))]

    @cached_property
    def quoted(self) -> list[Range]:
        """Ranges of speech of several sentences, from its quotation mark to the one that ends it in
        the same paragraph."""
        return [found.span() for found in _SPEECH.finditer(self.text)]

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """The positions of the statements in which each word stands, see `words_of`."""
        found: dict[str, list[int]] = {}
        for statement in self.statements:
            position = statement.position
            for word in words_of(self.text[statement.start : statement.end]):
                if (known := found.get(word)) is None:
                    found[word] = [position]
                else:
                    known.append(position)
        return found


def words_of(text: str) -> set[str]:
    """The words and numbers of a text, in small letters; a word that a line's end breaks is there
    whole and in its halves."""
    found = set(_WORD.findall(text.casefold()))
    if "-" in text and _BROKEN.search(text):
        found |= set(_WORD.findall(_BROKEN.sub("", text).casefold()))
    return found


def _places(text: str) -> Iterator[Place]:
    """Ranges of statements without what numbers them."""
    introduced = False
    for start, end in _paragraphs(text):
        is_item = _ITEM.match(text, start, end) is not None
        introduced = introduced and is_item
        if (numbering := _NUMBERING.match(text, start, end)) is not None:
            start = numbering.end()
        flat = re.sub(r"\s", " ", text[start:end])
        for low, high in _cut_at_notes(flat, sentences(flat)):
            if any(c.isalnum() for c in flat[low:high]):
                yield Place(start + low, start + high, introduced)
        introduced = introduced or flat.rstrip().endswith(":")


def _cut_at_notes(text: str, ranges: list[Range]) -> Iterator[Range]:
    for start, end in ranges:
        low = start
        for note in _NOTE.finditer(text, start, end):
            yield low, note.start() + 1
            low = note.end()
        yield low, end


def _paragraphs(text: str) -> Iterator[Range]:
    """Ranges of lines that belong together."""
    lines = list(_lines(text))
    longest = max((end - start for start, end in lines), default=0)
    opened: Range | None = None
    blank = False
    for start, end in lines:
        if not text[start:end].strip():
            blank = True
            continue
        if opened is None:
            opened = start, end
        elif _goes_on(text, opened, (start, end), blank, longest):
            opened = opened[0], end
        else:
            yield opened
            opened = start, end
        blank = False
    if opened is not None:
        yield opened


def _goes_on(text: str, opened: Range, following: Range, blank: bool, longest: int) -> bool:
    """Whether a line goes on with the paragraph before it."""
    last = text.rfind("\n", opened[0], opened[1]) + 1
    before = text[max(last, opened[0]) : opened[1]].rstrip()
    line = text[following[0] : following[1]].strip()
    if _is_row(before) or _is_row(line):
        return False
    if before.rsplit(None, 1)[-1].casefold() in _UNFINISHED:
        return True
    if _ITEM.match(line):
        return False
    small = line[:1].islower()
    if blank:
        return small and not _ENDED.search(before[-_TAIL:])
    if small:
        return True
    first = line.split(None, 1)[0]
    return len(before) + 1 + len(first) > _ROOM * longest


def _is_row(line: str) -> bool:
    """Whether a line is a row of a table: bars, tabs, or numbers side by side at its end."""
    if "|" in line or "\t" in line.strip():
        return True
    end = line.rstrip()[-1:]
    if not end or end.isalpha():
        return False
    if not (end.isdigit() or end in "%)"):
        return _NUMBERS_ALONE.match(line) is not None
    return _NUMBERS_ALONE.match(line) is not None or _ROW_END.search(line[-_ROW_TAIL:]) is not None


def _lines(text: str) -> Iterator[Range]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
        at += len(line)
