"""Reports that are kept: immutable ones, under everything that they depend on."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

CacheKey = tuple[str, ...]
MOST_ENTRIES = 1024
MOST_BYTES = 64 * 1024 * 1024


class ReportCache:
    """Bytes of reports by their key, the longest unused dropped first; safe between threads. A hit
    is the bytes that were put in."""

    def __init__(self, entries: int = MOST_ENTRIES, size: int = MOST_BYTES) -> None:
        self._entries, self._size = entries, size
        self._kept: OrderedDict[CacheKey, bytes] = OrderedDict()
        self._held = 0
        self._lock = Lock()
        self.hits = self.misses = 0

    def get(self, key: CacheKey) -> bytes | None:
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                self.misses += 1
                return None
            self.hits += 1
            self._kept.move_to_end(key)
            return found

    def put(self, key: CacheKey, data: bytes) -> bytes:
        """Keeps a report, and gives the one that is kept: of two that race, the first."""
        with self._lock:
            kept = self._kept.setdefault(key, data)
            self._kept.move_to_end(key)
            if kept is data:
                self._held += len(data)
            while self._kept and (len(self._kept) > self._entries or self._held > self._size):
                _, dropped = self._kept.popitem(last=False)
                self._held -= len(dropped)
            return kept

    def __len__(self) -> int:
        return len(self._kept)
