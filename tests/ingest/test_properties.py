"""Whatever is drawn, the reading keeps its promises, and reading again gives the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from drawn import r5, r9, r10, ruled_table, running_header_footer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pdf_writer import Pdf
from reading import Shelf, quote, read, report

from grounding.artifact import PAGE_SEPARATOR, Artifact
from grounding.geometry import Box
from verifier import report_bytes

ROOT = Path(__file__).resolve().parents[2]
UPRIGHT, UP, OVER, DOWN = (1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)

words = st.text("abcdeghmnorstuvz AEIOU0123456789.,-()%$", min_size=1, max_size=24)
placed = st.tuples(
    st.integers(-80, 640),
    st.integers(-80, 820),
    st.sampled_from([1, 4, 7, 9, 12, 12, 12, 30, 90]),
    words,
    st.sampled_from([UPRIGHT, UPRIGHT, UPRIGHT, UP, OVER, DOWN]),
    st.sampled_from([0, 0, 0, 3]),
)
crops = st.one_of(
    st.none(),
    st.tuples(
        st.integers(-20, 300), st.integers(-20, 300), st.integers(310, 640), st.integers(310, 820)
    ),
)
pages = st.tuples(
    st.lists(placed, max_size=9),
    crops,
    st.sampled_from([0, 90, 180, 270]),
    st.sampled_from([1, 1, 2.5]),
    st.booleans(),
)
drawings = st.lists(pages, min_size=1, max_size=3)


def draw(drawing: list[tuple]) -> bytes:
    """The pages of a drawing as a PDF."""
    pdf = Pdf()
    for runs, crop, rotate, unit, ruled in drawing:
        page = pdf.page(crop_box=crop, rotate=rotate, user_unit=unit)
        for x, y, size, text, matrix, mode in runs:
            page.text(x, y, size, text, matrix=matrix, render_mode=mode)
        if ruled:
            for at in range(3):
                page.line(60, 600 - 30 * at, 400, 600 - 30 * at)
                page.line(60 + 170 * at, 600, 60 + 170 * at, 540)
    return pdf.to_bytes()


def check_spans(artifact: Artifact) -> None:
    """Spans are ordered, do not overlap, and lie inside the text and on the page."""
    for page in artifact.pages:
        last = 0
        for start, end, *box, style, _flags, element in page.span_rows():
            assert last <= start < end <= len(page.text)
            assert page.frame.box.contains(Box(*box))
            assert 0 <= style < len(page.styles)
            assert 0 <= element < len(page.elements)
            last = end


def check_elements(artifact: Artifact) -> None:
    """Elements follow each other, and each holds its own spans and no other's."""
    for page in artifact.pages:
        textual = [e for e in page.elements if e.start < e.end]
        assert textual == sorted(textual, key=lambda e: e.start)
        last = 0
        for element in textual:
            assert last <= element.start < element.end <= len(page.text)
            assert page.text[last : element.start].strip() == ""
            assert page.frame.box.contains(element.box)
            last = element.end
        assert page.text[last:].strip() == ""
        for start, end, *box, _style, _flags, number in page.span_rows():
            owner = page.elements[number]
            assert owner.start <= start < end <= owner.end
            assert owner.box.contains(Box(*box))
        covered = sum(end - start for start, end, *_ in page.span_rows())
        assert covered <= len(page.text)


def check_tables(artifact: Artifact) -> None:
    """Cells lie in their table, and their texts are cut out of the page's."""
    for page in artifact.pages:
        for table in page.tables:
            assert page.frame.box.contains(table.box)
            for cell in table.cells:
                assert page.frame.box.contains(cell.box)
                assert 0 <= cell.row < cell.row + cell.row_span <= table.rows
                assert 0 <= cell.col < cell.col + cell.col_span <= table.columns
                pieces = [page.text[start:end] for start, end in cell.ranges]
                assert "\n".join(pieces) == cell.text


relaxed = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@relaxed
@given(drawings)
def test_a_reading_keeps_its_promises(drawing: list[tuple]) -> None:
    """Offsets, order and boxes hold for any text at any place, size, turn and crop."""
    artifact = read(draw(drawing))
    assert len(artifact.pages) == len(drawing)
    check_spans(artifact)
    check_elements(artifact)
    check_tables(artifact)


@settings(relaxed, max_examples=30)
@given(drawings)
def test_what_is_stored_is_what_was_read(tmp_path_factory: object, drawing: list[tuple]) -> None:
    """Out of the store, `document.text[start:end]` is every span's text, its box on the page."""
    folder = tmp_path_factory.mktemp("shelf")  # type: ignore[attr-defined]
    artifact = read(draw(drawing))
    with Shelf(folder) as shelf:
        source = shelf.put_artifact(artifact)
        text = PAGE_SEPARATOR.join(source.page_text(page.number) for page in source.pages)
        for page, content in zip(source.pages, artifact.pages, strict=True):
            assert text[page.start : page.end] == content.text
            boxes = source.char_boxes(page.number)
            assert boxes is not None
            assert len(boxes) == page.end - page.start
            stored = [text[span.start : span.end] for span in source.spans(page.number)]
            assert stored == [content.text[row[0] : row[1]] for row in content.span_rows()]
            for at, span in enumerate(source.spans(page.number)):
                around = boxes.union(span.start - page.start, span.end - page.start)
                assert around is None or span.box.contains(around), at
                assert page.frame.box.contains(span.box)


