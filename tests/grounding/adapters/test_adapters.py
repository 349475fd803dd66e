"""Adapters take a foreign file whole or refuse it with the place that is wrong."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from foreign_files import (
    ADAPTER_OF,
    EXAMPLES,
    SCHEMA_OF,
    SENTENCE,
    example,
    example_bytes,
    read_example,
    source,
)
from jsonschema import Draft202012Validator

from grounding.adapters import ForeignDocument, adapter_names, read_artifact, registry
from grounding.errors import ArtifactInvalidError, UsageError
from grounding.model import CellRole, WarningCode

SCHEMAS = Path(__file__).parents[3] / "schemas"


def _put(*path: int | str, to: Any) -> Callable[[Any], None]:
    """A change that sets one value of a file."""

    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


def _drop(*path: int | str) -> Callable[[Any], None]:
    """A change that takes one key out of a file."""

    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        del value[path[-1]]

    return change


class TestExamples:
    def test_every_adapter_has_an_example(self) -> None:
        assert sorted(set(ADAPTER_OF.values())) == adapter_names()
        assert sorted(p.name for p in EXAMPLES.iterdir()) == sorted(ADAPTER_OF)

    @pytest.mark.parametrize("name", sorted(SCHEMA_OF))
    def test_the_examples_fit_their_schemas(self, name: str) -> None:
        schema = json.loads((SCHEMAS / f"{SCHEMA_OF[name]}.schema.json").read_text())
        Draft202012Validator(schema).validate(example(name))

    @pytest.mark.parametrize("name", sorted(ADAPTER_OF))
    def test_an_artifact_says_who_read_it_and_through_what(self, name: str) -> None:
        """Parser and adapter are named with versions, and the depot's sentence is there."""
        document = read_example(name)
        assert document.parser.adapter == ADAPTER_OF[name]
        assert document.parser.version
        assert document.parser.adapter_version
        made = source(name)
        assert any(SENTENCE in made.page_text(page.number) for page in made.pages)

    @pytest.mark.parametrize("name", sorted(ADAPTER_OF))
    def test_the_same_bytes_give_the_same_document(self, name: str) -> None:
        assert read_example(name) == read_example(name)


