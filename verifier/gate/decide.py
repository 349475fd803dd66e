"""The decision on an answer: a pure function of the answer, what was proven, the labels and the
policy. The stricter of two rules always wins, and what nobody proved is never final."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from grounding.model import WarningCode
from grounding.version import __version__
from verifier.codes import Reason
from verifier.gate.alignment import denials_differ, unborne, value_borne
from verifier.gate.answer import Answer, Evidence, GeneratedClaim
from verifier.gate.assemble import released
from verifier.gate.codes import STRICTNESS, Action, ClaimRelease, GateReason, ReasonCode
from verifier.gate.decision import (
    ARTIFACT_TYPE,
    SCHEMA_VERSION,
    ClaimDecision,
    Coverage,
    Decision,
    EvidenceResult,
    Fault,
    ReasonDetail,
)
from verifier.gate.labels import Labels
from verifier.gate.plan import Planned, Proven
from verifier.gate.policy import ClaimRules, Consequence, EvidenceRules, Policy
from verifier.gate.prose import Accounted, accounted, contrasts
from verifier.report import Check
from verifier.structured import StructuredValue

_ABOUT_THE_WHOLE = frozenset(
    (
        WarningCode.CITATION_NOT_PINNED,
        WarningCode.FINGERPRINT_SUPERSEDED,
        WarningCode.PARTIAL_PARSE,
        WarningCode.RECOVERED_FILE,
        WarningCode.TABLES_TIMED_OUT,
        WarningCode.CAPABILITY_LIMITED,
    )
)
"""Warnings of a report that concern every claim; the others say that there is something somewhere
in the file, and each check has those that concern its evidence."""
_STALE: frozenset[Reason] = frozenset(
    ("stale_fingerprint", "missing_citation_fingerprint", "missing_source_fingerprint")
)
_ACCESS: frozenset[Reason] = frozenset(
    ("document_not_found", "document_ambiguous", "source_not_permitted", "source_not_approved",
     "source_expired")
)  # fmt: skip
"""The order in which reasons are told: access first, then fingerprints, then the rest."""


@dataclass(frozen=True, slots=True)
class Basis:
    """Everything that a decision rests on. `proofs` are by evidence key; those that a fault kept
    from being checked are missing."""

    answer: Answer
    labels: Labels
    policy: Policy
    planned: Sequence[Planned]
    proofs: Mapping[str, Proven]
    report_hashes: Sequence[str] = ()
    faults: Sequence[Fault] = ()
    as_of: str | None = None
    scattered: frozenset[str] = frozenset()
    """Calculations whose inputs are of several documents."""


@dataclass(slots=True)
class _Judged:
    """A claim while it is decided about."""

    claim: GeneratedClaim
    release: ClaimRelease = "show_final"
    reasons: list[ReasonDetail] = field(default_factory=list)

    def hold(self, consequence: Consequence, code: ReasonCode, about: str = "") -> None:
        """Adds a reason; the stricter consequence stays."""
        if consequence == "show_final":
            return
        detail: ReasonDetail = {"code": code}
        if about:
            detail["about"] = about
        if detail not in self.reasons:
            self.reasons.append(detail)
        if STRICTNESS[consequence] > STRICTNESS[self.release]:
            self.release = consequence


def decide(basis: Basis) -> Decision:
    """The decision, with everything that was found on the way to it."""
    answer = basis.answer
    sentences = accounted(answer.text, {claim.id: claim.text for claim in answer.claims})
    judged = {claim.id: _judge(claim, basis) for claim in answer.claims}
    _fall_with_others(judged)
    _keep_meaning(judged, sentences, basis.policy)
    coverage = _coverage(sentences)
    claims = [_claim_decision(one, basis) for one in judged.values()]
    action, reasons = _action(basis, claims, coverage)
    decision: Decision = {
        "artifact_type": ARTIFACT_TYPE,
        "schema_version": SCHEMA_VERSION,
        "verifier": {"name": "pagewitness", "version": __version__},
        "answer_id": answer.answer_id,
        "hashes": {
            "answer": answer.sha256,
            "policy": basis.policy.sha256,
            "requests": [one.sha256 for one in basis.planned],
            "reports": list(basis.report_hashes),
        },
        "policy": {"name": basis.policy.name, "version": basis.policy.policy_version},
        "verification_config_sha256": basis.policy.config.sha256,
        "action": action,
        "reasons": reasons,
        "claims": claims,
        "coverage": coverage,
        "contract_faults": [
            {"code": f.code, "claim": f.claim, "where": f.where, "message": f.message}
            for f in answer.faults
        ],
        "faults": list(basis.faults),
        "released": released(action, answer, claims, coverage, basis.policy, reasons, sentences),
    }
    if answer.question is not None:
        decision["question"] = answer.question
    if basis.labels.sha256 is not None:
        decision["hashes"]["labels"] = basis.labels.sha256
    if basis.as_of is not None:
        decision["as_of"] = basis.as_of
    mapped = [p.report["source_map"] for p in basis.proofs.values() if "source_map" in p.report]
    if mapped:
        decision["source_map"] = mapped[0]
    return decision


def _judge(claim: GeneratedClaim, basis: Basis) -> _Judged:
    """Everything that holds one claim back by itself: contract, access, fingerprints, evidence,
    calculations, its own words, and last the labels."""
    judged = _Judged(claim)
    for fault in basis.answer.faults:
        if fault.claim == claim.id:
            judged.hold("block", fault.code)
    if claim.type == "unsupported":
        judged.hold("block", "type_unsupported")
    elif not claim.evidence_refs:
        judged.hold("block", "evidence_missing")
    rules = _Rules(claim, basis.policy)
    for ref in claim.evidence_refs:
        _hold_evidence(judged, ref, rules, basis)
    _hold_calculation(judged, basis)
    if judged.release != "block":
        _hold_words(judged, rules, basis)
    _hold_labels(judged, rules, basis)
    if claim.type == "synthesis":
        judged.hold(rules.synthesis, "synthesis_needs_review")
    return judged


class _Rules:
    """The rules for one claim: of its type and of its domain, the stricter where they differ."""

    def __init__(self, claim: GeneratedClaim, policy: Policy) -> None:
        parts = [policy.types.get(claim.type), policy.domains.get(claim.domain or "")]
        own = [part for part in parts if part is not None]
        self.evidence = [p.evidence for p in own if p.evidence is not None] or [policy.evidence]
        self.figures = _strictest(policy.figures, own, "figures")
        self.negation = _strictest(policy.negation, own, "negation")
        self.synthesis = _strictest(policy.synthesis, own, "synthesis")
        narrower = [p.relevance for p in own if p.relevance is not None] or [policy.relevance]
        self.relevance = set(narrower[0]).intersection(*narrower[1:])
        self.rounding = all(rules.rounding for rules in self.evidence)


def _strictest(general: Consequence, own: Sequence[ClaimRules], name: str) -> Consequence:
    given: list[Consequence] = [v for part in own if (v := getattr(part, name)) is not None]
    return max(given or [general], key=lambda one: STRICTNESS[one])


def _hold_evidence(judged: _Judged, ref: str, rules: _Rules, basis: Basis) -> None:
    """What one evidence of a claim holds against it."""
    if ref not in basis.answer.evidence:
        judged.hold("block", "evidence_unknown", ref)
        return
    proof = basis.proofs.get(ref)
    if proof is None:
        judged.hold("block", "infrastructure_fault", ref)
        return
    check, report = proof.check, proof.report
    undated = WarningCode.SOURCE_DATES_NOT_CHECKED in report["warnings"]
    if check["status"] != "grounded" or check["semantic_unverified"] or report["fingerprint_stale"]:
        reason = check.get("reason")
        if reason == "source_expired" and undated:  # the rules of verification ask for the day
            judged.hold("block", "date_not_given", ref)
            return
        tell = check["status"] == "capability_blocked"
        judged.hold("block", "evidence_cannot_tell" if tell else "evidence_not_grounded", ref)
        if reason is not None:
            judged.hold("block", reason, ref)
        return
    for allowed in rules.evidence:
        for code, about in _disallowed(check, allowed):
            judged.hold("block", code, about or ref)
    warned = [*check["warnings"], *(w for w in report["warnings"] if w in _ABOUT_THE_WHOLE)]
    for warning in sorted(set(warned)):
        consequence = basis.policy.warnings.get(WarningCode(warning), "show_final")
        judged.hold(consequence, "warning_not_allowed", warning)
    if undated and basis.policy.require_date:
        judged.hold("block", "date_not_given", ref)


def _disallowed(check: Check, rules: EvidenceRules) -> Iterator[tuple[GateReason, str]]:
    """What of a grounded check some rules do not accept. A recomputed result has no tier of its
    own: its inputs have."""
    recomputed = check["match_method"] == "recomputed"
    if rules.tiers and check["evidence_tier"] not in rules.tiers and not recomputed:
        yield "tier_not_allowed", check["evidence_tier"]
    if rules.match_methods and check["match_method"] not in rules.match_methods:
        yield "method_not_allowed", check["match_method"]
    match = check.get("match")
    if match is None:
        return
    for name in match["folds"]:
        if name not in rules.folds:
            yield "fold_not_allowed", name
    if match.get("rounded") and not rules.rounding:
        yield "rounding_not_allowed", ""
    if rules.unique_occurrence and match["occurrences"] > 1:
        yield "ambiguous_evidence", ""


def _hold_calculation(judged: _Judged, basis: Basis) -> None:
    """A calculation rests on a recomputed result, and every result on inputs that are proven."""
    claim, evidence = judged.claim, basis.answer.evidence
    results = [
        r for r in claim.evidence_refs if r in evidence and evidence[r].kind == "calculation"
    ]
    if claim.type == "calculation" and not results:
        judged.hold("block", "calculation_missing")
    for ref in results:
        if ref in basis.scattered:
            judged.hold("block", "inputs_in_other_documents", ref)


def _hold_words(judged: _Judged, rules: _Rules, basis: Basis) -> None:
    """What the claim's own words say beyond its evidence."""
    claim = judged.claim
    said = list(_said(claim, basis))
    if claim.evidence_refs and not said:
        judged.hold("block", "evidence_says_nothing")
    for figure in unborne(claim.text, said, rounding=rules.rounding):
        judged.hold(rules.figures, "figure_not_in_evidence", figure)
    word = denials_differ(claim.text, said)
    if word is not None:
        judged.hold(rules.negation, "negation_differs", word)
    if claim.value is not None:
        value = _value_text(claim.value)
        if not value_borne(value, said, rounding=rules.rounding):
            judged.hold("block", "value_not_in_evidence", value)


