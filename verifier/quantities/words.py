"""Numbers in words, as contracts write them: "thirty (30) days", "two million dollars".

Source: the cardinal numbers of English (CLDR rule-based number format en, `spellout-cardinal`),
with or without "and" and with hyphens as printed. Ordinals and fractions in words are left alone:
"third" is both.
"""

from __future__ import annotations

import re
from decimal import Decimal

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen".split()
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUE = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
}
_DIGIT = "|".join(_UNITS[1:10])
_BELOW_TWENTY = "|".join(sorted(_UNITS, key=len, reverse=True))
_BELOW_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{_DIGIT}))?|{_BELOW_TWENTY})"
_BELOW_THOUSAND = (
    rf"(?:(?:(?:a|{_DIGIT})\shundred)(?:\s(?:and\s)?{_BELOW_HUNDRED})?"
    rf"|{_BELOW_HUNDRED})"
)
NUMBER_WORDS = rf"{_BELOW_THOUSAND}(?:\sthousand(?:\s(?:and\s)?{_BELOW_THOUSAND})?)?"
"""Pattern of a number in words below a million, for use under IGNORECASE."""

IN_WORDS = re.compile(rf"\b(?=[aefnostAEFNOST]){NUMBER_WORDS}(?![\w-])", re.IGNORECASE)
ENDS_IN_WORDS = re.compile(
    rf"\b(?P<words>{NUMBER_WORDS})(?P<scale>\s(?:million|billion))?"
    r"(?:\s+(?:U\.?S\.?\s+)?(?:dollars?|euros?|pounds?|per\s?cent|percent))?\s*$",
    re.IGNORECASE,
)
"""A number in words right before a bracket, which then repeats it in digits."""


def number_in_words(text: str) -> Decimal | None:
    """The number that words such as "two hundred and five" say; None when they say none."""
    total = part = 0
    seen = False
    for word in text.lower().replace("-", " ").split():
        if word == "hundred":
            part = (part or 1) * 100
        elif word == "thousand":
            total, part = total + (part or 1) * 1000, 0
        elif word in _VALUE:
            part += _VALUE[word]
        elif word not in ("and", "a"):
            return None
        seen = seen or word not in ("and", "a")
    return Decimal(total + part) if seen else None
