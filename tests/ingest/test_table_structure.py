"""What cells are to each other: headers, labels, sections, blanks, notes, what is said above."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from drawn import r9, r9_twin, r15, r17
from drawn_grids import (
    DEPOTS,
    LEDGER,
    RIGHT_TO_LEFT,
    open_rows,
    rule,
    ruled,
    steps,
    write_cells,
    write_centred,
    write_right,
    write_rows,
)
from pdf_writer import Pdf, text_width
from reading import GROUNDED, Shelf, check, codes, quote, verdict
from tables_read import cell_of, grounds, labelled, only_table, places, role_of, texts

from grounding.model import CellRole
from grounding.tables import column_path, row_path

DEPOT_TEXTS = [list(row) for row in DEPOTS]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


class TestOrder:
    """Rows and columns are those of the reader."""

    def test_columns_of_prose_are_read_down_and_a_table_of_the_same_places_across(
        self, shelf: Shelf
    ) -> None:
        """The twin's rows are grounded as rows; a quote over both columns of prose is not."""
        _, table = only_table(shelf, r9_twin(), "twin.pdf")
        assert texts(table) == [["Vessel class", "Draught limit"], ["Coaster", "6.5 metres"]]
        prose = shelf.put(r9(), "prose.pdf")
        assert list(prose.tables(1)) == []
        across = "The harbour authority approved after the autumn survey had"
        assert quote(prose, across, page=1)["status"] != "grounded"

    def test_the_twins_text_is_read_row_by_row_and_not_down(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, r9_twin())
        text = " ".join(source.page_text(1).split())
        assert "Vessel class Draught limit Coaster 6.5 metres" in text
        assert "Vessel class Coaster" not in text

    def test_the_twins_value_belongs_to_its_own_row_and_column(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, r9_twin())
        assert grounds(source, "6.5 metres", "Coaster", "Draught limit")
        assert not grounds(source, "Draught limit", "Coaster", "Draught limit")

    def test_a_sideways_table_is_cited_by_the_labels_its_reader_reads(self, shelf: Shelf) -> None:
        """ "455" is the import of 2022, and 310 is not."""
        source, table = only_table(shelf, r15())
        assert (table.rows, table.columns) == (3, 3)
        assert grounds(source, "455", "2022", "Import")
        assert not grounds(source, "310", "2022", "Import")
        assert not grounds(source, "554", "2022", "Import")
        assert not grounds(source, "487", "2022", "Import")

    def test_a_sideways_table_without_rules_has_the_rows_of_its_reader(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        for at, row in enumerate(DEPOTS):
            for column, cell in enumerate(row):
                page.text(200 + 16 * at, 100 + 120 * column, 10, cell, matrix=(0, 1, -1, 0))
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == DEPOT_TEXTS

    @pytest.mark.parametrize("rotate", [90, 180, 270])
    def test_a_table_without_rules_on_a_turned_page_has_the_rows_of_its_reader(
        self, shelf: Shelf, rotate: int
    ) -> None:
        pdf = Pdf()
        write_rows(pdf.page(rotate=rotate), DEPOTS)
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == DEPOT_TEXTS

    def test_a_landscape_page_made_by_rotation_has_its_table_upright(self, shelf: Shelf) -> None:
        """/Rotate 90 and text turned against it are what many printers write."""
        pdf = Pdf()
        page = pdf.page(rotate=90)
        for at, row in enumerate(DEPOTS):
            for column, cell in enumerate(row):
                page.text(200 + 16 * at, 100 + 120 * column, 10, cell, matrix=(0, 1, -1, 0))
        source, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == DEPOT_TEXTS
        assert table.box.width > table.box.height
        assert source.pages[0].frame.box.contains(table.box)

    @pytest.mark.parametrize("unit", [2, 10])
    @pytest.mark.parametrize("lined", [True, False], ids=["ruled", "open"])
    def test_a_user_unit_scales_boxes_and_changes_no_cell(
        self, shelf: Shelf, unit: int, lined: bool
    ) -> None:
        """Boxes are in displayed points: the table of unit 2 is twice as wide."""
        found = []
        for each in (1, unit):
            pdf = Pdf()
            page = pdf.page(user_unit=each)
            if lined:
                xs, ys = (72, 192, 302, 412, 522), steps(700, len(DEPOTS), 24)
                write_cells(page, DEPOTS, xs, ys)
                rule(page, xs, ys)
            else:
                write_rows(page, DEPOTS)
            found.append(only_table(shelf, pdf.to_bytes(), f"unit{each}.pdf")[1])
        plain, scaled = found
        assert texts(scaled) == texts(plain) == DEPOT_TEXTS
        assert scaled.box.width == pytest.approx(plain.box.width * unit, rel=0.02)
        assert scaled.box.y0 == pytest.approx(plain.box.y0 * unit, rel=0.02)


class TestStatement:
    """A statement without rules (R17)."""

    def test_it_is_found_with_its_rows_and_three_columns(self, shelf: Shelf) -> None:
        """The currency signs have no column of their own."""
        _, table = only_table(shelf, r17())
        assert (table.rows, table.columns) == (7, 3)
        assert table.trusted
        assert [row[0] for row in texts(table)] == [
            "", "Passenger revenue", "Freight revenue", "Fuel and lubricants",
            "Crew and port costs", "Impairment of vessels", "Result for the year",
        ]  # fmt: skip

    def test_its_header_are_the_years(self, shelf: Shelf) -> None:
        _, table = only_table(shelf, r17())
        assert role_of(table, CellRole.COLUMN_HEADER) == ["2024", "2023"]

    def test_a_blank_stays_blank(self, shelf: Shelf) -> None:
        """No number of a neighbour moves into it, and no claim is grounded by it."""
        source, table = only_table(shelf, r17())
        assert texts(table)[5] == ["Impairment of vessels", "(41.7)", ""]
        blank = table.cell_at(5, 2)
        assert blank is not None
        assert blank.ranges == ()
        assert not grounds(source, "(41.7)", "Impairment of vessels", "2023")
        assert not grounds(source, "(466.1)", "Impairment of vessels", "2023")
        assert not grounds(source, "0", "Impairment of vessels", "2023")

    def test_what_is_said_of_its_numbers_is_recorded(self, shelf: Shelf) -> None:
        source, table = only_table(shelf, r17())
        assert table.statement == "(amounts in millions of euro)"
        ((start, end),) = table.parts[0].statement_ranges
        assert source.page_text(1)[start:end] == table.statement
        evidence = labelled(source, "(41.7)", "Impairment of vessels", "2024")["evidence"]
        assert evidence["statement"] == "(amounts in millions of euro)"

    def test_a_statement_that_is_not_there_is_not_made_up(self, shelf: Shelf) -> None:
        source, table = only_table(shelf, open_rows(DEPOTS, above="Depots of the north"))
        assert (table.statement, table.parts[0].statement_ranges) == ("", ())
        assert "statement" not in labelled(source, "31", "Alder Quay", "Staff")["evidence"]

    def test_brackets_are_a_loss_and_no_gain(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, r17())
        where = {"row_label": "Impairment of vessels", "column_label": "2024"}
        loss = check(source, {"kind": "table_cell", "value": "-41.7"}, **where)
        gain = check(source, {"kind": "table_cell", "value": "41.7"}, **where)
        assert verdict(loss) == GROUNDED
        assert verdict(gain) == ("mismatch", "sign_mismatch")

    @pytest.mark.parametrize("currency", ["$", "£"])
    def test_currency_signs_are_joined_to_their_numbers(self, shelf: Shelf, currency: str) -> None:
        """A cell of the first row holds its sign and its number, and no other cell holds a sign."""
        _, table = only_table(shelf, r17(currency))
        with_sign = [(c.row, c.col) for c in table.cells if currency in c.text]
        assert with_sign == [(1, 1), (1, 2), (6, 1), (6, 2)]
        for row, number in ((1, "612.4"), (6, "118.3")):
            cell = table.cell_at(row, 1)
            assert cell is not None
            assert number in cell.text

    def test_currency_signs_that_are_drawn_in_turn_stand_before_their_numbers(
        self, shelf: Shelf
    ) -> None:
        pdf = Pdf()
        page = pdf.page()
        rows = (("", "2024", "2023"), ("Dues", "612.4", "588.0"), ("Fuel", "(198.6)", "(176.3)"),
                ("Result", "118.3", "97.5"))  # fmt: skip
        for at, row in enumerate(rows):
            y = 650 - 16 * at
            page.text(72, y, 10, row[0])
            for right, cell in zip((400, 500), row[1:], strict=True):
                if at in (1, 3):
                    page.text(right - 50, y, 10, "$")
                write_right(page, right, y, cell)
        _, table = only_table(shelf, pdf.to_bytes())
        assert (table.rows, table.columns) == (4, 3)
        assert [row[1:] for row in texts(table)] == [
            ["2024", "2023"], ["$ 612.4", "$ 588.0"], ["(198.6)", "(176.3)"], ["$ 118.3", "$ 97.5"],
        ]  # fmt: skip


class TestCellsAndLines:
    """Merged, blank, and several lines."""

    def merged(self) -> bytes:
        """Depot Inbound Outbound / Alder 120 135 / Birch, and 99 in a cell under both headers."""
        pdf = Pdf()
        page = pdf.page()
        for x, y, text in (
            (78, 684, "Depot"), (198, 684, "Inbound"), (308, 684, "Outbound"), (78, 660, "Alder"),
            (198, 660, "120"), (308, 660, "135"), (78, 636, "Birch"), (204, 636, "99"),
        ):  # fmt: skip
            page.text(x, y, 11, text)
        for y in (700, 676, 652, 628):
            page.line(72, y, 412, y)
        for x in (72, 192, 412):
            page.line(x, 700, x, 628)
        page.line(302, 700, 302, 652)
        return pdf.to_bytes()

    @pytest.mark.parametrize("column", ["Inbound", "Outbound"])
    def test_a_value_in_a_merged_cell_belongs_to_no_single_header(
        self, shelf: Shelf, column: str
    ) -> None:
        """It is printed under "Inbound"; its cell reaches under both, and nobody guesses."""
        source, table = only_table(shelf, self.merged())
        assert places(table)["99"] == (2, 1, 1, 2)
        made = labelled(source, "99", "Birch", column)
        assert verdict(made) == ("mismatch", "column_uncertain")

    def test_a_value_beside_a_merged_cell_belongs_to_its_own_header(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, self.merged())
        assert grounds(source, "120", "Alder", "Inbound")
        assert not grounds(source, "120", "Alder", "Outbound")

    def test_a_merged_cell_is_cited_by_its_place(self, shelf: Shelf) -> None:
        """By grid position there is no doubt which cell is meant; each place in it will do."""
        source, _ = only_table(shelf, self.merged())
        for col in (1, 2):
            cited = {"table_id": "t0001", "cell": {"row": 2, "col": col}}
            assert verdict(check(source, {"kind": "table_cell", "text": "99"}, **cited)) == GROUNDED

    def test_an_empty_column_keeps_its_place(self, shelf: Shelf) -> None:
        """With rules and without, the numbers right of it do not move up."""
        rows = (("Depot", "2024", "Note", "2023"), ("Alder", "120", "", "100"),
                ("Birch", "140", "", "110"), ("Cedar", "165", "", "112"))  # fmt: skip
        for name, data in (("ruled.pdf", ruled(rows)), ("open.pdf", open_rows(rows))):
            source, table = only_table(shelf, data, name)
            assert texts(table) == [list(row) for row in rows], name
            assert grounds(source, "110", "Birch", "2023")
            assert not grounds(source, "110", "Birch", "Note")

    def test_an_empty_column_without_a_header_keeps_its_place(self, shelf: Shelf) -> None:
        rows = (("Depot", "2024", "", "2023"), ("Alder", "120", "", "100"),
                ("Birch", "140", "", "110"))  # fmt: skip
        _, table = only_table(shelf, ruled(rows))
        assert texts(table) == [list(row) for row in rows]

    def test_the_lines_of_a_cell_are_one_text(self, shelf: Shelf) -> None:
        rows = (("Depot", "Cargo", "2024"), ("Alder Quay\nnorth side", "Timber\nand pulp", "12"),
                ("Birch", "Ore", "14"))  # fmt: skip
        source, table = only_table(shelf, ruled(rows, (72, 192, 302, 412), step=36))
        assert texts(table)[1] == ["Alder Quay north side", "Timber and pulp", "12"]
        assert grounds(source, "12", "Alder Quay north side", "2024")
        assert not grounds(source, "12", "Alder Quay", "2024")
        assert not grounds(source, "14", "Alder Quay north side", "2024")

    def test_a_wrapped_label_with_its_values_on_the_last_line_is_one_row(
        self, shelf: Shelf
    ) -> None:
        rows = (("", "2024", "2023"), ("Proceeds from the sale of vessels and", "", ""),
                ("other equipment held for hire", "143", "151"), ("Storage", "98", "87"),
                ("Pilotage", "77", "61"))  # fmt: skip
        source, table = only_table(shelf, open_rows(rows, rights=(400, 500), step=12))
        label = "Proceeds from the sale of vessels and other equipment held for hire"
        assert texts(table)[1] == [label, "143", "151"]
        assert table.rows == 4
        assert grounds(source, "143", label, "2024")

    def test_a_wrapped_label_with_its_values_on_the_first_line_is_one_row(
        self, shelf: Shelf
    ) -> None:
        pdf = Pdf()
        page = pdf.page()
        write_rows(page, (("", "2024", "2023"), ("Storage", "98", "87")), rights=(400, 500))
        write_rows(page, (("Proceeds from the sale of", "143", "151"),), rights=(400, 500), top=614)
        page.text(72, 602, 10, "vessels held for hire")
        write_rows(page, (("Pilotage", "77", "61"),), rights=(400, 500), top=582)
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table)[1:] == [
            ["Storage", "98", "87"],
            ["Proceeds from the sale of vessels held for hire", "143", "151"],
            ["Pilotage", "77", "61"],
        ]

    def test_the_same_value_in_two_rows_has_two_places(self, shelf: Shelf) -> None:
        """Each is grounded by its own row, with the evidence of that row."""
        rows = (("", "2024", "2023"), ("Pilotage", "143", "151"), ("Storage", "143", "87"),
                ("Towage", "20", "87"))  # fmt: skip
        source, _ = only_table(shelf, open_rows(rows, rights=(400, 500)))
        found = []
        for label in ("Pilotage", "Storage"):
            made = labelled(source, "143", label, "2024")
            assert verdict(made) == GROUNDED
            found.append((made["evidence"]["cell"], made["evidence"]["bbox"]))
        assert [cell for cell, _ in found] == [{"row": 1, "col": 1}, {"row": 2, "col": 1}]
        assert found[0][1] != found[1][1]
        assert not grounds(source, "143", "Towage", "2024")


