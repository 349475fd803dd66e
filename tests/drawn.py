"""The reported faults as drawn PDFs, one function a case, each returning the bytes of a file.

Numbers are points in PDF user space (origin lower left) unless a docstring says otherwise; pages
are 612 x 792 and text is Helvetica 12 where nothing else is said. Names that start with r and a
number are rows of the table of reported cases.
"""

from collections.abc import Sequence

from drawn_files import (
    R21_LINES,
    empty_file,
    header_only,
    html_named_pdf,
    r21_original,
    r21_resaved,
    r21_twin,
    r22_bad_startxref,
    r22_kids_cycle,
    r22_owner_password,
    r22_user_password,
    truncated_file,
    zero_pages,
)
from drawn_frames import ANCHOR, r1, r2, r3, r20, r23, r23b, text_cut_by_crop, text_outside_page
from drawn_hidden import (
    covered_text,
    hidden_layer,
    r14,
    r14_ocr_layer,
    r26,
    tiny_text,
    white_on_dark,
    white_on_white,
)
from drawn_pages import (
    active_content,
    annotated,
    captions,
    filled_form,
    headings_and_lists,
    running_header_footer,
    spaced_heading,
)
from drawn_tables import R9_SENTENCE, R18_HEADER, R18_ROWS, r9, r9_twin, r15, r17, r18, ruled_table
from drawn_text import (
    R5_LINES,
    R6_SENTENCE,
    R8_SENTENCE,
    R10_SENTENCE,
    decomposed_accent,
    han_spaced,
    no_to_unicode,
    private_use,
    r5,
    r6,
    r7,
    r8,
    r10,
    r13,
    r28,
)
from pdf_writer import Pdf


def plain(*pages: Sequence[str], size: float = 12) -> bytes:
    """Each argument is a page: its lines at x 72, the first at y 720, 1.5 x size apart."""
    pdf = Pdf()
    for lines in pages:
        page = pdf.page()
        for at, line in enumerate(lines):
            page.text(72, 720 - at * size * 1.5, size, line)
    return pdf.to_bytes()


__all__ = [
    "ANCHOR",
    "R5_LINES",
    "R6_SENTENCE",
    "R8_SENTENCE",
    "R9_SENTENCE",
    "R10_SENTENCE",
    "R18_HEADER",
    "R18_ROWS",
    "R21_LINES",
    "active_content",
    "annotated",
    "captions",
    "covered_text",
    "decomposed_accent",
    "empty_file",
    "filled_form",
    "han_spaced",
    "header_only",
    "headings_and_lists",
    "hidden_layer",
    "html_named_pdf",
    "no_to_unicode",
    "plain",
    "private_use",
    "r1",
    "r2",
    "r3",
    "r5",
    "r6",
    "r7",
    "r8",
    "r9",
    "r9_twin",
    "r10",
    "r13",
    "r14",
    "r14_ocr_layer",
    "r15",
    "r17",
    "r18",
    "r20",
    "r21_original",
    "r21_resaved",
    "r21_twin",
    "r22_bad_startxref",
    "r22_kids_cycle",
    "r22_owner_password",
    "r22_user_password",
    "r23",
    "r23b",
    "r26",
    "r28",
    "ruled_table",
    "running_header_footer",
    "spaced_heading",
    "text_cut_by_crop",
    "text_outside_page",
    "tiny_text",
    "truncated_file",
    "white_on_dark",
    "white_on_white",
    "zero_pages",
]
