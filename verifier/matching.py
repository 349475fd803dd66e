"""Where a quote stands in a view, if it does.

First the folded quote is looked for as it is. If that fails, its letters and digits are, and every
gap between two of them is compared under the rules of verifier.gaps. Either way a match begins and
ends at the edge of a word, a number and an amount.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from grounding.model import SpanFlag
from grounding.text import HAN, Fold, differing_classes, fold, needed_folds
from verifier.edges import whole
from verifier.editorial import Joined, adapted, chains, depends, split_at_ellipses
from verifier.ends import fit_ends
from verifier.gaps import Gap, allowed_difference
from verifier.respacing import same_words
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
_WORD_OF_ANOTHER_ELEMENT = re.compile(r"\W*\w+\W*?\n\s*\n")
"""A first word that ends an element: the sentence begins behind it."""
_POWER = re.compile(r"(?:\d ?|/|= ?)[^\W\d_]{1,3}\Z|(?<![\w.,])10\Z")
_TEN = re.compile(r"(?<![\w.,])10\Z")
_FRAGMENT, _UNMARKED = (Fold.ELLIPSIS_GAP,), (Fold.MARKDOWN,)
_FIRST_WORD = re.compile(r"[^\W_]+")
_SENTENCE = 60
"""Characters before and after a quote in which the words that can turn it are looked for."""
_SENTENCE_END = re.compile(r"[.;:?!\u2022][\"')\]\u201d]?\s|\n\s*\n")


class Quote:
    """A claim's words, folded once. `folds` are those that it took to read it so. Whatever else is
    needed of it is made when it is first asked for: most quotes are found as they are."""

    def __init__(self, raw: str, folds: tuple[Fold, ...] = ()) -> None:
        self.raw = raw.strip()
        self.text = fold(self.raw).text.strip()
        self.folds = folds

    @property
    def core(self) -> str:
        """The quote as given, from its first letter or digit to its last."""
        letters = self.skeleton
        if not letters.text:
            return self.raw
        folded = fold(self.raw)
        lead = len(folded.text) - len(folded.text.lstrip())
        start, end = folded.to_raw(letters.starts[0] + lead, letters.ends[-1] + lead)
        return self.raw[start:end]

    @cached_property
    def skeleton(self) -> Skeleton:
        """Letters and digits of the quote."""
        return Skeleton(self.text)

    @cached_property
    def readings(self) -> tuple[Quote, ...]:
        """The quote as it may be meant, with the folds that it takes to read it so."""
        return tuple(Quote(raw, folds) for raw, folds in adapted(self.raw))

    @cached_property
    def fragments(self) -> tuple[Quote, ...]:
        """The pieces that ellipses inside the quote part; empty where there are none."""
        return tuple(Quote(raw, _FRAGMENT) for raw in split_at_ellipses(self.raw))

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
    at: tuple[int, int] = (0, 0)
    """Its range in the view in which it was found."""

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
    found = list(_folded_matches(quote, view, place)) or list(_aligned_matches(quote, view, place))
    if found or quote.folds:
        return found
    for reading in quote.readings:
        found = [
            replace(match, folds=tuple(dict.fromkeys((*match.folds, *reading.folds))))
            for match in find_quote(reading, view, place)
        ]
        if found:
            return found
    for reading in (quote, *(r for r in quote.readings if r.folds == _UNMARKED)):
        chained = find_fragments(reading, view, place).chains
        if chained:
            return [_one(chain, reading.folds) for chain in chained]
    return []


def find_fragments(quote: Quote, view: TextView, place: Surroundings) -> Joined:
    """The places at which the fragments of a quote with ellipses follow each other, or why there
    are none."""
    if not quote.fragments or not all(part.has_significant_words(1) for part in quote.fragments):
        return Joined(())
    found = []
    for part in quote.fragments:
        matches = find_quote(part, view, place)
        if not matches:
            return Joined(())
        found.append(matches)
    return chains(found, view.raw)


def _one(chain: tuple[Match, ...], read: tuple[Fold, ...]) -> Match:
    """The matches of fragments as one; `read` are the folds that it took to read the quote so."""
    folds = dict.fromkeys((*(f for m in chain for f in m.folds), Fold.ELLIPSIS_GAP, *read))
    return Match(
        tuple(piece for match in chain for piece in match.ranges),
        " \u2026 ".join(match.raw for match in chain),
        tuple(folds),
        False,
        (chain[0].at[0], chain[-1].at[1]),
    )


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
    wanted = quote.skeleton.text
    if not wanted:
        return
    for at, case in _candidates(quote, view.skeleton.text):
        folds = _align(quote, view, at, place)
        if folds is None:
            continue
        ends = fit_ends(quote.text, quote.skeleton, view, at)
        if ends is None:
            continue
        needed = tuple(dict.fromkeys((*folds, *ends.folds, *case)))
        match = _match(quote, view, ends.start, ends.end, needed, place, ends.cut)
        if match is None or (case and _WORD_OF_ANOTHER_ELEMENT.match(match.raw)):
            continue
        if not _cut_to_another_sentence(match, view):
            yield match


def _cut_to_another_sentence(match: Match, view: TextView) -> bool:
    """Whether a quote makes itself a sentence of its own, by a capital or a full stop, where the
    source's sentence goes on with words that deny or limit: "Not all sellers" is not "All
    sellers"."""
    start, end = match.at
    if Fold.FIRST_LETTER_CASE in match.folds:
        before = view.raw[max(start - _SENTENCE, 0) : start]
        if depends(_SENTENCE_END.split(before)[-1]):
            return True
    if Fold.FINAL_STOP in match.folds:
        following = _SENTENCE_END.split(view.raw[end : end + _SENTENCE])[0].split()
        return bool(following) and depends(following[0])
    return False


