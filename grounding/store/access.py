"""Whose sources may be seen and read: the one place that decides about tenants and permissions.

A source of another tenant is not there at all. A source whose permission labels the caller does not
all have is there, by its name, and its content is not shown.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

VISIBLE = "source_visible(s.tenant)"
READABLE = "source_readable(s.tenant, s.permissions)"
"""Conditions of queries over `sources AS s`, on connections that an Access was put on."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who asks: a tenant (`''`: only what all share) and the permission labels that it has. With
    `everything` it is whoever keeps the store, who sees and reads all of it."""

    tenant: str = ""
    permissions: frozenset[str] = frozenset()
    everything: bool = False

    def sees(self, tenant: str) -> bool:
        """Whether sources of a tenant are there for the caller."""
        return self.everything or tenant in ("", self.tenant)

    def reads(self, tenant: str, permissions: str) -> bool:
        """Whether the content of a source may be shown. `permissions` is a JSON list of labels."""
        if self.everything or permissions == "[]":
            return self.sees(tenant)
        return self.sees(tenant) and self.permissions.issuperset(json.loads(permissions))

    def put_on(self, connection: sqlite3.Connection) -> None:
        """Makes VISIBLE and READABLE mean this caller on a connection."""
        connection.create_function("source_visible", 1, self.sees, deterministic=True)
        connection.create_function("source_readable", 2, self.reads, deterministic=True)


SHARED = Access()
"""A caller without tenant and labels."""
OPERATOR = Access(everything=True)
"""Whoever keeps the store."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the source map says of the source of a document: its status, the first and last day on
    which it is valid (ISO dates, `''`: none), and whether the caller has its labels."""

    status: str
    effective: str
    expires: str
    permitted: bool

    @property
    def dated(self) -> bool:
        return bool(self.effective or self.expires)

    def valid_on(self, day: str) -> bool:
        """Whether an ISO date is one of its days; the first and the last are."""
        return self.effective <= day and (not self.expires or day <= self.expires)
