"""Verdicts on documents whose places are not known: what may not be said of them is taken out."""

from __future__ import annotations

from typing import Any

from grounding.model import Capabilities
from verifier.report import Check

_BOXES = frozenset(("bbox", "regions", "label_regions"))
_ELEMENTS = frozenset(("element_id",))
_PAGES = frozenset(("page", "page_number"))
_SAYS_PLACES = ("evidence", "found_elsewhere", "nearest", "match", "quantities")


def without_unknown(value: Any, capabilities: Capabilities) -> Any:
    """Evidence without what its source does not know of places."""
    unknown = _unknown(capabilities)
    return _without(value, unknown) if unknown else value


def without_unknown_places(check: Check, capabilities: Capabilities) -> Check:
    """The check without boxes whose origin nobody knows, and without the pages of a document that
    has none."""
    unknown = _unknown(capabilities)
    if unknown:
        parts: dict[str, Any] = check  # type: ignore[assignment]
        for key in _SAYS_PLACES:
            if key in parts:
                parts[key] = _without(parts[key], unknown)
    return check


def _unknown(capabilities: Capabilities) -> frozenset[str]:
    unknown: frozenset[str] = frozenset()
    if capabilities.coordinate_origin == "unknown":
        unknown |= _BOXES
    if not capabilities.elements:
        unknown |= _ELEMENTS
    return unknown if capabilities.pages else unknown | _PAGES


def _without(value: Any, unknown: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without(item, unknown) for key, item in value.items() if key not in unknown}
    return [_without(item, unknown) for item in value] if isinstance(value, list) else value