class TestRegistry:
    def test_an_unknown_name_lists_the_known_ones(self) -> None:
        with pytest.raises(UsageError, match="no adapter 'pdf'") as caught:
            read_artifact("pdf", b"")
        assert all(name in caught.value.what_to_do for name in adapter_names())

    def test_an_installed_package_adds_an_adapter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its name is listed, and its reader is called."""
        added = importlib.metadata.EntryPoint("words", "foreign_adapter:read", registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda group: [added])
        assert "words" in adapter_names()
        document = read_artifact("words", b"alder\nbirch\n")
        assert [element.text for element in document.elements] == ["alder", "birch"]

    def test_it_cannot_take_the_place_of_a_built_in_one(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        added = importlib.metadata.EntryPoint("plain-text", "foreign_adapter:read", registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda group: [added])
        assert read_artifact("plain-text", b"a\nb").elements[0].text == "a\nb"

    @pytest.mark.parametrize("kind", ["fails", "gives_nothing"])
    def test_what_is_wrong_with_it_is_no_traceback(
        self, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        added = importlib.metadata.EntryPoint("bad", f"foreign_adapter:{kind}", registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda group: [added])
        with pytest.raises(ArtifactInvalidError, match="bad adapter:"):
            read_artifact("bad", b"")


class TestEthosDocument:
    def test_it_is_read_whole(self) -> None:
        document = read_example("ethos-document.json")
        assert document.fingerprint.startswith("sha256:")
        assert document.capabilities.coordinate_origin == "top-left"
        assert [page.index for page in document.pages] == [1, 2]
        assert document.spans[1].element == "e000002"
        assert document.spans[1].end == 51
        roles = {cell.text: cell.role for cell in document.tables[0].cells}
        assert roles["2024"] is CellRole.COLUMN_HEADER
        assert roles["Alder Quay"] is CellRole.ROW_HEADER
        assert roles["5.5"] is CellRole.DATA
        assert [w.code for w in document.warnings] == [WarningCode.HIDDEN_TEXT_DETECTED]
        assert [span.id for span in document.spans if span.hidden] == ["s000004"]

    @pytest.mark.parametrize(
        ("change", "place"),
        [
            (_put("payload", "elements", 1, "text", to="5,600 tonnes"), "payload_sha256"),
            (_put("payload", "tables", 0, "cells", 5, "text", to="6.5"), "payload_sha256"),
            (_put("fingerprint", to=f"sha256:{'0' * 64}"), "fingerprint"),
            (_put("source", "fingerprint", to=f"sha256:{'0' * 64}"), "fingerprint"),
            (_put("payload", "elements", 0, "bbox", to=[9, 0, 5, 4]), "elements[0].bbox"),
            (_put("payload", "elements", 0, "bbox", to=[0, 0, 5]), "payload.elements[0].bbox"),
            (_put("payload", "pages", 0, "index", to=0), "payload.pages[0].index"),
            (_put("payload", "pages", 0, "width", to=61200.5), "payload.pages[0].width"),
            (_drop("payload", "spans"), "payload.spans"),
            (_put("payload", "elements", 0, "confidence", to=2**60), "payload"),
        ],
    )
    def test_a_changed_or_malformed_file_is_refused_with_its_place(
        self, change: Callable[[Any], None], place: str
    ) -> None:
        with pytest.raises(ArtifactInvalidError) as caught:
            read_example("ethos-document.json", change)
        assert (
            f"ethos-document adapter: {place}"
            in caught.value.message.replace("payload.elements[0].bbox", "elements[0].bbox")
            or f"adapter: {place}" in caught.value.message
        )

    def test_boxes_and_unknown_keys_are_not_part_of_its_fingerprint(self) -> None:
        """As Ethos has it: a box may be changed and the fingerprint still holds."""

        def change(value: Any) -> None:
            value["payload"]["elements"][1]["bbox"] = [0, 0, 61200, 79200]
            value["payload"]["elements"][1]["hint"] = "unknown"
            value["payload"]["elements"][1]["confidence"] = None

        changed = read_example("ethos-document.json", change)
        assert changed.fingerprint == read_example("ethos-document.json").fingerprint


class TestGroundingJson:
    @pytest.mark.parametrize(
        ("change", "place"),
        [
            (_put("elements", 0, "confidence", to=3), "elements[0].confidence"),
            (_put("elements", 0, "text", to=None), "elements[0].text"),
            (_put("elements", 1, "id", to="b1"), "elements[1].id"),
            (_put("elements", 0, "id", to="-b"), "elements[0].id"),
            (_put("elements", 0, "kind", to="Text"), "elements[0].kind"),
            (_put("elements", 0, "page", to="page-9"), "elements[0].page"),
            (_put("elements", 0, "bbox", to=[0, 0, 61201, 5]), "elements[0].bbox"),
            (_put("elements", 0, "bbox", to=[5, 0, 5, 5]), "elements[0].bbox"),
            (_put("elements", 0, "locator", to="x"), "elements[0]"),
            (_put("elements", 0, "text", to="é" * 8193), "elements[0].text"),
            (_put("pages", 1, "index", to=3), "pages[1].index"),
            (_put("pages", 0, "width", to=0), "pages[0].width"),
            (_put("spans", 0, "char_end", to=22), "spans[0]"),
            (_put("spans", 0, "element", to="b9"), "spans[0].element"),
            (_put("spans", 0, "element", to="b3"), "spans[0]"),
            (_drop("spans", 0, "char_start"), "spans[0]"),
            (_put("capabilities", "char_offsets", to=False), "spans[0]"),
            (_put("capabilities", "spans", to=False), "capabilities"),
            (_put("capabilities", "tables", to=False), "capabilities"),
            (_drop("tables"), "capabilities"),
            (_put("tables", 0, "cells", 1, "col_span", to=2), "tables[0].cells[2]"),
            (_put("tables", 0, "cells", 0, "row_span", to=2**32 - 1), "tables[0].cells[0]"),
            (_put("tables", 0, "cells", 0, "row", to=2), "tables[0].cells[1]"),
            (_put("schema_version", to="1.2.0"), "schema_version"),
            (_put("source", "media_type", to="application/rtf"), "source.media_type"),
            (_put("coordinate_system", "origin", to="bottom-left"), "coordinate_system.origin"),
        ],
    )
    def test_what_the_format_forbids_is_refused_with_its_place(
        self, change: Callable[[Any], None], place: str
    ) -> None:
        with pytest.raises(ArtifactInvalidError) as caught:
            read_example("ethos-grounding.json", change)
        assert caught.value.message.startswith(f"ethos-grounding adapter: {place}:")

    @pytest.mark.parametrize(
        ("change", "place"),
        [
            (_put("schema_version", to="1.0.0"), "source.media_type"),
            (_drop("elements", 0, "locator"), "elements[0]"),
            (_put("elements", 0, "bbox", to=[0, 0, 5, 5]), "elements[0]"),
            (_put("spans", to=[{"id": "s", "page": "p", "bbox": [0, 0, 1, 1], "text": ""}]),
             "the file"),
            (_put("elements", 0, "locator", to="é" * 1025), "elements[0].locator"),
        ],
    )  # fmt: skip
    def test_a_document_without_pages_has_no_places(
        self, change: Callable[[Any], None], place: str
    ) -> None:
        with pytest.raises(ArtifactInvalidError) as caught:
            read_example("ethos-grounding-without-pages.json", change)
        assert caught.value.message.startswith(f"ethos-grounding adapter: {place}:")

    def test_its_fingerprint_is_that_of_its_bytes(self) -> None:
        """Unlike a native document's it covers boxes too."""
        moved = read_example("ethos-grounding.json", _put("elements", 0, "bbox", to=[0, 0, 9, 9]))
        assert moved.fingerprint != read_example("ethos-grounding.json").fingerprint

    def test_a_byte_order_mark_is_refused(self) -> None:
        with pytest.raises(ArtifactInvalidError, match="byte order mark"):
            read_artifact(
                "ethos-grounding", b"\xef\xbb\xbf" + example_bytes("ethos-grounding.json")
            )


