"""The command line as a whole: the list of commands, and the one place where errors are printed.

Commands are modules that are imported when they are run, so that `--help` costs nothing and
`verify` never loads a PDF engine.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from grounding.errors import OutputError, PagewitnessError, UsageError
from grounding.version import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "ingest": ("pagewitness.commands.ingest:command", "Read PDFs into the store."),
    "refresh": (
        "pagewitness.commands.refresh:command",
        "See what became of files and of their citations.",
    ),
    "verify": (
        "pagewitness.commands.verify:command",
        "Check citations against the store or a foreign file.",
    ),
    "convert": (
        "pagewitness.commands.convert:command",
        "Make requests of citations that other systems write.",
    ),
    "impact": ("pagewitness.commands.impact:command", "List which saved citations still hold."),
    "anchor": (
        "pagewitness.commands.anchor:command",
        "Ask whether references still bind to their source.",
    ),
    "gate": ("pagewitness.commands.gate:command", "Decide what of an answer may be shown."),
    "audit": ("pagewitness.commands.audit:command", "Look at the log of decisions and prove it."),
    "stats": ("pagewitness.commands.stats:command", "Count decisions, for monitoring."),
    "coverage": (
        "pagewitness.commands.coverage:command",
        "Audit which claims of answers their sources bear out.",
    ),
    "scorecard": (
        "pagewitness.commands.scorecard:command",
        "Score how answers used each retrieved document.",
    ),
    "crop": ("pagewitness.commands.crop:command", "Render cited evidence as pictures."),
    "sources": ("pagewitness.commands.sources:command", "List what the store holds."),
    "source": (
        "pagewitness.commands.source:command",
        "Say which sources are approved, when, and for whom.",
    ),
    "show": ("pagewitness.commands.show:command", "Print a document or one of its pages."),
    "search": ("pagewitness.commands.search:command", "Find text, with citations ready to use."),
    "context": (
        "pagewitness.commands.context:command",
        "Give evidence for a prompt; check answers that cite it.",
    ),
    "export": ("pagewitness.commands.export:command", "Write a document in a portable form."),
    "forget": ("pagewitness.commands.forget:command", "Remove a source's content from the store."),
    "vacuum": ("pagewitness.commands.vacuum:command", "Give free space of the store back."),
    "check-store": (
        "pagewitness.commands.check_store:command",
        "Check the store against its own hashes and rules.",
    ),
}
"""Where each command is defined, and its line in the overview."""

INTERRUPTED = 130
"""128 + SIGINT, as shells have it."""
DEBUG = "PAGEWITNESS_DEBUG"


class Interrupted(Exception):
    """Ctrl-C, as something that click hands through. `message` says what state is left behind."""

    def __init__(self, message: str = "nothing more was done") -> None:
        super().__init__(message)
        self.message = message


class Commands(click.Group):
    """A group that knows its commands by name and imports one when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:  # click would turn it into a blank line and exit 1
            raise Interrupted from error

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Runs a command line and exits: 0, or what the error or the command says."""
        arguments = list(sys.argv[1:] if args is None else args)

        def run() -> Any:
            check_streams()
            return super(Commands, self).main(
                arguments, prog_name, complete_var, standalone_mode=False, **extra
            )

        sys.exit(guarded(run, as_json=wants_json(arguments)))


def guarded(run: Callable[[], Any], *, as_json: bool) -> int:
    """The error boundary: the exit code of `run`, with every error printed in its one form."""
    try:
        code = run()
    except PagewitnessError as error:
        return report(error, as_json=as_json)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return report(_usage(error), as_json=as_json)
    except (Interrupted, click.Abort, KeyboardInterrupt) as error:
        message = error.message if isinstance(error, Interrupted) else "nothing more was done"
        print(f"interrupted: {message}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return _quietly_closed()
    except OSError as error:
        failed = OutputError(f"nothing can be written: {error.strerror or error}")
        return report(failed, as_json=False)
    except Exception as error:  # noqa: BLE001 nothing may leave as a traceback
        return _internal(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def report(error: PagewitnessError, *, as_json: bool) -> int:
    """Prints an error, as JSON on stdout or as one line on stderr; returns its exit code."""
    try:
        if as_json:
            print(json.dumps(error.as_dict()), flush=True)
        else:
            print(printable(error.line()), file=sys.stderr)
    except OSError:
        pass  # there is nobody to tell
    return error.exit_code


def _quietly_closed() -> int:
    """Whoever read the output has enough of it; Python must not complain when it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 1


def check_streams() -> None:
    """Makes up for a closed stderr; without a stdout there is no place for results.

    Raises OutputError.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 it lives as long as the process
    if sys.stdout is None:
        sys.stdout = sys.stderr
        raise OutputError("standard output is closed")


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for JSON; known before it is parsed, for errors in parsing it."""
    options = list(arguments)
    return "--json" in (options[: options.index("--")] if "--" in options else options)


def printable(text: str) -> str:
    """One line of text that moves no cursor: file names may hold anything."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def _usage(error: click.ClickException) -> UsageError:
    context = getattr(error, "ctx", None)
    remedy = f"see {context.command_path} --help" if context else None
    return UsageError(error.format_message().rstrip("."), remedy=remedy)


class _InternalError(PagewitnessError):
    code = "internal_error"
    remedy = f"set {DEBUG}=1 for the traceback and report it"


def _internal(error: Exception, *, as_json: bool) -> int:
    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error)
    return report(_InternalError(f"{type(error).__name__}: {error}"), as_json=as_json)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="pagewitness")
def cli() -> None:
    """Checks that cited PDF pages really say what an answer claims they say."""
