"""One table over several pages: its rows count through, its header is data nowhere, and every cell
knows its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import R18_HEADER, R18_ROWS, r18
from drawn_grids import BERTHS, DEPOTS, berth_rows, long_table, two_parts
from proving import recomputed
from reading import GROUNDED, Shelf, check, read, value, verdict
from tables_read import all_tables, grounds, labelled, only_table, texts

from grounding.artifact import CellContent, ElementContent, PageContent, TableContent
from grounding.geometry import Box, PageFrame
from grounding.model import CellRole, ElementKind
from ingest.tables.chains import link_tables

BOTH = pytest.mark.parametrize("repeat", [True, False], ids=["header again", "header once"])


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


class TestTwoPages:
    """R18, with its header printed again and without."""

    @BOTH
    def test_it_is_one_table_on_both_pages(self, shelf: Shelf, repeat: bool) -> None:
        source = shelf.put(r18(repeat_header=repeat))
        (first,), (second,) = source.tables(1), source.tables(2)
        assert first == second
        assert texts(first) == [list(R18_HEADER), *(list(row) for row in R18_ROWS)]
        assert [(p.page, p.first_row, p.rows) for p in first.parts] == [(1, 0, 3), (2, 3, 3)]
        assert source.find_table("t0002") is None

    @BOTH
    def test_every_cell_knows_its_page(self, shelf: Shelf, repeat: bool) -> None:
        source, table = only_table(shelf, r18(repeat_header=repeat))
        assert {cell.row: cell.page for cell in table.cells} == {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 2}
        for cell in table.cells:
            part = table.box_on(cell.page)
            assert part is not None
            assert part.contains(cell.box, 50)
            page = source.pages[cell.page - 1]
            assert all(page.start <= start < end <= page.end for start, end in cell.ranges)

    @BOTH
    def test_row_three_is_cited_on_page_two(self, shelf: Shelf, repeat: bool) -> None:
        """By its place and by its labels; the evidence and its box are on page 2."""
        source, table = only_table(shelf, r18(repeat_header=repeat))
        claim = {"kind": "table_cell", "text": "3,175"}
        by_place = check(source, claim, table_id="t0001", cell={"row": 3, "col": 2})
        by_label = labelled(source, "3,175", "Cedar Park", "Tonnes")
        cell = table.cell_at(3, 2)
        assert cell is not None
        for made in (by_place, by_label):
            assert verdict(made) == GROUNDED
            evidence = made["evidence"]
            assert (evidence["page"], evidence["page_number"]) == ("p0002", 2)
            assert evidence["bbox"] == cell.box.as_list()
            assert {region["page"] for region in evidence["regions"]} == {2}
            assert evidence["cell"] == {"row": 3, "col": 2}
            assert evidence["row_labels"] == ["Cedar Park"]
            assert evidence["column_labels"] == ["Tonnes"]

    @BOTH
    def test_a_page_beside_the_table_excludes_the_other_pages_rows(
        self, shelf: Shelf, repeat: bool
    ) -> None:
        source, _ = only_table(shelf, r18(repeat_header=repeat))
        cited = {"table_id": "t0001", "cell": {"row": 3, "col": 2}}
        claim = {"kind": "table_cell", "text": "3,175"}
        assert verdict(check(source, claim, **cited, page=2)) == GROUNDED
        wrong = check(source, claim, **cited, page=1)
        assert verdict(wrong) == ("mismatch", "locator_conflict")
        assert grounds(source, "3,175", "Cedar Park", "Tonnes", page=2)
        assert verdict(value(source, "3,175", page=2)) == GROUNDED
        assert value(source, "3,175", page=1)["status"] == "mismatch"

    def test_a_header_printed_again_is_evidence_and_no_data(self, shelf: Shelf) -> None:
        source, table = only_table(shelf, r18())
        assert [(c.text, c.page, c.role) for c in table.repeated] == [
            (text, 2, CellRole.REPEATED_HEADER) for text in R18_HEADER
        ]
        assert [c.text for c in table.cells if c.text in R18_HEADER] == list(R18_HEADER)
        assert not grounds(source, "Tonnes", "Depot", "Tonnes")
        assert verdict(labelled(source, "Tonnes", "Depot", "Tonnes"))[1] == "row_label_not_found"
        below = check(
            source,
            {"kind": "table_cell", "text": "Tonnes"},
            table_id="t0001",
            cell={"row": 3, "col": 2},
        )
        assert below["status"] == "mismatch"

    def test_without_a_header_printed_again_nothing_is_repeated(self, shelf: Shelf) -> None:
        _, table = only_table(shelf, r18(repeat_header=False))
        assert table.repeated == ()

    def test_a_row_of_the_first_page_is_no_row_of_the_second(self, shelf: Shelf) -> None:
        source, _ = only_table(shelf, r18())
        made = labelled(source, "1,210", "Alder Quay", "Tonnes")
        assert made["evidence"]["page_number"] == 1
        assert not grounds(source, "3,175", "Alder Quay", "Tonnes")

    @BOTH
    def test_elements_of_both_pages_belong_to_it(self, shelf: Shelf, repeat: bool) -> None:
        source = shelf.put(r18(repeat_header=repeat))
        for page in (1, 2):
            owned = [e.table for e in source.elements(page) if e.kind is ElementKind.TABLE]
            assert owned
            assert set(owned) == {1}

    @BOTH
    def test_both_stored_pages_prove_their_fingerprints(self, shelf: Shelf, repeat: bool) -> None:
        source = shelf.put(r18(repeat_header=repeat))
        assert [recomputed(source, page.number) for page in source.pages] == [
            page.fingerprint for page in source.pages
        ]

    def test_whether_it_goes_on_is_part_of_the_documents_fingerprint(self) -> None:
        """Prose below the first part changes page 1 alone; that the table goes on is no property
        of page 2."""
        one, other = read(two_parts(DEPOTS[4:])), read(two_parts(DEPOTS[4:], below="It ends here."))
        assert one.table_count == 1
        assert other.table_count == 2
        assert one.page_fingerprints[1] == other.page_fingerprints[1]
        assert one.payload_sha256 != other.payload_sha256


class TestNoChain:
    """What does not go on, though it looks like it; and what does."""

    @pytest.mark.parametrize(
        "data",
        [
            two_parts(DEPOTS[4:]),
            two_parts((DEPOTS[0], *DEPOTS[4:])),
            two_parts((DEPOTS[0], *DEPOTS[4:]), above="Table 4 (continued)"),
        ],
        ids=["rows alone", "the same header", "a line that says so"],
    )
    def test_it_goes_on(self, shelf: Shelf, data: bytes) -> None:
        _, table = only_table(shelf, data)
        assert texts(table) == [list(row) for row in DEPOTS]
        assert [part.page for part in table.parts] == [1, 2]

    @pytest.mark.parametrize(
        "data",
        [
            two_parts((("Depot", "Closed", "Tonnes", "Staff"), *DEPOTS[4:])),
            two_parts([row[:3] for row in DEPOTS[4:]], xs=(72, 192, 302, 522)),
            two_parts(DEPOTS[4:], xs=(112, 192, 302, 412, 562)),
            two_parts(DEPOTS[4:], below="Prose stands below the table here and parts it."),
            two_parts(DEPOTS[4:], above="The depots that follow are let to others."),
        ],
        ids=["other header", "fewer columns", "another place", "prose below", "prose above"],
    )
    def test_these_are_two_tables(self, shelf: Shelf, data: bytes) -> None:
        source = shelf.put(data)
        first, second = all_tables(source)
        assert (first.id, first.page, second.id, second.page) == ("t0001", 1, "t0002", 2)
        assert len(first.parts) == len(second.parts) == 1
        assert first.repeated == second.repeated == ()

    def test_the_same_label_in_two_tables_is_ambiguous_and_a_page_decides(
        self, shelf: Shelf
    ) -> None:
        second = (("Depot", "Closed", "Tonnes", "Staff"), ("Alder Quay", "2020", "7", "9"))
        source = shelf.put(two_parts(second))
        made = labelled(source, "31", "Alder Quay", "Staff")
        assert verdict(made) == ("mismatch", "label_ambiguous")
        assert [(f["table_id"], f["page"], f["text"]) for f in made["found_elsewhere"]] == [
            ("t0001", 1, "31"), ("t0002", 2, "9"),
        ]  # fmt: skip
        assert grounds(source, "31", "Alder Quay", "Staff", page=1)
        assert grounds(source, "9", "Alder Quay", "Staff", page=2)
        assert grounds(source, "9", "Alder Quay", "Staff", table_id="t0002")
        assert not grounds(source, "31", "Alder Quay", "Staff", page=2)


class TestLong:
    """150 rows over four pages."""

    @BOTH
    @pytest.mark.parametrize("lined", [True, False], ids=["ruled", "open"])
    def test_every_row_has_its_place(self, shelf: Shelf, repeat: bool, lined: bool) -> None:
        _, table = only_table(shelf, long_table(150, repeat=repeat, lined=lined))
        assert texts(table) == [list(BERTHS), *(list(row) for row in berth_rows(150))]
        assert [(p.page, p.first_row, p.rows) for p in table.parts] == [
            (1, 0, 39), (2, 39, 38), (3, 77, 38), (4, 115, 36),
        ]  # fmt: skip
        assert len(table.repeated) == (12 if repeat else 0)

    @BOTH
    def test_a_row_is_found_by_its_label_on_its_page(self, shelf: Shelf, repeat: bool) -> None:
        source, _ = only_table(shelf, long_table(150, repeat=repeat))
        rows = berth_rows(150)
        for at, page in ((1, 1), (38, 1), (39, 2), (77, 3), (115, 4), (150, 4)):
            label, _, tonnes, dues = rows[at - 1]
            made = labelled(source, tonnes, label, "Tonnes")
            assert verdict(made) == GROUNDED
            assert made["evidence"]["page_number"] == page
            assert made["evidence"]["cell"] == {"row": at, "col": 2}
            assert not grounds(source, dues, label, "Tonnes")
            assert not grounds(source, rows[at % 150][2], label, "Tonnes")


def part(
    *rows: tuple[str, ...],
    header: int = 1,
    left: int = 7_200,
    right: int = 52_000,
    top: int = 9_000,
) -> TableContent:
    """A table's part on a page, each cell 100 points wide and 20 high."""
    cells = [
        CellContent(
            row, col, 1, 1,
            Box(left + 10_000 * col, top + 2_000 * row, left + 10_000 * (col + 1),
                top + 2_000 * (row + 1)),
            text, ((0, 1),), CellRole.COLUMN_HEADER if row < header else CellRole.DATA,
        )
        for row, texts in enumerate(rows)
        for col, text in enumerate(texts)
    ]  # fmt: skip
    box = Box(left, top, right, top + 2_000 * len(rows))
    return TableContent(box, len(rows), len(rows[0]), "by hand", True, cells)


