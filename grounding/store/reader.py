"""Reading the store: finding documents, and one document as a GroundingSource."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from grounding.charboxes import CharBoxes, unpack
from grounding.errors import (
    DocumentAmbiguousError,
    DocumentNotFoundError,
    SourceExpiredError,
    SourceNotPermittedError,
)
from grounding.fingerprint import is_fingerprint
from grounding.geometry import Box, PageFrame
from grounding.model import (
    Capabilities,
    Cell,
    CellRole,
    DocumentIdentity,
    DocumentWarning,
    Element,
    ElementKind,
    Page,
    PageStatus,
    Parser,
    Span,
    SpanFlag,
    Style,
    Table,
    TablePart,
    TableSearch,
    WarningCode,
)
from grounding.store.access import SHARED, VISIBLE, Access, Standing
from grounding.store.connection import OpenStore, connect_reader, store_errors

if TYPE_CHECKING:
    from grounding.store.ranking import Ranking
    from grounding.store.source_map import MapIdentity

_FINGERPRINT_START = re.compile(r"(?:sha256|blake3):[0-9a-f]{12,63}")
PAGES_KEPT = 512
"""Pages whose character boxes stay unpacked; about 50 kB each."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One document version under one source, as `pagewitness sources` lists it."""

    source_id: str
    name: str
    status: str
    version: int
    document_fingerprint: str
    source_fingerprint: str
    pages: int
    current: bool
    effective: str = ""
    expires: str = ""
    authority: str = ""
    tenant: str = ""
    permissions: tuple[str, ...] = ()


_SOURCE_COLUMNS = tuple(field.name for field in fields(SourceRow))


