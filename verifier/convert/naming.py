"""What a citation calls its document, and which document that is."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}://", re.A)
_ROOTED = re.compile(r"(?:[/\\]|[A-Za-z]:[/\\]|\.{1,2}[/\\]|file://)", re.A)
_SEPARATOR = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class Cited:
    """How a citation names its document: `ids` mean something only to the sources map, `names` are
    titles, file names or paths that may be a document's own."""

    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    @classmethod
    def of(cls, *names: str | None, ids: tuple[str | None, ...] = ()) -> Cited:
        """Empty names are no names."""
        return cls(
            tuple(name for name in names if name and name.strip()),
            tuple(name for name in ids if name and name.strip()),
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """What the sources map may call it, the most certain first."""
        return (*self.ids, *self.names, *(document_name(n) for n in self.names if not is_url(n)))

    @property
    def document(self) -> str | None:
        """The name that is passed on: the first that is no address."""
        return next((document_name(name) for name in self.names if not is_url(name)), None)

    @property
    def url(self) -> str | None:
        return next((name for name in self.names if is_url(name)), None)


def is_url(name: str) -> bool:
    """Whether a name is the address of something that is no local file."""
    return _ADDRESS.match(name) is not None and not name.startswith("file://")


def document_name(name: str) -> str:
    """The last part of a path of any system; a title with a slash in it stays whole.

    A path is told by its root, or by a dot in its last part.
    """
    name = name.strip()
    last = _SEPARATOR.split(name.rstrip("/\\"))[-1]
    is_path = _ROOTED.match(name) is not None or "." in last.strip(".")
    return last if is_path and last else name
