"""Whether a statement of a source says what a claim says: word for word, but for sound changes.

A claim is looked for as an unbroken run of the statement's words, numbers and named times. What may
differ: articles and typography; how a number is written, as long as it is the same typed number; a
time that stands at the other end of the sentence; "was" before a number where the source says "came
to" or "rose to". What the statement says besides must not change it: nothing that denies, limits or
makes conditional may be left out, no beginning but a time, no end that narrows a claim about all or
none, and no clause that somebody else only says. Everything else is not what the claim says.

Three answers are possible: the statement says it; it says it, and of the same time, with another
number, sign or unit, or with a denial more or less; or neither. What may be left out is decided in
`verifier.statements.remainder`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from verifier.codes import Reason
from verifier.quantities.compare import compare
from verifier.quantities.model import Quantity
from verifier.statements.remainder import begins, ends
from verifier.statements.source import Statement
from verifier.statements.tokens import Token, Tokens

Outcome = Literal["says", "number", "sign", "unit", "negation"]

_PAST = ("was", "were")
_PRESENT = ("is", "are")
_LINKS: dict[tuple[str, ...], str] = {
    **{(word,): "past" for word in _PAST},
    **{(word,): "present" for word in _PRESENT},
    ("amounted", "to"): "past", ("came", "to"): "past", ("totalled",): "past",
    ("totaled",): "past", ("stood", "at"): "past", ("equalled",): "past",
    ("amounts", "to"): "present", ("comes", "to"): "present", ("totals",): "present",
    ("stands", "at"): "present", ("equals",): "present",
    **{(verb, "to"): f"past:{verb}" for verb in
       ("rose", "fell", "increased", "decreased", "grew", "declined", "dropped", "climbed")},
    **{(verb, "to"): f"present:{verb}" for verb in
       ("rises", "falls", "increases", "decreases", "grows", "declines", "drops", "climbs")},
}  # fmt: skip
"""Words that link what is measured to its number, and the tense. A movement to a number says that
it was reached; that it was reached says nothing of a movement."""
_LINK_VERBS = frozenset(words[0] for words in _LINKS)

_MOVABLE = frozenset("in on at during after before under from upon within by for with".split())
"""Prepositions of what may stand before a sentence or behind it."""
_LONGEST_MOVED = 9
_DENYING = frozenset(("not", "no", "never", "n't", "cannot"))
_SUPPORT = frozenset(("do", "does", "did"))
_POLAR = frozenset(("any", "no"))
_LEAST_WORDS = 2
"""Words that have to agree before a differing number contradicts."""
_FUNCTION = frozenset(
    "of in on at to by for from with and or was were is are be been has have had it its that this"
    " as than which who will shall would their his her our".split()
)
_ENDINGS = re.compile(r"(?:ies|es|s|ed|d|e|ing)\Z")


@dataclass(frozen=True, slots=True)
class Said:
    """What a statement says of a claim, and the tokens of the statement that say it."""

    outcome: Outcome
    statement: Statement
    first: int
    stop: int
    reason: Reason | None = None
    exact: bool = False
    """Whether every word and every printed number is the claim's."""

    @property
    def place(self) -> tuple[int, int]:
        return self.statement.place(self.first, self.stop)


def said(claim: Tokens, statement: Statement) -> Said | None:
    """What a statement says of a claim; None where it does not say it in any way."""
    if statement.asks or statement.introduced or statement.of_others:
        return None
    ours, theirs = claim.tokens, statement.tokens.tokens
    if not ours or not theirs:
        return None
    contrary: Said | None = None
    for variant in _variants(ours):
        for first, stop, reasons, exact in _runs(variant, theirs):
            if not _stands_alone(variant, statement, first, stop, whole=bool(reasons)):
                continue
            if not reasons:
                return Said("says", statement, first, stop, None, exact and not variant.moved)
            contrary = contrary or _contrary(reasons, variant, statement, first, stop)
    return contrary or _denied(ours, statement)


@dataclass(frozen=True, slots=True)
class _Variant:
    """A claim's tokens, perhaps without a part that stood at its end or beginning: `before` has to
    stand right before the run in the source, `after` right behind it."""

    tokens: tuple[Token, ...]
    before: tuple[Token, ...] = ()
    after: tuple[Token, ...] = ()

    @property
    def moved(self) -> bool:
        return bool(self.before or self.after)


