"""What is asked of anchors: references to evidence, as files and callers give them.

Three forms are read: requests of this project, those of Ethos, and verification reports, whose
grounded checks then are the references.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, StrictStr, ValidationError, model_validator

from grounding.canonical import canonical_sha256
from grounding.errors import NotCanonicalError, RequestInvalidError
from grounding.fingerprint import sha256_fingerprint
from grounding.json_input import load_json
from verifier.anchors.report import AnchorLevel
from verifier.claims import AsOf, Citation, texts_for_fractions, with_day, without_nulls
from verifier.report import ARTIFACT_TYPE as REPORT_TYPE
from verifier.report import SET_ARTIFACT_TYPE as REPORT_SET_TYPE
from verifier.report import Check, Evidence, Report
from verifier.stored import reports_in
from verifier.structured import ClosedModel

ETHOS_TYPE = "ethos.evidence_anchor_request.v1"
RequestType = Literal["pagewitness.evidence_anchor_request.v1"]
_REMEDY = "compare the file with schemas/evidence_anchor_request.schema.json"

EvidenceKind = Literal["page", "text", "text_region", "table_cell", "region", "other"]
_LEVELS: dict[str, tuple[str, ...]] = {
    "page": ("page",),
    "text": ("text",),
    "text_region": ("text", "bbox", "text_bbox"),
    "table_cell": ("table_cell",),
    "region": ("bbox",),
    "other": ("page", "text", "bbox", "text_bbox", "table_cell"),
}


class EvidenceRef(ClosedModel):
    """One reference: where it stands, what is expected there, and how closely it has to bind."""

    evidence_id: StrictStr = Field(min_length=1, max_length=200)
    evidence_kind: EvidenceKind
    required_anchor_level: AnchorLevel
    locator: Citation
    expected_text: StrictStr | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _level_fits(self) -> EvidenceRef:
        level = self.required_anchor_level
        if level not in _LEVELS[self.evidence_kind]:
            raise ValueError(f"evidence of kind {self.evidence_kind} has no level {level}")
        if level in ("text", "text_bbox") and not (self.expected_text or "").strip():
            raise ValueError(f"level {level} needs expected_text")
        if level in ("bbox", "text_bbox") and not (self.locator.bbox or self.locator.regions):
            raise ValueError(f"level {level} needs a bbox or regions")
        return self


class AnchorRequest(ClosedModel):
    """References to one document, named and pinned as in a verification request."""

    artifact_type: RequestType = "pagewitness.evidence_anchor_request.v1"
    document: StrictStr | None = None
    document_fingerprint: StrictStr | None = None
    as_of: AsOf | None = None
    evidence_refs: tuple[EvidenceRef, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _own_ids(self) -> AnchorRequest:
        ids = [ref.evidence_id for ref in self.evidence_refs]
        if len(set(ids)) != len(ids):
            raise ValueError("an evidence_id is given twice")
        return self


@dataclass(frozen=True, slots=True)
class AnchorSubmission:
    """All requests of a file with the hashes of what was submitted, and whether it was a set."""

    requests: tuple[tuple[AnchorRequest, str], ...]
    is_set: bool


def parse_anchors(
    data: bytes | str,
    *,
    document: str | None = None,
    named: bool = True,
    as_of: str | None = None,
) -> AnchorSubmission:
    """References from JSON. `document` names the document where a request does not; `named` is
    false where there is only one that can be meant; `as_of` is the day on which sources have to be
    valid. The day of a report is not that of asking again. Raises RequestInvalidError."""
    value = without_nulls(load_json(data))
    if not isinstance(value, dict):
        raise RequestInvalidError("an anchor request is a JSON object", remedy=_REMEDY)
    kind = value.get("artifact_type")
    if kind in (REPORT_TYPE, REPORT_SET_TYPE):
        values = [_of_report(report) for report in reports_in(value)]
        values = [value for value in values if value["evidence_refs"]]
        if not values:
            raise RequestInvalidError("the report has no grounded check to anchor", remedy=_REMEDY)
    else:
        values = [_of_ethos(value) if kind == ETHOS_TYPE else value]
    requests = tuple(_request(value, document, as_of) for value in values)
    if named and any(r.document is None and r.document_fingerprint is None for r, _ in requests):
        raise RequestInvalidError(
            "the request names no document", remedy='add "document", or call with --document'
        )
    return AnchorSubmission(requests, kind == REPORT_SET_TYPE)


def _request(
    value: dict[str, Any], document: str | None, as_of: str | None
) -> tuple[AnchorRequest, str]:
    if document is not None and "document" not in value:
        value = {**value, "document": document}
    value = with_day(value, as_of)
    try:
        request = AnchorRequest.model_validate(value)
        return request, canonical_sha256(texts_for_fractions(value))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "request"
        raise RequestInvalidError(f"{where}: {first['msg']}", remedy=_REMEDY) from error
    except NotCanonicalError as error:
        raise RequestInvalidError(f"the request has no canonical form: {error}") from error


def _of_ethos(value: dict[str, Any]) -> dict[str, Any]:
    """A request of Ethos in this project's words; boxes have the same space in both."""
    refs = value.get("evidence_refs")
    if not isinstance(refs, list):
        raise RequestInvalidError("evidence_refs: is no array", remedy=_REMEDY)
    keys = {"artifact_type", "schema_version", "source_fingerprint", "evidence_refs"}
    unknown = sorted(value.keys() - keys)
    if unknown:
        raise RequestInvalidError(f"{unknown[0]}: is no key of an Ethos request", remedy=_REMEDY)
    made: dict[str, Any] = {"evidence_refs": [_ref(ref, at) for at, ref in enumerate(refs)]}
    if "source_fingerprint" in value:
        made["document_fingerprint"] = value["source_fingerprint"]
    return made


