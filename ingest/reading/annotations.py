"""Annotations of a page: form fields, notes, links. Their visible text is text of the page and is
flagged; nothing is followed, run or opened."""

from __future__ import annotations

from typing import Any

from grounding.model import DocumentWarning, SpanFlag, WarningCode
from ingest.reading.engine import pymupdf
from ingest.reading.glyphs import GlyphPage
from ingest.reading.pdf import ENGINE_ERRORS

_UNREADABLE = frozenset({"Sound", "Movie", "Screen", "RichMedia", "3D", "FileAttachment"})
"""Annotation types whose content is not text and is not looked into (PDF 32000-1, table 169)."""


def flag_annotations(document: Any, page: Any, glyphs: GlyphPage) -> list[DocumentWarning]:
    """Flags runs that belong to annotations; returns the page's warnings."""
    kind, _ = document.xref_get_key(page.xref, "Annots")
    if kind == "null":
        return []
    try:
        return _flagged(document, page, glyphs)
    except ENGINE_ERRORS as error:
        return [DocumentWarning(WarningCode.UNSUPPORTED_ANNOTATION, 0, str(error)[:200])]


def _flagged(document: Any, page: Any, glyphs: GlyphPage) -> list[DocumentWarning]:
    found: list[DocumentWarning] = []
    # (xref, type, id): asking for these first spares most pages, which have links alone.
    listed = page.annot_xrefs()
    kinds_there = {kind for _, kind, _ in listed}
    widgets: list[Any] = []
    notes: list[tuple[str, Any]] = []
    if pymupdf.PDF_ANNOT_WIDGET in kinds_there:
        widgets = [widget.rect for widget in page.widgets()]
    if kinds_there - {pymupdf.PDF_ANNOT_WIDGET, pymupdf.PDF_ANNOT_LINK}:
        notes = [(note.type[1], note.rect) for note in page.annots()]
    links = [
        xref
        for xref, kind, _ in listed
        if kind == pymupdf.PDF_ANNOT_LINK and document.xref_get_key(xref, "A/URI")[0] != "null"
    ]
    if widgets:
        found.append(DocumentWarning(WarningCode.FORM_FIELDS_PRESENT, 0, f"{len(widgets)} fields"))
    if notes:
        kinds = ", ".join(sorted({name for name, _ in notes}))
        found.append(DocumentWarning(WarningCode.ANNOTATIONS_PRESENT, 0, kinds))
    unreadable = sorted({name for name, _ in notes} & _UNREADABLE)
    if unreadable:
        found.append(DocumentWarning(WarningCode.UNSUPPORTED_ANNOTATION, 0, ", ".join(unreadable)))
    if links:
        found.append(DocumentWarning(WarningCode.EXTERNAL_LINKS_PRESENT, 0, f"{len(links)} links"))
    printed = widgets + [rect for name, rect in notes if name in ("FreeText", "Stamp")]
    _flag_inside(page, glyphs, printed)
    return found


def _flag_inside(page: Any, glyphs: GlyphPage, rects: list[Any]) -> None:
    if not rects:
        return
    places = [(rect * page.rotation_matrix).normalize() for rect in rects]
    for fragment in glyphs.fragments:
        x = (fragment.box[0] + fragment.box[2]) / 2
        y = (fragment.box[1] + fragment.box[3]) / 2
        if any(r.x0 <= x <= r.x1 and r.y0 <= y <= r.y1 for r in places):
            for run in fragment.runs:
                run.flags |= SpanFlag.ANNOTATION
