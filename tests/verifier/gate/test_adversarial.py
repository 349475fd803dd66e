"""What must never get through the gate, each several ways, on real documents: the exact reason,
what becomes of the answer, and the event that is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gating import NAMES, SAMPLES, Change, Desk, answer, claim_of, codes, labels, library
from reading import read

from grounding.errors import AnswerInvalidError
from grounding.store import Access, StoreWriter
from grounding.store.source_map import set_source
from verifier.gate import POLICIES
from verifier.gate.event import event_of
from verifier.gate.plan import Planned
from verifier.gate.prose import accounted


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("gate"))


@pytest.fixture
def desk(path: Path) -> Desk:
    return Desk(path)


def put(*way: Any, to: Any) -> Change:
    """Sets one value of an answer."""

    def change(made: Any) -> None:
        for step in way[:-1]:
            made = made[step]
        made[way[-1]] = to

    return change


def cite(ref: str, **changes: Any) -> Change:
    """Changes one evidence of an answer."""
    return lambda made: made["evidence"][ref].update(changes)


def both(*changes: Change) -> Change:
    def change(made: Any) -> None:
        for one in changes:
            one(made)

    return change


def said(claim: int, old: str, new: str) -> Change:
    """Changes the words of a claim and of the answer's text together."""

    def change(made: Any) -> None:
        for holder, key in ((made["claims"][claim], "text"), (made, "answer_text")):
            assert old in holder[key]
            holder[key] = holder[key].replace(old, new)

    return change


STALE = "sha256:" + "0" * 64
CARGO = "In 2024 the harbour handled 412,600 tonnes of cargo"


def test_the_true_answer_is_released(desk: Desk) -> None:
    decision = desk.decide()
    assert decision["action"] == "release"
    assert decision["reasons"] == ["certified"]
    assert {claim["decision"] for claim in decision["claims"]} == {"show_final"}
    assert decision["coverage"] == {"sentences": 4, "covered": 4, "percent": 100, "uncovered": []}
    assert decision["released"]["kind"] == "answer_text"
    assert decision["released"]["text"] == answer(desk.pins)["answer_text"]
    assert [source["number"] for source in decision["released"]["sources"]] == [1, 2, 3, 4, 5]
    assert desk.kept == [decision]


FABRICATED = [
    (cite("e1", document="harbour-secrets"), "document_not_found"),
    (cite("e1", document="https://example.com/report.pdf"), "document_not_found"),
    (cite("e1", document="../../etc/passwd"), "document_not_found"),
    (cite("e1", citation={"element_id": "e999999"}), "element_not_found"),
    (cite("e1", citation={"table_id": "t0099", "cell": {"row": 0, "col": 0}}), "table_not_found"),
    (cite("e1", citation={"span_id": "s999999"}), "span_not_found"),
]
FINGERPRINTS = [
    (cite("e1", document_fingerprint=STALE), "stale_fingerprint"),
    (cite("e1", document_fingerprint="blake3:" + "0" * 64), "stale_fingerprint"),
    (cite("e1", document_fingerprint="md5:" + "0" * 32), "stale_fingerprint"),
    (cite("e1", document_fingerprint=STALE[:-1]), "stale_fingerprint"),
    (lambda made: made["evidence"]["e1"].pop("document_fingerprint"),
     "missing_citation_fingerprint"),
]  # fmt: skip
PAGES = [
    (cite("e1", citation={"page": 2}), "quote_on_other_page"),
    (cite("e1", citation={"page": 3}), "quote_on_other_page"),
    (cite("e5", citation={"page": 2}), "quote_on_other_page"),
    (cite("e1", citation={"page": 99}), "page_not_found"),
]
VALUES = [
    (cite("e2", value="$184,320"), "scale_mismatch"),
    (cite("e2", value="$184,320 million"), "scale_mismatch"),
    (cite("e2", value="-$184,320 thousand"), "sign_mismatch"),
    (cite("e2", value="€184,320 thousand"), "currency_mismatch"),
    (cite("e2", value="184,320%"), "unit_mismatch"),
    (cite("e2", value="$184,321 thousand"), "value_mismatch"),
    (cite("e2", value="$184 million"), "value_mismatch"),
]
COLUMNS = [
    (cite("e2", citation={"page": 1, "row_label": "Net sales", "column_label": "2023"}),
     "value_mismatch"),
    (cite("e3", citation={"page": 1, "row_label": "Net sales", "column_label": "2024"}),
     "value_mismatch"),
    (cite("e2", kind="table_cell", value="$184,320",
          citation={"table_id": "t0001", "cell": {"row": 1, "col": 3}}), "value_mismatch"),
    (cite("e2", citation={"page": 1, "row_label": "Gross profit", "column_label": "2024"}),
     "value_mismatch"),
    (cite("e2", citation={"page": 1, "row_label": "Net sales", "column_label": "2021"}),
     "column_label_not_found"),
]  # fmt: skip
BOXES = [
    (cite("e1", citation={"page": 1, "bbox": [0, 0, 90000, 90000]}), "bbox_out_of_bounds"),
    (cite("e1", citation={"page": 1, "bbox": [-500, 17000, 29400, 28000]}), "bbox_out_of_bounds"),
    (cite("e1", citation={"page": 1, "bbox": [29400, 28000, 5400, 17000]}), "bbox_out_of_bounds"),
    (cite("e1", citation={"bbox": [5400, 17000, 29400, 28000]}), "missing_page_for_bbox"),
]
NEGATIONS = [
    (cite("e1", text="In 2024 the harbour did not handle 412,600 tonnes of cargo"),
     "text_mismatch"),
    (cite("e5", text="“Fee” does not mean the monthly sum that is set out in clause 4.1."),
     "text_mismatch"),
    (cite("e1", text="The trust did raise its tariff for small craft"), "negation_dropped"),
]  # fmt: skip
EVIDENCE = [
    *((1, *one) for one in FABRICATED),
    *((2, *one) for one in FINGERPRINTS),
    *((3, *one) for one in PAGES),
    *((4, *one) for one in NEGATIONS),
    *((5, *one) for one in VALUES),
    *((6, *one) for one in COLUMNS),
    *((7, *one) for one in BOXES),
]


