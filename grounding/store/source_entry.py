"""One row of the source map: what an application says of a source, and what it may say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, Final

from grounding.errors import UsageError

STATUSES: Final = ("draft", "approved", "superseded", "withdrawn")
FIELDS: Final = (
    "name", "status", "effective", "expires", "authority", "tenant", "permissions",
)  # fmt: skip
"""What can be changed, in the order in which it is shown."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]{0,199}")
_LABEL_RULE = "use up to 200 letters, digits and . _ : @ + -, starting with a letter or digit"
_MOST_TEXT = 1000


def iso_date(text: str) -> str:
    """The date itself, as `2026-01-31`. Raises ValueError for everything else."""
    if not _DAY.fullmatch(text):
        raise ValueError(f"{text!r} is not a date such as 2026-01-31")
    date.fromisoformat(text)
    return text


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """What the map says of a source. `effective` and `expires` are the first and the last day on
    which it is valid (`''`: no such day); `authority` says who stands behind it; `tenant` is `''`
    where all share it; `permissions` are the labels that a reader needs, sorted.

    Raises UsageError with the key that is wrong.
    """

    id: str
    name: str
    status: str = "approved"
    effective: str = ""
    expires: str = ""
    authority: str = ""
    tenant: str = ""
    permissions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise _wrong("status", f"{self.status!r} is none of {', '.join(STATUSES)}")
        for key, day in (("effective", self.effective), ("expires", self.expires)):
            _check_day(key, day)
        if self.effective and self.expires and self.effective > self.expires:
            raise _wrong("effective", f"{self.effective} is after expires, {self.expires}")
        if self.tenant:
            check_label("tenant", self.tenant)
        for label in self.permissions:
            check_label("permissions", label)
        if list(self.permissions) != sorted(set(self.permissions)):
            raise _wrong("permissions", "labels are sorted, each given once")

    def with_changes(self, changes: Mapping[str, Any]) -> SourceEntry:
        """The entry with other values. Raises UsageError for what cannot be one of the map."""
        unknown = sorted(changes.keys() - set(FIELDS))
        if unknown:
            raise _wrong(unknown[0], "is no key of a source", keys=True)
        values = dict(changes)
        for key in values.keys() - {"permissions"}:
            _check_text(key, values[key], least=1 if key in ("name", "status") else 0)
        if "permissions" in values:
            values["permissions"] = _labels(values["permissions"])
        return replace(self, **values)

    def as_dict(self) -> dict[str, Any]:
        """The entry as files have it."""
        return {**asdict(self), "permissions": list(self.permissions)}


def changed(before: SourceEntry, after: SourceEntry) -> dict[str, dict[str, Any]]:
    """`{"from", "to"}` of every field that differs."""
    old, new = before.as_dict(), after.as_dict()
    return {
        key: {"from": old[key], "to": new[key]} for key in sorted(FIELDS) if old[key] != new[key]
    }


def check_label(key: str, label: object) -> str:
    """The name of a tenant or of a permission. Raises UsageError when it cannot be one."""
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        raise UsageError(f"{key}: {label!r} is not usable", remedy=_LABEL_RULE)
    return label


def _labels(value: Any) -> tuple[str, ...]:
    """Labels sorted, each once."""
    if not isinstance(value, list | tuple):
        raise _wrong("permissions", "is a list of labels")
    return tuple(sorted({check_label("permissions", label) for label in value}))


def _check_text(key: str, value: Any, *, least: int) -> None:
    if not isinstance(value, str):
        raise _wrong(key, "is not text")
    if not least <= len(value) <= _MOST_TEXT or not value.isprintable() or value != value.strip():
        raise _wrong(key, f"{value!r} is not {least} to {_MOST_TEXT} printable characters")


def _check_day(key: str, day: str) -> None:
    try:
        if day:
            iso_date(day)
    except ValueError as error:
        raise _wrong(key, f"{day!r} is not a date such as 2026-01-31") from error


def _wrong(key: str, why: str, *, keys: bool = False) -> UsageError:
    remedy = f"keys are {', '.join(FIELDS)}" if keys else "see docs/sources.md"
    return UsageError(f"{key}: {why}", remedy=remedy)
