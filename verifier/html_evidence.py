"""The evidence side of a check's card: pictures, text, differences, numbers, the cell's place."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from grounding.text import fold
from verifier import html_style as h
from verifier.html_numbers import Link, calculation, numbers_compared, numbers_found
from verifier.report import CellData, Check, FootnoteData, FoundElsewhere
from verifier.wording import claim_wording, compared_text, page_words, real_differences

Picture = tuple[bytes, str, int]
"""A PNG file, its caption, and the number of the page that it shows a part of."""

MARKED_WORDS = 600
"""Words and gaps of a text up to which differences are marked; comparing takes quadratic time."""
_GAP = re.compile(r"\s*\n\s*")
_TOKEN = re.compile(r"\s+|\w+(?:[.,'’\-]\w+)*|[^\w\s]")
_STEP = '<span class="step" aria-hidden="true"> › </span>'


def evidence(check: Check, pictures: Sequence[Picture], link: Link) -> str:
    """All that bears a verdict out, as HTML."""
    parts = [
        "<h4>Evidence</h4>",
        *(_picture(*picture) for picture in pictures),
        _source_text(check),
        _cell(check),
        numbers_compared(check),
        numbers_found(check),
        calculation(check, link),
        _comparison(check),
        _elsewhere(check),
        _origin(check),
    ]
    if not any(parts[1:]):
        parts.append("<p>There is nothing to show.</p>")
    return "".join(parts)


def _picture(png: bytes, caption: str, number: int) -> str:
    data = base64.b64encode(png).decode("ascii")
    more = f" · {caption}" if caption else ""
    return (
        f'<figure><img alt="Part of page {number}{h.attribute(more)}"'
        f' src="data:image/png;base64,{data}"><figcaption>Page {number}{h.text(more)}'
        "</figcaption></figure>"
    )


def _source_text(check: Check) -> str:
    around = check.get("context")
    match = around["match"] if around else check.get("evidence", {}).get("text", "")
    if not match:
        return ""
    before, match, after = (
        h.attribute(_GAP.sub("\n", part))
        for part in (around["before"] if around else "", match, around["after"] if around else "")
    )
    inner = (
        f'<span class="before">{before}</span><mark>{match}</mark>'
        f'<span class="after">{after}</span>'
    )
    hidden = check.get("reason") == "hidden_text"
    title = "Text that a reader does not see" if hidden else "What the source says there"
    box = h.box("quote source", "Source text", len(inner), inner)
    return f"<section><h4>{title}</h4>{box}</section>"


def _comparison(check: Check) -> str:
    """Claim and source as one text in which the differences are marked."""
    if "source" in check.get("quantities", {}):
        return ""  # the table of both numbers says it better
    nearest = check.get("nearest")
    source = nearest["text"] if nearest is not None else compared_text(check)
    if source is None:
        return ""
    title = "Claim and cited place compared"
    if nearest is not None:
        title = f"Nearest text, {page_words(nearest)}, {nearest['similarity']} % alike"
    marked = marked_differences(claim_wording(check), source)
    if marked is None:
        pairs = real_differences(nearest["differences"]) if nearest is not None else []
        marked = " … ".join(_change([pair["claim"]], [pair["source"]]) for pair in pairs)
    if not marked:
        return ""
    note = "<del>Struck</del>: only in the claim. <ins>Underlined</ins>: only in the source."
    box = h.box("diff", "Differences", len(source), marked)
    return f'<section><h4>{title}</h4>{box}<p class="note">{note}</p></section>'


def marked_differences(claim: str, source: str) -> str | None:
    """The source's text as HTML, with what only the claim has in `<del>` and what only the source
    has in `<ins>`, word by word; typography that is folded makes no difference. None for texts of
    more than MARKED_WORDS words and gaps."""
    ours, theirs = _TOKEN.findall(claim), _TOKEN.findall(source)
    if max(len(ours), len(theirs)) > MARKED_WORDS:
        return None
    matcher = SequenceMatcher(None, _keys(ours), _keys(theirs), autojunk=False)
    return "".join(
        h.attribute("".join(theirs[c:d])) if kind == "equal" else _change(ours[a:b], theirs[c:d])
        for kind, a, b, c, d in matcher.get_opcodes()
    )


def _keys(tokens: Iterable[str]) -> list[str]:
    return [fold(token).text for token in tokens]


def _change(ours: Sequence[str], theirs: Sequence[str]) -> str:
    pairs = (("del", "".join(ours)), ("ins", "".join(theirs)))
    return "".join(f"<{tag}>{h.attribute(text)}</{tag}>" for tag, text in pairs if text)


def _cell(check: Check) -> str:
    """The labels that a cell stands under, and what its table says of it; or a figure's caption."""
    evidence = check.get("evidence", {})
    if "table_id" not in evidence and "caption" in evidence:
        listed = h.facts([("figure", _said(evidence["caption"]))], "facts small")
        return f"<section><h4>Caption</h4>{listed}</section>"
    notes = "".join(map(_footnote, evidence.get("footnotes", ())))
    pairs = [
        ("row", _path(evidence.get("row_labels", ()))),
        ("column", _path(evidence.get("column_labels", ()))),
        ("table", _said(evidence.get("caption", ""))),
        ("stated for the table", _said(evidence.get("statement", ""))),
        ("footnotes", f"<ul>{notes}</ul>" if notes else ""),
    ]
    listed = h.facts(pairs, "facts small")
    return f"<section><h4>Place in the table</h4>{listed}</section>" if listed else ""


def _said(text: str) -> str:
    return h.text(text) if text else ""


def _path(labels: Iterable[str]) -> str:
    """Labels from the outermost to the cell's own."""
    return _STEP.join(map(h.text, labels))


def _footnote(note: FootnoteData) -> str:
    text = f": {h.text(note['text'])}" if "text" in note else ""
    return f"<li>{h.text(note['marker'])}{text}</li>"


def _elsewhere(check: Check) -> str:
    places = check.get("found_elsewhere", ())
    if not places:
        return ""
    cells = any("table_id" in place for place in places)
    title = "Places that the labels may mean" if cells else "Found elsewhere"
    items = "".join(f"<li>{_place(place)}</li>" for place in places)
    return f"<section><h4>{title}</h4><ul>{items}</ul></section>"


def _place(place: FoundElsewhere) -> str:
    """Document where it is another one, page, cell, the text, and the labels over it."""
    document = f"{h.text(place['document'])}, " if "document" in place else ""
    ids = [place["table_id"]] if "table_id" in place else []
    if "cell" in place:
        ids.append(_position(place["cell"]))
    where = f", {h.text(', '.join(ids))}" if ids else ""
    labels = [
        ("row", _path(place.get("row_labels", ()))),
        ("column", _path(place.get("column_labels", ()))),
    ]
    return (
        f"{document}{page_words(place)}{where}: {h.text(place['text'])}"
        f"{h.facts(labels, 'facts small')}"
    )


def _position(cell: CellData) -> str:
    return f"row {cell['row']}, column {cell['col']} (from 0)"


def _origin(check: Check) -> str:
    """Ids of the place, and the headings above it."""
    evidence, provenance = check.get("evidence", {}), check.get("provenance")
    cell = evidence.get("cell")
    place = [evidence.get("element_id", ""), evidence.get("table_id", "")]
    if cell is not None:
        place.append(_position(cell))
    pairs = [
        ("kind", h.words(provenance["element_kind"]) if provenance else ""),
        ("headings", h.text(" › ".join(provenance["heading_path"])) if provenance else ""),
        ("ids", h.code(", ".join(filter(None, place)))),
    ]
    return h.facts(pairs, "facts small")
