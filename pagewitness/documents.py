"""Which documents a command checks against: those of the store, or the one of a foreign file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grounding.errors import UsageError
from grounding.store import SHARED, Access, StoredSource, StoreReader
from pagewitness.options import (
    access_options,
    as_of_option,
    db_option,
    read_input,
    store_files,
)

if TYPE_CHECKING:
    from grounding.adapters import ForeignSource
    from grounding.source import GroundingSource
    from ingest import FileResult
    from verifier.verify import DocumentResolver


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --db, --grounding, --adapter, --document and --as-of, and --tenant and --permission as
    `access`."""
    for option in (
        click.option(
            "--document", metavar="DOC", help="The document, where the request names none."
        ),
        click.option("--adapter", metavar="NAME", help="How to read the file of --grounding."),
        click.option(
            "--grounding",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Check against this file of another parser instead of the store.",
        ),
        as_of_option,
        access_options,
        db_option,
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Documents:
    """What a command checks against. `reader` is the store, `foreign` the file; one of them."""

    resolver: DocumentResolver
    reader: StoreReader | None
    foreign: ForeignSource | None
    files: tuple[Path, ...]
    """What is read, and must not be written to."""
    as_of: str | None = None

    @property
    def named(self) -> bool:
        """Whether requests have to name their document."""
        return self.foreign is None


@contextmanager
def documents(
    db: Path,
    grounding: Path | None,
    adapter: str | None,
    document: str | None,
    access: Access = SHARED,
    as_of: str | None = None,
) -> Iterator[Documents]:
    """The store, or a foreign file. Raises UsageError, ArtifactInvalidError and StoreError."""
    if grounding is None:
        if adapter is not None:
            raise UsageError("--adapter says how to read a file of --grounding, and there is none")
        with StoreReader(db, access) as reader, reader.snapshot():
            yield Documents(reader, reader, None, store_files(db), as_of)
        return
    if access != SHARED or as_of is not None:
        raise UsageError("--tenant, --permission and --as-of are about sources of the store")
    from grounding.adapters import ForeignSource, adapter_names, read_artifact
    from verifier.single import SingleDocument

    if adapter is None:
        raise UsageError(
            "--grounding needs --adapter", remedy=f"adapters: {', '.join(adapter_names())}"
        )
    artifact = read_artifact(adapter, read_input(grounding))
    source = ForeignSource(artifact, document or "")
    yield Documents(SingleDocument(source, artifact.name), None, source, (grounding,))


def open_usable(reader: StoreReader, doc: str, as_of: str | None) -> StoredSource:
    """A document that may be cited. Raises what opening it does, and SourceNotApprovedError: that
    nothing is found in what may not be searched would say that nothing is there."""
    from verifier.trusted import require_usable

    source = reader.open(doc)
    require_usable(source.key.source_id, reader.standing(source.key), as_of)
    return source


@contextmanager
def own_reading(pdf: Path) -> Iterator[GroundingSource]:
    """A PDF as this project reads it, in a store that is gone afterwards. Raises UsageError when it
    cannot be read."""
    from ingest import IngestOptions, ingest

    with tempfile.TemporaryDirectory(prefix="pagewitness-") as folder:
        db = Path(folder) / "own.db"
        results: list[FileResult] = []
        ingest([str(pdf)], db, IngestOptions(), results.append)
        if len(results) != 1 or results[0].document_fingerprint is None:
            said = results[0].error if results and results[0].error else None
            why = f"{said['code']}: {said['message']}" if said else "it is not one PDF"
            raise UsageError(
                f"{pdf} cannot be read beside the artifact: {why}",
                remedy="name the PDF that the artifact was made of",
            )
        with StoreReader(db) as reader:
            yield reader.open(results[0].document_fingerprint)
