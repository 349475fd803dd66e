"""PDF syntax: numbers, strings, streams, the object table and the file around them.

Everything here is a function of its arguments. No clock, no random numbers and no compressor is
used (deflate output differs between zlib builds), so the same drawing gives the same bytes.
"""

import math
from collections.abc import Iterable, Mapping

HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
DEFAULT_ID = b"pdf_writer-fixed"


class DrawError(ValueError):
    """A drawing that has no meaning in PDF; the message holds the value that is at fault."""


def number(value: float) -> str:
    """Write a number with at most four decimals; DrawError when it is infinite or not a number."""
    if not math.isfinite(value):
        raise DrawError(f"not a finite number: {value!r}")
    written = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if written in ("-0", "") else written


def numbers(values: Iterable[float]) -> str:
    """Write numbers with a space between them."""
    return " ".join(number(value) for value in values)


def array(values: Iterable[float]) -> str:
    """Write numbers as a PDF array."""
    return f"[{numbers(values)}]"


def literal(data: bytes) -> bytes:
    """Write bytes as a literal string; anything but plain ASCII becomes an octal escape."""
    out = bytearray(b"(")
    for code in data:
        if code in b"()\\":
            out += bytes((0x5C, code))
        elif 32 <= code < 127:
            out.append(code)
        else:
            out += f"\\{code:03o}".encode()
    return bytes(out + b")")


def text_string(text: str) -> bytes:
    """Write a text string for dictionaries: ASCII as it is, the rest as UTF-16 with its mark."""
    if text.isascii():
        return literal(text.encode("ascii"))
    return literal(b"\xfe\xff" + text.encode("utf-16-be"))


def stream(data: bytes, entries: str = "") -> bytes:
    """Write a stream object; `entries` are further dictionary entries, without /Length."""
    space = " " if entries else ""
    head = f"<<{entries}{space}/Length {len(data)}>>\nstream\n"
    return head.encode() + data + b"\nendstream"


def run_length(data: bytes) -> bytes:
    """Encode for /RunLengthDecode: small for line art and equal on every machine."""
    out = bytearray()
    start = 0
    while start < len(data):
        run = _run_at(data, start)
        if run > 1:
            out += bytes((257 - run, data[start]))
        else:
            run = _mixed_at(data, start)
            out.append(run - 1)
            out += data[start : start + run]
        start += run
    return bytes(out + b"\x80")


def _run_at(data: bytes, start: int) -> int:
    """Count equal bytes from `start`, up to the format's limit of 128."""
    end = min(start + 128, len(data))
    here = start + 1
    while here < end and data[here] == data[start]:
        here += 1
    return here - start


def _mixed_at(data: bytes, start: int) -> int:
    """Count bytes from `start` up to the next pair of equal ones, up to 128."""
    end = min(start + 128, len(data))
    here = start + 1
    while here < end and not (here + 1 < len(data) and data[here] == data[here + 1]):
        here += 1
    return here - start


class Objects:
    """The numbered objects of one file, from 1 upwards in the order in which they are added."""

    def __init__(self) -> None:
        self._bodies: list[bytes | None] = []

    def reserve(self) -> int:
        """Give a number to an object whose body follows later through `put`."""
        self._bodies.append(None)
        return len(self._bodies)

    def put(self, object_id: int, body: str | bytes) -> None:
        """Set or replace the body of an object; DrawError when the number was never given."""
        if not 1 <= object_id <= len(self._bodies):
            raise DrawError(f"no object {object_id} among {len(self._bodies)}")
        self._bodies[object_id - 1] = body.encode("latin-1") if isinstance(body, str) else body

    def add(self, body: str | bytes) -> int:
        """Add an object and return its number."""
        object_id = self.reserve()
        self.put(object_id, body)
        return object_id

    def bodies(self) -> dict[int, bytes]:
        """Return number and body of every object; DrawError when a reserved one has no body."""
        missing = [at + 1 for at, body in enumerate(self._bodies) if body is None]
        if missing:
            raise DrawError(f"objects without a body: {missing}")
        return {at + 1: body for at, body in enumerate(self._bodies) if body is not None}


def assemble(
    bodies: Mapping[int, bytes],
    *,
    root: int = 1,
    info: int | None = None,
    file_id: bytes = DEFAULT_ID,
    startxref_shift: int = 0,
) -> bytes:
    """Join objects, cross-reference table and trailer into a file.

    Object numbers must run from 1 without a gap (DrawError otherwise); `root` and `info` are the
    numbers of the catalog and the info dictionary. `startxref_shift` moves the written offset of
    the table by that many bytes, which makes a file that readers have to repair.
    """
    if sorted(bodies) != list(range(1, len(bodies) + 1)):
        raise DrawError(f"object numbers have a gap: {sorted(bodies)}")
    out = bytearray(HEADER)
    offsets = []
    for object_id in sorted(bodies):
        offsets.append(len(out))
        out += f"{object_id} 0 obj\n".encode() + bodies[object_id] + b"\nendobj\n"
    table_at = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    for offset in offsets:
        out += f"{offset:010d} 00000 n \n".encode()
    info_entry = "" if info is None else f" /Info {info} 0 R"
    hex_id = file_id.hex().upper()
    trailer = f"/Size {len(bodies) + 1} /Root {root} 0 R{info_entry} /ID [<{hex_id}> <{hex_id}>]"
    out += f"trailer\n<<{trailer}>>\nstartxref\n{table_at + startxref_shift}\n%%EOF\n".encode()
    return bytes(out)
