"""What a claim and the cited place say, for people who compare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grounding.text import fold
from verifier.report import Check, Difference

_UNCOMPARED = frozenset({"hidden_text", "ambiguous_occurrence", "page_without_text"})
"""Reasons whose evidence has the claim's own words: there is no difference to show."""


def claim_wording(check: Check) -> str:
    """The words or the value that were compared; empty when the claim has none."""
    claim = check["claim"]
    order = (
        ("value", "text") if claim.get("kind") in ("value", "calculation") else ("text", "value")
    )
    found = next((claim[key] for key in order if claim.get(key) is not None), "")
    if isinstance(found, dict):  # a structured value
        keys = ("sign", "number", "scale", "unit", "currency", "period")
        return " ".join(str(found[key]) for key in keys if found.get(key) is not None)
    return str(found)


def compared_text(check: Check) -> str | None:
    """What the cited place says instead of the claim; None when there is nothing to compare."""
    text = check.get("evidence", {}).get("text")
    if check["status"] != "mismatch" or check.get("reason") in _UNCOMPARED or not text:
        return None
    return text if claim_wording(check) else None


def real_differences(differences: Iterable[Difference]) -> list[Difference]:
    """Differences without those of typography alone, unless there are no others."""
    every = list(differences)
    return [d for d in every if fold(d["claim"]).text != fold(d["source"]).text] or every


def page_words(place: Mapping[str, Any]) -> str:
    """ "page 7" of a place in a report; "the document" where its source has no pages."""
    return f"page {place['page']}" if "page" in place else "the document"
