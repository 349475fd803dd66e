"""Calculations: the claimed result is recomputed from grounded checks of the same request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal

from grounding.text import fold
from verifier.calculations.compute import Given, Result, compute
from verifier.calculations.measures import PRECISE, Measure, Undefined, quantity_of
from verifier.checks.numbers import LONGEST
from verifier.checks.outcome import CheckContext, Outcome
from verifier.claims import Claim
from verifier.codes import Status
from verifier.quantities import Quantity, number_text, parse_quantity
from verifier.quantities.dates import parse_period
from verifier.quantities.model import EXACT, ONE
from verifier.quantities.period import Period
from verifier.quantities.shown import decimal_text, period_data, quantity_data
from verifier.quantities.units import RATIOS, same_currency
from verifier.report_numbers import CalculationData, CalculationInput
from verifier.structured import StructuredValue

_MODES = {
    "half_up": ROUND_HALF_UP,
    "half_even": ROUND_HALF_EVEN,
    "down": ROUND_DOWN,
    "up": ROUND_UP,
}
_OF_DIFFERENT_NUMBERS = frozenset(("sum", "average", "count"))
"""Operations whose inputs are different things: one number counted twice is none of them."""
_PASSED_ON: tuple[Status, ...] = ("stale", "capability_blocked", "error")
"""Statuses that mean "I cannot tell", worst first: what stands on them cannot be told either."""


def check_calculation(
    claim: Claim, inputs: Sequence[tuple[str, Outcome]], context: CheckContext
) -> Outcome:
    """The verdict on a calculation, given the ids and outcomes of its inputs' checks."""
    assert claim.operation is not None
    data: CalculationData = {"operation": claim.operation, "inputs": []}
    outcome = Outcome("grounded", method="recomputed", calculation=data, occurrences=1)
    measured: list[Quantity | Period] = []
    for check_id, made in inputs:
        if made.grounded and made.measured is not None:
            measured.append(made.measured)
            data["inputs"].append(_input(check_id, made.measured))
    if len(measured) < len(inputs):
        return _ungrounded(outcome, inputs)
    if claim.operation in _OF_DIFFERENT_NUMBERS and (twice := _counted_twice(inputs)):
        data["problem"] = f"the same printed number twice: {', '.join(twice)}"
        return _failed(outcome, "calculation_input_not_grounded")
    try:
        result = compute(claim.operation, measured, _given(claim))
    except Undefined as undefined:
        data["problem"] = str(undefined)
        return _failed(outcome, "calculation_undefined")
    return _judge(claim, result, outcome, context)


def _counted_twice(inputs: Sequence[tuple[str, Outcome]]) -> list[str]:
    """Inputs that stand on a number of the document on which an earlier input stands, too."""
    seen: set[tuple[int, int]] = set()
    twice = []
    for check_id, made in inputs:
        if any(a < d and c < b for a, b in made.ranges for c, d in seen):
            twice.append(check_id)
        seen.update(made.ranges)
    return twice


def _input(check_id: str, measured: Quantity | Period) -> CalculationInput:
    shown = period_data(measured) if isinstance(measured, Period) else quantity_data(measured)
    return {"check_id": check_id, "quantity": shown}


def _given(claim: Claim) -> Given:
    if claim.parameters is None:
        return Given()
    return Given(**{f.name: getattr(claim.parameters, f.name) for f in fields(Given)})


def _failed(outcome: Outcome, reason: str) -> Outcome:
    outcome.status, outcome.reason = "mismatch", reason  # type: ignore[assignment]
    outcome.method, outcome.occurrences = "none", 0
    return outcome


def _ungrounded(outcome: Outcome, inputs: Sequence[tuple[str, Outcome]]) -> Outcome:
    statuses = {made.status for _, made in inputs}
    _failed(outcome, "calculation_input_not_grounded")
    outcome.status = next((s for s in _PASSED_ON if s in statuses), "mismatch")
    assert outcome.calculation is not None
    lacking = [f"{check_id}" for check_id, made in inputs if not made.grounded]
    without = [i for i, made in inputs if made.grounded and made.measured is None]
    outcome.calculation["problem"] = (
        f"not grounded: {', '.join(lacking)}" if lacking else f"no value: {', '.join(without)}"
    )
    return outcome


