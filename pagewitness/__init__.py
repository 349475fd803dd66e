"""The doors of Pagewitness: its command line and what else takes requests from outside.

Nothing here decides anything: input is parsed, `ingest`, `grounding` and `verifier` are called,
answers are printed.
"""

from __future__ import annotations

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    """The version, when it is asked for: a test run that has the plug-in of pytest imports this
    package and nothing of its rooms."""
    if name == "__version__":
        from grounding.version import __version__

        return __version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
