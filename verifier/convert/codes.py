"""The codes of notes, and what each says; docs/convert.md has the same table."""

from __future__ import annotations

from typing import Literal

NoteCode = Literal[
    "nothing_cited",
    "document_unnamed",
    "url_not_a_document",
    "source_unknown",
    "unknown_kind",
    "no_text",
    "empty_text",
    "value_not_text",
    "normalised_value",
    "sentence_too_long",
    "no_quotation",
    "repeated",
    "no_page",
    "page_range",
    "page_label_only",
    "pages_differ",
    "blocks_without_map",
    "box_not_read",
    "reference_unknown",
    "offsets_of_other_text",
    "description_not_printed_text",
    "table_as_cells",
]

CODES: dict[NoteCode, str] = {
    "nothing_cited": "the input holds no citation",
    "document_unnamed": "the citation names no document; give --document or a sources map",
    "url_not_a_document": "an address is no document of a store; the sources map can name one",
    "source_unknown": "the answer cites a source that is not listed",
    "unknown_kind": "this kind of citation is not read",
    "no_text": "the citation says nothing of what stands in the document",
    "empty_text": "the cited text is empty",
    "value_not_text": "a yes or no, an empty value or such a number is not printed as it is given",
    "normalised_value": "the value is written in the form of the service, not as it is printed",
    "sentence_too_long": "what is cited is longer than a sentence that a claim can be made of",
    "no_quotation": "the cited sentence quotes nothing: it is a claim of kind other, "
    "which is never grounded",
    "repeated": "the same sentence cites this source already",
    "no_page": "no page is cited; the whole document is searched",
    "page_range": "several pages are cited; the text may stand on any of them",
    "page_label_only": "only a printed page label is cited; in a document without labels it is "
    "the number of the page",
    "pages_differ": "two pages are given where there is one; the whole document is searched",
    "blocks_without_map": "blocks are cited whose places the sources map does not give",
    "box_not_read": "the box cannot be read",
    "reference_unknown": "what the field refers to is not in the input",
    "offsets_of_other_text": "the offsets count in another text than the document's",
    "description_not_printed_text": "the text describes what is seen; only that something stands "
    "in the box is checked",
    "table_as_cells": "the table's cells are claims of their own; its rows and columns are not "
    "checked",
}
"""Every code with the sentence that begins its message."""
