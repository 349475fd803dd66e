"""Search hits as data: where each stands, an excerpt, and a claim that verifies as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grounding.model import Element
from grounding.passages import Range, document_slice
from grounding.source import GroundingSource
from grounding.store.search import Hit
from verifier.matching import Quote

MARK = "**"
"""Stands on both sides of what a snippet shows as found."""
EXCERPT = 160
"""Characters of an element that a hit shows."""
_LEAD = EXCERPT // 4
_LEAST_WORDS = 2
"""Words of a quote that are no function words; fewer prove nothing by the default rules."""


def hit_data(hit: Hit) -> dict[str, Any]:
    """One line of `search --json` (schemas/search_hit.schema.json)."""
    identity = hit.source.identity
    plain, marked = excerpts(hit.text, hit.marks)
    claim = claim_of(hit.source, hit.element, hit.passage, hit.whole)
    return {
        "document": identity.source_id,
        "document_fingerprint": identity.document_fingerprint,
        "kind": str(hit.element.kind),
        "score": hit.score,
        "citation": claim["citation"],
        "bbox": hit.element.box.as_list(),
        "excerpt": plain,
        "snippet": marked,
        "claim": claim,
    }


def claim_of(source: GroundingSource, element: Element, *ranges: Range) -> dict[str, Any]:
    """A claim that a range of an element stands there: the first of `ranges` that has enough words
    for a quote. One word, as of a heading, is claimed to be present; so is an element with none."""
    citation = {"page": element.page, "element_id": element.id}
    texts = [document_slice(source, element.page, *range_) for range_ in ranges]
    for text in texts:
        if Quote(text).has_significant_words(_LEAST_WORDS):
            return {"kind": "quote", "text": text, "citation": citation}
    if Quote(texts[0]).has_significant_words(1):
        return {"kind": "presence", "text": texts[0], "citation": citation}
    return {"kind": "presence", "citation": citation}


def excerpts(text: str, marks: Sequence[Range]) -> tuple[str, str]:
    """The part of a text around the first mark on one line, as it is and with all marks in it set
    off by MARK."""
    plain, moved = _on_one_line(text, marks)
    start = max(moved[0][0] - _LEAD, 0)
    end = min(start + EXCERPT, len(plain))
    head, tail = "…" if start else "", "…" if end < len(plain) else ""
    parts, at = [], start
    for low, high in moved:
        if at <= low < high <= end:
            parts += [plain[at:low], MARK, plain[low:high], MARK]
            at = high
    marked = "".join([*parts, plain[at:end]])
    return f"{head}{plain[start:end].strip()}{tail}", f"{head}{marked.strip()}{tail}"


def _on_one_line(text: str, marks: Sequence[Range]) -> tuple[str, list[Range]]:
    """A text whose runs of white space are single spaces, and where its marks are then."""
    places, parts, length = [0] * (len(text) + 1), [], 0
    for at, char in enumerate(text):
        places[at] = length
        if not char.isspace():
            parts.append(char)
        elif length and parts[-1] != " ":
            parts.append(" ")
        else:
            continue
        length += 1
    places[len(text)] = length
    return "".join(parts).rstrip(), [(places[low], places[high - 1] + 1) for low, high in marks]
