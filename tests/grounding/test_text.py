"""Folds: what typesetting and extraction do to the same words, and the way back to the raw text."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding.text import FOLD_GROUPS, Fold, fold, fold_groups, needed_folds

PAIRS = {
    Fold.WHITESPACE: [
        ("net\tsales", "net sales"),
        ("net\n  sales", "net sales"),
        ("net\u00a0sales", "net sales"),
        ("net\u2009sales", "net sales"),
        ("net\u3000sales", "net sales"),
        ("net\u2000sales", "net sales"),
    ],
    Fold.LINE_END_HYPHEN: [
        ("the reser-\nvoir level", "the reservoir level"),
        ("the reser\u2010\nvoir level", "the reservoir level"),
        ("the reser-  \n   voir level", "the reservoir level"),
    ],
    Fold.SOFT_HYPHENS: [
        ("reser\u00advoir", "reservoir"),
        ("reser\u00ad\nvoir", "reservoir"),
        ("reser\ufffevoir", "reservoir"),
        ("reser\u0002voir", "reservoir"),
    ],
    Fold.ZERO_WIDTH: [
        ("net\u200bsales", "netsales"),
        ("\ufeffnet sales", "net sales"),
        ("net\u2060 sales", "net sales"),
        ("\u202anet sales\u202c", "net sales"),
    ],
    Fold.LIGATURES: [
        ("a speci\ufb01c sta\ufb00 work\ufb02ow", "a specific staff workflow"),
        ("o\ufb03ce ba\ufb04e", "office baffle"),
        ("fa\ufb05 fa\ufb06", "fast fast"),
    ],
    Fold.QUOTES: [
        ("the \u201cCompany\u201d", 'the "Company"'),
        ("the \u201eCompany\u201f", 'the "Company"'),
        ("the \u00abCompany\u00bb", 'the "Company"'),
        ("the lessee\u2019s", "the lessee's"),
        ("the lessee\u2032s", "the lessee's"),
        ("the lessee`s", "the lessee's"),
    ],
    Fold.DASHES: [
        ("2019\u20132020", "2019-2020"),
        ("2019\u20142020", "2019-2020"),
        ("\u22125.1", "-5.1"),
        ("long\u2011term", "long-term"),
    ],
    Fold.ELLIPSIS: [("and so on\u2026", "and so on...")],
    Fold.FULL_WIDTH: [
        ("\uff11\uff12\uff13", "123"),
        ("\uff21\uff22\uff23\uff05", "ABC%"),
        ("\uff081\uff09", "(1)"),
    ],
    Fold.COMPATIBILITY: [
        ("\U0001d7cf\U0001d7d0 \U0001d400", "12 A"),
        ("\u2f00", "\u4e00"),
        ("\uff76", "\u30ab"),
    ],
    Fold.PRESENTATION_FORMS: [("\ufedf\ufe8e", "\u0644\u0627"), ("\ufefb", "\u0644\u0627")],
    Fold.COMPOSITION: [
        ("Zu\u0308rich", "Zürich"),
        ("Vie\u0323\u0302t", "Việt"),
        ("300 \u212a", "300 K"),
        ("\uf900", "\u8c48"),
    ],
    Fold.HAN_SPACING: [("营 业 收入", "营业收入"), ("売 上\n高", "売上高")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "raw", "plain"),
    [(kind, raw, plain) for kind, pairs in PAIRS.items() for raw, plain in pairs],
    ids=ascii,
)
def test_a_pair_that_needs_one_fold_is_equal_under_it_and_names_it(
    kind: Fold, raw: str, plain: str
) -> None:
    """And no other; without that fold the two differ. It does not matter which side has it."""
    assert fold(raw).text == fold(plain).text
    assert needed_folds(raw, plain) == (kind,)
    assert needed_folds(plain, raw) == (kind,)
    alone = frozenset({kind})
    assert fold(raw, without=alone).text != fold(plain, without=alone).text


def test_every_fold_has_such_a_pair() -> None:
    """All but those that are the verifier's: spaces compared gap by gap, markers stepped over."""
    verifiers = {*FOLD_GROUPS["editorial"], Fold.SPACING, Fold.FOOTNOTE_MARKERS, Fold.BULLETS}
    assert set(Fold) - set(PAIRS) == verifiers | {Fold.MISSING_CHARACTER, Fold.DOUBLED_GLYPHS}


