"""Quotes that are not where they are cited: why, and what stands there instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import covered_text, plain, r9, r9_twin, r10, r14, running_header_footer
from pdf_writer import WHITE, Pdf
from reading import GROUNDED, Shelf, boxes, folds, quote, report, verdict, word_box
from typed_pages import MISMATCH, typed

from grounding.geometry import Box
from grounding.store import StoredSource
from verifier import Check, VerificationConfig


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def cited(shelf: Shelf, text: str, rules: Any = "default", **citation: Any) -> Check:
    """The check of a quote that cites the mill's book, with the whole store at hand."""
    claim = {"kind": "quote", "text": text, "citation": citation}
    return report(shelf.reader, [claim], rules, document="mill")["checks"][0]


# In another place


QUARRY = "The southern quarry opens in early spring."
SONG = "The carters sing on Sunday evenings."


@pytest.fixture
def library(shelf: Shelf) -> Shelf:
    """The mill's book of two pages, and the quarry's of one; a song is in both."""
    shelf.put(plain(["The mill pays a toll of nine crowns."], [SONG]), "mill.pdf")
    shelf.put(plain([QUARRY, SONG]), "quarry.pdf")
    return shelf


def test_a_quote_in_another_document_is_named_with_its_place(library: Shelf) -> None:
    """It is not grounded; cited there it is."""
    made = cited(library, QUARRY, page=1)
    assert verdict(made) == ("mismatch", "quote_in_other_document")
    (found,) = made["found_elsewhere"]
    other = library.reader.open("quarry")
    box = word_box(other, QUARRY).as_list()
    assert found == {"document": "quarry", "page": 1, "bbox": box, "text": QUARRY}
    assert "evidence" not in made
    assert verdict(quote(other, QUARRY, page=1)) == GROUNDED


@pytest.mark.parametrize("citation", [{"page": 1}, {"page": 2}, {}])
def test_another_document_is_looked_at_wherever_the_quote_is_cited(
    library: Shelf, citation: dict[str, int]
) -> None:
    assert cited(library, QUARRY, **citation)["reason"] == "quote_in_other_document"


@pytest.mark.parametrize(
    "wrong",
    [
        QUARRY.replace("early", "late"),
        QUARRY.replace("opens", "never opens"),
        "quarry opens ... The southern quarry",
        "southern quarry opens in early springs",
    ],
)
def test_a_quote_that_no_document_has_is_in_none(library: Shelf, wrong: str) -> None:
    """Words alone do not lead to another document."""
    made = cited(library, wrong, page=1)
    assert verdict(made) == MISMATCH
    assert "found_elsewhere" not in made


@pytest.mark.parametrize(
    "text",
    [
        f"\u201c{QUARRY}\u201d",
        "the southern quarry opens ... early spring",
        "**southern quarry** opens in early spring",
    ],
    ids=ascii,
)
def test_a_tidied_quote_is_found_in_another_document_too(library: Shelf, text: str) -> None:
    assert cited(library, text, page=1)["reason"] == "quote_in_other_document"


def test_the_own_document_comes_before_others(library: Shelf) -> None:
    """A song that both have stands on another page."""
    made = cited(library, SONG, page=1)
    assert verdict(made) == ("mismatch", "quote_on_other_page")
    assert [(f["page"], f.get("document")) for f in made["found_elsewhere"]] == [(2, None)]
    assert verdict(cited(library, SONG, page=2)) == GROUNDED
    own_only = VerificationConfig(search_elsewhere=False, search_other_documents=False)
    made = cited(library, SONG, own_only, page=1)
    assert (verdict(made), "found_elsewhere" in made) == (MISMATCH, False)


def test_looking_in_other_documents_can_be_switched_off(library: Shelf) -> None:
    """Other pages are still looked at."""
    blind = VerificationConfig(search_other_documents=False)
    made = cited(library, QUARRY, blind, page=1)
    assert verdict(made) == MISMATCH
    assert "found_elsewhere" not in made
    assert cited(library, SONG, blind, page=1)["reason"] == "quote_on_other_page"


