"""Shapes of foreign JSON: known keys are strict, unknown ones are left to their owners."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, WithJsonSchema

from grounding.canonical import MAX_SAFE_INTEGER
from grounding.errors import ConversionInvalidError

Path = tuple[str | int, ...]

MAX_PATH = 500
"""Characters of a place in a message."""
MAX_NAMES = 2000
"""Characters of the names of a field and of those that it is in: every field repeats them."""

Index = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER)]
PageNumber = Annotated[int, Field(ge=1, le=10_000_000)]
"""A page, from 1."""
PageIndex = Annotated[int, Field(ge=0, le=9_999_999)]
"""A page, from 0."""
Number = int | Annotated[Decimal, WithJsonSchema({"type": "number"})]
Coordinate = Annotated[Number, Field(ge=-(10**6), le=10**6)]


class Foreign(BaseModel):
    """A part of a foreign format."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


def shaped(kind: Any, value: Any, at: Path = ()) -> Any:
    """`value` as a foreign type. `at` is its place in the input.

    Raises ConversionInvalidError, which names the place of the first fault.
    """
    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        raise ConversionInvalidError(fault(error, value, at)) from error


@lru_cache(maxsize=128)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def fault(error: ValidationError, value: Any, at: Path = ()) -> str:
    """The deepest fault of an input, its place as a JSON path.

    Where alternatives were tried, the deepest is of the one that was meant.
    """
    found = error.errors(include_url=False, include_context=False, include_input=False)
    places = [_place(item["loc"], item["type"] == "missing", value) for item in found]
    deepest = max(range(len(found)), key=lambda number: len(places[number]))
    return f"{json_path((*at, *places[deepest]))}: {found[deepest]['msg']}"


def _place(loc: Path, missing: bool, value: Any) -> Path:
    """What of a location stands in the input, or is missing there; the rest names alternatives."""
    place: list[str | int] = []
    for number, part in enumerate(loc):
        if _has(value, part):
            value = value[part]
        elif not missing or number < len(loc) - 1:
            continue
        place.append(part)
    return tuple(place)


def _has(value: Any, part: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(part, int) and part < len(value)
    return isinstance(value, dict) and part in value


def json_path(place: Path) -> str:
    """A place for a person: `$.content[2].citations[0]`, cut where it would fill a screen."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    path = "$" + "".join(parts)
    return path if len(path) <= MAX_PATH else f"{path[:MAX_PATH]}…"


def pointer(place: Path) -> str:
    """A place for a program: a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in place)


def expected(what: str, at: Path = ()) -> ConversionInvalidError:
    """The error for an input that has none of the shapes of its format."""
    return ConversionInvalidError(f"{json_path(at)}: {what}")


def nested(name: str, key: str | int, at: Path) -> str:
    """The name of a field inside another. Raises ConversionInvalidError for endless names."""
    whole = f"{name}.{key}"
    if len(whole) > MAX_NAMES:
        raise expected(f"names of nested fields are longer than {MAX_NAMES} characters", at)
    return whole


def decimal_text(number: int | Decimal) -> str:
    """A bounded number as text without an exponent: never through binary floating point."""
    text = format(Decimal(number), "f")
    return text.rstrip("0").rstrip(".") or "0" if "." in text else text
