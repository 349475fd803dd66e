"""What a conversion is made of: claims by document, and notes on what could not be said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from grounding.canonical import canonical_bytes
from grounding.schemas import Count
from verifier.convert.codes import CODES, NoteCode
from verifier.convert.naming import Cited
from verifier.convert.shapes import Path, pointer
from verifier.convert.sources import Directory, Named

NOTES_TYPE: Literal["pagewitness.conversion_notes.v1"] = "pagewitness.conversion_notes.v1"
NOTES_VERSION: Literal["1.0.0"] = "1.0.0"
MAX_ID = 200
_CLOSED = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class NoteData(TypedDict):
    """What could not be said of one place of the input: a JSON pointer, or `line N` of a text."""

    code: NoteCode
    where: str
    message: str
    claim_id: NotRequired[Annotated[str, Field(min_length=1, max_length=MAX_ID)]]


@with_config(_CLOSED)
class ConversionNotes(TypedDict):
    """The notes on a conversion. `unconverted` counts citations that became no claim."""

    artifact_type: Literal["pagewitness.conversion_notes.v1"]
    schema_version: Literal["1.0.0"]
    format: str
    claims: Count
    unconverted: Count
    notes: list[NoteData]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the input does not say, or says in a way that has no place in a request."""

    code: NoteCode
    where: str
    message: str
    claim_id: str | None = None

    def line(self) -> str:
        return f"note[{self.code}]: {self.where or '/'}: {self.message}"

    def data(self) -> NoteData:
        data: NoteData = {"code": self.code, "where": self.where, "message": self.message}
        return {**data, "claim_id": self.claim_id} if self.claim_id is not None else data


@dataclass(frozen=True, slots=True)
class Conversion:
    """Requests, one a document in order of first appearance, and the notes on them."""

    format: str
    requests: tuple[dict[str, Any], ...]
    notes: tuple[Note, ...]
    claims: int
    unconverted: int

    @property
    def complete(self) -> bool:
        """Whether there are citations, and every one became a claim."""
        return self.claims > 0 and self.unconverted == 0

    def request_bytes(self) -> bytes:
        """The request set as canonical JSON with a line end; without claims there is none, and this
        raises ValueError."""
        if not self.requests:
            raise ValueError("a request set needs at least one request")
        return canonical_bytes({"requests": list(self.requests)}) + b"\n"

    def notes_bytes(self) -> bytes:
        """The notes as canonical JSON with a line end."""
        notes: ConversionNotes = {
            "artifact_type": NOTES_TYPE,
            "schema_version": NOTES_VERSION,
            "format": self.format,
            "claims": self.claims,
            "unconverted": self.unconverted,
            "notes": [note.data() for note in self.notes],
        }
        return canonical_bytes(notes) + b"\n"


@dataclass(frozen=True, slots=True)
class Converter:
    """A format: `shape` says in one line what is expected, `read` puts claims and notes into a
    draft, `kind` is the type of the input for its JSON Schema."""

    name: str
    shape: str
    read: Callable[[bytes, Draft], None]
    kind: Any
    about: str


@dataclass(slots=True)
class Draft:
    """A conversion in the making; the only way for a format to make claims and notes."""

    directory: Directory
    notes: list[Note] = field(default_factory=list)
    unconverted: int = 0
    _requests: dict[tuple[str, str | None], list[dict[str, Any]]] = field(default_factory=dict)
    _ids: dict[str, int] = field(default_factory=dict)

    def note(
        self, code: NoteCode, at: Path | str, detail: str = "", claim_id: str | None = None
    ) -> None:
        """Says what is not said. `at` is a place in JSON, or `line N`."""
        where = at if isinstance(at, str) else pointer(at)
        message = f"{CODES[code]}: {detail}" if detail else CODES[code]
        self.notes.append(Note(code, where, message, claim_id))

    def lose(self, code: NoteCode, at: Path | str, detail: str = "") -> None:
        """A citation that becomes no claim."""
        self.note(code, at, detail)
        self.unconverted += 1

    def source(self, cited: Cited) -> Named | None:
        """The document of a citation, without a note."""
        return self.directory.find(cited)

    def claim(
        self,
        cited: Cited,
        at: Path | str,
        claim_id: str,
        kind: str,
        *,
        text: str | None = None,
        value: str | None = None,
        place: dict[str, Any] | None = None,
    ) -> str | None:
        """Makes a claim, or a note why there is none; its id, or None.

        A text or value that is given must not be blank. Without a place the document is searched,
        which is noted.
        """
        wording = text if text is not None else value
        if wording is not None and not wording.strip():
            self.lose("empty_text", at)
            return None
        named = self.source(cited)
        if named is None:
            url = cited.url
            self.lose("url_not_a_document" if url else "document_unnamed", at, _known(cited))
            return None
        claim: dict[str, Any] = {"kind": kind}
        claim |= {"text": text} if text is not None else {}
        claim |= {"value": value} if value is not None else {}
        made = self.add(named, claim_id, {**claim, "citation": place or {}})
        if not place:
            self.note("no_page", at, claim_id=made)
        elif "page_end" in place:
            self.note("page_range", at, claim_id=made)
        return made

    def add(self, named: Named, claim_id: str, claim: dict[str, Any]) -> str:
        """Adds a claim about a document that is known; its id."""
        own_id = self._own_id(claim_id)
        claims = self._requests.setdefault((named.document, named.fingerprint), [])
        claims.append({"id": own_id, **claim})
        return own_id

    def _own_id(self, wanted: str) -> str:
        """An id that no other claim has; a number is added where two names look the same."""
        wanted = wanted or "claim"
        claim_id = wanted[:MAX_ID]
        number = self._ids.get(claim_id, 0)
        while claim_id in self._ids:
            number += 1
            ending = f"~{number + 1}"
            claim_id = wanted[: MAX_ID - len(ending)] + ending
        self._ids[wanted[:MAX_ID]] = number
        self._ids.setdefault(claim_id, 0)
        return claim_id

    def finish(self, name: str) -> Conversion:
        """The conversion, with a note where nothing was cited."""
        count = sum(len(claims) for claims in self._requests.values())
        if not count and not self.unconverted and not self.notes:
            self.note("nothing_cited", ())
        requests = tuple(
            {"document": document}
            | ({"document_fingerprint": pin} if pin is not None else {})
            | {"claims": claims}
            for (document, pin), claims in self._requests.items()
        )
        return Conversion(name, requests, tuple(self.notes), count, self.unconverted)


def pages(first: int, last: int) -> dict[str, int]:
    """The place of a text on one of the pages from `first` to `last`, both from 1."""
    return {"page": first} if first == last else {"page": first, "page_end": last}


def _known(cited: Cited) -> str:
    return ", ".join(repr(name[:100]) for name in (*cited.ids, *cited.names))
