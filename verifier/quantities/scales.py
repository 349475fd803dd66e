"""Scale words and letters.

Sources: short scale of English (BIPM SI brochure names no scale words; Oxford English Dictionary,
"billion" 10^9 since the British government's statement of 1974); South Asian lakh and crore (CLDR
compact forms of en-IN: T, L, Cr); compact forms K, M, B, T and bn, mn, tn of CLDR and of financial
style guides; Mio and Mrd of CLDR de.

A letter alone is not a word: "1.5m" is a million and a half or the length of a room. Beside a
currency it can only be a scale; elsewhere both readings are kept.
"""

from __future__ import annotations

from decimal import Decimal

HUNDRED = Decimal(100)
THOUSAND = Decimal(1000)
LAKH = Decimal(10) ** 5
MILLION = Decimal(10) ** 6
CRORE = Decimal(10) ** 7
BILLION = Decimal(10) ** 9
TRILLION = Decimal(10) ** 12

SCALES = {
    "hundred": HUNDRED,
    "thousand": THOUSAND, "thousands": THOUSAND, "tsd": THOUSAND,
    "million": MILLION, "millions": MILLION, "mn": MILLION, "mln": MILLION, "mio": MILLION,
    "billion": BILLION, "billions": BILLION, "bn": BILLION, "bln": BILLION, "mrd": BILLION,
    "trillion": TRILLION, "trillions": TRILLION, "tn": TRILLION, "trn": TRILLION,
    "lakh": LAKH, "lakhs": LAKH, "lac": LAKH, "lacs": LAKH,
    "crore": CRORE, "crores": CRORE,
}  # fmt: skip
"""Scale words in lower case."""

LETTERS = {
    "k": THOUSAND, "K": THOUSAND, "m": MILLION, "M": MILLION, "MM": MILLION, "mm": MILLION,
    "b": BILLION, "B": BILLION, "t": TRILLION, "T": TRILLION,
}  # fmt: skip
"""Scales only where an amount of money says so. "mm" and "MM" (a thousand thousands, Roman) are
used in lending and energy; M alone is a million there as everywhere in print today."""

ENGLISH_WORDS = frozenset(
    "thousand thousands million millions billion billions trillion trillions lakh lakhs crore"
    " crores".split()
)
"""Words of English text: the decimal mark of the number before them is a point."""

ONES = {"one", "ones", "unit", "units"}
"""What a structured claim may say for "no scale"."""


def scale_of(word: str) -> Decimal | None:
    """The factor of a scale word, letter or power such as "1000000"; None when it is none.

    For words that were given as a scale: "m" is a million here.
    """
    plain = word.strip().rstrip(".")
    if plain.lower() in ONES or plain == "1":
        return Decimal(1)
    if plain.isascii() and plain.isdigit() and plain == "1" + "0" * (len(plain) - 1):
        return Decimal(plain) if len(plain) <= 16 else None
    return SCALES.get(plain.lower()) or LETTERS.get(plain)
