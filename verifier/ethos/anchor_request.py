"""What is asked of evidence anchors: pieces of evidence, each with the place where it should be."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StrictInt, StrictStr, ValidationError, model_validator

from grounding.canonical import MAX_SAFE_INTEGER, canonical_bytes
from grounding.errors import NotCanonicalError, RequestInvalidError
from grounding.json_input import load_json
from verifier.ethos.citations import FINGERPRINT, CitedBox, EthosCell, has_area
from verifier.ethos.text import collapsed
from verifier.structured import ClosedModel

EvidenceKind = Literal["page", "text", "text_region", "table_cell", "region", "other"]
AnchorLevel = Literal["page", "text", "bbox", "text_bbox", "table_cell"]
PinnedFingerprint = Annotated[StrictStr, Field(pattern=FINGERPRINT)]
REMEDY: Final = "compare the file with schemas/ethos_evidence_anchor_request.schema.json"


class AnchorLocator(ClosedModel):
    """Where a piece of evidence should be. `page_index` counts from 1; a box is in 1/100 point from
    the top left, and says so by its `coordinate_profile`."""

    page_index: Annotated[StrictInt, Field(ge=1, le=MAX_SAFE_INTEGER)] | None = None
    page_id: StrictStr | None = None
    element_id: StrictStr | None = None
    span_id: StrictStr | None = None
    bbox: CitedBox | None = None
    table_id: StrictStr | None = None
    cell: EthosCell | None = None
    coordinate_profile: Literal["ethos_quantized_top_left_v1"] | None = None

    @property
    def names_page(self) -> bool:
        return self.page_index is not None or self.page_id is not None

    @property
    def names_object(self) -> bool:
        return any(name is not None for name in (self.element_id, self.span_id, self.table_id))


class EvidenceRef(ClosedModel):
    """One piece of evidence and how exactly it has to be found. The hash, if there is one, is that
    of the expected text with its white space collapsed."""

    evidence_id: Annotated[StrictStr, Field(min_length=1)]
    evidence_kind: EvidenceKind
    required_anchor_level: AnchorLevel
    locator: AnchorLocator
    expected_text: StrictStr | None = None
    expected_text_sha256: PinnedFingerprint | None = None
    text_normalization_profile: Literal["ethos_collapse_whitespace_v1"] | None = None

    @model_validator(mode="after")
    def _keeps_the_rules(self) -> EvidenceRef:
        for rule, message in _REF_RULES:
            if not rule(self):
                raise ValueError(message)
        return self


class AnchorRequest(ClosedModel):
    """Pieces of evidence of one document."""

    artifact_type: Literal["ethos.evidence_anchor_request.v1"]
    schema_version: Literal["1.0.0"]
    source_fingerprint: PinnedFingerprint | None = None
    evidence_refs: tuple[EvidenceRef, ...]

    @model_validator(mode="after")
    def _ids_are_unique(self) -> AnchorRequest:
        seen: set[str] = set()
        for ref in self.evidence_refs:
            if ref.evidence_id in seen:
                raise ValueError(f"evidence_id {ref.evidence_id!r} is given twice")
            seen.add(ref.evidence_id)
        return self


_LEVELS: Final[dict[str, tuple[str, ...]]] = {
    "page": ("page",),
    "text": ("text",),
    "text_region": ("text", "bbox", "text_bbox"),
    "table_cell": ("table_cell",),
}
"""Levels that evidence of a kind can reach; the other kinds are never anchored."""


def _page_is_named(ref: EvidenceRef) -> bool:
    where = ref.locator
    needed = ref.evidence_kind == "page" or where.bbox is not None or not where.names_object
    return where.names_page or not needed


def _has_address(ref: EvidenceRef) -> bool:
    where = ref.locator
    addressed = where.table_id is not None and where.cell is not None
    return addressed or ref.evidence_kind != "table_cell"


def _hash_is_of_text(ref: EvidenceRef) -> bool:
    if ref.expected_text is None or ref.expected_text_sha256 is None:
        return True
    # A lone surrogate has no UTF-8 form and so no hash that it could equal.
    data = collapsed(ref.expected_text).encode("utf-8", "surrogatepass")
    return ref.expected_text_sha256 == f"sha256:{hashlib.sha256(data).hexdigest()}"


_REF_RULES: Final[tuple[tuple[Callable[[EvidenceRef], bool], str], ...]] = (
    (
        lambda ref: ref.locator.page_index is None or ref.locator.page_id is None,
        "the locator gives page_index and page_id: give one of them",
    ),
    (
        lambda ref: ref.locator.bbox is None or ref.locator.coordinate_profile is not None,
        "a locator with bbox needs coordinate_profile ethos_quantized_top_left_v1",
    ),
    (
        lambda ref: ref.locator.bbox is None or has_area(ref.locator.bbox),
        "the locator's bbox must have x0 < x1 and y0 < y1",
    ),
    (
        lambda ref: ref.expected_text is None or collapsed(ref.expected_text) != "",
        "expected_text is blank",
    ),
    (
        lambda ref: ref.expected_text_sha256 is None or ref.expected_text is not None,
        "expected_text_sha256 needs expected_text",
    ),
    (
        lambda ref: ref.expected_text_sha256 is None or ref.text_normalization_profile is not None,
        "expected_text_sha256 needs text_normalization_profile ethos_collapse_whitespace_v1",
    ),
    (_hash_is_of_text, "expected_text_sha256 is not the hash of expected_text"),
    (
        lambda ref: (
            ref.required_anchor_level
            in _LEVELS.get(ref.evidence_kind, (ref.required_anchor_level,))
        ),
        "evidence of this kind cannot reach the required_anchor_level",
    ),
    (_has_address, "evidence of kind table_cell needs table_id and cell"),
    (
        lambda ref: (
            ref.required_anchor_level not in ("text", "text_bbox") or ref.expected_text is not None
        ),
        "the required_anchor_level needs expected_text",
    ),
    (
        lambda ref: (
            ref.required_anchor_level not in ("bbox", "text_bbox") or ref.locator.bbox is not None
        ),
        "the required_anchor_level needs a bbox",
    ),
    (_page_is_named, "the locator needs page_index or page_id"),
)
"""What every piece of evidence has to keep, in the order in which it is looked at."""


def parse_anchor_request(data: bytes | str) -> AnchorRequest:
    """A request from JSON. Raises RequestInvalidError naming the piece of evidence by position."""
    value: Any = load_json(data)
    try:
        request = AnchorRequest.model_validate(value)
        canonical_bytes(request.model_dump(mode="json"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "request"
        raise RequestInvalidError(f"{where}: {first['msg']}", remedy=REMEDY) from error
    except NotCanonicalError as error:
        raise RequestInvalidError(f"request: {error}", remedy=REMEDY) from error
    return request
