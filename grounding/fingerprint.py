"""Identities of bytes and of what was read from them.

`sha256:` is the contract form of a source fingerprint, `blake3:` the fast one; both come from one
pass over the bytes, and either may pin a citation.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from pathlib import Path

from blake3 import blake3

_CHUNK = 1 << 20
_FORM = re.compile(r"(sha256|blake3):[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SourceFingerprint:
    """Hashes of one file's exact bytes, and how many there are."""

    sha256: str
    blake3: str
    size: int


def fingerprint_bytes(data: bytes) -> SourceFingerprint:
    """Both hashes of `data`."""
    return SourceFingerprint(
        f"sha256:{hashlib.sha256(data).hexdigest()}", blake3_fingerprint(data), len(data)
    )


def fingerprint_file(path: Path) -> SourceFingerprint:
    """Both hashes of a file in one pass, in constant memory. Raises OSError."""
    sha, fast, size = hashlib.sha256(), blake3(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            sha.update(chunk)
            fast.update(chunk)
            size += len(chunk)
    return SourceFingerprint(f"sha256:{sha.hexdigest()}", f"blake3:{fast.hexdigest()}", size)


def blake3_fingerprint(data: bytes) -> str:
    """`blake3:<64 hex>` of `data`."""
    return f"blake3:{blake3(data).hexdigest()}"


def sha256_fingerprint(data: bytes) -> str:
    """`sha256:<64 hex>` of `data`."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def is_fingerprint(text: str) -> bool:
    """Whether `text` names a known algorithm with a digest of its length."""
    return _FORM.fullmatch(text) is not None


def same_fingerprint(one: str, other: str) -> bool:
    """Constant-time equality; a malformed or unknown fingerprint equals nothing."""
    return is_fingerprint(one) and hmac.compare_digest(one.encode(), other.encode())
