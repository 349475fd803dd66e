"""What evidence is: model, geometry, text, fingerprints, canonical JSON and the store.

Opens no PDF and imports neither `ingest` nor `verifier`.
"""

from grounding.canonical import canonical_bytes, canonical_sha256
from grounding.charboxes import CharBoxes
from grounding.errors import PagewitnessError
from grounding.fingerprint import SourceFingerprint, fingerprint_bytes, fingerprint_file
from grounding.geometry import Box, BoxSpace, PageFrame
from grounding.model import (
    Capabilities,
    Cell,
    DocumentIdentity,
    DocumentWarning,
    Element,
    ElementKind,
    Page,
    Parser,
    Region,
    Span,
    SpanFlag,
    Style,
    Table,
    WarningCode,
)
from grounding.source import GroundingSource
from grounding.store import StoredSource, StoreReader, StoreWriter
from grounding.text import Fold, Folded, fold

__all__ = [
    "Box",
    "BoxSpace",
    "Capabilities",
    "Cell",
    "CharBoxes",
    "DocumentIdentity",
    "DocumentWarning",
    "Element",
    "ElementKind",
    "Fold",
    "Folded",
    "GroundingSource",
    "Page",
    "PageFrame",
    "PagewitnessError",
    "Parser",
    "Region",
    "SourceFingerprint",
    "Span",
    "SpanFlag",
    "StoreReader",
    "StoreWriter",
    "StoredSource",
    "Style",
    "Table",
    "WarningCode",
    "canonical_bytes",
    "canonical_sha256",
    "fingerprint_bytes",
    "fingerprint_file",
    "fold",
]
