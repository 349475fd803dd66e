"""What the source map decides, through the command line and in Python: every hard result, the day
that is asked about, what was forgotten, and names that a model made up."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drawn import plain
from reading import Shelf

from grounding.store import Access, StoreReader, StoreWriter
from grounding.store.forget import forget
from grounding.store.source_map import set_source
from pagewitness.cli import cli
from verifier import PRESETS, parse_requests, report_bytes, verify
from verifier.anchors import anchor, parse_anchors

TEXT = ["The works cost 940 EUR in all.", "They began on the first day of May."]
OTHER = ["The harbour cost 1,250 EUR in all.", "It began on the last day of June."]
QUOTE = {"kind": "quote", "text": "The works cost 940 EUR in all", "citation": {"page": 1}}
REF = {"evidence_id": "r", "evidence_kind": "page", "required_anchor_level": "page",
       "locator": {"page": 1}}  # fmt: skip


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """Two sources, `works` and `harbour`; the files of both are also called report.pdf."""
    with Shelf(tmp_path) as made:
        made.put(plain(TEXT), "works.pdf")
        made.put(plain(OTHER), "harbour.pdf")
        with StoreWriter(made.path) as writer, writer.together():
            for source in ("works", "harbour"):
                writer.connection.execute(
                    "INSERT INTO locations (path, name, source_id, source_fingerprint)"
                    " SELECT '/in/' || v.source_id, 'report.pdf', v.source_id, d.source_fingerprint"
                    " FROM versions AS v JOIN documents AS d ON d.id = v.document_id"
                    " WHERE v.source_id = ?",
                    (source,),
                )
        yield made


def call(shelf: Shelf, *arguments: str) -> Result:
    return CliRunner().invoke(cli, [*arguments, "--db", str(shelf.path)])


def map_(shelf: Shelf, source: str = "works", **changes: Any) -> None:
    with StoreWriter(shelf.path) as writer:
        set_source(writer, source, **changes)


def verified(shelf: Shelf, named: dict[str, str], *options: str) -> dict[str, Any]:
    """The report of the command, which is that of the function, byte for byte."""
    body = json.dumps({**named, "claims": [QUOTE]})
    path = shelf.path.with_name("request.json")
    path.write_text(body)
    done = call(shelf, "verify", str(path), *options)
    assert done.exit_code in (0, 1), done.output
    said = dict(zip(options[::2], options[1::2], strict=True))
    labels = frozenset(v for k, v in zip(options[::2], options[1::2], strict=True)
                       if k == "--permission")  # fmt: skip
    with StoreReader(shelf.path, Access(said.get("--tenant", ""), labels)) as reader:
        submission = parse_requests(body, as_of=said.get("--as-of"))
        made = verify(submission, reader, PRESETS[said.get("--config", "default")])
    assert report_bytes(made) == done.stdout_bytes
    assert verify_schema(json.loads(done.stdout))
    return dict(json.loads(done.stdout))


def verify_schema(report: dict[str, Any]) -> bool:
    from verifier.stored import reports_in

    return len(reports_in(report)) == 1


def anchored(shelf: Shelf, named: dict[str, str], *options: str) -> dict[str, Any]:
    body = json.dumps({**named, "evidence_refs": [REF]})
    path = shelf.path.with_name("anchors.json")
    path.write_text(body)
    done = call(shelf, "anchor", str(path), *options)
    assert done.exit_code == 1, done.output
    said = dict(zip(options[::2], options[1::2], strict=True))
    with StoreReader(shelf.path) as reader:
        submission = parse_anchors(body, as_of=said.get("--as-of"))
        made = anchor(submission, reader, PRESETS["default"])
    assert made == json.loads(done.stdout)
    return dict(json.loads(done.stdout))


CASES: list[tuple[str, dict[str, Any], str, tuple[str, ...]]] = [
    ("document_not_found", {}, "harbor", ()),
    ("document_not_found", {"tenant": "acme"}, "works", ()),
    ("document_ambiguous", {}, "report.pdf", ()),
    ("source_not_approved", {"status": "draft"}, "works", ()),
    ("source_not_approved", {"status": "superseded"}, "works", ()),
    ("source_not_approved", {"status": "withdrawn"}, "works", ()),
    ("source_expired", {"expires": "2025-12-31"}, "works", ("--as-of", "2026-01-01")),
    ("source_expired", {"effective": "2026-02-01"}, "works", ("--as-of", "2026-01-31")),
    ("source_not_permitted", {"permissions": ["legal"]}, "works", ()),
    # the first rule that applies
    ("source_not_permitted", {"permissions": ["legal"], "status": "draft"}, "works", ()),
    ("source_not_approved", {"status": "draft", "expires": "2025-12-31"}, "works",
     ("--as-of", "2026-01-01")),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "changes", "document", "options"), CASES)
def test_every_hard_result_is_told_apart(
    shelf: Shelf, reason: str, changes: dict[str, Any], document: str, options: tuple[str, ...]
) -> None:
    if changes:
        map_(shelf, **changes)
    report = verified(shelf, {"document": document}, *options)
    (check,) = report["checks"]
    assert (check["status"], check["reason"]) == ("error", reason)
    assert report["document"] == {"name": document}
    assert not {"evidence", "nearest", "found_elsewhere", "context"} & check.keys()
    assert not {"document_fingerprint", "source_fingerprint", "grounding"} & report.keys()
    answer = anchored(shelf, {"document": document}, *options)
    assert answer["anchors"][0]["reason"] == reason
    assert answer["anchors"][0]["anchor_status"] != "bound"


def test_of_sources_with_one_document_the_usable_one_is_meant(shelf: Shelf) -> None:
    """A pin names bytes and no source: who may use them under one of their sources may use them."""
    shelf.put(plain(TEXT), "copy.pdf")
    fingerprint = shelf.reader.open("copy").identity.document_fingerprint
    pin = {"document_fingerprint": fingerprint}
    for changes in ({"status": "draft"}, {"status": "approved", "permissions": ["legal"]}):
        map_(shelf, "copy", **changes)
        assert verified(shelf, pin)["document"]["source_id"] == "works"
    map_(shelf, "works", status="draft")
    assert verified(shelf, pin)["checks"][0]["reason"] == "source_not_approved"


class TestDays:
    def test_strict_rules_ask_for_the_day_of_a_source_that_has_days(self, shelf: Shelf) -> None:
        pin = shelf.reader.open("works").identity.document_fingerprint
        named = {"document": "works", "document_fingerprint": pin}
        strict = ("--config", "strict")
        assert verified(shelf, named, *strict)["all_evidence_grounded"]
        map_(shelf, effective="2025-01-01")
        report = verified(shelf, named, *strict)
        assert report["checks"][0]["reason"] == "source_expired"
        assert report["warnings"] == ["source_dates_not_checked"]
        report = verified(shelf, named, *strict, "--as-of", "2025-01-01")
        assert report["all_evidence_grounded"]
        assert report["warnings"] == []
        report = verified(shelf, named, *strict, "--as-of", "2024-12-31")
        assert (report["checks"][0]["reason"], report["warnings"]) == ("source_expired", [])

    def test_rules_from_before_have_the_hash_that_they_had(self) -> None:
        """`require_date` came later; where it is off, the rules are those that they were."""
        default = PRESETS["default"]
        assert default.sha256.startswith("789691161732")
        assert default.model_copy(update={"require_date": True}).sha256 != default.sha256

    @pytest.mark.parametrize(
        "door",
        [
            ("show", "works"), ("export", "works", "--format", "text"),
            ("crop", "works", "--page", "1", "--bbox", "0,0,9,9", "--out", "never.png"),
            ("search", "works", "--document", "works"),
            ("context", "works", "--document", "works"),
        ],
    )  # fmt: skip
    def test_doors_refuse_a_source_that_is_not_valid_on_the_day(
        self, shelf: Shelf, door: tuple[str, ...]
    ) -> None:
        map_(shelf, expires="2025-12-31")
        done = call(shelf, *door, "--as-of", "2026-01-01")
        assert done.exit_code == 2
        assert done.stderr.startswith("error[source_expired]: source works is not valid on ")
        assert done.stdout == ""
        said = call(shelf, *door, "--as-of", "2025-12-31").stderr
        assert "source_expired" not in said

    @pytest.mark.parametrize("day", ["2025-02-30", "2025-2-3", "today", "", "2025-01-01T00:00"])
    def test_what_is_no_day_is_refused(self, shelf: Shelf, day: str) -> None:
        done = call(shelf, "show", "works", "--as-of", day)
        assert (done.exit_code, done.stdout) == (2, "")


class TestSearchAndContext:
    def test_a_document_that_may_not_be_cited_is_told_of_and_not_silently_empty(
        self, shelf: Shelf
    ) -> None:
        map_(shelf, status="draft")
        for door in ("search", "context"):
            done = call(shelf, door, "cost", "--document", "works")
            assert (done.exit_code, done.stdout) == (2, "")
            assert done.stderr.startswith("error[source_not_approved]: source works ")
            assert "940" not in call(shelf, door, "cost").stdout

    def test_hits_of_sources_of_any_status_say_which(self, shelf: Shelf) -> None:
        map_(shelf, status="draft")
        lines = call(shelf, "search", "cost", "--any-status", "--json").stdout.splitlines()
        found = {hit["document"]: hit["source_status"] for hit in map(json.loads, lines)}
        assert found == {"works": "draft", "harbour": "approved"}
        assert "works  (draft)  page 1" in call(shelf, "search", "cost", "--any-status").stdout
        hits = shelf.path.with_name("hits.jsonl")
        hits.write_text("\n".join(lines))
        done = call(shelf, "context", "--hits", str(hits))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("error[source_not_approved]")

    def test_hits_are_given_as_of_the_day(self, shelf: Shelf) -> None:
        hits = shelf.path.with_name("hits.jsonl")
        hits.write_text(call(shelf, "search", "works", "--json").stdout)
        map_(shelf, expires="2025-12-31")
        assert "940" in call(shelf, "context", "--hits", str(hits), "--as-of", "2025-12-31").stdout
        done = call(shelf, "context", "--hits", str(hits), "--as-of", "2026-01-01")
        assert done.stderr.startswith("error[source_expired]")


class TestForgotten:
    def test_the_report_says_that_it_was_forgotten_and_when(self, shelf: Shelf) -> None:
        """The same store gives the same bytes: the time is the one that was recorded."""
        identity = shelf.reader.open("works").identity
        with StoreWriter(shelf.path) as writer:
            forget(writer, "works", reason="asked to")
        left = shelf.reader.tombstone("works")
        assert left is not None
        expected = {
            "source_id": "works",
            "document_fingerprint": identity.document_fingerprint,
            "source_fingerprint": identity.source_fingerprint,
            "forgotten_at": left.forgotten_at,
            "reason": "asked to",
        }
        for named in (
            {"document": "works"},
            {"document_fingerprint": identity.document_fingerprint},
            {"document": "works.pdf", "document_fingerprint": identity.blake3},
        ):
            report = verified(shelf, named)
            assert report == verified(shelf, named)
            assert report["checks"][0]["reason"] == "document_not_found"
            assert report["warnings"] == ["source_forgotten"]
            assert report["forgotten"] == expected
        request = str(shelf.path.with_name("request.json"))
        for form in ("summary", "html"):
            text = call(shelf, "verify", request, "--format", form).stdout
            assert f"of source works, at {left.forgotten_at}: asked to" in " ".join(text.split())
        assert anchored(shelf, {"document": "works"})["warnings"] == ["source_forgotten"]

    def test_a_pin_on_a_forgotten_version_is_stale_and_explained(self, shelf: Shelf) -> None:
        pin = shelf.reader.open("works").identity.document_fingerprint
        with StoreWriter(shelf.path) as writer:
            forget(writer, "works")
        shelf.put(plain(OTHER), "works.pdf")
        map_(shelf, status="approved")  # content that comes back has to be approved again
        report = verified(shelf, {"document": "works", "document_fingerprint": pin})
        assert report["fingerprint_reason"] == "stale_fingerprint"
        assert report["forgotten"]["document_fingerprint"] == pin
        assert "source_forgotten" in report["warnings"]
        assert "forgotten" not in verified(shelf, {"document": "works"})

    def test_nobody_learns_of_what_another_tenant_forgot(self, shelf: Shelf) -> None:
        map_(shelf, tenant="acme")
        with StoreReader(shelf.path, Access("acme")) as reader:
            pin = reader.open("works").identity.document_fingerprint
        with StoreWriter(shelf.path) as writer:
            forget(writer, "works")
        for named in ({"document": "works"}, {"document": "harbour", "document_fingerprint": pin}):
            report = verified(shelf, named)
            assert "forgotten" not in report
            assert "source_forgotten" not in report["warnings"]
            assert "forgotten" in verified(shelf, named, "--tenant", "acme")


_WATCHED = """
import sys
seen = []
def hook(event, arguments):
    if event == "open" or event.startswith(("socket.", "urllib", "http", "ftplib", "subprocess")):
        seen.append(f"{event} {arguments}")
