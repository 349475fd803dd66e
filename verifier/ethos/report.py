"""The reports that Ethos's tools read, as typed dictionaries. Absent optional keys are left out."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from grounding.adapters.model import ForeignDocument
from verifier.codes import CLOSED, CheckId, Status
from verifier.ethos.citations import FINGERPRINT, BoxData, EthosClaimData
from verifier.report import CapabilityData, GroundingData, ParserData

SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"
"""Version of the forms in this module: Ethos's, not Pagewitness's."""

EthosReason = Literal[
    "missing_locator", "missing_required_text", "unsupported_claim_kind", "stale_fingerprint",
    "missing_source_fingerprint", "missing_citation_fingerprint", "missing_span_capability",
    "missing_table_capability", "unknown_coordinate_origin", "element_not_found", "span_not_found",
    "page_not_found", "bbox_not_found", "missing_page_for_bbox", "missing_table_cell_locator",
    "table_not_found", "table_cell_not_found", "text_mismatch",
]  # fmt: skip
EthosMethod = Literal[
    "exact_text", "normalized_text", "exact_text_contains", "normalized_text_contains",
    "table_cell_lookup", "bbox_containment", "presence_only", "none",
]  # fmt: skip
EthosWarning = Literal[
    "low_confidence_reading_order", "low_confidence_table_structure", "hidden_text_detected",
    "off_page_text_detected", "low_contrast_text_detected", "annotations_present",
    "external_links_present", "image_only_page", "unsupported_annotation", "partial_parse",
    "capability_limited",
]  # fmt: skip
CapabilityLimit = Literal[
    "missing_spans", "missing_char_offsets", "missing_tables", "missing_fingerprint",
    "unknown_coordinate_origin", "missing_crop_support",
]  # fmt: skip
Fingerprint = Annotated[str, Field(pattern=FINGERPRINT)]


@with_config(CLOSED)
class EthosEvidence(TypedDict):
    """What stands at the place that was looked at; the box is in 1/100 point."""

    text: NotRequired[str]
    page: NotRequired[str]
    bbox: NotRequired[BoxData]
    crop_ref: NotRequired[str]


@with_config(CLOSED)
class EthosCheck(TypedDict):
    """The verdict on one claim. Every check that is not grounded says why."""

    id: CheckId
    claim: EthosClaimData
    status: Status
    reason: NotRequired[EthosReason]
    match_method: EthosMethod
    semantic_unverified: bool
    evidence: NotRequired[EthosEvidence]
    warnings: list[EthosWarning]


@with_config(CLOSED)
class EthosReport(TypedDict):
    """The verdicts on all claims of one request in the form of Ethos 0.3."""

    schema_version: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
    document_fingerprint: NotRequired[Fingerprint]
    verification_config_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    grounding: GroundingData
    capability_limits: list[CapabilityLimit]
    fingerprint_stale: bool
    all_evidence_grounded: bool
    checks: list[EthosCheck]
    unsupported_claim_kinds: list[str]
    warnings: list[EthosWarning]


_ADAPTER_NAMES = {"ethos-grounding": ("ethos-grounding-json", "1.0.0")}
"""What Ethos calls adapters that have another name here, and the version that it gives them."""
_NATIVE_ADAPTER = "ethos-document"
"""Ethos's own documents come through no adapter as it sees it."""


def grounding_data(document: ForeignDocument) -> GroundingData:
    """Parser and capabilities of a document in Ethos's words."""
    return {
        "parser": ethos_parser(parser_data(document)),
        "capabilities": capability_data(document),
    }


def ethos_parser(parser: ParserData) -> ParserData:
    """Parser and adapter under the names that Ethos has for them."""
    written: ParserData = {"name": parser["name"], "version": parser["version"]}
    adapter = parser.get("adapter")
    if adapter is not None and adapter != _NATIVE_ADAPTER:
        own = (adapter, parser.get("adapter_version", ""))
        written["adapter"], written["adapter_version"] = _ADAPTER_NAMES.get(adapter, own)
    return written


def parser_data(document: ForeignDocument) -> ParserData:
    """Parser and adapter of a document; no adapter keys without an adapter."""
    parser = document.parser
    data: ParserData = {"name": parser.name, "version": parser.version}
    if parser.adapter:
        data["adapter"], data["adapter_version"] = parser.adapter, parser.adapter_version
    return data


def capability_data(document: ForeignDocument) -> CapabilityData:
    """What a document can prove, with the six keys that reports have."""
    capabilities = document.capabilities
    return {
        "spans": capabilities.spans,
        "char_offsets": capabilities.char_offsets,
        "tables": capabilities.tables,
        "fingerprint": capabilities.fingerprint,
        "coordinate_origin": capabilities.coordinate_origin,
        "crop_support": capabilities.crop_support,
    }
