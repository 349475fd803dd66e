"""The one place that knows centipoints, page frames and foreign coordinates.

Everything behind this module uses one frame: integers of 1/100 PDF point, origin at the top left of
the page as displayed, with crop box, rotation and user unit applied. Whatever arrives in another
space (PDF user space, a parser's unrotated page, pixels, fractions, bottom-left boxes) is converted
here, once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from typing import Literal

from grounding.errors import BoxInvalidError

CENTIPOINTS_PER_POINT = 100
MAX_CENTIPOINTS = 2**31 - 1
"""Boxes are stored as 32-bit integers; the largest PDF page (14,400 units of 75 pt) fits."""

Origin = Literal["top-left", "bottom-left", "unknown"]
Unit = Literal["centipoint", "point", "pixel", "fraction"]


def to_centipoints(points: float) -> int:
    """Points to centipoints, halves away from zero. Raises BoxInvalidError if not finite."""
    if not math.isfinite(points):
        raise BoxInvalidError(f"coordinate {points} is not finite")
    scaled = points * CENTIPOINTS_PER_POINT
    if abs(scaled) > MAX_CENTIPOINTS:
        raise BoxInvalidError(f"coordinate {points} pt is beyond any page")
    return math.floor(scaled + 0.5) if scaled >= 0 else math.ceil(scaled - 0.5)


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """A rectangle in centipoints, top-left origin, x0 < x1 and y0 < y1."""

    x0: int
    y0: int
    x1: int
    y1: int

    def __post_init__(self) -> None:
        if not (self.x0 < self.x1 and self.y0 < self.y1):
            raise BoxInvalidError(
                f"box [{self.x0}, {self.y0}, {self.x1}, {self.y1}] has no area or is turned round"
            )

    @property
    def width(self) -> int:
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        return self.y1 - self.y0

    def as_list(self) -> list[int]:
        return [self.x0, self.y0, self.x1, self.y1]

    def union(self, other: Box) -> Box:
        return Box(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def overlap(self, other: Box) -> int:
        """Shared area in square centipoints."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return width * height if width > 0 and height > 0 else 0

    def holds(self, x: int, y: int, tolerance: int = 0) -> bool:
        """Whether a point lies inside, up to `tolerance` centipoints outside the edge."""
        return (
            self.x0 - tolerance <= x <= self.x1 + tolerance
            and self.y0 - tolerance <= y <= self.y1 + tolerance
        )

    def contains(self, other: Box, tolerance: int = 0) -> bool:
        return (
            other.x0 >= self.x0 - tolerance
            and other.y0 >= self.y0 - tolerance
            and other.x1 <= self.x1 + tolerance
            and other.y1 <= self.y1 + tolerance
        )

    def padded(self, margin: int, frame: PageFrame) -> Box:
        """Grown by `margin` centipoints on each side, cut at the page's edges."""
        grown = frame.clamp(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)
        return grown or self


