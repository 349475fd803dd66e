"""Finding a page's tables within a time limit."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from grounding.model import DocumentWarning, WarningCode
from ingest.reading.engine import pymupdf
from ingest.reading.page import PageReading
from ingest.reading.pdf import ENGINE_ERRORS
from ingest.tables.cascade import TableSearches
from ingest.tables.cells import adopt_elements
from ingest.tables.view import PageView


class TablesTimedOut(BaseException):
    """The page's time for tables is over. Not an Exception: the finder swallows those."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TablesTimedOut inside after `seconds`. Works in a process's main thread where the
    system has interval timers; elsewhere the limit of the whole file is the only one."""
    if not hasattr(signal, "setitimer") or (
        threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def over(signum: int, frame: FrameType | None) -> None:
        raise TablesTimedOut

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def add_tables(
    document: Any, page: Any, reading: PageReading, seconds: float, mode: str = "auto"
) -> None:
    """Finds the tables of a page and puts them into its content, at most `seconds` long."""
    content = reading.content
    search = TableSearches(PageView(document, page, content, reading.boxes, len(reading.vectors)))
    try:
        with time_limit(seconds):
            content.tables.extend(search.run(mode))
            content.searches.extend(search.log)
    except TablesTimedOut:
        content.warnings.append(
            DocumentWarning(WarningCode.TABLES_TIMED_OUT, 0, f"after {seconds:g} s")
        )
    except ENGINE_ERRORS as error:
        content.warnings.append(
            DocumentWarning(WarningCode.PARTIAL_PARSE, 0, f"tables: {str(error)[:180]}")
        )
    finally:
        # The finder changes these for the whole process and may have been interrupted.
        pymupdf.TOOLS.set_small_glyph_heights(False)
        pymupdf.TOOLS.unset_quad_corrections(True)
    content.tables.sort(key=lambda table: (table.box.y0, table.box.x0))
    adopt_elements(content)
    if not all(table.trusted for table in content.tables):
        content.warnings.append(DocumentWarning(WarningCode.LOW_CONFIDENCE_TABLE_STRUCTURE))
