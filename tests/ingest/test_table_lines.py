"""From words to lines, columns and rows: the parts of the engine `aligned`, on words made by hand.

A word's characters are 5 points wide and 10 high; a line stands at its `y`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ingest.tables.aligned import is_table
from ingest.tables.columns import Columns, gaps_of, line_cells
from ingest.tables.header import Piece
from ingest.tables.lines import Line, is_number, read_lines, segment_of, typical_pitch
from ingest.tables.regions import columns_in
from ingest.tables.rows import Rows, rows_of
from ingest.tables.rules import Rules
from ingest.tables.words import Word

SIZE = 10.0
NO_RULES = Rules()


def words(*placed: tuple[float, str], y: float = 100) -> list[Word]:
    """Words at x; a text with spaces is several, one space of 2.5 points apart."""
    made = []
    for x, text in placed:
        for word in text.split():
            width = 5.0 * len(word)
            made.append(Word(word, x, y, x + width, y + SIZE, SIZE, int(10 * y + x), 0, False))
            x += width + 2.5
    return made


def right(x1: float, text: str) -> tuple[float, str]:
    """A place for a word that ends at x1."""
    return x1 - 5.0 * len(text), text


def table_words(
    rows: Sequence[Sequence[str]], rights: Sequence[float] = (300, 400), step: float = 16
) -> list[Word]:
    """Labels at 50, values that end at `rights`, rows `step` apart from y 100."""
    made: list[Word] = []
    for at, (label, *values) in enumerate(rows):
        placed = [(50.0, label)] if label else []
        placed += [right(x, v) for x, v in zip(rights, values, strict=False) if v]
        made += words(*placed, y=100 + step * at)
    return made


def line(*placed: tuple[float, str], y: float = 100) -> Line:
    (found,) = read_lines(words(*placed, y=y))
    return found


def segments(*placed: tuple[float, str]) -> list[str]:
    return [s.text for s in line(*placed).segments]


class TestNumbers:
    """What alone can fill a cell of numbers."""

    @pytest.mark.parametrize(
        "text",
        ["0", "1,210", "(41.7)", "-3.5", "−3.5", "$612.4", "($612.4)", "12%", "(12)%", "1.5x",
         "—", "-", "–", "n/a", "N/A", "nil", "2024", "12/31/2024", "1:4", "95*", "7†", "•", "✓"],
    )  # fmt: skip
    def test_these_do(self, text: str) -> None:
        assert is_number(text)

    @pytest.mark.parametrize(
        "text",
        ["", "Tonnes", "Q1", "B012", "1st", "FY24", "note", "12km", "a", "$", "(", "May", "5-year"],
    )
    def test_these_do_not(self, text: str) -> None:
        assert not is_number(text)


class TestSegments:
    """Words of a line that a reader takes together."""

    def test_words_of_a_phrase_are_one(self) -> None:
        assert segments((50, "Crew and port costs")) == ["Crew and port costs"]

    def test_a_wide_gap_parts_them(self) -> None:
        assert segments((50, "Crew"), (90, "costs")) == ["Crew", "costs"]

    def test_a_gap_of_a_space_does_not(self) -> None:
        assert segments((50, "Crew"), (75, "costs")) == ["Crew costs"]

    def test_two_numbers_are_two_from_a_small_gap_on(self) -> None:
        """At the distance of words; nobody writes two numbers beside each other."""
        assert segments((50, "120 135 150")) == ["120", "135", "150"]

    def test_a_date_is_not_cut(self) -> None:
        assert segments((50, "March 31, 2024")) == ["March 31, 2024"]
        assert segments((50, "31 March 2024")) == ["31 March 2024"]
        assert segments((50, "12/ 31")) == ["12/ 31"]

    def test_a_currency_sign_joins_the_number_after_it(self) -> None:
        assert segments((50, "Dues"), (200, "$"), (240, "612.4")) == ["Dues", "$ 612.4"]
        assert segments((50, "Dues"), (200, "US$"), (240, "612.4")) == ["Dues", "US$ 612.4"]

    def test_a_currency_sign_too_far_away_stays_alone(self) -> None:
        assert segments((50, "$"), (300, "612.4")) == ["$", "612.4"]

    def test_a_currency_sign_does_not_join_a_word(self) -> None:
        assert segments((50, "$"), (100, "Tonnes")) == ["$", "Tonnes"]

    def test_signs_of_two_columns_go_to_their_own_numbers(self) -> None:
        found = segments((50, "Dues"), (200, "$"), (230, "612"), (300, "$"), (330, "588"))
        assert found == ["Dues", "$ 612", "$ 588"]

    @pytest.mark.parametrize("sign", ["%", ")", ")%"])
    def test_a_closing_sign_joins_the_number_before_it(self, sign: str) -> None:
        assert segments((50, "Share"), (200, "12"), (222, sign)) == ["Share", f"12 {sign}"]

    def test_a_closing_sign_joins_no_word(self) -> None:
        assert segments((50, "Share"), (90, "%")) == ["Share", "%"]

    def test_a_segment_of_numbers_knows_it(self) -> None:
        numeric = {
            text: segment_of(words((50, text))).numeric
            for text in (
                "612",
                "$ 612",
                "12 %",
                "March 2024",
                "Note 4 of the accounts",
                "Dues",
                "$",
            )
        }
        assert numeric == {
            "612": True, "$ 612": True, "12 %": True, "March 2024": False,
            "Note 4 of the accounts": False, "Dues": False, "$": False,
        }  # fmt: skip


class TestLines:
    """Words by their baselines, running text apart."""

    def test_words_on_one_baseline_are_one_line_left_to_right(self) -> None:
        mixed = [*words((200, "120")), *words((50, "Dues"), y=101)]
        (found,) = read_lines(mixed)
        assert [s.text for s in found.segments] == ["Dues", "120"]

    def test_lines_are_given_top_to_bottom(self) -> None:
        mixed = [*words((50, "low"), y=140), *words((50, "high"), y=100)]
        assert [o.segments[0].text for o in read_lines(mixed)] == ["high", "low"]

    def test_two_lines_of_a_paragraph_are_prose(self) -> None:
        text = "The harbour authority approved the plan"
        found = read_lines([*words((50, text)), *words((50, text), y=114)])
        assert [o.prose for o in found] == [True, True]

    def test_a_long_line_alone_is_prose(self) -> None:
        text = "The harbour authority approved the plan for the northern basin in the autumn"
        assert line((50, text)).prose

    def test_a_label_with_a_number_behind_it_is_no_prose(self) -> None:
        text = "Proceeds from the sale of vessels held for hire"
        found = read_lines(
            [*words((50, text), (400, "120")), *words((50, text), (400, "9"), y=114)]
        )
        assert [o.prose for o in found] == [False, False]
        assert [o.multiple for o in found] == [True, True]

    def test_what_stands_beside_prose_is_a_line_of_its_own(self) -> None:
        text = "The harbour authority approved the plan"
        made = [
            *words((50, text), (300, text)),
            *words((50, text), (300, text), y=114),
        ]
        assert [o.prose for o in read_lines(made)] == [True] * 4

    def test_the_typical_pitch_is_the_median_distance(self) -> None:
        made = [line((50, "a"), y=y) for y in (100, 116, 132, 180)]
        assert typical_pitch(made) == 16
        assert typical_pitch(made[:1]) == 0

    def test_no_words_are_no_lines(self) -> None:
        assert read_lines([]) == []


DEPOTS = (
    ("Depot", "2024", "2023"),
    ("Alder", "120", "110"),
    ("Birch", "1,400", "1,310"),
    ("Cedar", "95", "88"),
)


def columns(made: list[Word], rules: Rules = NO_RULES) -> Columns:
    (found,) = columns_in(made, rules)
    return found


def body_texts(rows: Rows, columns: int) -> list[list[str]]:
    """Texts of all rows by column."""
    found = [[""] * columns for _ in rows.lines]
    for piece in rows.cells:
        found[piece.row][piece.col] = piece.text
    return found


def read_rows(made: list[Word], rules: Rules = NO_RULES) -> list[list[str]]:
    found = columns(made, rules)
    return body_texts(rows_of(found, rules), found.columns)


class TestColumns:
    """Gaps that no line of the body enters."""

    def test_gaps_lie_between_the_columns(self) -> None:
        found = gaps_of(read_lines(table_words(DEPOTS)))
        assert len(found) == 2
        (a, b), (c, d) = found
        assert 75 <= a < b <= 276
        assert 300 <= c < d <= 376

    def test_lines_of_one_segment_have_none(self) -> None:
        assert gaps_of([line((50, "Depot")), line((50, "Alder"), y=116)]) == []

    def test_cells_stand_in_the_columns_under_which_they_lie(self) -> None:
        found = columns(table_words(DEPOTS))
        assert found.columns == 3
        assert [[(c.first, c.last, c.text) for c in row] for row in found.rows][1] == [
            (0, 0, "Alder"), (1, 1, "120"), (2, 2, "110"),
        ]  # fmt: skip

    def test_a_blank_leaves_its_column_alone(self) -> None:
        made = table_words((*DEPOTS, ("Dune", "", "77")))
        found = columns(made)
        assert [(c.first, c.text) for c in found.rows[4]] == [(0, "Dune"), (2, "77")]

    def test_a_heading_among_many_rows_may_cross_a_gap(self) -> None:
        rows = [*DEPOTS, ("Depots that were opened again in the year of the great flood", "", "")]
        rows += [("Dune", "61", "60"), ("Elm", "43", "41"), ("Fir", "9", "8"), ("Gale", "5", "4")]
        assert columns(table_words(rows)).columns == 3

    def test_an_entry_alone_in_a_gap_makes_a_column(self) -> None:
        """A column with few entries parts the gap in which it stands."""
        made = [
            *words((50, "Depot"), right(200, "Note"), right(300, "2024"), y=100),
            *words((50, "Alder"), right(300, "120"), y=116),
            *words((50, "Birch"), right(200, "4"), right(300, "140"), y=132),
            *words((50, "Cedar"), right(200, "7"), right(300, "95"), y=148),
            *words((50, "Dune"), right(300, "33"), y=164),
        ]
        assert [[c.first for c in row] for row in columns(made).rows] == [
            [0, 1, 2], [0, 2], [0, 1, 2], [0, 1, 2], [0, 2],
        ]  # fmt: skip

    def test_two_words_are_parted_over_a_gap_only_where_they_stand_far_apart(self) -> None:
        """Two words alone have no usual space; a gap of 1.4 type sizes parts them."""
        gaps = [(100.0, 250.0), (290.0, 315.0)]
        for space, parted in ((6, False), (16, True)):
            made = words((275, "Staff"), (300 + space, "Dues"))
            header = Line([segment_of(made)], 275, 100, 320 + space, 110, SIZE)
            cells = [(c.first, c.last, c.text) for c in line_cells(header, gaps)]
            whole = [(1, 2, "Staff Dues")]
            assert cells == ([(1, 1, "Staff"), (2, 2, "Dues")] if parted else whole), space

    def test_a_wide_space_over_a_gap_parts_a_phrase(self) -> None:
        """Its other spaces are narrower."""
        gaps = [(190.0, 200.0)]
        made = words((140, "Net tonnes"), (201, "Gross tonnes"))
        phrase = Line([segment_of(made)], 140, 100, 270, 110, 10)
        assert [(c.first, c.text) for c in line_cells(phrase, gaps)] == [
            (0, "Net tonnes"), (1, "Gross tonnes"),
        ]  # fmt: skip
        even = Line([segment_of(words((140, "Net tonnes of all depots")))], 140, 100, 260, 110, 10)
        assert [(c.first, c.last) for c in line_cells(even, gaps)] == [(0, 1)]

    def test_a_table_ends_where_its_columns_change(self) -> None:
        second = [
            ("Vessel", "Crew"), ("Rook", "5"), ("Heron", "4"), ("Tern", "9"),
        ]  # fmt: skip
        made = table_words(DEPOTS)
        for at, (name, crew) in enumerate(second):
            made += words((50, name), right(180, crew), y=230 + 16 * at)
        first, other = columns_in(made, NO_RULES)
        assert (first.columns, other.columns) == (3, 2)

    def test_prose_has_no_columns(self) -> None:
        text = "The harbour authority approved the plan"
        made = [w for at in range(6) for w in words((50, text), y=100 + 14 * at)]
        assert columns_in(made, NO_RULES) == []

    def test_no_words_have_no_columns(self) -> None:
        assert columns_in([], NO_RULES) == []


class TestRows:
    """Lines that are one row, and the header above."""

    def test_a_header_of_years_is_no_data(self) -> None:
        found = columns(table_words(DEPOTS))
        rows = rows_of(found, NO_RULES)
        assert rows.header == 1
        assert body_texts(rows, 3) == [list(row) for row in DEPOTS]

    def test_a_table_that_starts_with_amounts_has_no_header(self) -> None:
        rows = rows_of(columns(table_words(DEPOTS[1:])), NO_RULES)
        assert rows.header == 0

    def test_a_label_that_goes_on_in_small_letters_is_one_row(self) -> None:
        rows = (*DEPOTS, ("Depots let to", "", ""), ("other owners", "5", "4"))
        assert read_rows(table_words(rows, step=12))[-1] == ["Depots let to other owners", "5", "4"]

    def test_a_label_after_a_connecting_word_goes_on(self) -> None:
        rows = (*DEPOTS, ("Depots of the", "", ""), ("North", "5", "4"))
        assert read_rows(table_words(rows, step=12))[-1] == ["Depots of the North", "5", "4"]

    def test_a_new_label_is_a_new_row(self) -> None:
        """A section stands alone on its row and takes no values from the next."""
        rows = (*DEPOTS, ("Northern depots", "", ""), ("Dune", "5", "4"))
        assert read_rows(table_words(rows, step=12))[-2:] == [
            ["Northern depots", "", ""], ["Dune", "5", "4"],
        ]  # fmt: skip

    def test_a_section_with_a_colon_is_never_wrapped(self) -> None:
        rows = (*DEPOTS, ("Depots of:", "", ""), ("northern owners", "5", "4"))
        assert read_rows(table_words(rows, step=12))[-2] == ["Depots of:", "", ""]

    def test_two_lines_with_numbers_in_a_column_are_two_rows(self) -> None:
        rows = (*DEPOTS, ("Depots let to", "7", "6"), ("other owners", "5", "4"))
        assert len(read_rows(table_words(rows, step=12))) == 6

    def test_a_header_of_two_lines_is_one_cell(self) -> None:
        made = [
            *words((276, "Tonnes"), right(400, "Staff"), y=88),
            *words((50, "Depot"), (276, "moved"), right(400, "hired"), y=99),
            *table_words(DEPOTS[1:], step=16)[0:0],
        ]
        for at, row in enumerate(DEPOTS[1:]):
            made += words((50, row[0]), right(300, row[1]), right(400, row[2]), y=118 + 16 * at)
        assert read_rows(made)[0] == ["Depot", "Tonnes moved", "Staff hired"]

    def test_a_header_over_two_columns_spans_them(self) -> None:
        made = [*words((324, "Year ended"), y=84), *table_words(DEPOTS, rights=(320, 400))]
        found = columns(made)
        rows = rows_of(found, NO_RULES)
        over = next(p for p in rows.cells if p.text == "Year ended")
        assert (over.row, over.col, over.last_col) == (0, 1, 2)
        assert rows.header == 2

    def test_a_rule_under_a_header_says_how_far_it_reaches(self) -> None:
        """It covers the second and third column, whatever the header's width."""
        made = [
            *words((240, "Tonnes"), y=84),
            *words(
                (50, "Depot"), right(200, "Staff"), right(270, "2024"), right(340, "2023"), y=100
            ),
        ]
        for at, row in enumerate((("Alder", "5", "120", "110"), ("Birch", "4", "140", "131"))):
            placed = [(50.0, row[0])]
            placed += [right(x, v) for x, v in zip((200, 270, 340), row[1:], strict=True)]
            made += words(*placed, y=116 + 16 * at)
        rules = Rules(horizontal=[(96.0, 235.0, 342.0)])
        found = columns(made, rules)
        over = next(p for p in rows_of(found, rules).cells if p.text == "Tonnes")
        assert (over.col, over.last_col) == (2, 3)

    def test_pieces_of_a_row_know_their_text_and_width(self) -> None:
        piece = Piece(0, 0, 1, 1, [segment_of(words((50, "Net tonnes")))], (0, 0))
        assert (piece.text, piece.x0, piece.x1) == ("Net tonnes", 50, 97.5)


