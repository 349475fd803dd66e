"""What is made of a judge's answer: checked, overruled, counted in one place."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from told_judges import Told, all_are

from verifier.coverage.audit import audit_coverage
from verifier.coverage.model import (
    ClaimVerdict,
    CoverageJudgement,
    SourceQuote,
    StatedCounts,
)
from verifier.judges.checked import check_coverage, check_scorecard, locate
from verifier.judges.literal import LiteralJudge
from verifier.judges.protocol import JudgeIdentity, JudgementInvalidError
from verifier.schemas import schemas
from verifier.scorecard.audit import audit_scorecard
from verifier.scorecard.model import (
    FROM_HARNESS,
    TO_HARNESS,
    DocumentFault,
    DocumentVerdict,
    EvidencePair,
    ScorecardJudgement,
)
from verifier.traces import Rejection, Trace, TraceDocument

RENT, FEE = "The yearly rent is 580 euro.", "The entry fee was not raised in 2025."
TRACE = Trace(
    "t1",
    "What are rent and fee?",
    f"{RENT} [1] {FEE} [2] The pool is heated.",
    (TraceDocument("rent", f"Rent\n\n{RENT}\n", 1, "0.9"), TraceDocument("fee", FEE, 2)),
    attributes={"domain": "housing"},
)


def with_answer(answer: str, trace: Trace = TRACE) -> Trace:
    return replace(trace, answer=answer)


def coverage(trace: Trace | Rejection, judge: Any = None) -> Any:
    line = audit_coverage(trace, judge or LiteralJudge())
    Draft202012Validator(schemas()["coverage_result"]).validate(line)
    return line


def scorecard(trace: Trace | Rejection, judge: Any = None) -> Any:
    line = audit_scorecard(trace, judge or LiteralJudge())
    Draft202012Validator(schemas()["scorecard_result"]).validate(line)
    return line


class TestCoverage:
    """The seed's keys, with places and figures that add up."""

    def test_counts_and_score_are_those_of_the_details(self) -> None:
        line = coverage(TRACE)
        assert (line["total_claims"], line["supported_claims"]) == (3, 2)
        assert (line["unsupported_claims"], line["contradicted_claims"]) == (1, 0)
        assert line["attribution_coverage_score"] == 0.666667
        assert line["score_defined"] is True
        assert [d["status"] for d in line["claim_details"]] == [
            "supported", "supported", "unsupported",
        ]  # fmt: skip
        first = line["claim_details"][0]
        assert first["claim_text"] == f"{RENT} [1]"
        assert first["source_citation_ids"] == ["rent"]
        assert first["location_in_answer"] == {"start": 0, "end": 32, "kind": "sentence"}
        assert first["evidence"] == [
            {"document_id": "rent", "quote": RENT, "start": 6, "end": 34},
        ]  # fmt: skip

    def test_citations_and_what_they_bear_out_are_figures_of_their_own(self) -> None:
        swapped = with_answer(f"{RENT} [2] {FEE} [2] The pool is heated [7].")
        line = coverage(swapped)
        assert line["attribution_coverage_score"] == 0.666667
        assert line["markers"] == {
            "claims_with_citation": 2,
            "claims_supported_by_cited": 1,
            "marker_coverage": 0.666667,
            "cited_support": 0.5,
            "unknown_markers": ["7"],
            "uncited_document_ids": ["rent"],
        }
        assert [d.get("cited_support") for d in line["claim_details"]] == [False, True, None]

    @pytest.mark.parametrize("answer", ["I don't know.", "I think that it is cheap.", "Really?"])
    def test_without_a_claim_the_score_is_not_defined(self, answer: str) -> None:
        """The convention asks for 1.0; nobody may take it for a pass. No judge is asked."""
        for judge in (LiteralJudge(), Told()):
            line = coverage(with_answer(answer), judge)
            assert line["status"] == "scored"
            assert (line["attribution_coverage_score"], line["score_defined"]) == (1.0, False)
            assert line["claim_details"] == []
            assert line["markers"]["marker_coverage"] is None

    def test_without_documents_it_is_rejected(self) -> None:
        line = coverage(replace(TRACE, documents=()))
        assert (line["status"], line["reason"]) == ("rejected", "no_sources")
        assert "attribution_coverage_score" not in line

    def test_a_rejected_trace_stays_rejected(self) -> None:
        line = coverage(Rejection("t9", "empty_answer", "the trace has no answer", "a.jsonl:3"))
        assert line["trace_id"] == "t9"
        assert (line["status"], line["reason"], line["origin"]) == (
            "rejected", "empty_answer", "a.jsonl:3",
        )  # fmt: skip

    def test_a_judge_without_an_answer_is_no_score(self) -> None:
        line = coverage(TRACE, Told())
        assert line["status"] == "eval_error"
        assert line["eval_error"] == {
            "code": "unavailable", "message": "nobody answers", "raw": ["<html>502</html>"],
        }  # fmt: skip
        assert "attribution_coverage_score" not in line

    def test_who_judged_is_told_with_the_hash_of_what_it_depends_on(self) -> None:
        line = coverage(TRACE, all_are("unsupported"))
        assert line["judge"]["params"] == {"model": "m", "temperature": "0"}
        other = JudgeIdentity("told", "1", {"model": "n", "temperature": "0"})
        assert line["judge"]["params_sha256"] != other.params_sha256

    def test_the_same_trace_gives_the_same_line(self) -> None:
        assert coverage(TRACE) == coverage(copy.deepcopy(TRACE))


