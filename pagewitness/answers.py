"""Answers that cite evidence by its handles, made into verification requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grounding.canonical import canonical_bytes
from grounding.errors import NotCanonicalError, RequestInvalidError, UsageError
from grounding.json_input import MAX_INPUT_BYTES, load_json
from grounding.schemas import ContextMap
from verifier.convert.answers import Mark, Passage, passages

CODES = {
    "nothing_cited": "the answer cites no evidence",
    "unused": "the answer does not cite this evidence",
    "no_quotation": "the cited sentence quotes nothing: it is a claim of kind other, which is never"
    " grounded",
    "sentence_too_long": "the cited sentence is longer than one that a claim can be made of",
    "repeated": "the same sentence cites this evidence already",
}
"""Notes on an answer, and what each says; docs/rag.md has the same table."""

MAX_HANDLES = 10_000
"""Handles that an answer may cite."""

_GROUP = re.compile(r"\[\s*(E\d[^\[\]\n]{0,200})\]")
_RANGE = re.compile(r"E(\d{1,9})\s*[-–]\s*E(\d{1,9})(?!\w)", re.A)
_HANDLE = re.compile(r"(?<!\w)E\d\w*")
_MOST_IN_RANGE = 100


@dataclass(frozen=True, slots=True)
class Resolved:
    """The requests of an answer, one a document in the order of the map, and notes on it, as
    (code, handle or place)."""

    requests: tuple[dict[str, Any], ...]
    notes: tuple[tuple[str, str], ...]

    def request_bytes(self) -> bytes:
        """The request set as canonical JSON with a line end. Raises RequestInvalidError for text
        that no file can hold."""
        try:
            return canonical_bytes({"requests": list(self.requests)}) + b"\n"
        except NotCanonicalError as error:
            raise RequestInvalidError(f"the answer has no canonical form: {error}") from error

    def lines(self) -> Iterator[str]:
        return (f"note[{code}]: {where}: {CODES[code]}" for code, where in self.notes)


@dataclass(slots=True)
class _Draft:
    """Claims by handle, and notes, in the making."""

    claims: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)


def load_map(data: bytes) -> ContextMap:
    """A context map from JSON. Raises RequestInvalidError."""
    value = load_json(data)
    try:
        made: ContextMap = TypeAdapter(ContextMap).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "map"
        raise RequestInvalidError(
            f"context map: {where}: {first['msg']}",
            remedy="give the file that `pagewitness context` wrote with --format map or --map-out",
        ) from error
    handles = [item["handle"] for item in made["evidence"]]
    if len(set(handles)) < len(handles):
        raise RequestInvalidError("context map: a handle is given twice")
    return made


def answer_text(data: bytes) -> str:
    """An answer's text. Raises RequestInvalidError for what is no UTF-8 or too long."""
    if len(data) > MAX_INPUT_BYTES:
        raise RequestInvalidError(f"the answer is larger than {MAX_INPUT_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RequestInvalidError(
            f"the answer is not UTF-8: {error.reason} at byte {error.start}",
            remedy="write it as UTF-8 text",
        ) from error


def resolve(answer: str, made: ContextMap) -> Resolved:
    """Claims of what an answer says at each handle, and that each cited evidence stands there.

    Raises UsageError, with their names, for handles that the map does not have.
    """
    evidence = {item["handle"]: item for item in made["evidence"]}
    marks = list(_marks(answer))
    unknown = sorted({mark.key for mark in marks} - evidence.keys(), key=lambda h: (len(h), h))
    if unknown:
        raise UsageError(
            f"the answer cites {', '.join(unknown[:20])}, which the map does not have",
            remedy="resolve the answer with the map of its own prompt",
        )
    draft = _Draft()
    for passage in passages(_numbered(answer, marks), marks):
        _said(passage, marks[passage.mark].key, passage.mark, draft)
    cited = dict.fromkeys(mark.key for mark in marks)
    if not cited:
        draft.notes.append(("nothing_cited", "the answer"))
    draft.notes += [("unused", handle) for handle in evidence if handle not in cited]
    return Resolved(tuple(_requests(made, draft, list(cited))), tuple(draft.notes))


def _marks(answer: str) -> Iterator[Mark]:
    """The handles of an answer, each with the place of its brackets."""
    for found in _GROUP.finditer(answer):
        inside = _RANGE.sub(_spelled_out, found[1])
        for handle in dict.fromkeys(_HANDLE.findall(inside)):
            yield Mark(found.start(), found.end(), handle)


def _numbered(answer: str, marks: list[Mark]) -> str:
    """The answer with numbers in the brackets of its handles, at the same offsets: a citation
    behind a full stop belongs to the sentence before it, which is told by such brackets."""
    parts, at = [], 0
    for start, end in dict.fromkeys((mark.start, mark.end) for mark in marks):
        parts += [answer[at : start + 1], "0" * (end - start - 2)]
        at = end - 1
    return "".join([*parts, answer[at:]])


def _spelled_out(found: re.Match[str]) -> str:
    """`E2-E4` as `E2, E3, E4`; what is no such range stays as it is."""
    first, last = int(found[1]), int(found[2])
    if not 0 <= last - first < _MOST_IN_RANGE:
        return found[0]
    return ", ".join(f"E{number}" for number in range(first, last + 1))


def _said(passage: Passage, handle: str, mark: int, draft: _Draft) -> None:
    """The claim of what the answer says at one handle, or a note."""
    name = f"s{passage.number}.m{mark}"
    if passage.kind == "repeated":
        draft.notes.append(("repeated", handle))
    elif passage.kind == "too_long":
        draft.notes.append(("sentence_too_long", handle))
    elif passage.kind == "quote" and passage.text.strip():
        claim = {"id": f"{name}.q{passage.part}", "kind": "quote", "text": passage.text}
        draft.claims.setdefault(handle, []).append(claim)
    elif passage.kind == "other":
        claim = {"id": name, "kind": "other", "text": passage.text}
        draft.claims.setdefault(handle, []).append(claim)
        draft.notes.append(("no_quotation", name))


def _requests(made: ContextMap, draft: _Draft, cited: list[str]) -> Iterator[dict[str, Any]]:
    """One request a document: the claims of each cited evidence, and before them that it still
    stands where it was found. Its claim is named by its handle."""
    requests: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for item in made["evidence"]:
        if item["handle"] not in cited:
            continue
        place = item["claim"]["citation"]
        claims = requests.setdefault((item["document"], item["document_fingerprint"]), [])
        claims.append({"id": item["handle"], **item["claim"]})
        claims += [{**claim, "citation": place} for claim in draft.claims.get(item["handle"], [])]
    for (document, pin), claims in requests.items():
        yield {"document": document, "document_fingerprint": pin, "claims": claims}