def _said(claim: GeneratedClaim, basis: Basis) -> Iterator[str]:
    """What the proven evidence of a claim says: its words, and the labels of its cells. Inputs of a
    recomputed result say what they are, too."""
    ahead = list(claim.evidence_refs)
    seen: set[str] = set()
    while ahead:
        ref = ahead.pop(0)
        proof = basis.proofs.get(ref)
        if ref in seen or proof is None or proof.check["status"] != "grounded":
            continue
        seen.add(ref)
        yield from _words_of(basis.answer.evidence[ref])
        ahead += basis.answer.evidence[ref].inputs or ()


def _words_of(evidence: Evidence) -> Iterator[str]:
    if isinstance(evidence.value, StructuredValue):
        yield _value_text(evidence.value)
    elif evidence.value is not None:
        yield evidence.value
    elif evidence.text is not None:
        yield evidence.text
    for label in (evidence.citation.row_label, evidence.citation.column_label):
        if label:
            yield label


def _value_text(value: str | StructuredValue) -> str:
    """A structured value as people write it: "USD 4.2 million", "5 percent", and its period."""
    if isinstance(value, str):
        return value
    sign = "-" if value.sign == "negative" and not str(value.number).startswith("-") else ""
    parts = (value.currency, f"{sign}{value.number}", value.scale, value.unit, value.period)
    return " ".join(part for part in parts if part)


