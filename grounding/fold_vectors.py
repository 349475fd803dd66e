"""Inputs that show what the profile of folds does, with what it makes of them: other
implementations can test against `schemas/fold-vectors.json`.

A vector's map gives, for every folded character, the range [start, end) of raw characters that it
stands for; offsets are Unicode code points.
"""

from __future__ import annotations

from typing import Any

from grounding.text import FOLD_PROFILE, NO_FOLDS, Fold, fold

INPUTS = (
    ("plain text stays as it is", "The lease ends in 2031."),
    ("white space of every kind is one space", "Net\u00a0sales\u2003rose\t\n again"),
    ("a hyphen at a line's end goes", "A mild winter lifted the reser-\nvoir level"),
    ("a hyphen before a capital stays", "non-\nGAAP measures"),
    ("a soft hyphen goes", "co\u00adoperation"),
    ("what an extractor left of a hyphen goes", "reser\ufffevoir and co\u0002operation"),
    ("zero-width characters go", "net\u200b sales\ufeff"),
    ("control characters go", "net\x07 sales\x1b"),
    ("ligatures are letters", "speci\ufb01c o\ufb03ce sta\ufb00"),
    ("\u0153 and \u00e6 are letters of their own", "\u0153uvre and \u00e6on"),
    (
        "quotation marks are straight",
        "\u201cthe lessee\u2019s\u201d \u201aright\u2018 \u00abici\u00bb",
    ),
    ("dashes and minus are a hyphen", "2019\u20132020 \u2014 \u22125.1 long\u2011term"),
    ("an ellipsis is three full stops", "and so on\u2026"),
    ("full-width forms are ASCII", "\uff11\uff12\uff13\uff05 \uff21\uff22"),
    ("mathematical letters are plain", "\U0001d400 = \U0001d7cf\U0001d7d0"),
    ("raised digits are no digits", "83.4\u00b9 and 10\u00b2"),
    ("half-width kana are wide", "\uff76\uff85"),
    ("radicals are characters", "\u2f00\u2f08"),
    ("Arabic presentation forms are letters", "\ufedf\ufe8e \ufefb"),
    ("marks are composed", "Zu\u0308rich Vie\u0323\u0302t"),
    ("spaces between Han characters go", "\u8425 \u4e1a \u6536\u5165 income"),
    ("digits and signs are never touched", "(1,234.5) -7 % \u20ac 3"),
)
"""(what it shows, raw text)."""


def fold_vectors() -> dict[str, Any]:
    """The profile's name, its folds, and the vectors."""
    return {
        "profile": FOLD_PROFILE,
        "folds": [str(kind) for kind in Fold],
        "vectors": [_vector(name, raw) for name, raw in INPUTS],
    }


def _vector(name: str, raw: str) -> dict[str, Any]:
    folded = fold(raw, NO_FOLDS)
    return {
        "name": name,
        "input": raw,
        "output": folded.text,
        "map": [list(folded.to_raw(at, at + 1)) for at in range(len(folded.text))],
    }
