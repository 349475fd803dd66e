"""Regions: boxes in whatever space a caller gives them, and what lies inside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import ANCHOR, filled_form, plain, r1, r2, r3, r14_ocr_layer, r23b, r26, ruled_table
from pdf_writer import Pdf
from raster import typed_page
from reading import GROUNDED, Shelf, check, quote, verdict, word_box

from grounding.geometry import Box, PageFrame
from grounding.model import Capabilities
from grounding.store import StoredSource


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


TWO_LINES = plain(["The upper line stands here.", "The lower line stands there."])


def region(source: Any, text: str | None, box: Any, **more: Any) -> tuple[str, str]:
    """The verdict on a region of page 1."""
    claim = {"kind": "region"} if text is None else {"kind": "region", "text": text}
    return verdict(check(source, claim, page=1, bbox=box, **more))


def in_space(box: Box, frame: PageFrame, space: dict[str, Any]) -> list[Any]:
    """A box in another space, by plain arithmetic."""
    x0, y0, x1, y1 = box.as_list()
    width, height = frame.width, frame.height
    if space["origin"] == "bottom-left":
        y0, y1 = height - y1, height - y0
    if space["unit"] == "fraction":
        parts = (x0 / width, y0 / height, x1 / width, y1 / height)
        return [f"{part:.6f}" for part in parts]
    if space["unit"] == "pixel":
        return [round(part * space["dpi"] / 7200) for part in (x0, y0, x1, y1)]
    if space["unit"] == "point":
        return [f"{part / 100:.2f}" for part in (x0, y0, x1, y1)]
    return [x0, y0, x1, y1]


SPACES = [
    {"origin": origin, "unit": unit, **({"dpi": 300} if unit == "pixel" else {})}
    for origin in ("top-left", "bottom-left")
    for unit in ("centipoint", "point", "pixel", "fraction")
]
PAGES = {
    "plain": plain([ANCHOR]),
    "crop box": r1(),
    "media box": r2(),
    "rotated 90": r3(90),
    "rotated 180": r3(180),
    "rotated 270": r3(270),
}


@pytest.mark.parametrize("space", SPACES, ids=lambda s: f"{s['origin']} {s['unit']}")
@pytest.mark.parametrize("name", PAGES)
def test_a_box_means_the_displayed_page_in_every_space(
    shelf: Shelf, name: str, space: dict[str, Any]
) -> None:
    """The word's box is found, the same box a line further is not."""
    source = shelf.put(PAGES[name])
    frame = source.pages[0].frame
    box = word_box(source, ANCHOR)
    away = Box(box.x0, box.y0 + 4_000, box.x1, box.y1 + 4_000)
    turned = word_box(source, "Anchor").height > word_box(source, "Anchor").width
    if turned:
        away = Box(box.x0 + 4_000, box.y0, box.x1 + 4_000, box.y1)
    made = check(
        source,
        {"kind": "region", "text": ANCHOR},
        page=1,
        bbox=in_space(box, frame, space),
        bbox_space=space,
    )
    assert verdict(made) == GROUNDED
    assert made["match_method"] == "bbox_containment"
    shown = made["evidence"]["bbox"]
    assert all(abs(ours - right) <= 100 for ours, right in zip(shown, box.as_list(), strict=True))
    cited = in_space(away, frame, space)
    assert region(source, ANCHOR, cited, bbox_space=space)[0] == "mismatch"


@pytest.mark.parametrize("unit", ["centipoint", "point"])
def test_a_box_in_one_space_is_another_box_in_another(shelf: Shelf, unit: str) -> None:
    """The same numbers counted from below lie elsewhere."""
    source = shelf.put(plain([ANCHOR]))
    box = in_space(word_box(source, ANCHOR), source.pages[0].frame, {"origin": "", "unit": unit})
    top, below = ({"origin": o, "unit": unit} for o in ("top-left", "bottom-left"))
    assert region(source, ANCHOR, box, bbox_space=top) == GROUNDED
    assert region(source, ANCHOR, box, bbox_space=below)[0] == "mismatch"


