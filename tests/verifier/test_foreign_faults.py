"""Foreign files that hide, split, repeat or leave out text: none of it proves what nobody sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from foreign_files import SENTENCE, read_example, sealed, source
from reading import GROUNDED, check, verdict

from grounding.adapters import ForeignSource
from grounding.errors import ArtifactInvalidError
from verifier import Check

DRAFT = "draft: not for release"
BLOCKED = ("capability_blocked", "page_failed")


def checked(made: ForeignSource, kind: str, text: str | None = None, **citation: Any) -> Check:
    claim = {"kind": kind} if text is None else {"kind": kind, "text": text}
    return check(made, claim, **citation)


def ethos(change: Callable[[Any], object]) -> ForeignSource:
    """The example of an Ethos document, changed in its payload and sealed again."""
    return source("ethos-document.json", sealed(lambda value: change(value["payload"])))


def refusal(name: str, change: Callable[[Any], object]) -> str:
    with pytest.raises(ArtifactInvalidError) as caught:
        source(name, change).pages  # noqa: B018 - pages are put together when they are asked for
    return caught.value.message


class TestHiddenText:
    def test_a_cell_of_hidden_text_proves_nothing(self) -> None:
        """By a warning on its table, on its element, on its span; and the other cells still do."""

        def hide(payload: Any, item: Any) -> None:
            item.setdefault("warning_refs", []).append("w0001")

        whole = ethos(lambda p: hide(p, p["tables"][0]))
        for made in (whole, ethos(lambda p: _hide_cell(p, 5))):
            hidden = checked(made, "table_cell", "5.5", table_id="t0001", cell={"row": 1, "col": 2})
            assert verdict(hidden) == ("mismatch", "hidden_text")
        other = ethos(lambda p: _hide_cell(p, 5))
        seen = checked(other, "table_cell", "4.9", table_id="t0001", cell={"row": 1, "col": 1})
        assert verdict(seen) == GROUNDED

    def test_a_warning_that_an_element_refers_to_hides_it(self) -> None:
        made = ethos(lambda p: p["elements"][1].update(warning_refs=["w0001"]))
        assert verdict(checked(made, "quote", SENTENCE, page=1)) == ("mismatch", "hidden_text")
        assert verdict(checked(made, "quote", "Tonnes moved", page=1)) == GROUNDED

    def test_a_hidden_piece_of_an_element_hides_what_holds_it(self) -> None:
        """It has no offsets; its letters tell where it is."""

        def change(payload: Any) -> None:
            payload["elements"][3]["text"] = f"and it is {DRAFT} to close in the spring."
            payload["elements"][3]["span_refs"] = ["s000004"]
            payload["spans"].pop(2)

        made = ethos(change)
        over = checked(made, "quote", f"and it is {DRAFT} to close", page=2)
        assert verdict(over) == ("mismatch", "hidden_text")
        assert verdict(checked(made, "quote", "to close in the spring", page=2)) == GROUNDED

    @pytest.mark.parametrize("layer", ["invisible", "notes"])
    def test_layers_of_docling_that_are_not_on_the_page_are_hidden(self, layer: str) -> None:
        def hide(kind: str, at: int) -> Callable[[Any], None]:
            return lambda value: value[kind][at].update(content_layer=layer)

        text = source("docling-json.json", hide("texts", 1))
        assert verdict(checked(text, "quote", "Tonnes moved", page=1)) == (
            "mismatch",
            "hidden_text",
        )
        assert verdict(checked(text, "quote", SENTENCE, page=1)) == GROUNDED
        table = source("docling-json.json", hide("tables", 0))
        cell = checked(table, "table_cell", "5.5", row_label="Alder Quay", column_label="2024")
        assert verdict(cell) == ("mismatch", "hidden_text")


def _hide_cell(payload: Any, at: int) -> None:
    """A span of a cell that a warning names."""
    cell = payload["tables"][0]["cells"][at]
    payload["spans"].append(
        {"id": "s000005", "page": "p0001", "bbox": cell["bbox"], "text": cell["text"],
         "warning_refs": ["w0001"]}
    )  # fmt: skip
    cell["span_refs"] = ["s000005"]


def _from_page_five(value: Any) -> None:
    """Pages 5 and 6 of a document whose first four the file leaves out."""
    for at, page in enumerate(value["pages"]):
        page["number"] = 5 + at
    for item in (*value["elements"], *value["tables"]):
        item["page"] += 4


@pytest.mark.parametrize(
    "citation",
    [{"page": 2}, {"page": 2, "page_end": 3}, {"page": 2, "bbox": [0, 0, 100, 100]},
     {"page": 2, "prefix": "The"}],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["quote", "value", "presence"])
def test_of_a_page_that_is_left_out_nobody_can_tell(kind: str, citation: dict[str, Any]) -> None:
    made = source("opendataloader-json.json", _from_page_five)
    text = None if kind == "presence" and "prefix" not in citation else "5,500 tonnes"
    found = checked(made, kind, text, **citation)
    assert verdict(found) == BLOCKED


class TestPlacesOfOneText:
    @pytest.mark.parametrize(
        ("spans", "words"),
        [
            (([0, 51], [60, 85]), "does not go on"),
            (([0, 51], [40, 85]), "does not go on"),
            (([0, 51], [51, 85]), "does not go on"),
            (([0, 48], [49, 85]), "does not go on"),
            (([0, 51], [52, 80]), "leaves text without a place"),
            (([52, 85], [0, 51]), "does not go on"),
        ],
    )
    def test_character_spans_leave_nothing_out_and_cut_no_word(
        self, spans: tuple[list[int], list[int]], words: str
    ) -> None:
        def change(value: Any) -> None:
            for prov, span in zip(value["texts"][2]["prov"], spans, strict=True):
                prov["charspan"] = span

        assert words in refusal("docling-json.json", change)

    def test_a_text_with_one_place_stands_there_whole(self) -> None:
        """Docling counts in another normal form: a span of the only place may be short."""

        def change(value: Any) -> None:
            value["texts"][1]["prov"][0]["charspan"] = [0, 6]

        made = source("docling-json.json", change)
        assert verdict(checked(made, "quote", "Tonnes moved", page=1)) == GROUNDED


class TestTextOfOtherPages:
    def test_a_list_over_two_pages_has_each_item_on_its_own(self) -> None:
        def change(value: Any) -> None:
            item = value["kids"][2]["list items"][1]
            item["page number"] = 2

        made = source("opendataloader-json-tree.json", change)
        assert verdict(checked(made, "quote", "open in the autumn", page=1)) == GROUNDED
        assert verdict(checked(made, "quote", "closed in the spring", page=2)) == GROUNDED
        wrong = checked(made, "quote", "closed in the spring", page=1)
        assert verdict(wrong) == ("mismatch", "quote_on_other_page")

    def test_a_list_that_repeats_its_items_has_them_once(self) -> None:
        def change(value: Any) -> None:
            value["kids"][2]["content"] = "open in the autumn closed in the spring"

        made = source("opendataloader-json-tree.json", change)
        found = checked(made, "quote", "open in the autumn")
        assert verdict(found) == GROUNDED
        assert found["match"]["occurrences"] == 1

    def test_a_cell_with_content_of_another_page_is_refused(self) -> None:
        def change(value: Any) -> None:
            value["kids"][3]["rows"][1]["cells"][2]["kids"][0]["page number"] = 2

        assert "holds what stands on another page" in refusal(
            "opendataloader-json-tree.json", change
        )

    def test_a_table_on_two_pages_is_refused_under_our_own_rules(self) -> None:
        change = sealed(lambda v: v["payload"]["tables"][0].update(page_refs=["p0001", "p0002"]))
        assert "stands on several pages" in refusal("ethos-document.json", change)
        assert read_example("ethos-document.json", change).tables  # as Ethos itself reads it

    def test_a_span_of_an_element_on_another_page_is_nowhere(self) -> None:
        def change(payload: Any) -> None:
            payload["spans"][1]["page"] = "p0002"

        made = ethos(change)
        wrong = checked(made, "quote", "The depot at Alder Quay", page=2)
        assert verdict(wrong) == ("mismatch", "quote_on_other_page")

    def test_a_span_that_its_element_does_not_have_is_nowhere(self) -> None:
        def change(payload: Any) -> None:
            payload["spans"][1]["text"] = "The depot at Cedar Park moved nothing at all in 2024"
            del payload["spans"][1]["char_start"], payload["spans"][1]["char_end"]

        made = ethos(change)
        assert checked(made, "quote", "The depot at Cedar Park")["status"] == "not_found"
        assert verdict(checked(made, "quote", SENTENCE, page=1)) == GROUNDED


class TestStatedPlacesOfCells:
    @staticmethod
    def _stated(value: Any) -> Any:
        rows = value["kids"][3]["rows"]
        for row, cells in enumerate(rows, 1):
            for column, cell in enumerate(cells["cells"], 1):
                cell.update({"row number": row, "column number": column})
        return rows

    def test_a_cell_over_two_columns_moves_the_next_one(self) -> None:
        """By order the third cell of the row is the second; by what the file says the third."""

        def change(value: Any) -> None:
            rows = self._stated(value)
            rows[1]["cells"][0]["column span"] = 2
            del rows[1]["cells"][1]

        (table,) = source("opendataloader-json-tree.json", change).tables(1)
        at = {(1, 0): "Alder Quay", (1, 1): "Alder Quay", (1, 2): "5.5", (2, 1): "(0.3)"}
        for (row, col), text in at.items():
            cell = table.cell_at(row, col)
            assert cell is not None
            assert cell.text == text

    def test_cells_on_one_place_are_refused(self) -> None:
        def change(value: Any) -> None:
            self._stated(value)[1]["cells"][1]["column number"] = 3

        assert "rows" in refusal("opendataloader-json-tree.json", change)

    def test_a_half_stated_place_is_refused(self) -> None:
        def one(value: Any) -> None:
            value["kids"][3]["rows"][1]["cells"][1]["column span"] = 2

        def some(value: Any) -> None:
            del self._stated(value)[1]["cells"][1]["row number"]
            del value["kids"][3]["rows"][1]["cells"][1]["column number"]

        assert "needs row and column number" in refusal("opendataloader-json-tree.json", one)
        assert "some do not" in refusal("opendataloader-json-tree.json", some)


@pytest.mark.parametrize(
    ("item", "key"),
    [("elements", "warning_refs"), ("elements", "span_refs"), ("spans", "warning_refs"),
     ("tables", "warning_refs")],
)  # fmt: skip
def test_references_to_what_there_is_not_are_refused(item: str, key: str) -> None:
    change = sealed(lambda value: value["payload"][item][0].update({key: ["x9"]}))
    message = refusal("ethos-document.json", change)
    assert f"payload.{item}[0].{key}" in message
    assert "x9" in message


def test_an_element_in_plain_text_is_a_locator_like_any_other() -> None:
    """The format has no elements: a citation of one cannot be told, and is never left aside."""
    made = source("plain-text.txt")
    found = checked(made, "quote", SENTENCE, element_id="e000001")
    assert found["status"] == "capability_blocked"
