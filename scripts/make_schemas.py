"""Writes schemas/*.json from the code, or says with --check whether they are up to date: JSON
Schemas of every file, and test vectors of the text folds.

Run it from anywhere: `python scripts/make_schemas.py [--check]`. Exit 1 means that a file differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grounding.fold_vectors import fold_vectors  # noqa: E402
from verifier.convert.schemas import convert_schemas  # noqa: E402
from verifier.schemas import schemas  # noqa: E402

FOLDER = ROOT / "schemas"


def files() -> dict[str, str]:
    """Content by file name."""
    every = {**schemas(), **convert_schemas()}
    made = {f"{name}.schema.json": _text(schema) for name, schema in every.items()}
    return {**made, "fold-vectors.json": _text(fold_vectors())}


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def differing(folder: Path = FOLDER) -> list[str]:
    """Names of files that are missing, stale, or that no model stands for."""
    wanted = files()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    return sorted(
        name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name)
    )


def write(folder: Path = FOLDER) -> None:
    """Writes every file and removes those that no model stands for."""
    folder.mkdir(exist_ok=True)
    wanted = files()
    for path in folder.glob("*.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> int:
    """Writes, or checks with --check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    if not parser.parse_args().check:
        write()
        return 0
    stale = differing()
    for name in stale:
        print(f"schemas/{name} differs; run python scripts/make_schemas.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
