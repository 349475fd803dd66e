"""The HTML report: what a reviewer sees of a report, and what hostile text cannot do to it."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest
from drawn import plain
from test_summary import (
    IN_DOLLARS,
    IN_THOUSANDS,
    MILLIONS,
    OF_2024,
    THOUSANDS,
    hostile_checks,
    made_calculation,
    made_candidates,
    made_cell,
    made_check,
    made_comparison,
    made_report,
    number,
)

from grounding.store import StoreReader, StoreWriter
from ingest.reading.document import ReadOptions, read_document
from ingest.rendering import PdfRenderer
from verifier import PRESETS, Report, parse_requests, report_bytes, verify
from verifier.codes import Reason, Status
from verifier.crops import crop_requests
from verifier.html import html_report
from verifier.html_evidence import MARKED_WORDS, Picture, marked_differences
from verifier.proof import reports_of
from verifier.reason_text import REASON_TEXT
from verifier.report import report_set

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
)
VOID = {"meta", "img", "input"}
HOSTILE = "</bdi></div><script>alert('1')</script><img src=x onerror=\"alert(2)\">&amp;\"'><!--"


class Page(HTMLParser):
    """The elements of a page, with what they hold; fails where a tag is closed out of turn."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.shown = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self.open):
            self.shown += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page_of(*checks: dict[str, Any], pictures: Any = None, **parts: Any) -> Page:
    return Page(html_report(made_report(*checks, **parts), pictures or {}))


def article(html: str, check_id: str) -> str:
    """The source of one check's card."""
    found = re.search(rf'<article class="check [^>]*-{check_id}">.*?</article>', html, re.DOTALL)
    assert found is not None
    return found.group()


# What the page is


