"""Chunks as documents of frameworks, and the way back to a request that verifies.

The frameworks are stood in for by classes with the same fields; where one is installed, it is
asked itself as well.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reading import Shelf

from grounding.chunks import chunks
from grounding.cutting import ChunkRules
from grounding.errors import ConversionInvalidError, UsageError
from pagewitness.loaders import haystack, langchain, llamaindex
from verifier import PRESETS, parse_requests, verify
from verifier.convert import convert

SAMPLE = Path(__file__).resolve().parents[1] / "sample_docs" / "service-agreement.pdf"
LOADERS = {
    "langchain": (langchain.documents, "langchain_core.documents", "Document", "langchain-core"),
    "llamaindex": (llamaindex.nodes, "llama_index.core.schema", "TextNode", "llama-index-core"),
    "haystack": (haystack.documents, "haystack", "Document", "haystack-ai"),
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with Shelf(tmp_path_factory.mktemp("loaders")) as made:
        made.put(SAMPLE.read_bytes(), SAMPLE.name)
        yield made


@pytest.fixture
def stand_in(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Puts a class that keeps what it is given in the place of a framework's; its name."""
    name = str(request.param)
    _, path, kind, _ = LOADERS[name]
    parts = path.split(".")
    for end in range(1, len(parts) + 1):
        module = types.ModuleType(".".join(parts[:end]))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    setattr(sys.modules[path], kind, types.SimpleNamespace)
    return name


def loaded(name: str, shelf: Shelf, **options: Any) -> list[dict[str, Any]]:
    """What a loader gave its framework, as JSON data."""
    made = list(LOADERS[name][0]("service-agreement", db=shelf.path, **options))
    value: list[dict[str, Any]] = json.loads(json.dumps([vars(item) for item in made]))
    return value


every_loader = pytest.mark.parametrize("stand_in", LOADERS, indirect=True)


@every_loader
def test_the_citations_come_back_and_are_grounded(stand_in: str, shelf: Shelf) -> None:
    """From the store to the framework, from its documents to a request, to a report."""
    data = loaded(stand_in, shelf)
    conversion = convert(json.dumps(data).encode(), stand_in)
    assert conversion.complete
    (request,) = conversion.requests
    source = shelf.reader.open("service-agreement")
    assert request["document"] == "service-agreement"
    assert request["document_fingerprint"] == source.identity.document_fingerprint
    wanted = list(chunks(source))
    assert [claim["citation"] for claim in request["claims"]] == [c["citation"] for c in wanted]
    assert [claim["text"] for claim in request["claims"]] == [c["text"] for c in wanted]
    report: Any = verify(
        parse_requests(conversion.request_bytes()), shelf.reader, PRESETS["default"]
    )
    assert report["reports"][0]["all_evidence_grounded"] is True


@every_loader
def test_a_changed_text_is_not_grounded(stand_in: str, shelf: Shelf) -> None:
    text = json.dumps(loaded(stand_in, shelf)).replace("EUR 4,180.00", "EUR 4,810.00")
    request = convert(text.encode(), stand_in).request_bytes()
    report: Any = verify(parse_requests(request), shelf.reader, PRESETS["default"])
    checks = report["reports"][0]["checks"]
    assert sorted({check["status"] for check in checks}) == ["grounded", "mismatch"]


@every_loader
def test_metadata_is_flat_and_ids_are_a_versions_own(stand_in: str, shelf: Shelf) -> None:
    """Many vector stores keep nothing else."""
    data = loaded(stand_in, shelf, rules=ChunkRules(50))
    assert len(data) > len(loaded(stand_in, shelf))
    ids = [item.get("id") or item["id_"] for item in data]
    assert len(set(ids)) == len(ids)
    assert all(id_.startswith("sha256:") for id_ in ids)
    for item in data:
        values = (item.get("metadata") or item["meta"]).values()
        assert all(isinstance(value, str | int) for value in values)


@every_loader
@pytest.mark.parametrize("said", ["{", "5", "{}", '{"document": "d"}'])
def test_a_citation_of_another_shape_is_refused(stand_in: str, shelf: Shelf, said: str) -> None:
    data = loaded(stand_in, shelf)[:1]
    (data[0].get("metadata") or data[0]["meta"])["pagewitness"] = said
    with pytest.raises(ConversionInvalidError):
        convert(json.dumps(data).encode(), stand_in)


@pytest.mark.filterwarnings("default")  # of the frameworks, which are not ours
@pytest.mark.parametrize(
    ("name", "as_data"),
    [("langchain", "model_dump"), ("llamaindex", "to_dict"), ("haystack", "to_dict")],
)
def test_the_framework_itself_gives_them_back(name: str, as_data: str, shelf: Shelf) -> None:
    load, path, _, package = LOADERS[name]
    pytest.importorskip(path, reason=f"{package} is not installed")
    data = [getattr(item, as_data)() for item in load("service-agreement", db=shelf.path)]
    request = convert(json.dumps(data).encode(), name).request_bytes()
    report: Any = verify(parse_requests(request), shelf.reader, PRESETS["default"])
    assert report["all_evidence_grounded"] is True


@pytest.mark.parametrize("name", LOADERS)
def test_a_missing_framework_is_named_with_its_extra(
    name: str, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, path, _, package = LOADERS[name]
    for module in (path.split(".")[0], path):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=f"{package} is not installed") as raised:
        list(load("service-agreement", db=shelf.path))
    assert f"pagewitness[{name}]" in raised.value.what_to_do


def test_every_loader_has_an_extra() -> None:
    text = (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    for name, (_, _, _, package) in LOADERS.items():
        assert f'\n{name} = ["{package}>=' in text
