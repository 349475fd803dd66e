"""What a statement may say besides a claim without changing it.

A claim that is a part of a statement follows from it when nothing that denies, limits or makes
conditional is left out, no beginning but a time, no end that narrows a claim about all or none, and
no clause that somebody else only says. This is the monotonicity of quantifiers: what is true of
some at one time is true of some, what is true of none at one time is not true of none. A time may
only be left out of the past: what happened in May happened, what is allowed in May is not allowed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.editorial import denials
from verifier.statements.source import Statement
from verifier.statements.tokens import Token, Tokens

_TIME_PREPOSITIONS = frozenset(("in", "on", "at", "during"))
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_TIMES = frozenset(("year", "month", "quarter", "week", "day")) | _MONTHS
_OF_TIMES = frozenset(
    "of end beginning start first second third fourth last same that this".split()
)
_SUMS = (("in", "all"), ("in", "total"))
_UNIVERSAL = frozenset(
    "no not never none neither nor nobody nothing nowhere without cannot every all each any only"
    " always both everyone everybody everything whole entire most least first last sole exclusively"
    " solely".split()
)
_SUPERLATIVE = re.compile(r"[^\W\d_]{3,}est\Z")
_LIMITING = re.compile(
    r"\b(?:if|unless|provided|providing|subject|until|except\w*|exclud\w*|but|however|although"
    r"|though|other than|in case|in the event|as long as|so long as|when|whenever|where|wherever"
    r"|while|once|only|(?-i:may)|might|could|would|should|apart from|save|assuming|insofar"
    r"|to the extent|conditional\w*|allegedly|reportedly|supposedly|perhaps|possibly|probably"
    r"|likely|false(?:ly)?|wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?|untrue|rumou?r\w*"
    r"|doubt\w*|myth|lie|lied|hoax|fiction|fake\w*|alone|respectively)\b",
    re.I,
)
_SPOKEN = re.compile(
    r"\b(?:sa(?:y|ys|id)|stat(?:e|es|ed)|claim(?:s|ed)?|believ(?:e|es|ed)|judg(?:e|es|ed)"
    r"|expect(?:s|ed)?|announc(?:e|es|ed)|alleg(?:e|es|ed)|argu(?:e|es|ed)|think(?:s)?|thought"
    r"|assum(?:e|es|ed)|suggest(?:s|ed)?|den(?:y|ies|ied)|hop(?:e|es|ed)|according|estimat(?:e|es|ed)"
    r"|suppos(?:e|es|ed)|predict(?:s|ed)?|warn(?:s|ed)?|seem(?:s|ed)?|imagin\w+|guess(?:es|ed)?)\b",
    re.I,
)
_REPORTED = re.compile(r"\b(?:report(?:s|ed)|plan(?:s|ned)?|whether|that)\b", re.I)
_CONNECTIVES = frozenset(
    "and but however moreover furthermore also thus therefore hence consequently accordingly"
    " nevertheless in addition then".split()
)
_RESTRICTING = frozenset("in on at for from to with within under during after before by of".split())
_PRESENT = frozenset(
    "is are am has have do does may can must shall will would should could might cannot".split()
)
_PAST = frozenset(
    "was were had did rose fell grew sold paid held made took came became began met lost won spent"
    " led left built bought kept gave got went saw sent stood told thought wrote ran read found"
    " drew broke chose drove ate flew hid knew lay lent rode rang sang sank spoke stole swam threw"
    " woke wore brought caught dealt fought felt hung heard laid meant sought shot slept struck"
    " swept taught understood withdrew".split()
)
_CLAUSE_END = re.compile(r"\s*[\"')\]”’]*\s*([.;:!?,(—–]|--)")
_STOP = re.compile(r"[.;!]")
_AUXILIARY = frozenset(
    "is are was were be has have had will shall does do did can must remains remain".split()
)
_TOGETHER = re.compile(r"\b(?:between|both|respectively|together|either|combined|jointly)\b", re.I)


def begins(
    statement: Statement, first: int, claim: Sequence[Token], *, whole: bool = False
) -> bool:
    """Whether what stands before a run leaves it true: nothing, a time, or a clause that ended. For
    a `whole` statement a time is part of what is said."""
    if first == 0:
        return not statement.begun_before
    tokens = statement.tokens
    leading = tokens.tokens[:first]
    if all(token.key in _CONNECTIVES for token in leading):
        return not statement.begun_before
    if _is_time(leading):
        return not whole and _was(claim)
    if statement.begun_before or not _STOP.search(tokens.between(first - 1, first)):
        return False
    before = tokens.text[: leading[-1].end]
    return not any(words.search(before) for words in (_LIMITING, _SPOKEN, _REPORTED))


def _is_time(tokens: Sequence[Token]) -> bool:
    """Whether some words are a time and nothing else: "in 2024", "at the end of the year", "on 4
    November"; or "in all"."""
    if tuple(token.key for token in tokens) in _SUMS:
        return True
    if len(tokens) < 2 or tokens[0].key not in _TIME_PREPOSITIONS:
        return False
    named = False
    for at, token in enumerate(tokens[1:], 1):
        if token.kind == "number":
            beside = {other.key for other in tokens[at - 1 : at + 2]}
            if not beside & _MONTHS:
                return False
        elif token.kind == "period" or token.key in _TIMES:
            named = True
        elif token.key not in _OF_TIMES:
            return False
    return named


