"""Writes schemas/examples/files/: one file of each kind that Pagewitness reads or writes, or says
with --check whether they are up to date.

They are about the depot report of schemas/examples/foreign/, so no PDF engine is needed. Two kinds
are about a sample document and are only written with --pdf: a document artifact and a crop
descriptor, which another version of the PDF engine may write differently.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grounding.adapters import ForeignSource, read_artifact  # noqa: E402
from grounding.canonical import canonical_bytes  # noqa: E402
from grounding.store.audit_chain import export_line  # noqa: E402
from grounding.store.audit_log import AuditRow, chained, sha256_of  # noqa: E402
from grounding.store.audit_schema import GENESIS  # noqa: E402
from verifier import PRESETS, parse_requests, verify  # noqa: E402
from verifier.anchors import anchor, parse_anchors  # noqa: E402
from verifier.ethos import (  # noqa: E402
    DEFAULT,
    parse_citations,
    parse_release_claims,
    release_decision,
    verify_ethos,
)
from verifier.ethos import anchor as ethos_anchor  # noqa: E402
from verifier.ethos import parse_anchor_request as parse_ethos_anchors  # noqa: E402
from verifier.impact import impacts  # noqa: E402
from verifier.single import SingleDocument  # noqa: E402
from verifier.verify import report_bytes  # noqa: E402

EXAMPLES = ROOT / "schemas" / "examples"
FOLDER = EXAMPLES / "files"
OF_PDFS = ("crop_descriptor", "document_artifact")
SENTENCE = "The depot at Alder Quay moved 5,500 tonnes in 2024,"


def examples() -> dict[str, Any]:
    """Value by the name of its schema, of every kind that needs no PDF engine."""
    data = (EXAMPLES / "foreign" / "ethos-document.json").read_bytes()
    document = read_artifact("ethos-document", data)
    resolver = SingleDocument(ForeignSource(document, "depot-report.pdf"))
    request, several = _request(document.fingerprint), {"requests": [_request(None)]}
    anchors, ethos_anchors = _anchors(), _ethos_anchors(document.fingerprint)
    citations = {
        "document_fingerprint": document.fingerprint,
        "claims": [
            {"kind": "quote", "text": SENTENCE, "citation": {"element_id": "e000002"}},
            {"kind": "table_cell", "text": "5.6",
             "citation": {"table_id": "t0001", "cell": {"row": 1, "col": 2}}},
        ],
    }  # fmt: skip
    rules = PRESETS["default"]
    theirs = verify_ethos(document, parse_citations(json.dumps(citations), DEFAULT), DEFAULT)
    claims = _release_claims()
    parsed = parse_release_claims(json.dumps(claims))
    asked = parse_ethos_anchors(json.dumps(ethos_anchors))
    set_of_anchors = parse_anchors(
        json.dumps(verify(parse_requests(json.dumps(several)), resolver, rules))
    )
    return {
        "verification_request": request,
        "request_set": several,
        "verification_config": json.loads(rules.model_dump_json()),
        "verification_report": verify(parse_requests(json.dumps(request)), resolver, rules),
        "report_set": verify(parse_requests(json.dumps(several)), resolver, rules),
        "evidence_anchor_request": anchors,
        "evidence_anchor_report": anchor(parse_anchors(json.dumps(anchors)), resolver, rules),
        "evidence_anchor_report_set": anchor(set_of_anchors, resolver, rules),
        "impact": _impact(),
        "source_names": {
            "sources": [
                {"name": "file-7", "document": "depot-report.pdf",
                 "document_fingerprint": document.fingerprint, "blocks": [{"page": 1}, {"page": 2}]}
            ]
        },
        "conversion_notes": _notes(),
        **_audited(),
        **_retrieved(resolver.document(resolver.find(""))),
        **_mapped(),
        **_gated(resolver),
        "ethos_citations": citations,
        "ethos_verification_config": json.loads(DEFAULT.model_dump_json(exclude_none=True)),
        "ethos_verification_report": theirs,
        "ethos_evidence_anchor_request": ethos_anchors,
        "ethos_evidence_anchor_report": ethos_anchor(document, asked),
        "ethos_release_claims": claims,
        "ethos_release_decision": release_decision(
            theirs, "How much did the depot move?", parsed.claims, parsed.notes or ()
        ),
    }  # fmt: skip


def _request(pin: str | None) -> dict[str, Any]:
    request: dict[str, Any] = {
        "document": "depot-report.pdf",
        "claims": [
            {"id": "quote", "kind": "quote", "text": SENTENCE, "citation": {"page": 1}},
            {"id": "number", "kind": "value", "text": "5,600 tonnes", "citation": {"page": 1}},
            {"id": "cell", "kind": "table_cell", "text": "0.4",
             "citation": {"row_label": "Birch Lane", "column_label": "2024"}},
            {"id": "box", "kind": "region", "text": "Tonnes moved",
             "citation": {"page": 1, "bbox": ["70", "70", "182", "94"],
                          "bbox_space": {"unit": "point"}}},
        ],
    }  # fmt: skip
    return request if pin is None else {**request, "document_fingerprint": pin}


def _anchors() -> dict[str, Any]:
    return {
        "artifact_type": "pagewitness.evidence_anchor_request.v1",
        "document": "depot-report.pdf",
        "evidence_refs": [
            {"evidence_id": "e1", "evidence_kind": "text_region",
             "required_anchor_level": "text_bbox",
             "locator": {"page": 1, "bbox": [7200, 10200, 40000, 11600]},
             "expected_text": SENTENCE},
            {"evidence_id": "e2", "evidence_kind": "table_cell",
             "required_anchor_level": "table_cell",
             "locator": {"table_id": "t0001", "cell": {"row": 2, "col": 1}},
             "expected_text": "(0.3)"},
        ],
    }  # fmt: skip


def _ethos_anchors(fingerprint: str) -> dict[str, Any]:
    return {
        "artifact_type": "ethos.evidence_anchor_request.v1",
        "schema_version": "1.0.0",
        "source_fingerprint": fingerprint,
        "evidence_refs": [
            {"evidence_id": "e1", "evidence_kind": "text", "required_anchor_level": "text",
             "locator": {"page_index": 1, "element_id": "e000002"}, "expected_text": SENTENCE},
        ],
    }  # fmt: skip


def _release_claims() -> dict[str, Any]:
    return {
        "question": "How much did the depot move?",
        "claims": [
            {"id": "c1", "text": "Alder Quay moved 5,500 tonnes.", "check_ids": ["v0001"],
             "question_relevance": "direct_answer", "claim_type": "source_fact"},
            {"id": "c2", "text": "In thousands that is 5.6.", "check_ids": ["v0002"],
             "question_relevance": "supports_answer", "claim_type": "source_fact"},
        ],
    }  # fmt: skip


def _impact() -> Any:
    """The number of the depot's sentence changed in a second version."""
    text = (EXAMPLES / "foreign" / "plain-text.txt").read_text(encoding="utf-8")
    versions = [
        SingleDocument(ForeignSource(read_artifact("plain-text", one.encode()), "depot-report"))
        for one in (text, text.replace("5,500", "5,600"))
    ]
    rules = PRESETS["default"]
    claim = {"kind": "quote", "text": SENTENCE, "citation": {}}
    request = json.dumps({"document": "depot-report", "claims": [claim]})
    report = verify(parse_requests(request), versions[0], rules)
    digest = hashlib.sha256(report_bytes(report)).hexdigest()
    return impacts(report, digest, "depot-report", versions[1], rules, {})[0]


