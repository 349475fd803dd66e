"""Every table engine reads the same upright copy and says where the cells are on the page shown."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise, product

import pytest
from drawn import r15, ruled_table
from drawn_frames import TURNS
from drawn_grids import DEPOTS
from pdf_writer import LETTER, Pdf, Rect, text_width

from grounding.artifact import TableContent
from grounding.geometry import Box
from ingest.reading.page import read_page
from ingest.reading.pdf import open_pdf
from ingest.tables import plumber, registry, upright
from ingest.tables.cells import build_table
from ingest.tables.engines import (
    EngineFailed,
    EngineUnavailable,
    FoundTable,
    TableEngine,
    engine,
    engine_names,
    grid,
    register,
)
from ingest.tables.view import PageView

RULED = ("ruled", "pymupdf-lines", "pdfplumber-lines", "camelot-lattice", "camelot-hybrid")
"""Engines that follow rules; their edges are the rules. The others' lie around the text."""
ALIGNED = ("aligned", "camelot-stream", "camelot-network")
MODEL = ("pymupdf-union",)
ENGINES = (*RULED, *ALIGNED, *MODEL)
ROWS = DEPOTS
XS = (150, 270, 340, 410, 480)
YS = tuple(620 - 24 * at for at in range(len(ROWS) + 1))


@dataclass(frozen=True)
class Frame:
    """What is odd about a page."""

    rotate: int = 0
    media_box: Rect = LETTER
    crop_box: Rect | None = None
    user_unit: float = 1

    @property
    def name(self) -> str:
        odd = [f"rotated {self.rotate}"] if self.rotate else []
        odd += ["media box offset"] if self.media_box != LETTER else []
        odd += ["cropped"] if self.crop_box else []
        odd += ["user unit"] if self.user_unit != 1 else []
        return ", ".join(odd) or "plain"


CROPS: tuple[Rect | None, ...] = (None, (100, 200, 512, 700))
MEDIA: tuple[Rect, ...] = (LETTER, (-50, -60, 562, 732))
FRAMES = [
    *(Frame(*odd) for odd in product(TURNS, MEDIA, CROPS)),
    Frame(user_unit=2),
    Frame(90, MEDIA[1], CROPS[1], 2),
]


def drawn(frame: Frame) -> bytes:
    """ROWS ruled at XS and YS of user space; labels left, numbers right-aligned."""
    pdf = Pdf()
    page = pdf.page(
        frame.media_box,
        crop_box=frame.crop_box,
        rotate=frame.rotate,
        user_unit=frame.user_unit,
    )
    for at, row in enumerate(ROWS):
        page.text(XS[0] + 6, YS[at] - 16, 11, row[0])
        for right, cell in zip(XS[2:], row[1:], strict=True):
            page.text(right - 6 - text_width("Helvetica", 11, cell), YS[at] - 16, 11, cell)
    for x in XS:
        page.line(x, YS[0], x, YS[-1])
    for y in YS:
        page.line(XS[0], y, XS[-1], y)
    return pdf.to_bytes()


def made(name: str) -> TableEngine:
    try:
        return engine(name)
    except EngineUnavailable as error:
        pytest.skip(f"the package {error.package} is not installed")


@contextmanager
def viewed(data: bytes) -> Iterator[PageView]:
    """What engines may look at of a document's first page."""
    document = open_pdf(data)
    reading = read_page(document, document[0], 0)
    yield PageView(document, document[0], reading.content, reading.boxes, len(reading.vectors))
    document.close()


def shown(rect: tuple[float, float, float, float]) -> tuple[float, ...]:
    """A rectangle in points of the displayed page, in centipoints."""
    return tuple(value * 100 for value in rect)


def box_of(view: PageView, x0: float, y0: float, x1: float, y1: float) -> Box:
    """Where a rectangle of user space is displayed."""
    box = view.content.frame.native_box(x0, y0, x1, y1)
    assert box is not None
    return box


def filled(view: PageView, found: FoundTable) -> TableContent:
    """The table with the characters of its page."""
    table = build_table(found, view.content, view.boxes, "tested")
    assert table is not None
    return table