def _hold_labels(judged: _Judged, rules: _Rules, basis: Basis) -> None:
    labels = basis.labels.of(judged.claim.id)
    if labels.claim_support == "not_evaluated":
        judged.hold("needs_review", "support_not_evaluated")
    elif labels.claim_support == "unsupported":
        judged.hold("block", "support_unsupported")
    elif labels.claim_support == "contradicted":
        judged.hold("block", "support_contradicted")
    if labels.question_relevance == "not_evaluated":
        judged.hold("needs_review", "relevance_not_evaluated")
    elif labels.question_relevance not in rules.relevance:
        judged.hold("block", "relevance_insufficient", labels.question_relevance)


def _fall_with_others(judged: Mapping[str, _Judged]) -> None:
    """Claims fall with those on which they stand, until nothing changes. Claims that stand on
    themselves are blocked already."""
    changed = True
    while changed:
        before = [(one.release, len(one.reasons)) for one in judged.values()]
        for one in judged.values():
            for other_id in one.claim.depends_on:
                other = judged.get(other_id)
                if other is None or other.release == "block":
                    one.hold("block", "depends_on_blocked", other_id)
                elif other.release == "needs_review":
                    one.hold("needs_review", "depends_on_review", other_id)
        changed = before != [(one.release, len(one.reasons)) for one in judged.values()]


