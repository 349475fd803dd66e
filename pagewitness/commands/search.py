"""`pagewitness search`: full text, with citations ready to use."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grounding.errors import UsageError
from grounding.export import visible_text
from grounding.store import StoreReader
from pagewitness.options import db_option, json_option


@click.command("search")
@click.argument("query")
@db_option
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@json_option
def command(query: str, db: Path, limit: int, as_json: bool) -> None:
    """Find elements that hold all words of QUERY, best first."""
    if not words(query):
        raise UsageError("the query holds no word")
    with StoreReader(db) as reader, reader.snapshot():
        for key, number in reader.search(words(query), limit):
            source = reader.document(key)
            element = source.find_element(f"e{number:06d}")
            assert element is not None, "the index refers to elements of the same snapshot"
            excerpt = excerpt_of(visible_text(source, element), query)
            citation = {"page": element.page, "element_id": element.id}
            if as_json:
                line = {
                    "document": source.identity.source_id,
                    "document_fingerprint": source.identity.document_fingerprint,
                    "citation": citation,
                    "bbox": element.box.as_list(),
                    "excerpt": excerpt,
                }
                click.echo(json.dumps(line, ensure_ascii=False, sort_keys=True))
            else:
                text = " ".join(excerpt.split())
                click.echo(
                    f"{source.identity.source_id}  page {element.page}  {element.id}  {text}"
                )


_EXCERPT = 160
"""Characters of an element that a hit shows."""


def excerpt_of(text: str, query: str) -> str:
    """The part of an element's text around the first word of the query."""
    folded = text.casefold()
    found = [at for at in (folded.find(word.casefold()) for word in query.split()) if at >= 0]
    start = max(min(found, default=0) - _EXCERPT // 4, 0)
    end = start + _EXCERPT
    return f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"


def words(query: str) -> str:
    """A query in FTS5's language that asks for all words as they are: its operators and
    punctuation mean nothing special."""
    plain = query.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    asked = [word for word in plain.split() if any(char.isalnum() for char in word)]
    return " ".join('"' + word.replace('"', '""') + '"' for word in asked)