def page_of(table: TableContent | None, **others: tuple[ElementKind, int]) -> PageContent:
    """A page with a table and elements of one line: their text, kind and top."""
    content = PageContent(PageFrame((0, 0, 612_000, 792_000)))
    for name, (kind, top) in others.items():
        text = name.replace("_", " ")
        start = len(content.text)
        content.text += text + "\n"
        box = Box(7_200, top, 40_000, top + 1_200)
        content.elements.append(ElementContent(kind, 0, start, start + len(text), box))
    if table is not None:
        content.tables.append(table)
    return content


HEAD, ROW, NEXT = ("Depot", "Tonnes"), ("Alder", "12"), ("Birch", "14")
PARAGRAPH, FOOTER, FOOTNOTE = ElementKind.PARAGRAPH, ElementKind.FOOTER, ElementKind.FOOTNOTE


class TestLinks:
    """link_tables, on pages made by hand."""

    def linked(self, upper: PageContent, lower: PageContent) -> bool:
        link_tables([upper, lower])
        assert not upper.continues_table
        return lower.continues_table

    def test_the_first_table_goes_on_with_the_last_of_the_page_before(self) -> None:
        assert self.linked(page_of(part(HEAD, ROW)), page_of(part(NEXT, header=0)))

    def test_feet_and_footnotes_may_stand_between(self) -> None:
        upper = page_of(part(HEAD, ROW), one_note=(FOOTNOTE, 60_000), page_one=(FOOTER, 75_000))
        lower = page_of(part(NEXT, header=0), report=(ElementKind.HEADER, 3_000))
        assert self.linked(upper, lower)

    def test_a_paragraph_between_parts_them(self) -> None:
        upper = page_of(part(HEAD, ROW), said_below=(PARAGRAPH, 60_000))
        assert not self.linked(upper, page_of(part(NEXT, header=0)))
        lower = page_of(part(NEXT, header=0), said_above=(PARAGRAPH, 3_000))
        assert not self.linked(page_of(part(HEAD, ROW)), lower)

    def test_a_paragraph_before_the_first_and_after_the_second_do_not(self) -> None:
        upper = page_of(part(HEAD, ROW), said_above=(PARAGRAPH, 3_000))
        lower = page_of(part(NEXT, header=0), said_below=(PARAGRAPH, 60_000))
        assert self.linked(upper, lower)

    def test_a_line_that_says_continued_may_stand_above(self) -> None:
        lower = page_of(part(HEAD, NEXT), table_2_Continued=(PARAGRAPH, 3_000))
        assert self.linked(page_of(part(HEAD, ROW)), lower)

    def test_the_header_has_to_be_the_same(self) -> None:
        assert self.linked(page_of(part(HEAD, ROW)), page_of(part(HEAD, NEXT)))
        other = part(("Depot", "Staff"), NEXT)
        assert not self.linked(page_of(part(HEAD, ROW)), page_of(other))

    def test_the_columns_have_to_be_as_many_at_the_same_place(self) -> None:
        upper = page_of(part(HEAD, ROW))
        assert not self.linked(upper, page_of(part((*NEXT, "3"), header=0)))
        assert self.linked(upper, page_of(part(NEXT, header=0, left=8_000)))
        assert not self.linked(upper, page_of(part(NEXT, header=0, left=9_000)))
        assert not self.linked(upper, page_of(part(NEXT, header=0, right=40_000)))

    def test_a_page_without_a_table_ends_it(self) -> None:
        pages = [page_of(part(HEAD, ROW)), page_of(None), page_of(part(NEXT, header=0))]
        link_tables(pages)
        assert not any(page.continues_table for page in pages)

    def test_a_chain_has_any_number_of_pages(self) -> None:
        pages = [page_of(part(HEAD, ROW)), *(page_of(part(NEXT, header=0)) for _ in range(3))]
        link_tables(pages)
        assert [page.continues_table for page in pages] == [False, True, True, True]

    def test_no_page_and_one_page_have_nothing_to_link(self) -> None:
        link_tables([])
        (page,) = pages = [page_of(part(HEAD, ROW))]
        link_tables(pages)
        assert not page.continues_table
