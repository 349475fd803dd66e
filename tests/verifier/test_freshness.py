"""Freshness: a citation holds for the bytes that it was made for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from drawn import R21_LINES, plain, r21_original, r21_resaved, r21_twin
from reading import GROUNDED, Shelf, report, verdict

from grounding.model import Capabilities
from grounding.store import StoredSource
from verifier import PRESETS, Report, parse_requests, verify

CLAIM = {"kind": "quote", "text": R21_LINES[0], "citation": {"page": 1}}
COUNT = {"kind": "value", "value": "17", "citation": {"page": 1}}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


def answer(
    shelf: Shelf, pin: str | None, *, config: str = "default", document: str | None = "water"
) -> Report:
    """The report on two claims about "water", pinned or not."""
    request = {"document": document, "document_fingerprint": pin, "claims": [CLAIM, COUNT]}
    given = {key: value for key, value in request.items() if value is not None}
    submission = parse_requests(json.dumps(given))
    return cast(Report, verify(submission, shelf.reader, PRESETS[config]))


def pins(source: StoredSource) -> dict[str, str]:
    """The three fingerprints that may pin a citation."""
    identity = source.identity
    return {
        "document": identity.document_fingerprint,
        "source": identity.source_fingerprint,
        "blake3": identity.blake3,
    }


KINDS = ("document", "source", "blake3")


@pytest.mark.parametrize("config", ["default", "strict"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_document_source_or_blake3_fingerprint_pins(shelf: Shelf, kind: str, config: str) -> None:
    """Each of the three names the version; the report is fresh and warns of nothing."""
    source = shelf.put(r21_original(), "water.pdf")
    pin = pins(source)[kind]
    made = answer(shelf, pin, config=config)
    assert [verdict(c) for c in made["checks"]] == [GROUNDED, GROUNDED]
    assert (made["fingerprint_stale"], made["expected_fingerprint"]) == (False, pin)
    assert "fingerprint_reason" not in made
    assert made["warnings"] == []
    assert made["all_evidence_grounded"] is True


@pytest.mark.parametrize("kind", KINDS)
def test_a_pin_may_be_all_that_names_the_document(shelf: Shelf, kind: str) -> None:
    """A fingerprint finds its document, in either field."""
    source = shelf.put(r21_original(), "water.pdf")
    pin = pins(source)[kind]
    assert answer(shelf, pin, document=None)["all_evidence_grounded"] is True
    named = answer(shelf, None, document=pin)
    assert named["all_evidence_grounded"] is True
    assert named["warnings"] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_fingerprint_of_other_bytes_is_stale(shelf: Shelf, kind: str) -> None:
    """One digit of the text differs: no claim holds, true or not."""
    shelf.put(r21_original(), "water.pdf")
    other = shelf.put(r21_twin(), "other.pdf")
    made = answer(shelf, pins(other)[kind])
    assert [verdict(c) for c in made["checks"]] == [("stale", "stale_fingerprint")] * 2
    assert (made["fingerprint_stale"], made["fingerprint_reason"]) == (True, "stale_fingerprint")
    assert made["all_evidence_grounded"] is False
    assert "fingerprint_version" not in made


@pytest.mark.parametrize("kind", KINDS)
def test_a_pin_on_an_older_version_is_stale_and_says_which(shelf: Shelf, kind: str) -> None:
    """The old version is kept; the report names its number and warns that it was superseded."""
    old = pins(shelf.put(r21_original(), "water.pdf"))[kind]
    new = pins(shelf.put(r21_twin(), "water.pdf"))[kind]
    made = answer(shelf, old)
    assert [c["status"] for c in made["checks"]] == ["stale", "stale"]
    assert (made["fingerprint_reason"], made["fingerprint_version"]) == ("stale_fingerprint", 1)
    assert "fingerprint_superseded" in made["warnings"]
    fresh = answer(shelf, new)
    assert [verdict(c) for c in fresh["checks"]] == [GROUNDED, ("mismatch", "value_mismatch")]
    assert fresh["fingerprint_stale"] is False


def test_a_pin_alone_on_an_older_version_is_stale_too(shelf: Shelf) -> None:
    """Naming the document by its old fingerprint does not bring the old version back."""
    old = pins(shelf.put(r21_original(), "water.pdf"))["source"]
    shelf.put(r21_twin(), "water.pdf")
    for made in (answer(shelf, old, document=None), answer(shelf, None, document=old)):
        assert made["fingerprint_stale"] is True
        assert made["fingerprint_version"] == 1
        assert [c["status"] for c in made["checks"]] == ["stale", "stale"]


DIGEST = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    "change",
    [
        lambda pin: pin.replace("sha256:", "md5:"),
        lambda pin: pin.replace("sha256:", ""),
        lambda pin: pin.replace("sha256:", "SHA256:"),
        lambda pin: pin.replace("sha256:", "blake3:"),
        lambda pin: pin[:-1],
        lambda pin: pin + "0",
        lambda pin: pin.upper().replace("SHA256", "sha256"),
        lambda pin: " " + pin,
        lambda pin: pin + "\n",
        lambda pin: "",
        lambda pin: "sha256:",
        lambda pin: "sha512:" + DIGEST * 2,
        lambda pin: "latest",
        lambda pin: "\u0661" + pin,
    ],
)
def test_a_pin_of_unknown_form_matches_nothing(shelf: Shelf, change: Any) -> None:
    """Unknown algorithm, other length, other case: stale, not fresh and not repaired."""
    source = shelf.put(r21_original(), "water.pdf")
    made = answer(shelf, change(source.identity.source_fingerprint))
    assert (made["fingerprint_stale"], made["fingerprint_reason"]) == (True, "stale_fingerprint")
    assert {c["status"] for c in made["checks"]} == {"stale"}


def test_without_a_pin_the_current_version_is_checked_and_the_report_warns(shelf: Shelf) -> None:
    """The newest version answers; `citation_not_pinned` says that nothing holds it to that."""
    shelf.put(r21_original(), "water.pdf")
    shelf.put(r21_twin(), "water.pdf")
    made = answer(shelf, None)
    assert [verdict(c) for c in made["checks"]] == [GROUNDED, ("mismatch", "value_mismatch")]
    assert made["warnings"] == ["citation_not_pinned"]
    assert made["fingerprint_stale"] is False
    assert "expected_fingerprint" not in made


def test_the_strict_preset_calls_an_unpinned_citation_stale(shelf: Shelf) -> None:
    """Without a fingerprint nothing is proved."""
    shelf.put(r21_original(), "water.pdf")
    made = answer(shelf, None, config="strict")
    assert [verdict(c) for c in made["checks"]] == [("stale", "missing_citation_fingerprint")] * 2
    assert made["fingerprint_reason"] == "missing_citation_fingerprint"
    assert made["all_evidence_grounded"] is False


def test_a_resave_of_the_same_content_stays_valid(shelf: Shelf) -> None:
    """Once the other bytes are known as an alias, a pin on either holds; the twin's does not."""
    source = shelf.put(r21_original(), "water.pdf")
    shelf.put_alias(source, r21_resaved())
    resaved = shelf.put(r21_resaved(), "resaved.pdf").identity
    twin = shelf.put(r21_twin(), "twin.pdf").identity
    for pin in (source.identity.source_fingerprint, resaved.source_fingerprint, resaved.blake3):
        assert answer(shelf, pin)["all_evidence_grounded"] is True
    for pin in (twin.source_fingerprint, twin.blake3, twin.document_fingerprint):
        assert answer(shelf, pin)["fingerprint_stale"] is True


