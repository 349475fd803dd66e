"""Claims at the edge of what can be asked: half-filled, contradictory, endless, cut short."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from drawn import plain, ruled_table
from pdf_writer import Pdf, text_width
from reading import GROUNDED, OneDocument, Shelf, check, folds, quote, report, value, verdict

from grounding.errors import RequestInvalidError
from grounding.source import GroundingSource
from verifier import PRESETS, Report, parse_requests, verify


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


@pytest.fixture
def dawn(shelf: Shelf) -> GroundingSource:
    return shelf.put(plain(["The works began at dawn.", "The fee is 6.2 EUR."]), "dawn.pdf")


def raw(source: GroundingSource, claim: str) -> Report:
    """The report on a claim given as JSON text."""
    submission = parse_requests(f'{{"document": "dawn", "claims": [{claim}]}}')
    return cast(Report, verify(submission, OneDocument(source), PRESETS["default"]))


# Requests


@pytest.mark.parametrize("kind", ["quote", "presence", "region", "table_cell"])
def test_text_and_value_together_are_refused_where_only_one_is_checked(
    dawn: GroundingSource, kind: str
) -> None:
    """A second wording that nobody looks at would pass for verified."""
    claim = {"kind": kind, "text": "The works began at dawn.", "citation": {"page": 1}}
    with pytest.raises(RequestInvalidError, match="text and value"):
        report(dawn, [{**claim, "value": "6.2"}])
    both = {"kind": "value", "text": "The fee is 6.2 EUR", "value": "6.2", "citation": {"page": 1}}
    assert report(dawn, [both])["all_evidence_grounded"] is True


@pytest.mark.parametrize(
    "space", [{"origin": "bottom-left"}, {"unit": "point"}, {"origin": "top-left"}, {}]
)
def test_a_box_space_without_a_box_is_refused(dawn: GroundingSource, space: dict[str, str]) -> None:
    """Whoever says how to read a box meant to give one."""
    claim: dict[str, Any] = {"kind": "quote", "text": "The works began at dawn."}
    with pytest.raises(RequestInvalidError, match="bbox"):
        report(dawn, [{**claim, "citation": {"page": 1, "bbox_space": space}}])
    cited = {"page": 1, "bbox": [0, 0, 612, 792], "bbox_space": {"unit": "point"}}
    assert report(dawn, [{**claim, "citation": cited}])["all_evidence_grounded"] is True


def test_a_number_as_a_value_is_refused(dawn: GroundingSource) -> None:
    """6.2 may have been 6.20: a value is text, as it was said."""
    with pytest.raises(RequestInvalidError, match=r"claims\.0\.value"):
        raw(dawn, '{"kind": "value", "value": 6.2, "citation": {"page": 1}}')
    with pytest.raises(RequestInvalidError, match=r"claims\.0\.value"):
        raw(dawn, '{"kind": "value", "value": 6, "citation": {"page": 1}}')
    said = raw(dawn, '{"kind": "value", "value": "6.2", "citation": {"page": 1}}')
    assert said["all_evidence_grounded"] is True


@pytest.mark.parametrize("number", ["82.50", "82.5", "1e2", "0.10", "82.500000000000000000001"])
def test_a_coordinate_travels_as_it_was_written(dawn: GroundingSource, number: str) -> None:
    """82.50 in a box comes back as "82.50"."""
    made = raw(
        dawn,
        '{"kind": "quote", "text": "The works began at dawn.", "citation": {"page": 1, "bbox":'
        f' [{number}, 0, 612, 792], "bbox_space": {{"unit": "point"}}}}}}',
    )
    assert made["checks"][0]["claim"]["citation"]["bbox"] == [number, 0, 612, 792]


def test_equal_boxes_written_differently_are_different_requests(dawn: GroundingSource) -> None:
    """The hash of a request is that of what was written."""
    claim = '{"kind": "region", "citation": {"page": 1, "bbox": [%s, 0, 61200, 79200]}}'
    hashes = [raw(dawn, claim % number)["request_sha256"] for number in ("8.50", "8.5", "8.50")]
    assert hashes[0] == hashes[2] != hashes[1]


@pytest.mark.parametrize(
    "page", ["p000\u0661", "p00001", "p1", "P0001", "1", " p0001", "p0001 ", "p0000", "p\u0660001"]
)
def test_a_page_id_is_written_one_way(dawn: GroundingSource, page: str) -> None:
    """Other digits, more zeros or spaces name no page."""
    made = quote(dawn, "The works began at dawn.", page=page)
    assert made["status"] != "grounded"
    assert made["reason"] == "page_not_found"
    assert verdict(quote(dawn, "The works began at dawn.", page="p0001")) == GROUNDED


# Presence and cells


def test_an_empty_place_holds_nothing(dawn: GroundingSource) -> None:
    """A box on blank paper is no evidence of presence; one on a line is."""
    blank = check(dawn, {"kind": "presence"}, page=1, bbox=[40_000, 60_000, 50_000, 70_000])
    assert blank["status"] == "not_found"
    assert verdict(check(dawn, {"kind": "presence"}, page=1, bbox=[0, 0, 61_200, 79_200])) == (
        GROUNDED
    )


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u00a0"])
def test_blank_text_is_not_present(dawn: GroundingSource, text: str) -> None:
    """A claim of presence may leave its text out, but not blank."""
    made = check(dawn, {"kind": "presence", "text": text}, page=1)
    assert verdict(made) == ("error", "missing_required_text")
    assert verdict(check(dawn, {"kind": "presence"}, page=1)) == GROUNDED


@pytest.mark.parametrize("around", [{"prefix": "The works"}, {"suffix": "at dawn"}])
def test_words_around_nothing_are_an_error(dawn: GroundingSource, around: dict[str, str]) -> None:
    """A prefix or suffix without text would be looked at by nobody."""
    made = check(dawn, {"kind": "presence"}, page=1, **around)
    assert verdict(made) == ("error", "missing_required_text")
    text = {"kind": "presence", "text": "began"}
    assert verdict(check(dawn, text, page=1, prefix="The works", suffix="at dawn")) == GROUNDED
    assert check(dawn, text, page=1, prefix="The walks")["status"] != "grounded"


def test_a_cell_is_not_grounded_behind_words_that_do_not_stand_before_it(shelf: Shelf) -> None:
    """The cell is right and the prefix is not there; with the right prefix it is grounded."""
    source = shelf.put(ruled_table())
    (table,) = source.tables(1)
    cell = next(c for c in table.cells if c.row == 1 and c.col == 1)
    before = next(c for c in table.cells if c.row == 1 and c.col == 0)
    claim = {"kind": "table_cell", "text": cell.text}
    where: dict[str, Any] = {"table_id": table.id, "cell": {"row": 1, "col": 1}}
    assert verdict(check(source, claim, **where)) == GROUNDED
    assert verdict(check(source, claim, **where, prefix=before.text)) == GROUNDED
    assert check(source, claim, **where, prefix="No such words")["status"] == "mismatch"
    assert check(source, claim, **where, suffix="No such words")["status"] == "mismatch"


# Hyphens, ratings, line ends


@pytest.mark.parametrize(
    ("lines", "right", "wrong"),
    [
        (("Members un-", "- able to pay were heard."), ("to pay were heard",),
         ("Members unable to pay", "unable to pay were heard")),
        (("Members un-", "able to pay were heard."),
         ("Members unable to pay", "Members un-able to pay"), ("able to pay were heard",)),
        (("The bonds are rated A-/B", "by two agencies."), ("bonds are rated A-/B by two",),
         ("bonds are rated AB by two", "bonds are rated A/B by two")),
        (("The bonds are rated A-", "/B by two agencies."), (),
         ("bonds are rated AB by two", "bonds are rated A/B by two")),
        (("The bonds are rated A-/", "B by two agencies."), (),
         ("bonds are rated AB by two", "bonds are rated A/B by two")),
        (("The deed was re - signed in May.",), ("deed was re - signed in May",),
         ("deed was re-signed in May", "deed was resigned in May")),
        (("The deed was re-signed in May.",), ("deed was re-signed in May",),
         ("deed was re - signed in May", "deed was resigned in May")),
    ],
)  # fmt: skip
def test_hyphens_and_slashes_keep_words_what_they_are(
    shelf: Shelf, lines: tuple[str, ...], right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    """Only a hyphen at a line's end may vanish, and only inside one word."""
    source = shelf.put(plain(list(lines)))
    for text in right:
        assert verdict(quote(source, text, page=1)) == GROUNDED, text
    for text in wrong:
        assert quote(source, text, page=1)["status"] == "mismatch", text


