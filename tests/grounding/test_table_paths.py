"""How a reader finds their way in a table made by hand."""

from __future__ import annotations

import pytest

from grounding.geometry import Box
from grounding.model import Cell, CellRole, Region, Table, TablePart
from grounding.tables import column_path, label_regions, row_labels, row_path

DATA, HEAD = CellRole.DATA, CellRole.COLUMN_HEADER
LABEL, SECTION, AGAIN = CellRole.ROW_HEADER, CellRole.SECTION, CellRole.REPEATED_HEADER


def cell(
    row: int,
    col: int,
    text: str,
    role: CellRole = DATA,
    *,
    spans: tuple[int, int] = (1, 1),
    level: int = 0,
    page: int = 1,
    notes: tuple[str, ...] = (),
) -> Cell:
    """A cell of 100 points by 20."""
    box = Box(10_000 * col, 2_000 * row, 10_000 * (col + spans[1]), 2_000 * (row + spans[0]))
    ranges = ((row * 100 + col * 10, row * 100 + col * 10 + len(text)),) if text else ()
    return Cell(page, row, col, *spans, box, text, ranges, role, level, notes)


def table(*cells: Cell, repeated: tuple[Cell, ...] = ()) -> Table:
    rows = max(c.row + c.row_span for c in cells)
    columns = max(c.col + c.col_span for c in cells)
    pages = sorted({c.page for c in cells})
    parts = tuple(
        TablePart(
            page,
            Box(0, 0, 10_000 * columns, 2_000 * rows),
            min(c.row for c in cells if c.page == page),
            len({c.row for c in cells if c.page == page}),
            "by hand",
            "",
            True,
        )
        for page in pages
    )
    return Table(1, rows, columns, parts, cells, repeated)


def labels(*levels: tuple[str, int, CellRole]) -> Table:
    """Rows with a label each and one value; sections have none."""
    cells = []
    for row, (text, level, role) in enumerate(levels):
        cells.append(cell(row, 0, text, role, level=level))
        if role is not SECTION:
            cells.append(cell(row, 1, str(row)))
    return table(*cells)


def names(path: tuple[Cell, ...]) -> list[str]:
    return [c.text for c in path]


class TestColumns:
    """From the outermost header to the one next to the cells."""

    NESTED = table(
        cell(0, 0, "Depot", HEAD, spans=(3, 1)),
        cell(0, 1, "Tonnes", HEAD, spans=(1, 4)),
        cell(1, 1, "Inbound", HEAD, spans=(1, 2)),
        cell(1, 3, "Outbound", HEAD, spans=(1, 2)),
        *(cell(2, col, text, HEAD) for col, text in ((1, "2024"), (2, "2023"), (3, "2024"))),
        cell(2, 4, "", HEAD),
        *(cell(3, col, str(col)) for col in range(5)),
    )

    @pytest.mark.parametrize(
        ("column", "path"),
        [
            (0, ["Depot"]),
            (1, ["Tonnes", "Inbound", "2024"]),
            (2, ["Tonnes", "Inbound", "2023"]),
            (3, ["Tonnes", "Outbound", "2024"]),
            (4, ["Tonnes", "Outbound"]),
        ],
    )
    def test_spanning_headers_stand_over_all_of_their_columns(
        self, column: int, path: list[str]
    ) -> None:
        """A blank header is no step."""
        assert names(column_path(self.NESTED, column)) == path

    def test_a_table_without_header_has_no_path(self) -> None:
        assert column_path(table(cell(0, 0, "Alder", LABEL), cell(0, 1, "12")), 1) == ()


