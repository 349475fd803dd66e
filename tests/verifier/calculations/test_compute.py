"""Operations on quantities: results, units, and what has no result."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.calculations import Undefined, compute, shape_problem
from verifier.calculations.compute import Given, Input
from verifier.calculations.measures import Measure, quantity_of
from verifier.quantities import parse_quantity
from verifier.quantities.dates import parse_period
from verifier.quantities.period import Period


def read(text: str) -> Input:
    """A quantity, or a date."""
    found: Input | None = parse_quantity(text) or parse_period(text)
    assert found is not None, text
    return found


def shown(result: Measure | Period | bool) -> str:
    if isinstance(result, bool):
        return str(result).lower()
    if isinstance(result, Period):
        return result.label
    q = quantity_of(result)
    scale = f"x{q.scale.adjusted()}" if q.scale != 1 else ""
    sign = "-" if q.negative else ""
    return " ".join(p for p in (f"{sign}{q.number}", scale, q.currency, q.unit) if p)


RESULTS = [
    ("sum", ["5", "6.5", "(2)"], {}, "9.5"),
    ("sum", ["$5 million", "$6 million"], {}, "11 x6 $"),
    ("sum", ["$5 million", "$600 thousand"], {}, "5600000 $"),
    ("sum", ["$5", "US$6"], {}, "11 USD"),
    ("sum", ["$ 5,079", "4,812"], {}, "9891 $"),
    ("sum", ["60%", "40%"], {}, "100 percent"),
    ("difference", ["18.4%", "16.9%"], {}, "1.5 percentage points"),
    ("difference", ["$5", "$6.5"], {}, "-1.5 $"),
    ("difference", ["3 percentage points", "1 percentage point"], {}, "2 percentage points"),
    ("percentage_point_difference", ["18.4%", "16.9%"], {}, "1.5 percentage points"),
    ("product", ["$5", "3"], {}, "15 $"),
    ("product", ["45%", "$200"], {}, "90 $"),
    ("product", ["50%", "50%"], {}, "25 percent"),
    ("ratio", ["$10 million", "$4 million"], {}, "2.5"),
    ("ratio", ["$10", "4"], {}, "2.5 $"),
    ("ratio", ["$10 million", "4"], {}, "2500000 $"),
    ("ratio", ["1", "3"], {}, "0.333333333333"),
    ("percent_change", ["$80", "$100"], {}, "25 percent"),
    ("percent_change", ["100", "80"], {}, "-20 percent"),
    ("percent_change", ["100", "(20)"], {}, "-120 percent"),
    ("average", ["5", "6", "10"], {}, "7"),
    ("average", ["$5 million", "$6 million"], {}, "5.5 x6 $"),
    ("minimum", ["5", "(6)", "10"], {}, "-6"),
    ("maximum", ["5 days", "6 days"], {}, "6 day"),
    ("count", ["$5", "6%", "2023"], {}, "3"),
    ("compound_annual_growth_rate", ["100", "121"], {"periods": 2}, "10 percent"),
    ("compound_annual_growth_rate", ["100", "200"], {"periods": 3}, "25.992104989487 percent"),
    ("compound_annual_growth_rate", ["100", "90"], {"periods": 1}, "-10 percent"),
    ("share_of_total", ["$25", "$200"], {}, "12.5 percent"),
    ("unit_conversion", ["5 km"], {"unit": "m"}, None),
    ("unit_conversion", ["5 km"], {"unit": "metres"}, "5000 metre"),
    ("unit_conversion", ["1 mile"], {"unit": "km"}, "1.609344 kilometre"),
    ("unit_conversion", ["2 years"], {"unit": "months"}, "24 month"),
    ("unit_conversion", ["2 weeks"], {"unit": "days"}, "14 day"),
    ("unit_conversion", ["150 bps"], {"unit": "percentage points"}, "1.5 percentage points"),
    ("unit_conversion", ["5 GWh"], {"unit": "MWh"}, "5000 megawatt hour"),
    ("scale_conversion", ["$5.5 billion"], {"scale": "million"}, "5500 x6 $"),
    ("scale_conversion", ["$5,500"], {"scale": "thousand"}, "5.5 x3 $"),
    ("date_difference", ["1 January 2023", "31 January 2023"], {}, "30 day"),
    ("date_difference", ["2024-02-01", "2024-03-01"], {}, "29 day"),
    ("date_difference", ["1 January 2023", "1 April 2023"], {"unit": "months"}, "3 month"),
    ("date_difference", ["1 January 2023", "1 January 2025"], {"unit": "year"}, "2 year"),
    ("date_difference", ["31 January 2023", "1 January 2023"], {}, "-30 day"),
    ("date_addition", ["1 January 2023"], {"duration": "30 days"}, "2023-01-31"),
    ("date_addition", ["1 January 2023", "thirty days"], {}, "2023-01-31"),
    ("date_addition", ["15 January 2023"], {"duration": "3 months"}, "2023-04-15"),
    ("date_addition", ["15 January 2023"], {"duration": "-2 weeks"}, "2023-01-01"),
    ("date_addition", ["29 February 2024"], {"duration": "4 years"}, "2028-02-29"),
    ("greater_than", ["$5 million", "$600 thousand"], {}, "true"),
    ("greater_than", ["5"], {"threshold": "5"}, "false"),
    ("greater_or_equal", ["5%"], {"threshold": "5%"}, "true"),
    ("less_than", ["(5)", "3"], {}, "true"),
    ("less_or_equal", ["5", "3"], {}, "false"),
    ("equal", ["$1.5 million", "$1,500,000"], {}, "true"),
    ("between", ["5"], {"low": "5", "high": "6"}, "true"),
    ("between", ["7", "5", "6"], {}, "false"),
    ("before", ["1 January 2023", "2 January 2023"], {}, "true"),
    ("after", ["2023-01-01"], {"threshold": "2 January 2023"}, "false"),
    ("between", ["15 January 2023"], {"low": "1 January 2023", "high": "31 January 2023"}, "true"),
    # No result
    ("sum", ["$5", "\u20ac6"], {}, None), ("sum", ["5%", "5"], {}, None),
    ("sum", ["5%", "5 percentage points"], {}, None), ("sum", ["$5 million", "6"], {}, None),
    ("sum", ["5 days", "5 months"], {}, None), ("difference", ["5%", "50 bps"], {}, None),
    ("percentage_point_difference", ["5", "6"], {}, None),
    ("percentage_point_difference", ["5%", "5 percentage points"], {}, None),
    ("product", ["$5", "$6"], {}, None), ("product", ["$5", "3 days"], {}, None),
    ("ratio", ["5", "0"], {}, None), ("ratio", ["$5", "\u20ac5"], {}, None),
    ("ratio", ["5%", "5"], {}, None), ("ratio", ["5", "5 days"], {}, None),
    ("percent_change", ["0", "5"], {}, None), ("percent_change", ["(5)", "5"], {}, None),
    ("percent_change", ["$5", "\u20ac6"], {}, None), ("average", ["$5", "\u20ac6"], {}, None),
    ("maximum", ["5%", "6"], {}, None),
    ("compound_annual_growth_rate", ["0", "5"], {"periods": 2}, None),
    ("compound_annual_growth_rate", ["5", "(5)"], {"periods": 2}, None),
    ("share_of_total", ["5", "0"], {}, None), ("share_of_total", ["5", "(10)"], {}, None),
    ("unit_conversion", ["5%"], {"unit": "percentage points"}, None),
    ("unit_conversion", ["30 days"], {"unit": "months"}, None),
    ("unit_conversion", ["5"], {"unit": "km"}, None),
    ("scale_conversion", ["5"], {"scale": "dozen"}, None),
    ("date_difference", ["5", "6"], {}, None),
    ("date_difference", ["May 2023", "2023-06-01"], {}, None),
    ("date_difference", ["03/04/2023", "2023-06-01"], {}, None),
    ("date_difference", ["1 January 2023", "2 April 2023"], {"unit": "months"}, None),
    ("date_addition", ["31 January 2023"], {"duration": "1 month"}, None),
    ("date_addition", ["29 February 2024"], {"duration": "1 year"}, None),
    ("date_addition", ["1 January 2023"], {"duration": "5"}, None),
    ("date_addition", ["1 January 2023"], {"duration": "5.5 days"}, None),
    ("greater_than", ["$5", "\u20ac4"], {}, None), ("greater_than", ["5%", "4"], {}, None),
    ("greater_than", ["1 January 2023", "2 January 2023"], {}, None),
    ("before", ["5", "6"], {}, None), ("sum", ["1.234", "5"], {}, None),
    ("sum", ["1st", "5"], {}, None),
    ("greater_than", ["5"], {"threshold": "many"}, None),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "inputs", "parameters", "wanted"), RESULTS)
def test_an_operation_has_one_result_or_none(
    operation: str, inputs: list[str], parameters: dict[str, object], wanted: str | None
) -> None:
    """Units are carried through; what does not go together is undefined, and says why."""
    given_parameters = Given(**parameters)  # type: ignore[arg-type]
    values = [read(text) for text in inputs]
    assert shape_problem(operation, len(inputs), frozenset(parameters)) is None
    if wanted is None:
        with pytest.raises(Undefined, match=r"\w+ \w+"):
            compute(operation, values, given_parameters)
    else:
        assert shown(compute(operation, values, given_parameters)) == wanted


@pytest.mark.parametrize(
    ("operation", "inputs", "parameters", "problem"),
    [
        ("sum", 1, set(), "at least 2"),
        ("difference", 3, set(), "takes 2"),
        ("ratio", 2, {"unit"}, "no parameter unit"),
        ("compound_annual_growth_rate", 2, set(), "needs the parameter periods"),
        ("greater_than", 1, set(), "takes 2"),
        ("greater_than", 2, {"threshold"}, "takes 1"),
        ("between", 1, {"low"}, "both of high, low"),
        ("date_addition", 2, {"duration"}, "takes 1"),
        ("count", 1, {"scale"}, "no parameter scale"),
    ],
)
def test_a_calculation_of_the_wrong_shape_is_named(
    operation: str, inputs: int, parameters: set[str], problem: str
) -> None:
    """Inputs and parameters are what the operation takes, no more and no less."""
    assert problem in (shape_problem(operation, inputs, parameters) or "")


whole = st.integers(-(10**9), 10**9)


@given(numbers=st.lists(whole, min_size=2, max_size=8))
def test_sums_are_exact_and_do_not_depend_on_the_order(numbers: list[int]) -> None:
    """No float is anywhere."""
    values: list[Input] = [read(f"{n}") for n in numbers]
    result = compute("sum", values)
    assert isinstance(result, Measure)
    assert result.value == sum(numbers)
    assert compute("sum", values[::-1]) == result