def texts(table: TableContent) -> list[list[str]]:
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.col] = cell.text
    return rows


def near(rect: tuple[float, ...], box: Box, by: float) -> bool:
    return all(abs(a - b) <= by for a, b in zip(rect, box.as_list(), strict=True))


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.name)
@pytest.mark.parametrize("name", RULED)
def test_an_engine_of_rules_finds_every_cell_where_it_is_shown(name: str, frame: Frame) -> None:
    """Its cells are the drawn ones, to half a unit, whatever the page's boxes and rotation."""
    finder = made(name)
    with viewed(drawn(frame)) as view:
        (found,) = finder.find(view)
        assert texts(filled(view, found)) == [list(row) for row in ROWS]
        rects = [shown(cell.rect) for cell in found.cells]
        for top, bottom in pairwise(YS):
            for left, right in pairwise(XS):
                box = box_of(view, left, bottom, right, top)
                assert sum(near(rect, box, 50 * frame.user_unit) for rect in rects) == 1
        whole = box_of(view, XS[0], YS[-1], XS[-1], YS[0])
        assert near(shown(found.rect), whole, 50 * frame.user_unit)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.name)
@pytest.mark.parametrize("name", ALIGNED)
def test_an_engine_of_text_finds_every_cell_where_it_is_shown(name: str, frame: Frame) -> None:
    """Its cells lie within the drawn table and hold the drawn texts."""
    finder = made(name)
    with viewed(drawn(frame)) as view:
        (found,) = finder.find(view)
        assert texts(filled(view, found)) == [list(row) for row in ROWS]
        x0, y0, x1, y1 = shown(found.rect)
        whole = box_of(view, XS[0], YS[-1], XS[-1], YS[0])
        assert whole.contains(Box(round(x0), round(y0), round(x1), round(y1)), 100)


@pytest.mark.parametrize("name", MODEL)
@pytest.mark.parametrize("frame", [f for f in FRAMES if not f.rotate], ids=lambda f: f.name)
def test_the_model_finds_the_table_where_it_is_shown(name: str, frame: Frame) -> None:
    """On level text; what a model makes of sideways text is its own affair."""
    finder = made(name)
    with viewed(drawn(frame)) as view:
        (found,) = finder.find(view)
        assert texts(filled(view, found)) == [list(row) for row in ROWS]


@pytest.mark.parametrize("name", RULED)
def test_sideways_text_on_an_upright_page_keeps_its_place(name: str) -> None:
    """camelot turns the page until the text is level; its answer is turned back."""
    finder = made(name)
    with viewed(r15()) as view:
        (found,) = finder.find(view)
        assert near(shown(found.rect), box_of(view, 180, 200, 270, 560), 50)
        assert texts(filled(view, found))[0] == ["Year", "Import", "Export"]


@pytest.mark.parametrize("name", RULED)
def test_a_heading_over_two_columns_is_one_cell(name: str) -> None:
    """Where no rule parts two cells, they are one with a span."""
    pdf = Pdf()
    page = pdf.page()
    for x, y, text in (
        (78, 684, "Depot"), (210, 684, "Tonnes"), (200, 660, "2023"), (320, 660, "2024"),
        (78, 636, "Alder"), (200, 636, "120"), (320, 636, "135"),
    ):  # fmt: skip
        page.text(x, y, 11, text)
    for y in (700, 628, 652):
        page.line(72, y, 412, y)
    page.line(192, 676, 412, 676)
    for x in (72, 192, 412):
        page.line(x, 700, x, 628)
    page.line(302, 676, 302, 628)
    finder = made(name)
    with viewed(pdf.to_bytes()) as view:
        (found,) = finder.find(view)
        cells = {c.text: (c.row, c.col, c.row_span, c.col_span) for c in filled(view, found).cells}
    assert cells["Tonnes"] == (0, 1, 1, 2)
    assert cells["135"] == (2, 2, 1, 1)
    assert cells["Depot"] == (0, 0, 2, 1)


