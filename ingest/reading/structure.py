"""Elements: what kind of thing a block is, within its page and then within its document."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from grounding.artifact import ElementContent
from grounding.model import ElementKind, SpanFlag
from ingest.reading.layout import Block, Row

_BULLET = re.compile(r"\s*[•●▪◦‣·○■□➢✓–—*-]\s+\S|\s*[\uf0b7\uf0a7\uf0d8]\s*")
_NUMBERED = re.compile(
    r"\s*(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)]\s+\S"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[A-Z\"“(])"
)
_ENDS_ITEM = re.compile(r"(?:[.;:?!]|\b(?:and|or))[\"”)]?\s*$")
_CAPTION = re.compile(
    r"\s*(?:figure|fig\.|table|chart|exhibit|graph)\s+[\dA-Z]{1,4}\b[.:\s–—-]", re.I
)
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:page\s*)?(?:[A-Z]{1,2}-?)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,4})?[\W_]*",
    re.I,
)
_DIGITS = re.compile(r"\d+")
_SIZE_STEP = 1.12
"""Type this much larger than the body is a heading's."""
_HEADING_CHARACTERS = 160
_MARGIN = 0.12
_REPEATS = 3
"""Pages on which a line has to stand at the same height to be a running head or foot."""
_LONGEST_FOLIO = 16
_MAX_LEVEL = 6


@dataclass(slots=True)
class Draft:
    """An element before the whole document is known: its rows, and what a reader notices."""

    rows: list[Row]
    text: str
    size: float
    bold: bool
    cells: int
    """Fragments of its fullest row; a row of a table has several."""
    starts_with_marker: bool


def drafts_of(block: Block) -> list[Draft]:
    """A block, cut where a list item begins or the type changes size or weight."""
    groups: list[list[Row]] = []
    looks: list[tuple[float, bool]] = []
    for row in block.rows:
        look = _look(row)
        if groups and not _starts_new(row, look, groups[-1][-1], looks[-1]):
            groups[-1].append(row)
        else:
            groups.append([row])
            looks.append(look)
    return [_draft(rows, look) for rows, look in zip(groups, looks, strict=True)]


def _look(row: Row) -> tuple[float, bool]:
    """Size and weight of most of a row's characters."""
    if len(row.fragments) == 1 and len(row.fragments[0].runs) == 1:
        run = row.fragments[0].runs[0]
        return run.size, run.bold
    weights: Counter[tuple[float, bool]] = Counter()
    for fragment in row.fragments:
        for run in fragment.runs:
            weights[run.size, run.bold] += len(run.text.strip())
    return weights.most_common(1)[0][0]


def _starts_new(row: Row, look: tuple[float, bool], before: Row, last: tuple[float, bool]) -> bool:
    size, bold = look
    if size > last[0] * _SIZE_STEP or last[0] > size * _SIZE_STEP:
        return True
    if bold != last[1] and len(row.fragments) == 1:
        return True
    text = row.fragments[0].text
    if _BULLET.match(text):
        return True
    # In the middle of a sentence a line may begin with a number: "in 2024 and / 3. quarter".
    return _NUMBERED.match(text) is not None and _ENDS_ITEM.search(before.text) is not None


def _draft(rows: list[Row], look: tuple[float, bool]) -> Draft:
    first = rows[0].fragments[0].runs[0]
    return Draft(
        rows,
        "\n".join([row.text for row in rows]),
        look[0],
        look[1],
        max(len(row.fragments) for row in rows),
        bool(first.flags & SpanFlag.MARKER),
    )


@dataclass(slots=True)
class Note:
    """What is remembered of an element until the whole document has been read."""

    page: int
    element: ElementContent
    head: str
    characters: int
    size: float
    bold: bool
    cells: int
    rows: int
    height: int
    starts_with_marker: bool

    @property
    def top(self) -> float:
        """Upper edge as a share of the page's height."""
        return self.element.box.y0 / self.height

    @property
    def bottom(self) -> float:
        return self.element.box.y1 / self.height


def note(page: int, element: ElementContent, draft: Draft, height: int) -> Note:
    """Remembers a draft on a page of `height` centipoints."""
    return Note(
        page,
        element,
        draft.text[: _HEADING_CHARACTERS + 40],
        len(draft.text),
        draft.size,
        draft.bold,
        draft.cells,
        len(draft.rows),
        height,
        draft.starts_with_marker,
    )


