"""Values: a whole number stands in the cited place with the claim's sign, currency, unit and scale;
other values are short texts that stand there word for word."""

from __future__ import annotations

from dataclasses import dataclass

from grounding.text import fold, needed_folds
from verifier.checks.outcome import CheckContext, Outcome, accept, failure, unreadable
from verifier.checks.quote import decide
from verifier.checks.search import covered, find_in_scope, number_views, pick
from verifier.claims import Claim
from verifier.locate import Scope
from verifier.matching import Match, Quote
from verifier.quantities import Quantity, number_text, parse_quantity, quantities
from verifier.report import Reason
from verifier.views import Range, TextView

_LONGEST = 100
"""Characters above which a text is no single number."""


@dataclass(frozen=True, slots=True)
class Found:
    """A number of the source, where it stands, and why it is not the claim's (None: it is)."""

    match: Match
    reason: Reason | None


def check_value(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """Grounded when a number in the scope agrees in everything that the claim states."""
    wording = claim.wording
    if wording is None or not wording.strip():
        return failure("error", "missing_required_text", scope)
    if not any(char.isalnum() for char in wording):
        return failure("error", "missing_required_text", scope)
    wanted = parse_claim(wording)
    if wanted is None:
        return decide(Quote(wording), claim, scope, context)
    blocked = unreadable(scope, context) if scope.page is not None else None
    if blocked is not None:
        return blocked
    found = [
        number
        for view, inside in number_views(scope, context)
        for number in _numbers(wanted, view, inside, context)
    ]
    found = _beside(found, claim, scope, context)
    right = [number.match for number in found if number.reason is None]
    if right:
        return accept(right, scope, context, "typed_value")
    return unreadable(scope, context) or _explain(wanted, found, scope, context)


def _beside(found: list[Found], claim: Claim, scope: Scope, context: CheckContext) -> list[Found]:
    """Those numbers that stand between the citation's prefix and suffix, and inside the claim's
    text where it gives one besides the value."""
    picked = pick([number.match for number in found], claim.citation, context.index)
    if claim.value is not None and claim.text is not None and claim.text.strip():
        texts = [r for m in find_in_scope(Quote(claim.text), scope, context) for r in m.ranges]
        picked = [
            match
            for match in picked
            if all(covered(piece, texts, context.index) for piece in match.ranges)
        ]
    kept = {id(match) for match in picked}
    return [number for number in found if id(number.match) in kept]


def parse_claim(wording: str) -> Quantity | None:
    """The quantity that a claim's text is; None when it is something else."""
    raw = wording.strip()
    if len(raw) > _LONGEST:
        return None
    return parse_quantity(number_text(fold(raw), raw))


def _explain(wanted: Quantity, found: list[Found], scope: Scope, context: CheckContext) -> Outcome:
    """Why a value is not grounded: it differs in something, nobody sees it, or it is not there."""
    if found:
        match = found[0].match
        return Outcome(
            "mismatch", found[0].reason, ranges=match.ranges, text=match.raw, scope=scope
        )
    for page in [scope.page] if scope.page else context.index.pages:
        view = context.index.hidden_view(page.number)
        hidden = _numbers(wanted, view, None, context) if view is not None else []
        right = [number.match for number in hidden if number.reason is None]
        if right:
            return Outcome("mismatch", "hidden_text", ranges=right[0].ranges, scope=scope)
    return failure("not_found" if scope.is_everything else "mismatch", "value_mismatch", scope)


def _numbers(
    wanted: Quantity, view: TextView, inside: list[Range] | None, context: CheckContext
) -> list[Found]:
    """Numbers of a view that have the claim's size or its digits, their digits in some ranges."""
    found = []
    for quantity in _tokens(view):
        if quantity.number != wanted.number and abs(quantity.total) != abs(wanted.total):
            continue
        if inside is not None:
            digits = view.ranges(*view.folded.to_raw(quantity.digits_start, quantity.digits_end))
            if not all(covered(piece, inside, context.index) for piece in digits):
                continue
        start, end = view.folded.to_raw(quantity.start, quantity.end)
        raw = view.raw[start:end]
        folds = needed_folds(raw, view.folded.text[quantity.start : quantity.end])
        match = Match(view.ranges(start, end), raw, folds, False)
        found.append(Found(match, difference(wanted, quantity)))
    return found


def _tokens(view: TextView) -> list[Quantity]:
    cached: list[Quantity] | None = view.__dict__.get("quantities")
    if cached is None:
        cached = view.__dict__["quantities"] = quantities(number_text(view.folded, view.raw))
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
    """A bare dollar sign is the United States' where nothing else is said."""
    return {claim.currency, source.currency} == {"$", "USD"}
