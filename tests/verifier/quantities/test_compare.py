"""Whether a source's number is the claim's: reasons, rounding, ambiguity, context."""

from __future__ import annotations

import pytest

from grounding.text import fold
from verifier.quantities import Quantity, number_text
from verifier.quantities.cells import parse_cell
from verifier.quantities.compare import compare, period_reason
from verifier.quantities.context import context_of, statement_of
from verifier.quantities.dates import parse_period, periods
from verifier.quantities.period import same_period


def quantity(raw: str) -> Quantity:
    found = parse_cell(number_text(fold(raw), raw).strip())
    assert found is not None, raw
    return found


ROUNDED = "rounded"
PAIRS = [
    # J5: only what the claim's own precision explains
    ("85", "85.19", ROUNDED), ("85.2", "85.19", ROUNDED), ("85.19", "85.19", ""),
    ("85.190", "85.19", "value_ambiguous"), ("85.1", "85.19", "value_mismatch"),
    ("86", "85.19", "value_mismatch"),
    ("14", "10", "value_mismatch"), ("8,000", "8,234", "value_mismatch"),
    ("8,200", "8,234", "value_mismatch"), ("8,234", "8,234", ""), ("8,234", "8234", ""),
    ("$8.2 billion", "$8,234 million", ROUNDED), ("$8 billion", "$8,234 million", ROUNDED),
    ("$8.3 billion", "$8,234 million", "value_mismatch"), ("8.2 thousand", "8,234", ROUNDED),
    ("$8.234 billion", "$8,234 million", ""), ("$8.2340 billion", "$8,234 million", ""),
    ("12", "12.5", "value_mismatch"), ("13", "12.5", ROUNDED), ("12.50", "12.5", ""),
    ("8", "8.4", "value_mismatch"), ("5%", "5.2%", ROUNDED), ("0", "0.4", "value_mismatch"),
    ("0%", "0.4%", "value_mismatch"), ("85.19", "85", "value_mismatch"),
    ("85", "85.19%", ROUNDED), ("$85", "$85.19", ROUNDED),
    ("-85", "85.19", "sign_mismatch"), ("(85)", "(85.19)", ROUNDED),
    # Signs, units, currencies, scales
    ("41.7", "(41.7)", "sign_mismatch"), ("-41.7", "(41.7)", ""), ("(41.7)", "\u221241.7", ""),
    ("45 bps", "45%", "unit_mismatch"), ("45%", "45 percentage points", "unit_mismatch"),
    ("45", "45%", ""), ("45%", "45", "unit_mismatch"), ("50 bps", "0.5%", "value_mismatch"),
    ("12 months", "1 year", "value_mismatch"), ("30 days", "30 months", "unit_mismatch"),
    ("30 days", "thirty days", ""), ("30", "30th", "unit_mismatch"), ("30th", "30th", ""),
    ("$90", "\u20ac90", "currency_mismatch"), ("$90", "US$90", ""),
    ("$90", "C$90", "currency_mismatch"),
    ("$90", "90", "currency_mismatch"), ("90", "$90", ""), ("5 million", "5%", "unit_mismatch"),
    ("$5.5", "$5.5 billion", "scale_mismatch"), ("5.5", "$5.5 billion", ""),
    ("$5.5 million", "$5.5 billion", "scale_mismatch"), ("5,500,000", "5.5 million", ""),
    ("0", "\u2014", ""), ("1", "\u2014", "value_mismatch"), ("$0", "$ -", ""),
    # Ambiguity: never one of two readings
    ("1.234", "1.234", ""), ("1,234", "1.234", "value_ambiguous"),
    ("1234", "1.234", "value_ambiguous"),
    ("1.2340", "1.234", "value_ambiguous"), ("1", "1.234", "value_mismatch"),
    ("12", "12.345", "value_ambiguous"), ("1.234", "1.234,00", "value_ambiguous"),
    ("1235", "1.234", "value_mismatch"), ("$1.5 million", "$1.5m", ""),
    ("1.5 million", "1.5m", "value_ambiguous"), ("1.5m", "1.5m", ""), ("1.5", "1.5m", ""),
    ("30 days", "thirty (35) days", "value_ambiguous"),
    ("35 days", "thirty (35) days", "value_ambiguous"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "source", "wanted"), PAIRS)