def classify(notes: list[Note], pages: int) -> None:
    """Sets kind and level of every element, given all of them."""
    body = _body_size(notes)
    running = _running(notes, pages)
    folios = _folios(notes)
    headings: list[Note] = []
    for item in notes:
        if item.element.kind is ElementKind.TABLE:
            continue
        item.element.kind = folios.get(id(item)) or _kind(item, body, running)
        if item.element.kind is ElementKind.HEADING:
            headings.append(item)
    _set_levels(headings, body)


def _body_size(notes: list[Note]) -> float:
    """The size that most characters have; the median document has one body size."""
    sizes: Counter[float] = Counter()
    for item in notes:
        sizes[round(item.size, 1)] += item.characters
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 0.0


def _running(notes: list[Note], pages: int) -> set[tuple[str, bool]]:
    """Keys of heads and feet: the same words, numbers aside, at the same edge of several pages."""
    where: dict[tuple[str, bool], set[int]] = defaultdict(set)
    for item in notes:
        key = _running_key(item)
        if key is not None:
            where[key].add(item.page)
    needed = min(_REPEATS, max(pages, 2))
    return {key for key, seen in where.items() if len(seen) >= needed}


def _folios(notes: list[Note]) -> dict[int, ElementKind]:
    """Page numbers that stand first or last on their pages, by the ids of their notes: where text
    ends early they stand far from the edge, but they count with the pages."""
    ends: dict[int, list[Note]] = {}
    for item in notes:
        ends.setdefault(item.page, []).append(item)
    found: dict[tuple[int, bool], list[Note]] = defaultdict(list)
    for page, items in ends.items():
        for item, is_head in ((items[0], True), (items[-1], False)):
            text = item.head.strip()
            if len(text) <= _LONGEST_FOLIO and _PAGE_NUMBER.fullmatch(text):
                digits = _DIGITS.search(text)
                if digits:
                    found[int(digits[0]) - page, is_head].append(item)
    return {
        id(item): ElementKind.HEADER if is_head else ElementKind.FOOTER
        for (_, is_head), items in found.items()
        if len(items) >= _REPEATS
        for item in items
    }


def _running_key(item: Note) -> tuple[str, bool] | None:
    if item.rows > 3 or not (item.bottom <= _MARGIN or item.top >= 1 - _MARGIN):
        return None
    text = _DIGITS.sub("#", " ".join(item.head.split())).casefold()
    return text, item.bottom <= _MARGIN


def _kind(item: Note, body: float, running: set[tuple[str, bool]]) -> ElementKind:
    key = _running_key(item)
    if key is not None and (key in running or _PAGE_NUMBER.fullmatch(item.head.strip())):
        return ElementKind.HEADER if key[1] else ElementKind.FOOTER
    if _CAPTION.match(item.head) and item.rows <= 4:
        return ElementKind.CAPTION
    if item.starts_with_marker and item.top > 0.4 and item.size < body * 0.97:
        return ElementKind.FOOTNOTE
    if _is_heading(item, body):
        return ElementKind.HEADING
    if item.cells == 1 and (_BULLET.match(item.head) or _NUMBERED.match(item.head)):
        return ElementKind.LIST_ITEM
    return ElementKind.PARAGRAPH


def _is_heading(item: Note, body: float) -> bool:
    text = item.head.strip()
    if item.cells > 2 or item.rows > 3 or item.characters > _HEADING_CHARACTERS:
        return False
    if sum(c.isalpha() for c in text) < 2 or text.endswith((",", ";")):
        return False
    if item.size >= body * _SIZE_STEP:
        return True
    return item.bold and item.rows <= 2 and item.size >= body * 0.95 and not text.endswith(".")


def _set_levels(headings: list[Note], body: float) -> None:
    """Level 1 is the largest type; bold headings of body size come below all larger ones."""
    sizes = sorted(
        {round(h.size, 1) for h in headings if h.size >= body * _SIZE_STEP}, reverse=True
    )
    levels: dict[float, int] = {}
    for size in sizes:
        # Sizes within 4 % of one another are one level: they differ by rounding or by hinting.
        close = next((s for s in levels if s <= size * 1.04), None)
        levels[size] = levels[close] if close else min(len(set(levels.values())) + 1, _MAX_LEVEL)
    lowest = min(len(set(levels.values())) + 1, _MAX_LEVEL)
    for heading in headings:
        heading.element.level = levels.get(round(heading.size, 1), lowest)
