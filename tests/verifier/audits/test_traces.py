"""Traces of every tool are the same trace."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from grounding.errors import TracesInvalidError, UsageError
from verifier.traces import Rejection, Trace
from verifier.traces.draft import MAX_DOCUMENTS, Content, iso_time
from verifier.traces.files import MAX_LINE
from verifier.traces.formats import FORMATS
from verifier.traces.model import trace_data
from verifier.traces.read import ReadOptions, read_traces
from verifier.traces.select import in_sample, selection
from verifier.traces.spans import MOST_OPEN

EXAMPLES = Path(__file__).parents[3] / "schemas" / "examples" / "traces"
FILES = sorted(EXAMPLES.iterdir())
QUERY = "How much did the depot at Alder Quay move in 2024?"
ANSWER = "The depot at Alder Quay moved 5,500 tonnes in 2024 [1]. Birch Lane was not extended [2]."


def write(folder: Path, name: str, rows: Iterable[Any]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path, **options: Any) -> list[Trace | Rejection]:
    return list(read_traces([path], ReadOptions(**options)))


def one(folder: Path, *rows: Any, **options: Any) -> Trace:
    (trace,) = read(write(folder, "traces.jsonl", rows), **options)
    assert isinstance(trace, Trace), trace
    return trace


def refused(folder: Path, *rows: Any, **options: Any) -> Rejection:
    (trace,) = read(write(folder, "traces.jsonl", rows), **options)
    assert isinstance(trace, Rejection), trace
    return trace


class TestFormats:
    """The example of each format is about the same two answers."""

    def test_there_is_an_example_of_each(self) -> None:
        assert {path.name.partition(".")[0] for path in FILES} == {form.name for form in FORMATS}

    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
    def test_every_format_is_told_and_read_alike(self, path: Path) -> None:
        first, second, *_ = read(path)
        assert isinstance(first, Trace)
        assert isinstance(second, Trace)
        assert first.format == path.name.partition(".")[0]
        assert (first.trace_id, first.query, first.answer) == ("depot-1", QUERY, ANSWER)
        assert [(d.id, d.rank, d.score) for d in first.documents] == [
            ("depot-report#e000002", 1, "0.91"),
            ("depot-report#e000007", 2, "0.74"),
        ]
        assert first.documents[1].content.endswith("The work cost 0.4 million euro.")
        assert first.facet("time") == "2026-03-02T08:15:00Z"
        assert second.answer == "I don't know. I think that it is well run."
        assert len(second.documents) == 1

    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
    def test_metadata_become_the_same_facets(self, path: Path) -> None:
        trace = read(path)[0]
        assert isinstance(trace, Trace)
        if path.stem != "otel-genai":  # its documents have ids, scores and texts alone
            assert trace.facet("prompt_version") == "7"
            assert trace.facet("domain") == "logistics"
            assert trace.facet("source") == "depot-report.pdf"
            assert trace.facet("document_type") == "report"
        if path.stem != "plain":
            assert trace.facet("retriever") in ("vector_search", "depot")
            assert trace.facet("model") == "some-model"

    def test_a_reranker_has_the_last_word_on_the_documents(self, tmp_path: Path) -> None:
        def span(name: str, kind: str, **attributes: Any) -> dict[str, Any]:
            own = {"openinference.span.kind": kind, **attributes}
            return {"name": name, "context": {"trace_id": "t", "span_id": name},
                    "parent_id": None if name == "a" else "a", "attributes": own}  # fmt: skip

        trace = one(
            tmp_path,
            span("a", "CHAIN", **{"input.value": "q", "output.value": "An answer."}),
            span("b", "RETRIEVER", **{"retrieval.documents.0.document.content": "one",
                                      "retrieval.documents.1.document.content": "two"}),
            span("c", "RERANKER", **{"reranker.output_documents.0.document.content": "two"}),
        )  # fmt: skip
        assert [document.content for document in trace.documents] == ["two"]

    def test_indexes_are_numbers_and_not_text(self, tmp_path: Path) -> None:
        """The tenth document comes behind the second."""
        attributes = {f"retrieval.documents.{n}.document.content": f"text {n}" for n in range(12)}
        span = {"trace_id": "t", "span_id": "a", "attributes": {
            "openinference.span.kind": "RETRIEVER", "output.value": "x", **attributes}}  # fmt: skip
        assert [d.content for d in one(tmp_path, span).documents] == [
            f"text {n}" for n in range(12)
        ]

    def test_a_column_of_a_data_frame_is_an_attribute(self, tmp_path: Path) -> None:
        row = {"context.trace_id": "t", "context.span_id": "a", "parent_id": None, "name": "rag",
               "attributes.openinference.span.kind": "RETRIEVER",
               "attributes.output.value": "An answer.", "attributes.input.value": "q",
               "attributes.retrieval.documents": [
                   {"document.content": "text", "document.id": "x"}]}  # fmt: skip
        trace = one(tmp_path, row)
        assert (trace.query, trace.documents[0].id) == ("q", "x")

    def test_older_names_of_opentelemetry(self, tmp_path: Path) -> None:
        span = {"traceId": "t", "spanId": "a", "attributes": {
            "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "q",
            "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "An answer.",
            "gen_ai.retrieval.documents": json.dumps([{"id": "x", "content": "text"}]),
        }}  # fmt: skip
        trace = one(tmp_path, span)
        assert (trace.query, trace.answer, trace.documents[0].content) == (
            "q",
            "An answer.",
            "text",
        )

    def test_attributes_of_langfuse_on_spans(self, tmp_path: Path) -> None:
        rows = [
            {"traceId": "t", "spanId": "a", "attributes": {
                "langfuse.trace.input": "q", "langfuse.trace.output": "An answer.",
                "langfuse.observation.type": "span"}},
            {"traceId": "t", "spanId": "b", "parentSpanId": "a", "attributes": {
                "langfuse.observation.type": "retriever",
                "langfuse.observation.output": json.dumps(["text one", {"text": "text two"}])}},
        ]  # fmt: skip
        trace = one(tmp_path, *rows)
        assert (trace.format, trace.query, trace.answer) == ("langfuse", "q", "An answer.")
        assert [(d.id, d.content) for d in trace.documents] == [
            ("d1", "text one"), ("d2", "text two"),
        ]  # fmt: skip

    def test_a_trace_of_langfuse_with_its_observations(self, tmp_path: Path) -> None:
        row = {"id": "t", "input": {"question": "q"}, "output": "An answer.", "observations": [
            {"id": "o", "type": "RETRIEVER", "output": {"hits": {"items": [
                {"_id": "x", "passage": {"text": "text"}}]}}}]}  # fmt: skip
        trace = one(tmp_path, row, documents_path="hits.items[].passage.text")
        assert (trace.trace_id, trace.query, trace.answer) == ("t", "q", "An answer.")
        assert (trace.documents[0].id, trace.documents[0].content) == ("x", "text")

    def test_child_runs_of_langsmith(self, tmp_path: Path) -> None:
        serialized = {"lc": 1, "type": "constructor", "id": ["langchain", "Document"],
                      "kwargs": {"page_content": "text", "metadata": {"source": "a.pdf"}},
        }  # fmt: skip
        run = {"id": "t", "run_type": "chain", "inputs": {"input": "q"},
               "outputs": {"answer": "An answer."}, "child_runs": [
                   {"id": "r", "run_type": "retriever", "outputs": {"output": [serialized]}},
               ]}  # fmt: skip
        trace = one(tmp_path, run)
        assert (trace.trace_id, trace.documents[0].content) == ("t", "text")
        assert trace.facet("source") == "a.pdf"

    def test_plain_traces_may_use_other_names(self, tmp_path: Path) -> None:
        trace = one(
            tmp_path,
            {"id": 7, "question": "q", "response": "An answer.", "contexts": ["one", "two"]},
        )
        assert (trace.trace_id, trace.query) == ("7", "q")
        assert [(d.id, d.content) for d in trace.documents] == [("d1", "one"), ("d2", "two")]

    def test_a_plain_trace_without_an_id_is_named_by_its_content(self, tmp_path: Path) -> None:
        row = {
            "query": "q",
            "answer": "An answer.",
            "sources": [{"source_id": "a", "content": "x"}],
        }
        trace = one(tmp_path, row)
        assert trace.trace_id.startswith("content-")
        assert trace.trace_id == one(tmp_path, row).trace_id

    def test_what_a_trace_writes_is_read_as_the_same_trace(self, tmp_path: Path) -> None:
        for path in FILES:
            first = read(path)[0]
            assert isinstance(first, Trace)
            again = one(tmp_path, trace_data(first))
            assert trace_data(again) == {**trace_data(first), "format": "plain"}


class TestRejections:
    """A trace that cannot be audited is listed with its reason and never scored."""

    DOCUMENTS = ({"id": "a", "content": "text"},)

    @pytest.mark.parametrize(
        ("trace", "reason"),
        [
            ({"answer": " \n", "documents": DOCUMENTS}, "empty_answer"),
            ({"answer": None, "documents": DOCUMENTS}, "empty_answer"),
            ({"answer": "An answer."}, "no_sources"),
            ({"answer": "An answer.", "documents": [{"id": "a"}]}, "content_missing"),
            (
                {"answer": "An answer.", "documents": [{"id": "a", "content": ""}]},
                "content_missing",
            ),
            ({"answer": "An answer.", "documents": "text"}, "malformed_trace"),
            ({"answer": "An answer.", "documents": [5]}, "malformed_trace"),
            ({"answer": "An answer.", "documents": [{"score": 1}]}, "malformed_trace"),
            ({"answer": "half a pair \ud800", "documents": DOCUMENTS}, "malformed_trace"),
            (
                {
                    "answer": "An answer.",
                    "documents": [*DOCUMENTS, {"id": "a", "content": "other"}],
                },
                "duplicate_document_id",
            ),
            ({"answer": "An answer.", "documents": ["x"] * (MAX_DOCUMENTS + 1)}, "too_large"),
        ],
    )
    def test_reasons(self, tmp_path: Path, trace: dict[str, Any], reason: str) -> None:
        found = refused(tmp_path, {"trace_id": "t", "query": "q", **trace})
        assert (found.trace_id, found.reason) == ("t", reason)
        assert found.origin == "traces.jsonl:1"

    def test_a_document_that_is_retrieved_twice_is_one(self, tmp_path: Path) -> None:
        row = {"trace_id": "t", "query": "q", "answer": "x", "documents": [*self.DOCUMENTS] * 2}
        assert len(one(tmp_path, row).documents) == 1

    def test_nothing_retrieved_is_not_the_same_as_nothing_said_of_it(self, tmp_path: Path) -> None:
        row = {"trace_id": "t", "query": "q", "answer": "An answer.", "documents": []}
        assert one(tmp_path, row).documents == ()

    def test_spans_without_a_retriever_say_nothing_of_documents(self, tmp_path: Path) -> None:
        span = {"trace_id": "t", "span_id": "a", "attributes": {
            "openinference.span.kind": "CHAIN", "output.value": "An answer."}}  # fmt: skip
        assert refused(tmp_path, span).reason == "no_sources"

    def test_a_bad_line_is_one_trace_and_not_the_file(self, tmp_path: Path) -> None:
        good = {"trace_id": "t", "query": "q", "answer": "x", "documents": [{"id": 1, "text": "y"}]}
        path = tmp_path / "traces.jsonl"
        twice = '{"trace_id": "a", "trace_id": "b"}'
        lines = [json.dumps(good), "{", "[1]", twice, '{"x": NaN}', json.dumps(good)]
        path.write_text("\n".join(lines) + "\n")
        found = read(path)
        assert [t.reason if isinstance(t, Rejection) else "" for t in found] == [
            "", "malformed_trace", "malformed_trace", "malformed_trace", "empty_answer", "",
        ]  # fmt: skip
        assert [t.origin for t in found][1] == "traces.jsonl:2"

    def test_a_line_without_end_is_not_kept_in_memory(self, tmp_path: Path) -> None:
        path = tmp_path / "traces.jsonl"
        good = {"trace_id": "t", "query": "q", "answer": "x", "documents": ["y"]}
        with path.open("w") as file:
            file.write(json.dumps(good) + "\n")
            file.write('{"a": "')
            for _ in range(MAX_LINE // 2**20 + 1):
                file.write("x" * 2**20)
            file.write('"}\n')
            file.write(json.dumps(good) + "\n")
        _, bad, last = read(path)
        assert isinstance(bad, Rejection)
        assert "longer than" in bad.message
        assert isinstance(last, Trace)


class TestStreams:
    """Spans of many traces, of which a bounded number is waited for."""

    @staticmethod
    def spans(number: int) -> list[dict[str, Any]]:
        run = {"trace_id": f"t{number}", "run_type": "chain"}
        return [
            {**run, "id": f"t{number}", "inputs": {"input": "q"}, "outputs": {"output": "x"}},
            {**run, "id": f"r{number}", "parent_run_id": f"t{number}", "run_type": "retriever",
             "outputs": {"documents": [{"page_content": f"text {number}"}]}},
        ]  # fmt: skip

    def test_spans_of_several_traces_may_be_mixed(self, tmp_path: Path) -> None:
        rows = [s for pair in zip(self.spans(1), self.spans(2), strict=True) for s in pair]
        found = read(write(tmp_path, "a.jsonl", rows))
        assert [t.documents[0].content for t in found if isinstance(t, Trace)] == [
            "text 1", "text 2",
        ]  # fmt: skip

    def test_a_span_that_comes_too_late_is_told(self, tmp_path: Path) -> None:
        first, late = self.spans(0)
        rows = [first, *(s for n in range(1, MOST_OPEN + 5) for s in self.spans(n)), late]
        found = read(write(tmp_path, "a.jsonl", rows))
        of_it = [t for t in found if t.trace_id == "t0"]
        assert [t.reason for t in of_it if isinstance(t, Rejection)] == [
            "no_sources", "malformed_trace",
        ]  # fmt: skip
        assert sum(isinstance(t, Trace) for t in found) == MOST_OPEN + 4

    def test_a_trace_of_too_many_spans_is_not_cut(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("verifier.traces.spans.MOST_SPANS", 1)
        monkeypatch.setattr("verifier.traces.read.MOST_SPANS", 1)
        assert refused(tmp_path, *self.spans(1)).reason == "too_large"

    def test_an_answer_in_json_of_no_known_form_is_the_answer(self, tmp_path: Path) -> None:
        first, second = self.spans(1)
        first["outputs"] = {"output": '{"total": 5}'}
        assert one(tmp_path, first, second).answer == '{"total": 5}'

    def test_a_folder_is_read_in_the_order_of_names(self, tmp_path: Path) -> None:
        row = {"query": "q", "answer": "x", "documents": ["y"]}
        (tmp_path / "b").mkdir()
        write(tmp_path, "c.json", [{"trace_id": "3", **row}])
        write(tmp_path, "a.jsonl", [{"trace_id": "1", **row}])
        write(tmp_path / "b", "x.ndjson", [{"trace_id": "2", **row}])
        (tmp_path / "notes.txt").write_text("no traces")
        assert [t.trace_id for t in read(tmp_path)] == ["1", "2", "3"]

    @pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"data": rows}])
    def test_an_array_or_an_object_around_it(self, tmp_path: Path, wrap: Any) -> None:
        rows = [{"trace_id": n, "query": "q", "answer": "x", "documents": ["y"]} for n in "ab"]
        path = tmp_path / "traces.json"
        path.write_text(json.dumps(wrap(rows), indent=1))
        assert [(t.trace_id, t.origin) for t in read(path)] == [
            ("a", "traces.json#0"), ("b", "traces.json#1"),
        ]  # fmt: skip


class TestUnusable:
    """What is no input at all is refused as a whole."""

    @pytest.mark.parametrize(
        ("name", "text", "said"),
        [
            ("a.json", "{", "is not JSON"),
            ("a.json", "5", "neither an object nor a list"),
            ("a.json", "[]", "no traces of a known form"),
            ("a.jsonl", "", "no traces of a known form"),
            ("a.jsonl", "{}\n", "no traces of a known form"),
            ("a.jsonl", "no\nno\n", "no line is a JSON object"),
            ("a.json", '{"a": ' * 5000, "nested too deeply"),
        ],
    )
    def test_files(self, tmp_path: Path, name: str, text: str, said: str) -> None:
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(TracesInvalidError, match=said):
            read(path)

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_bytes(b"\xff{}")
        with pytest.raises(TracesInvalidError, match="not UTF-8"):
            read(path)

    def test_paths(self, tmp_path: Path) -> None:
        with pytest.raises(TracesInvalidError, match="no trace files"):
            read(tmp_path)
        with pytest.raises(TracesInvalidError, match="is no file"):
            read(tmp_path / "none.json")

    def test_a_named_form_is_not_guessed(self, tmp_path: Path) -> None:
        row = {"trace_id": "t", "query": "q", "answer": "x", "documents": ["y"]}
        assert refused(tmp_path, row, form="openinference").reason == "empty_answer"


class _Contents:
    def content(self, document_id: str, metadata: Any) -> Content | None:
        return Content("stored text", "sha256:00") if document_id == "known" else None


class TestMissingContents:
    """What a trace lacks is looked up by id, and nothing else is."""

    ROW: dict[str, Any] = {"trace_id": "t", "query": "q", "answer": "x"}  # noqa: RUF012

    def test_a_known_id(self, tmp_path: Path) -> None:
        row = {**self.ROW, "documents": [{"id": "known"}, {"id": "own", "content": "own text"}]}
        first, second = one(tmp_path, row, contents=_Contents()).documents
        assert (first.content, first.resolved) == ("stored text", "sha256:00")
        assert (second.content, second.resolved) == ("own text", "")

    def test_an_unknown_id(self, tmp_path: Path) -> None:
        found = refused(tmp_path, {**self.ROW, "documents": [{"id": "x"}]}, contents=_Contents())
        assert (found.reason, "'x'" in found.message) == ("content_missing", True)


class TestSelection:
    """A sample depends on the ids of traces alone."""

    def test_a_larger_sample_holds_the_smaller_one(self) -> None:
        ids = [f"trace-{n}" for n in range(4000)]
        small, large = selection("0.1", ()).rate, selection("40%", ()).rate
        assert small is not None
        assert large is not None
        tenth = {i for i in ids if in_sample(i, small)}
        assert tenth < {i for i in ids if in_sample(i, large)}
        assert 300 < len(tenth) < 500
        assert sorted(tenth)[:3] == ["trace-1001", "trace-1009", "trace-1013"]

    def test_all_that_match_a_condition(self, tmp_path: Path) -> None:
        row = {"query": "q", "answer": "x"}
        rows = [
            {**row, "trace_id": "a", "documents": ["y"], "attributes": {"domain": "health"}},
            {**row, "trace_id": "b", "documents": ["y"], "flagged": True},
            {**row, "trace_id": "c", "documents": [{"text": "y", "metadata": {"source": "s.pdf"}}]},
            {**row, "trace_id": "d", "documents": ["y"]},
        ]
        traces = read(write(tmp_path, "a.jsonl", rows))

        def taken(*conditions: str) -> list[str]:
            return [t.trace_id for t in traces if selection(None, conditions).takes(t)]

        assert taken() == ["a", "b", "c", "d"]
        assert taken("domain=health") == ["a"]
        assert taken("flagged=true") == ["b"]
        assert taken("source=s.pdf", "domain=health") == ["a", "c"]
        assert taken("domain=law") == []

    @pytest.mark.parametrize("sample", ["0", "1.1", "-1", "x", "nan", "%", ""])
    def test_what_is_no_share(self, sample: str) -> None:
        with pytest.raises(UsageError, match="no share"):
            selection(sample, ())

    @pytest.mark.parametrize("condition", ["domain", "domain=", "=x"])
    def test_what_is_no_condition(self, condition: str) -> None:
        with pytest.raises(UsageError, match="no condition"):
            selection(None, (condition,))


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("2026-03-02T09:15:00+01:00", "2026-03-02T08:15:00Z"),
        ("2026-03-02T08:15:00.123Z", "2026-03-02T08:15:00Z"),
        ("2026-03-02", "2026-03-02T00:00:00Z"),
        ("1772439300", "2026-03-02T08:15:00Z"),
        ("1772439300000", "2026-03-02T08:15:00Z"),
        ("1772439300000000", "2026-03-02T08:15:00Z"),
        ("1772439300000000000", "2026-03-02T08:15:00Z"),
        ("yesterday", ""),
        ("99999999999999999999", ""),
        ("", ""),
    ],
)
def test_times(written: str, time: str) -> None:
    assert iso_time(written) == time