@pytest.mark.parametrize(("case", "change", "reason"), EVIDENCE)
def test_evidence_that_does_not_hold_blocks_its_claim(
    desk: Desk, case: int, change: Change, reason: str
) -> None:
    """Fabricated ids, stale fingerprints, wrong pages, changed negations, wrong numbers, wrong
    columns and boxes beyond the page; a claim that stands on such a one falls, and the rest is
    partial."""
    decision = desk.decide(change)
    blocked = [claim for claim in decision["claims"] if claim["decision"] == "block"]
    assert blocked
    hit = [c for c in blocked if reason in [detail["code"] for detail in c["reasons"]]]
    assert hit, decision["claims"]
    first = next(one for one in hit[0]["evidence"] if one.get("reason") == reason)
    assert first["status"] != "grounded"
    assert decision["action"] == "partial"
    assert reason in decision["reasons"]
    assert ("stale_evidence" in decision["reasons"]) == (case == 2)
    shown = decision["released"]
    assert shown["kind"] == "assembled"
    assert shown["limits"][0].startswith("This answer is partial: ")
    for claim in decision["claims"]:
        there = claim["text"].rstrip(".").casefold() in shown["text"].casefold()
        assert there == (claim["decision"] == "show_final")
    (kept,) = desk.kept
    event = event_of(kept)
    assert (event["action"], event["reasons"]) == ("partial", decision["reasons"])
    assert [c["decision"] for c in event["claims"]] == [c["decision"] for c in decision["claims"]]


@pytest.mark.parametrize(
    ("change", "claim", "reason", "about"),
    [
        (said(0, "412,600", "421,600"), "cargo", "figure_not_in_evidence", "421,600 tonnes"),
        (said(0, "2024", "2023"), "cargo", "figure_not_in_evidence", "2023"),
        (said(1, "thousand in 2024", "million in 2024"), "sales-2024", "figure_not_in_evidence",
         "$184,320 million"),
        (said(1, "$184,320", "€184,320"), "sales-2024", "figure_not_in_evidence",
         "€184,320 thousand"),
        (said(3, "$12,415", "$12,514"), "growth", "figure_not_in_evidence", "$12,514 thousand"),
        (said(0, "harbour handled", "harbour never handled"), "cargo", "negation_differs", "never"),
        (said(4, "means the", "means only the"), "fee", "negation_differs", "only"),
        (put("claims", 1, "value", to="$184,230 thousand"), "sales-2024", "value_not_in_evidence",
         "$184,230 thousand"),
    ],
)  # fmt: skip
def test_words_of_a_claim_that_its_evidence_does_not_bear_out_block_it(
    desk: Desk, change: Change, claim: str, reason: str, about: str
) -> None:
    """The citation holds, and the label says that it supports the claim: the stricter rule wins."""
    decision = desk.decide(change)
    assert claim_of(decision, claim)["decision"] == "block"
    assert {"code": reason, "about": about} in claim_of(decision, claim)["reasons"]
    assert all(one["status"] == "grounded" for one in claim_of(decision, claim)["evidence"])
    assert decision["action"] == "partial"
    assert event_of(desk.kept[0])["action"] == "partial"


