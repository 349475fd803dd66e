"""Tables of odd build, read as a reader reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import r17
from drawn_grids import (
    DEPOTS,
    open_rows,
    two_parts,
    write_centred,
    write_right,
    write_rows,
)
from pdf_writer import Pdf, text_width
from proving import recomputed
from reading import GROUNDED, Shelf, check, value, verdict
from tables_read import all_tables, labelled, only_table, places, texts


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


@pytest.mark.parametrize("currency", ["$", "£"])
def test_a_currency_sign_drawn_after_its_number_stands_before_it(
    shelf: Shelf, currency: str
) -> None:
    """R17: the sign is to the left on the same line, and the cell says "$ 612.4"."""
    source, table = only_table(shelf, r17(currency))
    cell = table.cell_at(1, 1)
    assert cell is not None
    assert cell.text.split() == [currency, "612.4"]
    where = {"row_label": "Passenger revenue", "column_label": "2024"}
    for claim in ("612.4", f"{currency}612.4"):
        made = check(source, {"kind": "table_cell", "value": claim}, **where)
        assert verdict(made) == GROUNDED, claim


def test_a_header_of_three_levels_without_rules_spans_its_columns(shelf: Shelf) -> None:
    """The outermost header has a rule over all four columns below it."""
    pdf = Pdf()
    page = pdf.page()
    write_centred(page, 210, 540, 700, "Tonnes handled")
    page.line(210, 696, 540, 696)
    write_centred(page, 210, 360, 684, "Inbound")
    write_centred(page, 390, 540, 684, "Outbound")
    page.line(210, 680, 360, 680)
    page.line(390, 680, 540, 680)
    rows = (
        ("", "2024", "2023", "2024", "2023"),
        ("Alder Quay", "612", "588", "1,204", "1,190"),
        ("Birch Lane", "143", "151", "310", "288"),
        ("Cedar Park", "98", "87", "77", "61"),
    )
    write_rows(page, rows, rights=(270, 350, 450, 530), top=668)
    source, table = only_table(shelf, pdf.to_bytes())
    found = places(table)
    assert found["Tonnes handled"] == (0, 1, 1, 4)
    assert found["Inbound"] == (1, 1, 1, 2)
    assert found["Outbound"] == (1, 3, 1, 2)
    path = "Tonnes handled > Outbound > 2023"
    assert verdict(labelled(source, "288", "Birch Lane", path)) == GROUNDED


def test_tables_without_rules_side_by_side_are_two(shelf: Shelf) -> None:
    """80 points of white stand between them, and each has labels and a header of its own."""
    pdf = Pdf()
    page = pdf.page()
    left = (("Depot", "2024", "2023"), ("Alder", "120", "110"), ("Birch", "140", "130"),
            ("Cedar", "165", "150"))  # fmt: skip
    right = (("Vessel", "2024", "2023"), ("Rook", "12", "11"), ("Heron", "14", "13"),
             ("Tern", "19", "15"))  # fmt: skip
    write_rows(page, left, left=60, rights=(200, 260))
    write_rows(page, right, left=340, rights=(480, 540))
    source = shelf.put(pdf.to_bytes())
    first, second = source.tables(1)
    assert texts(first) == [list(row) for row in left]
    assert texts(second) == [list(row) for row in right]
    assert verdict(labelled(source, "14", "Heron", "2024")) == GROUNDED


def test_rows_that_grow_evenly_beside_labels_are_no_axis(shelf: Shelf) -> None:
    """A schedule of rents: 500 more every year."""
    rows = [("Lease year", "Rent")]
    rows += [(f"Year {at}", f"{12_000 + 500 * at:,}") for at in range(1, 9)]
    _, table = only_table(shelf, open_rows(rows, rights=(300,)))
    assert texts(table) == [list(row) for row in rows]


def test_a_second_header_begins_a_second_table(shelf: Shelf) -> None:
    """The numbers below other years never get the first years as their labels."""
    first = (("", "2022", "2023"), ("Wages", "11", "12"), ("Rents", "13", "14"))
    second = (("", "2020", "2021"), ("Grants", "21", "22"), ("Fees", "23", "24"))
    source = shelf.put(open_rows((*first, *second)))
    upper, lower = source.tables(1)
    assert (texts(upper)[0], texts(lower)[0]) == (["", "2022", "2023"], ["", "2020", "2021"])
    assert verdict(labelled(source, "21", "Grants", "2020")) == GROUNDED
    assert labelled(source, "21", "Grants", "2022")["status"] != "grounded"


def test_headers_set_from_the_left_over_numbers_set_from_the_right_are_one_a_column(
    shelf: Shelf,
) -> None:
    """As many words as columns: "Levy" is over the second one although it begins before it."""
    pdf = Pdf()
    page = pdf.page()
    for x, name in ((230, "Gross"), (262, "Levy"), (400, "Net")):
        page.text(x, 700, 10, name)
    rows = (("Wool", "1,200", "300", "900"), ("Hemp", "97", "7", "90"), ("Flax", "55", "5", "50"))
    write_rows(page, rows, rights=(255, 330, 470), top=684)
    source = shelf.put(pdf.to_bytes())
    assert verdict(labelled(source, "300", "Wool", "Levy")) == GROUNDED
    assert labelled(source, "300", "Wool", "Net")["status"] != "grounded"


def test_a_small_digit_behind_a_number_is_a_mark_and_no_digit(shelf: Shelf) -> None:
    """ "11" with a 2 of two thirds its size on the same line is 11 and never 112."""
    pdf = Pdf()
    page = pdf.page()
    end = 72 + page.text(72, 700, 10, "Wages were 11")
    page.text(end, 700, 6.5, "2")
    source = shelf.put(pdf.to_bytes())
    assert verdict(value(source, "11", page=1)) == GROUNDED
    assert value(source, "112", page=1)["status"] != "grounded"


def test_two_footnotes_close_together_are_two(shelf: Shelf) -> None:
    """12 points apart they are lines of one element; each marker leads to its own line."""
    pdf = Pdf()
    page = pdf.page()
    write_rows(page, (("", "2024", "2023"),), rights=(400, 500))
    for y, label, mark, new, old in (
        (634, "Dues", "1", "612", "588"), (618, "Pilotage", "2", "143", "151"),
        (602, "Storage", "", "98", "87"),
    ):  # fmt: skip
        page.text(72, y, 10, label)
        page.text(72 + text_width("Helvetica", 10, label), y + 4, 6, mark)
        write_right(page, 400, y, new)
        write_right(page, 500, y, old)
    page.text(72, 100, 8, "1 Since March only.")
    page.text(72, 88, 8, "2 Restated.")
    source, _ = only_table(shelf, pdf.to_bytes())
    first = labelled(source, "612", "Dues", "2024")["evidence"]["footnotes"]
    second = labelled(source, "143", "Pilotage", "2024")["evidence"]["footnotes"]
    assert first == [{"marker": "1", "text": "1 Since March only."}]
    assert second == [{"marker": "2", "text": "2 Restated."}]


@pytest.mark.parametrize(
    "line",
    ["(3 m above datum)", "(population 12,000)", "(1,000 depots were asked)"],
)
def test_a_length_or_a_count_states_no_scale(shelf: Shelf, line: str) -> None:
    rows = (("Depot", "Opened", "Tonnes"), ("Alder", "1994", "1,210"), ("Birch", "2001", "2,480"))
    _, table = only_table(shelf, open_rows(rows, rights=(300, 400), above=line))
    assert table.statement == ""


def test_what_a_part_says_of_itself_is_kept_or_not_hashed(shelf: Shelf) -> None:
    """A part's caption on the second page is hashed with its page, so it has to come back."""
    source = shelf.put(two_parts((DEPOTS[0], *DEPOTS[4:]), above="Table 4 (continued)"))
    assert len({table.id for table in all_tables(source)}) == 1
    for page in source.pages:
        assert recomputed(source, page.number) == page.fingerprint


@pytest.mark.parametrize("claim", ["-41.7 million", "-41.7 million EUR", "(41.7) million"])
def test_a_number_may_be_claimed_with_the_scale_that_its_table_states(
    shelf: Shelf, claim: str
) -> None:
    """R17: "(amounts in millions of euro)" stands above the table."""
    source, _ = only_table(shelf, r17())
    where = {"row_label": "Impairment of vessels", "column_label": "2024"}
    assert verdict(check(source, {"kind": "table_cell", "value": claim}, **where)) == GROUNDED


@pytest.mark.parametrize("claim", ["-41.7 thousand", "-41.7 billion"])
def test_a_number_with_another_scale_than_its_table_states_is_a_mismatch(
    shelf: Shelf, claim: str
) -> None:
    """R17: with the reason that tells a reader what is wrong."""
    source, _ = only_table(shelf, r17())
    where = {"row_label": "Impairment of vessels", "column_label": "2024"}
    made = check(source, {"kind": "table_cell", "value": claim}, **where)
    assert verdict(made) == ("mismatch", "scale_mismatch")
