"""Verification: claims a CPU second inside the process, start-up apart."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from measure import line, seconds

from grounding.collector import collector_paused
from grounding.store import StoredSource, StoreReader
from ingest.executors import SerialExecutor
from ingest.pipeline import IngestOptions, ingest
from ingest.reading.engine import pymupdf
from ingest.worker import Rules
from verifier import VerificationConfig, parse_requests, report_bytes, verify

PAGES = 200
CLAIMS = 10_000
_SEED = 20_260


def run(files: list[Path], rounds: int) -> None:
    """Prints the verify rows."""
    with tempfile.TemporaryDirectory() as folder:
        pdf, db = Path(folder) / "long.pdf", Path(folder) / "bench.db"
        pages = _long_document(files, pdf)
        rules = Rules(tables="off")
        ingest([str(pdf)], db, IngestOptions(rules=rules), executor=SerialExecutor(rules))
        with StoreReader(db) as reader, reader.snapshot():
            source = reader.open("long.pdf")
            for name, wrong in (("true", False), ("false", True)):
                count = CLAIMS if not wrong else CLAIMS // 50
                request = json.dumps(
                    {"document": "long.pdf", "claims": _claims(source, count, wrong)}
                )
                times = [seconds(lambda r=request: _verified(r, reader)) for _ in range(rounds)]
                line(
                    f"verify: {count} {name} quotes with a page, {pages} pages",
                    f"{count / median(times):.0f} claims/s (request text to report bytes)",
                )
    times = [seconds(_help, _children) for _ in range(rounds)]
    line("pagewitness --help", f"{median(times):.3f} s CPU")


def _verified(request: str, reader: StoreReader) -> bytes:
    with collector_paused():  # as the command does
        return report_bytes(verify(parse_requests(request), reader, VerificationConfig()))


def _long_document(files: list[Path], target: Path) -> int:
    """Pages of the given files, repeated until there are PAGES of them."""
    whole = pymupdf.open()
    while whole.page_count < PAGES:
        for file in files:
            with pymupdf.open(file) as document:
                whole.insert_pdf(document, annots=False, widgets=False)
    whole.select(range(PAGES))
    whole.save(target)
    return int(whole.page_count)


def _claims(source: StoredSource, count: int, wrong: bool) -> list[dict[str, object]]:
    """Runs of 8 to 25 words from random pages, with one word exchanged if `wrong`."""
    chance = random.Random(_SEED)
    pages = [p for p in source.pages if len(source.page_text(p.number).split()) > 40]
    claims: list[dict[str, object]] = []
    while len(claims) < count:
        page = chance.choice(pages)
        words = source.page_text(page.number).split()
        length = chance.randrange(8, 26)
        start = chance.randrange(len(words) - length)
        chosen = words[start : start + length]
        if not (chosen[0].isalpha() and chosen[-1].isalpha()):
            continue  # a quote that cuts an amount is no true one
        if wrong:
            chosen[length // 2] = "zeppelin"
        claims.append(
            {"kind": "quote", "text": " ".join(chosen), "citation": {"page": page.number}}
        )
    return claims


def _help() -> None:
    subprocess.run(
        [sys.executable, "-m", "pagewitness", "--help"], check=True, stdout=subprocess.DEVNULL
    )


def _children() -> float:
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
