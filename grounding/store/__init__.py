"""The grounding store: one SQLite file, one writer, readers that never wait."""

from grounding.store.reader import SourceRow, StoredSource, StoreReader, VersionKey
from grounding.store.writer import LedgerRow, StoredDocument, StoreWriter, check_source_id

__all__ = [
    "LedgerRow",
    "SourceRow",
    "StoreReader",
    "StoreWriter",
    "StoredDocument",
    "StoredSource",
    "VersionKey",
    "check_source_id",
]
