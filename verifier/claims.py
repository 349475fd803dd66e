"""What is asked: citations of claims against documents, as files and callers give them.

Unknown keys are refused; numbers with a fraction travel on as decimal strings, so that a request
has one canonical form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    Discriminator,
    Field,
    StrictInt,
    StrictStr,
    Tag,
    ValidationError,
    model_validator,
)

from grounding.canonical import canonical_sha256
from grounding.collector import collector_paused
from grounding.errors import DuplicateClaimIdError, NotCanonicalError, RequestInvalidError
from grounding.geometry import BoxSpace
from grounding.json_input import Written, load_json
from grounding.store.source_entry import iso_date
from verifier.calculations.operations import COMPARISONS, Operation, shape_problem
from verifier.inputs import VALUED_KINDS, calculation_order
from verifier.structured import ClosedModel, DecimalText, Parameters, Rounding, StructuredValue

_ModelT = TypeVar("_ModelT", bound=BaseModel)

ClaimKind = Literal["quote", "value", "presence", "table_cell", "region", "calculation", "other"]
Coordinate = StrictInt | Decimal | DecimalText
"""A coordinate: an integer, or a fraction as a number or as text ("72.5")."""


AsOf = Annotated[
    StrictStr, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(iso_date)
]
"""The day for which an answer is meant, such as 2026-01-31."""


class CellLocator(ClosedModel):
    """Row and column of a table's grid, from 0."""

    row: StrictInt
    col: StrictInt


class BboxSpace(ClosedModel):
    """The space of a cited box: origin and unit of the page as displayed."""

    origin: Literal["top-left", "bottom-left"] = "top-left"
    unit: Literal["centipoint", "point", "pixel", "fraction"] = "centipoint"
    dpi: StrictInt | None = Field(default=None, gt=0, le=4800)

    def space(self) -> BoxSpace:
        return BoxSpace(self.origin, self.unit, self.dpi)


class CitedRegion(ClosedModel):
    """One of several boxes in which a claim stands; without `page`, on the citation's page."""

    page: StrictInt | StrictStr | None = None
    bbox: tuple[Coordinate, Coordinate, Coordinate, Coordinate]


class Citation(ClosedModel):
    """Where a claim says that it stands. Every locator given must agree with the others.

    `page_end` makes a row of pages of `page`: the claim stands on one of them, up to and with the
    last.
    """

    page: StrictInt | StrictStr | None = None
    page_end: StrictInt | None = Field(default=None, ge=1)
    page_label: StrictStr | None = None
    element_id: StrictStr | None = None
    span_id: StrictStr | None = None
    table_id: StrictStr | None = None
    cell: CellLocator | None = None
    row_label: StrictStr | None = None
    column_label: StrictStr | None = None
    bbox: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None = None
    regions: tuple[CitedRegion, ...] | None = Field(default=None, min_length=1, max_length=100)
    bbox_space: BboxSpace | None = None
    char_start: StrictInt | None = None
    char_end: StrictInt | None = None
    prefix: StrictStr | None = None
    suffix: StrictStr | None = None

    @model_validator(mode="after")
    def _box_is_one(self) -> Citation:
        if self.bbox is not None and self.regions is not None:
            raise ValueError("bbox and regions both say where a claim stands: give one of them")
        if self.bbox_space is not None and self.bbox is None and self.regions is None:
            raise ValueError("bbox_space says how to read a bbox, and there is none")
        return self

    @model_validator(mode="after")
    def _row_of_pages(self) -> Citation:
        if self.page_end is None:
            return self
        if not isinstance(self.page, int):
            raise ValueError("page_end needs the number of the first page as page")
        if self.page_end < self.page:
            raise ValueError("page_end is before page")
        return self


def _form(value: object) -> str | None:
    """Which form a value has: told before it is read, so that faults are named in its own terms."""
    if isinstance(value, str):
        return "text"
    return "structured" if isinstance(value, dict | StructuredValue) else None


Value = Annotated[
    Annotated[StrictStr, Tag("text")] | Annotated[StructuredValue, Tag("structured")],
    Discriminator(_form),
]


class Claim(ClosedModel):
    """One thing to check. `value` is text such as "(1,234)" or "$5.5 billion", or structured.

    A calculation names its `operation` and its `inputs`, ids of claims (or `v0001` and so on, their
    positions) of the same request; its `value` is the result that is claimed.
    """

    id: StrictStr | None = Field(default=None, min_length=1, max_length=200)
    kind: ClaimKind
    text: StrictStr | None = None
    value: Value | None = None
    citation: Citation = Citation()
    operation: Operation | None = None
    inputs: tuple[StrictStr, ...] | None = Field(default=None, min_length=1, max_length=1000)
    parameters: Parameters | None = None
    rounding: Rounding | None = None

    @model_validator(mode="after")
    def _one_wording(self) -> Claim:
        both = self.text is not None and self.value is not None
        if both and self.kind != "value" and self.operation is None:
            raise ValueError("text and value together are only checked for claims of kind value")
        if isinstance(self.value, StructuredValue) and self.kind not in VALUED_KINDS:
            raise ValueError(f"a structured value says nothing in a claim of kind {self.kind}")
        return self

    @model_validator(mode="after")
    def _whole_calculation(self) -> Claim:
        keys = (self.operation, self.inputs, self.parameters, self.rounding)
        if self.kind != "calculation" and any(key is not None for key in keys):
            raise ValueError("operation, inputs, parameters and rounding are for calculations")
        if self.operation is None:
            if any(key is not None for key in keys):
                raise ValueError("a calculation needs an operation")
            return self
        if not self.inputs:
            raise ValueError("a calculation needs inputs")
        problem = shape_problem(self.operation, len(self.inputs), self.given_parameters)
        if problem is None and self.value is None and self.operation not in COMPARISONS:
            problem = "a calculation needs the value that is claimed"
        if problem is not None:
            raise ValueError(problem)
        return self

    @property
    def given_parameters(self) -> frozenset[str]:
        """Names of the parameters that the claim gives."""
        given = self.parameters.model_dump(exclude_none=True) if self.parameters else {}
        return frozenset(given)

    @property
    def wording(self) -> str | None:
        """The text to compare: of a value its `value`, else its `text`."""
        value = self.value.wording if isinstance(self.value, StructuredValue) else self.value
        if self.kind in ("value", "calculation") and value is not None:
            return value
        return self.text if self.text is not None else value


