"""Hand-made documents for tests that need no PDF: every character is 6 points wide and 10 high.

Line n of a page starts at x 72 points, y 72 + 14 n, whatever its text is; so the box of a character
is known from its line and column.
"""

import sys
from array import array
from collections.abc import Mapping, Sequence

from grounding.artifact import Artifact, CellContent, ElementContent, PageContent, TableContent
from grounding.charboxes import CharBoxes
from grounding.fingerprint import fingerprint_bytes
from grounding.geometry import Box, PageFrame
from grounding.model import CellRole, DocumentWarning, ElementKind, PageStatus, Style

LETTER = PageFrame((0, 0, 612_000, 792_000))
BODY = Style("Times-Roman", 1000, 0)

LEFT, TOP = 7200, 7200
CHAR_WIDTH, CHAR_HEIGHT, LINE_STEP = 600, 1000, 1400

Rect = tuple[int, int, int, int]


def char_rects(text: str) -> list[Rect]:
    """Boxes of a page's characters; a line end has an empty one after the character before it."""
    rects, line, column = [], 0, 0
    for char in text:
        x, y = LEFT + column * CHAR_WIDTH, TOP + line * LINE_STEP
        if char == "\n":
            rects.append((x, y, x, y))
            line, column = line + 1, 0
        else:
            rects.append((x, y, x + CHAR_WIDTH, y + CHAR_HEIGHT))
            column += 1
    return rects


def box_arrays(rects: Sequence[Rect]) -> bytes:
    """Character boxes as grounding.charboxes lays them out before they are packed."""
    columns = (
        [x0 for x0, _, _, _ in rects],
        [x1 - x0 for x0, _, x1, _ in rects],
        [y0 for _, y0, _, _ in rects],
        [y1 - y0 for _, y0, _, y1 in rects],
    )
    values = array("i", [value for column in columns for value in column])
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def rects_of(boxes: CharBoxes) -> list[Rect]:
    """The boxes that packed arrays came back as."""
    rows = zip(boxes.x0, boxes.y0, boxes.width, boxes.height, strict=True)
    return [(x, y, x + width, y + height) for x, y, width, height in rows]


def text_box(text: str, start: int, end: int) -> Box:
    """The box around the characters [start, end) of a page, line ends aside."""
    numbered = enumerate(char_rects(text))
    rects = [rect for at, rect in numbered if start <= at < end and text[at] != "\n"]
    x0, y0, x1, y1 = zip(*rects, strict=True)
    return Box(min(x0), min(y0), max(x1), max(y1))


def page(
    *paragraphs: str,
    frame: PageFrame = LETTER,
    label: str = "",
    status: PageStatus = "ok",
    kinds: Mapping[int, ElementKind] | None = None,
    tables: Sequence[TableContent] = (),
    warnings: Sequence[DocumentWarning] = (),
) -> PageContent:
    """A page on which each argument is one element, and each line of it one span.

    `kinds` names the elements that are no paragraphs, by position.
    """
    text = "\n".join(paragraphs)
    elements, spans, start = [], array("i"), 0
    for number, paragraph in enumerate(paragraphs):
        end = start + len(paragraph)
        kind = (kinds or {}).get(number, ElementKind.PARAGRAPH)
        level = 1 if kind is ElementKind.HEADING else 0
        elements.append(ElementContent(kind, level, start, end, text_box(text, start, end)))
        at = start
        for line in paragraph.split("\n"):
            box = text_box(text, at, at + len(line))
            spans.extend((at, at + len(line), *box.as_list(), 0, 0, number))
            at += len(line) + 1
        start = end + 1
    return PageContent(
        frame=frame,
        label=label,
        status=status,
        text=text,
        box_arrays=box_arrays(char_rects(text)),
        spans=spans,
        styles=[BODY],
        elements=elements,
        tables=list(tables),
        warnings=list(warnings),
    )


def table(page_text: str, rows: Sequence[Sequence[str]]) -> TableContent:
    """A trusted table whose cells stand in `page_text` one after the other, the first row as
    header."""
    cells, at = [], 0
    for row, texts in enumerate(rows):
        for col, text in enumerate(texts):
            at = page_text.index(text, at)
            box = text_box(page_text, at, at + len(text))
            role = CellRole.DATA if row else CellRole.COLUMN_HEADER
            cells.append(CellContent(row, col, 1, 1, box, text, ((at, at + len(text)),), role))
            at += len(text)
    whole = cells[0].box
    for cell in cells:
        whole = whole.union(cell.box)
    return TableContent(whole, len(rows), len(rows[0]), "by hand", True, cells)


def artifact(
    *pages: PageContent,
    data: bytes = b"%PDF-1.7 made by hand",
    options: Mapping[str, object] | None = None,
    warnings: Sequence[DocumentWarning] = (),
    parser_version: str = "1.0",
) -> Artifact:
    """A sealed document. Pages cannot be used for another one: sealing packs their boxes."""
    return Artifact(
        source=fingerprint_bytes(data),
        parser_name="by-hand",
        parser_version=parser_version,
        options=dict(options or {"tables": "auto"}),
        pages=list(pages),
        warnings=list(warnings),
    ).seal()


def letter(text: str = "The river rose by two metres.", **options: object) -> Artifact:
    """A document of one page with one paragraph; its bytes follow from its text."""
    return artifact(page(text), data=b"%PDF-1.7 " + text.encode(), options=options or None)
