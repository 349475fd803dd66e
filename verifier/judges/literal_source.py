"""A document and a claim as the literal judge compares them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grounding.visible import Piece
from verifier.coverage.model import AnswerClaim, Basis
from verifier.matching import Quote, SearchLimitError, find_quote
from verifier.statements.align import Said, said
from verifier.statements.measures import Measure, Stated, measure_of, row_measures, stated
from verifier.statements.rows import Row, rows_of
from verifier.statements.source import SourceText, Statement, words_of
from verifier.statements.tokens import Tokens
from verifier.views import Range, TextView

_LEAD_IN = re.compile(
    r"\A(?:(?:however|in addition|additionally|also|furthermore|moreover|specifically"
    r"|finally|overall|in summary|in short|notably|first|second|third|next|then),\s+"
    r"|(?:according to|as stated in|as per|per)\s+(?:the|this)\s+(?:[\w-]+\s+){0,2}"
    r"(?:documents?|sources?|reports?|agreement|contract|letter|statements?|form|text|notes?|page"
    r"|table)(?:\s+\d+)?,\s+"
    r"|(?:the|this)\s+(?:[\w-]+\s+){0,2}"
    r"(?:document|source|report|agreement|contract|letter|statement|form|text|note|page|table)s?"
    r"\s+(?:says?|states?|notes?|shows?|reports?|specif(?:y|ies)|provides?|mentions?)\s+that\s+)",
    re.I,
)
"""What an answer puts before what it says: connecting words, and that a source says it."""
_MISSING = 4
"""One word of so many, and at least one, a statement may lack that is compared with a claim, where
one of them denies, for the words around a denial have other forms, or where a hyphen is printed."""
_CHANGES_FORMS = re.compile(r"\b(?:not|no|never|cannot)\b|n['’]t\b|[-\u00ad\u2010\u2011]", re.I)
_NEAR_SHARE = 0.6
_NEAR_WORDS = 3
"""Share of a claim's words, and their number, from which a statement is about the same matter."""
COMMON = frozenset(
    "a an and any are as at be been but by for from had has have he her his if in into is it its"
    " may of on or our she so such than that the their them then there these they this those to was"
    " we were which will with you your not no do does did shall would can".split()
)
LINKING = frozenset(
    "amounted amounts came comes totalled totaled totals stood stands equals".split()
)
"""Words that a source may have others for; see verifier.statements.align."""

