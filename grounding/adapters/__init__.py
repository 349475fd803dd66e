"""Files of foreign parsers as grounding sources.

An adapter is a function from a file's bytes to a ForeignDocument; it raises ArtifactInvalidError
for a file that it cannot take whole. Others are found by the entry-point group
`pagewitness.adapters` (docs/adapters.md shows one).
"""

from grounding.adapters.model import (
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignSpan,
    ForeignTable,
)
from grounding.adapters.registry import adapter_names, read_artifact
from grounding.adapters.source import ForeignSource

__all__ = [
    "ForeignCell",
    "ForeignDocument",
    "ForeignElement",
    "ForeignPage",
    "ForeignSource",
    "ForeignSpan",
    "ForeignTable",
    "adapter_names",
    "read_artifact",
]
