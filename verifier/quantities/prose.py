"""Numbers in running text and in rows of numbers: a bracket is a minus in a row alone.

Source: accounting practice prints losses in brackets in statements; in prose a bracket is a remark
("two-thirds (66.7%) of the members"), a reference ("clause (8)") or a note.
"""

from __future__ import annotations

import re
from typing import Literal

_GOES_ON = re.compile(r"[,;:]?\s(?=[a-z])|[,;:]? (?=[^\W\d_]{2})|[.](?=\s|$)|[,;:] ?\(?[A-Za-z]")
"""What follows a bracket in running text."""
_SENTENCE = re.compile(r"[,;:]?\s[a-z]+\b|[,;]\s")
_WORD_BEFORE = re.compile(r"[a-z]{2,}[ \n]$")
_LESS = re.compile(
    r"\b(?:loss|losses|lost|deficit|negative|decreas\w*|declin\w*|fell|down|drop\w*|reduc\w*"
    r"|expenses?|costs?|charges?|result|outflows?|used|net|income|earnings|profit|change)\b",
    re.I,
)
_MONEY = re.compile(r"[$\u20ac\xa3\xa5\u20b9]\s?\(")
_ENUMERATED = re.compile(r"\(\w\)$")
_NEAR = 60
"""Characters before a bracket in which a word may say that its number is below zero."""


def bracket_readings(text: str, left: int, stop: int) -> Literal["negative", "positive", "both"]:
    """How a number in brackets, a token of the text from `left` to `stop`, is read. A currency sign
    before the bracket and a scale or a percent sign behind it make it an amount."""
    if text[stop - 1] != ")" or _MONEY.match(text, left):
        return "negative"
    if _ENUMERATED.search(text, max(0, left - 3), left):
        return "both"
    if not _GOES_ON.match(text, stop):
        return "negative"
    before = text[max(0, left - _NEAR) : left]
    plain = _WORD_BEFORE.search(before) and _SENTENCE.match(text, stop)
    return "positive" if plain and not _LESS.search(before) else "both"


def in_row(text: str, start: int, end: int) -> bool:
    """Whether a number stands in a line that holds numbers and signs alone from it on: a row of a
    table or the like."""
    stop = text.find("\n", end)
    rest = text[end : stop if stop >= 0 else len(text)]
    return not re.search(r"[^\W\d_]{2}|[.;]\s*$", rest)
