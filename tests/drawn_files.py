"""Drawn files that are damaged, locked, empty, or the same document in other bytes."""

from pdf_writer import Pdf, assemble, stream

R21_LINES = (
    "Water quality statement of the Lower Valley works",
    "Samples taken in the year: 1,284",
    "Samples above the limit: 17",
)


def r21_original() -> bytes:
    """Three lines at x 72, y 700/684/668, info Producer "Press 1", ModDate 2024-01-31."""
    return _statement(R21_LINES, "Press 1", "D:20240131120000Z", b"original-id-0001")


def r21_resaved() -> bytes:
    """The page of `r21_original` with another Producer, ModDate and /ID: same text, other bytes."""
    return _statement(R21_LINES, "Other Saver 7", "D:20240615080000Z", b"resaved-id-00002")


def r21_twin() -> bytes:
    """`r21_original` with 17 turned into 19: the same length, one digit of text differs."""
    lines = (*R21_LINES[:2], R21_LINES[2].replace("17", "19"))
    return _statement(lines, "Press 1", "D:20240131120000Z", b"original-id-0001")


def r22_bad_startxref() -> bytes:
    """One page, "Repaired words" at 72, 700; startxref points 17 bytes too far."""
    pdf = Pdf()
    pdf.page().text(72, 700, 12, "Repaired words")
    return pdf.to_bytes(startxref_shift=17)


def r22_kids_cycle() -> bytes:
    """One good page, "Good page" at 72, 700; the second kid of the page tree is the tree itself."""
    content = b"BT /F1 12 Tf 72 700 Td (Good page) Tj ET"
    return assemble(
        {
            1: b"<</Type /Catalog /Pages 2 0 R>>",
            2: b"<</Type /Pages /Kids [3 0 R 2 0 R] /Count 2>>",
            3: b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
            b" /Resources <</Font <</F1 5 0 R>>>>>>",
            4: stream(content),
            5: b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
        }
    )


def r22_user_password(password: str = "open-me") -> bytes:
    """ "Locked words" at 72, 700, AES-256, opened by `password` only."""
    return _locked("Locked words", owner="owner-secret", user=password)


def r22_owner_password() -> bytes:
    """ "Free words" at 72, 700, AES-256 with an owner password only: it opens without one."""
    return _locked("Free words", owner="owner-secret", user="")


def empty_file() -> bytes:
    """No bytes."""
    return b""


def html_named_pdf() -> bytes:
    """A web page, for a file name that ends in .pdf."""
    return b"<!DOCTYPE html><html><body><p>Service unavailable</p></body></html>\n"


def header_only() -> bytes:
    """The first line of a PDF and no more."""
    return b"%PDF-1.7\n"


def zero_pages() -> bytes:
    """A valid file whose page tree is empty."""
    return Pdf().to_bytes()


def truncated_file(keep: float = 0.66) -> bytes:
    """Three pages of 40 lines, cut off after the share `keep` of the bytes."""
    pdf = Pdf()
    for number in range(1, 4):
        page = pdf.page()
        for line in range(40):
            page.text(
                72, 740 - 16 * line, 11, f"Page {number}, line {line + 1} of the long record."
            )
    data = pdf.to_bytes()
    return data[: int(len(data) * keep)]


def _statement(lines: tuple[str, ...], producer: str, changed: str, file_id: bytes) -> bytes:
    """Draw lines at x 72 from y 700 under the given metadata."""
    pdf = Pdf({"Producer": producer, "ModDate": changed}, file_id)
    page = pdf.page()
    for at, line in enumerate(lines):
        page.text(72, 700 - 16 * at, 12, line)
    return pdf.to_bytes()


def _locked(words: str, *, owner: str, user: str) -> bytes:
    """Encrypt a one-line page. PyMuPDF picks the keys, so these bytes differ from run to run."""
    import pymupdf  # slow to import, and only the locked files need it

    pdf = Pdf()
    pdf.page().text(72, 700, 12, words)
    with pymupdf.open(stream=pdf.to_bytes(), filetype="pdf") as document:
        data: bytes = document.tobytes(
            encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw=owner, user_pw=user, permissions=-3904
        )
    return data
