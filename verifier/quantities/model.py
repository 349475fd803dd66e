"""What a number in a text is: size, sign, scale, unit, currency, precision, and where it stands.

All arithmetic is Decimal in a context wide enough to be exact for the longest number that is read
(60 digits times a scale), so nothing is ever rounded by accident.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Context, Decimal
from typing import Literal

EXACT = Context(prec=200)
"""Exact for products and sums of everything that the tokenizer reads."""

MOST_DIGITS = 60
"""A longer run of digits is no amount."""

ONE = Decimal(1)

SignSource = Literal[
    "none", "plus", "minus", "parentheses", "trailing_minus", "word", "label", "stated"
]
"""What made a number negative, or `plus` for a printed plus. `label`: a rule about the row's label;
`stated`: the key `sign` of a structured claim."""

ScaleSource = Literal["none", "word", "letter", "range", "context", "stated"]
"""Where a scale comes from; `range`: it stands at the other end of a range."""

Written = Literal["digits", "words", "fraction", "zero_mark", "ordinal"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as printed. `number` is its size without sign and scale; `start` and `end` are the
    token's range in the text it was read from; `digits` is the number as printed, in the range
    [`digits_start`, `digits_end`). `places` counts the digits behind the decimal mark.

    `alternatives` holds the other readings of an ambiguous token: it is never guessed which one is
    meant, and the one in front is only the first."""

    number: Decimal
    negative: bool
    scale: Decimal
    currency: str
    unit: str
    start: int
    end: int
    digits: str
    digits_start: int
    digits_end: int
    places: int = 0
    printed: str = ""
    sign_source: SignSource = "none"
    scale_source: ScaleSource = "none"
    written: Written = "digits"
    alternatives: tuple[Quantity, ...] = ()

    @property
    def total(self) -> Decimal:
        """Signed value with its scale applied, exact."""
        value = EXACT.multiply(self.number, self.scale)
        return -value if self.negative else value

    @property
    def size(self) -> Decimal:
        """`total` without the sign."""
        return EXACT.multiply(self.number, self.scale)

    @property
    def step(self) -> Decimal:
        """The worth of one unit of the last printed digit, scale applied."""
        return EXACT.multiply(ONE.scaleb(-self.places), self.scale)

    @property
    def bare(self) -> bool:
        """Whether it states a number and nothing else: no scale, unit or currency."""
        return not (self.currency or self.unit) and self.scale_source == "none"

    @property
    def readings(self) -> tuple[Quantity, ...]:
        """All readings, the first one first."""
        if not self.alternatives:
            return (self,)
        return (replace(self, alternatives=()), *self.alternatives)


def significant_digits(quantity: Quantity) -> int:
    """Digits of a printed number from the first that is not zero."""
    return len("".join(c for c in quantity.digits if c.isdigit()).lstrip("0"))
