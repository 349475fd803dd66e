"""Files of foreign parsers: the examples, and small ones with one thing changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grounding.adapters import ForeignDocument, ForeignSource, read_artifact
from grounding.canonical import canonical_sha256

EXAMPLES = Path(__file__).parents[1] / "schemas" / "examples" / "foreign"
ADAPTER_OF = {
    "docling-json.json": "docling-json",
    "ethos-document.json": "ethos-document",
    "ethos-grounding.json": "ethos-grounding",
    "ethos-grounding-without-pages.json": "ethos-grounding",
    "opendataloader-json.json": "opendataloader-json",
    "opendataloader-json-tree.json": "opendataloader-json",
    "plain-text.txt": "plain-text",
}
SCHEMA_OF = {
    "docling-json.json": "foreign_docling",
    "ethos-document.json": "foreign_ethos_document",
    "ethos-grounding.json": "foreign_ethos_grounding",
    "ethos-grounding-without-pages.json": "foreign_ethos_grounding",
    "opendataloader-json.json": "foreign_opendataloader",
    "opendataloader-json-tree.json": "foreign_opendataloader_tree",
}
SENTENCE = "The depot at Alder Quay moved 5,500 tonnes in 2024"
_REFS = ("span_refs", "warning_refs", "element_refs")
OVER_THE_BREAK = f"{SENTENCE}, and it is to close in the spring."


def example(name: str) -> Any:
    """The JSON value of an example, to be changed at will."""
    return json.loads((EXAMPLES / name).read_text(encoding="utf-8"))


def example_bytes(name: str) -> bytes:
    return (EXAMPLES / name).read_bytes()


def read_example(name: str, change: Callable[[Any], object] | None = None) -> ForeignDocument:
    """An example as its adapter reads it, after a change of its value."""
    if change is None:
        return read_artifact(ADAPTER_OF[name], example_bytes(name))
    value = copy.deepcopy(example(name))
    change(value)
    return read_artifact(ADAPTER_OF[name], json.dumps(value).encode())


def source(name: str, change: Callable[[Any], object] | None = None) -> ForeignSource:
    """An example as a grounding source."""
    return ForeignSource(read_example(name, change), "depot-report.pdf")


def sealed(change: Callable[[Any], object]) -> Callable[[Any], None]:
    """A change of an Ethos document after which its hashes are made anew."""

    def run(value: Any) -> None:
        change(value)
        value["payload_sha256"] = canonical_sha256(_hashed(value["payload"]))
        manifest = {
            "config_sha256": value["config_sha256"],
            "payload_sha256": value["payload_sha256"],
            "profile_id": value["profile"]["id"],
            "profile_sha256": value["profile"]["sha256"],
            "schema_version": value["schema_version"],
            "source_fingerprint": value["source"]["fingerprint"],
        }
        value["fingerprint"] = f"sha256:{canonical_sha256(manifest)}"

    return run


def _hashed(value: Any) -> Any:
    """What of a payload Ethos hashes: no boxes, and of some lists only those with something in."""
    if isinstance(value, dict):
        left_out = {"bbox", "bboxes"} | {k for k in _REFS if not value.get(k)}
        return {key: _hashed(item) for key, item in value.items() if key not in left_out}
    return [_hashed(item) for item in value] if isinstance(value, list) else value