def test_a_page_loads_nothing_and_runs_nothing() -> None:
    """The policy forbids every load; there is no script, link, frame or inline style in it."""
    html = html_report(made_report(made_check()), {(0, "v0001"): [(PNG, "line 1", 3)]})
    page = Page(html)
    policy = next(a["content"] for a in page.all("meta") if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert not {"script", "link", "iframe", "object", "form"} & {tag for tag, _ in page.elements}
    assert not any(name == "style" or name.startswith("on") for _, a in page.elements for name in a)
    assert all(a["href"].startswith("#") for a in page.all("a"))
    assert all(a["src"].startswith("data:image/png;base64,") for a in page.all("img"))
    assert "http:" not in html
    assert "https:" not in html


def test_the_policy_names_the_style_that_the_page_has() -> None:
    """A browser that obeys the policy still applies the one style sheet."""
    html = html_report(made_report(made_check(), made_check(2, "error", "timed_out")), {})
    style = html.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in html
    assert "url(" not in style
    assert "@import" not in style


def test_the_same_report_gives_the_same_page() -> None:
    """Also when the report was read back from canonical JSON, which sorts its keys."""
    citation = {"suffix": "x", "page": 3, "cell": {"row": 1, "col": 2}, "bbox": [1, 2, "3.5", 4]}
    report = made_report(made_check(citation=citation))
    again: Report = json.loads(report_bytes(report))
    assert html_report(again, {}) == html_report(report, {})
    assert "row 1, col 2" in Page(html_report(report, {})).shown
    assert "[1, 2, 3.5, 4]" in Page(html_report(report, {})).shown


# The header


def test_the_header_identifies_source_rules_and_parser_in_full() -> None:
    """Whoever audits the page finds every fingerprint and hash unshortened."""
    report = made_report(
        made_check(),
        capability_limits=["missing_tables"],
        warnings=["annotations_present", "capability_limited"],
    )
    report["grounding"]["parser"] |= {"adapter": "docling-json", "adapter_version": "1"}
    shown = Page(html_report(report, {})).shown
    for text in (
        report["document"]["name"],
        report["document_fingerprint"],
        report["source_fingerprint"],
        report["verification_config_sha256"],
        report["request_sha256"],
        hashlib.sha256(report_bytes(report)).hexdigest(),
        "pymupdf 2.0, adapter docling-json 1",
        "missing tables",
        "annotations present, capability limited",
        "fresh: the citations name the version that was checked",
    ):
        assert text in shown


@pytest.mark.parametrize(
    ("check", "line"),
    [
        (made_check(), "Certified: 1 of 1 check grounded — verified"),
        (made_check(1, "error", "timed_out"), "Not certified: 0 of 1 check grounded — unverified"),
    ],
)
def test_the_headline_says_whether_the_request_is_certified(
    check: dict[str, Any], line: str
) -> None:
    """In words, with the count that it rests on."""
    assert line in page_of(check).shown


def test_checks_that_need_review_are_linked_from_the_header() -> None:
    """Every link leads to the heading of its check."""
    page = page_of(made_check(1), made_check(2, "mismatch", "text_mismatch"))
    targets = [a["href"].removeprefix("#") for a in page.all("a")]
    assert targets == ["checks", "report-1-v0002"]
    assert set(targets) <= {a.get("id") for _, a in page.elements}


def test_a_report_on_a_document_that_was_not_found_can_be_shown() -> None:
    """Without fingerprints and parser the page says that nothing was checked."""
    report: Any = made_report(made_check(1, "error", "document_not_found"))
    del report["document_fingerprint"], report["source_fingerprint"], report["grounding"]
    shown = Page(html_report(report, {})).shown
    assert "unknown: no document was checked" in shown
    assert "There is nothing to show." in shown


def test_statuses_can_be_filtered_without_a_script() -> None:
    """One labelled box a status that occurs, with its count; unticked it hides checks on screen
    only, so that a print is always whole."""
    html = html_report(
        made_report(made_check(1), made_check(2), made_check(3, "mismatch", "text_mismatch")), {}
    )
    boxes = Page(html).all("input")
    assert [a["id"] for a in boxes] == ["show-grounded", "show-mismatch"]
    assert all("checked" in a and a["type"] == "checkbox" for a in boxes)
    rule = "body:has(#show-mismatch:not(:checked)) .check.mismatch { display: none; }"
    screens = html.split("@media screen {\n")[1]
    assert rule in screens.split("\n}")[0]
    assert html.count("grounded <b>2</b></label>") == 1


def test_one_status_alone_needs_no_filter() -> None:
    """There is nothing to choose."""
    assert page_of(made_check(1), made_check(2)).all("input") == []


# A check's card


@pytest.mark.parametrize("status", get_args(Status))
def test_the_status_is_written_out(status: str) -> None:
    """No status is told by colour alone."""
    assert page_of(made_check(1, status)).shown.count(status.replace("_", " ")) >= 2


@pytest.mark.parametrize("reason", get_args(Reason))
def test_a_reason_stands_in_words_and_as_its_code(reason: Reason) -> None:
    """People read the sentence, programs and manuals the code."""
    shown = page_of(made_check(1, "mismatch", reason)).shown
    assert REASON_TEXT[reason] in shown
    assert reason in shown


def test_locators_are_shown_as_they_were_submitted() -> None:
    """In the contract's order, with keys that are not known yet at the end."""
    citation = {"zone": "7", "bbox_space": {"unit": "pixel", "dpi": 96}, "page": "p0003"}
    shown = page_of(made_check(citation=citation, kind="region")).shown
    order = ("cited page", "p0003", "cited bbox space", "unit pixel, dpi 96", "cited zone")
    places = [shown.index(text) for text in order]
    assert places == sorted(places)


def test_a_grounded_check_says_what_its_match_needed() -> None:
    """Method, folds, occurrences, and the context with the match marked."""
    check = made_check(
        match_method="normalized_text_contains",
        match={"folds": ["line_end_hyphen", "quotes"], "occurrences": 2},
        context={"before": "In 2024 ", "match": "net\n\nsales", "after": " rose"},
        provenance={"heading_path": ["Results", "Sales"], "element_kind": "paragraph"},
        semantic_unverified=True,
        warnings=["ocr_text"],
    )
    html = html_report(made_report(check), {})
    shown = Page(html).shown
    for text in ("normalized text contains", "line end hyphen, quotes", "2 times", "ocr text"):
        assert text in shown
    assert "Results › Sales" in shown
    assert "Whether it means what is claimed was not verified." in shown
    assert '<span class="before">In 2024 </span><mark>net\nsales</mark>' in html


def test_hidden_text_is_not_passed_off_as_what_the_page_says() -> None:
    """It is shown, under a title that says that a reader does not see it."""
    evidence = {"text": "secret", "page": "p0003", "page_number": 3, "page_label": "iii"}
    shown = page_of(made_check(1, "mismatch", "hidden_text", evidence=evidence)).shown
    assert "Text that a reader does not see" in shown
    assert "What the source says there" not in shown
    assert "page 3 (printed iii)" in shown


def test_places_found_elsewhere_are_listed() -> None:
    """With page, text, and the document when it is another one."""
    places = [
        {"page": 7, "bbox": [0, 0, 1, 1], "text": "first"},
        {"document": "notes.pdf", "page": 9, "bbox": [0, 0, 1, 1], "text": "second"},
    ]
    shown = page_of(made_check(1, "mismatch", "quote_on_other_page", found_elsewhere=places)).shown
    assert "page 7: first" in shown
    assert "notes.pdf, page 9: second" in shown


def test_a_cells_place_in_its_table_is_shown() -> None:
    """Table, row and column, counted from 0 as in the request."""
    evidence = {"text": "5", "page": "p0003", "page_number": 3, "element_id": "e000009"}
    check = made_check(evidence={**evidence, "table_id": "t0002", "cell": {"row": 4, "col": 1}})
    assert "e000009, t0002, row 4, column 1 (from 0)" in page_of(check).shown


def test_a_claim_without_words_claims_that_its_place_exists() -> None:
    """A presence claim has no empty box of text."""
    assert "That the cited place exists." in page_of(made_check(kind="presence", text=None)).shown


# Differences


@pytest.mark.parametrize(
    ("claim", "source", "marked"),
    [
        ("rose by 12 percent", "rose by 21 percent", "rose by <del>12</del><ins>21</ins> percent"),
        ("1,234", "(1,234)", "<ins>(</ins>1,234<ins>)</ins>"),
        ("may sublet", "may not sublet", "may <ins>not </ins>sublet"),
        ("“net\nsales” – all", '"net sales" - all', "&quot;net sales&quot; - all"),
        ("a <b> c", "a < c", "a &lt;<del>b&gt;</del> c"),
    ],
)
def test_differences_are_marked_word_by_word(claim: str, source: str, marked: str) -> None:
    """Numbers stay whole, typography that is folded is no difference, and nothing is left raw."""
    assert marked_differences(claim, source) == marked


def nearest(text: str, *differences: dict[str, str]) -> dict[str, Any]:
    return {
        "page": 3, "bbox": [0, 0, 1, 1], "text": text, "similarity": 91,
        "differences": list(differences),
    }  # fmt: skip


def test_a_misquote_is_shown_against_the_nearest_text() -> None:
    """With how alike the two are, and a legend that works without colour."""
    check = made_check(
        1, "mismatch", "text_mismatch", text="by 12 %",
        nearest=nearest("by 21 %", {"claim": "12", "source": "21"}),
    )  # fmt: skip
    html = html_report(made_report(check), {})
    assert "by <del>12</del><ins>21</ins> %" in html
    assert "Nearest text, page 3, 91 % alike" in Page(html).shown
    assert "Struck: only in the claim. Underlined: only in the source." in Page(html).shown


def test_a_wrong_value_is_shown_against_the_cited_place() -> None:
    """What stands in the cell is the source's side."""
    evidence = {"text": "(412)", "page": "p0003", "page_number": 3}
    check = made_check(1, "mismatch", "sign_mismatch", kind="value", text="412", evidence=evidence)
    assert "<ins>(</ins>412<ins>)</ins>" in html_report(made_report(check), {})


def test_long_texts_show_the_differences_that_the_report_lists() -> None:
    """Comparing them again would take too long; the scroll box can be reached by keyboard."""
    claim, source = "a " * MARKED_WORDS, "b " * MARKED_WORDS
    pair = {"claim": "<a>", "source": "<b>"}
    check = made_check(
        1, "mismatch", "text_mismatch", text=claim * 3, nearest=nearest(source * 3, pair)
    )
    html = html_report(made_report(check), {})
    assert marked_differences(claim, source) is None
    assert "<del>&lt;a&gt;</del><ins>&lt;b&gt;</ins>" in html
    assert [a["tabindex"] for a in Page(html).all("div") if "tabindex" in a] == ["0", "0"]


# Numbers and cells


def rows_of(check: dict[str, Any]) -> dict[str, str]:
    """The rows of a check's table of numbers by their headings, as HTML without isolation."""
    html = re.sub("</?bdi>", "", html_report(made_report(check), {}))
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', html)
    return dict(rows)


def test_both_sides_of_a_number_stand_side_by_side_with_the_difference_marked() -> None:
    """Part by part; the mark is said in words too, and what agrees is not marked."""
    stated = [IN_THOUSANDS, IN_DOLLARS, OF_2024]
    source = number("5079", **THOUSANDS, period="2024", stated=stated)
    rows = rows_of(made_comparison("scale_mismatch", number("5079", **MILLIONS), source))
    assert rows == {
        "as read": "<td>5,079 × million USD</td><td>5,079 × thousand USD, 2024</td><td></td>",
        "number": "<td>5,079</td><td>5,079</td><td></td>",
        "sign": "<td>positive</td><td>positive</td><td></td>",
        "scale": (
            "<td><mark>million (word)</mark></td><td><mark>thousand (context)</mark></td>"
            "<td><strong>differs</strong></td>"
        ),
        "currency": "<td>USD</td><td>USD</td><td></td>",
        "period": '<td><span class="none">not stated</span></td><td>2024</td><td></td>',
        "precision": "<td>0 decimals</td><td>0 decimals</td><td></td>",
        "said around it": (
            "<td></td><td><ul>"
            "<li>scale, currency (caption): <q>Income ($ in thousands)</q></li>"
            "<li>period (column header): <q>2024</q></li></ul></td><td></td>"
        ),
    }


def test_the_table_of_numbers_can_be_read_without_seeing_it() -> None:
    """It has a name, and a heading for every row and column."""
    check = made_comparison("sign_mismatch", number("4"), number("4", sign="negative"))
    page = page_of(check)
    assert [a["aria-label"] for a in page.all("table")] == ["Numbers as read"]
    assert [a["scope"] for a in page.all("th")] == ["col"] * 3 + ["row"] * 4
    assert "ClaimSourceCompared" in page.shown


def test_a_grounded_number_has_no_mark_and_shows_that_it_was_rounded() -> None:
    """As a word in its row, and in the verdict."""
    claim, source = number("5.1", **MILLIONS), number("5079", **THOUSANDS)
    rounded = {"folds": [], "occurrences": 1, "rounded": True}
    rows = rows_of(made_comparison(None, claim, source, match=rounded))
    assert not any("<mark>" in row for row in rows.values())
    assert rows["precision"].endswith("<td><strong>rounded</strong></td>")
    shown = page_of(made_comparison(None, claim, source, match=rounded)).shown
    assert "roundedto the claim's last digit" in shown


def test_all_readings_of_a_number_are_shown() -> None:
    """On the side that has them; where they come from is told, too."""
    claim = number("1.234", other_readings=[number("1234")])
    source = number("1234", sign="negative", sign_source="parentheses", written="digits")
    rows = rows_of(made_comparison("value_ambiguous", claim, source))
    assert rows["may also be"].startswith("<td>1,234</td>")
    assert rows["sign"] == "<td>positive</td><td>negative (parentheses)</td><td></td>"


def test_a_claim_without_a_number_on_the_other_side_is_shown_as_it_was_read() -> None:
    """The source has none, unless it could not be read or nobody sees it."""
    check = made_comparison("value_mismatch", number("5079"), None)
    assert rows_of(check)["as read"] == "<td>5,079</td><td>none found</td><td></td>"
    blocked = {**check, "status": "capability_blocked", "reason": "page_garbled"}
    for unknown in (blocked, made_comparison("hidden_text", number("5079"), None)):
        assert "<td>not compared</td>" in rows_of(unknown)["as read"]


def test_several_numbers_are_listed_with_their_places() -> None:
    """Page, characters, text, and whether it is the claim's."""
    found = [
        {"page": 1, "char_start": 5, "char_end": 7, "text": "$1", "reason": "scale_mismatch"},
        {"page": 2, "char_start": 8, "char_end": 9, "text": "1"},
    ]
    check = made_comparison(None, number("1"), number("1"))
    check["quantities"]["found"] = found
    shown = page_of(check).shown
    assert "page 1, characters 5–7: $1 – scale mismatch" in shown
    assert "page 2, characters 8–9: 1 – agrees with the claim" in shown


def test_a_calculation_links_to_the_checks_of_its_inputs() -> None:
    """Each with its number; result and difference follow."""
    result, claim = number("216", **MILLIONS), number("215", **MILLIONS)
    wrong = made_calculation(
        "mismatch", "calculation_mismatch", "$215 million",
        {"result": result, "difference": "-1000000"},
        quantities={"claim": claim, "source": result},
    )  # fmt: skip
    page = page_of(made_check(1), made_check(2), wrong)
    links = [a["href"] for a in page.all("a")][-2:]
    assert links == ["#report-1-v0001", "#report-1-v0002"]
    assert {link[1:] for link in links} <= {a.get("id") for _, a in page.elements}
    for text in (
        "operationsum",
        "v0001: 120 × million USD",
        "recomputed216 × million USD",
        "claimed minus recomputed-1,000,000",
        "inputs[new, old]",
    ):
        assert text in page.shown
    number_row = rows_of(wrong)["number"]
    assert number_row.startswith("<td><mark>215</mark></td><td><mark>216</mark></td>")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"holds": False}, "recomputedfalse"),
        ({"result": {"period": "2024-07-04"}}, "recomputed2024-07-04"),
        ({"problem": "division by zero"}, "no result becausedivision by zero"),
    ],
)
def test_other_results_of_a_calculation_are_shown(data: dict[str, Any], text: str) -> None:
    """Comparisons, dates, and why there is none."""
    shown = page_of(made_calculation("grounded", None, "x", data)).shown
    assert text in shown
    assert "claimed minus recomputed" not in shown


