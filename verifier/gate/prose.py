"""Which sentences of an answer's text its claims account for.

A claim accounts for the place in a sentence where its own words stand, all of them, in their order;
case, typography and the form of a number ("$4.2 million", "$4,200,000") are no differences. What is
left of a sentence then may be words that join statements, citation marks and punctuation, and
nothing else: whether other words say anything is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grounding.passages import sentences
from grounding.text import fold
from verifier.gate.alignment import figures
from verifier.quantities import number_text

_KEY = r"[A-Za-z]{0,3}(?:0|[1-9]\d{0,3})"
_MARK = re.compile(
    rf"(?:\s+|(?<![\d.,$€£¥]))(?:\[\^?{_KEY}(?:\s?[,;–-]\s?{_KEY})*\]"
    r"|【\d{1,4}(?::\d{1,4})?†[\w.-]{1,60}】)"
)
"""Citation marks: `[1]`, `[1, 2]`, `[1-3]`, `[^2]`, `[E1]`, `【4:0†report.pdf】`. Brackets around
other things are text, which somebody has to account for."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s.,;:!?\"'“”‘’„«»()\[\]{}…–—/*_#`•]")
"""A word, or a sign that is no mere punctuation: `>`, `~`, `%`, `-`."""
_BULLET = re.compile(r"(?m)^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+")
_JOINING = frozenset("and also moreover furthermore additionally while whereas but however".split())
"""Words between statements that state nothing themselves."""
CONTRASTING = frozenset(
    "but however although though except unless nevertheless nonetheless yet whereas while"
    " conversely instead only still".split()
)
"""Words with which a sentence takes back or limits what was said before it."""

Token = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Accounted:
    """A sentence with the claims that account for a part of it, and the words that none does."""

    start: int
    end: int
    text: str
    claims: tuple[str, ...]
    uncovered: str

    @property
    def covered(self) -> bool:
        return bool(self.claims) and not self.uncovered


def accounted(text: str, claims: Mapping[str, str]) -> list[Accounted]:
    """Every sentence of a text, with the ids of the claims (id: text) that account for it."""
    words = {claim_id: _tokens(said)[0] for claim_id, said in claims.items()}
    # The longest first: a claim that is a part of another's words does not take them from it.
    wanted = sorted(words.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_of_sentence(text, start, end, wanted) for start, end in stretches(text)]


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of an answer's text, lines and items of lists apart, that have a letter or a
    digit outside of citation marks."""
    at = 0
    for line in text.splitlines(keepends=True):
        for start, end in sentences(line):
            if _WORD.search(_MARK.sub("", line[start:end])):
                yield at + start, at + end
        at += len(line)


def _of_sentence(
    text: str, start: int, end: int, wanted: Sequence[tuple[str, list[Token]]]
) -> Accounted:
    raw = text[start:end]
    have, places = _tokens(raw)
    taken = [False] * len(have)
    found: list[str] = []
    starts: dict[Token, list[int]] = {}
    for at, token in enumerate(have):
        starts.setdefault(token, []).append(at)
    for claim_id, words in wanted:
        places_of = starts.get(words[0], ()) if words else ()
        same = (at for at in places_of if have[at : at + len(words)] == words)
        hits = [at for at in same if not all(taken[at : at + len(words)])]
        for at in hits:
            taken[at : at + len(words)] = [True] * len(words)
        if hits:
            found.append(claim_id)
    rest = [
        places[at]
        for at, token in enumerate(have)
        if not taken[at] and not (len(token) == 1 and token[0] in _JOINING)
    ]
    uncovered = " ".join(raw[a:b] for a, b in rest)
    return Accounted(start, end, raw, tuple(sorted(found)), uncovered)


@lru_cache(maxsize=4096)
def _tokens(raw: str) -> tuple[list[Token], list[tuple[int, int]]]:
    """The words of a text and where each stands; a number is one word, by its size, sign, unit and
    currency. Citation marks and list marks are none."""
    blank = _MARK.sub(lambda found: " " * len(found[0]), raw)
    blank = _BULLET.sub(lambda found: " " * len(found[0]), blank)
    folded = fold(blank)
    read = number_text(folded, blank)
    numbers = {
        q.start: (q.end, ("number", str(q.total.normalize()), q.unit, q.currency))
        for q in figures(blank).quantities
        if not q.alternatives
    }
    tokens: list[Token] = []
    places: list[tuple[int, int]] = []
    at = 0
    while found := _WORD.search(read, at):
        start, end = found.span()
        token: Token = (found[0].casefold().replace("’", "'"),)
        inside = next((n for n in numbers if n <= start < numbers[n][0]), None)
        if inside is not None:
            start, (end, token) = inside, numbers[inside]
        tokens.append(token)
        places.append(folded.to_raw(start, end))
        at = max(end, found.end())
    return tokens, places


def unmarked(sentence: str) -> str:
    """A sentence without its citation marks."""
    return _MARK.sub("", sentence)


def contrasts(sentence: str) -> bool:
    """Whether a sentence begins by taking back or limiting what was said before."""
    first = _WORD.search(fold(sentence).text)
    return first is not None and first[0].casefold() in CONTRASTING
