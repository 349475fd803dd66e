"""What stands behind a number: percent sign, closing bracket, scale, unit, currency."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from verifier.quantities.model import ONE, ScaleSource, Written
from verifier.quantities.scales import ENGLISH_WORDS, LETTERS, SCALES
from verifier.quantities.units import (
    AMBIGUOUS_SYMBOLS,
    CURRENCY_WORDS,
    ISO_CODES,
    ORDINAL,
    PERCENT,
    RATIO_WORDS,
    SIGNS_AFTER,
    UNIT_SYMBOLS,
    UNIT_WORDS,
)


class Suffix(NamedTuple):
    """What belongs to a number on its right, up to `end`."""

    end: int
    scale: Decimal = ONE
    scale_source: ScaleSource = "none"
    unit: str = ""
    currency: str = ""
    percent: bool = False
    closed: bool = False
    english: bool = False
    other_unit: str = ""
    """The unit that a letter stands for if it is no scale."""
    doubtful: bool = False
    """Whether the scale is a capital letter behind a space, which may belong to the next word."""
    written: Written = "digits"


def _any(words: object) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


_PERCENT = re.compile(r" ?%(?! ?points?\b)")
_CLOSE = re.compile(r"\s?\)")
_COMPOUND = r" ?[/\u00b7\u22c5^] ?[\w(-]"
"""What makes a unit the beginning of a longer one: kg/m3, m/s, m^2."""
_SCALE = re.compile(
    rf"(?:[ \n-](?P<word>(?i:{_any(SCALES)}))(?!\w)"
    rf"|(?P<joined>(?i:mn|mln|mio|bn|bln|tn|trn)|{_any(LETTERS)})(?!\w|{_COMPOUND})"
    rf"|(?P<spaced> (?:MM|mm|[kKmMbBtT]))(?!\w|\.\w|{_COMPOUND}))"
)
_WORD = re.compile(
    rf"[ \n-]?(?:(?P<ratio>(?i:{_any(RATIO_WORDS)}))(?!\w)"
    rf"|(?P<currency>(?i:{_any(CURRENCY_WORDS)}))(?!\w)"
    rf"|(?P<unit>(?i:{_any(UNIT_WORDS)}))(?!\w|-\w|{_COMPOUND})"  # "Year-over-year"
    rf"|(?P<symbol>{_any(UNIT_SYMBOLS)})(?!\w|{_COMPOUND})"
    # A sign belongs to the number that it touches, or to the one in front if none follows.
    rf"|(?P<code>{_any(ISO_CODES)})(?!\w)(?! ?[\d(])"
    rf"|(?P<sign>{_any(SIGNS_AFTER)})(?!\w)(?! ?[\d(]))"
)
_TOUCHING = re.compile(rf"(?P<sign>{_any(SIGNS_AFTER)})(?!\w)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)")
_RANGE = re.compile(
    r"\s?(?P<link>to|and|or|-)\s?(?P<currency>(?:US)?[$€£¥])?\d[\d.,]*"
    rf"(?:[\s-](?P<scale>(?i:{_any(SCALES)}))(?!\w)|(?P<joined>mn|bn|tn)(?!\w)"
    rf"|[\s-]?(?P<ratio>(?i:{_any(RATIO_WORDS)}))(?!\w)"
    rf"|[\s-](?P<unit>(?i:{_any(UNIT_WORDS)}))(?!\w))"
)
"""The rest of a range such as "5 to 6 million", whose scale is that of both ends."""
_WORD_STARTS = frozenset("%‰€£₹₩₽")


def read_suffix(text: str, end: int, currency: str, opened: str | bool) -> Suffix | None:
    """What follows a number that ends at `end`. `currency` is what stood before it, `opened`
    whether a bracket did. None when the number goes on as a word that is none of its own."""
    first = text[end : end + 1]
    second = text[end + 1 : end + 2]
    if not first or first in ";:," or (first == "\n" and not _goes_on(text, end + 1)):
        return Suffix(end)
    if first in " \n" and not (second.isalpha() or second in "%‰€£₹₩₽)"):
        return Suffix(end)
    at, percent, closed = end, False, False
    if (found := _PERCENT.match(text, at)) is not None:
        at, percent = found.end(), True
    if opened and (found := _CLOSE.match(text, at)) is not None:
        at, closed = found.end(), True
    if percent:
        return Suffix(at, unit=PERCENT, percent=True, closed=closed)
    return _words(text, at, currency, closed)


def _words(text: str, at: int, currency: str, closed: bool) -> Suffix | None:
    """Scale, unit and currency in words or letters."""
    if not closed and (found := _ORDINAL.match(text, at)):
        return Suffix(found.end(), unit=ORDINAL, written="ordinal")
    scale, letter, english = ONE, "", False
    source: ScaleSource = "none"
    scaled = _SCALE.match(text, at)
    if scaled is not None and scaled["word"]:
        word = scaled["word"].lower()
        scale, source, english = SCALES[word], "word", word in ENGLISH_WORDS
        at = scaled.end("word")
        if text[at : at + 2] == "." and at + 1 == len(text) and not english:
            at += 1  # "5 Mio."
        elif text[at : at + 2] == ". " and not english and _word(text, at + 1, currency):
            at += 1  # "5 Mio. €"
    elif scaled is not None and (scaled["joined"] or currency or scaled["spaced"] == " m"):
        letter = (scaled["joined"] or scaled["spaced"]).strip()
        at = scaled.end()
    unit, found_currency = "", ""
    word_match = _word(text, at, currency)
    if word_match is not None:
        kind, word, stop = word_match
        if kind in ("currency", "code", "sign"):
            if not currency:
                found_currency, at = word, stop
        elif not (letter and currency):
            unit, at = word, stop
        english = english or kind in ("ratio", "unit", "currency")
    if not letter:
        return Suffix(at, scale, source, unit, found_currency, False, closed, english)
    known = SCALES.get(letter.lower())
    if known is not None:
        return Suffix(at, known, "letter", unit, found_currency, False, closed, english)
    if currency or found_currency:
        doubtful = scaled is not None and scaled["spaced"] is not None and letter in "kKbBtT"
        return Suffix(at, LETTERS[letter], "letter", unit, found_currency, False, closed, english,
                      doubtful=doubtful)  # fmt: skip
    if letter in ("m", "mm") and not unit:
        # A million, or a length.
        return Suffix(at, LETTERS[letter], "letter", "", "", False, closed, english,
                      AMBIGUOUS_SYMBOLS[letter])  # fmt: skip
    return None  # 10K and 5b are names


def _word(text: str, at: int, currency: str) -> tuple[str, str, int] | None:
    """Kind, canonical name and end of the unit or currency that stands at `at`."""
    first = text[at : at + 1]
    if not first or (first == "\n" and not _goes_on(text, at + 1)):
        return None
    if first in (" ", "\n", "-"):
        second = text[at + 1 : at + 2]
        if not (second.isalpha() or second in _WORD_STARTS):
            return None
    if not currency and (touching := _TOUCHING.match(text, at)):
        return "sign", SIGNS_AFTER[touching["sign"]], touching.end()
    found = _WORD.match(text, at)
    if found is None:
        return None
    kind = found.lastgroup
    assert kind is not None
    written = found[kind]
    if kind in ("code", "sign") and currency:
        return None
    names = {"ratio": RATIO_WORDS, "currency": CURRENCY_WORDS, "unit": UNIT_WORDS}
    if kind in names:
        return kind, names[kind][written.lower()], found.end()
    if kind == "symbol":
        return kind, UNIT_SYMBOLS[written], found.end()
    return kind, SIGNS_AFTER.get(written, written), found.end()


def _goes_on(text: str, at: int) -> bool:
    """Whether the line that begins here goes on with the sentence of the line before."""
    return text[at : at + 1].islower() or text.startswith("U.S. dollar", at)


def scale_of_range(text: str, end: int, has_currency: bool) -> tuple[Decimal, str] | None:
    """The scale and unit that the other end of a range states for both: "$5 to $6 million"."""
    if text[end : end + 1] not in (" ", "\n", "-", "t") or text[end + 1 : end + 2] == "(":
        return None
    rest = _RANGE.match(text, end)
    if rest is None or bool(rest["currency"]) > has_currency:
        return None
    if rest["scale"] or rest["joined"]:
        return SCALES[(rest["scale"] or rest["joined"]).lower()], ""
    if rest["link"] not in ("to", "-"):
        return None  # "2 and 3 %" may be a count and a share
    if rest["ratio"]:
        return ONE, RATIO_WORDS[rest["ratio"].lower()]
    return ONE, UNIT_WORDS[rest["unit"].lower()]
