"""The parts of an HTML report that show numbers: both sides as read, and calculations."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from verifier import html_style as h
from verifier.quantity_words import (
    PARTS,
    difference_words,
    differing_parts,
    grouped,
    quantity_words,
    readings_words,
    scale_words,
    source_side,
    statements,
)
from verifier.report import Check
from verifier.report_numbers import CalculationInput, FoundNumber, QuantityData
from verifier.wording import page_words

Link = Callable[[str], str]
"""The anchor of a check by its id, escaped."""
_NOT_STATED = '<span class="none">not stated</span>'
_STATED = (*PARTS, "precision")
"""Rows of what a number states; the others tell how it was read."""
_ROUNDED = '<p class="note">The claim is the other number, rounded to the claim\'s last digit.</p>'


def numbers_compared(check: Check) -> str:
    """Claim and source as a table of the parts of a number; parts that differ are marked, and said
    to differ in a column of words."""
    claim, source = check.get("quantities", {}).get("claim"), source_side(check)
    if claim is None:
        return ""
    sides = [claim] if source is None else [claim, source]
    differing = set(differing_parts(check))
    rounded = check.get("match", {}).get("rounded", False)
    whole = [h.text(quantity_words(side)) for side in sides]
    if source is None:
        whole.append(_missing(check))
    rows = [
        _row("as read", whole, ""),
        *(
            _row(
                part, [_part(part, side) for side in sides], "differs" if part in differing else ""
            )
            for part in PARTS
        ),
        _row("precision", [_precision(side) for side in sides], "rounded" if rounded else ""),
        _row("written as", [h.words(side.get("written", "")) for side in sides], ""),
        _row("may also be", [_others(side) for side in sides], ""),
        _row("said around it", [_statements(side) for side in sides], ""),
    ]
    name = "Recomputed" if "calculation" in check else "Source"
    head = "".join(f'<th scope="col">{title}</th>' for title in ("Claim", name, "Compared"))
    return (
        '<section><h4>Numbers as read</h4><table class="numbers" aria-label="Numbers as read">'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"{_ROUNDED if rounded else ''}</section>"
    )


def _missing(check: Check) -> str:
    """What stands in for the source's number: a place that could not be read is not said to lack
    it."""
    told = check["status"] in ("mismatch", "not_found") and check.get("reason") != "hidden_text"
    return "none found" if told and "calculation" not in check else "not compared"


def _row(name: str, sides: list[str], compared: str) -> str:
    """A row of the table; nothing when neither side has anything in it."""
    if not any(sides):
        return ""
    cells = [side or (_NOT_STATED if name in _STATED else "") for side in sides]
    cells += [""] * (2 - len(cells))
    if compared == "differs":
        cells = [f"<mark>{cell}</mark>" for cell in cells]
    if compared:
        compared = f"<strong>{compared}</strong>"
    data = "".join(f"<td>{cell}</td>" for cell in (*cells, compared))
    return f'<tr><th scope="row">{name}</th>{data}</tr>'


def _part(part: str, side: QuantityData) -> str:
    """One part of a number, and what it was read from."""
    value = str(side.get(part, ""))
    if not value:
        return ""
    if part == "number":
        return h.text(grouped(value))
    if part == "sign":
        return h.text(value) + _by(side.get("sign_source", ""))
    if part == "scale":
        return h.text(scale_words(value)) + _by(side.get("scale_source", ""))
    return h.text(value)


def _by(origin: str) -> str:
    return f" ({h.words(origin)})" if origin else ""


def _precision(side: QuantityData) -> str:
    if "precision" not in side:
        return ""
    places = side["precision"]
    return f"{places} {'decimal' if places == 1 else 'decimals'}"


def _others(side: QuantityData) -> str:
    others = side.get("other_readings", ())
    return "; ".join(h.text(quantity_words(other)) for other in others)


def _statements(side: QuantityData) -> str:
    """What was said around a number: the parts that it tells, where, in which words."""
    items = [
        f"<li>{h.word_list(parts)} ({h.words(stated['origin'])}): "
        f"<q>{h.text(stated['text'])}</q></li>"
        for parts, stated in statements(side)
    ]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def numbers_found(check: Check) -> str:
    """All numbers that may be meant, where there are several."""
    found = check.get("quantities", {}).get("found", ())
    return _section("Numbers found", map(_found, found))


def _found(number: FoundNumber) -> str:
    reason = number.get("reason")
    verdict = f"<strong>{h.words(reason)}</strong>" if reason else "agrees with the claim"
    place = f"{page_words(number)}, characters {number['char_start']}–{number['char_end']}"
    return f"{place}: <q>{h.text(number['text'])}</q> – {verdict}"


def calculation(check: Check, link: Link) -> str:
    """What was calculated from which checks, with what result; why it has none."""
    data = check.get("calculation")
    if data is None:
        return ""
    holds = {None: "", True: "true", False: "false"}[data.get("holds")]
    result = data.get("result")
    inputs = "".join(f"<li>{_input(item, link)}</li>" for item in data["inputs"])
    pairs = [
        ("operation", h.words(data["operation"])),
        ("inputs", f"<ul>{inputs}</ul>" if inputs else ""),
        ("recomputed", h.text(readings_words(result)) if result is not None else holds),
        ("claimed minus recomputed", _difference(data.get("difference", ""))),
        ("no result because", h.text(data["problem"]) if "problem" in data else ""),
    ]
    return f"<section><h4>Calculation</h4>{h.facts(pairs, 'facts small')}</section>"


def _difference(difference: str) -> str:
    return h.text(difference_words(difference)) if difference else ""


def _input(item: CalculationInput, link: Link) -> str:
    target, name = link(item["check_id"]), h.text(item["check_id"])
    return f'<a href="#{target}">{name}</a>: {h.text(readings_words(item["quantity"]))}'


def _section(title: str, items: Iterable[str]) -> str:
    listed = "".join(f"<li>{item}</li>" for item in items)
    return f"<section><h4>{title}</h4><ul>{listed}</ul></section>" if listed else ""