def test_an_older_version_is_no_other_document(library: Shelf) -> None:
    """What the mill's book used to say is not said any more."""
    library.put(plain(["The mill pays a toll of seven crowns."]), "mill.pdf")
    made = cited(library, "The mill pays a toll of nine crowns.", page=1)
    assert verdict(made) == MISMATCH
    assert verdict(cited(library, "The mill pays a toll of seven crowns.", page=1)) == GROUNDED


def test_hidden_text_of_another_document_is_not_found(library: Shelf) -> None:
    library.put(r14(), "grant.pdf")
    assert verdict(cited(library, "Grant ceiling: 9,999 EUR", page=1)) == MISMATCH
    seen = cited(library, "Grant ceiling: 76,500 EUR", page=1)
    assert verdict(seen) == ("mismatch", "quote_in_other_document")


def test_places_in_other_documents_are_limited(library: Shelf) -> None:
    for name in ("pier", "dock", "weir"):
        library.put(plain([QUARRY, f"This is the book of the {name}."]), f"{name}.pdf")
    made = cited(library, QUARRY, VerificationConfig(max_found_elsewhere=2), page=1)
    assert len(made["found_elsewhere"]) == 2
    assert len(cited(library, QUARRY, page=1)["found_elsewhere"]) == 4


def test_a_limit_of_places_does_not_change_the_reason(library: Shelf) -> None:
    none = VerificationConfig(max_found_elsewhere=0)
    assert cited(library, SONG, none, page=1)["reason"] == "quote_on_other_page"
    assert cited(library, QUARRY, none, page=1)["reason"] == "quote_in_other_document"


# Read across columns


def test_lines_read_across_two_columns_are_named_so(shelf: Shelf) -> None:
    """The evidence shows both pieces, in the columns that they stand in."""
    source = shelf.put(r9())
    made = quote(source, "authority approved after the autumn survey", page=1)
    assert verdict(made) == ("mismatch", "quote_interleaved")
    assert [box[0] > 30_000 for _, box in boxes(made)] == [False, True]
    down = quote(source, "authority approved the new dredging programme", page=1)
    assert verdict(down) == GROUNDED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("authority approved after the autumn survey had the new dredging", "quote_interleaved"),
        ("the new dredging programme found silt", "quote_interleaved"),
        ("authority approved after the winter survey", "text_mismatch"),
        ("authority approved found silt in the main channel", "text_mismatch"),
        ("dredging programme after the harbour authority", "text_mismatch"),
    ],
)
def test_only_lines_side_by_side_are_called_interleaved(
    shelf: Shelf, text: str, reason: str
) -> None:
    assert verdict(quote(shelf.put(r9()), text, page=1)) == ("mismatch", reason)


def test_rows_of_a_table_are_not_interleaved(shelf: Shelf) -> None:
    """The same places, ruled: a row is read across and not down."""
    source = shelf.put(r9_twin())
    assert verdict(quote(source, "Vessel class Draught limit", page=1)) == GROUNDED
    assert quote(source, "Draught limit 6.5 metres", page=1)["status"] == "mismatch"


# The nearest text


MILL = "The Harbour Mill may not sell its 45 looms before the spring fair."


@pytest.mark.parametrize(
    ("right", "claim", "source", "kind"),
    [
        ("45", "54", "45", "number"),
        ("45", "forty", "45", "number"),
        ("45", "45%", "%", "number"),
        ("may not sell", "may now sell", "not", "negation"),
        ("may not sell", "may never sell", "not", "negation"),
        ("Harbour Mill", "Arbour Mill", "Harbour", "name"),
        ("Harbour", "Village", "Harbour", "name"),
        ("looms", "looms,", ",", "punctuation"),
        ("spring", "sprign", "spring", "spelling"),
        ("before", "befor", "before", "spelling"),
        ("looms", "wagons", "looms", "wording"),
    ],
)
def test_the_nearest_text_says_of_which_kind_a_difference_is(
    shelf: Shelf, right: str, claim: str, source: str, kind: str
) -> None:
    """With the source's own words, and where they stand."""
    opened = typed(shelf, MILL)
    made = quote(opened, MILL.replace(right, claim), page=1)
    assert verdict(made) == MISMATCH
    nearest = made["nearest"]
    assert (nearest["page"], nearest["text"]) == (1, MILL)
    assert nearest["bbox"] == word_box(opened, MILL).as_list()
    assert 90 <= nearest["similarity"] < 100
    (difference,) = nearest["differences"]
    assert difference["kind"] == kind
    assert source in (difference["source"], difference["claim"])


