"""Which engine is asked, whose answer is taken, and what is kept of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain, r17, r18, ruled_table
from drawn_grids import DEPOTS, long_table, open_rows, ruled
from drawn_tables import RULED_ROWS
from proving import recomputed
from reading import Shelf, codes, read
from tables_read import texts

from grounding.model import TableSearch
from ingest.tables import cascade, engines
from ingest.tables.cascade import FIRST, MODEL, SECOND
from ingest.tables.engines import EngineFailed, EngineUnavailable, FoundTable, grid
from ingest.tables.view import PageView

XS = (72.0, 192.0, 302.0, 412.0, 522.0)
YS = (92.0, 116.0, 140.0, 164.0)
RECTS = [(x0, y0, x1, y1) for y0, y1 in itertools.pairwise(YS) for x0, x1 in itertools.pairwise(XS)]
CELLS = list(map(list, RULED_ROWS))


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def found(rects: list[tuple[float, float, float, float]]) -> FoundTable:
    table = grid(rects)
    assert table is not None
    return table


WHOLE = found(RECTS)
DOUBTFUL = found(RECTS[:6] + RECTS[7:])
"""One cell is missing: its digits belong to none."""


class Asked:
    """Engines with answers of their own, and who was asked in which order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **answers: Any) -> None:
        self.order: list[str] = []
        for name in (*FIRST, *SECOND, MODEL):
            answer = answers.get(name.replace("-", "_"), [])
            monkeypatch.setitem(engines._ENGINES, name, self._maker(name, answer))

    def _maker(self, name: str, answer: Any) -> Any:
        asked = self.order

        class Answering:
            def __init__(self) -> None:
                asked.append(name)
                if isinstance(answer, EngineUnavailable):
                    raise answer
                self.name = name

            def find(self, view: PageView) -> list[FoundTable]:
                if isinstance(answer, Exception):
                    raise answer
                return list(answer)

        return Answering


