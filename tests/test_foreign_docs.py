"""What the pages on adapters and on Ethos say is run as it stands there."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from foreign_files import read_example, source
from reading import report, verdict

from grounding.adapters import ForeignSource, adapter_names, read_artifact, registry
from grounding.errors import ArtifactInvalidError, RequestInvalidError
from verifier import PRESETS
from verifier.anchors import anchor, parse_anchors
from verifier.ethos import DEFAULT, citations_of, parse_anchor_request, verify_ethos
from verifier.ethos import anchor as ethos_anchor
from verifier.single import SingleDocument

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLE = "ethos-document.json"
ROW = re.compile(r"^\| (.+?) \| `(\{.*\})` \| (document|source|none) \| (.+?) \| (.+?) \|$", re.M)
ROWS = [match.groups() for match in ROW.finditer((DOCS / "ethos.md").read_text(encoding="utf-8"))]


def _pin(kind: str) -> str | None:
    document = read_example(EXAMPLE)
    return {"document": document.fingerprint, "source": document.source_fingerprint}.get(kind)


def test_the_page_lists_differences() -> None:
    assert len(ROWS) >= 18


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:40] for row in ROWS])
def test_a_difference_from_ethos_is_as_the_page_says(row: tuple[str, ...]) -> None:
    _, text, kind, ethos, own = row
    claim, pin = json.loads(text), _pin(kind)
    assert _by_ethos(claim, pin) == ethos
    request = {} if pin is None else {"document_fingerprint": pin}
    check = report(source(EXAMPLE), [claim], **request)["checks"][0]
    assert " ".join(filter(None, verdict(check))) == own
    assert ethos != own


def _by_ethos(claim: dict[str, Any], pin: str | None) -> str:
    value = {"claims": [claim]} if pin is None else {"document_fingerprint": pin, "claims": [claim]}
    try:
        citations = citations_of(value, DEFAULT)
    except RequestInvalidError:
        return "refused"
    (check,) = verify_ethos(read_example(EXAMPLE), citations, DEFAULT)["checks"]
    return " ".join(filter(None, (check["status"], check.get("reason"))))


def test_a_box_may_be_changed_under_a_native_fingerprint() -> None:
    def change(value: Any) -> None:
        value["payload"]["elements"][1]["bbox"] = [0, 0, 61200, 79200]

    assert read_example(EXAMPLE, change).fingerprint == read_example(EXAMPLE).fingerprint


def test_text_and_box_of_an_anchor_belong_together_here_alone() -> None:
    request = json.dumps(
        {
            "artifact_type": "ethos.evidence_anchor_request.v1",
            "schema_version": "1.0.0",
            "evidence_refs": [
                {
                    "evidence_id": "e",
                    "evidence_kind": "text_region",
                    "required_anchor_level": "text_bbox",
                    "locator": {
                        "page_index": 1,
                        "bbox": [7200, 7200, 18000, 9200],
                        "coordinate_profile": "ethos_quantized_top_left_v1",
                    },
                    "expected_text": "The depot at Alder Quay",
                }
            ],
        }
    )
    theirs = ethos_anchor(read_example(EXAMPLE), parse_anchor_request(request))
    assert theirs["anchors"][0]["anchor_status"] == "bound"
    submission = parse_anchors(request, named=False)
    ours: Any = anchor(submission, SingleDocument(source(EXAMPLE)), PRESETS["default"])
    assert ours["anchors"][0]["anchor_status"] == "mismatch"


def test_every_adapter_is_on_the_page() -> None:
    text = (DOCS / "adapters.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in text for name in adapter_names())


class TestTheAdapterOfThePage:
    @pytest.fixture(autouse=True)
    def _installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The code of the page as an installed package has it."""
        text = (DOCS / "adapters.md").read_text(encoding="utf-8")
        code = text.split("```python\n")[1].split("```")[0]
        assert code.count("\n") < 60
        (tmp_path / "boxed_lines.py").write_text(code, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "boxed_lines", raising=False)
        entry = re.search(r'^(\S+) = "(\S+)"$', text.split("```toml\n")[1], re.M)
        assert entry is not None
        added = importlib.metadata.EntryPoint(entry[1], entry[2], registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda group: [added])

    def test_it_reads_its_files(self) -> None:
        data = b"1;72;700;300;714;The works began at dawn.\n2;72;700;300;714;They ended at dusk."
        made = ForeignSource(read_artifact("boxed-lines", data))
        box = [7200, 84189 - 71400, 30000, 84189 - 70000]
        claims = [
            {"kind": "quote", "text": "The works began at dawn.", "citation": {"page": 1}},
            {"kind": "region", "text": "began at dawn", "citation": {"page": 1, "bbox": box}},
            {"kind": "quote", "text": "The works began at dusk.", "citation": {"page": 1}},
        ]
        statuses = [check["status"] for check in report(made, claims)["checks"]]
        assert statuses == ["grounded", "grounded", "mismatch"]

    @pytest.mark.parametrize("line", ["1;72;700;300", "1;a;1;2;3;x", "0;1;1;2;2;x", "1;9;9;1;1;x"])
    def test_it_refuses_what_is_malformed(self, line: str) -> None:
        with pytest.raises(ArtifactInvalidError, match="boxed-lines adapter: line 1"):
            read_artifact("boxed-lines", line.encode())
