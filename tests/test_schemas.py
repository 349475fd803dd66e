"""The JSON Schemas in schemas/: equal to the models, and true of what the program writes."""

import copy
import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from drawn import plain, r17, ruled_table
from jsonschema import (  # type: ignore[import-untyped]
    Draft202012Validator,
    ValidationError,
)

from grounding.canonical import canonical_sha256
from grounding.chunks import chunks
from grounding.crop import CropRequest, descriptor
from grounding.cutting import ChunkRules
from grounding.export import artifact
from grounding.geometry import Box
from grounding.model import SpanFlag
from grounding.schemas import SpanFlagName
from grounding.store import OPERATOR, StoreReader, StoreWriter
from grounding.store.audit_chain import export_line
from grounding.store.audit_log import audit_rows, remove_texts
from grounding.store.map_history import history
from grounding.store.search import Filters, search
from grounding.store.source_map import export_map, set_source
from ingest.reading.document import ReadOptions, read_document
from ingest.rendering import PdfRenderer
from pagewitness.context import context_map, of_hits
from pagewitness.hits import hit_data
from verifier import PRESETS, parse_requests, verify
from verifier.anchors import anchor, parse_anchors
from verifier.coverage.audit import audit_coverage
from verifier.gate import POLICIES, Gate
from verifier.gate.event import event_of, record_decision
from verifier.gate.stats import gate_stats
from verifier.judges.literal import LiteralJudge
from verifier.schemas import schemas
from verifier.scorecard.audit import audit_scorecard
from verifier.traces import Trace
from verifier.traces.model import trace_data
from verifier.traces.read import read_traces
from verifier.verify import report_bytes

ROOT = Path(__file__).parents[1]
NAMES = (
    "audit_event",
    "audit_line",
    "chunk",
    "context_map",
    "coverage_result",
    "crop_descriptor",
    "document_artifact",
    "ethos_citations",
    "ethos_evidence_anchor_report",
    "ethos_evidence_anchor_request",
    "ethos_release_claims",
    "ethos_release_decision",
    "ethos_verification_config",
    "ethos_verification_report",
    "evidence_anchor_report",
    "evidence_anchor_report_set",
    "evidence_anchor_request",
    "foreign_docling",
    "foreign_ethos_document",
    "foreign_ethos_grounding",
    "foreign_opendataloader",
    "foreign_opendataloader_tree",
    "gate_stats",
    "generated_answer",
    "impact",
    "release_decision",
    "release_labels",
    "release_policy",
    "report_set",
    "request_set",
    "scorecard_result",
    "search_hit",
    "source_history",
    "source_map",
    "trace",
    "verification_config",
    "verification_report",
    "verification_request",
)
OWN = tuple(name for name in NAMES if not name.startswith(("ethos_", "foreign_", "impact")))
"""Files of this project, whose readers must not miss a key that they do not know. Those of others
grow."""
REQUEST = {
    "document": "orders",
    "claims": [
        {"id": "c1", "kind": "quote", "text": "All figures are counts of orders.",
         "citation": {"page": 1}},
        {"kind": "table_cell", "text": "(12)",
         "citation": {"table_id": "t0001", "cell": {"row": 2, "col": 2}}},
        {"kind": "value", "value": "135", "citation": {"page": 1, "row_label": "North",
                                                       "column_label": "Q2"}},
        {"kind": "presence", "citation": {"element_id": "e000001"}},
        {"kind": "region", "text": "Sales by region",
         "citation": {"page": 1, "bbox": ["70", "40", "400.5", 80],
                      "bbox_space": {"origin": "top-left", "unit": "point"}}},
        {"kind": "quote", "text": "All figures are counts of invoices.", "citation": {"page": 1}},
        {"kind": "quote", "text": "The second page speaks of timber prices.",
         "citation": {"page": 1}},
        {"kind": "quote", "text": "Nobody wrote these words anywhere.", "citation": {"page": 9}},
        {"kind": "calculation", "text": "1 + 1 = 2", "citation": {"page": 1}},
    ],
}  # fmt: skip


ANCHORS = {
    "document": "orders",
    "evidence_refs": [
        {"evidence_id": "a", "evidence_kind": "text_region", "required_anchor_level": "text_bbox",
         "locator": {"page": 1, "bbox": [7000, 4000, 30000, 20000],
                     "bbox_space": {"origin": "top-left"}},
         "expected_text": "Sales by region"},
        {"evidence_id": "b", "evidence_kind": "table_cell", "required_anchor_level": "table_cell",
         "locator": {"table_id": "t0001", "cell": {"row": 2, "col": 2}}, "expected_text": "(12)"},
        {"evidence_id": "c", "evidence_kind": "page", "required_anchor_level": "page",
         "locator": {"page": 9}},
    ],
}  # fmt: skip


