"""A report as a page of plain text for people, derived from the canonical report."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.proof import forgotten_line, freshness_line, headline, proof_summary, reports_of
from verifier.reason_text import reason_sentence
from verifier.report import Check, FoundElsewhere, Report, ReportSet
from verifier.summary_evidence import evidence_lines, leads_to_cells
from verifier.terminal import COLUMNS, columns, enumerated, shortened, wrapped
from verifier.wording import claim_wording, compared_text, real_differences


def summary_text(report: Report | ReportSet) -> str:
    """What a terminal shows of a report: lines of at most 100 columns, without colour."""
    reports = reports_of(report)
    parts = [_block(item) for item in reports]
    if report["artifact_type"] == "pagewitness.report_set.v1":
        documents = "document" if len(reports) == 1 else "documents"
        parts.insert(0, [f"{len(reports)} {documents}, {headline(reports)}"])
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _block(report: Report) -> list[str]:
    summary = proof_summary(report)
    fingerprints = {
        "document": report.get("document_fingerprint"),
        "source": report.get("source_fingerprint"),
        "expected": report.get("expected_fingerprint") if report["fingerprint_stale"] else None,
        "rules": report["verification_config_sha256"],
        "report": summary["report_sha256"],
    }
    shown = [f"{key} {_short(value)}" for key, value in fingerprints.items() if value]
    lines = [shortened(report["document"]["name"], COLUMNS)]
    lines += [*wrapped(", ".join(shown)), *wrapped(freshness_line(report))]
    lines += wrapped(forgotten_line(report)) if "forgotten" in report else []
    for name, codes in (
        ("limitations", summary["proof_limitations"]),
        ("source lacks", report["capability_limits"]),
        ("warnings", report["warnings"]),
    ):
        if codes:
            lines += wrapped(f"{name}: {', '.join(codes)}")
    return [*lines, headline([report]), *_table(report["checks"])]


def _short(fingerprint: str) -> str:
    return shortened(fingerprint.rpartition(":")[2][:12], 12)


def _table(checks: Sequence[Check]) -> list[str]:
    if not checks:
        return []
    rows = [("check", "kind", "status", "page"), *(_cells(check) for check in checks)]
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    claims = ["claim", *(_claim_words(check) for check in checks)]
    lines = [""]
    for row, claim, check in zip(rows, claims, (None, *checks), strict=True):
        left = "".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True))
        lines.append((left + shortened(claim, COLUMNS - columns(left))).rstrip())
        if check is not None:
            lines += _below(check, widths[0] + 2)
    return lines


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - columns(cell) + 2)


def _cells(check: Check) -> tuple[str, str, str, str]:
    """Id, kind, status with reason, and the page that was looked at."""
    kind = shortened(str(check["claim"].get("kind")), 11)
    status, reason = check["status"], check.get("reason")
    verdict = status if reason in (None, status) else f"{status} ({reason})"
    citation = check["claim"].get("citation", {})
    cited = citation.get("page", citation.get("page_label", "-"))
    page = check.get("evidence", {}).get("page_number", cited)
    return check["id"], kind, verdict, shortened(str(page), 8)


def _claim_words(check: Check) -> str:
    wording = claim_wording(check)
    return f'"{wording}"' if wording else "(the place itself)"


def _below(check: Check, indent: int) -> list[str]:
    """What is said under a check: why it fails, and its evidence."""
    room = COLUMNS - indent
    lines = _why(check, room) if check["status"] != "grounded" else []
    return [" " * indent + line for line in (*lines, *evidence_lines(check, room))]


def _why(check: Check, room: int) -> list[str]:
    """What is wrong with a check and what was found instead: one line if both fit, else two."""
    reason = check.get("reason")
    sentence = reason_sentence(check["status"], reason) if reason is not None else ""
    found = _found_instead(check, room)
    both = f"{sentence} {found}".strip()
    lines = [both] if columns(both) <= room else [sentence, found]
    return [line for line in lines if line]


def _found_instead(check: Check, room: int) -> str:
    if leads_to_cells(check):
        return ""
    if check.get("found_elsewhere"):
        beyond = ", outside the cited place" if check.get("reason") == "text_mismatch" else ""
        return shortened(f"Stands on {_places(check['found_elsewhere'])}{beyond}.", room)
    problem = check.get("calculation", {}).get("problem")
    if problem:
        return shortened(f"{problem[0].upper()}{problem[1:]}.", room)
    nearest = check.get("nearest")
    text = compared_text(check)
    if nearest is not None and nearest["differences"]:
        first, *others = real_differences(nearest["differences"])
        more = f" {len(others)} more." if others else ""
        return _claim_and_source(first["claim"], first["source"], room - len(more)) + more
    return _claim_and_source(claim_wording(check), text, room) if text else ""


def _places(found: Sequence[FoundElsewhere]) -> str:
    """Pages, each once, with the documents that they are of: "pages 2 and 3 of notes.pdf"."""
    pages: dict[str, list[str]] = {}
    for place in found:
        pages.setdefault(place.get("document", ""), []).append(str(place.get("page", "-")))
    shown = []
    for document, numbers in pages.items():
        different = list(dict.fromkeys(numbers))
        name = "page" if len(different) == 1 else "pages"
        shown.append(f"{name} {enumerated(different)}{f' of {document}' if document else ''}")
    return ", ".join(shown)


def _claim_and_source(claim: str, source: str, room: int) -> str:
    width = (room - len('Claim "", source "".')) // 2
    ours, theirs = (f'"{shortened(t, width)}"' if t else "nothing" for t in (claim, source))
    return f"Claim {ours}, source {theirs}."
