"""A document of the store in the form that foreign artifacts have."""

from __future__ import annotations

from dataclasses import replace

from grounding.adapters.ethos_grounding import read
from grounding.adapters.model import ForeignDocument
from grounding.canonical import canonical_bytes
from grounding.grounding_json import grounding_json
from grounding.model import Parser
from grounding.source import GroundingSource


def as_foreign(source: GroundingSource) -> ForeignDocument:
    """The document as its Grounding JSON has it, under its own fingerprint and parser."""
    document = read(canonical_bytes(grounding_json(source)))
    return replace(
        document,
        parser=Parser(source.parser.name, source.parser.version),
        capabilities=replace(document.capabilities, crop_support=False),
        fingerprint=source.identity.document_fingerprint,
        name=source.identity.name,
    )