@pytest.mark.parametrize(
    ("text", "grounded"),
    [
        ("Total assets $11,258 $12,277", True),
        ("Total assets $ 11,258 $ 12,277", True),
        ("Total assets $11,258 $12,278", False),
        ("Total assets $11,25812,277", False),
        ("Total assets $11,258 12,277", False),
        ("Total assets $12,277 $11,258", False),
    ],
)
def test_spaces_behind_currency_signs_are_typography(
    shelf: Shelf, text: str, grounded: bool
) -> None:
    """A printed row "$ 11,258 $ 12,277" is "$11,258 $12,277"."""
    source = shelf.put(plain(["Total assets $ 11,258 $ 12,277"]))
    made = quote(source, text, page=1)
    assert made["status"] == ("grounded" if grounded else "mismatch")


def test_a_quote_that_steps_over_a_footnote_marker_says_so(shelf: Shelf) -> None:
    """The raised 2 is left out of the quote, and the report names it."""
    x = 72 + text_width("Helvetica", 12, "The harbour fee")
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, 12, "The harbour fee")
    page.text(x, 704.5, 7, "2")
    page.text(x + text_width("Helvetica", 7, "2"), 700, 12, " is paid every May.")
    source = shelf.put(pdf.to_bytes())
    over = quote(source, "The harbour fee is paid every May", page=1)
    assert verdict(over) == GROUNDED
    assert "footnote_markers" in folds(over)
    beside = quote(source, "is paid every May", page=1)
    assert verdict(beside) == GROUNDED
    assert "footnote_markers" not in folds(beside)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Sales were $5.6 million", "Sales were $5.6"),
        ("A loss of 3 billion", "A loss of 3"),
    ],
)
def test_a_quote_may_not_leave_a_scale_word_behind(shelf: Shelf, right: str, wrong: str) -> None:
    """ "$5.6" of "$5.6 million" is another amount."""
    source = shelf.put(
        plain(["Sales were $5.6 million in May. A loss of 3 billion francs was feared."])
    )
    assert verdict(quote(source, right, page=1)) == GROUNDED
    assert quote(source, wrong, page=1)["status"] == "mismatch"


