"""`pagewitness convert`: citations of other systems as requests."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grounding.errors import OutputError
from pagewitness.cli import printable
from pagewitness.options import read_input, write_file, write_out


@click.command("convert")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "form",
    metavar="FORMAT",
    required=True,
    help="anthropic, azure-content-understanding, haystack, landingai, langchain, llamaindex, "
    "numbered-answer, openai, or a format of an installed package.",
)
@click.option("--document", metavar="DOC", help="The document of citations that name none.")
@click.option(
    "--sources",
    "sources_file",
    metavar="MAP.json",
    type=click.Path(path_type=Path),
    help="Which documents file ids, indexes, titles and addresses stand for.",
)
@click.option(
    "--notes", "notes_file", type=click.Path(path_type=Path), help="Where notes go as JSON, too."
)
@click.option("--out", type=click.Path(path_type=Path), help="Where the requests go; else stdout.")
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    form: str,
    document: str | None,
    sources_file: Path | None,
    notes_file: Path | None,
    out: Path | None,
) -> None:
    """Make a request set of citations that another system wrote.

    FILE holds an answer, a result or documents with their citations in the given format; `-` reads
    standard input. What the format does not say stands in notes on standard error.

    Exit codes: 0 when every citation became a claim, 1 when some could not (they are listed, the
    others are written; without any claim no request set is written), 2 when the input cannot be
    used (nothing is written).
    """
    from verifier.convert import convert, load_sources

    sources = load_sources(read_input(sources_file)) if sources_file is not None else None
    conversion = convert(read_input(file), form, document=document, sources=sources)
    inputs = (file,) if sources_file is None else (file, sources_file)
    if notes_file is not None:
        if out is not None and notes_file.absolute() == out.absolute():
            raise OutputError("--notes and --out are the same file", remedy="name two files")
        write_file(notes_file, conversion.notes_bytes(), apart_from=inputs)
    if conversion.requests:
        write_out(out, conversion.request_bytes(), apart_from=inputs)
    for note in conversion.notes:
        print(printable(note.line()), file=sys.stderr)
    ctx.exit(0 if conversion.complete else 1)
