"""Release decisions: which claims of an answer may be shown, and on what proof."""

import copy
import json
from typing import Any, cast

import pytest
from ethos_documents import FERRY, OTHER_PIN, PIN, answer, claim
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter

from grounding.errors import RequestInvalidError
from verifier.ethos import (
    DEFAULT,
    EthosReport,
    load_ethos_report,
    load_proof,
    own_report,
    parse_citations,
    parse_release_claims,
    release_decision,
)
from verifier.ethos.decision import ReleaseDecision
from verifier.proof import proof_summary

CLAIMS = [
    claim("quote", "Dogs travel free.", element_id="second"),
    claim("value", "25 crowns", element_id="fares"),
    claim("presence", page="pg-1"),
]
REPORT = answer(CLAIMS)
"""v0001 and v0003 are grounded, v0002 is not."""
CERTIFIED = answer([CLAIMS[0]])
VALIDATOR = Draft202012Validator(TypeAdapter(ReleaseDecision).json_schema())


def said(
    checks: list[str] | None = None,
    relevance: str = "direct_answer",
    kind: str = "source_fact",
    name: str = "c1",
    **more: Any,
) -> dict[str, Any]:
    made = {"id": name, "text": "Dogs go free.", "question_relevance": relevance}
    made["claim_type"] = kind
    return {**made, **more} if checks is None else {**made, "check_ids": checks, **more}


def decide(*claims: dict[str, Any], report: Any = REPORT, **more: Any) -> ReleaseDecision:
    parsed = parse_release_claims(json.dumps(list(claims)))
    decision = release_decision(report, "Do dogs pay?", parsed.claims, **more)
    VALIDATOR.validate(decision)
    return decision


class TestClaims:
    @pytest.mark.parametrize("relevance", ["direct_answer", "supports_answer"])
    def test_a_grounded_fact_that_matters_is_shown(self, relevance: str) -> None:
        made = decide(said(["v0001", "v0003"], relevance))
        assert made["claims"] == [
            {
                **said(["v0001", "v0003"], relevance),
                "citation_grounded": True,
                "release_action": "show_final",
                "release_reason": "certified",
            }
        ]
        assert made["final_answer_claim_ids"] == ["c1"]
        assert made["app_status"] == "certified"

    def test_a_grounded_synthesis_is_reviewed(self) -> None:
        made = decide(said(["v0001"], "supports_answer", "synthesis"))
        assert made["claims"][0]["release_action"] == "needs_review"
        assert made["claims"][0]["release_reason"] == "supported_synthesis_needs_review"
        assert made["review_claim_ids"] == ["c1"]
        assert made["app_status"] == "supported_synthesis_needs_review"

    @pytest.mark.parametrize("relevance", ["background_only", "unrelated"])
    @pytest.mark.parametrize("kind", ["source_fact", "synthesis"])
    def test_what_does_not_matter_is_blocked(self, relevance: str, kind: str) -> None:
        made = decide(said(["v0001"], relevance, kind))
        assert made["claims"][0]["release_action"] == "block"
        assert made["app_status"] == "grounded_but_irrelevant"
        assert made["blocked_claim_ids"] == ["c1"]

    @pytest.mark.parametrize("kind", ["source_fact", "synthesis", "unsupported"])
    @pytest.mark.parametrize("relevance", ["direct_answer", "unrelated"])
    def test_one_check_that_failed_blocks_a_claim(self, kind: str, relevance: str) -> None:
        made = decide(said(["v0001", "v0002"], relevance, kind))
        assert made["claims"][0]["citation_grounded"] is False
        assert made["claims"][0]["release_reason"] == "cannot_answer_from_sources"
        assert made["app_status"] == "cannot_answer_from_sources"

    def test_of_a_stale_report_nothing_is_shown(self) -> None:
        made = decide(said(["v0001"]), report=answer(CLAIMS, pin=OTHER_PIN))
        assert made["final_answer_claim_ids"] == []
        assert made["grounding"]["proof_limitations"] == [
            "stale_fingerprint",
            "non_grounded_checks",
        ]

    @pytest.mark.parametrize("grounded", [True, False])
    def test_without_checks_the_application_says_it(self, grounded: bool) -> None:
        for made in (said(citation_grounded=grounded), said([], citation_grounded=grounded)):
            decided = decide(made)["claims"][0]
            assert decided["citation_grounded"] is grounded
            assert "check_ids" not in decided

    @pytest.mark.parametrize(
        ("made", "message"),
        [
            (said(["v0009"]), "no check 'v0009'"),
            (said(["v0001", "v0001"]), "given twice"),
            (said(["v0001"], citation_grounded=False), "contradicts"),
            (said(["v0002"], citation_grounded=True), "contradicts"),
            (said(), "citation_grounded"),
            (said([]), "citation_grounded"),
            (said(["v0001"], kind="unsupported"), "unsupported"),
            (said(kind="unsupported", citation_grounded=True), "unsupported"),
        ],
    )
    def test_a_contradiction_names_its_claim(self, made: dict[str, Any], message: str) -> None:
        with pytest.raises(RequestInvalidError, match=message) as error:
            decide(said(["v0001"], name="good"), {**made, "id": "bad"})
        assert error.value.message.startswith("claim 'bad'")

    def test_an_id_is_given_once(self) -> None:
        with pytest.raises(RequestInvalidError, match="twice"):
            decide(said(["v0001"]), said(["v0003"]))

    def test_two_checks_with_one_id_prove_nothing(self) -> None:
        """Else a failed check would pass for the grounded one of the same name."""
        double = copy.deepcopy(REPORT)
        double["checks"][1]["id"] = "v0001"
        with pytest.raises(RequestInvalidError, match="same id"):
            decide(said(["v0001"]), report=double)