def test_a_line_over_two_columns_is_not_cut() -> None:
    """Text engines know columns and no spans; a line that crosses columns is one cell."""
    pdf = Pdf()
    page = pdf.page()
    page.text(150, 640, 11, "Tonnes handled at all of the depots")
    for at, row in enumerate(ROWS):
        for x, cell in zip((72, 152, 232, 312), row, strict=True):
            page.text(x, 620 - 14 * at, 11, cell)
    finder = made("camelot-stream")
    with viewed(pdf.to_bytes()) as view:
        (found,) = finder.find(view)
        table = filled(view, found)
    assert "Tonnes handled at all of the depots" in [cell.text for cell in table.cells]
    assert texts(table)[1:] == [list(row) for row in ROWS]


@pytest.mark.parametrize("name", [*RULED, "aligned"])
def test_a_page_without_rules_and_text_has_no_table(name: str) -> None:
    finder = made(name)
    pdf = Pdf()
    pdf.page()
    with viewed(pdf.to_bytes()) as view:
        assert finder.find(view) == []


def test_all_built_in_engines_are_registered() -> None:
    assert set(ENGINES) == set(engine_names())


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_has_the_name_under_which_it_is_registered(name: str) -> None:
    assert made(name).name == name


def test_a_second_engine_of_a_name_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="pymupdf-lines is registered already"):
        register("pymupdf-lines", lambda: engine("pymupdf-lines"))


def test_an_unknown_engine_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        engine("abacus")


def test_a_new_engine_is_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others come in by the same door."""

    class Own:
        name = "own"

        def find(self, view: PageView) -> list[FoundTable]:
            return []

    monkeypatch.setattr(registry, "_ENGINES", dict(registry._ENGINES))
    register("own", Own)
    assert "own" in engine_names()
    assert isinstance(engine("own"), Own)


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [
        ("pdfplumber-lines", "pdfplumber", "pdfplumber"),
        *((f"camelot-{kind}", "camelot", "camelot-py")
          for kind in ("lattice", "stream", "network", "hybrid")),
    ],
)  # fmt: skip
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, package: str
) -> None:
    """The error says which engine and which package, also after a journey between processes."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(EngineUnavailable) as caught:
        engine(name)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.name, error.package) == (name, package)
    assert str(error) == f"table engine {name} needs the package {package}"


def test_a_build_without_the_model_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The light build of PyMuPDF would silently answer with other tables."""
    monkeypatch.setattr("ingest.tables.mupdf.find_spec", lambda name: None)
    with pytest.raises(EngineUnavailable, match="pymupdf-layout"):
        engine("pymupdf-union")


def test_an_entry_loads_its_package_only_when_it_is_made() -> None:
    """Registering all of them costs none of their imports."""
    code = (
        "import sys; import ingest.tables.engines as e; assert e.engine_names();"
        "loaded = {'pdfplumber', 'camelot', 'pandas', 'cv2', 'pymupdf'} & set(sys.modules);"
        "sys.exit(', '.join(sorted(loaded)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_copys_bytes_are_written_once() -> None:
    """Engines in a cascade share them."""
    with viewed(ruled_table()) as view:
        assert upright.copy_bytes(view.upright) is upright.copy_bytes(view.upright)


def test_a_failing_parser_is_one_kind_of_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever another package raises arrives as EngineFailed, with what it was."""
    finder = made("pdfplumber-lines")
    assert isinstance(finder, plumber.PlumberLines)

    def broken(file: object) -> None:
        raise ZeroDivisionError("no width")

    monkeypatch.setattr(finder, "_open", broken)
    with (
        viewed(ruled_table()) as view,
        pytest.raises(EngineFailed, match="pdfplumber-lines failed: ZeroDivisionError: no width"),
    ):
        finder.find(view)


def test_cells_in_one_row_make_no_grid() -> None:
    """Fewer than two rows and columns are a frame or a line."""
    assert grid([(0, 0, 50, 20), (50, 0, 100, 20)]) is None
    assert grid([]) is None


def test_edges_that_nearly_meet_are_one() -> None:
    """Rules have a width: 1.5 units apart is the same edge."""
    found = grid([(0, 0, 50, 20), (51, 0, 100, 20), (0, 21, 50, 40), (50.5, 20.5, 100, 40)])
    assert found is not None
    assert (found.rows, found.columns, len(found.cells)) == (2, 2, 4)
