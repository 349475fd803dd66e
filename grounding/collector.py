"""The garbage collector, out of the way while many objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Reading a page or writing a report makes hundreds of thousands of small objects and no
    cycles: without the collector, which looks at all of them again and again, it is up to a third
    faster."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