def _universal(claim: Sequence[Token]) -> bool:
    """Whether a claim is about all, none or the most: what narrows the source then matters."""
    return any(
        token.kind == "word" and (token.key in _UNIVERSAL or _SUPERLATIVE.search(token.key))
        for token in claim
    )


def _was(claim: Sequence[Token]) -> bool:
    """Whether a claim is of the past and about some: what was at one time was."""
    words = [token.key for token in claim if token.kind == "word"]
    if _universal(claim) or not _PRESENT.isdisjoint(words):
        return False
    return any(word in _PAST or word.endswith("ed") for word in words)


def ends(statement: Statement, stop: int, claim: Sequence[Token], *, whole: bool = False) -> bool:
    """Whether what stands behind a run leaves it true: another clause, another number, or a time
    (what was at one time was). For a `whole` statement a time is part of what is said."""
    tokens = statement.tokens
    theirs = tokens.tokens
    if stop == len(theirs):
        return not statement.goes_on
    rest = tokens.text[theirs[stop - 1].end :]
    mark = _CLAUSE_END.match(rest)
    if mark is not None and mark[1] in ".;!":
        opening = " ".join(rest[mark.end() :].split(None, 3)[:3])
        return not (_LIMITING.match(opening) or _SPOKEN.search(opening))
    if _LIMITING.search(rest) or _SPOKEN.search(rest) or statement.goes_on:
        return False
    if _second_clause(theirs, stop):
        return True
    if denials(rest):
        return False
    if mark is not None:
        if theirs[stop].key in _RESTRICTING and not _was(claim):
            return False
        return mark[1] != "?" and not _names_a_place(tokens, stop, mark[1])
    if not _universal(claim) and _another_number(statement, stop):
        return True
    return not whole and _was(claim) and _is_time(theirs[stop:])


def _names_a_place(tokens: Tokens, stop: int, mark: str) -> bool:
    """Whether a comma may stand inside a name: "Paris, Texas"."""
    one, other = tokens.tokens[stop - 1], tokens.tokens[stop]
    return mark == "," and tokens.text[one.start].isupper() and tokens.text[other.start].isupper()


def _second_clause(theirs: Sequence[Token], stop: int) -> bool:
    """Whether "and" with an auxiliary verb follows: another thing said of the same subject."""
    following = [token.key for token in theirs[stop : stop + 2]]
    return len(following) == 2 and following[0] == "and" and following[1] in _AUXILIARY


def _another_number(statement: Statement, stop: int) -> bool:
    """Whether "and" with another number follows, as in "carried 5 cars and 6 lorries"."""
    theirs = statement.tokens.tokens
    following = theirs[stop : stop + 2]
    if len(following) < 2 or following[0].key != "and" or following[1].kind != "number":
        return False
    if theirs[stop - 1].kind == "number":
        return False  # "between 5 and 6"
    return not _TOGETHER.search(statement.tokens.text)
