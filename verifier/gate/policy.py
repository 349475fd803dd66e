"""The release policy as data: what an answer needs to be shown, versioned and hashed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grounding.canonical import canonical_sha256
from grounding.errors import PolicyInvalidError, RequestInvalidError
from grounding.json_input import load_json
from grounding.model import WarningCode
from grounding.text import Fold
from verifier.codes import MatchMethod
from verifier.config import PRESETS, VerificationConfig
from verifier.gate.codes import ClaimType, Relevance

Consequence = Literal["block", "needs_review", "show_final"]
Tier = Literal["exact_span", "table_cell", "element", "page", "region"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EvidenceRules(_Part):
    """What evidence of a claim has to be. Empty lists allow everything; `folds` are those that a
    match may need."""

    tiers: tuple[Tier, ...] = ()
    match_methods: tuple[MatchMethod, ...] = ()
    folds: tuple[Fold, ...] = tuple(Fold)
    rounding: bool = True
    unique_occurrence: bool = False


class ClaimRules(_Part):
    """Rules for claims of a type or of a domain, in place of the general ones."""

    evidence: EvidenceRules | None = None
    figures: Consequence | None = None
    negation: Consequence | None = None
    synthesis: Consequence | None = None
    relevance: tuple[Relevance, ...] | None = None


class ProseRules(_Part):
    """What becomes of text that no claim accounts for. `minimum_coverage` is in per cent of the
    sentences. `released` says which text goes out: the answer's own, where all of it is accounted
    for, or always one that is put together from the claims."""

    uncovered: Literal["block", "review", "allow"] = "block"
    minimum_coverage: int = Field(default=100, ge=0, le=100)
    released: Literal["answer_text", "assembled"] = "answer_text"


class Limits(_Part):
    """Times in milliseconds, and how many documents are checked at once."""

    check_ms: int = Field(default=10_000, ge=1, le=3_600_000)
    decision_ms: int = Field(default=30_000, ge=1, le=3_600_000)
    concurrency: int = Field(default=4, ge=1, le=64)


class Policy(_Part):
    """Everything that decides about a release besides the answer, its labels and the sources. The
    stricter of two rules always wins; nothing in a policy can make an unproven claim final."""

    policy_version: Literal["1"]
    name: str = Field(default="", max_length=200)
    verification: Literal["default", "strict"] | VerificationConfig = "strict"
    evidence: EvidenceRules = EvidenceRules()
    figures: Consequence = "block"
    """A claim's text with a number or date that its evidence does not have."""
    negation: Consequence = "block"
    """A claim's text that denies or limits where its evidence does not, or the other way round."""
    synthesis: Consequence = "needs_review"
    relevance: tuple[Relevance, ...] = ("direct_answer", "supports_answer")
    """Labels of relevance with which a claim may be shown."""
    warnings: dict[WarningCode, Consequence] = Field(default_factory=dict)
    """What a warning does: of a check, and of a report one about the request or the whole file. One
    that is not named does nothing."""
    require_date: bool = True
    """Whether a source that is valid on some days only needs the day that is meant."""
    prose: ProseRules = ProseRules()
    partial: bool = True
    """Whether verified claims may be shown without the others, where that changes no meaning."""
    on_fault: Literal["abstain", "review", "cached"] = "abstain"
    """What a fault of the infrastructure leads to; never to a release. `cached` is review with
    what evidence was proven before."""
    audit_text: bool = False
    """Whether the audit log keeps the words of an answer beside what was decided about it."""
    types: dict[ClaimType, ClaimRules] = Field(default_factory=dict)
    domains: dict[str, ClaimRules] = Field(default_factory=dict)
    limits: Limits = Limits()

    @property
    def sha256(self) -> str:
        """64 hex digits over the canonical JSON of all of it."""
        return canonical_sha256(self.model_dump(mode="json"))

    @property
    def config(self) -> VerificationConfig:
        """The rules of verification. Only grounded checks without matches in other documents are
        kept for later, so that what is looked for there decides nothing."""
        given = self.verification
        return PRESETS[given] if isinstance(given, str) else given


_DOUBTS: dict[WarningCode, Consequence] = dict.fromkeys(
    (
        WarningCode.LOW_CONFIDENCE_READING_ORDER,
        WarningCode.LOW_CONFIDENCE_TABLE_STRUCTURE,
        WarningCode.LOW_CONTRAST_TEXT_DETECTED,
        WarningCode.IN_TABLE_OF_CONTENTS,
        WarningCode.IN_REFERENCE_LIST,
        WarningCode.PARTIAL_PARSE,
        WarningCode.RECOVERED_FILE,
        WarningCode.OCR_TEXT,
        WarningCode.CITATION_NOT_PINNED,
        WarningCode.PARSERS_DISAGREE,
    ),
    "needs_review",
)

POLICIES: dict[str, Policy] = {
    "strict": Policy(
        policy_version="1",
        name="strict",
        evidence=EvidenceRules(
            tiers=("exact_span", "table_cell", "region"), rounding=False, unique_occurrence=True
        ),
        warnings={
            **_DOUBTS,
            WarningCode.OCR_TEXT: "block",
            WarningCode.CITATION_NOT_PINNED: "block",
        },
    ),
    "review": Policy(
        policy_version="1",
        name="review",
        verification="default",
        figures="needs_review",
        negation="needs_review",
        warnings=_DOUBTS,
        require_date=False,
        prose=ProseRules(uncovered="review", minimum_coverage=0),
        on_fault="review",
    ),
}
"""`strict` shows only what is proven word for word; `review` sends doubts to a person."""


def load_policy(name: str) -> Policy:
    """A preset by name, or a TOML or JSON file. Unknown keys and versions are refused: they might
    ask for more than this program knows. Raises PolicyInvalidError."""
    if name in POLICIES:
        return POLICIES[name]
    path = Path(name)
    if not path.is_file():
        raise PolicyInvalidError(
            f"{name!r} is neither a preset nor a file",
            remedy=f"presets: {', '.join(sorted(POLICIES))}",
        )
    try:
        text = path.read_text(encoding="utf-8")
        value: Any = tomllib.loads(text) if path.suffix == ".toml" else load_json(text)
    except (ValueError, OSError, RequestInvalidError) as error:
        raise PolicyInvalidError(f"{name}: {error}") from error
    return policy_of(value, name)


def policy_of(value: Any, name: str = "policy") -> Policy:
    """A policy from the value of its file. Raises PolicyInvalidError."""
    try:
        return Policy.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "policy"
        raise PolicyInvalidError(f"{name}: {where}: {first['msg']}") from error
