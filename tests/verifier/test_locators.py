"""Locators: each narrows the same place, and two that exclude each other are a contradiction."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from drawn import plain, r9_twin, r10, r20, ruled_table
from pdf_writer import Pdf
from reading import (
    GROUNDED,
    Shelf,
    check,
    element_with,
    place,
    quote,
    value,
    verdict,
    word_box,
)

from grounding.model import Capabilities
from grounding.store import StoredSource

CONFLICT = ("mismatch", "locator_conflict")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def two_tables() -> bytes:
    """Two labelled pages, each with a paragraph above and a ruled 2 x 2 table below it."""
    pdf = Pdf()
    for at, town in enumerate(("Alder", "Birch")):
        page = pdf.page()
        page.text(72, 720, 12, f"The depot of {town} opened in spring.")
        page.text(72, 680, 12, f"The yard of {town} closed in autumn.")
        for row, cells in enumerate((("Depot", "Tonnes"), (town, f"{at + 1},210"))):
            for x, cell in zip((78, 258), cells, strict=True):
                page.text(x, 584 - 24 * row, 11, cell)
        for x in (72, 252, 402):
            page.line(x, 600, x, 552)
        for y in (600, 576, 552):
            page.line(72, y, 402, y)
    pdf.page_labels([(0, "D", "A-", 1)])
    return pdf.to_bytes()


def locators(source: StoredSource, page: int, words: str) -> dict[str, dict[str, Any]]:
    """Every way to say where some words of a page stand."""
    start, end = place(source, words, page)
    span = next(s for s in source.spans(page) if s.start <= start < s.end)
    return {
        "page": {"page": page},
        "page_label": {"page_label": f"A-{page}"},
        "element_id": {"element_id": element_with(source, words, page).id},
        "span_id": {"span_id": span.id},
        "offsets": {"char_start": start, "char_end": end},
        "bbox": {"page": page, "bbox": word_box(source, words, page).as_list()},
    }


FIRST, SECOND, THIRD = (
    "The depot of Alder opened",
    "The depot of Birch opened",
    "The yard of Alder closed",
)
NAMES = ("page", "page_label", "element_id", "span_id", "offsets", "bbox")
PAIRS = list(combinations(NAMES, 2))


@pytest.fixture
def towns(shelf: Shelf) -> StoredSource:
    return shelf.put(two_tables())


@pytest.mark.parametrize("name", NAMES)
def test_every_locator_leads_to_its_place(towns: StoredSource, name: str) -> None:
    """The quote is grounded there, and that of the other page is not."""
    cited = locators(towns, 1, FIRST)[name]
    assert verdict(quote(towns, FIRST, **cited)) == GROUNDED
    assert quote(towns, SECOND, **cited)["status"] == "mismatch"


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_locators_that_agree_narrow_one_place(towns: StoredSource, one: str, other: str) -> None:
    """Any two that mean the same words ground the quote."""
    found = locators(towns, 2, SECOND)
    made = quote(towns, SECOND, **{**found[one], **found[other]})
    assert verdict(made) == GROUNDED


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_locators_on_different_pages_contradict_each_other(
    towns: StoredSource, one: str, other: str
) -> None:
    """Neither is silently preferred, whichever of the two quotes is claimed."""
    here, there = locators(towns, 1, FIRST)[one], locators(towns, 2, SECOND)[other]
    if "page" in here and "page" in there:
        there = {key: item for key, item in there.items() if key != "page"}
        here = {**here, "element_id": locators(towns, 2, SECOND)["element_id"]["element_id"]}
    for text in (FIRST, SECOND):
        assert verdict(quote(towns, text, **{**there, **here})) == CONFLICT


@pytest.mark.parametrize(
    ("one", "other"),
    [pair for pair in PAIRS if not {"page", "page_label"} & set(pair)],
)
def test_locators_at_two_places_of_one_page_contradict_each_other(
    towns: StoredSource, one: str, other: str
) -> None:
    """An element and a box, a span or offsets beside it exclude each other."""
    here, there = locators(towns, 1, FIRST)[one], locators(towns, 1, THIRD)[other]
    for text in (FIRST, THIRD):
        assert verdict(quote(towns, text, **{**here, **there})) == CONFLICT


@pytest.mark.parametrize(
    "cited",
    [
        {"table_id": "t0001", "page": 2},
        {"table_id": "t0002", "page": 1},
        {"table_id": "t0001", "page_label": "A-2"},
        {"table_id": "t0001", "cell": {"row": 1, "col": 0}, "page": 2},
        {"table_id": "t0001", "element_id": "e000001"},
        {"table_id": "t0001", "cell": {"row": 1, "col": 0}, "span_id": "s000001"},
        {"table_id": "t0001", "page": 1, "bbox": [7_200, 5_000, 30_000, 9_000]},
        {"table_id": "t0001", "cell": {"row": 1, "col": 1}, "page": 1,
         "bbox": [7_200, 21_600, 20_000, 24_000]},
        {"table_id": "t0001", "char_start": 0, "char_end": 5},
    ],
    ids=str,
)  # fmt: skip
def test_a_table_and_another_place_contradict_each_other(
    towns: StoredSource, cited: dict[str, Any]
) -> None:
    """So do a cell and a page, box, span or element that it is not in."""
    made = check(towns, {"kind": "table_cell", "text": "Alder"}, **cited)
    assert verdict(made) == CONFLICT


def test_a_cell_is_cited_by_table_row_and_column(towns: StoredSource) -> None:
    """Row and column count from 0; page and box may be given as well if they agree."""
    cell = {"table_id": "t0002", "cell": {"row": 1, "col": 1}}
    assert verdict(check(towns, {"kind": "table_cell", "value": "2,210"}, **cell)) == GROUNDED
    assert verdict(check(towns, {"kind": "table_cell", "value": "2,210"}, page=2, **cell)) == (
        GROUNDED
    )
    assert check(towns, {"kind": "table_cell", "value": "1,210"}, **cell)["status"] == "mismatch"
    made = check(towns, {"kind": "table_cell", "value": "2,210"}, **cell)
    assert made["evidence"]["cell"] == {"row": 1, "col": 1}
    assert (made["evidence"]["table_id"], made["evidence_tier"]) == ("t0002", "table_cell")


def test_a_cell_is_compared_as_a_whole(shelf: Shelf) -> None:
    """A cell that holds a loss is no gain, and part of its words is not the cell."""
    source = shelf.put(ruled_table())

    def cell(row: int, col: int, text: str) -> tuple[str, str]:
        claim = {"kind": "table_cell", "text": text}
        return verdict(check(source, claim, table_id="t0001", cell={"row": row, "col": col}))

    assert cell(2, 2, "(12)") == GROUNDED
    assert cell(2, 2, "-12") == GROUNDED
    assert cell(2, 2, "12") == ("mismatch", "sign_mismatch")
    assert cell(1, 1, "120") == GROUNDED
    assert cell(1, 1, "12")[0] == "mismatch"
    assert cell(1, 0, "North") == GROUNDED
    assert cell(1, 0, "Nor")[0] == "mismatch"


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        ({"page": 0}, ("not_found", "page_not_found")),
        ({"page": -1}, ("not_found", "page_not_found")),
        ({"page": 3}, ("not_found", "page_not_found")),
        ({"page": 10**15}, ("not_found", "page_not_found")),
        ({"page": "p0003"}, ("not_found", "page_not_found")),
        ({"page": "p0000"}, ("not_found", "page_not_found")),
        ({"page": "2"}, ("not_found", "page_not_found")),
        ({"page": "P0001"}, ("not_found", "page_not_found")),
        ({"page_label": "1"}, ("not_found", "page_not_found")),
        ({"page_label": ""}, ("not_found", "page_not_found")),
        ({"element_id": "e000099"}, ("not_found", "element_not_found")),
        ({"element_id": "e1"}, ("not_found", "element_not_found")),
        ({"element_id": "s000001"}, ("not_found", "element_not_found")),
        ({"element_id": "e\u0661"}, ("not_found", "element_not_found")),
        ({"element_id": "e" + "9" * 400}, ("not_found", "element_not_found")),
        ({"span_id": "s000099"}, ("not_found", "span_not_found")),
        ({"span_id": ""}, ("not_found", "span_not_found")),
        ({"table_id": "t0009", "cell": {"row": 0, "col": 0}}, ("not_found", "table_not_found")),
        ({"table_id": "t0001", "cell": {"row": 2, "col": 0}},
         ("not_found", "table_cell_not_found")),
        ({"table_id": "t0001", "cell": {"row": -1, "col": 0}},
         ("not_found", "table_cell_not_found")),
        ({"cell": {"row": 0, "col": 0}}, ("error", "missing_table_cell_locator")),
        ({"page": 1, "char_start": 0}, ("not_found", "span_not_found")),
        ({"page": 1, "char_end": 5}, ("not_found", "span_not_found")),
        ({"char_start": 5, "char_end": 5}, ("not_found", "span_not_found")),
        ({"char_start": -1, "char_end": 5}, ("not_found", "span_not_found")),
        ({"char_start": 0, "char_end": 10**9}, ("not_found", "span_not_found")),
    ],
    ids=lambda item: str(item)[:50],
)  # fmt: skip
def test_what_is_not_in_the_document_is_named(
    towns: StoredSource, cited: dict[str, Any], expected: tuple[str, str]
) -> None:
    """Nothing is guessed from an id or number that does not exist."""
    assert verdict(quote(towns, FIRST, **cited)) == expected


def test_a_page_may_be_named_by_number_or_id(towns: StoredSource) -> None:
    """Page 2 is p0002."""
    for page in (2, "p0002"):
        assert verdict(quote(towns, SECOND, page=page)) == GROUNDED
        assert quote(towns, FIRST, page=page)["reason"] == "quote_on_other_page"


def test_a_label_on_several_pages_is_ambiguous_until_a_page_decides(shelf: Shelf) -> None:
    """Label "1" twice: with the page number one of them is meant."""
    pdf = Pdf()
    for words in ("Part one begins here.", "Part two begins here."):
        pdf.page().text(72, 700, 12, words)
    pdf.page_labels([(0, "D", "", 1), (1, "D", "", 1)])
    source = shelf.put(pdf.to_bytes())
    assert [page.label for page in source.pages] == ["1", "1"]
    made = quote(source, "Part two begins here.", page_label="1")
    assert verdict(made) == ("mismatch", "page_label_ambiguous")
    assert verdict(quote(source, "Part two begins here.", page_label="1", page=2)) == GROUNDED
    assert quote(source, "Part two begins here.", page_label="1", page=1)["status"] == "mismatch"


def test_a_label_is_no_page_number(shelf: Shelf) -> None:
    """Page label "2" is the fifth sheet and excludes page 2."""
    source = shelf.put(r20())
    assert verdict(quote(source, "Body of sheet five", page_label="2", page=5)) == GROUNDED
    for text in ("Body of sheet two", "Body of sheet five"):
        assert verdict(quote(source, text, page_label="2", page=2)) == CONFLICT


def test_an_element_of_another_document_leads_nowhere(shelf: Shelf) -> None:
    """Its id does not exist here, or belongs to other words; neither grounds the quote."""
    long = shelf.put(plain(*[[f"Sheet {at} of the long file."] for at in range(5)]), "long.pdf")
    short = shelf.put(plain(["Sheet one of the short file."]), "short.pdf")
    far = element_with(long, "Sheet 4", 5).id
    near = element_with(long, "Sheet 0", 1).id
    text = "Sheet 4 of the long file."
    assert verdict(quote(long, text, element_id=far)) == GROUNDED
    assert verdict(quote(short, text, element_id=far)) == ("not_found", "element_not_found")
    assert quote(short, "Sheet 0 of the long file.", element_id=near)["status"] == "mismatch"


def test_offsets_are_those_of_the_whole_document(towns: StoredSource) -> None:
    """They count code points over all pages; a quote outside them is not grounded."""
    start, end = place(towns, SECOND, 2)
    assert start > len(towns.page_text(1))
    made = quote(towns, SECOND, char_start=start, char_end=end)
    assert verdict(made) == GROUNDED
    assert made["evidence"]["page_number"] == 2
    for wrong in ((start + 1, end), (start, end - 1), (0, start)):
        made = quote(towns, SECOND, char_start=wrong[0], char_end=wrong[1])
        assert made["status"] == "mismatch", wrong


def test_offsets_over_a_page_break_may_cite_either_page(shelf: Shelf) -> None:
    """The offsets that a report gives for such a quote lead back to it, with either page."""
    source = shelf.put(r10())
    text = "condition that the buyer restores"
    evidence = quote(source, text, page=1)["evidence"]
    cited = {"char_start": evidence["char_start"], "char_end": evidence["char_end"]}
    for page in (1, 2):
        assert verdict(quote(source, text, page=page, **cited)) == GROUNDED, page
        other = text.replace("buyer", "seller")
        assert quote(source, other, page=page, **cited)["status"] == "mismatch"


def test_offsets_on_one_page_exclude_another(shelf: Shelf) -> None:
    """The cited page has to be one of those that the range touches."""
    source = shelf.put(r10())
    start, end = place(source, "Minute 1 records")
    text = "Minute 1 records the reading"
    made = quote(source, text, page=2, char_start=start, char_end=end)
    assert verdict(made) == CONFLICT


def test_presence_needs_a_place(towns: StoredSource) -> None:
    """A page, element or box is present; nothing at all is no place."""
    presence = {"kind": "presence"}
    assert verdict(check(towns, presence)) == ("error", "missing_locator")
    for cited in ({"page": 2}, {"element_id": "e000001"}, {"table_id": "t0001"}):
        made = check(towns, presence, **cited)
        assert (verdict(made), made["match_method"]) == (GROUNDED, "presence_only")
    assert verdict(check(towns, presence, page=3)) == ("not_found", "page_not_found")
    assert verdict(check(towns, {"kind": "presence", "text": "Birch"}, page=2)) == GROUNDED
    assert check(towns, {"kind": "presence", "text": "Alder"}, page=2)["status"] == "mismatch"


def test_a_quote_may_not_run_over_the_cells_of_two_rows(shelf: Shelf) -> None:
    """Cited in a table, it is looked for row by row as a reader reads."""
    source = shelf.put(r9_twin())
    table = {"table_id": "t0001"}
    assert verdict(quote(source, "Vessel class Draught limit", **table)) == GROUNDED
    assert quote(source, "Vessel class Coaster", **table)["status"] == "mismatch"


class Without:
    """A stored source that lacks some abilities."""

    def __init__(self, source: StoredSource, **lacks: bool) -> None:
        self.source, self.lacks = source, lacks

    @property
    def capabilities(self) -> Capabilities:
        able = {"spans": True, "char_offsets": True, "tables": True, "fingerprint": True}
        return Capabilities(**{**able, **self.lacks}, coordinate_origin="top-left",
                            crop_support=True)  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


@pytest.mark.parametrize(
    ("lacks", "cited", "reason"),
    [
        ("spans", {"span_id": "s000001"}, "missing_span_capability"),
        ("tables", {"table_id": "t0001", "cell": {"row": 0, "col": 0}},
         "missing_table_capability"),
    ],
)  # fmt: skip
def test_a_source_that_lacks_an_ability_says_that_it_cannot_tell(
    towns: StoredSource, lacks: str, cited: dict[str, Any], reason: str
) -> None:
    """ "I cannot tell" is never "it is not there"."""
    source: Any = Without(towns, **{lacks: False})
    assert verdict(quote(source, FIRST, **cited)) == ("capability_blocked", reason)
    assert verdict(quote(source, FIRST, page=1)) == GROUNDED


def test_a_value_in_an_element_is_looked_for_there_only(towns: StoredSource) -> None:
    """The same page's other elements do not count."""
    row = element_with(towns, "1,210").id
    other = element_with(towns, FIRST).id
    assert verdict(value(towns, "1,210", element_id=row)) == GROUNDED
    assert verdict(value(towns, "1,210", element_id=other)) == ("mismatch", "value_mismatch")