@pytest.mark.parametrize(
    ("change", "code", "claim"),
    [
        (put("claims", 1, "id", to="cargo"), "claim_id_repeated", "cargo"),
        (put("claims", 4, "id", to="growth"), "claim_id_repeated", "growth"),
        (lambda made: made["claims"].append(made["claims"][0]), "claim_id_repeated", "cargo"),
        (put("claims", 0, "evidence_refs", to=[]), "evidence_missing", "cargo"),
        (put("claims", 0, "evidence_refs", to=["e9"]), "evidence_unknown", "cargo"),
        (put("claims", 3, "depends_on", to=["nobody"]), "dependency_unknown", "growth"),
        (put("claims", 1, "depends_on", to=["growth"]), "dependency_cycle", "sales-2024"),
        (put("claims", 0, "type", to="opinion"), "claim_malformed", "cargo"),
        (put("claims", 0, "confidence", to=1), "claim_malformed", "cargo"),
        (put("claims", 0, to=5), "claim_malformed", ""),
        (put("evidence", "e1", "kind", to="feeling"), "evidence_malformed", ""),
        (put("evidence", "e4", "inputs", to=["e4", "e3"]), "evidence_malformed", ""),
        (put("claims", to=[]), "no_claims", None),
    ],
)
def test_a_broken_contract_is_generated_again(
    desk: Desk, change: Change, code: str, claim: str | None
) -> None:
    decision = desk.decide(change)
    assert decision["action"] == "regenerate"
    assert code in decision["reasons"]
    assert decision["released"]["kind"] == "notice"
    if claim is not None:
        assert (code, claim) in [(f["code"], f["claim"]) for f in decision["contract_faults"]]
    assert event_of(desk.kept[0])["action"] == "regenerate"


@pytest.mark.parametrize(
    ("more", "uncovered"),
    [
        (" Ferry traffic rose by 9 percent.", "Ferry traffic rose by 9 percent"),
        ("\n- The outlook is good", "The outlook is good"),
        (" However, none of this was audited [9].", "none of this was audited"),
        (" This is true only in part.", "This is true only in part"),
        (" [the opposite is true]", "the opposite is true"),
        (" 【9†the opposite is true】", "【 9 † the opposite is true 】"),
        (" ~~", "~ ~"),
        (" Nοt so.", "Nοt so"),
    ],
)
def test_prose_that_no_claim_accounts_for_is_not_released(
    desk: Desk, more: str, uncovered: str
) -> None:
    decision = desk.decide(lambda made: made.update(answer_text=made["answer_text"] + more))
    assert decision["action"] in ("partial", "review")
    assert "prose_uncovered" in decision["reasons"]
    (left,) = decision["coverage"]["uncovered"]
    assert left["uncovered"] == uncovered
    start, end = left["start"], left["end"]
    assert (answer(desk.pins)["answer_text"] + more)[start:end] == left["text"]
    assert uncovered not in decision["released"]["text"]
    assert event_of(desk.kept[0])["covered"] == decision["coverage"]["covered"] < 5


def test_a_number_inside_a_sentence_holds_back_its_claim(desk: Desk) -> None:
    """Words that no claim accounts for may turn the sentence around."""
    change = put("answer_text", to=f"{CARGO}, which was 38 percent less than was planned [1].")
    decision = desk.decide(change)
    assert codes(decision, "cargo") == ["meaning_by_omission"]
    (left,) = decision["coverage"]["uncovered"]
    assert left["uncovered"] == "which was 38 percent less than was planned"
    assert decision["action"] == "partial"


