"""Ingest against bare extraction of the same files in the same process, and how it scales."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import line, paired, seconds

from grounding.errors import Refusal
from ingest.executors import SerialExecutor
from ingest.pipeline import IngestOptions, ingest
from ingest.reading.engine import BARE_FLAGS, pymupdf
from ingest.reading.pdf import open_pdf
from ingest.worker import Rules


def bare(files: list[Path]) -> int:
    """Reads each file and its pages' `rawdict`, without images; returns the number of pages."""
    pages = 0
    for file in files:
        document = open_pdf(file.read_bytes())
        for page in document:
            page.get_text("rawdict", flags=BARE_FLAGS)
            pages += 1
    return pages


def stored(files: list[Path], tables: str, db: Path | None = None) -> None:
    """Ingests into a fresh store, in this process."""
    rules = Rules(tables=tables)
    with tempfile.TemporaryDirectory() as folder:
        ingest(
            [str(file) for file in files],
            db or Path(folder) / "bench.db",
            IngestOptions(rules=rules),
            executor=SerialExecutor(rules),
        )


def run(files: list[Path], rounds: int) -> None:
    """Prints the ingest rows."""
    files = [file for file in files if _opens(file)]
    pages = bare(files)
    line("files, pages", f"{len(files)}, {pages}")
    for tables in ("off", "auto"):
        pair = paired(lambda tables=tables: stored(files, tables), lambda: bare(files), rounds)
        low, high = pair.spread
        per_second = pages / sorted(pair.ours)[len(pair.ours) // 2]
        line(
            f"ingest --tables {tables}: CPU by bare rawdict and reading",
            f"{pair.ratio:.2f} ({low:.2f}–{high:.2f}); {per_second:.0f} pages/s",
        )
    pymupdf.TOOLS.store_shrink(100)
    _refreshed(files)
    _jobs(files, rounds)
    line("peak memory of this process", f"{_peak_mib():.0f} MiB")


def _opens(file: Path) -> bool:
    try:
        open_pdf(file.read_bytes())
    except Refusal:
        return False
    return True


def _refreshed(files: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "bench.db"
        stored(files, "off", db)
        spent = seconds(lambda: stored(files, "off", db))
        size = sum(file.stat().st_size for file in files) / 1e6
        line(
            "ingest again, nothing changed",
            f"{len(files) / spent:.0f} files/s, {size / spent:.0f} MB/s",
        )


def _jobs(files: list[Path], rounds: int) -> None:
    """Wall time of the command with one and with two worker processes."""
    # A run of some seconds: with a short one, starting the workers is what is measured.
    pair = paired(
        lambda: _command(files, 1), lambda: _command(files, 2), max(rounds, 3), time.perf_counter
    )
    low, high = pair.spread
    line("ingest --jobs 2: speed by --jobs 1 (wall)", f"{pair.ratio:.2f} ({low:.2f}–{high:.2f})")


def _command(files: list[Path], jobs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pagewitness", "ingest", *map(str, files), "--db",
             f"{folder}/bench.db", "--jobs", str(jobs), "--tables", "off", "--json"],
            check=False, stdout=subprocess.DEVNULL,
        )  # fmt: skip


def growth(files: list[Path]) -> None:
    """Peak memory of ingesting the files once and of ingesting four copies of each."""
    peaks = []
    for copies in (1, 4):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for copy in range(copies):
                for number, file in enumerate(files):
                    target = Path(folder) / f"{copy}-{number}.pdf"
                    # Trailing bytes make other bytes of the same document.
                    target.write_bytes(file.read_bytes() + b"\n%" + str(copy).encode())
                    names.append(str(target))
            code = (
                "import json,resource,subprocess,sys;"
                "subprocess.run(json.loads(sys.argv[1]),stdout=subprocess.DEVNULL);"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            )
            command = [sys.executable, "-m", "pagewitness", "ingest", *names, "--db",
                       f"{folder}/b.db", "--jobs", "2", "--tables", "off", "--json"]  # fmt: skip
            result = subprocess.run(
                [sys.executable, "-c", code, json.dumps(command)],
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            peaks.append(int(result.stdout) / 1024)
    line("peak memory of the largest process, files × 1 and × 4",
         f"{peaks[0]:.0f} MiB, {peaks[1]:.0f} MiB")  # fmt: skip


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