def test_two_quantities_compare(claim: str, source: str, wanted: str) -> None:
    """Equal, rounded, or different for one reason."""
    if source == "thirty (35) days":
        from verifier.quantities import quantities

        (there,) = quantities(source)
    else:
        there = quantity(source)
    verdict = compare(quantity(claim), there)
    assert (verdict.reason or (ROUNDED if verdict.rounded else "")) == wanted


def test_rounding_can_be_forbidden() -> None:
    """Then a coarser number is another one."""
    verdict = compare(quantity("85"), quantity("85.19"), rounding=False)
    assert verdict.reason == "value_mismatch"


STATEMENTS = [
    ("(in millions, except per share data)", "1E+6", "", "", True),
    ("(amounts in millions of euro)", "1E+6", "EUR", "", False),
    ("$ in thousands", "1E+3", "$", "", False),
    ("in thousands of U.S. dollars", "1E+3", "USD", "", False),
    ("(Dollars in billions)", "1E+9", "$", "", False),
    ("Rs. in lakhs", "1E+5", "INR", "", False),
    ("in \u20acm", "1E+6", "EUR", "", False),
    ("EUR million", "1E+6", "EUR", "", False),
    ("% of net sales", "", "", "percent", False),
    ("(in %)", "", "", "percent", False),
    ("(US$'000)", "1E+3", "USD", "", False),
    ("$000", "1E+3", "$", "", False),
    ("\u00a3m", "1E+6", "GBP", "", False),
    ("Amounts in millions of Canadian dollars", "1E+6", "CAD", "", False),
    ("(in thousands, except share and per share amounts)", "1E+3", "", "", True),
    ("(\u20b9 in crore)", "1E+7", "INR", "", False),
    ("KRW in billions", "1E+9", "KRW", "", False),
    ("in thousands of shares and millions of euro", "1E+3 1E+6", "EUR", "", False),
    ("(unaudited)", "", "", "", False),
    ("Three Months Ended June 30, 2023", "", "", "", False),
    ("Years in office", "", "", "", False),
    ("", "", "", "", False),
]


@pytest.mark.parametrize(("text", "scales", "currency", "unit", "per_share"), STATEMENTS)
def test_a_statement_is_read(
    text: str, scales: str, currency: str, unit: str, per_share: bool
) -> None:
    """Scale, currency, unit and exceptions, in the wordings that filings use."""
    said = statement_of(text)
    assert " ".join(str(s.normalize()) for s in said.scales) == scales
    assert " ".join(said.currencies) == currency
    assert (said.unit, said.excepts_per_share) == (unit, per_share)


MILLIONS = "(in millions of U.S. dollars, except per share data)"
CELLS = [
    (MILLIONS, "Net sales", "5,079", "5,079", ""),
    (MILLIONS, "Net sales", "5,079", "$5,079 million", ""),
    (MILLIONS, "Net sales", "5,079", "$5.079 billion", ""),
    (MILLIONS, "Net sales", "5,079", "$5.08 billion", ROUNDED),
    (MILLIONS, "Net sales", "5,079", "$5,079,000,000", ""),
    (MILLIONS, "Net sales", "5,079", "$5,079 thousand", "scale_mismatch"),
    (MILLIONS, "Net sales", "5,079", "$5,079", "scale_mismatch"),
    (MILLIONS, "Net sales", "5,079", "5,079 million euro", "currency_mismatch"),
    (MILLIONS, "Net sales", "5,079", "(5,079)", "sign_mismatch"),
    (MILLIONS, "Net sales", "5,079", "5,079%", "unit_mismatch"),
    (MILLIONS, "Net sales", "\u2014", "$0", ""),
    (MILLIONS, "Diluted earnings per share", "1.25", "$1.25", ""),
    (MILLIONS, "Diluted earnings per share", "1.25", "$1.25 million", "scale_mismatch"),
    ("(in millions)", "Earnings per share", "1.25", "1.25", ""),
    ("(in millions)", "Earnings per share", "1.25", "1.25 million", "value_ambiguous"),
    ("(in millions of euro)", "Result", "(41.7)", "-41.7 million euro", ""),
    ("(in millions of euro)", "Result", "(41.7)", "41.7 million euro", "sign_mismatch"),
    ("(in millions of euro)", "Result", "(41.7)", "-41.7 thousand euro", "scale_mismatch"),
    ("(in millions of euro)", "Result", "41.7%", "41.7%", ""),
    ("(in millions of euro)", "Result", "41.7 thousand", "41.7 thousand euro", ""),
    ("$ in thousands", "Weighted shares", "5,079", "5,079 thousand", "value_ambiguous"),
    ("(in thousands, except share data)", "Weighted shares", "5,079", "5,079 thousand",
     "scale_mismatch"),
    ("% of net sales", "Cost", "41.7", "41.7%", ""),
    ("% of net sales", "Cost", "41.7", "41.7 million", "unit_mismatch"),
    ("in thousands of shares and millions of euro", "Cost", "41.7", "41.7 million euro",
     "value_ambiguous"),
    ("(in millions of Canadian dollars)", "Cost", "$5", "C$5 million", ""),
    ("(in millions of Canadian dollars)", "Cost", "$5", "US$5 million", "currency_mismatch"),
    ("", "Cost", "5,079", "5,079 million", "scale_mismatch"),
    ("(in millions)", "Net loss", "41.7", "-41.7 million", ""),
    ("(in millions)", "Net loss", "41.7", "41.7 million", ""),
    ("(in millions)", "Net income (loss)", "41.7", "-41.7 million", "sign_mismatch"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "label", "cell", "claim", "wanted"), CELLS)
