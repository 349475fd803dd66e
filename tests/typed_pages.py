"""Pages typed by hand, for what is decided after reading: which differences a quote may have."""

from __future__ import annotations

from factories import letter
from reading import Shelf, folds

from grounding.store import StoredSource
from grounding.text import Fold
from verifier import Check, VerificationConfig

MISMATCH = ("mismatch", "text_mismatch")


def typed(shelf: Shelf, text: str) -> StoredSource:
    """A document of one page with exactly this raw text."""
    return shelf.put_artifact(letter(text))


def without(*forbidden: Fold) -> VerificationConfig:
    """The default rules, but for some folds."""
    default = VerificationConfig().allowed_folds
    return VerificationConfig(allowed_folds=tuple(f for f in default if f not in forbidden))


def overlooked(made: Check) -> tuple[set[str], list[str]]:
    """The folds of a grounded match, and their groups."""
    return set(folds(made)), made["match"].get("fold_groups", [])