@pytest.mark.parametrize("relevance", ["unrelated", "background_only", "not_evaluated"])
def test_grounded_and_irrelevant_is_not_shown(desk: Desk, relevance: str) -> None:
    told = labels(answer(desk.pins), cargo={"question_relevance": relevance})
    decision = desk.decide(said=told)
    unknown = relevance == "not_evaluated"
    assert claim_of(decision, "cargo")["decision"] == ("needs_review" if unknown else "block")
    code = "relevance_not_evaluated" if unknown else "relevance_insufficient"
    assert codes(decision, "cargo") == [code]
    assert decision["action"] == "partial"
    assert CARGO not in decision["released"]["text"]


@pytest.mark.parametrize(
    ("support", "release", "code"),
    [
        ("unsupported", "block", "support_unsupported"),
        ("contradicted", "block", "support_contradicted"),
        ("not_evaluated", "needs_review", "support_not_evaluated"),
    ],
)
def test_what_the_application_does_not_bear_out_is_not_shown(
    desk: Desk, support: str, release: str, code: str
) -> None:
    told = labels(answer(desk.pins), cargo={"claim_support": support})
    decision = desk.decide(said=told)
    assert claim_of(decision, "cargo")["decision"] == release
    assert codes(decision, "cargo") == [code]


@pytest.mark.parametrize("missing", [{"claims": {}}, {"answer_id": "another", "claims": {}}])
def test_without_labels_nothing_is_final(desk: Desk, missing: Any) -> None:
    decision = desk.decide(said=missing)
    assert decision["action"] == "review"
    assert {claim["decision"] for claim in decision["claims"]} == {"needs_review"}


def synthesis(made: Any) -> None:
    made["claims"].append(
        {"id": "together", "type": "synthesis", "evidence_refs": ["e1", "e2"],
         "depends_on": ["cargo", "sales-2024"],
         "text": "Both grew in 2024."}
    )  # fmt: skip
    made["answer_text"] += " Both grew in 2024."


@pytest.mark.parametrize(
    ("change", "code", "release"),
    [
        (synthesis, "synthesis_needs_review", "needs_review"),
        (both(synthesis, cite("e1", citation={"page": 2})), "depends_on_blocked", "block"),
        (both(synthesis, cite("e2", document_fingerprint=STALE)), "depends_on_blocked", "block"),
        (both(synthesis, put("claims", 0, "type", to="unsupported")), "depends_on_blocked",
         "block"),
    ],
)  # fmt: skip
def test_a_synthesis_falls_with_a_premise(
    desk: Desk, change: Change, code: str, release: str
) -> None:
    decision = desk.decide(change)
    assert claim_of(decision, "together")["decision"] == release
    assert code in codes(decision, "together")
    assert decision["action"] == "partial"


@pytest.mark.parametrize(("ref", "claim"), [("e2", "sales-2024"), ("e3", "sales-2023")])
def test_a_calculation_falls_with_its_inputs(desk: Desk, ref: str, claim: str) -> None:
    decision = desk.decide(cite(ref, citation={"page": 2}))
    assert claim_of(decision, claim)["decision"] == "block"
    assert claim_of(decision, "growth")["decision"] == "block"
    assert "calculation_input_not_grounded" in codes(decision, "growth")
    assert "depends_on_blocked" in codes(decision, "growth")


def test_an_input_in_another_document_is_told(desk: Desk) -> None:
    decision = desk.decide(cite("e4", document="annual-report"))
    assert "inputs_in_other_documents" in codes(decision, "growth")
    assert claim_of(decision, "growth")["decision"] == "block"


SLOW = POLICIES["strict"].model_copy(
    update={"limits": POLICIES["strict"].limits.model_copy(update={"check_ms": 80})}
)
HASTY = POLICIES["strict"].model_copy(
    update={"limits": POLICIES["strict"].limits.model_copy(update={"decision_ms": 80})}
)


def asleep(planned: Planned) -> bytes:
    time.sleep(0.5)
    return b""


def raising(error: BaseException) -> Callable[[Planned], bytes]:
    def check(planned: Planned) -> bytes:
        raise error

    return check


