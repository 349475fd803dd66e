"""Refresh over a folder in which nothing changed: by size and time, and hashing everything."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from blake3 import blake3
from measure import line, paired, seconds

from ingest.executors import SerialExecutor
from ingest.pipeline import IngestOptions, ingest
from ingest.refresh import refresh
from ingest.worker import Rules

COPIES = 2000
"""Files in the folder that is looked at; the given ones again and again, each with a tail of its
own, so that none is another's alias."""
_SMALL = 200_000


def hashed(files: list[Path]) -> None:
    """Blake3 of every file, as fast as this machine has it."""
    for file in files:
        blake3(max_threads=blake3.AUTO).update_mmap(file).digest()


def run(files: list[Path], rounds: int) -> None:
    """Prints the refresh rows."""
    rules = Rules(tables="off")
    with tempfile.TemporaryDirectory() as folder:
        inside, db = Path(folder) / "in", Path(folder) / "bench.db"
        inside.mkdir()
        small = [file.read_bytes() for file in files if file.stat().st_size < _SMALL][:1]
        data = small[0] if small else files[0].read_bytes()
        copies = [inside / f"{number}.pdf" for number in range(COPIES)]
        for number, copy in enumerate(copies):
            copy.write_bytes(data + f"\n% copy {number}".encode())
        ingest([str(inside)], db, IngestOptions(rules=rules), executor=SerialExecutor(rules))
        time.sleep(2.1)  # until their times count
        look = [str(inside)]
        refresh(look, db, IngestOptions())
        alone = seconds(lambda: refresh(look, db, IngestOptions()))
        line("refresh of 2,000 unchanged files: CPU a file", f"{1000 * alone / COPIES:.2f} ms")
        wall = time.perf_counter
        pair = paired(
            lambda: refresh(look, db, IngestOptions(), paranoid=True),
            lambda: hashed(copies),
            rounds,
            wall,
        )
        low, high = pair.spread
        size = len(data) // 1000
        line(
            f"refresh --paranoid of files of {size} kB: share of blake3's throughput",
            f"{1 / pair.ratio:.2f} ({1 / high:.2f}–{1 / low:.2f})",
        )
