"""The copy of a page that every table engine reads."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from grounding.geometry import PageFrame


def upright_copy(document: Any, number: int, frame: PageFrame) -> Any:
    """A one-page document that shows page `number` (from 0) as displayed, unrotated and uncropped.

    Table engines disagree about rotated and cropped pages, each silently in its own way; on such a
    copy they agree. Close it after use.
    """
    from ingest.reading.engine import pymupdf

    copy = pymupdf.open()
    copy.insert_pdf(
        document, from_page=number, to_page=number, annots=False, links=False, widgets=False
    )
    page = copy[0]
    page.set_rotation(0)
    for key in ("CropBox", "TrimBox", "BleedBox", "ArtBox", "UserUnit"):
        copy.xref_set_key(page.xref, key, "null")
    box = " ".join(f"{value / 1000:.3f}" for value in frame.crop)
    copy.xref_set_key(page.xref, "MediaBox", f"[{box}]")
    if not frame.rotation:
        return copy
    turned = pymupdf.open()
    scale = frame.user_unit / 1000
    target = turned.new_page(width=frame.width / 100 / scale, height=frame.height / 100 / scale)
    target.show_pdf_page(target.rect, copy, 0, rotate=-frame.rotation)
    return turned


_BYTES: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()


def copy_bytes(page: Any) -> bytes:
    """The bytes of an upright copy, given its page; written once, however many engines ask."""
    data = _BYTES.get(page)
    if data is None:
        data = _BYTES[page] = page.parent.tobytes()
    return data


def copy_corner(page: Any) -> tuple[float, float]:
    """Where the lower left corner of an upright copy's page lies in its own user space."""
    box = page.mediabox
    return float(box.x0), float(box.y0)
