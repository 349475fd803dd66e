"""The shapes of foreign files that the adapters read, for JSON Schemas."""

from __future__ import annotations

from typing import Any

from grounding.adapters.docling import DoclingFile
from grounding.adapters.ethos_document import EthosDocument
from grounding.adapters.ethos_grounding import GroundingFile
from grounding.adapters.opendataloader import FlatFile
from grounding.adapters.opendataloader_tree import TreeFile

FOREIGN: dict[str, tuple[Any, str, str]] = {
    "foreign_docling": (
        DoclingFile,
        "Docling document",
        "What is read of a DoclingDocument. Its other keys are passed over.",
    ),
    "foreign_ethos_document": (
        EthosDocument,
        "Ethos document",
        "A native document of Ethos. Its fingerprints have to be those of what it says.",
    ),
    "foreign_ethos_grounding": (
        GroundingFile,
        "Grounding JSON",
        "ethos.grounding.v1, with and without pages. Ids are unique, boxes lie on their page, "
        "offsets select the span's text, cells do not overlap.",
    ),
    "foreign_opendataloader": (
        FlatFile,
        "OpenDataLoader JSON, flat",
        "Pages, elements and tables side by side, in points.",
    ),
    "foreign_opendataloader_tree": (
        TreeFile,
        "OpenDataLoader JSON, tree",
        "Nodes as the tool writes them. A node has children under kids or list items, a table rows "
        "of cells.",
    ),
}
"""Type, title and description by the name of the schema."""
