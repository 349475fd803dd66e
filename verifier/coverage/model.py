"""What an answer claims, and what a judge says of each claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ClaimStatus = Literal["supported", "unsupported", "contradicted"]
ClaimKind = Literal["sentence", "bullet", "table_row"]
Basis = Literal[
    "verbatim",
    "restated",
    "table_cell",
    "number_differs",
    "sign_differs",
    "unit_differs",
    "negation_differs",
    "quote_not_found",
    "reference_open",
    "not_found",
    "judged",
]
"""What a verdict rests on. `judged` is a model's opinion; all others are deterministic."""

CONTRADICTIONS: frozenset[Basis] = frozenset(
    ("number_differs", "sign_differs", "unit_differs", "negation_differs")
)
"""The same statement stands in a source with another number, sign, unit or denial."""
OVERRULING: frozenset[Basis] = CONTRADICTIONS | {"quote_not_found"}
"""What no judge may overrule: the contradictions, and words in quotation marks that stand in no
source."""


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A factual statement of an answer. `answer[start:end] == text`; `statement` is the text
    without citation markers and marks of lists, which is what has to be borne out; `cited` are the
    ids of the trace's documents that its markers name, `unknown` markers that name none of them. A
    row of a table has the labels over its cells in `header`, and its `cells`."""

    id: str
    text: str
    start: int
    end: int
    kind: ClaimKind
    statement: str
    cited: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceQuote:
    """A verbatim piece of a document: `content[start:end] == text`. A judge that knows no offsets
    leaves them out; they are found when its answer is checked."""

    document_id: str
    text: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What a judge says of a claim. `source_ids` bear it out or contradict it; each quote is of one
    of them."""

    claim_id: str
    status: ClaimStatus
    source_ids: tuple[str, ...]
    rationale: str
    quotes: tuple[SourceQuote, ...] = ()
    basis: Basis = "judged"


@dataclass(frozen=True, slots=True)
class StatedCounts:
    """The totals that a judge gives itself. They are never taken, only compared with its verdicts:
    an answer that contradicts itself is not scored."""

    total: int
    supported: int
    unsupported: int
    contradicted: int


@dataclass(frozen=True, slots=True)
class CoverageJudgement:
    """A judge's whole answer on one trace: one verdict a claim."""

    verdicts: tuple[ClaimVerdict, ...]
    counts: StatedCounts | None = None