@pytest.mark.parametrize(
    ("policy", "check", "fault"),
    [
        (SLOW, asleep, "verifier_timeout"),
        (HASTY, asleep, "decision_timeout"),
        ("strict", lambda planned: b"", "malformed_report"),
        ("strict", lambda planned: b"{}", "malformed_report"),
        ("strict", lambda planned: b"[1, 2", "malformed_report"),
        ("strict", lambda planned: b"\xff\xfe", "malformed_report"),
        ("strict", raising(ValueError("secret")), "verifier_error"),
        ("strict", raising(RecursionError()), "verifier_error"),
        ("strict", raising(MemoryError()), "store_unavailable"),
        ("strict", raising(OSError(28, "No space left on device")), "store_unavailable"),
    ],
)
@pytest.mark.parametrize("on_fault", ["abstain", "review", "cached"])
def test_a_fault_releases_nothing_and_says_nothing_of_the_answer(
    desk: Desk, policy: Any, check: Any, fault: str, on_fault: str
) -> None:
    rules = POLICIES[policy] if isinstance(policy, str) else policy
    decision = desk.decide(policy=rules.model_copy(update={"on_fault": on_fault}), check=check)
    assert decision["action"] == ("abstain" if on_fault == "abstain" else "review")
    assert decision["reasons"] == ["infrastructure_fault"]
    assert {one["fault"] for one in decision["faults"]} == {fault}
    assert not any("secret" in one["message"] for one in decision["faults"])
    assert "could not be checked" in decision["released"]["text"]
    for claim in decision["claims"]:
        assert claim["decision"] == "block"
        assert "evidence_not_grounded" not in codes(decision, claim["id"])
    assert event_of(desk.kept[0])["faults"] == [one["fault"] for one in decision["faults"]]


@pytest.mark.parametrize(
    "change",
    [
        cite("e1", document="annual-report", kind="table_cell", text="412,600",
             citation={"page": 1}),
        cite("e1", kind="other"),
        cite("e1", kind="presence", text=None, citation={}),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_like_that_is_blocked(desk: Desk, change: Change) -> None:
    decision = desk.decide(change)
    assert claim_of(decision, "cargo")["decision"] == "block"
    assert claim_of(decision, "cargo")["evidence"][0]["status"] in (
        "error", "not_found", "unsupported_claim_kind", "capability_blocked",
    )  # fmt: skip


class TestSourcesThatMayNotBeUsed:
    """The map of a store of its own is edited."""

    @pytest.fixture
    def own(self, tmp_path: Path) -> Desk:
        return Desk(library(tmp_path))

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"permissions": ["board"]}, "source_not_permitted"),
            ({"tenant": "acme"}, "document_not_found"),
            ({"status": "draft"}, "source_not_approved"),
            ({"status": "withdrawn"}, "source_not_approved"),
            ({"expires": "2025-06-29"}, "source_expired"),
            ({"effective": "2025-07-01"}, "source_expired"),
        ],
    )
    def test_each_is_told_and_blocks(self, own: Desk, changes: Any, reason: str) -> None:
        with StoreWriter(own.path) as writer:
            set_source(writer, "annual-report", **changes)
        decision = own.decide()
        assert reason in codes(decision, "cargo")
        assert decision["reasons"][0] == reason  # access is told first
        assert decision["action"] == "partial"
        assert "text" not in claim_of(decision, "cargo")["evidence"][0]
        assert decision["source_map"]["version"] == (0 if "tenant" in changes else 1)

    def test_who_may_use_it_gets_it_released(self, own: Desk) -> None:
        with StoreWriter(own.path) as writer:
            set_source(writer, "annual-report", permissions=["board"], tenant="acme")
        access = Access("acme", frozenset(("board",)))
        assert own.decide(access=access)["action"] == "release"

    def test_a_source_with_days_needs_the_day_that_is_meant(self, own: Desk) -> None:
        with StoreWriter(own.path) as writer:
            set_source(writer, "annual-report", expires="2025-12-31")
        assert codes(own.decide(as_of=None), "cargo") == ["date_not_given"]
        assert own.decide(as_of="2025-12-31")["action"] == "release"

    def test_a_kept_report_does_not_outlive_the_sources_approval(self, own: Desk) -> None:
        from verifier.gate import ReportCache

        cache = ReportCache()
        assert own.decide(cache=cache)["action"] == "release"
        assert own.decide(cache=cache)["action"] == "release"
        assert cache.hits == len(NAMES)
        with StoreWriter(own.path) as writer:
            set_source(writer, "annual-report", status="withdrawn")
        assert "source_not_approved" in codes(own.decide(cache=cache), "cargo")


