"""Fields and chunks of Azure AI Content Understanding and LandingAI."""

from typing import Any

import pytest
from converting import claims_of, codes, made, sources

from grounding.errors import ConversionInvalidError

SQUARE = "D(1,1,2,3,2,3,2.5,1,2.5)"


def content(fields: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"contents": [{"unit": "inch", "path": "a/b.pdf", "fields": fields, **keys}]}


def azure(field: dict[str, Any], **keys: Any) -> Any:
    return made("azure-content-understanding", content({"F": field}, **keys))


class TestAzure:
    def test_a_polygon_in_inches_is_the_box_around_it_in_points(self) -> None:
        (claim,) = claims_of(azure({"valueString": "It rose.", "source": SQUARE}))
        assert claim["id"] == "c0.F"
        assert claim["citation"] == {
            "page": 1,
            "bbox": ["72", "144", "216", "180"],
            "bbox_space": {"origin": "top-left", "unit": "point"},
        }

    def test_fractions_of_an_inch_keep_all_their_digits(self) -> None:
        source = "D(1,0.1,0.2,0.3,0.2,0.3,0.0001)"
        (claim,) = claims_of(azure({"valueString": "It rose.", "source": source}))
        assert claim["citation"]["bbox"] == ["7.2", "0.0072", "21.6", "14.4"]

    def test_pixels_are_fractions_of_the_page_and_need_its_size(self) -> None:
        field = {"valueString": "It rose.", "source": "D(1,10,20,30,20,30,40,10,40)"}
        pages = [{"pageNumber": 1, "width": 100, "height": 300}]
        (claim,) = claims_of(azure(field, unit="pixel", pages=pages))
        assert claim["citation"]["bbox"] == ["0.1", "0.066666667", "0.3", "0.133333333"]
        assert claim["citation"]["bbox_space"]["unit"] == "fraction"
        conversion = azure(field, unit="pixel")
        assert claims_of(conversion)[0]["citation"] == {"page": 1}
        assert codes(conversion) == ["box_not_read"]

    def test_several_boxes_are_regions(self) -> None:
        field = {"valueString": "It rose.", "source": f"{SQUARE}; D(2,1,1,2,1,2,2,1,2)"}
        (claim,) = claims_of(azure(field))
        assert [region["page"] for region in claim["citation"]["regions"]] == [1, 2]

    @pytest.mark.parametrize(
        ("source", "place", "noted"),
        [
            ("D(3)", {"page": 3}, []),
            ("D(3);D(5)", {"page": 3, "page_end": 5}, ["page_range"]),
            ("D(3,1,2,3,4)", {"page": 3}, ["box_not_read"]),
            ("AV(100,200)", {}, ["no_page", "box_not_read"]),
            ("D(3,1,2,1,5,1,9)", {"page": 3}, ["box_not_read"]),
            ("D(0,1,1,2,2,3,3)", {}, ["no_page", "box_not_read"]),
            ("", {}, ["no_page"]),
        ],
    )
    def test_what_cannot_be_read_of_a_source_is_noted(
        self, source: str, place: dict[str, Any], noted: list[str]
    ) -> None:
        """Four numbers may be two corners, or a corner and a size."""
        conversion = azure({"valueString": "It rose.", "source": source})
        assert claims_of(conversion)[0]["citation"] == place
        assert codes(conversion) == noted

    @pytest.mark.parametrize(
        ("field", "value"),
        [({"valueNumber": 82.50}, "82.5"), ({"valueInteger": -7}, "-7"), ({"valueNumber": 5}, "5")],
    )
    def test_numbers_are_values(self, field: dict[str, Any], value: str) -> None:
        (claim,) = claims_of(azure({**field, "source": SQUARE}))
        assert (claim["kind"], claim["value"]) == ("value", value)

    def test_a_date_is_what_was_read_at_its_span(self) -> None:
        """The service writes 2028-06-30 whatever is printed."""
        field = {"valueDate": "2028-06-30", "spans": [{"offset": 4, "length": 12}]}
        conversion = azure({**field, "source": "D(2)"}, markdown="Due 30 June 2028.")
        (claim,) = claims_of(conversion)
        assert (claim["kind"], claim["text"]) == ("quote", "30 June 2028")
        assert codes(conversion) == ["normalised_value"]
        lost = azure(field)
        assert (lost.claims, codes(lost)) == (0, ["normalised_value"])

    def test_offsets_that_may_count_otherwise_are_not_used(self) -> None:
        """Behind a character of two UTF-16 units, code points and units differ."""
        field = {"valueDate": "2028-06-30", "spans": [{"offset": 5, "length": 4}]}
        assert azure(field, markdown="\U0001f600 on 30 June").claims == 0

    def test_nested_fields_are_named_by_their_path(self) -> None:
        inner = {"type": "object", "valueObject": {"b.c": {"valueString": "It rose."}}}
        conversion = made(
            "azure-content-understanding",
            {"result": content({"A": {"valueArray": [inner, inner]}, "N": {"type": "string"}})},
        )
        assert [claim["id"] for claim in claims_of(conversion)] == ["c0.A.0.b.c", "c0.A.1.b.c"]
        places = [note.where for note in conversion.notes]
        assert places[0] == "/result/contents/0/fields/A/valueArray/0/valueObject/b.c"
        assert codes(conversion)[-1] == "empty_text"
        assert conversion.complete

    def test_yes_no_and_endless_numbers_are_listed(self) -> None:
        conversion = azure({"valueBoolean": True})
        assert codes(conversion) == ["value_not_text"]
        data = b'{"contents":[{"path":"a.pdf","fields":{"F":{"valueNumber":1e400000}}}]}'
        from verifier.convert import convert

        assert codes(convert(data, "azure-content-understanding")) == ["value_not_text"]

    def test_a_wrong_shape_is_named_by_its_place(self) -> None:
        with pytest.raises(ConversionInvalidError, match=r"\$\.contents\[0\]\.fields\.F\.valueStr"):
            azure({"valueString": 3})