def test_user_units_are_applied_before_a_box_is_compared(shelf: Shelf) -> None:
    """On a page with UserUnit 10 a point is a tenth of a unit."""
    source = shelf.put(r23b())
    box = word_box(source, "Giant sheet")
    assert region(source, "Giant sheet", box.as_list()) == GROUNDED
    small = [value // 10 for value in box.as_list()]
    assert region(source, "Giant sheet", small)[0] == "mismatch"


def test_text_of_a_region_lies_inside_the_box(shelf: Shelf) -> None:
    """The other line's words are not in this line's box; part of a line may be."""
    source = shelf.put(TWO_LINES)
    upper = word_box(source, "The upper line stands here.").as_list()
    assert region(source, "The upper line stands here.", upper) == GROUNDED
    assert region(source, "upper line", upper) == GROUNDED
    assert region(source, "The lower line stands there.", upper) == ("mismatch", "text_mismatch")
    both = [7_200, 5_000, 30_000, 13_000]
    assert region(source, "stands here. The lower line", both) == GROUNDED


def test_a_box_that_holds_half_a_quote_does_not_ground_it(shelf: Shelf) -> None:
    """Every character's centre has to lie in the box."""
    source = shelf.put(TWO_LINES)
    left = word_box(source, "The upper")
    assert region(source, "The upper line", left.as_list()) == ("mismatch", "text_mismatch")
    assert verdict(quote(source, "The upper line", page=1, bbox=left.as_list())) == (
        "mismatch",
        "text_mismatch",
    )
    wide = left.union(word_box(source, "line")).as_list()
    assert verdict(quote(source, "The upper line", page=1, bbox=wide)) == GROUNDED


def test_a_box_that_cuts_a_word_does_not_make_another(shelf: Shelf) -> None:
    """The right part of "assignment" is not "sign", nor is 577 in a box over part of 1,577."""
    source = shelf.put(plain(["The reassignment of 1,577 shares."]))
    word, number = word_box(source, "assignment"), word_box(source, "577")
    cut = Box(number.x0 + 20, number.y0, number.x1, number.y1)
    assert region(source, "assignment", word.as_list())[0] == "mismatch"
    assert region(source, "577", cut.as_list())[0] == "mismatch"
    assert region(source, "1,577", word_box(source, "1,577").as_list()) == GROUNDED


def test_a_region_without_text_is_grounded_as_presence_only(shelf: Shelf) -> None:
    """Something is printed there; where nothing is, the box is not found."""
    source = shelf.put(TWO_LINES)
    box = word_box(source, "upper line").as_list()
    made = check(source, {"kind": "region"}, page=1, bbox=box)
    assert (verdict(made), made["match_method"]) == (GROUNDED, "presence_only")
    assert made["evidence_tier"] == "region"
    assert region(source, None, [7_200, 50_000, 20_000, 52_000]) == ("not_found", "bbox_not_found")


def test_a_picture_is_present_but_says_nothing(shelf: Shelf) -> None:
    """A box over an image grounds presence, and no text."""
    source = shelf.put(r26())
    made = check(source, {"kind": "region"}, page=2, bbox=[1_000, 1_000, 50_000, 50_000])
    assert verdict(made) == GROUNDED
    words = check(
        source, {"kind": "region", "text": "940 EUR"}, page=2, bbox=[1_000, 1_000, 50_000, 50_000]
    )
    assert verdict(words) == ("capability_blocked", "page_without_text")


def captioned_picture() -> bytes:
    """A picture from y 500 to 700, its caption 14 points below, and a line far below."""
    pdf = Pdf()
    page = pdf.page()
    page.image(72, 500, 300, 200, typed_page((300, 200), [(20, 20, "A chart")]), (300, 200))
    page.text(72, 486, 10, "Figure 1. Rainfall by quarter.")
    page.text(72, 300, 12, "The second quarter had the most wet days.")
    return pdf.to_bytes()


def test_a_picture_is_cited_with_its_caption(shelf: Shelf) -> None:
    """The evidence names the caption nearest to the picture; text elsewhere has none."""
    source = shelf.put(captioned_picture())
    made = check(source, {"kind": "region"}, page=1, bbox=[7_200, 9_200, 37_200, 29_200])
    assert verdict(made) == GROUNDED
    assert made["evidence"]["caption"] == "Figure 1. Rainfall by quarter."
    words = word_box(source, "The second quarter").as_list()
    assert "caption" not in check(source, {"kind": "region"}, page=1, bbox=words)["evidence"]


@pytest.mark.parametrize(
    ("box", "status", "reason"),
    [
        ([7_200, 7_000, 61_301, 9_000], "not_found", "bbox_out_of_bounds"),
        ([-101, 7_000, 20_000, 9_000], "not_found", "bbox_out_of_bounds"),
        ([0, 0, 61_200, 100_000], "not_found", "bbox_out_of_bounds"),
        ([100_000, 100_000, 110_000, 110_000], "not_found", "bbox_out_of_bounds"),
        ([20_000, 7_000, 7_200, 9_000], "error", "bbox_out_of_bounds"),
        ([7_200, 7_000, 7_200, 9_000], "error", "bbox_out_of_bounds"),
        ([0, 0, 10**15, 10**15], "error", "bbox_out_of_bounds"),
    ],
)
def test_a_box_off_the_page_or_without_area_is_named(
    shelf: Shelf, box: list[int], status: str, reason: str
) -> None:
    """It is neither cut nor turned round in silence."""
    source = shelf.put(TWO_LINES)
    assert region(source, "The upper line", box) == (status, reason)


def test_rounding_may_reach_over_the_edge_by_a_point(shelf: Shelf) -> None:
    """Other tools round outwards."""
    source = shelf.put(TWO_LINES)
    assert region(source, "The upper line", [-100, 0, 61_300, 79_300]) == GROUNDED


def test_pixels_need_their_resolution(shelf: Shelf) -> None:
    """A box in pixels without dpi says nothing about a place."""
    source = shelf.put(TWO_LINES)
    space = {"origin": "top-left", "unit": "pixel"}
    made = region(source, "The upper line", [0, 0, 2_550, 3_300], bbox_space=space)
    assert made == ("error", "bbox_out_of_bounds")
    full = {**space, "dpi": 300}
    assert region(source, "The upper line", [0, 0, 2_550, 3_300], bbox_space=full) == GROUNDED


def test_a_region_needs_a_box_and_a_box_a_page(shelf: Shelf) -> None:
    """What is missing is named."""
    source = shelf.put(TWO_LINES)
    claim = {"kind": "region", "text": "The upper line"}
    box = [0, 0, 61_200, 79_200]
    assert verdict(check(source, claim, page=1)) == ("error", "missing_locator")
    assert verdict(check(source, claim, bbox=box)) == ("error", "missing_page_for_bbox")
    assert verdict(check(source, claim, page=1, bbox=box)) == GROUNDED
    element = source.elements(1)[0].id
    assert verdict(check(source, claim, element_id=element, bbox=box)) == GROUNDED


class UnknownOrigin:
    """A stored source whose boxes count from nobody knows where."""

    def __init__(self, source: StoredSource) -> None:
        self.source = source

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(True, True, True, True, "unknown", False)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


def test_boxes_of_an_unknown_origin_prove_nothing(shelf: Shelf) -> None:
    """ "I cannot tell" instead of a guess; the words themselves can still be found."""
    source: Any = UnknownOrigin(shelf.put(TWO_LINES))
    box = [0, 0, 61_200, 79_200]
    assert region(source, "The upper line", box) == (
        "capability_blocked",
        "unknown_coordinate_origin",
    )
    assert verdict(quote(source, "The upper line", page=1)) == GROUNDED


def test_a_box_on_a_scan_finds_what_ocr_read_there(shelf: Shelf) -> None:
    """The layer's boxes lie over the picture's lines."""
    source = shelf.put(r14_ocr_layer())
    first = word_box(source, "Grant ceiling: 76,500 EUR").as_list()
    assert region(source, "Grant ceiling: 76,500 EUR", first) == GROUNDED
    assert region(source, "Decided on 4 June 2024.", first)[0] == "mismatch"


def test_a_box_around_a_field_holds_its_value(shelf: Shelf) -> None:
    """A form field's value lies where the field is drawn."""
    source = shelf.put(filled_form())
    field = [18_000, 79_200 - 70_300, 40_000, 79_200 - 68_500]
    assert region(source, "Jordan Example", field) == GROUNDED
    assert region(source, "Full name", field)[0] == "mismatch"


def test_lines_of_one_cell_are_read_as_one_text(shelf: Shelf) -> None:
    """A box around a column holds the column's words, line by line."""
    source = shelf.put(ruled_table())
    column = Box(19_200, 9_200, 30_200, 16_400)
    assert region(source, "Q1 120 80", column.as_list()) == GROUNDED
    assert region(source, "Q1 135 80", column.as_list())[0] == "mismatch"


TWO_PAGES = plain(
    ["First line of all.", "A sentence that goes on"], ["over the page's edge ends here."]
)


def regions(source: Any, text: str | None, *cited: dict[str, Any], **more: Any) -> Any:
    """The check of a claim that stands in several boxes."""
    claim = {"kind": "region"} if text is None else {"kind": "region", "text": text}
    return check(source, claim, regions=list(cited), **more)


def test_a_text_may_be_cited_by_the_boxes_of_its_lines(shelf: Shelf) -> None:
    """Every box counts, and the evidence shows a region for each line; without one of the boxes the
    text is not inside."""
    source = shelf.put(TWO_LINES)
    upper, lower = (
        {"page": 1, "bbox": word_box(source, words).as_list()}
        for words in ("stands here.", "The lower line")
    )
    made = regions(source, "stands here. The lower line", upper, lower)
    assert verdict(made) == GROUNDED
    assert len(made["evidence"]["regions"]) == 2
    assert verdict(regions(source, "stands here. The lower line", upper)) == (
        "mismatch",
        "text_mismatch",
    )


def test_boxes_on_two_pages_hold_a_sentence_over_the_break(shelf: Shelf) -> None:
    """Each region names its own page, in words or by the page cited beside them."""
    source = shelf.put(TWO_PAGES)
    above = {"bbox": word_box(source, "A sentence that goes on").as_list()}
    below = {"page": 2, "bbox": word_box(source, "over the page's edge", 2).as_list()}
    words = "A sentence that goes on over the page's edge"
    made = regions(source, words, above, below, page=1)
    assert verdict(made) == GROUNDED
    assert [region["page"] for region in made["evidence"]["regions"]] == [1, 2]
    assert verdict(regions(source, words + " ends here.", above, below, page=1))[0] == "mismatch"
    assert verdict(regions(source, words, above, below)) == ("error", "missing_page_for_bbox")
    assert verdict(regions(source, words, below, page=1)) == ("mismatch", "locator_conflict")


def test_words_picked_by_boxes_make_no_sentence(shelf: Shelf) -> None:
    """Boxes around words that do not follow each other hold each word, and no text of both."""
    source = shelf.put(plain(["The grant was refused in May.", "The loan was approved in June."]))
    picked = [
        {"page": 1, "bbox": word_box(source, words).as_list()}
        for words in ("The grant was", "approved in June.")
    ]
    assert verdict(regions(source, "The grant was", *picked)) == GROUNDED
    made = verdict(regions(source, "The grant was approved in June.", *picked))
    assert made == ("mismatch", "text_mismatch")


def test_each_of_several_boxes_has_to_show_something(shelf: Shelf) -> None:
    """One empty box among them proves nothing; a fault of any of them is named."""
    source = shelf.put(TWO_LINES)
    full = {"page": 1, "bbox": word_box(source, "upper line").as_list()}
    blank = {"page": 1, "bbox": [7_200, 50_000, 20_000, 52_000]}
    far = {"page": 1, "bbox": [7_200, 50_000, 20_000, 99_000]}
    assert verdict(regions(source, None, full)) == GROUNDED
    assert verdict(regions(source, None, full, blank)) == ("not_found", "bbox_not_found")
    assert verdict(regions(source, None, full, far)) == ("not_found", "bbox_out_of_bounds")
    away = {"page": 7, "bbox": full["bbox"]}
    assert verdict(regions(source, None, full, away)) == ("not_found", "page_not_found")


def test_numbers_are_read_in_every_box(shelf: Shelf) -> None:
    """A value cited by two boxes may stand in either, and nowhere else."""
    source = shelf.put(plain(["Rent 4,120 a year.", "Heating 655 a year.", "Water 208 a year."]))
    cited = [
        {"page": 1, "bbox": word_box(source, words).as_list()} for words in ("4,120", "Heating 655")
    ]
    for number, expected in (("4,120", "grounded"), ("655", "grounded"), ("208", "mismatch")):
        made = check(source, {"kind": "value", "value": number}, regions=cited)
        assert made["status"] == expected, number
