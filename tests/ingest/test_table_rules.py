"""Ruling lines, the grids that they make, and what a grid is completed with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from drawn_grids import DEPOTS, rule, ruled, steps, write_cells, write_right
from pdf_writer import Page, Pdf
from reading import Shelf
from tables_read import only_table, places, texts

from grounding.geometry import PageFrame
from ingest.reading.pdf import open_pdf, page_frame
from ingest.tables.grids import Grid, GridCell, grids
from ingest.tables.rules import Rules, page_rules, read_rules

RIGHT = (1, 0)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def near(found: Sequence[Sequence[float]], wanted: Sequence[Sequence[float]]) -> bool:
    return len(found) == len(wanted) and all(
        one == pytest.approx(other, abs=0.6) for one, other in zip(found, wanted, strict=True)
    )


def rules_of(draw: Any, **frame: Any) -> Rules:
    """The rules of a page as they are displayed."""
    pdf = Pdf()
    draw(pdf.page(**frame))
    document = open_pdf(pdf.to_bytes())
    return read_rules(*page_rules(document[0], page_frame(document, document[0])), RIGHT)


class TestReading:
    """What counts as a rule, and where it is."""

    def test_lines_and_thin_areas_are_rules(self) -> None:
        def draw(page: Page) -> None:
            page.line(72, 700, 300, 700)
            page.line(72, 700, 72, 600)
            page.rect(72, 599, 228, 1, (0, 0, 0))

        found = rules_of(draw)
        assert near(found.horizontal, [(92, 72, 300), (192.5, 72, 300)])
        assert near(found.vertical, [(72, 92, 192)])

    def test_a_filled_area_has_edges_and_no_rules(self) -> None:
        found = rules_of(lambda page: page.rect(72, 600, 228, 100, (0.9, 0.9, 0.9)))
        assert found.horizontal == found.vertical == []
        assert near(found.edges_across, [(92, 72, 300), (192, 72, 300)])
        assert near(found.edges_upright, [(72, 92, 192), (300, 92, 192)])
        taken = found.with_edges()
        assert (len(taken.horizontal), len(taken.vertical)) == (2, 2)

    def test_what_is_white_slanted_or_tiny_is_none(self) -> None:
        def draw(page: Page) -> None:
            page.rect(72, 600, 228, 100, (1, 1, 1))
            page.line(72, 500, 300, 540)
            page.line(72, 450, 74, 450)

        assert rules_of(draw) == Rules()

    def test_pieces_of_a_rule_are_one_and_a_gap_parts_two(self) -> None:
        def draw(page: Page) -> None:
            page.line(72, 700, 180, 700)
            page.line(181, 700, 300, 700)
            page.line(72, 600, 180, 600)
            page.line(200, 600, 300, 600)

        found = rules_of(draw).horizontal
        assert near(found, [(92, 72, 300), (192, 72, 180), (192, 200, 300)])

    def test_rules_lie_on_the_displayed_page(self) -> None:
        """Rotated by 90 degrees a horizontal rule is a vertical one; a unit of 2 doubles it."""
        found = rules_of(lambda page: page.line(72, 700, 300, 700), rotate=90)
        assert found.horizontal == []
        assert near(found.vertical, [(700, 72, 300)])
        found = rules_of(lambda page: page.line(72, 700, 300, 700), user_unit=2)
        assert near(found.horizontal, [(184, 144, 600)])

    def test_a_crop_box_moves_rules_and_cuts_them(self) -> None:
        found = rules_of(lambda page: page.line(20, 700, 300, 700), crop_box=(50, 100, 250, 750))
        ((y, x0, x1),) = found.horizontal
        assert y == pytest.approx(50, abs=0.6)
        assert -1.5 <= x0 <= 0
        assert 200 <= x1 <= 201.5

    def test_a_page_that_is_a_drawing_has_none(self) -> None:
        """6,001 paths are no table's."""

        class Drawing:
            def get_cdrawings(self) -> list[dict[str, Any]]:
                line = {"items": [("l", (0, 0), (100, 0))], "color": (0, 0, 0)}
                return [line] * self.count

            count = 6001

        frame = PageFrame((0, 0, 612_000, 792_000))
        assert page_rules(Drawing(), frame) == ([], [])
        Drawing.count = 6000
        thin, _ = page_rules(Drawing(), frame)
        assert len(thin) == 6000

    def test_rules_between_two_heights_cover_a_width_together(self) -> None:
        rules = Rules(horizontal=[(100, 0, 40), (100, 50, 100)])
        assert rules.between(0, 100, 90, 110)
        assert not rules.between(0, 100, 90, 110, share=0.95)
        assert not rules.between(0, 100, 101, 110)


