"""Character boxes, packed and unpacked."""

import zlib

import pytest
from factories import Rect, box_arrays, char_rects, rects_of
from hypothesis import given
from hypothesis import strategies as st

from grounding.charboxes import arrays_of, pack, plain_bytes, unpack
from grounding.errors import StoreDamagedError
from grounding.geometry import Box

_rects = st.builds(
    lambda x, y, width, height: (x, y, x + width, y + height),
    st.integers(0, 2**30),
    st.integers(0, 2**30),
    st.integers(0, 2**29),
    st.integers(0, 2**29),
)


@given(st.lists(_rects, max_size=60))
def test_every_box_comes_back_as_it_was(rects: list[Rect]) -> None:
    boxes = unpack(pack(box_arrays(rects)))
    assert len(boxes) == len(rects)
    assert rects_of(boxes) == rects


@given(st.lists(_rects, max_size=60))
def test_what_is_hashed_can_be_had_from_the_packed_form(rects: list[Rect]) -> None:
    """The hash is over the arrays and no compressor's output, so a store that is read on another
    machine proves the same fingerprints."""
    arrays = box_arrays(rects)
    assert arrays_of(pack(arrays)) == arrays
    assert plain_bytes(arrays) == b"\x01" + arrays


def test_the_layout_is_x_width_y_height_in_little_endian() -> None:
    arrays = box_arrays([(1, 2, 11, 22), (256, 3, 260, 9)])
    assert arrays == bytes.fromhex(
        "01000000 00010000 0a000000 04000000 02000000 03000000 14000000 06000000"
    )


def test_a_page_of_lines_packs_to_a_few_bytes_a_character() -> None:
    text = "\n".join(["the quick brown fox jumps over the lazy dog"] * 40)
    packed = pack(box_arrays(char_rects(text)))
    assert len(packed) < len(text)


def test_a_page_without_text_has_no_boxes() -> None:
    boxes = unpack(pack(b""))
    assert len(boxes) == 0
    assert boxes.union(0, 0) is None


class TestUnion:
    """The box of a range of characters: 6 points wide, 10 high, lines 14 apart, from 72, 72."""

    boxes = unpack(pack(box_arrays(char_rects("abc\nde"))))

    def test_one_character(self) -> None:
        assert self.boxes.union(1, 2) == Box(7800, 7200, 8400, 8200)

    def test_a_line(self) -> None:
        assert self.boxes.union(0, 3) == Box(7200, 7200, 9000, 8200)

    def test_a_line_end_adds_nothing_to_its_line(self) -> None:
        assert self.boxes.union(0, 4) == self.boxes.union(0, 3)

    def test_two_lines(self) -> None:
        assert self.boxes.union(2, 6) == Box(7200, 7200, 9000, 9600)

    def test_a_range_without_a_glyph_has_no_box(self) -> None:
        assert self.boxes.union(3, 4) is None
        assert self.boxes.union(2, 2) is None
        assert self.boxes.union(4, 2) is None

    def test_the_centre_is_that_of_the_glyph_and_a_line_end_has_none(self) -> None:
        for at, (x, y) in ((0, (7500, 7700)), (5, (8100, 9100))):
            assert self.boxes.lies_in(at, Box(x - 1, y - 1, x + 1, y + 1), 0)
            assert self.boxes.lies_in(at, Box(x + 50, y - 1, x + 99, y + 1), 50)
            assert not self.boxes.lies_in(at, Box(x + 50, y - 1, x + 99, y + 1), 49)
        assert not self.boxes.lies_in(3, Box(0, 0, 99_999, 99_999), 0)

    @given(st.lists(_rects, min_size=1, max_size=20), st.data())
    def test_it_is_the_smallest_box_around_all_of_them(
        self, rects: list[Rect], data: st.DataObject
    ) -> None:
        start = data.draw(st.integers(0, len(rects) - 1))
        end = data.draw(st.integers(start + 1, len(rects)))
        part = rects[start:end]
        edges = (
            min(r[0] for r in part), min(r[1] for r in part),
            max(r[2] for r in part), max(r[3] for r in part),
        )  # fmt: skip
        union = unpack(pack(box_arrays(rects))).union(start, end)
        if edges[0] < edges[2] and edges[1] < edges[3]:
            assert union == Box(*edges)
        else:
            assert union is None


GOOD = pack(box_arrays(char_rects("some text")))


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"\x02" + GOOD[1:],
        GOOD[1:],
        b"\x01",
        b"\x01not zlib at all",
        b"\x01" + zlib.compress(bytes(17)),
        b"\x01" + zlib.compress(bytes(20)),
    ],
    ids=["empty", "later version", "no version", "no stream", "no zlib", "odd bytes", "3.3 boxes"],
)
def test_a_damaged_blob_is_called_damaged(blob: bytes) -> None:
    with pytest.raises(StoreDamagedError) as caught:
        unpack(blob)
    assert caught.value.code == "store_damaged"


@given(st.integers(0, len(GOOD) - 1))
def test_a_blob_that_ends_too_early_is_damaged(length: int) -> None:
    with pytest.raises(StoreDamagedError):
        unpack(GOOD[:length])


@given(st.integers(3, len(GOOD) - 1), st.integers(1, 255))
def test_a_changed_byte_never_comes_back_as_other_boxes(at: int, change: int) -> None:
    """The stream carries a checksum of the boxes."""
    blob = GOOD[:at] + bytes([GOOD[at] ^ change]) + GOOD[at + 1 :]
    try:
        boxes = rects_of(unpack(blob))
    except StoreDamagedError:
        return
    assert boxes == char_rects("some text")
