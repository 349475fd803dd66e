"""An answer as factual claims, each with its place, and what of it makes no claim.

Rules, in this order. Lines of code, definitions of footnotes and a list of sources under a line
that says so are none. Of a table every row under the header is one claim. Headings and lines that
end in a colon introduce. What is left is cut into sentences, and these at semicolons where whole
clauses stand on both sides. A sentence is no claim when it asks, when it greets, thanks or
introduces, when it says that the sources have no answer, or when it gives the speaker's opinion or
advice. The last three rules hold only for sentences without a number, a quotation and a citation:
"I think that it was 5 million [1]" is a claim.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from grounding.passages import sentences
from verifier.coverage.markers import Marker, footnote_lines, markers
from verifier.coverage.model import AnswerClaim, ClaimKind
from verifier.coverage.result import ExclusionReason
from verifier.editorial import unmarked
from verifier.traces.model import Trace

MAX_CLAIMS = 2000
"""Claims of one answer; the rest of a longer one is in none and the trace is rejected."""

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+\S.*|\*\*[^*\n]{1,150}\*\*:?|__[^_\n]{1,150}__:?)[ \t]*$"
)
_SOURCE_LIST = re.compile(r"^[ \t#*_]*(?:sources?|references|citations)[ \t*_]*:?[ \t*_]*$", re.I)
_BULLET = re.compile(r"^[ \t]*(?:[-*+•▪●◦–][ \t]+|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)][ \t]+)(?=\S)")
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$")
_RULE_ROW = re.compile(r"^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$")
_CELL = re.compile(r"(?<!\\)\|")
_CLAUSE = re.compile(r";\s+")
_WORD = re.compile(r"[^\W_]+")
_LEAST_CLAUSE = 3
"""Words on both sides of a semicolon that parts two claims."""
_MOST_CUTS = 50
"""Semicolons of a sentence that is cut at them; one with more is a list."""
_SPACES = re.compile(r"\s+")
_QUOTATION = re.compile(r"[\"“„«].{4,300}?[\"”“»]", re.S)

_OPINION = re.compile(
    r"(?:\A|[,;:] )(?:and |but |so )?(?:i(?:'d| would| do|'m)? (?:personally )?(?:really )?"
    r"(?:think|believe|feel|guess|hope|suppose|imagine|assume|suspect|recommend|suggest|prefer|say"
    r"|argue|expect|am (?:not )?(?:sure|convinced|afraid|glad|happy))\b"
    r"|in my (?:opinion|view|experience|judgement|judgment)\b|personally\b|to my mind\b"
    r"|hopefully\b|it (?:seems|appears|looks) to me\b|my (?:advice|guess|view|opinion|hope)\b"
    r"|(?:please|kindly) \w|let me know\b|feel free\b|you (?:may|might) (?:want|wish) to\b"
    r"|i(?:'m| am) not (?:able|sure|aware)\b)",
    re.I,
)
_TRANSITION = re.compile(
    r"(?:hello|hi|hey|dear \w+|good (?:morning|afternoon|evening|question)|great(?: question)?|sure"
    r"|certainly|of course|absolutely|yes|no|ok(?:ay)?|thanks?(?: you)?(?: for .*)?|you(?:'re| are)"
    r" welcome|in (?:summary|short|conclusion|brief)|to summari[sz]e|overall|finally|first(?:ly)?"
    r"|second(?:ly)?|next|also|however|therefore|that said|with that in mind"
    r"|(?:here|below)(?:'s| is| are)\b.*|(?:let me|let's|let us) .*|as follows"
    r"|i hope (?:this|that) helps.*|(?:is there )?anything else.*"
    r"|based on the (?:provided |given |retrieved )?(?:documents?|sources?|context|information)"
    r"|(?:the|these) (?:key|main|important|relevant) (?:points|facts|figures|details)"
    r" (?:are|follow))",
    re.I | re.S,
)
_ABOUT = (
    r"(?:documents?|sources?|context|texts?|materials?|passages?|excerpts?|evidence|information)"
)
_NO_ANSWER = re.compile(
    r"\A(?:(?:sorry|unfortunately|i apologi[sz]e)[,:]? (?:but )?)?(?:"
    r"i (?:do not|don't|cannot|can't|could not|couldn't|am unable to|was unable to|have no) "
    r"(?:know|find|answer|say|tell|determine|see|locate|have|information|provide|confirm)\b.*"
    rf"|(?:the |these |this |none of the |no )?(?:\w+ ){{0,2}}{_ABOUT}(?: \w+){{0,4}}? "
    rf"(?:do(?:es)? not|don't|doesn't) (?:contain|mention|say|provide|include|state|have|answer"
    rf"|specify|address|cover)\b.*"
    rf"|there is (?:no|not enough) (?:\w+ )?information\b.*"
    rf"|no (?:relevant )?{_ABOUT} (?:was|were) found.*"
    r"|not (?:stated|specified|mentioned|found) in the .*)\Z",
    re.I | re.S,
)


@dataclass(frozen=True, slots=True)
class Excluded:
    """A stretch of an answer that makes no claim: `answer[start:end]`, and the rule."""

    start: int
    end: int
    reason: ExclusionReason


@dataclass(slots=True)
class Decomposed:
    """An answer's claims and what is none, both in the order of the answer."""

    claims: list[AnswerClaim] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)
    markers: list[Marker] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together: [start, end) of the answer."""

    start: int
    end: int
    kind: ClaimKind


def decompose(trace: Trace) -> Decomposed:
    """The claims of a trace's answer, named c0001 and so on."""
    return _Decomposer(trace).result


