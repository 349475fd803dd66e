"""Which adapters there are, and what all of them promise."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from grounding.adapters.model import ForeignDocument
from grounding.errors import ArtifactInvalidError, PagewitnessError, UsageError

GROUP = "pagewitness.adapters"

Adapter = Callable[[bytes], ForeignDocument]

_BUILT_IN = tuple(
    EntryPoint(name, f"grounding.adapters.{module}:read", GROUP)
    for name, module in (
        ("docling-json", "docling"),
        ("ethos-document", "ethos_document"),
        ("ethos-grounding", "ethos_grounding"),
        ("opendataloader-json", "opendataloader"),
        ("plain-text", "plain_text"),
    )
)


def _entries() -> dict[str, EntryPoint]:
    """Adapters by name. An installed package cannot take the name of a built-in one."""
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    return {**found, **{entry.name: entry for entry in _BUILT_IN}}


def adapter_names() -> list[str]:
    """Names that `read_artifact` takes, sorted."""
    return sorted(_entries())


def read_artifact(name: str, data: bytes) -> ForeignDocument:
    """A foreign file read by the adapter of a name.

    Raises UsageError for an unknown name, and ArtifactInvalidError for a file that the adapter does
    not take; the message begins with the adapter's name and names the place.
    """
    entry = _entries().get(name)
    if entry is None:
        known = ", ".join(adapter_names())
        raise UsageError(f"there is no adapter {name!r}", remedy=f"adapters: {known}")
    try:
        document = entry.load()(data)
    except ArtifactInvalidError as error:
        raise ArtifactInvalidError(f"{name} adapter: {error.message}") from error
    except PagewitnessError:
        raise
    except Exception as error:  # an installed adapter's bug is the file's fault to its user
        if os.environ.get("PAGEWITNESS_DEBUG") == "1":
            raise
        raise ArtifactInvalidError(
            f"{name} adapter: failed with {type(error).__name__}: {error}"
        ) from error
    if not isinstance(document, ForeignDocument):
        raise ArtifactInvalidError(f"{name} adapter: gave no document")
    return document
