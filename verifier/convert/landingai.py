"""Chunks and extracted fields of LandingAI's Agentic Document Extraction."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field, model_validator

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.convert.azure import number_text
from verifier.convert.boxes import FoundBox, few, placed
from verifier.convert.model import Converter, Draft
from verifier.convert.naming import Cited
from verifier.convert.shapes import (
    Foreign,
    Number,
    PageIndex,
    Path,
    decimal_text,
    expected,
    nested,
    shaped,
)

_DESCRIBED = ("figure", "logo", "scan_code", "attestation", "card")
"""Kinds of chunks whose text tells what is seen."""
_ANCHOR = re.compile(r"<a\b[^<>]*>\s*</a>", re.I)
_CELL = re.compile(r"<(/?)(tr|td|th)\b[^<>]*>", re.I)
_TAG = re.compile(r"<[^<>]*>")

Fraction = Annotated[Number, Field(ge=-100, le=100)]


class Box(Foreign):
    """Fractions of the page from its top left. The older interface has initials for names."""

    left: Fraction
    top: Fraction
    right: Fraction
    bottom: Fraction


class ShortBox(Foreign):
    l: Fraction  # noqa: E741 the format's own name
    t: Fraction
    r: Fraction
    b: Fraction


class Grounding(Foreign):
    """A box on a page, from 0."""

    page: PageIndex
    box: Box | ShortBox | None = None

    def found(self) -> FoundBox:
        box = self.box
        if isinstance(box, Box):
            sides: tuple[Fraction, ...] = (box.left, box.top, box.right, box.bottom)
        elif box is not None:
            sides = (box.l, box.t, box.r, box.b)
        else:
            return FoundBox(self.page + 1)
        x0, y0, x1, y1 = sides
        if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
            return FoundBox(self.page + 1)
        return FoundBox(self.page + 1, tuple(decimal_text(side) for side in sides), "fraction")


class Chunk(Foreign):
    """A piece of a document; `chunk_type`, `chunk_id` and `text` are the older names."""

    id: str | None = None
    chunk_id: str | None = None
    type: str | None = None
    chunk_type: str | None = None
    markdown: str | None = None
    text: str | None = None
    grounding: list[Grounding] | Grounding | None = None

    @property
    def boxes(self) -> list[FoundBox]:
        found = self.grounding
        groundings = found if isinstance(found, list) else [found] if found is not None else []
        return few([grounding.found() for grounding in groundings])


class FileNames(Foreign):
    filename: str | None = None


class Extraction(Foreign):
    """A response of parsing or of extracting, or both put together."""

    chunks: list[Chunk] | None = None
    grounding: dict[str, Grounding] | None = None
    extraction: dict[str, Any] | None = None
    extracted_schema: dict[str, Any] | None = None
    extraction_metadata: dict[str, Any] | None = None
    metadata: FileNames | None = None

    @model_validator(mode="after")
    def _holds_something(self) -> Extraction:
        if self.chunks is None and self.values is None and self.extraction_metadata is None:
            raise ValueError("neither chunks nor an extraction")
        return self

    @property
    def values(self) -> dict[str, Any] | None:
        return self.extraction if self.extraction is not None else self.extracted_schema


class Response(Foreign):
    """What the older interface answers."""

    data: Extraction


class Leaf(Foreign):
    """What is known of one extracted value."""

    references: list[str] | None = None
    chunk_references: list[str] | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """What a response says of places: its document, and boxes by the ids of chunks and cells."""

    cited: Cited
    boxes: dict[str, list[FoundBox]]


def _read(data: bytes, draft: Draft) -> None:
    value = load_json(data, refusal=ConversionInvalidError)
    if not isinstance(value, dict):
        raise expected("no object")
    inside = isinstance(value.get("data"), dict) and "chunks" not in value
    response: Extraction = shaped(Response, value).data if inside else shaped(Extraction, value)
    at: Path = ("data",) if inside else ()
    name = response.metadata.filename if response.metadata is not None else None
    boxes = {key: [item.found()] for key, item in (response.grounding or {}).items()}
    for chunk in response.chunks or ():
        boxes.setdefault(chunk.id or chunk.chunk_id or "", chunk.boxes)
    known = _Known(Cited.of(name), boxes)
    for number, chunk in enumerate(response.chunks or ()):
        _chunk(chunk, (*at, "chunks", number), f"k{number}", known, draft)
    key = "extraction" if response.extraction is not None else "extracted_schema"
    metadata = response.extraction_metadata or {}
    if response.values is not None:
        for place, name, leaf, value in _leaves(response.values, metadata, (*at, key), "x"):
            _value(value, leaf, place, name, known, draft)
    elif metadata:
        draft.lose("no_text", (*at, "extraction_metadata"), "it refers to values that are not here")


def _chunk(chunk: Chunk, at: Path, claim_id: str, known: _Known, draft: Draft) -> None:
    kind = (chunk.type or chunk.chunk_type or "").removeprefix("chunk").lower()
    text = chunk.markdown if chunk.markdown is not None else chunk.text
    place = placed(chunk.boxes)
    if kind in _DESCRIBED:
        if not place:
            draft.lose("description_not_printed_text", at, "it has no box")
            return
        made = draft.claim(known.cited, at, claim_id, "presence", place=place)
        if made is not None:
            draft.note("description_not_printed_text", at, kind, made)
        return
    if text is None:
        draft.lose("no_text", at)
        return
    cells = list(_cells(text)) if kind == "table" else []
    if not cells:
        made = draft.claim(known.cited, at, claim_id, "quote", text=printed(text), place=place)
        if made is not None:
            _note_boxes(chunk.boxes, place, at, made, draft)
        return
    draft.note("table_as_cells", at)
    if chunk.boxes and not place.keys() & {"bbox", "regions"}:
        draft.note("box_not_read", at)
    for row, column, cell in cells:
        # A region takes a lone number, which is too short for a quote; it needs a box.
        cell_kind = "region" if "bbox" in place or "regions" in place else "quote"
        own_id = f"{claim_id}.r{row}.c{column}"
        draft.claim(known.cited, at, own_id, cell_kind, text=cell, place=place)


def _note_boxes(
    boxes: list[FoundBox], place: dict[str, Any], at: Path, claim_id: str, draft: Draft
) -> None:
    if boxes and not place.keys() & {"bbox", "regions"}:
        draft.note("box_not_read", at, claim_id=claim_id)


def printed(text: str) -> str:
    """A chunk's text without the anchors that the service puts into it."""
    return _ANCHOR.sub("", text).strip()