class _Decomposer:
    def __init__(self, trace: Trace) -> None:
        self._answer = trace.answer
        self.result = Decomposed(markers=markers(trace.answer, trace))
        self._masked = _masked(trace.answer, self.result.markers)
        self._starts = [marker.start for marker in self.result.markers]
        self._notes = {start for start, _ in footnote_lines(trace.answer)}
        for block in self._blocks():
            self._sentences(block)
        self.result.claims.sort(key=lambda claim: claim.start)
        self.result.excluded.sort(key=lambda item: item.start)

    def _blocks(self) -> Iterator[_Block]:
        """Paragraphs and list items; everything else is dealt with on the way."""
        lines = list(_lines(self._answer))
        at, opened = 0, None
        while at < len(lines):
            start, end = lines[at]
            line = self._masked[start:end]
            special = self._special(lines, at)
            ended = special or not line.strip() or _BULLET.match(line)
            if ended and opened is not None:
                yield opened
                opened = None
            if special:
                at += special
                continue
            if line.strip():
                opened = self._joined(opened, start, end)
            at += 1
        if opened is not None:
            yield opened

    def _joined(self, opened: _Block | None, start: int, end: int) -> _Block:
        if opened is not None:
            return _Block(opened.start, end, opened.kind)
        bullet = _BULLET.match(self._masked[start:end])
        if bullet is None:
            return _Block(start, end, "sentence")
        return _Block(start + bullet.end(), end, "bullet")

    def _special(self, lines: list[tuple[int, int]], at: int) -> int:
        """How many lines from one on are code, footnotes, a list of sources, a table or a heading;
        0 where they are text."""
        start, end = lines[at]
        line = self._answer[start:end]
        if _FENCE.match(line):
            return self._until_fence(lines, at)
        if start in self._notes:
            self._exclude(start, end, "source_list")
            return 1
        if _SOURCE_LIST.match(line):
            return self._source_list(lines, at)
        if _ROW.match(line):
            return self._table(lines, at)
        if _HEADING.match(line):
            self._exclude(start, end, "heading")
            return 1
        return 0

    def _until_fence(self, lines: list[tuple[int, int]], at: int) -> int:
        for last in range(at + 1, len(lines)):
            if _FENCE.match(self._answer[slice(*lines[last])]):
                break
        else:
            last = len(lines) - 1
        self._exclude(lines[at][0], lines[last][1], "code")
        return last - at + 1

    def _source_list(self, lines: list[tuple[int, int]], at: int) -> int:
        """The heading and the lines below it that begin with a marker or a mark of a list."""
        last = at
        for following in range(at + 1, len(lines)):
            start, end = lines[following]
            line = self._answer[start:end]
            if not line.strip():
                continue
            begins = start + len(line) - len(line.lstrip())
            if not (self._inside(begins, begins + 1) or _BULLET.match(line)):
                break
            last = following
        if last > at or at == len(lines) - 1:
            self._exclude(lines[at][0], lines[last][1], "source_list")
        else:
            self._exclude(*lines[at], "heading")
        return last - at + 1

    def _table(self, lines: list[tuple[int, int]], at: int) -> int:
        stop = at
        while stop < len(lines) and _ROW.match(self._answer[slice(*lines[stop])]):
            stop += 1
        header: tuple[str, ...] = ()
        first = at
        if at + 1 < stop and _RULE_ROW.match(self._answer[slice(*lines[at + 1])]):
            header = _cells(self._masked[slice(*lines[at])])
            self._exclude(lines[at][0], lines[at + 1][1], "heading")
            first = at + 2
        for row in range(first, stop):
            self._row(*lines[row], header)
        return stop - at

    def _row(self, start: int, end: int, header: tuple[str, ...]) -> None:
        start, end = _trimmed(self._answer, start, end)
        cells = _cells(self._masked[start:end])
        if not any(_WORD.search(cell) for cell in cells[1:]):
            self._exclude(start, end, "no_words")
            return
        self._claim(start, end, "table_row", _statement(self._masked[start:end]), header, cells)

    def _sentences(self, block: _Block) -> None:
        masked = self._masked[block.start : block.end]
        ranges = sentences(masked)
        free = block.start
        for number, (low, high) in enumerate(ranges):
            stop = ranges[number + 1][0] if number + 1 < len(ranges) else len(masked)
            end = self._with_markers(block.start + high, block.start + stop)
            self._sentence(block.start + low, end, free, block)
            free = end

    def _with_markers(self, end: int, stop: int) -> int:
        """The end of a sentence with the markers right behind it."""
        for marker in self._inside(end, stop):
            if not self._masked[end : marker.start].strip():
                end = marker.end
        return end

    def _inside(self, start: int, end: int) -> list[Marker]:
        """The markers that begin in a range."""
        low, high = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return self.result.markers[low:high]

    def _sentence(self, start: int, end: int, free: int, block: _Block) -> None:
        """One sentence of a block; from `free` on nothing belongs to the one before."""
        for marker in self._inside(free, start):  # before the sentence's first word
            start = min(start, marker.start)
        reason = self._reason(start, end)
        if reason is not None:
            self._exclude(start, end, reason)
            return
        pieces = _clauses(self._masked, start, end)
        whole = self._named(start, end)
        for low, high in pieces:
            own = self._named(low, high)
            cited = own if own[0] or own[1] else whole
            statement = _statement(self._masked[low:high])
            self._claim(low, high, block.kind, statement, (), (), cited)

    def _reason(self, start: int, end: int) -> ExclusionReason | None:
        text = _statement(self._masked[start:end])
        if not _WORD.search(text):
            return "no_words"
        if text.endswith("?"):
            return "question"
        marked = self._inside(start, end)
        if marked or any(c.isdigit() for c in text) or _QUOTATION.search(text):
            return None
        bare = text.rstrip(" .!:,")
        if text.endswith(":") or _TRANSITION.fullmatch(bare):
            return "transition"
        if _NO_ANSWER.match(bare):
            return "no_answer"
        return "opinion" if _OPINION.search(text) else None

    def _named(self, start: int, end: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        inside = self._inside(start, end)
        cited = tuple(dict.fromkeys(key for m in inside for key in m.cited))
        return cited, tuple(dict.fromkeys(key for m in inside for key in m.unknown))

    def _claim(
        self,
        start: int,
        end: int,
        kind: ClaimKind,
        statement: str,
        header: tuple[str, ...],
        cells: tuple[str, ...],
        named: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
    ) -> None:
        cited, unknown = named if named is not None else self._named(start, end)
        number = len(self.result.claims) + 1
        text = self._answer[start:end]
        self.result.claims.append(
            AnswerClaim(
                f"c{number:04d}", text, start, end, kind, statement, cited, unknown, header, cells
            )
        )

    def _exclude(self, start: int, end: int, reason: ExclusionReason) -> None:
        low, high = _trimmed(self._answer, start, end)
        if low < high:
            self.result.excluded.append(Excluded(low, high, reason))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line.rstrip("\r\n"))
        at += len(line)


