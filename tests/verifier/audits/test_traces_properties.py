"""Whatever an export holds, a reader gives traces or rejections, and never fails."""

from __future__ import annotations

import contextlib
import json
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding.errors import TracesInvalidError
from verifier.coverage.audit import audit_coverage
from verifier.coverage.claims import decompose
from verifier.judges.literal import LiteralJudge
from verifier.scorecard.audit import audit_scorecard
from verifier.traces import Rejection, Trace, TraceDocument
from verifier.traces.formats import FORMATS
from verifier.traces.read import ReadOptions, read_traces

EXAMPLES = Path(__file__).parents[3] / "schemas" / "examples" / "traces"
NAMES = st.sampled_from(
    "trace_id traceId id name attributes context spans resourceSpans scopeSpans input output inputs"
    " outputs query answer documents sources metadata retrieval.documents.0.document.content"
    " retrieval.documents reranker.output_documents openinference.span.kind output.value llm"
    " llm.output_messages gen_ai gen_ai.output.messages gen_ai.retrieval.documents langfuse type"
    " observations run_type child_runs runs messages role content parts kwargs lc key value"
    " stringValue arrayValue score start_time parent_run_id 0 1 a.b.c".split()
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
    | st.sampled_from(["retriever", "RETRIEVER", "{", '[{"content": "x"}]', "chain", "retrieval"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=25,
)  # fmt: skip
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=7)


def read(rows: list[Any], form: str) -> list[Trace | Rejection]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return list(read_traces([path], ReadOptions(form=form)))


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(OBJECTS, min_size=1, max_size=4), form=st.sampled_from(FORMATS))
def test_unknown_attributes_and_odd_types_never_fail(rows: list[Any], form: Any) -> None:
    for trace in read(rows, form.name):
        assert audit_coverage(trace, LiteralJudge())["status"] in ("scored", "rejected")
        assert audit_scorecard(trace, LiteralJudge())["status"] in ("scored", "rejected")


@settings(max_examples=80, deadline=None)
@given(rows=st.lists(OBJECTS, min_size=1, max_size=3))
def test_an_unknown_form_is_refused_and_never_guessed_into_a_failure(rows: list[Any]) -> None:
    """Either it is told and read, or it is an error that says so."""
    with contextlib.suppress(TracesInvalidError):
        for trace in read(rows, ""):
            assert isinstance(trace, Trace | Rejection)


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.stem)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_part_of_a_good_trace_may_be_anything(path: Path, data: st.DataObject) -> None:
    """One value somewhere in an export is replaced, dropped or added."""
    text = path.read_text(encoding="utf-8")
    rows = (
        [json.loads(line) for line in text.splitlines()]
        if path.suffix == ".jsonl"
        else [json.loads(text)]
    )
    holders = [holder for row in rows for holder in _holders(row)]
    holder = data.draw(st.sampled_from(holders))
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if keys:
        holder[data.draw(st.sampled_from(keys))] = data.draw(VALUES)
    if isinstance(holder, dict):
        holder["unknown.name"] = data.draw(VALUES)
    with tempfile.TemporaryDirectory() as folder:
        changed = Path(folder) / path.name
        lines = [json.dumps(row) for row in rows]
        changed.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for trace in read_traces([changed], ReadOptions(form=path.name.partition(".")[0])):
            assert audit_coverage(trace, LiteralJudge())["status"] in ("scored", "rejected")


def _holders(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, dict | list) and value else []
    return own + [found for item in inner for found in _holders(item)]


ODD_TEXT = st.text(
    st.sampled_from('aA1 .;:?!|-*#[]()【】†^\n\t"“”$%5E0,–é中\u200b\u00ad'), max_size=120
)


@settings(max_examples=200, deadline=None)
@given(answer=ODD_TEXT, content=ODD_TEXT)
def test_claims_are_pieces_of_the_answer_in_order(answer: str, content: str) -> None:
    """Every offset is right, nothing overlaps, and each letter of the answer is in a claim, is
    excluded with a reason, or is a marker or a mark of a list."""
    trace = Trace("t", "q", answer, (TraceDocument("d1", content, 1),))
    parts = decompose(trace)
    places = sorted(
        [(c.start, c.end) for c in parts.claims] + [(e.start, e.end) for e in parts.excluded]
    )
    for claim in parts.claims:
        assert answer[claim.start : claim.end] == claim.text
    for (_, end), (start, _) in pairwise(places):
        assert end <= start


@settings(max_examples=100, deadline=None)
@given(answer=ODD_TEXT, contents=st.lists(ODD_TEXT, min_size=1, max_size=3))
def test_what_is_quoted_stands_there(answer: str, contents: list[str]) -> None:
    documents = tuple(TraceDocument(f"d{n}", c, n) for n, c in enumerate(contents, 1))
    trace = Trace("t", "q", answer, documents)
    result = audit_coverage(trace, LiteralJudge())
    assert result["status"] == "scored"
    statuses = [detail["status"] for detail in result["claim_details"]]
    assert (
        len(statuses)
        == result["total_claims"]
        == (
            result["supported_claims"]
            + result["unsupported_claims"]
            + result["contradicted_claims"]
        )
    )
    for detail in result["claim_details"]:
        assert (detail["status"] == "unsupported") == (detail["source_citation_ids"] == [])
        for quote in detail["evidence"]:
            content = trace.by_id[quote["document_id"]].content
            assert content[quote["start"] : quote["end"]] == quote["quote"]