@dataclass(frozen=True, slots=True)
class VersionKey:
    """Where a document version lives: its source, its row, and whether it is the newest."""

    source_id: str
    document_id: int
    version: int
    current: bool


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What is left of a document version that was forgotten. `forgotten_at` is UTC; the reason may
    be empty."""

    source_id: str
    version: int
    document_fingerprint: str
    source_fingerprint: str
    blake3: str
    forgotten_at: str
    reason: str

    def __str__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"was forgotten at {self.forgotten_at} (source {self.source_id}){why}"


class StoreReader(OpenStore):
    """Context manager over the store opened for reading. Sees one consistent state inside
    `snapshot()`; never blocks a writer and is never blocked by one. What `access` does not see is
    not there. Raises StoreError."""

    def __init__(self, path: Path, access: Access = SHARED) -> None:
        super().__init__(path, connect_reader(path))
        self.access = access
        access.put_on(self._connection)
        self._map: tuple[int, MapIdentity] | None = None
        self._ranking: tuple[int, Ranking] | None = None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read inside belongs to one state of the store."""
        with store_errors(self.path):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    def sources(self) -> list[SourceRow]:
        """Every document version of every source, by source id and version."""
        rows = self._all(
            "SELECT s.source_id, s.name, s.status, v.version, d.document_fingerprint,"
            " d.source_fingerprint, d.page_count, v.version = (SELECT max(version) FROM versions"
            " AS w WHERE w.source_id = s.source_id), s.effective, s.expires, s.authority, s.tenant,"
            " s.permissions"
            " FROM sources AS s JOIN versions AS v ON v.source_id = s.source_id"
            f" JOIN documents AS d ON d.id = v.document_id WHERE {VISIBLE}"
            " ORDER BY s.source_id, v.version"
        )
        return [_source_row(row) for row in rows]

    def find(self, doc: str) -> VersionKey:
        """The document version that a source id, a fingerprint or a file name stands for; the
        current one where the name alone leaves it open. Of several sources that have one document,
        one that the caller may use is meant before others.

        Raises DocumentNotFoundError and DocumentAmbiguousError.
        """
        if not _is_text(doc):
            raise DocumentNotFoundError("the name holds characters that no stored name has")
        if _FINGERPRINT_START.fullmatch(doc):
            doc = self._completed(doc)
        keys = self._by_fingerprint(doc) if is_fingerprint(doc) else self._by_name(doc)
        if not keys:
            raise self._not_found(doc)
        exact = [key for key in keys if key.source_id == doc]
        keys = exact or keys  # an id means its source, whatever files of others are called
        owners = sorted({key.source_id for key in keys})
        if len(owners) > 1 and len({key.document_id for key in keys}) > 1:
            raise DocumentAmbiguousError(f"{doc!r} could be any of: {', '.join(owners)}")
        if len(owners) > 1:
            keys = self._usable(keys) or keys
        return min(keys, key=lambda k: (not k.current, -k.version, k.source_id))

    def _usable(self, keys: list[VersionKey]) -> list[VersionKey]:
        """Those of sources that are approved and may be read; if none is, those that may be."""
        readable = [(key, one) for key in keys if (one := self.standing(key)).permitted]
        approved = [key for key, one in readable if one.status == "approved"]
        return approved or [key for key, _ in readable]

    def tombstone(self, doc: str) -> Tombstone | None:
        """What is left of a forgotten version that a source id or a fingerprint stands for, the one
        forgotten last; None where nothing was forgotten under it."""
        rows = self._all(
            "SELECT t.source_id, t.version, t.document_fingerprint, t.source_fingerprint, t.blake3,"
            " t.forgotten_at, t.reason FROM tombstones AS t"
            " JOIN sources AS s ON s.source_id = t.source_id"  # it stays, withdrawn
            " WHERE ?1 IN (t.source_id, t.document_fingerprint, t.source_fingerprint, t.blake3)"
            f" AND {VISIBLE}"
            " ORDER BY t.forgotten_at DESC, t.source_id, t.version DESC LIMIT 1",
            doc,
        )
        return Tombstone(*rows[0]) if rows else None

    def _not_found(self, doc: str) -> DocumentNotFoundError:
        forgotten = self.tombstone(doc)
        if forgotten is None:
            return DocumentNotFoundError(f"no document {doc!r} in the store")
        return DocumentNotFoundError(
            f"{doc!r} {forgotten}", remedy="ingest the file again, if it may be held again"
        )

    def current(self, key: VersionKey) -> VersionKey:
        """The newest version of the same source."""
        return (
            key
            if key.current
            else self._keys("v.source_id = ?", key.source_id, current_only=True)[0]
        )

    def document(self, key: VersionKey) -> StoredSource:
        """The document as a GroundingSource."""
        return StoredSource(self, key)

    def open(self, doc: str, as_of: str | None = None) -> StoredSource:
        """`find` and `document` in one, for looking at a document, approved or not; `as_of` is an
        ISO day. Raises SourceNotPermittedError for a source whose labels the caller does not have,
        and SourceExpiredError for one that is not valid on the day."""
        key = self.find(doc)
        standing = self.standing(key)
        if not standing.permitted:
            raise SourceNotPermittedError(
                f"source {key.source_id} needs permissions that the caller does not have"
            )
        if as_of is not None and not standing.valid_on(as_of):
            raise SourceExpiredError(f"source {key.source_id} is not valid on {as_of}")
        return self.document(key)

    def standing(self, key: VersionKey) -> Standing:
        """What the source map says of a document's source."""
        ((status, effective, expires, tenant, permissions),) = self._all(
            "SELECT status, effective, expires, tenant, permissions FROM sources"
            " WHERE source_id = ?",
            key.source_id,
        )
        return Standing(status, effective, expires, self.access.reads(tenant, permissions))

    def ranking(self) -> Ranking:
        """The ranks of hits; made once for each state of the store."""
        from grounding.store.ranking import Ranking

        ((state,),) = self._all("PRAGMA data_version")
        if self._ranking is None or self._ranking[0] != state:
            self._ranking = state, Ranking(self)
        return self._ranking[1]

    def map_identity(self) -> MapIdentity:
        """Which state the source map is in, as far as the caller sees it. It is made once for each
        state of the store."""
        from grounding.store.source_map import map_identity

        ((state,),) = self._all("PRAGMA data_version")
        if self._map is None or self._map[0] != state:
            self._map = state, map_identity(self)
        return self._map[1]

    def versions_pinned_by(self, source_id: str, pin: str) -> list[tuple[int, DocumentIdentity]]:
        """Versions of a source that a citation's fingerprint names, oldest first."""
        keys = self._keys("v.source_id = ?", source_id, current_only=False)
        found = [(key.version, self.document(key).identity) for key in keys]
        return [(version, identity) for version, identity in found if identity.is_pinned_by(pin)]

    def locations(self, source_fingerprint: str) -> list[str]:
        """Paths at which exactly these bytes were found at ingestion."""
        rows = self._all(
            "SELECT l.path FROM locations AS l JOIN sources AS s ON s.source_id = l.source_id"
            f" WHERE l.source_fingerprint = ? AND {VISIBLE} ORDER BY l.path",
            source_fingerprint,
        )
        return [path for (path,) in rows]

    def locations_of(self, source_id: str) -> list[str]:
        """Paths of a source's files at the last ingestion."""
        rows = self._all(
            "SELECT l.path FROM locations AS l JOIN sources AS s ON s.source_id = l.source_id"
            f" WHERE l.source_id = ? AND {VISIBLE} ORDER BY l.path",
            source_id,
        )
        return [path for (path,) in rows]

    def search(self, query: str, limit: int) -> list[tuple[VersionKey, int]]:
        """(document, element number) of the best hits of an FTS5 query in current versions, best
        first. Words that nobody sees count here; grounding.store.search looks at the text."""
        from grounding.store.search import Filters, ranked

        found = islice(ranked(self, query, Filters()), limit)
        return [(hit.key, hit.number) for hit in found]

    def _completed(self, start: str) -> str:
        """The fingerprint that begins so; `start` itself when none or several do."""
        rows = self._all(
            "WITH seen AS (SELECT d.document_fingerprint, d.source_fingerprint FROM documents AS d"
            " WHERE (d.document_fingerprint GLOB ?1 || '*' OR d.source_fingerprint GLOB ?1 || '*')"
            " AND EXISTS (SELECT 1 FROM versions AS v JOIN sources AS s"
            f" ON s.source_id = v.source_id WHERE v.document_id = d.id AND {VISIBLE}))"
            " SELECT document_fingerprint FROM seen WHERE document_fingerprint GLOB ?1 || '*'"
            " UNION SELECT source_fingerprint FROM seen WHERE source_fingerprint GLOB ?1 || '*'"
            " LIMIT 2",
            start,
        )
        return str(rows[0][0]) if len(rows) == 1 else start

    def _by_fingerprint(self, pin: str) -> list[VersionKey]:
        return self._keys(
            "d.document_fingerprint = ?1 OR d.source_fingerprint = ?1 OR d.blake3 = ?1 OR d.id IN"
            " (SELECT a.document_id FROM content_aliases AS a JOIN sources AS s ON"
            " s.source_id = a.source_id WHERE (a.source_fingerprint = ?1 OR a.blake3 = ?1)"
            f" AND {VISIBLE})",
            pin,
            current_only=False,
        )

    def _by_name(self, name: str) -> list[VersionKey]:
        return self._keys(
            "v.source_id IN (SELECT source_id FROM sources WHERE source_id = ?1 UNION"
            " SELECT source_id FROM locations WHERE name = ?1)",
            name,
            current_only=True,
        )

    def _keys(self, where: str, value: object, *, current_only: bool) -> list[VersionKey]:
        rows = self._all(
            "SELECT v.source_id, v.document_id, v.version, v.version = (SELECT max(version) FROM"
            " versions AS w WHERE w.source_id = v.source_id) AS current FROM versions AS v"
            " JOIN sources AS s ON s.source_id = v.source_id"
            f" JOIN documents AS d ON d.id = v.document_id WHERE ({where}) AND {VISIBLE}"
            " ORDER BY v.source_id, v.version",
            value,
        )
        keys = [VersionKey(row[0], row[1], row[2], bool(row[3])) for row in rows]
        return [key for key in keys if key.current] if current_only else keys

    def rows(self, sql: str, *values: object) -> list[Any]:
        """The rows of a query, for the other modules of this package."""
        return self._all(sql, *values)

    def _all(self, sql: str, *values: object) -> list[Any]:
        with store_errors(self.path):
            return self._connection.execute(sql, values).fetchall()


