"""Reading numbers: CPU seconds for a megabyte of filing text, generated or from given PDFs."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import median

from measure import line, seconds

from grounding.text import fold
from ingest.reading.engine import pymupdf
from verifier.quantities import number_text, quantities
from verifier.quantities.dates import periods

SIZE = 1_000_000
"""Characters that are read in a round."""
_SEED = 20_261

_SENTENCES = (
    "Net sales were ${a} million in fiscal {year}, an increase of {p}% from ${b} million.",
    "As of December 31, {year}, the Company had {a} employees in {n} countries.",
    "The notice period is thirty (30) days after June {n}, {year}, unless Section {n}(b) applies.",
    "Interest of {p} percent, or {n} basis points above the rate, is due within {n} months.",
    "The facility of EUR {b} million matures in {year} and may be extended for two years.",
    "Form 10-K, COVID-19 and the 401(k) plan are described in Note {n} on page {n}.",
    "We operate in markets that are competitive, and our results may differ from expectations.",
)
_LABELS = ("Cost of sales", "Income taxes", "Total assets", "Net (loss) income", "Other, net")


def run(files: list[Path], rounds: int) -> None:
    """Prints the rows on reading numbers."""
    for name, text in (("generated filing text", _filing()), *_texts(files)):
        folded = number_text(fold(text), text)
        found, dated = quantities(folded), periods(folded)
        times = [seconds(lambda t=folded: quantities(t)) for _ in range(rounds)]
        both = [seconds(lambda t=folded: (quantities(t), periods(t))) for _ in range(rounds)]
        line(
            f"quantities: {len(folded)} characters, {name}",
            f"{median(times):.2f} s CPU, {len(found)} numbers; with {len(dated)} dates"
            f" {median(both):.2f} s",
        )


def _texts(files: list[Path]) -> list[tuple[str, str]]:
    """The text of given PDFs together, repeated or cut to SIZE."""
    parts = []
    for file in files:
        with pymupdf.open(file) as document:
            parts += [page.get_text() for page in document]
    text = "\n".join(parts)
    if not text.strip():
        return []
    return [(f"text of {len(files)} PDFs", (text * (SIZE // len(text) + 1))[:SIZE])]


def _filing() -> str:
    """Prose and statement rows in turn, the same on every machine."""
    chance = random.Random(_SEED)
    parts: list[str] = []
    length = 0
    while length < SIZE:
        row = chance.random() < 0.4
        parts.append(_row(chance) if row else _sentence(chance))
        length += len(parts[-1]) + 1
    return "\n".join(parts)[:SIZE]


def _sentence(chance: random.Random) -> str:
    return chance.choice(_SENTENCES).format(
        a=f"{chance.randrange(10**3, 10**6):,}",
        b=f"{chance.randrange(10**4) / 10:,.1f}",
        n=chance.randrange(1, 29),
        p=f"{chance.randrange(1000) / 10:.1f}",
        year=chance.randrange(2015, 2026),
    )


def _row(chance: random.Random) -> str:
    numbers = [f"{chance.randrange(10**6):,}" for _ in range(3)]
    numbers[chance.randrange(3)] = f"({chance.randrange(10**5):,})"
    return f"{chance.choice(_LABELS)} $ {' '.join(numbers)} {chance.randrange(900) / 10:.1f} %"
