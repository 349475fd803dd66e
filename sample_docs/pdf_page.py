"""One page of a drawing: text, shapes, images, annotations and form fields.

Every position is in PDF user space: points (1/72 inch, before /UserUnit), origin at the lower
left, y upwards, whatever /CropBox and /Rotate make of it afterwards.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from pdf_fonts import Font, encode, font_name, text_width
from pdf_objects import (
    DrawError,
    Objects,
    array,
    literal,
    number,
    numbers,
    run_length,
    stream,
    text_string,
)

Rgb = tuple[float, float, float]
Rect = tuple[float, float, float, float]
BLACK: Rgb = (0.0, 0.0, 0.0)
WHITE: Rgb = (1.0, 1.0, 1.0)
UPRIGHT = (1.0, 0.0, 0.0, 1.0)
_COLOURS = {"gray": ("/DeviceGray", 1), "rgb": ("/DeviceRGB", 3)}


class Shared(Protocol):
    """What a page needs of the document around it."""

    objects: Objects
    form_fields: list[int]

    def font(self, font: Font) -> int:
        """Return the object number of a font, written once a document."""


class Page:
    """A page under construction; make it with `Pdf.page`."""

    def __init__(self, shared: Shared, entries: str) -> None:
        self.object_id = shared.objects.reserve()
        self._shared = shared
        self._entries = entries
        self._content: list[bytes] = []
        self._resources: dict[str, dict[str, int]] = {}
        self._annotations: list[int] = []

    def text(
        self,
        x: float,
        y: float,
        size: float,
        text: str,
        *,
        font: Font = "Helvetica",
        rgb: Rgb = BLACK,
        render_mode: int = 0,
        matrix: tuple[float, float, float, float] | None = None,
        char_spacing: float = 0,
        word_spacing: float = 0,
    ) -> float:
        """Draw one run with its baseline starting at x, y and return its advance in points.

        `size`, `char_spacing` and `word_spacing` are points; `matrix` is (a, b, c, d) of the text
        matrix, (0, 1, -1, 0) makes text that runs upwards. Render mode 3 is invisible. DrawError
        when the font lacks a character.
        """
        codes = encode(font, text)
        name = font_name(font)
        self._use("Font", name, self._shared.font(font))
        state = "".join(
            f" {number(value)} {operator}"
            for value, operator in (
                (render_mode, "Tr"),
                (char_spacing, "Tc"),
                (word_spacing, "Tw"),
            )
            if value
        )
        place = numbers((*(matrix or UPRIGHT), x, y))
        self.raw(
            f"q {numbers(rgb)} rg BT /{name} {number(size)} Tf{state} {place} Tm ".encode()
            + literal(codes)
            + b" Tj ET Q"
        )
        gaps = len(codes) * char_spacing + text.count(" ") * word_spacing
        return text_width(font, size, text) + gaps

    def rect(self, x: float, y: float, width: float, height: float, rgb: Rgb = BLACK) -> None:
        """Fill a rectangle whose lower left corner is x, y."""
        self.raw(f"q {numbers(rgb)} rg {numbers((x, y, width, height))} re f Q")

    def frame(
        self, x: float, y: float, width: float, height: float, line: float = 0.5, rgb: Rgb = BLACK
    ) -> None:
        """Draw the outline of a rectangle, `line` points thick."""
        self.raw(f"q {numbers(rgb)} RG {number(line)} w {numbers((x, y, width, height))} re S Q")

    def line(
        self, x0: float, y0: float, x1: float, y1: float, width: float = 0.5, rgb: Rgb = BLACK
    ) -> None:
        """Draw a straight line, `width` points thick."""
        self.raw(
            f"q {numbers(rgb)} RG {number(width)} w {numbers((x0, y0))} m {numbers((x1, y1))} l S Q"
        )

    def image(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        pixels: bytes,
        size: tuple[int, int],
        colour: str = "gray",
        matrix: tuple[float, float, float, float] | None = None,
    ) -> None:
        """Place 8-bit pixels, top row first, into width x height points at lower left x, y.

        `size` is (columns, rows), `colour` is "gray" or "rgb"; DrawError when the number of bytes
        does not fit. `matrix` (a, b, c, d) replaces (width, 0, 0, height), for a turned image.
        """
        space, channels = _COLOURS[colour]
        columns, rows = size
        if len(pixels) != columns * rows * channels:
            raise DrawError(f"{len(pixels)} bytes for {columns} x {rows} pixels of {colour}")
        body = stream(
            run_length(pixels),
            f"/Type /XObject /Subtype /Image /Width {columns} /Height {rows}"
            f" /ColorSpace {space} /BitsPerComponent 8 /Filter /RunLengthDecode",
        )
        name = f"Im{len(self._resources.get('XObject', {}))}"
        self._use("XObject", name, self._shared.objects.add(body))
        place = (*(matrix or (width, 0.0, 0.0, height)), x, y)
        self.raw(f"q {numbers(place)} cm /{name} Do Q")

    @contextmanager
    def layer(self, object_id: int) -> Iterator[None]:
        """Put what is drawn inside the `with` on an optional-content layer of `Pdf.layer`."""
        self._use("Properties", f"Layer{object_id}", object_id)
        self.raw(f"/OC /Layer{object_id} BDC")
        yield
        self.raw("EMC")

    def raw(self, operators: str | bytes) -> None:
        """Append content operators as they are: the way out for what has no method here."""
        data = operators.encode("latin-1") if isinstance(operators, str) else operators
        self._content.append(data)

    def use_font(self, name: str, object_id: int) -> None:
        """List a font written by hand under /name in the page's resources."""
        self._use("Font", name, object_id)

    def link(self, rect: Rect, uri: str) -> None:
        """Make the rectangle x0, y0, x1, y1 a link to a web address."""
        action = b"/A <</S /URI /URI " + literal(uri.encode("ascii")) + b">>"
        self._annotate("Link", rect, b"/Border [0 0 0] " + action)

    def free_text(self, rect: Rect, text: str, size: float = 10) -> None:
        """Write a one-line note into the rectangle x0, y0, x1, y1 as a FreeText annotation."""
        body = self._appearance(rect, "Helvetica", size, text, ground=b"1 1 0.8 rg")
        entries = b"/DA (/Helvetica 10 Tf 0 g) /AP <</N %d 0 R>> /Contents " % body
        self._annotate("FreeText", rect, entries + text_string(text))

    def text_field(self, name: str, rect: Rect, value: str, size: float = 10) -> None:
        """Add a text field that holds `value` and shows it in the rectangle x0, y0, x1, y1."""
        shown = self._appearance(rect, "Helvetica", size, value)
        entries = b"/FT /Tx /DA (/Helvetica %s Tf 0 g)" % number(size).encode()
        entries += b" /AP <</N %d 0 R>> /V " % shown + text_string(value)
        self._field(name, rect, entries)

    def checkbox(self, name: str, rect: Rect, checked: bool) -> None:
        """Add a checkbox in the rectangle x0, y0, x1, y1, its states named Yes and Off."""
        size = (rect[3] - rect[1]) * 0.8
        on = self._appearance(rect, "ZapfDingbats", size, "4")  # "4" is that font's tick
        off = self._appearance(rect, "ZapfDingbats", size, "")
        state = b"Yes" if checked else b"Off"
        entries = b"/FT /Btn /V /%s /AS /%s /DA (/ZapfDingbats 0 Tf 0 g)" % (state, state)
        self._field(name, rect, entries + b" /AP <</N <</Yes %d 0 R /Off %d 0 R>>>>" % (on, off))

    def finish(self, parent: int) -> None:
        """Write the page's objects; `Pdf.to_bytes` calls this."""
        content = self._shared.objects.add(stream(b"\n".join(self._content)))
        kinds = " ".join(
            f"/{kind} <<{' '.join(f'/{name} {target} 0 R' for name, target in names.items())}>>"
            for kind, names in self._resources.items()
        )
        notes = " ".join(f"{annotation} 0 R" for annotation in self._annotations)
        annotations = f" /Annots [{notes}]" if notes else ""
        self._shared.objects.put(
            self.object_id,
            f"<</Type /Page /Parent {parent} 0 R {self._entries} /Resources <<{kinds}>>"
            f" /Contents {content} 0 R{annotations}>>",
        )

    def _use(self, kind: str, name: str, object_id: int) -> None:
        """List an object in the page's resources."""
        self._resources.setdefault(kind, {})[name] = object_id

    def _appearance(
        self, rect: Rect, font: str, size: float, text: str, ground: bytes = b""
    ) -> int:
        """Write the form XObject that shows one line of text in a rectangle; return its number."""
        width, height = rect[2] - rect[0], rect[3] - rect[1]
        fill = ground + f" 0 0 {numbers((width, height))} re f ".encode() if ground else b""
        start = numbers((2, (height - size) / 2 + size * 0.2))
        codes = text.encode("ascii") if font == "ZapfDingbats" else encode(font, text)
        draw = f"BT /{font} {number(size)} Tf 0 g {start} Td ".encode() + literal(codes)
        return self._shared.objects.add(
            stream(
                b"/Tx BMC q " + fill + draw + b" Tj ET Q EMC",
                f"/Type /XObject /Subtype /Form /BBox {array((0, 0, width, height))}"
                f" /Resources <</Font <</{font} {self._shared.font(font)} 0 R>>>>",
            )
        )

    def _field(self, name: str, rect: Rect, entries: bytes) -> None:
        """Add a form field that is its own widget."""
        self._shared.form_fields.append(
            self._annotate("Widget", rect, b"/T " + text_string(name) + b" " + entries)
        )

    def _annotate(self, subtype: str, rect: Rect, entries: bytes) -> int:
        """Add an annotation to the page, printable (flag 4), and return its number."""
        head = f"<</Type /Annot /Subtype /{subtype} /Rect {array(rect)} /F 4"
        head += f" /P {self.object_id} 0 R "
        annotation = self._shared.objects.add(head.encode() + entries + b">>")
        self._annotations.append(annotation)
        return annotation
