"""What a reader sees of a page's text: the text without spans that nobody sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grounding.model import SpanFlag

# Plain integers: enum arithmetic costs a microsecond, and every claim needs some.
_MARKER, _REPLACED = int(SpanFlag.MARKER), int(SpanFlag.REPLACED)

HOLE = "\ufffc"
"""Object replacement character: equals nothing that a claim says."""


class Piece(NamedTuple):
    """A stretch of the document's text, and what stands between it and the piece before."""

    start: int
    text: str
    glue: str = ""


def pieces_without(
    text: str,
    at: int,
    end: int,
    shift: int,
    flagged: Iterable[tuple[int, int, int]],
    without: int,
) -> Iterator[Piece]:
    """The stretch [at, end) of the document without spans that have one of some flags. `text` is
    the page's and begins at `shift` in the document; `flagged` are (start, end, bits of SpanFlag)
    of the page's spans, in order."""
    glue = ""
    for low, high, flags in flagged:
        if not flags & without or high <= at or low >= end:
            continue
        stop, next_glue = max(low, at), _gap(text, low - shift, high - shift, flags)
        if flags & _MARKER:
            # The space that reading put before a marker goes with it: "2023 2," is "2023,".
            next_glue = ""
            if stop > at and text[stop - shift - 1] == " ":
                stop -= 1
        yield Piece(at, text[at - shift : stop - shift], glue)
        at, glue = min(high, end), next_glue
    yield Piece(at, text[at - shift : end - shift], glue)


def _gap(text: str, start: int, end: int, flags: int) -> str:
    """What stands for unseen text. In the middle of a line a reader sees a bar or a hole, over
    which no quote and no number may step; a line of its own leaves nothing, and neither does text
    in whose place something else was printed."""
    if flags & _REPLACED:
        return ""
    inside = text[max(start - 1, 0) : start].strip("\n") and text[end : end + 1].strip("\n")
    return HOLE if inside else " "
