"""A decision as one HTML page that loads nothing and runs nothing.

Answers and documents are hostile input: all of it passes through verifier.html_style.
"""

from __future__ import annotations

from verifier import html_style as h
from verifier.gate.codes import reason_text
from verifier.gate.decision import ClaimDecision, Decision

_TONE = {
    "release": "grounded", "partial": "capability_blocked", "review": "capability_blocked",
    "abstain": "mismatch", "regenerate": "stale",
    "show_final": "grounded", "needs_review": "capability_blocked", "block": "mismatch",
}  # fmt: skip
"""Colours of verdicts that decisions share with checks."""


def decision_html(decision: Decision) -> str:
    """The page, as text to be written in UTF-8. Equal decisions give equal pages."""
    action = decision["action"]
    parts = [
        '<header class="wrap top"><h1>Release decision</h1>',
        f'<p class="overall"><span class="{_TONE[action]}">{h.words(action)}</span>: '
        f"{h.text(decision['answer_id'])}</p></header>",
        '<main class="wrap"><section class="report"><div class="head">',
        h.facts(_facts(decision)),
        "</div>",
        _released(decision),
        *(_claim(claim) for claim in decision["claims"]),
        _uncovered(decision),
        "</section></main>",
    ]
    title = f"Release decision on {h.attribute(decision['answer_id'])}"
    return h.page(title, "\n".join(filter(None, parts)), [])


def _facts(decision: Decision) -> list[tuple[str, str]]:
    hashes, coverage = decision["hashes"], decision["coverage"]
    reasons = decision["reasons"] if decision["action"] != "release" else []
    return [
        ("Question", h.text(decision.get("question", ""))),
        ("Why", h.text(" ".join(reason_text(code) for code in reasons))),
        ("Reason codes", h.word_list(decision["reasons"])),
        ("Faults", h.text("; ".join(f"{f['fault']}: {f['message']}" for f in decision["faults"]))),
        (
            "Contract",
            h.text("; ".join(f"{f['where']}: {f['message']}" for f in decision["contract_faults"])),
        ),
        (
            "Text accounted for",
            h.text(f"{coverage['covered']} of {coverage['sentences']} sentences"),
        ),
        ("Policy", h.text(decision["policy"]["name"])),
        ("Valid on", h.text(decision.get("as_of", ""))),
        ("Answer hash", h.code(hashes["answer"])),
        ("Policy hash", h.code(hashes["policy"])),
        ("Labels hash", h.code(hashes.get("labels"))),
        ("Report hashes", h.code(" ".join(hashes["reports"]))),
    ]


def _released(decision: Decision) -> str:
    released = decision["released"]
    sources = "".join(
        f"<li>[{source['number']}] {h.text(source['document'])}"
        + (f", page {source['page']}" if "page" in source else "")
        + (f'<div class="quote source">{h.text(source["text"])}</div>' if "text" in source else "")
        + "</li>"
        for source in released["sources"]
    )
    limits = "".join(f"<li>{h.text(limit)}</li>" for limit in released["limits"])
    return (
        f'<article class="check {_TONE[decision["action"]]}"><div class="bar"><h3>To show'
        f' <span class="kind">{h.words(released["kind"])}</span></h3></div><div class="left">'
        f'<div class="quote">{h.text(released["text"])}</div>'
        + (f"<h4>Limits</h4><ul>{limits}</ul>" if limits else "")
        + (f"<h4>Sources</h4><ul>{sources}</ul>" if sources else "")
        + "</div></article>"
    )


def _claim(claim: ClaimDecision) -> str:
    reasons = "".join(
        f"<li>{h.code(detail['code'])} {h.text(reason_text(detail['code']))}"
        + (f" ({h.text(detail['about'])})" if "about" in detail else "")
        + "</li>"
        for detail in claim["reasons"]
    )
    evidence = "".join(
        f"<li>{h.code(one['ref'])} {h.text(one['document'])}"
        + (f", page {one['page']}" if "page" in one else "")
        + f": {h.words(one.get('status', 'unchecked'))}"
        + (f" ({h.words(one['reason'])})" if "reason" in one else "")
        + (f'<div class="quote source">{h.text(one["text"])}</div>' if "text" in one else "")
        + "</li>"
        for one in claim["evidence"]
    )
    tone = _TONE[claim["decision"]]
    return (
        f'<article class="check {tone}"><div class="bar"><h3>{h.text(claim["id"])}'
        f' <span class="kind">{h.words(claim["type"])}</span></h3>'
        f'<span class="badge {tone}">{h.words(claim["decision"])}</span></div>'
        f'<div class="sides"><div class="left"><h4>Claim</h4>'
        f'<div class="quote">{h.text(claim["text"])}</div><h4>Why</h4><ul>{reasons}</ul></div>'
        f'<div class="right"><h4>Evidence</h4><ul>{evidence}</ul></div></div></article>'
    )


def _uncovered(decision: Decision) -> str:
    left = decision["coverage"]["uncovered"]
    if not left:
        return ""
    items = "".join(
        f"<li>{one['start']}–{one['end']}: {h.text(one['text'])}"
        f"<br>nothing accounts for: {h.text(one['uncovered'])}</li>"
        for one in left
    )
    return (
        '<article class="check mismatch"><div class="bar"><h3>Text that no claim accounts for</h3>'
        f'</div><div class="left"><ul>{items}</ul></div></article>'
    )
