"""The commands over the log of decisions, and what decisions leave in it."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gating import NAMES, Desk, answer, labels, library
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grounding.canonical import canonical_bytes
from grounding.errors import StoreDamagedError
from grounding.store import OPERATOR, StoreReader, StoreWriter, connection
from grounding.store import writer as store_writer
from grounding.store.audit_log import AuditRow, audit_rows
from grounding.store.audit_schema import GENESIS
from grounding.store.forget import forget
from grounding.store.integrity import check_store
from grounding.store.source_map import set_source
from pagewitness.cli import cli
from pagewitness.gate import audit_recorder, gate
from verifier.gate import POLICIES
from verifier.gate.event import event_of
from verifier.gate.stats import gate_stats, prometheus


def events(path: Path) -> list[AuditRow]:
    with StoreReader(path, OPERATOR) as reader:
        return list(audit_rows(reader))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three decisions: released, partial, review."""
    path = library(tmp_path_factory.mktemp("audit"))
    desk = Desk(path)
    record = audit_recorder(path, actor="a.reviewer", tenant="")
    desk.decide(record=record)
    desk.decide(lambda made: made["evidence"]["e1"].update(document="nowhere"), record=record)
    desk.decide(said={"claims": {}}, record=record)
    return path


ODD: list[Any] = [None, 5, -1, 0.5, True, "", "x", "\ud800", "0001-01-01T00:00:00+14:00", [], [5],
                  [None], [[]], {}, {"a": 1}, 10**25]  # fmt: skip
