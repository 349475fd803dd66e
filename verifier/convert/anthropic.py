"""Citations of the Messages API of Anthropic."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.claims import Citation
from verifier.convert.model import Converter, Draft, pages
from verifier.convert.naming import Cited
from verifier.convert.shapes import Foreign, Index, PageNumber, Path, expected, shaped

_BLOCK_KINDS = ("content_block_location", "search_result_location")


class CitationItem(Foreign):
    """One entry of `citations`. Ends are exclusive; pages count from 1, all else from 0."""

    type: str
    cited_text: str | None = None
    document_index: Index | None = None
    document_title: str | None = None
    file_id: str | None = None
    start_page_number: PageNumber | None = None
    end_page_number: PageNumber | None = None
    start_char_index: Index | None = None
    end_char_index: Index | None = None
    start_block_index: Index | None = None
    end_block_index: Index | None = None
    search_result_index: Index | None = None
    source: str | None = None
    title: str | None = None
    url: str | None = None

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> CitationItem:
        for unit in ("page_number", "char_index", "block_index"):
            start, end = getattr(self, f"start_{unit}"), getattr(self, f"end_{unit}")
            if start is not None and end is not None and end <= start:
                raise ValueError(f"end_{unit} is exclusive and must be beyond start_{unit}")
        return self


class Block(Foreign):
    """A content block. Blocks that are sent may have `citations` that are settings."""

    type: str | None = None
    text: str | None = None
    citations: list[CitationItem] | dict[str, Any] | None = None


class Message(Foreign):
    """A response."""

    content: list[Block]


def _read(data: bytes, draft: Draft) -> None:
    value = load_json(data, refusal=ConversionInvalidError)
    if isinstance(value, dict) and "content" in value:
        message: Message = shaped(Message, value)
        _blocks(message.content, ("content",), draft)
    elif isinstance(value, list) and not any(_is_citation(item) for item in value):
        _blocks(shaped(list[Block], value), (), draft)
    elif isinstance(value, list):
        for number, item in enumerate(shaped(list[CitationItem], value)):
            _citation(item, (number,), f"c{number}", draft)
    else:
        raise expected("neither a response nor an array")


def _is_citation(value: Any) -> bool:
    """Whether an item of an array is a citation and no block."""
    return isinstance(value, dict) and ("cited_text" in value or _ends_in_location(value))


def _ends_in_location(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    return isinstance(kind, str) and kind.endswith("_location")


def _blocks(blocks: list[Block], at: Path, draft: Draft) -> None:
    for number, block in enumerate(blocks):
        if isinstance(block.citations, list):
            for index, item in enumerate(block.citations):
                place = (*at, number, "citations", index)
                _citation(item, place, f"b{number}.c{index}", draft)


def _citation(item: CitationItem, at: Path, claim_id: str, draft: Draft) -> None:
    if item.cited_text is None:
        draft.lose("no_text", at)
        return
    cited = _cited(item)
    place = _place(item, cited, draft)
    made = draft.claim(cited, at, claim_id, "quote", text=item.cited_text, place=place)
    if made is None:
        return
    if item.start_char_index is not None and item.type == "char_location":
        detail = "they are those of the plain text that was sent: verify with that text"
        draft.note("offsets_of_other_text", at, detail, made)
    if item.type in _BLOCK_KINDS and not place:
        draft.note("blocks_without_map", at, claim_id=made)
    if item.type not in (*_BLOCK_KINDS, *_PLAIN_KINDS):
        draft.note("unknown_kind", at, f"{item.type[:100]!r}, of which the text is taken", made)


_PLAIN_KINDS = ("page_location", "char_location", "web_search_result_location")


def _cited(item: CitationItem) -> Cited:
    """A document's title may be its name; what a search found is named by its `source`."""
    if item.type == "web_search_result_location":
        return Cited.of(item.url, ids=(item.title,))
    if item.type == "search_result_location":
        return Cited.of(item.source, ids=(item.title,))
    index = str(item.document_index) if item.document_index is not None else None
    return Cited.of(item.document_title, ids=(item.file_id, index))


def _place(item: CitationItem, cited: Cited, draft: Draft) -> dict[str, Any]:
    if item.type == "page_location" and item.start_page_number is not None:
        end = item.end_page_number or item.start_page_number + 1
        return dict(pages(item.start_page_number, end - 1))
    if item.type == "char_location" and item.start_char_index is not None:
        end_at = item.end_char_index
        return {"char_start": item.start_char_index, "char_end": end_at} if end_at else {}
    if item.type in _BLOCK_KINDS and item.start_block_index is not None:
        named = draft.source(cited)
        end = item.end_block_index or item.start_block_index + 1
        places = named.blocks if named is not None else None
        return _of_blocks(
            (places or ())[item.start_block_index : end], end - item.start_block_index
        )
    return {}


def _of_blocks(places: tuple[Citation, ...], count: int) -> dict[str, Any]:
    """The place of one block, or the pages of several; nothing where the map leaves one out."""
    if len(places) != count:
        return {}
    if all(place == places[0] for place in places):
        return places[0].model_dump(mode="json", exclude_none=True)
    numbers = [place.page for place in places]
    ends = [place.page_end or place.page for place in places]
    whole = [number for number in (*numbers, *ends) if isinstance(number, int)]
    return dict(pages(min(whole), max(whole))) if len(whole) == 2 * count else {}


CONVERTER = Converter(
    name="anthropic",
    shape='a response with "content", its array of blocks, or an array of citations',
    read=_read,
    kind=Message | list[Block] | list[CitationItem],
    about="Responses of the Anthropic Messages API, or their citations.",
)
