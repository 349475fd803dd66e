"""From bytes to artifacts: the only package that opens PDFs.

Names are imported when they are asked for: a worker process, or a program that only renders crops,
does not pay for the pipeline, and importing this package never loads a PDF engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.pipeline import FileResult, IngestOptions, IngestSummary, ingest

__all__ = ["FileResult", "IngestOptions", "IngestSummary", "ingest"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("ingest.pipeline"), name)
