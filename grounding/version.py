"""The one place that states versions; every fingerprint and report takes them from here."""

__version__ = "0.1.0"

SCHEMA_VERSION = "1.0.0"
"""Version of the artifact and report formats; part of every document fingerprint."""
