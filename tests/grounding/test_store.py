"""The grounding store: what goes in comes out, whole, in one state, or not at all."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import (
    BODY,
    LETTER,
    artifact,
    box_arrays,
    char_rects,
    letter,
    page,
    rects_of,
    table,
    text_box,
)
from proving import recomputed

from grounding.artifact import PAGE_SEPARATOR, Artifact
from grounding.canonical import canonical_sha256
from grounding.errors import (
    DocumentAmbiguousError,
    DocumentNotFoundError,
    NotAStoreError,
    OutputError,
    StoreBusyError,
    StoreDamagedError,
    StoreNotFoundError,
    StoreVersionError,
    UsageError,
)
from grounding.fingerprint import fingerprint_bytes
from grounding.geometry import PageFrame
from grounding.model import DocumentWarning, ElementKind, SpanFlag, Style, WarningCode
from grounding.store import (
    LedgerRow,
    StoredSource,
    StoreReader,
    StoreWriter,
    VersionKey,
    check_source_id,
    connection,
)
from grounding.store.schema import MIGRATION_NAMES

ROOT = Path(__file__).parents[2]

ROWS = (("Item", "2023"), ("Sales", "1,204"), ("Costs", "(310)"))
TABLE_TEXT = "Item 2023\nSales 1,204\nCosts (310)"
FIRST = ("Annual review", "The river rose by two metres.\nThe bridge held.")


def sample() -> Artifact:
    """Two pages: a heading and a paragraph; a table of three rows, on a turned and cropped page."""
    second = page(
        TABLE_TEXT,
        frame=PageFrame((100_000, 200_000, 512_000, 700_000), 90),
        label="ii",
        kinds={0: ElementKind.TABLE},
        tables=[table(TABLE_TEXT, ROWS)],
        warnings=[DocumentWarning(WarningCode.LOW_CONFIDENCE_TABLE_STRUCTURE, 0, "ruled in part")],
    )
    second.elements[0].table = 0
    second.styles.append(Style("Times-Bold", 1200, 0x8000FF))
    second.spans[6 + 9], second.spans[7 + 9] = 1, int(SpanFlag.BOLD | SpanFlag.LOW_CONTRAST)
    return artifact(
        page(*FIRST, label="i", kinds={0: ElementKind.HEADING}),
        second,
        data=b"%PDF-1.7 sample",
        options={"tables": "auto", "reader": "by-hand-1"},
        warnings=[DocumentWarning(WarningCode.RECOVERED_FILE, 0, "cross-reference rebuilt")],
    )


def put(path: Path, document: Artifact, name: str = "a.pdf", source_id: str = "a") -> Artifact:
    """Stores a document as found at /in/NAME; returns it."""
    with StoreWriter(path) as writer:
        writer.add_document(document, f"/in/{name}", name, source_id)
    return document


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "grounding.db"


@pytest.fixture
def stored(path: Path) -> Iterator[StoredSource]:
    put(path, sample())
    with StoreReader(path) as reader:
        yield reader.open("a")


class TestRoundTrip:
    """A document comes back as it was read."""

    def test_the_text_and_what_the_pages_are(self, stored: StoredSource) -> None:
        one, two = stored.pages
        assert stored.page_text(1) == "\n".join(FIRST)
        assert stored.page_text(2) == TABLE_TEXT
        assert (one.id, one.number, one.label, one.start, one.end) == ("p0001", 1, "i", 0, 60)
        assert (two.id, two.number, two.label, two.start, two.end) == ("p0002", 2, "ii", 61, 94)
        assert one.frame == LETTER
        assert two.frame == PageFrame((100_000, 200_000, 512_000, 700_000), 90)
        assert (one.status, two.status) == ("ok", "ok")

    def test_a_span_is_its_piece_of_the_documents_text(self, stored: StoredSource) -> None:
        text = PAGE_SEPARATOR.join(stored.page_text(p.number) for p in stored.pages)
        found = [(s.id, s.page, text[s.start : s.end]) for p in (1, 2) for s in stored.spans(p)]
        assert found == [
            ("s000001", 1, "Annual review"),
            ("s000002", 1, "The river rose by two metres."),
            ("s000003", 1, "The bridge held."),
            ("s000004", 2, "Item 2023"),
            ("s000005", 2, "Sales 1,204"),
            ("s000006", 2, "Costs (310)"),
        ]

    def test_a_span_keeps_its_box_style_flags_and_element(self, stored: StoredSource) -> None:
        span = stored.spans(2)[1]
        assert span.box == text_box(TABLE_TEXT, 10, 21)
        assert stored.styles(2)[span.style] == Style("Times-Bold", 1200, 0x8000FF)
        assert stored.styles(1) == (BODY,)
        assert span.flags == SpanFlag.BOLD | SpanFlag.LOW_CONTRAST
        assert [s.element for p in (1, 2) for s in stored.spans(p)] == [1, 2, 2, 3, 3, 3]

    def test_elements_are_numbered_through_the_document(self, stored: StoredSource) -> None:
        text = PAGE_SEPARATOR.join(stored.page_text(p.number) for p in stored.pages)
        elements = [e for p in (1, 2) for e in stored.elements(p)]
        assert [(e.id, e.page, e.kind, e.level, e.table) for e in elements] == [
            ("e000001", 1, ElementKind.HEADING, 1, 0),
            ("e000002", 1, ElementKind.PARAGRAPH, 0, 0),
            ("e000003", 2, ElementKind.TABLE, 0, 1),
        ]
        assert [text[e.start : e.end] for e in elements] == [*FIRST, TABLE_TEXT]
        assert elements[1].box == text_box("\n".join(FIRST), 14, 60)

    def test_every_character_has_its_box(self, stored: StoredSource) -> None:
        for number, text in ((1, "\n".join(FIRST)), (2, TABLE_TEXT)):
            boxes = stored.char_boxes(number)
            assert boxes is not None
            assert rects_of(boxes) == char_rects(text)

    def test_a_table_and_its_cells(self, stored: StoredSource) -> None:
        (found,) = stored.tables(2)
        assert stored.tables(1) == ()
        assert (found.id, found.page, found.rows, found.columns) == ("t0001", 2, 3, 2)
        assert (found.engine, found.trusted) == ("by hand", True)
        grid = [[getattr(found.cell_at(r, c), "text", None) for c in (0, 1)] for r in (0, 1, 2)]
        assert grid == [list(row) for row in ROWS]
        cell = found.cell_at(2, 1)
        assert cell is not None
        assert cell.box == text_box(TABLE_TEXT, 28, 33)
        assert cell.ranges == ((61 + 28, 61 + 33),)
        assert [c.header for c in found.cells] == [True, True, False, False, False, False]
        assert found.cell_at(3, 0) is None

    def test_warnings_of_the_document_come_first_then_those_of_its_pages(
        self, stored: StoredSource
    ) -> None:
        assert list(stored.warnings) == [
            DocumentWarning(WarningCode.RECOVERED_FILE, 0, "cross-reference rebuilt"),
            DocumentWarning(WarningCode.LOW_CONFIDENCE_TABLE_STRUCTURE, 2, "ruled in part"),
        ]

    def test_its_identity_and_who_read_it(self, stored: StoredSource) -> None:
        read = sample()
        identity = stored.identity
        assert (identity.source_id, identity.name) == ("a", "a.pdf")
        assert identity.document_fingerprint == read.document_fingerprint
        assert identity.source_fingerprint == fingerprint_bytes(b"%PDF-1.7 sample").sha256
        assert identity.blake3 == fingerprint_bytes(b"%PDF-1.7 sample").blake3
        assert identity.content_fingerprint == read.content_fingerprint
        assert identity.aliases == frozenset()
        assert stored.payload_sha256 == read.payload_sha256
        assert stored.parser.as_dict() == {"name": "by-hand", "version": "1.0"}
        assert stored.options == {"tables": "auto", "reader": "by-hand-1"}

    def test_what_it_can_prove(self, path: Path, stored: StoredSource) -> None:
        """Without a table finder there is no telling whether a table is there."""
        assert stored.capabilities.tables
        assert stored.capabilities.coordinate_origin == "top-left"
        put(path, letter(tables="off"), "b.pdf", "b")
        with StoreReader(path) as reader:
            assert not reader.open("b").capabilities.tables

    def test_ids_find_what_they_name_and_nothing_else(self, stored: StoredSource) -> None:
        element = stored.find_element("e000003")
        span = stored.find_span("s000005")
        found = stored.find_table("t0001")
        assert element == stored.elements(2)[0]
        assert span == stored.spans(2)[1]
        assert found == stored.tables(2)[0]
        for wrong in ("e000004", "e000000", "e3", "e0000003", "s000003", "", "e", "e-00001",
                      "e00000３", f"e{'9' * 30}", "e000003 "):  # fmt: skip
            assert stored.find_element(wrong) is None
        assert stored.find_span("e000003") is None
        assert stored.find_table("t1") is None

    def test_a_page_that_failed_is_a_page_without_anything(self, path: Path) -> None:
        put(path, artifact(page("All is well."), page(status="failed")))
        with StoreReader(path) as reader:
            source = reader.open("a")
            assert [p.status for p in source.pages] == ["ok", "failed"]
            assert (source.pages[1].start, source.pages[1].end) == (13, 13)
            assert (source.page_text(2), source.elements(2), source.spans(2)) == ("", (), ())
            boxes = source.char_boxes(2)
            assert boxes is not None
            assert len(boxes) == 0

    def test_text_that_databases_trip_over_survives(self, path: Path) -> None:
        text = "quote ' \" \\ 漢 \U0001d11e e\u0301 \u200b \ufffe NUL-free %_"
        put(path, artifact(page(text)))
        with StoreReader(path) as reader:
            source = reader.open("a")
            (span,) = source.spans(1)
            assert source.page_text(1) == text
            assert source.page_text(1)[span.start : span.end] == text

    def test_counts_and_warning_codes_are_told_to_the_writer(self, path: Path) -> None:
        document = put(path, sample())
        with StoreWriter(path) as writer:
            told = writer.describe(document.document_fingerprint)
        assert (told.source_id, told.pages, told.elements, told.spans, told.tables) == (
            "a", 2, 3, 6, 1
        )  # fmt: skip
        assert told.warnings == ("low_confidence_table_structure", "recovered_file")
        assert json.loads(told.options) == {"tables": "auto", "reader": "by-hand-1"}


class TestFingerprints:
    """What changes an identity, and what does not."""

    def test_the_name_and_the_place_do_not(self, path: Path) -> None:
        put(path, letter(), "a.pdf", "a")
        with StoreReader(path) as reader:
            before = reader.open("a").identity
        other = path.with_name("other.db")
        put(other, letter(), "renamed.pdf", "z")
        with StoreReader(other) as reader:
            after = reader.open("z").identity
        assert after.document_fingerprint == before.document_fingerprint
        assert after.name == "renamed.pdf"

    def test_text_boxes_options_parser_bytes_labels_and_warnings_do(self) -> None:
        """Each alone, and each differently."""
        moved = page("One line.")
        moved.box_arrays = box_arrays([(x + 1, y, x2 + 1, y2)
                                       for x, y, x2, y2 in char_rects("One line.")])  # fmt: skip
        styled = page("One line.")
        styled.styles[0] = Style("Times-Roman", 1001, 0)
        flagged = page("One line.")
        flagged.spans[7] = int(SpanFlag.HIDDEN)
        lowered = page("One line.")
        lowered.elements[0].level = 2
        noted = page("One line.", warnings=[DocumentWarning(WarningCode.GARBLED_TEXT)])
        warned = DocumentWarning(WarningCode.JAVASCRIPT_PRESENT)
        documents = {
            "as it is": artifact(page("One line.")),
            "text": artifact(page("One lime.")),
            "box": artifact(moved),
            "style": artifact(styled),
            "flag": artifact(flagged),
            "level": artifact(lowered),
            "frame": artifact(page("One line.", frame=PageFrame((0, 0, 612_000, 792_001)))),
            "status": artifact(page("One line.", status="garbled")),
            "label": artifact(page("One line.", label="1")),
            "page warning": artifact(noted),
            "document warning": artifact(page("One line."), warnings=[warned]),
            "options": artifact(page("One line."), options={"tables": "off"}),
            "parser": artifact(page("One line."), parser_version="1.1"),
            "bytes": artifact(page("One line."), data=b"%PDF-1.7 saved again"),
            "a second page": artifact(page("One line."), page()),
        }
        fingerprints = {name: d.document_fingerprint for name, d in documents.items()}
        assert len(set(fingerprints.values())) == len(documents)
        again = artifact(page("One line.")).document_fingerprint
        assert again == fingerprints["as it is"]

    def test_a_re_save_of_the_same_content_keeps_the_content_fingerprint(self) -> None:
        one = artifact(page("One line."), data=b"%PDF-1.7 first")
        two = artifact(page("One line."), data=b"%PDF-1.7 second", options={"tables": "off"})
        twin = artifact(page("One lime."), data=b"%PDF-1.7 first")
        assert one.content_fingerprint == two.content_fingerprint
        assert twin.content_fingerprint != one.content_fingerprint

    def test_text_moved_over_a_page_end_changes_the_content_fingerprint(self) -> None:
        one = artifact(page("One"), page("line."))
        two = artifact(page("One\fline."))
        assert one.content_fingerprint != two.content_fingerprint

    def test_a_page_that_moved_keeps_its_fingerprint(self) -> None:
        """So that an update tells which pages it touched."""
        one = artifact(page("First."), page("Second.", label="2"))
        two = artifact(page("New."), page("First."), page("Second.", label="3"))
        assert two.page_fingerprints[1:] == one.page_fingerprints
        assert one.payload_sha256 != two.payload_sha256

    def test_the_document_fingerprint_is_that_of_its_manifest(self) -> None:
        document = sample()
        assert document.document_fingerprint == f"sha256:{canonical_sha256(document.manifest())}"
        assert document.manifest() == {
            "options": {"tables": "auto", "reader": "by-hand-1"},
            "parser": {"name": "by-hand", "version": "1.0"},
            "payload_sha256": document.payload_sha256,
            "schema_version": "1.0.0",
            "source_fingerprint": fingerprint_bytes(b"%PDF-1.7 sample").sha256,
        }

    def test_stored_pages_prove_their_fingerprints(self, stored: StoredSource) -> None:
        """From nothing but what the reader gives: a store that was edited gives itself away."""
        assert [recomputed(stored, p.number) for p in stored.pages] == [
            p.fingerprint for p in stored.pages
        ]

    @pytest.mark.parametrize(
        "edit",
        [
            "UPDATE pages SET text = replace(text, 'river', 'lake!') WHERE number = 1",
            "UPDATE spans SET x0 = x0 + 1 WHERE number = 2",
            "UPDATE spans SET flags = 8 WHERE number = 3",
            "UPDATE elements SET kind = 'footer' WHERE number = 1",
        ],
    )
    def test_an_edited_page_does_not_prove_its_fingerprint(self, path: Path, edit: str) -> None:
        put(path, sample())
        raw = sqlite3.connect(path)
        with raw:
            assert raw.execute(edit).rowcount == 1
        raw.close()
        with StoreReader(path) as reader:
            source = reader.open("a")
            assert recomputed(source, 1) != source.pages[0].fingerprint
            assert recomputed(source, 2) == source.pages[1].fingerprint


class TestVersions:
    """A source points at document versions; the newest is the current one."""

    def test_a_new_version_supersedes_the_old_one_which_stays(self, path: Path) -> None:
        old, new = put(path, letter("Old text.")), put(path, letter("New text."))
        with StoreReader(path) as reader:
            rows = [(r.version, r.document_fingerprint, r.current) for r in reader.sources()]
            assert rows == [
                (1, old.document_fingerprint, False),
                (2, new.document_fingerprint, True),
            ]
            assert reader.open("a").page_text(1) == "New text."
            by_pin = reader.find(old.document_fingerprint)
            assert (by_pin.version, by_pin.current) == (1, False)
            assert reader.document(by_pin).page_text(1) == "Old text."
            assert reader.current(by_pin) == reader.find("a")

    def test_pins_on_older_versions_are_told_by_their_number(self, path: Path) -> None:
        old, new = put(path, letter("Old text.")), put(path, letter("New text."))
        with StoreReader(path) as reader:
            for pin in (old.document_fingerprint, old.source.sha256, old.source.blake3):
                assert [v for v, _ in reader.versions_pinned_by("a", pin)] == [1]
            ((version, identity),) = reader.versions_pinned_by("a", new.source.sha256)
            assert (version, identity.document_fingerprint) == (2, new.document_fingerprint)
            assert reader.versions_pinned_by("a", f"sha256:{'0' * 64}") == []
            assert reader.versions_pinned_by("b", old.document_fingerprint) == []

    def test_going_back_to_old_bytes_makes_them_the_newest_version(self, path: Path) -> None:
        old = put(path, letter("Old text."))
        put(path, letter("New text."))
        with StoreWriter(path) as writer:
            writer.add_version(
                old.document_fingerprint, "/in/a.pdf", "a.pdf", "a", old.source.sha256
            )
        with StoreReader(path) as reader:
            key = reader.find(old.document_fingerprint)
            assert (key.version, key.current) == (3, True)
            pinned = reader.versions_pinned_by("a", old.document_fingerprint)
            assert [version for version, _ in pinned] == [1, 3]
            assert [r.version for r in reader.sources()] == [1, 2, 3]

    def test_what_is_current_already_gets_no_new_version(self, path: Path) -> None:
        document = put(path, letter())
        with StoreWriter(path) as writer:
            assert writer.is_current("a", document.document_fingerprint)
            writer.add_version(
                document.document_fingerprint, "/in/b.pdf", "b.pdf", "a", document.source.sha256
            )
        with StoreReader(path) as reader:
            assert [r.version for r in reader.sources()] == [1]
            assert reader.find("b.pdf") == reader.find("a")

    def test_one_document_may_be_a_version_of_two_sources(self, path: Path) -> None:
        document = put(path, letter(), "a.pdf", "a")
        with StoreWriter(path) as writer:
            writer.add_version(
                document.document_fingerprint, "/in/b.pdf", "b.pdf", "b", document.source.sha256
            )
        with StoreReader(path) as reader:
            assert reader.open("b").identity.name == "b.pdf"
            assert reader.open("a").identity.name == "a.pdf"
            assert reader.find(document.document_fingerprint).source_id == "a"


class TestFind:
    """The names under which a document can be asked for."""

    def test_by_source_id_file_name_and_each_fingerprint(self, path: Path) -> None:
        document = put(path, letter(), "report 2023.pdf", "report")
        put(path, letter("Something else."), "other.pdf", "other")
        with StoreReader(path) as reader:
            key = VersionKey("report", 1, 1, True)
            for doc in ("report", "report 2023.pdf", document.document_fingerprint,
                        document.source.sha256, document.source.blake3):  # fmt: skip
                assert reader.find(doc) == key

    @pytest.mark.parametrize(
        "doc", ["", "Report", "report.pdf", "/in/a.pdf", "%", f"sha256:{'0' * 64}", "sha256:0"]
    )
    def test_what_names_nothing_is_not_guessed(self, path: Path, doc: str) -> None:
        put(path, letter(), "a.pdf", "report")
        with StoreReader(path) as reader, pytest.raises(DocumentNotFoundError):
            reader.find(doc)

    def test_the_content_fingerprint_is_no_name(self, path: Path) -> None:
        document = put(path, letter())
        with StoreReader(path) as reader, pytest.raises(DocumentNotFoundError):
            reader.find(document.content_fingerprint)

    def test_a_name_that_two_sources_share_is_ambiguous_and_they_are_listed(
        self, path: Path
    ) -> None:
        with StoreWriter(path) as writer:
            writer.add_document(letter("One."), "/in/2022/report.pdf", "report.pdf", "r-2022")
            writer.add_document(letter("Two."), "/in/2023/report.pdf", "report.pdf", "r-2023")
        with StoreReader(path) as reader:
            with pytest.raises(DocumentAmbiguousError, match="r-2022, r-2023"):
                reader.find("report.pdf")
            assert reader.open("r-2023").page_text(1) == "Two."

    def test_two_sources_with_one_document_are_not_ambiguous(self, path: Path) -> None:
        document = put(path, letter(), "a.pdf", "a")
        with StoreWriter(path) as writer:
            writer.add_version(
                document.document_fingerprint, "/copy/a.pdf", "a.pdf", "b", document.source.sha256
            )
        with StoreReader(path) as reader:
            assert reader.find("a.pdf").source_id == "a"

    def test_a_re_save_is_found_under_its_own_name_and_fingerprints(self, path: Path) -> None:
        """And pins the document; the bytes that were read stay its source fingerprint."""
        document = put(path, letter())
        saved = fingerprint_bytes(b"%PDF-1.7 the same, saved again")
        with StoreWriter(path) as writer:
            writer.add_alias(document.document_fingerprint, saved, "/in/copy.pdf", "copy.pdf", "a")
            assert writer.find_bytes(saved) == [document.document_fingerprint]
        with StoreReader(path) as reader:
            key = reader.find("a")
            for doc in ("copy.pdf", saved.sha256, saved.blake3):
                assert reader.find(doc) == key
            identity = reader.document(key).identity
            assert identity.aliases == {saved.sha256, saved.blake3}
            assert identity.is_pinned_by(saved.sha256)
            assert identity.source_fingerprint == document.source.sha256
            assert [r.version for r in reader.sources()] == [1]

    def test_the_same_re_save_found_again_changes_nothing(self, path: Path) -> None:
        document = put(path, letter())
        saved = fingerprint_bytes(b"%PDF-1.7 the same, saved again")
        with StoreWriter(path) as writer:
            for name in ("copy.pdf", "copy.pdf", "other copy.pdf"):
                writer.add_alias(document.document_fingerprint, saved, f"/in/{name}", name, "a")
        with StoreReader(path) as reader:
            assert reader.locations(saved.sha256) == ["/in/copy.pdf", "/in/other copy.pdf"]
            assert reader.open("a").identity.aliases == {saved.sha256, saved.blake3}

    def test_a_copy_of_the_same_bytes_is_a_second_location_and_no_alias(self, path: Path) -> None:
        document = put(path, letter())
        with StoreWriter(path) as writer:
            writer.add_alias(
                document.document_fingerprint, document.source, "/in/b.pdf", "b.pdf", "a"
            )
        with StoreReader(path) as reader:
            assert reader.open("b.pdf").identity.aliases == frozenset()
            assert reader.locations(document.source.sha256) == ["/in/a.pdf", "/in/b.pdf"]

    def test_search_finds_words_of_current_versions_only(self, path: Path) -> None:
        put(path, letter("The marmot sleeps."))
        put(path, letter("The badger sleeps."))
        put(path, letter("The marmot wakes."), "b.pdf", "b")
        with StoreReader(path) as reader:
            assert [(k.source_id, n) for k, n in reader.search("marmot", 5)] == [("b", 1)]
            assert reader.search("walrus", 5) == []

    def test_search_puts_the_element_that_says_most_about_a_word_first(self, path: Path) -> None:
        long = "A marmot once sat by the river and looked at the boats, the mills and the weirs."
        put(path, artifact(page(long, "Marmot, marmot.", "No such animal here.")))
        with StoreReader(path) as reader:
            assert [number for _, number in reader.search("marmot", 5)] == [2, 1]
            assert [number for _, number in reader.search("marmot", 1)] == [2]


class TestWriter:
    """Ids, locations and the ledger."""

    @pytest.mark.parametrize("good", ["a", "10-K_2018", "x:y@z+1", "9", "a" * 200])
    def test_usable_source_ids_come_back(self, good: str) -> None:
        assert check_source_id(good) == good

    @pytest.mark.parametrize("bad", ["", "-a", ".a", "a b", "a/b", "ä", "a\n", "a" * 201])
    def test_unusable_source_ids_are_a_usage_error(self, bad: str) -> None:
        with pytest.raises(UsageError):
            check_source_id(bad)

    def test_a_free_id_is_the_file_name_made_plain_and_numbered_by_content(
        self, path: Path
    ) -> None:
        """By the fingerprint and no counter: the order of ingestion leaves no trace in it."""
        sha256 = "sha256:" + "abcdef12" * 8
        with StoreWriter(path) as writer:
            assert writer.free_source_id("3M 2018 (10K).pdf", sha256) == "3M-2018-10K"
            assert writer.free_source_id("年報.pdf", sha256) == "document"
            writer.add_document(letter(), "/in/a.pdf", "a.pdf", "a")
            assert writer.free_source_id("a.pdf", sha256) == "a-abcdef12"

    def test_a_path_stands_for_the_last_file_seen_there(self, path: Path) -> None:
        old, new = put(path, letter("Old text.")), put(path, letter("New text."))
        with StoreWriter(path) as writer:
            assert writer.find_location("/in/a.pdf") == ("a", new.source.sha256)
            assert writer.find_location("/in/b.pdf") is None
            assert writer.find_bytes(old.source) == [old.document_fingerprint]

    def test_equal_pages_read_the_same_way_are_found_whatever_the_bytes(self, path: Path) -> None:
        document = put(path, artifact(page("Same."), data=b"%PDF-1.7 one"))
        with StoreWriter(path) as writer:
            found = {
                "same": writer.find_content(artifact(page("Same."), data=b"%PDF-1.7 two")),
                "other text": writer.find_content(artifact(page("Lame."))),
                "other label": writer.find_content(artifact(page("Same.", label="1"))),
                "other options": writer.find_content(
                    artifact(page("Same."), options={"tables": "off"})
                ),
                "other parser": writer.find_content(artifact(page("Same."), parser_version="2.0")),
            }
        assert found == {
            "same": document.document_fingerprint,
            "other text": None,
            "other label": None,
            "other options": None,
            "other parser": None,
        }

    def test_the_ledger_only_grows(self, path: Path) -> None:
        row = LedgerRow("run-1", "2026-01-01T00:00:00+00:00", "/in/a.pdf", "refused", 0.5,
                        code="damaged", message="cut off")  # fmt: skip
        with StoreWriter(path) as writer:
            writer.record([row])
            writer.record([row, row])
        raw = sqlite3.connect(path)
        rows = raw.execute("SELECT run, path, status, code, seconds FROM ingestions").fetchall()
        raw.close()
        assert rows == [("run-1", "/in/a.pdf", "refused", "damaged", 0.5)] * 3

    def test_the_same_document_twice_is_refused_and_leaves_nothing(self, path: Path) -> None:
        put(path, letter())
        with StoreWriter(path) as writer, pytest.raises(StoreDamagedError):
            writer.add_document(letter(), "/in/b.pdf", "b.pdf", "b")
        with StoreReader(path) as reader:
            assert [r.source_id for r in reader.sources()] == ["a"]
            with pytest.raises(DocumentNotFoundError):
                reader.find("b.pdf")

    def test_what_is_done_together_is_undone_together(self, path: Path) -> None:
        with StoreWriter(path) as writer:
            with pytest.raises(StoreDamagedError), writer.together():  # noqa: PT012
                writer.add_document(letter("One."), "/in/a.pdf", "a.pdf", "a")
                writer.add_document(letter("Two."), "/in/b.pdf", "b.pdf", "b")
                writer.add_document(letter("Two."), "/in/b.pdf", "b.pdf", "b")
            writer.add_document(letter("Three."), "/in/c.pdf", "c.pdf", "c")
        with StoreReader(path) as reader:
            assert [r.source_id for r in reader.sources()] == ["c"]


class TestOpening:
    """What is a store, and what is said of what is not."""

    def test_opening_for_writing_twice_migrates_once(self, path: Path) -> None:
        for _ in range(2):
            with StoreWriter(path):
                pass
        raw = sqlite3.connect(path)
        applied = raw.execute("SELECT migration_set, name FROM _sqlite_migrations").fetchall()
        before = raw.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
        raw.close()
        assert applied == [("pagewitness", name) for name in MIGRATION_NAMES]
        with StoreWriter(path):
            pass
        raw = sqlite3.connect(path)
        assert raw.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == before
        raw.close()

    def test_an_empty_file_becomes_a_store(self, path: Path) -> None:
        path.write_bytes(b"")
        put(path, letter())
        with StoreReader(path) as reader:
            assert reader.find("a").version == 1

    def test_a_new_store_is_empty(self, path: Path) -> None:
        with StoreWriter(path):
            pass
        with StoreReader(path) as reader:
            assert reader.sources() == []

    def test_a_missing_store_is_not_made_by_reading(self, path: Path) -> None:
        with pytest.raises(StoreNotFoundError):
            StoreReader(path)
        assert not path.exists()

    def test_a_folder_is_no_store(self, tmp_path: Path) -> None:
        with pytest.raises(StoreNotFoundError):
            StoreReader(tmp_path)
        with pytest.raises(OutputError):
            StoreWriter(tmp_path)

    def test_a_store_in_a_missing_folder_cannot_be_made(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError):
            StoreWriter(tmp_path / "nowhere" / "grounding.db")
        assert not (tmp_path / "nowhere").exists()

    @pytest.mark.parametrize("opener", [StoreReader, StoreWriter])
    def test_a_file_of_another_kind_is_left_as_it_is(
        self, path: Path, opener: type[StoreReader | StoreWriter]
    ) -> None:
        path.write_bytes(b"%PDF-1.7 this is no database at all, whatever it is called " * 20)
        before = path.read_bytes()
        with pytest.raises(NotAStoreError):
            opener(path)
        assert path.read_bytes() == before

    @pytest.mark.parametrize("opener", [StoreReader, StoreWriter])
    def test_the_database_of_another_program_is_left_as_it_is(
        self, path: Path, opener: type[StoreReader | StoreWriter]
    ) -> None:
        raw = sqlite3.connect(path)
        with raw:
            raw.execute("CREATE TABLE notes (text)")
        raw.close()
        before = path.read_bytes()
        with pytest.raises(NotAStoreError) as caught:
            opener(path)
        assert caught.value.code == "not_a_store"
        assert path.read_bytes() == before

    @pytest.mark.parametrize("opener", [StoreReader, StoreWriter])
    def test_a_store_of_a_newer_version_is_refused(
        self, path: Path, opener: type[StoreReader | StoreWriter]
    ) -> None:
        put(path, letter())
        raw = sqlite3.connect(path)
        with raw:
            raw.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
                " VALUES ('pagewitness', 'm999_holograms', '2030-01-01')"
            )
        raw.close()
        with pytest.raises(StoreVersionError, match="m999_holograms"):
            opener(path)

    def test_a_reader_cannot_write(self, path: Path) -> None:
        put(path, letter())
        with StoreReader(path) as reader, pytest.raises(OutputError):
            reader._all("DELETE FROM documents")

    def test_a_file_that_another_first_run_has_just_opened_is_no_foreign_database(
        self, path: Path
    ) -> None:
        """It has a header already, and no tables yet."""
        raw = sqlite3.connect(path)
        raw.execute("PRAGMA journal_mode = WAL")
        assert path.stat().st_size > 0
        put(path, letter())
        raw.close()
        with StoreReader(path) as reader:
            assert reader.find("a").version == 1

    def test_two_first_writers_make_one_store(self, path: Path) -> None:
        code = (
            "import sys; from pathlib import Path; from grounding.store import StoreWriter\n"
            "with StoreWriter(Path(sys.argv[1])): pass"
        )
        runs = [
            subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT) for _ in range(2)
        ]
        assert [run.wait(timeout=60) for run in runs] == [0, 0]
        with StoreReader(path) as reader:
            assert reader.sources() == []


class TestTogether:
    """Writers and readers at the same time."""

    def test_a_snapshot_sees_one_version_while_another_is_added(self, path: Path) -> None:
        """Also what it asks for only after the writer has committed."""
        old = put(path, letter("Old text."))
        with StoreReader(path) as reader:
            with reader.snapshot():
                source = reader.open("a")
                new = put(path, letter("New text."))
                assert source.identity.document_fingerprint == old.document_fingerprint
                assert source.page_text(1) == "Old text."
                assert reader.find("a").version == 1
                assert [r.current for r in reader.sources()] == [True]
                with pytest.raises(DocumentNotFoundError):
                    reader.find(new.document_fingerprint)
                with StoreReader(path) as second:
                    assert second.open("a").page_text(1) == "New text."
            assert reader.open("a").page_text(1) == "New text."
            assert source.page_text(1) == "Old text."

    def test_a_reader_does_not_wait_for_a_writer_and_sees_nothing_unfinished(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.0)
        put(path, letter("Old text."))
        with StoreWriter(path) as writer:
            with writer.together():
                writer.add_document(letter("New text."), "/in/a.pdf", "a.pdf", "a")
                with StoreReader(path) as reader:
                    assert reader.open("a").page_text(1) == "Old text."
            with StoreReader(path) as reader:
                assert reader.open("a").page_text(1) == "New text."

    def test_a_writer_does_not_wait_for_readers(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.0)
        put(path, letter("Old text."))
        with StoreReader(path) as reader, reader.snapshot():
            assert reader.open("a").page_text(1) == "Old text."
            put(path, letter("New text."))
            assert reader.open("a").page_text(1) == "Old text."

    def test_a_second_writer_waits_and_then_says_that_the_store_is_busy(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "BUSY_TIMEOUT_SECONDS", 0.05)
        with StoreWriter(path) as first, StoreWriter(path) as second:
            with first.together():
                first.add_document(letter("One."), "/in/a.pdf", "a.pdf", "a")
                with pytest.raises(StoreBusyError):
                    second.add_document(letter("Two."), "/in/b.pdf", "b.pdf", "b")
            second.add_document(letter("Two."), "/in/b.pdf", "b.pdf", "b")
        with StoreReader(path) as reader:
            assert [r.source_id for r in reader.sources()] == ["a", "b"]

    def test_two_writers_that_replace_one_document_make_two_versions(self, path: Path) -> None:
        put(path, letter("First."))
        with StoreWriter(path) as one, StoreWriter(path) as two:
            two.add_document(letter("Second."), "/in/a.pdf", "a.pdf", "a")
            one.add_document(letter("Third."), "/in/a.pdf", "a.pdf", "a")
        with StoreReader(path) as reader:
            assert [r.version for r in reader.sources()] == [1, 2, 3]
            assert reader.open("a").page_text(1) == "Third."

    def test_a_writer_that_is_killed_in_the_middle_leaves_the_old_version_whole(
        self, path: Path
    ) -> None:
        """Every row of the new version was written, most of it to disk, and not yet committed."""
        old = put(path, sample())
        code = (
            "import os, sys\n"
            "from pathlib import Path\n"
            "from factories import artifact, page\n"
            "from grounding.store import StoreWriter\n"
            "document = artifact(*(page(f'Page {n} of the new version.') for n in range(300)))\n"
            "writer = StoreWriter(Path(sys.argv[1]))\n"
            "writer._connection.execute('PRAGMA cache_size = 10')\n"
            "with writer.together():\n"
            "    writer.add_document(document, '/in/a.pdf', 'a.pdf', 'a')\n"
            "    os._exit(9)\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            cwd=ROOT,
            env={"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PATH": ""},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (run.returncode, run.stderr) == (9, "")
        assert path.with_name("grounding.db-wal").stat().st_size > 100_000
        with StoreReader(path) as reader:
            (row,) = reader.sources()
            assert (row.version, row.document_fingerprint) == (1, old.document_fingerprint)
            source = reader.open("a")
            assert [recomputed(source, p.number) for p in source.pages] == old.page_fingerprints
            assert reader.search("version", 5) == []
        new = put(path, letter("After the crash."))
        with StoreReader(path) as reader:
            assert reader.find("a").version == 2
            assert reader.open("a").identity.document_fingerprint == new.document_fingerprint
        raw = sqlite3.connect(path)
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        raw.close()
