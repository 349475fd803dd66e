"""What is answered: the canonical report, as typed dictionaries.

Reports are JSON data from the start (ten thousand checks are made a second), so their types are
TypedDicts; the JSON Schema is generated from them. Absent optional keys are left out. Nothing in a
report depends on the clock, the host or a path.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED, CheckId, EvidenceTier, IsoDate, MatchMethod, Reason, Status
from verifier.report_numbers import CalculationData, Quantities

ARTIFACT_TYPE = "pagewitness.verification_report.v1"
SET_ARTIFACT_TYPE = "pagewitness.report_set.v1"

_CLOSED = CLOSED


@with_config(_CLOSED)
class RegionData(TypedDict):
    page: int
    bbox: list[int]


@with_config(_CLOSED)
class CellData(TypedDict):
    row: int
    col: int


@with_config(_CLOSED)
class FootnoteData(TypedDict):
    """A footnote marker of a cell or its labels, and the note that it refers to where the page has
    one."""

    marker: str
    text: NotRequired[str]


@with_config(_CLOSED)
class Evidence(TypedDict):
    """What stands at the place that was looked at. Boxes in centipoints, top-left origin; offsets
    into the document's text. Labels of a cell go from the outermost to its own; `statement` is what
    its table says of all its numbers, such as "in millions"."""

    text: NotRequired[str]
    page: NotRequired[str]
    page_number: NotRequired[int]
    page_label: NotRequired[str]
    bbox: NotRequired[list[int]]
    regions: NotRequired[list[RegionData]]
    char_start: NotRequired[int]
    char_end: NotRequired[int]
    element_id: NotRequired[str]
    table_id: NotRequired[str]
    cell: NotRequired[CellData]
    row_labels: NotRequired[list[str]]
    column_labels: NotRequired[list[str]]
    caption: NotRequired[str]
    statement: NotRequired[str]
    label_regions: NotRequired[list[RegionData]]
    footnotes: NotRequired[list[FootnoteData]]
    crop_ref: NotRequired[str]


@with_config(_CLOSED)
class Skipped(TypedDict):
    """An element that stands in the middle of a quote and is not part of it."""

    element_id: str
    element_kind: str
    page: NotRequired[int]
    text: str


@with_config(_CLOSED)
class MatchData(TypedDict):
    """Which folds the match needed and of which groups they are, how often the text stands in the
    cited place, whether the source's number had to be rounded to the claim's last digit, and what
    stands between the lines of a quote that it does not have."""

    folds: list[str]
    fold_groups: NotRequired[list[str]]
    occurrences: int
    rounded: NotRequired[bool]
    skipped: NotRequired[list[Skipped]]


@with_config(_CLOSED)
class FoundElsewhere(TypedDict):
    """Another place with the text, or one of several places that labels lead to. Pages and boxes
    are left out where the source does not know them."""

    document: NotRequired[str]
    page: NotRequired[int]
    bbox: NotRequired[list[int]]
    text: str
    table_id: NotRequired[str]
    cell: NotRequired[CellData]
    row_labels: NotRequired[list[str]]
    column_labels: NotRequired[list[str]]


DifferenceKind = Literal["number", "negation", "name", "spelling", "punctuation", "wording"]


@with_config(_CLOSED)
class Difference(TypedDict):
    """A stretch in which claim and source differ; one side may be empty."""

    claim: str
    source: str
    kind: DifferenceKind


@with_config(_CLOSED)
class Nearest(TypedDict):
    """The closest text to a claim that failed; never a reason to ground it."""

    page: NotRequired[int]
    bbox: NotRequired[list[int]]
    text: str
    similarity: int
    differences: list[Difference]


@with_config(_CLOSED)
class ContextData(TypedDict):
    before: str
    match: str
    after: str


@with_config(_CLOSED)
class Provenance(TypedDict):
    heading_path: list[str]
    element_kind: str


@with_config(_CLOSED)
class Check(TypedDict):
    id: CheckId
    claim: dict[str, Any]
    status: Status
    reason: NotRequired[Reason]
    match_method: MatchMethod
    semantic_unverified: bool
    evidence_tier: EvidenceTier
    evidence: NotRequired[Evidence]
    match: NotRequired[MatchData]
    quantities: NotRequired[Quantities]
    calculation: NotRequired[CalculationData]
    found_elsewhere: NotRequired[list[FoundElsewhere]]
    nearest: NotRequired[Nearest]
    context: NotRequired[ContextData]
    provenance: NotRequired[Provenance]
    warnings: list[str]


@with_config(_CLOSED)
class VerifierData(TypedDict):
    name: str
    version: str


@with_config(_CLOSED)
class DocumentData(TypedDict):
    source_id: NotRequired[str]
    name: str


@with_config(_CLOSED)
class ParserData(TypedDict):
    name: str
    version: str
    adapter: NotRequired[str]
    adapter_version: NotRequired[str]


@with_config(_CLOSED)
class CapabilityData(TypedDict):
    spans: bool
    char_offsets: bool
    tables: bool
    fingerprint: bool
    coordinate_origin: Literal["top-left", "bottom-left", "unknown"]
    crop_support: bool


@with_config(_CLOSED)
class GroundingData(TypedDict):
    parser: ParserData
    capabilities: CapabilityData


@with_config(_CLOSED)
class SourceMapData(TypedDict):
    """Which state of the trusted source map the report was made under, as far as the asker sees it:
    the number of its changes, and the SHA-256 of its canonical form."""

    version: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@with_config(_CLOSED)
class ForgottenData(TypedDict):
    """What is left of a document that the request names or pins and that the store has forgotten.
    `forgotten_at` is UTC, as it was recorded then."""

    source_id: str
    document_fingerprint: str
    source_fingerprint: str
    forgotten_at: str
    reason: NotRequired[str]


DisagreementKind = Literal[
    "source_bytes",
    "page_count",
    "page_size",
    "text_not_on_page",
    "text_not_in_box",
    "order_differs",
    "figures_differ",
    "text_left_out",
]


@with_config(_CLOSED)
class Disagreement(TypedDict):
    """A place at which a foreign artifact and our own reading differ: what each has there."""

    kind: DisagreementKind
    page: NotRequired[int]
    element_id: NotRequired[str]
    bbox: NotRequired[list[int]]
    text: NotRequired[str]
    own_text: NotRequired[str]


@with_config(_CLOSED)
class CrossCheck(TypedDict):
    """A foreign artifact beside our own reading of the PDF. Blocks are elements and cells; the
    first disagreements are listed, all are counted."""

    parser: ParserData
    document_fingerprint: str
    blocks_compared: int
    blocks_alike: int
    disagreements_by_kind: dict[str, int]
    disagreements: list[Disagreement]


@with_config(_CLOSED)
class Report(TypedDict):
    artifact_type: Literal["pagewitness.verification_report.v1"]
    schema_version: str
    verifier: VerifierData
    request_sha256: str
    document: DocumentData
    document_fingerprint: NotRequired[str]
    source_fingerprint: NotRequired[str]
    expected_fingerprint: NotRequired[str]
    verification_config_sha256: str
    normalization_profile: str
    grounding: NotRequired[GroundingData]
    source_map: NotRequired[SourceMapData]
    as_of: NotRequired[IsoDate]
    forgotten: NotRequired[ForgottenData]
    capability_limits: list[str]
    fingerprint_stale: bool
    fingerprint_reason: NotRequired[
        Literal["stale_fingerprint", "missing_source_fingerprint", "missing_citation_fingerprint"]
    ]
    fingerprint_version: NotRequired[int]
    all_evidence_grounded: bool
    checks: list[Check]
    unsupported_claim_kinds: list[str]
    cross_check: NotRequired[CrossCheck]
    warnings: list[str]


@with_config(_CLOSED)
class ReportSet(TypedDict):
    artifact_type: Literal["pagewitness.report_set.v1"]
    schema_version: str
    all_evidence_grounded: bool
    reports: list[Report]


def all_evidence_grounded(report: Report) -> bool:
    """The certification rule: at least one supported check, all of them grounded, none
    semantically unverified, no unsupported kind, and a fresh fingerprint."""
    supported = [c for c in report["checks"] if c["status"] != "unsupported_claim_kind"]
    return (
        bool(supported)
        and len(supported) == len(report["checks"])
        and all(c["status"] == "grounded" for c in supported)
        and not any(c["semantic_unverified"] for c in supported)
        and not report["unsupported_claim_kinds"]
        and not report["fingerprint_stale"]
    )


def report_set(reports: list[Report]) -> ReportSet:
    """Reports of several documents as one answer."""
    return {
        "artifact_type": "pagewitness.report_set.v1",
        "schema_version": reports[0]["schema_version"],
        "all_evidence_grounded": all(report["all_evidence_grounded"] for report in reports),
        "reports": reports,
    }
