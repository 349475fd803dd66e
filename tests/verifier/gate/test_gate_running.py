"""How the gate runs: its cache, breaker, threads and record, and reports that come along."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import threading
import time
from pathlib import Path
from typing import Any, get_args

import pytest
from gating import DAY, Desk, answer, labels, library
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grounding.errors import AnswerInvalidError, LabelsInvalidError, PolicyInvalidError
from grounding.store import SHARED, StoreWriter
from verifier.gate import POLICIES, Breaker, Gate, ReportCache, decision_bytes, parse_labels
from verifier.gate.checking import StoreCheck
from verifier.gate.codes import FAULT_TEXT, REASON_TEXT, STRICTNESS, FaultClass, GateReason
from verifier.gate.plan import Planned
from verifier.gate.policy import load_policy, policy_of
from verifier.gate.running import Workers
from verifier.verify import report_bytes

ORDER = ("release", "partial", "review", "regenerate", "abstain")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("gate"))


@pytest.fixture
def desk(path: Path) -> Desk:
    return Desk(path)


@pytest.fixture
def own(tmp_path: Path) -> Desk:
    return Desk(library(tmp_path))


def test_every_code_has_a_sentence() -> None:
    assert set(REASON_TEXT) == set(get_args(GateReason))
    assert set(FAULT_TEXT) == set(get_args(FaultClass))


class TestCache:
    def test_a_hit_is_the_bytes_of_the_miss(self, desk: Desk) -> None:
        cache = ReportCache()
        first, second = desk.decide(cache=cache), desk.decide(cache=cache)
        assert (cache.misses, cache.hits) == (3, 3)
        assert decision_bytes(first) == decision_bytes(second)
        assert decision_bytes(first) == decision_bytes(desk.decide(cache=ReportCache(entries=0)))

    def test_what_is_not_grounded_is_not_kept(self, desk: Desk) -> None:
        cache = ReportCache()
        desk.decide(lambda made: made["evidence"]["e1"].update(text="No such words"), cache=cache)
        assert len(cache) == 2

    def test_it_is_bounded(self) -> None:
        cache = ReportCache(entries=2, size=100)
        for at in range(5):
            cache.put((str(at),), bytes(10))
        assert len(cache) == 2
        assert cache.get(("4",)) is not None
        cache.put(("big",), bytes(1000))
        assert len(cache) == 0

    def test_two_that_race_for_one_entry_get_the_same(self, path: Path) -> None:
        """The first that is put in stays, whoever else was on the way."""
        cache, gate = ReportCache(), threading.Barrier(8)
        found: list[bytes] = []

        def run() -> None:
            gate.wait()
            found.append(decision_bytes(Desk(path).decide(cache=cache)))

        threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(found) == 8
        assert len(set(found)) == 1
        assert len(cache) == 3

    def test_one_gate_serves_several_threads(self, path: Path) -> None:
        made = json.dumps(answer(Desk(path).pins))
        told = json.dumps(labels(json.loads(made)))
        with Gate(path) as one:
            found: list[bytes] = []
            threads = [
                threading.Thread(
                    target=lambda: found.append(decision_bytes(one.decide(made, told, as_of=DAY)))
                )
                for _ in range(6)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
        assert len(found) == 6
        assert len(set(found)) == 1


class TestBreaker:
    def test_it_opens_and_tries_again(self) -> None:
        now = [0.0]
        breaker = Breaker(2, 30, lambda: now[0])
        for _ in range(2):
            assert breaker.allows()
            breaker.failed()
        assert not breaker.allows()
        now[0] = 31
        assert breaker.allows()  # one attempt
        assert not breaker.allows()
        breaker.failed()
        assert not breaker.allows()
        now[0] = 62
        assert breaker.allows()
        breaker.succeeded()
        assert breaker.allows()

    @pytest.mark.parametrize("on_fault", ["abstain", "review", "cached"])
    def test_an_open_circuit_never_lets_anything_by(self, desk: Desk, on_fault: str) -> None:
        policy = POLICIES["strict"].model_copy(update={"on_fault": on_fault})
        made, told = answer(desk.pins), labels(answer(desk.pins))
        with Gate(desk.path, policy, breaker=Breaker(1, 3600)) as gate:
            assert gate.decide(json.dumps(made), json.dumps(told), as_of=DAY)["action"] == "release"
            gate._breaker.failed()
            decision = gate.decide(json.dumps(made), json.dumps(told), as_of=DAY)
        assert [fault["fault"] for fault in decision["faults"]] == ["circuit_open"]
        assert decision["action"] == ("abstain" if on_fault == "abstain" else "review")
        shown = [claim["decision"] for claim in decision["claims"]]
        assert shown == (["show_final"] if on_fault == "cached" else ["block"]) * 5
        assert decision["released"]["kind"] == "notice"

    def test_faults_open_it_and_refusals_of_answers_do_not(self, desk: Desk) -> None:
        breaker = Breaker(1, 3600)
        desk.decide(lambda made: made["evidence"]["e1"].update(document="nowhere"), breaker=breaker)
        assert breaker.allows()
        desk.decide(check=lambda planned: b"", breaker=breaker)
        assert not breaker.allows()


class TestWorkers:
    def test_they_run_at_once_and_under_a_cap(self) -> None:
        running, most, lock = [0], [0], threading.Lock()

        def job() -> int:
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            time.sleep(0.05)
            with lock:
                running[0] -= 1
            return 1

        workers = Workers(3)
        ended = workers.run([job] * 9, 10, 10)
        workers.close()
        assert [one.value for one in ended] == [1] * 9
        assert most[0] == 3

    def test_a_lost_thread_is_replaced(self) -> None:
        """The next check does not wait for one whose time is over."""
        workers, release = Workers(1), threading.Event()
        (late,) = workers.run([lambda: release.wait(30)], 0.05, 10)
        assert late.late == "check"
        (fine,) = workers.run([lambda: 7], 10, 10)
        release.set()
        workers.close()
        assert fine.value == 7

    def test_what_never_began_is_late_for_the_decision(self) -> None:
        workers, release = Workers(1), threading.Event()
        ended = workers.run([lambda: release.wait(30), lambda: True], 10, 0.1)
        release.set()
        workers.close()
        assert [one.late for one in ended] == ["decision", "decision"]


class TestStore:
    def test_a_store_that_is_gone_is_a_fault(self, own: Desk) -> None:
        made, told = json.dumps(answer(own.pins)), json.dumps(labels(answer(own.pins)))
        with Gate(own.path) as gate:
            assert gate.decide(made, told, as_of=DAY)["action"] == "release"
            for file in own.path.parent.glob("grounding.db*"):
                file.unlink()
            decision = gate.decide(made, told, as_of=DAY)
        assert {fault["fault"] for fault in decision["faults"]} == {"store_unavailable"}
        assert decision["action"] == "abstain"

    def test_a_store_that_was_damaged_is_a_fault(self, own: Desk, tmp_path: Path) -> None:
        broken = tmp_path / "broken.db"
        shutil.copyfile(own.path, broken)
        with broken.open("r+b") as file:
            file.seek(100)
            file.write(os.urandom(4000))
        made, told = json.dumps(answer(own.pins)), json.dumps(labels(answer(own.pins)))
        with Gate(broken) as gate:
            decision = gate.decide(made, told, as_of=DAY)
        assert decision["action"] == "abstain"
        assert {fault["fault"] for fault in decision["faults"]} <= {
            "store_unavailable", "verifier_error",
        }  # fmt: skip

    def test_another_store_at_the_same_place_is_another_store(self, own: Desk) -> None:
        """What a thread has open is not what is there now."""
        made, told = json.dumps(answer(own.pins)), json.dumps(labels(answer(own.pins)))
        with Gate(own.path) as gate:
            assert gate.decide(made, told, as_of=DAY)["action"] == "release"
            for file in own.path.parent.glob("grounding.db*"):
                file.unlink()
            with StoreWriter(own.path):
                pass
            decision = gate.decide(made, told, as_of=DAY)
        assert decision["faults"] == []
        assert decision["action"] == "abstain"
        assert "document_not_found" in decision["reasons"]


class TestRecord:
    def test_what_cannot_be_kept_is_not_released(self, desk: Desk) -> None:
        def full(decision: Any, envelope: Any) -> None:
            raise OSError(28, "No space left on device")

        decision = desk.decide(record=full)
        assert [fault["fault"] for fault in decision["faults"]] == ["audit_unavailable"]
        assert decision["action"] == "abstain"

    def test_times_are_beside_the_decision(self, desk: Desk) -> None:
        kept: list[Any] = []
        decision = desk.decide(record=lambda one, envelope: kept.append((one, envelope)))
        ((one, envelope),) = kept
        assert one == decision
        assert envelope["timings_ms"]["total"] >= 0
        assert b"timings" not in decision_bytes(decision)

    def test_it_is_a_coroutine_too(self, path: Path, desk: Desk) -> None:
        made, told = json.dumps(answer(desk.pins)), json.dumps(labels(answer(desk.pins)))
        with Gate(path) as gate:
            decision = asyncio.run(gate.decide_async(made, told, as_of=DAY))
        assert decision == desk.decide()


class TestReportsThatComeAlong:
    @staticmethod
    def _report(desk: Desk) -> bytes:
        """What the verifier says of the document whose cargo the answer cites."""
        made: list[bytes] = []
        check = StoreCheck(desk.path, SHARED, POLICIES["strict"].config)

        def keep(planned: Planned) -> bytes:
            made.append(check(planned))
            return made[-1]

        desk.decide(check=keep)
        return next(report for report in made if b"412,600" in report)

    def test_one_that_says_what_the_store_says_is_no_hindrance(self, desk: Desk) -> None:
        report = self._report(desk)
        digest = hashlib.sha256(report).hexdigest()
        assert desk.decide(report=report, report_sha256=digest)["action"] == "release"

        def signed(made: Any) -> None:
            made["report_sha256"] = digest

        assert desk.decide(signed, report=report)["action"] == "release"

    def test_one_that_was_changed_after_it_was_signed_is_told(self, desk: Desk) -> None:
        report = self._report(desk)
        digest = hashlib.sha256(report).hexdigest()
        for changed in (report.replace(b"412,600", b"412,601"), report + b" ", b""):
            decision = desk.decide(report=changed, report_sha256=digest)
            assert [fault["fault"] for fault in decision["faults"]] == ["report_tampered"]
            assert decision["action"] == "abstain"

    def test_one_that_nobody_signed_is_not_believed(self, desk: Desk) -> None:
        decision = desk.decide(report=self._report(desk))
        assert [fault["fault"] for fault in decision["faults"]] == ["report_tampered"]

    def test_a_signed_one_that_the_store_contradicts_is_told(self, desk: Desk) -> None:
        """Whoever signed it, the store says something else."""
        value = json.loads(self._report(desk))
        for check in value["checks"]:
            check["status"] = "mismatch" if check["status"] == "grounded" else "grounded"
        value["all_evidence_grounded"] = False
        forged = report_bytes(value)
        digest = hashlib.sha256(forged).hexdigest()
        decision = desk.decide(report=forged, report_sha256=digest)
        assert [fault["fault"] for fault in decision["faults"]] == ["report_tampered"]

    @pytest.mark.parametrize("key", ["hint", "confidence"])
    def test_an_unknown_key_may_say_what_must_not_be_missed(self, desk: Desk, key: str) -> None:
        value = {**json.loads(self._report(desk)), key: "low"}
        data = json.dumps(value).encode()
        digest = hashlib.sha256(data).hexdigest()
        decision = desk.decide(report=data, report_sha256=digest)
        assert [fault["fault"] for fault in decision["faults"]] == ["malformed_report"]

    @pytest.mark.parametrize(
        "change",
        [
            {"request_sha256": "0" * 64}, {"verification_config_sha256": "0" * 64},
            {"checks": []}, {"all_evidence_grounded": "yes"}, {"schema_version": 2},
        ],
    )  # fmt: skip
    def test_a_verifier_that_answers_something_else_is_a_fault(
        self, desk: Desk, change: dict[str, Any]
    ) -> None:
        check = StoreCheck(desk.path, SHARED, POLICIES["strict"].config)

        def other(planned: Planned) -> bytes:
            return json.dumps({**json.loads(check(planned)), **change}).encode()

        decision = desk.decide(check=other)
        assert {fault["fault"] for fault in decision["faults"]} == {"malformed_report"}
        assert decision["action"] == "abstain"


class TestInput:
    @pytest.mark.parametrize(
        "data",
        [b"", b"5", b"[]", b"{}", b'{"answer_id": "a", "answer_text": "b"}', b'{"claims": []}',
         b'{"answer_id": "a", "answer_text": "b", "claims": [], "grade": 1}',
         b'{"answer_id": "a", "answer_text": "b", "claims": {}}',
         b'{"answer_id": "", "answer_text": "b", "claims": []}',
         b'{"answer_id": "a", "answer_id": "b", "answer_text": "b", "claims": []}'],
    )  # fmt: skip
    def test_what_is_no_answer_is_refused(self, desk: Desk, data: bytes) -> None:
        with Gate(desk.path) as gate, pytest.raises(AnswerInvalidError):
            gate.decide(data)

    @pytest.mark.parametrize(
        "data",
        [b"", b"[]", b"{}", b'{"claims": {"a": {"claim_support": "maybe"}}}',
         b'{"claims": {"a": {"confidence": 1}}}', b'{"claims": [], "by": "x"}'],
    )  # fmt: skip
    def test_labels_of_another_shape_are_refused(self, data: bytes) -> None:
        with pytest.raises(LabelsInvalidError):
            parse_labels(data)

    @pytest.mark.parametrize(
        "value",
        [{}, {"policy_version": "2"}, {"policy_version": 1},
         {"policy_version": "1", "lenient": True}, {"policy_version": "1", "figures": "ignore"},
         {"policy_version": "1", "on_fault": "release"},
         {"policy_version": "1", "limits": {"check_ms": 0}}, [], 5],
    )  # fmt: skip
    def test_policies_of_the_future_and_of_other_shapes_are_refused(self, value: Any) -> None:
        with pytest.raises(PolicyInvalidError):
            policy_of(value)

    def test_toml_and_json_are_one_policy(self, tmp_path: Path) -> None:
        toml, other = tmp_path / "p.toml", tmp_path / "p.json"
        toml.write_text(
            'policy_version = "1"\nfigures = "needs_review"\n[prose]\nuncovered = "allow"\n'
        )
        other.write_text(
            '{"policy_version": "1", "figures": "needs_review", "prose": {"uncovered": "allow"}}'
        )
        assert load_policy(str(toml)).sha256 == load_policy(str(other)).sha256
        with pytest.raises(PolicyInvalidError):
            load_policy("nosuchpolicy")

    def test_policies_have_hashes_of_their_own(self) -> None:
        assert POLICIES["strict"].sha256 != POLICIES["review"].sha256
        changed = POLICIES["strict"].model_copy(update={"figures": "needs_review"})
        assert changed.sha256 != POLICIES["strict"].sha256


SUPPORT = st.sampled_from(["supported", "unsupported", "contradicted", "not_evaluated"])
RELEVANCE = st.sampled_from(
    ["direct_answer", "supports_answer", "background_only", "unrelated", "not_evaluated"]
)
BREAKS = st.sampled_from(
    [
        ("e1", {"text": "No such words at all"}), ("e2", {"value": "$1 thousand"}),
        ("e3", {"citation": {"page": 2}}), ("e4", {"value": "$1 thousand"}),
        ("e5", {"document": "nowhere"}), ("e1", {"document_fingerprint": "sha256:" + "1" * 64}),
    ]
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(
        st.sampled_from(["cargo", "sales-2024", "sales-2023", "growth", "fee"]),
        st.fixed_dictionaries({"claim_support": SUPPORT, "question_relevance": RELEVANCE}),
    ),
    st.lists(BREAKS, max_size=2),
    BREAKS,
    st.sampled_from(["strict", "review"]),
)
def test_one_more_thing_that_does_not_hold_never_shows_more(
    path: Path, told: Any, broken: Any, one_more: Any, policy: str
) -> None:
    """Of every claim and of the answer: breaking evidence makes nothing more permissive, and
    without everything proven and evaluated there is no release."""
    desk = Desk(path)
    whole = labels(answer(desk.pins), **told)

    def breaking(breaks: Any) -> Any:
        def change(made: Any) -> None:
            for ref, changes in breaks:
                made["evidence"][ref].update(changes)

        return change

    before = desk.decide(breaking(broken), policy=policy, said=whole)
    after = desk.decide(breaking([*broken, one_more]), policy=policy, said=whole)
    for one, other in zip(before["claims"], after["claims"], strict=True):
        assert STRICTNESS[other["decision"]] >= STRICTNESS[one["decision"]]
    assert ORDER.index(after["action"]) >= min(ORDER.index(before["action"]), 1)
    assert after["action"] != "release"
    fine = all(
        one["claim_support"] == "supported"
        and one["question_relevance"] in ("direct_answer", "supports_answer")
        for one in whole["claims"].values()
    )
    assert (before["action"] == "release") == (fine and not broken)
    shown = [c["text"] for c in after["claims"] if c["decision"] == "show_final"]
    for claim in after["claims"]:
        if after["action"] == "partial" and claim["decision"] != "show_final":
            shown_text = after["released"]["text"].casefold()
            assert claim["text"].rstrip(".").casefold() not in shown_text
    assert shown or after["action"] != "partial"
