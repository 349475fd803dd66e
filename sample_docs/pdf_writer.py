"""A small PDF writer for fixtures and samples: raw operators, exact places, the same bytes always.

    pdf = Pdf()
    page = pdf.page()
    page.text(72, 720, 12, "Hello")
    data = pdf.to_bytes()

It draws what a real file may hold, odd things included, and checks little beyond its arguments.
"""

from collections.abc import Mapping, Sequence

from pdf_fonts import STANDARD_FONTS, Font, Glyph, MappedFont, add_font, text_width
from pdf_objects import DEFAULT_ID, DrawError, Objects, array, assemble, literal, number, stream
from pdf_objects import text_string as _text_string
from pdf_page import BLACK, WHITE, Page, Rect, Rgb

LETTER: Rect = (0, 0, 612, 792)
# (index of the first page, style letter or "" for none, prefix, first number)
LabelRange = tuple[int, str, str, int]


class Pdf:
    """A document under construction.

    `info` fills the info dictionary ("Producer", "ModDate" as "D:20240131120000Z", ...), `file_id`
    both halves of /ID.
    """

    def __init__(self, info: Mapping[str, str] | None = None, file_id: bytes = DEFAULT_ID) -> None:
        self.objects = Objects()
        self.form_fields: list[int] = []
        self.catalog: dict[str, str] = {}
        self._root = self.objects.reserve()
        self._tree = self.objects.reserve()
        self._info = dict(info or {})
        self._file_id = file_id
        self._pages: list[Page] = []
        self._fonts: dict[str, tuple[Font, int]] = {}
        self._layers: list[tuple[int, bool]] = []
        self._names: dict[str, str] = {}
        self._bytes: bytes | None = None

    def page(
        self,
        media_box: Rect = LETTER,
        *,
        crop_box: Rect | None = None,
        rotate: int = 0,
        user_unit: float = 1,
    ) -> Page:
        """Add a page; boxes are x0, y0, x1, y1 in points, `rotate` is degrees clockwise."""
        entries = f"/MediaBox {array(media_box)}"
        if crop_box is not None:
            entries += f" /CropBox {array(crop_box)}"
        if rotate:
            entries += f" /Rotate {rotate}"
        if user_unit != 1:
            entries += f" /UserUnit {number(user_unit)}"
        page = Page(self, entries)
        self._pages.append(page)
        return page

    def font(self, font: Font) -> int:
        """Return the object number of a font; DrawError when two fonts share a name."""
        name = font if isinstance(font, str) else font.name
        if name not in self._fonts:
            self._fonts[name] = (font, add_font(self.objects, font))
        known, object_id = self._fonts[name]
        if known != font:
            raise DrawError(f"two different fonts are called {name}")
        return object_id

    def layer(self, name: str, *, visible: bool = True) -> int:
        """Add an optional-content layer and return its number, for `Page.layer`."""
        body = b"<</Type /OCG /Name " + _text_string(name) + b">>"
        object_id = self.objects.add(body)
        self._layers.append((object_id, visible))
        return object_id

    def page_labels(self, ranges: Sequence[LabelRange]) -> None:
        """Set printed page labels; each range is (first page index, style, prefix, first number).

        Styles are D (1, 2), r and R (i, I), a and A (a, A), or "" for the prefix alone.
        """
        parts = []
        for first, style, prefix, start in ranges:
            entries = f"/S /{style} " if style else ""
            entries += f"/P {_text_string(prefix).decode('ascii')} " if prefix else ""
            parts.append(f"{first} <<{entries}/St {start}>>")
        self.catalog["PageLabels"] = f"<</Nums [{' '.join(parts)}]>>"

    def attach(self, name: str, data: bytes) -> None:
        """Embed a file under `name`; one file a document."""
        held = self.objects.add(stream(data, "/Type /EmbeddedFile"))
        shown = _text_string(name).decode("ascii")
        spec = self.objects.add(f"<</Type /Filespec /F {shown} /UF {shown} /EF <</F {held} 0 R>>>>")
        self._names["EmbeddedFiles"] = f"<</Names [{shown} {spec} 0 R]>>"

    def javascript(self, code: str, *, on_open: bool = False) -> None:
        """Add a document script; with `on_open` it is the open action as well."""
        text = _text_string(code).decode("ascii")
        action = self.objects.add(f"<</S /JavaScript /JS {text}>>")
        self._names["JavaScript"] = f"<</Names [(script) {action} 0 R]>>"
        if on_open:
            self.catalog["OpenAction"] = f"{action} 0 R"

    def to_bytes(self, *, startxref_shift: int = 0) -> bytes:
        """Return the finished file; see `assemble` for `startxref_shift`, in bytes.

        The document may not be drawn on afterwards: DrawError when this is called twice.
        """
        if self._bytes is not None:
            raise DrawError("to_bytes was called before on this document")
        for page in self._pages:
            page.finish(self._tree)
        kids = " ".join(f"{page.object_id} 0 R" for page in self._pages)
        self.objects.put(self._tree, f"<</Type /Pages /Kids [{kids}] /Count {len(self._pages)}>>")
        info = self._write_info()
        self.objects.put(self._root, self._catalog())
        self._bytes = assemble(
            self.objects.bodies(),
            root=self._root,
            info=info,
            file_id=self._file_id,
            startxref_shift=startxref_shift,
        )
        return self._bytes

    def _write_info(self) -> int | None:
        """Write the info dictionary, if it has entries, and return its number."""
        if not self._info:
            return None
        parts = [f"/{key} ".encode() + _text_string(text) for key, text in self._info.items()]
        return self.objects.add(b"<<" + b" ".join(parts) + b">>")

    def _catalog(self) -> str:
        """Write the catalog with what the document uses."""
        entries = {"Type": "/Catalog", "Pages": f"{self._tree} 0 R", **self.catalog}
        if self._names:
            inner = " ".join(f"/{key} {tree}" for key, tree in self._names.items())
            entries["Names"] = f"<<{inner}>>"
        if self.form_fields:
            entries["AcroForm"] = self._form()
        if self._layers:
            entries["OCProperties"] = self._layer_settings()
        return "<<" + " ".join(f"/{key} {value}" for key, value in entries.items()) + ">>"

    def _form(self) -> str:
        """Write the form dictionary with the fonts that field appearances name."""
        fields = " ".join(f"{field} 0 R" for field in self.form_fields)
        fonts = " ".join(f"/{name} {object_id} 0 R" for name, (_, object_id) in self._fonts.items())
        return f"<</Fields [{fields}] /DR <</Font <<{fonts}>>>> /DA (/Helvetica 10 Tf 0 g)>>"

    def _layer_settings(self) -> str:
        """Write which layers exist and which of them are off."""
        every = " ".join(f"{layer} 0 R" for layer, _ in self._layers)
        off = " ".join(f"{layer} 0 R" for layer, visible in self._layers if not visible)
        return f"<</OCGs [{every}] /D <</Order [{every}] /OFF [{off}]>>>>"


__all__ = [
    "BLACK",
    "LETTER",
    "STANDARD_FONTS",
    "WHITE",
    "DrawError",
    "Font",
    "Glyph",
    "LabelRange",
    "MappedFont",
    "Page",
    "Pdf",
    "Rect",
    "Rgb",
    "assemble",
    "literal",
    "stream",
    "text_width",
]
