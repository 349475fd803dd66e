"""The table engines that come with this package, as entries of the registry.

An entry imports its package only when it is made.
"""

from __future__ import annotations

from ingest.tables.aligned import Aligned
from ingest.tables.camelot import CamelotHybrid, CamelotLattice, CamelotNetwork, CamelotStream
from ingest.tables.mupdf import MupdfLines, MupdfUnion
from ingest.tables.plumber import PlumberLines
from ingest.tables.registry import (
    _ENGINES,
    EngineError,
    EngineFailed,
    EngineUnavailable,
    FoundCell,
    FoundTable,
    Rect,
    TableEngine,
    engine,
    engine_names,
    grid,
    register,
)
from ingest.tables.ruled import Ruled

__all__ = [
    "_ENGINES",
    "Aligned",
    "CamelotHybrid",
    "CamelotLattice",
    "CamelotNetwork",
    "CamelotStream",
    "EngineError",
    "EngineFailed",
    "EngineUnavailable",
    "FoundCell",
    "FoundTable",
    "MupdfLines",
    "MupdfUnion",
    "PlumberLines",
    "Rect",
    "Ruled",
    "TableEngine",
    "engine",
    "engine_names",
    "grid",
    "register",
]

for _kind in (
    Ruled, Aligned,
    MupdfLines, MupdfUnion, PlumberLines,
    CamelotLattice, CamelotStream, CamelotNetwork, CamelotHybrid,
):  # fmt: skip
    register(_kind.name, _kind)
