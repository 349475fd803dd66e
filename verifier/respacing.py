"""Whether other spaces between the same letters leave the same words.

Extractors put spaces into words and lose them between words: "info rmation", "netloss". What comes
out is no word, and that is how it is told from another reading: "not able" is not "notable", and
"the rapist" is no therapist.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

IsWord = Callable[[str], bool]

_COMMON = frozenset(
    "a able about above acceptable accurate active adequate after again against age all"
    " allowed also always am amount an and another any applicable appropriate are art as aside"
    " at available away back balance be because been before below better between both but by"
    " can capable cash certain clear close come common company complete consistent correct"
    " cost count current cut day dependent direct do does done down due each effective"
    " efficient either eligible end equal even ever every evident exact except expected fair"
    " far few final finite first fit flow for form formal free frequent from full get give"
    " given go good great had half hand hard has have he head her here hers herself high him"
    " himself his home how i if in income into is it item its itself just keep kind know land"
    " large last late least left legal less let life like line list literate little live"
    " logical long loss low made make man many mature may me mean measurable might mobile"
    " moral more most much must my name near need neither net never new next no non nor not"
    " now number of off office old on once one only open or order other our out over own paid"
    " part pay per perfect person place plan point possible practical proper put quite rapist"
    " rate rational real regular relevant reversible right same say secure see sensitive"
    " separate set she should side significant since so soluble some son soon stable still"
    " stop such sufficient suitable take tangible tend term than that the their them then"
    " there these they thing this those time to together too top total true turn two type un"
    " up upon us use used valid valuable variable very visible want was way we well were what"
    " when where which while who whole whose will with within word work would year yet you"
    " your".split()
)
"""Words that make the halves of other words a reading of their own."""


def same_words(claim: Sequence[str], is_word: IsWord) -> bool:
    """Whether the words of a claim that spaces otherwise than its source can be meant like the
    source's: one of them is no word, so that nobody wrote it."""
    return not all(_is_real(piece, is_word) for piece in claim)


def _is_real(piece: str, is_word: IsWord) -> bool:
    lower = piece.lower()
    if lower in _COMMON:
        return True
    if len(piece) == 1 or not piece.isalpha():
        return False
    return is_word(piece) or is_word(lower) or is_word(lower.capitalize())
