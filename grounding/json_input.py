"""JSON as it comes from outside: bounded, without duplicate keys, fractions as Decimal."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from grounding.errors import InputError, RequestInvalidError

MAX_INPUT_BYTES = 256 * 1024 * 1024


def load_json(data: bytes | str, *, refusal: type[InputError] = RequestInvalidError) -> Any:
    """JSON without duplicate keys, NaN or infinities; fractions come as Decimal.

    Raises `refusal` for everything else.
    """
    try:
        return _loaded(data)
    except _UnusableError as error:
        raise refusal(str(error)) from error.__cause__


class _UnusableError(ValueError):
    """Why some JSON is not taken."""


def _loaded(data: bytes | str) -> Any:
    if len(data) > MAX_INPUT_BYTES:
        raise _UnusableError(f"the file is larger than {MAX_INPUT_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        return json.loads(
            text, parse_float=Written, parse_constant=_no_constant, object_pairs_hook=_unique_keys
        )
    except _UnusableError:
        raise
    except UnicodeDecodeError as error:
        raise _UnusableError(f"not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise _UnusableError(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise _UnusableError("the JSON is nested too deeply") from error
    except (ValueError, ArithmeticError) as error:  # more digits than Python converts
        raise _UnusableError("a number has too many digits") from error


class Written(Decimal):
    """A fraction that remembers how it was written: 82.50 is not 82.5 in a request's hash."""

    written: str

    def __new__(cls, text: str) -> Written:
        number = super().__new__(cls, text)
        number.written = text
        return number


def _no_constant(name: str) -> Any:
    raise _UnusableError(f"{name} is not a JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _UnusableError(f"key {twice!r} is given twice in one object")
    return value