@pytest.mark.parametrize(
    ("right", "claim"), [("45", "forty"), ("looms", "looms,"), ("sell its 45 looms", "sell looms")]
)
def test_the_nearest_text_is_the_sentence_and_nothing_beside_it(
    shelf: Shelf, right: str, claim: str
) -> None:
    opened = typed(shelf, f"The weavers are paid.\n{MILL}\nThe carters came.")
    made = quote(opened, MILL.replace(right, claim), page=1)
    assert made["nearest"]["text"] == MILL
    assert len(made["nearest"]["differences"]) == 1


@pytest.mark.parametrize(
    ("source", "claim", "kind"),
    [
        (
            "The level of -5 fathoms is known here.",
            "The level of 5 fathoms is known here.",
            "number",
        ),
        ("They cannot sell the old looms here.", "They can sell the old looms here.", "negation"),
        (
            "They hardly sell the old looms here.",
            "They firmly sell the old looms here.",
            "negation",
        ),
    ],
)
def test_a_sign_is_of_a_number_and_cannot_denies(
    shelf: Shelf, source: str, claim: str, kind: str
) -> None:
    made = quote(typed(shelf, source), claim, page=1)
    assert verdict(made)[0] == "mismatch"
    assert [d["kind"] for d in made["nearest"]["differences"]] == [kind]


def test_several_differences_stand_in_order(shelf: Shelf) -> None:
    """Each by itself; none of them is typography."""
    claim = MILL.replace("45", "54").replace("Harbour", "Castle").replace("fair.", "market.")
    made = quote(typed(shelf, MILL), claim, page=1)
    assert made["nearest"]["differences"] == [
        {"claim": "Castle", "source": "Harbour", "kind": "name"},
        {"claim": "54", "source": "45", "kind": "number"},
        {"claim": "market", "source": "fair", "kind": "wording"},
    ]


@pytest.mark.parametrize("text", ["Zebras quietly eat yoghurt.", "fathoms knots"])
def test_where_nothing_is_like_a_quote_nothing_is_shown(shelf: Shelf, text: str) -> None:
    assert "nearest" not in quote(typed(shelf, MILL), text, page=1)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (MILL, MILL.replace("not ", "")),
        ("The hands are not paid. Carters came.", "The hands are paid. Carters came."),
        (
            "Representatives of it never sell to representatives.",
            "Representatives of it sell to representatives.",
        ),
        (
            "Representatives work without looms of representatives.",
            "Representatives work looms of representatives.",
        ),
        ("Guildsmen only weave silk hangings.", "Guildsmen weave silk hangings."),
        ("Guildsmen weave unless they celebrate.", "Guildsmen weave they celebrate."),
    ],
)
def test_a_quote_that_only_lacks_a_word_that_denies_says_so(
    shelf: Shelf, source: str, claim: str
) -> None:
    """The text with the word is shown as the nearest; with it the quote is grounded."""
    opened = typed(shelf, source)
    made = quote(opened, claim, page=1)
    assert verdict(made) == ("mismatch", "negation_dropped")
    assert [d["kind"] for d in made["nearest"]["differences"]] == ["negation"]
    assert verdict(quote(opened, source, page=1)) == GROUNDED


@pytest.mark.parametrize(
    "claim",
    [
        MILL.replace("not ", "now "),
        MILL.replace("Harbour ", ""),
        MILL.replace("not ", "").replace("looms", "wagons"),
        MILL.replace("not ", "not never "),
        MILL.replace("may not", "not may"),
    ],
)
def test_other_differences_are_no_dropped_negation(shelf: Shelf, claim: str) -> None:
    """A word is changed, another one is lacking, or one is too many."""
    assert verdict(quote(typed(shelf, MILL), claim, page=1)) == MISMATCH


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (MILL, MILL.replace("not ", "")[:-1]),
        ("Mill hands are not paid.", "Mill hands are paid."),
        ("The mill never sells looms in summer.", "The mill sells looms in summer."),
        ("At dusk it works without its weavers.", "At dusk it works its weavers."),
        ("They cannot sell the old looms at dusk.", "They can sell the old looms at dusk."),
        ("They don\u2019t sell the old looms at dusk.", "They do sell the old looms at dusk."),
    ],
    ids=ascii,
)
def test_a_dropped_negation_is_named_however_the_quote_ends(
    shelf: Shelf, source: str, claim: str
) -> None:
    """A quote without its last stop, a short one, a negation that is part of a word."""
    assert verdict(quote(typed(shelf, source), claim, page=1)) == ("mismatch", "negation_dropped")


