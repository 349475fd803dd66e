"""Writes how the literal judge does on the labelled answers into docs/audits.md, or says with
--check whether it is up to date.

The answers are in tests/verifier/audits/labelled/: about the sample documents, each claim with what
a reader says of it, each document with how a reader says that it was used.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from verifier.coverage.claims import decompose  # noqa: E402
from verifier.judges.literal import LiteralJudge  # noqa: E402
from verifier.traces import Trace, TraceDocument  # noqa: E402

LABELLED = ROOT / "tests" / "verifier" / "audits" / "labelled"
PAGE = ROOT / "docs" / "audits.md"
BEGIN = "<!-- made by scripts/make_audit_matrix.py -->\n"
END = "<!-- end -->\n"
STATUSES = ("supported", "unsupported", "contradicted")
FAITHFULNESS = ("faithful", "partially_faithful", "unfaithful", "n/a")
RECOGNISED = ("verbatim", "numeric")
"""Kinds of true claims that stand in a source word for word, or as a number with its words."""


@dataclass
class Outcome:
    """Counts of (a reader's word, the judge's word), and what is behind them."""

    claims: Counter[tuple[str, str]] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    usage: Counter[tuple[str, str]] = field(default_factory=Counter)
    faithfulness: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    """True claims of the kinds that ought to be recognised, and are not."""
    undecomposed: list[str] = field(default_factory=list)
    """Answers of which other claims are taken than a reader takes."""
    answers: int = 0


def labelled() -> Iterator[tuple[dict[str, Any], Trace]]:
    """The answers with their traces."""
    contents = json.loads((LABELLED / "documents.json").read_text(encoding="utf-8"))
    for answer in json.loads((LABELLED / "answers.json").read_text(encoding="utf-8")):
        documents = tuple(
            TraceDocument(name, contents[name], rank)
            for rank, name in enumerate(answer["documents"], 1)
        )
        yield answer, Trace(answer["id"], answer["query"], answer["answer"], documents)


def outcome() -> Outcome:
    """What the literal judge makes of all of them."""
    found, judge = Outcome(), LiteralJudge()
    for answer, trace in labelled():
        found.answers += 1
        claims = decompose(trace).claims
        if [claim.text for claim in claims] != [label["text"] for label in answer["claims"]]:
            found.undecomposed.append(answer["id"])
            continue
        verdicts = judge.coverage(trace, claims).verdicts
        for label, verdict in zip(answer["claims"], verdicts, strict=True):
            found.claims[label["status"], verdict.status] += 1
            if label["status"] == "supported":
                found.kinds[label["kind"], verdict.status] += 1
                if label["kind"] in RECOGNISED and verdict.status != "supported":
                    found.missed.append(label["text"])
        for document in judge.scorecard(trace, claims).verdicts:
            usage, faithfulness = answer["usage"][document.document_id].split()
            found.usage[usage, document.usage] += 1
            found.faithfulness[faithfulness, document.faithfulness] += 1
    return found


def recognised(found: Outcome) -> tuple[int, int]:
    """Of the true claims that ought to be recognised how many are, and how many there are."""
    of = sum(n for (kind, _), n in found.kinds.items() if kind in RECOGNISED)
    return sum(found.kinds[kind, "supported"] for kind in RECOGNISED), of


def section(found: Outcome) -> str:
    """The part of the page."""
    right, of = recognised(found)
    wrong = sum(found.claims[label, "supported"] for label in STATUSES[1:])
    unfaithful = found.faithfulness["unfaithful", "faithful"]
    lines = [
        f"{found.answers} answers with {found.claims.total()} claims. A reader's word is in the"
        " row, the judge's in the column.",
        "",
        *_table(STATUSES, found.claims),
        "",
        f"Claims called supported that are not: {wrong}. True claims that stand in a source word"
        f" for word or as a number with its words: {right} of {of} are recognised"
        f" ({100 * right / of:.1f} %). Of true claims in other words"
        f" {found.kinds['paraphrase', 'supported']} of"
        f" {sum(n for (kind, _), n in found.kinds.items() if kind == 'paraphrase')} are.",
        "",
        *(f"- not recognised: {text}" for text in found.missed),
        "",
        "Documents, by how they were used and how faithfully:",
        "",
        *_table(("used", "partially_used", "ignored"), found.usage),
        "",
        *_table(FAITHFULNESS, found.faithfulness),
        "",
        f"Documents used unfaithfully that are called faithful: {unfaithful}.",
        "",
    ]
    return "\n".join(lines)


def _table(words: Sequence[str], counts: Counter[tuple[str, str]]) -> Iterator[str]:
    yield "| | " + " | ".join(f"{word}" for word in words) + " |"
    yield "|" + " --- |" * (len(words) + 1)
    for word in words:
        yield f"| {word} | " + " | ".join(str(counts[word, other]) for other in words) + " |"


def page(found: Outcome) -> str:
    """The whole page with the part made anew."""
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return text[:start] + section(found) + text[end:]


def main() -> int:
    """Writes, or checks with --check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    made = page(outcome())
    if parser.parse_args().check:
        return 0 if PAGE.read_text(encoding="utf-8") == made else 1
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
