"""Values: a whole number stands in the cited place with the claim's sign, currency, unit, scale and
period; dates by the day they name; other values are short texts that stand there word for word."""

from __future__ import annotations

from verifier.checks.numbers import (
    LONGEST,
    Found,
    Wanted,
    dated,
    found_data,
    measured,
    numbers,
    read_claim,
)
from verifier.checks.outcome import CheckContext, Outcome, accept, failure, unreadable
from verifier.checks.quote import decide
from verifier.checks.search import covered, find_in_scope, number_views, perhaps_inside, pick
from verifier.claims import Claim
from verifier.locate import Scope
from verifier.matching import Match, Quote
from verifier.quantities.context import statement_of
from verifier.quantities.period import Period
from verifier.quantities.shown import period_data, quantity_data
from verifier.report_numbers import Quantities


def check_value(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """Grounded when a number in the scope agrees in everything that the claim states."""
    wording = claim.wording
    if wording is None or not any(char.isalnum() for char in wording):
        return failure("error", "missing_required_text", scope)
    wanted = read_claim(claim, context.index.notation)
    if wanted is None and (_says_only_a_scale(wording) or _is_noise(wording)):
        return failure("mismatch", "value_mismatch", scope)
    if wanted is None:
        return decide(Quote(wording), claim, scope, context)
    blocked = unreadable(scope, context) if not scope.is_everything else None
    if blocked is not None:
        return blocked
    if wanted.quantity is None:
        assert wanted.period is not None
        return _check_date(wanted.period, wording, claim, scope, context)
    found, right = _found(wanted, claim, scope, context)
    if right:
        return _grounded(wanted, right, found, scope, context)
    wider = perhaps_inside(scope, context) if scope.regions else None
    if wider is not None and _found(wanted, claim, wider, context)[1]:
        return failure("capability_blocked", "missing_span_capability", scope)
    outcome = unreadable(scope, context) or _explain(wanted, found, scope, context)
    outcome.quantities = _compared(wanted, None, found, context, outcome)
    return outcome


def _found(
    wanted: Wanted, claim: Claim, scope: Scope, context: CheckContext
) -> tuple[list[Found], list[Found]]:
    """All numbers of the scope, and those that are the claim's; else those that round to it."""
    found = [
        number
        for view, inside in number_views(scope, context)
        for number in numbers(wanted, view, inside, context)
    ]
    found = _beside(found, claim, scope, context)
    right = [f for f in found if f.verdict.equal and not f.verdict.rounded]
    return found, right or [f for f in found if f.verdict.equal]


def _says_only_a_scale(wording: str) -> bool:
    """Whether a value is a statement such as "(in millions)", which has no number."""
    return not any(char.isdigit() for char in wording) and bool(statement_of(wording).scales)


def _is_noise(wording: str) -> bool:
    """Whether a long value is hardly more than signs, which no place is worth a search for."""
    return len(wording) > LONGEST and 10 * sum(map(str.isalnum, wording)) < len(wording)


def _grounded(
    wanted: Wanted, right: list[Found], found: list[Found], scope: Scope, context: CheckContext
) -> Outcome:
    outcome = accept([f.match for f in right], scope, context, "typed_value")
    shown = next((f for f in right if f.match.ranges == outcome.ranges), right[0])
    outcome.rounded = shown.verdict.rounded
    outcome.quantities = _compared(wanted, shown, found, context, outcome)
    if outcome.grounded:
        outcome.measured = measured([shown, *right])
    return outcome


def _compared(
    wanted: Wanted, shown: Found | None, found: list[Found], context: CheckContext, outcome: Outcome
) -> Quantities:
    """Both sides as the report shows them."""
    assert wanted.quantity is not None
    data: Quantities = {"claim": quantity_data(wanted.quantity, wanted.period)}
    if shown is None:
        shown = next((f for f in found if f.match.ranges == outcome.ranges), None)
    if shown is not None:
        data["source"] = quantity_data(shown.quantity, context=shown.context)
    if len(found) > 1:
        data["found"] = found_data(found, context)
    return data


def _beside(found: list[Found], claim: Claim, scope: Scope, context: CheckContext) -> list[Found]:
    """Those numbers that stand between the citation's prefix and suffix, and inside the claim's
    text where it gives one besides the value."""
    picked = _picked([number.match for number in found], claim, scope, context)
    kept = {id(match) for match in picked}
    return [number for number in found if id(number.match) in kept]


def _picked(matches: list[Match], claim: Claim, scope: Scope, context: CheckContext) -> list[Match]:
    picked = pick(matches, claim.citation, context.index)
    if claim.value is not None and claim.text is not None and claim.text.strip():
        texts = [r for m in find_in_scope(Quote(claim.text), scope, context) for r in m.ranges]
        picked = [
            match
            for match in picked
            if all(covered(piece, texts, context.index) for piece in match.ranges)
        ]
    return picked


def _check_date(
    period: Period, wording: str, claim: Claim, scope: Scope, context: CheckContext
) -> Outcome:
    """Grounded when the scope names the same day or period, in whatever form; a date of several
    readings only as it is printed."""
    named = [
        item
        for view, inside in number_views(scope, context)
        for item in dated(period, view, inside, context)
    ]
    picked = {id(m) for m in _picked([match for match, _ in named], claim, scope, context)}
    named = [item for item in named if id(item[0]) in picked]
    sure = [match for match, date in named if not date.alternatives and not period.alternatives]
    if sure:
        outcome = accept(sure, scope, context, "typed_value")
    else:
        outcome = decide(Quote(wording), claim, scope, context)
        if not outcome.grounded and named and outcome.status == "mismatch":
            match = named[0][0]
            outcome = Outcome(
                "mismatch", "value_ambiguous", ranges=match.ranges, text=match.raw, scope=scope
            )
    outcome.quantities = {"claim": period_data(period)}
    source = next((date for match, date in named if match.ranges == outcome.ranges), None)
    if source is not None:
        outcome.quantities["source"] = period_data(source)
    if outcome.grounded and not period.alternatives:
        outcome.measured = period
    return outcome


def _explain(wanted: Wanted, found: list[Found], scope: Scope, context: CheckContext) -> Outcome:
    """Why a value is not grounded: it differs in something, nobody sees it, or it is not there."""
    if found:
        # One that may be the claim's says more than one that is not.
        first = next((f for f in found if f.reason == "value_ambiguous"), found[0])
        match = first.match
        return Outcome("mismatch", first.reason, ranges=match.ranges, text=match.raw, scope=scope)
    for page in scope.pages or context.index.pages:
        view = context.index.hidden_view(page.number)
        hidden = numbers(wanted, view, None, context) if view is not None else []
        right = [number.match for number in hidden if number.verdict.equal]
        if right:
            return Outcome("mismatch", "hidden_text", ranges=right[0].ranges, scope=scope)
    return failure("not_found" if scope.is_everything else "mismatch", "value_mismatch", scope)