def _judge(claim: Claim, result: Result, outcome: Outcome, context: CheckContext) -> Outcome:
    """Compares the claimed value with the recomputed one."""
    data = outcome.calculation
    assert data is not None
    if isinstance(result, bool):
        data["holds"] = result
        said = _plain(claim).lower() or "true"
        if said not in ("true", "false"):
            return _incomparable(outcome, 'the value of a comparison is "true" or "false"')
        return outcome if (said == "true") is result else _failed(outcome, "calculation_mismatch")
    if isinstance(result, Period):
        data["result"] = period_data(result)
        date = parse_period(_plain(claim))
        if date is None:
            return _incomparable(outcome, "the value is no date")
        outcome.measured = result
        return outcome if _same_day(date, result) else _failed(outcome, "calculation_mismatch")
    shown = quantity_of(result)
    data["result"] = quantity_data(shown)
    value = _claimed(claim, context)
    if value is None:
        return _incomparable(outcome, "the value is no number")
    outcome.measured = shown
    if len(value.readings) > 1:
        outcome.quantities = {"claim": quantity_data(value)}
        return _failed(outcome, "value_ambiguous")
    scale = result.scale if value.bare else ONE
    ours = (
        EXACT.divide(result.value, scale) if scale == ONE else PRECISE.divide(result.value, scale)
    )
    if value.bare and value.total == result.value:
        ours = result.value
    outcome.quantities = {"claim": quantity_data(value), "source": quantity_data(shown)}
    data["difference"] = decimal_text(_shown(PRECISE.subtract(value.total, ours)))
    if not _units_agree(value, result) or not _agrees(value, ours, claim, context, outcome):
        return _failed(outcome, "calculation_mismatch")
    return outcome


def _incomparable(outcome: Outcome, problem: str) -> Outcome:
    """A claim whose value cannot be compared with the kind of its result."""
    assert outcome.calculation is not None
    outcome.calculation["problem"] = problem
    return _failed(outcome, "calculation_mismatch")


def _plain(claim: Claim) -> str:
    return fold(claim.wording or "").text.strip() if claim.value is not None else ""


def _same_day(claimed: Period, result: Period) -> bool:
    return not claimed.alternatives and claimed.label == result.label


def _claimed(claim: Claim, context: CheckContext) -> Quantity | None:
    if isinstance(claim.value, StructuredValue):
        return claim.value.stated().quantity
    raw = (claim.value or "").strip()
    if len(raw) > LONGEST:
        return None
    return parse_quantity(number_text(fold(raw), raw), context.index.notation)


def _units_agree(value: Quantity, result: Measure) -> bool:
    if value.currency and not same_currency(value.currency, result.currency):
        return False
    if value.unit:
        return value.unit == result.unit
    return result.unit not in RATIOS


def _agrees(
    value: Quantity, ours: Decimal, claim: Claim, context: CheckContext, outcome: Outcome
) -> bool:
    """Whether a claimed number is the recomputed one, rounded as declared, or else to the claim's
    last digit with a half going away from zero."""
    if claim.rounding is not None:
        step = EXACT.multiply(ONE.scaleb(-claim.rounding.places), value.scale)
        rounded = _rounded(ours, step, _MODES[claim.rounding.mode])
    elif value.total == ours:
        return True
    elif not context.config.allow_rounding:
        return False
    else:
        rounded = _rounded(ours, value.step, ROUND_HALF_UP)
        if rounded == 0:
            return False
    outcome.rounded = rounded != ours
    return rounded == value.total


def _rounded(number: Decimal, step: Decimal, mode: str) -> Decimal:
    steps = EXACT.divide(number, step).to_integral_value(mode)
    return EXACT.multiply(steps, step)


def _shown(number: Decimal) -> Decimal:
    if int(number.as_tuple().exponent) < -12:
        number = number.quantize(Decimal("1E-12"), context=PRECISE)
    return number
