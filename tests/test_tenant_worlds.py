"""What a tenant gets, byte for byte, whatever the others do to a store.

A world is a store and what was done to it: files read into sources, edits of the map, versions,
re-saves of one content by several, sources forgotten, reports saved. Beside it stands the world in
which the other tenants never were.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner
from drawn import R21_LINES, plain, r21_original, r21_resaved
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grounding.errors import PagewitnessError
from grounding.fingerprint import fingerprint_bytes
from grounding.store import StoreWriter
from grounding.store.forget import forget
from grounding.store.source_map import set_source
from ingest.executors import SerialExecutor
from ingest.pipeline import FileResult, IngestOptions, ingest
from pagewitness.cli import cli

IDS = ("ash", "birch", "cedar", "dogwood")
TENANTS = ("", "acme", "bolt")
FILES = {
    "statement": r21_original(),
    "resave": r21_resaved(),
    "works": plain(["The works cost 940 EUR in all.", "They began on the first day of May."]),
    "harbour": plain(["The harbour cost 1,250 EUR in all.", "It began on the last day of June."]),
}
CHANGES: tuple[dict[str, Any], ...] = (
    {"status": "draft"},
    {"status": "approved"},
    {"expires": "2025-12-31"},
    {"permissions": ["legal"]},
    {"authority": "Board"},
    {"name": "Annual report"},
)
QUOTES = (R21_LINES[0], "The works cost 940 EUR in all", "The harbour cost 1,250 EUR in all")
DAY = datetime(2026, 1, 31, tzinfo=UTC)


class _Clock:
    """The time of what is recorded is the same in both worlds."""

    @staticmethod
    def now(zone: object) -> datetime:
        return DAY


@dataclass(frozen=True)
class Step:
    """Something done to a source, and for whom where that matters."""

    kind: str
    source: str
    what: Any
    tenant: str = ""


@contextmanager
def _stopped_clock() -> Iterator[None]:
    with ExitStack() as stack:
        for module in ("forget", "map_history", "saved"):
            stack.enter_context(patch(f"grounding.store.{module}.datetime", _Clock))
        yield


def build(folder: Path, owners: dict[str, str], steps: list[Step], seen_by: str | None) -> Path:
    """The store of a world; with `seen_by` the one in which there was nobody but that tenant."""
    db = folder / "store.db"
    with StoreWriter(db) as writer:
        for source, owner in owners.items():
            if seen_by is None or owner in ("", seen_by):
                set_source(writer, source, tenant=owner, declare=True)
    for step in steps:
        shown = owners[step.source] in ("", seen_by) and step.tenant in ("", seen_by)
        if seen_by is None or shown:
            _do(db, step)
    return db


def _do(db: Path, step: Step) -> None:
    if step.kind == "ingest":
        path = db.parent / step.source / "report.pdf"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(FILES[step.what])
        done: list[FileResult] = []
        options = IngestOptions(source_id=step.source)
        ingest([str(path)], db, options, done.append, executor=SerialExecutor(options.rules))
        assert done[0].error is None
    elif step.kind == "set":
        with StoreWriter(db) as writer:
            set_source(writer, step.source, **step.what)
    elif step.kind == "forget":
        try:
            with StoreWriter(db) as writer:
                forget(writer, step.source, reason="asked to")
        except PagewitnessError:
            pass  # nothing was there yet
    else:
        call("verify", _request(db, {"document": step.source}), "--save", *_who(db, step.tenant))


def call(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, list(arguments))
    return done.exit_code, done.stdout, done.stderr


def _who(db: Path, tenant: str, *permissions: str) -> list[str]:
    labels = [word for label in permissions for word in ("--permission", label)]
    return ["--db", str(db), "--tenant", tenant, *labels]


def _request(db: Path, named: dict[str, str]) -> str:
    claims = [{"kind": "quote", "text": text, "citation": {"page": 1}} for text in QUOTES]
    path = db.parent / "request.json"
    path.write_text(json.dumps({**named, "claims": claims}))
    return str(path)


def _anchors(db: Path, named: dict[str, str]) -> str:
    ref = {"evidence_id": "r", "evidence_kind": "page", "required_anchor_level": "page",
           "locator": {"page": 1}}  # fmt: skip
    path = db.parent / "anchors.json"
    path.write_text(json.dumps({**named, "evidence_refs": [ref]}))
    return str(path)


def answers(db: Path, tenant: str, permissions: list[str]) -> list[tuple[Any, ...]]:
    """All that the doors say to a caller: what was asked, exit code, output, errors."""
    listing, who = _who(db, tenant), _who(db, tenant, *permissions)
    asked: list[list[str]] = [
        ["sources", "--json", *listing], ["source", "export", *listing],
        ["source", "history", "--json", *listing], ["impact", "--json", *who],
        ["search", "cost", "--json", *who], ["search", "EUR all", "--any-status", "--json", *who],
        ["search", "day", "--all-versions", "--as-of", "2026-01-01", "--json", *who],
        ["context", "cost", "--format", "map", *who],
    ]  # fmt: skip
    said = [(one[:3], *call(*one)) for one in asked]
    files = [fingerprint_bytes(data) for data in FILES.values()]
    prints = [fingerprint for one in files for fingerprint in (one.sha256, one.blake3)]
    for doc in (*IDS, "report.pdf", "elm", *prints):
        form = "document_fingerprint" if ":" in doc else "document"
        said.append((doc, *call("verify", _request(db, {form: doc}), *who)))
        said.append((doc, *call("anchor", _anchors(db, {form: doc}), *who)))
        said.append((doc, *call("show", doc, "--json", *who)))
    for doc in IDS:  # a pin on what somebody else may have
        named = {"document": doc, "document_fingerprint": prints[2]}
        said.append((doc, *call("verify", _request(db, named), *who)))
        said.append((doc, *call("export", doc, "--format", "text", *who)))
    base = str(db.parent)
    return [(*one[:-2], one[-2].replace(base, "@"), one[-1].replace(base, "@")) for one in said]


sources_of = st.sampled_from(IDS)
steps_of = st.one_of(
    st.builds(Step, st.just("ingest"), sources_of, st.sampled_from(sorted(FILES))),
    st.builds(Step, st.just("ingest"), sources_of, st.sampled_from(("statement", "resave"))),
    st.builds(Step, st.just("set"), sources_of, st.sampled_from(CHANGES)),
    st.builds(Step, st.just("forget"), sources_of, st.just("")),
    st.builds(Step, st.just("save"), sources_of, st.just(""), st.sampled_from(TENANTS)),
)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.fixed_dictionaries({source: st.sampled_from(TENANTS) for source in IDS}),
    st.lists(steps_of, min_size=4, max_size=9),
    st.sampled_from(TENANTS),
    st.sampled_from(([], ["legal"])),
)
def test_the_other_tenants_might_as_well_not_be_there(
    owners: dict[str, str], steps: list[Step], tenant: str, permissions: list[str]
) -> None:
    compare(owners, steps, tenant, permissions)


def compare(
    owners: dict[str, str], steps: list[Step], tenant: str, permissions: list[str]
) -> list[tuple[Any, ...]]:
    """The answers, after they were found to be the same in both worlds."""
    with tempfile.TemporaryDirectory() as base, _stopped_clock():
        said = []
        for name, seen_by in (("whole", None), ("alone", tenant)):
            folder = Path(base) / name
            folder.mkdir()
            said.append(answers(build(folder, owners, steps, seen_by), tenant, permissions))
    for whole, alone in zip(*said, strict=True):
        assert whole == alone
    return said[0]


OWNERS = {"ash": "acme", "birch": "bolt", "cedar": "", "dogwood": "acme"}


def test_what_one_tenant_reads_first_is_not_what_another_gets() -> None:
    """The same content, re-saved: each has the fingerprints of its own file, and pins of the
    other's bind nothing."""
    steps = [Step("ingest", "ash", "statement"), Step("ingest", "birch", "resave")]
    said = compare(OWNERS, steps, "bolt", [])
    shown = json.loads(
        next(out for doc, *_, out, _ in said if doc == "birch" and '"blake3"' in out)
    )
    assert shown["source_fingerprint"] == fingerprint_bytes(r21_resaved()).sha256
    original = fingerprint_bytes(r21_original()).sha256
    about = [json.loads(out) for doc, _, out, _ in said if doc == original and '"checks"' in out]
    assert about[0]["checks"][0]["reason"] == "document_not_found"


