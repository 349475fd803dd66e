"""What is said of a table above it or in it: its units and scale, and its caption."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn_grids import DEPOTS, open_rows, ruled, write_rows
from pdf_writer import Pdf
from reading import Shelf
from tables_read import labelled, only_table

STATED = {
    "(in millions)": "(in millions)",
    "(In thousands)": "(In thousands)",
    "(in millions, except per share data)": "(in millions, except per share data)",
    "(In thousands, except share and per share amounts)":
        "(In thousands, except share and per share amounts)",
    "(amounts in millions of euro)": "(amounts in millions of euro)",
    "(dollars in thousands)": "(dollars in thousands)",
    "(Dollars in millions, except where noted)": "(Dollars in millions, except where noted)",
    "(U.S. dollars in thousands)": "(U.S. dollars in thousands)",
    "(USD in millions)": "(USD in millions)",
    "(EUR million)": "(EUR million)",
    "(Rs. in lakhs)": "(Rs. in lakhs)",
    "(Rs. in crores)": "(Rs. in crores)",
    "($ in millions)": "($ in millions)",
    "($000)": "($000)",
    "($000's)": "($000's)",
    "(000's)": "(000's)",
    "(in billions)": "(in billions)",
    "(shares in thousands)": "(shares in thousands)",
    "(tabular amounts in millions)": "(tabular amounts in millions)",
    "(in percent)": "(in percent)",
    "[In thousands]": "[In thousands]",
    "[USD millions]": "[USD millions]",
    "Amounts in thousands": "Amounts in thousands",
    "All figures are stated in thousands": "figures are stated in thousands",
    "In millions of dollars": "In millions of dollars",
    "in thousands, except per share data": "in thousands, except per share data",
    "EUR million": "EUR million",
}  # fmt: skip

SILENT = (
    "Depots of the northern region",
    "(unaudited)",
    "(restated)",
    "Year ended 31 March 2024",
    "(as of 31 December)",
    "(see note 4)",
    "Millions were spent on the quay",
    "The thousand islands",
    "(continued)",
    "In the course of the year",
    "(a wholly owned company)",
    "Shares of the ferry company",
    "Staff are paid in pounds",
    "Depots trade in shares of a million kinds",
)


@pytest.mark.parametrize(("line", "right"), STATED.items(), ids=list(STATED))
def test_a_scale_that_is_stated_above_is_recorded(tmp_path: Path, line: str, right: str) -> None:
    """With the place where it stands."""
    with Shelf(tmp_path) as shelf:
        source, table = only_table(shelf, open_rows(DEPOTS, above=line))
        assert table.statement == right
        ((start, end),) = table.parts[0].statement_ranges
        assert " ".join(source.page_text(1)[start:end].split()) == right
        evidence = labelled(source, "31", "Alder Quay", "Staff")["evidence"]
        assert evidence["statement"] == right


@pytest.mark.parametrize("line", SILENT)
def test_what_states_no_scale_is_no_statement(tmp_path: Path, line: str) -> None:
    with Shelf(tmp_path) as shelf:
        _, table = only_table(shelf, open_rows(DEPOTS, above=line))
    assert (table.statement, table.parts[0].statement_ranges) == ("", ())


def page_with(*lines: tuple[float, str]) -> bytes:
    """An open table at y 650 and lines of text at x 72 and other heights."""
    pdf = Pdf()
    page = pdf.page()
    for y, line in lines:
        page.text(72, y, 10, line)
    write_rows(page, DEPOTS)
    return pdf.to_bytes()


def test_the_nearest_statement_counts(tmp_path: Path) -> None:
    """Another table's, further up, does not."""
    data = page_with((704, "(in thousands)"), (674, "(in millions)"))
    with Shelf(tmp_path) as shelf:
        assert only_table(shelf, data)[1].statement == "(in millions)"


def test_a_statement_far_above_says_nothing(tmp_path: Path) -> None:
    """Half a page up it is about something else."""
    with Shelf(tmp_path) as shelf:
        assert only_table(shelf, page_with((760, "(in thousands)")))[1].statement == ""


def test_a_statement_below_says_nothing(tmp_path: Path) -> None:
    with Shelf(tmp_path) as shelf:
        assert only_table(shelf, page_with((540, "(in thousands)")))[1].statement == ""


def test_a_statement_in_the_corner_is_the_tables(tmp_path: Path) -> None:
    """It comes before one above."""
    rows = (("(in millions)", "2024", "2023"), ("Dues", "612", "588"), ("Fuel", "143", "151"))
    with Shelf(tmp_path) as shelf:
        _, table = only_table(shelf, ruled(rows, (72, 192, 302, 412)))
    assert table.statement == "(in millions)"


def test_a_statement_over_one_column_is_not_the_tables(tmp_path: Path) -> None:
    """ "(in thousands)" in the header of the last column says nothing of the others."""
    rows = (("Depot", "Staff", "Tonnes (in thousands)"), ("Alder", "31", "588"),
            ("Birch", "44", "151"))  # fmt: skip
    with Shelf(tmp_path) as shelf:
        source, table = only_table(shelf, ruled(rows, (72, 192, 302, 452)))
        assert table.statement == ""
        evidence = labelled(source, "588", "Alder", "Tonnes (in thousands)")["evidence"]
    assert evidence["column_labels"] == ["Tonnes (in thousands)"]


def test_a_caption_is_recorded_with_its_place(tmp_path: Path) -> None:
    with Shelf(tmp_path) as shelf:
        source, table = only_table(shelf, page_with((676, "Table 2. Depots of the north")))
        assert table.caption == "Table 2. Depots of the north"
        ((start, end),) = table.parts[0].caption_ranges
        assert source.page_text(1)[start:end] == table.caption
        evidence = labelled(source, "31", "Alder Quay", "Staff")["evidence"]
        assert evidence["caption"] == "Table 2. Depots of the north"


def test_without_a_line_above_there_is_no_caption(tmp_path: Path) -> None:
    with Shelf(tmp_path) as shelf:
        source, table = only_table(shelf, page_with())
        assert (table.caption, table.parts[0].caption_ranges) == ("", ())
        assert "caption" not in labelled(source, "31", "Alder Quay", "Staff")["evidence"]
