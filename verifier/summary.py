"""A report in short: the proof summary for programs, and a page of plain text for people.

Both are derived from the canonical report and replace nothing in it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from pydantic import with_config
from typing_extensions import TypedDict

from grounding.text import fold
from verifier.codes import Reason, Status
from verifier.report import _CLOSED, Check, Difference, Report, ReportSet, all_evidence_grounded
from verifier.report_numbers import CalculationData, QuantityData
from verifier.verify import report_bytes

ProofStatus = Literal["verified", "partially_verified", "unverified"]
ProofLimitation = Literal[
    "capability_limited",
    "stale_fingerprint",
    "unsupported_claim_kind",
    "non_grounded_checks",
    "semantic_unverified",
]
COLUMNS = 100
"""Width of the text that `summary_text` makes."""

REASON_TEXT: dict[Reason, str] = {
    "missing_locator": "The citation names no place to look at.",
    "missing_required_text": "The claim gives no text or value to compare.",
    "unsupported_claim_kind": "Claims of this kind are not checked.",
    "stale_fingerprint": "The citation was made for other bytes than the document held now.",
    "missing_source_fingerprint": "The source has no fingerprint to compare the citation's with.",
    "missing_citation_fingerprint": "The citation names no fingerprint, and the rules demand one.",
    "missing_span_capability": "The source does not tell single runs of text apart.",
    "missing_table_capability": "The source has no tables in which a cell could be looked up.",
    "missing_crop_capability": "The source cannot show pictures of its pages.",
    "unknown_coordinate_origin": "The source does not say from which corner its boxes count.",
    "element_not_found": "The document has no element with the cited id.",
    "span_not_found": "The document has no run of text with the cited id.",
    "page_not_found": "The document has no such page.",
    "page_label_ambiguous": "Several pages carry the cited page label.",
    "bbox_not_found": "Nothing stands in the cited box.",
    "bbox_out_of_bounds": "The cited box is not a box on this page.",
    "missing_page_for_bbox": "A box is cited without the page that it is on.",
    "missing_table_cell_locator": "The citation does not lead to one cell of a table.",
    "table_not_found": "The document has no table with the cited id.",
    "table_cell_not_found": "The cited table has no such cell.",
    "row_label_not_found": "No row of the table has the cited label.",
    "column_label_not_found": "No column of the table has the cited label.",
    "label_ambiguous": "Several rows or columns of the table have the cited label.",
    "column_uncertain": "It cannot be told in which column the cell stands.",
    "locator_conflict": "Parts of the citation point to different places.",
    "text_mismatch": "The cited place does not say this.",
    "quote_on_other_page": "The words stand on another page than the cited one.",
    "quote_in_other_document": "The words stand in another document.",
    "quote_too_short": "The quote has too few words of meaning to prove anything.",
    "quote_interleaved": "The quote runs across columns or blocks that are not one text.",
    "quote_gap_too_wide": "The parts of the quote stand too far apart.",
    "negation_dropped": "The quote leaves out a negation that the source has.",
    "ambiguous_occurrence": "The text stands there several times, and nothing says which is meant.",
    "hidden_text": "The words are in the file, but a reader of the page does not see them.",
    "value_mismatch": "The cited place does not give this value.",
    "sign_mismatch": "The number stands there with the opposite sign.",
    "unit_mismatch": "The number stands there with another unit.",
    "currency_mismatch": "The amount stands there in another currency.",
    "scale_mismatch": "The digits stand there at another scale, such as thousands or millions.",
    "period_mismatch": "The number stands there for another period.",
    "value_ambiguous": "The number can be read in several ways.",
    "page_without_text": "The page has no text that may be compared.",
    "page_garbled": "The page's text does not decode into readable characters.",
    "page_failed": "The page could not be read when the document was taken in.",
    "document_not_found": "The document is not in the store.",
    "document_ambiguous": "Several documents of the store go by this name.",
    "source_not_approved": "The source is not approved.",
    "source_expired": "The source is not valid at the date in question.",
    "source_not_permitted": "The source may not be used for this request.",
    "calculation_mismatch": "The calculation gives another result.",
    "calculation_input_not_grounded": "An input of the calculation is not grounded itself.",
    "calculation_undefined": "The calculation has no result, as with a division by zero.",
    "limit_exceeded": "The claim lies beyond the limits of one request.",
    "timed_out": "The check took longer than allowed.",
    "internal_error": "A fault in the program ended this check; the others are not affected.",
}
"""What each reason says to a person."""

_UNCOMPARED = frozenset({"hidden_text", "ambiguous_occurrence", "page_without_text"})
"""Reasons whose evidence has the claim's own words: there is no difference to show."""


