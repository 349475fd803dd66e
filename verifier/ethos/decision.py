"""Which claims of an answer an application may show: a pure function of a proof and of what the
application says about its claims. It is policy above a report and changes nothing in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, NotRequired, cast

from pydantic import Field, StrictBool, StrictStr, ValidationError, with_config
from typing_extensions import TypedDict

from grounding.canonical import canonical_bytes
from grounding.errors import NotCanonicalError, RequestInvalidError
from grounding.json_input import load_json
from verifier.codes import CLOSED
from verifier.ethos.stored import Proof
from verifier.ethos.text import is_blank
from verifier.proof import ProofLimitation, ProofStatus, ProofSummary, proof_summary
from verifier.report import Report
from verifier.structured import ClosedModel

Relevance = Literal["direct_answer", "supports_answer", "background_only", "unrelated"]
ClaimType = Literal["source_fact", "synthesis", "unsupported"]
AppStatus = Literal[
    "certified",
    "partial_certified",
    "supported_synthesis_needs_review",
    "grounded_but_irrelevant",
    "cannot_answer_from_sources",
]
ReleaseAction = Literal["show_final", "needs_review", "block"]
ReleaseReason = Literal[
    "certified",
    "supported_synthesis_needs_review",
    "grounded_but_irrelevant",
    "cannot_answer_from_sources",
]
Name = Annotated[StrictStr, Field(min_length=1)]
DEFAULT_REPORT_REF: Final = "verification_report.json"
REMEDY: Final = "compare the file with schemas/ethos_release_claims.schema.json"


class ReleaseClaim(ClosedModel):
    """One claim of an answer: what the application says about it, and the checks that it rests on.
    Without checks the application has to say itself whether the claim is grounded."""

    id: Name
    text: Name
    check_ids: tuple[Name, ...] | None = None
    citation_grounded: StrictBool | None = None
    question_relevance: Relevance
    claim_type: ClaimType


class ReleaseClaims(ClosedModel):
    """The claims of one answer. `verification_report_ref` is where the application keeps the
    report that the decision rests on."""

    question: StrictStr | None = None
    claims: tuple[ReleaseClaim, ...]
    notes: tuple[Name, ...] | None = None
    verification_report_ref: Name | None = None


@with_config(CLOSED)
class ClaimDecision(TypedDict):
    """What is to be done with one claim, and why."""

    id: str
    text: str
    check_ids: NotRequired[list[str]]
    citation_grounded: bool
    question_relevance: Relevance
    claim_type: ClaimType
    release_action: ReleaseAction
    release_reason: ReleaseReason


@with_config(CLOSED)
class ReleaseGrounding(TypedDict):
    """What the decision takes from the report."""

    verification_report_ref: Annotated[str, Field(min_length=1)]
    proof_status: ProofStatus
    request_certified: bool
    reusable_grounded_check_ids: list[str]
    needs_review_check_ids: list[str]
    proof_limitations: list[ProofLimitation]


@with_config(CLOSED)
class ReleaseDecision(TypedDict):
    """The decision on an answer and on each of its claims."""

    artifact_type: Literal["ethos.app_answer_release_decision.v1"]
    schema_version: Literal["1.0.0"]
    question: Annotated[str, Field(min_length=1)]
    grounding: ReleaseGrounding
    app_status: AppStatus
    claims: list[ClaimDecision]
    final_answer_claim_ids: list[str]
    review_claim_ids: list[str]
    blocked_claim_ids: list[str]
    notes: NotRequired[list[str]]


def parse_release_claims(data: bytes | str) -> ReleaseClaims:
    """Claims from JSON, an array or an object around it. Raises RequestInvalidError."""
    value: Any = load_json(data)
    try:
        claims = ReleaseClaims.model_validate({"claims": value} if type(value) is list else value)
        canonical_bytes(claims.model_dump(mode="json"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "claims"
        raise RequestInvalidError(f"{where}: {first['msg']}", remedy=REMEDY) from error
    except NotCanonicalError as error:
        raise RequestInvalidError(f"claims: {error}", remedy=REMEDY) from error
    return claims


def release_decision(
    proof: Proof,
    question: str,
    claims: Sequence[ReleaseClaim],
    notes: Sequence[str] = (),
    report_ref: str = DEFAULT_REPORT_REF,
) -> ReleaseDecision:
    """The decision on an answer to `question`. Raises RequestInvalidError naming the claim."""
    _check_envelope(question, notes, report_ref)
    grounding = _grounding(_summary(proof), report_ref)
    decided = _decided(claims, grounding)
    by_action: dict[ReleaseAction, list[str]] = {"show_final": [], "needs_review": [], "block": []}
    for claim in decided:
        by_action[claim["release_action"]].append(claim["id"])
    decision: ReleaseDecision = {
        "artifact_type": "ethos.app_answer_release_decision.v1",
        "schema_version": "1.0.0",
        "question": question,
        "grounding": grounding,
        "app_status": _app_status(decided),
        "claims": decided,
        "final_answer_claim_ids": by_action["show_final"],
        "review_claim_ids": by_action["needs_review"],
        "blocked_claim_ids": by_action["block"],
    }
    if notes:
        decision["notes"] = list(notes)
    return decision


def _check_envelope(question: str, notes: Sequence[str], report_ref: str) -> None:
    if is_blank(question):
        raise RequestInvalidError("the question is blank", remedy=REMEDY)
    if not report_ref:
        raise RequestInvalidError("verification_report_ref is empty", remedy=REMEDY)
    if not all(notes):
        raise RequestInvalidError("a note is empty", remedy=REMEDY)


def _summary(proof: Proof) -> ProofSummary:
    """The proof summary of a report. Both forms of report have the keys that it is derived from,
    with the same meaning."""
    if proof.get("artifact_type") == "pagewitness.proof_summary.v1":
        return cast(ProofSummary, proof)
    return proof_summary(cast(Report, proof))


def _grounding(summary: ProofSummary, report_ref: str) -> ReleaseGrounding:
    names = [*summary["reusable_checks"], *summary["review_checks"]]
    if len(set(names)) != len(names):
        # An id that stands for two checks would lend a failed one the proof of the other.
        raise RequestInvalidError("the report has two checks with the same id")
    return {
        "verification_report_ref": report_ref,
        "proof_status": summary["proof_status"],
        "request_certified": summary["request_certified"],
        "reusable_grounded_check_ids": summary["reusable_checks"],
        "needs_review_check_ids": summary["review_checks"],
        "proof_limitations": summary["proof_limitations"],
    }


def _decided(claims: Sequence[ReleaseClaim], grounding: ReleaseGrounding) -> list[ClaimDecision]:
    decided: dict[str, ClaimDecision] = {}
    reusable = frozenset(grounding["reusable_grounded_check_ids"])
    known = reusable.union(grounding["needs_review_check_ids"])
    for claim in claims:
        if claim.id in decided:
            raise _fault(claim, "the id is given twice")
        grounded = _is_grounded(claim, reusable, known)
        if claim.claim_type == "unsupported" and grounded:
            raise _fault(claim, "a claim of type unsupported cannot be grounded")
        decided[claim.id] = _decision(claim, grounded)
    return list(decided.values())


def _is_grounded(claim: ReleaseClaim, reusable: frozenset[str], known: frozenset[str]) -> bool:
    """Whether all checks of a claim may be reused; of a claim without checks, what is said."""
    if not claim.check_ids:
        if claim.citation_grounded is None:
            raise _fault(claim, "without check_ids it has to say citation_grounded")
        return claim.citation_grounded
    if len(set(claim.check_ids)) != len(claim.check_ids):
        raise _fault(claim, "a check id is given twice")
    unknown = [check_id for check_id in claim.check_ids if check_id not in known]
    if unknown:
        raise _fault(claim, f"the report has no check {unknown[0]!r}")
    grounded = reusable.issuperset(claim.check_ids)
    if claim.citation_grounded not in (None, grounded):
        raise _fault(claim, "citation_grounded contradicts the report")
    return grounded


def _fault(claim: ReleaseClaim, message: str) -> RequestInvalidError:
    return RequestInvalidError(f"claim {claim.id!r}: {message}", remedy=REMEDY)


def _decision(claim: ReleaseClaim, grounded: bool) -> ClaimDecision:
    action, reason = _release(claim, grounded)
    decision: ClaimDecision = {
        "id": claim.id,
        "text": claim.text,
        "citation_grounded": grounded,
        "question_relevance": claim.question_relevance,
        "claim_type": claim.claim_type,
        "release_action": action,
        "release_reason": reason,
    }
    if claim.check_ids:
        decision["check_ids"] = list(claim.check_ids)
    return decision


def _release(claim: ReleaseClaim, grounded: bool) -> tuple[ReleaseAction, ReleaseReason]:
    if not grounded:
        return "block", "cannot_answer_from_sources"
    if claim.question_relevance not in ("direct_answer", "supports_answer"):
        return "block", "grounded_but_irrelevant"
    if claim.claim_type == "synthesis":
        return "needs_review", "supported_synthesis_needs_review"
    return "show_final", "certified"


def _app_status(claims: Sequence[ClaimDecision]) -> AppStatus:
    reasons = {claim["release_reason"] for claim in claims}
    if "certified" in reasons:
        return "certified" if len(reasons) == 1 else "partial_certified"
    if "supported_synthesis_needs_review" in reasons:
        return "supported_synthesis_needs_review"
    if "grounded_but_irrelevant" in reasons:
        return "grounded_but_irrelevant"
    return "cannot_answer_from_sources"
