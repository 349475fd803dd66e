"""The examples in schemas/examples/convert: valid, converted to what is stored, and true."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from converting import DEFAULTS, EXAMPLES, FORMATS, check, example, expected_request
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from grounding.store import StoreReader, StoreWriter
from ingest.reading.document import ReadOptions, read_document
from verifier import load_config, parse_requests, verify
from verifier.convert import convert
from verifier.convert.schemas import convert_schemas

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ("annual-report", "income-statement", "registration-form", "service-agreement")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreReader]:
    path = tmp_path_factory.mktemp("convert") / "grounding.db"
    with StoreWriter(path) as writer:
        for name in SAMPLES:
            read = read_document((ROOT / f"sample_docs/{name}.pdf").read_bytes(), ReadOptions())
            writer.add_document(read, f"/in/{name}.pdf", f"{name}.pdf", name)
    with StoreReader(path) as reader:
        yield reader


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(convert_schemas()[name])


def test_every_format_has_an_example_and_every_example_a_format() -> None:
    there = {path.name for path in EXAMPLES.iterdir()}
    assert there == {f"{n}{end}" for n in FORMATS for end in (".json", ".request.json")}


@pytest.mark.parametrize("name", FORMATS)
class TestExamples:
    def test_it_is_valid_by_the_schema_of_its_format(self, name: str) -> None:
        key = f"convert_{name.replace('-', '_')}"
        Draft202012Validator.check_schema(convert_schemas()[key])
        assert list(schema(key).iter_errors(json.loads(example(name)))) == []

    def test_it_becomes_the_stored_request(self, name: str) -> None:
        conversion = convert(example(name), name, document=DEFAULTS.get(name))
        check(conversion)
        assert json.loads(conversion.request_bytes()) == expected_request(name)
        assert (
            conversion.request_bytes()
            == convert(example(name), name, document=DEFAULTS.get(name)).request_bytes()
        )

    def test_its_notes_are_valid(self, name: str) -> None:
        notes = json.loads(convert(example(name), name).notes_bytes())
        assert list(schema("conversion_notes").iter_errors(notes)) == []

    def test_its_citations_are_grounded_and_changed_ones_are_not(
        self, name: str, store: StoreReader
    ) -> None:
        for falsified in (False, True):
            data = convert(example(name), name, document=DEFAULTS.get(name)).request_bytes()
            value = json.loads(data)
            if falsified:
                _falsify(value)
            report: Any = verify(parse_requests(json.dumps(value)), store, load_config("default"))
            statuses = {
                check["claim"]["id"]: check["status"]
                for part in report["reports"]
                for check in part["checks"]
                if check["claim"]["kind"] != "other"
            }
            assert len(statuses) >= 2
            grounded = {claim for claim, status in statuses.items() if status == "grounded"}
            assert grounded == (set() if falsified else set(statuses)), (falsified, statuses)


def _falsify(value: Any) -> None:
    """Another digit or another word in every claim."""
    for request in value["requests"]:
        for claim in request["claims"]:
            key = "value" if "value" in claim else "text"
            claim[key] = f"{claim[key]}7" if key == "value" else f"walrus {claim[key]} walrus"
