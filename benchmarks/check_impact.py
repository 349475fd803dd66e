"""What becomes of 200 citations of three filings whose files change, beside what was done to them.

    python benchmarks/check_impact.py FILE.pdf FILE.pdf FILE.pdf

In the first file a number of one page is swapped, in the second a page is inserted, the third is
saved again with other metadata and deleted afterwards. Exits 1 when `impact` says anything else
than what follows from that.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pymupdf

from grounding.model import ElementKind
from grounding.store import StoreReader

CITATIONS = 200
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w.,]\d)")
_SWAPPED = str.maketrans("123456789", "234567891")


def run(folder: Path, *arguments: str) -> str:
    """What a command of this project prints, in a folder."""
    made = subprocess.run(
        [sys.executable, "-m", "pagewitness", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if made.returncode not in (0, 1):
        sys.exit(f"{arguments[0]}: {made.stderr.strip()}")
    return made.stdout


def candidates(db: Path, name: str) -> list[dict[str, Any]]:
    """A quote of every paragraph that a document has once, and the first number of it."""
    found: list[dict[str, Any]] = []
    repeated: Counter[str] = Counter()
    with StoreReader(db) as reader:
        document = reader.open(name)
        for page in document.pages:
            text = document.page_text(page.number)
            for element in document.elements(page.number):
                if element.kind is not ElementKind.PARAGRAPH:
                    continue
                words = " ".join(
                    text[element.start - page.start : element.end - page.start].split()
                )
                if not 30 <= len(words) <= 400:
                    continue
                place = {"page": page.number}
                found.append({"kind": "quote", "text": words, "citation": place})
                repeated[words] += 1
                number = _NUMBER.search(words)
                if number is not None:
                    place = {"page": page.number, "element_id": element.id}
                    found.append({"kind": "value", "text": number.group(), "citation": place})
    return [claim for claim in found if repeated[claim["text"]] < 2]


def spread(items: list[Any], count: int) -> list[Any]:
    """Some of many, evenly."""
    count = min(count, len(items))
    return [items[at * len(items) // count] for at in range(count)]


def cite(folder: Path, names: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Verifies and saves citations, only such as are grounded: their checks by document."""
    shares = {name: CITATIONS * (at + 1) // len(names) - CITATIONS * at // len(names)
              for at, name in enumerate(names)}  # fmt: skip
    found = {name: candidates(folder / "grounding.db", name) for name in names}
    put(folder, {name: spread(all_, 3 * shares[name]) for name, all_ in found.items()})
    first = json.loads(run(folder, "verify", "request.json"))
    kept: dict[str, list[dict[str, Any]]] = {}
    for name, report in zip(names, first["reports"], strict=True):
        grounded = [c["claim"] for c in report["checks"] if c["status"] == "grounded"]
        kept[name] = spread(grounded, shares[name])
    put(folder, kept)
    saved = json.loads(run(folder, "verify", "request.json", "--save"))
    return {n: report["checks"] for n, report in zip(names, saved["reports"], strict=True)}


def put(folder: Path, claims: dict[str, list[dict[str, Any]]]) -> None:
    requests = [{"document": name, "claims": some} for name, some in claims.items()]
    (folder / "request.json").write_text(json.dumps({"requests": requests}), encoding="utf-8")


def swap_number(path: Path, checks: list[dict[str, Any]]) -> tuple[set[str], str]:
    """Changes the number of one cited value on its page; the ids of the checks whose evidence lies
    where it stood, and what was done."""
    with pymupdf.open(path) as document:
        for check in checks:
            evidence, old = check["evidence"], check["claim"]["text"]
            page = document[evidence["page_number"] - 1]
            regions = [r["bbox"] for r in evidence["regions"]]
            places = [
                place
                for place in page.search_for(old)
                if any(_meet(region, _centipoints(place)) for region in regions)
            ]
            if check["claim"]["kind"] != "value" or len(places) != 1 or page.rotation:
                continue
            (place,) = places
            new = old.translate(_SWAPPED)
            page.add_redact_annot(_inside(place), fill=False)
            page.apply_redactions(images=0, graphics=0)
            page.insert_text((place.x0, place.y1 - 0.25 * place.height), new,
                             fontsize=0.75 * place.height)  # fmt: skip
            document.save(f"{path}.new")
            break
        else:
            sys.exit(f"{path.name}: no cited number can be found again on its page")
    os.replace(f"{path}.new", path)
    hit = _centipoints(place)
    dead = {
        one["id"] for one in checks
        if any(region["page"] == evidence["page_number"] and _meet(region["bbox"], hit)
               for region in one["evidence"]["regions"])
    }  # fmt: skip
    return dead, f"{old} -> {new} on page {evidence['page_number']}"


