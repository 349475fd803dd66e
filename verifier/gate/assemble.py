"""What is shown in place of an answer: its own text, a text that is put together from its verified
claims, or a sentence that says why there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.gate.codes import Action, reason_text
from verifier.gate.decision import CitedSource, ClaimDecision, Coverage, EvidenceResult, Released
from verifier.gate.prose import Accounted, unmarked

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
    sentences: Sequence[Accounted],
) -> Released:
    """What may be shown under a decision."""
    shown = [claim for claim in claims if claim["decision"] == "show_final"]
    if action == "release" and policy.prose.released == "answer_text" and answer.text.strip():
        _, sources = assemble(shown, sentences)
        return {"kind": "answer_text", "text": answer.text, "sources": sources, "limits": []}
    if action in ("release", "partial"):
        text, sources = assemble(shown, sentences)
        limits = _limits(claims, coverage) if action == "partial" else []
        return {"kind": "assembled", "text": text, "sources": sources, "limits": limits}
    notice = UNCHECKED if "infrastructure_fault" in reasons else NOTICES[action]
    return {"kind": "notice", "text": notice, "sources": [], "limits": []}


def assemble(
    claims: Sequence[ClaimDecision], sentences: Sequence[Accounted]
) -> tuple[str, list[CitedSource]]:
    """Verified claims as prose, and the numbered sources in the order of their first mention. A
    sentence of the answer that they account for whole stands as it was written, with our numbers
    for its marks; the other claims follow as sentences of their own."""
    shown = {claim["id"]: claim for claim in claims}
    cited = _Sources()
    parts, done = [], set[str]()
    for sentence in sentences:
        if sentence.covered and shown.keys() >= set(sentence.claims):
            own = [claim for claim in claims if claim["id"] in sentence.claims]
            parts.append(_sentence(unmarked(sentence.text), cited.numbers(own)))
            done.update(sentence.claims)
    for claim in claims:
        if claim["id"] not in done:
            parts.append(_sentence(claim["text"], cited.numbers([claim])))
    return " ".join(parts), cited.listed


class _Sources:
    """The sources of a text under numbers from 1."""

    def __init__(self) -> None:
        self.listed: list[CitedSource] = []
        self._numbers: dict[tuple[object, ...], int] = {}

    def numbers(self, claims: Sequence[ClaimDecision]) -> list[int]:
        """The numbers of what some claims cite."""
        found: dict[int, None] = {}
        for evidence in (one for claim in claims for one in claim["evidence"]):
            key = (evidence["document"], evidence.get("page"), evidence.get("text"))
            if key not in self._numbers:
                self._numbers[key] = len(self.listed) + 1
                self.listed.append(_source(self._numbers[key], evidence))
            found[self._numbers[key]] = None
        return list(found)


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
