"""Hostile foreign files: a refusal with a place, or a document that can be checked."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from foreign_files import ADAPTER_OF, SCHEMA_OF, SENTENCE, example, example_bytes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading import report

from grounding.adapters import ForeignSource, read_artifact
from grounding.errors import ArtifactInvalidError
from verifier.ethos import DEFAULT, parse_citations, verify_ethos
from verifier.verify import report_bytes

MUTATIONS = 350
"""Per example; there are six in JSON."""
CLAIMS = [
    {"kind": "quote", "text": SENTENCE, "citation": {"page": 1}},
    {"kind": "quote", "text": f"{SENTENCE} again", "citation": {}},
    {"kind": "value", "text": "5,500 tonnes", "citation": {"page": 1, "bbox": [0, 0, 900, 900]}},
    {"kind": "table_cell", "text": "5.5", "citation": {"row_label": "Alder Quay",
                                                       "column_label": "2024"}},
    {"kind": "presence", "citation": {"page": 2}},
]  # fmt: skip
ETHOS = json.dumps([{"kind": "quote", "text": SENTENCE, "citation": {"element_id": "e000002"}}])
ODD: list[Any] = [
    None, True, 0, -1, 2**31, 2**53, 10**30, 0.5, 1e308, "", " ", "x", "\ud800", "\x00", "😀" * 40,
    [], {}, [[]], [1, 2, 3, 4], [0, 0, 0, 0], [9, 9, 1, 1], "page-1", "sha256:", "1" * 400,
]  # fmt: skip


def survives(name: str, data: bytes) -> None:
    """The adapter refuses the file, or what it gives answers every kind of claim."""
    refused: ArtifactInvalidError | None = None
    try:
        document = read_artifact(name, data)
    except ArtifactInvalidError as error:
        refused = error
    if refused is not None:
        assert refused.message.startswith(f"{name} adapter: ")
        assert len(refused.message) < 2000
        return
    made = ForeignSource(document)
    answer = report(made, CLAIMS)
    assert "internal_error" not in {check.get("reason") for check in answer["checks"]}
    json.loads(report_bytes(answer))
    verify_ethos(document, parse_citations(ETHOS, DEFAULT), DEFAULT)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in a file."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def mutated(value: Any, chance: random.Random) -> Any:
    """A copy with one to three changes: a value replaced, dropped, doubled, or swapped."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        every = list(places(value))
        path = chance.choice(every)
        owner = value
        for step in path[:-1]:
            owner = owner[step]
        change: Callable[[Any, Any], None] = chance.choice((_replace, _drop, _double, _nudge))
        _CHANCE[0] = chance
        change(owner, path[-1])
    return value


_CHANCE = [random.Random(0)]


def _replace(owner: Any, key: Any) -> None:
    owner[key] = copy.deepcopy(_CHANCE[0].choice(ODD))


def _drop(owner: Any, key: Any) -> None:
    del owner[key]


def _double(owner: Any, key: Any) -> None:
    if isinstance(owner, list):
        owner.insert(key, copy.deepcopy(owner[key]))
    else:
        owner[f"{key}2"] = owner[key]


def _nudge(owner: Any, key: Any) -> None:
    if type(owner[key]) in (int, float):
        owner[key] += _CHANCE[0].choice((-1, 1, 100_000, -100_000))
    elif isinstance(owner[key], str):
        owner[key] = owner[key][::-1]
    else:
        owner[key] = None


@pytest.mark.parametrize("name", sorted(SCHEMA_OF))
def test_mutations_of_the_examples(name: str) -> None:
    """Two thousand of them in all."""
    chance = random.Random(name)
    value = example(name)
    for _ in range(MUTATIONS):
        survives(ADAPTER_OF[name], json.dumps(mutated(value, chance)).encode())


@pytest.mark.parametrize("name", sorted(ADAPTER_OF))
def test_cut_and_garbled_bytes(name: str) -> None:
    chance, data = random.Random(name), example_bytes(name)
    for _ in range(60):
        cut = data[: chance.randrange(len(data))]
        survives(ADAPTER_OF[name], cut)
        garbled = bytearray(data)
        for _ in range(3):
            garbled[chance.randrange(len(garbled))] = chance.randrange(256)
        survives(ADAPTER_OF[name], bytes(garbled))


_scalar = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(ODD)


def _of_schema(schema: dict[str, Any], root: dict[str, Any], depth: int = 0) -> Any:
    """A strategy for values that nearly fit a schema: the right keys, values often of the kind."""
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if depth > 6:
        return _scalar
    if "anyOf" in schema:
        return st.one_of([_of_schema(one, root, depth + 1) for one in schema["anyOf"]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "object" and "properties" in schema:
        required = set(schema.get("required", ()))
        own = {key: _of_schema(item, root, depth + 1) for key, item in schema["properties"].items()}
        return st.fixed_dictionaries(
            {key: value for key, value in own.items() if key in required},
            optional={key: value for key, value in own.items() if key not in required},
        )
    if kind == "array":
        items = schema.get("prefixItems")
        if items:
            return st.tuples(*(_of_schema(one, root, depth + 1) for one in items)).map(list)
        return st.lists(_of_schema(schema.get("items", {}), root, depth + 1), max_size=2)
    if kind == "string":
        return st.sampled_from(["x", "page-1", "b1", "sha256:" + "a" * 64, "a" * 64, "1.0.0", ""])
    if kind in ("integer", "number"):
        return st.integers(0, 9) | st.sampled_from([-1, 2**53, 61_200])
    return _scalar


def _strategy(name: str) -> Any:
    folder = Path(__file__).parents[3] / "schemas"
    schema = json.loads((folder / f"{SCHEMA_OF[name]}.schema.json").read_text())
    return _of_schema(schema, schema)


@pytest.mark.parametrize("name", sorted(set(SCHEMA_OF) - {"ethos-grounding-without-pages.json"}))
def test_values_that_nearly_fit_the_schema(name: str) -> None:
    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(_strategy(name))
    def run(value: Any) -> None:
        survives(ADAPTER_OF[name], json.dumps(value).encode())

    run()


@pytest.mark.parametrize(
    ("name", "grow"),
    [
        ("opendataloader-json.json", lambda v, n: v["elements"].extend(
            {"page": 1, "bbox": [0, 0, 9, 9], "text": "a" * 50} for _ in range(n))),
        ("ethos-grounding.json", lambda v, n: v["tables"][0]["cells"].extend(
            {"row": 3 + at, "col": 0, "row_span": 1, "col_span": 1, "bbox": [0, 0, 9, 9],
             "text": "1"} for at in range(n))),
        ("docling-json.json", lambda v, n: v["texts"].extend(
            {**v["texts"][1], "self_ref": f"#/texts/{at}"} for at in range(100, 100 + n))),
    ],
)  # fmt: skip
def test_large_files_are_read_in_bounded_work(name: str, grow: Callable[[Any, int], None]) -> None:
    """Twenty thousand parts on one page are no reason to hang."""
    value = example(name)
    grow(value, 20_000)
    document = read_artifact(ADAPTER_OF[name], json.dumps(value).encode())
    answer = report(ForeignSource(document), CLAIMS[:3])
    assert answer["checks"][0]["status"] == "grounded"
