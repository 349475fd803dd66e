"""Identities of bytes."""

import hashlib
from pathlib import Path

import pytest
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st

from grounding.fingerprint import (
    blake3_fingerprint,
    fingerprint_bytes,
    fingerprint_file,
    is_fingerprint,
    same_fingerprint,
    sha256_fingerprint,
)
from grounding.model import DocumentIdentity

ZEROS = "0" * 64


def test_known_digests() -> None:
    """The digests of no bytes, which both standards print."""
    fingerprint = fingerprint_bytes(b"")
    assert fingerprint.sha256 == (
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    assert fingerprint.blake3 == (
        "blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    )
    assert fingerprint.size == 0


@given(st.binary(max_size=200))
def test_both_forms_hash_exactly_the_bytes(data: bytes) -> None:
    fingerprint = fingerprint_bytes(data)
    assert fingerprint.sha256 == f"sha256:{hashlib.sha256(data).hexdigest()}"
    assert fingerprint.blake3 == f"blake3:{blake3(data).hexdigest()}"
    assert fingerprint.size == len(data)
    assert sha256_fingerprint(data) == fingerprint.sha256
    assert blake3_fingerprint(data) == fingerprint.blake3


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 1])
def test_a_file_has_the_fingerprint_of_its_bytes(tmp_path: Path, size: int) -> None:
    """Also when it ends at, or one byte after, the end of a chunk."""
    data = b"\x5a" * size
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    assert fingerprint_file(path) == fingerprint_bytes(data)


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        fingerprint_file(tmp_path / "gone.pdf")


@pytest.mark.parametrize("text", [f"sha256:{ZEROS}", f"blake3:{'f' * 64}"])
def test_known_algorithms_with_digests_of_full_length_are_fingerprints(text: str) -> None:
    assert is_fingerprint(text)
    assert same_fingerprint(text, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ZEROS,
        f"sha256:{ZEROS[1:]}",
        f"sha256:{ZEROS}0",
        f"sha256:{'A' * 64}",
        f"SHA256:{ZEROS}",
        f"md5:{ZEROS}",
        f"sha512:{ZEROS}{ZEROS}",
        f"sha256:{ZEROS}\n",
        f" sha256:{ZEROS}",
        f"sha256:{'٣' * 64}",
    ],
    ids=ascii,
)
def test_anything_else_is_no_fingerprint_and_equals_nothing(text: str) -> None:
    """Not even itself: a pin of unknown algorithm or length never matches."""
    assert not is_fingerprint(text)
    assert not same_fingerprint(text, text)


def test_equal_digests_of_two_algorithms_are_not_the_same() -> None:
    assert not same_fingerprint(f"sha256:{ZEROS}", f"blake3:{ZEROS}")
    assert not same_fingerprint(f"sha256:{ZEROS}", f"sha256:{'1' * 64}")
    assert not same_fingerprint(f"sha256:{ZEROS}", "é")


def test_a_version_is_pinned_by_each_of_its_fingerprints_and_by_no_other() -> None:
    """The content fingerprint is not among them: equal text may stand in other places."""
    digits = iter("123456")
    document, source, fast, content, alias, other = (
        f"{kind}:{next(digits) * 64}"
        for kind in ("sha256", "sha256", "blake3", "sha256", "blake3", "sha256")
    )
    identity = DocumentIdentity("id", "a.pdf", document, source, fast, content, frozenset({alias}))
    for pin in (document, source, fast, alias):
        assert identity.is_pinned_by(pin)
    for pin in (content, other, "", "a.pdf", document.upper()):
        assert not identity.is_pinned_by(pin)
