"""Objects of trace files: JSON lines one at a time, other JSON files whole up to a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from grounding.errors import TracesInvalidError
from grounding.json_input import MAX_INPUT_BYTES
from verifier.traces.values import parse

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line."""
_LINES = (".jsonl", ".ndjson")
_SUFFIXES = (".json", *_LINES)
_HOLDERS = ("traces", "data", "rows", "records", "results")
Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Record:
    """An object of a file, or why there is none. `origin` is `file:line`, or `file#position` for
    the items of an array."""

    origin: str
    value: Any
    problem: str = ""


def trace_files(paths: Sequence[Path]) -> list[Path]:
    """The files of some paths, of folders all JSON files below them, in a fixed order.

    Raises TracesInvalidError for a path that is not there and a folder without such files.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
            if not inside:
                raise TracesInvalidError(
                    f"folder {path} holds no trace files",
                    remedy=f"name files, or a folder of {', '.join(_SUFFIXES)} files",
                )
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise TracesInvalidError(f"{path} is no file", remedy="check the path")
    return list(dict.fromkeys(found))


def records(path: Path, told: Told = lambda size: None) -> Iterator[Record]:
    """The objects of a file in order; `told` hears of the bytes that were read.

    Raises TracesInvalidError for a file that cannot be read, and for one that is neither JSON lines
    nor JSON.
    """
    try:
        with path.open("rb") as file:
            if path.suffix in _LINES or _begins_as_lines(file):
                yield from _lines(file, path.name, told)
            else:
                yield from _whole(file, path.name, told)
    except OSError as error:
        raise TracesInvalidError(
            f"{path} cannot be read: {error.strerror}", remedy="check the path"
        ) from error


def _begins_as_lines(file: BinaryIO) -> bool:
    """Whether the first line is an object by itself and others follow."""
    first = file.readline(MAX_LINE + 1)
    while first and not first.strip():
        first = file.readline(MAX_LINE + 1)
    rest = file.read(1)
    file.seek(0)
    if not rest or len(first) > MAX_LINE:
        return False
    try:
        return isinstance(parse(first.decode("utf-8-sig")), dict)
    except ValueError:
        return False


def _lines(file: BinaryIO, name: str, told: Told) -> Iterator[Record]:
    number, good = 0, False
    problem: Record | None = None
    while line := file.readline(MAX_LINE + 1):
        number += 1
        told(len(line))
        origin = f"{name}:{number}"
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)
                told(len(line))
            yield Record(origin, None, f"the line is longer than {MAX_LINE} bytes")
        elif line.strip():
            record = _line(line, origin, number)
            good = good or not record.problem
            problem = problem or (record if record.problem else None)
            yield record
    if problem is not None and not good:
        raise TracesInvalidError(f"{problem.origin}: {problem.problem}; no line is a JSON object")


def _line(line: bytes, origin: str, number: int) -> Record:
    try:
        value = parse(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        return Record(origin, None, f"not UTF-8: {error.reason} at byte {error.start}")
    except ValueError as error:
        return Record(origin, None, f"not JSON: {error}")
    if not isinstance(value, dict):
        return Record(origin, None, "no JSON object")
    return Record(origin, value)


def _whole(file: BinaryIO, name: str, told: Told) -> Iterator[Record]:
    data = file.read(MAX_INPUT_BYTES + 1)
    told(len(data))
    if len(data) > MAX_INPUT_BYTES:
        raise TracesInvalidError(
            f"{name} is larger than {MAX_INPUT_BYTES} bytes and one JSON value",
            remedy="write one object a line (JSON lines): such files are read piece by piece",
        )
    try:
        value = parse(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TracesInvalidError(f"{name} is not UTF-8: {error.reason}") from error
    except ValueError as error:
        raise TracesInvalidError(f"{name} is not JSON: {error}") from error
    del data
    if isinstance(value, dict):
        inside = next((value[h] for h in _HOLDERS if isinstance(value.get(h), list)), None)
        if inside is None or len(value) > 3:
            yield Record(name, value)
            return
        value = inside
    if not isinstance(value, list):
        raise TracesInvalidError(f"{name} holds neither an object nor a list of them")
    for position, item in enumerate(value):
        good = isinstance(item, dict)
        yield Record(f"{name}#{position}", item if good else None, "" if good else "no JSON object")
