"""Where a quote stands in a view, if it does.

First the folded quote is looked for as it is. If that fails, its letters and digits are, and every
gap between two of them is compared under the rules of verifier.gaps. Either way a match begins and
ends at the edge of a word, a number and an amount.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from grounding.model import SpanFlag
from grounding.text import HAN, Fold, fold, needed_folds
from verifier.edges import whole
from verifier.gaps import allowed_difference
from verifier.skeleton import Skeleton
from verifier.views import Range, TextView

_MARKER = int(SpanFlag.MARKER)
_LONGEST_MARKER = 16
_FUNCTION_WORDS = frozenset(
    "a an and any are as at be been but by for from had has have he her his if in into is it its"
    " may of on or our shall she so such than that the their them then there these they this those"
    " to was we were which will with you your".split()
)
_WORD = re.compile(r"[^\W_]+(?:[-'.,][^\W_]+)*")


class Quote:
    """A claim's words, folded once."""

    __slots__ = ("_skeleton", "raw", "text")

    def __init__(self, raw: str) -> None:
        self.raw = raw.strip()
        self.text = fold(self.raw).text.strip()
        self._skeleton: Skeleton | None = None

    @property
    def skeleton(self) -> Skeleton:
        """Letters and digits of the quote; made when the quote itself is not found."""
        if self._skeleton is None:
            self._skeleton = Skeleton(self.text)
        return self._skeleton

    def has_significant_words(self, least: int) -> bool:
        """Whether at least so many words are no function words; two Han characters are a word."""
        text, count = self.text, 0
        if not text.isascii():
            count = len(HAN.findall(text)) // 2
            text = HAN.sub(" ", text)
        for word in _WORD.finditer(text):
            if count >= least:
                break
            count += word.group().lower() not in _FUNCTION_WORDS
        return count >= least


@dataclass(frozen=True, slots=True)
class Match:
    """A place in the document that says what a claim says. `raw` is its text as stored."""

    ranges: tuple[Range, ...]
    raw: str
    folds: tuple[Fold, ...]
    whole: bool
    """Whether the match is all there is in the view."""

    @property
    def start(self) -> int:
        return self.ranges[0][0]

    @property
    def end(self) -> int:
        return self.ranges[-1][1]


class SearchLimitError(Exception):
    """A quote has so many near misses in a text that telling them apart would take too long."""


MOST_WORK = 2_000_000
"""Characters of candidates that one view may make one quote look at. Counted in work and not in
time, so that the answer is the same on every machine."""


class Surroundings(Protocol):
    """The document that a view was made of."""

    def around(self, start: int, end: int) -> tuple[str, str]:
        """Raw text before and after a range, on the pages that it begins and ends on."""
        ...

    def is_word(self, word: str) -> bool:
        """Whether the document has this word on its own, not broken by a line end."""
        ...

    def flags_in(self, ranges: Iterable[Range]) -> int:
        """Bits of SpanFlag of all spans that some ranges touch."""
        ...


def find_quote(quote: Quote, view: TextView, place: Surroundings) -> list[Match]:
    """Every place of the view at which the quote stands, in order."""
    if not quote.text:
        return []
    return list(_folded_matches(quote, view, place)) or list(_aligned_matches(quote, view, place))


def _folded_matches(quote: Quote, view: TextView, place: Surroundings) -> Iterator[Match]:
    folded, wanted = view.folded, quote.text
    at = folded.text.find(wanted)
    work = 0
    while at >= 0:
        work = _counted(work, len(wanted))
        match = _match(quote, view, at, at + len(wanted), None, place)
        if match is not None:
            yield match
            at = folded.text.find(wanted, at + len(wanted))
        else:
            at = folded.text.find(wanted, at + 1)


def _aligned_matches(quote: Quote, view: TextView, place: Surroundings) -> Iterator[Match]:
    wanted, skeleton = quote.skeleton, view.skeleton
    if not wanted.text:
        return
    at = skeleton.text.find(wanted.text)
    work = 0
    while at >= 0:
        work = _counted(work, len(wanted.text))
        folds = _align(quote, view, at)
        if folds is not None:
            start, end, cut = _outer(quote, view, at)
            if cut:
                folds = (*folds, Fold.LINE_END_HYPHEN)
            match = _match(quote, view, start, end, folds, place, cut)
            if match is not None:
                yield match
        at = skeleton.text.find(wanted.text, at + 1)


