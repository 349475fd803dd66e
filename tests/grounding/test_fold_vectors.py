"""schemas/fold-vectors.json: what other implementations of the folds are tested against."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from grounding.fold_vectors import INPUTS, fold_vectors
from grounding.text import FOLD_GROUPS, FOLD_PROFILE, NO_FOLDS, Fold, fold
from verifier import PRESETS, VerificationConfig

FILE = Path(__file__).resolve().parents[2] / "schemas" / "fold-vectors.json"
COMMITTED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
VECTORS: list[dict[str, Any]] = COMMITTED["vectors"]

each_vector = pytest.mark.parametrize("vector", VECTORS, ids=[v["name"] for v in VECTORS])


def unlike(vector: dict[str, Any]) -> list[str]:
    """Keys in which a vector is not what its input folds to."""
    folded = fold(vector["input"])
    ranges = [list(folded.to_raw(at, at + 1)) for at in range(len(folded.text))]
    return [key for key, now in (("output", folded.text), ("map", ranges)) if vector[key] != now]


def test_the_file_is_what_the_module_makes() -> None:
    """`python scripts/make_schemas.py` writes it again."""
    assert fold_vectors() == COMMITTED
    assert [(v["name"], v["input"]) for v in VECTORS] == list(INPUTS)


def test_the_file_names_its_profile_and_folds() -> None:
    """The name that reports and the configuration's hash carry; every fold that there is."""
    assert COMMITTED["profile"] == FOLD_PROFILE == VerificationConfig().normalization_profile
    assert COMMITTED["folds"] == [str(kind) for kind in Fold]
    assert set(COMMITTED) == {"profile", "folds", "vectors"}


def test_the_folds_that_are_allowed_are_part_of_the_hash() -> None:
    """Two reports under other folds do not have the same configuration."""
    fewer = VerificationConfig(allowed_folds=tuple(f for f in Fold if f is not Fold.QUOTES))
    hashes = {rules.sha256 for rules in (VerificationConfig(), fewer, PRESETS["strict"])}
    assert len(hashes) == 3
    assert VerificationConfig().sha256 == PRESETS["default"].sha256


@each_vector
def test_a_vector_holds_when_its_input_is_folded_again(vector: dict[str, Any]) -> None:
    assert unlike(vector) == []


@each_vector
def test_a_vector_of_other_text_would_not_hold(vector: dict[str, Any]) -> None:
    """A changed letter, a dropped character, a shifted map: each is seen."""
    text, ranges = vector["output"], vector["map"]
    shifted = [[start + 1, end + 1] for start, end in ranges]
    assert unlike({**vector, "output": text[:-1] + "\u0416"}) == ["output"]
    assert unlike({**vector, "output": text[1:]}) == ["output"]
    assert unlike({**vector, "map": shifted}) == ["map"]
    assert unlike({**vector, "map": ranges[:-1]}) == ["map"]
    assert "map" in unlike({**vector, "input": "\u200b" + vector["input"]})


@each_vector
def test_a_map_gives_each_character_a_range_in_order(vector: dict[str, Any]) -> None:
    """Not empty, inside the input, never backwards; two characters share all of it or nothing."""
    ranges = vector["map"]
    assert len(ranges) == len(vector["output"])
    assert all(0 <= start < end <= len(vector["input"]) for start, end in ranges)
    for one, other in pairwise(ranges):
        assert other == one or other[0] >= one[1]


@each_vector
def test_a_map_leads_from_the_input_to_the_output(vector: dict[str, Any]) -> None:
    """A range whose text no fold touches is the character itself; what is outside all ranges is
    white space, a hyphen or nothing that is seen."""
    raw, covered = vector["input"], set()
    for char, (start, end) in zip(vector["output"], vector["map"], strict=True):
        covered.update(range(start, end))
        alone = fold(raw[start:end]).text
        assert char in alone or char == alone.strip() or char == " "
    lost = {raw[at] for at in range(len(raw)) if at not in covered}
    assert lost <= set(" \n-\u00ad\ufffe\u0002\u200b\ufeff\x07\x1b")


@each_vector
def test_an_output_folds_to_itself(vector: dict[str, Any]) -> None:
    assert fold(vector["output"]).text == vector["output"]


def test_offsets_are_code_points() -> None:
    """A character outside the first plane is one."""
    (vector,) = (v for v in VECTORS if any(ord(c) > 0xFFFF for c in v["input"]))
    assert len(vector["map"]) == len(vector["input"]) == len(vector["output"])


@pytest.mark.parametrize(
    "kind",
    [
        *FOLD_GROUPS["typography"],
        Fold.WHITESPACE,
        Fold.LINE_END_HYPHEN,
        Fold.SOFT_HYPHENS,
        Fold.HAN_SPACING,
        Fold.ZERO_WIDTH,
    ],
    ids=str,
)
def test_every_fold_of_characters_has_a_vector_that_needs_it(kind: Fold) -> None:
    """Without it some vector comes out otherwise."""
    alone = frozenset({kind})
    assert any(fold(v["input"], alone).text != v["output"] for v in VECTORS)
    assert all(fold(v["input"], NO_FOLDS).text == v["output"] for v in VECTORS)


def test_names_say_one_thing_each() -> None:
    names = [v["name"] for v in VECTORS]
    assert len(set(names)) == len(names) == len({v["input"] for v in VECTORS})


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("raised digits are no digits", "83.4\u00b9 and 10\u00b2"),
        ("digits and signs are never touched", "(1,234.5) -7 % \u20ac 3"),
        ("a hyphen before a capital stays", "non-GAAP measures"),
        ("plain text stays as it is", "The lease ends in 2031."),
    ],
)
def test_what_must_never_be_folded_has_a_vector(name: str, output: str) -> None:
    """Pinned here by hand, so that the file cannot follow a wrong fold."""
    (vector,) = (v for v in VECTORS if v["name"] == name)
    assert vector["output"] == output