_BASES: dict[str, Basis] = {
    "number": "number_differs",
    "sign": "sign_differs",
    "unit": "unit_differs",
    "negation": "negation_differs",
}
_REASON_BASES: dict[str, Basis] = {
    "value_mismatch": "number_differs",
    "sign_mismatch": "sign_differs",
}
_SAYS: dict[Basis, str] = {
    "verbatim": "says it in these words",
    "restated": "says it, with what may be written in another way",
    "table_cell": "has this number in the row and column",
    "number_differs": "says the same with another number",
    "sign_differs": "says the same with another sign",
    "unit_differs": "says the same with another unit, scale or currency",
    "negation_differs": "says the same with a denial more or less",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one document says of one claim, and where."""

    document_id: str
    says: bool
    basis: Basis
    place: Range
    position: int
    """The number of the statement in the document; -1 for a row."""

    @property
    def rationale(self) -> str:
        return f"{self.document_id} {_SAYS[self.basis]}"


class Wanted:
    """A claim in the forms in which it is looked for."""

    def __init__(self, claim: AnswerClaim) -> None:
        self.claim = claim
        self.tokens = Tokens(plain(claim.statement))
        keys = " ".join(token.key for token in self.tokens.tokens if token.kind == "word")
        self.words = {w for w in words_of(keys) if not w.isdigit()} - COMMON - LINKING

    @cached_property
    def changes_forms(self) -> bool:
        """Whether words of a statement may have other forms than its own."""
        return _CHANGES_FORMS.search(self.tokens.raw) is not None

    @cached_property
    def measures(self) -> list[Measure]:
        """What it says is measured: of a row each cell, else the claim as a whole. Empty where one
        of them is no number."""
        if self.claim.kind == "table_row":
            found = list(row_measures(self.claim.header, self.claim.cells))
        else:
            found = [measure_of(self.tokens)]
        measures = [measure for measure in found if measure is not None]
        return measures if len(measures) == len(found) else []


class Source:
    """A document as it is compared."""

    def __init__(self, document_id: str, content: str) -> None:
        self.text = SourceText(document_id, content)

    @cached_property
    def rows(self) -> list[Row]:
        return rows_of(self.text.text, self.text.notation)

    @cached_property
    def _view(self) -> TextView:
        return TextView([Piece(0, self.text.text)])

    def quotes(self, quote: Quote) -> bool:
        """Whether the document has some words, by the rules for quotes."""
        try:
            return bool(find_quote(quote, self._view, self))
        except SearchLimitError:
            return False

    def around(self, start: int, end: int) -> tuple[str, str]:
        """Text before and after a range; see verifier.matching.Surroundings."""
        text = self.text.text
        return text[max(start - 40, 0) : start], text[end : end + 40]

    def is_word(self, word: str) -> bool:
        return word.casefold() in self.text.words

    def flags_in(self, ranges: object) -> int:
        return 0

    def finding(self, wanted: Wanted) -> Finding | None:
        """What the document says of a claim: that it says it, else that it says otherwise."""
        measured = self._measured(wanted)
        if measured is not None and measured.says:
            return measured
        if wanted.claim.kind == "table_row":
            return measured
        contrary: Said | None = None
        for statement in self._candidates(wanted):
            found = said(wanted.tokens, statement)
            if found is not None and found.outcome == "says":
                basis: Basis = "verbatim" if found.exact else "restated"
                return self._finding(found, basis)
            contrary = contrary or found
        if contrary is not None:
            return self._finding(contrary, _BASES[contrary.outcome])
        return measured

    def _finding(self, found: Said, basis: Basis) -> Finding:
        says = found.outcome == "says"
        place = found.statement.start, found.statement.end
        return Finding(self.text.id, says, basis, place, found.statement.position)

    def _measured(self, wanted: Wanted) -> Finding | None:
        if not wanted.measures:
            return None
        index = self.text.words
        if not all(
            piece in index for m in wanted.measures for w in m.label for piece in words_of(w)
        ):
            return None
        found = [stated(measure, self.rows) for measure in wanted.measures]
        said_of_all = [item for item in found if item is not None]
        contrary = next((item for item in said_of_all if item.reason is not None), None)
        if contrary is not None:
            basis = _REASON_BASES.get(contrary.reason or "", "unit_differs")
            return self._of_row(contrary, basis, says=False)
        if len(said_of_all) < len(found):
            return None
        return self._of_row(said_of_all[0], "table_cell", says=True)

    def _of_row(self, found: Stated, basis: Basis, *, says: bool) -> Finding:
        return Finding(self.text.id, says, basis, (found.row.start, found.row.end), -1)

    def _candidates(self, wanted: Wanted) -> list[Statement]:
        """Statements with enough of a claim's words, in order."""
        whole = len(wanted.words)
        least = max(1, whole - max(1, whole // _MISSING))
        counts = self.shared(wanted.words)
        near = sorted(at for at, count in counts.items() if count >= least)
        return [
            self.text.statements[at]
            for at in near
            if counts[at] == whole or wanted.changes_forms or self._changes_forms(at)
        ]

    def _changes_forms(self, at: int) -> bool:
        statement = self.text.statements[at]
        return _CHANGES_FORMS.search(self.text.text, statement.start, statement.end) is not None

    def shared(self, words: set[str]) -> dict[int, int]:
        """How many of some words each statement has, by its number."""
        counts: dict[int, int] = {}
        index = self.text.words
        for word in words:
            for at in index.get(word, ()):
                counts[at] = counts.get(at, 0) + 1
        return counts

    def near(self, words: set[str]) -> int | None:
        """The statement that is about the same matter as some words; None where none is."""
        counts = self.shared(words)
        if not counts:
            return None
        at = max(sorted(counts), key=lambda position: counts[position])
        enough = counts[at] >= _NEAR_WORDS and counts[at] >= _NEAR_SHARE * len(words)
        return at if enough else None


@lru_cache(maxsize=256)
def source_of(document_id: str, content: str) -> Source:
    """A document as it is compared; the same ones are retrieved again and again."""
    return Source(document_id, content)


def plain(statement: str) -> str:
    """A statement without what an answer puts before it."""
    while (lead := _LEAD_IN.match(statement)) is not None:
        statement = statement[lead.end() :]
    return statement