def _inside(place: pymupdf.Rect) -> pymupdf.Rect:
    """A box without its edges, where the neighbours of the number begin."""
    return pymupdf.Rect(place.x0 + 0.5, place.y0 + 1, place.x1 - 0.5, place.y1 - 1)


def _centipoints(place: Any) -> list[float]:
    return [100 * edge for edge in place]


def _meet(one: list[float], other: list[float]) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 100 and high > 0.4 * (other[3] - other[1])


def insert_page(path: Path) -> int:
    """Puts a page into the middle; the number that it has."""
    with pymupdf.open(path) as document:
        at = document.page_count // 2
        page = document.new_page(at, *document[at].rect.br)
        page.insert_text((72, 72), "This page was added later and says nothing of figures.")
        document.save(f"{path}.new")
    os.replace(f"{path}.new", path)
    return at + 1


def save_again(path: Path) -> None:
    """The same file with another title."""
    with pymupdf.open(path) as document:
        document.set_metadata({**document.metadata, "title": "Saved again"})
        document.save(f"{path}.new")
    os.replace(f"{path}.new", path)


def main() -> None:
    """Runs the whole and prints what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs=3, type=Path, metavar="FILE.pdf")
    files = parser.parse_args().files
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base)
        (folder / "in").mkdir()
        for name, file in zip("abc", files, strict=True):
            shutil.copyfile(file, folder / "in" / f"{name}.pdf")
        run(folder, "ingest", "in")
        run(folder, "refresh", "in")
        checks = cite(folder, ["a", "b", "c"])
        total = sum(map(len, checks.values()))
        dead, done = swap_number(folder / "in" / "a.pdf", checks["a"])
        added = insert_page(folder / "in" / "b.pdf")
        save_again(folder / "in" / "c.pdf")
        states = [json.loads(row) for row in run(folder, "refresh", "in", "--json").splitlines()]
        told = {Path(row["path"]).name: row["status"] for row in states if "path" in row}
        os.remove(folder / "in" / "c.pdf")
        states = [json.loads(row) for row in run(folder, "refresh", "in", "--json").splitlines()]
        told["c.pdf then"] = {Path(r["path"]).name: r["status"] for r in states if "path" in r}[
            "c.pdf"
        ]
        rows = [json.loads(row) for row in run(folder, "impact", "--json").splitlines()]
    print(f"{total} citations saved; {done}; page {added} inserted; files: {told}")
    print("impact:", dict(sorted(Counter((r["document"], r["state"]) for r in rows).items())))
    faults = list(_faults(rows, checks, dead, added))
    if told != {"a.pdf": "changed", "b.pdf": "changed", "c.pdf": "metadata_changed",
                "c.pdf then": "missing"}:  # fmt: skip
        faults.append(f"files: {told}")
    for fault in faults:
        print("WRONG:", fault)
    print("as it was done" if not faults else f"{len(faults)} wrong")
    sys.exit(1 if faults else 0)


def _faults(
    rows: list[dict[str, Any]], checks: dict[str, list[dict[str, Any]]], dead: set[str], added: int
) -> Any:
    """Where what impact says is not what was done."""
    by_place = {(row["document"], row["check_id"]): row for row in rows}
    for name in ("a", "b", "c"):
        for check in checks[name]:
            row = by_place.get((name, check["id"]))
            page = check["evidence"]["page_number"]
            if name == "c":
                wanted: str | None = None  # nothing that it cites changed
            elif name == "a":
                wanted = "changed" if check["id"] in dead else "holds"
            else:
                wanted = "moved" if page >= added else "holds"
            state = row["state"] if row is not None else None
            if state != wanted:
                yield f"{name} {check['id']}: {state} and not {wanted}: {check['claim']}"
            elif wanted == "moved" and row is not None and row["now"]["page"] != page + 1:
                yield f"{name} {check['id']}: moved to {row['now']['page']} from {page}"


if __name__ == "__main__":
    main()
