"""Audits by the literal judge: traces of 20 documents a CPU second, and memory at two sizes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import line

ROOT = Path(__file__).resolve().parent.parent
TRACES, FEWER = 1000, 250
DOCUMENTS = 20
_SEED = 20_262
_SUBJECTS = (
    "harbour", "trust", "northern depot", "ferry slip", "laboratory", "Provider", "society",
    "eastern branch", "library", "pilot station", "town council", "workshop",
)  # fmt: skip
_VERBS = (
    "handled", "repaired", "lent", "measured", "sold", "surveyed", "replaced", "stored",
    "inspected", "cleared", "delivered", "counted", "moved", "leased", "cleaned",
)  # fmt: skip
_OBJECTS = (
    "tonnes of cargo", "metres of pipe", "books", "boats", "samples of water", "pallets",
    "square metres of paving", "lamps", "drums of cable", "licences", "berths", "motors", "tables",
    "buoys", "engines",
)  # fmt: skip
_WHY = (
    "because diesel was replaced", "since the channel had silted up", "as the weather allowed",
    "after the storm of that autumn", "under the licence of the coastal authority",
    "as the trustees had planned", "with the help of volunteers",
)  # fmt: skip
_SENTENCES = (
    "The {s} {v} {a:,} {o} in {y}, {p} percent more than in the year before.",
    "The {s} did not raise its charge for {o} in {y}.",
    "The cost of {o} rose to {b} million euro, {w}.",
    "The {s} shall attend within {n} hours after a fault of the {o} has been reported.",
    "Income from {o} was {b} million euro in {y}, after {c} million euro before.",
    "Every invoice of the {s} is due {n} days after it has been received.",
    "A reserve of {b} million euro is held against a loss of {o}.",
    "The {s} employed {n} people at the end of {y}; none of them {v} any {o}.",
    "In {y} the {s} {v} the {o} twice, {w}.",
    "Two of the {n} {o} that the {s} had {v} were out of service for {n} days, {w}.",
)
_LABELS = ("Net sales", "Cost of sales", "Gross profit", "Operating income", "Net income")
_PARAPHRASES = (
    "Overall, the year went better than the trustees had thought possible.",
    "I think that the trust is well run.",
    "Staff numbers grew while the cargo became more varied.",
)


def traces(count: int) -> Iterator[dict[str, Any]]:
    """Traces of generated documents, the same on every machine: half of the claims of an answer
    stand in a document, the others with a changed number, in other words, or not at all."""
    chance = random.Random(_SEED)
    for number in range(count):
        documents = [_document(chance, at) for at in range(DOCUMENTS)]
        said = [
            sentence
            for document in chance.sample(documents, 5)
            for sentence in chance.sample(document["content"].split("\n\n")[1].split("\n"), 1)
        ]
        changed = [sentence.replace("1", "7").replace("3", "8") for sentence in said[3:]]
        answer = " ".join([*said[:4], *changed, chance.choice(_PARAPHRASES)])
        yield {
            "trace_id": f"t{number:06d}",
            "query": "How much cargo did the harbour handle, and what did it cost?",
            "answer": answer,
            "documents": documents,
        }


def _document(chance: random.Random, at: int) -> dict[str, Any]:
    sentences = [
        chance.choice(_SENTENCES).format(
            s=chance.choice(_SUBJECTS),
            v=chance.choice(_VERBS),
            o=chance.choice(_OBJECTS),
            w=chance.choice(_WHY),
            a=chance.randrange(10**3, 10**6),
            b=chance.randrange(100, 9999) / 100,
            c=chance.randrange(100, 9999) / 100,
            n=chance.randrange(2, 90),
            p=chance.randrange(1, 99) / 10,
            y=chance.randrange(2019, 2026),
        )
        for _ in range(9)
    ]
    rows = [
        f"{label} {chance.randrange(10**5):,} {chance.randrange(10**5):,}"
        for label in chance.sample(_LABELS, 3)
    ]
    text = "\n\n".join(
        ["Review of the year", "\n".join(sentences), "\n".join(["In thousands 2024 2023", *rows])]
    )
    return {"id": f"doc{at}", "content": text, "score": 0.5}


def run(files: list[Path], rounds: int) -> None:
    """Prints the rows on audits."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for command in ("coverage", "scorecard"):
            found = [_measured(command, count, folder) for count in (FEWER, TRACES)]
            (_, small), (seconds, large) = found
            line(
                f"{command}: {TRACES} traces of {DOCUMENTS} documents",
                f"{TRACES / seconds:.0f} traces a CPU second; {large} MB, of {FEWER} {small} MB",
            )


def _measured(command: str, count: int, folder: Path) -> tuple[float, int]:
    """CPU seconds and peak memory in MB of a run of the program in a process of its own."""
    path = folder / f"{count}.jsonl"
    if not path.exists():
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(trace) + "\n" for trace in traces(count))
    program = (
        "import resource, sys\n"
        "from pagewitness.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, command, str(path), "--out", str(folder / "out.jsonl")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, memory = done.stderr.split()[-2:]
    return float(seconds), int(memory)
