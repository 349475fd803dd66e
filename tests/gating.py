"""Answers over the sample documents, and the gate that decides about them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reading import read

from grounding.store import SHARED, Access, StoreReader, StoreWriter
from verifier.gate import POLICIES, Decision, Gate, Policy
from verifier.gate.codes import GateReason

SAMPLES = Path(__file__).resolve().parents[1] / "sample_docs"
NAMES = ("annual-report", "income-statement", "service-agreement")
DAY = "2025-06-30"

Change = Callable[[Any], object]


def library(folder: Path) -> Path:
    """A store with three of the sample documents."""
    path = folder / "grounding.db"
    with StoreWriter(path) as writer:
        for name in NAMES:
            artifact = read((SAMPLES / f"{name}.pdf").read_bytes())
            writer.add_document(artifact, f"/in/{name}.pdf", f"{name}.pdf", name)
    return path


def pins(path: Path) -> dict[str, str]:
    """The fingerprints of the documents."""
    with StoreReader(path) as reader:
        return {name: reader.open(name).identity.document_fingerprint for name in NAMES}


def answer(pinned: dict[str, str]) -> dict[str, Any]:
    """A true answer of four claims over three documents, all of whose text is accounted for."""

    def cite(document: str, **claim: Any) -> dict[str, Any]:
        return {"document": document, "document_fingerprint": pinned[document], **claim}

    cells = {"row_label": "Net sales", "page": 1}
    return {
        "answer_id": "answer-1",
        "question": "How did the harbour and the instrument maker do in 2024?",
        "answer_text": (
            "In 2024 the harbour handled 412,600 tonnes of cargo [1]. "
            "Net sales were $184,320 thousand in 2024 [2], and net sales were $171,905 thousand "
            "in 2023 [3]. Net sales rose by $12,415 thousand [4]. "
            "“Fee” means the monthly sum that is set out in clause 4.1 [5]."
        ),
        "claims": [
            {"id": "cargo", "type": "source_fact", "evidence_refs": ["e1"],
             "text": "In 2024 the harbour handled 412,600 tonnes of cargo."},
            {"id": "sales-2024", "type": "source_fact", "evidence_refs": ["e2"],
             "text": "Net sales were $184,320 thousand in 2024.", "value": "$184,320 thousand"},
            {"id": "sales-2023", "type": "source_fact", "evidence_refs": ["e3"],
             "text": "Net sales were $171,905 thousand in 2023."},
            {"id": "growth", "type": "calculation", "evidence_refs": ["e4"],
             "depends_on": ["sales-2024", "sales-2023"],
             "text": "Net sales rose by $12,415 thousand."},
            {"id": "fee", "type": "source_fact", "evidence_refs": ["e5"],
             "text": "“Fee” means the monthly sum that is set out in clause 4.1."},
        ],
        "evidence": {
            "e1": cite("annual-report", kind="quote", citation={"page": 1},
                       text="In 2024 the harbour handled 412,600 tonnes of cargo"),
            "e2": cite("income-statement", kind="value", value="$184,320 thousand",
                       citation={**cells, "column_label": "2024"}),
            "e3": cite("income-statement", kind="value", value="$171,905 thousand",
                       citation={**cells, "column_label": "2023"}),
            "e4": cite("income-statement", kind="calculation", operation="difference",
                       inputs=["e2", "e3"], value="$12,415 thousand"),
            "e5": cite("service-agreement", kind="quote", citation={"page": 1},
                       text="“Fee” means the monthly sum that is set out in clause 4.1."),
        },
    }  # fmt: skip


def labels(made: Any, **changes: dict[str, str]) -> dict[str, Any]:
    """Labels with which every claim of an answer may be shown, but for some changes."""
    good = {"question_relevance": "direct_answer", "claim_support": "supported"}
    return {
        "claims": {
            claim["id"]: {**good, **changes.get(claim["id"], {})}
            for claim in made["claims"]
            if isinstance(claim, dict) and isinstance(claim.get("id"), str)
        }
    }


class Desk:
    """A gate over the samples that keeps its decisions in a list."""

    def __init__(self, path: Path) -> None:
        self.path, self.pins = path, pins(path)
        self.kept: list[Decision] = []

    def decide(
        self,
        change: Change | None = None,
        *,
        policy: Policy | str = "strict",
        access: Access = SHARED,
        as_of: str | None = DAY,
        said: Any = None,
        **options: Any,
    ) -> Decision:
        """The decision on the true answer after a change of it, under labels that are all good."""
        made = copy.deepcopy(answer(self.pins))
        if change is not None:
            change(made)
        rules = POLICIES[policy] if isinstance(policy, str) else policy
        given = {key: options.pop(key) for key in ("check", "breaker", "cache") if key in options}
        record = options.pop("record", lambda decision, envelope: self.kept.append(decision))
        with Gate(self.path, rules, access=access, record=record, **given) as gate:
            return gate.decide(
                json.dumps(made),
                json.dumps(labels(made) if said is None else said),
                as_of=as_of,
                **options,
            )


def claim_of(decision: Decision, claim_id: str) -> Any:
    return next(claim for claim in decision["claims"] if claim["id"] == claim_id)


def codes(decision: Decision, claim_id: str) -> list[str | GateReason]:
    """Why a claim is held back."""
    return [detail["code"] for detail in claim_of(decision, claim_id)["reasons"]]