class TestOpenDataLoader:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (_put("elements", 0, "bbox", to=[9, 0, 5, 4]),
             "elements[0].bbox: bbox is malformed (x0>x1 or y0>y1)"),
            (_put("elements", 0, "bbox", to=[5, 5, 5.001, 9]), "bbox must have positive area"),
            (_put("elements", 0, "page", to=3), "element.page references unknown page 3"),
            (_put("elements", 0, "bbox", to=["1", 2, 3, 4]), "elements[0].bbox[0]"),
            (_put("elements", 0, "bbox", to=[1e300, 2, 3, 4]), "elements[0].bbox"),
            (_put("elements", 0, "bbox", to=[0, 0, 613, 4]), "beyond its page"),
            (_put("elements", 1, "id", to=" h1 "), "elements[1].id: 'h1' is given twice"),
            (_put("pages", 1, "number", to=1), "two pages have the same number"),
            (_put("pages", 0, "height", to=0), "pages[0]"),
            (_put("tool", "name", to=" "), "tool.name"),
            (_put("source_fingerprint", to="md5:1"), "source_fingerprint"),
            (_put("tables", 0, "cells", 0, "text", to=" "), "tables[0].cells[0].text"),
            (_put("tables", 0, "cells", 0, "col_span", to=2), "tables[0].cells[1]"),
        ],
    )  # fmt: skip
    def test_a_malformed_flat_file_is_refused_with_its_place(
        self, change: Callable[[Any], None], words: str
    ) -> None:
        with pytest.raises(ArtifactInvalidError) as caught:
            read_example("opendataloader-json.json", change)
        assert caught.value.message.startswith("opendataloader-json adapter: ")
        assert words in caught.value.message

    def test_elements_without_an_id_are_numbered_by_their_place(self) -> None:
        document = read_example("opendataloader-json.json")
        assert [e.id for e in document.elements] == ["h1", "odl-el-2", "odl-el-3"]
        assert [e.kind for e in document.elements] == ["heading", "paragraph", "paragraph"]

    def test_the_origin_of_its_boxes_stays_unknown(self) -> None:
        for name in ("opendataloader-json.json", "opendataloader-json-tree.json"):
            document = read_example(name)
            assert document.capabilities.coordinate_origin == "unknown"

    def test_a_tree_is_walked_depth_first(self) -> None:
        """An element stands before what is in it, and its text holds theirs."""
        document = read_example("opendataloader-json-tree.json")
        by_id = {element.id: element for element in document.elements}
        assert by_id["odl-3"].text == "open in the autumn\nclosed in the spring"
        assert by_id["odl-4"].inside == "odl-3"
        assert [e.id for e in document.elements][2:5] == ["odl-3", "odl-4", "odl-5"]
        (table,) = document.tables
        assert (table.id, table.cells[0].row, table.cells[0].col) == ("odl-6", 1, 1)
        assert by_id["odl-6"].table == "odl-6"
        assert document.name == "depot-report.pdf"
        assert document.pages[1].width == 30000

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (_put("number of pages", to=10_001), "number of pages"),
            (_put("kids", 0, "page number", to=3), "kids[0].page number"),
            (_put("kids", 0, "text", to="other"), "content and text differ"),
            (_put("kids", 0, to={}), "kids[0]: says nothing"),
            (_put("kids", 2, "list_items", to=[]), "both 'list items' and 'list_items'"),
            (_put("kids", 3, "rows", 0, "cells", 0, "kids", to=[]), "a cell has no text"),
            (_put("kids", 3, "rows", 0, "cells", 0, "page number", to=2), "the page of the table"),
            (_put("kids", 3, "rows", 0, to=[]), "kids[3].rows[0]"),
            (_drop("kids", 0, "bounding box"), "kids[0]"),
            (_put("kids", 1, "kids", to=[{"type": "table", "id": 6, "page number": 1,
             "bounding box": [0, 0, 1, 1], "rows": []}]), "table 'odl-6' is given twice"),
        ],
    )  # fmt: skip
    def test_a_malformed_tree_is_refused_with_its_node(
        self, change: Callable[[Any], None], words: str
    ) -> None:
        with pytest.raises(ArtifactInvalidError) as caught:
            read_example("opendataloader-json-tree.json", change)
        assert words in caught.value.message

    def test_a_deep_tree_is_refused(self) -> None:
        node: Any = {"content": "x", "page number": 1, "bounding box": [0, 0, 1, 1]}
        for _ in range(80):
            node = {"kids": [node]}
        with pytest.raises(ArtifactInvalidError, match="nested deeper than 64"):
            read_example("opendataloader-json-tree.json", _put("kids", 0, to=node))