def _begins_with_word(text: str) -> bool:
    """Whether a text begins with a word in small letters but for its first: "mW" is a unit."""
    first = _FIRST_WORD.search(text)
    return first is not None and (first.group().lower() == "a" or first.group()[1:].islower())


def _candidates(quote: Quote, text: str) -> Iterator[tuple[int, tuple[Fold, ...]]]:
    """Where the letters and digits of a quote stand; if nowhere, where they do but for the case of
    the first letter."""
    wanted = quote.skeleton.text
    at, work, found = text.find(wanted), 0, False
    while at >= 0:
        work, found = _counted(work, len(wanted)), True
        yield at, ()
        at = text.find(wanted, at + 1)
    other = wanted[0].swapcase()
    if found or len(other) != 1 or other == wanted[0] or not _begins_with_word(quote.text):
        return
    at = text.find(other + wanted[1:])
    while at >= 0:
        work = _counted(work, len(wanted))
        yield at, (Fold.FIRST_LETTER_CASE,)
        at = text.find(other + wanted[1:], at + 1)


def _counted(work: int, more: int) -> int:
    work += more + 100
    if work > MOST_WORK:
        raise SearchLimitError
    return work


def _align(quote: Quote, view: TextView, at: int, place: Surroundings) -> tuple[Fold, ...] | None:
    """Folds that the gaps of a candidate need; None when one of them may not differ so."""
    length = len(quote.skeleton.text)
    ours = quote.skeleton.gaps(0, length)
    theirs = view.skeleton.gaps(at, at + length)
    needed: dict[Fold, None] = {}
    hyphens = set(view.folded.hyphens)
    respaced = []
    for offset in sorted({*ours, *theirs}):
        claim, where = _slice(quote.text, ours.get(offset)), theirs.get(offset)
        source = _slice(view.folded.text, where)
        if claim == source:
            continue
        here = view.skeleton.folded_at(at + offset)
        gap = _gap(claim, source, view, at + offset, where, here in hyphens)
        folds = allowed_difference(gap)
        if folds is None:
            return None
        needed.update(dict.fromkeys(folds))
        if Fold.SPACING in folds and not (claim.strip() or source.strip()):
            respaced.append(offset)
    if respaced and not _respaced_alike(quote, respaced, ours, theirs, place):
        return None
    return tuple(needed)


def _gap(
    claim: str,
    source: str,
    view: TextView,
    offset: int,
    where: tuple[int, int] | None,
    dropped: bool,
) -> Gap:
    raw = ""
    if where is not None:
        start, end = view.folded.to_raw(*where)
        raw = view.raw[start:end]
    line_end = dropped or ("-" in source and "\n" in raw)
    text = view.skeleton.text
    return Gap(claim, source, raw, text[offset - 1], text[offset], line_end)


def _respaced_alike(
    quote: Quote,
    respaced: list[int],
    ours: dict[int, tuple[int, int]],
    theirs: dict[int, tuple[int, int]],
    place: Surroundings,
) -> bool:
    """Whether every stretch of letters that is spaced otherwise is still the same words."""
    text = quote.skeleton.text
    common = sorted({0, len(text), *(set(ours) & set(theirs))})

    def pieces(cuts: Iterable[int], low: int, high: int) -> list[str]:
        bounds = [low, *(cut for cut in sorted(cuts) if low < cut < high), high]
        return [text[a:b] for a, b in pairwise(bounds)]

    for offset in respaced:
        end = bisect_right(common, offset)
        stretch = common[end - 1], common[end]
        if not same_words(pieces(ours, *stretch), pieces(theirs, *stretch), place.is_word):
            return False
    return True


def _slice(text: str, place: tuple[int, int] | None) -> str:
    return text[place[0] : place[1]] if place else ""


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
    if folds:
        needed = (*differing_classes(raw, quote.core), *folds)
    else:
        needed = needed_folds(raw, quote.raw)
    gaps = [(a[1], b[0]) for a, b in pairwise(ranges) if 0 < b[0] - a[1] <= _LONGEST_MARKER]
    if gaps and place.flags_in(gaps) & _MARKER:
        # The quote leaves out footnote markers between the pieces of the match.
        if any(_is_power(*gap, place) for gap in gaps):
            return None
        needed = (*needed, Fold.FOOTNOTE_MARKERS)
    alone = not view.raw[:raw_start].strip() and not view.raw[raw_end:].strip()
    return Match(ranges, raw, needed, alone, (raw_start, raw_end))


def _is_power(start: int, end: int, place: Surroundings) -> bool:
    """Whether a raised number that a quote leaves out can be an exponent: behind ten, behind the
    symbol of a unit or of a formula."""
    base, marker = place.around(start, end)[0], place.around(end, end)[0][start - end :].strip()
    if marker in ("2", "3"):
        return _POWER.search(base) is not None
    return _TEN.search(base) is not None and marker.lstrip("-\u2212").isdigit()