Matrix = tuple[float, float, float, float, float, float]
"""PDF order: x' = a·x + c·y + e, y' = b·x + d·y + f."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """How a page's own coordinates become the displayed page's.

    `crop` is the visible rectangle in PDF user space (bottom-left origin) in 1/1000 unit, already
    intersected with the media box; `rotation` turns the page clockwise; `user_unit` is points per
    unit in thousandths (1000 for ordinary pages).
    """

    crop: tuple[int, int, int, int]
    rotation: int = 0
    user_unit: int = 1000

    def __post_init__(self) -> None:
        x0, y0, x1, y1 = self.crop
        if not (x0 < x1 and y0 < y1):
            raise BoxInvalidError(f"page box {list(self.crop)} has no area")
        if self.rotation not in (0, 90, 180, 270):
            raise BoxInvalidError(f"rotation {self.rotation} is not a quarter turn")
        if self.user_unit <= 0:
            raise BoxInvalidError(f"user unit {self.user_unit} is not positive")

    @property
    def unrotated_size(self) -> tuple[float, float]:
        """Width and height in points before rotation."""
        x0, y0, x1, y1 = self.crop
        scale = self.user_unit / 1_000_000
        return (x1 - x0) * scale, (y1 - y0) * scale

    @property
    def width(self) -> int:
        """Displayed width in centipoints, at least 1."""
        size = self.unrotated_size[1 if self.rotation in (90, 270) else 0]
        return max(1, to_centipoints(size))

    @property
    def height(self) -> int:
        """Displayed height in centipoints, at least 1."""
        size = self.unrotated_size[0 if self.rotation in (90, 270) else 1]
        return max(1, to_centipoints(size))

    @property
    def box(self) -> Box:
        """The whole displayed page."""
        return Box(0, 0, self.width, self.height)

    @property
    def from_unrotated(self) -> Matrix:
        """From points of the unrotated page (top-left origin, user unit applied) to displayed
        points. This is the space in which MuPDF reports text."""
        width, height = self.unrotated_size
        return {
            0: (1.0, 0.0, 0.0, 1.0, 0.0, 0.0),
            90: (0.0, 1.0, -1.0, 0.0, height, 0.0),
            180: (-1.0, 0.0, 0.0, -1.0, width, height),
            270: (0.0, -1.0, 1.0, 0.0, 0.0, width),
        }[self.rotation]

    @property
    def from_native(self) -> Matrix:
        """From PDF user space (bottom-left origin, units) to displayed points."""
        scale = self.user_unit / 1000
        x0, _, _, y1 = (value / 1000 for value in self.crop)
        return _compose((scale, 0.0, 0.0, -scale, -x0 * scale, y1 * scale), self.from_unrotated)

    def native_box(self, x0: float, y0: float, x1: float, y1: float) -> Box | None:
        """A rectangle of PDF user space as displayed, cut at the page; None when outside."""
        return self._transformed(self.from_native, x0, y0, x1, y1)

    def unrotated_box(self, x0: float, y0: float, x1: float, y1: float) -> Box | None:
        """A rectangle of the unrotated page, in points, as displayed; None when outside."""
        return self._transformed(self.from_unrotated, x0, y0, x1, y1)

    def _transformed(self, m: Matrix, x0: float, y0: float, x1: float, y1: float) -> Box | None:
        ax, ay = apply(m, x0, y0)
        bx, by = apply(m, x1, y1)
        return self.clamp(
            to_centipoints(min(ax, bx)),
            to_centipoints(min(ay, by)),
            to_centipoints(max(ax, bx)),
            to_centipoints(max(ay, by)),
        )

    def clamp(self, x0: int, y0: int, x1: int, y1: int) -> Box | None:
        """The part of a rectangle that lies on the page, at least 1 centipoint wide and high;
        None when nothing does."""
        width, height = self.width, self.height
        if x1 < 0 or y1 < 0 or x0 > width or y0 > height or x0 > x1 or y0 > y1:
            return None
        x0, y0 = min(max(x0, 0), width - 1), min(max(y0, 0), height - 1)
        return Box(x0, y0, max(min(x1, width), x0 + 1), max(min(y1, height), y0 + 1))

    def as_dict(self) -> dict[str, object]:
        return {"crop": list(self.crop), "rotation": self.rotation, "user_unit": self.user_unit}


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """A point through a matrix."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _compose(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    corner = apply(second, e, f)
    origin = apply(second, 0.0, 0.0)
    x_axis = apply(second, a, b)
    y_axis = apply(second, c, d)
    return (
        x_axis[0] - origin[0],
        x_axis[1] - origin[1],
        y_axis[0] - origin[0],
        y_axis[1] - origin[1],
        corner[0],
        corner[1],
    )


Number = int | str | Decimal


@dataclass(frozen=True, slots=True)
class BoxSpace:
    """The space in which a caller gives boxes: origin and unit of the page as displayed.

    `pixel` needs `dpi`; `fraction` runs from 0 to 1 over the displayed page.
    """

    origin: Origin = "top-left"
    unit: Unit = "centipoint"
    dpi: int | None = None

    def to_box(self, values: tuple[Number, Number, Number, Number], frame: PageFrame) -> Box:
        """The rectangle in this project's frame, not cut at the page.

        Raises BoxInvalidError for malformed numbers, no area, an unknown origin or missing dpi.
        """
        if self.origin == "unknown":
            raise BoxInvalidError("the origin of the box is unknown")
        x_scale, y_scale = self._scales(frame)
        try:
            x0, y0, x1, y1 = (Decimal(value) for value in values)
            left, right = _rounded(x0 * x_scale), _rounded(x1 * x_scale)
            top, bottom = _rounded(y0 * y_scale), _rounded(y1 * y_scale)
        except DecimalException as error:  # malformed, a signalling NaN, or beyond any exponent
            raise BoxInvalidError(f"box {list(values)} holds no usable number") from error
        if self.origin == "bottom-left":
            top, bottom = frame.height - bottom, frame.height - top
        return Box(left, top, right, bottom)

    def _scales(self, frame: PageFrame) -> tuple[Decimal, Decimal]:
        if self.unit == "fraction":
            return Decimal(frame.width), Decimal(frame.height)
        if self.unit == "pixel":
            if not self.dpi or self.dpi <= 0:
                raise BoxInvalidError("a box in pixels needs a positive dpi")
            return (Decimal(7200) / self.dpi,) * 2
        scale = Decimal(1 if self.unit == "centipoint" else CENTIPOINTS_PER_POINT)
        return scale, scale


def _rounded(value: Decimal) -> int:
    if not value.is_finite() or abs(value) > MAX_CENTIPOINTS:
        raise BoxInvalidError(f"coordinate {value} is beyond any page")
    return int(value.to_integral_value(rounding="ROUND_HALF_UP"))