class TestHeaders:
    """One, two and three levels."""

    def test_two_levels_of_ruled_headers_make_a_path(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        for x, y, text in (
            (78, 684, "Depot"), (210, 684, "Tonnes"), (198, 660, "2023"), (308, 660, "2024"),
            (78, 636, "Alder"), (198, 636, "120"), (308, 636, "135"),
        ):  # fmt: skip
            page.text(x, y, 11, text)
        for y in (700, 652, 628):
            page.line(72, y, 412, y)
        page.line(192, 676, 412, 676)
        for x in (72, 192, 412):
            page.line(x, 700, x, 628)
        page.line(302, 676, 302, 628)
        source, table = only_table(shelf, pdf.to_bytes())
        assert places(table) == {
            "Depot": (0, 0, 2, 1), "Tonnes": (0, 1, 1, 2), "2023": (1, 1, 1, 1),
            "2024": (1, 2, 1, 1), "Alder": (2, 0, 1, 1), "120": (2, 1, 1, 1), "135": (2, 2, 1, 1),
        }  # fmt: skip
        assert [c.text for c in column_path(table, 2)] == ["Tonnes", "2024"]
        assert grounds(source, "135", "Alder", "2024")
        assert grounds(source, "135", "Alder", "Tonnes > 2024")
        assert not grounds(source, "120", "Alder", "Tonnes > 2024")
        spanning = labelled(source, "120", "Alder", "Tonnes")
        assert verdict(spanning) == ("mismatch", "label_ambiguous")
        assert [f["text"] for f in spanning["found_elsewhere"]] == ["120", "135"]

    def test_two_levels_of_open_headers_make_a_path(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        write_centred(page, 250, 500, 682, "Year ended 31 March")
        page.line(250, 678, 500, 678)
        rows = (("", "2024", "2023"), ("Harbour dues", "612", "588"), ("Pilotage", "143", "151"),
                ("Storage", "98", "87"))  # fmt: skip
        write_rows(page, rows, rights=(340, 480), top=666)
        source, table = only_table(shelf, pdf.to_bytes())
        assert places(table)["Year ended 31 March"] == (0, 1, 1, 2)
        assert [c.text for c in column_path(table, 1)] == ["Year ended 31 March", "2024"]
        assert grounds(source, "143", "Pilotage", "Year ended 31 March > 2024")
        assert grounds(source, "143", "Pilotage", "2024")
        assert not grounds(source, "143", "Pilotage", "2023")

    def three_levels(self) -> bytes:
        pdf = Pdf()
        page = pdf.page()
        page.text(78, 684, 10, "Depot")
        page.text(300, 684, 10, "Tonnes handled")
        for x, text in ((240, "Inbound"), (420, "Outbound")):
            page.text(x, 660, 10, text)
        for x, text in ((198, "2024"), (288, "2023"), (378, "2024"), (468, "2023")):
            page.text(x, 636, 10, text)
        body = (("Alder Quay", "612", "588", "1,204", "1,190"),
                ("Birch Lane", "143", "151", "310", "288"))  # fmt: skip
        for at, row in enumerate(body):
            for x, text in zip((78, 198, 288, 378, 468), row, strict=True):
                page.text(x, 612 - 24 * at, 10, text)
        for y in (700, 628, 604, 580):
            page.line(72, y, 552, y)
        for y in (676, 652):
            page.line(192, y, 552, y)
        for x in (72, 192, 552):
            page.line(x, 700, x, 580)
        page.line(372, 676, 372, 580)
        for x in (282, 462):
            page.line(x, 652, x, 580)
        return pdf.to_bytes()

    def test_three_levels_of_ruled_headers_make_a_path(self, shelf: Shelf) -> None:
        _, table = only_table(shelf, self.three_levels())
        assert places(table)["Tonnes handled"] == (0, 1, 1, 4)
        assert places(table)["Depot"] == (0, 0, 3, 1)
        path = [cell.text for cell in column_path(table, 3)]
        assert path == ["Tonnes handled", "Outbound", "2024"]

    @pytest.mark.parametrize(
        ("label", "right"),
        [
            ("Outbound > 2024", "310"),
            ("Inbound > 2024", "143"),
            ("Tonnes handled > Outbound > 2023", "288"),
            ("Tonnes handled / Inbound / 2023", "151"),
        ],
    )
    def test_columns_of_the_same_name_are_told_apart_by_their_path(
        self, shelf: Shelf, label: str, right: str
    ) -> None:
        source, _ = only_table(shelf, self.three_levels())
        for number in ("143", "151", "310", "288"):
            assert grounds(source, number, "Birch Lane", label) == (number == right)

    def test_the_leaf_alone_is_ambiguous_and_lists_the_paths(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, self.three_levels())
        made = labelled(source, "143", "Birch Lane", "2024")
        assert verdict(made) == ("mismatch", "label_ambiguous")
        assert [f["column_labels"] for f in made["found_elsewhere"]] == [
            ["Tonnes handled", "Inbound", "2024"],
            ["Tonnes handled", "Outbound", "2024"],
        ]

    def test_a_path_in_the_wrong_order_leads_nowhere(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, self.three_levels())
        made = labelled(source, "143", "Birch Lane", "2024 > Inbound")
        assert verdict(made) == ("not_found", "column_label_not_found")

    def test_evidence_carries_the_labels_from_the_outermost(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, self.three_levels())
        evidence = labelled(source, "310", "Birch Lane", "Outbound > 2024")["evidence"]
        assert evidence["row_labels"] == ["Birch Lane"]
        assert evidence["column_labels"] == ["Tonnes handled", "Outbound", "2024"]


BALANCE = (
    ("", "2024", "2023"),
    ("Assets", "", ""),
    ("  Cash", "120", "110"),
    ("  Receivables", "340", "310"),
    ("    Trade", "300", "280"),
    ("    Other", "40", "30"),
    ("Liabilities", "", ""),
    ("  Payables", "210", "190"),
    ("    Trade", "150", "140"),
    ("    Other", "60", "50"),
)
REGIONS = (
    ("", "2024", "2023"),
    ("Americas", "", ""),
    ("Revenue", "120", "110"),
    ("Costs", "90", "85"),
    ("Europe", "", ""),
    ("Revenue", "340", "310"),
    ("Costs", "200", "190"),
)


class TestRows:
    """Sections, indentation and labels that occur twice."""

    def test_indentation_makes_levels(self, shelf: Shelf) -> None:
        _, table = only_table(shelf, open_rows(BALANCE, rights=(400, 500)))
        levels = [c.level for c in table.cells if c.col == 0 and not c.header]
        assert levels == [0, 1, 1, 2, 2, 0, 1, 2, 2]
        assert role_of(table, CellRole.SECTION) == ["Assets", "Liabilities"]

    def test_a_rows_path_leads_through_what_it_is_indented_under(self, shelf: Shelf) -> None:
        _, table = only_table(shelf, open_rows(BALANCE, rights=(400, 500)))
        assert [[c.text for c in row_path(table, row)] for row in (2, 4, 7, 9)] == [
            ["Assets", "Cash"],
            ["Assets", "Receivables", "Trade"],
            ["Liabilities", "Payables"],
            ["Liabilities", "Payables", "Other"],
        ]

    def test_sections_that_indent_nothing_head_the_rows_below_them(self, shelf: Shelf) -> None:
        _, table = only_table(shelf, open_rows(REGIONS, rights=(400, 500)))
        assert role_of(table, CellRole.SECTION) == ["Americas", "Europe"]
        assert [c.text for c in row_path(table, 2)] == ["Americas", "Revenue"]
        assert [c.text for c in row_path(table, 6)] == ["Europe", "Costs"]

    def test_a_label_in_two_rows_is_ambiguous_and_lists_both(self, shelf: Shelf) -> None:
        source, table = only_table(shelf, open_rows(REGIONS, rights=(400, 500)))
        for number in ("120", "340"):
            made = labelled(source, number, "Revenue", "2024")
            assert verdict(made) == ("mismatch", "label_ambiguous")
            assert [
                (f["text"], f["page"], f["cell"], f["row_labels"], f["column_labels"], f["bbox"])
                for f in made["found_elsewhere"]
            ] == [
                ("120", 1, {"row": 2, "col": 1}, ["Americas", "Revenue"], ["2024"],
                 cell_of(table, "120").box.as_list()),
                ("340", 1, {"row": 5, "col": 1}, ["Europe", "Revenue"], ["2024"],
                 cell_of(table, "340").box.as_list()),
            ]  # fmt: skip

    @pytest.mark.parametrize("label", ["Americas > Revenue", "Americas: Revenue"])
    def test_a_path_tells_rows_of_one_label_apart(self, shelf: Shelf, label: str) -> None:
        source, _ = only_table(shelf, open_rows(REGIONS, rights=(400, 500)))
        assert grounds(source, "120", label, "2024")
        assert verdict(labelled(source, "340", label, "2024"))[0] == "mismatch"

    def test_a_path_that_no_row_has_leads_nowhere(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, open_rows(REGIONS, rights=(400, 500)))
        for label in ("Asia > Revenue", "Revenue > Americas", "Europe > Americas > Revenue"):
            made = labelled(source, "120", label, "2024")
            assert verdict(made) == ("not_found", "row_label_not_found"), label

    def test_an_inner_label_is_found_by_the_last_steps_of_its_path(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, open_rows(BALANCE, rights=(400, 500)))
        assert grounds(source, "150", "Payables > Trade", "2024")
        assert grounds(source, "150", "Liabilities > Payables > Trade", "2024")
        assert grounds(source, "300", "Receivables > Trade", "2024")
        assert not grounds(source, "300", "Payables > Trade", "2024")
        assert verdict(labelled(source, "300", "Trade", "2024"))[1] == "label_ambiguous"


class TestOddRows:
    """Rows and headers that leave something out."""

    def test_a_blank_label_row_keeps_the_values_of_its_total(self, shelf: Shelf) -> None:
        """A total without a label is a row of its own under a rule."""
        rows = (("", "2024", "2023"), ("Dues", "612", "588"), ("Fuel", "143", "151"),
                ("", "755", "739"))  # fmt: skip
        _, table = only_table(shelf, open_rows(rows, rights=(400, 500)))
        assert texts(table) == [list(row) for row in rows]

    def test_two_years_in_a_cell_are_no_amount(self, shelf: Shelf) -> None:
        """A header of periods over a table whose first column is ruled."""
        rows = (("Depot", "2022-2023", "2023-2024"), ("Alder", "12", "11"), ("Birch", "14", "13"))
        _, table = only_table(shelf, ruled(rows, (72, 192, 302, 412)))
        assert [c.text for c in table.cells if c.header] == list(rows[0])


def noted() -> bytes:
    """A raised 1 at "Pilotage", a raised 2 at 612, both explained at the foot."""
    pdf = Pdf()
    page = pdf.page()
    write_rows(page, (("", "2024", "2023"),), rights=(400, 500), top=650)
    page.text(72, 634, 10, "Harbour dues")
    write_right(page, 400, 634, "612")
    page.text(400, 638, 6, "2")
    write_right(page, 500, 634, "588")
    page.text(72, 618, 10, "Pilotage")
    page.text(72 + text_width("Helvetica", 10, "Pilotage"), 622, 6, "1")
    write_right(page, 400, 618, "143")
    write_right(page, 500, 618, "151")
    write_rows(page, (("Storage", "98", "87"),), rights=(400, 500), top=602)
    page.text(72, 120, 8, "1 Since March only.")
    page.text(72, 80, 8, "2 Restated.")
    return pdf.to_bytes()


class TestNotes:
    """Footnote markers stand beside a cell's text and not in it."""

    def test_a_marker_is_a_note_of_its_cell(self, shelf: Shelf) -> None:
        _, table = only_table(shelf, noted())
        assert (table.rows, table.columns) == (4, 3)
        assert {c.text: c.notes for c in table.cells if c.notes} == {
            "612": ("2",),
            "Pilotage": ("1",),
        }

    def test_a_marker_never_becomes_a_digit(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, noted())
        assert grounds(source, "612", "Harbour dues", "2024")
        assert not grounds(source, "6122", "Harbour dues", "2024")
        assert grounds(source, "143", "Pilotage", "2024")

    def test_evidence_carries_the_footnotes_of_the_cell_and_its_labels(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, noted())
        notes = labelled(source, "143", "Pilotage", "2024")["evidence"]["footnotes"]
        assert notes == [{"marker": "1", "text": "1 Since March only."}]
        notes = labelled(source, "612", "Harbour dues", "2024")["evidence"]["footnotes"]
        assert notes == [{"marker": "2", "text": "2 Restated."}]
        assert "footnotes" not in labelled(source, "98", "Storage", "2024")["evidence"]


class TestRules:
    """Tables with some rules, or shades instead."""

    def test_three_horizontal_rules_are_enough(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        write_rows(page, DEPOTS)
        for y in (662, 645, 565):
            page.line(72, y, 500, y)
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == DEPOT_TEXTS
        assert role_of(table, CellRole.COLUMN_HEADER) == list(DEPOTS[0])

    def test_words_between_horizontal_rules_are_a_table(self, shelf: Shelf) -> None:
        """Without a single number, but with four columns of short cells between rules."""
        rows = (
            ("Vessel", "Home port", "Class", "Master"),
            ("Rook", "Alder Quay", "Coaster", "Ines Varga"),
            ("Heron", "Birch Lane", "Tug", "Piet Holm"),
            ("Tern", "Cedar Park", "Ferry", "Ola Brandt"),
            ("Crane", "Dune Road", "Barge", "Ute Simm"),
        )

        def drawn(lined: bool) -> bytes:
            pdf = Pdf()
            page = pdf.page()
            for at, row in enumerate(rows):
                for x, cell in zip((72, 190, 310, 430), row, strict=True):
                    page.text(x, 650 - 16 * at, 10, cell)
            for y in (662, 645, 580) if lined else ():
                page.line(72, y, 500, y)
            return pdf.to_bytes()

        source, table = only_table(shelf, drawn(lined=True))
        assert texts(table) == [list(row) for row in rows]
        assert grounds(source, "Tug", "Heron", "Class")
        assert not grounds(source, "Tug", "Tern", "Class")
        assert list(shelf.put(drawn(lined=False), "bare.pdf").tables(1)) == []

    def test_shades_behind_every_other_row_are_no_cells(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        for row in range(0, 6, 2):
            page.rect(66, 646 - 16 * row, 440, 16, (0.9, 0.9, 0.9))
        write_rows(page, DEPOTS)
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == DEPOT_TEXTS

    def test_cells_that_are_shaded_one_by_one_are_cells(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        xs, ys = (72, 192, 302, 412, 522), steps(700, len(DEPOTS), 24)
        for top, bottom in pairwise(ys):
            for left, right in pairwise(xs):
                page.rect(left + 1, bottom + 1, right - left - 2, top - bottom - 2, (0.9, 0.9, 0.9))
        write_cells(page, DEPOTS, xs, ys)
        _, table = only_table(shelf, pdf.to_bytes())
        assert texts(table) == DEPOT_TEXTS

    def test_ruled_tables_side_by_side_are_two(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        left = (("Depot", "2024", "2023"), ("Alder", "120", "110"), ("Birch", "140", "130"))
        right = (("Vessel", "2024", "2023"), ("Rook", "12", "11"), ("Heron", "14", "13"))
        for xs, rows in (((60, 140, 200, 260), left), ((340, 420, 480, 540), right)):
            ys = steps(700, 3, 24)
            write_cells(page, rows, xs, ys)
            rule(page, xs, ys)
        source = shelf.put(pdf.to_bytes())
        first, second = source.tables(1)
        assert texts(first) == [list(row) for row in left]
        assert texts(second) == [list(row) for row in right]
        assert grounds(source, "14", "Heron", "2024")
        assert not grounds(source, "140", "Heron", "2024")

    def test_two_tables_below_each_other_are_two(self, shelf: Shelf) -> None:
        pdf = Pdf()
        page = pdf.page()
        write_rows(page, DEPOTS, top=700)
        page.text(
            72, 560, 10, "The vessels that the authority owns are listed here with their age."
        )
        rows = (("Vessel", "Age", "Crew"), ("Rook", "12", "5"), ("Heron", "31", "4"),
                ("Tern", "7", "9"))  # fmt: skip
        write_rows(page, rows, rights=(300, 400), top=530)
        first, second = shelf.put(pdf.to_bytes()).tables(1)
        assert texts(first) == DEPOT_TEXTS
        assert texts(second) == [list(row) for row in rows]


@pytest.mark.parametrize("lined", [True, False], ids=["ruled", "open"])
def test_right_to_left_labels_do_no_harm(shelf: Shelf, lined: bool) -> None:
    """The page is read, and where there is a table it is whole."""
    pdf = Pdf()
    page = pdf.page()
    ys = steps(700, 3, 24)
    for bottom, (label, new, old) in zip(ys[1:], LEDGER, strict=True):
        page.text(400, bottom + 8, 10, label[::-1], font=RIGHT_TO_LEFT)
        page.text(250, bottom + 8, 10, new)
        page.text(100, bottom + 8, 10, old)
    if lined:
        rule(page, (90, 230, 380, 500), ys)
    source = shelf.put(pdf.to_bytes())
    assert codes(source, 1) <= {"low_confidence_reading_order"}
    tables = source.tables(1)
    assert len(tables) == 1 if lined else len(tables) <= 1
    for table in tables:
        assert [sorted(row) for row in texts(table)] == [sorted(row) for row in LEDGER]
