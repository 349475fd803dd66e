"""Frames: whatever boxes, rotations and units a page has, evidence lies in the displayed page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from drawn import ANCHOR, plain, r1, r2, r3, r20, r23, r23b, text_cut_by_crop
from PIL import Image
from reading import GROUNDED, Shelf, boxes, codes, quote, read, value, verdict, word_box

from grounding.crop import CropRequest, descriptor
from grounding.geometry import Box, PageFrame
from grounding.model import WarningCode
from ingest.reading.document import PageLimits
from ingest.rendering import MAX_PIXELS, PdfRenderer
from ingest.tables import engines
from ingest.tables.engines import FoundTable

TURNS = (0, 90, 180, 270)
DARK = 128
"""Grey values below this are ink."""


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def ink(data: bytes, box: Box, page: int = 1) -> int:
    """Dark pixels of a crop of exactly this box at 144 dots an inch."""
    crop = PdfRenderer(data).render(CropRequest(page, box))
    picture = Image.open(io.BytesIO(crop.png)).convert("L")
    assert picture.size == (crop.width, crop.height)
    return sum(picture.histogram()[:DARK])


def moved(box: Box, right: int, down: int) -> Box:
    """A box of the same size at another place."""
    return Box(box.x0 + right, box.y0 + down, box.x1 + right, box.y1 + down)


def around(box: Box, margin: int = 200) -> list[Box]:
    """Boxes of the same size above, below, left and right of a box, `margin` away."""
    across, down = box.width + margin, box.height + margin
    return [moved(box, *step) for step in ((across, 0), (-across, 0), (0, down), (0, -down))]


def size_of(frame: PageFrame) -> tuple[int, int]:
    return frame.width, frame.height


def test_a_crop_box_moves_the_origin(shelf: Shelf) -> None:
    """Text at user-space 150, 600 under CropBox [100 200 512 700] is 50 points from the left."""
    source = shelf.put(r1())
    (page,) = source.pages
    made = quote(source, ANCHOR, page=1)
    ((number, box),) = boxes(made)
    assert size_of(page.frame) == (41_200, 50_000)
    assert verdict(made) == GROUNDED
    assert (number, box[0], box[2]) == (1, 5_000, 15_070)
    assert 8_600 <= box[1] <= 9_100 < 10_000 < box[3] <= 10_400


def test_a_media_box_with_a_negative_corner_moves_the_origin(shelf: Shelf) -> None:
    """The same text under MediaBox [-50 -60 562 732] stands 200 points from the left."""
    source = shelf.put(r2())
    ((_, box),) = boxes(quote(source, ANCHOR, page=1))
    assert size_of(source.pages[0].frame) == (61_200, 79_200)
    assert (box[0], box[2]) == (20_000, 30_070)
    assert 11_800 <= box[1] <= 12_300 < 13_200 < box[3] <= 13_600


@pytest.mark.parametrize(
    ("rotation", "size", "near"),
    [
        # The baseline starts at user-space 150, 600; the word runs 100.7 points on from there.
        (0, (61_200, 79_200), (15_000, 18_000, 25_070, 19_600)),
        (90, (79_200, 61_200), (59_600, 15_000, 61_300, 25_070)),
        (180, (61_200, 79_200), (36_130, 59_600, 46_200, 61_300)),
        (270, (79_200, 61_200), (17_910, 36_130, 19_560, 46_200)),
    ],
)
def test_text_on_a_rotated_page_is_one_line_in_the_frame_of_the_page(
    shelf: Shelf, rotation: int, size: tuple[int, int], near: tuple[int, int, int, int]
) -> None:
    """Box and page size agree about what is displayed, for every quarter turn."""
    source = shelf.put(r3(rotation))
    (page,) = source.pages
    ((_, box),) = boxes(quote(source, ANCHOR, page=1))
    assert source.page_text(1) == ANCHOR
    assert size_of(page.frame) == size
    assert page.frame.box.contains(Box(*box))
    assert all(abs(ours - right) <= 100 for ours, right in zip(box, near, strict=True))


@pytest.mark.parametrize("rotation", TURNS)
def test_text_turned_back_upright_is_one_level_line(shelf: Shelf, rotation: int) -> None:
    """A text matrix that undoes the rotation gives a line wider than high, from the left."""
    source = shelf.put(r3(rotation, turned=True))
    ((_, box),) = boxes(quote(source, ANCHOR, page=1))
    across = [word_box(source, word).x0 for word in ANCHOR.split()]
    assert source.page_text(1) == ANCHOR
    assert Box(*box).width == pytest.approx(10_070, abs=20)
    assert Box(*box).height < 2_000
    assert across == sorted(across)
    assert across[0] < across[-1]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_words_follow_one_another_along_a_turned_line(shelf: Shelf, rotation: int) -> None:
    """On a page turned clockwise the words run down, from the right, or up."""
    source = shelf.put(r3(rotation))
    places = [word_box(source, word) for word in ANCHOR.split()]
    for before, after in pairwise(places):
        assert {
            90: after.y0 >= before.y1,
            180: after.x1 <= before.x0,
            270: after.y1 <= before.y0,
        }[rotation]


@dataclass(frozen=True)
class Drawn:
    name: str
    data: bytes


FRAMES = [
    Drawn("plain", plain([ANCHOR])),
    Drawn("crop box", r1()),
    Drawn("media box", r2()),
    *(Drawn(f"rotated {turn}", r3(turn)) for turn in TURNS),
    *(Drawn(f"rotated {turn}, upright text", r3(turn, turned=True)) for turn in TURNS),
]


@pytest.mark.parametrize("case", FRAMES, ids=lambda case: case.name)
def test_the_crop_of_an_evidence_box_shows_the_word(shelf: Shelf, case: Drawn) -> None:
    """There is ink in the crop of each word's box and hardly any beside it."""
    source = shelf.put(case.data)
    frame = source.pages[0].frame
    ((_, line),) = boxes(quote(source, ANCHOR, page=1))
    assert all(ink(case.data, word_box(source, word)) > 60 for word in ANCHOR.split())
    for beside in around(Box(*line)):
        if frame.box.contains(beside):
            assert ink(case.data, beside) == 0


