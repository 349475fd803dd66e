"""Readers for tests of executors: they read like the real one and do something odd on demand.

`odd(pdf, "crash", 1, "text")` appends an order to a file; `read` obeys it when the
reading comes to that page (from 0; −2 is every page) and stage ("open" comes before the first).
"""

import os
import re
import signal
import time

from grounding.artifact import Artifact
from ingest.reading.document import PageLimits, Progress, ReadOptions, read_document

_ORDER = re.compile(rb"%odd (\w+) (-?\d+) (\w+)\n")


def odd(pdf: bytes, action: str, page: int = -1, stage: str = "open") -> bytes:
    """The PDF with an order behind it, which PDF readers take for junk after the end."""
    return pdf + f"%odd {action} {page} {stage}\n".encode()


def read(data: bytes, options: ReadOptions, limits: PageLimits, progress: Progress) -> Artifact:
    """The default reader, with the orders of the file carried out."""
    orders = [(act, int(page), stage.decode()) for act, page, stage in _ORDER.findall(data)]

    def obey(at: int, now: str) -> None:
        progress(at, now)
        for action, page, stage in orders:
            left_out = at in (limits.without_tables if stage == "tables" else limits.failed)
            if page in (at, -2) and stage == now and not left_out:
                _DO[action.decode()]()

    obey(-1, "open")
    return read_document(data, options, limits, obey)


def _spin() -> None:
    while True:
        pass


def _hog() -> None:
    bytearray(1 << 46)  # more than any machine hands out, limit or not


def _large() -> None:
    bytearray(400 << 20)


def _bug() -> None:
    raise ZeroDivisionError("a bug of the reader")


_DO = {
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "spin": _spin,
    "sleep": lambda: time.sleep(120),
    "hog": _hog,
    "large": _large,
    "bug": _bug,
}
