"""Quotes: the words stand in the cited place."""

from __future__ import annotations

from verifier.checks.outcome import CheckContext, Outcome, accept, failure, unreadable
from verifier.checks.search import (
    elsewhere_data,
    find_elsewhere,
    find_in_scope,
    fragment_fault,
    hidden_matches,
    perhaps_inside,
    pick,
    read_across,
)
from verifier.claims import Claim
from verifier.codes import Reason
from verifier.locate import Scope
from verifier.matching import Match, Quote
from verifier.nearest import drops_negation, nearest_text
from verifier.views import DocumentIndex


def check_quote(claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """Grounded when the quote stands in the scope, word for word under the allowed folds."""
    text = claim.wording
    if text is None or not text.strip():
        return failure("error", "missing_required_text", scope)
    quote = Quote(text)
    if not quote.has_significant_words(context.config.minimum_significant_words):
        return failure("error", "quote_too_short", scope)
    return decide(quote, claim, scope, context)


def decide(quote: Quote, claim: Claim, scope: Scope, context: CheckContext) -> Outcome:
    """The verdict on words in a scope: grounded, or why not."""
    if not quote.has_significant_words(1):
        return failure("error", "quote_too_short", scope)
    blocked = unreadable(scope, context) if not scope.is_everything else None
    if blocked is not None:
        return blocked
    found = find_in_scope(quote, scope, context)
    matches = pick(found, claim.citation, context.index)
    if matches:
        return accept(matches, scope, context)
    return too_coarse(quote, scope, context) or explain(quote, scope, context)


def too_coarse(quote: Quote, scope: Scope, context: CheckContext) -> Outcome | None:
    """The verdict on words that may stand in the cited boxes, where the source cannot tell."""
    wider = perhaps_inside(scope, context) if scope.regions else None
    if wider is None or not find_in_scope(quote, wider, context):
        return None
    return failure("capability_blocked", "missing_span_capability", scope)


def explain(quote: Quote, scope: Scope, context: CheckContext) -> Outcome:
    """Why a quote is not grounded: hidden, put together wrongly, elsewhere, unreadable, or not
    there."""
    index = context.index
    hidden = hidden_matches(quote, scope, index)
    if hidden:
        return Outcome(
            "mismatch",
            "hidden_text",
            ranges=hidden[0].ranges,
            scope=scope,
            occurrences=len(hidden),
        )
    fault = fragment_fault(quote, scope, index)
    if fault is not None and fault != "text_mismatch":
        return _unlike(fault, quote, scope, index)
    elsewhere = find_elsewhere(quote, scope, context)
    if elsewhere:
        return _found_elsewhere(elsewhere, scope, context)
    blocked = unreadable(scope, context)
    if blocked is not None:
        return blocked
    others = context.others(quote)
    if others:
        outcome = failure("mismatch", "quote_in_other_document", scope)
        outcome.found_elsewhere = others[: context.config.max_found_elsewhere]
        return outcome
    across = read_across(quote, scope, index)
    if across:
        return Outcome("mismatch", "quote_interleaved", ranges=across[0].ranges, scope=scope)
    return _unlike("text_mismatch", quote, scope, index)


def _unlike(reason: Reason, quote: Quote, scope: Scope, index: DocumentIndex) -> Outcome:
    """A quote that is not there, with what is most like it. Words that deny, which the quote lacks
    and the source has, are a reason of their own."""
    outcome = failure("not_found" if scope.is_everything else "mismatch", reason, scope)
    outcome.nearest = nearest = nearest_text(quote, scope, index)
    if nearest is not None and reason == "text_mismatch" and drops_negation(nearest):
        outcome.reason = "negation_dropped"
    return outcome


def _found_elsewhere(matches: list[Match], scope: Scope, context: CheckContext) -> Outcome:
    index = context.index
    cited = {page.number for page in scope.pages}
    on_page = any(index.page_at(start).number in cited for m in matches for start, _ in m.ranges)
    outcome = failure("mismatch", "text_mismatch" if on_page else "quote_on_other_page", scope)
    for match in matches[: context.config.max_found_elsewhere]:
        data = elsewhere_data(match, index)
        if data is not None:
            outcome.found_elsewhere.append(data)
    return outcome
