"""How long a text may be in a chunk, and where a longer one is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from grounding.errors import UsageError
from grounding.passages import Range, sentences, trimmed

TOKEN_RULE = "pagewitness-words-1"
"""Name of the estimate of tokens: a run of letters and digits is one for every six characters or a
part of them, a Han, kana or Hangul character and any other mark is one, white space is none."""
DEFAULT_SIZE = 400
_LETTERS_A_TOKEN = 6
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKENS = re.compile(rf"[{_WIDE}]|(?:(?![{_WIDE}])[^\W_])+|\S")
_LINE_END = re.compile(r"(?<![-\u2010\u00ad\x02\ufffe\s])\s*\n\s*")
"""The end of a line that breaks no word."""
_WORD_END = re.compile(r"(?<=[^\W\d_]|[,;:)])\s+(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class ChunkRules:
    """How a document is cut. `size` counts `unit`s; `tables` are whole, whatever their size, or a
    chunk a row. Raises UsageError for a size below 1."""

    size: int = DEFAULT_SIZE
    unit: Literal["tokens", "characters"] = "tokens"
    across_headings: bool = False
    tables: Literal["whole", "rows"] = "whole"

    def __post_init__(self) -> None:
        if self.size < 1:
            raise UsageError(f"a chunk of {self.size} {self.unit} holds nothing")

    def measure(self, text: str) -> int:
        return count_tokens(text) if self.unit == "tokens" else len(text)


def count_tokens(text: str) -> int:
    """The estimate TOKEN_RULE. Of a text in pieces it is at most the sum over the pieces."""
    return sum(-(-len(token) // _LETTERS_A_TOKEN) for token in _TOKENS.findall(text))


def fitting(text: str, rules: ChunkRules) -> Iterator[Range]:
    """Pieces of a text, each as long as it may be, cut where it hurts least."""
    for start, end in _merged(text, sentences(text), rules):
        if rules.measure(text[start:end]) <= rules.size:
            yield start, end
            continue
        for low, high in _merged(text, _at(_LINE_END, text, start, end), rules):
            if rules.measure(text[low:high]) <= rules.size:
                yield low, high
                continue
            words = _at(_WORD_END, text, low, high)
            for first, last in _merged(text, words, rules):
                yield from _forced(text, first, last, rules)


def _at(cut: re.Pattern[str], text: str, start: int, end: int) -> list[Range]:
    ranges, at = [], start
    for found in cut.finditer(text, start, end):
        if at < found.start():
            ranges.append((at, found.start()))
        at = found.end()
    return [*ranges, (at, end)] if at < end else ranges


def _merged(text: str, ranges: list[Range], rules: ChunkRules) -> Iterator[Range]:
    """Neighbours put together as long as they fit."""
    held: Range | None = None
    size = 0
    for start, end in ranges:
        grown = size + rules.measure(text[held[1] if held else start : end])
        if held is not None and grown <= rules.size:
            held, size = (held[0], end), grown
            continue
        if held is not None:
            yield held
        held, size = (start, end), rules.measure(text[start:end])
    if held is not None:
        yield held


def _forced(text: str, start: int, end: int, rules: ChunkRules) -> Iterator[Range]:
    """A stretch without a place to cut at, in pieces of `size` characters: no character is more
    than a token."""
    if rules.measure(text[start:end]) <= rules.size:
        yield start, end
        return
    for low in range(start, end, rules.size):
        first, last = trimmed(text, low, min(low + rules.size, end))
        if first < last:
            yield first, last
