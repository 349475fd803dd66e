"""Tables: engines say where cells are; what stands in them is read from the page's characters."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import captions, plain, r9, r9_twin, r15, r23, ruled_table
from drawn_tables import RULED_ROWS
from pdf_writer import WHITE, Page, Pdf
from reading import GROUNDED, Shelf, check, codes, kinds, place, quote, read, value, verdict

from grounding.geometry import Box
from grounding.model import ElementKind, Table, WarningCode
from ingest.reading.document import PageLimits
from ingest.tables import engines
from ingest.tables.cascade import FIRST, SECOND
from ingest.tables.engines import FoundCell, FoundTable, grid
from ingest.tables.view import PageView

CELLS = list(map(list, RULED_ROWS))


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def texts(table: Table) -> list[list[str]]:
    """Cell texts by row and column."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.col] = cell.text
    return rows


def draw_grid(page: Page, xs: tuple[float, ...], ys: tuple[float, ...]) -> None:
    """Rules through all xs and ys."""
    for x in xs:
        page.line(x, ys[0], x, ys[-1])
    for y in ys:
        page.line(xs[0], y, xs[-1], y)


def small_table(page: Page, cells: tuple[tuple[str, ...], ...], **style: Any) -> None:
    """Two columns of ruled cells from 72, 700, 24 points high."""
    for row, pair in enumerate(cells):
        for x, cell in zip((78, 198), pair, strict=True):
            page.text(x, 684 - 24 * row, 11, cell, **style)
    draw_grid(page, (72, 192, 302), tuple(700 - 24 * at for at in range(len(cells) + 1)))


def test_a_ruled_table_has_its_cells(shelf: Shelf) -> None:
    """Rows, columns, texts, boxes and the header row, and it is trusted."""
    source = shelf.put(ruled_table())
    (table,) = source.tables(1)
    assert (table.id, table.page, table.rows, table.columns) == ("t0001", 1, 3, 4)
    assert table.box == Box(7_200, 9_200, 52_200, 16_400)
    assert texts(table) == CELLS
    assert [cell.header for cell in table.cells] == [True] * 4 + [False] * 8
    assert table.trusted
    assert codes(source) == set()
    assert table.cell_at(1, 2).box == Box(30_200, 11_600, 41_200, 14_000)


def test_cells_tile_the_table(shelf: Shelf) -> None:
    """No two overlap, and together they are the whole."""
    (table,) = shelf.put(ruled_table()).tables(1)
    boxes = [cell.box for cell in table.cells]
    assert sum(box.width * box.height for box in boxes) == table.box.width * table.box.height
    assert not any(a.overlap(b) for a in boxes for b in boxes if a is not b)


def test_a_cells_text_is_cut_out_of_the_documents_text(shelf: Shelf) -> None:
    """Ranges, text and characters say the same."""
    source = shelf.put(ruled_table())
    text = source.page_text(1)
    for cell in source.tables(1)[0].cells:
        assert "\n".join(text[start:end] for start, end in cell.ranges) == cell.text
    (loss,) = source.tables(1)[0].cell_at(2, 2).ranges
    assert loss == place(source, "(12)")


def test_lines_of_a_table_are_elements_of_it(shelf: Shelf) -> None:
    """Heading and note outside stay what they are."""
    source = shelf.put(ruled_table())
    assert [kind for kind, _ in kinds(source)] == [
        ElementKind.HEADING, ElementKind.TABLE, ElementKind.TABLE, ElementKind.TABLE,
        ElementKind.PARAGRAPH,
    ]  # fmt: skip
    assert [element.table for element in source.elements(1)] == [0, 1, 1, 1, 0]


def test_a_blank_cell_stays_blank(shelf: Shelf) -> None:
    """It is a cell without text, and grounds no claim."""
    pdf = Pdf()
    small_table(pdf.page(), (("Sales", "120"), ("Losses", "")))
    source = shelf.put(pdf.to_bytes())
    (table,) = source.tables(1)
    assert texts(table) == [["Sales", "120"], ["Losses", ""]]
    cited = {"table_id": "t0001", "cell": {"row": 1, "col": 1}}
    assert check(source, {"kind": "table_cell", "text": "120"}, **cited)["status"] == "mismatch"
    above = {"table_id": "t0001", "cell": {"row": 0, "col": 1}}
    assert verdict(check(source, {"kind": "table_cell", "text": "120"}, **above)) == GROUNDED