def test_unsupported_kinds_are_named_before_staleness(shelf: Shelf) -> None:
    """A kind that cannot be checked stays one; it is not turned into a stale claim."""
    source = shelf.put(r21_original(), "water.pdf")
    other = {"kind": "other", "text": "a judgement", "citation": {"page": 1}}
    pin = "sha256:" + DIGEST
    made = report(source, [CLAIM, other], document_fingerprint=pin)
    assert [c["status"] for c in made["checks"]] == ["stale", "unsupported_claim_kind"]


class NoFingerprint:
    """A source that does not know which bytes it was read from."""

    def __init__(self, source: StoredSource) -> None:
        self.source = source

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(True, True, True, False, "top-left", False)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


def test_a_source_without_a_fingerprint_cannot_satisfy_a_pin(shelf: Shelf) -> None:
    """It cannot tell whether a pinned citation is fresh; an unpinned one is checked, with its
    limits named."""
    stored = shelf.put(r21_original(), "water.pdf")
    source: Any = NoFingerprint(stored)
    made = report(source, [CLAIM], document_fingerprint=stored.identity.source_fingerprint)
    assert verdict(made["checks"][0]) == ("capability_blocked", "missing_source_fingerprint")
    assert not made["fingerprint_stale"]
    assert not made["all_evidence_grounded"]
    assert made["fingerprint_reason"] == "missing_source_fingerprint"
    loose = report(source, [CLAIM])
    assert verdict(loose["checks"][0]) == GROUNDED
    assert loose["capability_limits"] == ["missing_fingerprint", "missing_crop_support"]
    assert "capability_limited" in loose["warnings"]


def test_staleness_does_not_leak_what_the_new_version_says(shelf: Shelf) -> None:
    """Stale checks carry no evidence."""
    shelf.put(plain(["Another text."]), "water.pdf")
    made = answer(shelf, "sha256:" + DIGEST)
    assert all("evidence" not in c and "nearest" not in c for c in made["checks"])
    assert all(c["evidence_tier"] == "none" for c in made["checks"])