BOX = {"left": 0.1, "top": 0.2, "right": 0.30, "bottom": 0.4}
PLACE = {
    "page": 1,
    "bbox": ["0.1", "0.2", "0.3", "0.4"],
    "bbox_space": {"origin": "top-left", "unit": "fraction"},
}


def chunk(text: str, kind: str = "text", **keys: Any) -> dict[str, Any]:
    return {"id": "k", "type": kind, "markdown": text, "grounding": {"page": 0, "box": BOX}, **keys}


def landing(*chunks: Any, **keys: Any) -> Any:
    value = {"chunks": list(chunks), "metadata": {"filename": "a.pdf"}, **keys}
    return made("landingai", value)


class TestLandingAI:
    def test_a_chunk_is_a_quote_in_its_box_without_the_service_s_anchor(self) -> None:
        (claim,) = claims_of(landing(chunk("<a id='k'></a>\n\nIt rose.")))
        assert (claim["kind"], claim["text"], claim["citation"]) == ("quote", "It rose.", PLACE)

    @pytest.mark.parametrize(
        "box",
        [
            {"left": 0.3, "top": 0.2, "right": 0.1, "bottom": 0.4},
            {"left": 0.1, "top": 0.4, "right": 0.3, "bottom": 0.4},
            {"left": 10, "top": 20, "right": 30, "bottom": 40},
            {"left": -0.1, "top": 0.2, "right": 0.3, "bottom": 0.4},
        ],
    )
    @pytest.mark.parametrize("kind", ["text", "table"])
    def test_a_box_that_is_none_leaves_the_page(self, box: dict[str, float], kind: str) -> None:
        text = "<table><tr><td>12</td></tr></table>" if kind == "table" else "It rose."
        conversion = landing(chunk(text, kind, grounding={"page": 0, "box": box}))
        assert [claim["citation"] for claim in claims_of(conversion)] == [{"page": 1}]
        assert "box_not_read" in codes(conversion)

    def test_the_older_names_say_the_same(self) -> None:
        box = {"l": 0.1, "t": 0.2, "r": 0.3, "b": 0.4}
        old = {"text": "It rose.", "chunk_type": "text", "grounding": [{"page": 0, "box": box}]}
        value = {"data": {"chunks": [old]}}
        (claim,) = claims_of(made("landingai", value, document="a.pdf"))
        assert (claim["text"], claim["citation"]) == ("It rose.", PLACE)

    @pytest.mark.parametrize("kind", ["figure", "logo", "scan_code"])
    def test_descriptions_are_no_printed_text(self, kind: str) -> None:
        conversion = landing(chunk("A map of the river.", kind), chunk("A", kind, grounding=None))
        (claim,) = claims_of(conversion)
        assert claim == {"id": "k0", "kind": "presence", "citation": PLACE}
        assert codes(conversion) == ["description_not_printed_text"] * 2
        assert conversion.unconverted == 1

    def test_a_table_s_cells_are_regions_of_its_box(self) -> None:
        table = "<table><tr><th>Year</th><td></td></tr><tr><td>A &amp; <b>B</b></td></tr></table>"
        conversion = landing(chunk(table, "table"))
        assert [(c["id"], c["kind"], c["text"]) for c in claims_of(conversion)] == [
            ("k0.r0.c0", "region", "Year"),
            ("k0.r1.c0", "region", "A &  B"),
        ]
        assert codes(conversion) == ["table_as_cells"]

    def test_extracted_values_stand_where_they_refer_to(self) -> None:
        other = {"page": 1, "box": BOX}
        conversion = landing(
            chunk("It rose."),
            grounding={"0-1": {**other, "type": "tableCell"}},
            extraction={"a": "It rose.", "b": {"c": [5]}, "d": None, "e": True},
            extraction_metadata={
                "a": {"references": ["k", "0-1"]},
                "b": {"c": [{"chunk_references": ["lost"]}]},
            },
        )
        _, text, number = claims_of(conversion)
        assert [region["page"] for region in text["citation"]["regions"]] == [1, 2]
        assert (number["id"], number["value"], number["citation"]) == ("x.b.c.0", "5", {})
        assert codes(conversion) == ["no_page", "reference_unknown", "empty_text", "value_not_text"]

    def test_metadata_without_values_is_listed(self) -> None:
        conversion = made("landingai", {"extraction_metadata": {"a": {"references": ["k"]}}})
        assert codes(conversion) == ["no_text"]

    def test_the_file_s_name_may_stand_for_a_document(self) -> None:
        names = sources({"name": "a.pdf", "document": "annual.pdf"})
        value = {"chunks": [chunk("It rose.")], "metadata": {"filename": "a.pdf"}}
        assert made("landingai", value, names=names).requests[0]["document"] == "annual.pdf"

    def test_a_wrong_shape_is_named_by_its_place(self) -> None:
        with pytest.raises(ConversionInvalidError, match=r"\$\.chunks\[0\]\.grounding\.page: "):
            landing(chunk("It rose.", grounding={"page": -1, "box": BOX}))
        with pytest.raises(ConversionInvalidError, match="neither chunks nor an extraction"):
            made("landingai", {"structure": {}})
