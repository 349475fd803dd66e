"""Requests of this project as citations under Ethos's rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grounding.errors import RequestInvalidError


def document_of(value: Any) -> str | None:
    """The document that a request names; citations of Ethos name none."""
    name = value.get("document") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def as_citations(value: Any, page_ids: Mapping[int, str]) -> Any:
    """A request that names its document, in Ethos's form: without the name and the claims' ids, a
    plain `value` as text, page numbers as ids. What names none is Ethos's own and stays as it is;
    what Ethos has no key for is left to be refused.

    Raises RequestInvalidError for a set of requests.
    """
    if isinstance(value, dict) and "requests" in value:
        raise RequestInvalidError(
            "Ethos's rules are for one document", remedy="verify the requests one by one"
        )
    if document_of(value) is None:
        return value
    claims = value.get("claims")
    made = {key: item for key, item in value.items() if key != "document"}
    if isinstance(claims, list):
        made["claims"] = [_claim(claim, page_ids) for claim in claims]
    return made


def _claim(claim: Any, page_ids: Mapping[int, str]) -> Any:
    if not isinstance(claim, dict):
        return claim
    made = {key: item for key, item in claim.items() if key != "id"}
    if "text" not in made and isinstance(made.get("value"), str):
        made["text"] = made.pop("value")
    citation = made.get("citation")
    if isinstance(citation, dict) and type(citation.get("page")) is int:
        page = citation["page"]
        made["citation"] = {**citation, "page": page_ids.get(page, str(page))}
    return made