def test_every_fold_is_in_one_group() -> None:
    """The groups part the folds."""
    assert sorted(f for group in FOLD_GROUPS.values() for f in group) == sorted(Fold)
    assert fold_groups([Fold.MARKDOWN, Fold.QUOTES]) == ["typography", "editorial"]


def test_several_folds_are_all_named() -> None:
    raw = "\u201cThe \ufb01rst reser-\nvoir\u2019s level\u201d"
    plain = '"The first reservoir\'s level"'
    assert needed_folds(raw, plain) == (Fold.LINE_END_HYPHEN, Fold.LIGATURES, Fold.QUOTES)


def test_a_fold_is_named_although_another_one_has_to_make_way_for_it() -> None:
    """A soft hyphen stands beside the space between two Han characters."""
    assert needed_folds("漢 \u00ad字", "漢字") == (Fold.SOFT_HYPHENS, Fold.HAN_SPACING)


def test_equal_texts_need_no_fold_whatever_is_in_them() -> None:
    assert needed_folds("a\u00a0\ufb01\u2026", "a\u00a0\ufb01\u2026") == ()


def test_a_character_that_takes_two_folds_names_both() -> None:
    """The full-width grave accent is a full-width character, and then a quote."""
    assert fold("it\uff40s").text == "it's"
    assert needed_folds("it\uff40s", "it's") == (Fold.QUOTES, Fold.FULL_WIDTH)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("83.4\u00b9", "83.41"),
        ("83.4\u00b9", "83.4"),
        ("10\u00b2", "102"),
        ("x\u2082", "x2"),
        ("\u2460", "1"),
        ("\u00bd", "1/2"),
        ("\u2167", "VIII"),
        ("\u0661", "1"),
        ("\u338f", "kg"),
        ("\u2122", "TM"),
        ("\u0153uvre", "oeuvre"),
        ("\u00e6on", "aeon"),
        ("stra\u00dfe", "strasse"),
        ("\u00e9tat", "etat"),
        ("\u0130", "I"),
        ("Net Sales", "net sales"),
        ("-5", "5"),
        ("\u22125", "5"),
        ("(5)", "5"),
        ("+5", "5"),
        ("\u00b15", "5"),
        ("5%", "5"),
        ("1,000", "1000"),
        ("1.000", "1,000"),
        ("1\u202f000", "1000"),
        ("3 4", "34"),
        ("3\n4", "34"),
        ("3-\n4", "34"),
        ("A\u0430", "Aa"),
        ("no!", "no"),
        ("a/b", "ab"),
        ("a-b", "ab"),
        ("net sales", "netsales"),
        ("( a )", "(a)"),
        ("营业 income", "营业income"),
    ],
    ids=ascii,
)
def test_what_may_mean_something_else_is_never_folded_together(one: str, other: str) -> None:
    """Not NFKC: a raised footnote mark is no digit. Not case, not signs, not digits, not words."""
    assert fold(one).text != fold(other).text


@given(st.text(st.characters(categories=["No", "Nl"]), min_size=1, max_size=8))
def test_raised_digits_fractions_and_circled_numbers_stay_as_they_are(text: str) -> None:
    assert fold(text).text == text


@given(st.text(st.characters(categories=["Lu", "Ll", "Nd"], exclude_characters="\ufb00\ufb01\ufb02"
                             "\ufb03\ufb04\ufb05\ufb06"), max_size=12))  # fmt: skip
