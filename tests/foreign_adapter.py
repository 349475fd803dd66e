"""An adapter as an installed package would bring it, and two that are broken."""

from grounding.adapters import ForeignDocument, ForeignElement
from grounding.model import Capabilities, Parser


def read(data: bytes) -> ForeignDocument:
    """One element a line."""
    lines = data.decode().split()
    return ForeignDocument(
        Parser("words", "1", "words", "1"),
        Capabilities(False, False, False, False, "unknown", False, pages=False),
        elements=tuple(ForeignElement(f"w{n}", "", None, "word", w) for n, w in enumerate(lines)),
    )


def fails(data: bytes) -> ForeignDocument:
    raise KeyError("pages")


def gives_nothing(data: bytes) -> None:
    return None