class TestStatus:
    FACT = said(["v0001"], name="fact")
    REVIEW = said(["v0001"], kind="synthesis", name="review")
    IDLE = said(["v0001"], "unrelated", name="idle")
    WRONG = said(["v0002"], name="wrong")

    @pytest.mark.parametrize(
        ("claims", "status"),
        [
            ([FACT], "certified"),
            ([FACT, REVIEW], "partial_certified"),
            ([FACT, IDLE], "partial_certified"),
            ([WRONG, FACT], "partial_certified"),
            ([REVIEW, IDLE, WRONG], "supported_synthesis_needs_review"),
            ([WRONG, IDLE], "grounded_but_irrelevant"),
            ([WRONG], "cannot_answer_from_sources"),
            ([], "cannot_answer_from_sources"),
        ],
    )
    def test_an_answer_is_what_its_claims_allow(
        self, claims: list[dict[str, Any]], status: str
    ) -> None:
        assert decide(*claims)["app_status"] == status

    def test_ids_keep_the_order_of_the_claims(self) -> None:
        made = decide(self.WRONG, self.FACT, self.IDLE, self.REVIEW)
        assert made["blocked_claim_ids"] == ["wrong", "idle"]
        assert made["final_answer_claim_ids"] == ["fact"]
        assert made["review_claim_ids"] == ["review"]


class TestEnvelope:
    def test_the_proof_is_in_it(self) -> None:
        assert decide(said(["v0001"]))["grounding"] == {
            "verification_report_ref": "verification_report.json",
            "proof_status": "partially_verified",
            "request_certified": False,
            "reusable_grounded_check_ids": ["v0001", "v0003"],
            "needs_review_check_ids": ["v0002"],
            "proof_limitations": ["non_grounded_checks"],
        }
        verified = decide(report=CERTIFIED, report_ref="a/b.json")["grounding"]
        assert verified["proof_status"] == "verified"
        assert verified["request_certified"] is True
        assert verified["verification_report_ref"] == "a/b.json"

    def test_notes_are_kept_and_left_out_when_there_are_none(self) -> None:
        assert decide(notes=["seen by the desk"])["notes"] == ["seen by the desk"]
        assert "notes" not in decide(notes=[])

    @pytest.mark.parametrize("bad", [{"report_ref": ""}, {"notes": ["a", ""]}])
    def test_empty_words_are_refused(self, bad: dict[str, Any]) -> None:
        with pytest.raises(RequestInvalidError):
            decide(**bad)

    @pytest.mark.parametrize("question", ["", " \u2003"])
    def test_a_blank_question_is_refused(self, question: str) -> None:
        with pytest.raises(RequestInvalidError, match="question"):
            release_decision(REPORT, question, ())


