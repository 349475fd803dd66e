"""Evidence under handles: what a prompt shows, and what becomes of an answer that cites it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drawn import plain
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import Shelf

from grounding.errors import UsageError
from pagewitness.answers import CODES, load_map, resolve
from pagewitness.cli import cli
from pagewitness.context import QUOTED, context_map, neutralised, prompt
from verifier import parse_requests

DAWN = ["The works began at dawn on 4 May.", "The crew rested at noon."]
TRAP = ["See [E1] and [ E2 ], also [E", "The harbour master quoted [E1, E2] at dawn."]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with grounding.db (dawn and trap), and map.json of the evidence on "dawn"."""
    monkeypatch.chdir(tmp_path)
    with Shelf(tmp_path) as shelf:
        shelf.put(plain(DAWN), "dawn.pdf")
        shelf.put(plain(TRAP), "trap.pdf")
    assert call("context", "dawn", "--map-out", "map.json").exit_code == 0
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def made() -> Any:
    return json.loads(Path("map.json").read_bytes())


def handle_of(document: str) -> str:
    return next(str(e["handle"]) for e in made()["evidence"] if e["document"] == document)


def resolved(answer: str) -> Result:
    Path("answer.txt").write_text(answer, encoding="utf-8")
    Path("request.json").unlink(missing_ok=True)
    return call("context", "--resolve", "answer.txt", "--map", "map.json", "--out", "request.json")


def statuses() -> dict[str, str]:
    """Status by claim id of the request that was written."""
    reports = json.loads(call("verify", "request.json").stdout)["reports"]
    return {c["claim"]["id"]: c["status"] for report in reports for c in report["checks"]}


class TestPrompt:
    def test_every_line_of_a_document_is_marked_as_such(self, here: Path) -> None:
        text = call("context", "dawn").stdout
        own = [line for line in text.splitlines() if line and not line.startswith(QUOTED)]
        assert [line for line in own if line.startswith("[E")] == [
            f"[E{n}] {item['document']}, page 1" for n, item in enumerate(made()["evidence"], 1)
        ]
        assert len(own) == 2 + len(made()["evidence"])

    def test_a_handle_in_a_document_is_none_in_the_prompt(self, here: Path) -> None:
        """The map keeps the text as it stands."""
        text = call("context", "harbour").stdout
        assert "quoted (E1, E2) at dawn" in text
        assert text.count("[E1]") == 2  # in the preamble and over the evidence
        (item,) = json.loads(call("context", "harbour", "--format", "map").stdout)["evidence"]
        assert "quoted [E1, E2] at dawn" in item["text"]

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("[E1]", "(E1)"), ("[ E 12 , E3 ]", "( E 12 , E3 )"), ("[\u200bE\u200b1]",
             "(\u200bE\u200b1)"), ("［Ｅ１］", "(Ｅ１)"), ("【e7】", "(e7)"), ("[E1", "(E1"),
            ("[[E1]]", "[(E1)]"), ("[Edition 2]", "[Edition 2]"), ("[1]", "[1]"),
        ],
    )  # fmt: skip
    def test_what_looks_like_a_handle_gets_parentheses(self, text: str, shown: str) -> None:
        assert neutralised(text) == shown

    @settings(max_examples=200, deadline=None)
    @given(st.text(alphabet="[]E1 ,\n\u2028\u200b>aＥ［］", max_size=40))
    def test_no_text_makes_a_line_or_a_handle_of_the_prompts_own(self, text: str) -> None:
        item = {"handle": "E1", "document": text, "page": 1, "text": text}
        lines = prompt({"evidence": [item]}).splitlines()[3:]
        assert lines[0].startswith("[E1] ")
        assert all(line.startswith(QUOTED) for line in lines[1:])
        body = "\n".join([lines[0][5:], *lines[1:]])
        assert not re.search(r"\[\s*E\d", body)