def test_a_cell_is_shown_under_its_labels() -> None:
    """The paths to it, caption and statement of its table, and its footnotes."""
    notes = [{"marker": "(1)", "text": "Restated."}, {"marker": "*"}]
    shown = page_of(made_check(kind="table_cell", evidence=made_cell(footnotes=notes))).shown
    for text in (
        "rowAssets › Cash",
        "columnYear ended › 2024",
        "tableBalance sheet",
        "stated for the table(in thousands)",
        "(1): Restated.*",
    ):
        assert text in shown


def test_ambiguous_labels_show_the_cells_that_they_may_mean() -> None:
    """With place, text and both paths."""
    places = made_candidates()
    shown = page_of(made_check(1, "mismatch", "label_ambiguous", found_elsewhere=places)).shown
    assert "Places that the labels may mean" in shown
    assert "Found elsewhere" not in shown
    assert "page 3, t0001, row 1, column 1 (from 0): 1,000rowGroup 1 › Totalcolumn2024" in shown
    assert "2,000rowGroup 2 › Total" in shown


def test_a_structured_value_is_shown_part_by_part() -> None:
    """In the order in which people say it, without the syntax of a program."""
    value = {"currency": "USD", "number": "8.4", "scale": "million", "sign": "negative"}
    check = made_check(claim={"kind": "value", "value": value, "citation": {"page": 3}})
    shown = page_of(check).shown
    assert "sign negative, number 8.4, scale million, currency USD" in shown
    assert "{" not in shown


