"""The command line over foreign files: what it takes, what it answers, how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drawn import plain
from foreign_files import ADAPTER_OF, EXAMPLES, SENTENCE, example

from ingest import pipeline
from ingest.executors import SerialExecutor
from pagewitness.cli import cli

ROOT = Path(__file__).resolve().parents[1]
CLAIM = {"kind": "quote", "text": SENTENCE, "citation": {"page": 1}}
WRONG = {**CLAIM, "text": SENTENCE.replace("5,500", "5,600")}


@pytest.fixture(autouse=True)
def _in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads in this process: starting workers takes time and is tested elsewhere."""
    monkeypatch.setattr(
        pipeline, "ProcessExecutor", lambda jobs, rules, timeout: SerialExecutor(rules)
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with requests: right.json, wrong.json and ethos.json, citations of Ethos."""
    monkeypatch.chdir(tmp_path)
    Path("right.json").write_text(json.dumps({"claims": [CLAIM]}))
    Path("wrong.json").write_text(json.dumps({"claims": [CLAIM, WRONG]}))
    pin = example("ethos-document.json")["fingerprint"]
    cited = {"kind": "quote", "text": SENTENCE, "citation": {"element_id": "e000002"}}
    Path("ethos.json").write_text(json.dumps({"document_fingerprint": pin, "claims": [cited]}))
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def foreign(name: str) -> tuple[str, ...]:
    return "--grounding", str(EXAMPLES / name), "--adapter", ADAPTER_OF[name]


PAGED = sorted(
    name for name in ADAPTER_OF if name not in ("plain-text.txt",) and "without" not in name
)


class TestVerify:
    @pytest.mark.parametrize("name", PAGED)
    def test_claims_are_checked_against_a_foreign_file(self, here: Path, name: str) -> None:
        """No store is needed, and none is made."""
        assert call("verify", "right.json", *foreign(name)).exit_code == 0
        wrong = call("verify", "wrong.json", *foreign(name))
        assert wrong.exit_code == 1
        statuses = [check["status"] for check in json.loads(wrong.stdout)["checks"]]
        assert statuses == ["grounded", "mismatch"]
        assert not Path("grounding.db").exists()

    @pytest.mark.parametrize("form", ["json", "summary", "html", "ethos"])
    def test_every_form_is_written(self, here: Path, form: str) -> None:
        result = call("verify", "wrong.json", *foreign("ethos-document.json"), "--format", form)
        assert result.exit_code == 1
        assert "5,600" in result.stdout

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (("--adapter", "plain-text"), "usage"),
            (("--grounding", "right.json"), "usage"),
            (("--grounding", "right.json", "--adapter", "pdf"), "usage"),
            (("--grounding", "right.json", "--adapter", "docling-json"), "invalid_artifact"),
            (("--grounding", "absent.json", "--adapter", "plain-text"), "invalid_request"),
            (("--pdf", "x.pdf"), "usage"),
            ((*foreign("plain-text.txt"), "--pdf", "x.pdf", "--config", "ethos-v1"), "usage"),
            ((*foreign("plain-text.txt"), "--pdf", "right.json"), "usage"),
        ],
    )
    def test_what_cannot_be_used_exits_2_and_writes_nothing(
        self, here: Path, arguments: tuple[str, ...], code: str
    ) -> None:
        result = call("verify", "right.json", *arguments, "--out", "report.json")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"error[{code}]: ")
        assert result.stderr.count("\n") == 1
        assert not Path("report.json").exists()

    def test_the_pdf_beside_it_is_compared(self, here: Path) -> None:
        Path("depot.pdf").write_bytes(plain(["Tonnes moved", "Another text."]))
        result = call("verify", "right.json", *foreign("ethos-document.json"), "--pdf", "depot.pdf")
        made = json.loads(result.stdout)
        assert made["cross_check"]["disagreements_by_kind"]["source_bytes"] == 1
        assert "parsers_disagree" in made["checks"][0]["warnings"]
        assert result.exit_code == 0

    def test_a_request_may_name_the_document_that_the_file_knows(self, here: Path) -> None:
        for name, status in (("depot-report.pdf", 0), ("other.pdf", 1)):
            Path("named.json").write_text(json.dumps({"document": name, "claims": [CLAIM]}))
            assert call("verify", "named.json", *foreign("docling-json.json")).exit_code == status

    def test_the_report_does_not_depend_on_where_it_was_made(self, here: Path) -> None:
        """Another folder, another hash seed: the same bytes."""
        outputs = set()
        for at, seed in enumerate(("0", "1", "random")):
            folder = here / f"run{at}"
            folder.mkdir()
            environment = {
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
            }
            arguments = (sys.executable, "-m", "pagewitness", "verify", str(here / "wrong.json"))
            made = subprocess.run(
                [*arguments, *foreign("docling-json.json")],
                cwd=folder, env=environment, capture_output=True, check=False,
            )  # fmt: skip
            assert made.returncode == 1
            outputs.add(made.stdout)
        assert len(outputs) == 1


class TestEthos:
    def test_its_citations_get_its_report(self, here: Path) -> None:
        arguments = (*foreign("ethos-document.json"), "--config", "ethos-v1")
        result = call("verify", "ethos.json", *arguments, "--format", "ethos")
        assert result.exit_code == 0
        made = json.loads(result.stdout)
        assert set(made) >= {"grounding", "checks", "verification_config_sha256"}
        assert "artifact_type" not in made
        summary = call("verify", "ethos.json", *arguments, "--format", "summary")
        assert "proof_status: verified" in summary.stdout
        own = json.loads(call("verify", "ethos.json", *arguments).stdout)
        assert own["artifact_type"] == "pagewitness.verification_report.v1"
        assert own["checks"][0]["status"] == "grounded"

    @pytest.mark.parametrize(
        ("claim", "place"),
        [
            ({"kind": "value", "value": "5,500", "citation": {"page": "p0001"}}, "value"),
            ({"id": "c1", **CLAIM, "citation": {"page": "p0001"}}, "id"),
            (CLAIM, "citation.page"),
        ],
    )
    def test_keys_of_ours_are_none_of_its_citations(
        self, here: Path, claim: dict[str, Any], place: str
    ) -> None:
        """A request of ours is told by its document, and put into Ethos's words."""
        for named in (False, True):
            name = {"document": "depot-report.pdf"} if named else {}
            Path("one.json").write_text(json.dumps({**name, "claims": [claim]}))
            answer = call("verify", "one.json", *foreign("ethos-document.json"), "--config",
                          "ethos-v1", "--format", "ethos")  # fmt: skip
            assert answer.exit_code == (1 if named else 2), answer.output
            assert named or f"claim v0001: {place}" in answer.stderr

    def test_one_page_of_a_reference_has_one_name(self, here: Path) -> None:
        one = {
            "evidence_id": "a", "evidence_kind": "page", "required_anchor_level": "page",
            "locator": {"page_index": 1, "page_id": "p0002"},
        }  # fmt: skip
        body = {
            "artifact_type": "ethos.evidence_anchor_request.v1",
            "schema_version": "1.0.0",
            "source_fingerprint": example("ethos-document.json")["source"]["fingerprint"],
            "evidence_refs": [one],
        }
        Path("anchors.json").write_text(json.dumps(body))
        answer = call("anchor", "anchors.json", *foreign("ethos-document.json"))
        assert answer.exit_code == 2
        assert "evidence_refs.0.locator: has both page_index and page_id" in answer.stderr

    def test_its_configuration_files_mean_its_rules(self, here: Path) -> None:
        config = json.loads(
            (ROOT / "schemas/examples/files/ethos_verification_config.json").read_text()
        )
        config["matching"]["case_sensitive"] = False
        Path("rules.json").write_text(json.dumps(config))
        value = json.loads(Path("ethos.json").read_text())
        value["claims"][0]["text"] = SENTENCE.upper()
        Path("upper.json").write_text(json.dumps(value))
        arguments = (*foreign("ethos-document.json"), "--config")
        assert call("verify", "upper.json", *arguments, "ethos-v1").exit_code == 1
        assert call("verify", "upper.json", *arguments, "rules.json").exit_code == 0
        config["matching"]["fuzzy"] = True
        Path("rules.json").write_text(json.dumps(config))
        result = call("verify", "upper.json", *arguments, "rules.json")
        assert result.stderr.startswith("error[invalid_config]: ")

    def test_a_stored_document_is_answered_too(self, here: Path) -> None:
        """Under its own fingerprint, with its own ids; requests of this project are taken."""
        Path("works.pdf").write_bytes(plain(["The works began at dawn."]))
        assert call("ingest", "works.pdf").exit_code == 0
        pin = json.loads(call("sources", "--json").stdout)["document_fingerprint"]
        request: dict[str, Any] = {
            "document": "works.pdf",
            "document_fingerprint": pin,
            "claims": [
                {"id": "a", "kind": "quote", "text": "works began",
                 "citation": {"element_id": "e000001", "page": 1}},
                {"id": "b", "kind": "presence", "citation": {"page": 1}},
            ],
        }  # fmt: skip
        Path("works.json").write_text(json.dumps(request))
        result = call("verify", "works.json", "--config", "ethos-v1", "--format", "ethos")
        made = json.loads(result.stdout)
        assert [check["status"] for check in made["checks"]] == ["grounded", "grounded"]
        assert made["document_fingerprint"] == pin
        assert "adapter" not in made["grounding"]["parser"]

    def test_own_rules_in_its_form(self, here: Path) -> None:
        result = call("verify", "wrong.json", *foreign("ethos-document.json"), "--format", "ethos")
        made = json.loads(result.stdout)
        assert [check.get("reason") for check in made["checks"]] == [None, "text_mismatch"]
        page = {"kind": "quote", "text": SENTENCE, "citation": {"page": 1, "page_end": 2}}
        Path("row.json").write_text(json.dumps({"claims": [page]}))
        refused = call("verify", "row.json", *foreign("ethos-document.json"), "--format", "ethos")
        assert refused.exit_code == 2
        assert "page_end" in refused.stderr

    def test_anchors_and_decisions_have_its_forms(self, here: Path) -> None:
        files = ROOT / "schemas" / "examples" / "files"
        request = str(files / "ethos_evidence_anchor_request.json")
        arguments = foreign("ethos-document.json")
        theirs = call("anchor", request, *arguments, "--format", "ethos")
        assert theirs.exit_code == 0
        assert json.loads(theirs.stdout)["artifact_type"] == "ethos.evidence_anchor_report.v1"
        ours = call("anchor", request, *arguments)
        assert json.loads(ours.stdout)["all_bound"] is True
        report = str(files / "ethos_verification_report.json")
        claims = str(files / "ethos_release_claims.json")
        decision = call("gate", claims, "--report", report, "--format", "ethos")
        assert decision.exit_code == 1
        assert json.loads(decision.stdout)["app_status"] == "partial_certified"


class TestRoundTrip:
    def test_an_exported_document_is_taken_back(self, here: Path) -> None:
        Path("works.pdf").write_bytes(plain(["The works began at dawn."]))
        call("ingest", "works.pdf")
        made = call("export", "works.pdf", "--format", "ethos-grounding", "--out", "works.g.json")
        assert made.exit_code == 0
        claim = {"kind": "quote", "text": "The works began at dawn.", "citation": {"page": 1}}
        Path("works.json").write_text(json.dumps({"claims": [claim]}))
        arguments = ("--grounding", "works.g.json", "--adapter", "ethos-grounding")
        assert call("verify", "works.json", *arguments).exit_code == 0

    def test_a_report_is_anchored_every_night(self, here: Path) -> None:
        """Its grounded checks bind until the document changes."""
        Path("works.pdf").write_bytes(plain(["The works began at dawn.", "They ended."]))
        call("ingest", "works.pdf")
        claim = {"kind": "quote", "text": "The works began at dawn.", "citation": {"page": 1}}
        Path("works.json").write_text(json.dumps({"document": "works.pdf", "claims": [claim]}))
        assert call("verify", "works.json", "--out", "report.json").exit_code == 0
        assert call("anchor", "report.json").exit_code == 0
        Path("works.pdf").write_bytes(plain(["The works began at dusk.", "They ended."]))
        call("ingest", "works.pdf")
        later = call("anchor", "report.json")
        assert later.exit_code == 1
        (anchor,) = json.loads(later.stdout)["anchors"]
        assert anchor["anchor_status"] == "stale_fingerprint"