@with_config(_CLOSED)
class ProofSummary(TypedDict):
    """What an application needs to decide what it shows: reusable checks are proof, the rest needs
    review. `report_sha256` is that of the report file, line end included."""

    artifact_type: Literal["pagewitness.proof_summary.v1"]
    schema_version: str
    report_sha256: str
    proof_status: ProofStatus
    request_certified: bool
    reusable_checks: list[str]
    review_checks: list[str]
    proof_limitations: list[ProofLimitation]
    counts_by_status: dict[str, int]
    counts_by_reason: dict[str, int]


def proof_summary(report: Report) -> ProofSummary:
    """The proof summary of one report. A report that claims a certification which its own checks
    do not bear is not certified."""
    reusable = [check["id"] for check in report["checks"] if _is_reusable(check, report)]
    certified = report["all_evidence_grounded"] and all_evidence_grounded(report)
    statuses = Counter(check["status"] for check in report["checks"])
    reasons = Counter(check["reason"] for check in report["checks"] if "reason" in check)
    return {
        "artifact_type": "pagewitness.proof_summary.v1",
        "schema_version": report["schema_version"],
        "report_sha256": hashlib.sha256(report_bytes(report)).hexdigest(),
        "proof_status": _proof_status(certified, bool(reusable)),
        "request_certified": certified,
        "reusable_checks": reusable,
        "review_checks": [c["id"] for c in report["checks"] if not _is_reusable(c, report)],
        "proof_limitations": _limitations(report),
        "counts_by_status": {status: statuses[status] for status in get_args(Status)},
        "counts_by_reason": {reason: reasons[reason] for reason in sorted(reasons)},
    }


def _is_reusable(check: Check, report: Report) -> bool:
    return (
        check["status"] == "grounded"
        and not check["semantic_unverified"]
        and not report["fingerprint_stale"]
    )


def _proof_status(certified: bool, any_reusable: bool) -> ProofStatus:
    if certified:
        return "verified"
    return "partially_verified" if any_reusable else "unverified"


def _limitations(report: Report) -> list[ProofLimitation]:
    checks = report["checks"]
    warned = [report["warnings"], *(check["warnings"] for check in checks)]
    found: tuple[tuple[ProofLimitation, bool], ...] = (
        (
            "capability_limited",
            bool(report["capability_limits"]) or any("capability_limited" in w for w in warned),
        ),
        ("stale_fingerprint", report["fingerprint_stale"]),
        ("unsupported_claim_kind", bool(report["unsupported_claim_kinds"])),
        ("non_grounded_checks", any(check["status"] != "grounded" for check in checks)),
        ("semantic_unverified", any(check["semantic_unverified"] for check in checks)),
    )
    return [name for name, present in found if present]


def reports_of(report: Report | ReportSet) -> list[Report]:
    """The single reports of an answer."""
    if report["artifact_type"] == "pagewitness.report_set.v1":
        return report["reports"]
    return [report]


def headline(reports: Sequence[Report]) -> str:
    """One sentence on reports together: "12 of 14 checks grounded — partially verified"."""
    summaries = [proof_summary(report) for report in reports]
    certified = bool(summaries) and all(summary["request_certified"] for summary in summaries)
    status = _proof_status(certified, any(summary["reusable_checks"] for summary in summaries))
    total = sum(len(report["checks"]) for report in reports)
    grounded = sum(summary["counts_by_status"]["grounded"] for summary in summaries)
    checks = "check" if total == 1 else "checks"
    return f"{grounded} of {total} {checks} grounded — {status.replace('_', ' ')}"


def freshness_line(report: Report) -> str:
    """Whether the citations were made for the bytes that were checked, in words."""
    if report["fingerprint_stale"]:
        if "fingerprint_version" in report:
            return f"stale: the citations were made for version {report['fingerprint_version']}"
        why = REASON_TEXT[report.get("fingerprint_reason", "stale_fingerprint")]
        return f"stale: {why[0].lower()}{why[1:].rstrip('.')}"
    if "document_fingerprint" not in report:
        return "unknown: no document was checked"
    if "citation_not_pinned" in report["warnings"]:
        return "not pinned: the citations name no version; the one held now was checked"
    return "fresh: the citations name the version that was checked"


def claim_wording(check: Check) -> str:
    """The words or the value that were compared; empty when the claim has none."""
    claim = check["claim"]
    order = (
        ("value", "text") if claim.get("kind") in ("value", "calculation") else ("text", "value")
    )
    found = next((claim[key] for key in order if claim.get(key) is not None), "")
    if isinstance(found, dict):  # a structured value
        keys = ("sign", "number", "scale", "unit", "currency", "period")
        return " ".join(str(found[key]) for key in keys if found.get(key) is not None)
    return str(found)