# Hostile text


def hostile_report(text: str) -> Report:
    """A report that holds a text wherever a request or a document can put one."""
    citation = {"page": text, "prefix": text, text: text, "cell": {text: text}}
    claim = {"id": text, "kind": text, "text": text, "value": f"{text}2", "citation": citation}
    evidence = {"text": text, "page": text, "page_number": 3, "page_label": text}
    check = made_check(
        1, "mismatch", "text_mismatch", claim=claim, nearest=nearest(text + " and more"),
        evidence={**evidence, "element_id": text, "table_id": text},
        context={"before": text, "match": text, "after": text},
        provenance={"heading_path": [text], "element_kind": text},
        found_elsewhere=[{"document": text, "page": 1, "bbox": [0, 0, 1, 1], "text": text}],
        warnings=[text],
    )  # fmt: skip
    return made_report(
        check,
        *hostile_checks(text),
        document={"name": text, "source_id": text},
        expected_fingerprint=text,
        unsupported_claim_kinds=[text],
        warnings=[text],
    )


def test_hostile_text_stays_text() -> None:
    """Markup in a claim, a name or a document makes the same elements as harmless words do."""
    picture: Sequence[Picture] = [(PNG, HOSTILE, 3)]
    hostile = Page(html_report(hostile_report(HOSTILE), lambda at, check: picture))
    harmless = Page(html_report(hostile_report("harmless"), lambda at, check: [(PNG, "one", 3)]))
    tags = [tag for tag, _ in hostile.elements if tag not in ("del", "ins")]
    assert tags == [tag for tag, _ in harmless.elements if tag not in ("del", "ins")]
    for (tag, ours), (_, theirs) in zip(hostile.elements, harmless.elements, strict=False):
        if tag == "ins":
            break
        assert ours.keys() == theirs.keys()
    assert HOSTILE in hostile.shown


