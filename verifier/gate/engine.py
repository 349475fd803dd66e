"""The gate: from an answer to a recorded decision.

Access, fingerprints, locators, evidence and calculations are the verifier's; the rest is decided in
verifier.gate.decide. Here it is run, and whatever goes wrong on the way becomes a fault of its own
class, with which nothing is released.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from grounding.canonical import canonical_bytes
from grounding.errors import (
    InputError,
    OutputError,
    PagewitnessError,
    RequestInvalidError,
    StoreError,
)
from grounding.json_input import load_json
from grounding.store import SHARED, Access
from verifier.claims import parse_requests
from verifier.gate.answer import Answer, ContractFault, parse_answer
from verifier.gate.breaker import Breaker
from verifier.gate.cache import ReportCache
from verifier.gate.checking import Check, MalformedReportError, StoreCheck, report_on
from verifier.gate.codes import FAULT_TEXT, FaultClass
from verifier.gate.decide import Basis, decide
from verifier.gate.decision import Decision, Fault
from verifier.gate.labels import Labels, parse_labels
from verifier.gate.plan import Planned, Proven, plan, proven, scattered
from verifier.gate.policy import POLICIES, Policy
from verifier.gate.running import Ended, Workers
from verifier.report import Report
from verifier.stored import reports_in

Envelope = dict[str, Any]
"""What surrounds a decision and is no part of it: `timings_ms`, in whole milliseconds."""
Recorder = Callable[[Decision, Envelope], None]
"""Keeps a decision; raises when it cannot. A decision that is not kept is not carried out."""

_PROVEN_KEPT = 256

_INFRASTRUCTURE: Mapping[str, FaultClass] = {
    "internal_error": "verifier_error",
    "timed_out": "verifier_timeout",
}
"""Reasons of checks that say something of the verifier and nothing of the claim."""


@dataclass(frozen=True, slots=True)
class _Checked:
    """What came of the requests of an answer."""

    proofs: dict[str, Proven]
    hashes: list[str]
    faults: list[Fault]
    reports: list[Report]


class Gate:
    """Decides about answers over one store for one caller; may be used from several threads.

    `check` stands in for the store's own verifier, `record` keeps decisions. Close it, or use it as
    a context manager.
    """

    def __init__(
        self,
        db: Path,
        policy: Policy | None = None,
        *,
        access: Access = SHARED,
        record: Recorder | None = None,
        check: Check | None = None,
        cache: ReportCache | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        self.policy = policy or POLICIES["strict"]
        self._record = record
        kept = cache if cache is not None else ReportCache()
        self._check = check or StoreCheck(db, access, self.policy.config, kept)
        self._breaker = breaker or Breaker()
        self._workers = Workers(self.policy.limits.concurrency)
        self._proven: dict[str, Report] = {}
        """What was proven last of a request, for review while the circuit is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        self._workers.close()

    def decide(
        self,
        answer: bytes | str | Answer,
        labels: bytes | str | Labels | None = None,
        *,
        as_of: str | None = None,
        report: bytes | None = None,
        report_sha256: str | None = None,
    ) -> Decision:
        """The decision on an answer, recorded. `as_of` is the day of the question. `report` is what
        the generator says was verified, `report_sha256` the hash that it was signed under (else the
        one that the answer names): both are held against what the store says now.

        Raises AnswerInvalidError and LabelsInvalidError for input about which nothing can be
        decided; everything else is a decision.
        """
        started = time.monotonic()
        given = answer if isinstance(answer, Answer) else parse_answer(answer)
        said = labels if isinstance(labels, Labels) else _labels(labels)
        said = said if said.answer_id in (None, given.answer_id) else Labels()
        planned, given = _planned(given, as_of)
        checked = self._checked(planned) if given.usable else _Checked({}, [], [], [])
        if report is not None and not checked.faults and given.usable:
            wanted = report_sha256 or given.report_sha256
            checked.faults.extend(_tampered(report, wanted, checked.reports))
        basis = Basis(
            given,
            said,
            self.policy,
            planned,
            checked.proofs,
            checked.hashes,
            checked.faults,
            as_of,
            scattered(given),
        )
        return self._recorded(basis, started)

    async def decide_async(self, *arguments: Any, **options: Any) -> Decision:
        """As `decide`, without holding up the event loop."""
        return await asyncio.to_thread(self.decide, *arguments, **options)

    def _recorded(self, basis: Basis, started: float) -> Decision:
        decision = decide(basis)
        if self._record is None:
            return decision
        envelope = {"timings_ms": {"total": round(1000 * (time.monotonic() - started))}}
        try:
            self._record(decision, envelope)
        except Exception as error:  # noqa: BLE001 whatever it is, the decision is not kept
            code = error.code if isinstance(error, PagewitnessError) else type(error).__name__
            fault = _fault("audit_unavailable", code)
            return decide(replace(basis, faults=[*basis.faults, fault]))
        return decision

    def _checked(self, planned: Sequence[Planned]) -> _Checked:
        if not self._breaker.allows():
            return self._while_open(planned)
        limits = self.policy.limits
        jobs = [lambda one=one: self._check(one) for one in planned]
        ended: list[Ended[bytes]] = self._workers.run(
            jobs, limits.check_ms / 1000, limits.decision_ms / 1000
        )
        checked = _Checked({}, [], [], [])
        for one, end in zip(planned, ended, strict=True):
            self._take(one, end, checked)
        if checked.faults:
            self._breaker.failed()
        else:
            self._breaker.succeeded()
        return checked

    def _take(self, planned: Planned, ended: Ended[bytes], checked: _Checked) -> None:
        """Takes one report in, or the fault in its place."""
        if ended.late is not None:
            late: FaultClass = "verifier_timeout" if ended.late == "check" else "decision_timeout"
            checked.faults.append(_fault(late, document=planned.document))
            return
        if ended.error is not None:
            checked.faults.append(_fault_of(ended.error, planned.document))
            return
        try:
            assert ended.value is not None
            report = report_on(ended.value, planned, self.policy.config)
        except MalformedReportError as error:
            checked.faults.append(_fault("malformed_report", error.message, planned.document))
            return
        for check in report["checks"]:
            fault = _INFRASTRUCTURE.get(check.get("reason", ""))
            if fault is not None:
                checked.faults.append(_fault(fault, check["claim"]["id"], planned.document))
        found = proven(planned, report)
        checked.proofs.update(found)
        checked.reports.append(report)
        checked.hashes.append(hashlib.sha256(ended.value).hexdigest())
        if self.policy.on_fault == "cached" and report["all_evidence_grounded"]:
            self._proven[planned.sha256] = report
            while len(self._proven) > _PROVEN_KEPT:
                self._proven.pop(next(iter(self._proven)), None)

    def _while_open(self, planned: Sequence[Planned]) -> _Checked:
        """Nothing is asked. With `cached` a reviewer gets what was proven before; it stays a fault,
        and nothing of it is released."""
        checked = _Checked({}, [], [_fault("circuit_open")], [])
        if self.policy.on_fault == "cached":
            for one in planned:
                known = self._proven.get(one.sha256)
                if known is not None:
                    checked.proofs.update(proven(one, known))
        return checked


