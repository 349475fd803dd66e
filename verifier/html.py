"""A report as one HTML page for the person who reviews it: claim, verdict, evidence side by side.

Claims, names and document text are hostile input: all of it passes through verifier.html_style.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from verifier import html_style as h
from verifier.codes import Status
from verifier.html_evidence import Picture, evidence
from verifier.proof import forgotten_line, freshness_line, headline, proof_summary, reports_of
from verifier.reason_text import reason_sentence
from verifier.report import Check, Report, ReportSet
from verifier.wording import claim_wording

Pictures = Callable[[int, str], Sequence[Picture]] | Mapping[tuple[int, str], Sequence[Picture]]
"""Pictures by index of the report (from 0) and id of the check; empty or absent without any."""

LOCATORS = (
    "page", "page_label", "element_id", "span_id", "table_id", "cell", "row_label", "column_label",
    "bbox", "bbox_space", "char_start", "char_end", "prefix", "suffix",
    "row", "col", "origin", "sign", "number", "scale", "unit", "dpi", "currency", "period",
    "precision",
)  # fmt: skip
"""Order in which cited locators, and the parts of a structured value, are listed; that of a
submission is lost in canonical JSON."""
SAID = ("text", "value", "operation", "inputs", "parameters", "rounding")
"""Keys of a claim that say what is claimed, besides its kind."""


def html_report(report: Report | ReportSet, pictures: Pictures) -> str:
    """The page, as text to be written in UTF-8. Equal reports and pictures give equal pages."""
    reports = reports_of(report)
    find = pictures if callable(pictures) else lambda at, id: pictures.get((at, id), ())
    counts = Counter(check["status"] for item in reports for check in item["checks"])
    statuses = [status for status in get_args(Status) if counts[status]]
    names = ", ".join(item["document"]["name"] for item in reports[:3])
    parts = [
        '<a class="skip" href="#checks">Skip to the checks</a>',
        '<header class="wrap top"><h1>Verification report</h1>',
        f'<p class="overall">{h.text(headline(reports))}</p>' if len(reports) > 1 else "",
        h.filters({status: counts[status] for status in statuses}),
        '</header>\n<main class="wrap" id="checks">',
        *(_report(at, item, find) for at, item in enumerate(reports)),
        "</main>",
    ]
    return h.page(f"Verification of {h.attribute(names)}", "\n".join(filter(None, parts)), statuses)


def _report(at: int, report: Report, find: Callable[[int, str], Sequence[Picture]]) -> str:
    anchor = f"report-{at + 1}"
    summary = proof_summary(report)
    certified = summary["request_certified"]
    links = [
        f'<a href="#{_anchor(at, check_id)}">{h.attribute(check_id)}</a>'
        for check_id in summary["review_checks"]
    ]
    parts = [
        f'<section class="report" aria-labelledby="{anchor}"><div class="head">',
        f'<h2 id="{anchor}">{h.text(report["document"]["name"])}</h2>',
        f'<p class="verdict"><span class="{"grounded" if certified else "mismatch"}">'
        f"{'Certified' if certified else 'Not certified'}</span>: {h.text(headline([report]))}</p>",
        h.facts(_report_facts(report, summary["report_sha256"])),
        f'<p class="review">Needs review: {" ".join(links)}</p>' if links else "",
        "</div>",
        *(_check(at, check, find(at, check["id"])) for check in report["checks"]),
        "</section>",
    ]
    return "\n".join(filter(None, parts))


def _report_facts(report: Report, sha256: str) -> list[tuple[str, str]]:
    verifier = report["verifier"]
    return [
        ("Citations", h.text(freshness_line(report))),
        ("Forgotten", h.text(forgotten_line(report))),
        ("Source lacks", h.word_list(report["capability_limits"])),
        ("Warnings", h.word_list(report["warnings"])),
        ("Kinds not checked", h.word_list(report["unsupported_claim_kinds"])),
        ("Source id", h.code(report["document"].get("source_id"))),
        ("Document fingerprint", h.code(report.get("document_fingerprint"))),
        ("Source fingerprint", h.code(report.get("source_fingerprint"))),
        ("Cited fingerprint", h.code(report.get("expected_fingerprint"))),
        ("Parser", h.text(_parser(report)) if "grounding" in report else ""),
        ("Configuration hash", h.code(report["verification_config_sha256"])),
        ("Text rules", h.code(report["normalization_profile"])),
        ("Request hash", h.code(report["request_sha256"])),
        ("Report hash", h.code(sha256)),
        ("Verifier", h.text(f"{verifier['name']} {verifier['version']}")),
    ]


def _parser(report: Report) -> str:
    parser = report["grounding"]["parser"]
    text = f"{parser['name']} {parser['version']}"
    if "adapter" in parser:
        text += f", adapter {parser['adapter']} {parser.get('adapter_version', '')}".rstrip()
    return text


def _anchor(at: int, check_id: str) -> str:
    return h.attribute(f"report-{at + 1}-{check_id}")


def _check(at: int, check: Check, pictures: Sequence[Picture]) -> str:
    anchor, status = _anchor(at, check["id"]), check["status"]
    kind = str(check["claim"].get("kind", "")).replace("_", " ")
    shown = evidence(check, pictures, lambda check_id: _anchor(at, check_id))
    return (
        f'<article class="check {h.attribute(status)}" aria-labelledby="{anchor}">'
        f'<div class="bar"><h3 id="{anchor}">{h.text(check["id"])}'
        f' <span class="kind">{h.text(kind)}</span></h3>'
        f'<span class="badge {h.attribute(status)}">{h.words(status)}</span>'
        f'<span class="place">{h.text(_place(check))}</span></div>'
        f'<div class="sides"><div class="left">{_claim(check)}{_verdict(check)}</div>'
        f'<div class="right">{shown}</div></div></article>'
    )


def _place(check: Check) -> str:
    evidence = check.get("evidence", {})
    if "page_number" not in evidence:
        return ""
    label = evidence.get("page_label", "")
    printed = f" (printed {label})" if label and label != str(evidence["page_number"]) else ""
    return f"page {evidence['page_number']}{printed}"


def _claim(check: Check) -> str:
    claim, wording = check["claim"], claim_wording(check)
    given = _ordered(claim.get("citation", {}))
    said = [(key, claim[key]) for key in SAID if key in claim]
    pairs = [
        ("claim id", h.code(claim.get("id"))),
        *((key, h.text(_plain(value))) for key, value in said if _plain(value) != wording),
        *((f"cited {h.words(name)}", h.code(_plain(value))) for name, value in given),
    ]
    box = h.box("quote", "Claim", len(wording), h.text(wording))
    if not wording:
        box = "<p>That the cited place exists.</p>"
    return f"<section><h4>Claim</h4>{box}{h.facts(pairs, 'facts small')}</section>"


def _ordered(locators: dict[str, Any]) -> list[tuple[str, Any]]:
    names = [*LOCATORS, *sorted(locators.keys() - set(LOCATORS))]
    return [(name, locators[name]) for name in names if name in locators]


def _plain(value: object) -> str:
    """A locator as submitted; 2 and "2" look alike."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(item)}" for name, item in _ordered(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_plain, value))}]"
    return str(value)


def _verdict(check: Check) -> str:
    status, reason = check["status"], check.get("reason")
    proof = "The recomputed result" if "calculation" in check else "The cited place"
    sentence = f"{proof} bears the claim out."
    if reason is not None:
        sentence = reason_sentence(status, reason)
    if check["semantic_unverified"]:
        sentence += " Whether it means what is claimed was not verified."
    match, method, tier = check.get("match"), check["match_method"], check["evidence_tier"]
    occurrences = match["occurrences"] if match is not None else 0
    pairs = [
        ("reason", h.code(reason)),
        ("matched by", h.words(method) if method != "none" else ""),
        ("proof level", h.words(tier) if tier != "none" else ""),
        ("rounded", "to the claim's last digit" if match and match.get("rounded") else ""),
        ("differs only in", h.word_list(match["folds"]) if match is not None else ""),
        ("stands there", f"{occurrences} times; the first is shown" if occurrences > 1 else ""),
        ("warnings", h.word_list(check["warnings"])),
    ]
    verdict = f'<strong class="{h.attribute(status)}">{h.words(status)}</strong>: {sentence}'
    return f"<section><h4>Verdict</h4><p>{verdict}</p>{h.facts(pairs, 'facts small')}</section>"
