"""PyMuPDF, set up once for reading: quiet on stdout, fixed global switches, pinned options.

Importing it takes half a second or more, so only worker processes and the crop renderer import
this module.
"""

from __future__ import annotations

import os
import sys
from typing import Any

# The light build prints an advertisement for the layout package on stdout, which is data only here.
os.environ.setdefault("PYMUPDF_SUGGEST_LAYOUT_ANALYZER", "0")

# Importing the full build loads its layout model and onnxruntime, which only one optional table
# engine needs; that one imports the layout itself.
_loaded_before = "pymupdf.layout" in sys.modules
sys.modules.setdefault("pymupdf.layout", None)  # type: ignore[arg-type]

import pymupdf  # noqa: E402 after what it must not load

if not _loaded_before:
    del sys.modules["pymupdf.layout"]

pymupdf.set_messages(fd=2)
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)
# The full and the light build of PyMuPDF import with different defaults here, which moves boxes by
# about a point; the value is stated so that both read the same.
pymupdf.TOOLS.unset_quad_corrections(True)

__all__ = [
    "BARE_FLAGS",
    "EVERYWHERE",
    "PARSER_NAME",
    "PARSER_VERSION",
    "TEXT_FLAGS",
    "pymupdf",
    "take_messages",
]

PARSER_NAME = "pymupdf"
PARSER_VERSION = f"{pymupdf.__version__}+mupdf{pymupdf.mupdf_version}"

BARE_FLAGS = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_IMAGES
TEXT_FLAGS = BARE_FLAGS | pymupdf.TEXT_COLLECT_VECTORS
"""Text with, in drawing order among its blocks, every path: what lies under and over text, and the
rules of tables, for nearly nothing."""
EVERYWHERE = pymupdf.INFINITE_RECT()


def take_messages() -> str:
    """What MuPDF complained of since the last call; its buffer is global to the process."""
    text: Any = pymupdf.TOOLS.mupdf_warnings(reset=True)
    return str(text or "")
