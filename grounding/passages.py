"""Stretches of a document's text: what a reader sees of it, its sentences, where it is printed.

Offsets are Unicode code points; a range is [start, end) of the document's text unless said
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from grounding.model import UNSEEN, Element, Region
from grounding.source import GroundingSource
from grounding.visible import HOLE, Piece, pieces_without

Range = tuple[int, int]

_UNSEEN = int(UNSEEN)
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(\s+)|[。！？]+[」』”]?(\s*)|(\s*\n\s*\n\s*)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Nr|Art|Fig|Sec|Inc"
    r"|Co|Corp|Ltd|Rs|vs|cf|approx|[Ee]d|[Vv]ol|pp?)\.$"
)
_OPENING = "\"'“‘«„([ "
_BROKEN_WORD = re.compile(r"[^\W\d_][-\u2010\u00ad\x02\ufffe]\s*\n\s*$")
_REACH = 12
"""Characters before a full stop that tell whether it ends an abbreviation."""


def visible_pieces(source: GroundingSource, element: Element) -> list[Piece]:
    """An element's text without what nobody sees, as pieces that hold more than white space; the
    glue of each is what stands for the text left out before it."""
    page, flagged = source.pages[element.page - 1], source.flagged(element.page, UNSEEN)
    text = source.page_text(element.page)
    kept: list[Piece] = []
    glue = ""
    for piece in pieces_without(text, element.start, element.end, page.start, flagged, _UNSEEN):
        glue = HOLE if HOLE in (glue, piece.glue) else piece.glue or glue
        if piece.text.strip():
            kept.append(piece._replace(glue=glue if kept else ""))
            glue = ""
    return kept


def trimmed(text: str, start: int, end: int) -> Range:
    """A range of `text` without white space at its ends."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + max(len(piece.rstrip()), left)


def sentences(text: str) -> list[Range]:
    """Ranges of the sentences of a text, white space between them left out. A full stop ends one
    before a capital letter, and not behind an abbreviation or an initial."""
    cuts = [0, *_sentence_starts(text), len(text)]
    ranges = (trimmed(text, start, end) for start, end in pairwise(cuts))
    return [(start, end) for start, end in ranges if start < end]


def _sentence_starts(text: str) -> Iterator[int]:
    for found in _END.finditer(text):
        if found[1] is not None and not _starts_sentence(text, found):
            continue
        yield found.end()


def _starts_sentence(text: str, found: re.Match[str]) -> bool:
    following = text[found.end() : found.end() + _REACH].lstrip(_OPENING)[:1]
    if not following.isalpha() or following.islower():
        return False
    before = text[max(found.start() - _REACH, 0) : found.start() + 1]
    return _ABBREVIATION.search(before) is None


def sentence_at(text: str, at: int) -> Range:
    """The sentence that holds an offset of a text; of a text without one all of it."""
    for start, end in sentences(text):
        if at < end:
            return start, end
    return trimmed(text, 0, len(text))


def line_at(text: str, at: int) -> Range:
    """The line that holds an offset of a text."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return trimmed(text, start, len(text) if end < 0 else end)


def in_broken_word(text: str, at: int) -> bool:
    """Whether an offset of a text lies where a line's end breaks a word."""
    return text[at : at + 1].islower() and bool(_BROKEN_WORD.search(text, max(at - _REACH, 0), at))


def past_broken_word(text: str, start: int, end: int) -> Range:
    """A range without the half of a word with which it begins; no quote can begin with that."""
    if not in_broken_word(text, start):
        return start, end
    space = next((at for at in range(start, end) if text[at].isspace()), start)
    return trimmed(text, space, end)


def document_slice(source: GroundingSource, page: int, start: int, end: int) -> str:
    """The text of a range that lies on one page."""
    shift = source.pages[page - 1].start
    return source.page_text(page)[start - shift : end - shift]


def region_of(source: GroundingSource, element: Element, start: int, end: int) -> Region:
    """The box around the characters of a range inside an element; the element's own where the
    source has no boxes of characters."""
    shift, boxes = source.pages[element.page - 1].start, source.char_boxes(element.page)
    box = boxes.union(start - shift, end - shift) if boxes is not None else None
    return Region(element.page, box or element.box)
