"""Conversions for tests: the examples, and short ways to convert and to look at what came out."""

import json
from pathlib import Path
from typing import Any

from grounding.canonical import canonical_bytes
from verifier import parse_requests
from verifier.convert import Conversion, SourceNames, convert, load_sources

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "schemas" / "examples" / "convert"
FORMATS = (
    "anthropic",
    "azure-content-understanding",
    "haystack",
    "landingai",
    "langchain",
    "llamaindex",
    "numbered-answer",
    "openai",
)
DEFAULTS = {"openai": "registration-form.pdf"}
"""The examples that name no document, and the one that they cite."""


def example(name: str) -> bytes:
    return (EXAMPLES / f"{name}.json").read_bytes()


def expected_request(name: str) -> Any:
    return json.loads((EXAMPLES / f"{name}.request.json").read_text(encoding="utf-8"))


def sources(*entries: dict[str, Any]) -> SourceNames:
    return load_sources(json.dumps({"sources": list(entries)}).encode())


def made(
    name: str, value: Any, document: str | None = None, names: SourceNames | None = None
) -> Conversion:
    """The conversion of JSON data or text; what it gives is accepted by the verifier."""
    data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
    conversion = convert(data, name, document=document, sources=names)
    check(conversion)
    return conversion


def check(conversion: Conversion) -> None:
    """What holds for every conversion: the verifier takes it, and its counts are true."""
    claims = [claim for request in conversion.requests for claim in request["claims"]]
    assert conversion.claims == len(claims)
    ids = [claim["id"] for claim in claims]
    assert len(set(ids)) == len(ids)
    assert {note.claim_id for note in conversion.notes if note.claim_id} <= set(ids)
    if conversion.requests:
        data = conversion.request_bytes()
        assert data == canonical_bytes(json.loads(data)) + b"\n"
        assert len(parse_requests(data).requests) == len(conversion.requests)
    assert json.loads(conversion.notes_bytes())["unconverted"] == conversion.unconverted
    if not conversion.complete:
        assert conversion.notes


def claims_of(conversion: Conversion) -> list[dict[str, Any]]:
    return [claim for request in conversion.requests for claim in request["claims"]]


def codes(conversion: Conversion) -> list[str]:
    return [note.code for note in conversion.notes]