class StoredSource:
    """A document version in the store; implements GroundingSource. Pages are read when asked."""

    def __init__(self, reader: StoreReader, key: VersionKey) -> None:
        self.key = key
        self._all: Callable[..., list[Any]] = reader._all
        self._text = lru_cache(maxsize=None)(self._read_text)
        self._boxes = lru_cache(maxsize=PAGES_KEPT)(self._read_boxes)
        self._elements = lru_cache(maxsize=None)(self._read_elements)
        self._spans = lru_cache(maxsize=PAGES_KEPT)(self._read_spans)
        self._tables = lru_cache(maxsize=None)(self._read_tables)
        self._table = lru_cache(maxsize=None)(self._read_table)

    @cached_property
    def identity(self) -> DocumentIdentity:
        (row,) = self._all(
            "SELECT s.name, d.document_fingerprint, d.source_fingerprint, d.blake3,"
            " d.content_fingerprint FROM documents AS d, sources AS s"
            " WHERE d.id = ? AND s.source_id = ?",
            self.key.document_id,
            self.key.source_id,
        )
        aliases = self._all(
            "SELECT a.source_fingerprint, a.blake3 FROM content_aliases AS a JOIN sources AS s"
            f" ON s.source_id = a.source_id WHERE a.document_id = ? AND {VISIBLE}",
            self.key.document_id,
        )
        name, document, sha256, blake3, content = row
        pins = frozenset(pin for pair in aliases for pin in pair)
        return DocumentIdentity(self.key.source_id, name, document, sha256, blake3, content, pins)

    @cached_property
    def parser(self) -> Parser:
        (row,) = self._all(
            "SELECT parser_name, parser_version FROM documents WHERE id = ?", self.key.document_id
        )
        return Parser(row[0], row[1])

    @cached_property
    def options(self) -> dict[str, Any]:
        """The parser options that are part of the document fingerprint."""
        ((options,),) = self._all(
            "SELECT options FROM documents WHERE id = ?", self.key.document_id
        )
        return cast(dict[str, Any], json.loads(options))

    @cached_property
    def payload_sha256(self) -> str:
        ((value,),) = self._all(
            "SELECT payload_sha256 FROM documents WHERE id = ?", self.key.document_id
        )
        return str(value)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            spans=True,
            char_offsets=True,
            tables=self.options.get("tables") != "off",
            fingerprint=True,
            coordinate_origin="top-left",
            crop_support=True,
        )

    @cached_property
    def pages(self) -> Sequence[Page]:
        rows = self._all(
            "SELECT number, label, frame, char_start, char_end, status, fingerprint FROM pages"
            " WHERE document_id = ? ORDER BY number",
            self.key.document_id,
        )
        return tuple(
            Page(number, label, _frame(frame), start, end, cast(PageStatus, status), fingerprint)
            for number, label, frame, start, end, status, fingerprint in rows
        )

    @cached_property
    def warnings(self) -> Sequence[DocumentWarning]:
        rows = self._all(
            "SELECT code, page, detail FROM warnings WHERE document_id = ? ORDER BY page, position",
            self.key.document_id,
        )
        return tuple(
            DocumentWarning(WarningCode(code), page, detail) for code, page, detail in rows
        )

    def page_text(self, page: int) -> str:
        return self._text(page)

    def char_boxes(self, page: int) -> CharBoxes | None:
        return self._boxes(page)

    def elements(self, page: int) -> Sequence[Element]:
        return self._elements(page)

    def spans(self, page: int) -> Sequence[Span]:
        return self._spans(page)

    def flagged(self, page: int, flags: SpanFlag) -> Sequence[tuple[int, int, int]]:
        rows = self._all(
            "SELECT char_start, char_end, flags FROM spans"
            " WHERE document_id = ? AND page = ? AND flags & ? ORDER BY number",
            self.key.document_id,
            page,
            int(flags),
        )
        return tuple(map(tuple, rows))

    def styles(self, page: int) -> Sequence[Style]:
        rows = self._page_column("styles", page)
        return tuple(Style(*style) for style in json.loads(rows))

    def tables(self, page: int) -> Sequence[Table]:
        return self._tables(page)

    def find_element(self, element_id: str) -> Element | None:
        page = self._page_of("elements", "e", element_id)
        return next((x for x in self.elements(page) if x.id == element_id), None) if page else None

    def find_span(self, span_id: str) -> Span | None:
        page = self._page_of("spans", "s", span_id)
        return next((x for x in self.spans(page) if x.id == span_id), None) if page else None

    def find_table(self, table_id: str) -> Table | None:
        number = self._number_of("t", table_id)
        known = self._all(
            "SELECT 1 FROM tables WHERE document_id = ? AND number = ?",
            self.key.document_id,
            number,
        )
        table = self._table(number) if known else None
        return table if table is not None and table.id == table_id else None

    def _page_of(self, table: str, letter: str, wanted: str) -> int:
        """The page of the item with an id; 0 when no row has its number."""
        rows = self._all(
            f"SELECT page FROM {table} WHERE document_id = ? AND number = ?",
            self.key.document_id,
            self._number_of(letter, wanted),
        )
        return int(rows[0][0]) if rows else 0

    @staticmethod
    def _number_of(letter: str, wanted: str) -> int:
        """The number in an id; 0, which nothing has, where it is none."""
        digits = wanted[1:]
        if not (wanted.startswith(letter) and digits.isascii() and digits.isdigit()):
            return 0
        return min(int(digits[:12]), 2**40)

    def _page_column(self, column: str, page: int) -> Any:
        rows = self._all(
            f"SELECT {column} FROM pages WHERE document_id = ? AND number = ?",
            self.key.document_id,
            page,
        )
        return rows[0][0]

    def _read_text(self, page: int) -> str:
        return str(self._page_column("text", page))

    def _read_boxes(self, page: int) -> CharBoxes:
        return unpack(self._page_column("char_boxes", page))

    def _read_elements(self, page: int) -> Sequence[Element]:
        rows = self._all(
            "SELECT number, page, kind, level, char_start, char_end, x0, y0, x1, y1, table_number"
            " FROM elements WHERE document_id = ? AND page = ? ORDER BY number",
            self.key.document_id,
            page,
        )
        return tuple(
            Element(r[0], r[1], ElementKind(r[2]), r[3], r[4], r[5], Box(*r[6:10]), r[10])
            for r in rows
        )

    def _read_spans(self, page: int) -> Sequence[Span]:
        rows = self._all(
            "SELECT number, page, char_start, char_end, x0, y0, x1, y1, style, flags, element"
            " FROM spans WHERE document_id = ? AND page = ? ORDER BY number",
            self.key.document_id,
            page,
        )
        return tuple(
            Span(r[0], r[1], r[2], r[3], Box(*r[4:8]), r[8], SpanFlag(r[9]), r[10]) for r in rows
        )

    def _read_tables(self, page: int) -> Sequence[Table]:
        rows = self._all(
            "SELECT table_number FROM table_parts WHERE document_id = ? AND page = ?"
            " ORDER BY table_number",
            self.key.document_id,
            page,
        )
        return tuple(self._table(number) for (number,) in rows)

    def _read_table(self, number: int) -> Table:
        key = self.key.document_id, number
        ((rows, columns),) = self._all(
            "SELECT rows, columns FROM tables WHERE document_id = ? AND number = ?", *key
        )
        parts = self._all(
            "SELECT page, x0, y0, x1, y1, first_row, rows, engine, reason, trusted, caption,"
            " caption_ranges, statement, statement_ranges"
            " FROM table_parts WHERE document_id = ? AND table_number = ? ORDER BY page",
            *key,
        )
        cells = [self._cell(row) for row in self._all(_CELLS, *key)]
        return Table(
            number,
            rows,
            columns,
            tuple(map(_part, parts)),
            tuple(c for c in cells if c.role is not CellRole.REPEATED_HEADER),
            tuple(c for c in cells if c.role is CellRole.REPEATED_HEADER),
        )

    def _cell(self, r: Any) -> Cell:
        return Cell(
            r[0], r[1], r[2], r[3], r[4], Box(*r[5:9]), r[9], _ranges(r[10]), CellRole(r[11]),
            r[12], tuple(json.loads(r[13])),
        )  # fmt: skip

    def table_searches(self, page: int) -> Sequence[TableSearch]:
        """What the table engines were asked on a page, in order."""
        rows = self._all(
            "SELECT engine, found, taken, note FROM table_searches"
            " WHERE document_id = ? AND page = ? ORDER BY position",
            self.key.document_id,
            page,
        )
        return tuple(TableSearch(*row) for row in rows)


_CELLS = (
    "SELECT page, row, col, row_span, col_span, x0, y0, x1, y1, text, ranges, role, level, notes"
    " FROM cells WHERE document_id = ? AND table_number = ? ORDER BY page, row, col"
)


def _is_text(value: str) -> bool:
    """Whether SQLite can store a string: names from a command line may hold raw bytes."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in value


def _source_row(row: Any) -> SourceRow:
    values = dict(zip(_SOURCE_COLUMNS, row, strict=True))
    labels = tuple(json.loads(values.pop("permissions")))
    return SourceRow(**values | {"current": bool(values["current"]), "permissions": labels})


def _frame(text: str) -> PageFrame:
    value = json.loads(text)
    return PageFrame(tuple(value["crop"]), value["rotation"], value["user_unit"])


def _part(p: Any) -> TablePart:
    return TablePart(
        p[0], Box(*p[1:5]), p[5], p[6], p[7], p[8], bool(p[9]), p[10], _ranges(p[11]), p[12],
        _ranges(p[13]),
    )  # fmt: skip


def _ranges(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in json.loads(text))
