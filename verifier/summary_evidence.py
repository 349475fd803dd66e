"""What the summary says under a check: numbers as read on both sides, calculations, cells."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.quantity_words import (
    difference_words,
    differing_parts,
    quantity_words,
    readings_words,
    source_side,
    statements,
)
from verifier.report import Check, Evidence, FoundElsewhere
from verifier.report_numbers import CalculationData, FoundNumber, QuantityData
from verifier.terminal import enumerated, quoted, shortened, wrapped
from verifier.wording import page_words

_MOST = 5
"""Inputs, numbers and places that are listed; the others are counted."""
_TEXT = 72
"""Columns that a text of the document takes at most in a line of several."""
_SIDE = 200
"""Columns that one side of a comparison takes at most."""
PATH = " › "
"""Parts the labels of a path."""


def evidence_lines(check: Check, room: int) -> list[str]:
    """Lines of at most `room` columns, longer statements wrapped."""
    compared = _comparison(check)
    source = check.get("quantities", {}).get("source", {}) if compared else {}
    shown = [
        compared,
        _said(source),
        _numbers_found(check),
        _calculation(check, given=bool(compared)),
        _cell(check, source),
        *_candidates(check),
    ]
    return [line for text in shown for line in wrapped(text, room)]


def leads_to_cells(check: Check) -> bool:
    """Whether the other places of a check are cells that its labels may mean."""
    return any("table_id" in place for place in check.get("found_elsewhere", ()))


def _comparison(check: Check) -> str:
    """Both sides as they were read, and what differs: "claim 5,079 × million USD | source 5,079 ×
    thousand USD — scale differs"."""
    claim, source = check.get("quantities", {}).get("claim"), source_side(check)
    rounded = check.get("match", {}).get("rounded", False)
    if claim is None or (check["status"] == "grounded" and not rounded):
        return ""
    if source is None and (
        check["status"] not in ("mismatch", "not_found") or check.get("reason") == "hidden_text"
    ):
        return ""  # a source that could not be read, or not by a person, is not said to lack it
    name = "recomputed" if "calculation" in check else "source"
    theirs = _side(source) if source is not None else "none found"
    parts = list(differing_parts(check))
    verdict = f"{enumerated(parts)} {'differs' if len(parts) == 1 else 'differ'}" if parts else ""
    if rounded:
        verdict = "rounded to the claim's last digit"
    difference = check.get("calculation", {}).get("difference")
    if verdict and difference is not None:
        verdict += f", difference {shortened(difference_words(difference), _TEXT)}"
    line = f"claim {_side(claim)} | {name} {theirs}"
    return f"{line} — {verdict}" if verdict else line


def _side(data: QuantityData) -> str:
    return shortened(readings_words(data), _SIDE)


def _said(source: QuantityData) -> str:
    """What was said around the source's number, where, in which words."""
    said = [
        f"{enumerated(parts)} {quoted(stated['text'], _TEXT)} ({stated['origin']})"
        for parts, stated in statements(source)
    ]
    return f"said in the source: {'; '.join(said)}".replace("_", " ") if said else ""


def _numbers_found(check: Check) -> str:
    """All numbers that may be meant, where there are several."""
    found = check.get("quantities", {}).get("found", [])
    return f"numbers found: {_listed(map(_number, found))}" if found else ""


def _number(found: FoundNumber) -> str:
    verdict = found.get("reason", "agrees").replace("_", " ")
    return f"{page_words(found)} {quoted(found['text'], _TEXT)} ({verdict})"


def _calculation(check: Check, *, given: bool) -> str:
    """What was calculated from which checks, with its result where that is not `given` already."""
    data = check.get("calculation")
    if data is None:
        return ""
    inputs = _listed(_input(item["check_id"], item["quantity"]) for item in data["inputs"])
    operation = shortened(data["operation"].replace("_", " "), _TEXT)
    line = f"{operation} of {inputs}" if inputs else operation
    result = "" if given else _result(data)
    return f"{line}: {result}" if result else line


def _input(check_id: str, quantity: QuantityData) -> str:
    return f"{shortened(check_id, 12)} ({shortened(readings_words(quantity), _TEXT)})"


def _result(data: CalculationData) -> str:
    if "holds" in data:
        return str(data["holds"]).lower()
    return shortened(quantity_words(data["result"]), _SIDE) if "result" in data else ""


def _cell(check: Check, source: QuantityData) -> str:
    """The labels that a cell stands under, and what its table says of it, unless that is shown of
    the source's number already; or a figure's caption."""
    evidence: Evidence = check.get("evidence", {})
    if "table_id" not in evidence and "caption" in evidence:
        return f"figure {quoted(evidence['caption'], _TEXT)}"
    if "cell" not in evidence:
        return ""
    parts = [_labels(evidence.get("row_labels", ()), evidence.get("column_labels", ()))]
    if "caption" in evidence:
        parts.append(f"table {quoted(evidence['caption'], _TEXT)}")
    statement = evidence.get("statement", "")
    if statement and not any(statement in item["text"] for item in source.get("stated", ())):
        parts.append(f"stated {quoted(statement, _TEXT)}")
    for note in evidence.get("footnotes", ()):
        text = f" {quoted(note['text'], _TEXT)}" if "text" in note else ""
        parts.append(f"footnote {shortened(note['marker'], 8)}{text}")
    return ", ".join(filter(None, parts))


def _labels(rows: Iterable[str], columns: Iterable[str]) -> str:
    paths = (("row", PATH.join(rows)), ("column", PATH.join(columns)))
    return ", ".join(f"{name} {quoted(path, _TEXT)}" for name, path in paths if path)


def _candidates(check: Check) -> list[str]:
    """Cells that ambiguous labels lead to, one a line."""
    if not leads_to_cells(check):
        return []
    places = check["found_elsewhere"]
    more = [f"and {len(places) - _MOST} more"] if len(places) > _MOST else []
    return [f"may be {_candidate(place)}" for place in places[:_MOST]] + more


def _candidate(place: FoundElsewhere) -> str:
    labels = _labels(place.get("row_labels", ()), place.get("column_labels", ()))
    table = shortened(place.get("table_id", ""), 12)
    where = " ".join(filter(None, (f"{page_words(place)},", table, labels)))
    return f"{where}: {quoted(place['text'], _TEXT)}"


def _listed(items: Iterable[str]) -> str:
    every = list(items)
    more = f"; {len(every) - _MOST} more" if len(every) > _MOST else ""
    return "; ".join(every[:_MOST]) + more