def _cells(text: str) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of the cells of an HTML table that are not blank. Columns count the
    cells of a row, whatever they span."""
    row, column, start = -1, -1, None
    for tag in _CELL.finditer(text):
        if start is not None:
            cell = html.unescape(_TAG.sub(" ", text[start : tag.start()])).strip()
            if cell:
                yield max(row, 0), column, cell
            start = None
        if tag[2].lower() == "tr":
            row, column = (row + 1, -1) if not tag[1] else (row, column)
        elif not tag[1]:
            column, start = column + 1, tag.end()


def _leaves(value: Any, metadata: Any, at: Path, name: str) -> Iterator[tuple[Path, str, Any, Any]]:
    """Extracted values that hold no others: place, name, what is known of it, and the value."""
    if isinstance(value, dict):
        for key, item in value.items():
            inner = nested(name, key, at)
            yield from _leaves(item, _inside(metadata, key), (*at, key), inner)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            inner = nested(name, number, at)
            yield from _leaves(item, _inside(metadata, number), (*at, number), inner)
    else:
        yield at, name, metadata, value


def _inside(metadata: Any, key: str | int) -> Any:
    if isinstance(metadata, dict):
        return metadata.get(key)
    if isinstance(metadata, list) and isinstance(key, int) and key < len(metadata):
        return metadata[key]
    return None


def _value(value: Any, metadata: Any, at: Path, claim_id: str, known: _Known, draft: Draft) -> None:
    if value is None:
        draft.note("empty_text", at, "the service found no value")
        return
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    text = value if isinstance(value, str) else number_text(value) if is_number else None
    if text is None:
        draft.lose("value_not_text", at)
        return
    leaf: Leaf = shaped(Leaf, metadata, at) if isinstance(metadata, dict) else Leaf()
    references = list(dict.fromkeys(leaf.references or leaf.chunk_references or []))
    unknown = [name for name in references if name not in known.boxes]
    boxes = [box for name in references for box in known.boxes.get(name, ())]
    kind = "value" if is_number else "quote"
    content = {"value": text} if is_number else {"text": text}
    place = placed(boxes)
    made = draft.claim(known.cited, at, claim_id, kind, place=place, **content)
    if made is not None:
        _note_boxes(boxes, place, at, made, draft)
    if made is not None and unknown:
        draft.note(
            "reference_unknown", at, ", ".join(repr(name[:100]) for name in unknown[:5]), made
        )


CONVERTER = Converter(
    name="landingai",
    shape='a response with "chunks", or with "extraction" and "extraction_metadata"',
    read=_read,
    kind=Extraction | Response,
    about="Chunks and extracted fields of LandingAI Agentic Document Extraction.",
)