class TestOverruling:
    """A judge's opinion stands unless a deterministic check contradicts it."""

    def test_a_paraphrase_that_rules_do_not_see_may_be_supported(self) -> None:
        line = coverage(with_answer("A year costs tenants 580 euro."), all_are("supported", "rent"))
        assert line["supported_claims"] == 1
        assert line["claim_details"][0]["basis"] == "judged"
        assert line["disagreements"] == []

    @pytest.mark.parametrize(
        ("answer", "basis", "status"),
        [
            ("The yearly rent is 850 euro.", "number_differs", "contradicted"),
            ("The yearly rent is 580 dollars.", "unit_differs", "contradicted"),
            ("The yearly rent is not 580 euro.", "negation_differs", "contradicted"),
            ("The entry fee was raised in 2025.", "negation_differs", "contradicted"),
            ("The lease says “no rent is due”.", "quote_not_found", "unsupported"),
        ],
    )
    def test_contradictions_overrule(self, answer: str, basis: str, status: str) -> None:
        line = coverage(with_answer(answer), all_are("supported", "rent"))
        assert [d["status"] for d in line["claim_details"]] == [status]
        assert line["supported_claims"] == 0
        (disagreement,) = line["disagreements"]
        assert (disagreement["judged"], disagreement["deterministic"]) == ("supported", status)
        assert (disagreement["basis"], disagreement["overruled"]) == (basis, True)

    def test_what_rules_find_does_not_make_a_judge_milder(self) -> None:
        """The stricter verdict stays, and the difference is on record."""
        line = coverage(with_answer(RENT), all_are("unsupported"))
        assert line["unsupported_claims"] == 1
        (disagreement,) = line["disagreements"]
        assert (disagreement["deterministic"], disagreement["overruled"]) == ("supported", False)

    def test_a_document_that_is_contradicted_is_used_unfaithfully(self) -> None:
        trace = with_answer("The yearly rent is 850 euro.")

        def say(trace: Trace, claims: object) -> ScorecardJudgement:
            pair = EvidencePair(RENT, "The yearly rent is 850 euro.")
            return ScorecardJudgement(
                (
                    DocumentVerdict("rent", "used", "faithful", (pair,)),
                    DocumentVerdict("fee", "ignored", "n/a", (EvidencePair(FEE, ""),)),
                )
            )

        line = scorecard(trace, Told(on_documents=say))
        assert line["scorecard"][0]["faithfulness"] == "unfaithful"
        assert line["scorecard"][1]["usage"] == "ignored"
        (disagreement,) = line["disagreements"]
        assert (disagreement["document_id"], disagreement["basis"]) == ("rent", "number_differs")


