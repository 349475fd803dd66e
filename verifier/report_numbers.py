"""What a report shows of numbers: both sides of a comparison as read, and calculations."""

from __future__ import annotations

from typing import Literal, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from verifier.codes import CLOSED, CheckId, Reason


@with_config(CLOSED)
class ContextStatement(TypedDict):
    """Something that was said around a number and was applied to it."""

    what: Literal["scale", "unit", "currency", "period", "sign"]
    origin: Literal[
        "cell", "row_label", "column_header", "column", "caption", "page_statement", "sentence"
    ]
    text: str


@with_config(CLOSED)
class QuantityData(TypedDict):
    """A number as it was read. `number` is its size as printed, without sign and scale, and
    `precision` counts the digits behind its decimal mark; `scale` is a factor. A date has a period
    and no number. `other_readings` is there when the text can be read in several ways."""

    number: NotRequired[str]
    sign: NotRequired[Literal["positive", "negative"]]
    sign_source: NotRequired[str]
    scale: NotRequired[str]
    scale_source: NotRequired[str]
    unit: NotRequired[str]
    currency: NotRequired[str]
    period: NotRequired[str]
    precision: NotRequired[int]
    written: NotRequired[str]
    other_readings: NotRequired[list[QuantityData]]
    stated: NotRequired[list[ContextStatement]]


@with_config(CLOSED)
class FoundNumber(TypedDict):
    """A number of the cited place that has the claim's size or digits; without a reason it is the
    claim's."""

    page: NotRequired[int]
    bbox: NotRequired[list[int]]
    char_start: int
    char_end: int
    text: str
    reason: NotRequired[Reason]


@with_config(CLOSED)
class Quantities(TypedDict):
    """Both sides of a comparison of numbers as they were read, and where such numbers stand when
    there are several of them. `source` is missing when none was found."""

    claim: QuantityData
    source: NotRequired[QuantityData]
    found: NotRequired[list[FoundNumber]]


@with_config(CLOSED)
class CalculationInput(TypedDict):
    """A check whose number went into a calculation."""

    check_id: CheckId
    quantity: QuantityData


@with_config(CLOSED)
class CalculationData(TypedDict):
    """What was recomputed from which checks. `result` and `difference` (claimed minus recomputed,
    scale applied) are missing when there is none; `problem` says why."""

    operation: str
    inputs: list[CalculationInput]
    result: NotRequired[QuantityData]
    holds: NotRequired[bool]
    difference: NotRequired[str]
    problem: NotRequired[str]
