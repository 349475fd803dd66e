"""The file of a source map: TOML or JSON, `{"sources": [{"id", "name"?, "status"?, …}]}`."""

from __future__ import annotations

import tomllib
from datetime import date, datetime
from typing import Any

from grounding.errors import UsageError
from grounding.json_input import MAX_INPUT_BYTES, load_json
from grounding.store.source_entry import FIELDS

_REMEDY = "compare the file with schemas/source_map.schema.json"


def entries_of(data: bytes, suffix: str) -> list[tuple[str, dict[str, Any]]]:
    """(source id, values) of every source of a file, in its order. `suffix` is `.toml` or `.json`.

    Raises UsageError for what is no such file: other keys, an id that is missing or given twice.
    """
    value = _loaded(data, suffix)
    if not isinstance(value, dict) or not isinstance(value.get("sources"), list):
        raise UsageError('a source map is an object with a list "sources"', remedy=_REMEDY)
    _check_keys(value, ("sources",), "the file")
    found: dict[str, dict[str, Any]] = {}
    for at, item in enumerate(value["sources"]):
        where = f"sources.{at}"
        if not isinstance(item, dict) or not isinstance(item.get("id"), str):
            raise UsageError(f'{where}: a source is an object with an "id"', remedy=_REMEDY)
        _check_keys(item, ("id", *FIELDS), where)
        if item["id"] in found:
            raise UsageError(f"{where}.id: {item['id']!r} is given twice", remedy=_REMEDY)
        found[item["id"]] = {key: _plain(each) for key, each in item.items() if key != "id"}
    return list(found.items())


def _loaded(data: bytes, suffix: str) -> Any:
    if len(data) > MAX_INPUT_BYTES:
        raise UsageError(f"the file has more than {MAX_INPUT_BYTES} bytes", remedy="split it")
    if suffix.lower() == ".toml":
        try:
            return tomllib.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise UsageError(f"the file is no TOML: {error}", remedy=_REMEDY) from error
    if suffix.lower() == ".json":
        return load_json(data, refusal=UsageError)
    raise UsageError("a source map is a .toml or .json file", remedy="rename the file")


def _check_keys(value: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = sorted(value.keys() - set(known))
    if unknown:
        raise UsageError(f"{where}: {unknown[0]!r} is no key of it", remedy=_REMEDY)


def _plain(value: Any) -> Any:
    """TOML has dates of its own."""
    is_day = isinstance(value, date) and not isinstance(value, datetime)
    return value.isoformat() if is_day else value
