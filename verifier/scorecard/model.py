"""What a judge says of each document, and the words for it.

Source of the words: the prompt of a grounding scorecard asks for `faithful`, `unfaithful` and
`n/a`; the programs that read its answer expect `usage_status` and a `faithfulness` object whose
`status` is `faithful`, `partially_faithful`, `unfaithful` or `not_applicable`. Both are read; the
first, with `partially_faithful` added, is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Usage = Literal["used", "partially_used", "ignored"]
Faithfulness = Literal["faithful", "partially_faithful", "unfaithful", "n/a"]
HarnessFaithfulness = Literal["faithful", "partially_faithful", "unfaithful", "not_applicable"]

TO_HARNESS: dict[Faithfulness, HarnessFaithfulness] = {
    "faithful": "faithful",
    "partially_faithful": "partially_faithful",
    "unfaithful": "unfaithful",
    "n/a": "not_applicable",
}
FROM_HARNESS: dict[str, Faithfulness] = {
    **{harness: own for own, harness in TO_HARNESS.items()},
    "n/a": "n/a",
}
"""Words of either vocabulary to those of a result."""


@dataclass(frozen=True, slots=True)
class EvidencePair:
    """A quote of the document beside the words of the answer that it bears out or contradicts. Of
    an ignored document the answer's side is empty. Offsets of -1 are found when it is checked."""

    source_quote: str
    answer_quote: str
    source_start: int = -1
    source_end: int = -1
    answer_start: int = -1
    answer_end: int = -1


@dataclass(frozen=True, slots=True)
class DocumentVerdict:
    """What a judge says of one document. `evidence` has at least one pair."""

    document_id: str
    usage: Usage
    faithfulness: Faithfulness
    evidence: tuple[EvidencePair, ...]
    notes: str = ""


@dataclass(frozen=True, slots=True)
class DocumentFault:
    """A document on which a judge gave no answer that can be used: it is counted as `eval_error`
    and left out of every aggregate. `raw` is what the judge said."""

    document_id: str
    code: str
    message: str
    raw: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScorecardJudgement:
    """A judge's whole answer on one trace: a verdict or a fault for each document, and words of the
    answer that are in no document."""

    verdicts: tuple[DocumentVerdict, ...]
    faults: tuple[DocumentFault, ...] = ()
    ungrounded: tuple[str, ...] = ()
    note: str = ""
