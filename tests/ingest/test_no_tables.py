"""What looks a little like a table and is none, each with a twin that is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn import r23
from drawn_grids import DEPOTS, write_right, write_rows
from pdf_writer import Page, Pdf
from reading import Shelf, codes, read
from tables_read import only_table, texts

from ingest.reading.document import PageLimits

PROSE = (
    "The harbour authority met on 12 March 2024 and approved the plan for the",
    "northern basin, which holds 120 berths and costs 4.5 million euro to build.",
    "Works begin in 2025 and end in 2027 if the survey of 31 May finds no silt.",
    "The board heard 14 objections, of which 9 came from owners of small craft.",
    "Dues rise by 3 percent a year from 2026 on and by 5 percent from 2030 on.",
)
LEFT = (
    "The new quay was opened", "in spring and takes ships", "of up to 200 metres. It",
    "stands on 48 piles that", "reach 30 metres into the", "ground and carry a crane.",
)  # fmt: skip
RIGHT = (
    "Storage is rented by the", "week. In 2024 the sheds", "held 1,200 pallets a day,",
    "and 95 percent of them", "were moved by rail. Fees", "did not rise in the year.",
)  # fmt: skip
CONTENTS = (
    ("Letter to members", 3), ("The year in brief", 5), ("Quays and basins", 9), ("Storage", 14),
    ("Dues and charges", 21), ("Accounts", 30), ("Notes", 34), ("Members of the board", 41),
)  # fmt: skip


def lines(page: Page, texts: tuple[str, ...], x: float = 72, step: float = 14) -> None:
    for at, line in enumerate(texts):
        page.text(x, 700 - step * at, 10, line)


def prose(page: Page) -> None:
    lines(page, PROSE * 4)


def two_columns(page: Page) -> None:
    lines(page, LEFT * 3)
    lines(page, RIGHT * 3, x=320)


def numbered_paragraphs(page: Page) -> None:
    for at in range(8):
        y = 700 - 28 * at
        page.text(72, y, 10, f"{at + 1}.")
        page.text(100, y, 10, "The tenant keeps the berth clear of nets, ropes and other gear")
        page.text(100, y - 12, 10, "and pays the dues on the first day of each month.")


def numbered_words(page: Page) -> None:
    names = ("Berths", "Dues", "Repairs", "Insurance", "Notices", "Disputes", "Law")
    for at, name in enumerate(names):
        page.text(72, 700 - 16 * at, 10, f"{at + 1}.1")
        page.text(110, 700 - 16 * at, 10, name)


def lettered_list(page: Page) -> None:
    for at, letter in enumerate("abcdef"):
        page.text(90, 700 - 16 * at, 10, f"({letter})")
        page.text(120, 700 - 16 * at, 10, f"the berth named in annex {at + 3}; and")


def signatures(page: Page) -> None:
    rows = (
        ("Harrow Ferries Ltd", "Quay Storage Ltd"),
        ("By: ____________________", "By: ____________________"),
        ("Name: Ines Varga", "Name: Piet Holm"),
        ("Title: Director", "Title: Chair"),
        ("Date: 12 March 2024", "Date: 14 March 2024"),
    )
    for at, (one, other) in enumerate(rows):
        page.text(72, 300 - 20 * at, 10, one)
        page.text(320, 300 - 20 * at, 10, other)


def contents(page: Page) -> None:
    page.text(72, 730, 14, "Contents")
    for at, (title, number) in enumerate(CONTENTS):
        page.text(72, 700 - 18 * at, 10, title)
        write_right(page, 500, 700 - 18 * at, str(number))


def dotted_contents(page: Page) -> None:
    page.text(72, 730, 14, "Contents")
    for at, (title, number) in enumerate(CONTENTS):
        page.text(72, 700 - 18 * at, 10, f"{title} {'.' * 60}")
        write_right(page, 500, 700 - 18 * at, str(number))


def bar_chart(page: Page) -> None:
    page.line(100, 300, 100, 600)
    page.line(100, 300, 530, 300)
    for at in range(7):
        write_right(page, 95, 297 + 50 * at, str(20 * at), 8)
        page.line(97, 300 + 50 * at, 103, 300 + 50 * at)
    for at in range(6):
        page.text(120 + 70 * at, 288, 8, str(2019 + at))
        page.rect(115 + 70 * at, 300, 30, 40 + at * 33, (0.2, 0.4, 0.8))
    page.text(250, 620, 10, "Tonnes by year")


def chart_of_two_axes(page: Page) -> None:
    page.line(100, 300, 100, 600)
    page.line(100, 300, 500, 300)
    for at in range(7):
        write_right(page, 95, 297 + 50 * at, str(20 * at), 8)
        write_right(page, 525, 297 + 50 * at, f"{5 * at}%", 8)
    for at in range(6):
        page.text(120 + 70 * at, 288, 8, str(2019 + at))
    for at in range(5):
        page.text(130 + 70 * at, 330 + 30 * at, 8, str(33 + 7 * at))


def chart_with_grid_lines(page: Page) -> None:
    for at in range(7):
        page.line(100, 300 + 50 * at, 500, 300 + 50 * at)
        write_right(page, 95, 297 + 50 * at, str(20 * at), 8)
    for at in range(6):
        page.text(120 + 70 * at, 288, 8, str(2019 + at))


def letterhead(page: Page) -> None:
    lines(page, ("Harrow Ferries Ltd", "4 Alder Quay", "Harbour Town"), step=12)
    lines(page, ("Telephone 555 0100", "Office 12", "www.harrow.example"), x=400, step=12)
    for at, line in enumerate(PROSE):
        page.text(72, 600 - 14 * at, 10, line)


NONE = (
    prose, two_columns, numbered_paragraphs, numbered_words, lettered_list, signatures, contents,
    dotted_contents, bar_chart, chart_of_two_axes, chart_with_grid_lines, letterhead,
)  # fmt: skip


@pytest.mark.parametrize("draw", NONE, ids=lambda draw: draw.__name__)
def test_there_is_no_table_in_it(draw: object) -> None:
    """Neither a trusted nor a doubtful one."""
    assert callable(draw)
    pdf = Pdf()
    draw(pdf.page())
    (page,) = read(pdf.to_bytes()).pages
    assert [[c.text for c in table.cells] for table in page.tables] == []


@pytest.mark.parametrize("draw", NONE, ids=lambda draw: draw.__name__)
def test_a_table_on_the_page_after_it_is_found(draw: object, tmp_path: Path) -> None:
    """The twin: what hides the one from the finder does not hide the other."""
    assert callable(draw)
    pdf = Pdf()
    draw(pdf.page())
    write_rows(pdf.page(), DEPOTS)
    with Shelf(tmp_path) as shelf:
        _, table = only_table(shelf, pdf.to_bytes())
    assert table.page == 2
    assert texts(table) == [list(row) for row in DEPOTS]


@pytest.mark.parametrize("draw", [prose, numbered_paragraphs], ids=lambda draw: draw.__name__)
def test_a_table_under_it_takes_no_line_of_it(draw: object, tmp_path: Path) -> None:
    """On the same page, two lines below."""
    assert callable(draw)
    pdf = Pdf()
    page = pdf.page()
    draw(page)
    write_rows(page, DEPOTS, top=360)
    with Shelf(tmp_path) as shelf:
        _, table = only_table(shelf, pdf.to_bytes())
    assert texts(table) == [list(row) for row in DEPOTS]


def test_a_list_of_contents_with_amounts_beside_it_is_a_table(tmp_path: Path) -> None:
    """What grows downwards is page numbers; the same titles with amounts are a table."""
    pdf = Pdf()
    page = pdf.page()
    for at, ((title, _), amount) in enumerate(
        zip(CONTENTS, ("410", "95", "1,240", "88", "730", "61", "12", "305"), strict=True)
    ):
        page.text(72, 700 - 18 * at, 10, title)
        write_right(page, 500, 700 - 18 * at, amount)
    with Shelf(tmp_path) as shelf:
        _, table = only_table(shelf, pdf.to_bytes())
    assert (table.rows, table.columns) == (8, 2)


def test_thousands_of_scattered_letters_end_within_the_limit(tmp_path: Path) -> None:
    """2,500 runs of one glyph: no table, no time out, all of the text (R23)."""
    with Shelf(tmp_path) as shelf:
        source = shelf.put(r23(), limits=PageLimits(table_seconds=3))
        assert list(source.tables(1)) == []
        assert "tables_timed_out" not in codes(source)
        assert len("".join(source.page_text(1).split())) == 2_498
        assert [s.engine for s in source.table_searches(1)] == ["ruled", "aligned"]
