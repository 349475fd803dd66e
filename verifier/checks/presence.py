"""Presence: the cited place exists, and holds the given text if there is one."""

from __future__ import annotations

from grounding.model import Region
from verifier.checks.outcome import CheckContext, Outcome, failure
from verifier.checks.quote import decide
from verifier.checks.region import check_region
from verifier.claims import Claim
from verifier.locate import Scope
from verifier.matching import Quote


def check_presence(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """Grounded when the locators lead somewhere; text, where given, must stand there."""
    if scope.is_everything:
        return failure("error", "missing_locator", scope)
    needs_text = claim.citation.prefix is not None or claim.citation.suffix is not None
    empty = claim.wording is not None and not claim.wording.strip()
    if empty or (needs_text and claim.wording is None):
        return failure("error", "missing_required_text", scope)
    if claim.wording is not None:
        return decide(Quote(claim.wording), claim, scope, context)
    if any(page.left_out for page in scope.pages):
        return failure("capability_blocked", "page_failed", scope)
    if scope.regions:
        return check_region(claim, scope, context)
    if scope.cell is not None and scope.cell.blank:
        outcome = failure("mismatch", "text_mismatch", scope)
        outcome.regions = (Region(scope.cell.page, scope.cell.box),)
        return outcome
    if scope.ranges and not context.index.view_of(scope.ranges, markers=True).raw.strip():
        return Outcome("mismatch", "hidden_text", ranges=scope.ranges, scope=scope)
    return Outcome(
        "grounded",
        method="presence_only",
        tier=scope.tier,
        ranges=scope.ranges or (),
        regions=() if scope.ranges else tuple(Region(p.number, p.frame.box) for p in scope.pages),
        scope=scope,
        occurrences=1,
    )
