"""Whether a stretch of text begins and ends where words, numbers and amounts do.

577 is not in 1,577, "can" is not in "can't", and (41.7) without its brackets is another amount.
What stands right before and after a match is looked at in the document's raw text, whatever view
the match was found in.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from grounding.text import HAN

REACH = 40
"""Characters on each side of an edge that are looked at."""

_GROUP_SPACE = "\u00a0\u202f\u2009\u2007"
_APOSTROPHE = "'\u2019"
_MINUS = "\\-\u2212\u2013\u2010\u2011"
_CURRENCY = "[$€£¥]"
_NUMBER = rf"\d+(?:[.,{_APOSTROPHE}]\d+)*(?:[{_GROUP_SPACE}]\d{{3}}(?!\d))*(?:[.,]\d+)?"
_PERCENT = rf"[ {_GROUP_SPACE}]?[%‰]"
_SCALE = (
    rf"[ {_GROUP_SPACE}](?:(?:(?:hundred|thousand|million|billion|trillion|crore|lakh)s?"
    r"|per ?cent(?:age points?)?|basis points?|bps|mn|bn|m|k)\b|(?:Mio|Mrd|Tsd)\b\.?)"
)
_TOKEN = re.compile(
    # A number in brackets is negative, or said in words before: the brackets belong to it.
    rf"{_CURRENCY}?\({_CURRENCY}? ?{_NUMBER}(?:{_PERCENT})?\)"
    # A sign belongs to its number; after a letter, digit, bracket or % it is a hyphen or a range.
    rf"|(?:(?<![\w)%])[{_MINUS}+])?(?:(?:\b[A-Z]{{1,3}})?{_CURRENCY}(?=[\d.]))?(?:{_NUMBER}|\.\d+)"
    rf"(?: \d+/\d+|[/\u2044]\d+)?(?:[^\W\d_]+|{_PERCENT}|{_SCALE})?"
    # A rating's plus or minus is part of it.
    rf"|[A-Z]{{1,3}}[+{_MINUS}](?!\w)"
    rf"|[^\W\d_][^\W_]*(?:[{_APOSTROPHE}][^\W_]+)*"
)
_BROKEN_BEFORE = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]\s*\n\s*$")
_BROKEN_AFTER = re.compile(r"[-\u2010\u00ad]\s*\n\s*([^\W\d_]+)")
_FIRST_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"[^\W_]+$")
_TURNING_PREFIXES = frozenset(
    "a ab anti contra counter de dis ex il im in ir mal mis no non not off out over pre pseudo"
    " quasi semi sub un under".split()
)
_TURNING_SUFFIXES = frozenset(("not", "less", "free", "proof", "out"))
_RANGE_DASH = re.compile(rf"[{_MINUS}]\d")
_CALM = frozenset(' \n\t\f\r(["“”„‘:;/')
_CALM_AFTER = frozenset(' \n\t\f\r)]"”;:?!/')


IsWord = Callable[[str], bool]


def _no_word(word: str) -> bool:
    return False


def whole(before: str, text: str, after: str, is_word: IsWord = _no_word) -> bool:
    """Whether `text`, standing between `before` and `after`, is made of whole words and numbers.

    `before` and `after` are up to REACH raw characters of the same page. Where a hyphen at a line's
    end parts a word from the text, `is_word` tells whether what is left is one: "long-" / "term"
    are two words, "reser-" / "voir" are not.
    """
    return _starts_whole(before, text, after, is_word) and _ends_whole(before, text, after, is_word)


def _starts_whole(before: str, text: str, after: str, is_word: IsWord) -> bool:
    first, last = text[0], before[-1:]
    if last == "\n" and first.islower() and (broken := _BROKEN_BEFORE.search(before)):
        rest = _FIRST_WORD.match(text)
        return rest is not None and _second_stands_alone(broken[1], rest.group(), is_word)
    if not last or (first.isalpha() and last in _CALM):
        return True
    if last.isalnum() and _RANGE_DASH.match(text[:2]):
        return False  # the dash of a range would become a sign
    if last in "%)" and _RANGE_DASH.match(text[:2]):
        return False
    if HAN.match(first) or HAN.match(last):
        return True
    line = before + text[:REACH] + after[: max(REACH - len(text), 0)]
    return not _cuts(line, len(before))


def _ends_whole(before: str, text: str, after: str, is_word: IsWord) -> bool:
    last, first = text[-1], after[:1]
    if last.isalpha() and (broken := _BROKEN_AFTER.match(after)):
        rest = _LAST_WORD.search(text)
        return rest is not None and _first_stands_alone(rest.group(), broken[1], is_word)
    if not first or (last.isalpha() and first in _CALM_AFTER):
        return True
    if HAN.match(last) or HAN.match(first):
        return True
    head = before[max(len(text) - REACH, 0) :] if len(text) < REACH else ""
    line = head + text[-REACH:] + after
    return not _cuts(line, len(head) + len(text[-REACH:]))


def _second_stands_alone(first: str, second: str, is_word: IsWord) -> bool:
    """Whether the second half of a word that a line end breaks is a word, as in "long-" / "term".
    After a prefix that turns the meaning it never is."""
    if first.lower() in _TURNING_PREFIXES:
        return False
    return is_word(second) or (len(first) > 3 and is_word(first))


def _first_stands_alone(first: str, second: str, is_word: IsWord) -> bool:
    return second.lower() not in _TURNING_SUFFIXES and is_word(first)


def _cuts(line: str, at: int) -> bool:
    """Whether an offset lies inside a word, number or amount of a line."""
    for token in _TOKEN.finditer(line):
        if token.start() < at < token.end():
            return not _is_opening_of_prose(token, at)
        if token.start() >= at:
            return False
    return False


def _is_opening_of_prose(token: re.Match[str], at: int) -> bool:
    """Whether only a bracket or a currency sign in front of a plain number is cut off that the
    number means the same without: "$ 5", and a year in brackets."""
    cut = token.group()[: at - token.start()]
    if re.fullmatch(_CURRENCY, cut):
        return True
    return bool(re.fullmatch(r"\((?:19|20)\d\d\)", token.group())) and at - token.start() in (1, 5)
