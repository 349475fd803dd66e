"""JSON as it comes from outside: bounded, without duplicate keys, fractions as Decimal."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from grounding.errors import RequestInvalidError

MAX_REQUEST_BYTES = 256 * 1024 * 1024


def load_json(data: bytes | str) -> Any:
    """JSON without duplicate keys, NaN or infinities; fractions come as Decimal.

    Raises RequestInvalidError.
    """
    if len(data) > MAX_REQUEST_BYTES:
        raise RequestInvalidError(f"the file is larger than {MAX_REQUEST_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        return json.loads(
            text, parse_float=Written, parse_constant=_no_constant, object_pairs_hook=_unique_keys
        )
    except UnicodeDecodeError as error:
        raise RequestInvalidError(f"not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise RequestInvalidError(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise RequestInvalidError("the JSON is nested too deeply") from error
    except (ValueError, ArithmeticError) as error:  # more digits than Python converts
        raise RequestInvalidError("a number has too many digits") from error


class Written(Decimal):
    """A fraction that remembers how it was written: 82.50 is not 82.5 in a request's hash."""

    written: str

    def __new__(cls, text: str) -> Written:
        number = super().__new__(cls, text)
        number.written = text
        return number


def _no_constant(name: str) -> Any:
    raise RequestInvalidError(f"{name} is not a JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RequestInvalidError(f"key {twice!r} is given twice in one object")
    return value
