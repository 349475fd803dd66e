"""Citations as other systems write them, made into requests that `pagewitness verify` accepts.

What a format cannot say is listed in notes and never made up: every citation of the input becomes a
claim, has a note, or both.
"""

from __future__ import annotations

from verifier.convert.codes import CODES
from verifier.convert.convert import convert
from verifier.convert.model import Conversion, Converter, Draft, Note
from verifier.convert.naming import Cited
from verifier.convert.registry import converter, format_names
from verifier.convert.sources import SourceNames, load_sources

__all__ = [
    "CODES",
    "Cited",
    "Conversion",
    "Converter",
    "Draft",
    "Note",
    "SourceNames",
    "convert",
    "converter",
    "format_names",
    "load_sources",
]