def test_letters_and_digits_keep_their_identity(text: str) -> None:
    """What comes out is canonically equivalent to what goes in, or was another form of it by the
    tables."""
    text = "".join(unicodedata.normalize("NFKC", c) if ord(c) in TABLED else c for c in text)
    half = "".join(chr(ord(c) - 0xFEE0) if "\uff01" <= c <= "\uff5e" else c for c in text)
    wanted = unicodedata.normalize("NFC", half)
    assert unicodedata.normalize("NFC", fold(text).text) == wanted


TABLED = {*range(0x1D400, 0x1D800), *range(0x2E80, 0x2FD6), *range(0xFF66, 0xFF9E)}
"""Mathematical letters, radicals, half-width kana."""


class TestLineEnds:
    """A hyphen at a line's end may be typesetting or spelling."""

    def test_a_break_inside_a_word_is_closed_and_its_place_noted(self) -> None:
        folded = fold("A mild winter lifted the reser-\nvoir level")
        assert folded.text == "A mild winter lifted the reservoir level"
        assert folded.hyphens == (30,)
        assert folded.to_raw(25, 34) == (25, 36)

    def test_a_hyphen_that_may_be_spelling_is_dropped_as_well_and_noted(self) -> None:
        """So that whoever compares can tell "northwest" from "north-west"."""
        folded = fold("the north-\nwest basin")
        assert folded.text == "the northwest basin"
        assert folded.hyphens == (9,)

    @pytest.mark.parametrize("raw", ["non-\nGAAP", "non-\n  GAAP", "non\u2010\nGAAP"])
    def test_a_capital_after_the_break_keeps_the_hyphen(self, raw: str) -> None:
        folded = fold(raw)
        assert folded.text == "non-GAAP"
        assert folded.hyphens == ()

    @pytest.mark.parametrize("raw", ["2019-\n2020", "5-\nyear", "level -\nhigh", "reser-"])
    def test_a_hyphen_that_is_not_between_letters_stays(self, raw: str) -> None:
        assert fold(raw).text == raw.replace("\n", " ")

    def test_other_things_that_vanish_are_not_noted_as_hyphens(self) -> None:
        folded = fold("net\u200bto, 漢 字")
        assert folded.text == "netto, 漢字"
        assert folded.hyphens == ()

    def test_soft_hyphens_vanish_before_capitals_too(self) -> None:
        """They are never spelling."""
        assert fold("Mc\u00ad\nDonald").text == "McDonald"

    def test_a_soft_hyphen_between_digits_does_not_join_two_lines(self) -> None:
        assert fold("1\u00ad\n2").text == "1 2"


class TestWayBack:
    """From folded offsets to raw ones."""

    def test_the_letters_of_a_ligature_are_one_raw_glyph(self) -> None:
        folded = fold("o\ufb03ce")
        assert folded.text == "office"
        assert folded.to_raw(0, 6) == (0, 4)
        for start, end in ((1, 2), (2, 3), (3, 4), (1, 4)):
            assert folded.to_raw(start, end) == (1, 2)

    def test_a_run_of_white_space_comes_whole(self) -> None:
        folded = fold("net  \n\u00a0 sales")
        assert folded.text == "net sales"
        assert folded.to_raw(3, 4) == (3, 8)
        assert folded.to_raw(4, 9) == (8, 13)

    def test_what_vanished_at_the_edge_of_a_range_is_not_part_of_it(self) -> None:
        folded = fold("\u200bnet\u00adto\u200b")
        assert folded.text == "netto"
        assert folded.to_raw(0, 3) == (1, 4)
        assert folded.to_raw(0, 5) == (1, 7)

    def test_a_letter_brings_its_marks(self) -> None:
        folded = fold("Zu\u0308rich")
        assert folded.text == "Zürich"
        assert folded.to_raw(1, 2) == (1, 3)

    def test_plain_text_maps_to_itself(self) -> None:
        folded = fold("Net sales rose.")
        assert folded.to_raw(4, 9) == (4, 9)

    def test_the_full_stops_of_an_ellipsis_are_one_character(self) -> None:
        assert fold("a\u2026b").to_raw(2, 3) == (1, 2)


