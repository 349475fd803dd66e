"""Values: a whole number stands in the cited place with the claim's sign, currency, unit and scale;
other values are short texts that stand there word for word."""

from __future__ import annotations

from dataclasses import dataclass

from grounding.text import fold
from verifier.checks.outcome import CheckContext, Outcome, failure, unreadable
from verifier.checks.quote import decide
from verifier.checks.search import iter_views
from verifier.claims import Claim
from verifier.locate import Scope
from verifier.matching import Quote
from verifier.quantities import Quantity, parse_quantity, quantities
from verifier.report import Reason
from verifier.views import Range, TextView


@dataclass(frozen=True, slots=True)
class Found:
    """A number of the source, where it stands, and why it is not the claim's (None: it is)."""

    quantity: Quantity
    ranges: tuple[Range, ...]
    reason: Reason | None


def check_value(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """Grounded when a number in the scope agrees in everything that the claim states."""
    wording = claim.wording
    if wording is None or not wording.strip():
        return failure("error", "missing_required_text", scope)
    wanted = parse_quantity(fold(wording.strip()).text)
    if wanted is None:
        return decide(Quote(wording), claim, scope, context)
    blocked = unreadable(scope, context) if scope.page is not None else None
    if blocked is not None:
        return blocked
    found = [f for view in iter_views(scope, context) for f in _numbers(wanted, view)]
    right = [f for f in found if f.reason is None]
    if right:
        return Outcome(
            "grounded",
            method="typed_value",
            tier=scope.tier if scope.tier != "page" else "exact_span",
            ranges=right[0].ranges,
            scope=scope,
            occurrences=len(right),
        )
    blocked = unreadable(scope, context)
    if blocked is not None:
        return blocked
    if found:
        return Outcome("mismatch", found[0].reason, ranges=found[0].ranges, scope=scope)
    return failure("not_found" if scope.is_everything else "mismatch", "value_mismatch", scope)


def _numbers(wanted: Quantity, view: TextView) -> list[Found]:
    """Numbers of a view that have the claim's size, or its digits."""
    found = []
    for quantity in _tokens(view):
        if quantity.number != wanted.number and abs(quantity.total) != abs(wanted.total):
            continue
        raw = view.folded.to_raw(quantity.start, quantity.end)
        found.append(Found(quantity, view.ranges(*raw), difference(wanted, quantity)))
    return found


def _tokens(view: TextView) -> list[Quantity]:
    cached: list[Quantity] | None = view.__dict__.get("quantities")
    if cached is None:
        cached = view.__dict__["quantities"] = quantities(view.folded.text)
    return cached


def difference(claim: Quantity, source: Quantity) -> Reason | None:
    """The first thing in which a source's number is not the claim's; None when everything that the
    claim states is so. A bare number states neither scale nor unit; an amount of money states its
    whole size."""
    bare = claim.scale == 1 and not claim.currency and not claim.unit
    same = abs(claim.total) == abs(source.total) or (bare and claim.number == source.number)
    if not same:
        return "scale_mismatch" if claim.number == source.number else "value_mismatch"
    if claim.negative != source.negative:
        return "sign_mismatch"
    if claim.unit != source.unit and not bare:
        return "unit_mismatch"
    if claim.currency and claim.currency != source.currency and not _same_dollar(claim, source):
        return "currency_mismatch"
    return None


def _same_dollar(claim: Quantity, source: Quantity) -> bool:
    """A bare dollar sign in the claim does not say whose dollar it is."""
    return claim.currency == "$" and source.currency in ("USD", "CAD", "AUD", "HKD", "NZD", "SGD")
