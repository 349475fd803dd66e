"""All benchmarks: `python benchmarks/run.py [--rounds N] [PDF...]`, by default on sample_docs/.

Tables are scored only for PDFs that have their truth beside them; with `--only tables` folders may
be given (see bench_tables.py, which has more options).
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import bench_audits  # noqa: E402
import bench_crop  # noqa: E402
import bench_gate  # noqa: E402
import bench_ingest  # noqa: E402
import bench_quantities  # noqa: E402
import bench_refresh  # noqa: E402
import bench_tables  # noqa: E402
import bench_verify  # noqa: E402
from measure import line  # noqa: E402

PARTS = {
    "ingest": bench_ingest.run,
    "growth": lambda files, rounds: bench_ingest.growth(files),
    "verify": bench_verify.run,
    "quantities": bench_quantities.run,
    "refresh": bench_refresh.run,
    "gate": bench_gate.run,
    "audits": bench_audits.run,
    "crop": bench_crop.run,
    "tables": bench_tables.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="PDF")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=sorted(PARTS), action="append")
    arguments = parser.parse_args()
    files = arguments.files or sorted((ROOT / "sample_docs").glob("*.pdf"))
    line("python, machine", f"{platform.python_version()}, {platform.machine()}")
    for name, part in PARTS.items():
        if not arguments.only or name in arguments.only:
            part(files, arguments.rounds)


if __name__ == "__main__":
    main()