class TestIsTable:
    """Whether a reader would call it one."""

    def decided(self, made: list[Word], rules: Rules = NO_RULES) -> list[bool]:
        found = columns_in(made, rules)
        return [is_table(each, rows_of(each, rules), rules) for each in found]

    def test_numbers_beside_labels_are(self) -> None:
        assert self.decided(table_words(DEPOTS)) == [True]

    def test_page_numbers_that_grow_beside_titles_are_not(self) -> None:
        titles = [("Quays", "3"), ("Basins", "9"), ("Dues", "14"), ("Notes", "30"), ("Index", "41")]
        assert not any(self.decided(table_words(titles)))
        amounts = [(title, str(90 - int(page))) for title, page in titles]
        assert self.decided(table_words(amounts)) == [True]

    def test_words_in_two_columns_are_not(self) -> None:
        names = [("Ines Varga", "Piet Holm"), ("Director", "Chair"), ("Alder Quay", "Birch Lane"),
                 ("Varga Ltd", "Holm Ltd")]  # fmt: skip
        assert not any(self.decided(table_words(names)))

    def test_words_in_three_columns_are_between_rules_alone(self) -> None:
        ports = [
            ("Vessel", "Port", "Class"), ("Rook", "Alder", "Tug"), ("Heron", "Birch", "Ferry"),
            ("Tern", "Cedar", "Barge"), ("Crane", "Dune", "Coaster"),
        ]  # fmt: skip
        made = table_words(ports)
        between = Rules(horizontal=[(98.0, 48.0, 402.0), (113.0, 48.0, 402.0)])
        assert not any(self.decided(made))
        assert self.decided(made, between) == [True]
