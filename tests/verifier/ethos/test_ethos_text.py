"""White space, case and boxes as the rules of Ethos see them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding.adapters.model import ForeignBox
from verifier.ethos.boxes import BoxIndex, contains
from verifier.ethos.text import WHITE_SPACE, Comparison, collapsed, is_blank


class TestWhiteSpace:
    @pytest.mark.parametrize(
        ("text", "form"),
        [
            ("a\r\nb", "a b"),
            ("a\rb", "a b"),
            ("a \t\n\x0c\r b", "a b"),
            ("a\x0bb", "a\x0bb"),
            ("a\x0b\x0bb", "a\x0b\x0bb"),
            ("a\xa0\xa0b", "a\xa0\xa0b"),
            ("  a  ", "a"),
            ("\xa0\u3000a\u2009\x85", "a"),
            (" \xa0 a", "a"),
            ("\x0ba\x0b", "a"),
            ("\x1ca\x1f", "\x1ca\x1f"),
            ("\u200ba", "\u200ba"),
            ("e\u0301", "e\u0301"),
            ("", ""),
        ],
    )
    def test_only_ascii_runs_collapse_and_unicode_ends_are_trimmed(
        self, text: str, form: str
    ) -> None:
        """A vertical tab is trimmed and not collapsed; U+001C–001F are no white space at all."""
        assert collapsed(text) == form

    def test_the_trimmed_characters_are_those_of_the_property(self) -> None:
        """Twenty-five of them; Python's own idea has four more."""
        assert len(WHITE_SPACE) == len(set(WHITE_SPACE)) == 25
        python = {chr(c) for c in range(0x3100) if chr(c).isspace()}
        assert python - set(WHITE_SPACE) == {"\x1c", "\x1d", "\x1e", "\x1f"}
        assert set(WHITE_SPACE) <= python

    @pytest.mark.parametrize(("text", "blank"), [(None, True), ("", True), (" \xa0\n", True)])
    def test_blank(self, text: str | None, blank: bool) -> None:
        assert is_blank(text) is blank

    def test_separators_of_files_are_text(self) -> None:
        assert not is_blank("\x1c")

    @given(st.text())
    def test_collapsing_again_changes_nothing(self, text: str) -> None:
        once = collapsed(text)
        assert collapsed(once) == once


class TestComparison:
    def test_case_counts_unless_told_otherwise(self) -> None:
        assert not Comparison().contains("The Pier", "pier")
        assert Comparison(case_sensitive=False).contains("The ΠΙΕΡ", "πιερ")
        assert Comparison(case_sensitive=False).equals("STRASSE", "strasse")
        assert not Comparison(case_sensitive=False).equals("STRASSE", "straße")

    def test_white_space_counts_without_normalization(self) -> None:
        exact = Comparison(collapse=False)
        assert not exact.contains("a  b", "a b")
        assert not exact.equals(" a", "a")
        assert exact.shown(" a\n") == " a\n"

    def test_nothing_is_in_an_absent_text(self) -> None:
        assert not Comparison().contains(None, "a")
        assert not Comparison().equals(None, "a")
        assert not Comparison().contains("a", None)
        assert not Comparison().equals("a", None)


boxes = st.builds(
    lambda x, y, w, h: (x, y, x + w, y + h),
    *(st.integers(-300, 300), st.integers(-300, 300)),
    *(st.integers(0, 500) | st.integers(0, 10**6), st.integers(0, 500)),
)


class TestBoxes:
    @pytest.mark.parametrize(
        ("cited", "tolerance", "holds"),
        [
            ((10, 10, 20, 20), 0, True),
            ((9, 10, 20, 20), 0, False),
            ((9, 9, 21, 21), 1, True),
            ((10, 8, 20, 20), 1, False),
            ((10, 10, 22, 20), 1, False),
            ((10, 10, 20, 22), 1, False),
        ],
    )
    def test_containment_has_a_tolerance_on_each_side(
        self, cited: ForeignBox, tolerance: int, holds: bool
    ) -> None:
        assert contains((10, 10, 20, 20), cited, tolerance) is holds

    @given(st.lists(boxes, max_size=12), boxes, st.integers(0, 60))
    def test_the_index_finds_what_a_walk_through_all_finds(
        self, held: list[ForeignBox], cited: ForeignBox, tolerance: int
    ) -> None:
        """The least area, then the first."""
        around = [
            ((box[2] - box[0]) * (box[3] - box[1]), at)
            for at, box in enumerate(held)
            if contains(box, cited, tolerance)
        ]
        found = BoxIndex(enumerate(held), tolerance).smallest_around(cited)
        assert found == (min(around)[1] if around else None)

    @pytest.mark.parametrize("turned", [False, True])
    def test_of_equal_areas_the_first_is_found_whatever_its_shape(self, turned: bool) -> None:
        held: list[ForeignBox] = [(0, 0, 4000, 10), (0, 0, 200, 200)]
        index = BoxIndex(enumerate(reversed(held) if turned else held), 0)
        assert index.smallest_around((1, 1, 5, 5)) == 0

    def test_boxes_that_are_missing_or_turned_inside_out_hold_nothing(self) -> None:
        index = BoxIndex([(0, None), (1, (500, 0, 100, 10))], 50)
        assert index.smallest_around((200, 2, 210, 4)) is None
