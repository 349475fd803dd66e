"""Draw the sample PDFs of this folder: `python sample_docs/draw.py [--out DIR] [--check]`."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import sample_agreement
import sample_form
import sample_letter
import sample_report
import sample_statement

HERE = Path(__file__).resolve().parent
SAMPLES: dict[str, Callable[[], bytes]] = {
    "annual-report.pdf": sample_report.draw,
    "income-statement.pdf": sample_statement.draw,
    "service-agreement.pdf": sample_agreement.draw,
    "scanned-letter.pdf": sample_letter.draw,
    "registration-form.pdf": sample_form.draw,
}


def differing(folder: Path) -> list[str]:
    """Return the names of samples that are missing in `folder` or hold other bytes than drawn."""
    return [
        name
        for name, draw in SAMPLES.items()
        if not (folder / name).is_file() or (folder / name).read_bytes() != draw()
    ]


def main(arguments: list[str] | None = None) -> int:
    """Draw into a folder, or with --check compare; return 1 when a file differs."""
    parser = argparse.ArgumentParser(description="Draw the sample PDFs.")
    parser.add_argument("--out", type=Path, default=HERE, help="folder (default: this one)")
    parser.add_argument("--check", action="store_true", help="write nothing, compare with --out")
    options = parser.parse_args(arguments)
    if options.check:
        names = differing(options.out)
        for name in names:
            print(f"{name} is not what draw.py draws; run draw.py", file=sys.stderr)
        return 1 if names else 0
    options.out.mkdir(parents=True, exist_ok=True)
    for name, draw in SAMPLES.items():
        data = draw()
        (options.out / name).write_bytes(data)
        print(f"{name} {len(data)} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