# Hidden


@pytest.mark.parametrize(
    ("draw", "hidden", "seen"),
    [
        (r14, "Grant ceiling: 9,999 EUR", "Grant ceiling: 76,500 EUR"),
        (r14, "**Grant ceiling: 3 EUR**", "**Grant ceiling: 76,500 EUR**"),
        (r14, "ceiling: 76,500 EUR Grant ceiling: 3 EUR", "ceiling: 76,500 EUR"),
        (covered_text, "Covered sum 4,100", "Open sum 5,200"),
    ],
)
def test_a_quote_that_needs_unseen_text_is_hidden(
    shelf: Shelf, draw: Callable[[], bytes], hidden: str, seen: str
) -> None:
    """Cited by page or not; what says something else is not there at all."""
    source = shelf.put(draw())
    for made in (quote(source, hidden, page=1), quote(source, hidden)):
        assert verdict(made) == ("mismatch", "hidden_text")
        assert made["evidence"]["regions"]
        assert "match" not in made
    assert verdict(quote(source, seen, page=1)) == GROUNDED
    assert verdict(quote(source, "Grant ceiling: 99,999 EUR", page=1)) == MISMATCH


def test_hidden_text_of_another_page_is_found_nowhere(shelf: Shelf) -> None:
    """Nobody sees it: it is no other place of the quote."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "The first leaf is bare.")
    page = pdf.page()
    page.text(72, 700, 12, "The second leaf is bare.")
    page.text(72, 680, 12, "The secret bonus is large.", rgb=WHITE)
    source = shelf.put(pdf.to_bytes())
    made = quote(source, "The secret bonus is large.", page=1)
    assert (verdict(made), "found_elsewhere" in made) == (MISMATCH, False)
    assert quote(source, "The secret bonus is large.", page=2)["reason"] == "hidden_text"
    assert quote(source, "The second leaf is bare.", page=1)["reason"] == "quote_on_other_page"


# Over a page break


WATCH = "the helmsman saw the lamp of the outer reef and turned the ship about"


def watch(*, note: bool = False) -> bytes:
    """WATCH over the break of two pages with feet; with a footnote under its first half."""
    pdf = Pdf()
    page = pdf.page()
    for at in range(30):
        page.text(72, 720 - 18 * at, 12, f"Row {at} of the log speaks of wind and of waves.")
    page.text(72, 180, 12, "In the ninth watch the helmsman saw the lamp of the")
    if note:
        x = 72 + page.text(72, 94, 5, "1")
        page.text(x + 1, 90, 8, "Reckoned by the old glass of the mate.")
    page.text(290, 40, 9, "Leaf 1")
    page = pdf.page()
    page.text(72, 720, 12, "outer reef and turned the ship about.")
    for at in range(3):
        page.text(72, 690 - 18 * at, 12, f"Row {at} of the second leaf speaks of calm.")
    page.text(290, 40, 9, "Leaf 2")
    return pdf.to_bytes()


def overlaps(source: StoredSource, made: Check, words: str, page: int) -> bool:
    """Whether some words lie in the evidence's boxes."""
    box = word_box(source, words, page)
    return any(Box(*own).overlap(box) > 0 for number, own in boxes(made) if number == page)


@pytest.mark.parametrize("note", [False, True], ids=["foot", "foot and note"])
@pytest.mark.parametrize("page", [1, 2])
def test_foot_and_note_between_two_pages_are_no_part_of_a_sentence(
    shelf: Shelf, note: bool, page: int
) -> None:
    """The quote is grounded without them, and a twin of it is not."""
    source = shelf.put(watch(note=note))
    made = quote(source, WATCH, page=page)
    assert (verdict(made), folds(made)) == (GROUNDED, ["whitespace"])
    assert [number for number, _ in boxes(made)] == [1, 2]
    assert made["evidence"]["text"].split() == WATCH.split()
    assert not overlaps(source, made, "Leaf 1", 1)
    assert not (note and overlaps(source, made, "Reckoned", 1))
    assert quote(source, WATCH.replace("outer", "inner"), page=page)["status"] == "mismatch"