class VerificationRequest(ClosedModel):
    """Claims about one document, named by source id, file name or fingerprint, and pinned by a
    document, source or blake3 fingerprint. `as_of` is the day on which its source has to be valid.
    """

    document: StrictStr | None = None
    document_fingerprint: StrictStr | None = None
    as_of: AsOf | None = None
    claims: tuple[Claim, ...]


class RequestSet(ClosedModel):
    """One request a document, answered in the same order."""

    requests: tuple[VerificationRequest, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class SubmittedRequest:
    """A valid request together with what was submitted, which the report echoes."""

    request: VerificationRequest
    claims: tuple[dict[str, Any], ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Submission:
    """All requests of a file, and whether it was a set."""

    requests: tuple[SubmittedRequest, ...]
    is_set: bool


def parse_requests(
    data: bytes | str,
    *,
    document: str | None = None,
    named: bool = True,
    as_of: str | None = None,
) -> Submission:
    """Requests from JSON: one request, a set of them, or a bare array of claims for `document`.

    `document` names the document where a request does not. `named` is false where there is only one
    that can be meant. `as_of` is the day of all of them; a request that says another one is
    refused, for a day that came with an answer must not outweigh the caller's.

    Raises RequestInvalidError and DuplicateClaimIdError.
    """
    with collector_paused():
        value = load_json(data)
        if (b"null" if isinstance(data, bytes) else "null") in data:  # type: ignore[operator]
            value = without_nulls(value)
    if isinstance(value, list):
        value = {"claims": value}
    if not isinstance(value, dict):
        raise RequestInvalidError("a request is a JSON object or an array of claims")
    is_set = "requests" in value
    values = value["requests"] if is_set else [value]
    if is_set:
        _validated(RequestSet, value)
    return Submission(
        tuple(_submitted(item, document, as_of, named=named) for item in values), is_set
    )


def _submitted(
    value: dict[str, Any], document: str | None, as_of: str | None, *, named: bool
) -> SubmittedRequest:
    if document is not None and value.get("document") is None:
        value = {**value, "document": document}
    value = with_day(value, as_of)
    request = _validated(VerificationRequest, value)
    if named and request.document is None and request.document_fingerprint is None:
        raise RequestInvalidError(
            "the request names no document", remedy='add "document", or call with --document'
        )
    _check_ids(request.claims)
    calculation_order(request.claims)
    value = texts_for_fractions(value) if _has_fractions(request) else value
    try:
        return SubmittedRequest(request, tuple(value["claims"]), canonical_sha256(value))
    except NotCanonicalError as error:
        raise RequestInvalidError(f"the request has no canonical form: {error}") from error


def with_day(value: dict[str, Any], as_of: str | None) -> dict[str, Any]:
    """A request as of the day that the caller says. Raises RequestInvalidError where it says
    another one."""
    if as_of is None:
        return value
    if value.get("as_of") not in (None, as_of):
        raise RequestInvalidError(
            f"as_of: the request says {value['as_of']!r}, the call {as_of}",
            remedy="leave the day out of the request",
        )
    return {**value, "as_of": as_of}


def _has_fractions(request: VerificationRequest) -> bool:
    return any(
        isinstance(number, Decimal)
        for claim in request.claims
        for number in (
            *(claim.citation.bbox or ()),
            *(number for region in claim.citation.regions or () for number in region.bbox),
            *((claim.value.number,) if isinstance(claim.value, StructuredValue) else ()),
        )
    )


def texts_for_fractions(value: Any) -> Any:
    """A request whose fractions are text, exactly as they were written: the canonical form has no
    fractional numbers."""
    if isinstance(value, dict):
        return {key: texts_for_fractions(item) for key, item in value.items()}
    if isinstance(value, list):
        return [texts_for_fractions(item) for item in value]
    return value.written if isinstance(value, Written) else value


def _check_ids(claims: Sequence[Claim]) -> None:
    seen: set[str] = set()
    for claim in claims:
        if claim.id is None:
            continue
        if claim.id in seen:
            raise DuplicateClaimIdError(f"claim id {claim.id!r} is given twice")
        seen.add(claim.id)


def without_nulls(value: Any) -> Any:
    """A request in which keys with null are left out: both say the same."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def _validated(model: type[_ModelT], value: Any) -> _ModelT:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "request"
        raise RequestInvalidError(
            f"{where}: {first['msg']}; {error.error_count()} fault(s) in all"
        ) from error