def grid_rules(xs: Sequence[float], ys: Sequence[float]) -> Rules:
    return Rules(
        horizontal=[(y, xs[0], xs[-1]) for y in ys], vertical=[(x, ys[0], ys[-1]) for x in xs]
    )


class TestGrids:
    """Rules that touch each other."""

    def test_a_full_grid_has_a_cell_between_any_four_rules(self) -> None:
        (found,) = grids(grid_rules((0, 100, 200), (0, 20, 40, 60)))
        assert found.rect == (0, 0, 200, 60)
        assert found.cells == [GridCell(r, c, 1, 1) for r in range(3) for c in range(2)]
        assert found.cell_rect(GridCell(1, 1, 1, 1)) == (100, 20, 200, 40)

    def test_a_missing_rule_joins_two_cells(self) -> None:
        rules = grid_rules((0, 100, 200), (0, 20, 40))
        rules.vertical[1] = (100, 20, 40)
        (found,) = grids(rules)
        assert found.cells == [
            GridCell(0, 0, 1, 2), GridCell(1, 0, 1, 1), GridCell(1, 1, 1, 1),
        ]  # fmt: skip

    def test_positions_that_make_no_rectangle_are_cells_of_their_own(self) -> None:
        """An L of three: nobody knows where a cell ends."""
        rules = Rules(
            horizontal=[(0, 0, 200), (20, 100, 200), (40, 0, 200)],
            vertical=[(0, 0, 40), (100, 20, 40), (200, 0, 40)],
        )
        (found,) = grids(rules)
        assert all((c.row_span, c.col_span) == (1, 1) for c in found.cells)
        assert len(found.cells) == 4

    def test_an_open_side_is_closed_where_the_rules_end(self) -> None:
        """Neither a left nor a right border is drawn."""
        rules = Rules(
            horizontal=[(0, 0, 300), (20, 0, 300), (40, 0, 300)],
            vertical=[(100, 0, 40), (200, 0, 40)],
        )
        (found,) = grids(rules)
        assert (found.xs, found.ys) == ([0, 100, 200, 300], [0, 20, 40])
        assert len(found.cells) == 6

    def test_rules_apart_are_grids_apart(self) -> None:
        one, other = grid_rules((0, 100, 200), (0, 20, 40)), grid_rules((300, 400), (0, 20, 40))
        both = Rules(
            sorted(one.horizontal + other.horizontal), sorted(one.vertical + other.vertical)
        )
        assert [g.rect for g in grids(both)] == [(0, 0, 200, 40), (300, 0, 400, 40)]

    def test_rules_of_one_direction_make_no_grid(self) -> None:
        assert grids(Rules(horizontal=[(0, 0, 100), (20, 0, 100)])) == []
        assert grids(Rules()) == []

    def test_a_frame_is_one_cell_and_no_grid(self) -> None:
        assert grids(grid_rules((0, 100), (0, 40))) == []

    def test_a_mesh_of_more_cells_than_any_table_is_none(self) -> None:
        fine = [float(4 * at) for at in range(150)]
        assert grids(grid_rules(fine, fine)) == []

    def test_a_grid_says_where_its_cells_are(self) -> None:
        grid = Grid([0, 10, 30], [5, 15], [GridCell(0, 0, 1, 2)])
        assert grid.cell_rect(grid.cells[0]) == grid.rect == (0, 5, 30, 15)