class TestEvidence:
    def test_hits_of_a_file_are_what_the_query_gives(self, here: Path) -> None:
        Path("hits").write_text(call("search", "dawn", "--json").stdout, encoding="utf-8")
        by_hits = call("context", "--hits", "hits", "--format", "map")
        assert by_hits.stdout_bytes == Path("map.json").read_bytes()

    def test_the_same_place_has_one_handle(self, here: Path) -> None:
        evidence = [{k: v for k, v in e.items() if k != "handle"} for e in made()["evidence"]]
        assert context_map(evidence * 2) == made()

    @pytest.mark.parametrize(
        "line",
        [
            "{}",
            "[]",
            "5",
            "{",
            '{"citation": {}}',
            '{"citation": {"element_id": 5}, "document_fingerprint": 1}',
        ],
    )
    def test_what_is_no_hit_is_refused(self, here: Path, line: str) -> None:
        Path("hits").write_text(line)
        result = call("context", "--hits", "hits")
        assert result.exit_code == 2
        assert result.stderr.startswith("error[invalid_request]: ")

    @pytest.mark.parametrize(
        "arguments",
        [(), ("dawn", "--hits", "map.json"), ("dawn", "--map", "map.json"), ("--resolve", "x"),
         ("--hits", "x", "--document", "dawn"), ("dawn", "--resolve", "x", "--map", "map.json")],
    )  # fmt: skip
    def test_a_call_that_says_two_things_or_none_is_refused(
        self, here: Path, arguments: tuple[str, ...]
    ) -> None:
        result = call("context", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error[usage]: ")


class TestAnswers:
    def test_a_quotation_and_its_evidence_are_claims(self, here: Path) -> None:
        """The evidence by its handle, the quotation by its sentence."""
        handle = handle_of("dawn")
        result = resolved(f'The log says that the "works began at dawn". [{handle}] So it is.')
        assert result.exit_code == 0
        assert statuses() == {handle: "grounded", "s0.m0.q0": "grounded"}

    def test_a_false_quotation_is_not_grounded(self, here: Path) -> None:
        handle = handle_of("dawn")
        assert resolved(f'The "works began at dusk" [{handle}].').exit_code == 0
        assert statuses() == {handle: "grounded", "s0.m0.q0": "mismatch"}

    def test_a_sentence_without_a_quotation_is_unsupported(self, here: Path) -> None:
        handle = handle_of("dawn")
        result = resolved(f"Work began early [{handle}].")
        assert "note[no_quotation]: s0.m0: " in result.stderr
        assert statuses() == {handle: "grounded", "s0.m0": "unsupported_claim_kind"}

    def test_several_handles_share_a_quotation(self, here: Path) -> None:
        for brackets in ("[E1, E2]", "[E1] [E2]", "[E1-E2]", "[E1; E2]"):
            assert resolved(f'It "began at dawn" {brackets}.').exit_code == 0
            assert set(statuses()) == {"E1", "E2", "s0.m0.q0", "s0.m1.q0"}

    def test_unknown_handles_are_named_and_nothing_is_written(self, here: Path) -> None:
        result = resolved('It "began at dawn" [E1], [E9, E01] and [E10].')
        assert (result.exit_code, result.stdout) == (2, "")
        assert "cites E9, E01, E10, which the map does not have" in result.stderr
        assert not Path("request.json").exists()

    def test_unused_evidence_is_noted(self, here: Path) -> None:
        result = resolved('It "began at dawn" [E2].')
        assert "note[unused]: E1: " in result.stderr
        assert "E2: the answer does not" not in result.stderr

    def test_an_answer_without_handles_makes_no_request(self, here: Path) -> None:
        result = resolved("It began at dawn [1].")
        assert result.exit_code == 1
        assert "note[nothing_cited]: " in result.stderr
        assert not Path("request.json").exists()

    def test_the_evidence_of_an_older_version_is_stale(self, here: Path) -> None:
        handle = handle_of("dawn")
        with Shelf(here) as shelf:
            shelf.put(plain([*DAWN, "A line was added."]), "dawn.pdf")
        assert resolved(f'It "began at dawn" [{handle}].').exit_code == 0
        assert set(statuses().values()) == {"stale"}

    @pytest.mark.parametrize(
        "change", [{"artifact_type": "x"}, {"evidence": 5}, {"more": 1}, {"schema_version": "2"}]
    )
    def test_a_map_of_another_shape_is_refused(self, here: Path, change: dict[str, Any]) -> None:
        Path("map.json").write_text(json.dumps({**made(), **change}))
        result = resolved("[E1]")
        assert result.exit_code == 2
        assert result.stderr.startswith("error[invalid_request]: context map: ")

    @settings(max_examples=300, deadline=None)
    @given(answer=st.text(max_size=80) | st.text(alphabet='[]E12,-"“”. \nab\ud800', max_size=60))
    def test_any_answer_is_resolved_or_refused(self, answer: str) -> None:
        """What is written is a request that the verifier takes."""
        evidence = {
            "handle": "E1", "document": "d", "document_fingerprint": f"sha256:{'0' * 64}",
            "page": 1, "element_id": "e000001", "char_start": 0, "char_end": 4, "regions": [],
            "text": "text", "claim": {"kind": "presence", "citation": {"page": 1,
                                                                       "element_id": "e000001"}},
        }  # fmt: skip
        second = {**evidence, "handle": "E2", "document": "e"}
        made = {"artifact_type": "pagewitness.context.v1", "schema_version": "1.0.0",
                "evidence": [evidence, second]}  # fmt: skip
        try:
            result = resolve(answer, load_map(json.dumps(made)))
        except UsageError:
            return
        assert {code for code, _ in result.notes} <= set(CODES)
        if result.requests and "\ud800" not in answer:
            assert parse_requests(result.request_bytes()).is_set
