"""What an answer's text says where it cites: quotations, or else the sentence itself."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from verifier.convert.model import Draft
from verifier.convert.naming import Cited
from verifier.convert.shapes import Path

MAX_SENTENCE = 1000
"""Characters. A longer cited sentence is in no claim: each of its sources would repeat it."""
MOST_TOGETHER = 20
"""Marks side by side; a quotation is repeated for each of them."""

# No part of these patterns can be tried at more than a few places of the same characters: runs are
# possessive and begin where the one before cannot have ended.
_QUOTATION = re.compile(r'“[^“”]*”|"[^"\n]*"|«[^«»]*»|„[^„“”]*[“”]')
_MARKS = r"[\"'”’»)]*+(?:[ \t]*+(?:\[[\d,; –-]*+\]|【[^【】]{0,60}】))*+"
_END = re.compile(
    rf"(?<![.!?…])[.!?…]++{_MARKS}(?=\s++[^\s\da-z]|\s*+\Z)"
    rf"|(?<![。！？])[。！？]++{_MARKS}|\n(?=[ \t]*+\n)"
)
_BETWEEN = re.compile(r"[\s,;]*")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation in an answer: where its sign stands, and which source it names."""

    start: int
    end: int
    key: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What a mark is for. `number` counts sentences from 0, `part` the quotations of the mark."""

    mark: int
    number: int
    kind: Literal["quote", "other", "repeated", "too_long"]
    text: str = ""
    part: int = 0


@dataclass(frozen=True, slots=True)
class _Quotation:
    start: int
    end: int
    text: str


def passages(text: str, marks: Sequence[Mark]) -> Iterator[Passage]:
    """What each mark of an answer cites, in the order of the marks.

    A quotation belongs to the next mark of its sentence and those right behind that, or to the last
    ones where none follows. A mark without a quotation cites its sentence.
    """
    quotations = [_Quotation(m.start(), m.end(), m[0][1:-1]) for m in _QUOTATION.finditer(text)]
    starts = _sentence_starts(text, quotations)
    sentences: dict[int, list[int]] = {}
    for at, mark in enumerate(marks):
        sentences.setdefault(_sentence(starts, mark.start), []).append(at)
    quoted: dict[int, list[_Quotation]] = {}
    for quotation in quotations:
        quoted.setdefault(_sentence(starts, quotation.start), []).append(quotation)
    for number, inside in sentences.items():
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        owned = _owned(text, marks, inside, quoted.get(number, []))
        yield from _of_sentence(text[starts[number] : end], starts[number], number, marks, owned)


def _sentence_starts(text: str, quotations: Sequence[_Quotation]) -> list[int]:
    """Where sentences begin; none begins inside a quotation."""
    inside = [quotation.start for quotation in quotations]
    starts = [0]
    for found in _END.finditer(text):
        before = bisect_right(inside, found.start()) - 1
        if before < 0 or found.start() >= quotations[before].end - 1:
            starts.append(found.end())
    return starts


def _sentence(starts: Sequence[int], at: int) -> int:
    return bisect_right(starts, at) - 1


def _owned(
    text: str, marks: Sequence[Mark], inside: Sequence[int], quotations: Sequence[_Quotation]
) -> dict[int, list[_Quotation]]:
    """The quotations of each mark of a sentence."""
    owned: dict[int, list[_Quotation]] = {at: [] for at in inside}
    groups = _groups(text, marks, inside)
    begins = [marks[group[0]].start for group in groups]
    for quotation in quotations:
        following = bisect_left(begins, quotation.end - 1)
        for at in groups[min(following, len(groups) - 1)]:
            owned[at].append(quotation)
    return owned


def _groups(text: str, marks: Sequence[Mark], inside: Sequence[int]) -> list[list[int]]:
    """Marks in the order of the text, those together that nothing parts, up to MOST_TOGETHER."""
    groups: list[list[int]] = []
    end = -1
    for at in sorted(inside, key=lambda at: (marks[at].start, at)):
        mark = marks[at]
        near = mark.start <= end or _BETWEEN.fullmatch(text, end, mark.start) is not None
        if groups and near and len(groups[-1]) < MOST_TOGETHER:
            groups[-1].append(at)
        else:
            groups.append([at])
        end = max(end, mark.end)
    return groups


def _of_sentence(
    sentence: str,
    start: int,
    number: int,
    marks: Sequence[Mark],
    owned: dict[int, list[_Quotation]],
) -> Iterator[Passage]:
    said = _without([marks[at] for at in owned], sentence, start)
    seen: set[str] = set()
    for at, quotations in owned.items():
        if quotations:
            for part, quotation in enumerate(quotations):
                yield Passage(at, number, "quote", quotation.text, part)
        elif marks[at].key in seen:
            yield Passage(at, number, "repeated")
        else:
            yield Passage(at, number, "too_long" if len(said) > MAX_SENTENCE else "other", said)
        seen.add(marks[at].key)


def _without(marks: Sequence[Mark], sentence: str, start: int) -> str:
    """A sentence without the signs of its citations, on one line."""
    parts, at = [], 0
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.start - start >= at:
            parts.append(sentence[at : mark.start - start])
            at = mark.end - start
    text = _SPACES.sub(" ", "".join([*parts, sentence[at:]])).strip()
    return re.sub(r" (?=[.,;:!?])", "", text)


def add_passages(
    said: Sequence[Passage],
    cited: Cited,
    at: Path | str,
    draft: Draft,
    claim_id: str,
    place: dict[str, Any] | None = None,
) -> None:
    """Claims of what an answer says at one citation: its quotations, or else the sentence."""
    for passage in said:
        if passage.kind == "repeated":
            draft.note("repeated", at)
        elif passage.kind == "too_long":
            draft.lose("sentence_too_long", at)
        elif passage.kind == "quote":
            own_id = f"{claim_id}.q{passage.part}"
            draft.claim(cited, at, own_id, "quote", text=passage.text, place=place)
        else:
            made = draft.claim(cited, at, claim_id, "other", text=passage.text, place=place)
            if made is not None:
                draft.note("no_quotation", at, claim_id=made)