def test_a_cell_is_compared_in_its_context(
    statement: str, label: str, cell: str, claim: str, wanted: str
) -> None:
    """What the page states holds for the cell unless it, or its row, is excepted."""
    verdict = compare(quantity(claim), quantity(cell), context_of(["2023"], [label], "", statement))
    assert (verdict.reason or (ROUNDED if verdict.rounded else "")) == wanted


def test_the_nearest_statement_holds() -> None:
    """Row before column before caption before page; each says where it was said."""
    said = context_of(["(in thousands)", "2023"], ["Ships"], "in millions of euro", "US$ billion")
    assert said.scale is not None
    assert (said.scale.value, said.scale.origin, said.scale.text) == (
        1000, "column_header", "(in thousands)"
    )  # fmt: skip
    assert said.currency is not None
    assert (said.currency.value, said.currency.origin) == ("EUR", "caption")
    row = context_of(["(in thousands)"], ["Ships (in millions)"], "", "")
    assert row.scale is not None
    assert (row.scale.value, row.scale.origin) == (10**6, "row_label")


@pytest.mark.parametrize(
    ("headers", "caption", "claim", "reason"),
    [
        (["Year Ended December 31,", "2023"], "", "2023", None),
        (["Year Ended December 31,", "2023"], "", "FY2023", None),
        (["Year Ended December 31,", "2023"], "", "2022", "period_mismatch"),
        (["Three Months Ended June 30,", "2023"], "", "Q2 2023", None),
        (["Three Months Ended June 30,", "2023"], "", "Q3 2023", "period_mismatch"),
        (["Three Months Ended June 30,", "2023"], "", "2023", "period_mismatch"),
        (["Fiscal 2023"], "", "2023", None),
        (["2023"], "", "fiscal 2022", "period_mismatch"),
        (["December 31, 2023"], "", "2023-12-31", None),
        (["December 31, 2023"], "", "31 December 2023", None),
        (["Change"], "Sales in fiscal 2023", "FY2023", None),
        (["2023", "2022"], "", "2023", "value_ambiguous"),
        (["Change"], "", "2023", "period_mismatch"),
        (["Year ended January 28, 2023"], "", "fiscal 2022", "value_ambiguous"),
        (["Q2 fiscal 2023"], "", "Q2 2023", "value_ambiguous"),
    ],
)
def test_a_period_is_told_from_another(
    headers: list[str], caption: str, claim: str, reason: str | None
) -> None:
    """The column's header decides; what cannot be told is not guessed."""
    period = parse_period(claim)
    assert period is not None
    assert period_reason(period, context_of(headers, ["Net sales"], caption)) == reason