def _keep_meaning(
    judged: Mapping[str, _Judged], sentences: Sequence[Accounted], policy: Policy
) -> None:
    """Claims of one sentence stand or fall together, and with them the sentence that the next one
    takes back or limits ("However, …"): without it they would say something else. The same goes
    for words of their sentence that no claim accounts for."""
    if policy.prose.uncovered != "allow":
        _hold_uncovered(judged, sentences)
    tied = [set(sentence.claims) for sentence in sentences if len(sentence.claims) > 1]
    for one, other in pairwise(sentences):
        if contrasts(other.text):
            tied.append({*one.claims, *other.claims})
    changed = True
    while changed:
        changed = False
        for group in tied:
            held = sorted(c for c in group if judged[c].release != "show_final")
            for claim_id in sorted(group):
                if held and judged[claim_id].release == "show_final":
                    judged[claim_id].hold("needs_review", "meaning_by_omission", held[0])
                    changed = True
        if changed:
            _fall_with_others(judged)
    _fall_with_others(judged)


def _hold_uncovered(judged: Mapping[str, _Judged], sentences: Sequence[Accounted]) -> None:
    for sentence in sentences:
        if sentence.claims and sentence.uncovered:
            for claim_id in sentence.claims:
                judged[claim_id].hold("needs_review", "meaning_by_omission", sentence.uncovered)
    for one, other in pairwise(sentences):
        if contrasts(other.text) and not other.covered:
            for claim_id in one.claims:
                judged[claim_id].hold("needs_review", "meaning_by_omission", other.text)


def _coverage(sentences: Sequence[Accounted]) -> Coverage:
    covered = sum(one.covered for one in sentences)
    uncovered = [one for one in sentences if not one.covered]
    return {
        "sentences": len(sentences),
        "covered": covered,
        "percent": 100 * covered // len(sentences) if sentences else None,
        "uncovered": [
            {
                "start": one.start,
                "end": one.end,
                "text": one.text,
                "claims": list(one.claims),
                "uncovered": one.uncovered,
            }
            for one in uncovered
        ],
    }


