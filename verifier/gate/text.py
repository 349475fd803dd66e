"""A decision on one page, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.gate.codes import reason_text
from verifier.gate.decision import ClaimDecision, Decision

_WIDTH = 96
_ACTIONS = {
    "release": "RELEASE: the answer may be shown",
    "partial": "PARTIAL: only the text below may be shown, with its limits",
    "review": "REVIEW: a person has to look at it first",
    "abstain": "ABSTAIN: nothing of it may be shown",
    "regenerate": "REGENERATE: the answer has to be made again",
}


def decision_text(decision: Decision) -> str:
    """The decision in words, with everything that holds the answer back."""
    return "\n".join(_lines(decision)) + "\n"


def _lines(decision: Decision) -> Iterator[str]:
    yield _ACTIONS[decision["action"]]
    policy = decision["policy"]["name"] or "unnamed"
    hashes = decision["hashes"]
    yield (
        f"answer {decision['answer_id']}, {hashes['answer'][:12]}; policy {policy}, "
        + (hashes["policy"][:12])
    )
    if decision["action"] != "release":
        for code in decision["reasons"]:
            yield f"  {code}: {reason_text(code)}"
    for fault in decision["faults"]:
        where = f" ({fault['document']})" if "document" in fault else ""
        yield f"  {fault['fault']}: {fault['message']}{where}"
    for broken in decision["contract_faults"]:
        yield f"  {broken['where']}: {broken['code']}: {broken['message']}"
    yield ""
    yield from _claims(decision)
    coverage = decision["coverage"]
    yield f"{coverage['covered']} of {coverage['sentences']} sentences accounted for"
    for sentence in coverage["uncovered"]:
        yield f'  {sentence["start"]}-{sentence["end"]}: nothing accounts for "' + (
            f'{_short(sentence["uncovered"])}"'
        )
    released = decision["released"]
    yield ""
    yield f"to show ({released['kind']}):"
    yield f"  {released['text']}"
    for source in released["sources"]:
        page = f", page {source['page']}" if "page" in source else ""
        yield f'  [{source["number"]}] {source["document"]}{page}: "' + (
            f'{_short(source.get("text", ""))}"'
        )
    for limit in released["limits"]:
        yield f"  {limit}"


def _claims(decision: Decision) -> Iterator[str]:
    width = max((len(claim["id"]) for claim in decision["claims"]), default=0)
    for claim in decision["claims"]:
        yield f"{claim['decision']:<12}  {claim['id']:<{width}}  {_short(claim['text'])}"
        if claim["decision"] != "show_final":
            yield from _reasons(claim)
    yield ""


def _reasons(claim: ClaimDecision) -> Iterator[str]:
    for detail in claim["reasons"]:
        about = f" ({detail['about']})" if "about" in detail else ""
        yield f"    {detail['code']}{about}: {reason_text(detail['code'])}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