def _masked(answer: str, found: list[Marker]) -> str:
    """The answer with blanks in the place of its markers, at the same offsets."""
    parts, at = [], 0
    for marker in found:
        parts += [answer[at : marker.start], " " * (marker.end - marker.start)]
        at = marker.end
    return "".join([*parts, answer[at:]])


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _cells(row: str) -> tuple[str, ...]:
    inside = row.strip().removeprefix("|").removesuffix("|")
    return tuple(_statement(cell) for cell in _CELL.split(inside))


def _clauses(masked: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence cut at semicolons between whole clauses; none inside brackets or quotations."""
    ranges, low = [], start
    cuts = list(_CLAUSE.finditer(masked, start, end))
    for cut in cuts if len(cuts) <= _MOST_CUTS else ():
        before, after = masked[low : cut.start()], masked[cut.end() : end]
        balanced = all(before.count(a) == before.count(b) for a, b in ("()", "[]", "“”"))
        if (
            balanced
            and before.count('"') % 2 == 0
            and min(len(_WORD.findall(before)), len(_WORD.findall(after))) >= _LEAST_CLAUSE
        ):
            ranges.append((low, cut.start()))
            low = cut.end()
    return [*ranges, (low, end)]


def _statement(masked: str) -> str:
    """Words on one line, without marks of Markdown; no blank before a mark that ends something."""
    text = _SPACES.sub(" ", masked).strip()
    text = re.sub(r" (?=[.,;:!?)])", "", text)
    return unmarked(text) or text