def _variants(ours: Sequence[Token]) -> Iterator[_Variant]:
    """The claim as it is, and with what a preposition begins moved to the other end."""
    yield _Variant(tuple(ours))
    for at in range(1, len(ours)):
        token = ours[at]
        if token.kind == "word" and token.key in _MOVABLE and len(ours) - at <= _LONGEST_MOVED:
            yield _Variant(tuple(ours[:at]), before=tuple(ours[at:]))
    if ours[0].kind == "word" and ours[0].key in _MOVABLE:
        for at in range(2, min(_LONGEST_MOVED, len(ours) - 1) + 1):
            yield _Variant(tuple(ours[at:]), after=tuple(ours[:at]))


_Run = tuple[int, int, list[Reason], bool]


def _runs(variant: _Variant, theirs: Sequence[Token]) -> Iterator[_Run]:
    """Runs of the source that are a variant's tokens, numbers aside: where they stand, why numbers
    differ, and whether all is printed alike. What stood before the claim's beginning has to begin
    the statement."""
    ours, ahead = variant.tokens, len(variant.before)
    if ahead:
        places: Iterable[int] = (ahead,) if theirs[0].key == variant.before[0].key else ()
    else:
        places = range(len(theirs) - len(variant.after))
    head = ours[0]
    for first in places:
        if first >= len(theirs) or not _may_begin(head, theirs[first]):
            continue
        run = _run(ours, theirs, first)
        if run is not None:
            yield run


def _may_begin(one: Token, other: Token) -> bool:
    """Whether two tokens may be the first of the same words; said quickly of most."""
    if one.kind != other.kind:
        return False
    return one.key == other.key or one.broken or other.broken or one.key in _LINK_VERBS


def _run(ours: Sequence[Token], theirs: Sequence[Token], first: int) -> _Run | None:
    at, mine = first, 0
    reasons: list[Reason] = []
    exact = True
    while mine < len(ours):
        if at >= len(theirs):
            return None
        one, other = ours[mine], theirs[at]
        if one.key in _LINK_VERBS and (linked := _linked(ours, mine, theirs, at)) is not None:
            mine, at, alike = linked
            exact = exact and alike
            continue
        if one.kind != other.kind:
            return None
        if one.kind == "number":
            reason, alike = _compared(one, other)
            if reason == "":
                return None
            reasons += [reason] if reason is not None else []
            exact = exact and alike
        elif not _same(one, other):
            return None
        mine, at = mine + 1, at + 1
    return first, at, reasons, exact


def _linked(
    ours: Sequence[Token], mine: int, theirs: Sequence[Token], at: int
) -> tuple[int, int, bool] | None:
    """Past the links before a number on both sides, where ours follows from theirs."""
    one, other = _link(ours, mine), _link(theirs, at)
    if one is None or other is None:
        return None
    (stop, kind), (end, source) = one, other
    if kind == source or source.split(":")[0] == kind:
        return stop, end, kind == source and stop - mine == end - at
    return None


def _link(tokens: Sequence[Token], at: int) -> tuple[int, str] | None:
    """The end and kind of a link that a number follows."""
    if tokens[at].kind != "word" or tokens[at].key not in _LINK_VERBS:
        return None
    for length in (2, 1):
        linking = tokens[at : at + length]
        if any(token.kind != "word" for token in linking):
            continue
        kind = _LINKS.get(tuple(token.key for token in linking))
        follows = tokens[at + length : at + length + 1]
        if kind is not None and follows and follows[0].kind == "number":
            return at + length, kind
    return None


def _same(one: Token, other: Token) -> bool:
    if one.key == other.key:
        return True
    if other.broken or one.broken:
        return one.key.replace("-", "") == other.key.replace("-", "")
    return False


def _compared(one: Token, other: Token) -> tuple[Reason | Literal[""] | None, bool]:
    """Why two numbers differ, and whether they are printed alike; "" where they cannot be compared:
    one of them says what it counts or how large it is and the other does not."""
    ours, theirs = one.quantity, other.quantity
    assert ours is not None
    assert theirs is not None
    if _open(ours) != _open(theirs):
        return "", False
    verdict = compare(ours, theirs)
    if verdict.reason == "scale_mismatch" and theirs.scale_source == "none":
        return "", False  # nothing is known of the source's scale
    if verdict.equal and not verdict.rounded and ours.size != theirs.size:
        return "", False  # a bare 1.31 is not 1.31 million
    return verdict.reason, ours.digits == theirs.digits and not verdict.rounded


