"""The proof summary: what a program needs to decide which checks of a report it may reuse.

It is derived from the canonical report and replaces nothing in it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from pydantic import with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED, Status
from verifier.reason_text import REASON_TEXT
from verifier.report import Check, Report, ReportSet, all_evidence_grounded
from verifier.verify import report_bytes

ProofStatus = Literal["verified", "partially_verified", "unverified"]
ProofLimitation = Literal[
    "capability_limited",
    "stale_fingerprint",
    "unsupported_claim_kind",
    "non_grounded_checks",
    "semantic_unverified",
]


@with_config(CLOSED)
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
    if "grounding" not in report:
        return "unknown: no document was checked"
    if "document_fingerprint" not in report:
        return "unknown: the source has no fingerprint"
    if report.get("fingerprint_reason") == "stale_fingerprint":
        return "not checked: the rules take citations that were made for other bytes"
    if "citation_not_pinned" in report["warnings"]:
        return "not pinned: the citations name no version; the one held now was checked"
    return "fresh: the citations name the version that was checked"


def forgotten_line(report: Report) -> str:
    """That what the citations name was forgotten, in words; empty where nothing was."""
    left = report.get("forgotten")
    if left is None:
        return ""
    why = f": {left['reason']}" if "reason" in left else ""
    document = left["document_fingerprint"].rpartition(":")[2][:12]
    return (
        f"forgotten: document {document} of source {left['source_id']}, at"
        f" {left['forgotten_at']}{why}"
    )
