"""Opening bytes as a PDF, or saying by which name they are refused."""

from __future__ import annotations

import re
from typing import Any

from grounding.errors import (
    Damaged,
    EmptyFile,
    NoPages,
    NotAPdf,
    OutOfMemory,
    PasswordRequired,
    Refusal,
    Unsupported,
)
from grounding.geometry import PageFrame
from grounding.model import DocumentWarning, WarningCode
from ingest.reading.engine import pymupdf, take_messages

_HEADER_WINDOW = 1024
"""PDF readers accept junk before the header up to this many bytes (Adobe's implementation note)."""

ENGINE_ERRORS = (
    pymupdf.mupdf.FzErrorBase,
    RuntimeError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    AttributeError,
    OSError,
)
"""What PyMuPDF raises for files that it cannot read, measured over damaged ones. MuPDF's own
exceptions come as they are or as RuntimeErrors."""


def open_pdf(data: bytes) -> Any:
    """A PyMuPDF document with at least one page. Raises a Refusal."""
    if not data:
        raise EmptyFile("the file has no bytes")
    if b"%PDF-" not in data[:_HEADER_WINDOW]:
        raise NotAPdf("there is no %PDF- header in the first 1024 bytes")
    take_messages()
    document = _opened(data)
    if document.needs_pass:
        raise PasswordRequired("the file can only be opened with a password")
    if not document.is_pdf:
        raise NotAPdf("the parser takes the bytes for another format")
    if count_pages(document) < 1:
        raise NoPages("the file holds no page")
    return document


def _opened(data: bytes) -> Any:
    try:
        return pymupdf.open(stream=data, filetype="pdf")
    except MemoryError as error:
        raise OutOfMemory("opening the file took more memory than allowed") from error
    except ENGINE_ERRORS as error:
        raise refusal_for(error, "the file cannot be opened") from error


def refusal_for(error: BaseException, what: str) -> Refusal:
    """The refusal that an engine error means."""
    if error.__cause__ is not None:  # PyMuPDF's "Failed to open stream" hides MuPDF's reason
        error = error.__cause__
    text = f"{error}".lower()
    if "malloc" in text or "out of memory" in text:
        return OutOfMemory(f"{what}: {error}")
    if "authenticate" in text or "or encrypted" in text:
        return PasswordRequired(f"{what}: {error}")
    if "no objects found" in text or "no pages" in text:
        return Damaged(f"{what}: {error}")
    if "unsupported" in text or "unknown encryption" in text:
        return Unsupported(f"{what}: {error}")
    return Damaged(f"{what}: {error}")


def count_pages(document: Any) -> int:
    """Pages as the file claims; a claim may be wrong in either direction."""
    try:
        return int(document.page_count)
    except ENGINE_ERRORS as error:
        raise refusal_for(error, "the pages cannot be counted") from error


def page_frame(document: Any, page: Any) -> PageFrame:
    """The frame of a page, from its own dictionary.

    PyMuPDF's `transformation_matrix` forgets the crop offset of rotated pages, so the boxes are
    read from the file, and trusted when they give the size that MuPDF displays.
    """
    width, height = float(page.rect.width), float(page.rect.height)
    rotation = int(page.rotation)
    user_unit = _user_unit(document, page.xref)
    if rotation in (90, 270):
        width, height = height, width
    crop = _native_crop(document, page.xref)
    if crop is not None:
        stated = (crop[2] - crop[0]) * user_unit, (crop[3] - crop[1]) * user_unit
        if abs(stated[0] - width) < 0.05 and abs(stated[1] - height) < 0.05:
            return PageFrame(_thousandths(crop), rotation, round(user_unit * 1000))
    # A rotation that is no quarter turn, or boxes that MuPDF repaired: only the size is known.
    return PageFrame(_thousandths((0.0, 0.0, width, height)), rotation)


def _thousandths(crop: tuple[float, float, float, float]) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = (round(value * 1000) for value in crop)
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


def _native_crop(document: Any, xref: int) -> tuple[float, float, float, float] | None:
    media = _inherited_box(document, xref, "MediaBox")
    crop = _inherited_box(document, xref, "CropBox")
    if media is None or crop is None:
        return media or crop
    x0, y0 = max(media[0], crop[0]), max(media[1], crop[1])
    x1, y1 = min(media[2], crop[2]), min(media[3], crop[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else media


def _inherited_box(document: Any, xref: int, key: str) -> tuple[float, float, float, float] | None:
    kind, text = _inherited(document, xref, key)
    if kind == "xref":
        text = document.xref_object(int(text.split()[0]))
    numbers = re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)", text)
    if kind == "null" or len(numbers) != 4:
        return None
    x0, y0, x1, y1 = map(float, numbers)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _inherited(document: Any, xref: int, key: str) -> tuple[str, str]:
    for _ in range(32):  # deeper page trees are damaged or hostile
        kind, text = document.xref_get_key(xref, key)
        if kind != "null":
            return kind, text
        kind, parent = document.xref_get_key(xref, "Parent")
        if kind != "xref":
            break
        xref = int(parent.split()[0])
    return "null", ""


def _user_unit(document: Any, xref: int) -> float:
    kind, text = document.xref_get_key(xref, "UserUnit")
    if kind not in ("int", "real", "float"):
        return 1.0
    return max(float(text), 0.001)


def page_labels(document: Any, count: int) -> list[str]:
    """The printed label of every page; empty strings where the file states none."""
    try:
        if not document.get_page_labels():
            return [""] * count
        return [str(document[number].get_label()) for number in range(count)]
    except ENGINE_ERRORS:
        # A damaged label tree costs the labels, which are optional in every PDF.
        return [""] * count


def document_warnings(document: Any) -> list[DocumentWarning]:
    """What the whole file holds besides pages. Nothing of it is ever run or opened."""
    found = []
    if document.is_repaired:
        found.append(DocumentWarning(WarningCode.RECOVERED_FILE, 0, "cross-reference rebuilt"))
    files = _quietly(document.embfile_names)
    if files:
        found.append(
            DocumentWarning(WarningCode.EMBEDDED_FILES_PRESENT, 0, f"{len(files)} embedded")
        )
    catalog = _quietly(lambda: document.xref_object(document.pdf_catalog(), compressed=True)) or ""
    if _has_javascript(document, catalog):
        found.append(DocumentWarning(WarningCode.JAVASCRIPT_PRESENT))
    if _quietly(lambda: document.is_form_pdf):
        found.append(DocumentWarning(WarningCode.FORM_FIELDS_PRESENT))
    return found


def _has_javascript(document: Any, catalog: str) -> bool:
    if "/JavaScript" in catalog:
        return True
    for key in ("OpenAction", "Names", "AA"):
        kind, text = _quietly(
            lambda key=key: document.xref_get_key(document.pdf_catalog(), key)
        ) or (
            "null",
            "",
        )
        if kind == "xref":
            number = int(text.split()[0])
            text = _quietly(lambda number=number: document.xref_object(number, compressed=True))
        if text and ("/JavaScript" in text or "/JS" in text):
            return True
    return False


def _quietly(ask: Any) -> Any:
    """An optional fact; None where the file is too damaged to tell."""
    try:
        return ask()
    except ENGINE_ERRORS:
        return None
