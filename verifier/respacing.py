"""Whether other spaces between the same letters leave the same words.

Extractors put spaces into words and lose them between words: "info rmation", "netloss". What comes
out is no word, and that is how it is told from another reading: "not able" is not "notable", and
"the rapist" is no therapist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

IsWord = Callable[[str], bool]

_TELLING = {
    "de": ("und", "der", "nicht", "ist"),
    "fr": ("les", "des", "est", "dans"),
    "es": ("los", "del", "una", "por"),
    "it": ("della", "che", "sono", "gli"),
    "pt": ("dos", "uma", "para", "pela"),
    "nl": ("het", "een", "van", "niet"),
    "ru": ("не", "что", "для", "по"),
}
"""Words by which a document tells that it is, in part, in a language; English is always assumed."""
_SHORT = frozenset(
    "a i am an as at be by do go he if in is it me my no of on or so to up us we"
    " act age ago aid aim air all and any are art ask bad bar big bit box but buy can car cut day"
    " did due end era far fee few fit for gap get got had has her him his how ill its job key law"
    " lay led let lie lot low man may men mid net new nor not now odd off oil old one our out own"
    " pay per pro put raw red rid run saw say sea see set she sit six sum tax ten the tie too top"
    " two use via war was way who why win won yes yet you".split()
)
"""English words of up to three letters. Dictionaries know hundreds, which are fragments of longer
words in nearly every place where they stand: "ed", "nd", "ers"."""
_LONGEST_FRAGMENT = 3
_ROMAN = re.compile(r"[IVXLCDM]{2,}")


def same_words(claim: Sequence[str], source: Sequence[str], is_word: IsWord) -> bool:
    """Whether the words of a claim that spaces otherwise than its source can be meant like the
    source's: one of either side is no word, so that nobody wrote it. The document's other words
    count for the claim; for the source they do not, for its own fault is among them.
    """
    languages = [name for name, words in _TELLING.items() if all(map(is_word, words))]
    return not (
        all(_is_written(p, is_word) or _is_listed(p, languages) for p in claim)
        and all(_is_listed(p, languages) for p in source)
    )


def _is_written(piece: str, is_word: IsWord) -> bool:
    """Whether the document has a word that is no fragment, with a capital or without."""
    if len(piece) <= _LONGEST_FRAGMENT or not piece.isalpha():
        return False
    lower = piece.lower()
    return any(map(is_word, (piece, lower, lower.capitalize())))


def _is_listed(piece: str, languages: Sequence[str]) -> bool:
    """Whether English, or one of some other languages, has a word."""
    lower = piece.lower()
    if lower in _SHORT or _ROMAN.fullmatch(piece):
        return True
    if len(piece) > _LONGEST_FRAGMENT and _is_in("en", lower):
        return True
    return len(piece) > 1 and any(_is_in(name, lower) for name in languages)


@lru_cache(maxsize=4096)
def _is_in(language: str, word: str) -> bool:
    return f"\n{word}\n" in _dictionary(language)


@lru_cache(maxsize=len(_TELLING) + 1)
def _dictionary(language: str) -> str:
    """The words of a language, each on a line: one text takes a tenth of the memory of a set."""
    from spellchecker import SpellChecker

    words = SpellChecker(language=language).word_frequency.words()
    return "\n" + "\n".join(words) + "\n"
