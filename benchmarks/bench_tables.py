"""Table structure against the truth of ICDAR-2013, for us and for every engine alone.

    python benchmarks/bench_tables.py [--engines A,B] [--modes auto] [--worst N] [--json] PATH...

A PATH is a PDF or a folder of them; documents without a `*-str.xml` beside them are left out. The
score is that of the competition (Göbel et al., ICDAR 2013): every cell with text makes a relation
with its nearest neighbour with text to the right in each of its rows and below in each of its
columns; relations are compared as texts without white space and case, as multisets per page, and
counted over all tables. Regions are not given: what is found where there is no table is spurious.

All texts come from the page's own characters, so the score tells grids apart and not extractors.
A pair "a > b" asks b on the pages where a finds no table. CPU is that of the tables alone: for a
mode the reading with tables less the reading without, for an engine the upright copy, its search
and the filling of the cells. A pair pays for b only where b is asked.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from grounding.artifact import TableContent  # noqa: E402
from ingest.reading.document import ReadOptions, read_document  # noqa: E402
from ingest.reading.page import PageReading, read_page  # noqa: E402
from ingest.reading.pdf import ENGINE_ERRORS, open_pdf  # noqa: E402
from ingest.tables.cells import build_table  # noqa: E402
from ingest.tables.engines import (  # noqa: E402
    EngineUnavailable,
    TableEngine,
    engine,
    engine_names,
)
from ingest.tables.view import PageView  # noqa: E402

MODELS = frozenset({"pymupdf-union"})
"""Engines that use a model; they are measured alone and stand in no pair."""
_MODES = ("auto", "thorough")
_GOOD = 0.95
_SAMPLES = 4

Cell = tuple[int, int, int, int, str]
"""Row, column, row span, column span, text."""
Relation = tuple[int, str, str, str]
"""Page, direction, and the normalised texts of a cell and its neighbour."""
Relations = Counter[Relation]


@dataclass(slots=True)
class Outcome:
    """What one candidate made of one document."""

    found: Relations = field(default_factory=Counter)
    cpu: float = 0.0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    path: Path
    pages: int
    truth: Relations
    outcomes: dict[str, Outcome]


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate over all documents."""

    name: str
    precision: float
    recall: float
    f1: float
    good_documents: int
    ms_per_page: float
    failures: int


@dataclass(frozen=True, slots=True)
class Misread:
    """What a candidate got wrong in a document: counts of relations, and some of them."""

    document: str
    true: int
    missing: int
    spurious: int
    missing_examples: list[Relation]
    spurious_examples: list[Relation]


def relations(page: int, cells: Iterable[Cell]) -> Relations:
    """The adjacency relations of one table's cells, each pair of cells once a direction."""
    filled = [(*cell[:4], normalised(cell[4])) for cell in cells]
    filled = [cell for cell in filled if cell[4]]
    slots: dict[tuple[int, int], int] = {}
    for at, (row, col, row_span, col_span, _) in enumerate(filled):
        for r in range(row, row + row_span):
            for c in range(col, col + col_span):
                slots.setdefault((r, c), at)
    last_row = max((r for r, _ in slots), default=-1)
    last_col = max((c for _, c in slots), default=-1)
    pairs: set[tuple[str, int, int]] = set()
    for at, (row, col, row_span, col_span, _) in enumerate(filled):
        for r in range(row, row + row_span):
            right = ((r, c) for c in range(col + col_span, last_col + 1))
            pairs.update(("right", at, other) for other in _first(slots, right))
        for c in range(col, col + col_span):
            below = ((r, c) for r in range(row + row_span, last_row + 1))
            pairs.update(("below", at, other) for other in _first(slots, below))
    return Counter((page, way, filled[a][4], filled[b][4]) for way, a, b in pairs)


def _first(slots: dict[tuple[int, int], int], way: Iterable[tuple[int, int]]) -> Iterator[int]:
    for slot in way:
        if slot in slots:
            yield slots[slot]
            return


def normalised(text: str) -> str:
    """Without white space, case and compatibility forms; letters, digits and marks are kept."""
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


def truth_file(pdf: Path) -> Path:
    return pdf.with_name(f"{pdf.stem}-str.xml")


def read_truth(path: Path) -> Relations:
    """The relations of a truth file; every region of a table is one of its own."""
    found: Relations = Counter()
    for region in ElementTree.parse(path).getroot().iter("region"):
        found += relations(int(region.attrib["page"]), _truth_cells(region))
    return found


