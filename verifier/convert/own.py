"""Citations that Pagewitness's own loaders put into the metadata of chunks, as JSON text."""

from __future__ import annotations

from typing import Any

from pydantic import StrictStr, ValidationError

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.claims import Citation
from verifier.convert.model import Draft
from verifier.convert.shapes import Path, json_path
from verifier.convert.sources import Named
from verifier.structured import ClosedModel


class OwnCitation(ClosedModel):
    """The document, its version, and the place of a chunk."""

    document: StrictStr
    document_fingerprint: StrictStr
    citation: Citation


def own_claim(text: str | None, said: str, at: Path, claim_id: str, draft: Draft) -> bool:
    """Makes the claim that a chunk stands where its loader says; `said` is the chunk's text. False
    where the metadata has no such `text`. Raises ConversionInvalidError for one of another shape.
    """
    if text is None:
        return False
    value: Any = load_json(text, refusal=ConversionInvalidError)
    try:
        own = OwnCitation.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = json_path((*at, "pagewitness"))
        raise ConversionInvalidError(f"{where}: {first['msg']}") from error
    if not said.strip():
        draft.lose("empty_text", at)
        return True
    claim = {"kind": "quote", "text": said, "citation": value["citation"]}
    draft.add(Named(own.document, own.document_fingerprint), claim_id, claim)
    return True
