"""A foreign artifact beside our own reading: places where two parsers differ are listed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn import ruled_table
from foreign_files import source
from pdf_writer import Pdf
from reading import Shelf, report

from grounding.adapters import ForeignSource, read_artifact
from grounding.grounding_json import grounding_json
from grounding.store import StoredSource
from verifier.cross_check import cross_check, with_cross_check

LINES = ["The works began at dawn.", "The fee is 940 EUR.", "The works ended at dusk."]


def paragraphs(texts: list[str]) -> bytes:
    """A page with some texts far apart from each other."""
    pdf = Pdf()
    page = pdf.page()
    for at, text in enumerate(texts):
        page.text(72, 720 - 60 * at, 12, text)
    return pdf.to_bytes()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def artifact(made: StoredSource, **changes: Any) -> ForeignSource:
    """Our own reading as a foreign file, elements changed by their position."""
    value = grounding_json(made)
    value["spans"], value["capabilities"] = [], {**value["capabilities"], "char_offsets": False}
    for at, change in changes.items():
        value["elements"][int(at.removeprefix("e"))].update(change)
    return ForeignSource(read_artifact("ethos-grounding", json.dumps(value).encode()))


def quoted(text: str) -> dict[str, Any]:
    return {"kind": "quote", "text": text, "citation": {"page": 1}}


def kinds(foreign: ForeignSource, own: StoredSource) -> dict[str, int]:
    return cross_check(foreign, own)["disagreements_by_kind"]


def test_a_reading_agrees_with_itself(shelf: Shelf) -> None:
    """Paragraphs, cells and all."""
    for name, data in (("works.pdf", paragraphs(LINES)), ("sales.pdf", ruled_table())):
        made = shelf.put(data, name)
        result = cross_check(artifact(made), made)
        assert result["disagreements"] == []
        assert result["blocks_compared"] == result["blocks_alike"] > 0


def test_text_that_the_page_does_not_have_is_listed_with_its_place(shelf: Shelf) -> None:
    made = shelf.put(paragraphs(LINES))
    found, left_out = cross_check(artifact(made, e1={"text": "The fee is 490 EUR."}), made)[
        "disagreements"
    ]
    assert found["kind"] == "text_not_on_page"
    assert found["text"] == "The fee is 490 EUR."
    assert found["own_text"] == "The fee is 940 EUR."
    assert (found["page"], found["element_id"]) == (1, "e000002")
    assert (left_out["kind"], left_out["own_text"]) == ("text_left_out", "The fee is 940 EUR.")
    assert left_out["bbox"] == found["bbox"]


def test_text_in_the_wrong_box_is_told_from_text_that_is_not_there(shelf: Shelf) -> None:
    made = shelf.put(paragraphs(LINES))
    boxes = [e.box.as_list() for e in made.elements(1)]
    assert kinds(artifact(made, e1={"bbox": boxes[2]}), made) == {"text_not_in_box": 1}


def test_words_in_another_order_are_told(shelf: Shelf) -> None:
    made = shelf.put(paragraphs(LINES))
    assert kinds(artifact(made, e1={"text": "940 EUR is the fee."}), made) == {
        "text_not_on_page": 1
    }
    assert kinds(artifact(made, e1={"text": "The fee 940 is EUR."}), made) == {"order_differs": 1}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("It fell by -4.5 points.", "It fell by 4.5 points."),
        ("The loss is (940) EUR.", "The loss is 940 EUR."),
        ("The rate is 4.5.", "The rate is 4,5."),
        ("The rate is 45%.", "The rate is 45."),
        ("The fee is $940.", "The fee is €940."),
        ("The fee is 9.40 EUR.", "The fee is 94.0 EUR."),
    ],
)
def test_marks_that_change_a_number_are_told(shelf: Shelf, ours: str, theirs: str) -> None:
    """By their letters and digits both texts are the same."""
    made = shelf.put(paragraphs([LINES[0], ours]))
    assert kinds(artifact(made, e1={"text": theirs}), made) == {"figures_differ": 1}
    assert kinds(artifact(made, e1={"text": ours}), made) == {}


def test_years_with_a_dash_between_are_no_negative_numbers(shelf: Shelf) -> None:
    made = shelf.put(paragraphs(["The years 2019-2020 and 10 - 12 were dry."]))
    assert (
        kinds(artifact(made, e0={"text": "The years 2019–2020 and 10 – 12 were dry."}), made) == {}
    )


def test_text_that_the_file_leaves_out_is_told(shelf: Shelf) -> None:
    made = shelf.put(paragraphs(LINES))
    value = grounding_json(made)
    value["spans"] = [s for s in value["spans"] if s["element"] != value["elements"][1]["id"]]
    del value["elements"][1]
    foreign = ForeignSource(read_artifact("ethos-grounding", json.dumps(value).encode()))
    (found,) = cross_check(foreign, made)["disagreements"]
    assert (found["kind"], found["page"]) == ("text_left_out", 1)
    assert found["own_text"] == LINES[1]
    assert found["bbox"] == made.elements(1)[1].box.as_list()
    plain = ForeignSource(read_artifact("plain-text", f"{LINES[0]}\n\n{LINES[2]}".encode()))
    assert kinds(plain, made)["text_left_out"] == 1


def test_other_bytes_pages_and_sizes_are_told(shelf: Shelf) -> None:
    made = shelf.put(paragraphs(LINES))
    result = cross_check(source("ethos-grounding.json"), made)
    found = result["disagreements_by_kind"]
    assert found["source_bytes"] == found["page_count"] == 1
    listed = [item["kind"] for item in result["disagreements"]]
    assert listed[:2] == ["source_bytes", "page_count"]


def test_without_an_origin_only_pages_are_compared(shelf: Shelf) -> None:
    made = shelf.put(paragraphs(["The depot at Alder Quay moved 5,500 tonnes in 2024,"]))
    result = cross_check(source("opendataloader-json.json"), made)
    assert all("bbox" not in item for item in result["disagreements"])
    texts = [item["text"] for item in result["disagreements"]]
    assert "Tonnes moved" in texts
    assert not any("5,500" in text for text in texts)


def test_a_check_on_such_a_place_warns(shelf: Shelf) -> None:
    """It stays what it is: two parsers that differ are for a person to look at."""
    made = shelf.put(paragraphs(LINES))
    foreign = artifact(made, e1={"text": "The fee is 490 EUR."})
    whole = report(foreign, [quoted("The fee is 490 EUR."), quoted("The works began at dawn.")])
    whole = with_cross_check(whole, cross_check(foreign, made))
    assert "parsers_disagree" in whole["warnings"]
    assert ["parsers_disagree" in check["warnings"] for check in whole["checks"]] == [True, False]
    assert whole["checks"][0]["status"] == "grounded"
    assert whole["cross_check"]["blocks_compared"] == 3
