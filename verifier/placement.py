"""What kind of place of its document a piece of evidence stands in, where that weakens it.

Words of a running head, of a table of contents or of a reference list are printed, so they ground a
quote; but they name something and state nothing, and a reviewer has to know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from grounding.model import RUNNING_KINDS, WarningCode
from verifier.views import DocumentIndex

_CONTENTS = re.compile(r"(?:table\s+of\s+)?contents|index(?:\s+to\s+.{1,60})?", re.IGNORECASE)
_REFERENCES = re.compile(
    r"(?:[\dIVX]{1,4}[.)]?\s+)?(?:references(?:\s+cited)?|bibliography|works\s+cited"
    r"|literature(?:\s+cited)?|table\s+of\s+authorities)",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*[\divxlc]{0,4}\s*$", re.IGNORECASE)
_PAGE_DIGITS = 3
_FEWEST_ENTRIES = 5
_ENTRY_SHARE = 0.25
"""Share of a contents page's lines that end in the number of a page."""


class Places:
    """The places of one document."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._contents: dict[int, bool] = {}
        """Whether a page is a table of contents, for pages that were asked for."""

    def warnings(self, start: int, headings: Iterable[str]) -> list[str]:
        """Codes of what to know of the place of a text that begins at an offset of the document,
        under some headings."""
        codes: list[str] = []
        element = self._index.element_at(start)
        if element is not None and element.kind in RUNNING_KINDS:
            codes.append(WarningCode.IN_HEADER_OR_FOOTER)
        page = self._index.page_at(start)
        text = self._index.source.page_text(page.number)
        if page.number not in self._contents:
            self._contents[page.number] = is_contents(text)
        at = start - page.start
        end = text.find("\n", at)
        line = text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)]
        if self._contents[page.number] or _LEADERS.search(line):
            codes.append(WarningCode.IN_TABLE_OF_CONTENTS)
        if any(_REFERENCES.fullmatch(heading) for heading in headings):
            codes.append(WarningCode.IN_REFERENCE_LIST)
        return codes


def is_contents(text: str) -> bool:
    """Whether a page's text is a table of contents: a line of its own says so, and many of those
    below it end in numbers of pages that only rise."""
    lowered = text.lower()
    if "contents" not in lowered and "index" not in lowered:
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    titles = [at for at, line in enumerate(lines) if _CONTENTS.fullmatch(line.strip())]
    if not titles:
        return False
    below = lines[titles[0] + 1 :]
    lasts = [line.split()[-1].lstrip(".") for line in below]
    numbers = [int(last) for last in lasts if last.isdecimal() and len(last) <= _PAGE_DIGITS]
    rising = sum(a <= b for a, b in pairwise(numbers))
    return (
        len(numbers) >= _FEWEST_ENTRIES
        and len(numbers) >= _ENTRY_SHARE * len(below)
        and rising >= 0.9 * (len(numbers) - 1)
    )
