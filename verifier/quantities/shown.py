"""Quantities and periods as a report shows them: strings and integers only."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from verifier.quantities.context import NO_CONTEXT, QuantityContext, Stated, in_context
from verifier.quantities.model import Quantity
from verifier.quantities.period import Period
from verifier.report_numbers import ContextStatement, QuantityData

_What = Literal["scale", "unit", "currency", "period", "sign"]


def decimal_text(value: Decimal) -> str:
    """A Decimal without exponent: 1E+3 is "1000"."""
    return format(value, "f")


def quantity_data(
    quantity: Quantity,
    period: Period | None = None,
    context: QuantityContext = NO_CONTEXT,
) -> QuantityData:
    """A quantity in its context, with all its readings."""
    quantity = in_context(quantity, context)
    data = _reading(quantity)
    if period is None and context.period is not None:
        period = context.period.value
    if period is not None:
        data["period"] = period.label
    if quantity.alternatives:
        data["other_readings"] = [_reading(other) for other in quantity.alternatives]
    stated = _stated(context)
    if stated:
        data["stated"] = stated
    return data


def period_data(period: Period) -> QuantityData:
    """A date or a period that is a claim's whole value."""
    data: QuantityData = {"period": period.label}
    if period.alternatives:
        data["other_readings"] = [{"period": other.label} for other in period.alternatives]
    return data


def _reading(quantity: Quantity) -> QuantityData:
    data: QuantityData = {
        "number": decimal_text(quantity.number),
        "sign": "negative" if quantity.negative else "positive",
        "precision": quantity.places,
    }
    if quantity.sign_source != "none":
        data["sign_source"] = quantity.sign_source
    if quantity.scale_source != "none":
        data["scale"] = decimal_text(quantity.scale)
        data["scale_source"] = quantity.scale_source
    if quantity.unit:
        data["unit"] = quantity.unit
    if quantity.currency:
        data["currency"] = quantity.currency
    if quantity.written != "digits":
        data["written"] = quantity.written
    return data


def _stated(context: QuantityContext) -> list[ContextStatement]:
    found: list[ContextStatement] = []
    every: tuple[tuple[_What, Stated[Any] | None], ...] = (
        ("scale", context.scale),
        ("unit", context.unit),
        ("currency", context.currency),
        ("period", context.period),
        ("sign", context.sign_rule),
    )
    for what, stated in every:
        if stated is not None:
            found.append({"what": what, "origin": stated.origin, "text": stated.text})
    return found
