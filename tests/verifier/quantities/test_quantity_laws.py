"""Whatever is printed in a notation is read back, and no changed quantity is equal."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.quantities import GROUP_SPACE, Notation, Quantity, notation_of, parse_quantity
from verifier.quantities import quantities as read
from verifier.quantities.compare import compare

amounts = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places),
    st.integers(min_value=0, max_value=10**15),
    st.integers(min_value=0, max_value=4),
)


def grouped(digits: str, mark: str, indian: bool = False) -> str:
    """Whole digits in groups of three from the right; Indian ones in twos after the first three."""
    head, tail = digits[:-3], digits[-3:]
    size = 2 if indian else 3
    parts = [tail]
    while head:
        parts.append(head[-size:])
        head = head[:-size]
    return mark.join(reversed(parts))


def printed(number: Decimal, group: str, point: str, indian: bool = False) -> str:
    whole, _, decimals = format(number, "f").partition(".")
    return grouped(whole, group, indian) + (point + decimals if decimals else "")


NOTATIONS = {
    "english": (",", ".", False, Notation.POINT),
    "european": (".", ",", False, Notation.COMMA),
    "swiss": ("'", ".", False, Notation.POINT),
    "french": (GROUP_SPACE, ",", False, Notation.COMMA),
    "indian": (",", ".", True, Notation.POINT),
    "plain": ("", ".", False, Notation.POINT),
}
each_notation = pytest.mark.parametrize("name", NOTATIONS)


@each_notation
@given(number=amounts)
def test_a_number_is_read_back_in_its_notation(name: str, number: Decimal) -> None:
    """With the number of its decimals, alone and in a line."""
    group, point, indian, notation = NOTATIONS[name]
    text = printed(number, group, point, indian)
    found = parse_quantity(text, notation)
    assert found is not None
    assert (found.number, found.alternatives) == (number, ())
    assert found.places == max(0, -int(number.as_tuple().exponent))
    (again,) = read(f"a sum of {text} in all", notation)
    assert replace(again, start=0, end=0, digits_start=0, digits_end=0) == replace(
        found, start=0, end=0, digits_start=0, digits_end=0
    )


@each_notation
@given(number=amounts)
def test_a_number_of_unknown_notation_has_its_reading_among_all(name: str, number: Decimal) -> None:
    """What is printed is always among the readings, except one comma group, which is English."""
    group, point, indian, _ = NOTATIONS[name]
    text = printed(number, group, point, indian)
    found = parse_quantity(text)
    assert found is not None
    readings = {reading.number for reading in found.readings}
    single = text.count(",") == 1 and len(text.partition(",")[2]) == 3 and text[0] != "0"
    assert number in readings or (single and point == ",")


@given(
    number=amounts,
    negative=st.booleans(),
    scale=st.sampled_from(["", " thousand", " million", " billion", " trillion"]),
    currency=st.sampled_from(["", "$", "US$", "\u20ac", "\u00a3", "CHF ", "C$"]),
    bracket=st.booleans(),
)
def test_sign_currency_and_scale_are_read_back(
    number: Decimal, negative: bool, scale: str, currency: str, bracket: bool
) -> None:
    """In front, around and behind."""
    plain = printed(number, ",", ".")
    core = (
        f"{currency}({plain})"
        if negative and bracket
        else f"{'-' if negative else ''}{currency}{plain}"
    )
    found = parse_quantity(core + scale, Notation.POINT)
    year = (
        bracket and negative and plain.isdigit() and len(plain) == 4 and plain[:2] in ("19", "20")
    )
    assert found is not None
    assert found.number == number
    assert found.negative is (negative and not (year and not currency))
    assert found.size == number * Decimal(10) ** {
        "": 0, " thousand": 3, " million": 6, " billion": 9, " trillion": 12
    }[scale]  # fmt: skip


claims = st.builds(
    lambda number, sign, currency, scale, unit: (
        f"{sign}{currency}{printed(number, ',', '.')}{scale}{unit}"
    ),
    st.builds(lambda n, p: Decimal(n).scaleb(-p), st.integers(1, 10**7), st.integers(0, 3)),
    st.sampled_from(["", "-"]),
    st.sampled_from(["", "$", "\u20ac", "C$"]),
    st.sampled_from(["", " million", " billion"]),
    st.sampled_from([""]),
) | st.builds(
    lambda number, unit: f"{number}{unit}",
    st.integers(1, 10**4),
    st.sampled_from(["%", " percentage points", " basis points", " days", " months"]),
)


def quantity(text: str) -> Quantity:
    found = parse_quantity(text, Notation.POINT)
    assert found is not None
    return found


@given(text=claims)
def test_every_quantity_equals_itself(text: str) -> None:
    """And needs no rounding for it."""
    verdict = compare(quantity(text), quantity(text))
    assert (verdict.reason, verdict.rounded) == (None, False)


@given(text=claims, change=st.sampled_from(["sign", "currency", "scale", "unit", "digit"]))
def test_a_changed_quantity_is_never_equal(text: str, change: str) -> None:
    """Another sign, currency, scale, unit or digit; the reason names what was changed."""
    source = quantity(text)
    if change == "sign":
        claim, reason = replace(source, negative=not source.negative), "sign_mismatch"
    elif change == "currency":
        claim, reason = replace(source, currency="JPY"), "currency_mismatch"
        if source.unit:
            return
    elif change == "scale":
        claim = replace(source, scale=source.scale * 1000, scale_source="word")
        reason = "scale_mismatch"
    elif change == "unit":
        other = "basis points" if source.unit != "basis points" else "percent"
        claim, reason = replace(source, unit=other), "unit_mismatch"
    else:
        number = source.number + Decimal(1).scaleb(-source.places)
        claim, reason = replace(source, number=number), "value_mismatch"
    assert compare(claim, source).reason == reason


@given(source=amounts, places=st.integers(0, 3))
def test_only_the_rounding_to_the_claims_last_digit_passes(source: Decimal, places: int) -> None:
    """Of all claims with so many decimals near the source at most the nearest one is grounded."""
    here = quantity(format(source, "f"))
    step = Decimal(1).scaleb(-places)
    base = source.quantize(step)
    for around in range(-3, 4):
        number = base + around * step
        if number < 0:
            continue
        verdict = compare(quantity(format(number, "f")), here)
        if verdict.reason is None:
            assert abs(number - source) * 2 <= (step if verdict.rounded else 0)
            assert verdict.rounded is (number != source)


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("Sales were 1,234.56 in all.", Notation.POINT),
        ("Sales of 1,234,567 tonnes", Notation.POINT),
        ("A share of 12.5% and $ 7.25", Notation.POINT),
        ("Umsatz 1.234,56 und 1.234.567 Stück", Notation.COMMA),
        ("ein Anteil von 12,5 %", Notation.COMMA),
        ("un total de 1\u00a0234,5", Notation.COMMA),
        ("1,234.56 and 1.234,56", Notation.MIXED),
        ("1,234.56 " * 50 + "1.234,56", Notation.POINT),
        ("Section 4.2 of 1,234 and 1.234 in 2019", None),
        ("", None),
    ],
)
def test_a_text_tells_its_notation_by_what_can_be_read_in_one_way(
    text: str, notation: Notation | None
) -> None:
    """Section numbers and single groups tell nothing; one slip in many does not turn it."""
    assert notation_of([text]) == notation
