"""A decision in the form of Ethos's application release decision.

Its actions are this decision's; its own axes say as much of the reasons as they can. What it has no
word for stands in the notes, and nothing becomes more permissive by the form.
"""

from __future__ import annotations

from collections.abc import Sequence

from grounding.errors import UsageError
from verifier.ethos.decision import AppStatus, ReleaseDecision, ReleaseReason
from verifier.ethos.decision import ClaimDecision as EthosClaim
from verifier.gate.decision import ClaimDecision, Decision


def ethos_decision(decision: Decision) -> ReleaseDecision:
    """The decision in Ethos's form. Raises UsageError without a question, which it needs."""
    if not decision.get("question", "").strip():
        raise UsageError("this form says what was asked", remedy='add "question" to the answer')
    claims = [_claim(claim) for claim in decision["claims"]]
    released = decision["action"] in ("release", "partial")
    if not released:
        claims = [_held(claim) for claim in claims]
    by_action = {
        action: [claim["id"] for claim in claims if claim["release_action"] == action]
        for action in ("show_final", "needs_review", "block")
    }
    grounded, others = _refs(decision, grounded=True), _refs(decision, grounded=False)
    made: ReleaseDecision = {
        "artifact_type": "ethos.app_answer_release_decision.v1",
        "schema_version": "1.0.0",
        "question": decision["question"],
        "grounding": {
            "verification_report_ref": "verification_report.json",
            "proof_status": "verified"
            if grounded and not others
            else "partially_verified"
            if grounded
            else "unverified",
            "request_certified": bool(grounded) and not others,
            "reusable_grounded_check_ids": grounded,
            "needs_review_check_ids": others,
            "proof_limitations": ["non_grounded_checks"] if others else [],
        },
        "app_status": _status(decision, claims),
        "claims": claims,
        "final_answer_claim_ids": by_action["show_final"],
        "review_claim_ids": by_action["needs_review"],
        "blocked_claim_ids": by_action["block"],
    }
    made["notes"] = [f"pagewitness: {decision['action']}: {', '.join(decision['reasons'])}"]
    return made


def _refs(decision: Decision, *, grounded: bool) -> list[str]:
    """Keys of the evidence that is grounded, or of the rest."""
    return sorted(
        {
            one["ref"]
            for claim in decision["claims"]
            for one in claim["evidence"]
            if (one.get("status") == "grounded") is grounded
        }
    )


def _claim(claim: ClaimDecision) -> EthosClaim:
    statuses = [one.get("status") == "grounded" for one in claim["evidence"]]
    grounded = bool(statuses) and all(statuses)
    relevance = claim["question_relevance"]
    reason: ReleaseReason = "cannot_answer_from_sources"
    if claim["decision"] == "show_final":
        reason = "certified"
    elif claim["decision"] == "needs_review":
        reason = "supported_synthesis_needs_review"
    elif grounded and relevance in ("background_only", "unrelated"):
        reason = "grounded_but_irrelevant"
    kind = claim["type"] if claim["type"] != "calculation" else "source_fact"
    made: EthosClaim = {
        "id": claim["id"],
        "text": claim["text"],
        "citation_grounded": grounded,
        "question_relevance": "unrelated" if relevance == "not_evaluated" else relevance,
        "claim_type": kind,
        "release_action": claim["decision"],
        "release_reason": reason,
    }
    if claim["evidence"]:
        made["check_ids"] = [one["ref"] for one in claim["evidence"]]
    return made


def _held(claim: EthosClaim) -> EthosClaim:
    """A claim of an answer of which nothing is shown."""
    if claim["release_action"] != "show_final":
        return claim
    return {
        **claim,
        "release_action": "needs_review",
        "release_reason": "supported_synthesis_needs_review",
    }


def _status(decision: Decision, claims: Sequence[EthosClaim]) -> AppStatus:
    if decision["action"] == "release":
        return "certified"
    if decision["action"] == "partial":
        return "partial_certified"
    reasons = {claim["release_reason"] for claim in claims}
    if "supported_synthesis_needs_review" in reasons:
        return "supported_synthesis_needs_review"
    if "grounded_but_irrelevant" in reasons:
        return "grounded_but_irrelevant"
    return "cannot_answer_from_sources"
