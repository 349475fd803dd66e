"""Labels: which texts name a place in a table, and what several places are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import ruled_table
from drawn_grids import open_rows, ruled
from reading import GROUNDED, Shelf, check, verdict
from tables_read import grounds, labelled, only_table

from grounding.geometry import Box
from grounding.model import Cell, CellRole, Table, TablePart
from verifier.labels import LabelledPlace, Unlabelled, find_labelled, listed, spellings

HEAD, LABEL = CellRole.COLUMN_HEADER, CellRole.ROW_HEADER


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def cell(row: int, col: int, text: str, role: CellRole = CellRole.DATA, *, span: int = 1) -> Cell:
    box = Box(10_000 * col, 2_000 * row, 10_000 * (col + span), 2_000 * (row + 1))
    ranges = ((row * 100 + col * 10, row * 100 + col * 10 + 1),) if text else ()
    return Cell(1, row, col, 1, span, box, text, ranges, role)


def table(*rows: tuple[str, ...], number: int = 1) -> Table:
    """The first row is the header, the first column holds labels."""
    cells = [
        cell(r, c, text, HEAD if r == 0 else LABEL if c == 0 and text else CellRole.DATA)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    ]
    part = TablePart(
        1, Box(0, 0, 10_000 * len(rows[0]), 2_000 * len(rows)), 0, len(rows), "", "", True
    )
    return Table(number, len(rows), len(rows[0]), (part,), tuple(cells))


DEPOTS = table(("Depot", "2024", "2023"), ("Alder", "12", "11"), ("Birch", "14", ""))


def text_of(found: LabelledPlace | Unlabelled) -> str | None:
    return found.cell.text if isinstance(found, LabelledPlace) and found.cell else None


class TestSpellings:
    """All texts that name a label."""

    def path(self, *texts: str) -> list[Cell]:
        return [cell(at, 0, text, LABEL) for at, text in enumerate(texts)]

    def test_a_label_names_itself(self) -> None:
        assert spellings(self.path("Revenue"), 1) == {"Revenue"}

    @pytest.mark.parametrize("separator", [" > ", " / ", " | ", ": ", " - ", ", ", " "])
    def test_a_path_is_parted_by_any_separator(self, separator: str) -> None:
        found = spellings(self.path("Group", "Americas", "Revenue"), 1)
        assert separator.join(("Americas", "Revenue")) in found
        assert separator.join(("Group", "Americas", "Revenue")) in found

    def test_a_path_ends_with_the_label_and_skips_no_step(self) -> None:
        found = spellings(self.path("Group", "Americas", "Revenue"), 1)
        for wrong in ("Group", "Americas", "Group > Americas", "Group > Revenue",
                      "Revenue > Americas", "Americas>Revenue"):  # fmt: skip
            assert wrong not in found

    @pytest.mark.parametrize("mark", [" (1)", "(12)", " [3]", "*", "**", " †", "(a)", " (1)(2)"])
    def test_a_footnote_marker_at_its_end_may_be_left_out(self, mark: str) -> None:
        assert "Revenue" in spellings(self.path(f"Revenue{mark}"), 1)

    @pytest.mark.parametrize("end", ["(loss)", "(2024)", " 1", "(net)", "(abc)"])
    def test_other_brackets_and_digits_belong_to_the_label(self, end: str) -> None:
        assert "Revenue" not in spellings(self.path(f"Revenue{end}"), 1)

    def test_a_sections_colon_may_be_left_out(self) -> None:
        found = spellings(self.path("Assets:", "Cash"), 1)
        assert {"Assets > Cash", "Assets: > Cash", "Assets: Cash"} <= found

    def test_a_label_that_is_a_marker_alone_names_itself(self) -> None:
        assert "*" in spellings(self.path("*"), 1)

    def test_a_label_over_two_lines_is_one_text(self) -> None:
        assert "Net revenue" in spellings(self.path("Net\nrevenue"), 1)

    def test_both_labels_of_a_row_name_it(self) -> None:
        found = spellings(self.path("Alder", "2024"), 2)
        assert {"Alder", "2024", "Alder > 2024"} <= found

    def test_case_is_never_folded(self) -> None:
        assert "revenue" not in spellings(self.path("Revenue"), 1)

    def test_no_label_is_no_name(self) -> None:
        assert spellings([], 1) == set()


class TestFinding:
    """From labels to a place, on tables made by hand."""

    def test_a_row_and_a_column_cross_in_a_cell(self) -> None:
        assert text_of(find_labelled([DEPOTS], "Birch", "2024")) == "14"
        assert text_of(find_labelled([DEPOTS], "Alder", "2023")) == "11"

    def test_a_blank_cell_is_a_place(self) -> None:
        assert text_of(find_labelled([DEPOTS], "Birch", "2023")) == ""

    def test_a_row_alone_is_its_values_without_its_label(self) -> None:
        found = find_labelled([DEPOTS], "Alder", None)
        assert isinstance(found, LabelledPlace)
        assert [c.text for c in found.cells] == ["12", "11"]
        assert found.cell is None

    def test_a_column_alone_is_its_values_without_its_header(self) -> None:
        found = find_labelled([DEPOTS], None, "2024")
        assert isinstance(found, LabelledPlace)
        assert [c.text for c in found.cells] == ["12", "14"]

    @pytest.mark.parametrize(
        ("row", "column", "reason"),
        [
            ("Cedar", "2024", "row_label_not_found"),
            ("Alder", "2022", "column_label_not_found"),
            ("Cedar", "2022", "row_label_not_found"),
            ("Depot", "2024", "row_label_not_found"),
            ("alder", "2024", "row_label_not_found"),
            ("Ald", "2024", "row_label_not_found"),
            ("12", "2024", "row_label_not_found"),
            ("Alder", "12", "column_label_not_found"),
            ("", "2024", "row_label_not_found"),
            ("Alder", " ", "column_label_not_found"),
        ],
    )
    def test_labels_that_are_not_there_lead_nowhere(
        self, row: str, column: str, reason: str
    ) -> None:
        assert find_labelled([DEPOTS], row, column) == Unlabelled("not_found", reason)  # type: ignore[arg-type]

    def test_without_a_table_there_is_none(self) -> None:
        assert find_labelled([], "Alder", "2024") == Unlabelled("not_found", "table_not_found")

    def test_one_of_several_tables_is_enough(self) -> None:
        other = table(("Vessel", "Crew"), ("Rook", "5"), number=2)
        found = find_labelled([DEPOTS, other], "Rook", "Crew")
        assert text_of(found) == "5"
        assert isinstance(found, LabelledPlace)
        assert found.table.id == "t0002"

    def test_places_in_two_tables_are_candidates_in_order(self) -> None:
        other = table(("Depot", "2024"), ("Alder", "99"), number=2)
        found = find_labelled([DEPOTS, other], "Alder", "2024")
        assert isinstance(found, Unlabelled)
        assert (found.status, found.reason) == ("mismatch", "label_ambiguous")
        assert [(p.table.id, p.cells[0].text) for p in found.candidates] == [
            ("t0001", "12"), ("t0002", "99"),
        ]  # fmt: skip

    def test_a_value_under_two_headers_is_uncertain(self) -> None:
        wide = Table(
            1, 2, 3, DEPOTS.parts,
            (cell(0, 0, "Depot", HEAD), cell(0, 1, "2024", HEAD), cell(0, 2, "2023", HEAD),
             cell(1, 0, "Alder", LABEL), cell(1, 1, "12", span=2)),
        )  # fmt: skip
        for column in ("2024", "2023"):
            found = find_labelled([wide], "Alder", column)
            assert isinstance(found, Unlabelled)
            assert (found.status, found.reason) == ("mismatch", "column_uncertain")

    def test_a_value_under_one_header_and_a_blank_is_certain(self) -> None:
        """Its cell reaches under nothing that could claim it."""
        wide = Table(
            1, 2, 3, DEPOTS.parts,
            (cell(0, 0, "Depot", HEAD), cell(0, 1, "2024", HEAD), cell(0, 2, "", HEAD),
             cell(1, 0, "Alder", LABEL), cell(1, 1, "12", span=2)),
        )  # fmt: skip
        assert text_of(find_labelled([wide], "Alder", "2024")) == "12"

    def test_a_value_under_a_header_of_its_own_width_is_certain(self) -> None:
        wide = Table(
            1, 2, 3, DEPOTS.parts,
            (cell(0, 0, "Depot", HEAD), cell(0, 1, "2024", HEAD, span=2),
             cell(1, 0, "Alder", LABEL), cell(1, 1, "12", span=2)),
        )  # fmt: skip
        assert text_of(find_labelled([wide], "Alder", "2024")) == "12"

    def test_a_candidate_is_listed_with_what_tells_it_apart(self) -> None:
        found = find_labelled([DEPOTS], "Birch", "2024")
        assert isinstance(found, LabelledPlace)
        assert listed(found) == {
            "page": 1, "bbox": [10_000, 4_000, 20_000, 6_000], "text": "14", "table_id": "t0001",
            "row_labels": ["Birch"], "column_labels": ["2024"], "cell": {"row": 2, "col": 1},
        }  # fmt: skip

    def test_a_row_is_listed_without_a_cell(self) -> None:
        found = find_labelled([DEPOTS], "Alder", None)
        assert isinstance(found, LabelledPlace)
        assert listed(found)["text"] == "12 | 11"
        assert "cell" not in listed(found)


class TestClaims:
    """On drawn pages, through the whole verifier."""

    def test_labels_alone_lead_to_the_cell(self, shelf: Shelf) -> None:
        """With or without page and table; the evidence names the place."""
        source, table = only_table(shelf, ruled_table())
        right = table.cell_at(1, 2)
        assert right is not None
        for more in ({}, {"page": 1}, {"table_id": "t0001"}, {"page": 1, "table_id": "t0001"}):
            made = labelled(source, "135", "North", "Q2", **more)
            assert verdict(made) == GROUNDED, more
            assert made["evidence"]["cell"] == {"row": 1, "col": 2}
            assert made["evidence"]["bbox"] == right.box.as_list()
            assert made["evidence"]["table_id"] == "t0001"

    @pytest.mark.parametrize("wrong", ["120", "150", "80", "1350", "35", ""])
    def test_the_numbers_of_other_cells_are_not_grounded(self, shelf: Shelf, wrong: str) -> None:
        source, _ = only_table(shelf, ruled_table())
        assert not grounds(source, wrong, "North", "Q2")

    def test_labels_and_a_cell_that_disagree_are_a_conflict(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, ruled_table())
        cited = {"table_id": "t0001", "row_label": "North", "column_label": "Q2"}
        claim = {"kind": "table_cell", "text": "135"}
        assert verdict(check(source, claim, **cited, cell={"row": 1, "col": 2})) == GROUNDED
        made = check(source, claim, **cited, cell={"row": 2, "col": 2})
        assert verdict(made) == ("mismatch", "locator_conflict")

    def test_labels_are_compared_under_the_text_folds(self, shelf: Shelf) -> None:
        """White space is one, but no word may miss."""
        rows = (("Depot", "Net tonnes"), ("Alder Quay", "12"), ("Birch Lane", "14"))
        source, _ = only_table(shelf, ruled(rows, (72, 192, 302)))
        assert grounds(source, "12", "Alder  Quay", "Net\ntonnes")
        assert grounds(source, "12", " Alder Quay ", "Net tonnes")
        assert not grounds(source, "12", "Alder", "Net tonnes")
        assert not grounds(source, "12", "AlderQuay", "Net tonnes")

    def test_a_value_is_searched_in_the_row_that_a_label_names(self, shelf: Shelf) -> None:
        """For claims of another kind the labels narrow where they are looked for."""
        rows = (("", "2024", "2023"), ("Pilotage", "143", "151"), ("Storage", "98", "87"),
                ("Towage", "20", "31"))  # fmt: skip
        source, _ = only_table(shelf, open_rows(rows, rights=(400, 500)))
        claim = {"kind": "value", "value": "151"}
        assert verdict(check(source, claim, row_label="Pilotage")) == GROUNDED
        assert check(source, claim, row_label="Storage")["status"] == "mismatch"
        assert verdict(check(source, claim, column_label="2023")) == GROUNDED
        assert check(source, claim, column_label="2024")["status"] == "mismatch"

    def test_a_row_without_a_column_is_no_cell(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, ruled_table())
        made = check(source, {"kind": "table_cell", "text": "135"}, row_label="North")
        assert verdict(made) == ("error", "missing_table_cell_locator")

    def test_a_table_that_does_not_exist_is_not_found(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, ruled_table())
        for table_id in ("t0002", "t9999", "table", "t1", "T0001"):
            made = labelled(source, "135", "North", "Q2", table_id=table_id)
            assert made["status"] != "grounded", table_id

    def test_two_columns_of_one_header_text_are_ambiguous(self, shelf: Shelf) -> None:
        rows = (("Depot", "Tonnes", "Tonnes"), ("Alder", "12", "11"), ("Birch", "14", "13"))
        source, _ = only_table(shelf, ruled(rows, (72, 192, 302, 412)))
        made = labelled(source, "12", "Alder", "Tonnes")
        assert verdict(made) == ("mismatch", "label_ambiguous")
        assert [f["cell"] for f in made["found_elsewhere"]] == [
            {"row": 1, "col": 1}, {"row": 1, "col": 2},
        ]  # fmt: skip
