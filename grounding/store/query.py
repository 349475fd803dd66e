"""What a user asks the full-text index: words, "phrases in quotation marks", beginnings of words
(`word*`). Everything else of FTS5's language, such as AND, NEAR and column names, is plain words.
"""

from __future__ import annotations

import re

from grounding.errors import UsageError

MAX_TERMS = 100
"""Words and phrases of a query; each is looked up for itself."""
MAX_QUERY = 10_000
"""Characters of a query."""

_TERM = re.compile(r'"([^"]*)"(\*?)|([^\s"]+)')
_CURLY = re.compile('[“„]([^“”„"]*)[“”]')


def match_expression(query: str) -> str:
    """A query in FTS5's language; all of its terms have to be found in one element.

    Raises UsageError for a query without a word, with too many, or with an open quotation mark.
    """
    plain = query.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    plain = _CURLY.sub(r'"\1"', plain)  # one alone came with a word that was copied
    if len(plain) > MAX_QUERY:
        raise UsageError(f"the query is longer than {MAX_QUERY} characters")
    if plain.count('"') % 2:
        raise UsageError(
            f"the quotation mark at character {plain.rindex(chr(34)) + 1} of the query is not"
            " closed",
            remedy='put phrases in two quotation marks, as in "net sales"',
        )
    terms = [term for found in _TERM.finditer(plain) if (term := _term(found))]
    if not terms:
        raise UsageError("the query holds no word")
    if len(terms) > MAX_TERMS:
        raise UsageError(f"the query has more than {MAX_TERMS} words and phrases")
    return " ".join(terms)


def _term(found: re.Match[str]) -> str:
    """A string of FTS5's language, with a star behind it where beginnings are asked for; empty for
    a term that holds nothing to look for."""
    phrase, star, word = found[1], found[2], found[3]
    if word is not None:
        phrase, star = (word[:-1], "*") if word.endswith("*") else (word, "")
    if not any(char.isalnum() for char in phrase):
        return ""
    return f'"{phrase}" {star}'.rstrip()
