"""The literal judge on answers that a reader has labelled."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grounding.chunks import chunks
from grounding.store import StoreReader
from ingest import IngestOptions, ingest
from verifier.coverage.claims import decompose
from verifier.judges.literal import LiteralJudge
from verifier.traces import Trace

ROOT = Path(__file__).parents[3]
UPDATE = "PAGEWITNESS_UPDATE_LABELLED"


@cache
def script() -> ModuleType:
    path = ROOT / "scripts" / "make_audit_matrix.py"
    spec = importlib.util.spec_from_file_location("make_audit_matrix", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def outcome() -> Any:
    return script().outcome()


class TestTheSet:
    """What was labelled."""

    def test_it_has_every_kind_of_answer(self) -> None:
        answers = [answer for answer, _ in script().labelled()]
        assert len(answers) >= 60
        assert {answer["category"] for answer in answers} >= {
            "true", "paraphrase", "wrong number", "wrong document", "negation", "partially used",
            "ignored", "opinion only", "no claim", "subject swapped", "quantifier", "direction",
            "hedge dropped", "condition dropped", "quote",
        }  # fmt: skip
        kinds = {claim["kind"] for answer in answers for claim in answer["claims"]}
        assert kinds >= {"year", "unit", "scale", "currency", "sign", "modifier", "reference"}

    def test_every_document_is_labelled_and_every_claim_is_a_piece_of_its_answer(self) -> None:
        for answer, trace in script().labelled():
            assert set(answer["usage"]) == set(answer["documents"]) == set(trace.by_id)
            for claim in answer["claims"]:
                assert claim["text"] in trace.answer

    def test_the_documents_are_chunks_of_the_sample_documents(self, tmp_path: Path) -> None:
        """PAGEWITNESS_UPDATE_LABELLED=1 writes them again; `income-statement.md` is a table as
        `export --format markdown` writes it."""
        path = script().LABELLED / "documents.json"
        known = json.loads(path.read_text(encoding="utf-8"))
        db = tmp_path / "grounding.db"
        ingest([str(ROOT / "sample_docs")], db, IngestOptions())
        now = {name: known[name] for name in known if "#" not in name}
        with StoreReader(db) as reader:
            for document in sorted({name.split("#")[0] for name in known if "#" in name}):
                for chunk in chunks(reader.open(document)):
                    name = f"{document}#{chunk['id']}"
                    if name in known:
                        now[name] = chunk["text"]
        if os.environ.get(UPDATE) == "1":
            text = json.dumps(now, ensure_ascii=False, indent=1, sort_keys=True)
            path.write_text(text, encoding="utf-8")
            pytest.fail(f"documents.json was rewritten; unset {UPDATE}")
        assert now == known


class TestTheJudge:
    """The bars that the literal judge has to keep."""

    def test_the_claims_of_every_answer_are_those_that_a_reader_takes(self) -> None:
        assert outcome().undecomposed == []

    def test_nothing_that_is_not_supported_is_called_supported(self) -> None:
        assert outcome().claims["unsupported", "supported"] == 0
        assert outcome().claims["contradicted", "supported"] == 0

    def test_nothing_true_is_called_contradicted(self) -> None:
        assert outcome().claims["supported", "contradicted"] == 0
        assert outcome().claims["unsupported", "contradicted"] == 0

    def test_verbatim_and_numeric_claims_are_recognised(self) -> None:
        right, of = script().recognised(outcome())
        assert of >= 40
        assert right / of >= 0.9

    def test_nothing_used_unfaithfully_is_called_faithful(self) -> None:
        assert outcome().faithfulness["unfaithful", "faithful"] == 0
        assert outcome().faithfulness["partially_faithful", "faithful"] == 0

    def test_the_page_shows_the_matrix_as_it_is(self) -> None:
        """`python scripts/make_audit_matrix.py` writes it again."""
        page = script().PAGE.read_text(encoding="utf-8")
        assert script().page(outcome()) == page


_NUMBER = re.compile(r"(?<![\d.,:-])\d+(?:[.,]\d+)*(?![\d:]|[.,]\d)")


def statements() -> list[tuple[Trace, str]]:
    """Every claim that the judge calls supported, as an answer of its own."""
    found = []
    for _, trace in script().labelled():
        claims = decompose(trace).claims
        verdicts = LiteralJudge().coverage(trace, claims).verdicts
        found += [
            (trace, claim.statement)
            for claim, verdict in zip(claims, verdicts, strict=True)
            if verdict.status == "supported" and claim.kind == "sentence"
        ]
    return found


def status(trace: Trace, answer: str) -> set[str]:
    changed = Trace(trace.trace_id, trace.query, answer, trace.documents)
    claims = decompose(changed).claims
    return {verdict.status for verdict in LiteralJudge().coverage(changed, claims).verdicts}


class TestMutations:
    """A true claim that is changed in one place is not supported any more."""

    def test_there_is_something_to_change(self) -> None:
        assert len(statements()) > 40

    def test_another_number(self) -> None:
        changed = 0
        for trace, statement in statements():
            for number in _NUMBER.finditer(statement):
                digit = str((int(number.group()[0]) % 9) + 1)
                answer = statement[: number.start()] + digit + statement[number.start() + 1 :]
                assert "supported" not in status(trace, answer), answer
                changed += 1
        assert changed > 30

    @pytest.mark.parametrize("verb", ["is", "was", "were", "shall", "may", "are"])
    def test_a_denial_put_in(self, verb: str) -> None:
        for trace, statement in statements():
            if re.search(rf"\b{verb}\b(?! not)", statement):
                answer = re.sub(rf"\b{verb}\b(?! not)", f"{verb} not", statement, count=1)
                assert "supported" not in status(trace, answer), answer

    def test_a_denial_left_out(self) -> None:
        for trace, statement in statements():
            for words in (" not", "No ", "Neither ", "without "):
                if words in statement:
                    answer = statement.replace(words, "", 1)
                    assert "supported" not in status(trace, answer), answer

    def test_another_unit(self) -> None:
        for trace, statement in statements():
            for one, other in (("million", "thousand"), ("euro", "yen"), ("$", "£"),
                               ("EUR", "CHF"), ("percent", "percentage points"), ("days", "weeks"),
                               ("tonnes", "barrels"), ("months", "days")):  # fmt: skip
                if one in statement:
                    answer = statement.replace(one, other, 1)
                    assert "supported" not in status(trace, answer), answer

    def test_another_word(self) -> None:
        """Any one word that means something replaced by another."""
        for trace, statement in statements():
            words = list(re.finditer(r"[^\W\d_]{4,}", statement))
            for word in words:
                answer = statement[: word.start()] + "zebra" + statement[word.end() :]
                assert "supported" not in status(trace, answer), answer