@pytest.mark.parametrize(
    "text",
    [
        "Net sales were >$184,320 thousand in 2024.",
        "Net sales were ~$184,320 thousand in 2024 [1].",
        "Net sales were <s>$184,320</s> thousand in 2024.",
        "Net sales were -$184,320 thousand in 2024.",
        "Net sales were $(184,320) thousand in 2024.",
        "Net sales were $184[320] thousand in 2024.",
        "Net sales were $184,320 thousand in 2024 × 2.",
        "Net sales were $184,320 million in 2024.",
        "Net sales were €184,320 thousand in 2024.",
        "In 2024 net sales were $184,320 thousand.",
        "Net sales were hardly $184,320 thousand in 2024.",
        "Nеt sales were $184,320 thousand in 2024.",
    ],
)
def test_signs_and_letters_that_look_alike_are_no_punctuation(text: str) -> None:
    claims = {"c": "Net sales were $184,320 thousand in 2024."}
    assert not accounted(text, claims)[0].covered


@pytest.mark.parametrize(
    "text",
    [
        "Net sales were $184.32 million in 2024 [1].",
        "“Net sales” were $184,320,000 in 2024 [1, 2][^3] 【4:0†report.pdf】.",
        "NET SALES WERE $184,320 THOUSAND IN 2024",
        "- **Net sales** were $184,320 thousand in 2024.",
    ],
)
def test_typography_marks_and_the_form_of_numbers_are_no_difference(text: str) -> None:
    claims = {"c": "Net sales were $184,320 thousand in 2024."}
    assert all(sentence.covered for sentence in accounted(text, claims))


def test_text_that_shows_in_another_order_is_refused(desk: Desk) -> None:
    turned = said(0, "412,600", "\u202e006,214\u202c")
    with pytest.raises(AnswerInvalidError, match="another order"):
        desk.decide(turned)
    decision = desk.decide(put("claims", 0, "text", to="\u202e006,214\u202c tonnes."))
    assert decision["action"] == "regenerate"
    assert decision["reasons"] == ["claim_malformed"]


@pytest.mark.parametrize("policy", ["strict", "review"])
def test_a_place_alone_bears_nothing_out(desk: Desk, policy: str) -> None:
    """That there is a page is no evidence for what is said of it."""
    there = {"document": "annual-report", "document_fingerprint": desk.pins["annual-report"],
             "kind": "presence", "citation": {"page": 1}}  # fmt: skip

    def change(made: Any) -> None:
        made["evidence"]["e1"] = there
        made["claims"][0]["text"] = "The harbour did well."

    decision = desk.decide(change, policy=policy)
    assert claim_of(decision, "cargo")["evidence"][0]["status"] == "grounded"
    assert claim_of(decision, "cargo")["decision"] == "block"
    reason = "tier_not_allowed" if policy == "strict" else "evidence_says_nothing"
    assert codes(decision, "cargo") == [reason]


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "quote", "text": "The hall is to be painted in May", "citation": {"page": 2}},
        {"kind": "value", "value": "412 euro", "citation": {"page": 2}},
        {"kind": "region", "text": "The hall is to be painted",
         "citation": {"page": 2, "bbox": [5000, 5000, 50000, 50000]}},
    ],
)  # fmt: skip
def test_a_source_that_cannot_tell_is_told_from_one_that_says_no(
    tmp_path: Path, claim: dict[str, Any]
) -> None:
    """The second page of the letter is a picture without text: nothing is proven or refuted."""
    path = library(tmp_path)
    scan = read((SAMPLES / "scanned-letter.pdf").read_bytes())
    with StoreWriter(path) as writer:
        writer.add_document(scan, "/in/scanned-letter.pdf", "scanned-letter.pdf", "scanned-letter")
    desk = Desk(path)
    pin = scan.document_fingerprint

    def change(made: Any) -> None:
        made["evidence"]["e1"] = {
            "document": "scanned-letter", "document_fingerprint": pin, **claim,
        }  # fmt: skip

    decision = desk.decide(change)
    assert codes(decision, "cargo") == ["evidence_cannot_tell", "page_without_text"]
    assert claim_of(decision, "cargo")["evidence"][0]["status"] == "capability_blocked"
    assert claim_of(decision, "cargo")["decision"] == "block"
    assert decision["action"] == "partial"
    assert any("held back" in limit for limit in decision["released"]["limits"])
    assert event_of(desk.kept[0])["action"] == "partial"
