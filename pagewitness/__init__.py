"""The doors of Pagewitness: its command line and what else takes requests from outside.

Nothing here decides anything: input is parsed, `ingest`, `grounding` and `verifier` are called,
answers are printed.
"""

from grounding.version import __version__

__all__ = ["__version__"]