class TestDocling:
    def test_items_come_in_the_order_of_the_body(self) -> None:
        """What the body does not hold comes behind."""
        kinds = ["page_header", "section_header", "text", "text", "caption", "table", "picture"]
        document = read_example("docling-json.json")
        assert [e.kind for e in document.elements] == kinds
        without = read_example("docling-json.json", _drop("body", "children", 0))
        assert [e.kind for e in without.elements] == [*kinds[1:], kinds[0]]
        assert document.name == "depot-report.pdf"

    def test_boxes_are_turned_to_the_top_left(self) -> None:
        document = read_example("docling-json.json")
        assert document.elements[1].bbox == (7200, 7200, 18000, 9200)
        assert document.tables[0].cells[0].bbox == (7200, 16000, 18200, 18000)

    def test_a_text_over_a_page_break_is_cut_by_its_character_spans(self) -> None:
        document = read_example("docling-json.json")
        first, second = (e for e in document.elements if e.kind == "text")
        assert (first.id, first.page) == ("#/texts/2", "page-1")
        assert (second.id, second.page) == ("#/texts/2@2", "page-2")
        assert second.text == "and it is to close in the spring."

    def test_cells_have_roles_and_the_table_its_caption(self) -> None:
        (table,) = read_example("docling-json.json").tables
        assert table.caption == "Tonnes by depot (in thousands)"
        assert [c.role for c in table.cells[:4]] == [CellRole.COLUMN_HEADER] * 3 + [
            CellRole.ROW_HEADER
        ]

    def test_a_box_without_an_origin_makes_all_origins_unknown(self) -> None:
        change = _drop("texts", 1, "prov", 0, "bbox", "coord_origin")
        document = read_example("docling-json.json", change)
        assert document.capabilities.coordinate_origin == "unknown"

    def test_a_text_without_a_place_is_left_out_and_noted(self) -> None:
        document = read_example("docling-json.json", _put("texts", 1, "prov", to=[]))
        assert "#/texts/1" not in {element.id for element in document.elements}
        (warning,) = document.warnings
        assert warning.code is WarningCode.PARTIAL_PARSE
        assert "#/texts/1" in warning.detail

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (_put("schema_name", to="Other"), "schema_name"),
            (_put("version", to="2.0.0"), "version"),
            (_put("texts", 1, "prov", 0, "page_no", to=9), "texts[1].prov[0].page_no"),
            (_put("texts", 1, "prov", 0, "charspan", to=[0, 99]), "texts[1].prov[0].charspan"),
            (_put("texts", 1, "prov", 0, "bbox", "coord_origin", to="LEFT"), "coord_origin"),
            (_put("texts", 1, "prov", 0, "bbox", "l", to=999), "texts[1].prov[0].bbox"),
            (_put("body", "children", 0, "$ref", to="#/texts/99"), "body.children[0]"),
            (_put("body", "children", 1, "$ref", to="#/texts/0"), "a second time"),
            (_put("texts", 1, "self_ref", to="#/texts/0"), "is given twice"),
            (_put("tables", 0, "captions", 0, "$ref", to="#/x"), "tables[0].captions[0]"),
            (_put("tables", 0, "data", "table_cells", 0, "end_col_offset_idx", to=2),
             "tables[0].data.table_cells[1]"),
            (_put("tables", 0, "data", "table_cells", 0, "end_row_offset_idx", to=0),
             "covers no grid position"),
            (_put("pages", "1", "page_no", to=2), "pages.1.page_no"),
        ],
    )  # fmt: skip
    def test_a_malformed_file_is_refused_with_its_place(
        self, change: Callable[[Any], None], words: str
    ) -> None:
        with pytest.raises(ArtifactInvalidError) as caught:
            read_example("docling-json.json", change)
        assert words in caught.value.message


