"""Over a bar in the middle of a line no quote and no number may step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pdf_writer import Pdf
from reading import GROUNDED, Shelf, quote, value, verdict


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def barred(before: str, word: str, after: str) -> bytes:
    """One line at (72, 700), 12 pt, with a black bar that hugs the middle word."""
    pdf = Pdf()
    page = pdf.page()
    left = 72 + page.text(72, 700, 12, before)
    right = left + page.text(left, 700, 12, word)
    page.text(right, 700, 12, after)
    page.rect(left, 695, right - left, 14)
    return pdf.to_bytes()


@pytest.mark.parametrize(
    ("line", "wrong", "right"),
    [
        (
            ("The tenant may ", "not ", "sublet the upper floor."),
            "The tenant may sublet the upper floor",
            "sublet the upper floor",
        ),
        (
            ("The tenant is ", "un", "able to pay rent in May."),
            "tenant is able to pay rent",
            "to pay rent in May",
        ),
        (
            ("The fee is $5", " million", " in May each year."),
            "The fee is $5 in May",
            "May each year",
        ),
    ],
)
def test_a_quote_does_not_close_the_gap_that_a_bar_leaves(
    shelf: Shelf, line: tuple[str, str, str], wrong: str, right: str
) -> None:
    """A reader sees that something is missing there; what stands beside it can be quoted."""
    source = shelf.put(barred(*line))
    assert quote(source, wrong, page=1)["status"] == "mismatch"
    assert verdict(quote(source, right, page=1)) == GROUNDED


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (("The fee is $5", " million", " in 12 months."), "$5"),
        (("The entry fee is ", "1,", "234 EUR for 12 months"), "234"),
        (("The entry fee is 1,", "234", " EUR for 12 months"), "1"),
        (("The yearly fee is ", "7", " EUR for 12 months"), "7"),
        (("The yearly fee is 1,", "2", "34 EUR for 12 months"), "1,234"),
    ],
)
def test_what_a_bar_leaves_of_a_number_is_no_number(
    shelf: Shelf, line: tuple[str, str, str], wrong: str
) -> None:
    """Neither the part that shows nor the whole is a value; other numbers of the line are."""
    source = shelf.put(barred(*line))
    assert value(source, wrong, page=1)["status"] == "mismatch"
    assert verdict(value(source, "12", page=1)) == GROUNDED


def test_a_word_on_a_line_of_underscores_can_be_read(shelf: Shelf) -> None:
    """A filled form is no text over text."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Name: ______________")
    page.text(110, 701, 12, "Robin Example Farm")
    source = shelf.put(pdf.to_bytes())
    assert verdict(quote(source, "Robin Example Farm", page=1)) == GROUNDED
    assert quote(source, "Robin Example Barn", page=1)["status"] == "mismatch"


@pytest.mark.parametrize("wrong", ["34", "56", "55943", "55,943", "1/2"])
def test_parts_of_codes_and_mixed_fractions_are_no_values(shelf: Shelf, wrong: str) -> None:
    """12-34-56 and 333-55943 are names of things, 1 1/2 is one number."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "Code 12-34-56, file 333-55943 and 1 1/2 cups for 18 guests.")
    source = shelf.put(pdf.to_bytes())
    assert value(source, wrong, page=1)["status"] == "mismatch"
    assert verdict(value(source, "18", page=1)) == GROUNDED