class TestJudgements:
    """An answer that contradicts the trace or itself is not scored."""

    @staticmethod
    def verdicts(**changed: Any) -> CoverageJudgement:
        trace = with_answer(RENT)
        assert len(trace.answer) == len(RENT)
        first = ClaimVerdict("c0001", "supported", ("rent",), "so", (SourceQuote("rent", RENT),))
        return CoverageJudgement((replace(first, **changed),))

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"claim_id": "c0009"}, "claim unknown: 'c0009'"),
            ({"source_ids": ("lease",)}, "unknown source: 'lease'"),
            ({"source_ids": ()}, "supported with 0 source ids"),
            ({"status": "unsupported"}, "unsupported with 1 source ids"),
            ({"quotes": (SourceQuote("rent", "The rent is due."),)}, "not verbatim"),
            ({"quotes": (SourceQuote("rent", "80 euro"),)}, "not verbatim"),
            ({"quotes": (SourceQuote("rent", "  "),)}, "not verbatim"),
            ({"quotes": (SourceQuote("fee", FEE),)}, "none of its sources"),
        ],
    )
    def test_of_claims(self, changed: dict[str, Any], said: str) -> None:
        judge = Told(lambda trace, claims: self.verdicts(**changed))
        line = coverage(with_answer(RENT), judge)
        assert (line["status"], line["eval_error"]["code"]) == ("eval_error", "malformed_answer")
        assert said in line["eval_error"]["message"]

    def test_a_verdict_too_many_and_one_too_few(self) -> None:
        one = self.verdicts().verdicts
        for verdicts, said in (((), "not judged: 'c0001'"), (one * 2, "judged twice: 'c0001'")):
            judge = Told(lambda trace, claims, v=verdicts: CoverageJudgement(v))
            assert said in coverage(with_answer(RENT), judge)["eval_error"]["message"]

    def test_totals_that_differ_from_the_verdicts(self) -> None:
        made = replace(self.verdicts(), counts=StatedCounts(2, 2, 0, 0))
        line = coverage(with_answer(RENT), Told(lambda trace, claims: made))
        assert "totals" in line["eval_error"]["message"]
        right = replace(made, counts=StatedCounts(1, 1, 0, 0))
        assert coverage(with_answer(RENT), Told(lambda t, c: right))["status"] == "scored"

    def test_a_quote_is_shown_as_the_document_has_it(self) -> None:
        content = "The yearly rent\nis 580 euro, pay-\nable in May."
        trace = Trace("t", "q", RENT, (TraceDocument("rent", content, 1),))
        quote = SourceQuote("rent", "rent is 580 euro, payable in May.")
        made = self.verdicts(quotes=(quote,))
        (verdict,) = check_coverage(made, trace, _claims(trace)).verdicts
        assert verdict.quotes == (SourceQuote("rent", content[11:], 11, len(content)),)

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"document_id": "lease"}, "document unknown: 'lease'"),
            ({"usage": "ignored"}, "does not go with faithfulness"),
            ({"faithfulness": "n/a"}, "does not go with faithfulness"),
            ({"evidence": ()}, "there is no evidence"),
            ({"evidence": (EvidencePair("no such words", RENT),)}, "source quote is not verbatim"),
            ({"evidence": (EvidencePair(RENT, "no such words"),)}, "answer quote is not verbatim"),
            ({"evidence": (EvidencePair(RENT, ""),)}, "answer quote is not verbatim"),
            (
                {"usage": "ignored", "faithfulness": "n/a"},
                "it is ignored, and yet the answer is quoted",
            ),
        ],
    )
    def test_of_documents(self, changed: dict[str, Any], said: str) -> None:
        first = DocumentVerdict("rent", "used", "faithful", (EvidencePair(RENT, RENT),))
        other = DocumentVerdict("fee", "ignored", "n/a", (EvidencePair(FEE, ""),))
        made = ScorecardJudgement((replace(first, **changed), other))
        with pytest.raises(JudgementInvalidError, match=said):
            check_scorecard(made, with_answer(RENT))
        line = scorecard(with_answer(RENT), Told(on_documents=lambda trace, claims: made))
        assert line["eval_error"]["code"] == "malformed_answer"

    def test_ungrounded_claims_have_to_stand_in_the_answer(self) -> None:
        first = DocumentVerdict("rent", "used", "faithful", (EvidencePair(RENT, RENT),))
        other = DocumentVerdict("fee", "ignored", "n/a", (EvidencePair(FEE, ""),))
        made = ScorecardJudgement((first, other), (), ("The pool is heated.",))
        with pytest.raises(JudgementInvalidError, match="not in the answer"):
            check_scorecard(made, with_answer(RENT))

    @pytest.mark.parametrize(
        ("quote", "text", "place"),
        [
            ("577", "1,577 and 577", (10, 13)),
            ("577", "1,577", None),
            ("rent", "current rent", (8, 12)),
            ("a  b", "a\nb", (0, 3)),
            ("", "x", None),
            ("...", "x...", None),
        ],
    )
    def test_locating(self, quote: str, text: str, place: tuple[int, int] | None) -> None:
        assert locate(quote, text) == place


def _claims(trace: Trace) -> Any:
    from verifier.coverage.claims import decompose

    return decompose(trace).claims