sys.addaudithook(hook)
from click.testing import CliRunner
from pagewitness.cli import cli
done = CliRunner().invoke(cli, sys.argv[2:])
assert done.exit_code in (1, 2), done.output
bad = [one for one in seen if not one.startswith("open") or sys.argv[1] in one]
assert any(one.startswith("open") for one in seen)
assert bad == [], bad
"""


@pytest.mark.parametrize(
    "made_up", ["http://127.0.0.1:9/secret.pdf", "file:///{}", "{}", "../secret.pdf"]
)
def test_a_name_that_a_model_made_up_opens_no_file_and_no_address(
    shelf: Shelf, made_up: str
) -> None:
    """Not though a file is there: a document is found through the map and through nothing else."""
    folder = shelf.path.parent
    (folder / "secret.pdf").write_bytes(plain(TEXT))
    name = made_up.format(folder / "secret.pdf")
    request = folder / "request.json"
    request.write_text(json.dumps({"document": name, "claims": [QUOTE]}))
    db = ["--db", str(shelf.path)]
    for door in (["verify", str(request)], ["show", name], ["export", name, "--format", "text"]):
        done = subprocess.run(
            [sys.executable, "-c", _WATCHED, "secret.pdf", *door, *db],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "works", "--tenant", "a b"), ("show", "works", "--permission", ""),
        ("sources", "--tenant", "\udcff"), ("source", "export", "--tenant", "a/b"),
        ("source", "set", "\udcff", "--status", "draft"), ("forget", "\udcff", "--yes"),
        ("source", "set", "new\udcff", "--declare"),
    ],
)  # fmt: skip
def test_what_no_tenant_label_or_id_can_be_is_refused(
    shelf: Shelf, arguments: tuple[str, ...]
) -> None:
    done = call(shelf, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error[usage]: ")


def test_a_citation_of_a_withdrawn_source_is_not_gone_but_unknown(shelf: Shelf) -> None:
    verified(shelf, {"document": "works"})
    request = str(shelf.path.with_name("request.json"))
    assert call(shelf, "verify", request, "--save").exit_code == 0
    shelf.put(plain([TEXT[0], "New words."]), "works.pdf")
    assert json.loads(call(shelf, "impact", "--json").stdout)["state"] == "holds"
    map_(shelf, expires="2025-12-31")
    assert json.loads(call(shelf, "impact", "--json").stdout)["state"] == "holds"
    late = json.loads(call(shelf, "impact", "--json", "--as-of", "2026-01-01").stdout)
    assert (late["state"], late["reason"]) == ("unknown", "source_expired")
    map_(shelf, status="withdrawn")
    item = json.loads(call(shelf, "impact", "--json").stdout)
    assert (item["state"], item["reason"]) == ("unknown", "source_not_approved")
    map_(shelf, status="approved")
    assert json.loads(call(shelf, "impact", "--json").stdout)["state"] == "holds"
