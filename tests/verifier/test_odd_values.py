"""Values that look like other values: parts of ranges, codes, times, fractions and said signs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import plain
from reading import GROUNDED, Shelf, check, report, value, verdict


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


CASES = [
    # Decimal marks
    ("The levy is 0,001 EUR a litre.", ("0.001", "0.001 EUR", "0,001 EUR"), ("1", "1 EUR", "1000")),
    ("The levy is 1,001 EUR a litre.", ("1,001 EUR", "1001"), ("1.001", "1", "001")),
    # Ranges share their scale
    ("Sales of $5 to $6 million are planned.", ("$5 million", "$6 million"),
     ("$5", "$6", "$5 billion")),
    ("Sales of 5 to 6 million are planned.", ("5 million", "6 million"), ("5 thousand",)),
    ("Sales of $5 to $6 are planned.", ("$5", "$6"), ("$5 million", "$6 million")),
    # Units
    ("It rose by 8 % points then.", ("8 percentage points", "8 % points"), ("8%", "8 percent")),
    ("It rose by 8 % then.", ("8%", "8 percent"), ("8 percentage points", "8 basis points")),
    # Currencies
    ("A bag weighs 70 pounds here.", ("70",), ("\u00a370", "70 GBP", "$70")),
    ("A bag costs \u00a370 here.", ("\u00a370", "70 GBP"), ("$70", "70 EUR")),
    ("It costs C$600 in all.", ("C$600", "CAD 600"), ("$600", "US$600", "A$600")),
    ("It costs $600 in all.", ("$600", "US$600"), ("C$600", "\u20ac600")),
    # Said signs
    ("It was minus 30 at night.", ("-30",), ("30",)),
    ("It was negative 20 at night.", ("-20",), ("20",)),
    ("It was 30 at night.", ("30",), ("-30",)),
    ("It was -30 at night.", ("-30",), ("30",)),
    # Dashes that are no signs
    ("The page is marked -6- below.", ("6",), ("-6", "(6)")),
    ("The page is marked -6 below.", ("-6",), ("6",)),
    # Sections, codes, times, fractions, ordinals
    ("See Section 4(2) of the 18 acts.", ("18",), ("-2", "2", "(2)", "42", "-4")),
    ("A 401(k) plan has 18 members.", ("18",), ("401", "-401")),
    ("The code 12-34-56 has 18 uses.", ("18",), ("12", "56", "-34", "-56", "123456")),
    ("At 10:30 there were 18 boats.", ("18",), ("10", "30", "1030", "10.30")),
    ("Take 1 1/2 cups for 18 guests.", ("18",), ("1", "2", "11", "1.2", "0.5")),
    ("The 30th day had 18 boats.", ("18",), ("30", "-30")),
    ("File 333-55943 has 18 pages.", ("18",), ("333", "-55943")),
    ("Take 3 cups for 18 guests.", ("3", "18"), ("318", "-3")),
    # Negative twice over is no number
    ("The result was -(412) in May, 18 then.", ("18",), ("412", "-412", "(412)")),
]  # fmt: skip


@pytest.mark.parametrize(("source", "right", "wrong"), CASES, ids=[case[0] for case in CASES])
def test_a_number_is_grounded_as_what_its_surroundings_make_of_it(
    shelf: Shelf, source: str, right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    """Every right reading is grounded, no wrong one is; on the page and in the whole document."""
    opened = shelf.put(plain([source]))
    for text in right:
        assert verdict(value(opened, text, page=1)) == GROUNDED, text
        assert verdict(value(opened, text)) == GROUNDED, text
    for text in wrong:
        assert value(opened, text, page=1)["status"] == "mismatch", text
        assert value(opened, text)["status"] in ("mismatch", "not_found"), text


@pytest.mark.parametrize("text", [".", "-", "the", "$", "%", "()", "+", ","])
def test_a_value_that_says_nothing_is_an_error(shelf: Shelf, text: str) -> None:
    """A mark or a function word stands on every page and proves nothing."""
    source = shelf.put(plain(["The loss - of the year - was $5, or 3%, (in May)."]))
    made = value(source, text, page=1)
    assert made["status"] == "error"
    assert made["reason"] in ("missing_required_text", "quote_too_short")
    assert verdict(value(source, "$5", page=1)) == GROUNDED


def test_a_value_that_is_negative_twice_over_is_not_a_gain(shelf: Shelf) -> None:
    """ "-(412)" asked for does not ground a printed 412."""
    source = shelf.put(plain(["The result was 412 in May."]))
    assert value(source, "-(412)", page=1)["status"] != "grounded"
    assert verdict(value(source, "412", page=1)) == GROUNDED


SHOPS = ("For shops the fee is 940 EUR a year.", "For flats the fee is 940 EUR a month.")


@pytest.mark.parametrize(
    ("around", "line"),
    [
        ({"prefix": "For shops the fee is"}, 0),
        ({"prefix": "For flats the fee is"}, 1),
        ({"suffix": "a year"}, 0),
        ({"suffix": "a month"}, 1),
        ({"prefix": "flats the fee is", "suffix": "a month"}, 1),
    ],
)
def test_the_words_around_a_value_pick_one(shelf: Shelf, around: dict[str, str], line: int) -> None:
    """Of two equal amounts the one that stands between them is the evidence."""
    source = shelf.put(plain(list(SHOPS)))
    made = value(source, "940 EUR", page=1, **around)
    assert (verdict(made), made["match"]["occurrences"]) == (GROUNDED, 1)
    both = value(source, "940 EUR", page=1)
    assert both["match"]["occurrences"] == 2
    first = made["evidence"]["bbox"] == both["evidence"]["bbox"]
    assert first is (line == 0)


@pytest.mark.parametrize(
    "around",
    [
        {"prefix": "For barns the fee is"},
        {"suffix": "a week"},
        {"prefix": "For shops the fee is", "suffix": "a month"},
        {"prefix": "hops the fee is"},
    ],
)
def test_a_value_is_not_grounded_between_words_that_are_not_there(
    shelf: Shelf, around: dict[str, str]
) -> None:
    """The amount alone is there, but not where the citation says."""
    source = shelf.put(plain(list(SHOPS)))
    assert value(source, "940 EUR", page=1, **around)["status"] == "mismatch"
    assert value(source, "940 EUR", **around)["status"] != "grounded"


FEES: list[tuple[dict[str, str], bool]] = [
    ({"value": "940 EUR", "text": "the entry fee is 940 EUR"}, True),
    ({"value": "55 EUR", "text": "the fine is 55 EUR"}, True),
    ({"value": "940", "text": "entry fee is 940 EUR"}, True),
    ({"value": "940 EUR", "text": "the exit fee is 940 EUR"}, False),
    ({"value": "55 EUR", "text": "the entry fee is 940 EUR"}, False),
    ({"value": "940 EUR", "text": "the fine is 55 EUR"}, False),
    ({"value": "941 EUR", "text": "the entry fee is 940 EUR"}, False),
]


@pytest.mark.parametrize(("claim", "right"), FEES)
@pytest.mark.parametrize("citation", [{"page": 1}, {}], ids=["page", "anywhere"])
def test_a_value_with_its_text_needs_both(
    shelf: Shelf, claim: dict[str, str], right: bool, citation: dict[str, Any]
) -> None:
    """The text stands there, and the number inside it."""
    source = shelf.put(plain(["In May the entry fee is 940 EUR and the fine is 55 EUR."]))
    made = check(source, {"kind": "value", **claim}, **citation)
    assert (made["status"] == "grounded") is right
    assert (
        report(source, [{"kind": "value", **claim, "citation": citation}])["all_evidence_grounded"]
        is right
    )
