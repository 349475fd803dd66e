"""Whether a source's number is the one that a claim states, and if not, why.

Equal means: everything that the claim states agrees with the source in its context. A bare number
states neither scale nor unit; an amount of money states its whole size, so "$5.5" is not what
"$5.5 billion" says.

Rounding: a claim may be coarser than the source by its own last printed digit and by nothing else,
a half going away from zero (the schoolbook rule; under the bankers' rule of IEEE 754, 12 would be
12.5, which a cut-off decimal must never be). Zeros that end a whole number are digits: "8,000" is
not 8,234. Whole numbers are counts and exact, unless the claim states a scale ("$8.2 billion").
Nothing rounds to zero, and a bare number of one digit proves too little to be a rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from verifier.codes import Reason
from verifier.quantities.context import NO_CONTEXT, QuantityContext, in_context
from verifier.quantities.model import EXACT, Quantity, significant_digits
from verifier.quantities.period import Period, same_period
from verifier.quantities.units import ORDINAL, RATIOS, same_currency

_LEAST_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two quantities compare; no reason means that they are equal."""

    reason: Reason | None = None
    rounded: bool = False

    @property
    def equal(self) -> bool:
        return self.reason is None


EQUAL = Verdict()
_ROUNDED = Verdict(rounded=True)
_AMBIGUOUS = Verdict("value_ambiguous")


def compare(
    claim: Quantity,
    source: Quantity,
    context: QuantityContext = NO_CONTEXT,
    *,
    rounding: bool = True,
) -> Verdict:
    """The verdict on a claim's quantity against a source's in its context.

    Where a side has several readings, all must give the same answer, or the two must be printed
    alike; else the verdict is `value_ambiguous`.
    """
    if context is not NO_CONTEXT and not claim.bare and context.unsure & _needed(claim, source):
        return _AMBIGUOUS
    loss = context.sign_rule is not None
    found = in_context(source, context)
    if not claim.alternatives and not found.alternatives:
        return _compared(claim, found, source, loss, rounding)
    verdicts = [
        _compared(ours, theirs, printed, loss, rounding)
        for ours in claim.readings
        for theirs, printed in zip(found.readings, source.readings, strict=True)
    ]
    if all(v.equal for v in verdicts):
        return _ROUNDED if any(v.rounded for v in verdicts) else EQUAL
    if _alike(claim, source, verdicts):
        return EQUAL
    return _AMBIGUOUS if any(v.equal for v in verdicts) else verdicts[0]


def period_reason(claim: Period | None, context: QuantityContext) -> Reason | None:
    """Why a source's number is not that of the claim's period; None when it is, or when the claim
    names none. A number of unknown period is not of the claim's."""
    if claim is None:
        return None
    if "period" in context.unsure:
        return "value_ambiguous"
    if context.period is None:
        return "period_mismatch"
    same = same_period(claim, context.period.value)
    if same is None:
        return "value_ambiguous"
    return None if same else "period_mismatch"


def _needed(claim: Quantity, source: Quantity) -> set[str]:
    """What a claim needs to be told of by the context."""
    needed = set()
    if source.scale_source == "none" and not source.unit:
        needed.add("scale")
    if claim.currency and not source.currency:
        needed.add("currency")
    if (claim.unit or claim.currency) and not source.unit and not source.currency:
        needed.add("unit")
    return needed


def _alike(claim: Quantity, source: Quantity, verdicts: Sequence[Verdict]) -> bool:
    """Whether both sides print the same digits, so that whatever the one means the other does:
    their readings, in the same order, agree pair by pair."""
    if _plain(claim.printed) == _plain(source.printed):
        return EQUAL in verdicts
    count = len(claim.readings)
    same = claim.digits == source.digits and count == len(source.readings)
    return same and all(verdicts[at * count + at] == EQUAL for at in range(count))


def _plain(printed: str) -> str:
    return "".join(printed.split())  # no-break spaces too


def _compared(
    claim: Quantity, source: Quantity, printed: Quantity, loss: bool, rounding: bool
) -> Verdict:
    """One reading against one; `printed` is the source without its context."""
    bare = claim.bare
    if (claim.unit == ORDINAL) != (source.unit == ORDINAL):
        return Verdict("unit_mismatch")
    same = claim.size == source.size or (bare and claim.number == source.number)
    rounded = False
    if not same:
        rounded = rounding and rounds_to(claim, source, printed)
        if not rounded and claim.number == source.number and _unit_differs(claim, source):
            return Verdict("unit_mismatch")
        if not rounded:
            return Verdict("scale_mismatch" if claim.number == source.number else "value_mismatch")
    if claim.negative != source.negative and not (loss and claim.negative):
        return Verdict("sign_mismatch")
    if not bare and _unit_differs(claim, source):
        return Verdict("unit_mismatch")
    if claim.currency and not same_currency(claim.currency, source.currency):
        return Verdict("currency_mismatch")
    return _ROUNDED if rounded else EQUAL


def _unit_differs(claim: Quantity, source: Quantity) -> bool:
    if claim.unit:
        return claim.unit != source.unit
    return source.unit in RATIOS or source.unit == ORDINAL  # an amount is no share


def rounds_to(claim: Quantity, source: Quantity, printed: Quantity) -> bool:
    """Whether a source's number, rounded to a claim's last digit, is the claim's."""
    if source.written in ("ordinal", "zero_mark") or claim.written in ("ordinal", "words"):
        return False
    if claim.digits[:1] == "0" and claim.digits[1:2].isdigit():
        return False  # 007 is no rounding of 6.8
    if claim.bare:
        plain = printed.scale_source == "none" and printed.places > 0
        if not plain or significant_digits(claim) < _LEAST_DIGITS or claim.places >= printed.places:
            return False
        return _round(printed.number, claim, Decimal(1).scaleb(-claim.places)) == claim.number
    if claim.scale_source == "none" and source.places == 0:
        return False
    if claim.step <= source.step:
        return False
    return bool(claim.number) and _round(source.size, claim, claim.step) == claim.size


def _round(size: Decimal, claim: Quantity, step: Decimal) -> Decimal:
    """`size` to a multiple of `step`, a half away from zero."""
    if not claim.number:
        return Decimal(-1)
    steps = EXACT.divide(size, step).to_integral_value(ROUND_HALF_UP)
    return EXACT.multiply(steps, step)