# Endless texts: an answer, whatever they are made of


ANSWERS = {"text_mismatch", "value_mismatch", "limit_exceeded", "quote_too_short"}


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("a" * 80, " ".join(["a" * 75] * 2)),
        ("a1 " * 40, " ".join(["a1" * 75] * 2)),
        ("reservoir level " * 5, "reservoir level " * 100 + "rose"),
        ("reservoir level " * 5, "reservoir levels " * 100),
        ("The works began at dawn.", "The works" + "\u0301" * 5_000 + " began"),
        ("1,234.50 " * 9, "1,234.50 " * 4_000),
        ("1,234.50 " * 9, "1,234.51 " * 4_000),
    ],
    ids=["long words", "single letters", "one word more", "other words", "marks", "numbers",
         "other numbers"],
)  # fmt: skip
def test_an_endless_quote_is_answered(shelf: Shelf, line: str, text: str) -> None:
    """Not there, or too much to look at: never grounded, and never without an end."""
    source = shelf.put(plain([line] * 38, [line] * 38))
    for citation in ({"page": 1}, {}):
        made = quote(source, text, **citation)
        assert made["status"] in ("mismatch", "not_found", "error")
        assert made["reason"] in ANSWERS


@pytest.mark.timeout(20)
def test_a_long_quote_that_stands_there_is_grounded(shelf: Shelf) -> None:
    """Length alone is no reason to refuse."""
    line = "reservoir level " * 5
    source = shelf.put(plain([line] * 38))
    assert verdict(quote(source, "reservoir level " * 100, page=1)) == GROUNDED


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text", ["1" + " 000" * 2_000, "1" + ",000" * 2_000, "9" * 5_000, "(" * 3_000 + "1"]
)
def test_an_endless_value_is_answered(shelf: Shelf, text: str) -> None:
    """A number of thousands of digits is not there."""
    source = shelf.put(plain(["The fee is 1 000 EUR. " * 3] * 38))
    for citation in ({"page": 1}, {}):
        made = value(source, text, **citation)
        assert made["status"] in ("mismatch", "not_found", "error")
        assert made["reason"] in ANSWERS
    assert value(source, "1 000 EUR", page=1)["status"] in ("grounded", "mismatch")


def test_a_report_on_endless_claims_is_json(shelf: Shelf) -> None:
    """What was asked is echoed, however long."""
    source = shelf.put(plain(["The works began at dawn."]))
    made = report(source, [{"kind": "quote", "text": "x " * 4_000, "citation": {"page": 1}}])
    assert json.loads(json.dumps(made))["all_evidence_grounded"] is False
