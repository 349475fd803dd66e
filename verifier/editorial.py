"""How writers adapt a quote: a first letter in brackets, words left out at an ellipsis.

And what one kind of extraction does to whole words: every letter twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from grounding.text import Fold, fold

if TYPE_CHECKING:
    from verifier.matching import Match

_BRACKETED = re.compile(r"^(\W*)\[([^\W\d_])\](?=[^\W\d_])")
_DOUBLED = re.compile(r"\b(?:([^\W\d_])\1){2,}\b")
_ELLIPSIS = re.compile(
    r"\s*(?:\[\s*(?:\.{3,}|\u2026|\. \. \.)\s*\]|\(\s*(?:\.{3,}|\u2026|\. \. \.)\s*\)"
    r"|\.{3,}|\u2026|\. \. \.(?: \.)?)\s*"
)
_WORD = re.compile(r"[^\W_]+(?:['\u2019\-][^\W_]+)*")
_LONGEST_EMPHASIS = 2000
"""Characters that one pair of marks may hold: each mark looks so far for its partner."""
_EMPHASIS = re.compile(
    r"(?<![\w*_`])(\*{1,3}|_{1,3}|`{1,3})(?=[^\s*_`])"
    rf"(.{{1,{_LONGEST_EMPHASIS}}}?)(?<=[^\s*_`])\1(?![\w*_`])"
)
_LINE_MARK = re.compile(r"(?:(?<=\n)|\A)[ \t]*(?:#{1,6}|>+)[ \t]+(?=[^\W\d_]|[\u2022\u25aa\u25cf])")
_BAR = re.compile(r"(?:(?<=\s)|(?<=\A))\|(?=\s|\Z)")
_ROW = re.compile(r"\|\s.*\s\|", re.DOTALL)
_RULE_ROW = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")
_DEEPEST_EMPHASIS = 3
MOST_WORDS, MOST_CHARACTERS = 40, 400
"""What an ellipsis may stand for."""
_NEGATION = re.compile(
    r"\b(?:not|no|nor|never|neither|none|nothing|nobody|nowhere|without|cannot|except(?:ing|ed)?"
    r"|exclud(?:e|es|ed|ing)|unless|hardly|barely|scarcely|only|fails?|failed|lacks?|lacked|denie[sd]"
    r"|den(?:y|ying)|prohibit(?:s|ed)?|forb(?:id|ids|idden|ade)|refus(?:e|es|ed)|un(?:able|less|til)"
    r"|non|rarely|seldom|instead|rather|prevent(?:s|ed)?|declin(?:e|es|ed)|ceas(?:e|es|ed)|stop(?:s|ped)?"
    r"|used to|doubts?|doubted|incapable|unlikely|impossible|too|save in|save for|solely|merely"
    # German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Russian.
    r"|nicht|kein\w*|nie|niemals|weder|kaum|ohne|ausser|außer|nur|ne|pas|jamais|aucune?|sans|sauf|ni"
    r"|nunca|tampoco|sin|salvo|não|nao|sem|mai|senza|nessun\w*|niet|geen\w*|nooit|zonder"
    r"|inte|aldrig|utan|nigdy|bez|не|ни|никогда|без)\b|n't\b|[不没沒無无未非]",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|provided|subject|until|whether|conditional(?:ly)?|condition(?:s|ed)?|but"
    r"|however|although|though|may|might|could|should|would|approximately|about|almost|nearly"
    r"|more|less|than|least|most|exceed(?:s|ed|ing)?|greater|fewer|minimum|maximum|above|below"
    r"|when(?:ever)?|where(?:as|ver)?|(?<!a )while|once|upon|in case|in the event|to the extent"
    r"|(?:as|so) long as|assum(?:e|es|ed|ing)|consent|approval|permits?|permitted|expiry"
    r"|expired?|expiration|believ(?:e|es|ed)|thought|alleged(?:ly)?|claim(?:s|ed)?|planned|intends?"
    r"|wenn|falls|sofern|soweit|vorbehaltlich|nach|si|hasta|cuando|se|als|mits|indien|om|если)\b",
    re.IGNORECASE,
)
_ANOTHER_SUBJECT = re.compile(
    r"\b(?:and|or|while)\s+(?:the|an?|its|his|her|their|our|(?:Mr|Mrs|Ms|Dr)\.)\s|[.;:?!]\s+\w.*\w\s*\Z"
    r"|\band\s+\w+(?:ed|s)\s*\Z",
    re.DOTALL,
)
"""A clause that ends inside a gap: what follows may be said of somebody else."""
_NUMBER = re.compile(
    r"[\d\u00bc-\u00be\u2150-\u2189]|\b(?:zero|nil|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six"
    r"|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million"
    r"|billion|trillion|half|third|quarter|dozen|percent|per cent|twice|double)\b",
    re.IGNORECASE,
)

Fault = Literal["negation_dropped", "quote_gap_too_wide", "text_mismatch"]


def unbracketed(raw: str) -> str | None:
    """A quote without the brackets around its first letter; None when it has none."""
    changed = _BRACKETED.sub(r"\1\2", raw)
    return changed if changed != raw else None


def undoubled(raw: str) -> str | None:
    """A quote whose words of doubled letters are read once; None when it has none."""
    changed = _DOUBLED.sub(lambda found: found.group()[::2], raw)
    return changed if changed != raw else None


def split_at_ellipses(raw: str) -> list[str]:
    """The fragments of a quote that ellipses inside it part; empty when there are none."""
    fragments = [piece for piece in _ELLIPSIS.split(raw) if _WORD.search(piece)]
    return fragments if len(fragments) > 1 else []


@dataclass(frozen=True, slots=True)
class Joined:
    """Fragments put together, or why they cannot be."""

    chains: tuple[tuple[Match, ...], ...]
    fault: Fault | None = None


def chains(found: list[list[Match]], text: str) -> Joined:
    """Every way in which matches of fragments, each found in the same `text`, follow each other
    over gaps that an ellipsis may stand for."""
    fault: Fault | None = None
    complete: list[tuple[Match, ...]] = []
    for first in found[0]:
        chain, problem = _follow(first, found[1:], text)
        if problem is None:
            complete.append(chain)
        elif fault is None or problem == "negation_dropped":
            fault = problem
    return Joined(tuple(complete), None if complete else fault)


def _follow(
    first: Match, rest: list[list[Match]], text: str
) -> tuple[tuple[Match, ...], Fault | None]:
    chain = [first]
    for matches in rest:
        end = chain[-1].at[1]
        after = next((m for m in matches if m.at[0] >= end), None)
        if after is None:
            return (), "text_mismatch"
        fault = gap_fault(text[end : after.at[0]], text[after.at[0] : after.at[0] + 1])
        if fault is not None:
            return (), fault
        chain.append(after)
    return tuple(chain), None


def gap_fault(left_out: str, following: str = "") -> Fault | None:
    """Why a text must not be left out at an ellipsis before a character; None when it may."""
    words = _WORD.findall(left_out)
    if len(words) > MOST_WORDS or len(left_out) > MOST_CHARACTERS:
        return "quote_gap_too_wide"
    plain = fold(left_out).text
    if _NEGATION.search(plain):
        return "negation_dropped"
    if _NUMBER.search(plain) or _CONDITION.search(plain):
        return "text_mismatch"
    if not following.isupper() and _ANOTHER_SUBJECT.search(plain):
        return "text_mismatch"
    return None


def denials(text: str) -> list[str]:
    """The words of a text that deny or limit, in small letters."""
    return [found.group().lower() for found in _NEGATION.finditer(fold(text).text)]


def depends(text: str) -> bool:
    """Whether a text has a word that denies, limits or makes conditional."""
    plain = fold(text).text
    return _NEGATION.search(plain) is not None or _CONDITION.search(plain) is not None


def unmarked(raw: str) -> str | None:
    """A quote without Markdown: pairs of emphasis around whole words, marks of headings and of
    quotations before a word, bars of table rows. None when it has none. A mark that has no partner,
    or digits beside it, may be a sign."""
    changed = _LINE_MARK.sub("", raw)
    if len(_BAR.findall(changed)) > 1 or _ROW.fullmatch(changed.strip()):
        changed = _BAR.sub(" ", _RULE_ROW.sub(" ", changed))
    for _ in range(_DEEPEST_EMPHASIS):
        changed = _EMPHASIS.sub(r"\2", changed)
    return changed.strip() if changed != raw else None


def adapted(raw: str) -> Iterator[tuple[str, tuple[Fold, ...]]]:
    """Other readings of a quote with the folds that each takes."""
    plain = unbracketed(raw)
    if plain is not None:
        yield plain, (Fold.BRACKETED_CHANGE,)
    bare = unmarked(raw)
    if bare:
        yield bare, (Fold.MARKDOWN,)
    single = undoubled(raw)
    if single is not None:
        yield single, (Fold.DOUBLED_GLYPHS,)