def test_a_crop_of_a_single_word_shows_only_that_word(shelf: Shelf) -> None:
    """The crop of "Anchor" holds as much ink as the page has there, that of the next word other."""
    data = r3(90)
    source = shelf.put(data)
    words = [word_box(source, word) for word in ANCHOR.split()]
    ((_, line),) = boxes(quote(source, ANCHOR, page=1))
    assert sum(ink(data, word) for word in words) == pytest.approx(ink(data, Box(*line)), rel=0.1)


def test_labels_and_numbers_are_two_things(shelf: Shelf) -> None:
    """With labels i, ii, iii, 1, 2 page 1 is the first sheet and page label "1" the fourth."""
    source = shelf.put(r20())
    assert [(page.number, page.label) for page in source.pages] == [
        (1, "i"), (2, "ii"), (3, "iii"), (4, "1"), (5, "2"),
    ]  # fmt: skip
    assert verdict(quote(source, "Body of sheet one", page=1)) == GROUNDED
    assert verdict(quote(source, "Body of sheet four", page_label="1")) == GROUNDED
    assert quote(source, "Body of sheet one", page_label="1")["reason"] == "quote_on_other_page"
    assert quote(source, "Body of sheet four", page=1)["reason"] == "quote_on_other_page"
    evidence = quote(source, "Body of sheet four", page_label="1")["evidence"]
    assert (evidence["page"], evidence["page_number"], evidence["page_label"]) == ("p0004", 4, "1")


def test_a_file_without_labels_has_none(shelf: Shelf) -> None:
    """Where the file states no labels none are made up."""
    source = shelf.put(plain(["One page"]))
    assert [page.label for page in source.pages] == [""]
    assert "page_label" not in quote(source, "One page", page=1)["evidence"]


class _Spinning:
    """A table engine that never comes back."""

    name = "spinning"

    def find(self, view: Any) -> list[FoundTable]:
        while True:
            pass


def test_a_table_finder_that_spins_costs_the_tables_and_not_the_text(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scattered letters are kept; the finder's time runs out and the page says so.

    Of 2,500 letters two lie within a point of another print of the same letter, as fake bold does.
    """
    monkeypatch.setitem(engines._ENGINES, "ruled", _Spinning)
    source = shelf.put(r23(), limits=PageLimits(table_seconds=0.2))
    letters = "".join(source.page_text(1).split())
    assert len(letters) == 2_498
    assert all(94 <= letters.count(chr(97 + at)) <= 97 for at in range(26))
    assert "tables_timed_out" in codes(source, 1)
    assert list(source.tables(1)) == []


def test_scattered_letters_are_no_table_and_cost_little_time() -> None:
    """Gaps between letters at random places are no columns: the search ends within the limit."""
    artifact = read(r23(), limits=PageLimits(table_seconds=5))
    (page,) = artifact.pages
    assert page.tables == []
    assert WarningCode.TABLES_TIMED_OUT not in {w.code for w in page.warnings}


def test_a_giant_page_is_rendered_at_fewer_dots_and_says_so(shelf: Shelf) -> None:
    """A page of 144,000 points a side is cut to the cap of pixels; the descriptor tells."""
    data = r23b()
    source = shelf.put(data)
    (page,) = source.pages
    crop = PdfRenderer(data).render(CropRequest(1, page.frame.box))
    told = descriptor(crop, source.identity)
    assert size_of(page.frame) == (14_400_000, 14_400_000)
    assert crop.width * crop.height <= MAX_PIXELS * 1.01
    assert crop.capped
    assert crop.dpi < 144
    assert (told["pixels_capped"], told["requested_dpi"], told["dpi"]) == (True, 144, crop.dpi)


def test_an_ordinary_crop_is_not_capped(shelf: Shelf) -> None:
    """A letter page at 144 dots an inch is 1224 x 1584 pixels, as asked."""
    data = plain(["A page"])
    source = shelf.put(data)
    crop = PdfRenderer(data).render(CropRequest(1, source.pages[0].frame.box))
    assert (crop.width, crop.height, crop.dpi, crop.capped) == (1_224, 1_584, 144, False)
    assert descriptor(crop, source.identity)["pixels_capped"] is False


def test_the_box_of_a_word_on_a_giant_page_shows_it(shelf: Shelf) -> None:
    """UserUnit 10 makes a run at unit 1000 start 10,000 points from the left edge."""
    data = r23b()
    source = shelf.put(data)
    box = word_box(source, "Giant sheet")
    assert box.x0 == 1_000_000
    assert ink(data, box) > 1_000
    assert ink(data, moved(box, 0, -box.height - 10_000)) == 0


def test_a_line_cut_by_the_crop_box_ends_at_its_edge(shelf: Shelf) -> None:
    """Letters beyond the edge are no evidence; what is left is a box on the page."""
    source = shelf.put(text_cut_by_crop())
    assert value(source, "Whole", page=1)["status"] == "grounded"
    assert quote(source, "This line straddles the edge", page=1)["status"] == "mismatch"
    made = quote(source, "This line stradd", page=1)
    assert verdict(made) == GROUNDED
    assert source.pages[0].frame.box.contains(Box(*made["evidence"]["bbox"]))
