"""Every kind of file has an example, which fits its schema and is what the program writes."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[1]
SCHEMAS, EXAMPLES = ROOT / "schemas", ROOT / "schemas" / "examples"
FILES = sorted((EXAMPLES / "files").glob("*.json"))
KINDS = sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.schema.json"))


def script() -> ModuleType:
    path = ROOT / "scripts" / "make_examples.py"
    spec = importlib.util.spec_from_file_location("make_examples", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_kind_of_file_has_an_example() -> None:
    """Those of foreign parsers and of formats that are converted have folders of their own."""
    here = {path.stem for path in FILES}
    others = {kind for kind in KINDS if kind.startswith(("foreign_", "convert_"))}
    assert here | others == set(KINDS)
    assert len(others) == 13


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_fits_its_schema(path: Path) -> None:
    schema = json.loads((SCHEMAS / f"{path.stem}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(json.loads(path.read_text(encoding="utf-8")))


def test_the_examples_are_what_the_program_writes() -> None:
    """`python scripts/make_examples.py` writes them again."""
    assert script().differing() == []
