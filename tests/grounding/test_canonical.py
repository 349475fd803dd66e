"""Canonical JSON: one value, one sequence of bytes."""

import hashlib
import json
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from grounding.canonical import MAX_SAFE_INTEGER, canonical_bytes, canonical_sha256
from grounding.errors import NotCanonicalError
from grounding.model import WarningCode

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_KEYS = st.text(st.characters(max_codepoint=127), max_size=6)
_SCALARS = st.none() | st.booleans() | _TEXT | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
JSON = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(JSON)
def test_the_bytes_are_those_of_the_rfc_8785_library(value: Any) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(JSON)
def test_what_is_read_back_has_the_same_canonical_form(value: Any) -> None:
    once = canonical_bytes(value)
    assert canonical_bytes(json.loads(once)) == once
    assert json.loads(once) == value


@given(st.dictionaries(_KEYS, st.integers(0, 9), min_size=2, max_size=6))
def test_the_order_in_which_keys_were_set_leaves_no_trace(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_bytes(turned) == canonical_bytes(value)


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ({}, "44136fa3", "caaff8a"),
        ({"b": 2, "a": 1, "_": 0, "Z": -3}, "9e8c5fa7", "8cd6cc1"),
        ({"bel": "\u0007", "backslash": "a\\b"}, "a1cc2b96", "ea6dfd"),
        ({"pages": "all"}, "68cc6175", "144084"),
    ],
)
def test_hashes_are_those_that_another_implementation_states(
    value: object, start: str, end: str
) -> None:
    """Vectors of Ethos's first canonical form, which is this one for such values."""
    digest = canonical_sha256(value)
    assert len(digest) == 64
    assert (digest[:8], digest[-len(end) :]) == (start, end)


def test_a_whole_configuration_of_another_implementation_has_its_hash() -> None:
    value = {
        "schema_version": "1.0.0",
        "config_version": "default-v1",
        "claim_kinds": ["quote", "value", "presence", "table_cell"],
        "matching": {
            "text_normalization": "collapse_whitespace",
            "case_sensitive": True,
            "bbox_containment_tolerance_q": 50,
        },
        "staleness": {"require_fingerprint_match": True},
        "limits": {"max_checks": 256},
        "evidence": {"include_text": True, "include_crops": False},
    }
    assert canonical_sha256(value) == (
        "4bb224166a04a25fed2dd3ecdb9638ddcc5b398658532b73f1c0547e4983d0b0"
    )


def test_only_what_json_demands_is_escaped() -> None:
    """Short escapes where there are any, lower-case hex for other controls, all else as it is."""
    value = '"\\/\b\t\n\f\r\x1f\x7f\u2028é漢𝄞'
    wanted = '"\\"\\\\/\\b\\t\\n\\f\\r\\u001f\x7f\u2028é漢𝄞"'.encode()
    assert canonical_bytes(value) == wanted


def test_text_is_not_normalised() -> None:
    assert canonical_bytes("e\u0301") != canonical_bytes("\u00e9")


def test_tuples_are_arrays_and_codes_are_strings() -> None:
    assert canonical_bytes((1, WarningCode.OCR_TEXT)) == b'[1,"ocr_text"]'


def test_the_largest_safe_integers_are_kept() -> None:
    assert canonical_bytes([2**53 - 1, 1 - 2**53]) == b"[9007199254740991,-9007199254740991]"


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        2**53,
        -(2**53),
        {"é": 1},
        {1: "one"},
        {WarningCode.OCR_TEXT: 1},
        "\ud800",
        {"a": ["\udfff"]},
        b"bytes",
        {1, 2},
        Decimal("1.5"),
        {"deep": [{"er": 0.5}]},
    ],
    ids=repr,
)
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    """Whether at the top or inside; nothing is rounded, replaced or left out."""
    with pytest.raises(NotCanonicalError) as caught:
        canonical_bytes(value)
    assert caught.value.code == "not_canonical"


def test_the_hash_is_that_of_the_bytes_without_a_line_end() -> None:
    assert canonical_sha256({"a": [1]}) == hashlib.sha256(b'{"a":[1]}').hexdigest()
