"""Which operations there are, and what each of them needs.

The order of inputs matters: `difference`, `percentage_point_difference` and `ratio` take the first
minus, or by, the second; `percent_change`, `compound_annual_growth_rate` and `date_difference` go
from the first to the second; `share_of_total` takes the part, then the total; comparisons read
"first greater_than second".
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple, get_args

Operation = Literal[
    "sum", "difference", "product", "ratio", "percent_change", "percentage_point_difference",
    "average", "minimum", "maximum", "count", "compound_annual_growth_rate", "share_of_total",
    "unit_conversion", "scale_conversion", "date_difference", "date_addition", "greater_than",
    "greater_or_equal", "less_than", "less_or_equal", "equal", "between", "before", "after",
]  # fmt: skip

COMPARISONS = frozenset(
    ("greater_than", "greater_or_equal", "less_than", "less_or_equal", "equal", "between", "before",
     "after")
)  # fmt: skip
"""Operations whose value is "true" (also when none is given) or "false"."""


class Shape(NamedTuple):
    """How many inputs an operation takes (most 0: any number), and which parameters it must and may
    have. `instead` are parameters that stand for the inputs that `least` lacks."""

    least: int
    most: int
    must: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()
    instead: frozenset[str] = frozenset()


_ANY = Shape(2, 0)
_TWO = Shape(2, 2)
_THRESHOLD = Shape(2, 2, instead=frozenset(("threshold",)))
SHAPES: dict[str, Shape] = {
    "sum": _ANY, "product": _ANY, "average": _ANY, "minimum": _ANY, "maximum": _ANY,
    "count": Shape(1, 0),
    "difference": _TWO, "ratio": _TWO, "percent_change": _TWO, "percentage_point_difference": _TWO,
    "share_of_total": _TWO,
    "compound_annual_growth_rate": Shape(2, 2, must=frozenset(("periods",))),
    "unit_conversion": Shape(1, 1, must=frozenset(("unit",))),
    "scale_conversion": Shape(1, 1, must=frozenset(("scale",))),
    "date_difference": Shape(2, 2, may=frozenset(("unit",))),
    "date_addition": Shape(2, 2, instead=frozenset(("duration",))),
    "between": Shape(3, 3, instead=frozenset(("low", "high"))),
    **{name: _THRESHOLD for name in get_args(Operation) if name in COMPARISONS - {"between"}},
}  # fmt: skip


def shape_problem(operation: str, inputs: int, parameters: AbstractSet[str]) -> str | None:
    """What is wrong with an operation's number of inputs or its parameters; None if nothing."""
    shape = SHAPES[operation]
    least = shape.least
    instead = shape.instead & parameters
    if instead:
        if instead != shape.instead:
            return f"{operation} needs both of {', '.join(sorted(shape.instead))}"
        least -= len(instead)
        most = least
    else:
        most = shape.most
    if inputs < least or (most and inputs > most):
        wanted = f"{least}" if most == least else f"at least {least}"
        return f"{operation} takes {wanted} input(s), not {inputs}"
    missing = shape.must - parameters
    if missing:
        return f"{operation} needs the parameter {', '.join(sorted(missing))}"
    unknown = parameters - shape.must - shape.may - shape.instead
    if unknown:
        return f"{operation} has no parameter {', '.join(sorted(unknown))}"
    return None