class TestRows:
    """Sections, then what a row is indented under, then its own labels."""

    def test_a_row_without_a_label_has_no_path(self) -> None:
        found = table(cell(0, 0, "", DATA), cell(0, 1, "12"), cell(1, 0, "Alder", LABEL))
        assert row_path(found, 0) == ()
        assert row_labels(found, 0) == ()

    def test_a_label_is_under_the_nearest_less_indented_one(self) -> None:
        found = labels(
            ("Assets", 0, LABEL), ("Cash", 1, LABEL), ("Stores", 1, LABEL), ("Oil", 2, LABEL),
            ("Claims", 1, LABEL), ("Debts", 0, LABEL), ("Oil", 1, LABEL),
        )  # fmt: skip
        assert [names(row_path(found, row)) for row in range(7)] == [
            ["Assets"], ["Assets", "Cash"], ["Assets", "Stores"], ["Assets", "Stores", "Oil"],
            ["Assets", "Claims"], ["Debts"], ["Debts", "Oil"],
        ]  # fmt: skip

    def test_a_section_heads_the_rows_below_it_up_to_the_next(self) -> None:
        found = labels(
            ("Total", 0, LABEL), ("North", 0, SECTION), ("Dues", 0, LABEL), ("South", 0, SECTION),
            ("Dues", 0, LABEL), ("Fuel", 0, LABEL),
        )  # fmt: skip
        assert [names(row_path(found, row)) for row in (0, 1, 2, 3, 4, 5)] == [
            ["Total"], ["North"], ["North", "Dues"], ["South"], ["South", "Dues"],
            ["South", "Fuel"],
        ]  # fmt: skip

    def test_a_section_is_not_under_another_of_its_level(self) -> None:
        found = labels(("North", 0, SECTION), ("South", 0, SECTION), ("Dues", 0, LABEL))
        assert names(row_path(found, 1)) == ["South"]
        assert names(row_path(found, 2)) == ["South", "Dues"]

    def test_sections_inside_sections_are_steps(self) -> None:
        found = labels(
            ("North", 0, SECTION), ("Quays", 1, SECTION), ("Dues", 1, LABEL), ("Fuel", 2, LABEL),
        )  # fmt: skip
        assert names(row_path(found, 2)) == ["North", "Quays", "Dues"]
        assert names(row_path(found, 3)) == ["North", "Quays", "Dues", "Fuel"]

    def test_a_label_in_the_second_column_follows_the_first(self) -> None:
        found = table(
            cell(0, 0, "Alder", LABEL, spans=(2, 1)),
            cell(0, 1, "2024", LABEL), cell(0, 2, "12"),
            cell(1, 1, "2023", LABEL), cell(1, 2, "11"),
        )  # fmt: skip
        assert names(row_labels(found, 0)) == ["Alder", "2024"]
        assert names(row_labels(found, 1)) == ["Alder", "2023"]
        assert names(row_path(found, 1)) == ["Alder", "2023"]

    def test_headers_are_no_row_labels(self) -> None:
        found = table(cell(0, 0, "Depot", HEAD), cell(1, 0, "Alder", LABEL), cell(1, 1, "12"))
        assert row_labels(found, 0) == ()
        assert names(row_path(found, 1)) == ["Alder"]


class TestRegions:
    """Where a cell's labels stand on its own page."""

    def test_the_row_label_and_the_headers_of_a_cell(self) -> None:
        head, label = cell(0, 1, "2024", HEAD), cell(1, 0, "Alder", LABEL)
        value = cell(1, 1, "12")
        assert label_regions(table(head, label, value), value) == [
            Region(1, label.box), Region(1, head.box),
        ]  # fmt: skip

    def test_a_label_is_not_its_own(self) -> None:
        label = cell(1, 0, "Alder", LABEL)
        found = table(cell(0, 1, "2024", HEAD), label, cell(1, 1, "12"))
        assert label_regions(found, label) == []

    def test_on_the_next_page_it_is_the_header_printed_again(self) -> None:
        again = cell(0, 1, "2024", AGAIN, page=2)
        other = cell(0, 0, "Depot", AGAIN, page=2)
        label, value = cell(1, 0, "Alder", LABEL, page=2), cell(1, 1, "12", page=2)
        found = table(cell(0, 1, "2024", HEAD), label, value, repeated=(other, again))
        assert label_regions(found, value) == [Region(2, label.box), Region(2, again.box)]

    def test_without_one_the_header_of_the_other_page_is_no_region_of_this(self) -> None:
        label, value = cell(1, 0, "Alder", LABEL, page=2), cell(1, 1, "12", page=2)
        found = table(cell(0, 1, "2024", HEAD), label, value)
        assert label_regions(found, value) == [Region(2, label.box)]


class TestTable:
    """What a table says of itself."""

    def test_it_begins_on_the_page_of_its_first_part(self) -> None:
        found = table(cell(0, 0, "Alder", LABEL), cell(1, 0, "Birch", LABEL, page=2))
        assert (found.page, found.id) == (1, "t0001")
        assert found.box == found.box_on(1)
        assert found.box_on(3) is None

    def test_it_is_trusted_when_every_part_is(self) -> None:
        found = table(cell(0, 0, "Alder", LABEL), cell(1, 0, "Birch", LABEL, page=2))
        assert found.trusted
        first, second = found.parts
        doubted = TablePart(
            second.page, second.box, second.first_row, second.rows, "by hand", "", False
        )
        assert not Table(1, 2, 1, (first, doubted), found.cells).trusted

    def test_a_spanning_cell_is_at_each_of_its_places(self) -> None:
        wide = cell(0, 0, "Alder", spans=(2, 2))
        found = table(wide, cell(2, 0, "x"))
        assert all(found.cell_at(r, c) is wide for r in (0, 1) for c in (0, 1))
        assert found.cell_at(2, 1) is None