# Pieces as they come from pages; a combining mark never comes without its letter.
_PIECES = st.lists(
    st.sampled_from(
        ["a", "Bc", "é", "e\u0301", "o\u0302\u0323", "1", "23", "４", "Ａ", "¹", "½",
         "漢", "字", "か", "\uf900", "œ", "ß", "İ", "а", "\u212a", "\u2126", "\U0001d11e",
         " ", "  ", "\n", "\t", "\u00a0", "\u2000", "\u3000", "-", "-\n", "\u2010\n",
         "\u2013", "\u2212", "\u00ad", "\u00ad\n", "\ufffe", "\u0002", "\u200b", "\u2060",
         "\ufeff", "\ufb01", "\ufb04", "\u2026", "\u2019", "\u201c", "\uff40", "\u1fef",
         ".", ",", "(", "%"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@given(_PIECES)
def test_folding_what_is_folded_changes_nothing(raw: str) -> None:
    once = fold(raw).text
    assert fold(once).text == once


@given(_PIECES)
def test_the_way_back_is_monotone_and_stays_inside(raw: str) -> None:
    folded = fold(raw)
    ranges = [folded.to_raw(at, at + 1) for at in range(len(folded.text))]
    assert all(0 <= start < end <= len(raw) for start, end in ranges)
    assert ranges == sorted(ranges)
    for (start, end), (after, _) in pairwise(ranges):
        assert after >= end or after == start, "two characters share their whole range or none"


@given(_PIECES, st.data())
def test_a_folded_range_is_found_again_in_its_raw_range(raw: str, data: st.DataObject) -> None:
    """Folded in its surroundings: whether a hyphen or a space is dropped depends on what stands
    beside it."""
    folded = fold(raw)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    at, to = folded.to_raw(start, end)
    assert folded.to_raw(start, end) == (
        folded.to_raw(start, start + 1)[0],
        folded.to_raw(end - 1, end)[1],
    )
    kept = "".join(
        folded.text[i]
        for i in range(len(folded.text))
        if at <= folded.to_raw(i, i + 1)[0] and folded.to_raw(i, i + 1)[1] <= to
    )
    assert folded.text[start:end] in kept
    inside = fold("".join(raw[max(0, at - 1) : to + 1])).text
    assert folded.text[start:end] in inside


@given(_PIECES)
def test_nothing_but_white_space_hyphens_and_invisible_characters_vanishes(raw: str) -> None:
    """Every other raw character lies in the range of some folded one."""
    folded = fold(raw)
    covered: set[int] = set()
    for at in range(len(folded.text)):
        covered.update(range(*folded.to_raw(at, at + 1)))
    gone = {raw[at] for at in range(len(raw)) if at not in covered}
    assert gone <= set(" \n\t\u00a0\u2000\u3000-\u2010\u00ad\ufffe\u0002\u200b\u2060\ufeff")


@given(_PIECES)
def test_the_folds_that_are_named_are_enough_to_make_two_texts_equal(raw: str) -> None:
    """A report that lists the folds of a match leaves none out."""
    plain = fold(raw).text
    needed = needed_folds(raw, plain)
    assert (needed == ()) == (raw == plain)
    others = frozenset(Fold) - set(needed)
    assert fold(raw, others).text.strip() == fold(plain, others).text.strip()


@pytest.mark.parametrize(
    ("raw", "index", "place"),
    [
        ("a\nb", 1, 1),
        ("a \n b", 2, 1),
        ("a \n b", 4, 2),
        ("o\ufb03ce", 1, 1),
        ("o\ufb03ce", 2, 4),
        ("co-\nop", 3, 2),
        ("ab", 1, 1),
    ],
)
def test_every_raw_character_has_a_place_in_the_folded_text(
    raw: str, index: int, place: int
) -> None:
    """The one that it became or is part of; one that left nothing has the next one's."""
    assert fold(raw).place_of(index) == place
