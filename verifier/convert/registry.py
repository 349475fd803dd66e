"""The registry of formats: entry points of the group `pagewitness.converters`.

The formats of this package are entries like those of others; they are listed here as well as in the
package's metadata, so that a source tree that is not installed has them too. A module is imported
when its format is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from grounding.errors import UsageError
from verifier.convert.model import Converter

GROUP = "pagewitness.converters"
BUILT_IN = {
    "anthropic": "verifier.convert.anthropic:CONVERTER",
    "azure-content-understanding": "verifier.convert.azure:CONVERTER",
    "haystack": "verifier.convert.haystack:CONVERTER",
    "landingai": "verifier.convert.landingai:CONVERTER",
    "langchain": "verifier.convert.langchain:CONVERTER",
    "llamaindex": "verifier.convert.llamaindex:CONVERTER",
    "numbered-answer": "verifier.convert.numbered:CONVERTER",
    "openai": "verifier.convert.openai:CONVERTER",
}


def format_names() -> list[str]:
    """Names of all formats, in alphabetical order."""
    return sorted(_entries())


def converter(name: str) -> Converter:
    """The format of a name.

    Raises UsageError for a name that no package registers, that two packages register, or whose
    entry leads nowhere.
    """
    found = _entries().get(name)
    if found is None:
        raise UsageError(
            f"format {name!r} is not known", remedy=f"choose one of {', '.join(format_names())}"
        )
    if len(found) > 1:
        raise UsageError(
            f"format {name!r} is registered by {len(found)} packages",
            remedy="uninstall all of them but one",
        )
    try:
        loaded = found[0].load()
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"format {name!r} cannot be loaded: {error}", remedy="reinstall the package it is from"
        ) from error
    if not isinstance(loaded, Converter):
        raise UsageError(f"format {name!r} is a {type(loaded).__name__} and no Converter")
    return loaded


@cache
def _entries() -> dict[str, list[EntryPoint]]:
    """Entries by name; the same entry from two places is one."""
    values = set(BUILT_IN.items())
    values |= {(entry.name, entry.value) for entry in entry_points(group=GROUP)}
    entries: dict[str, list[EntryPoint]] = {}
    for name, value in sorted(values):
        entries.setdefault(name, []).append(EntryPoint(name, value, GROUP))
    return entries
