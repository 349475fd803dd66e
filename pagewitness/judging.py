"""Which judge a command asks, and how many traces at a time."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from verifier.judges import Judge


@dataclass(frozen=True, slots=True)
class Asked:
    """A judge, and how many traces may wait for it at the same time."""

    judge: Judge
    at_once: int = 1


def _literal() -> Asked:
    from verifier.judges.literal import LiteralJudge

    return Asked(LiteralJudge())


JUDGES: dict[str, Callable[[], Asked]] = {"literal": _literal}
"""How each judge is made."""


def judge_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --judge; the command gets it as `asked`."""

    @functools.wraps(command)
    def run(*args: Any, judge_name: str, **options: Any) -> Any:
        return command(*args, asked=JUDGES[judge_name](), **options)

    with_judge: Callable[..., Any] = click.option(
        "--judge",
        "judge_name",
        type=click.Choice(list(JUDGES)),
        default="literal",
        show_default=True,
        help="Who judges: literal is deterministic and asks no model.",
    )(run)
    return with_judge
