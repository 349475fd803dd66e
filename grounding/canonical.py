"""Canonical JSON (RFC 8785) for everything that is hashed, compared or signed.

Only objects with string keys, arrays, strings, integers, booleans and null are accepted: amounts
travel as strings, so that no reader's floating point can change them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from grounding.errors import NotCanonicalError

MAX_SAFE_INTEGER = 2**53 - 1
"""Largest integer that every JSON reader keeps exactly (RFC 8785, section 3.2.2.3 via I-JSON)."""

# For integers, strings and code-point sorted ASCII keys the standard library's encoder writes the
# bytes that RFC 8785 asks for; a test holds the two equal. It is an order of magnitude faster than
# a pure Python encoder, and reports of ten thousand checks pass through here.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
)


def canonical_bytes(value: Any, *, checked: bool = True) -> bytes:
    """UTF-8 bytes of `value` in canonical form, without a trailing newline.

    `checked=False` leaves out the look at every item, for data that this project made itself of
    strings, integers and booleans.

    Raises NotCanonicalError for floats, integers beyond ±(2**53 − 1), keys that are not ASCII
    strings, lone surrogates and any other type.
    """
    if checked:
        _check(value)
    try:
        return _ENCODER.encode(value).encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotCanonicalError(f"a string holds a lone surrogate: {error.reason}") from error


def canonical_sha256(value: Any) -> str:
    """Lower-case hex SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


_GOOD_KEYS: set[Any] = set()
"""Keys that were found to be in order; the same few come again and again."""
_KEYS_KEPT = 1000


def _check_keys(keys: Iterable[Any]) -> None:
    for key in keys:
        if type(key) is not str or not key.isascii():
            raise NotCanonicalError(f"object key {key!r} is not an ASCII string")
        if len(_GOOD_KEYS) < _KEYS_KEPT:
            _GOOD_KEYS.add(key)


def _check(value: Any) -> None:
    _check_items((value,))


def _check_items(items: Iterable[Any]) -> None:
    # Scalars are judged here, not in a call of their own: a report has a million of them.
    for item in items:
        kind = type(item)
        if kind is str or item is None or kind is bool:
            continue
        if kind is int:
            if not -MAX_SAFE_INTEGER <= item <= MAX_SAFE_INTEGER:
                raise NotCanonicalError(f"integer {item} is beyond 2**53 - 1")
        elif kind is dict:
            if not _GOOD_KEYS.issuperset(item):
                _check_keys(item)
            _check_items(item.values())
        elif kind is list or kind is tuple:
            _check_items(item)
        elif not isinstance(item, str):  # codes are string enumerations
            raise NotCanonicalError(f"a {kind.__name__} ({item!r}) has no canonical form")
