"""Parts of claims about numbers: structured values, and what calculations are given."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from verifier.quantities.stated import StatedValue, stated_value

DecimalText = Annotated[str, Field(pattern=r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$")]


class ClosedModel(BaseModel):
    """A part of a request: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class StructuredValue(ClosedModel):
    """A number with what belongs to it. `scale`, `unit` and `currency` are words as texts have them
    ("million", "percent", "USD"), `period` a date or period ("Q3 2023"); `precision` counts the
    digits behind the decimal mark (by default those that are written)."""

    number: StrictInt | Decimal | DecimalText
    scale: StrictStr | None = None
    unit: StrictStr | None = None
    currency: StrictStr | None = None
    sign: Literal["positive", "negative"] | None = None
    period: StrictStr | None = None
    precision: StrictInt | None = None

    @model_validator(mode="after")
    def _known_words(self) -> StructuredValue:
        self.stated()
        return self

    def stated(self) -> StatedValue:
        """The quantity and the period. Raises ValueError for words that are unknown."""
        number = getattr(self.number, "written", None) or str(self.number)
        return stated_value(
            number,
            scale=self.scale,
            unit=self.unit,
            currency=self.currency,
            sign=self.sign,
            period=self.period,
            precision=self.precision,
        )

    @property
    def wording(self) -> str:
        """One line for people: "5.5 billion USD"."""
        parts = (str(self.number), self.scale, self.unit, self.currency, self.period)
        return " ".join(part for part in parts if part)


class Rounding(ClosedModel):
    """How a calculation's result is rounded before it is compared: to so many digits behind the
    decimal mark of the value's own scale."""

    places: StrictInt = Field(ge=-15, le=15)
    mode: Literal["half_up", "half_even", "down", "up"] = "half_up"


class Parameters(ClosedModel):
    """What an operation needs besides its inputs."""

    threshold: StrictStr | None = None
    """Of a comparison with one input: the value that it is compared with."""
    low: StrictStr | None = None
    high: StrictStr | None = None
    """Of `between`: both ends, which belong to it."""
    periods: StrictInt | None = Field(default=None, ge=1, le=1000)
    """Of `compound_annual_growth_rate`: years from the first input to the second."""
    unit: StrictStr | None = None
    scale: StrictStr | None = None
    """Of `unit_conversion` and `scale_conversion`: what is converted to."""
    duration: StrictStr | None = None
    """Of `date_addition` with one input: such as "30 days"; "-2 months" goes back."""
