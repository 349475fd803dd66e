"""The rules of a run as an Ethos configuration file states them, and their hash."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr, ValidationError, field_validator

from grounding.canonical import MAX_SAFE_INTEGER, canonical_sha256
from grounding.errors import ConfigInvalidError, NotCanonicalError
from verifier.structured import ClosedModel

LiteralKind = Literal["quote", "value", "presence", "table_cell"]
"""Kinds of claims that can be checked word by word."""
Count = Annotated[StrictInt, Field(ge=0, le=MAX_SAFE_INTEGER)]


class Matching(ClosedModel):
    """How texts and boxes are compared; the tolerance is in 1/100 point, absent it is 0."""

    text_normalization: Literal["none", "collapse_whitespace"]
    case_sensitive: StrictBool
    bbox_containment_tolerance_q: Count | None = None


class Staleness(ClosedModel):
    """Whether citations have to name the fingerprint of the document that is checked. Without it
    nothing is ever stale."""

    require_fingerprint_match: StrictBool


class CheckLimits(ClosedModel):
    """How many claims one request may have; more are refused."""

    max_checks: Annotated[StrictInt, Field(ge=1, le=MAX_SAFE_INTEGER)]


class EvidenceOptions(ClosedModel):
    """What of the evidence a report shows."""

    include_text: StrictBool = False
    include_crops: StrictBool = False


class EthosConfig(ClosedModel):
    """A configuration of Ethos. Everything in it can change a report and is in its hash."""

    schema_version: Literal["1.0.0"]
    config_version: StrictStr
    claim_kinds: Annotated[tuple[LiteralKind, ...], Field(min_length=1)]
    matching: Matching
    staleness: Staleness
    limits: CheckLimits
    evidence: EvidenceOptions | None = None

    @field_validator("claim_kinds")
    @classmethod
    def _each_kind_once(cls, kinds: tuple[LiteralKind, ...]) -> tuple[LiteralKind, ...]:
        if len(set(kinds)) != len(kinds):
            raise ValueError("a claim kind is listed twice")
        return kinds

    @property
    def effective(self) -> dict[str, Any]:
        """The configuration with its defaults filled in: what is hashed. A tolerance or evidence
        that is not given stays out."""
        return self.model_dump(mode="json", exclude_none=True)

    @cached_property
    def sha256(self) -> str:
        """64 hex digits over the canonical JSON of the effective configuration."""
        return canonical_sha256(self.effective)

    @property
    def tolerance(self) -> int:
        """How far a cited box may stand out of its evidence, in 1/100 point."""
        return self.matching.bbox_containment_tolerance_q or 0

    @property
    def includes_text(self) -> bool:
        return self.evidence is not None and self.evidence.include_text

    @property
    def includes_crops(self) -> bool:
        return self.evidence is not None and self.evidence.include_crops

    def with_crops(self) -> EthosConfig:
        """The same rules for a run that writes crops, which has a hash of its own."""
        evidence = {"include_text": self.includes_text, "include_crops": True}
        return EthosConfig.model_validate({**self.effective, "evidence": evidence})


DEFAULT: Final = EthosConfig(
    schema_version="1.0.0",
    config_version="default-v1",
    claim_kinds=("quote", "value", "presence", "table_cell"),
    matching=Matching(
        text_normalization="collapse_whitespace",
        case_sensitive=True,
        bbox_containment_tolerance_q=50,
    ),
    staleness=Staleness(require_fingerprint_match=True),
    limits=CheckLimits(max_checks=256),
    evidence=EvidenceOptions(include_text=True, include_crops=False),
)
"""What applies without a configuration file; the preset `ethos-v1`."""


def is_ethos_config(value: object) -> bool:
    """Whether the data of a configuration file is for Ethos's rules and not for Pagewitness's."""
    return isinstance(value, dict) and ("matching" in value or "staleness" in value)


def parse_config(value: object) -> EthosConfig:
    """The configuration from a file's JSON data. Raises ConfigInvalidError naming the key."""
    remedy = "compare the file with schemas/ethos_verification_config.schema.json"
    try:
        config = EthosConfig.model_validate(value)
        _ = config.sha256
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "configuration"
        raise ConfigInvalidError(f"{where}: {first['msg']}", remedy=remedy) from error
    except NotCanonicalError as error:
        raise ConfigInvalidError(f"configuration: {error}", remedy=remedy) from error
    return config