def test_what_one_tenant_asked_of_a_shared_source_is_not_told_to_another() -> None:
    steps = [
        Step("ingest", "cedar", "works"),
        Step("save", "cedar", "", "acme"),
        Step("save", "cedar", "", "bolt"),
        Step("ingest", "cedar", "harbour"),
    ]
    for tenant, reports in (("", 0), ("bolt", 1), ("acme", 1)):
        said = compare(OWNERS, steps, tenant, [])
        impacts = next(out for asked, _, out, _ in said if asked[:1] == ["impact"])
        assert len(impacts.splitlines()) == reports, tenant


def test_bytes_that_two_tenants_have_are_read_for_each_and_kept_once() -> None:
    steps = [Step("ingest", source, "works") for source in ("ash", "birch", "cedar")]
    for tenant in TENANTS:
        compare(OWNERS, steps, tenant, [])


def test_what_was_forgotten_of_one_tenant_leaves_no_trace_for_another() -> None:
    steps = [
        Step("ingest", "ash", "works"),
        Step("ingest", "birch", "works"),
        Step("forget", "ash", ""),
    ]
    for tenant in ("", "bolt"):
        said = compare(OWNERS, steps, tenant, [])
        assert "forgotten" not in str(said)
    assert "forgotten" in str(compare(OWNERS, steps, "acme", []))


def test_a_shared_copy_of_a_tenants_file_is_a_source_of_its_own(tmp_path: Path) -> None:
    """It would be the tenant's alone if it were taken for a second place of the tenant's source."""
    db = build(tmp_path, {"ash": "acme"}, [Step("ingest", "ash", "works")], None)
    copies = [tmp_path / "shared.pdf", tmp_path / "twice.pdf"]
    for copy in copies:
        copy.write_bytes(FILES["works"])
    done: list[FileResult] = []
    for _ in range(2):
        options = IngestOptions()
        executor = SerialExecutor(options.rules)
        ingest([str(copy) for copy in copies], db, options, done.append, executor=executor)
    assert [one.status for one in done] == ["alias", "alias", "unchanged", "unchanged"]
    assert {one.source_id for one in done} == {"shared"}
    code, listed, _ = call("sources", "--json", *_who(db, ""))
    assert code == 0
    assert [json.loads(line)["source_id"] for line in listed.splitlines()] == ["shared"]
    code, shown, _ = call("show", "shared", "--json", *_who(db, ""))
    assert json.loads(shown)["document_fingerprint"] == done[0].document_fingerprint
