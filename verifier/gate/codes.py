"""The words of release decisions. Programs switch on them; docs/gate.md and docs/reference.md list
them."""

from __future__ import annotations

from typing import Literal, cast

from verifier.codes import Reason
from verifier.reason_text import REASON_TEXT as CHECK_TEXT

ClaimType = Literal["source_fact", "calculation", "synthesis", "unsupported"]
ClaimRelease = Literal["show_final", "needs_review", "block"]
"""What may be done with one claim; a later one is stricter."""
Action = Literal["release", "partial", "review", "abstain", "regenerate"]
"""What may be done with the answer."""
Relevance = Literal[
    "direct_answer", "supports_answer", "background_only", "unrelated", "not_evaluated"
]
Support = Literal["supported", "unsupported", "contradicted", "not_evaluated"]

STRICTNESS: dict[ClaimRelease, int] = {"show_final": 0, "needs_review": 1, "block": 2}

GateReason = Literal[
    "claim_id_repeated",
    "claim_malformed",
    "evidence_malformed",
    "evidence_missing",
    "evidence_unknown",
    "dependency_unknown",
    "dependency_cycle",
    "no_claims",
    "type_unsupported",
    "evidence_not_grounded",
    "evidence_cannot_tell",
    "evidence_says_nothing",
    "tier_not_allowed",
    "method_not_allowed",
    "fold_not_allowed",
    "rounding_not_allowed",
    "ambiguous_evidence",
    "warning_not_allowed",
    "calculation_missing",
    "inputs_in_other_documents",
    "figure_not_in_evidence",
    "value_not_in_evidence",
    "negation_differs",
    "support_not_evaluated",
    "support_unsupported",
    "support_contradicted",
    "relevance_not_evaluated",
    "relevance_insufficient",
    "synthesis_needs_review",
    "depends_on_blocked",
    "depends_on_review",
    "meaning_by_omission",
    "prose_uncovered",
    "coverage_too_low",
    "date_not_given",
    "stale_evidence",
    "no_verified_claim",
    "infrastructure_fault",
    "certified",
]
"""Why a claim or an answer is not released; `certified` for what is. The reasons of verification
(`stale_fingerprint`, `source_not_permitted`, …) stand beside them as they are."""

ReasonCode = GateReason | Reason

REASON_TEXT: dict[str, str] = {
    "claim_id_repeated": "Two claims have this id.",
    "claim_malformed": "The claim is not of the shape of the contract.",
    "evidence_malformed": "An evidence entry of the claim is not of the shape of the contract.",
    "evidence_missing": "The claim refers to no evidence.",
    "evidence_unknown": "The claim refers to evidence that the answer does not have.",
    "dependency_unknown": "The claim depends on one that the answer does not have.",
    "dependency_cycle": "The claim depends on itself.",
    "no_claims": "The answer has no claims.",
    "type_unsupported": "The generator itself says that no source bears the claim out.",
    "evidence_not_grounded": "A check of the claim's evidence is not grounded.",
    "evidence_cannot_tell": "The source cannot prove or refute a check of the claim's evidence.",
    "evidence_says_nothing": "All that is proven is that a place exists: no text, number or cell.",
    "tier_not_allowed": "The policy does not accept evidence of this tier for the claim.",
    "method_not_allowed": "The policy does not accept this match method for the claim.",
    "fold_not_allowed": "The match needed a fold that the policy does not accept.",
    "rounding_not_allowed": "The match needed rounding, which the policy does not accept.",
    "ambiguous_evidence": "The evidence stands more than once in the cited place.",
    "warning_not_allowed": "The policy does not let evidence with this warning through.",
    "calculation_missing": "A calculation rests on no recomputed result.",
    "inputs_in_other_documents": "A calculation's inputs are of several documents.",
    "figure_not_in_evidence": "The claim's text has a number or date that no evidence of it has.",
    "value_not_in_evidence": "The claim's value is not that of a grounded evidence.",
    "negation_differs": "The claim's text denies or limits what its evidence does not, or the "
    "other way round.",
    "support_not_evaluated": "Nobody said whether the evidence supports the claim.",
    "support_unsupported": "The application says that the evidence does not support the claim.",
    "support_contradicted": "The application says that the evidence contradicts the claim.",
    "relevance_not_evaluated": "Nobody said whether the claim answers the question.",
    "relevance_insufficient": "The application says that the claim does not answer the question.",
    "synthesis_needs_review": "Reasoning over several sources is for a person to judge.",
    "depends_on_blocked": "A claim on which this one stands is blocked.",
    "depends_on_review": "A claim on which this one stands needs review.",
    "meaning_by_omission": "Without a claim that is held back this one would mean something else.",
    "prose_uncovered": "The answer's text says something that no claim accounts for.",
    "coverage_too_low": "Less of the answer's text is accounted for than the policy asks.",
    "date_not_given": "The source is valid on some days, and nobody said which day is meant.",
    "stale_evidence": "The evidence is of another version than the one held now: retrieve again.",
    "no_verified_claim": "No claim may be shown.",
    "infrastructure_fault": "The answer could not be checked; see faults.",
    "certified": "Every required check passed.",
}

FaultClass = Literal[
    "verifier_timeout",
    "decision_timeout",
    "store_unavailable",
    "malformed_report",
    "report_tampered",
    "verifier_error",
    "circuit_open",
    "audit_unavailable",
]
"""What kept the gate from checking. It says nothing about the answer, and nothing is released."""

FAULT_TEXT: dict[str, str] = {
    "verifier_timeout": "A check took longer than the policy allows.",
    "decision_timeout": "The decision took longer than the policy allows.",
    "store_unavailable": "The store could not be read.",
    "malformed_report": "The verifier's report is not one, or not on what was asked.",
    "report_tampered": "The report is not the one whose hash was given, or not what the store "
    "says.",
    "verifier_error": "The verifier failed.",
    "circuit_open": "The verifier failed too often; it is left alone for a while.",
    "audit_unavailable": "The decision could not be recorded.",
}


def reason_text(code: str) -> str:
    """What a reason says, of a gate or of a check."""
    return REASON_TEXT.get(code) or cast(dict[str, str], CHECK_TEXT).get(code, code)
