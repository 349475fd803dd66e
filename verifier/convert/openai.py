"""Annotations of OpenAI: Responses, messages of assistants' threads, chat completions."""

from __future__ import annotations

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.convert.answers import Mark, Passage, add_passages, passages
from verifier.convert.model import Converter, Draft
from verifier.convert.naming import Cited
from verifier.convert.shapes import Foreign, Index, Path, expected, shaped


class FileQuote(Foreign):
    """The file of an assistant's annotation; older ones quote it."""

    file_id: str | None = None
    quote: str | None = None


class UrlSource(Foreign):
    url: str | None = None
    title: str | None = None


class Annotation(Foreign):
    """Any annotation. `start_index` and `end_index` count in the answer's text; `index` counts
    files and is not read."""

    type: str
    text: str | None = None
    start_index: Index | None = None
    end_index: Index | None = None
    file_id: str | None = None
    filename: str | None = None
    file_citation: FileQuote | None = None
    url: str | None = None
    title: str | None = None
    url_citation: UrlSource | None = None


class TextValue(Foreign):
    """The text of a message of a thread."""

    value: str
    annotations: list[Annotation] | None = None


class Part(Foreign):
    """A part of a message: of a response, `text` is a string; of a thread, an object."""

    type: str | None = None
    text: str | TextValue | None = None
    annotations: list[Annotation] | None = None


class SearchResult(Foreign):
    file_id: str | None = None
    filename: str | None = None
    text: str | None = None


class Item(Foreign):
    """An item of a response, or a message of a thread or a chat."""

    type: str | None = None
    content: list[Part] | str | None = None
    annotations: list[Annotation] | None = None
    results: list[SearchResult] | None = None


class Choice(Foreign):
    message: Item


class Response(Foreign):
    output: list[Item]


class Completion(Foreign):
    choices: list[Choice]


class Messages(Foreign):
    data: list[Item]


def _read(data: bytes, draft: Draft) -> None:
    value = load_json(data, refusal=ConversionInvalidError)
    if isinstance(value, dict) and "output" in value:
        _items(shaped(Response, value).output, ("output",), draft, "o")
    elif isinstance(value, dict) and "choices" in value:
        for number, choice in enumerate(shaped(Completion, value).choices):
            _item(choice.message, ("choices", number, "message"), draft, f"m{number}")
    elif isinstance(value, dict) and "data" in value:
        _items(shaped(Messages, value).data, ("data",), draft, "m")
    elif isinstance(value, dict) and ("content" in value or "annotations" in value):
        _item(shaped(Item, value), (), draft, "m0")
    elif isinstance(value, list):
        _items(shaped(list[Item], value), (), draft, "m")
    else:
        raise expected("neither a response nor messages")


def _items(items: list[Item], at: Path, draft: Draft, letter: str) -> None:
    for number, item in enumerate(items):
        _item(item, (*at, number), draft, f"{letter}{number}")


def _item(item: Item, at: Path, draft: Draft, name: str) -> None:
    for number, result in enumerate(item.results or ()):
        _result(result, (*at, "results", number), draft, f"{name}.r{number}")
    text = item.content if isinstance(item.content, str) else ""
    _annotations(item.annotations or [], text, (*at, "annotations"), draft, name)
    for number, part in enumerate(item.content if isinstance(item.content, list) else ()):
        place, part_name = (*at, "content", number), f"{name}.p{number}"
        if isinstance(part.text, TextValue):
            inner = (*place, "text", "annotations")
            _annotations(part.text.annotations or [], part.text.value, inner, draft, part_name)
        else:
            inner = (*place, "annotations")
            _annotations(part.annotations or [], part.text or "", inner, draft, part_name)


def _result(result: SearchResult, at: Path, draft: Draft, claim_id: str) -> None:
    cited = Cited.of(result.filename, ids=(result.file_id,))
    if result.text is None:
        draft.lose("no_text", at)
    else:
        draft.claim(cited, at, claim_id, "quote", text=result.text)


def _annotations(
    annotations: list[Annotation], text: str, at: Path, draft: Draft, name: str
) -> None:
    """Annotations in their order: with a quote, with a place in the answer, or with neither."""
    placed = {n: mark for n, item in enumerate(annotations) if (mark := _mark(item, text))}
    numbers = list(placed)
    said: dict[int, list[Passage]] = {}
    for passage in passages(text, list(placed.values())):
        said.setdefault(numbers[passage.mark], []).append(passage)
    for number, item in enumerate(annotations):
        place, claim_id = (*at, number), f"{name}.a{number}"
        if item.type not in _KINDS:
            draft.lose("unknown_kind", place, repr(item.type[:100]))
        elif item.file_citation is not None and item.file_citation.quote:
            quote = item.file_citation.quote
            draft.claim(_cited(item), place, claim_id, "quote", text=quote)
        elif number in said:
            add_passages(said[number], _cited(item), place, draft, claim_id)
        else:
            _lose(item, place, draft)


_KINDS = ("file_citation", "container_file_citation", "url_citation")


def _mark(item: Annotation, text: str) -> Mark | None:
    """Where an annotation stands in its text. Addresses are not looked up in it: what they annotate
    is a link, and no statement."""
    start, end = item.start_index, item.end_index
    if item.type == "url_citation" or start is None or end is None:
        return None
    if not start < end <= len(text) or item.text not in (None, text[start:end]):
        return None
    return Mark(start, end, repr(_cited(item)))


def _lose(item: Annotation, at: Path, draft: Draft) -> None:
    cited = _cited(item)
    if cited.url and draft.source(cited) is None:
        draft.lose("url_not_a_document", at, repr(cited.url[:100]))
    else:
        draft.lose("no_text", at)


def _cited(item: Annotation) -> Cited:
    if item.type == "url_citation":
        url = item.url_citation.url if item.url_citation else item.url
        return Cited.of(url)
    inner = item.file_citation.file_id if item.file_citation else None
    return Cited.of(item.filename, ids=(item.file_id, inner))


CONVERTER = Converter(
    name="openai",
    shape='a response with "output", a list of messages, or a completion with "choices"',
    read=_read,
    kind=Response | Completion | Messages | Item | list[Item],
    about="Responses, thread messages and chat completions of OpenAI with their annotations.",
)
