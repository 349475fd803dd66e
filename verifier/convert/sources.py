"""The sources map: which document a file id, an index, a title or a path stands for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field, StrictStr, ValidationError, model_validator

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.claims import Citation
from verifier.convert.naming import Cited
from verifier.convert.shapes import fault
from verifier.structured import ClosedModel

_REMEDY = "compare the sources map with schemas/source_names.schema.json"

Name = Annotated[StrictStr, Field(min_length=1)]


class SourceName(ClosedModel):
    """One name of a document. `blocks` are the places of its content blocks, in their order, each
    with the keys of a citation."""

    name: Name
    document: Name
    document_fingerprint: StrictStr | None = None
    blocks: tuple[Citation, ...] | None = None


class SourceNames(ClosedModel):
    """Names of documents. A name stands for one document, a document has one fingerprint."""

    sources: tuple[SourceName, ...] = ()

    @model_validator(mode="after")
    def _one_meaning(self) -> SourceNames:
        names: set[str] = set()
        pins: dict[str, str] = {}
        for source in self.sources:
            if source.name in names:
                raise ValueError(f"the name {source.name!r} is given twice")
            names.add(source.name)
            pin = source.document_fingerprint
            if pin is not None and pins.setdefault(source.document, pin) != pin:
                raise ValueError(f"the document {source.document!r} has two fingerprints")
        return self


@dataclass(frozen=True, slots=True)
class Named:
    """The document of a citation: its name, its pin, and the places of its blocks."""

    document: str
    fingerprint: str | None = None
    blocks: tuple[Citation, ...] | None = None


@dataclass(slots=True)
class Directory:
    """Finds documents by a sources map and, for citations that name none, by a default."""

    sources: SourceNames
    default: str | None = None
    _by_name: dict[str, SourceName] = field(init=False)
    _pins: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self._by_name = {source.name: source for source in self.sources.sources}
        self._pins = {
            source.document: source.document_fingerprint
            for source in self.sources.sources
            if source.document_fingerprint is not None
        }

    def find(self, cited: Cited) -> Named | None:
        """The document of a citation: by the map, by its own name, or the default where it has no
        name at all. An address that the map does not know is no document."""
        for key in cited.keys:
            source = self._by_name.get(key)
            if source is not None:
                return Named(source.document, self._pins.get(source.document), source.blocks)
        document = cited.document or (None if cited.url else self.default)
        return Named(document, self._pins.get(document)) if document else None


def load_sources(data: bytes) -> SourceNames:
    """A sources map from JSON. Raises ConversionInvalidError; unknown keys are refused."""
    value: Any = load_json(data, refusal=ConversionInvalidError)
    try:
        return SourceNames.model_validate(value)
    except ValidationError as error:
        raise ConversionInvalidError(
            f"sources map: {fault(error, value)}", remedy=_REMEDY
        ) from error
