"""A text as a row of words, typed numbers, named times and signs.

Articles are left out, and so are marks that carry no meaning between words (commas, quotes,
dashes); their places still part clauses, see `Tokens.between`. A number that is written twice, in
words and in brackets behind them as contracts do ("thirty (30) days"), is one number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from grounding.text import Folded, fold
from verifier.quantities import Notation, Quantity, number_text, quantities
from verifier.quantities.dates import periods, year_alone
from verifier.quantities.model import ONE
from verifier.quantities.period import Period
from verifier.quantities.words import ENDS_IN_WORDS, IN_WORDS, number_in_words

Kind = Literal["word", "number", "period", "sign"]

ARTICLES = frozenset(("a", "an", "the"))
_PLAIN_MARKS = re.escape(",.;:!?\"'()[]-–—…*_•·|")
"""Marks between words that are no part of what is said; where clauses end they are looked at."""
_PIECE = re.compile(
    rf"\d{{1,2}}:\d\d(?::\d\d)?|[^\W_]+(?:['.&/-][^\W_]+)*|(?P<sign>[^\w\s{_PLAIN_MARKS}])"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text at [start, end) of its folded form. `key` is what words and signs are
    compared by, in small letters; a `broken` one lost a hyphen at a line's end."""

    kind: Kind
    key: str
    start: int
    end: int
    quantity: Quantity | None = None
    period: Period | None = None
    broken: bool = False


class Tokens:
    """A text, folded, with its tokens in order."""

    def __init__(self, raw: str, notation: Notation | None = None) -> None:
        self.raw = raw
        self.folded: Folded = fold(raw)
        self._notation = notation
        self.text = number_text(self.folded, raw)

    @cached_property
    def tokens(self) -> list[Token]:
        """All tokens but articles."""
        return [t for t in self._all() if not (t.kind == "word" and t.key in ARTICLES)]

    def between(self, first: int, second: int) -> str:
        """What stands between two tokens, by their positions: marks and articles; -1 and the number
        of tokens are the text's ends."""
        start = self.tokens[first].end if first >= 0 else 0
        end = self.tokens[second].start if second < len(self.tokens) else len(self.text)
        return self.text[start:end]

    def raw_range(self, first: int, stop: int) -> tuple[int, int]:
        """The raw range of the tokens from one position up to another."""
        return self.folded.to_raw(self.tokens[first].start, self.tokens[stop - 1].end)

    def _all(self) -> Iterator[Token]:
        special = self._special()
        hyphens = self.folded.hyphens
        at = 0
        for token in [*special, None]:
            stop = token.start if token is not None else len(self.text)
            for piece in _PIECE.finditer(self.text, at, stop):
                start, end = piece.span()
                if piece.lastgroup is not None:
                    yield Token("sign", piece.group(), start, end)
                    continue
                broken = bool(hyphens) and any(start < hyphen < end for hyphen in hyphens)
                yield Token("word", piece.group().casefold(), start, end, broken=broken)
            if token is None:
                return
            yield token
            at = token.end

    def _special(self) -> list[Token]:
        """Numbers and named times; a number inside a time is part of it."""
        if not any(c.isdigit() for c in self.text) and not IN_WORDS.search(self.text):
            return []
        text = self.folded.text  # in which a line's end is a blank, as it is inside a date
        longer = periods(text)
        times = sorted([*longer, *year_alone(text, longer)], key=lambda p: p.start)
        dated = _Taken((p.start, p.end) for p in times)
        found = [
            quantity
            for quantity in quantities(self.text, self._notation)
            if not dated.touches(quantity.start, quantity.end)
        ]
        numbers = list(self._numbers(found))
        counting = _Taken((token.start, token.end) for token in numbers)
        counted = [
            Token("number", "", *words.span(), quantity=number)
            for words in IN_WORDS.finditer(self.text)
            if not (dated.touches(*words.span()) or counting.touches(*words.span()))
            and (number := _cardinal(words)) is not None
        ]
        named = [Token("period", p.label, p.start, p.end, period=p) for p in times]
        return sorted([*named, *counted, *numbers], key=lambda token: token.start)

    def _numbers(self, found: list[Quantity]) -> Iterator[Token]:
        """Numbers, those that are written twice put together."""
        before: Token | None = None
        for quantity in found:
            start, known = quantity.start, quantity
            if self.text[start : start + 1] == "(":
                if before is not None and self._says_the_same(before, quantity):
                    assert before.quantity is not None
                    start, known = before.start, before.quantity
                    before = None
                elif words := ENDS_IN_WORDS.search(self.text, max(0, start - 60), start):
                    said = number_in_words(words["words"])
                    if said == quantity.number and not words["scale"]:
                        start = words.start("words")
            if before is not None:
                yield before
            before = Token("number", "", start, quantity.end, quantity=known)
        if before is not None:
            yield before

    def _says_the_same(self, before: Token, quantity: Quantity) -> bool:
        """Whether a number in brackets repeats the one in words right before it."""
        one = before.quantity
        assert one is not None
        same = (one.size, one.currency, one.unit) == (
            quantity.size, quantity.currency, quantity.unit
        )  # fmt: skip
        return (
            same and one.written == "words" and not self.text[before.end : quantity.start].strip()
        )


class _Taken:
    """Ranges, in order, none of which overlaps another."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._ranges = list(ranges)
        self._starts = [start for start, _ in self._ranges]

    def touches(self, start: int, end: int) -> bool:
        """Whether one of them shares a character with a range."""
        at = bisect_left(self._starts, end) - 1
        return at >= 0 and self._ranges[at][1] > start


def _cardinal(words: re.Match[str]) -> Quantity | None:
    """A number in words that counts what follows; "one" is too often a pronoun."""
    if words.group().casefold() == "one":
        return None
    number = number_in_words(words.group())
    if number is None:
        return None
    return Quantity(
        number, False, ONE, "", "", words.start(), words.end(), words.group(), words.start(),
        words.end(), 0, words.group(), "none", "none", "words",
    )  # fmt: skip
