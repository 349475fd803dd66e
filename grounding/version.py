"""The one place that states versions; every fingerprint and report takes them from here."""

from typing import Final

__version__ = "0.1.0"

SCHEMA_VERSION: Final = "1.0.0"
"""Version of the artifact and report formats; part of every document fingerprint."""