def _labels(data: bytes | str | None) -> Labels:
    return Labels() if data is None else parse_labels(data)


def _planned(answer: Answer, as_of: str | None) -> tuple[list[Planned], Answer]:
    """The requests of an answer. What no request can be made of breaks the contract."""
    planned = plan(answer, as_of) if answer.usable else []
    faults = list(answer.faults)
    for one in planned:
        try:
            parse_requests(one.data)
        except InputError as error:
            faults.append(ContractFault("evidence_malformed", "", "evidence", error.message))
    if len(faults) == len(answer.faults):
        return planned, answer
    return [], replace(answer, faults=tuple(faults))


def _fault(kind: FaultClass, message: str = "", document: str = "") -> Fault:
    fault: Fault = {"fault": kind, "message": message or FAULT_TEXT[kind]}
    if document:
        fault["document"] = document
    return fault


def _fault_of(error: BaseException, document: str) -> Fault:
    """The class of what a check raised. Messages of unknown errors are left out: they may hold
    text of the document."""
    if isinstance(error, StoreError | OutputError):
        return _fault("store_unavailable", f"{error.code}", document)
    if isinstance(error, sqlite3.Error | OSError | MemoryError):
        return _fault("store_unavailable", type(error).__name__, document)
    if isinstance(error, MalformedReportError):
        return _fault("malformed_report", error.message, document)
    return _fault("verifier_error", type(error).__name__, document)


def _tampered(data: bytes, wanted: str | None, reports: Sequence[Report]) -> list[Fault]:
    """Faults of a report that came with an answer: other bytes than were signed, no report, or a
    check that says something else than the store does."""
    digest = hashlib.sha256(data).hexdigest()
    if wanted is None or not hmac.compare_digest(digest, wanted):
        why = "no hash was given for it" if wanted is None else "it is not the one that was signed"
        return [_fault("report_tampered", why)]
    try:
        given = reports_in(load_json(data))
    except RequestInvalidError as error:
        return [_fault("malformed_report", error.message)]
    now = {key: status for report in reports for key, status in _statuses(report)}
    for report in given:
        for key, status in _statuses(report):
            if now.get(key, status) != status:
                return [_fault("report_tampered", "the store says something else")]
    return []


def _statuses(report: Report) -> list[tuple[tuple[str, bytes], str]]:
    """The status of every check by the document's bytes and by what is claimed of them."""
    document = report.get("document_fingerprint", "")
    return [
        (
            (document, canonical_bytes({k: v for k, v in check["claim"].items() if k != "id"})),
            check["status"],
        )
        for check in report["checks"]
    ]
