"""The release gate: a decision on an answer of 20 claims over three documents, warm."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from statistics import median

from measure import line, seconds

from grounding.model import ElementKind
from grounding.store import StoreReader
from ingest.executors import SerialExecutor
from ingest.pipeline import IngestOptions, ingest
from ingest.worker import Rules
from verifier.gate import POLICIES, Gate, ReportCache

CLAIMS = 20
DOCUMENTS = 3
_LEAST = 40


def run(files: list[Path], rounds: int) -> None:
    """Prints the gate rows."""
    rules = Rules(tables="off")
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "bench.db"
        some = [str(file) for file in files[:DOCUMENTS]]
        ingest(some, db, IngestOptions(rules=rules), executor=SerialExecutor(rules))
        answer, labels = _answer(db)
        for name, cache in (("proven before", None), ("checked anew", ReportCache(entries=0))):
            with Gate(db, POLICIES["review"], cache=cache) as gate:
                decide = lambda g=gate: g.decide(answer, labels)  # noqa: E731
                decide()
                times = [seconds(decide) for _ in range(max(rounds, 5) * 4)]
            line(
                f"gate: {CLAIMS} claims over {DOCUMENTS} documents, warm, {name}: CPU",
                f"{1000 * median(times):.1f} ms",
            )


def _answer(db: Path) -> tuple[str, str]:
    """An answer that repeats paragraphs of the documents, and labels that are all good."""
    claims, evidence = [], {}
    with StoreReader(db) as reader:
        sources = [row.source_id for row in reader.sources()]
        texts = {source: _paragraphs(reader, source) for source in sources}
        for at in range(CLAIMS):
            source = sources[at % len(sources)]
            page, text = texts[source][at // len(sources) % len(texts[source])]
            ref, pin = f"e{at}", reader.open(source).identity.document_fingerprint
            evidence[ref] = {
                "document": source, "document_fingerprint": pin, "kind": "quote", "text": text,
                "citation": {"page": page},
            }  # fmt: skip
            claims.append(
                {"id": f"c{at}", "type": "source_fact", "text": text, "evidence_refs": [ref]}
            )
    answer = {
        "answer_id": "bench",
        "answer_text": "\n".join(claim["text"] for claim in claims),
        "claims": claims,
        "evidence": evidence,
    }
    good = {"question_relevance": "direct_answer", "claim_support": "supported"}
    return json.dumps(answer), json.dumps({"claims": {claim["id"]: good for claim in claims}})


def _paragraphs(reader: StoreReader, source: str) -> list[tuple[int, str]]:
    document = reader.open(source)
    found = []
    for page in document.pages:
        text = document.page_text(page.number)
        for element in document.elements(page.number):
            words = " ".join(text[element.start - page.start : element.end - page.start].split())
            prose = element.kind in (ElementKind.PARAGRAPH, ElementKind.LIST_ITEM)
            if prose and _LEAST <= len(words) <= 10 * _LEAST:
                found.append((page.number, words))
    return found