def _retrieved(source: Any) -> dict[str, Any]:
    """A chunk, a hit and the map of a context, of the report's first sentence."""
    from grounding.chunks import chunks
    from grounding.store.search import Hit
    from pagewitness.context import context_map, of_hits
    from pagewitness.hits import hit_data

    element = source.find_element("e000002")
    text = source.page_text(1)[element.start : element.end]
    place = element.start, element.end
    at = text.index("tonnes")
    hit = Hit(source, element, 1_500_000_000, text, ((at, at + len("tonnes")),), place, place)
    return {
        "chunk": next(iter(chunks(source))),
        "search_hit": hit_data(hit),
        "context_map": context_map(of_hits([hit])),
    }


def _mapped() -> dict[str, Any]:
    """What an application says of the report, and the change by which it said so."""
    from grounding.store.map_history import MapChange
    from grounding.store.source_entry import SourceEntry, changed

    before = SourceEntry("depot-report", "depot-report.pdf")
    after = before.with_changes(
        {"expires": "2026-12-31", "authority": "Harbour office", "permissions": ["board"]}
    )
    change = MapChange(1, "2026-01-31T08:00:00+00:00", before.id, changed(before, after), False)
    return {"source_map": {"sources": [after.as_dict()]}, "source_history": change.as_dict()}


