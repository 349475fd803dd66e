"""`pagewitness crop`: pictures of evidence."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from grounding.canonical import canonical_bytes
from grounding.crop import (
    ARTIFACT_TYPE,
    DEFAULT_DPI,
    MAX_DPI,
    PADDING,
    CropRequest,
    crop_of,
    descriptor,
    lines_of,
)
from grounding.errors import (
    BoxInvalidError,
    CellNotFoundError,
    ElementNotFoundError,
    OutputError,
    PageNotFoundError,
    PagewitnessError,
    RequestInvalidError,
    UsageError,
)
from grounding.geometry import Box
from grounding.store import Access, StoredSource, StoreReader
from grounding.tables import label_regions
from pagewitness.options import (
    access_options,
    as_of_option,
    db_option,
    json_option,
    make_folder,
    parse_box,
    write_file,
)
from pagewitness.pictures import renderer_for

_CELL = re.compile(r"(t\d{4,9}),(\d{1,6}),(\d{1,6})")


@click.command("crop")
@click.argument("doc", metavar="[DOC]", required=False)
@db_option
@access_options
@as_of_option
@click.option("--page", type=int, metavar="N", help="Page number, from 1; goes with --bbox.")
@click.option("--bbox", metavar="X0,Y0,X1,Y1", help="Centipoints from the page's top left.")
@click.option("--element", metavar="ID", help="An element, such as e000012.")
@click.option("--cell", metavar="ID,ROW,COL", help="A table cell, such as t0001,2,3.")
@click.option("--report", type=click.Path(path_type=Path), help="Pictures of a report's checks.")
@click.option("--check", "checks", multiple=True, metavar="ID", help="Only this check; repeatable.")
@click.option("--out", type=click.Path(path_type=Path), help="The PNG to write.")
@click.option("--out-dir", type=click.Path(path_type=Path), help="Where a report's pictures go.")
@click.option("--dpi", type=click.IntRange(1, MAX_DPI), default=DEFAULT_DPI, show_default=True)
@click.option("--highlight/--no-highlight", default=None, help="Mark the place in the picture.")
@click.option("--pdf", type=click.Path(path_type=Path), help="The source file, if it has moved.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    doc: str | None,
    db: Path,
    access: Access,
    as_of: str | None,
    page: int | None,
    bbox: str | None,
    element: str | None,
    cell: str | None,
    report: Path | None,
    checks: tuple[str, ...],
    out: Path | None,
    out_dir: Path | None,
    dpi: int,
    highlight: bool | None,
    pdf: Path | None,
    as_json: bool,
) -> None:
    """Render cited evidence as pictures.

    Either one picture (DOC with --page and --bbox, --element or --cell, and --out FILE.png), or the
    pictures of a report's checks (--report REPORT.json --out-dir DIR). Beside each PNG stands a
    JSON descriptor that binds it to its source.

    Exit codes: 0 when all pictures were written, 1 when some could not be rendered, 2 on bad input.
    """
    if report is not None:
        if doc or out or page is not None or bbox or element or cell or out_dir is None:
            raise UsageError("--report goes with --out-dir, and without DOC, a place or --out")
        failed = _of_report(
            report, checks, db, access, as_of, out_dir, dpi, highlight is not False, pdf, as_json
        )
        ctx.exit(1 if failed else 0)
    if doc is None or out is None or checks or out_dir:
        raise UsageError(
            "a picture needs DOC, a place and --out FILE.png, or --report and --out-dir"
        )
    if out.suffix.lower() != ".png":
        raise UsageError(f"{out} does not end in .png; the descriptor goes beside it as .json")
    with StoreReader(db, access) as reader, reader.snapshot():
        source = reader.open(doc, as_of)
        request = _place(source, page, bbox, element, cell, dpi, bool(highlight))
        picture = renderer_for(source, reader, pdf).render(request)
    _write(picture.png, descriptor(picture, source.identity), out, as_json)


def _place(
    source: StoredSource,
    page: int | None,
    bbox: str | None,
    element: str | None,
    cell: str | None,
    dpi: int,
    highlight: bool,
) -> CropRequest:
    """The one place that the options name."""
    if sum((bbox is not None, element is not None, cell is not None)) != 1:
        raise UsageError("give one of --bbox (with --page), --element and --cell")
    if bbox is not None:
        if page is None:
            raise UsageError("--bbox needs --page")
        number, box = page, parse_box(bbox)
    elif cell is not None:
        return _cell(source, cell, page, dpi, highlight)
    else:
        number, box = _element(source, element or "")
        if page is not None and page != number:
            raise UsageError(f"that place is on page {number}, not on page {page}")
    if not 1 <= number <= len(source.pages):
        raise PageNotFoundError(f"there is no page {number}; the document has {len(source.pages)}")
    frame = source.pages[number - 1].frame
    inside = frame.clamp(*box.as_list()) if box.overlap(frame.box) else None
    if inside is None:
        raise BoxInvalidError(
            f"box {box.as_list()} lies outside page {number} of {frame.width} x {frame.height}"
        )
    padding = PADDING if highlight else 0
    return crop_of(frame, number, [inside], dpi=dpi, highlight=highlight, padding=padding)


def _element(source: StoredSource, element_id: str) -> tuple[int, Box]:
    found = source.find_element(element_id)
    if found is None:
        raise ElementNotFoundError(f"there is no element {element_id!r}")
    return found.page, found.box


def _cell(
    source: StoredSource, text: str, page: int | None, dpi: int, highlight: bool
) -> CropRequest:
    """A cell; marked, the part of its table that shows its labels."""
    parts = _CELL.fullmatch(text)
    if parts is None:
        raise UsageError(f"{text!r} is not a cell such as t0001,2,3")
    table = source.find_table(parts[1])
    cell = table.cell_at(int(parts[2]), int(parts[3])) if table else None
    if table is None or cell is None:
        raise CellNotFoundError(f"there is no cell {text}")
    if page is not None and page != cell.page:
        raise UsageError(f"cell {text} stands on page {cell.page}, not {page}")
    frame = source.pages[cell.page - 1].frame
    if not highlight:
        return crop_of(frame, cell.page, [cell.box], dpi=dpi, highlight=False, padding=0)
    labels = [region.box for region in label_regions(table, cell)]
    return lines_of(frame, cell.page, [cell.box], labels, dpi=dpi, highlight=True)


def _of_report(
    path: Path,
    checks: tuple[str, ...],
    db: Path,
    access: Access,
    as_of: str | None,
    out_dir: Path,
    dpi: int,
    highlight: bool,
    pdf: Path | None,
    as_json: bool,
) -> bool:
    """Writes the pictures of a report; whether some could not be rendered."""
    from verifier.crops import crop_requests
    from verifier.stored import load_reports

    try:
        reports = load_reports(path.read_bytes())
    except OSError as error:
        raise RequestInvalidError(f"{path} cannot be read: {error.strerror}") from error
    known = {check["id"] for report in reports for check in report["checks"]}
    unknown = sorted(set(checks) - known)
    if unknown:
        raise UsageError(f"the report has no check {unknown[0]}")
    make_folder(out_dir)
    failed = False
    with StoreReader(db, access) as reader, reader.snapshot():
        for number, report in enumerate(reports, 1):
            wanted = [c for c in report["checks"] if not checks or c["id"] in checks]
            fingerprint = report.get("document_fingerprint")
            if fingerprint is None or not wanted:
                continue
            try:
                source = reader.open(fingerprint, as_of)
                renderer = renderer_for(source, reader, pdf)
                for check in wanted:
                    requests = crop_requests(check, source.pages, dpi=dpi, highlight=highlight)
                    for name, request in _names(check["id"], number, len(reports), requests):
                        picture = renderer.render(request)
                        data = descriptor(picture, source.identity, check["id"])
                        _write(picture.png, data, out_dir / f"{name}.png", as_json)
            except PagewitnessError as error:
                if error.code == "output_failed":
                    raise
                failed = True
                if as_json:
                    click.echo(json.dumps({"report": number, **error.as_dict()}, sort_keys=True))
                else:
                    print(error.line(), file=sys.stderr)
    return failed


def _names(
    check: str, report: int, reports: int, requests: list[CropRequest]
) -> Iterator[tuple[str, CropRequest]]:
    """`v0001`, with `-2` for its second picture and `r02-` before it in a set of reports."""
    prefix = f"r{report:02d}-" if reports > 1 else ""
    for number, request in enumerate(requests, 1):
        yield f"{prefix}{check}" + (f"-{number}" if number > 1 else ""), request


def _write(png: bytes, data: dict[str, object], out: Path, as_json: bool) -> None:
    beside = out.with_suffix(".json")
    if beside.exists() and not _is_descriptor(beside):
        raise OutputError(
            f"{beside} exists and is no descriptor of a crop", remedy="choose another name"
        )
    write_file(out, png)
    write_file(beside, canonical_bytes(data) + b"\n")
    if as_json:
        click.echo(json.dumps({"path": str(out), **data}, sort_keys=True))
    elif data["pixels_capped"]:
        print(f"{out}: rendered at {data['dpi']} dpi, the most that the pixel cap allows",
              file=sys.stderr)  # fmt: skip


def _is_descriptor(path: Path) -> bool:
    try:
        return f'"artifact_type":"{ARTIFACT_TYPE}"'.encode() in path.read_bytes()[:100_000]
    except OSError:
        return False
