"""What is asked: citations of claims against documents, as files and callers give them.

Unknown keys are refused; numbers with a fraction travel on as decimal strings, so that a request
has one canonical form.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    ValidationError,
    model_validator,
)

from grounding.canonical import canonical_sha256
from grounding.collector import collector_paused
from grounding.errors import DuplicateClaimIdError, NotCanonicalError, RequestInvalidError
from grounding.geometry import BoxSpace

MAX_REQUEST_BYTES = 256 * 1024 * 1024

_ModelT = TypeVar("_ModelT", bound=BaseModel)

ClaimKind = Literal["quote", "value", "presence", "table_cell", "region", "calculation", "other"]
DecimalText = Annotated[str, Field(pattern=r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$")]
Coordinate = StrictInt | Decimal | DecimalText
"""A coordinate: an integer, or a fraction as a number or as text ("72.5")."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CellLocator(_Model):
    """Row and column of a table's grid, from 0."""

    row: StrictInt
    col: StrictInt


class BboxSpace(_Model):
    """The space of a cited box: origin and unit of the page as displayed."""

    origin: Literal["top-left", "bottom-left"] = "top-left"
    unit: Literal["centipoint", "point", "pixel", "fraction"] = "centipoint"
    dpi: StrictInt | None = Field(default=None, gt=0, le=4800)

    def space(self) -> BoxSpace:
        return BoxSpace(self.origin, self.unit, self.dpi)


class Citation(_Model):
    """Where a claim says that it stands. Every locator given must agree with the others."""

    page: StrictInt | StrictStr | None = None
    page_label: StrictStr | None = None
    element_id: StrictStr | None = None
    span_id: StrictStr | None = None
    table_id: StrictStr | None = None
    cell: CellLocator | None = None
    row_label: StrictStr | None = None
    column_label: StrictStr | None = None
    bbox: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None = None
    bbox_space: BboxSpace | None = None
    char_start: StrictInt | None = None
    char_end: StrictInt | None = None
    prefix: StrictStr | None = None
    suffix: StrictStr | None = None

    @model_validator(mode="after")
    def _box_is_one(self) -> Citation:
        if self.bbox_space is not None and self.bbox is None:
            raise ValueError("bbox_space says how to read a bbox, and there is none")
        return self


class Claim(_Model):
    """One thing to check. `value` is text such as "(1,234)" or "$5.5 billion"."""

    id: StrictStr | None = Field(default=None, min_length=1, max_length=200)
    kind: ClaimKind
    text: StrictStr | None = None
    value: StrictStr | None = None
    citation: Citation = Citation()

    @model_validator(mode="after")
    def _one_wording(self) -> Claim:
        if self.kind != "value" and self.text is not None and self.value is not None:
            raise ValueError("text and value together are only checked for claims of kind value")
        return self

    @property
    def wording(self) -> str | None:
        """The text to compare: of a value its `value`, else its `text`."""
        if self.kind == "value" and self.value is not None:
            return self.value
        return self.text if self.text is not None else self.value


class VerificationRequest(_Model):
    """Claims about one document, named by source id, file name or fingerprint, and pinned by a
    document, source or blake3 fingerprint."""

    document: StrictStr | None = None
    document_fingerprint: StrictStr | None = None
    claims: tuple[Claim, ...]


class RequestSet(_Model):
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


def parse_requests(data: bytes | str, *, document: str | None = None) -> Submission:
    """Requests from JSON: one request, a set of them, or a bare array of claims for `document`.

    `document` names the document where a request does not. Raises RequestInvalidError and
    DuplicateClaimIdError.
    """
    with collector_paused():
        value = load_json(data)
        if (b"null" if isinstance(data, bytes) else "null") in data:  # type: ignore[operator]
            value = _without_nulls(value)
    if isinstance(value, list):
        value = {"claims": value}
    if not isinstance(value, dict):
        raise RequestInvalidError("a request is a JSON object or an array of claims")
    is_set = "requests" in value
    values = value["requests"] if is_set else [value]
    if is_set:
        _validated(RequestSet, value)
    return Submission(tuple(_submitted(item, document) for item in values), is_set)


def _submitted(value: dict[str, Any], document: str | None) -> SubmittedRequest:
    if document is not None and value.get("document") is None:
        value = {**value, "document": document}
    request = _validated(VerificationRequest, value)
    if request.document is None and request.document_fingerprint is None:
        raise RequestInvalidError(
            "the request names no document", remedy='add "document", or call with --document'
        )
    _check_ids(request.claims)
    value = _with_text_fractions(value) if _has_fractions(request) else value
    try:
        return SubmittedRequest(request, tuple(value["claims"]), canonical_sha256(value))
    except NotCanonicalError as error:
        raise RequestInvalidError(f"the request has no canonical form: {error}") from error


def _has_fractions(request: VerificationRequest) -> bool:
    return any(
        isinstance(number, Decimal)
        for claim in request.claims
        for number in claim.citation.bbox or ()
    )


def _with_text_fractions(value: Any) -> Any:
    """A request whose fractions are text, exactly as they were written: the canonical form has no
    fractional numbers."""
    if isinstance(value, dict):
        return {key: _with_text_fractions(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_text_fractions(item) for item in value]
    return value.written if isinstance(value, _Written) else value


def _check_ids(claims: Sequence[Claim]) -> None:
    seen: set[str] = set()
    for claim in claims:
        if claim.id is None:
            continue
        if claim.id in seen:
            raise DuplicateClaimIdError(f"claim id {claim.id!r} is given twice")
        seen.add(claim.id)


def _without_nulls(value: Any) -> Any:
    """A request in which keys with null are left out: both say the same."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
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


def load_json(data: bytes | str) -> Any:
    """JSON without duplicate keys, NaN or infinities; fractions come as Decimal.

    Raises RequestInvalidError.
    """
    if len(data) > MAX_REQUEST_BYTES:
        raise RequestInvalidError(f"the file is larger than {MAX_REQUEST_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        return json.loads(
            text, parse_float=_Written, parse_constant=_no_constant, object_pairs_hook=_unique_keys
        )
    except UnicodeDecodeError as error:
        raise RequestInvalidError(f"not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise RequestInvalidError(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise RequestInvalidError("the JSON is nested too deeply") from error
    except (ValueError, ArithmeticError) as error:  # more digits than Python converts
        raise RequestInvalidError("a number has too many digits") from error


class _Written(Decimal):
    """A fraction that remembers how it was written: 82.50 is not 82.5 in a request's hash."""

    written: str

    def __new__(cls, text: str) -> _Written:
        number = super().__new__(cls, text)
        number.written = text
        return number


def _no_constant(name: str) -> Any:
    raise RequestInvalidError(f"{name} is not a JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RequestInvalidError(f"key {twice!r} is given twice in one object")
    return value
