"""Documents and answers of Haystack."""

from __future__ import annotations

from typing import Any

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.convert.model import Converter, Draft, pages
from verifier.convert.naming import Cited
from verifier.convert.own import own_claim
from verifier.convert.shapes import Foreign, Index, PageNumber, Path, expected, shaped

MOST_PAGES = 10_000


class Meta(Foreign):
    """What converters and splitters write: `page_number` is the page, from 1, on which a split
    begins; `split_idx_start` counts in the text that was split. `pagewitness` is
    the citation of this project's own loader, as JSON text."""

    file_path: str | None = None
    file_name: str | None = None
    page_number: PageNumber | None = None
    split_idx_start: Index | None = None
    pagewitness: str | None = None


class Document(Meta):
    """A document; it is written with its meta inside, or spread out beside the content."""

    id: str | None = None
    content: str | None = None
    meta: Meta | None = None


class Span(Foreign):
    start: Index
    end: Index


class AnswerParts(Foreign):
    """A generated answer has `documents`, an extracted one `document` and what stands in it."""

    data: str | None = None
    answer: str | None = None
    documents: list[Document] | None = None
    document: Document | None = None
    document_offset: Span | None = None


class SerializedAnswer(Foreign):
    """An answer as Haystack serializes objects."""

    init_parameters: AnswerParts


class Result(Foreign):
    """What pipelines return."""

    documents: list[Document] | None = None
    answers: list[SerializedAnswer | AnswerParts] | None = None


def _read(data: bytes, draft: Draft) -> None:
    value = load_json(data, refusal=ConversionInvalidError)
    if isinstance(value, list):
        _documents(shaped(list[Document], value), (), draft, "d")
        return
    if not isinstance(value, dict) or not any(value.get(key) for key in ("documents", "answers")):
        if isinstance(value, dict) and ("documents" in value or "answers" in value):
            shaped(Result, value)
            return
        raise expected("neither documents nor answers")
    documents = shaped(list[Document] | None, value.get("documents"), ("documents",))
    _documents(documents or [], ("documents",), draft, "d")
    answers = value.get("answers") or []
    if not isinstance(answers, list):
        raise expected("no array of answers", ("answers",))
    for number, item in enumerate(answers):
        place = ("answers", number)
        if isinstance(item, dict) and "init_parameters" in item:
            parts = shaped(SerializedAnswer, item, place).init_parameters
            _answer(parts, (*place, "init_parameters"), f"a{number}", draft)
        else:
            _answer(shaped(AnswerParts, item, place), place, f"a{number}", draft)


def _documents(documents: list[Document], at: Path, draft: Draft, name: str) -> None:
    for number, document in enumerate(documents):
        place, claim_id = (*at, number), f"{name}{number}"
        if document.content is None:
            draft.lose("no_text", place)
            continue
        meta = document.meta or document
        if own_claim(meta.pagewitness, document.content, place, claim_id, draft):
            continue
        where = _pages(meta, document.content)
        made = draft.claim(
            _cited(document), place, claim_id, "quote", text=document.content, place=where
        )
        if made is not None and meta.split_idx_start is not None:
            draft.note("offsets_of_other_text", place, claim_id=made)


def _answer(answer: AnswerParts, at: Path, name: str, draft: Draft) -> None:
    """The documents of a generated answer; of an extracted one what it takes from its document."""
    if answer.documents is not None:
        _documents(answer.documents, (*at, "documents"), draft, f"{name}.d")
    if answer.document is None:
        if answer.documents is None:
            draft.lose("document_unnamed", at)
        return
    text = answer.data if answer.data is not None else answer.answer
    if text is None:
        draft.lose("no_text", at)
        return
    where = _pages_of_answer(answer, answer.document)
    made = draft.claim(_cited(answer.document), at, name, "quote", text=text, place=where)
    if made is not None and answer.document_offset is not None:
        draft.note("offsets_of_other_text", at, claim_id=made)


def _pages_of_answer(answer: AnswerParts, document: Document) -> dict[str, Any]:
    """The pages of its document's text, or the one on which it stands."""
    meta, content = document.meta or document, document.content or ""
    span = answer.document_offset
    if meta.page_number is None or span is None:
        return _pages(meta, content)
    before = min(content.count("\f", 0, span.start), MOST_PAGES)
    inside = min(content.count("\f", span.start, span.end), MOST_PAGES)
    return dict(pages(meta.page_number + before, meta.page_number + before + inside))


def _pages(meta: Meta, content: str) -> dict[str, Any]:
    """Form feeds part the pages of a text; those at its ends begin or end nothing that is cited."""
    if meta.page_number is None:
        return {}
    first = meta.page_number + content[: len(content) - len(content.lstrip())].count("\f")
    return dict(pages(first, first + min(content.strip().count("\f"), MOST_PAGES)))


def _cited(document: Document) -> Cited:
    meta = document.meta or document
    return Cited.of(meta.file_path, meta.file_name, ids=(document.id,))


CONVERTER = Converter(
    name="haystack",
    shape='an array of documents, or an object with "documents" or "answers"',
    read=_read,
    kind=Result | list[Document],
    about="Documents and answers of Haystack.",
)