class TestScorecard:
    """Every document with usage, faithfulness and words on both sides."""

    def test_entries(self) -> None:
        line = scorecard(TRACE)
        rent, fee = line["scorecard"]
        assert (rent["document_id"], rent["usage"], rent["faithfulness"]) == (
            "rent", "used", "faithful",
        )  # fmt: skip
        assert rent["evidence"] == {"source_quote": RENT, "answer_quote": f"{RENT} [1]"}
        assert rent["evidence_spans"] == [
            {"source_quote": RENT, "source_start": 6, "source_end": 34,
             "answer_quote": f"{RENT} [1]", "answer_start": 0, "answer_end": 32},
        ]  # fmt: skip
        assert (rent["rank"], rent["score"]) == (1, "0.9")
        assert fee["usage"] == "used"
        assert [c["claim_text"] for c in line["ungrounded_claims"]] == ["The pool is heated."]
        assert line["counts"] == {
            "used": 2, "partially_used": 0, "ignored": 0, "faithful": 2, "partially_faithful": 0,
            "unfaithful": 0, "n/a": 0, "eval_error": 0,
        }  # fmt: skip
        assert line["faithful_share"] == 1.0

    def test_an_ignored_document_shows_its_most_relevant_passage(self) -> None:
        content = "The lawn is cut in May. Rent and fee are paid in June. Dogs are not allowed."
        documents = (*TRACE.documents, TraceDocument("rules", content, 3))
        entry = scorecard(replace(TRACE, documents=documents))["scorecard"][2]
        assert (entry["usage"], entry["faithfulness"]) == ("ignored", "n/a")
        assert entry["evidence"] == {
            "source_quote": "Rent and fee are paid in June.", "answer_quote": "",
        }  # fmt: skip

    def test_a_document_without_a_word_of_the_query_says_so(self) -> None:
        documents = (*TRACE.documents, TraceDocument("x", "Dogs are not allowed.", 3))
        entry = scorecard(replace(TRACE, documents=documents))["scorecard"][2]
        assert entry["notes"] == "no passage shares a word with the query"

    def test_a_key_point_that_is_left_out_makes_it_partial(self) -> None:
        content = f"{RENT} Rent and fee are due in May."
        trace = replace(with_answer(RENT), documents=(TraceDocument("rent", content, 1),))
        entry = scorecard(trace)["scorecard"][0]
        assert (entry["usage"], entry["faithfulness"]) == ("partially_used", "faithful")
        assert entry["notes"] == "not used: Rent and fee are due in May."

    def test_contradicted_is_unfaithful_and_untold_is_partly_so(self) -> None:
        trace = with_answer("The yearly rent is 850 euro. The raised entry fee of 2025 was low.")
        rent, fee = scorecard(trace)["scorecard"]
        assert (rent["faithfulness"], rent["notes"]) == ("unfaithful", "contradicts c0001")
        assert (fee["usage"], fee["faithfulness"]) == ("used", "partially_faithful")

    def test_a_number_that_the_cited_document_has_not_is_unfaithful(self) -> None:
        (rent, _) = scorecard(with_answer("Tenants get 77 euro back [1]."))["scorecard"]
        assert rent["faithfulness"] == "unfaithful"
        assert rent["notes"].startswith("has not the numbers of c0001")

    def test_a_document_that_is_cited_for_another_one_is_not_used(self) -> None:
        (rent, fee) = scorecard(with_answer(f"{FEE} [1]"))["scorecard"]
        assert (rent["usage"], fee["usage"]) == ("ignored", "used")
        assert rent["notes"].startswith("c0001 cites it and is borne out by another")

    def test_nothing_retrieved_is_an_empty_scorecard_with_a_note(self) -> None:
        for judge in (LiteralJudge(), Told()):
            line = scorecard(replace(TRACE, documents=()), judge)
            assert (line["status"], line["scorecard"]) == ("scored", [])
            assert line["note"] == "no documents were retrieved"
            assert line["faithful_share"] is None
            assert len(line["ungrounded_claims"]) == 3

    def test_a_fault_of_one_document_is_in_no_share(self) -> None:
        def say(trace: Trace, claims: object) -> ScorecardJudgement:
            good = DocumentVerdict("rent", "used", "faithful", (EvidencePair(RENT, RENT),))
            return ScorecardJudgement((good,), (DocumentFault("fee", "timed_out", "60 s", ("x",)),))

        line = scorecard(with_answer(RENT), Told(on_documents=say))
        assert [entry["document_id"] for entry in line["scorecard"]] == ["rent"]
        assert (line["counts"]["eval_error"], line["faithful_share"]) == (1, 1.0)
        assert line["eval_errors"] == [
            {"document_id": "fee",
             "eval_error": {"code": "timed_out", "message": "60 s", "raw": ["x"]}},
        ]  # fmt: skip

    def test_the_two_vocabularies_are_mapped_word_by_word(self) -> None:
        assert TO_HARNESS["n/a"] == "not_applicable"
        assert {FROM_HARNESS[word] for word in TO_HARNESS.values()} == set(TO_HARNESS)
        assert FROM_HARNESS["n/a"] == "n/a"
