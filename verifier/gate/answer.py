"""The generator's contract: a structured answer, its claims, and the evidence that they refer to.

What breaks the contract is told claim by claim, and none of it keeps the rest from being read: a
gate decides about bad answers too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictStr, ValidationError

from grounding.canonical import canonical_sha256
from grounding.errors import AnswerInvalidError, NotCanonicalError
from grounding.json_input import load_json
from verifier.claims import Claim, texts_for_fractions, without_nulls
from verifier.gate.codes import ClaimType, GateReason
from verifier.structured import ClosedModel, StructuredValue

ARTIFACT_TYPE: Literal["pagewitness.generated_answer.v1"] = "pagewitness.generated_answer.v1"
_TURNED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Characters that nobody sees, and that show the others in another order than they stand."""
MOST_CLAIMS = 1000
MOST_TEXT = 200_000

Id = Annotated[StrictStr, Field(min_length=1, max_length=200)]


class GeneratedClaim(ClosedModel):
    """One statement of the answer. `evidence_refs` are keys of the answer's `evidence`;
    `depends_on` are ids of claims on which it stands; `value` is what it states as a number, text
    or structured; `domain` picks rules of the policy."""

    id: Id
    type: ClaimType
    text: StrictStr = Field(min_length=1, max_length=10_000)
    evidence_refs: tuple[Id, ...] = Field(default=(), max_length=200)
    depends_on: tuple[Id, ...] = Field(default=(), max_length=200)
    value: StrictStr | StructuredValue | None = None
    domain: StrictStr | None = Field(default=None, min_length=1, max_length=200)


class Evidence(Claim):
    """A claim of a verification request together with its document: what is cited for a statement.
    Inputs of a calculation are keys of the answer's `evidence`."""

    document: StrictStr = Field(min_length=1)
    document_fingerprint: StrictStr | None = None


class GeneratedAnswer(ClosedModel):
    """The file as a whole, for its JSON Schema; it is read part by part."""

    artifact_type: Literal["pagewitness.generated_answer.v1"] = ARTIFACT_TYPE
    answer_id: Id
    answer_text: StrictStr = Field(max_length=MOST_TEXT)
    question: StrictStr | None = Field(default=None, min_length=1)
    claims: tuple[GeneratedClaim, ...] = Field(max_length=MOST_CLAIMS)
    evidence: dict[Id, Evidence] = Field(default_factory=dict)
    report_sha256: StrictStr | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")


@dataclass(frozen=True, slots=True)
class ContractFault:
    """What of an answer breaks the contract. `claim` is empty for a fault that is of no claim;
    `where` is the place in the file."""

    code: GateReason
    claim: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it was read. `echoes` are the evidence entries as they were submitted; `faults`
    are all that breaks the contract, in the order of the file."""

    answer_id: str
    text: str
    question: str | None
    claims: tuple[GeneratedClaim, ...]
    evidence: Mapping[str, Evidence]
    echoes: Mapping[str, dict[str, Any]]
    faults: tuple[ContractFault, ...]
    sha256: str
    report_sha256: str | None

    @property
    def usable(self) -> bool:
        return not self.faults


def parse_answer(data: bytes | str) -> Answer:
    """An answer from JSON. Raises AnswerInvalidError where nothing can be decided about: no JSON,
    no object, no `answer_id`, no `answer_text`, no list of claims, or unknown keys beside them."""
    value = without_nulls(load_json(data, refusal=AnswerInvalidError))
    frame = _frame(value)
    faults: list[ContractFault] = []
    evidence, echoes = _evidence(value.get("evidence", {}), faults)
    claims = _claims(value["claims"], faults)
    faults += _broken_references(claims, evidence, echoes)
    return Answer(
        frame.answer_id,
        frame.answer_text,
        frame.question,
        tuple(claims),
        evidence,
        echoes,
        tuple(faults),
        _hash(value),
        frame.report_sha256,
    )


def _hash(value: Any) -> str:
    try:
        return canonical_sha256(texts_for_fractions(value))
    except NotCanonicalError as error:
        raise AnswerInvalidError(f"the answer has no canonical form: {error}") from error


def _frame(value: Any) -> GeneratedAnswer:
    """The answer without its claims and its evidence."""
    if not isinstance(value, dict):
        raise AnswerInvalidError("an answer is a JSON object")
    for key, kind in (("claims", list), ("evidence", dict)):
        if key in value and not isinstance(value[key], kind):
            raise AnswerInvalidError(f"{key}: is no {'array' if kind is list else 'object'}")
    if "claims" not in value:
        raise AnswerInvalidError("claims: is missing")
    if len(value["claims"]) > MOST_CLAIMS:
        raise AnswerInvalidError(f"claims: more than {MOST_CLAIMS}")
    text = value.get("answer_text")
    if isinstance(text, str) and _TURNED.search(text):
        raise AnswerInvalidError("answer_text: has characters that show it in another order")
    frame = _shaped(GeneratedAnswer, {**value, "claims": [], "evidence": {}})
    if not isinstance(frame, GeneratedAnswer):
        raise AnswerInvalidError(str(frame))
    return frame


def _shaped(model: type[BaseModel], value: Any) -> Any:
    """The value as a model, or what is wrong with it."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{where}: {first['msg']}" if where else str(first["msg"])


