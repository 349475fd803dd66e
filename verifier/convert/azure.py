"""Fields that Azure AI Content Understanding extracts from documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.convert.boxes import MAX_REGIONS, FoundBox, placed
from verifier.convert.model import Converter, Draft
from verifier.convert.naming import Cited
from verifier.convert.shapes import (
    Coordinate,
    Foreign,
    Index,
    Number,
    PageNumber,
    Path,
    decimal_text,
    expected,
    nested,
    shaped,
)

POINTS_PER_INCH = 72
_SEGMENT = re.compile(r"D\((\d{1,8})((?:,-?\d{1,7}(?:\.\d{1,12})?)*+)\)", re.A)


class TextSpan(Foreign):
    """A piece of the content's Markdown."""

    offset: Index
    length: Index


class FieldValue(Foreign):
    """A field. `source` is where it stands: `D(page,x1,y1,…)`, several joined by `;`."""

    type: str | None = None
    value_string: Annotated[str | None, Field(alias="valueString")] = None
    value_number: Annotated[Number | None, Field(alias="valueNumber")] = None
    value_integer: Annotated[int | None, Field(alias="valueInteger")] = None
    value_date: Annotated[str | None, Field(alias="valueDate")] = None
    value_time: Annotated[str | None, Field(alias="valueTime")] = None
    value_boolean: Annotated[bool | None, Field(alias="valueBoolean")] = None
    value_object: Annotated[dict[str, FieldValue] | None, Field(alias="valueObject")] = None
    value_array: Annotated[list[FieldValue] | None, Field(alias="valueArray")] = None
    source: str | None = None
    spans: list[TextSpan] | None = None


class PageSize(Foreign):
    """Width and height in the unit of the content."""

    page_number: Annotated[PageNumber, Field(alias="pageNumber")]
    width: Coordinate | None = None
    height: Coordinate | None = None


class Content(Foreign):
    """One document of an analysis, or a part of it."""

    path: str | None = None
    kind: str | None = None
    markdown: str | None = None
    unit: Literal["inch", "pixel"] | None = None
    pages: list[PageSize] | None = None
    fields: dict[str, FieldValue] | None = None


class Result(Foreign):
    contents: list[Content]
    string_encoding: Annotated[str | None, Field(alias="stringEncoding")] = None


class Operation(Foreign):
    """What the service answers while and after it analyzes."""

    result: Result


@dataclass(frozen=True, slots=True)
class _Context:
    """The content that a field is of."""

    content: Content
    cited: Cited
    encoding: str | None
    sizes: dict[int, PageSize] = field(default_factory=dict)


def _read(data: bytes, draft: Draft) -> None:
    value = load_json(data, refusal=ConversionInvalidError)
    at: Path = ()
    if isinstance(value, dict) and "contents" in value:
        result: Result = shaped(Result, value)
    elif isinstance(value, dict) and "result" in value:
        result, at = shaped(Operation, value).result, ("result",)
    else:
        raise expected("neither contents nor a result that has them")
    for number, content in enumerate(result.contents):
        sizes = {page.page_number: page for page in content.pages or ()}
        cited = Cited.of(content.path, ids=(str(number),))
        context = _Context(content, cited, result.string_encoding, sizes)
        for place, name, item in _fields(content.fields or {}, (), ""):
            whole = (*at, "contents", number, "fields", *place)
            _field(item, whole, f"c{number}{name}", context, draft)


def _fields(
    fields: dict[str, FieldValue], at: Path, name: str
) -> Iterator[tuple[Path, str, FieldValue]]:
    """Fields that hold no others, with their places and their names in ids."""
    for key, item in fields.items():
        yield from _leaves(item, (*at, key), nested(name, key, at))


def _leaves(item: FieldValue, at: Path, name: str) -> Iterator[tuple[Path, str, FieldValue]]:
    if item.value_object is not None:
        yield from _fields(item.value_object, (*at, "valueObject"), name)
    elif item.value_array is not None:
        for number, element in enumerate(item.value_array):
            yield from _leaves(element, (*at, "valueArray", number), nested(name, number, at))
    else:
        yield at, name, item


