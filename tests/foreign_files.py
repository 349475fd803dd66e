"""Files of foreign parsers: the examples, and small ones with one thing changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grounding.adapters import ForeignDocument, ForeignSource, read_artifact

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
