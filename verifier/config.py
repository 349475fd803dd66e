"""The rules of a verification, as data with a hash.

Whatever can change a verdict is in here; two reports with the same configuration hash were made
under the same rules.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grounding.canonical import canonical_sha256
from grounding.errors import ConfigInvalidError
from grounding.text import FOLD_PROFILE, Fold
from grounding.version import SCHEMA_VERSION

SUPPORTED_KINDS = ("quote", "value", "presence", "table_cell", "region", "calculation")


class Limits(BaseModel):
    """Bounds on one request; what lies beyond is answered `limit_exceeded`, not refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_claims: int = Field(default=100_000, ge=1)
    max_text_characters: int = Field(default=50_000, ge=1)


class VerificationConfig(BaseModel):
    """Verification rules. Lengths are in characters, tolerances in centipoints."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    config_version: Literal["1"] = "1"
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION
    # Names the matching rules of this version; a change of rules changes the hash.
    rules: Literal["pagewitness-rules-3"] = "pagewitness-rules-3"
    normalization_profile: Literal["pagewitness-text-1"] = FOLD_PROFILE
    claim_kinds: tuple[str, ...] = SUPPORTED_KINDS
    allowed_folds: tuple[Fold, ...] = tuple(f for f in Fold if f is not Fold.BRACKETED_CHANGE)
    """Folds that a match may need; a match that needs another one is `text_mismatch`."""
    minimum_significant_words: int = Field(default=2, ge=1)
    """Words of a quote that are no function words; fewer prove nothing."""
    require_fingerprint: bool = False
    """Whether a request without a fingerprint is stale instead of warned about."""
    require_date: bool = False
    """Whether a source that has dates is `source_expired` where the request does not say on which
    day it has to be valid (`as_of`), instead of warned about."""
    require_unique_occurrence: bool = False
    """Whether text that stands several times in the cited place is `ambiguous_occurrence`."""
    allow_ocr_text: bool = True
    """Whether text of an OCR layer may ground a claim (with the warning `ocr_text`)."""
    allow_rounding: bool = True
    """Whether a number may be coarser than the source's by its own last digit; the match then says
    `rounded`. Without it such a number is `value_mismatch`."""
    bbox_tolerance: int = Field(default=50, ge=0, le=1000)
    """How far outside a cited box a character's centre may lie."""
    context_characters: int = Field(default=60, ge=0, le=1000)
    include_evidence_text: bool = True
    search_elsewhere: bool = True
    """Whether a quote that is not where it was cited is looked for in the rest of the document."""
    search_other_documents: bool = True
    """Whether a quote that its document does not have is looked for in the others of the store."""
    max_found_elsewhere: int = Field(default=5, ge=0, le=100)
    limits: Limits = Limits()

    @property
    def sha256(self) -> str:
        """64 hex digits over the canonical JSON of all rules. One that came later is left out where
        it is off: what was checked without it was checked under the same rules."""
        rules = self.model_dump(mode="json")
        if not self.require_date:
            del rules["require_date"]
        return canonical_sha256(rules)


_ADAPTED = frozenset(
    (Fold.ELLIPSIS_GAP, Fold.BRACKETED_CHANGE, Fold.FIRST_LETTER_CASE, Fold.MISSING_CHARACTER)
)
"""Folds under which a quote is not what stands there, letter by letter."""

PRESETS: dict[str, VerificationConfig] = {
    "default": VerificationConfig(),
    "strict": VerificationConfig(
        allowed_folds=tuple(f for f in Fold if f not in _ADAPTED),
        require_fingerprint=True,
        require_date=True,
        require_unique_occurrence=True,
        allow_ocr_text=False,
        allow_rounding=False,
    ),
}


def load_config(name: str) -> VerificationConfig:
    """A preset by name, or a TOML or JSON file. Raises ConfigInvalidError."""
    if name in PRESETS:
        return PRESETS[name]
    path = Path(name)
    if not path.is_file():
        raise ConfigInvalidError(
            f"{name!r} is neither a preset nor a file",
            remedy=f"presets: {', '.join(sorted(PRESETS))}",
        )
    try:
        data = path.read_text(encoding="utf-8")
        value: Any = tomllib.loads(data) if path.suffix == ".toml" else json.loads(data)
        return VerificationConfig.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigInvalidError(f"{name}: {where}: {first['msg']}") from error
    except (ValueError, OSError) as error:
        raise ConfigInvalidError(f"{name}: {error}") from error
