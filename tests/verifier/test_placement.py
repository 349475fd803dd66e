"""Where a hit stands: in running heads, in contents and in reference lists it is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import plain, running_header_footer
from pdf_writer import Pdf
from reading import Shelf, check, quote

from grounding.model import ElementKind
from verifier.placement import is_contents

CONTENTS = (
    "TABLE OF CONTENTS\nItem 1. Harbours 3\nItem 2. Tides 9\nItem 3. Pilots 14\n"
    "Item 4. Dues 21\nItem 5. Wrecks 22\nSignatures 40\n"
)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONTENTS, True),
        (CONTENTS.replace("TABLE OF CONTENTS", "Index to Harbour Accounts"), True),
        (CONTENTS.replace("Tides 9", "Tides\n9").replace("Dues 21", "Dues\n21"), True),
        (CONTENTS.replace("TABLE OF CONTENTS", "Ships by length"), False),
        (CONTENTS.replace(" 40", " 1").replace(" 22", " 2").replace(" 21", " 4"), False),
        ("Table of Contents\n" + "A line of a report that has words and words.\n" * 20, False),
        ("Contents\nHarbours 3\nTides 9\n", False),
    ],
)
def test_a_contents_page_says_so_and_counts_pages(text: str, expected: bool) -> None:
    """The running title that some filings print on every page is not enough."""
    assert is_contents(text) is expected


def test_a_hit_in_a_table_of_contents_is_said(shelf: Shelf) -> None:
    """It is grounded, for it is printed; the same words in the text have no such warning."""
    body = ["Item 3. Pilots", "Every ship above 90 metres takes a pilot aboard."]
    source = shelf.put(plain(CONTENTS.splitlines(), body))
    first, second = (quote(source, "Item 3. Pilots", page=page) for page in (1, 2))
    assert (first["status"], first["warnings"]) == ("grounded", ["in_table_of_contents"])
    assert (second["status"], second["warnings"]) == ("grounded", [])


def test_a_line_with_leaders_is_an_entry_of_contents(shelf: Shelf) -> None:
    """Dots that lead to a number make one, whatever the page is called."""
    source = shelf.put(plain(["Harbour dues . . . . . . . . . . . . . 17", "Harbour dues rise."]))
    made = quote(source, "Harbour dues", page=1)
    assert made["warnings"] == ["in_table_of_contents"]
    assert quote(source, "Harbour dues rise.", page=1)["warnings"] == []


def test_a_hit_in_a_running_head_or_foot_is_said(shelf: Shelf) -> None:
    """What stands on every page says nothing about this one."""
    source = shelf.put(running_header_footer())
    head = next(e for e in source.elements(2) if e.kind is ElementKind.HEADER)
    start = source.pages[1].start
    words = source.page_text(2)[head.start - start : head.end - start]
    assert "in_header_or_footer" in quote(source, words, page=2)["warnings"]
    body = next(e for e in source.elements(2) if e.kind is ElementKind.PARAGRAPH)
    words = source.page_text(2)[body.start - start : body.end - start]
    assert quote(source, words, page=2)["warnings"] == []


def test_a_hit_in_a_reference_list_is_said(shelf: Shelf) -> None:
    """A work's title states nothing; presence without text is not asked."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "Tides rise twice a day in most harbours of the north.")
    page.text(72, 680, 12, "They were measured for forty years.")
    page.text(72, 640, 18, "References")
    page.text(72, 610, 12, "Harbour Office. Tides rise twice a day. Yearbook, 1988.")
    source = shelf.put(pdf.to_bytes())
    made = quote(source, "Harbour Office. Tides rise twice a day.", page=1)
    assert made["warnings"] == ["in_reference_list"]
    assert quote(source, "They were measured for forty years.", page=1)["warnings"] == []
    assert check(source, {"kind": "presence"}, page=1)["warnings"] == []
