"""What is shown in place of an answer: its own text, a text that is put together from its verified
claims, or a sentence that says why there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.gate.codes import Action, reason_text
from verifier.gate.decision import CitedSource, ClaimDecision, Coverage, EvidenceResult, Released

if TYPE_CHECKING:
    from verifier.gate.answer import Answer
    from verifier.gate.policy import Policy

NOTICES: dict[Action, str] = {
    "review": "A person has to look at this answer before it is shown.",
    "abstain": "The available sources do not support an answer.",
    "regenerate": "The answer has to be made again from current sources.",
}
UNCHECKED = "The answer could not be checked. Nothing is known against it, and nothing is shown."
PARTIAL = "This answer is partial: {shown} of {all} statements could be verified and are shown."
_END = re.compile(r"[.!?…。]['\"”’)\]]*$")
_MOST_LIMITS = 5


def released(
    action: Action,
    answer: Answer,
    claims: Sequence[ClaimDecision],
    coverage: Coverage,
    policy: Policy,
    reasons: Sequence[str],
) -> Released:
    """What may be shown under a decision."""
    shown = [claim for claim in claims if claim["decision"] == "show_final"]
    if action == "release" and policy.prose.released == "answer_text" and answer.text.strip():
        _, sources = assemble(shown)
        return {"kind": "answer_text", "text": answer.text, "sources": sources, "limits": []}
    if action in ("release", "partial"):
        text, sources = assemble(shown)
        limits = _limits(claims, coverage) if action == "partial" else []
        return {"kind": "assembled", "text": text, "sources": sources, "limits": limits}
    notice = UNCHECKED if "infrastructure_fault" in reasons else NOTICES[action]
    return {"kind": "notice", "text": notice, "sources": [], "limits": []}


def assemble(claims: Sequence[ClaimDecision]) -> tuple[str, list[CitedSource]]:
    """Claims as prose, in their order, each with the numbers of its evidence; and the numbered
    sources, in the order of their first mention."""
    sources: list[CitedSource] = []
    numbers: dict[tuple[object, ...], int] = {}
    parts = []
    for claim in claims:
        marks = []
        for evidence in claim["evidence"]:
            key = (evidence["document"], evidence.get("page"), evidence.get("text"))
            if key not in numbers:
                numbers[key] = len(sources) + 1
                sources.append(_source(numbers[key], evidence))
            marks.append(numbers[key])
        parts.append(_sentence(claim["text"], list(dict.fromkeys(marks))))
    return " ".join(parts), sources


def _source(number: int, evidence: EvidenceResult) -> CitedSource:
    source: CitedSource = {"number": number, "document": evidence["document"]}
    if "document_fingerprint" in evidence:
        source["document_fingerprint"] = evidence["document_fingerprint"]
    if "page" in evidence:
        source["page"] = evidence["page"]
    if "text" in evidence:
        source["text"] = evidence["text"]
    return source


def _sentence(text: str, marks: Sequence[int]) -> str:
    """A claim as a sentence, its marks before the full stop."""
    said = " ".join(text.split())
    end = _END.search(said)
    body, stop = (said[: end.start()], end[0]) if end else (said, ".")
    cited = f" [{', '.join(map(str, marks))}]" if marks else ""
    return f"{body}{cited}{stop}"


def _telling(claim: ClaimDecision) -> str:
    """The reason of a claim that says most to a reader: of a failed check its own."""
    codes: list[str] = [detail["code"] for detail in claim["reasons"]]
    general = ("evidence_not_grounded", "evidence_cannot_tell")
    return next((code for code in codes if code not in general), codes[0])


def _limits(claims: Sequence[ClaimDecision], coverage: Coverage) -> list[str]:
    """What has to be shown with a partial answer: that it is one, and why the rest is missing."""
    held = [claim for claim in claims if claim["decision"] != "show_final"]
    limits = [PARTIAL.format(shown=len(claims) - len(held), all=len(claims))]
    why: dict[str, int] = {}
    for claim in held:
        code = _telling(claim)
        why[code] = why.get(code, 0) + 1
    for code, count in sorted(why.items(), key=lambda item: (-item[1], item[0]))[:_MOST_LIMITS]:
        limits.append(f"{count} held back: {reason_text(code)}")
    left = len(coverage["uncovered"])
    if left:
        limits.append(f"{left} sentence(s) of the answer are left out: no claim accounts for them.")
    return limits