def test_two_lines_in_a_cell_are_one_text(shelf: Shelf) -> None:
    """They follow each other, however the row beside them was drawn."""
    pdf = Pdf()
    page = pdf.page()
    page.text(78, 690, 10, "Sales of the")
    page.text(198, 690, 10, "120")
    page.text(78, 679, 10, "northern works")
    page.text(78, 660, 10, "Costs")
    page.text(198, 660, 10, "80")
    draw_grid(page, (72, 192, 302), (700, 676, 652))
    source = shelf.put(pdf.to_bytes())
    first = source.tables(1)[0].cell_at(0, 0)
    assert first.text.split() == "Sales of the northern works".split()
    cited = {"table_id": "t0001", "cell": {"row": 0, "col": 0}}
    claim = {"kind": "table_cell", "text": "Sales of the northern works"}
    assert verdict(check(source, claim, **cited)) == GROUNDED
    wrong = {**claim, "text": "Sales of the 120 northern works"}
    assert check(source, wrong, **cited)["status"] == "mismatch"


class _Fixed:
    """A table engine with one answer."""

    name = "fixed"
    found: list[FoundTable]

    def find(self, view: PageView) -> list[FoundTable]:
        return self.found


def engine_that_finds(monkeypatch: pytest.MonkeyPatch, *found: FoundTable) -> None:
    """The first engine finds these tables; no other one finds any."""
    for name in (*FIRST, *SECOND):
        answer = list(found) if name == FIRST[0] else []
        engine = type("_Answer", (_Fixed,), {"name": name, "found": answer})
        monkeypatch.setitem(engines._ENGINES, name, engine)


def found(rects: list[tuple[float, float, float, float]]) -> FoundTable:
    table = grid(rects)
    assert table is not None
    return table


RULED_ROWS = (92.0, 116.0, 140.0, 164.0)
RULED_COLUMNS = (72.0, 192.0, 302.0, 412.0, 522.0)
RECTS = [
    (x0, y0, x1, y1)
    for y0, y1 in itertools.pairwise(RULED_ROWS)
    for x0, x1 in itertools.pairwise(RULED_COLUMNS)
]