def test_text_cannot_turn_the_direction_of_its_surroundings() -> None:
    """Right-to-left text is isolated; overrides, which show letters in another order than the text
    has them, are spelled out."""
    check = made_check(text="שלום 1,234 \u202egnorw\u202c \u2066x\u2069")
    card = article(html_report(made_report(check), {}), "v0001")
    assert '<div class="quote" dir="auto"><bdi>שלום 1,234 \\u202egnorw\\u202c' in card
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", card)


def test_characters_that_html_cannot_hold_are_spelled_out() -> None:
    """Controls and lone surrogates neither break the page nor its encoding."""
    report = made_report(made_check(text="a\x00b\x1bc\tde\r\nf"), document={"name": "x\x07.pdf"})
    html = html_report(report, {})
    assert "a\\u0000b\\u001bc\tde\nf" in html
    assert "x\\u0007.pdf" in html
    html.encode("utf-8")


def test_a_check_id_cannot_leave_its_attribute() -> None:
    """Ids become anchors, so they are escaped as attributes."""
    page = page_of(made_check(id='v"onclick="x', status="error", reason="timed_out"))
    assert any(a.get("id") == 'report-1-v"onclick="x' for a in page.all("h3"))


# Pictures and sets


def test_pictures_come_from_a_mapping_or_a_function() -> None:
    """Either answers for (index of the report, id of the check); no picture is no fault."""
    report = made_report(made_check(1), made_check(2))
    pictures = {(0, "v0002"): [(PNG, "line 4", 3), (PNG, "line 5", 4)]}
    by_mapping = html_report(report, pictures)
    assert by_mapping == html_report(report, lambda at, check: pictures.get((at, check), []))
    images = Page(by_mapping).all("img")
    assert [a["alt"] for a in images] == ["Part of page 3 · line 4", "Part of page 4 · line 5"]
    assert base64.b64decode(images[0]["src"].partition(",")[2]) == PNG
    assert "<img" not in article(by_mapping, "v0001")


