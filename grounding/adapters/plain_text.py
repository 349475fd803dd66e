"""Plain text in UTF-8: no pages, no boxes, no elements; offsets are those of the file's text."""

from __future__ import annotations

from grounding.adapters.model import ForeignDocument, ForeignElement
from grounding.adapters.shape import refuse
from grounding.fingerprint import sha256_fingerprint
from grounding.json_input import MAX_INPUT_BYTES
from grounding.model import Capabilities, Parser

NAME, VERSION = "plain-text", "1.0.0"


def read(data: bytes) -> ForeignDocument:
    """The whole text as it is, as one block. Raises ArtifactInvalidError for what is no UTF-8 text;
    a byte order mark at its start is no part of it."""
    if len(data) > MAX_INPUT_BYTES:
        refuse("the file", f"is larger than {MAX_INPUT_BYTES} bytes")
    if b"\0" in data:
        refuse(f"byte {data.index(0)}", "is NUL: this is no text file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(f"byte {error.start}", "begins no UTF-8 character")
    return ForeignDocument(
        Parser("plain-text", "utf-8", NAME, VERSION),
        Capabilities(
            spans=False,
            char_offsets=True,
            tables=False,
            fingerprint=True,
            coordinate_origin="unknown",
            crop_support=False,
            pages=False,
            page_labels=False,
            elements=False,
            cell_roles=False,
        ),
        sha256_fingerprint(data),
        sha256_fingerprint(data),
        elements=(ForeignElement("text", "", None, "text", text),),
    )