def compared_text(check: Check) -> str | None:
    """What the cited place says instead of the claim; None when there is nothing to compare."""
    text = check.get("evidence", {}).get("text")
    if check["status"] != "mismatch" or check.get("reason") in _UNCOMPARED or not text:
        return None
    return text if claim_wording(check) else None


def real_differences(differences: Iterable[Difference]) -> list[Difference]:
    """Differences without those of typography alone, unless there are no others."""
    every = list(differences)
    return [d for d in every if fold(d["claim"]).text != fold(d["source"]).text] or every


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
    lines += [*_wrapped(", ".join(shown)), *_wrapped(freshness_line(report))]
    for name, codes in (
        ("limitations", summary["proof_limitations"]),
        ("source lacks", report["capability_limits"]),
        ("warnings", report["warnings"]),
    ):
        if codes:
            lines += _wrapped(f"{name}: {', '.join(codes)}")
    return [*lines, headline([report]), *_table(report["checks"])]


def _short(fingerprint: str) -> str:
    return shortened(fingerprint.rpartition(":")[2][:12], 12)


def _wrapped(text: str) -> list[str]:
    """Lines of whole words, all but the first indented."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if columns(longer) <= COLUMNS:
            lines[-1] = longer
        else:
            lines.append(f"  {word}")
    return lines


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
        if check is not None and check["status"] != "grounded":
            lines += _why(check, widths[0] + 2)
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


def _why(check: Check, indent: int) -> list[str]:
    """What is wrong with a check and what was found instead: one line if both fit, else two."""
    room = COLUMNS - indent
    reason = check.get("reason")
    sentence = REASON_TEXT[reason] if reason is not None else ""
    found = _found_instead(check, room)
    both = f"{sentence} {found}".strip()
    lines = [both] if columns(both) <= room else [sentence, found]
    return [" " * indent + line for line in lines if line]


def _found_instead(check: Check, room: int) -> str:
    elsewhere = check.get("found_elsewhere")
    if elsewhere:
        place = _pages([item["page"] for item in elsewhere])
        beyond = ", outside the cited place" if check.get("reason") == "text_mismatch" else ""
        document = elsewhere[0].get("document")
        return shortened(f"Stands on {place}{f' of {document}' if document else beyond}.", room)
    if "calculation" in check:
        return shortened(_recomputed(check["calculation"]), room)
    nearest = check.get("nearest")
    text = compared_text(check)
    if nearest is not None and nearest["differences"]:
        first, *others = real_differences(nearest["differences"])
        more = f" {len(others)} more." if others else ""
        return _claim_and_source(first["claim"], first["source"], room - len(more)) + more
    return _claim_and_source(claim_wording(check), text, room) if text else ""


def _recomputed(data: CalculationData) -> str:
    """What a calculation gave, or why it gave nothing."""
    if "problem" in data:
        return f"{data['problem'][0].upper()}{data['problem'][1:]}."
    if "holds" in data:
        return f"Recomputed: {str(data['holds']).lower()}."
    return f"Recomputed: {quantity_words(data['result'])}." if "result" in data else ""


def quantity_words(data: QuantityData) -> str:
    """A quantity of a report in words: "-41.7 x 1000000 EUR"."""
    if "number" not in data:
        return data.get("period", "")
    sign = "-" if data.get("sign") == "negative" else ""
    scale = f"x {data['scale']}" if data.get("scale", "1") != "1" else ""
    parts = (f"{sign}{data['number']}", scale, data.get("currency"), data.get("unit"))
    return " ".join(part for part in parts if part)


def _pages(numbers: Iterable[int]) -> str:
    pages = [str(number) for number in dict.fromkeys(numbers)]
    if len(pages) == 1:
        return f"page {pages[0]}"
    return f"pages {', '.join(pages[:-1])} and {pages[-1]}"


def _claim_and_source(claim: str, source: str, room: int) -> str:
    width = (room - len('Claim "", source "".')) // 2
    ours, theirs = (f'"{shortened(t, width)}"' if t else "nothing" for t in (claim, source))
    return f"Claim {ours}, source {theirs}."


def columns(text: str) -> int:
    """Terminal columns of printable text: two for wide East Asian characters, none for marks."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    marks = sum(unicodedata.category(char) in ("Mn", "Me") for char in text)
    return len(text) + wide - marks


def shortened(text: str, width: int) -> str:
    """One line of at most `width` columns that moves no cursor: controls, direction marks and other
    unseen characters are shown as escapes."""
    line = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in " ".join(text[: 8 * width].split())
    )
    if columns(line) <= width and len(text) <= 8 * width:
        return line
    while columns(line) > width - 1:
        line = line[:-1]
    return f"{line.rstrip()}…"
