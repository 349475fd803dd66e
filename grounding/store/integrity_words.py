"""The full-text index against the words that it must have.

The index keeps no text, so it is compared with a second one that is made of the stored pages in the
connection's temporary database: every word at every position, the lengths of elements, and the
totals that ranking uses. What the way from a word to its entry leads to is asked word by word.
"""

from __future__ import annotations

import sqlite3
from collections import Counter

from grounding.store.findings import Findings
from grounding.store.rebuilt import Query
from grounding.store.schema import FTS_SHIFT

_ALL = 0
"""Stands for all documents; ids count from 1."""


def indexed_texts(query: Query, document_id: int) -> list[tuple[int, str]]:
    """(row number of the index, text) of a document's elements, as they were indexed."""
    texts = {
        number: (start, text)
        for number, start, text in query(
            "SELECT number, char_start, text FROM pages WHERE document_id = ?", document_id
        )
    }
    rows = query(
        "SELECT page, number, char_start, char_end FROM elements WHERE document_id = ?",
        document_id,
    )
    return [
        (document_id << FTS_SHIFT | number, texts[page][1][start - shift : end - shift])
        for page, number, start, end in rows
        if page in texts
        for shift in (texts[page][0],)
    ]


def check_words(
    connection: sqlite3.Connection, names: dict[int, str], query: Query, found: Findings
) -> None:
    """Compares the index with the elements; `names` has every document's fingerprint by its id."""
    try:
        _make_expected(connection, names, query)
        wrong = _differing(connection) | _unreachable(connection)
    except sqlite3.DatabaseError as error:
        found.add("search_index_damaged", str(error))
        return
    for document_id in sorted(wrong):
        name = names.get(document_id, "")
        detail = "its words are not those of its elements" if name else "words of no document"
        if document_id == _ALL:
            detail = "the totals that ranking uses are not those of the elements"
        found.add("search_index_mismatch", detail, name)


def _make_expected(connection: sqlite3.Connection, names: dict[int, str], query: Query) -> None:
    """The index as it must be, and tables that list what is in both."""
    connection.execute(
        "CREATE VIRTUAL TABLE temp.expected USING fts5 (text, content = '', tokenize = 'unicode61')"
    )
    for document_id in names:
        connection.executemany(
            "INSERT INTO temp.expected (rowid, text) VALUES (?, ?)",
            indexed_texts(query, document_id),
        )
    for name, schema, table in (("is", "main", "elements_fts"), ("due", "temp", "expected")):
        connection.execute(
            f"CREATE VIRTUAL TABLE temp.words_{name} USING fts5vocab"
            f" ('{schema}', '{table}', 'instance')"
        )


def _differing(connection: sqlite3.Connection) -> set[int]:
    """Ids of documents whose words, places or lengths differ; _ALL for the totals."""
    one, other = _sums(connection, "words_is"), _sums(connection, "words_due")
    wrong = {id_ for id_ in one.keys() | other.keys() if one[id_] != other[id_]}
    for left, right in (
        ("main.elements_fts", "temp.expected"),
        ("temp.expected", "main.elements_fts"),
    ):
        rows = connection.execute(
            f"SELECT DISTINCT id >> {FTS_SHIFT} FROM (SELECT id, sz FROM {left}_docsize"
            f" EXCEPT SELECT id, sz FROM {right}_docsize)"
        )
        wrong.update(id_ for (id_,) in rows)
    if _totals(connection, "main.elements_fts") != _totals(connection, "temp.expected"):
        wrong.add(_ALL)
    return wrong


def _sums(connection: sqlite3.Connection, table: str) -> Counter[int]:
    """For every document the sum of the hashes of its (word, row, place): equal for equal sets, and
    made without holding either."""
    sums: Counter[int] = Counter()
    for entry in connection.execute(f"SELECT term, doc, offset FROM temp.{table}"):
        sums[entry[1] >> FTS_SHIFT] += hash(entry)
    return sums


def _totals(connection: sqlite3.Connection, table: str) -> bytes:
    """Number of rows and of words, as FTS5 packs them in its first record; an index from which
    everything was taken out again has zeros where a new one has nothing."""
    row = connection.execute(f"SELECT block FROM {table}_data WHERE id = 1").fetchone()
    return bytes(row[0]).rstrip(b"\0") if row else b""


def _unreachable(connection: sqlite3.Connection) -> set[int]:
    """Ids of documents with a word that a query does not find."""
    missed = set()
    rows = connection.execute("SELECT term, min(doc) FROM temp.words_due GROUP BY term").fetchall()
    for term, row in rows:
        quoted = '"' + term.replace('"', '""') + '"'
        hit = connection.execute(
            "SELECT rowid FROM elements_fts WHERE elements_fts MATCH ? LIMIT 1", (quoted,)
        ).fetchone()
        if hit is None or hit[0] != row:
            missed.add(row >> FTS_SHIFT)
    return missed
