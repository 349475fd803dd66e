"""What the trusted source map says of a request's document: whether it may be used, and as of when.

A document is resolved through the map alone. What it forbids is decided before anything of the
document is read, and all claims of the request get the same answer.
"""

from __future__ import annotations

from typing import Any, Protocol

from grounding.errors import (
    InputError,
    SourceExpiredError,
    SourceNotApprovedError,
    SourceNotPermittedError,
)
from grounding.model import WarningCode
from grounding.store.access import Standing
from grounding.store.reader import Tombstone
from grounding.store.source_map import MapIdentity
from verifier.codes import Reason
from verifier.report import ForgottenData, Report


class SourceMap(Protocol):
    """The map behind the documents; the store's reader is one. A document without a map has
    neither standing nor identity."""

    def standing(self, key: Any) -> Standing | None:
        """What the map says of the source of a document."""
        ...

    def tombstone(self, doc: str) -> Tombstone | None:
        """What is left of a forgotten document that a name or a fingerprint stands for."""
        ...

    def map_identity(self) -> MapIdentity | None:
        """Which state of the map answers, as far as the caller sees it."""
        ...


_REFUSALS: dict[Reason, tuple[type[InputError], str]] = {
    "source_not_permitted": (SourceNotPermittedError, "needs permissions that the caller lacks"),
    "source_not_approved": (SourceNotApprovedError, "is not approved"),
    "source_expired": (SourceExpiredError, "is not valid on that day"),
}


def refusal(
    standing: Standing | None, as_of: str | None, *, require_date: bool = False
) -> Reason | None:
    """Why a source may not be used; the first rule that applies. Days are looked at only where the
    request says which one is meant: nothing here asks the clock. With `require_date` a source that
    has days is valid on none where the request says none; the report then warns that it did not."""
    if standing is None:
        return None
    if not standing.permitted:
        return "source_not_permitted"
    if standing.status != "approved":
        return "source_not_approved"
    if as_of is None:
        return "source_expired" if require_date and standing.dated else None
    return None if standing.valid_on(as_of) else "source_expired"


def require_usable(name: str, standing: Standing | None, as_of: str | None) -> None:
    """For forms of answers that have no word for it. Raises the error of the refusal."""
    reason = refusal(standing, as_of)
    if reason is not None:
        error, why = _REFUSALS[reason]
        raise error(f"source {name} {why}")


def map_warnings(standing: Standing | None, as_of: str | None) -> tuple[WarningCode, ...]:
    """A source with days, and nobody said which one is meant."""
    if standing is not None and standing.dated and as_of is None:
        return (WarningCode.SOURCE_DATES_NOT_CHECKED,)
    return ()


def put_forgotten(report: Report, left: Tombstone | None) -> None:
    """Writes into a report that what it was asked about was forgotten, and when: what the store has
    recorded, so that the same store gives the same bytes."""
    if left is None:
        return
    forgotten: ForgottenData = {
        "source_id": left.source_id,
        "document_fingerprint": left.document_fingerprint,
        "source_fingerprint": left.source_fingerprint,
        "forgotten_at": left.forgotten_at,
    }
    if left.reason:
        forgotten["reason"] = left.reason
    report["forgotten"] = forgotten
    report["warnings"] = sorted({*report["warnings"], WarningCode.SOURCE_FORGOTTEN})


def put_source_map(report: Any, documents: SourceMap, as_of: str | None) -> None:
    """Writes into a report which state of the map it was made under, and as of when. Without a map
    there is neither."""
    identity = documents.map_identity()
    if identity is not None:
        report["source_map"] = {"version": identity["version"], "sha256": identity["sha256"]}
        if as_of is not None:
            report["as_of"] = as_of
