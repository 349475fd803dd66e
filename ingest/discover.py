"""Which files a call means: files as named, folders with everything below, and patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SUFFIX = ".pdf"


@dataclass(frozen=True, slots=True)
class Found:
    """One file to ingest, or one thing that was asked for and is not there.

    `path` is what is shown: as given, or below the folder as given. `location` is absolute and
    free of symbolic links. `problem` says what is wrong when that is known already; such an item
    is refused as `file_not_found`, so that a mistyped path never looks like success.
    """

    path: str
    location: str
    problem: str = ""


def discover(patterns: Sequence[str]) -> list[Found]:
    """Everything that the patterns mean, in their order and sorted by path within one of them.

    A file that several patterns reach is listed once, where it was reached first. A file that is
    named is taken whatever it is called; in folders only names ending in .pdf (any case) count.
    Folders that start with a dot are skipped unless they are named themselves. Patterns that the
    shell did not expand are expanded here as a shell would, with `**` for any depth.
    """
    found: dict[str, Found] = {}
    for pattern in patterns:
        for item in _expand(pattern):
            found.setdefault(item.location, item)
    return list(found.values())


def _expand(pattern: str) -> Iterator[Found]:
    if os.path.lexists(pattern):  # before the pattern's own signs: `a[1].pdf` is a usual file name
        yield from _named(pattern)
    elif glob.has_magic(pattern):
        matches = sorted(glob.glob(pattern, recursive=True))
        if not matches:
            yield _missing(pattern, "no file matches the pattern")
        for match in matches:
            if os.path.isdir(match):
                yield from _pdfs_below(match)
            else:
                yield _item(match)
    else:
        yield _missing(pattern, "there is no such file or folder")


def _named(path: str) -> Iterator[Found]:
    if not os.path.isdir(path):
        yield _item(path)
        return
    empty = True
    for item in _pdfs_below(path):
        empty = False
        yield item
    if empty:
        yield _missing(path, "the folder holds no file whose name ends in .pdf")


def _pdfs_below(folder: str) -> list[Found]:
    found: list[Found] = []

    def unreadable(error: OSError) -> None:
        problem = f"the folder cannot be listed: {error.strerror or error}"
        found.append(_missing(os.fsdecode(error.filename), problem))

    seen = {_identity(folder)}
    for parent, folders, files in os.walk(folder, onerror=unreadable, followlinks=True):
        folders[:] = [name for name in sorted(folders) if _enters(parent, name, seen)]
        found.extend(
            _item(os.path.join(parent, name)) for name in files if name.lower().endswith(_SUFFIX)
        )
    return sorted(found, key=lambda item: item.path)


def _enters(parent: str, name: str, seen: set[tuple[int, int]]) -> bool:
    """Whether to walk into a folder: links can make one its own descendant."""
    if name.startswith("."):
        return False
    try:
        identity = _identity(os.path.join(parent, name))
    except OSError:
        return True  # os.walk fails on it in the same way, and that is reported
    if identity in seen:
        return False
    seen.add(identity)
    return True


def _identity(folder: str) -> tuple[int, int]:
    status = os.stat(folder)
    return status.st_dev, status.st_ino


def _item(path: str) -> Found:
    return Found(path, os.path.realpath(path))


def _missing(path: str, problem: str) -> Found:
    return Found(path, os.path.realpath(path), problem)