def _counted(work: int, more: int) -> int:
    work += more + 100
    if work > MOST_WORK:
        raise SearchLimitError
    return work


def _align(quote: Quote, view: TextView, at: int) -> tuple[Fold, ...] | None:
    """Folds that the gaps of a candidate need; None when one of them may not differ so."""
    ours = quote.skeleton.gaps(0, len(quote.skeleton.text))
    theirs = view.skeleton.gaps(at, at + len(quote.skeleton.text))
    needed: dict[Fold, None] = {}
    hyphens = set(view.folded.hyphens)
    for offset in sorted({*ours, *theirs}):
        claim = _slice(quote.text, ours.get(offset))
        place = theirs.get(offset)
        source = _slice(view.folded.text, place)
        if claim == source:
            continue
        text = view.skeleton.text
        left, right = text[at + offset - 1], text[at + offset]
        here = view.skeleton.folded_at(at + offset)
        fold_needed = _gap_fold(claim, source, left, right, here in hyphens, view, place)
        if fold_needed is None:
            return None
        needed[fold_needed] = None
    return tuple(needed)


def _gap_fold(
    claim: str,
    source: str,
    left: str,
    right: str,
    dropped: bool,
    view: TextView,
    place: tuple[int, int] | None,
) -> Fold | None:
    line_end = dropped
    if place is not None:
        start, end = view.folded.to_raw(*place)
        line_end = line_end or ("-" in source and "\n" in view.raw[start:end])
    return allowed_difference(claim, source, left, right, line_end=line_end)


def _slice(text: str, place: tuple[int, int] | None) -> str:
    return text[place[0] : place[1]] if place else ""


def _outer(quote: Quote, view: TextView, at: int) -> tuple[int, int, int]:
    """Folded range of a candidate with the marks that the quote begins and ends with, and how many
    raw characters of a dropped line-end hyphen belong to it; (−1, −1, 0) when the source has other
    marks there."""
    wanted = quote.skeleton
    start = view.skeleton.folded_at(at)
    end = view.skeleton.folded_at(at + len(wanted.text) - 1) + 1
    lead = quote.text[: wanted.starts[0]].replace(" ", "")
    trail = quote.text[wanted.ends[-1] :].replace(" ", "")
    text = view.folded.text
    for mark in reversed(lead):
        start -= 1
        while start >= 0 and text[start] == " ":
            start -= 1
        if start < 0 or text[start] != mark:
            return -1, -1, 0
    if trail == "-" and end in view.folded.hyphens:
        return start, end, 1  # the quote ends where the line does, in the middle of a word
    for mark in trail:
        while end < len(text) and text[end] == " ":
            end += 1
        if end >= len(text) or text[end] != mark:
            return -1, -1, 0
        end += 1
    return start, end, 0


def _match(
    quote: Quote,
    view: TextView,
    start: int,
    end: int,
    folds: tuple[Fold, ...] | None,
    place: Surroundings,
    cut: int = 0,
) -> Match | None:
    """The match at a folded range, unless it begins or ends inside something."""
    if start < 0 or view.folded.cuts(start) or view.folded.cuts(end):
        return None
    raw_start, raw_end = view.folded.to_raw(start, end)
    raw_end += cut
    raw = view.raw[raw_start:raw_end]
    ranges = view.ranges(raw_start, raw_end)
    if not ranges:
        return None
    before, after = place.around(ranges[0][0], ranges[-1][1])
    if not whole(before, raw, after, place.is_word):
        return None
    needed = needed_folds(raw, quote.raw)
    if _steps_over_marker(ranges, place):
        needed = (*needed, Fold.FOOTNOTE_MARKERS)
    if folds:
        # Gaps that were aligned one by one keep the other folds from making both sides equal, so
        # what those need is told from the gaps alone.
        needed = (*folds, *(f for f in needed if f is Fold.FOOTNOTE_MARKERS))
    alone = not view.raw[:raw_start].strip() and not view.raw[raw_end:].strip()
    return Match(ranges, raw, needed, alone)


def _steps_over_marker(ranges: tuple[Range, ...], place: Surroundings) -> bool:
    """Whether pieces of a match are parted by a footnote marker that the quote leaves out."""
    gaps = [(a[1], b[0]) for a, b in pairwise(ranges) if 0 < b[0] - a[1] <= _LONGEST_MARKER]
    return bool(gaps) and bool(place.flags_in(gaps) & _MARKER)
