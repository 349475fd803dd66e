"""The grounding store: one SQLite file, one writer, readers that never wait."""

from grounding.store.access import OPERATOR, SHARED, Access, Standing
from grounding.store.reader import SourceRow, StoredSource, StoreReader, VersionKey
from grounding.store.writer import LedgerRow, StoredDocument, StoreWriter, check_source_id

__all__ = [
    "OPERATOR",
    "SHARED",
    "Access",
    "LedgerRow",
    "SourceRow",
    "Standing",
    "StoreReader",
    "StoreWriter",
    "StoredDocument",
    "StoredSource",
    "VersionKey",
    "check_source_id",
]