"""Values that are none of the kind that is due, wherever they stand."""


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in JSON data."""
    yield at
    keys = value if isinstance(value, dict) else range(len(value)) if type(value) is list else ()
    for key in keys:
        yield from places(value[key], (*at, key))


def put(value: Any, place: tuple[Any, ...], other: Any) -> Any:
    """The data with another value at one place."""
    if not place:
        return other
    value[place[0]] = put(value[place[0]], place[1:], other)
    return value


def rewritten(log: Path, copy: Path, change: Callable[[list[str]], object]) -> None:
    """A copy of a log with changed records, chained anew by somebody who knows how."""
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(log)) as source, closing(sqlite3.connect(copy)) as target, target:
        source.backup(target)
        target.execute("DROP TRIGGER audit_events_no_update")
        records = [r for (r,) in target.execute("SELECT record FROM audit_events ORDER BY seq")]
        change(records)
        before = GENESIS
        for seq, record in enumerate(records, 1):
            data = record.encode("utf-8", "surrogatepass")
            digest = hashlib.sha256(before.encode() + data).hexdigest()
            target.execute(
                "UPDATE audit_events SET prev_hash = ?, record = CAST(? AS TEXT), hash = ?"
                " WHERE seq = ?", (before, data, digest, seq),
            )  # fmt: skip
            before = digest


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.fixture
def here(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    return shelf  # type: ignore[return-value]


class TestCommands:
    def test_the_log_is_listed_shown_and_proven(self, here: Path) -> None:
        text = call("audit", "list", "--json", "--db", str(here)).stdout
        listed = [json.loads(line) for line in text.splitlines()]
        assert [one["event"]["action"] for one in listed] == ["release", "partial", "review"]
        shown = json.loads(call("audit", "show", "2", "--db", str(here)).stdout)
        assert shown["event"] == listed[1]["event"]
        assert call("audit", "show", "9", "--db", str(here)).exit_code == 2
        proven = call("audit", "verify", "--db", str(here))
        assert proven.exit_code == 0
        assert proven.stdout.startswith("whole: 3 event(s), head ")
        head = proven.stdout.split()[-1]
        assert call("audit", "verify", "--db", str(here), "--head", head).exit_code == 0
        assert call("audit", "verify", "--db", str(here), "--head", "0" * 63 + "1").exit_code == 1
        assert call("audit", "verify", "--db", str(here), "--count", "4").exit_code == 1

    def test_an_export_is_proven_without_the_store(self, here: Path) -> None:
        head = call("audit", "verify", "--db", str(here)).stdout.split()[-1]
        for form in ([], ["--private"]):
            made = call("audit", "export", "--db", str(here), "--out", "log.jsonl", *form)
            assert made.exit_code == 0
            noted = ("--head", head, "--count", "3")
            assert call("audit", "verify", "--file", "log.jsonl", *noted).exit_code == 0
            text = Path("log.jsonl").read_text()
            Path("log.jsonl").write_text(text.replace("partial", "release", 1))
            broken = call("audit", "verify", "--file", "log.jsonl", "--json")
            assert broken.exit_code == 1
            found = json.loads(broken.stdout)
            assert (found["whole"], found["broken"]["seq"]) == (False, 2)
            assert found["broken"]["code"] == "hash_mismatch"
        for bad in ("", "{}", "5", "{", '{"seq": "1", "prev_hash": 1, "record": 2, "hash": 3}'):
            Path("log.jsonl").write_text(bad)
            refused = call("audit", "verify", "--file", "log.jsonl")
            assert refused.exit_code == 2
            assert refused.stderr.startswith("error[invalid_audit_export]: ")

    def test_a_broken_log_is_told_with_its_place(self, here: Path) -> None:
        copy = Path("copy.db")
        with closing(sqlite3.connect(here)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("DROP TRIGGER audit_events_no_delete")
            target.execute("PRAGMA foreign_keys = OFF")
            target.execute("DELETE FROM audit_events WHERE seq = 2")
            target.commit()
        told = call("audit", "verify", "--db", str(copy))
        assert told.exit_code == 1
        assert told.stdout.startswith("broken at event 2: sequence_broken: ")
        assert (
            json.loads(call("audit", "verify", "--db", str(copy), "--json").stdout)["events"] == 1
        )

    @pytest.mark.parametrize(
        "arguments",
        [
            ("verify", "--head", "12"),
            ("verify", "--count", "-1"),
            ("verify", "--file", "absent.jsonl"),
            ("verify", "--db", "absent.db"),
            ("list", "--since", "soon"),
            ("list", "--limit", "0"),
            ("list", "--limit", str(10**30)),
            ("show", "0"),
            ("show", str(10**30)),
            ("show", "1", "--db", "absent.db"),
            ("export", "--db", "absent.db"),
        ],
    )
    def test_input_that_cannot_be_used_is_refused(
        self, here: Path, arguments: tuple[str, ...]
    ) -> None:
        refused = call("audit", *arguments)
        assert refused.exit_code == 2
        assert refused.stdout == ""
        assert refused.stderr.startswith("error[")

    def test_an_export_is_written_whole_or_not_at_all(self, here: Path) -> None:
        """An event that cannot be read ends it; what was exported before stays."""
        assert call("audit", "export", "--db", str(here), "--out", "log.jsonl").exit_code == 0
        before = Path("log.jsonl").read_bytes()
        assert call("audit", "export", "--db", str(here)).stdout_bytes == before
        rewritten(here, Path("copy.db"), lambda records: records.__setitem__(-1, "5"))
        for out in ([], ["--out", "log.jsonl"]):
            refused = call("audit", "export", "--db", "copy.db", *out)
            assert refused.exit_code == 2
            assert refused.stderr.startswith("error[store_damaged]: event 3 ")
            assert refused.stdout == ""
        assert Path("log.jsonl").read_bytes() == before

    @settings(
        max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(data=st.data())
    def test_a_log_that_was_written_anew_is_never_an_error_of_the_program(
        self, here: Path, data: st.DataObject
    ) -> None:
        """Whoever writes all of it anew makes a chain; what is then no event is told as that."""

        def change(records: list[str]) -> None:
            at = data.draw(st.integers(0, len(records) - 1))
            value = json.loads(records[at])
            place = data.draw(st.sampled_from(list(places(value))))
            if data.draw(st.booleans()):
                value["event"]["artifact_type"] = "pagewitness.audit_removal.v1"
            records[at] = json.dumps(put(value, place, data.draw(st.sampled_from(ODD))),
                                     ensure_ascii=data.draw(st.booleans()), sort_keys=True,
                                     separators=(",", ":"))  # fmt: skip

        rewritten(here, Path("copy.db"), change)
        for arguments in (
            ("verify",), ("verify", "--json"), ("list",), ("list", "--json"), ("show", "1"),
            ("show", "2"), ("show", "3", "--json"), ("export",), ("export", "--private"),
        ):  # fmt: skip
            self.told(call("audit", *arguments, "--db", "copy.db"))
        for form in ("text", "json", "prometheus"):
            self.told(call("stats", "--format", form, "--db", "copy.db"))

    @staticmethod
    def told(made: Result) -> None:
        said = made.stdout_bytes.decode("utf-8") + made.stderr_bytes.decode("utf-8")
        assert made.exit_code in (0, 1, 2)
        assert "internal_error" not in said

    def test_an_export_does_not_go_over_its_store(self, here: Path) -> None:
        before = here.read_bytes()
        refused = call("audit", "export", "--db", str(here), "--out", str(here))
        assert refused.exit_code == 2
        assert here.read_bytes() == before

    def test_the_list_is_narrowed(self, here: Path) -> None:
        def listed(*arguments: str) -> list[int]:
            lines = call("audit", "list", "--db", str(here), *arguments).stdout.splitlines()
            return [int(line.split()[0]) for line in lines]

        assert listed() == [1, 2, 3]
        assert listed("--limit", "2") == [2, 3]
        assert listed("--action", "partial") == [2]
        assert listed("--until", "2020-01-01") == []
        assert listed("--action", "none") == []
        assert listed("--since", "2020-01-01T00:00+05:00") == [1, 2, 3]

    def test_nothing_that_is_kept_has_a_word_of_the_answer(self, here: Path) -> None:
        """Of the answer, its claims, its evidence; the private form has no names either."""
        made = answer(Desk(here).pins)
        said = json.dumps([made["answer_text"], made["question"],
                           [claim["text"] for claim in made["claims"]],
                           [one.get("text", "") for one in made["evidence"].values()]])  # fmt: skip
        words = set(re.findall(r"[^\W\d_]{6,}|\d+,\d{3}", said))
        assert len(words) > 10
        whole = call("audit", "export", "--db", str(here)).stdout
        assert not [word for word in words if word in whole]
        secret = call("audit", "export", "--private", "--db", str(here)).stdout
        assert not [word for word in words if word in secret]
        for name in ("answer-1", "cargo", "growth", "sales-2024", "a.reviewer", "annual-report"):
            assert name not in secret
        assert len(secret.splitlines()) == 3

    def test_an_event_says_all_that_was_decided(self, here: Path) -> None:
        desk = Desk(here)
        decision = desk.decide(lambda made: made["evidence"]["e1"].update(document="nowhere"))
        assert events(here)[1].event == event_of(decision)
        event, private = event_of(decision), canonical_bytes(decision) + b"\n"
        assert event["decision_sha256"] == hashlib.sha256(private).hexdigest()
        assert event["hashes"] == decision["hashes"]
        assert event["policy"] == decision["policy"]
        assert event["verifier"] == decision["verifier"]
        assert event["decision_schema_version"] == decision["schema_version"]
        assert (event["action"], event["reasons"]) == (decision["action"], decision["reasons"])
        for said, claim in zip(event["claims"], decision["claims"], strict=True):
            assert said["decision"] == claim["decision"]
            assert said["reasons"] == [detail["code"] for detail in claim["reasons"]]
            assert [e.get("status") for e in said["evidence"]] == [
                e.get("status") for e in claim["evidence"]
            ]
        (held,) = [claim for claim in event["claims"] if claim["decision"] != "show_final"]
        assert {"document_not_found"} <= {e.get("reason") for e in held["evidence"]}
        names = events(here)[1].details()["names"]
        assert names["claims"] == [claim["id"] for claim in decision["claims"]]
        assert names["actor"] == "a.reviewer"

    def test_the_same_decision_is_the_same_event(self, here: Path) -> None:
        desk = Desk(here)
        assert event_of(desk.decide()) == event_of(desk.decide()) == events(here)[0].event

    def test_a_domain_that_is_no_code_is_not_kept(self, here: Path) -> None:
        def change(made: Any) -> None:
            made["claims"][0]["domain"] = "health"
            made["claims"][1]["domain"] = "Mrs Miller's illness"

        event = event_of(Desk(here).decide(change))
        assert [claim.get("domain") for claim in event["claims"]][:3] == ["health", "other", None]


class TestTexts:
    def test_a_policy_keeps_texts_and_forgetting_takes_them_out(self, tmp_path: Path) -> None:
        """Also of an answer over several documents; the others stay in the store."""
        path = library(tmp_path)
        made = answer(Desk(path).pins)
        rules = POLICIES["strict"].model_copy(update={"audit_text": True})
        for policy in (rules, "strict"):
            gate(json.dumps(made), db=path, policy=policy, labels=json.dumps(labels(made)),
                 as_of="2025-06-30", actor="ci")  # fmt: skip
        kept, bare = events(path)
        assert kept.text is not None
        assert bare.text is None
        said = kept.details()["text"]
        assert said["question"] == made["question"]
        assert said["claims"] == [claim["text"] for claim in made["claims"]]
        private = call("audit", "export", "--private", "--db", str(path)).stdout
        assert "harbour" not in private
        with StoreWriter(path) as writer:
            assert forget(writer, "annual-report").audit_texts_removed == 1
        proven = call("audit", "verify", "--db", str(path))
        assert proven.exit_code == 0
        assert "the texts of 1 event(s) were taken out" in proven.stdout
        assert check_store(path) == []
        assert call("audit", "export", "--private", "--db", str(path)).stdout.startswith(private)
        assert (
            json.loads(call("stats", "--db", str(path), "--format", "json").stdout)["events"] == 2
        )
        assert "removal" in call("audit", "list", "--db", str(path)).stdout

    @pytest.mark.parametrize("refused", [{"status": "withdrawn"}, {"permissions": ["board"]}])
    def test_a_text_about_a_source_that_might_not_be_used_is_taken_out(
        self, tmp_path: Path, refused: dict[str, Any]
    ) -> None:
        """The event has no fingerprint of it, and its claims may repeat it all the same."""
        path = library(tmp_path)
        made = answer(Desk(path).pins)
        with StoreWriter(path) as writer:
            set_source(writer, "annual-report", **refused)
        rules = POLICIES["strict"].model_copy(update={"audit_text": True})
        gate(json.dumps(made), db=path, policy=rules, labels=json.dumps(labels(made)),
             as_of="2025-06-30")  # fmt: skip
        (kept,) = events(path)
        assert kept.details()["text"]["documents"] == sorted(NAMES)
        with StoreReader(path, OPERATOR) as reader:
            assert reader.open("annual-report").identity.document_fingerprint not in kept.record
        with StoreWriter(path) as writer:
            assert forget(writer, "annual-report").audit_texts_removed == 1
        assert events(path)[0].text is None
        assert check_store(path) == []

    def test_events_outlive_what_is_forgotten(self, tmp_path: Path) -> None:
        path = library(tmp_path)
        Desk(path).decide(record=audit_recorder(path))
        before = events(path)
        with StoreWriter(path) as writer:
            forget(writer, "annual-report")
        assert events(path) == before
        assert check_store(path) == []


SAMPLE = re.compile(r'^(\w+)\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (\d+)$')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
Series = tuple[str, frozenset[tuple[str, str]]]
UNESCAPED = {"\\\\": "\\", "\\n": "\n", '\\"': '"'}


def unescaped(value: str) -> str:
    return re.sub(r"\\.", lambda found: UNESCAPED[found.group()], value)


def parsed(text: str) -> dict[Series, int]:
    """Prometheus's text format, read as its page describes it: every sample once, under a counter
    that HELP and TYPE announce."""
    found: dict[Series, int] = {}
    announced = ""
    assert text.endswith("\n")
    lines = iter(text[:-1].split("\n"))
    for line in lines:
        if line.startswith("# HELP "):
            announced = line.split(" ")[2]
            assert next(lines) == f"# TYPE {announced} counter"
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample is not None, line
        name, given, number = sample.groups()
        assert name == announced
        labels = {label: unescaped(value) for label, value in LABEL.findall(given)}
        key = (name, frozenset(labels.items()))
        assert key not in found
        found[key] = int(number)
    return found


def audited(action: str, *claims: tuple[str, str | None, str, list[str]], name: str = "p") -> Any:
    return {
        "artifact_type": "pagewitness.audit_event.v1",
        "action": action,
        "policy": {"name": name, "version": "1"},
        "hashes": {"policy": "0" * 64},
        "reasons": ["certified"],
        "faults": [],
        "claims": [
            {"type": kind, "decision": decision, "reasons": reasons, "evidence": [{}],
             **({} if domain is None else {"domain": domain})}
            for kind, domain, decision, reasons in claims
        ],
    }  # fmt: skip


class TestStats:
    def test_counts_are_those_of_the_events(self, here: Path) -> None:
        stats = json.loads(call("stats", "--format", "json", "--db", str(here)).stdout)
        kept = [row.event for row in events(here)]
        claims = [claim for event in kept for claim in event["claims"]]
        totals = {metric["name"]: metric["total"] for metric in stats["metrics"]}
        assert stats["events"] == totals["pagewitness_decisions_total"] == len(kept) == 3
        assert (stats["first"], stats["last"]) == (1, 3)
        assert totals["pagewitness_claims_total"] == len(claims) == 15
        assert totals["pagewitness_claim_reasons_total"] == sum(len(c["reasons"]) for c in claims)
        assert totals["pagewitness_evidence_total"] == sum(len(c["evidence"]) for c in claims)
        assert totals["pagewitness_decision_reasons_total"] == sum(len(e["reasons"]) for e in kept)
        for metric in stats["metrics"]:
            assert metric["total"] == sum(one["count"] for one in metric["series"])
        text = call("stats", "--format", "prometheus", "--db", str(here)).stdout
        assert parsed(text) == {
            (metric["name"], frozenset(one["labels"].items())): one["count"]
            for metric in stats["metrics"]
            for one in metric["series"]
        }
        assert call("stats", "--db", str(here)).stdout.startswith("3 decision(s)\n")

    def test_a_period_is_cut_out(self, here: Path) -> None:
        def counted(*arguments: str) -> int:
            made = call("stats", "--db", str(here), "--format", "json", *arguments)
            return int(json.loads(made.stdout)["events"])

        times = [row.at().isoformat() for row in events(here)]
        assert counted("--until", "2020-01-01") == 0
        assert counted("--since", "2020-01-01") == 3
        assert counted("--since", times[0], "--until", times[2]) == len(
            [at for at in times if times[0] <= at < times[2]]
        )

    def test_the_same_log_gives_the_same_bytes(self, here: Path) -> None:
        for form in ("json", "prometheus", "text"):
            arguments = ("stats", "--db", str(here), "--format", form)
            assert call(*arguments).stdout_bytes == call(*arguments).stdout_bytes

    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["source_fact", "synthesis"]),
                st.none() | st.text(),
                st.sampled_from(["show_final", "block"]),
                st.lists(st.text(), max_size=3),
            ),
            max_size=6,
        ),
        st.text(),
    )
    def test_any_label_comes_back_from_the_text_format(
        self, claims: list[tuple[str, str | None, str, list[str]]], name: str
    ) -> None:
        found = parsed(prometheus(gate_stats([(1, audited("partial", *claims, name=name))])))
        expected: Counter[Any] = Counter(
            ("pagewitness_claims_total", frozenset(
                {("type", kind), ("domain", domain or ""), ("decision", decision)}))
            for kind, domain, decision, _ in claims
        )  # fmt: skip
        expected.update(
            ("pagewitness_claim_reasons_total", frozenset({("reason", reason)}))
            for *_, reasons in claims for reason in reasons
        )  # fmt: skip
        wanted = ("pagewitness_claims_total", "pagewitness_claim_reasons_total")
        assert {key: n for key, n in found.items() if key[0] in wanted} == dict(expected)
        policy = frozenset({("name", name), ("sha256", "0" * 64)})
        assert found["pagewitness_policies_total", policy] == 1

    def test_a_broken_chain_is_not_counted(self, here: Path) -> None:
        copy = Path("copy.db")
        with closing(sqlite3.connect(here)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("DROP TRIGGER audit_events_no_update")
            target.execute(
                "UPDATE audit_events SET record = replace(record, '\"partial\"', '\"release\"')"
            )
            target.commit()
        for arguments in ([], ["--format", "prometheus"], ["--until", "2020-01-01"]):
            refused = call("stats", "--db", str(copy), *arguments)
            assert refused.exit_code == 2
            assert refused.stdout == ""
            assert "store_damaged" in refused.stderr
            assert "at its event 2; nothing was counted" in refused.stderr

    def test_a_log_that_was_changed_is_told_and_not_counted(self, here: Path) -> None:
        with pytest.raises(StoreDamagedError, match="event 7"):
            gate_stats([(7, {"artifact_type": "pagewitness.audit_event.v1"})])


class TestGateCommand:
    @pytest.fixture
    def files(self, here: Path) -> Path:
        made = answer(Desk(here).pins)
        Path("answer.json").write_text(json.dumps(made))
        Path("labels.json").write_text(json.dumps(labels(made)))
        Path("bad.json").write_text("{}")
        return here

    def test_it_decides_and_records(self, files: Path) -> None:
        arguments = ("gate", "answer.json", "--labels", "labels.json", "--db", str(files),
                     "--as-of", "2025-06-30", "--audit-db", "audit.db")  # fmt: skip
        made = call(*arguments)
        assert made.exit_code == 0, made.output
        decision = json.loads(made.stdout)
        assert decision["action"] == "release"
        assert call(*arguments).stdout == made.stdout
        (one, two) = events(Path("audit.db"))
        assert one.event == two.event == event_of(decision)
        assert {"at", "timings_ms"} <= one.value()["envelope"].keys()
        assert one.details()["names"]["answer_id"] == decision["answer_id"]
        assert one.text is None
        text = call(*arguments, "--format", "text").stdout
        assert text.startswith("RELEASE: ")
        page = call(*arguments, "--format", "html").stdout
        assert page.startswith("<!DOCTYPE html>")
        assert "script" not in page.lower().replace("description", "")
        ethos = json.loads(call(*arguments, "--format", "ethos").stdout)
        assert ethos["app_status"] == "certified"
        assert len(ethos["final_answer_claim_ids"]) == 5

    def test_without_labels_it_is_for_a_person(self, files: Path) -> None:
        made = call("gate", "answer.json", "--db", str(files), "--audit-db", "audit.db")
        assert made.exit_code == 1
        assert json.loads(made.stdout)["action"] == "review"
        ethos = call("gate", "answer.json", "--db", str(files), "--audit-db", "audit.db",
                     "--policy", "strict", "--format", "ethos")  # fmt: skip
        assert json.loads(ethos.stdout)["final_answer_claim_ids"] == []

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (("bad.json",), "invalid_answer"),
            (("absent.json",), "invalid_request"),
            (("answer.json", "--labels", "bad.json"), "invalid_labels"),
            (("answer.json", "--policy", "bad.json"), "invalid_policy"),
            (("answer.json", "--policy", "lenient"), "invalid_policy"),
            (("answer.json", "--as-of", "soon"), "usage"),
        ],
    )
    def test_input_that_cannot_be_used_decides_nothing(
        self, files: Path, arguments: tuple[str, ...], code: str
    ) -> None:
        made = call("gate", *arguments, "--db", str(files), "--audit-db", "audit.db", "--out", "d")
        assert made.exit_code == 2
        assert made.stderr.startswith(f"error[{code}]: ")
        assert not Path("d").exists()
        assert not Path("audit.db").exists()

    def test_a_log_that_cannot_be_written_releases_nothing(self, files: Path) -> None:
        Path("folder").mkdir()
        made = call("gate", "answer.json", "--labels", "labels.json", "--db", str(files),
                    "--audit-db", "folder")  # fmt: skip
        assert made.exit_code == 1
        assert json.loads(made.stdout)["faults"][0]["fault"] == "audit_unavailable"

    def test_a_log_that_another_process_holds_releases_nothing(
        self, files: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.05)
        arguments = ("gate", "answer.json", "--labels", "labels.json", "--db", str(files),
                     "--as-of", "2025-06-30", "--audit-db", "audit.db")  # fmt: skip
        with StoreWriter(Path("audit.db")) as other, other.together():
            held = call(*arguments)
            assert held.exit_code == 1
            decision = json.loads(held.stdout)
            assert decision["action"] == "abstain"
            assert [fault["fault"] for fault in decision["faults"]] == ["audit_unavailable"]
            assert decision["released"]["kind"] == "notice"
        assert events(Path("audit.db")) == []
        assert call(*arguments).exit_code == 0
        assert len(events(Path("audit.db"))) == 1

    def test_a_full_disk_releases_nothing(
        self, files: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Room for the store, and none for another event."""
        with StoreWriter(Path("audit.db")) as writer:
            (pages,) = writer.connection.execute("PRAGMA page_count").fetchone()
        opened = connection.connect_writer

        def without_room(path: Path) -> Any:
            database = opened(path)
            database.conn.execute(f"PRAGMA max_page_count = {pages}")
            return database

        monkeypatch.setattr(store_writer, "connect_writer", without_room)
        answer_, labels_ = (Path(f"{name}.json").read_bytes() for name in ("answer", "labels"))
        actions = []
        for _ in range(40):
            decision = gate(answer_, db=files, labels=labels_, as_of="2025-06-30",
                            audit_db="audit.db")  # fmt: skip
            actions.append(decision["action"])
            if decision["action"] != "release":
                assert [fault["fault"] for fault in decision["faults"]] == ["audit_unavailable"]
                assert decision["released"]["kind"] == "notice"
        assert set(actions) == {"release", "abstain"}
        assert len(events(Path("audit.db"))) == actions.count("release")
        assert check_store(Path("audit.db")) == []

    def test_a_store_that_is_not_there_is_a_fault_and_is_not_made(self, files: Path) -> None:
        made = call("gate", "answer.json", "--db", "absent.db", "--audit-db", "audit.db")
        assert made.exit_code == 1
        assert json.loads(made.stdout)["faults"][0]["fault"] == "store_unavailable"
        assert not Path("absent.db").exists()

    def test_it_is_a_function(self, files: Path) -> None:
        made = gate(
            Path("answer.json").read_bytes(), db=files, labels=Path("labels.json").read_bytes(),
            as_of="2025-06-30", audit_db="audit.db", actor="ci",
        )  # fmt: skip
        assert made["action"] == "release"
        assert events(Path("audit.db"))[0].details()["names"]["actor"] == "ci"