class TestPlainText:
    def test_offsets_are_those_of_the_file(self) -> None:
        text = "Über 5 t.\r\nÄhnlich.\f\n"
        document = read_artifact("plain-text", b"\xef\xbb\xbf" + text.encode())
        assert document.elements[0].text == text

    @pytest.mark.parametrize(
        ("data", "words"), [(b"a\0b", "byte 1: is NUL"), (b"ab\xff", "byte 2: begins no UTF-8")]
    )
    def test_what_is_no_text_is_refused(self, data: bytes, words: str) -> None:
        with pytest.raises(ArtifactInvalidError, match=words):
            read_artifact("plain-text", data)


@pytest.mark.parametrize("name", ["docling-json", "ethos-document", "ethos-grounding",
                                  "opendataloader-json"])  # fmt: skip
@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"null", b"{}", b"\xff", b'{"a":1,"a":2}', b'{"a":NaN}', b"[" * 100_000,
     b'{"a":' * 50_000, b"1" * 5000, b'"\\ud800"'],
)  # fmt: skip
def test_what_is_no_file_of_the_format_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(ArtifactInvalidError, match=f"{name} adapter: "):
        read_artifact(name, data)


def test_documents_are_values() -> None:
    assert isinstance(read_example("plain-text.txt"), ForeignDocument)