class TestWhoIsAsked:
    """Two engines as a rule; others on doubt; the model in `thorough` alone."""

    def test_the_first_two_are_enough_where_their_tables_pass(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = Asked(monkeypatch, ruled=[WHOLE])
        source = shelf.put(ruled_table())
        assert asked.order == ["ruled", "aligned"]
        (table,) = source.tables(1)
        assert (table.engine, table.parts[0].reason) == ("ruled", "passed the check")
        assert table.trusted
        assert list(source.table_searches(1)) == [
            TableSearch("ruled", 1, 1, ""), TableSearch("aligned", 0, 0, ""),
        ]  # fmt: skip

    def test_nobody_is_asked_about_a_page_of_prose(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And the record says so by being empty."""
        asked = Asked(monkeypatch, ruled=[WHOLE])
        source = shelf.put(plain(["One line of prose.", "Another line of it."]))
        assert asked.order == []
        assert list(source.table_searches(1)) == []

    def test_nobody_is_asked_when_tables_are_off(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = Asked(monkeypatch, ruled=[WHOLE])
        source = shelf.put_artifact(read(ruled_table(), tables="off"))
        assert asked.order == []
        assert list(source.table_searches(1)) == []

    def test_a_doubtful_table_is_taken_from_the_next_engine_that_passes(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Those after it are not asked."""
        asked = Asked(monkeypatch, ruled=[DOUBTFUL], pdfplumber_lines=[WHOLE])
        source = shelf.put(ruled_table())
        assert asked.order == ["ruled", "aligned", "pymupdf-lines", "pdfplumber-lines"]
        (table,) = source.tables(1)
        assert table.trusted
        assert table.engine == "pdfplumber-lines"
        assert table.parts[0].reason == "passed the check that ruled failed"
        assert texts(table) == CELLS
        assert list(source.table_searches(1)) == [
            TableSearch("ruled", 1, 1, ""),
            TableSearch("aligned", 0, 0, ""),
            TableSearch("pymupdf-lines", 0, 0, "ruled failed the check"),
            TableSearch("pdfplumber-lines", 1, 1, "ruled failed the check"),
        ]
        assert codes(source, 1) == set()

    def test_a_table_that_nobody_passes_stays_and_is_in_doubt(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = Asked(monkeypatch, ruled=[DOUBTFUL], camelot_lattice=[DOUBTFUL])
        source = shelf.put(ruled_table())
        assert asked.order == [*FIRST, *SECOND]
        (table,) = source.tables(1)
        assert (table.trusted, table.engine) == (False, "ruled")
        assert table.parts[0].reason == "failed the check"
        assert codes(source, 1) == {"low_confidence_table_structure"}

    @pytest.mark.parametrize(
        "other",
        [
            found([(72, 92, 297, 128), (297, 92, 522, 128), (72, 128, 297, 164),
                   (297, 128, 522, 164)]),
            found([(x0, y0 + 300, x1, y1 + 300) for x0, y0, x1, y1 in RECTS]),
        ],
        ids=["rows thrown together", "another place"],
    )  # fmt: skip
    def test_another_table_is_not_taken_for_it(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, other: FoundTable
    ) -> None:
        """A coarse grid passes any check; it finds less than the doubtful one."""
        Asked(monkeypatch, ruled=[DOUBTFUL], pymupdf_lines=[other])
        (table,) = shelf.put(ruled_table()).tables(1)
        assert (table.engine, table.trusted) == ("ruled", False)

    def test_an_engine_that_is_not_installed_is_passed_over_and_noted(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        missing = EngineUnavailable("pdfplumber-lines", "pdfplumber")
        Asked(monkeypatch, ruled=[DOUBTFUL], pdfplumber_lines=missing, camelot_lattice=[WHOLE])
        source = shelf.put(ruled_table())
        (table,) = source.tables(1)
        assert (table.engine, table.trusted) == ("camelot-lattice", True)
        searches = {s.engine: s for s in source.table_searches(1)}
        assert searches["pdfplumber-lines"].note == "ruled failed the check; not installed"
        assert searches["camelot-lattice"].taken == 1

    def test_an_engine_that_fails_is_passed_over_and_noted(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its error costs neither the table nor the page."""
        failed = EngineFailed("pymupdf-lines", "KeyError: 'Contents'")
        Asked(monkeypatch, ruled=[DOUBTFUL], pymupdf_lines=failed, pdfplumber_lines=[WHOLE])
        source = shelf.put(ruled_table())
        assert [t.engine for t in source.tables(1)] == ["pdfplumber-lines"]
        note = {s.engine: s.note for s in source.table_searches(1)}["pymupdf-lines"]
        assert note == (
            "ruled failed the check; table engine pymupdf-lines failed: KeyError: 'Contents'"
        )
        assert codes(source, 1) == set()

    def test_the_words_of_a_ruled_table_are_not_aligned_again(self, shelf: Shelf) -> None:
        """The second engine reads what the first one left."""
        source = shelf.put(ruled(DEPOTS))
        assert [(s.engine, s.found) for s in source.table_searches(1)] == [
            ("ruled", 1), ("aligned", 0),
        ]  # fmt: skip
        bare = shelf.put(open_rows(DEPOTS), "bare.pdf")
        assert [(s.engine, s.found) for s in bare.table_searches(1)] == [
            ("ruled", 0), ("aligned", 1),
        ]  # fmt: skip


class TestThorough:
    """The model as well."""

    def put(self, shelf: Shelf, mode: str, data: bytes | None = None) -> Any:
        return shelf.put_artifact(read(data or ruled_table(), tables=mode))

    def test_the_model_is_asked_in_thorough_alone(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not even on doubt otherwise: it costs more than a second of CPU a page."""
        asked = Asked(monkeypatch, ruled=[DOUBTFUL], pymupdf_union=[WHOLE])
        (table,) = self.put(shelf, "auto").tables(1)
        assert MODEL not in asked.order
        assert not table.trusted
        (table,) = self.put(shelf, "thorough").tables(1)
        assert asked.order[-1] == MODEL
        assert (table.engine, table.trusted) == (MODEL, True)
        assert table.parts[0].reason == "passed the check that others failed"

    def test_its_table_alone_is_taken(self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
        Asked(monkeypatch, pymupdf_union=[WHOLE])
        source = self.put(shelf, "thorough")
        (table,) = source.tables(1)
        assert (table.engine, table.parts[0].reason) == (MODEL, "found by the model alone")
        assert source.table_searches(1)[-1] == TableSearch(MODEL, 1, 1, "thorough")

    def test_a_table_that_passed_is_kept_before_the_models(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Asked(monkeypatch, ruled=[WHOLE], pymupdf_union=[WHOLE])
        source = self.put(shelf, "thorough")
        assert [t.engine for t in source.tables(1)] == ["ruled"]
        assert source.table_searches(1)[-1] == TableSearch(MODEL, 1, 0, "thorough")

    def test_a_doubtful_table_of_the_models_takes_the_place_of_none(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Asked(monkeypatch, ruled=[DOUBTFUL], pymupdf_union=[DOUBTFUL])
        assert [t.engine for t in self.put(shelf, "thorough").tables(1)] == ["ruled"]

    def test_without_the_model_thorough_is_auto_and_says_so(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        missing = EngineUnavailable(MODEL, "pymupdf-layout")
        Asked(monkeypatch, ruled=[WHOLE], pymupdf_union=missing)
        source = self.put(shelf, "thorough")
        assert [t.engine for t in source.tables(1)] == ["ruled"]
        assert source.table_searches(1)[-1] == TableSearch(MODEL, 0, 0, "thorough; not installed")

    def test_thorough_looks_at_every_page(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = Asked(monkeypatch)
        self.put(shelf, "thorough", plain(["One line of prose."]))
        assert asked.order == [*FIRST, MODEL]


class TestRecord:
    """What was searched is stored with the page and hashed with it."""

    @pytest.mark.parametrize("data", [r17(), r18(), ruled_table(), long_table(60)])
    def test_two_readings_have_the_same_fingerprints(self, data: bytes) -> None:
        one, other = read(data), read(data)
        assert one.page_fingerprints == other.page_fingerprints
        assert one.document_fingerprint == other.document_fingerprint
        assert one.payload_sha256 == other.payload_sha256

    @pytest.mark.parametrize("data", [r17(), ruled_table(), long_table(60, lined=False)])
    def test_stored_tables_and_searches_prove_the_fingerprint(
        self, shelf: Shelf, data: bytes
    ) -> None:
        source = shelf.put(data)
        for page in source.pages:
            assert recomputed(source, page.number) == page.fingerprint

    def test_another_answer_is_another_page(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same cells by another engine, after another search, have another fingerprint."""
        Asked(monkeypatch, ruled=[WHOLE])
        one = read(ruled_table())
        Asked(monkeypatch, ruled=[DOUBTFUL], pymupdf_lines=[WHOLE])
        other = read(ruled_table())
        assert [c.text for c in one.pages[0].tables[0].cells] == [
            c.text for c in other.pages[0].tables[0].cells
        ]
        assert one.page_fingerprints != other.page_fingerprints
        assert one.content_fingerprint == other.content_fingerprint

    def test_a_changed_search_does_not_prove_the_fingerprint(self) -> None:
        page = read(ruled_table()).pages[0]
        before = page.searches
        page.box_arrays = b""
        first = page.fingerprint()
        page.searches = [*before, TableSearch("abacus", 0, 0)]
        assert page.fingerprint() != first
        page.searches = before
        assert page.fingerprint() == first


def test_modes_ask_in_the_order_that_the_module_states() -> None:
    """Each is a registered engine, and none is asked twice."""
    order = [*cascade.FIRST, *cascade.SECOND, cascade.MODEL]
    assert len(set(order)) == len(order)
    assert set(order) <= set(engines.engine_names())
