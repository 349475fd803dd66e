"""Regions: the text inside a box is the claim's."""

from __future__ import annotations

from grounding.model import ElementKind, Region
from verifier.checks.outcome import CheckContext, Outcome, accept, failure, unreadable
from verifier.checks.quote import explain, too_coarse
from verifier.checks.search import box_ranges, find_in_scope
from verifier.claims import Claim
from verifier.locate import Scope
from verifier.matching import Quote


def check_region(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """Grounded when the claim's text stands inside the cited boxes, by the centres of its
    characters.

    Without text it is grounded only as presence: something is printed in each of them.
    """
    if not scope.regions:
        return failure("error", "missing_locator", scope)
    if claim.wording is None:
        return _anything(scope, context)
    if not claim.wording.strip():
        return failure("error", "missing_required_text", scope)
    blocked = unreadable(scope, context)
    if blocked is not None:
        return blocked
    quote = Quote(claim.wording)
    if not quote.has_significant_words(1):
        return failure("error", "quote_too_short", scope)
    matches = find_in_scope(quote, scope, context)
    if matches:
        return accept(matches, scope, context, "bbox_containment")
    coarse = too_coarse(quote, scope, context)
    if coarse is not None:
        return coarse
    outcome = explain(quote, scope, context)
    if not outcome.ranges:
        outcome.ranges = tuple(box_ranges(scope.regions, context))
        outcome.regions = () if outcome.ranges else scope.regions
    return outcome


def _anything(scope: Scope, context: CheckContext) -> Outcome:
    if not all(_shows(region, context) for region in scope.regions):
        if all(_shows(region, context, perhaps=True) for region in scope.regions):
            return failure("capability_blocked", "missing_span_capability", scope)
        return failure("not_found", "bbox_not_found", scope)
    return Outcome(
        "grounded",
        method="presence_only",
        tier="region",
        ranges=tuple(box_ranges(scope.regions, context)),
        regions=scope.regions,
        scope=scope,
        occurrences=1,
    )


def _shows(region: Region, context: CheckContext, *, perhaps: bool = False) -> bool:
    """Whether a text or a figure is printed in a box, or may be as far as the source can tell."""
    figure = any(
        element.kind is ElementKind.FIGURE and element.box.overlap(region.box)
        for element in context.index.elements(region.page)
    )
    return figure or bool(box_ranges((region,), context, perhaps=perhaps))
