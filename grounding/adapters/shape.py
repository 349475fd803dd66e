"""What the adapters share: shapes of files as models, faults with their place, units."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, Strict, StrictInt, ValidationError, WithJsonSchema

from grounding.adapters.model import ForeignBox
from grounding.errors import ArtifactInvalidError, BoxInvalidError
from grounding.geometry import to_centipoints
from grounding.json_input import load_json

MAX_PAGES = 100_000
MAX_DEPTH = 64
_LONGEST_PLACE = 160
MAX_GRID = 1_000_000
"""Grid positions that the cells of one table may cover."""

Number = StrictInt | Annotated[Decimal, Strict(), WithJsonSchema({"type": "number"})]
_ModelT = TypeVar("_ModelT", bound=BaseModel)


class OpenShape(BaseModel):
    """A part of a file whose format may grow: unknown keys are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class ClosedShape(BaseModel):
    """A part of a file whose format is closed: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def artifact_json(data: bytes) -> Any:
    """The JSON value of a file. Raises ArtifactInvalidError for what is no JSON, is nested too
    deeply, or holds half a character (a lone surrogate), which no text has."""
    value = load_json(data, refusal=ArtifactInvalidError)
    if b"\\ud" in data or b"\\uD" in data:
        try:
            json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
        except UnicodeEncodeError:
            refuse("the file", "holds half a character (a lone surrogate)")
    return value


def refuse(where: str, what: str) -> NoReturn:
    """Raises ArtifactInvalidError that names the place (`elements[3].bbox`) and the fault."""
    if len(where) > _LONGEST_PLACE:
        where = f"{where[: _LONGEST_PLACE // 2]}…{where[-_LONGEST_PLACE // 2 :]}"
    raise ArtifactInvalidError(f"{where}: {what}")


def shaped(model: type[_ModelT], value: Any, where: str = "") -> _ModelT:
    """A part of a file in its shape. Raises ArtifactInvalidError with the place of the first
    fault."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        refuse(place(where, first["loc"]), first["msg"])


def place(where: str, steps: Iterable[int | str]) -> str:
    """A place in a file: `pages[0].width`."""
    for step in steps:
        where += f"[{step}]" if isinstance(step, int) else f"{'.' if where else ''}{step}"
    return where or "the file"


def centipoints(value: Number, where: str) -> int:
    """Points in centipoints, halves away from zero. Raises ArtifactInvalidError."""
    try:
        return to_centipoints(float(value))
    except (BoxInvalidError, OverflowError, ValueError):
        refuse(where, "is no coordinate of a page")


def ordered(box: ForeignBox, where: str) -> ForeignBox:
    """The box, if it is not turned round."""
    if box[0] > box[2] or box[1] > box[3]:
        refuse(where, "bbox is malformed (x0>x1 or y0>y1)")
    return box


def with_area(box: ForeignBox, where: str) -> ForeignBox:
    """The box, if it is ordered and has area."""
    ordered(box, where)
    if box[0] == box[2] or box[1] == box[3]:
        refuse(where, "bbox must have positive area")
    return box


def within(box: ForeignBox, width: int, height: int, where: str) -> ForeignBox:
    """The box, if it has area and lies on a page of this size."""
    with_area(box, where)
    if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
        refuse(where, f"bbox reaches beyond its page of {width} x {height} centipoints")
    return box


def unique(ids: Iterable[str], what: str) -> set[str]:
    """The ids, if none comes twice. `what` is the name of their list."""
    seen: set[str] = set()
    for at, one in enumerate(ids):
        if one in seen:
            refuse(f"{what}[{at}].id", f"{one!r} is given twice")
        seen.add(one)
    return seen


def bounded(
    cells: Iterable[tuple[int, int, int, int]], where: str
) -> Iterator[tuple[int, int, int, int]]:
    """The cells, as long as they do not cover more than MAX_GRID positions together."""
    size = 0
    for at, cell in enumerate(cells):
        size += cell[2] * cell[3]
        if size > MAX_GRID:
            refuse(f"{where}[{at}]", f"the cells cover more than {MAX_GRID} grid positions")
        yield cell


def apart(cells: Iterable[tuple[int, int, int, int]], where: str) -> None:
    """Refuses cells (row, column, rows, columns) of which two cover the same grid position, or that
    cover more than MAX_GRID positions together."""
    taken: set[tuple[int, int]] = set()
    for at, (row, col, rows, cols) in enumerate(bounded(cells, where)):
        spots = {(r, c) for r in range(row, row + rows) for c in range(col, col + cols)}
        if not taken.isdisjoint(spots):
            refuse(f"{where}[{at}]", "covers a grid position of another cell")
        taken |= spots