def _claim_decision(judged: _Judged, basis: Basis) -> ClaimDecision:
    claim, labels = judged.claim, basis.labels.of(judged.claim.id)
    decision: ClaimDecision = {
        "id": claim.id,
        "type": claim.type,
        "text": claim.text,
        "decision": judged.release,
        "reasons": judged.reasons or [{"code": "certified"}],
        "question_relevance": labels.question_relevance,
        "claim_support": labels.claim_support,
        "evidence": [_evidence_result(ref, basis) for ref in claim.evidence_refs],
        "depends_on": list(claim.depends_on),
    }
    if claim.domain is not None:
        decision["domain"] = claim.domain
    return decision


def _evidence_result(ref: str, basis: Basis) -> EvidenceResult:
    evidence = basis.answer.evidence.get(ref)
    result: EvidenceResult = {"ref": ref, "document": evidence.document if evidence else ""}
    proof = basis.proofs.get(ref)
    if proof is None:
        return result
    result["status"] = proof.check["status"]
    if "reason" in proof.check:
        result["reason"] = proof.check["reason"]
    if "document_fingerprint" in proof.report:
        result["document_fingerprint"] = proof.report["document_fingerprint"]
    shown = proof.check.get("evidence") if proof.check["status"] == "grounded" else None
    if shown is not None:
        if "page_number" in shown:
            result["page"] = shown["page_number"]
        if "text" in shown:
            result["text"] = shown["text"]
    return result


def _action(
    basis: Basis, claims: Sequence[ClaimDecision], coverage: Coverage
) -> tuple[Action, list[ReasonCode]]:
    """What becomes of the answer; the first rule that applies. Faults come first: whatever else is
    known, an answer that could not be checked is not released."""
    if basis.faults:
        return ("abstain" if basis.policy.on_fault == "abstain" else "review"), [
            "infrastructure_fault"
        ]
    contract = _distinct(fault.code for fault in basis.answer.faults)
    if contract:
        return "regenerate", contract
    if not claims:
        return "regenerate", ["no_claims"]
    held = _distinct(
        detail["code"]
        for claim in claims
        if claim["decision"] != "show_final"
        for detail in claim["reasons"]
    )
    prose = _prose_reasons(basis.policy, coverage)
    shown = [claim for claim in claims if claim["decision"] == "show_final"]
    if len(shown) == len(claims) and not prose:
        return "release", ["certified"]
    if _STALE & set(held):
        held = ["stale_evidence", *held]
    reasons = _ordered([*held, *prose])
    if shown and basis.policy.partial and _says_something(shown):
        blocked_prose = prose and basis.policy.prose.uncovered == "review"
        return ("review" if blocked_prose else "partial"), reasons
    if any(claim["decision"] == "needs_review" for claim in claims) or (shown and prose):
        return "review", reasons
    if "stale_evidence" in held:
        return "regenerate", reasons
    return "abstain", _ordered(["no_verified_claim", *reasons])


def _says_something(shown: Sequence[ClaimDecision]) -> bool:
    """Whether what may be shown answers the question at all, and is no mere support of an answer
    that is held back."""
    return any(claim["question_relevance"] == "direct_answer" for claim in shown)


def _prose_reasons(policy: Policy, coverage: Coverage) -> list[GateReason]:
    if policy.prose.uncovered == "allow":
        percent = coverage["percent"]
        enough = percent is None or percent >= policy.prose.minimum_coverage
        return [] if enough else ["coverage_too_low"]
    found: list[GateReason] = ["prose_uncovered"] if coverage["uncovered"] else []
    percent = coverage["percent"]
    if percent is not None and percent < policy.prose.minimum_coverage:
        found.append("coverage_too_low")
    return found


def _distinct(codes: Iterable[ReasonCode]) -> list[ReasonCode]:
    return list(dict.fromkeys(codes))


def _ordered(codes: Iterable[ReasonCode]) -> list[ReasonCode]:
    """Reasons of access first, then those of fingerprints, then the others as they came."""
    found = _distinct(codes)
    return sorted(found, key=lambda code: 0 if code in _ACCESS else 1 if code in _STALE else 2)