def _truth_cells(region: ElementTree.Element) -> Iterator[Cell]:
    for cell in region.iter("cell"):
        row, col = int(cell.attrib["start-row"]), int(cell.attrib["start-col"])
        end_row = int(cell.attrib.get("end-row", row))
        end_col = int(cell.attrib.get("end-col", col))
        content = cell.findtext("content") or ""
        yield row, col, end_row - row + 1, end_col - col + 1, content


def table_relations(page: int, tables: Iterable[TableContent]) -> Relations:
    """The relations of the tables of a page (from 1)."""
    found: Relations = Counter()
    for table in tables:
        found += relations(
            page, ((c.row, c.col, c.row_span, c.col_span, c.text) for c in table.cells)
        )
    return found


def measure_mode(data: bytes, mode: str) -> Outcome:
    """What is stored with `--tables mode`."""
    _, plain = _timed(data, "off")
    pages, whole = _timed(data, mode)
    outcome = Outcome(cpu=max(0.0, whole - plain))
    for number, content in enumerate(pages, 1):
        outcome.found += table_relations(number, content.tables)
    return outcome


def _timed(data: bytes, mode: str) -> tuple[list[Any], float]:
    started = time.process_time()
    artifact = read_document(data, ReadOptions(tables=mode))
    return artifact.pages, time.process_time() - started


def measure_engines(data: bytes, engines: dict[str, TableEngine]) -> dict[str, Outcome]:
    """Each engine alone and the pairs of those without a model, on one document."""
    document = open_pdf(data)
    pairs = list(permutations([name for name in engines if name not in MODELS], 2))
    outcomes = {name: Outcome() for name in (*engines, *(f"{a} > {b}" for a, b in pairs))}
    for number in range(document.page_count):
        reading = read_page(document, document[number], number)
        answers = {name: _answer(engines[name], document, number, reading) for name in engines}
        for name, (tables, cpu, failed) in answers.items():
            outcomes[name].found += table_relations(number + 1, tables)
            outcomes[name].cpu += cpu
            outcomes[name].failures += failed
        for first, second in pairs:
            outcome = outcomes[f"{first} > {second}"]
            tables, cpu, failed = answers[first]
            if not tables:
                tables, more, failed_too = answers[second]
                cpu, failed = cpu + more, failed + failed_too
            outcome.found += table_relations(number + 1, tables)
            outcome.cpu += cpu
            outcome.failures += failed
    return outcomes


def _answer(
    finder: TableEngine, document: Any, number: int, reading: PageReading
) -> tuple[list[TableContent], float, int]:
    """An engine's tables of at least 2 × 2 on a page, CPU seconds, and whether it failed."""
    started = time.process_time()
    failed = 0
    tables = []
    paths = len(reading.vectors)
    view = PageView(document, document[number], reading.content, reading.boxes, paths)
    try:
        for found in finder.find(view):
            table = build_table(found, reading.content, reading.boxes, finder.name)
            if table is not None and table.rows > 1 and table.columns > 1:
                tables.append(table)
    except ENGINE_ERRORS:
        failed = 1
    return tables, time.process_time() - started, failed


def measure(
    pdfs: list[Path], modes: list[str], engines: dict[str, TableEngine]
) -> Iterator[Document]:
    """One document after the other, after one that is not counted: imports and models load."""
    for at, path in enumerate([pdfs[0], *pdfs]):
        data = path.read_bytes()
        outcomes = {mode: measure_mode(data, mode) for mode in modes}
        outcomes.update(measure_engines(data, engines))
        if at:
            pages = int(open_pdf(data).page_count)
            yield Document(path, pages, read_truth(truth_file(path)), outcomes)


def scores(true: Relations, found: Relations) -> tuple[float, float, float]:
    """Precision, recall, F1."""
    return _scores((true & found).total(), true.total(), found.total())


def _scores(matched: int, true: int, found: int) -> tuple[float, float, float]:
    precision, recall = matched / found if found else 0.0, matched / true if true else 0.0
    return precision, recall, 2 * matched / (true + found) if true + found else 1.0


