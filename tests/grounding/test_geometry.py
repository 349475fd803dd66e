"""One frame for everything: centipoints of the page as displayed, origin at its top left."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grounding.errors import BoxInvalidError
from grounding.geometry import MAX_CENTIPOINTS, Box, BoxSpace, PageFrame, apply, to_centipoints

LETTER = PageFrame((0, 0, 612_000, 792_000))
TURNS = (0, 90, 180, 270)

frames = st.builds(
    lambda x, y, width, height, rotation, unit: PageFrame(
        (x, y, x + width, y + height), rotation, unit
    ),
    st.integers(-500_000, 500_000),
    st.integers(-500_000, 500_000),
    st.integers(1, 2_000_000),
    st.integers(1, 2_000_000),
    st.sampled_from(TURNS),
    st.sampled_from([1000, 500, 2000, 10_000]),
)
coordinates = st.floats(-3000, 3000)


class TestBox:
    """A rectangle that has an area."""

    @pytest.mark.parametrize("values", [(5, 0, 5, 9), (6, 0, 5, 9), (0, 9, 5, 9), (0, 9, 5, 8)])
    def test_one_without_area_or_turned_round_is_refused(
        self, values: tuple[int, int, int, int]
    ) -> None:
        """The message holds the numbers."""
        with pytest.raises(BoxInvalidError, match=str(list(values))[1:-1]):
            Box(*values)

    def test_measures(self) -> None:
        box = Box(10, 20, 40, 100)
        assert (box.width, box.height, box.as_list()) == (30, 80, [10, 20, 40, 100])

    def test_union_is_the_smallest_box_around_both(self) -> None:
        assert Box(10, 20, 40, 100).union(Box(0, 30, 20, 110)) == Box(0, 20, 40, 110)

    def test_overlap_is_the_shared_area_and_touching_shares_none(self) -> None:
        box = Box(0, 0, 10, 10)
        assert box.overlap(Box(4, 8, 20, 20)) == 12
        assert box.overlap(Box(10, 0, 20, 10)) == 0
        assert box.overlap(Box(30, 30, 40, 40)) == 0

    def test_edges_are_inside_and_tolerance_widens_every_one(self) -> None:
        box = Box(100, 200, 300, 400)
        for x, y in ((100, 200), (300, 400), (200, 300)):
            assert box.holds(x, y)
        for x, y in ((99, 300), (301, 300), (200, 199), (200, 401)):
            assert not box.holds(x, y)
            assert box.holds(x, y, tolerance=1)

    def test_a_box_contains_itself_and_what_sticks_out_no_further_than_the_tolerance(self) -> None:
        box = Box(100, 200, 300, 400)
        assert box.contains(box)
        for out in (Box(98, 200, 300, 400), Box(100, 198, 300, 400), Box(100, 200, 302, 400),
                    Box(100, 200, 300, 402)):  # fmt: skip
            assert not box.contains(out, tolerance=1)
            assert box.contains(out, tolerance=2)

    def test_padding_ends_at_the_edge_of_the_page(self) -> None:
        assert Box(500, 500, 1000, 1000).padded(600, LETTER) == Box(0, 0, 1600, 1600)
        near = Box(61000, 79000, 61100, 79100)
        assert near.padded(600, LETTER) == Box(60400, 78400, 61200, 79200)


class TestCentipoints:
    """Hundredths of a point."""

    @pytest.mark.parametrize(
        ("points", "wanted"),
        [(612, 61200), (0.005, 1), (-0.005, -1), (0.0049, 0), (72.125, 7213), (-72.125, -7213)],
    )
    def test_halves_go_away_from_zero(self, points: float, wanted: int) -> None:
        assert to_centipoints(points) == wanted

    @pytest.mark.parametrize("points", [float("nan"), float("inf"), -1e9, 3e7, 1e308, -1e308])
    def test_what_no_page_can_hold_is_refused(self, points: float) -> None:
        with pytest.raises(BoxInvalidError):
            to_centipoints(points)

    def test_the_largest_page_of_the_pdf_standard_can_be_held(self) -> None:
        """14,400 units of 75 points."""
        frame = PageFrame((0, 0, 14_400_000, 14_400_000), user_unit=75_000)
        assert frame.box == Box(0, 0, 108_000_000, 108_000_000)


class TestPageFrame:
    """What the page's own numbers mean on the displayed page."""

    def test_the_crop_box_is_the_page_and_its_corner_the_origin(self) -> None:
        """CropBox [100 200 512 700]: text at 150, 600 is 50 points from the left, 100 down."""
        frame = PageFrame((100_000, 200_000, 512_000, 700_000))
        assert frame.box == Box(0, 0, 41200, 50000)
        assert frame.native_box(150, 597.5, 242.1, 611) == Box(5000, 8900, 14210, 10250)

    def test_a_media_box_may_begin_below_zero(self) -> None:
        """MediaBox [-50 -60 562 732]: text at 150, 600 is 200 points from the left, 132 down."""
        frame = PageFrame((-50_000, -60_000, 562_000, 732_000))
        assert frame.box == Box(0, 0, 61200, 79200)
        assert frame.native_box(150, 597.5, 242.1, 610) == Box(20000, 12200, 29210, 13450)

    @pytest.mark.parametrize(
        ("rotation", "size", "wanted"),
        [
            (0, (61200, 79200), Box(15000, 18100, 24200, 19500)),
            (90, (79200, 61200), Box(59700, 15000, 61100, 24200)),
            (180, (61200, 79200), Box(37000, 59700, 46200, 61100)),
            (270, (79200, 61200), Box(18100, 37000, 19500, 46200)),
        ],
    )
    def test_rotation_turns_the_page_and_the_boxes_clockwise(
        self, rotation: int, size: tuple[int, int], wanted: Box
    ) -> None:
        """A line at 150 to 242, 597 to 611 of a letter page; unrotated it is 181 to 195 down."""
        frame = PageFrame((0, 0, 612_000, 792_000), rotation)
        assert (frame.width, frame.height) == size
        assert frame.native_box(150, 597, 242, 611) == wanted
        assert frame.unrotated_box(150, 181, 242, 195) == wanted

    @pytest.mark.parametrize(
        ("rotation", "wanted"),
        [
            (0, Box(5000, 8900, 14200, 10300)),
            (90, Box(39700, 5000, 41100, 14200)),
            (180, Box(27000, 39700, 36200, 41100)),
            (270, Box(8900, 27000, 10300, 36200)),
        ],
    )
    def test_rotation_and_crop_offset_go_together(self, rotation: int, wanted: Box) -> None:
        frame = PageFrame((100_000, 200_000, 512_000, 700_000), rotation)
        assert frame.native_box(150, 597, 242, 611) == wanted

    def test_the_user_unit_scales_page_and_boxes(self) -> None:
        """100 x 80 units of 2 points: a box 10 units from the left and 60 from the top."""
        frame = PageFrame((0, 0, 100_000, 80_000), user_unit=2000)
        assert frame.box == Box(0, 0, 20000, 16000)
        assert frame.native_box(10, 10, 20, 20) == Box(2000, 12000, 4000, 14000)
        assert frame.unrotated_box(20, 120, 40, 140) == Box(2000, 12000, 4000, 14000)

    def test_the_user_unit_scales_the_crop_offset_too(self) -> None:
        frame = PageFrame((50_000, 0, 150_000, 100_000), 90, 3000)
        assert frame.native_box(60, 20, 70, 25) == Box(6000, 3000, 7500, 6000)

    def test_corners_may_come_in_any_order(self) -> None:
        assert LETTER.native_box(242, 611, 150, 597) == LETTER.native_box(150, 597, 242, 611)

    def test_a_box_over_the_edge_is_cut_there(self) -> None:
        assert LETTER.native_box(-20, 780, 30, 800) == Box(0, 0, 3000, 1200)

    def test_a_box_without_area_becomes_one_centipoint_wide_and_high(self) -> None:
        assert LETTER.native_box(72, 720, 72, 720) == Box(7200, 7200, 7201, 7201)
        assert LETTER.native_box(612, 0, 612, 0) == Box(61199, 79199, 61200, 79200)

    @pytest.mark.parametrize(
        "box", [(-20, 10, -1, 20), (613, 10, 620, 20), (10, 793, 20, 800), (10, -9, 20, -1)]
    )
    def test_a_box_beside_the_page_is_none(self, box: tuple[float, float, float, float]) -> None:
        assert LETTER.native_box(*box) is None

    @pytest.mark.parametrize(
        "arguments",
        [((0, 0, 0, 10),), ((0, 10, 10, 10),), ((0, 0, 9, 9), 45), ((0, 0, 9, 9), 360),
         ((0, 0, 9, 9), -90), ((0, 0, 9, 9), 0, 0), ((0, 0, 9, 9), 0, -1)],
        ids=str,
    )  # fmt: skip
    def test_frames_that_cannot_be_are_refused(self, arguments: Any) -> None:
        with pytest.raises(BoxInvalidError):
            PageFrame(*arguments)

    def test_a_page_of_next_to_nothing_still_has_a_box(self) -> None:
        assert PageFrame((0, 0, 1, 1)).box == Box(0, 0, 1, 1)

    @given(frames, coordinates, coordinates, coordinates, coordinates)
    def test_whatever_is_converted_lies_on_the_page(
        self, frame: PageFrame, x0: float, y0: float, x1: float, y1: float
    ) -> None:
        for box in (frame.native_box(x0, y0, x1, y1), frame.unrotated_box(x0, y0, x1, y1)):
            assert box is None or frame.box.contains(box)

    @given(frames)
    def test_a_quarter_turn_swaps_width_and_height_and_four_leave_them(
        self, frame: PageFrame
    ) -> None:
        turned = [PageFrame(frame.crop, turn, frame.user_unit) for turn in TURNS]
        sizes = [(f.width, f.height) for f in turned]
        assert sizes[1] == sizes[0][::-1] == sizes[3]
        assert sizes[2] == sizes[0]

    @given(frames, st.tuples(*[st.integers(0, 1000)] * 4))
    def test_a_box_keeps_its_size_when_the_page_is_turned(
        self, frame: PageFrame, thousandths: tuple[int, int, int, int]
    ) -> None:
        """Up to the rounding of each edge."""
        a, b, c, d = thousandths
        assume(a != c and b != d)
        width, height = frame.unrotated_size
        assume(width > 1 and height > 1)
        values = (width * a / 1000, height * b / 1000, width * c / 1000, height * d / 1000)
        upright, turned = (
            PageFrame(frame.crop, turn, frame.user_unit).unrotated_box(*values) for turn in (0, 90)
        )
        assert upright is not None
        assert turned is not None
        assert abs(upright.width - turned.height) <= 1
        assert abs(upright.height - turned.width) <= 1

    @given(frames)
    def test_the_whole_crop_box_is_the_whole_page(self, frame: PageFrame) -> None:
        """Up to the last centipoint, where half of one may be rounded either way."""
        box = frame.native_box(*(value / 1000 for value in frame.crop))
        assert box is not None
        assert box.contains(frame.box, tolerance=1)

    @given(frames, coordinates, coordinates)
    def test_both_ways_to_the_displayed_page_agree(
        self, frame: PageFrame, x: float, y: float
    ) -> None:
        """From PDF units, and by way of the unrotated page's points."""
        unit = frame.user_unit / 1000
        left, top = frame.crop[0] / 1000, frame.crop[3] / 1000
        by_way = apply(frame.from_unrotated, (x - left) * unit, (top - y) * unit)
        assert apply(frame.from_native, x, y) == pytest.approx(by_way, abs=1e-6)


