"""From the bytes of a foreign file to a conversion."""

from __future__ import annotations

from grounding.errors import ConversionInvalidError, NotCanonicalError
from verifier.convert.model import Conversion, Draft
from verifier.convert.registry import converter
from verifier.convert.sources import Directory, SourceNames


def convert(
    data: bytes,
    format: str,
    *,
    document: str | None = None,
    sources: SourceNames | None = None,
) -> Conversion:
    """Citations of a foreign format as requests.

    `document` is the document of citations that name none; `sources` says what names stand for.
    Raises UsageError for an unknown format, and ConversionInvalidError for input that has not its
    shape or whose text no file can hold.
    """
    chosen = converter(format)
    draft = Draft(Directory(sources or SourceNames(), document))
    try:
        chosen.read(data, draft)
        made = draft.finish(chosen.name)
        _check_text(made)
    except ConversionInvalidError as error:
        error.what_to_do = f"{chosen.name} is {chosen.shape}"
        raise
    except RecursionError as error:
        raise ConversionInvalidError(
            "the input is nested too deeply", remedy=f"{chosen.name} is {chosen.shape}"
        ) from error
    return made


def _check_text(made: Conversion) -> None:
    """Half a surrogate pair can be escaped in JSON, and written by nobody."""
    try:
        made.notes_bytes()
        if made.requests:
            made.request_bytes()
    except NotCanonicalError as error:
        raise ConversionInvalidError(f"$: {error}") from error
