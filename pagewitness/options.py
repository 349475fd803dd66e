"""Options that several commands share, and how commands write files."""

from __future__ import annotations

import functools
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import click

from grounding.errors import BoxInvalidError, OutputError, RequestInvalidError, UsageError
from grounding.geometry import Box
from grounding.store.access import OPERATOR, Access
from grounding.store.source_entry import check_label, iso_date

DEFAULT_STORE = Path("grounding.db")

db_option: Callable[[Any], Any] = click.option(
    "--db",
    type=click.Path(path_type=Path),
    default=DEFAULT_STORE,
    show_default=True,
    help="The store.",
)
config_option: Callable[[Any], Any] = click.option(
    "--config",
    "config_name",
    metavar="FILE|PRESET",
    default="default",
    show_default=True,
    help="Rules: default, strict, ethos-v1 (of verify), or a TOML or JSON file.",
)
out_option: Callable[[Any], Any] = click.option(
    "--out", type=click.Path(path_type=Path), help="Where the answer goes; else stdout."
)
json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="JSON lines on stdout."
)


def _day(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else iso_date(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not a date such as 2026-01-31") from error


as_of_option: Callable[[Any], Any] = click.option(
    "--as-of",
    metavar="DATE",
    callback=_day,
    help="The day on which sources have to be valid, such as 2026-01-31; else their dates are not"
    " looked at.",
)


def period_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --since and --until, as times in UTC."""
    for name, about in (
        ("--until", "Before this time."),
        ("--since", "From this time on, such as 2026-01-31T08:00; UTC where it names no zone."),
    ):
        command = click.option(name, metavar="TIME", callback=_time, help=about)(command)
    return command


def _time(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    if value is None:
        return None
    try:
        time = datetime.fromisoformat(value)
        return time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(f"{value!r} is no time such as 2026-01-31T08:00") from error


def _label(
    ctx: click.Context, param: click.Parameter, value: str | tuple[str, ...]
) -> str | tuple[str, ...]:
    """What no tenant and no permission can be called is no name of one."""
    for label in (value,) if isinstance(value, str) else value:
        if label or not isinstance(value, str):
            check_label(f"--{'tenant' if isinstance(value, str) else 'permission'}", label)
    return value


def access_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --tenant and --permission; the command gets them as `access`."""

    @functools.wraps(command)
    def run(*args: Any, tenant: str, permissions: tuple[str, ...], **options: Any) -> Any:
        access = Access(tenant, frozenset(permissions))
        return command(*args, access=access, **options)

    permission = click.option(
        "--permission",
        "permissions",
        multiple=True,
        metavar="LABEL",
        callback=_label,
        help="A permission label that the caller has; repeatable.",
    )
    with_tenant: Callable[..., Any] = tenant_option(permission(run))
    return with_tenant


tenant_option: Callable[[Any], Any] = click.option(
    "--tenant",
    default="",
    metavar="T",
    callback=_label,
    help="Whose sources are there, beside those that all share; else only the shared ones.",
)
all_tenants_option: Callable[[Any], Any] = click.option(
    "--all-tenants", is_flag=True, help="The sources of all tenants, for whoever keeps the store."
)


def view_of(tenant: str, all_tenants: bool) -> Access:
    """The sources that a listing shows. Raises UsageError for a tenant among all."""
    if all_tenants and tenant:
        raise UsageError("--tenant and --all-tenants exclude each other")
    return OPERATOR if all_tenants else Access(tenant)


def read_input(path: Path) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises RequestInvalidError."""
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise RequestInvalidError(
            f"{path} cannot be read: {error.strerror}", remedy="check the path"
        ) from error


def write_file(path: Path, data: bytes, *, apart_from: tuple[Path, ...] = ()) -> None:
    """Writes a file whole or not at all; links are followed, the mode of an existing file is kept,
    and what is no regular file (a pipe, a device) is written to as it is.

    `apart_from` are files that the command reads. Raises OutputError.
    """
    write_stream(path, io.BytesIO(data), apart_from=apart_from)


def write_stream(path: Path, data: IO[bytes], *, apart_from: tuple[Path, ...] = ()) -> None:
    """As write_file, of data that may be larger than memory."""
    if any(_same_file(path, other) for other in apart_from):
        raise OutputError(f"{path} is what this command reads", remedy="choose another name")
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                shutil.copyfileobj(data, stream)
        else:
            _replace(path.resolve(), data)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()


def _replace(path: Path, data: IO[bytes]) -> None:
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(data, file)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def store_files(db: Path) -> tuple[Path, ...]:
    """The store and what SQLite keeps beside it."""
    return db, db.with_name(f"{db.name}-wal"), db.with_name(f"{db.name}-shm")


def write_out(out: Path | None, data: bytes, *, apart_from: tuple[Path, ...] = ()) -> None:
    """Writes to a file, or to stdout for None and `-`. Raises OutputError."""
    if out is not None and str(out) != "-":
        write_file(out, data, apart_from=apart_from)
        return
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_lines(
    out: Path | None, lines: Iterable[bytes], *, apart_from: tuple[Path, ...] = ()
) -> None:
    """As write_out, of lines that may be more than memory holds. They are all made before the first
    is written. Raises OutputError."""
    with tempfile.TemporaryFile() as made:
        made.writelines(lines)
        made.seek(0)
        if out is not None and str(out) != "-":
            write_stream(out, made, apart_from=apart_from)
            return
        shutil.copyfileobj(made, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _umask() -> int:
    """The process's mask; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def make_folder(path: Path) -> None:
    """Makes a folder for output. Raises OutputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"folder {path} cannot be made: {error.strerror}") from error


def parse_box(text: str) -> Box:
    """`X0,Y0,X1,Y1` in centipoints. Raises BoxInvalidError."""
    parts = text.split(",")
    if len(parts) != 4:
        raise BoxInvalidError(f"{text!r} is not four numbers")
    try:
        x0, y0, x1, y1 = (int(part) for part in parts)
    except ValueError as error:
        raise BoxInvalidError(f"{text!r} is not four whole numbers") from error
    return Box(x0, y0, x1, y1)