class TestBoxSpace:
    """Boxes as callers give them, in any of the spaces of the displayed page."""

    @pytest.mark.parametrize(
        ("space", "values"),
        [
            (BoxSpace(), (7200, 9000, 20000, 10200)),
            (BoxSpace("bottom-left"), (7200, 69000, 20000, 70200)),
            (BoxSpace(unit="point"), (72, 90, 200, 102)),
            (BoxSpace("bottom-left", "point"), (72, 690, 200, 702)),
            (BoxSpace(unit="pixel", dpi=144), (144, 180, 400, 204)),
            (BoxSpace("bottom-left", "pixel", 144), (144, 1380, 400, 1404)),
            (BoxSpace(unit="pixel", dpi=300), (300, 375, "833.3333", 425)),
            (BoxSpace(unit="fraction"), ("0.1176470588", "0.1136363636", "0.3267973856",
                                         "0.1287878788")),
            (BoxSpace("bottom-left", "fraction"), ("0.1176470588", "0.8712121212",
                                                   "0.3267973856", "0.8863636364")),
        ],
        ids=str,
    )  # fmt: skip
    def test_the_same_rectangle_in_every_space(self, space: BoxSpace, values: Any) -> None:
        """On a letter page: 72 to 200 points from the left, 90 to 102 from the top."""
        assert space.to_box(values, LETTER) == Box(7200, 9000, 20000, 10200)

    def test_bottom_left_counts_from_the_bottom_of_the_displayed_page(self) -> None:
        """Not of the page before it was turned."""
        turned = PageFrame((0, 0, 612_000, 792_000), 90)
        box = BoxSpace("bottom-left", "point").to_box((0, 0, 10, 20), turned)
        assert box == Box(0, 59200, 1000, 61200)

    def test_decimal_text_is_exact(self) -> None:
        """Halves go up; 1.005 is no binary number just below."""
        box = BoxSpace(unit="point").to_box(("1.005", "2.675", "4.5", Decimal("6")), LETTER)
        assert box == Box(101, 268, 450, 600)

    def test_a_box_beyond_the_page_is_kept_as_it_is_given(self) -> None:
        """Whether it is out of bounds is the verifier's question."""
        assert BoxSpace().to_box((-5, 0, 99_999, 10), LETTER) == Box(-5, 0, 99_999, 10)

    @pytest.mark.parametrize(
        ("space", "values"),
        [
            (BoxSpace("unknown"), (0, 0, 1, 1)),
            (BoxSpace(unit="pixel"), (0, 0, 1, 1)),
            (BoxSpace(unit="pixel", dpi=0), (0, 0, 1, 1)),
            (BoxSpace(unit="pixel", dpi=-72), (0, 0, 1, 1)),
            (BoxSpace(), ("zero", 0, 1, 1)),
            (BoxSpace(), ("NaN", 0, 1, 1)),
            (BoxSpace(), ("sNaN", 0, 1, 1)),
            (BoxSpace(), (0, 0, "Infinity", 1)),
            (BoxSpace(), (0, 0, "1e9999999", 1)),
            (BoxSpace(), (0, 0, MAX_CENTIPOINTS + 1, 1)),
            (BoxSpace(), (1, 0, 1, 1)),
            (BoxSpace(), (2, 0, 1, 1)),
            (BoxSpace("bottom-left"), (0, 5, 1, 4)),
            (BoxSpace(unit="point"), ("0.001", 0, "0.002", 1)),
        ],
        ids=str,
    )
    def test_what_is_no_rectangle_of_a_known_space_is_refused(
        self, space: BoxSpace, values: Any
    ) -> None:
        with pytest.raises(BoxInvalidError) as caught:
            space.to_box(values, LETTER)
        assert caught.value.code == "invalid_bbox"

    @given(frames, st.tuples(*[st.integers(-1000, 200_000)] * 4), st.sampled_from([1, 100]))
    def test_bottom_left_and_top_left_of_one_rectangle_agree(
        self, frame: PageFrame, values: tuple[int, int, int, int], per_unit: int
    ) -> None:
        a, b, c, d = values
        assume(a != c and b != d)
        box = Box(min(a, c), min(b, d), max(a, c), max(b, d))
        unit: Any = "point" if per_unit == 100 else "centipoint"
        flipped = (box.x0, frame.height - box.y1, box.x1, frame.height - box.y0)
        down = tuple(str(Decimal(value) / per_unit) for value in box.as_list())
        up = tuple(str(Decimal(value) / per_unit) for value in flipped)
        assert BoxSpace("top-left", unit).to_box(down, frame) == box  # type: ignore[arg-type]
        assert BoxSpace("bottom-left", unit).to_box(up, frame) == box  # type: ignore[arg-type]

    @given(frames, st.integers(36, 600), st.tuples(*[st.integers(0, 8000)] * 4))
    def test_pixels_land_within_half_a_centipoint_of_where_they_are(
        self, frame: PageFrame, dpi: int, values: tuple[int, int, int, int]
    ) -> None:
        a, b, c, d = values
        assume(abs(a - c) > 1 and abs(b - d) > 1)
        corners = (min(a, c), min(b, d), max(a, c), max(b, d))
        box = BoxSpace(unit="pixel", dpi=dpi).to_box(corners, frame)
        for pixel, centipoint in zip(corners, box.as_list(), strict=True):
            assert abs(Fraction(pixel * 7200, dpi) - centipoint) <= Fraction(1, 2)
