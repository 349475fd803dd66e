"""A table of printed strings and what they say, checked by hand.

`shown` writes a reading as `number`, then x and the scale, the unit or currency, `~` and the source
of a sign; several readings of one token are joined by " or ", several tokens by "; ".
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from grounding.text import fold
from verifier.quantities import Notation, Quantity, number_text, parse_quantity, quantities
from verifier.quantities.cells import parse_cell

_SCALES = {3: "thousand", 5: "lakh", 6: "million", 7: "crore", 9: "billion", 12: "trillion"}


def shown(found: Quantity) -> str:
    """A quantity with all its readings, in one line."""
    return " or ".join(_reading(reading) for reading in found.readings)


def _reading(q: Quantity) -> str:
    parts = [f"{'-' if q.negative else ''}{q.number}"]
    if q.scale != 1:
        parts.append(f"x {_SCALES[q.scale.adjusted()]}")
    parts += [part for part in (q.currency, q.unit) if part]
    if q.sign_source not in ("none", "minus"):
        parts.append(f"~{q.sign_source}")
    return " ".join(parts)


def read(raw: str, notation: Notation | None = None) -> str:
    return "; ".join(shown(q) for q in quantities(number_text(fold(raw), raw), notation))


PLAIN = [
    ("5", "5"), ("1577", "1577"), ("007", "7"), ("0", "0"), (".5", "0.5"), ("0.50", "0.50"),
    ("12.5", "12.5"), ("1,577", "1577"), ("1,234,567", "1234567"), ("1,234.50", "1234.50"),
    ("1.234,56", "1234.56"), ("12.345.678", "12345678"), ("1.234.567,8", "1234567.8"),
    ("1'234.56", "1234.56"), ("12\u2019500", "12500"), ("1'234'567", "1234567"),
    ("1\u00a0234\u00a0567", "1234567"), ("1\u202f234,5", "1234.5"), ("12\u2009345", "12345"),
    ("12,34,567", "1234567"), ("1,23,45,678.90", "12345678.90"), ("0,001", "0.001"),
    ("12,5", "12.5"), ("1.2345", "1.2345"), ("0.125", "0.125"), ("1.234", "1.234 or 1234"),
    ("999.999", "999.999 or 999999"), ("１２３", "123"), ("1234,567", "1234.567"),
    ("1.2.3", ""), ("1,23,4", ""), ("5'10", ""), ("1..2", ""),
]  # fmt: skip
SIGNS = [
    ("-5", "-5"), ("\u22125", "-5"), ("\u20135", "-5"), ("- 5", "5"), ("+5", "5 ~plus"),
    ("(5)", "-5 ~parentheses"), ("( 5 )", "-5 ~parentheses"), ("(1,234)", "-1234 ~parentheses"),
    ("$(41.7)", "-41.7 $ ~parentheses"), ("$ (41.7)", "-41.7 $ ~parentheses"),
    ("($41.7)", "-41.7 $ ~parentheses"), ("-$5", "-5 $"), ("$-5", "-5 $"), ("-(5)", ""),
    ("(-5)", ""), ("$(41.7) million", "-41.7 x million $ ~parentheses"),
    ("$(41.7 million)", "-41.7 x million $ ~parentheses"),
    ("a fund ($41.7 million) was", "41.7 x million $"),
    ("minus 5", "-5 ~word"), ("negative 5 %", "-5 percent ~word"),
    ("(5.2)%", "-5.2 percent ~parentheses"), ("(5.2%)", "-5.2 percent ~parentheses"),
    ("in 1,234.50- ", "1234.50 or -1234.50 ~trailing_minus"), ("from 5- to", "5"),
    ("(2019)", "2019"), ("the act (1,999)", "-1999 ~parentheses"), ("page -6- of", "6"),
    ("5-10", "5; 10"), ("2019-2021", "2019; 2021"), ("A-5", ""), ("(5 of them)", "5"),
    ("5)", "5"), ("(see 5)", "5"), ("5% -3", "5 percent; -3"),
    ("(1) (2)", "-1 ~parentheses; -2 ~parentheses"),
]  # fmt: skip
MONEY = [
    ("$5", "5 $"), ("$ 5", "5 $"), ("US$5", "5 USD"), ("US$ 5", "5 USD"), ("U.S.$5", "5 USD"),
    ("USD 5", "5 USD"), ("5 USD", "5 USD"), ("5 dollars", "5 $"), ("5 US dollars", "5 USD"),
    ("5 U.S. dollars", "5 USD"), ("5 Canadian dollars", "5 CAD"), ("C$600", "600 CAD"),
    ("A$5", "5 AUD"), ("HK$5", "5 HKD"), ("R$ 5", "5 BRL"), ("\u20ac5", "5 EUR"),
    ("5 \u20ac", "5 EUR"), ("5\u20ac", "5 EUR"), ("EUR 5", "5 EUR"), ("5 euro", "5 EUR"),
    ("5 euros", "5 EUR"), ("\u00a35", "5 GBP"), ("5 pounds sterling", "5 GBP"), ("5 pounds", "5"),
    ("\u00a5500", "500 JPY"), ("500 yen", "500 JPY"), ("Rs. 500", "500 INR"),
    ("\u20b9500", "500 INR"),
    ("Rs 12,34,567", "1234567 INR"), ("RMB 5", "5 CNY"), ("CHF 12'345.60", "12345.60 CHF"),
    ("5 Swiss francs", "5 CHF"), ("\u20ac 5 \u20ac 6", "5 EUR; 6 EUR"), ("$ 5 $ 6", "5 $; 6 $"),
    ("KRW 5", "5 KRW"), ("MAX 5", "5"), ("eur 5", "5"), ("5 SEK a year", "5 SEK"),
    ("5 USD 6", "5; 6 USD"),
]  # fmt: skip
SCALED = [
    ("5 million", "5 x million"), ("5 Millions", "5 x million"),
    ("$5.5 billion", "5.5 x billion $"),
    ("5-million", "5 x million"), ("5 thousand", "5 x thousand"), ("5 trillion", "5 x trillion"),
    ("5 mn", "5 x million"), ("5mn", "5 x million"), ("5 bn", "5 x billion"),
    ("\u20ac5bn", "5 x billion EUR"), ("5 tn", "5 x trillion"), ("5 lakh", "5 x lakh"),
    ("Rs. 3.5 crore", "3.5 x crore INR"), ("\u20ac 5 Mio.", "5 x million EUR"),
    ("5 Mrd. \u20ac", "5 x billion EUR"), ("5 million euro", "5 x million EUR"),
    ("5 million U.S. dollars", "5 x million USD"), ("5 million tonnes", "5 x million tonne"),
    ("$5m", "5 x million $"), ("$5M", "5 x million $"), ("$5MM", "5 x million $"),
    ("$5k", "5 x thousand $"), ("$5B", "5 x billion $"), ("\u20ac 1.5 m", "1.5 x million EUR"),
    ("\u20ac 1.5 m.", "1.5 x million EUR"), ("$5 B", "5 x billion $ or 5 $"),
    ("1.5m", "1.5 x million or 1.5 metre"), ("1.5 m", "1.5 x million or 1.5 metre"),
    ("2mm", "2 x million or 2 millimetre"), ("10K", ""), ("5b", ""), ("747M", ""),
    ("5 to 6 million", "5 x million; 6 x million"),
    ("5\u20136 million", "5 x million; 6 x million"),
    ("$5 to $6 million", "5 x million $; 6 x million $"), ("$5 to 6", "5 $; 6"),
    ("5 millionaires", "5"), ("5 million.", "5 x million"), ("5.079 million", "5.079 x million"),
]  # fmt: skip
UNITS = [
    ("5%", "5 percent"), ("5 %", "5 percent"), ("5 percent", "5 percent"),
    ("5 per cent", "5 percent"),
    ("5 % points", "5 percentage points"), ("5 percentage points", "5 percentage points"),
    ("5 pp", "5 percentage points"), ("50 basis points", "50 basis points"),
    ("50 bps", "50 basis points"), ("50bps", "50 basis points"), ("5-6 %", "5 percent; 6 percent"),
    ("5 to 6 percent", "5 percent; 6 percent"), ("5 and 6 %", "5; 6 percent"),
    ("30 days", "30 day"), ("30-day", "30 day"), ("12 months", "12 month"), ("1 year", "1 year"),
    ("thirty (30) days", "30 day"), ("thirty (35) days", "35 day or 30 day"),
    ("thirty days", "30 day"), ("Forty-five days", "45 day"),
    ("one hundred and five days", "105 day"),
    ("five percent", "5 percent"), ("two million dollars", "2 x million $"),
    ("two thousand five hundred dollars", "2500 $"), ("thirty things", ""), ("done deal", ""),
    ("30 business days", "30"), ("2 to 3 years", "2 year; 3 year"), ("12.5x", "12.5 times"),
    ("5 km", "5 kilometre"), ("5km", "5 kilometre"), ("20 MWh", "20 megawatt hour"),
    ("7 kg", "7 kilogram"), ("1,000 square feet", "1000 square foot"), ("90 barrels", "90 barrel"),
    ("5 percentiles", "5"), ("1 1/2 cups", "1.5"), ("1\u00bd %", "1.5 percent"), ("\u00bd", "0.5"),
    ("3 3/8 inches", "3.375 inch"), ("1/2 %", "0.5 percent"), ("1/2", ""), ("2 1/3", ""),
    ("\u2153", ""),
    ("1st", "1 ordinal"), ("30th day", "30 ordinal"), ("2nd", "2 ordinal"),
]  # fmt: skip
NO_NUMBERS = [
    ("COVID-19", ""), ("Form 10-K", ""), ("F-4", ""), ("401(k)", ""), ("Section 4(2)", "4"),
    ("12-34-56", ""), ("333-55943", ""), ("10:30", ""), ("1/2/2023", ""), ("2023-12-31", ""),
    ("31.12.2023", ""), ("v1.2.3", ""), ("#5", ""), ("A5", ""), ("5A", ""), ("x@5", ""),
    ("H2O", ""), ("5\ufffc6", ""), ("\ufffc5", ""), ("5.\ufffc", ""), ("5,\ufffc6", ""),
    ("5\ufffc million", ""), ("http://a/5/b", ""), ("5_6", ""), ("1" * 61, ""),
]  # fmt: skip
TABLE = [*PLAIN, *SIGNS, *MONEY, *SCALED, *UNITS, *NO_NUMBERS]


def test_the_table_is_long_enough() -> None:
    """At least 150 strings, none twice."""
    assert len({raw for raw, _ in TABLE}) == len(TABLE) >= 150


@pytest.mark.parametrize(("raw", "readings"), TABLE, ids=[repr(raw) for raw, _ in TABLE])
def test_a_string_is_read_as_what_it_says(raw: str, readings: str) -> None:
    """Alone, and with words around it."""
    assert read(raw) == readings
    if not raw.endswith(" ") and raw not in ("5)", "x@5"):
        assert read(f"so {raw}\nThen") == readings


LINES = [
    ("5,144\n% to Sales", "5144"), ("20 27 31\nYear-over-year", "20; 27; 31"), ("12\nMonths", "12"),
    ("$1,577\nmillion", "1577 x million $"), ("for 30\ndays", "30 day"), ("$\n5,079", "5079 $"),
    ("5 million\nU.S. dollars", "5 x million USD"), ("thirty\n(30) days", "30 day"),
    ("forty\nfive days", "45 day"), ("5 to\n6 million", "5 x million; 6 x million"),
    ("12\npercent", "12 percent"), ("5\nEUR", "5"), ("minus\n5", "-5 ~word"), ("5\n\u20ac", "5"),
    ("5\n(6)", "5; -6 ~parentheses"),
    ("one million six hundred thousand ($1,600,000)", "1600000 $"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "readings"), LINES)
def test_over_a_lines_end_only_a_sentence_goes_on(raw: str, readings: str) -> None:
    """A word in small letters belongs to the number before; a sign or a capital begins a row."""
    assert read(raw) == readings


WHOLE = [
    ("1 234 567", "1234567"), ("\u20ac 1 234,56", "1234.56 EUR"), ("1 234 567 EUR", "1234567 EUR"),
    ("1,234-", "-1234 ~trailing_minus"), ("5-", "-5 ~trailing_minus"),
    ("(41.7 million)", "-41.7 x million ~parentheses"), ("thirty days", "30 day"),
    ("$5.079 billion", "5.079 x billion $"), ("1.234", "1.234 or 1234"), (" 5 % ", "5 percent"),
    ("12 34 567", None), ("5 6", None), ("5 apples", None), ("about 5", None), ("(5", None),
    ("", None), ("five things", None), ("nil", None), ("-", None), ("$", None),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "reading"), WHOLE)
def test_a_claim_is_one_quantity_or_none(raw: str, reading: str | None) -> None:
    """In a text that is nothing else, spaces group and a minus may trail."""
    found = parse_quantity(number_text(fold(raw), raw))
    assert (shown(found) if found else None) == reading


@pytest.mark.parametrize(
    ("raw", "reading"),
    [
        ("-", "0"), ("\u2014", "0"), ("$ \u2014", "0 $"), ("nil", "0"), ("Nil", "0"),
        ("- %", "0 percent"),
        ("--", "0"), ("", None), ("n/a", None), ("n.m.", None), ("*", None), ("- -", None),
        ("5", "5"), ("$ (1,234)", "-1234 $ ~parentheses"), ("5 -", None), ("nil in all", None),
    ],
)  # fmt: skip
def test_a_dash_is_zero_only_when_a_cell_is_nothing_else(raw: str, reading: str | None) -> None:
    """A blank cell stays blank, and a mark for "not applicable" is no number."""
    found = parse_cell(fold(raw).text)
    assert (shown(found) if found else None) == reading
    if reading == "0":
        assert found is not None
        assert found.written == "zero_mark"


@pytest.mark.parametrize(
    ("raw", "unknown", "point", "comma", "mixed"),
    [
        ("1.234", "1.234 or 1234", "1.234", "1234", "1.234 or 1234"),
        ("1,234", "1234", "1234", "1.234", "1234 or 1.234"),
        ("1,234.5", "1234.5", "1234.5", "1234.5", "1234.5"),
        ("1.234,5", "1234.5", "1234.5", "1234.5", "1234.5"),
        ("0,001", "0.001", "0.001", "0.001", "0.001"),
    ],
)
def test_the_documents_notation_decides_what_a_number_alone_does_not(
    raw: str, unknown: str, point: str, comma: str, mixed: str
) -> None:
    """One group behind a mark is a thousand here and a decimal there."""
    for notation, reading in zip((None, *Notation), (unknown, point, comma, mixed), strict=True):
        assert read(raw, notation) == reading


@pytest.mark.parametrize("raw", [raw for raw, readings in TABLE if readings])
def test_a_token_knows_where_it_stands(raw: str) -> None:
    """`start` to `end` is the whole token, `digits` its number, exactly as printed."""
    text = f"so {number_text(fold(raw), raw)} then"
    for found in quantities(text):
        assert text[found.start : found.end] == found.printed
        assert text[found.digits_start : found.digits_end] == found.digits
        assert found.start <= found.digits_start < found.digits_end <= found.end


@pytest.mark.parametrize(
    ("raw", "places", "step"),
    [("5", 0, "1"), ("5.0", 1, "0.1"), ("85.19", 2, "0.01"), ("8,000", 0, "1"),
     ("$8.2 billion", 1, "100000000"), ("1 1/2", 1, "0.1"), ("1.234,50", 2, "0.01")],
)  # fmt: skip
def test_precision_is_the_place_of_the_last_printed_digit(raw: str, places: int, step: str) -> None:
    """Zeros count: 5.0 is more precise than 5."""
    (found,) = quantities(raw)
    assert (found.places, found.step) == (places, Decimal(step))


@pytest.mark.parametrize(
    ("raw", "readings"),
    [
        ("two-thirds (66.7%) of the members", "66.7 percent"),
        ("a minority (12) of the banks", "12"),
        ("net (12) of the banks", "-12 ~parentheses or 12"),
        ("a loss of $(12) in May", "-12 $ ~parentheses"),
        ("Costs (12) (14)", "-12 ~parentheses; -14 ~parentheses"),
        ("5 kg/m", "5"), ("5 kg", "5 kilogram"), ("\u2212 51.3", "-51.3"),
        ("5 Tsd. EUR", "5 x thousand EUR"),
    ],
)  # fmt: skip
def test_a_bracket_or_unit_is_read_by_what_stands_around_it(raw: str, readings: str) -> None:
    """A bracket is a minus in a row and beside a currency sign; a unit that goes on is unknown."""
    assert read(raw) == readings


def test_spaces_group_no_digits_where_commas_do() -> None:
    """Cells parted by no-break spaces stay numbers of their own; elsewhere spaces group."""
    raw = "665\u00a0619\u00a0595"
    apart = quantities(number_text(fold(raw), raw, spaces=False))
    assert [q.number for q in apart] == [665, 619, 595]
    assert [q.number for q in quantities(number_text(fold(raw), raw))] == [665619595]
    plain = quantities(number_text(fold("12 345 units"), "12 345 units", spaces=True))
    assert {r.number for r in plain[0].readings} == {12345, 12, 345}