def test_a_grid_whose_characters_all_have_a_cell_is_trusted(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine's string plays no part: it only says where the cells are."""
    engine_that_finds(monkeypatch, found(RECTS))
    source = shelf.put(ruled_table())
    (table,) = source.tables(1)
    assert (table.engine, table.trusted, texts(table)) == ("ruled", True, CELLS)


def test_a_character_without_a_cell_puts_the_table_in_doubt(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One cell is missing, its digits belong to none: not trusted, and everyone is told."""
    engine_that_finds(monkeypatch, found([rect for at, rect in enumerate(RECTS) if at != 6]))
    source = shelf.put(ruled_table())
    (table,) = source.tables(1)
    assert not table.trusted
    assert codes(source, 1) == {"low_confidence_table_structure"}
    cited = {"table_id": "t0001", "cell": {"row": 1, "col": 1}}
    made = check(source, {"kind": "table_cell", "text": "120"}, **cited)
    assert "low_confidence_table_structure" in made["warnings"]


def test_a_character_in_two_cells_puts_the_table_in_doubt(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Overlapping cells cannot both be right."""
    wide = FoundCell(1, 1, 1, 1, (192.0, 116.0, 412.0, 140.0))
    whole = found(RECTS)
    cells = tuple(wide if (c.row, c.col) == (1, 1) else c for c in whole.cells)
    engine_that_finds(monkeypatch, FoundTable(whole.rect, 3, 4, cells))
    source = shelf.put(ruled_table())
    assert not source.tables(1)[0].trusted
    assert codes(source, 1) == {"low_confidence_table_structure"}


def test_a_grid_around_nothing_is_no_table(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes without text, or one line in a frame, are drawings."""
    empty = [(x, y, x + 50, y + 20) for y in (500.0, 520.0) for x in (100.0, 150.0)]
    engine_that_finds(monkeypatch, found(empty))
    assert list(shelf.put(ruled_table()).tables(1)) == []


def test_an_engine_that_fails_costs_the_tables_and_says_so(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its error is a warning of the page; text and other pages stay."""

    class Broken(_Fixed):
        def find(self, view: PageView) -> list[FoundTable]:
            raise ValueError("no grid today")

    monkeypatch.setitem(engines._ENGINES, "ruled", Broken)
    source = shelf.put(ruled_table())
    assert list(source.tables(1)) == []
    assert codes(source, 1) == {"partial_parse"}
    assert verdict(quote(source, "All figures are counts of orders.", page=1)) == GROUNDED


def test_an_engine_that_spins_runs_out_of_time(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page keeps its text, has no tables, and the next page has its own time."""

    class Spinning(engines.Ruled):
        def find(self, view: PageView) -> list[FoundTable]:
            while "Stuck" in view.content.text:
                pass
            return super().find(view)

    pdf = Pdf()
    for word in ("Stuck", "Free"):
        small_table(pdf.page(), ((word, "Tonnes"), ("Oak", "120")))
    monkeypatch.setitem(engines._ENGINES, "ruled", Spinning)
    source = shelf.put(pdf.to_bytes(), limits=PageLimits(table_seconds=0.3))
    assert codes(source, 1) == {"tables_timed_out"}
    assert list(source.tables(1)) == []
    assert verdict(value(source, "120", page=1)) == GROUNDED
    assert codes(source, 2) == set()
    assert texts(source.tables(2)[0])[0] == ["Free", "Tonnes"]


def test_a_page_whose_tables_cost_the_worker_is_read_without(shelf: Shelf) -> None:
    """A second attempt leaves the finder out and says why."""
    source = shelf.put(ruled_table(), limits=PageLimits(without_tables=frozenset({0})))
    assert list(source.tables(1)) == []
    assert codes(source, 1) == {"tables_timed_out"}


def test_tables_can_be_switched_off(shelf: Shelf) -> None:
    """Then a cell cannot be told, which is no "not there"."""
    source = shelf.put_artifact(read(ruled_table(), tables="off"))
    cited = {"table_id": "t0001", "cell": {"row": 1, "col": 1}}
    made = check(source, {"kind": "table_cell", "text": "120"}, **cited)
    assert verdict(made) == ("capability_blocked", "missing_table_capability")
    assert codes(source) == set()
    on = read(ruled_table())
    assert on.document_fingerprint != source.identity.document_fingerprint


@pytest.mark.parametrize(
    "data",
    [plain(["One line of prose.", "Another line of it."]), r9(), r23()],
    ids=["prose", "columns", "scattered letters"],
)
def test_there_is_no_table_in_prose(data: bytes) -> None:
    """Lines of text, columns and scattered letters have no grid."""
    (page,) = read(data).pages
    assert page.tables == []
    assert WarningCode.LOW_CONFIDENCE_TABLE_STRUCTURE not in {w.code for w in page.warnings}


def test_a_frame_around_a_paragraph_is_no_table(shelf: Shelf) -> None:
    """One cell is a box; two by two are a table."""
    pdf = Pdf()
    page = pdf.page()
    page.frame(60, 640, 400, 80)
    page.text(72, 700, 12, "A remark in a frame")
    page.text(72, 680, 12, "that goes on here.")
    page.line(60, 600, 460, 600)
    assert list(shelf.put(pdf.to_bytes()).tables(1)) == []
    assert len(shelf.put(r9_twin(), "twin.pdf").tables(1)) == 1


def test_a_chart_in_a_frame_is_no_table(shelf: Shelf) -> None:
    """Of the page with a chart and a table only the table is one."""
    (table,) = shelf.put(captions()).tables(1)
    assert texts(table) == [["Quarter", "Wet days"], ["First", "31"], ["Second", "44"]]


def framed(rotate: int = 0, crop: tuple[float, float, float, float] | None = None) -> bytes:
    """A ruled 2 x 2 table at 72 to 302, 652 to 700, on a rotated or cropped page."""
    pdf = Pdf()
    page = pdf.page(crop_box=crop, rotate=rotate)
    small_table(page, (("Depot", "Tonnes"), ("Alder", "1,210")))
    return pdf.to_bytes()


@pytest.mark.parametrize(
    ("rotate", "crop", "right"),
    [
        (0, None, (7_200, 9_200, 30_200, 14_000)),
        (0, (50, 100, 512, 750), (2_200, 5_000, 25_200, 9_800)),
        (90, None, (65_200, 7_200, 70_000, 30_200)),
        (180, None, (31_000, 65_200, 54_000, 70_000)),
        (270, None, (9_200, 31_000, 14_000, 54_000)),
        (90, (50, 100, 512, 750), (55_200, 2_200, 60_000, 25_200)),
    ],
)
def test_table_boxes_lie_in_the_displayed_page(
    shelf: Shelf,
    rotate: int,
    crop: tuple[float, float, float, float] | None,
    right: tuple[int, int, int, int],
) -> None:
    """Rotation and crop move cells and characters alike."""
    source = shelf.put(framed(rotate, crop))
    (table,) = source.tables(1)
    assert all(abs(a - b) <= 50 for a, b in zip(table.box.as_list(), right, strict=True))
    assert table.trusted
    assert sorted(cell.text for cell in table.cells) == ["1,210", "Alder", "Depot", "Tonnes"]
    for cell in table.cells:
        start, end = place(source, cell.text)
        characters = source.char_boxes(1).union(start, end)
        assert table.box.contains(cell.box, 50)
        assert cell.box.contains(characters, 100)


def as_read(source_table: Table) -> dict[tuple[int, int], str]:
    return {(cell.row, cell.col): cell.text for cell in source_table.cells}


def test_a_table_drawn_sideways_has_the_rows_of_its_reader(shelf: Shelf) -> None:
    """Turned by a quarter, "2022 455 310" is a row; 554 stands nowhere."""
    source = shelf.put(r15())
    (table,) = source.tables(1)
    assert (table.rows, table.columns) == (3, 3)
    rows = [["Year", "Import", "Export"], ["2022", "455", "310"], ["2023", "487", "329"]]
    assert texts(table) == rows
    assert verdict(value(source, "455", page=1)) == GROUNDED
    assert verdict(value(source, "554", page=1)) == ("mismatch", "value_mismatch")


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_table_on_a_turned_page_has_the_rows_of_its_reader(shelf: Shelf, rotate: int) -> None:
    """Text that is turned with the page is read along its own lines."""
    (table,) = shelf.put(framed(rotate)).tables(1)
    assert texts(table) == [["Depot", "Tonnes"], ["Alder", "1,210"]]


def hidden_cell(**style: Any) -> bytes:
    """A visible table whose cell 1, 1 holds only text that nobody sees: "999"."""
    pdf = Pdf()
    page = pdf.page()
    small_table(page, (("Depot", "Tonnes"), ("Alder", "")))
    page.text(198, 660, 11, "999", **style)
    return pdf.to_bytes()


@pytest.mark.parametrize("style", [{"rgb": WHITE}, {"render_mode": 3}], ids=["white", "mode 3"])
def test_a_hidden_number_in_a_cell_grounds_nothing(shelf: Shelf, style: dict[str, Any]) -> None:
    """A reader sees a blank cell, and so does a check of it."""
    source = shelf.put(hidden_cell(**style))
    cited = {"table_id": "t0001", "cell": {"row": 1, "col": 1}}
    for kind in ("table_cell", "value"):
        made = check(source, {"kind": kind, "value": "999"}, **cited)
        assert made["status"] != "grounded", kind
    shown = shelf.put(hidden_cell(), "shown.pdf")
    for kind in ("table_cell", "value"):
        assert verdict(check(shown, {"kind": kind, "value": "999"}, **cited)) == GROUNDED, kind


def test_a_hidden_digit_beside_a_visible_one_changes_no_cell(shelf: Shelf) -> None:
    """A white 9 behind "120" does not make the cell 1209."""
    pdf = Pdf()
    page = pdf.page()
    small_table(page, (("Depot", "Tonnes"), ("Alder", "120")))
    page.text(198 + 18.4, 660, 11, "9", rgb=WHITE)
    source = shelf.put(pdf.to_bytes())
    cited = {"table_id": "t0001", "cell": {"row": 1, "col": 1}}
    assert verdict(check(source, {"kind": "table_cell", "value": "120"}, **cited)) == GROUNDED
    made = check(source, {"kind": "table_cell", "value": "1209"}, **cited)
    assert made["status"] != "grounded"


def test_a_footnote_marker_in_a_cell_is_no_digit(shelf: Shelf) -> None:
    """ "120" with a raised 1 is the cell 120 and never 1201."""
    pdf = Pdf()
    page = pdf.page()
    page.text(78, 684, 11, "Depot")
    page.text(198, 684, 11, "Tonnes")
    page.text(78, 660, 11, "Alder")
    x = 198 + page.text(198, 660, 11, "120")
    page.text(x, 664, 6, "1")
    draw_grid(page, (72, 192, 302), (700, 676, 652))
    source = shelf.put(pdf.to_bytes())
    cited = {"table_id": "t0001", "cell": {"row": 1, "col": 1}}
    assert verdict(check(source, {"kind": "table_cell", "value": "120"}, **cited)) == GROUNDED
    for wrong in ("1201", "120 1"):
        made = check(source, {"kind": "table_cell", "value": wrong}, **cited)
        assert made["status"] != "grounded", wrong
