"""Labels that the application gives: whether claims answer the question, and whether their evidence
supports them. They are carried and never computed here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field, StrictStr, ValidationError

from grounding.canonical import canonical_sha256
from grounding.errors import LabelsInvalidError
from grounding.json_input import load_json
from verifier.claims import without_nulls
from verifier.gate.codes import Relevance, Support
from verifier.structured import ClosedModel

ARTIFACT_TYPE: Literal["pagewitness.release_labels.v1"] = "pagewitness.release_labels.v1"


class ClaimLabels(ClosedModel):
    """What the application says of one claim."""

    question_relevance: Relevance = "not_evaluated"
    claim_support: Support = "not_evaluated"


class ReleaseLabels(ClosedModel):
    """Labels by claim id; a claim without labels is not evaluated. `answer_id` is that of the
    answer that they are for; `by` says who gave them."""

    artifact_type: Literal["pagewitness.release_labels.v1"] = ARTIFACT_TYPE
    answer_id: StrictStr | None = Field(default=None, min_length=1)
    by: StrictStr | None = Field(default=None, min_length=1, max_length=200)
    claims: dict[StrictStr, ClaimLabels]


_NONE = ClaimLabels()


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels with the hash of what was submitted."""

    claims: dict[str, ClaimLabels] = field(default_factory=dict)
    answer_id: str | None = None
    sha256: str | None = None

    def of(self, claim_id: str) -> ClaimLabels:
        return self.claims.get(claim_id, _NONE)


def parse_labels(data: bytes | str) -> Labels:
    """Labels from JSON. Raises LabelsInvalidError."""
    value = without_nulls(load_json(data, refusal=LabelsInvalidError))
    try:
        made = ReleaseLabels.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "labels"
        raise LabelsInvalidError(f"{where}: {first['msg']}") from error
    return Labels(dict(made.claims), made.answer_id, canonical_sha256(value))