def _open(quantity: Quantity) -> bool:
    """Whether a number says neither what it counts nor a currency."""
    return not (quantity.unit or quantity.currency)


def _stands_alone(
    variant: _Variant, statement: Statement, first: int, stop: int, *, whole: bool
) -> bool:
    """Whether what the statement says besides a run leaves it true."""
    tokens = statement.tokens
    theirs = tokens.tokens
    if variant.before:
        start = first - len(variant.before)
        if start != 0 or not _alike(variant.before, theirs[start:first]):
            return False
        first = start
    if variant.after:
        if not _alike(variant.after, theirs[stop : stop + len(variant.after)]):
            return False
        stop += len(variant.after)
    claim = (*variant.before, *variant.tokens, *variant.after)
    return begins(statement, first, claim, whole=whole) and ends(
        statement, stop, claim, whole=whole
    )


def _alike(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    run = _run(ours, theirs, 0)
    return run is not None and run[1] == len(theirs) and not run[2]


def _contrary(
    reasons: list[Reason], variant: _Variant, statement: Statement, first: int, stop: int
) -> Said | None:
    """The contradiction that differing numbers are: the words of the claim, all of them, with
    another number. None where too few words agree, where it is not known how they differ, or where
    the statement has the claim's number as well, of something else."""
    words = [t for t in variant.tokens if t.kind == "word" and t.key not in _FUNCTION]
    if len(words) < _LEAST_WORDS or "value_ambiguous" in reasons:
        return None
    for token in variant.tokens:
        if token.kind == "number" and _elsewhere(token, statement, first, stop):
            return None
    reason = reasons[0]
    outcome: Outcome = {"sign_mismatch": "sign", "value_mismatch": "number"}.get(reason, "unit")  # type: ignore[assignment]
    return Said(outcome, statement, first, stop, reason)


def _elsewhere(token: Token, statement: Statement, first: int, stop: int) -> bool:
    """Whether a number stands in the statement outside a run."""
    assert token.quantity is not None
    for at, other in enumerate(statement.tokens.tokens):
        if first <= at < stop or other.quantity is None:
            continue
        if (
            other.quantity.size == token.quantity.size
            or other.quantity.number == token.quantity.number
        ):
            return True
    return False


def _denied(ours: Sequence[Token], statement: Statement) -> Said | None:
    """The contradiction that one denial more or less is: the same words otherwise, in the same
    form or with "do"."""
    theirs = statement.tokens.tokens
    here = [t for t in ours if _is_denial(t)]
    plain = [t for t in ours if not _is_filler(t)]
    if len(here) > 1 or len([t for t in plain if t.key not in _FUNCTION]) < _LEAST_WORDS:
        return None
    kept = [at for at, token in enumerate(theirs) if not _is_filler(token)]
    for start in range(len(kept) - len(plain) + 1):
        run = kept[start : start + len(plain)]
        if not all(_alike_stem(a, theirs[b]) for a, b in zip(plain, run, strict=True)):
            continue
        first, stop = _around(theirs, run)
        there = [t for t in theirs[first:stop] if _is_denial(t)]
        if len(here) + len(there) != 1:
            continue
        # What is denied altogether is contradicted by any time at which it was so.
        said_of = [token for token in ours if not _is_denial(token)]
        starts = begins(statement, first, said_of, whole=not here)
        if starts and ends(statement, stop, said_of, whole=not here):
            return Said("negation", statement, first, stop, "negation_dropped")
    return None


def _is_denial(token: Token) -> bool:
    return token.kind == "word" and (token.key in _DENYING or token.key.endswith("n't"))


def _is_filler(token: Token) -> bool:
    return _is_denial(token) or token.key in _SUPPORT or token.key in _POLAR


def _around(theirs: Sequence[Token], run: Sequence[int]) -> tuple[int, int]:
    """The range of a run with a denial right before it."""
    first = run[0]
    while first > 0 and _is_filler(theirs[first - 1]):
        first -= 1
    return first, run[-1] + 1


def _alike_stem(one: Token, other: Token) -> bool:
    if one.kind != other.kind:
        return False
    if one.kind == "number":
        reason, _ = _compared(one, other)
        return reason is None
    if _same(one, other):
        return True
    pairs = {frozenset(_PAST), frozenset(_PRESENT)}
    if frozenset((one.key, other.key)) in pairs:
        return True
    short, long = _ENDINGS.sub("", one.key), _ENDINGS.sub("", other.key)
    return one.kind == "word" and len(short) > 2 and short == long