def _ref(ref: Any, at: int) -> Any:
    if not isinstance(ref, dict) or not isinstance(ref.get("locator"), dict):
        return ref
    locator = {k: v for k, v in ref["locator"].items() if k != "coordinate_profile"}
    if "page_index" in locator and "page_id" in locator:
        where = f"evidence_refs.{at}.locator"
        raise RequestInvalidError(f"{where}: has both page_index and page_id", remedy=_REMEDY)
    for name in ("page_index", "page_id"):
        if name in locator:
            locator["page"] = locator.pop(name)
    made = {**ref, "locator": locator}
    made.pop("text_normalization_profile", None)
    digest = made.pop("expected_text_sha256", None)
    if digest is not None:
        text = " ".join(str(made.get("expected_text", "")).split())
        if digest != sha256_fingerprint(text.encode("utf-8", "surrogatepass")):
            where = f"evidence_refs.{at}.expected_text_sha256"
            raise RequestInvalidError(f"{where}: is not that of expected_text", remedy=_REMEDY)
    return made


def _of_report(report: Report) -> dict[str, Any]:
    """The grounded checks of a report, bound as closely as their evidence was shown."""
    value: dict[str, Any] = {
        "document": report["document"].get("source_id", report["document"]["name"]),
        "evidence_refs": [ref for check in report["checks"] for ref in _of_check(check)],
    }
    if "document_fingerprint" in report:
        value["document_fingerprint"] = report["document_fingerprint"]
    return value


def _of_check(check: Check) -> Iterator[dict[str, Any]]:
    evidence = check.get("evidence")
    if check["status"] != "grounded" or evidence is None:
        return
    ref: dict[str, Any] = {"evidence_id": check["id"]}
    yield {**ref, **_bound(evidence, check["claim"].get("citation", {}))}


def _bound(evidence: Evidence, cited: dict[str, Any]) -> dict[str, Any]:
    locator: dict[str, Any] = {}
    if "page_number" in evidence:
        locator["page"] = evidence["page_number"]
    if "table_id" in evidence and "cell" in evidence and "text" in evidence:
        locator |= {"table_id": evidence["table_id"], "cell": evidence["cell"]}
        kind = level = "table_cell"
    elif "text" in evidence:
        kind, level = "text", "text"
        if "regions" in evidence:
            locator |= _boxes(evidence, cited)
            kind, level = "text_region", "text_bbox"
    else:
        kind = level = "page"
    made: dict[str, Any] = {
        "evidence_kind": kind,
        "required_anchor_level": level,
        "locator": locator,
    }
    if level != "page":
        made["expected_text"] = evidence["text"]
    return made


def _boxes(evidence: Evidence, cited: dict[str, Any]) -> dict[str, Any]:
    """The box that was cited, where it was one in our own space: the evidence in it may be words
    below each other, which no other boxes hold together."""
    box = cited.get("bbox")
    ours = "bbox_space" not in cited and "regions" not in cited
    if ours and isinstance(box, list) and all(isinstance(edge, int) for edge in box):
        return {"bbox": box}
    return {"regions": [dict(region) for region in evidence["regions"]]}