class TestProofs:
    def test_both_forms_of_report_and_the_proof_decide_alike(self) -> None:
        citations = parse_citations(
            json.dumps({"claims": CLAIMS, "document_fingerprint": PIN}), DEFAULT
        )
        own = own_report(REPORT, citations, FERRY, DEFAULT, name="ferry.json")
        for proof in (own, proof_summary(own)):
            assert decide(said(["v0001"]), said(["v0002"], name="c2"), report=proof) == decide(
                said(["v0001"]), said(["v0002"], name="c2")
            )
            assert load_proof(json.dumps(proof)) == proof
        assert load_proof(json.dumps(REPORT)) == REPORT == load_ethos_report(json.dumps(REPORT))

    @pytest.mark.parametrize(
        ("grounded", "stale", "kinds", "unverified", "limits", "expected"),
        [
            (True, False, [], False, [], ("verified", [])),
            (True, False, [], False, ["missing_spans"], ("verified", ["capability_limited"])),
            (True, True, [], False, [], ("unverified", ["stale_fingerprint"])),
            (
                True,
                False,
                ["other"],
                False,
                [],
                ("partially_verified", ["unsupported_claim_kind"]),
            ),
            (True, False, [], True, [], ("unverified", ["semantic_unverified"])),
            (False, False, [], False, [], ("unverified", ["non_grounded_checks"])),
        ],
    )
    def test_limitations_follow_from_the_report(
        self,
        grounded: bool,
        stale: bool,
        kinds: list[str],
        unverified: bool,
        limits: list[str],
        expected: tuple[str, list[str]],
    ) -> None:
        """A report that claims more than its checks bear is not certified."""
        report = cast(Any, copy.deepcopy(CERTIFIED))
        check = report["checks"][0]
        check["status"] = "grounded" if grounded else "mismatch"
        check["semantic_unverified"] = unverified
        report.update(
            fingerprint_stale=stale, unsupported_claim_kinds=kinds, capability_limits=limits
        )
        grounding = decide(report=report)["grounding"]
        assert (grounding["proof_status"], grounding["proof_limitations"]) == expected

    @pytest.mark.parametrize(
        "data",
        [
            b"[]",
            b"{}",
            b'{"artifact_type": "pagewitness.report_set.v1"}',
            b'{"artifact_type": 5}',
            b'{"artifact_type": ["x"]}',
            json.dumps({**REPORT, "surprise": 1}).encode(),
            json.dumps({**REPORT, "all_evidence_grounded": "true"}).encode(),
            json.dumps({**REPORT, "fingerprint_stale": 0}).encode(),
        ],
    )
    def test_what_is_no_report_is_refused(self, data: bytes) -> None:
        with pytest.raises(RequestInvalidError):
            load_proof(data)
        with pytest.raises(RequestInvalidError):
            load_ethos_report(data)


class TestInput:
    def test_an_object_may_carry_the_question(self) -> None:
        made = parse_release_claims(
            json.dumps({"question": "Q?", "claims": [said(["v0001"])], "notes": ["n"]})
        )
        assert (made.question, made.notes, made.verification_report_ref) == ("Q?", ("n",), None)
        assert made.claims == parse_release_claims(json.dumps([said(["v0001"])])).claims

    @pytest.mark.parametrize(
        ("change", "where"),
        [
            ({"id": ""}, "id"),
            ({"text": ""}, "text"),
            ({"check_ids": [""]}, "check_ids"),
            ({"check_ids": "v0001"}, "check_ids"),
            ({"citation_grounded": 1}, "citation_grounded"),
            ({"question_relevance": "high"}, "question_relevance"),
            ({"claim_type": "guess"}, "claim_type"),
            ({"release_action": "show_final"}, "release_action"),
            ({"text": "\ud800"}, "claims.0.text"),
            ({"id": "\ud800"}, "claims.0.id"),
        ],
    )
    def test_a_fault_is_named(self, change: dict[str, Any], where: str) -> None:
        with pytest.raises(RequestInvalidError, match=where):
            parse_release_claims(json.dumps([{**said(), **change}]))

    @pytest.mark.parametrize("data", ["5", "null", "{}", "[1]", '{"claims": [], "x": 1}'])
    def test_other_json_is_refused(self, data: str) -> None:
        with pytest.raises(RequestInvalidError):
            parse_release_claims(data)


@given(
    st.lists(
        st.builds(
            said,
            st.none() | st.lists(st.sampled_from(["v0001", "v0002", "v0003"]), max_size=2),
            st.sampled_from("direct_answer supports_answer background_only unrelated".split()),
            st.sampled_from("source_fact synthesis unsupported".split()),
            st.sampled_from("abcd"),
        ),
        max_size=3,
    )
)
def test_nothing_is_shown_without_proof(claims: list[dict[str, Any]]) -> None:
    try:
        made = decide(*claims)
    except RequestInvalidError:
        return
    assert made == decide(*claims)
    shown = [c for c in made["claims"] if c["release_action"] == "show_final"]
    for decided in shown:
        assert set(decided["check_ids"]) <= {"v0001", "v0003"}
        assert decided["claim_type"] == "source_fact"


def test_a_report_of_this_shape_is_typed() -> None:
    report: EthosReport = load_ethos_report(json.dumps(REPORT))
    assert report["all_evidence_grounded"] is False