@pytest.mark.parametrize(
    "wrong",
    [
        WATCH.replace("the outer", "the 1 Reckoned by the old glass of the mate. outer"),
        WATCH.replace("the outer", "the 1 outer"),
        WATCH.replace("the outer", "the Row 0 of the second leaf outer"),
        WATCH.replace("the outer", "the Leaf 2 outer"),
        "outer reef and turned the ship about. the helmsman saw the lamp of the",
    ],
)
def test_nothing_else_is_read_into_a_page_break(shelf: Shelf, wrong: str) -> None:
    """Part of a note, another foot, the pages turned about."""
    source = shelf.put(watch(note=True))
    assert verdict(quote(source, wrong, page=1)) == MISMATCH


def test_a_quote_that_was_copied_with_its_foot_is_grounded_with_it(shelf: Shelf) -> None:
    """Then the foot is part of the evidence."""
    source = shelf.put(watch())
    made = quote(source, WATCH.replace("the outer", "the Leaf 1 outer"), page=1)
    assert verdict(made) == GROUNDED
    assert overlaps(source, made, "Leaf 1", 1)
    wrong = WATCH.replace("the outer", "the Leaf 2 outer")
    assert verdict(quote(source, wrong, page=1)) == MISMATCH


def test_foot_and_head_may_both_stand_in_a_copied_quote(shelf: Shelf) -> None:
    """As they are printed, in this order; one of five pages with equal heads."""
    source = shelf.put(running_header_footer())
    between = "Page 1 of 5 Tidewater Trust - Annual Review"
    text = "the first list of volunteers. {} The second chapter tells"
    with_both = quote(source, text.format(between), page=1)
    skipped = quote(source, text.format(""), page=1)
    assert (verdict(with_both), verdict(skipped)) == (GROUNDED, GROUNDED)
    assert overlaps(source, with_both, "Page 1 of 5", 1)
    assert not overlaps(source, skipped, "Page 1 of 5", 1)
    assert not overlaps(source, skipped, "Tidewater Trust", 2)
    listed = [(s["element_kind"], s["page"], s["text"]) for s in skipped["match"]["skipped"]]
    assert listed == [
        ("footer", 1, "Page 1 of 5"),
        ("header", 2, "Tidewater Trust - Annual Review"),
    ]
    assert "skipped" not in with_both["match"]
    for wrong in ("Page 2 of 5 Tidewater Trust - Annual Review", "Tidewater Trust Page 1 of 5"):
        assert verdict(quote(source, text.format(wrong), page=1)) == MISMATCH


def test_half_a_sentence_is_not_on_the_other_page(shelf: Shelf) -> None:
    """Each half alone is grounded on its own page only."""
    source = shelf.put(r10())
    assert verdict(quote(source, "approved the sale of the northern quarry", page=1)) == GROUNDED
    made = quote(source, "approved the sale of the northern quarry", page=2)
    assert verdict(made) == ("mismatch", "quote_on_other_page")
    made = quote(source, "restores the river bank before the end", page=1)
    assert verdict(made) == ("mismatch", "quote_on_other_page")
    assert [found["page"] for found in made["found_elsewhere"]] == [2]


# Too short


@pytest.mark.parametrize(
    ("short", "enough"),
    [
        ("the mill", "the Harbour Mill"),
        ("**the looms**", "**its 45 looms**"),
        ("... the spring ...", "... the spring fair ..."),
        ("may not", "may not sell its 45"),
    ],
)
def test_marks_do_not_lengthen_a_quote(shelf: Shelf, short: str, enough: str) -> None:
    """One word is too short whatever stands around it, and that is no verdict on the source."""
    source = typed(shelf, MILL)
    assert verdict(quote(source, short, page=1)) == ("error", "quote_too_short")
    assert verdict(quote(source, enough, page=1)) == GROUNDED
