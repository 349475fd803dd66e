"""Crops against bare `get_pixmap` of the same rectangles."""

from __future__ import annotations

from pathlib import Path

from measure import line, paired

from grounding.crop import CropRequest
from grounding.geometry import Box
from ingest.reading.engine import pymupdf
from ingest.rendering import PdfRenderer

_DPI = 144
_PER_PAGE = 10
_PAGES = 8


def run(files: list[Path], rounds: int) -> None:
    """Prints the crop rows."""
    data = max(files, key=lambda file: file.stat().st_size).read_bytes()
    places = _places(data)
    pair = paired(lambda: _ours(data, places), lambda: _bare(data, places), rounds)
    low, high = pair.spread
    each = sorted(pair.ours)[len(pair.ours) // 2] / len(places) * 1000
    line(
        f"{len(places)} crops, {_PER_PAGE} a page: CPU by bare get_pixmap and PNG",
        f"{pair.ratio:.2f} ({low:.2f}–{high:.2f}); {each:.1f} ms a crop",
    )


def _places(data: bytes) -> list[tuple[int, Box]]:
    document = pymupdf.open(stream=data, filetype="pdf")
    places = []
    for number in range(min(_PAGES, document.page_count)):
        width, height = (int(v * 100) for v in document[number].rect[2:])
        band = height // (_PER_PAGE + 1)
        places += [(number + 1, Box(0, i * band, width, (i + 1) * band)) for i in range(_PER_PAGE)]
    return places


def _ours(data: bytes, places: list[tuple[int, Box]]) -> None:
    renderer = PdfRenderer(data)
    for page, box in places:
        renderer.render(CropRequest(page, box, (), _DPI))


def _bare(data: bytes, places: list[tuple[int, Box]]) -> None:
    document = pymupdf.open(stream=data, filetype="pdf")
    for page, box in places:
        clip = pymupdf.Rect(*(value / 100 for value in box.as_list()))
        document[page - 1].get_pixmap(dpi=_DPI, clip=clip).tobytes("png")
