"""Quotes with something left out at an ellipsis, or with a letter changed in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import r9, r10
from reading import GROUNDED, Shelf, boxes, quote, report, verdict
from typed_pages import MISMATCH, overlooked, typed, without

from grounding.text import Fold
from verifier import PRESETS, Check, VerificationConfig

LEDGER = (
    "The mill paid the weavers each week. The looms by the north wall stood still for a while."
    " The dyers kept the vats warm. The carters came at dusk."
)
EVERY_FOLD = VerificationConfig(allowed_folds=tuple(Fold))


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def around(gap: str) -> str:
    """A sentence with a gap between its two halves."""
    return f"The mill paid the weavers {gap} and the dyers kept the vats warm."


ELIDED = "The mill paid the weavers ... and the dyers kept the vats warm"


def elided(shelf: Shelf, gap: str) -> Check:
    """The check of a quote that leaves a gap out."""
    return quote(typed(shelf, around(gap)), ELIDED, page=1)


# Which marks, which order


@pytest.mark.parametrize(
    "mark",
    [
        "...",
        "....",
        "\u2026",
        "[...]",
        "[\u2026]",
        "(...)",
        "(\u2026)",
        ". . .",
        ". . . .",
        "[. . .]",
        "[ ... ]",
    ],
    ids=ascii,
)
def test_every_form_of_ellipsis_parts_a_quote(shelf: Shelf, mark: str) -> None:
    """The words on both sides stand there in this order; the words between are not claimed."""
    source = typed(shelf, LEDGER)
    made = quote(source, f"The mill paid the weavers {mark} The dyers kept the vats", page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"ellipsis_gap"}, ["editorial"])
    turned = quote(source, f"The dyers kept the vats {mark} The mill paid the weavers", page=1)
    assert verdict(turned) == MISMATCH
    other = quote(source, f"The mill paid the weavers {mark} The dyers left the vats", page=1)
    assert verdict(other) == MISMATCH


@pytest.mark.parametrize("mark", ["..", "--", "[..]", "[sic]", ", ", "; "])
def test_no_other_mark_stands_for_words(shelf: Shelf, mark: str) -> None:
    text = f"The mill paid the weavers {mark} The dyers kept the vats"
    assert verdict(quote(typed(shelf, LEDGER), text, page=1)) == MISMATCH


def test_fragments_have_regions_of_their_own(shelf: Shelf) -> None:
    """What was left out is in neither the text nor the boxes."""
    source = typed(shelf, LEDGER.replace(". ", ".\n"))
    made = quote(source, "The mill paid the weavers ... The carters came at dusk", page=1)
    assert verdict(made) == GROUNDED
    assert made["evidence"]["text"] == "The mill paid the weavers \u2026 The carters came at dusk"
    assert [box[1] for _, box in boxes(made)] == [7_200, 7_200 + 3 * 1_400]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The mill paid ... each week ... The carters came", True),
        ("The mill paid ... The carters came ... by the north wall", False),
        ("The mill paid the weavers each ... paid the weavers each week", False),
        ("The mill paid ... The mill paid", False),
        ("... the mill ... The carters came ...", True),
        ("The mill paid the wea ... vers each week", False),
        ("The mill paid ... ers came at dusk", False),
    ],
)
def test_fragments_follow_each_other_and_share_no_word(
    shelf: Shelf, text: str, right: bool
) -> None:
    """Each is made of whole words of the source, case and all."""
    made = quote(typed(shelf, LEDGER), text, page=1)
    assert verdict(made) == (GROUNDED if right else MISMATCH)


def test_a_fragment_without_a_telling_word_proves_nothing(shelf: Shelf) -> None:
    """ "The ... it" would stand on every page."""
    source = typed(shelf, LEDGER)
    assert verdict(quote(source, "for a ... kept the vats warm", page=1)) == MISMATCH
    assert quote(source, "The ... by the", page=1)["reason"] == "quote_too_short"
    assert verdict(quote(source, "still ... The dyers kept the vats", page=1)) == GROUNDED


def test_the_nearest_following_fragment_is_taken(shelf: Shelf) -> None:
    """A phrase that stands before and after does not lead the wrong way."""
    source = typed(shelf, "Bread was baked. Salt was sold. Bread was baked. Fish was dried.")
    made = quote(source, "Salt was sold ... Bread was baked", page=1)
    assert (verdict(made), made["match"]["occurrences"]) == (GROUNDED, 1)
    assert verdict(quote(source, "Fish was dried ... Bread was baked", page=1)) == MISMATCH


def test_other_folds_of_fragments_are_named_too(shelf: Shelf) -> None:
    source = typed(shelf, "The mill\u2019s owner paid the weavers each week until dusk came.")
    made = quote(source, "mill's owner paid ... weavers each **week**", page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made)[0] == {"quotes", "ellipsis_gap", "markdown"}
    assert verdict(quote(source, "mills owner paid ... weavers each days", page=1)) == MISMATCH


# How much, and what


@pytest.mark.parametrize(("words", "right"), [(1, True), (40, True), (41, False), (90, False)])
def test_an_ellipsis_stands_for_forty_words(shelf: Shelf, words: int, right: bool) -> None:
    made = elided(shelf, " ".join(["of"] * words))
    assert verdict(made) == (GROUNDED if right else ("mismatch", "quote_gap_too_wide"))


@pytest.mark.parametrize(("characters", "right"), [(398, True), (399, False)])
def test_an_ellipsis_stands_for_four_hundred_characters(
    shelf: Shelf, characters: int, right: bool
) -> None:
    """The spaces at both ends are counted."""
    made = elided(shelf, "m" * characters)
    assert verdict(made) == (GROUNDED if right else ("mismatch", "quote_gap_too_wide"))


def test_gaps_are_measured_one_by_one(shelf: Shelf) -> None:
    """Two gaps of thirty words are two gaps; one of them too wide is enough to fail."""
    wide, narrow = " ".join(["of"] * 45), " ".join(["of"] * 30)
    text = "Bread was baked ... Salt was sold ... Fish was dried"
    good = f"Bread was baked {narrow} Salt was sold {narrow} Fish was dried."
    bad = f"Bread was baked {narrow} Salt was sold {wide} Fish was dried."
    assert verdict(quote(typed(shelf, good), text, page=1)) == GROUNDED
    made = quote(typed(shelf, bad), text, page=1)
    assert verdict(made) == ("mismatch", "quote_gap_too_wide")


@pytest.mark.parametrize(
    "gap",
    [
        "not",
        "never",
        "no longer",
        "nor",
        "neither",
        "without pay",
        "cannot",
        "can't",
        "didn\u2019t",
        "unless asked",
        "except on Sundays",
        "hardly",
        "only",
        "non-resident",
        "failed",
        "refused",
        "was unable",
        "NOT",
        "did\nnot",
        "did no\u00adt",
    ],
    ids=ascii,
)
def test_a_negation_may_not_be_left_out(shelf: Shelf, gap: str) -> None:
    """The reason says so; it wins over any other."""
    assert verdict(elided(shelf, gap)) == ("mismatch", "negation_dropped")


@pytest.mark.parametrize(
    "gap",
    [
        "5",
        "12",
        "5%",
        "\uff15",
        "\U0001d7d3",
        "five",
        "twenty-one",
        "two thirds",
        "half",
        "a dozen",
        "if asked",
        "provided that",
        "subject to notice",
        "until dusk",
        "whether or so",
        "but",
        "may",
        "might",
        "should",
        "about",
        "nearly",
        "more",
        "at least",
        "at most",
        "exceeding",
    ],
    ids=ascii,
)
def test_a_number_or_a_condition_may_not_be_left_out(shelf: Shelf, gap: str) -> None:
    made = elided(shelf, gap)
    assert verdict(made) == (("mismatch", "negation_dropped") if "until" in gap else MISMATCH)


@pytest.mark.parametrize(
    "gap",
    ["each week", "(the old ones)", "of the north", "notably", "in another note", "ifs", "mayor"],
)
def test_words_that_only_look_like_a_condition_may_be_left_out(shelf: Shelf, gap: str) -> None:
    """ "Notably" is no "not"."""
    made = elided(shelf, gap)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"ellipsis_gap"}, ["editorial"])


@pytest.mark.parametrize(
    "gap",
    [
        "rarely",
        "seldom",
        "instead of pay",
        "was prevented from pay",
        "\u00bd",
        "\u216b",
        "zero",
        "once",
        "when asked",
        "in case of need",
        "as long as asked",
        "assuming so",
    ],
    ids=ascii,
)
def test_no_other_words_that_turn_the_meaning_may_be_left_out(shelf: Shelf, gap: str) -> None:
    assert elided(shelf, gap)["status"] == "mismatch"


@pytest.mark.parametrize(
    "text",
    [
        "... paid the weavers each week",
        "paid the weavers each week \u2026",
        "[...] paid the weavers each week. [...]",
    ],
    ids=ascii,
)
def test_an_ellipsis_at_an_end_leaves_nothing_out(shelf: Shelf, text: str) -> None:
    """It is another fold, and can be forbidden alone."""
    source = typed(shelf, LEDGER)
    made = quote(source, text, without(Fold.ELLIPSIS_GAP), page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"omission_marks"}, ["editorial"])
    assert verdict(quote(source, text, without(Fold.OMISSION_MARKS), page=1)) == MISMATCH


def test_an_ellipsis_of_the_source_is_quoted_as_it_stands(shelf: Shelf) -> None:
    """Then nothing is left out."""
    source = typed(shelf, "The mill paid ... and the dyers kept 4 vats warm.")
    made = quote(source, "The mill paid ... and the dyers kept 4 vats", page=1)
    assert (verdict(made), overlooked(made)) == (GROUNDED, (set(), []))
    assert verdict(quote(source, "The mill paid ... vats warm", page=1)) == MISMATCH


# Over columns and pages


def test_fragments_may_stand_on_both_sides_of_a_page_break(shelf: Shelf) -> None:
    """Head and foot between them are nothing that was left out, although they hold numbers."""
    source = shelf.put(r10())
    made = quote(source, "on the condition ... restores the river bank", page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({"whitespace", "ellipsis_gap"}, ["layout", "editorial"])
    assert [page for page, _ in boxes(made)] == [1, 1, 2]
    turned = quote(source, "restores the river bank ... on the condition", page=1)
    assert verdict(turned) == MISMATCH


def test_a_condition_before_a_page_break_may_not_be_left_out(shelf: Shelf) -> None:
    source = shelf.put(r10())
    made = quote(source, "northern quarry ... the buyer restores the river bank", page=1)
    assert verdict(made) == MISMATCH


def test_fragments_follow_the_reading_order_of_columns(shelf: Shelf) -> None:
    source = shelf.put(r9())
    right = quote(source, "authority approved ... after the autumn survey", page=1)
    assert verdict(right) == GROUNDED
    wrong = quote(source, "after the autumn survey ... dredging programme", page=1)
    assert verdict(wrong) == ("mismatch", "quote_interleaved")


# Brackets


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("[T]he looms by the north wall", {"bracketed_change"}),
        ("[t]he looms by the north wall", {"bracketed_change", "first_letter_case"}),
        ("[L]ooms by the north wall", {"bracketed_change", "first_letter_case"}),
    ],
)
def test_a_letter_changed_in_brackets_is_grounded_only_where_the_rules_say(
    shelf: Shelf, text: str, needed: set[str]
) -> None:
    """By default it is shown and not grounded."""
    source = typed(shelf, LEDGER)
    made = quote(source, text, page=1)
    assert verdict(made) == MISMATCH
    assert made["evidence"]["text"].endswith("ooms by the north wall")
    made = quote(source, text, EVERY_FOLD, page=1)
    assert verdict(made) == GROUNDED
    assert overlooked(made) == (needed, ["editorial"])


@pytest.mark.parametrize(
    "wrong",
    [
        "[S]he looms by the north wall",
        "[The] looms by the north wall",
        "The [l]ooms by the north wall",
        "The looms [by] the north wall",
        "The looms by the north [w]all",
        "[t]he looms by the south wall",
        "[T] he looms by the north wall",
    ],
)
def test_brackets_change_no_other_letter_and_no_word(shelf: Shelf, wrong: str) -> None:
    """Whatever the rules allow."""
    source = typed(shelf, LEDGER)
    assert verdict(quote(source, wrong, EVERY_FOLD, page=1)) == MISMATCH


def test_brackets_of_the_source_are_not_dropped(shelf: Shelf) -> None:
    source = typed(shelf, "[T]he looms by the north wall stood still.")
    text = "[T]he looms by the north wall"
    made = quote(source, text, page=1)
    assert (verdict(made), overlooked(made)) == (GROUNDED, (set(), []))
    assert verdict(quote(source, text.replace("[T]", "T"), EVERY_FOLD, page=1)) == MISMATCH


# Rules


@pytest.mark.parametrize(
    ("text", "fold"),
    [
        ("The mill paid the weavers ... The dyers kept the vats", "ellipsis_gap"),
        ("the looms by the north wall", "first_letter_case"),
        ("[T]he looms by the north wall", "bracketed_change"),
    ],
)
def test_the_strict_preset_takes_no_adapted_quote(shelf: Shelf, text: str, fold: str) -> None:
    """Pinned and standing once, it would be grounded but for the fold."""
    source = typed(shelf, LEDGER)
    pin = source.identity.document_fingerprint
    claim = {"kind": "quote", "text": text, "citation": {"page": 1}}
    strict = report(source, [claim], "strict", document_fingerprint=pin)["checks"][0]
    assert verdict(strict) == MISMATCH
    rules = PRESETS["strict"]
    allowed = rules.model_copy(update={"allowed_folds": (*rules.allowed_folds, Fold(fold))})
    made = report(source, [claim], allowed, document_fingerprint=pin)["checks"][0]
    assert verdict(made) == GROUNDED
    assert overlooked(made) == ({fold}, ["editorial"])


def test_the_strict_preset_takes_a_lost_character_for_a_difference(shelf: Shelf) -> None:
    source = typed(shelf, "The \u201cold\u201d mill paid the weavers.")
    pin = source.identity.document_fingerprint
    texts = ("The old mill paid", 'The "old" mill paid', "**The \u201cold\u201d mill paid**")
    claims = [{"kind": "quote", "text": text, "citation": {"page": 1}} for text in texts]
    made = report(source, claims, "strict", document_fingerprint=pin)["checks"]
    assert [verdict(check) for check in made] == [MISMATCH, GROUNDED, GROUNDED]