class TestCompletion:
    """The engine `ruled` on drawn pages."""

    def test_cells_that_lack_a_rule_are_cut_at_the_grids_lines(self, shelf: Shelf) -> None:
        """Verticals are drawn in the header alone; the rows' words stand under them."""
        pdf = Pdf()
        page = pdf.page()
        xs, ys = (72, 192, 302, 412, 522), steps(700, len(DEPOTS), 24)
        write_cells(page, DEPOTS, xs, ys)
        for y in ys:
            page.line(72, y, 522, y)
        for x in xs[1:-1]:
            page.line(x, 700, x, 676)
        for x in (72, 522):
            page.line(x, 700, x, ys[-1])
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == [list(row) for row in DEPOTS]

    def test_a_heading_over_columns_is_not_cut(self, shelf: Shelf) -> None:
        """The twin: words that run over the grid's lines are one cell."""
        rows = [
            ("Depot", "2024", "2023", "2022"),
            ("Alder", "12", "11", "9"),
            ("Birch", "8", "7", "6"),
        ]
        pdf = Pdf()
        page = pdf.page()
        xs, ys = (72, 192, 302, 412, 522), steps(700, 4, 24)
        page.text(200, 684, 10, "Tonnes handled at the northern and southern quays")
        write_cells(page, rows, xs, ys[1:])
        for y in ys:
            page.line(72, y, 522, y)
        for x in (72, 522):
            page.line(x, 700, x, ys[-1])
        page.line(192, 700, 192, ys[-1])
        for x in (302, 412):
            page.line(x, 676, x, ys[-1])
        _, table = only_table(shelf, pdf.to_bytes())
        over = "Tonnes handled at the northern and southern quays"
        assert places(table)[over] == (0, 1, 1, 3)

    def test_the_space_between_double_rules_is_no_row(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        xs, ys = (72, 192, 302, 412, 522), steps(700, len(DEPOTS), 24)
        write_cells(page, DEPOTS, xs, ys)
        rule(page, xs, ys)
        for y in (672, ys[-1] - 4):
            page.line(72, y, 522, y)
        for x in xs:
            page.line(x, ys[-1], x, ys[-1] - 4)
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == [list(row) for row in DEPOTS]

    def test_an_empty_row_of_full_height_stays(self, shelf: Shelf) -> None:
        """The twin: a row without text that is as high as the others is blank, not padding."""
        rows = (*DEPOTS[:3], ("", "", "", ""), *DEPOTS[3:])
        _, table = only_table(shelf, ruled(rows))
        assert texts(table) == [list(row) for row in rows]

    def test_a_title_in_the_frame_is_no_row(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        xs, ys = (72, 192, 302, 412, 522), steps(700, len(DEPOTS) + 2, 24)
        page.text(78, 684, 10, "Table 4 Depots of the northern region")
        write_cells(page, DEPOTS, xs, ys[1:])
        page.text(78, ys[-1] + 8, 10, "Note: tonnes are metric.")
        for y in ys:
            page.line(72, y, 522, y)
        for x in (72, 522):
            page.line(x, 700, x, ys[-1])
        for x in xs[1:-1]:
            page.line(x, ys[1], x, ys[-2])
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == [list(row) for row in DEPOTS]

    def test_a_frame_around_open_rows_is_no_grid_of_its_own(self, shelf: Shelf) -> None:
        """The whole table in one ruled cell per column block: its rows are found all the same."""
        pdf = Pdf()
        page = pdf.page()
        for at, row in enumerate(DEPOTS):
            y = 650 - 16 * at
            page.text(80, y, 10, row[0])
            for right, cell in zip((250, 350, 450), row[1:], strict=True):
                write_right(page, right, y, cell)
        rule(page, (66, 160, 470), (666, 646, 555))
        _, table = only_table(shelf, pdf.to_bytes())
        assert [row[0] for row in texts(table)] == [row[0] for row in DEPOTS]
        assert texts(table)[1:] == [list(row) for row in DEPOTS[1:]]