def _evidence(
    given: dict[str, Any], faults: list[ContractFault]
) -> tuple[dict[str, Evidence], dict[str, dict[str, Any]]]:
    found: dict[str, Evidence] = {}
    echoes: dict[str, dict[str, Any]] = {}
    for key, item in given.items():
        made = _shaped(Evidence, item)
        if not isinstance(made, Evidence):
            faults.append(ContractFault("evidence_malformed", "", f"evidence.{key}", made))
        elif made.id is not None:
            why = "id: an entry is called by its key"
            faults.append(ContractFault("evidence_malformed", "", f"evidence.{key}", why))
        elif not 1 <= len(key) <= 200:
            why = "a key has 1 to 200 characters"
            faults.append(ContractFault("evidence_malformed", "", "evidence", why))
        else:
            found[key], echoes[key] = made, texts_for_fractions(item)
    return found, echoes


def _claims(given: list[Any], faults: list[ContractFault]) -> list[GeneratedClaim]:
    claims: list[GeneratedClaim] = []
    seen: set[str] = set()
    for at, item in enumerate(given):
        made = _shaped(GeneratedClaim, item)
        own_id = item.get("id") if isinstance(item, dict) else None
        name = own_id if isinstance(own_id, str) else ""
        if not isinstance(made, GeneratedClaim):
            faults.append(ContractFault("claim_malformed", name, f"claims.{at}", made))
            continue
        if _TURNED.search(made.text):
            why = "text: has characters that show it in another order"
            faults.append(ContractFault("claim_malformed", made.id, f"claims.{at}", why))
            continue
        if made.id in seen:
            why = f"id {made.id!r} is given twice"
            faults.append(ContractFault("claim_id_repeated", made.id, f"claims.{at}.id", why))
            continue
        seen.add(made.id)
        claims.append(made)
    return claims


def _broken_references(
    claims: Sequence[GeneratedClaim],
    evidence: Mapping[str, Evidence],
    echoes: Mapping[str, Any],
) -> Iterator[ContractFault]:
    ids = {claim.id for claim in claims}
    for at, claim in enumerate(claims):
        where = f"claims.{at}"
        if claim.type != "unsupported" and not claim.evidence_refs:
            why = f"a claim of type {claim.type} refers to evidence"
            yield ContractFault("evidence_missing", claim.id, f"{where}.evidence_refs", why)
        for ref in claim.evidence_refs:
            if ref not in evidence:
                why = f"there is no evidence {ref!r}"
                yield ContractFault("evidence_unknown", claim.id, f"{where}.evidence_refs", why)
        for other in claim.depends_on:
            if other not in ids:
                why = f"there is no claim {other!r}"
                yield ContractFault("dependency_unknown", claim.id, f"{where}.depends_on", why)
    for claim_id in _in_cycles(claims):
        why = "the claim depends on itself"
        yield ContractFault("dependency_cycle", claim_id, f"claims.{claim_id}.depends_on", why)
    for key, item in evidence.items():
        for ref in item.inputs or ():
            if ref not in evidence:
                why = f"there is no evidence {ref!r}"
                yield ContractFault("evidence_unknown", "", f"evidence.{key}.inputs", why)


def _in_cycles(claims: Sequence[GeneratedClaim]) -> list[str]:
    """Ids of claims that stand on themselves: those from which nothing can be taken away that
    stands on nothing else."""
    left = {claim.id: set(claim.depends_on) for claim in claims}
    for needs in left.values():
        needs &= left.keys()
    free = [claim_id for claim_id, needs in left.items() if not needs]
    while free:
        gone = set(free)
        for claim_id in gone:
            del left[claim_id]
        for needs in left.values():
            needs -= gone
        free = [claim_id for claim_id, needs in left.items() if not needs]
    return list(left)
