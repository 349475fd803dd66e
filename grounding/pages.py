"""What differs between two versions of a document, told by the fingerprints of their pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageChanges:
    """What differs between two versions by fingerprints of pages; numbers from 1. `changed` and
    `added` are of the new version, `removed` of the old one, `moved` pairs old with new numbers."""

    changed: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    moved: tuple[tuple[int, int], ...] = ()


def page_changes(old: Sequence[str], new: Sequence[str]) -> PageChanges:
    """What differs between two versions. A page that is found under another number was moved; of
    the others, those with a counterpart at the same place of what is left changed, the rest was
    added or removed."""
    places: dict[str, list[int]] = {}
    for number, fingerprint in enumerate(old, 1):
        places.setdefault(fingerprint, []).append(number)
    moved: list[tuple[int, int]] = []
    fresh: list[int] = []
    for number, fingerprint in enumerate(new, 1):
        known = places.get(fingerprint)
        if not known:
            fresh.append(number)
            continue
        before = number if number in known else known[0]
        known.remove(before)
        if before != number:
            moved.append((before, number))
    gone = sorted(number for numbers in places.values() for number in numbers)
    changed = tuple(number for number in fresh if number in gone)
    added = tuple(number for number in fresh if number not in gone)
    removed = tuple(number for number in gone if number not in fresh)
    return PageChanges(changed, added, removed, tuple(moved))


def page_map(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Where each page of the old version is in the new one. A page that changed is where its
    neighbour before it went, as far as the new version has such a page; no page is at two."""
    changes = page_changes(old, new)
    lost = {*changes.changed, *changes.removed}
    went = dict(changes.moved)
    found: dict[int, int] = {}
    shift = 0
    for number in range(1, len(old) + 1):
        if number in went:
            shift = went[number] - number
        elif number not in lost:
            shift = 0
        if 1 <= number + shift <= len(new):
            found[number] = number + shift
    return found