def _field(item: FieldValue, at: Path, claim_id: str, context: _Context, draft: Draft) -> None:
    kind, wording = _wording(item, context)
    if wording is None:
        _without_wording(item, at, draft)
        return
    boxes, unread = _boxes(item.source or "", context)
    content = {"value": wording} if kind == "value" else {"text": wording}
    made = draft.claim(context.cited, at, claim_id, kind, place=placed(boxes), **content)
    if made is None:
        return
    if unread or len(boxes) > MAX_REGIONS:
        draft.note("box_not_read", (*at, "source"), claim_id=made)
    if _normalised(item) is not None:
        detail = "the text at the field's spans is taken"
        draft.note("normalised_value", at, detail, made)
    elif item.spans:
        draft.note("offsets_of_other_text", (*at, "spans"), claim_id=made)


def _wording(item: FieldValue, context: _Context) -> tuple[str, str | None]:
    """The kind of claim and its text; no text where none is known to be printed."""
    if item.value_string is not None:
        return "quote", item.value_string
    if _normalised(item) is not None:
        return "quote", _read_text(item, context)
    number = item.value_number if item.value_number is not None else item.value_integer
    return "value", number_text(number) if number is not None else None


def number_text(number: int | Decimal) -> str | None:
    """A number as digits; None where these would be more than any document prints."""
    number = Decimal(number)
    if abs(number.adjusted()) > 40 or len(number.as_tuple().digits) > 60:
        return None
    return format(number, "f")


def _normalised(item: FieldValue) -> str | None:
    return item.value_date if item.value_date is not None else item.value_time


def _without_wording(item: FieldValue, at: Path, draft: Draft) -> None:
    """Fields without a value cite nothing; the others are lost."""
    if _normalised(item) is not None:
        draft.lose("normalised_value", at, "no span says what is printed")
    elif (
        item.value_boolean is not None
        or item.value_number is not None
        or item.value_integer is not None
    ):
        draft.lose("value_not_text", at)
    elif item.source:
        draft.lose("no_text", at)
    else:
        draft.note("empty_text", at, "the service found no value")


def _read_text(item: FieldValue, context: _Context) -> str | None:
    """What the service read at a field's only span. Its offsets are of the Markdown beside it, and
    count code points, or UTF-16 units where all of the text has one each."""
    text = context.content.markdown
    if text is None or item.spans is None or len(item.spans) != 1:
        return None
    if context.encoding != "codePoint" and not _is_plain(text):
        return None
    span = item.spans[0]
    found = text[span.offset : span.offset + span.length]
    return found if len(found) == span.length and found.strip() else None


def _is_plain(text: str) -> bool:
    return text.isascii() or max(text) <= "\uffff"


def _boxes(source: str, context: _Context) -> tuple[list[FoundBox], bool]:
    """The boxes of a source, and whether a part of it was not read."""
    found: list[FoundBox] = []
    unread = False
    for segment in source.split(";") if source.strip() else ():
        match = _SEGMENT.fullmatch(re.sub(r"\s", "", segment))
        page = int(match[1]) if match is not None else 0
        if match is None or not 1 <= page <= 10_000_000:
            unread = True
            continue
        numbers = [Decimal(number) for number in match[2].split(",")[1:]]
        box = _box(page, numbers, context)
        unread = unread or (box.corners is None and bool(numbers))
        found.append(box)
    return found, unread


def _box(page: int, numbers: list[Decimal], context: _Context) -> FoundBox:
    """The rectangle around a polygon of three or more points. Four numbers may be two corners or a
    corner and a size, so they are not read."""
    if len(numbers) < 6 or len(numbers) % 2:
        return FoundBox(page)
    xs, ys = numbers[0::2], numbers[1::2]
    corners = (min(xs), min(ys), max(xs), max(ys))
    if corners[0] == corners[2] or corners[1] == corners[3]:
        return FoundBox(page)
    if context.content.unit == "inch":
        scaled = tuple(decimal_text(number * POINTS_PER_INCH) for number in corners)
        return FoundBox(page, scaled, "point")
    size = context.sizes.get(page)
    if context.content.unit != "pixel" or size is None or not size.width or not size.height:
        return FoundBox(page)
    sides = (size.width, size.height) * 2
    parts = (number / Decimal(side) for number, side in zip(corners, sides, strict=True))
    scaled = tuple(decimal_text(part.quantize(Decimal("1e-9"))) for part in parts)
    return FoundBox(page, scaled, "fraction")


CONVERTER = Converter(
    name="azure-content-understanding",
    shape='an analyze result with "contents", alone or under "result"',
    read=_read,
    kind=Result | Operation,
    about="Fields of Azure AI Content Understanding with their sources.",
)
