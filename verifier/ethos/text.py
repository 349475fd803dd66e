"""Text as Ethos compares it: white space of ASCII collapsed, ends trimmed, nothing else.

Python's own `strip` and `\\s` know other white space than the rules do (U+001C–001F, the vertical
tab), so the sets are written out here.
"""

from __future__ import annotations

import re
from typing import Final

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Characters with the Unicode property White_Space: what is trimmed from both ends."""

_ASCII_RUN = re.compile("[ \t\n\x0c\r]+")
"""What becomes one space inside a text. The vertical tab is no ASCII white space to the rules. A
carriage return, alone or before a line feed, is in a run either way."""


def collapsed(text: str) -> str:
    """Runs of ASCII white space as one space each, without white space at the ends."""
    return _ASCII_RUN.sub(" ", text).strip(WHITE_SPACE)


def is_blank(text: str | None) -> bool:
    """Whether nothing is left of a text when its white space is trimmed."""
    return text is None or not text.strip(WHITE_SPACE)


class Comparison:
    """How two texts are compared under one configuration.

    Every text is brought into its compared form once: the same long element is cited again and
    again.
    """

    def __init__(self, *, collapse: bool = True, case_sensitive: bool = True) -> None:
        self.collapse = collapse
        self.case_sensitive = case_sensitive
        self._forms: dict[str, str] = {}

    def shown(self, text: str) -> str:
        """A text with white space as the configuration wants it, letters as they are."""
        return collapsed(text) if self.collapse else text

    def form(self, text: str) -> str:
        """What is compared of a text."""
        form = self._forms.get(text)
        if form is None:
            form = self.shown(text)
            if not self.case_sensitive:
                form = form.lower()
            self._forms[text] = form
        return form

    def contains(self, text: str | None, wanted: str | None) -> bool:
        """Whether `wanted` stands in `text`, inside a word or not."""
        if text is None or wanted is None:
            return False
        return self.form(wanted) in self.form(text)

    def equals(self, text: str | None, wanted: str | None) -> bool:
        """Whether both are the same text."""
        if text is None or wanted is None:
            return False
        return self.form(wanted) == self.form(text)
