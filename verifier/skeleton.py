"""The letters and digits of a text, and the gaps between them.

Two texts with the same skeleton differ in nothing but spaces, punctuation and signs. A skeleton
finds candidates; whether the differing gaps may differ is decided gap by gap in verifier.gaps.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_WORD = re.compile(r"[^\W_]+")


class Skeleton:
    """Skeleton of a folded text, with the way back."""

    __slots__ = ("ends", "folded", "starts", "text", "words")

    def __init__(self, folded: str) -> None:
        self.folded = folded
        self.words: list[int] = []
        """Where each word starts in the skeleton."""
        self.starts: list[int] = []
        """Where each word starts in the folded text."""
        self.ends: list[int] = []
        parts, length = [], 0
        for word in _WORD.finditer(folded):
            self.words.append(length)
            self.starts.append(word.start())
            self.ends.append(word.end())
            parts.append(word.group())
            length += word.end() - word.start()
        self.text = "".join(parts)

    def folded_at(self, index: int) -> int:
        """Folded offset of the skeleton's character `index`."""
        word = bisect_right(self.words, index) - 1
        return self.starts[word] + index - self.words[word]

    def gaps(self, start: int, end: int) -> dict[int, tuple[int, int]]:
        """Gaps inside the skeleton range [start, end): for each skeleton offset before which one
        lies, relative to `start`, its range in the folded text."""
        found = {}
        word = bisect_right(self.words, start)
        while word < len(self.words) and self.words[word] < end:
            found[self.words[word] - start] = (self.ends[word - 1], self.starts[word])
            word += 1
        return found
