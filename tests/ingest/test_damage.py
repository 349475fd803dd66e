"""Damage and identity: what can be read is read, what cannot is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import (
    empty_file,
    header_only,
    html_named_pdf,
    plain,
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
from pdf_writer import assemble, stream
from reading import GROUNDED, Shelf, codes, quote, read, report, verdict

from grounding.errors import Refusal
from grounding.model import WarningCode
from ingest.reading.document import PageLimits


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        yield shelf


# Identity


def test_a_resave_has_other_bytes_and_the_same_content() -> None:
    """Producer, date and /ID differ: source and document fingerprints do, all others do not."""
    one, other = read(r21_original()), read(r21_resaved())
    assert one.source.sha256 != other.source.sha256
    assert one.source.blake3 != other.source.blake3
    assert one.document_fingerprint != other.document_fingerprint
    assert one.content_fingerprint == other.content_fingerprint
    assert one.page_fingerprints == other.page_fingerprints
    assert one.pages_sha256 == other.pages_sha256


def test_one_digit_makes_another_content() -> None:
    """17 turned into 19 at the same length changes every fingerprint."""
    one, twin = read(r21_original()), read(r21_twin())
    assert one.source.size == twin.source.size
    assert one.source.sha256 != twin.source.sha256
    assert one.content_fingerprint != twin.content_fingerprint
    assert one.page_fingerprints != twin.page_fingerprints
    assert one.document_fingerprint != twin.document_fingerprint


def test_moved_text_is_the_same_content_in_another_place() -> None:
    """The content fingerprint knows words alone; the page's knows where they stand."""
    one, moved = read(plain(["The same words."])), read(plain(["The same words."], size=14))
    assert one.content_fingerprint == moved.content_fingerprint
    assert one.page_fingerprints != moved.page_fingerprints


def test_an_update_touches_the_pages_that_it_changes() -> None:
    """Of three pages one differs, wherever the others come to stand."""
    one = read(plain(["First."], ["Second."], ["Third."])).page_fingerprints
    changed = read(plain(["First."], ["Another second."], ["Third."])).page_fingerprints
    longer = read(plain(["New."], ["First."], ["Second."], ["Third."])).page_fingerprints
    assert [a == b for a, b in zip(one, changed, strict=True)] == [True, False, True]
    assert longer[1:] == one


def test_reading_twice_gives_the_same_fingerprints() -> None:
    """Nothing of the run is in them."""
    one, again = read(r21_original()), read(r21_original())
    assert one.document_fingerprint == again.document_fingerprint
    assert one.payload_sha256 == again.payload_sha256


def test_options_are_part_of_the_identity() -> None:
    """Read without tables it is another document of the same source."""
    one, other = read(r21_original()), read(r21_original(), tables="off")
    assert one.source == other.source
    assert one.document_fingerprint != other.document_fingerprint


# Files that cannot be opened


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (empty_file(), "empty_file"),
        (html_named_pdf(), "not_a_pdf"),
        (b"PK\x03\x04" + bytes(2_000), "not_a_pdf"),
        (b"\x89PNG\r\n\x1a\n" + bytes(2_000), "not_a_pdf"),
        (header_only(), "damaged"),
        (b"%PDF-1.7\n" + bytes(5_000), "damaged"),
        (zero_pages(), "no_pages"),
        (r22_user_password(), "password_required"),
        (bytes(1_025) + plain(["Too late a header."]), "not_a_pdf"),
    ],
    ids=[
        "empty",
        "html",
        "zip",
        "png",
        "header only",
        "zeros",
        "no pages",
        "locked",
        "late header",
    ],
)
def test_what_cannot_be_read_is_refused_by_name(data: bytes, code: str) -> None:
    """A refusal with a stable code, never the parser's own error."""
    with pytest.raises(Refusal) as refused:
        read(data)
    assert refused.value.code == code
    assert "Traceback" not in str(refused.value)


def test_junk_before_the_header_is_allowed(shelf: Shelf) -> None:
    """Up to 1024 bytes of it, as other readers do."""
    source = shelf.put(b"junk\n" * 100 + plain(["Words after junk."]))
    assert verdict(quote(source, "Words after junk.", page=1)) == GROUNDED


def test_an_owner_password_alone_locks_nothing(shelf: Shelf) -> None:
    """The file opens without one: plain success."""
    source = shelf.put(r22_owner_password())
    assert verdict(quote(source, "Free words", page=1)) == GROUNDED
    assert codes(source) == set()


# Files that are damaged in part


def test_a_wrong_startxref_is_recovered(shelf: Shelf) -> None:
    """The page is read and the file marked as recovered."""
    source = shelf.put(r22_bad_startxref())
    assert verdict(quote(source, "Repaired words", page=1)) == GROUNDED
    assert codes(source, 0) == {"recovered_file"}
    assert "recovered_file" in report(source, [])["warnings"]
    assert codes(shelf.put(plain(["Sound words"]), "sound.pdf")) == set()


def test_a_cycle_in_the_page_tree_costs_the_pages_in_it(shelf: Shelf) -> None:
    """The good page is kept, the other one failed; nothing on it is called absent."""
    source = shelf.put(r22_kids_cycle())
    assert [page.status for page in source.pages] == ["ok", "failed"]
    assert "partial_parse" in codes(source)
    assert verdict(quote(source, "Good page", page=1)) == GROUNDED
    assert verdict(quote(source, "Good page", page=2)) == ("capability_blocked", "page_failed")
    assert verdict(quote(source, "Other page", page=1)) == ("mismatch", "text_mismatch")
    assert verdict(quote(source, "Other page")) == ("capability_blocked", "page_failed")
    assert read(r22_kids_cycle()).partial


