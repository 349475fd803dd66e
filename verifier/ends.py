"""How a quote begins and ends: the marks before its first letter and after its last.

The source has to have the same marks there, but for those that writers put around a quote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grounding.text import BULLETS, Fold
from verifier.skeleton import Skeleton
from verifier.views import TextView

Marks = tuple[tuple[Fold, re.Pattern[str]], ...]
"""Marks that may be left out, by the fold that it takes."""

_AROUND: Marks = (
    (Fold.OMISSION_MARKS, re.compile(r"\[\.{3,}\]|\(\.{3,}\)|\.{3,}")),
    (Fold.QUOTATION_MARKS, re.compile(r"[\"']+")),
)
_BEFORE: Marks = (*_AROUND, (Fold.BULLETS, re.compile(f"[{BULLETS}]")))
_AFTER: Marks = (*_AROUND, (Fold.FINAL_STOP, re.compile(r"\.")))
_INCHES = re.compile(r"[\"']")


@dataclass(frozen=True, slots=True)
class Ends:
    """Folded range of a candidate with the marks at its ends; `cut` raw characters of a dropped
    line-end hyphen belong to it."""

    start: int
    end: int
    cut: int
    folds: tuple[Fold, ...]


def fit_ends(quote: str, letters: Skeleton, view: TextView, at: int) -> Ends | None:
    """The range of a candidate at offset `at` of the view's letters; None when the source has other
    marks there."""
    start = view.skeleton.folded_at(at)
    end = view.skeleton.folded_at(at + len(letters.text) - 1) + 1
    lead, trail = quote[: letters.starts[0]], quote[letters.ends[-1] :]
    before = _before(lead, view.folded.text, start, letters.text[0])
    if before is None:
        return None
    if letters.text[-1].isdigit() and _INCHES.search(trail) and not _INCHES.search(lead):
        return None  # nine inches are not nine
    start, folds = before
    if trail.strip() == "-" and end in view.folded.hyphens:
        # The quote ends where the line does, in the middle of a word.
        return Ends(start, end, 1, (*folds, Fold.LINE_END_HYPHEN))
    after = _after(trail, view.folded.text, end)
    if after is None:
        return None
    end, more = after
    return Ends(start, end, 0, (*folds, *more))


def _before(lead: str, text: str, start: int, first: str) -> tuple[int, tuple[Fold, ...]] | None:
    marks = lead.replace(" ", "")
    spaced = lead.rstrip() != lead
    for used in range(len(marks)):
        found = _back(marks[used:], text, start)
        if found is not None:
            folds = _removable(marks[:used], _BEFORE)
            if folds is not None:
                return found, folds
    folds = _removable(marks, _BEFORE)
    if folds is None and marks == "-" and spaced and first.isalpha():
        folds = (Fold.BULLETS,)  # the dash of a list item
    return None if folds is None else (start, folds)


def _after(trail: str, text: str, end: int) -> tuple[int, tuple[Fold, ...]] | None:
    marks = trail.replace(" ", "")
    for used in range(len(marks), 0, -1):
        found = _forward(marks[:used], text, end)
        if found is not None:
            folds = _removable(marks[used:], _AFTER)
            if folds is not None:
                return found, folds
    # A stop may stand inside the marks around the quote.
    folds = _removable(marks, _AFTER)
    return None if folds is None else (end, folds)


def _back(marks: str, text: str, start: int) -> int | None:
    """Where the source's marks that are these begin, read backwards; spaces are passed over."""
    for mark in reversed(marks):
        start -= 1
        while start >= 0 and text[start] == " ":
            start -= 1
        if start < 0 or text[start] != mark:
            return None
    return start


def _forward(marks: str, text: str, end: int) -> int | None:
    for mark in marks:
        while end < len(text) and text[end] == " ":
            end += 1
        if end >= len(text) or text[end] != mark:
            return None
        end += 1
    return end


def _removable(marks: str, kinds: Marks) -> tuple[Fold, ...] | None:
    """The folds that leave out all of these marks; None when one of them means something."""
    folds: dict[Fold, None] = {}
    at, stops = 0, 0
    while at < len(marks):
        for fold, pattern in kinds:
            found = pattern.match(marks, at)
            if found is not None and not (fold is Fold.FINAL_STOP and stops):
                stops += fold is Fold.FINAL_STOP
                folds[fold] = None
                at = found.end()
                break
        else:
            return None
    return tuple(folds)
