"""The closest text to a quote that is not there: shown to people, never a reason to ground."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verifier.editorial import denials
from verifier.locate import Scope, first_page_box, regions_of
from verifier.matching import Quote
from verifier.report import Difference, DifferenceKind, Nearest
from verifier.views import DocumentIndex, TextView

if TYPE_CHECKING:
    from rapidfuzz.distance import ScoreAlignment

LEAST_SIMILARITY = 60
"""Per cent below which a neighbour says nothing about the quote."""

LONGEST = 3000
"""Characters above which a quote is not compared with its neighbours: the work grows with the
product of both lengths."""

_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
_COUNTS = re.compile(r"[\d$€£¥%+<>=±\u2212]|(?<!\w)-(?!\w)")
_WORD = re.compile(r"\S+")
_MOVES = 4
"""Words by which the nearest text may begin or end elsewhere than where letters fit best."""
_MOST_PAGES = 20
"""Pages of a row that are looked at."""
_ALIKE = 70
"""Per cent from which one word is another one misspelt."""


def nearest_text(quote: Quote, scope: Scope, index: DocumentIndex) -> Nearest | None:
    """The stretch of the cited pages that is most like the quote; None when nothing is."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    if len(quote.text) > LONGEST:
        return None
    best, view, least = None, None, float(LEAST_SIMILARITY)
    for page in scope.pages[:_MOST_PAGES]:
        text = index.page_view(page.number).folded.text
        found = partial_ratio_alignment(quote.text, text, score_cutoff=least)
        if found is None or found.dest_start >= found.dest_end:
            continue
        if best is None or found.score > best.score:
            best, view, least = found, index.page_view(page.number), found.score
    if best is None or view is None:
        return None
    return _stretch(quote, view, best, index)


def _stretch(
    quote: Quote, view: TextView, found: ScoreAlignment, index: DocumentIndex
) -> Nearest | None:
    text = view.folded.text
    start, end = _fitted(quote.text, text, found.dest_start, found.dest_end)
    raw_start, raw_end = view.folded.to_raw(start, end)
    return _data(quote, view, raw_start, raw_end, int(found.score), index)


def _fitted(quote: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch of whole words around a range that differs least from a quote: the range found is
    as long as the quote, whatever the quote lacks or adds."""
    from rapidfuzz.distance import Levenshtein

    start, end = _whole_words(text, start, end)
    words = [(word.start(), word.end()) for word in _WORD.finditer(text)]
    first = next(at for at, (_, stop) in enumerate(words) if stop > start)
    last = max(at for at, (begin, _) in enumerate(words) if begin < end)
    wanted = _TOKEN.findall(quote)
    tries = [
        (words[low][0], words[high][1])
        for low in range(max(first - _MOVES, 0), min(first + _MOVES, len(words) - 1) + 1)
        for high in range(max(last - _MOVES, low), min(last + _MOVES, len(words) - 1) + 1)
    ]

    def cost(place: tuple[int, int]) -> tuple[int, int]:
        differing = Levenshtein.distance(wanted, _TOKEN.findall(text[place[0] : place[1]]))
        return differing, abs(place[0] - start) + abs(place[1] - end)

    return min(tries, key=cost)


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    return start, end


def _data(
    quote: Quote, view: TextView, start: int, end: int, score: int, index: DocumentIndex
) -> Nearest | None:
    ranges = view.ranges(start, end)
    regions = regions_of(index, ranges)
    if not ranges or (not regions and index.source.capabilities.coordinate_origin != "unknown"):
        return None
    raw = view.raw[start:end]
    found: Nearest = {
        "page": index.page_at(ranges[0][0]).number,
        "text": raw,
        "similarity": score,
        "differences": differences(quote.raw, raw),
    }
    if regions:
        found["bbox"] = first_page_box(regions).as_list()
    return found


def drops_negation(nearest: Nearest) -> bool:
    """Whether all that a quote lacks of its nearest text is words that deny or limit."""
    telling = [d for d in nearest["differences"] if d != {**d, "claim": "", "source": "."}]
    return bool(telling) and all(
        difference["kind"] == "negation" and difference["source"].startswith(difference["claim"])
        for difference in telling
    )


def differences(claim: str, source: str) -> list[Difference]:
    """Stretches of words and marks in which two texts differ, in order."""
    from rapidfuzz.distance import Levenshtein

    ours, theirs = _TOKEN.findall(claim), _TOKEN.findall(source)
    found: list[Difference] = []
    end = -1
    for step in Levenshtein.opcodes(ours, theirs):
        if step.tag == "equal":
            continue
        ours_part = " ".join(ours[step.src_start : step.src_end])
        theirs_part = " ".join(theirs[step.dest_start : step.dest_end])
        if found and step.src_start == end:  # steps that touch are one difference
            last = found[-1]
            last["claim"] = f"{last['claim']} {ours_part}".strip()
            last["source"] = f"{last['source']} {theirs_part}".strip()
            last["kind"] = _kind(last["claim"], last["source"])
        else:
            kind = _kind(ours_part, theirs_part)
            found.append({"claim": ours_part, "source": theirs_part, "kind": kind})
        end = step.src_end
    return found


def _kind(claim: str, source: str) -> DifferenceKind:
    """What a difference is about, the most telling first: a number, a word that denies or limits, a
    name (a word with a capital), one word misspelt, marks alone, or other words."""
    from rapidfuzz.fuzz import ratio

    ours, theirs = claim.split(), source.split()
    if _COUNTS.search(claim) or _COUNTS.search(source):
        return "number"
    if denials(claim) != denials(source):
        return "negation"
    if not any(word[0].isalnum() for word in (*ours, *theirs)):
        return "punctuation"
    if claim.casefold() == source.casefold():
        return "spelling"
    if any(word[0].isupper() for word in (*ours, *theirs)):
        return "name"
    one_word = len(ours) == len(theirs) == 1
    return "spelling" if one_word and ratio(claim, source) >= _ALIKE else "wording"