def test_a_truncated_file_keeps_the_pages_that_are_whole(shelf: Shelf) -> None:
    """Page 1 is complete, page 2 lost its end, page 3 all of it, and each says so."""
    source = shelf.put(truncated_file())
    first, second, third = source.pages
    assert (first.status, third.status) == ("ok", "failed")
    assert "recovered_file" in codes(source, 0)
    assert codes(source, 1) == set()
    assert codes(source, 2) == codes(source, 3) == {"partial_parse"}
    assert verdict(quote(source, "Page 1, line 40 of the long record.", page=1)) == GROUNDED
    made = quote(source, "Page 2, line 3 of the long record.", page=2)
    assert (verdict(made), made["warnings"]) == (GROUNDED, ["partial_parse"])
    lost = quote(source, "Page 3, line 3 of the long record.", page=3)
    assert verdict(lost) == ("capability_blocked", "page_failed")
    assert second.status == "ok"


def test_what_a_damaged_page_lost_is_not_called_absent_without_a_word(shelf: Shelf) -> None:
    """The last line of page 2 was cut off: the check says at least that the page is partial."""
    source = shelf.put(truncated_file())
    made = quote(source, "Page 2, line 40 of the long record.", page=2)
    assert made["status"] == "capability_blocked" or "partial_parse" in made["warnings"]
    whole = quote(source, "Page 1, line 41 of the long record.", page=1)
    assert (verdict(whole), whole["warnings"]) == (("mismatch", "text_mismatch"), [])


@pytest.mark.parametrize("keep", [0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99])
def test_a_file_cut_anywhere_is_read_or_refused(keep: float) -> None:
    """Whatever is left, the parser's own errors do not come through."""
    refused = artifact = None
    try:
        artifact = read(truncated_file(keep))
    except Refusal as error:
        refused = error
    if artifact is None:
        assert refused is not None
        assert refused.code in ("damaged", "no_pages")
    else:
        assert any(page.text for page in artifact.pages)
        assert WarningCode.RECOVERED_FILE in {w.code for w in artifact.warnings}


def without_content(number: int) -> bytes:
    """Three one-line pages of which page `number` names a content stream that does not exist."""
    objects: dict[int, bytes] = {
        1: b"<</Type /Catalog /Pages 2 0 R>>",
        2: b"<</Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3>>",
        9: b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
    }
    for page in (1, 2, 3):
        content = 99 if page == number else 5 + page
        objects[2 + page] = (
            b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources <</Font <</F1 9 0 R>>>>>>" % content
        )
        objects[5 + page] = stream(b"BT /F1 12 Tf 72 700 Td (Words of page %d) Tj ET" % page)
    return assemble(objects)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_one_unreadable_page_costs_that_page(shelf: Shelf, number: int) -> None:
    """The two others are read under their own numbers."""
    source = shelf.put(without_content(number))
    for page in source.pages:
        made = quote(source, f"Words of page {page.number}", page=page.number)
        if page.number == number:
            assert page.status == "failed"
            assert made["status"] == "capability_blocked"
            assert codes(source, page.number) == {"partial_parse"}
        else:
            assert verdict(made) == GROUNDED


def test_a_page_that_earlier_attempts_died_on_is_left_out(shelf: Shelf) -> None:
    """It stands in its place as failed, with the reason as its warning."""
    data = plain(["First page."], ["Second page."], ["Third page."])
    source = shelf.put(data, limits=PageLimits(failed={1: "the parser crashed"}))
    assert [page.status for page in source.pages] == ["ok", "failed", "ok"]
    assert [(w.page, w.detail) for w in source.warnings] == [(2, "the parser crashed")]
    assert verdict(quote(source, "Third page.", page=3)) == GROUNDED
    assert verdict(quote(source, "Second page.", page=2)) == ("capability_blocked", "page_failed")


def test_a_file_none_of_whose_pages_can_be_read_is_refused() -> None:
    """All pages failed: there is nothing to cite."""
    with pytest.raises(Refusal) as refused:
        read(plain(["Only page."]), limits=PageLimits(failed={0: "the parser crashed"}))
    assert refused.value.code == "damaged"


def test_a_page_count_that_claims_too_much_is_corrected(shelf: Shelf) -> None:
    """Five claimed pages of which one exists: that one is read, and the gap is told."""
    data = plain(["Only page."])
    claimed = re.sub(rb"/Count 1\b", b"/Count 5", data)
    assert claimed != data
    source = shelf.put(claimed)
    assert verdict(quote(source, "Only page.", page=1)) == GROUNDED
    assert "partial_parse" in codes(source)
    assert quote(source, "Only page.", page=5)["status"] != "grounded"
    assert codes(shelf.put(data, "right.pdf")) == set()


def test_a_damaged_content_stream_is_no_blank_page(shelf: Shelf) -> None:
    """A page whose operators are noise must not answer that a quote is not there."""
    good = plain(["Words that were here once."])
    noise = re.sub(rb"BT /\S+ 12 Tf", b"\x81\x9d \x7f<< (", good)
    assert noise != good
    source = shelf.put(noise)
    made = quote(source, "Words that were here once.", page=1)
    assert made["status"] == "capability_blocked"
    assert "partial_parse" in codes(source, 1)
