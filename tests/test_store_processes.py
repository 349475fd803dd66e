"""Real processes on one store: readers that verify while a writer replaces what they cite, a writer
that is killed, and one that comes second (J14)."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from factories import artifact, page

from grounding.artifact import Artifact
from grounding.store import StoreReader, StoreWriter, connection
from grounding.store.integrity import check_store
from grounding.store.writer import LedgerRow
from pagewitness.cli import cli
from verifier import PRESETS, parse_requests, report_bytes, verify

APART = multiprocessing.get_context("forkserver")
APART.set_forkserver_preload([__name__])  # what they import is imported once
EDITIONS, PAGES, READERS = 6, 5, 3


def words(edition: int, number: int) -> str:
    return f"Edition {edition} of the harbour rules has page {number}."


def document(edition: int) -> Artifact:
    """Every page says which edition it is of."""
    pages = [page(words(edition, n)) for n in range(1, PAGES + 1)]
    return artifact(*pages, data=f"edition {edition}".encode())


def put(path: Path, edition: int) -> None:
    with StoreWriter(path) as writer:
        writer.add_document(document(edition), "/in/rules.pdf", "rules.pdf", "rules")


def answer(path: Path) -> bytes:
    """The report on the first and the last page of all editions: those of one are grounded."""
    claims = [
        {"kind": "quote", "text": words(edition, number), "citation": {"page": number}}
        for edition in range(EDITIONS)
        for number in (1, PAGES)
    ]
    submission = parse_requests(json.dumps({"document": "rules", "claims": claims}))
    with StoreReader(path) as reader, reader.snapshot():
        return report_bytes(verify(submission, reader, PRESETS["default"]))


def digest(report: bytes) -> str:
    return sha256(report).hexdigest()


def _verify_on(path: Path, ended: Path, into: Path) -> None:
    """Asks until it is told that the writer has ended, and once more."""
    seen = []
    last = False
    while not last:
        last = ended.exists()
        seen.append(digest(answer(path)))
    into.write_text("\n".join(seen))


def _replace_on(path: Path) -> None:
    for edition in range(1, EDITIONS):
        put(path, edition)
        time.sleep(0.05)


def test_readers_that_verify_get_the_report_of_one_edition_byte_for_byte(tmp_path: Path) -> None:
    expected = []
    for edition in range(EDITIONS):
        alone = tmp_path / f"{edition}.db"
        put(alone, edition)
        report = json.loads(answer(alone))
        assert [c["status"] for c in report["checks"]].count("grounded") == 2
        expected.append(digest(answer(alone)))
    path, ended = tmp_path / "grounding.db", tmp_path / "ended"
    put(path, 0)
    outs = [tmp_path / f"seen-{n}" for n in range(READERS)]
    readers = [APART.Process(target=_verify_on, args=(path, ended, out)) for out in outs]
    for reader in readers:
        reader.start()
    writer = APART.Process(target=_replace_on, args=(path,))
    writer.start()
    writer.join(60)
    ended.touch()
    for reader in readers:
        reader.join(60)
    assert [p.exitcode for p in (writer, *readers)] == [0] * (1 + READERS)
    for out in outs:
        seen = [expected.index(one) for one in out.read_text().splitlines()]  # none is a mixture
        assert seen == sorted(seen)  # and none goes back
        assert seen[-1] == EDITIONS - 1
    assert check_store(path) == []


def _stop_before_the_commit(path: Path, ready: Path) -> None:
    """Everything is written, the row in the ledger last, and nothing is committed."""
    made = document(1)
    with StoreWriter(path) as writer, writer.together():
        writer.add_document(made, "/in/rules.pdf", "rules.pdf", "rules")
        row = LedgerRow("run", "2026-01-31", "/in/rules.pdf", "stored", 0.1,
                        made.source.sha256, made.document_fingerprint, "rules")  # fmt: skip
        writer.record([row])
        ready.touch()
        time.sleep(60)


@pytest.fixture
def held(tmp_path: Path) -> tuple[Path, int]:
    """A store with one edition, which a process is replacing, and that process."""
    path, ready = tmp_path / "grounding.db", tmp_path / "ready"
    put(path, 0)
    child = APART.Process(target=_stop_before_the_commit, args=(path, ready), daemon=True)
    child.start()
    deadline = time.monotonic() + 30
    while not ready.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert child.pid is not None
    return path, child.pid


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    for child in multiprocessing.active_children():
        if child.pid == pid:
            child.join(10)


def test_a_writer_killed_before_its_commit_leaves_every_report_as_it_was(
    held: tuple[Path, int],
) -> None:
    path, pid = held
    before = answer(path)
    _kill(pid)
    assert answer(path) == before
    assert check_store(path) == []
    with StoreReader(path) as reader:
        assert reader.rows("SELECT count(*) FROM ingestions") == [(0,)]
        assert len(reader.sources()) == 1
    put(path, 1)  # what was lost can be done again
    assert answer(path) != before
    assert check_store(path) == []


@pytest.mark.parametrize(
    "command",
    [
        ("source", "set", "rules", "--status", "draft"),
        ("forget", "rules", "--yes"),
        ("vacuum",),
    ],
)
def test_a_command_that_comes_second_waits_and_then_says_who_holds_the_store(
    held: tuple[Path, int], command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, pid = held
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.3)
    started = time.monotonic()
    done = CliRunner().invoke(cli, [*command, "--db", str(path)])
    waited = time.monotonic() - started
    _kill(pid)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error[store_busy]: ")
    assert f"process {pid} on " in done.stderr
    assert "waited 0.3 s" in done.stderr
    assert waited >= 0.3
    assert check_store(path) == []
    if command[0] == "source":  # and now nobody does
        assert CliRunner().invoke(cli, [*command, "--db", str(path)]).exit_code == 0


def test_a_reader_waits_for_nobody(held: tuple[Path, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time to wait at all it has its answer."""
    path, pid = held
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.0)
    for command in (("sources",), ("show", "rules"), ("search", "harbour")):
        assert CliRunner().invoke(cli, [*command, "--db", str(path)]).exit_code == 0
    assert json.loads(answer(path))["checks"][0]["status"] == "grounded"
    _kill(pid)
