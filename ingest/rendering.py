"""Rendering crops from the source's own bytes, after these have been checked."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from grounding.crop import CropRequest, RenderedCrop
from grounding.errors import (
    CropError,
    PageNotFoundError,
    Refusal,
    SourceBytesChangedError,
    SourceBytesMissingError,
)
from grounding.fingerprint import same_fingerprint, sha256_fingerprint
from ingest.reading.engine import PARSER_NAME, PARSER_VERSION, pymupdf
from ingest.reading.pdf import ENGINE_ERRORS, count_pages, open_pdf

MAX_PIXELS = 16_000_000
"""A crop has at most this many pixels (48 MB while it is drawn); a larger one is rendered at fewer
dots an inch, and says so."""
_PAGES_KEPT = 8
_MARK = (255, 235, 110)
"""Colour by which marked places are multiplied: black type stays black on it."""
_EDGE = (222, 160, 0)
_LABEL_MARK, _LABEL_EDGE = (205, 228, 255), (70, 130, 200)


def checked_bytes(paths: Iterable[Path], source_fingerprint: str) -> bytes:
    """The bytes of the first of `paths` that still holds the source.

    Raises SourceBytesMissingError when none of the files exists, SourceBytesChangedError when
    those that do are other bytes.
    """
    changed = None
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError:
            continue
        if same_fingerprint(sha256_fingerprint(data), source_fingerprint):
            return data
        changed = path
    if changed is not None:
        raise SourceBytesChangedError(
            f"{changed.name} no longer holds the bytes that were ingested ({source_fingerprint})"
        )
    raise SourceBytesMissingError(f"the bytes of {source_fingerprint} are not where they were")


class PdfRenderer:
    """Renders rectangles of one PDF; implements grounding.crop.CropRenderer.

    Display lists of the last pages are kept: several crops of a page cost one interpretation.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._document = open_pdf(data)
        except Refusal as error:
            raise CropError(f"the source cannot be rendered: {error}") from error
        self._lists: OrderedDict[int, Any] = OrderedDict()

    def render(self, request: CropRequest) -> RenderedCrop:
        """Raises PageNotFoundError and CropError."""
        if not 1 <= request.page <= count_pages(self._document):
            raise PageNotFoundError(f"there is no page {request.page}")
        dpi = _affordable_dpi(request)
        scale = dpi / 72
        x0, y0, x1, y1 = (value / 100 for value in request.clip.as_list())
        try:
            pixmap = self._display_list(request.page).get_pixmap(
                matrix=pymupdf.Matrix(scale, scale),
                colorspace=pymupdf.csRGB,
                alpha=False,
                clip=pymupdf.Rect(x0, y0, x1, y1),
            )
            if request.highlights or request.labels:
                pixmap = _marked(pixmap, request, scale)
            png = pixmap.tobytes("png")
        except ENGINE_ERRORS as error:
            raise CropError(f"page {request.page} cannot be rendered: {error}") from error
        return RenderedCrop(
            request, png, pixmap.width, pixmap.height, dpi, f"{PARSER_NAME} {PARSER_VERSION}"
        )

    def _display_list(self, page: int) -> Any:
        if page not in self._lists:
            self._lists[page] = self._document[page - 1].get_displaylist()
            while len(self._lists) > _PAGES_KEPT:
                self._lists.popitem(last=False)
        self._lists.move_to_end(page)
        return self._lists[page]


def _affordable_dpi(request: CropRequest) -> int:
    """The dots an inch asked for, or as many as the pixel cap allows."""
    pixels = request.clip.width * request.clip.height * (request.dpi / 7200) ** 2
    if pixels <= MAX_PIXELS:
        return request.dpi
    return max(1, math.floor(request.dpi * math.sqrt(MAX_PIXELS / pixels)))


def _marked(pixmap: Any, request: CropRequest, scale: float) -> Any:
    """The picture with its highlights and labels multiplied in and outlined."""
    rows = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.stride)
    picture = rows[:, : pixmap.width * 3].reshape(pixmap.height, pixmap.width, 3).copy()
    marks = [(box, _LABEL_MARK, _LABEL_EDGE) for box in request.labels]
    marks += [(box, _MARK, _EDGE) for box in request.highlights]
    for box, mark, edge in marks:
        left = max(math.floor(box.x0 / 100 * scale) - pixmap.x - 1, 0)
        top = max(math.floor(box.y0 / 100 * scale) - pixmap.y - 1, 0)
        right = min(math.ceil(box.x1 / 100 * scale) - pixmap.x + 1, pixmap.width)
        bottom = min(math.ceil(box.y1 / 100 * scale) - pixmap.y + 1, pixmap.height)
        if left >= right or top >= bottom:
            continue
        part = picture[top:bottom, left:right].astype(np.uint16)
        picture[top:bottom, left:right] = (part * np.array(mark, dtype=np.uint16)) // 255
        picture[bottom - 1, left:right] = edge
        picture[top, left:right] = edge
        picture[top:bottom, left] = edge
        picture[top:bottom, right - 1] = edge
    return pymupdf.Pixmap(pymupdf.csRGB, pixmap.width, pixmap.height, picture.tobytes(), False)