def _gated(resolver: Any) -> dict[str, Any]:
    """An answer about the report, one claim of which has another number than its evidence."""
    from verifier.gate import Gate, Policy
    from verifier.gate.event import event_of, names_of
    from verifier.gate.plan import Planned
    from verifier.gate.stats import gate_stats

    policy = Policy(policy_version="1", name="house", verification="default")
    quote = {"document": "depot-report.pdf", "kind": "quote", "citation": {}}
    answer = {
        "artifact_type": "pagewitness.generated_answer.v1",
        "answer_id": "depot-7",
        "question": "How much did the depot move, and when does it close?",
        "answer_text": "The depot at Alder Quay moved 5,500 tonnes in 2024 [1]. It moves 6 tonnes"
        " a day.",
        "claims": [
            {"id": "tonnes", "type": "source_fact", "evidence_refs": ["e1"],
             "text": "The depot at Alder Quay moved 5,500 tonnes in 2024."},
            {"id": "daily", "type": "source_fact", "evidence_refs": ["e1"],
             "text": "It moves 6 tonnes a day."},
        ],
        "evidence": {"e1": {**quote, "text": SENTENCE}},
    }  # fmt: skip
    told = {"question_relevance": "direct_answer", "claim_support": "supported"}
    labels = {
        "artifact_type": "pagewitness.release_labels.v1",
        "answer_id": "depot-7",
        "by": "evaluator 3",
        "claims": {"tonnes": told, "daily": told},
    }

    def check(planned: Planned) -> bytes:
        report = verify(parse_requests(planned.data), resolver, policy.config)
        return report_bytes(report)

    with Gate(Path("grounding.db"), policy, check=check) as gate:
        decision = gate.decide(json.dumps(answer), json.dumps(labels), as_of="2026-01-31")
    return {
        "generated_answer": answer,
        "release_labels": labels,
        "release_policy": json.loads(policy.model_dump_json()),
        "release_decision": decision,
        "audit_event": event_of(decision),
        "audit_line": _first_line(event_of(decision), names_of(decision, actor="clerk")),
        "gate_stats": gate_stats([(1, event_of(decision))]),
    }


def _first_line(event: Any, names: Any) -> Any:
    """The event as the first of a log, with a time and a salt that are always the same."""
    names = canonical_bytes({**names, "salt": "0" * 32}).decode()
    envelope = {"at": "2026-01-31T09:00:00.000+00:00", "timings_ms": {"total": 12}}
    envelope["names_sha256"] = sha256_of(names)
    record = canonical_bytes({"event": event, "envelope": envelope}).decode()
    row = AuditRow(1, GENESIS, record, chained(GENESIS, record), names)
    return json.loads(export_line(row, private=False))


def _audited() -> dict[str, Any]:
    """The first example trace, and what both audits say of it."""
    from verifier.coverage.audit import audit_coverage
    from verifier.judges.literal import LiteralJudge
    from verifier.scorecard.audit import audit_scorecard
    from verifier.traces import Trace
    from verifier.traces.model import trace_data
    from verifier.traces.read import read_traces

    trace = next(read_traces([EXAMPLES / "traces" / "plain.jsonl"]))
    assert isinstance(trace, Trace)
    return {
        "trace": trace_data(trace),
        "coverage_result": audit_coverage(trace, LiteralJudge()),
        "scorecard_result": audit_scorecard(trace, LiteralJudge()),
    }


def _notes() -> Any:
    from verifier.convert import convert

    citation = {"type": "page_location", "cited_text": "", "document_index": 0,
                "document_title": "depot-report.pdf", "start_page_number": 1,
                "end_page_number": 2}  # fmt: skip
    return json.loads(convert(json.dumps([citation]).encode(), "anthropic").notes_bytes())


def of_pdfs() -> dict[str, Any]:
    """The kinds that need the PDF engine, of a sample document."""
    from grounding.crop import CropRequest, descriptor
    from grounding.export import artifact
    from grounding.geometry import Box
    from grounding.store import StoreReader
    from ingest import IngestOptions, ingest
    from ingest.rendering import PdfRenderer

    pdf = ROOT / "sample_docs" / "registration-form.pdf"
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "grounding.db"
        ingest([str(pdf)], db, IngestOptions())
        with StoreReader(db) as reader:
            source = reader.open("registration-form")
            crop = PdfRenderer(pdf.read_bytes()).render(
                CropRequest(1, Box(7000, 4000, 30000, 20000), (), 72)
            )
            return {
                "crop_descriptor": descriptor(crop, source.identity, "v0001"),
                "document_artifact": artifact(source),
            }


def _text(value: Any) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def differing() -> list[str]:
    """Names of examples that are missing or stale."""
    return sorted(
        name
        for name, value in examples().items()
        if not (path := FOLDER / f"{name}.json").is_file()
        or path.read_text(encoding="utf-8") != _text(value)
    )


def main() -> int:
    """Writes, or checks with --check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    parser.add_argument("--pdf", action="store_true", help="write those of sample documents too")
    arguments = parser.parse_args()
    if arguments.check:
        for name in (stale := differing()):
            print(f"{name} differs; run python scripts/make_examples.py", file=sys.stderr)
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, value in (examples() | (of_pdfs() if arguments.pdf else {})).items():
        (FOLDER / f"{name}.json").write_text(_text(value), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