def rows(documents: list[Document]) -> list[Row]:
    """One a candidate: modes first, then engines and pairs, best first."""
    pages = sum(document.pages for document in documents)
    made = []
    for name in documents[0].outcomes:
        outcomes = [(document.truth, document.outcomes[name]) for document in documents]
        matched = sum((true & outcome.found).total() for true, outcome in outcomes)
        total = sum(true.total() for true, _ in outcomes)
        found = sum(outcome.found.total() for _, outcome in outcomes)
        good = sum(scores(true, outcome.found)[2] >= _GOOD for true, outcome in outcomes)
        cpu = sum(outcome.cpu for _, outcome in outcomes) * 1000 / pages
        failures = sum(outcome.failures for _, outcome in outcomes)
        made.append(Row(name, *_scores(matched, total, found), good, cpu, failures))
    return sorted(made, key=lambda row: (row.name not in _MODES, -row.f1))


def worst(documents: list[Document], name: str, count: int) -> list[Misread]:
    """The documents with most missing and spurious relations of a candidate."""
    listed = []
    for document in documents:
        found = document.outcomes[name].found
        missing, spurious = document.truth - found, found - document.truth
        listed.append(
            Misread(
                document.path.name,
                document.truth.total(),
                missing.total(),
                spurious.total(),
                sorted(missing)[:_SAMPLES],
                sorted(spurious)[:_SAMPLES],
            )
        )
    listed.sort(key=lambda entry: (-entry.missing - entry.spurious, entry.document))
    return [entry for entry in listed[:count] if entry.missing + entry.spurious]


def with_truth(paths: Iterable[Path]) -> list[Path]:
    """The PDFs among the paths and in folders among them that have a truth file."""
    pdfs = [
        pdf for path in paths for pdf in (sorted(path.rglob("*.pdf")) if path.is_dir() else [path])
    ]
    return [pdf for pdf in pdfs if truth_file(pdf).is_file()]


def made_engines(names: Iterable[str]) -> dict[str, TableEngine]:
    """Engines by name; those whose package is not installed are left out, and stderr says so."""
    made = {}
    for name in names:
        try:
            made[name] = engine(name)
        except EngineUnavailable as error:
            print(f"left out: {error}", file=sys.stderr)
    return made


def show(documents: list[Document]) -> None:
    """Prints the rows."""
    pages = sum(document.pages for document in documents)
    print(f"tables: {len(documents)} documents, {pages} pages, adjacency relations")
    print(f"{'':<36} {'P':>6} {'R':>6} {'F1':>6} {'docs ≥ ' + str(_GOOD):>11} {'ms/page':>8}")
    for row in rows(documents):
        failures = f"  failed on {row.failures} pages" if row.failures else ""
        print(
            f"{row.name:<36} {row.precision:>6.3f} {row.recall:>6.3f} {row.f1:>6.3f}"
            f" {row.good_documents:>11} {row.ms_per_page:>8.0f}{failures}"
        )


def show_worst(documents: list[Document], name: str, count: int) -> None:
    print(f"worst documents of {name}: true, missing, spurious relations")
    for entry in worst(documents, name, count):
        print(f"{entry.document:<24} {entry.true:>6} {entry.missing:>6} {entry.spurious:>6}")
        examples = [("-", entry.missing_examples), ("+", entry.spurious_examples)]
        for sign, listed in examples:
            for page, way, first, second in listed:
                print(f"    {sign} p{page} {first[:40]!r} {way} {second[:40]!r}")


def run(files: list[Path], rounds: int) -> None:
    """Prints the table rows of the files that have a truth file, if any; `rounds` is not used:
    scores do not vary."""
    pdfs = with_truth(files)
    if pdfs:
        show(list(measure(pdfs, ["auto"], made_engines(engine_names()))))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--engines", default=",".join(engine_names()), help="separated by commas")
    parser.add_argument("--modes", default="auto", help="values of --tables, separated by commas")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list our N worst")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
    arguments = parser.parse_args()
    pdfs = with_truth(arguments.paths)
    if not pdfs:
        parser.error("no PDF with a *-str.xml beside it")
    modes = [name for name in arguments.modes.split(",") if name]
    names = [name for name in arguments.engines.split(",") if name]
    documents = list(measure(pdfs, modes, made_engines(names)))
    shown = modes[0] if modes else names[0]
    if arguments.json:
        made = {
            "documents": len(documents),
            "pages": sum(document.pages for document in documents),
            "rows": [asdict(row) for row in rows(documents)],
            "worst": [asdict(entry) for entry in worst(documents, shown, arguments.worst)],
        }
        print(json.dumps(made, indent=1, ensure_ascii=False))
        return
    show(documents)
    if arguments.worst:
        show_worst(documents, shown, arguments.worst)


if __name__ == "__main__":
    main()
