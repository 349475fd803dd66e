"""Whose sources are there: what a tenant gets is what it would get without the others."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drawn import plain
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading import Shelf

from grounding.store import Access, StoreReader, StoreWriter
from grounding.store.forget import forget
from grounding.store.source_map import set_source
from pagewitness.cli import cli

WORDS = ("dawn", "dusk", "noon", "night")
TENANTS = ("", "acme", "bolt")


def text_of(word: str) -> list[str]:
    return [f"The works of {word} cost 940 EUR in all.", "They began on the first day of May."]


def fill(shelf: Shelf, owners: dict[str, str], labels: dict[str, list[str]]) -> None:
    """A source a word, each with its owner and labels; in a fixed order."""
    for word, owner in owners.items():
        shelf.put(plain(text_of(word)), f"{word}.pdf")
        if owner or labels.get(word):
            with StoreWriter(shelf.path) as writer:
                set_source(writer, word, tenant=owner, permissions=labels.get(word, []))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def answers(db: Path, tenant: str, permissions: list[str]) -> list[tuple[int, str, str]]:
    """Everything that the doors say to a caller: exit code, output, errors. A store is called the
    same in all of them."""
    who = ["--db", str(db), "--tenant", tenant]
    for label in permissions:
        who += ["--permission", label]
    calls: list[list[str]] = [["sources", "--json", *who[:4]], ["source", "export", *who[:4]]]
    calls += [["source", "history", "--json", *who[:4]]]
    calls += [["search", query, "--json", *who] for query in ("works", "EUR dawn", '"first day"')]
    for word in (*WORDS, "morning"):
        calls.append(["show", word, *who])
        quote = {
            "kind": "quote",
            "text": f"The works of {word} cost 940 EUR",
            "citation": {"page": 1},
        }
        other = {"kind": "quote", "text": "The works of dusk cost 940 EUR in all", "citation": {}}
        request = db.parent / f"{word}.json"
        request.write_text(json.dumps({"document": word, "claims": [quote, other]}))
        calls.append(["verify", str(request), *who])
        calls.append(["export", word, "--format", "text", "--out", "-", *who])
    results = [call(*one) for one in calls]
    return [(r.exit_code, _untimed(r.stdout), r.stderr.replace(str(db), "DB")) for r in results]


def _untimed(text: str) -> str:
    lines = []
    for line in text.splitlines():
        value = json.loads(line) if line.startswith('{"at"') else None
        lines.append(json.dumps({**value, "at": ""}) if isinstance(value, dict) else line)
    return "\n".join(lines)


owners_of = st.fixed_dictionaries({word: st.sampled_from(TENANTS) for word in WORDS})
labels_of = st.dictionaries(st.sampled_from(WORDS), st.lists(st.sampled_from("ab"), max_size=2))


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(owners_of, labels_of, st.sampled_from(TENANTS), st.lists(st.sampled_from("ab"), unique=True))
def test_a_tenant_gets_what_it_would_get_without_the_others(
    owners: dict[str, str], labels: dict[str, list[str]], tenant: str, permissions: list[str]
) -> None:
    """Byte for byte, through every door, the ranks of search included."""
    seen = {word: owner for word, owner in owners.items() if owner in ("", tenant)}
    with tempfile.TemporaryDirectory() as base:
        given_: list[list[tuple[int, str, str]]] = []
        for name, held in (("whole", owners), ("alone", seen)):
            folder = Path(base) / name
            folder.mkdir()
            with Shelf(folder) as shelf:
                fill(shelf, held, labels)
                given_.append(answers(shelf.path, tenant, permissions))
    for whole, alone in zip(*given_, strict=True):
        assert whole[0] == alone[0]
        assert whole[1] == alone[1]
        assert whole[2] == alone[2]


@pytest.fixture
def shelf(tmp_path: Path) -> Any:
    with Shelf(tmp_path) as made:
        fill(made, {"dawn": "", "dusk": "acme", "noon": ""}, {"noon": ["legal"]})
        yield made


def verdicts(shelf: Shelf, document: str, *who: str) -> list[tuple[str, str | None]]:
    claim = {"kind": "quote", "text": f"The works of {document} cost 940 EUR", "citation": {}}
    request = shelf.path.parent / "r.json"
    request.write_text(json.dumps({"document": document, "claims": [claim]}))
    made = call("verify", str(request), "--db", str(shelf.path), *who)
    assert made.exit_code in (0, 1), made.output
    return [(c["status"], c.get("reason")) for c in json.loads(made.stdout)["checks"]]


class TestHardResults:
    def test_each_has_its_own_reason(self, shelf: Shelf) -> None:
        def set_(**changes: Any) -> None:
            with StoreWriter(shelf.path) as writer:
                set_source(writer, "dawn", **changes)

        assert verdicts(shelf, "dawn") == [("grounded", None)]
        assert verdicts(shelf, "morning") == [("error", "document_not_found")]
        assert verdicts(shelf, "dusk") == [("error", "document_not_found")]
        assert verdicts(shelf, "dusk", "--tenant", "acme") == [("grounded", None)]
        assert verdicts(shelf, "noon") == [("error", "source_not_permitted")]
        assert verdicts(shelf, "noon", "--permission", "legal") == [("grounded", None)]
        for status in ("draft", "superseded", "withdrawn"):
            set_(status=status)
            assert verdicts(shelf, "dawn") == [("error", "source_not_approved")]
        set_(status="approved", effective="2025-01-01", expires="2025-12-31")
        for day, reason in (
            ("2024-12-31", "source_expired"), ("2025-01-01", None), ("2025-12-31", None),
            ("2026-01-01", "source_expired"),
        ):  # fmt: skip
            assert verdicts(shelf, "dawn", "--as-of", day)[0][1] == reason

    def test_anchors_say_the_same(self, shelf: Shelf) -> None:
        one = {"evidence_id": "r", "evidence_kind": "page", "required_anchor_level": "page",
               "locator": {"page": 1}}  # fmt: skip
        request = shelf.path.parent / "a.json"
        for document, reason in (("noon", "source_not_permitted"), ("dusk", "document_not_found")):
            request.write_text(json.dumps({"document": document, "evidence_refs": [one]}))
            made = call("anchor", str(request), "--db", str(shelf.path))
            assert made.exit_code == 1, made.output
            assert json.loads(made.stdout)["anchors"][0]["reason"] == reason

    def test_two_sources_of_one_file_name_are_ambiguous_to_who_sees_both(
        self, shelf: Shelf
    ) -> None:
        with StoreReader(shelf.path, Access("acme")) as reader:
            ids = {key.source_id for key in reader._by_name("dusk.pdf")}
            assert ids == {"dusk"}
        assert StoreReader(shelf.path)._by_name("dusk.pdf") == []

    def test_a_day_that_nobody_said_is_warned_of(self, shelf: Shelf) -> None:
        with StoreWriter(shelf.path) as writer:
            set_source(writer, "dawn", expires="2025-12-31")
        request = shelf.path.parent / "r.json"
        claim = {"kind": "presence", "citation": {"page": 1}}
        request.write_text(json.dumps({"document": "dawn", "claims": [claim]}))
        made = call("verify", str(request), "--db", str(shelf.path))
        assert "source_dates_not_checked" in json.loads(made.stdout)["warnings"]
        made = call("verify", str(request), "--db", str(shelf.path), "--as-of", "2025-06-01")
        assert "source_dates_not_checked" not in json.loads(made.stdout)["warnings"]
        assert json.loads(made.stdout)["as_of"] == "2025-06-01"

    def test_a_forgotten_source_is_told_from_one_that_never_was(self, shelf: Shelf) -> None:
        fingerprint = shelf.reader.open("dawn").identity.document_fingerprint
        with StoreWriter(shelf.path) as writer:
            forget(writer, "dawn")
        request = shelf.path.parent / "r.json"
        claim = {"kind": "presence", "citation": {"page": 1}}
        for body in ({"document": "dawn"}, {"document_fingerprint": fingerprint}):
            request.write_text(json.dumps({**body, "claims": [claim]}))
            made = json.loads(call("verify", str(request), "--db", str(shelf.path)).stdout)
            assert made["checks"][0]["reason"] == "document_not_found"
            assert made["warnings"] == ["source_forgotten"]
        shown = call("show", "dawn", "--db", str(shelf.path))
        assert "was forgotten at" in shown.stderr


class TestDoors:
    def test_what_lacks_a_label_is_named_and_not_shown(self, shelf: Shelf) -> None:
        db = str(shelf.path)
        assert "noon" in call("sources", "--db", db).stdout
        out = str(shelf.path.parent / "out")
        doors = (
            ("show", "noon"), ("export", "noon", "--format", "text", "--out", out),
            ("crop", "noon", "--page", "1", "--bbox", "0,0,9,9", "--out", f"{out}.png"),
            ("search", "works", "--document", "noon"), ("context", "works", "--document", "noon"),
            ("impact", "noon"),
        )  # fmt: skip
        for door in doors:
            made = call(*door, "--db", db)
            assert made.exit_code == 2, made.output
            assert "source_not_permitted" in made.stderr, door
            assert "940" not in made.output
        assert not list(shelf.path.parent.glob("out*"))

    def test_only_what_can_be_verified_is_found(self, shelf: Shelf) -> None:
        db = str(shelf.path)
        with StoreWriter(shelf.path) as writer:
            set_source(writer, "dawn", status="draft")
        assert call("search", "dawn", "--db", db).stdout == ""
        assert "dawn" in call("search", "dawn", "--db", db, "--any-status").stdout
        with StoreWriter(shelf.path) as writer:
            set_source(writer, "dawn", status="approved", expires="2025-12-31")
        assert call("search", "dawn", "--db", db, "--as-of", "2026-01-01").stdout == ""
        assert "dawn" in call("search", "dawn", "--db", db, "--as-of", "2025-01-01").stdout

    def test_the_map_is_edited_by_command(self, shelf: Shelf) -> None:
        db, folder = str(shelf.path), shelf.path.parent
        made = call(
            "source", "set", "dawn", "--status", "draft", "--authority", "Board", "--db", db
        )
        assert (made.exit_code, made.stdout) == (0, "changed  dawn\n1 source(s) changed\n")
        made = call("source", "set", "dawn", "--clear", "authority", "--db", db, "--json")
        assert json.loads(made.stdout) == {"source_id": "dawn"}
        (folder / "map.json").write_bytes(
            call("source", "export", "--all-tenants", "--db", db).stdout_bytes
        )
        assert call("source", "import", str(folder / "map.json"), "--db", db).stdout.startswith(
            "0 "
        )
        told = call("source", "history", "dawn", "--json", "--db", db).stdout
        lines = [json.loads(line) for line in told.splitlines()]
        assert [sorted(line["changed"]) for line in lines] == [
            ["authority", "status"],
            ["authority"],
        ]

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (("set", "dawn"), "usage"),
            (("set", "dawn", "--authority", "x", "--clear", "authority"), "usage"),
            (("set", "morning", "--status", "draft"), "document_not_found"),
            (("import", "absent.json"), "invalid_request"),
        ],
    )
    def test_wrong_calls_change_nothing(
        self, shelf: Shelf, arguments: tuple[str, ...], code: str
    ) -> None:
        made = call("source", *arguments, "--db", str(shelf.path))
        assert made.exit_code == 2
        assert made.stderr.startswith(f"error[{code}]: ")
        absent = shelf.path.parent / "absent.db"
        assert call("source", *arguments, "--db", str(absent)).exit_code == 2
        assert not absent.exists()