@settings(relaxed, max_examples=25)
@given(drawings)
def test_reading_twice_gives_the_same_document(drawing: list[tuple]) -> None:
    """The same bytes have one document fingerprint."""
    data = draw(drawing)
    assert read(data).document_fingerprint == read(data).document_fingerprint


@settings(relaxed, max_examples=25)
@given(drawings, drawings)
def test_another_text_is_another_document(one: list[tuple], other: list[tuple]) -> None:
    """Content fingerprints are equal exactly when all page texts are."""
    first, second = read(draw(one)), read(draw(other))
    same = [page.text for page in first.pages] == [page.text for page in second.pages]
    assert (first.content_fingerprint == second.content_fingerprint) is same


# One line in the middle of a page, whatever the page's frame: its words are found where they are.

line_frames = st.tuples(
    st.sampled_from([0, 90, 180, 270]),
    st.one_of(st.none(), st.just((40, 300, 590, 780))),
    st.sampled_from([1, 2.5]),
    st.integers(60, 200),
    st.integers(400, 700),
    st.sampled_from([8, 11, 14]),
    st.booleans(),
)


@settings(relaxed, max_examples=40)
@given(line_frames)
def test_the_box_of_a_quote_is_where_it_was_drawn(tmp_path_factory: object, frame: tuple) -> None:
    """Turned back by plain arithmetic, the evidence's box starts at the pen's place."""
    rotate, crop, unit, x, y, size, _ = frame
    pdf = Pdf()
    page = pdf.page(crop_box=crop, rotate=rotate, user_unit=unit)
    advance = page.text(x, y, size, "Copper mine output rose")
    folder = tmp_path_factory.mktemp("shelf")  # type: ignore[attr-defined]
    with Shelf(folder) as shelf:
        source = shelf.put(pdf.to_bytes())
        x0, y0, x1, y1 = quote(source, "Copper mine output rose", page=1)["evidence"]["bbox"]
        width, height = source.pages[0].frame.width, source.pages[0].frame.height
    left, _bottom, _right, top = crop or (0, 0, 612, 792)
    # From the displayed page back to the unrotated one, its origin at the top left.
    unturned = {
        0: (x0, y0, x1, y1),
        90: (y0, width - x1, y1, width - x0),
        180: (width - x1, height - y1, width - x0, height - y0),
        270: (height - y1, x0, height - y0, x1),
    }[rotate]
    scale = 100 * unit
    pen_x, pen_y = (x - left) * scale, (top - y) * scale
    assert abs(unturned[0] - pen_x) <= scale * size * 0.15
    assert abs(unturned[2] - (pen_x + advance * scale)) <= scale * size * 0.15
    assert unturned[1] < pen_y - 0.5 * size * scale < pen_y <= unturned[3]


# Another process, another hash seed, another folder

CLAIMS = [
    {
        "kind": "quote",
        "text": "reservoir level across the north-west basin",
        "citation": {"page": 1},
    },
    {"kind": "quote", "text": "A mild spring lifted the reservoir", "citation": {"page": 1}},
    {"kind": "value", "value": "12", "citation": {"page": 1}},
    {"kind": "presence", "citation": {"element_id": "e000001"}},
    {"kind": "other", "citation": {}},
]
SCRIPT = """
import sys
sys.path[:0] = sys.argv[1:4]
from pathlib import Path
from test_properties import fingerprints_and_report
fingerprints, data = fingerprints_and_report(Path(sys.argv[4]))
sys.stdout.buffer.write("\\n".join(fingerprints).encode() + b"\\n\\n" + data)
"""


def fingerprints_and_report(folder: Path) -> tuple[list[str], bytes]:
    """Document fingerprints of some drawings, and the bytes of a report on one of them."""
    drawn = [r5(), r9(), r10(), ruled_table(), running_header_footer()]
    with Shelf(folder) as shelf:
        sources = [shelf.put(data, f"drawn{at}.pdf") for at, data in enumerate(drawn)]
        made = report_bytes(report(sources[0], CLAIMS))
        return [source.identity.document_fingerprint for source in sources], made


def test_another_process_gives_the_same_fingerprints_and_bytes(tmp_path: Path) -> None:
    """Hash seed, working folder, time zone and language leave no trace."""
    folders = [tmp_path / name for name in ("here", "there", "work")]
    for folder in folders:
        folder.mkdir()
    fingerprints, data = fingerprints_and_report(folders[0])
    paths = [str(ROOT), str(ROOT / "sample_docs"), str(ROOT / "tests")]
    code = SCRIPT.replace("sys.argv[1:4]", "[*sys.argv[1:4], sys.argv[5]]")
    done = subprocess.run(
        [sys.executable, "-c", code, *paths, str(folders[1]), str(Path(__file__).parent)],
        cwd=folders[2],
        env={**os.environ, "PYTHONHASHSEED": "4242", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    theirs, their_data = done.stdout.split(b"\n\n", 1)
    assert theirs.decode().split("\n") == fingerprints
    assert their_data == data
    assert len(set(fingerprints)) == len(fingerprints)