@cache
def of_type(name: str) -> Draft202012Validator:
    return Draft202012Validator(schemas()[name])


@dataclass
class Made:
    """Files that a run of the program made, by the name of their schema."""

    files: dict[str, list[Any]]
    renderer: PdfRenderer


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("schemas") / "grounding.db"
    orders = _bound(ruled_table(), plain(["The second page speaks of timber prices."]))
    documents = {"orders": orders, "statement": r17()}
    with StoreWriter(path) as writer:
        for name, data in documents.items():
            read = read_document(data, ReadOptions())
            writer.add_document(read, f"/in/{name}.pdf", f"{name}.pdf", name)
    old = {**REQUEST, "document_fingerprint": f"sha256:{'0' * 64}"}
    unknown = {"document": "nothing", "claims": [{"kind": "presence", "citation": {"page": 1}}]}
    many = {"requests": [REQUEST, old, unknown]}
    renderer = PdfRenderer(orders)
    with StoreReader(path) as reader:
        source = reader.open("orders")
        hits = search(reader, "o*", Filters(), 20)
        crops = [CropRequest(1, Box(7000, 4000, 30000, 20000), (Box(7200, 5000, 9000, 6000),), 72),
                 CropRequest(2, Box(0, 0, 61200, 79200), dpi=1200)]  # fmt: skip
        files = {
            "verification_request": [REQUEST, old, unknown],
            "request_set": [many],
            "verification_config": [json.loads(c.model_dump_json()) for c in PRESETS.values()],
            "verification_report": [
                verify(parse_requests(json.dumps(request)), reader, config)
                for request in (REQUEST, old, unknown)
                for config in PRESETS.values()
            ],
            "evidence_anchor_request": [ANCHORS],
            "evidence_anchor_report": [
                anchor(parse_anchors(json.dumps(ANCHORS)), reader, PRESETS["default"])
            ],
            "evidence_anchor_report_set": [
                anchor(
                    parse_anchors(
                        report_bytes(
                            verify(parse_requests(json.dumps(many)), reader, PRESETS["default"])
                        )
                    ),
                    reader,
                    PRESETS["default"],
                )
            ],
            "report_set": [verify(parse_requests(json.dumps(many)), reader, PRESETS["default"])],
            "document_artifact": [artifact(source), artifact(reader.open("statement"))],
            "chunk": [
                chunk
                for name in ("orders", "statement")
                for rows in ("whole", "rows")
                for chunk in chunks(reader.open(name), ChunkRules(tables=rows))
            ],
            "search_hit": [hit_data(hit) for hit in hits],
            **audited(),
            "context_map": [context_map(of_hits(hits))],
            "crop_descriptor": [
                descriptor(renderer.render(crop), source.identity, check)
                for crop, check in zip(crops, (None, "v0001"), strict=True)
            ],
        }
    answer = {
        "answer_id": "a1",
        "answer_text": "All figures are counts of orders. They rose.",
        "claims": [
            {"id": "c1", "type": "source_fact", "evidence_refs": ["e1"],
             "text": "All figures are counts of orders."},
            {"id": "c2", "type": "synthesis", "evidence_refs": ["e1"], "depends_on": ["c1"],
             "domain": "trade", "value": "5", "text": "They rose to 5."},
        ],
        "evidence": {"e1": {"document": "orders", **REQUEST["claims"][0]}},
    }  # fmt: skip
    del answer["evidence"]["e1"]["id"]  # type: ignore[index]
    told = {"claims": {"c1": {"claim_support": "supported"}}}
    files["generated_answer"] = [answer]
    files["release_labels"] = [told]
    files["release_policy"] = [json.loads(policy.model_dump_json()) for policy in POLICIES.values()]
    files["release_decision"] = []
    for policy in POLICIES.values():
        with Gate(path, policy) as gate:
            for body in (answer, {**answer, "claims": [5]}):
                decision = gate.decide(json.dumps(body), json.dumps(told), as_of="2025-01-01")
                files["release_decision"].append(decision)
    decision = files["release_decision"][0]
    files["audit_event"] = [event_of(one) for one in files["release_decision"]]
    with StoreWriter(path) as writer:
        for one in files["release_decision"]:
            timings = {"timings_ms": {"total": 3}}
            record_decision(writer, one, timings, actor="clerk", tenant="acme", text=True)
            record_decision(writer, one, {})
        with writer.together():
            cited = (e.get("document_fingerprint") for e in decision["claims"][0]["evidence"])
            assert remove_texts(writer, [one for one in cited if one]) == 2
    with StoreReader(path) as reader:
        rows = list(audit_rows(reader))
    files["audit_line"] = [
        json.loads(export_line(row, private=private)) for row in rows for private in (False, True)
    ]
    files["gate_stats"] = [gate_stats([]), gate_stats((row.seq, row.event) for row in rows)]
    with StoreWriter(path) as writer:
        set_source(writer, "orders", tenant="acme", permissions=["legal"], effective="2025-01-01")
    with StoreReader(path, OPERATOR) as reader:
        files["source_map"] = [json.loads(export_map(reader)), {"sources": [{"id": "orders"}]}]
        files["source_history"] = [change.as_dict() for change in history(reader)]
    return Made(json.loads(json.dumps(files)), renderer)


