"""Whether digits are a number of their own, no part of a word, code, date, time or version."""

from __future__ import annotations

import re

_CALM_BEFORE = frozenset(' $€£¥₹+"\n')
_CALM_AFTER = frozenset(' %)\n;"')
_DIGIT_FOLLOWS = re.compile(r"-\d")
_BOUND_BEFORE = re.compile(
    r"(?:\ufffc[.,']?|[\w#/\\@]|\d[.,':]|[A-Za-z]-|--"  # a word, a decimal, a time, COVID-19
    r"|\d-\d+-|\d{5,}-"  # the end of a code such as 12-34-56
    r"|\w\()$"  # Section 4(2)
)
_BOUND_AFTER = re.compile(
    r"[.,']?\ufffc|[\w/\\@\u2044]|:\d"
    r"|-[A-Z](?![a-z])"  # 10-K and F-4 are names; 12-month and 5-10 are numbers
    r"|-\d{5,}|-\d+-\d"  # codes
    r"|\([A-Za-z]\)"  # 401(k)
    r"| \d+/\d"  # 1 1/2
)


def free_before(text: str, start: int, end: int) -> bool:
    """Whether digits are no tail of a word, code, date or decimal."""
    if start == 0 or text[start - 1] in _CALM_BEFORE:
        return True
    if (
        text[start - 1] == "-"
        and text[start - 2 : start - 1].isdigit()
        and (end - start >= 5 or _DIGIT_FOLLOWS.match(text, end))
    ):
        return False  # 5-10 is a range; 12-34-56 and 333-55943 are codes
    return not _BOUND_BEFORE.search(text, max(0, start - 12), start)


def free_after(text: str, end: int) -> bool:
    """Whether digits are no head of a word, code, date or fraction."""
    after = text[end : end + 2]
    if not after or (after[0] in _CALM_AFTER and (after[0] != " " or not after[1:].isdigit())):
        return True
    return not _BOUND_AFTER.match(text, end)
