"""Citations as Ethos reads them: an array of claims, or an envelope that pins a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field, StrictInt, StrictStr, ValidationError, with_config
from typing_extensions import TypedDict

from grounding.canonical import MAX_SAFE_INTEGER, canonical_sha256
from grounding.collector import collector_paused
from grounding.errors import NotCanonicalError, RequestInvalidError
from grounding.json_input import load_json
from verifier.codes import CLOSED
from verifier.ethos.config import EthosConfig
from verifier.ethos.text import is_blank
from verifier.structured import ClosedModel

EthosKind = Literal["quote", "value", "presence", "table_cell", "region", "other"]
GridIndex = Annotated[StrictInt, Field(ge=0, le=2**32 - 1)]
"""A row or column, numbered as the source numbers them."""
Quanta = Annotated[StrictInt, Field(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
"""A coordinate in 1/100 point."""
CitedBox = tuple[Quanta, Quanta, Quanta, Quanta]
FINGERPRINT: Final = r"^sha256:[0-9a-f]{64}$"
_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")
TEXT_KINDS: Final = ("quote", "value", "table_cell")
"""Kinds of claims whose text is compared."""
BoxData = Annotated[list[int], Field(min_length=4, max_length=4)]
REMEDY: Final = "compare the file with schemas/ethos_citations.schema.json"


class EthosCell(ClosedModel):
    """A cell of a table by its row and column."""

    row: GridIndex
    col: GridIndex


class EthosCitation(ClosedModel):
    """Where a claim says that it stands. The first locator that leads to a place counts, in the
    order table cell, span, element, page with box, page; the others are not compared with it."""

    page: StrictStr | None = None
    element_id: StrictStr | None = None
    span_id: StrictStr | None = None
    table_id: StrictStr | None = None
    cell: EthosCell | None = None
    bbox: CitedBox | None = None

    @property
    def has_locator(self) -> bool:
        return any(value is not None for _, value in self)


class EthosClaim(ClosedModel):
    """One thing to check. Quotes, values and table cells need text."""

    kind: EthosKind
    text: StrictStr | None = None
    citation: EthosCitation


class CitationEnvelope(ClosedModel):
    """Claims about the document that has this fingerprint; without one they pin no document."""

    document_fingerprint: StrictStr | None = Field(
        default=None, json_schema_extra={"pattern": FINGERPRINT}
    )
    claims: Annotated[tuple[EthosClaim, ...], Field(json_schema_extra={"minItems": 1})]


@with_config(CLOSED)
class EthosCellData(TypedDict):
    row: GridIndex
    col: GridIndex


@with_config(CLOSED)
class EthosCitationData(TypedDict):
    """The place as it was cited."""

    page: NotRequired[str]
    element_id: NotRequired[str]
    span_id: NotRequired[str]
    table_id: NotRequired[str]
    cell: NotRequired[EthosCellData]
    bbox: NotRequired[BoxData]


@with_config(CLOSED)
class EthosClaimData(TypedDict):
    """The claim as it was submitted."""

    kind: EthosKind
    text: NotRequired[str]
    citation: EthosCitationData


@dataclass(frozen=True, slots=True)
class Citations:
    """Valid citations, each claim together with its echo for the report, and the canonical hash of
    what was submitted (an array of claims counts as an envelope, null as absent)."""

    document_fingerprint: str | None
    claims: tuple[EthosClaim, ...]
    echoes: tuple[EthosClaimData, ...]
    sha256: str


def parse_citations(data: bytes | str, config: EthosConfig) -> Citations:
    """Citations from JSON, held against the rules that need no document.

    Raises RequestInvalidError naming the claim by the id that its check would have.
    """
    with collector_paused():
        return citations_of(load_json(data), config)


def citations_of(value: Any, config: EthosConfig) -> Citations:
    """The same from the JSON value of a file."""
    envelope = _envelope(value)
    _check_rules(envelope, config)
    return submitted(envelope)


def submitted(envelope: CitationEnvelope) -> Citations:
    """What is kept of citations that keep all rules."""
    whole = envelope.model_dump(mode="json", exclude_none=True)
    try:
        sha256 = canonical_sha256(whole)
    except NotCanonicalError as error:
        raise RequestInvalidError(f"citations: {error}", remedy=REMEDY) from error
    return Citations(envelope.document_fingerprint, envelope.claims, tuple(whole["claims"]), sha256)


def _envelope(value: Any) -> CitationEnvelope:
    if isinstance(value, list):
        value = {"claims": value}
    try:
        return CitationEnvelope.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise RequestInvalidError(
            f"{_place(first['loc'])}: {first['msg']}; {error.error_count()} fault(s) in all",
            remedy=REMEDY,
        ) from error


def _place(path: tuple[int | str, ...]) -> str:
    """Where a fault is: "claim v0002: citation.page"."""
    if len(path) > 1 and path[0] == "claims" and isinstance(path[1], int):
        inside = ".".join(str(part) for part in path[2:])
        return f"claim {check_id(path[1])}" + (f": {inside}" if inside else "")
    return ".".join(str(part) for part in path) or "citations"


def check_id(position: int) -> str:
    """The id of the check at a position, from 0."""
    return f"v{position + 1:04d}"


def _check_rules(envelope: CitationEnvelope, config: EthosConfig) -> None:
    """The first rule that is broken is the one that is told."""
    for problem in _faults(envelope, config):
        raise RequestInvalidError(problem, remedy=REMEDY)


def _faults(envelope: CitationEnvelope, config: EthosConfig) -> Iterator[str]:
    count, most = len(envelope.claims), config.limits.max_checks
    if not count:
        yield "citations: at least one claim is needed"
    if count > most:
        yield f"citations: {count} claims are more than the {most} of limits.max_checks"
    fingerprint = envelope.document_fingerprint
    if fingerprint is not None and not _FINGERPRINT.fullmatch(fingerprint):
        yield "citations: document_fingerprint is not sha256: and 64 lower-case hex digits"
    for position, claim in enumerate(envelope.claims):
        for rule, message in _CLAIM_RULES:
            if not rule(claim):
                yield f"claim {check_id(position)}: {message}"


def _box_has_place(claim: EthosClaim) -> bool:
    cited = claim.citation
    places = (cited.page, cited.element_id, cited.span_id, cited.table_id)
    return cited.bbox is None or any(place is not None for place in places)


def _box_has_area(claim: EthosClaim) -> bool:
    box = claim.citation.bbox
    return box is None or has_area(box)


def has_area(box: tuple[int, int, int, int]) -> bool:
    """Whether a box has its corners in order and apart."""
    x0, y0, x1, y1 = box
    return x0 < x1 and y0 < y1


_CLAIM_RULES: Final[tuple[tuple[Callable[[EthosClaim], bool], str], ...]] = (
    (lambda claim: claim.citation.has_locator, "the citation has no locator"),
    (
        lambda claim: (claim.citation.table_id is None) == (claim.citation.cell is None),
        "citation table_id and cell must be provided together",
    ),
    (
        lambda claim: claim.kind != "table_cell" or claim.citation.cell is not None,
        "table_cell citation must include table_id and cell",
    ),
    (
        _box_has_place,
        "citation bbox requires page unless another target locator is present",
    ),
    (_box_has_area, "citation bbox must have x0 < x1 and y0 < y1"),
    (
        lambda claim: claim.kind not in TEXT_KINDS or not is_blank(claim.text),
        "a quote, value or table_cell claim needs text that is not blank",
    ),
)
"""What every claim has to keep, in the order in which it is looked at."""