def audited() -> dict[str, list[Any]]:
    """The example traces and the lines about them, the last one scored."""
    traces = list(read_traces([ROOT / "schemas" / "examples" / "traces" / "plain.jsonl"]))[::-1]
    kept = [trace for trace in traces if isinstance(trace, Trace)]
    return {
        "trace": [trace_data(trace) for trace in kept],
        "coverage_result": [audit_coverage(trace, LiteralJudge()) for trace in traces],
        "scorecard_result": [audit_scorecard(trace, LiteralJudge()) for trace in traces],
    }


def _bound(*parts: bytes) -> bytes:
    """One PDF of the pages of several."""
    import pymupdf

    whole = pymupdf.open()
    for part in parts:
        whole.insert_pdf(pymupdf.open(stream=part, filetype="pdf"))
    return bytes(whole.tobytes(no_new_id=True))


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_schemas", ROOT / "scripts/make_schemas.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TestFiles:
    """What is committed."""

    def test_every_kind_of_file_has_a_schema(self) -> None:
        assert sorted(schemas()) == list(NAMES)

    def test_the_committed_files_equal_what_the_models_emit(self) -> None:
        """`python scripts/make_schemas.py` writes them again."""
        for name, schema in schemas().items():
            text = (ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
            assert json.loads(text) == schema
        assert script().differing() == []

    def test_a_stale_a_missing_and_a_left_over_file_are_named(self, tmp_path: Path) -> None:
        make = script()
        make.write(tmp_path)
        assert make.differing(tmp_path) == []
        (tmp_path / "report_set.schema.json").unlink()
        (tmp_path / "old.schema.json").write_text("{}\n")
        request = tmp_path / "request_set.schema.json"
        request.write_text(request.read_text().replace("Request set", "Set of requests"))
        assert make.differing(tmp_path) == [
            "old.schema.json",
            "report_set.schema.json",
            "request_set.schema.json",
        ]
        make.write(tmp_path)
        assert make.differing(tmp_path) == []

    def test_files_are_sorted_indented_and_end_in_a_line_end(self) -> None:
        for text in script().files().values():
            again = json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False)
            assert text == again + "\n"

    @pytest.mark.parametrize("name", NAMES)
    def test_a_schema_is_valid_and_says_what_it_is(self, name: str) -> None:
        schema = schemas()[name]
        Draft202012Validator.check_schema(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["$id"] == f"https://pagewitness.invalid/schemas/{name}.schema.json"
        assert schema["title"][0].isupper()
        assert schema["description"].endswith(".")


def faults(name: str, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in of_type(name).iter_errors(value)]


class TestWhatTheProgramWrites:
    """Real files are valid, and what is not one of them is not."""

    @pytest.mark.parametrize("name", OWN)
    def test_real_files_are_valid(self, made: Made, name: str) -> None:
        assert made.files[name]
        for value in made.files[name]:
            assert faults(name, value) == []

    def test_the_reports_show_most_of_what_a_report_can_hold(self, made: Made) -> None:
        """So that the test above means something."""
        reports = made.files["verification_report"]
        checks = [check for report in reports for check in report["checks"]]
        assert {check["status"] for check in checks} == {
            "grounded", "not_found", "mismatch", "stale", "unsupported_claim_kind", "error"
        }  # fmt: skip
        keys = {key for check in checks for key in check}
        assert {"match", "evidence", "found_elsewhere", "nearest", "context", "provenance"} <= keys
        assert {key for report in reports for key in report} >= {
            "document_fingerprint", "expected_fingerprint", "fingerprint_reason", "grounding"
        }  # fmt: skip

    def test_the_artifact_shows_most_of_what_an_artifact_can_hold(self, made: Made) -> None:
        first = made.files["document_artifact"][0]
        assert len(first["pages"]) == 2
        assert len(first["tables"]) == 1
        assert {"level", "table_id"} <= {key for e in first["elements"] for key in e}
        assert any(span["flags"] for span in first["spans"])

    def test_a_span_of_the_artifact_is_its_piece_of_the_text(self, made: Made) -> None:
        for value in made.files["document_artifact"]:
            assert value["spans"]
            for span in value["spans"]:
                assert value["text"][span["start"] : span["end"]] == span["text"]

    def test_a_crop_reference_is_the_hash_of_the_rest(self, made: Made) -> None:
        """A descriptor that was edited gives itself away; the second picture met the pixel cap."""
        one, two = made.files["crop_descriptor"]
        for value in (one, two):
            rest = {key: item for key, item in value.items() if key != "crop_ref"}
            assert value["crop_ref"] == f"crop-{canonical_sha256(rest)}"
        assert (one["dpi"], one["requested_dpi"], one["pixels_capped"]) == (72, 72, False)
        assert (one["width_px"], one["height_px"]) == (230, 160)
        assert two["check_id"] == "v0001"
        assert two["pixels_capped"] is True
        assert two["dpi"] < two["requested_dpi"] == 1200
        assert two["width_px"] * two["height_px"] <= 16_100_000

    @pytest.mark.parametrize("name", OWN)
    def test_unknown_keys_are_refused_at_every_depth(self, made: Made, name: str) -> None:
        """A reader must not miss what it does not know. Echoed claims and parser options are the
        only objects whose keys are somebody else's."""
        value = made.files[name][-1] if name != "verification_report" else made.files[name][0]
        validator = of_type(name)
        seen = set()
        for path in _objects(value):
            kind = tuple("*" if isinstance(key, int) else key for key in path)
            if kind in seen or _open(kind):
                continue
            seen.add(kind)
            changed = copy.deepcopy(value)
            _at(changed, path)["surprise"] = 1
            with pytest.raises(ValidationError, match="surprise"):
                validator.validate(changed)
        assert () in seen

    @pytest.mark.parametrize(
        "name", ["document_artifact", "crop_descriptor", "verification_report"]
    )
    def test_a_file_without_one_of_its_keys_is_refused(self, made: Made, name: str) -> None:
        value = made.files[name][0]
        required = schemas()[name]["required"]
        assert len(required) >= 12
        for key in required:
            assert faults(name, {k: v for k, v in value.items() if k != key}) != []

    @pytest.mark.parametrize(
        ("name", "key", "wrong"),
        [
            ("document_artifact", "source_fingerprint", "0" * 64),
            ("document_artifact", "blake3", "sha256:" + "0" * 64),
            ("document_artifact", "artifact_type", "pagewitness.document.v2"),
            ("document_artifact", "schema_version", "2.0.0"),
            ("crop_descriptor", "bbox", [1, 2, 3]),
            ("crop_descriptor", "bbox", [1, 2, 3, 4.5]),
            ("crop_descriptor", "page", 0),
            ("crop_descriptor", "crop_ref", "crop-1"),
            ("verification_report", "all_evidence_grounded", "true"),
            ("verification_report", "artifact_type", "pagewitness.report_set.v1"),
            ("verification_request", "claims", [{"kind": "rumour"}]),
            ("verification_request", "claims", [{"kind": "value", "value": 5}]),
            ("verification_config", "bbox_tolerance", -1),
            ("request_set", "requests", []),
        ],
    )
    def test_wrong_values_are_refused(self, made: Made, name: str, key: str, wrong: object) -> None:
        assert faults(name, {**made.files[name][0], key: wrong}) != []


def test_the_names_of_span_flags_are_those_of_the_flags() -> None:
    names = [flag.name.lower() for flag in SpanFlag if flag.name]
    assert list(get_args(SpanFlagName)) == names


def _objects(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where the objects in a JSON value are."""
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from _objects(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _objects(item, (*path, number))


def _open(kind: tuple[str | int, ...]) -> bool:
    text = "/".join(map(str, kind))
    if kind[-1:] in (("attributes",), ("metadata",), ("params",), ("counts",)):
        return True
    return "checks/*/claim" in text or text == "parser/options"


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value