def test_a_set_shows_every_report_with_anchors_of_its_own() -> None:
    """Checks of the same id in two reports do not share an anchor; one headline is over all."""
    late = made_check(1, "error", "timed_out")
    answer = report_set([made_report(made_check()), made_report(late)])
    asked: list[tuple[int, str]] = []

    def pictures(at: int, check: str) -> Sequence[Picture]:
        asked.append((at, check))
        return []

    page = Page(html_report(answer, pictures))
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert {"report-1-v0001", "report-2-v0001"} <= set(ids)
    assert asked == [(0, "v0001"), (1, "v0001")]
    assert "1 of 2 checks grounded — partially verified" in page.shown


# From a PDF to the page

LINES = (
    "The yard repaired 48 vessels in the year.",
    "Repairs of 1,250 hours were billed in March.",
)


@pytest.fixture
def verified(tmp_path: Path) -> Iterator[tuple[Report, dict[tuple[int, str], list[Picture]]]]:
    """A drawn document, read, stored and verified, with the crops of its evidence."""
    data = plain(LINES, ("The second page mentions a crane.",))
    artifact = read_document(data, ReadOptions())
    with StoreWriter(tmp_path / "grounding.db") as writer:
        writer.add_document(artifact, str(tmp_path / "yard.pdf"), "yard.pdf", "yard")
    claims = [
        {"kind": "quote", "text": LINES[0], "citation": {"page": 1}},
        {"kind": "quote", "text": "Repairs of 1,520 hours were billed", "citation": {"page": 1}},
        {"kind": "quote", "text": "page mentions a crane", "citation": {"page": 1}},
    ]
    request = {"document": "yard.pdf", "claims": claims}
    renderer = PdfRenderer(data)
    with StoreReader(tmp_path / "grounding.db") as reader:
        report = verify(parse_requests(json.dumps(request)), reader, PRESETS["default"])
        pages = reader.open("yard.pdf").pages
        pictures: dict[tuple[int, str], list[Picture]] = {
            (at, check["id"]): [
                (renderer.render(crop).png, "evidence marked", crop.page)
                for crop in crop_requests(check, pages)
            ]
            for at, item in enumerate(reports_of(report))
            for check in item["checks"]
        }
        yield reports_of(report)[0], pictures


def test_a_verified_document_becomes_a_page_with_its_evidence(
    verified: tuple[Report, dict[tuple[int, str], list[Picture]]],
) -> None:
    """Each card has the crop that bears its verdict out: the match, the nearest text, the page on
    which the words stand."""
    report, pictures = verified
    html = html_report(report, pictures)
    cards = [article(html, f"v000{number}") for number in (1, 2, 3)]
    assert [card.count("data:image/png;base64,iVBOR") for card in cards] == [1, 1, 1]
    assert f"<mark>{LINES[0]}</mark>" in cards[0]
    assert "Repairs of <del>1,520</del><ins>1,250</ins> hours were billed" in cards[1]
    assert "<figcaption>Page 2" in cards[2]
    assert REASON_TEXT["quote_on_other_page"] in cards[2]
    Page(html)
