"""From an answer's evidence to requests of verification, one for each document, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from grounding.canonical import canonical_bytes
from verifier.gate.answer import Answer
from verifier.report import Check, Report


@dataclass(frozen=True, slots=True)
class Planned:
    """One request: everything that the answer cites of one version of one document. `refs` are the
    keys of the evidence in the order of its claims; `data` is the request as canonical JSON, and
    `sha256` its hash, as the report on it has it."""

    document: str
    refs: tuple[str, ...]
    data: bytes
    sha256: str


def plan(answer: Answer, as_of: str | None) -> list[Planned]:
    """The requests, in the order in which documents are first cited. Evidence that no claim refers
    to, and that no calculation takes in, is not checked."""
    wanted = _wanted(answer)
    groups: dict[tuple[str, str | None], list[str]] = {}
    for ref in wanted:
        item = answer.evidence[ref]
        groups.setdefault((item.document, item.document_fingerprint), []).append(ref)
    apart = scattered(answer)
    made = []
    for (document, pin), refs in groups.items():
        data = canonical_bytes(_request(document, pin, refs, answer, as_of, apart))
        made.append(Planned(document, tuple(refs), data, sha256(data).hexdigest()))
    return made


def _wanted(answer: Answer) -> list[str]:
    """Keys of all evidence that claims stand on, inputs of calculations included, in the order in
    which they are met."""
    wanted: dict[str, None] = {}
    ahead = [ref for claim in reversed(answer.claims) for ref in reversed(claim.evidence_refs)]
    while ahead:
        ref = ahead.pop()
        if ref in answer.evidence and ref not in wanted:
            wanted[ref] = None
            ahead += reversed(answer.evidence[ref].inputs or ())
    return list(wanted)


def scattered(answer: Answer) -> frozenset[str]:
    """Keys of calculations whose inputs are not all of their own document and version."""
    found = []
    for ref in _wanted(answer):
        item = answer.evidence[ref]
        inputs = [answer.evidence[one] for one in item.inputs or () if one in answer.evidence]
        if any(
            (one.document, one.document_fingerprint) != (item.document, item.document_fingerprint)
            for one in inputs
        ):
            found.append(ref)
    return frozenset(found)


def _request(
    document: str,
    pin: str | None,
    refs: list[str],
    answer: Answer,
    as_of: str | None,
    apart: frozenset[str],
) -> dict[str, Any]:
    claims = []
    for ref in refs:
        echo = {
            key: value
            for key, value in answer.echoes[ref].items()
            if key not in ("document", "document_fingerprint")
        }
        if ref in apart:
            echo = {"kind": "other", "text": echo.get("text") or ref}
        claims.append({"id": ref, **echo})
    request: dict[str, Any] = {"document": document, "claims": claims}
    if pin is not None:
        request["document_fingerprint"] = pin
    if as_of is not None:
        request["as_of"] = as_of
    return request


@dataclass(frozen=True, slots=True)
class Proven:
    """What a report says of one evidence."""

    check: Check
    report: Report


def proven(planned: Planned, report: Report) -> Mapping[str, Proven]:
    """The checks of a report by the keys of the evidence."""
    pairs = zip(planned.refs, report["checks"], strict=True)
    return {ref: Proven(check, report) for ref, check in pairs}
