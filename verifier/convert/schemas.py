"""JSON Schemas of what is converted, and of the notes on it."""

from __future__ import annotations

from typing import Any

from verifier.convert.model import ConversionNotes
from verifier.convert.registry import BUILT_IN, converter
from verifier.convert.sources import SourceNames
from verifier.schemas import json_schema


def convert_schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema of each kind of file, by name."""
    schemas = {
        "conversion_notes": json_schema(
            ConversionNotes,
            "conversion_notes",
            "Conversion notes",
            "What a conversion could not say, and how many citations became no claim.",
        ),
        "source_names": json_schema(
            SourceNames,
            "source_names",
            "Sources map",
            "Which documents the names in foreign citations stand for.",
        ),
    }
    for name in BUILT_IN:
        chosen, key = converter(name), f"convert_{name.replace('-', '_')}"
        schemas[key] = json_schema(chosen.kind, key, f"Input of --from {name}", chosen.about)
    return schemas
