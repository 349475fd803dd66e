"""What a check works with and what it answers, before the report is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from grounding.model import Page, Region, SpanFlag, WarningCode
from verifier.cell_context import CellFinder
from verifier.claims import Claim
from verifier.codes import EvidenceTier, MatchMethod, Reason, Status
from verifier.config import VerificationConfig
from verifier.locate import Scope
from verifier.matching import Match, Quote
from verifier.quantities.model import Quantity
from verifier.quantities.period import Period
from verifier.report import FoundElsewhere, Nearest
from verifier.report_numbers import CalculationData, Quantities
from verifier.views import DocumentIndex, Range


@dataclass(frozen=True)
class CheckContext:
    """The document and the rules of one verification."""

    index: DocumentIndex
    config: VerificationConfig
    allowed_folds: frozenset[str]
    others: Callable[[Quote], list[FoundElsewhere]] = lambda quote: []
    """Looks for a quote in other documents."""

    @cached_property
    def cells(self) -> CellFinder:
        """The cells of the document by their text."""
        return CellFinder(self.index)


@dataclass(slots=True)
class Outcome:
    """The verdict on one claim. `ranges` is the evidence's text."""

    status: Status
    reason: Reason | None = None
    method: MatchMethod = "none"
    tier: EvidenceTier = "none"
    ranges: tuple[Range, ...] = ()
    text: str = ""
    """The evidence as stored, when it is more than the ranges joined by line ends."""
    page: Page | None = None
    """The page that the verdict is about, where no text and no area says it."""
    regions: tuple[Region, ...] = ()
    """The areas that were asked for, where they are the evidence; a text in them may be smaller."""
    scope: Scope | None = None
    folds: tuple[str, ...] = ()
    occurrences: int = 0
    found_elsewhere: list[FoundElsewhere] = field(default_factory=list)
    nearest: Nearest | None = None
    rounded: bool = False
    quantities: Quantities | None = None
    """Both sides of a comparison of numbers, as the report shows them."""
    measured: Quantity | Period | None = None
    """What the source says, for calculations; only of a grounded value."""
    calculation: CalculationData | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def grounded(self) -> bool:
        return self.status == "grounded"


_OCR = int(SpanFlag.OCR)

Checker = Callable[[Claim, Scope, CheckContext], Outcome]


def failure(status: Status, reason: Reason, scope: Scope | None = None) -> Outcome:
    """A verdict without evidence."""
    return Outcome(status, reason, scope=scope)


_BLOCKED: dict[str, Reason] = {
    "failed": "page_failed",
    "no_text": "page_without_text",
    "garbled": "page_garbled",
}


def unreadable(scope: Scope, context: CheckContext) -> Outcome | None:
    """The verdict when the cited page (of a whole document: any page) cannot be compared with:
    "I cannot tell", never "it is not there"."""
    for page in scope.pages or context.index.pages:
        reason = _BLOCKED.get(page.status)
        if reason is not None:
            outcome = failure("capability_blocked", reason, scope)
            outcome.page = page
            outcome.warnings.append(WarningCode.CAPABILITY_LIMITED)
            return outcome
    return None


def accept(
    matches: list[Match], scope: Scope, context: CheckContext, method: MatchMethod | None = None
) -> Outcome:
    """The verdict on text that stands in the scope: grounded by its first occurrence, unless the
    rules forbid what the match needed."""
    config = context.config
    permitted = [m for m in matches if context.allowed_folds.issuperset(m.folds)]
    if not permitted:
        # The text is there, but only under a fold that the rules forbid: show it.
        outcome = failure("mismatch", "text_mismatch", scope)
        outcome.ranges, outcome.text = matches[0].ranges, matches[0].raw
        return outcome
    match = permitted[0]
    outcome = Outcome(
        "grounded",
        method=method or text_method(match),
        tier=scope.tier if scope.tier != "page" else "exact_span",
        ranges=match.ranges,
        text=match.raw,
        scope=scope,
        folds=tuple(str(fold) for fold in match.folds),
        occurrences=len(permitted),
    )
    flags = context.index.flags_in(match.ranges)
    if flags & _OCR:
        outcome.warnings.append(WarningCode.OCR_TEXT)
        if not config.allow_ocr_text:
            outcome.status, outcome.reason = "capability_blocked", "page_without_text"
    if outcome.grounded and config.require_unique_occurrence and len(permitted) > 1:
        outcome.status, outcome.reason = "mismatch", "ambiguous_occurrence"
    return outcome


def text_method(match: Match) -> MatchMethod:
    """How a match compares with all that was looked at."""
    if match.whole:
        return "normalized_text" if match.folds else "exact_text"
    return "normalized_text_contains" if match.folds else "exact_text_contains"
