"""Documents of LangChain."""

from __future__ import annotations

from typing import Any

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.convert.model import Converter, Draft
from verifier.convert.naming import Cited
from verifier.convert.own import own_claim
from verifier.convert.shapes import Foreign, PageIndex, PageNumber, Path, expected, shaped

_LISTS = ("source_documents", "context", "documents")


class DocumentMetadata(Foreign):
    """What loaders write: `page` counts from 0, `page_number` from 1. `pagewitness` is the citation
    of this project's own loader, as JSON text."""

    source: str | None = None
    file_path: str | None = None
    file_name: str | None = None
    filename: str | None = None
    page: PageIndex | None = None
    page_number: PageNumber | None = None
    page_label: str | None = None
    pagewitness: str | None = None


class Document(Foreign):
    page_content: str | None = None
    id: str | None = None
    metadata: DocumentMetadata | None = None


class Constructor(Foreign):
    """A document as LangChain serializes objects."""

    kwargs: Document


class Answer(Foreign):
    """What chains return, under the names that they give to the documents."""

    source_documents: list[Document | Constructor] | None = None
    context: list[Document | Constructor] | None = None
    documents: list[Document | Constructor] | None = None


def _read(data: bytes, draft: Draft) -> None:
    value = load_json(data, refusal=ConversionInvalidError)
    if isinstance(value, list):
        _documents(value, (), draft)
        return
    if not isinstance(value, dict):
        raise expected("neither an object nor an array")
    keys = [key for key in _LISTS if value.get(key) is not None]
    if not keys and "page_content" in value:
        _documents([value], (), draft)
        return
    if not keys:
        raise expected("no documents under any of " + ", ".join(_LISTS))
    for key in keys:
        if not isinstance(value[key], list):
            raise expected("no array of documents", (key,))
        _documents(value[key], (key,), draft)


def _documents(items: list[Any], at: Path, draft: Draft) -> None:
    for number, item in enumerate(items):
        place = (*at, number)
        if isinstance(item, dict) and "kwargs" in item:
            made: Constructor = shaped(Constructor, item, place)
            _document(made.kwargs, (*place, "kwargs"), f"d{number}", draft)
        else:
            _document(shaped(Document, item, place), place, f"d{number}", draft)


def _document(document: Document, at: Path, claim_id: str, draft: Draft) -> None:
    if document.page_content is None:
        draft.lose("no_text", at)
        return
    metadata = document.metadata or DocumentMetadata()
    if own_claim(metadata.pagewitness, document.page_content, at, claim_id, draft):
        return
    names = (metadata.source, metadata.file_path, metadata.file_name, metadata.filename)
    cited = Cited.of(*names, ids=(document.id,))
    place = _place(metadata)
    made = draft.claim(cited, at, claim_id, "quote", text=document.page_content, place=place)
    if made is not None and _contradicts(metadata):
        draft.note("pages_differ", at, claim_id=made)
    if made is not None and "page_label" in place:
        draft.note("page_label_only", at, claim_id=made)


def _place(metadata: DocumentMetadata) -> dict[str, Any]:
    """A number is used rather than a label: documents without printed labels have none."""
    if _contradicts(metadata):
        return {}
    if metadata.page is not None:
        return {"page": metadata.page + 1}
    if metadata.page_number is not None:
        return {"page": metadata.page_number}
    label = metadata.page_label
    return {"page_label": label} if label and label.strip() else {}


def _contradicts(metadata: DocumentMetadata) -> bool:
    """Whether two numbers are given that are not those of one page."""
    page, number = metadata.page, metadata.page_number
    return page is not None and number is not None and page + 1 != number


CONVERTER = Converter(
    name="langchain",
    shape='an array of documents with "page_content", or an object that holds one under '
    + ", ".join(f'"{name}"' for name in _LISTS),
    read=_read,
    kind=Answer | Document | list[Document | Constructor],
    about="Documents that LangChain retrieved.",
)