DATES = [
    ("31 December 2023", "2023-12-31"), ("December 31, 2023", "2023-12-31"),
    ("Dec. 31, 2023", "2023-12-31"), ("31st of December 2023", "2023-12-31"),
    ("2023-12-31", "2023-12-31"), ("31.12.2023", "2023-12-31"), ("13/04/2023", "2023-04-13"),
    ("04/13/2023", "2023-04-13"), ("03/04/2023", "2023-03-04 2023-04-03"),
    ("03/03/2023", "2023-03-03"),
    ("December 2023", "2023-12"), ("Q3 2023", "2023-Q3"), ("third quarter of 2023", "2023-Q3"),
    ("third quarter of fiscal 2023", "FY2023-Q3"), ("Q3 FY2023", "FY2023-Q3"),
    ("H1 2023", "2023-H1"),
    ("first half of 2023", "2023-H1"), ("FY2023", "FY2023"), ("FY23", "FY2023"),
    ("fiscal 2023", "FY2023"), ("fiscal year 2023", "FY2023"), ("2023", "2023"),
    ("year ended December 31, 2023", "P12M/2023-12-31"),
    ("Three Months Ended June 30, 2023", "P3M/2023-06-30"),
    ("13 weeks ended July 29, 2023", "P3M/2023-07-29"), ("2021-2023", "2021/2023"),
    ("1 January 2023 to 31 March 2023", "2023-01-01/2023-03-31"), ("February 30, 2023", None),
    ("99.99.2023", None), ("1/2", None), ("31 December", None), ("May", None), ("2023-2021", None),
    ("1 January 2023 and 2 January 2023", None), ("Q5 2023", None), ("2023.5", None),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "labels"), DATES)
def test_a_date_or_period_is_named(raw: str, labels: str | None) -> None:
    """In one canonical form; a date of two readings keeps both."""
    found = parse_period(raw)
    assert (" ".join(r.label for r in found.readings) if found else None) == labels


def test_dates_of_a_text_are_found_where_they_stand() -> None:
    """The longest name at each place, exactly as printed."""
    text = (
        "In the year ended December 31, 2023 and at June 30, 2022 (Q2 2022), 1.12.2023 or 5/6/2023."
    )
    found = periods(text)
    assert [text[p.start : p.end] for p in found] == [
        "year ended December 31, 2023", "June 30, 2022", "Q2 2022", "1.12.2023", "5/6/2023",
    ]  # fmt: skip
    assert periods("at June 30, 20\ufffc22, at 1.2.2023\ufffc") == []


def test_a_period_is_the_same_under_both_its_names() -> None:
    """Whether it can be told does not depend on the side."""
    names = ["2023", "FY2023", "Q2 2023", "Q2 FY2023", "June 2023", "2023-12-31", "2023-06-30",
             "year ended December 31, 2023", "three months ended June 30, 2023"]  # fmt: skip
    read = [p for p in map(parse_period, names) if p is not None]
    assert len(read) == len(names)
    for one in read:
        assert same_period(one, one) is True
        for other in read:
            assert same_period(one, other) == same_period(other, one)


@pytest.mark.parametrize(
    ("label", "caption", "claim", "grounded"),
    [
        ("Net sales", "(in millions)", "812 million", True),
        ("Number of stores", "(in millions)", "812 million", False),
        ("Number of stores", "(in millions)", "812", True),
        ("Debt to equity", "(in millions)", "812 million", False),
        ("Plants", "(in millions, except ratios and number of plants)", "812 million", False),
        ("Basic", "($ in millions)", "$812 million", False),
    ],
)
def test_a_caption_gives_no_scale_to_rows_that_are_no_amounts(
    label: str, caption: str, claim: str, grounded: bool
) -> None:
    """Counts and ratios, and what the exception names."""
    context = context_of(["2023"], [label], caption)
    verdict = compare(quantity(claim), quantity("812"), context)
    assert verdict.equal is grounded


@pytest.mark.parametrize(
    ("headers", "label"), [(["2022", "Q2 Amount"], "Sales"), (["2022"], "Second Quarter")]
)
def test_a_quarter_beside_a_year_is_that_quarter(headers: list[str], label: str) -> None:
    """In the header or the row's label; the whole year is another period."""
    context = context_of(headers, [label])
    assert period_reason(parse_period("Q2 2022"), context) is None
    assert period_reason(parse_period("2022"), context) == "period_mismatch"
