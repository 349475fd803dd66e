"""The release gate as a function, with its decisions kept in a store's audit log."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grounding.store import SHARED, Access

if TYPE_CHECKING:
    from verifier.gate import Decision, Policy
    from verifier.gate.engine import Recorder

__all__ = ["audit_recorder", "gate", "gate_async"]


def audit_recorder(db: Path, *, actor: str = "", tenant: str = "", text: bool = False) -> Recorder:
    """Keeps decisions in the audit log of a store. Actor, tenant and ids are kept beside the
    events; the answer's words are, where `text` says so (a policy's `audit_text`)."""

    def record(decision: Decision, envelope: dict[str, Any]) -> None:
        from grounding.errors import AuditUnavailableError, PagewitnessError
        from grounding.store import StoreWriter
        from verifier.gate.event import record_decision

        try:
            with StoreWriter(db) as writer:
                record_decision(writer, decision, envelope, actor=actor, tenant=tenant, text=text)
        except AuditUnavailableError:
            raise
        except (PagewitnessError, OSError) as error:
            raise AuditUnavailableError(f"the decision is not recorded: {error}") from error

    return record


def gate(
    answer: bytes | str,
    *,
    db: str | Path = "grounding.db",
    policy: Policy | str = "strict",
    labels: bytes | str | None = None,
    access: Access = SHARED,
    as_of: str | None = None,
    report: bytes | None = None,
    report_sha256: str | None = None,
    audit_db: str | Path | None = None,
    actor: str = "",
    question: str | None = None,
) -> Decision:
    """The decision on one answer, kept in the audit log of `audit_db` (else of `db`). For many
    answers make one `verifier.gate.Gate`, whose readers and reports stay in memory.

    Raises AnswerInvalidError, LabelsInvalidError and PolicyInvalidError.
    """
    from verifier.gate import Gate, load_policy, parse_answer

    rules = load_policy(policy) if isinstance(policy, str) else policy
    parsed = parse_answer(answer)
    if question is not None and parsed.question is None:
        parsed = replace(parsed, question=question)
    record = audit_recorder(
        Path(audit_db or db), actor=actor, tenant=access.tenant, text=rules.audit_text
    )
    with Gate(Path(db), rules, access=access, record=record) as one:
        return one.decide(parsed, labels, as_of=as_of, report=report, report_sha256=report_sha256)


async def gate_async(answer: bytes | str, **options: Any) -> Decision:
    """As `gate`, without holding up the event loop."""
    return await asyncio.to_thread(gate, answer, **options)
