"""Which claims a calculation stands on, and in which order calculations can be made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grounding.errors import RequestInvalidError

if TYPE_CHECKING:
    from verifier.claims import Claim

VALUED_KINDS = ("value", "table_cell", "calculation")
"""Kinds of claims that state a value which a calculation may use."""

_CHECK_ID = re.compile(r"v[0-9]{4,9}")


def calculation_order(claims: Sequence[Claim]) -> tuple[list[int], list[tuple[int, ...]]]:
    """In which order calculations can be made, and the inputs of every claim, as positions.

    Raises RequestInvalidError for inputs that are unknown, have no value, name each other in a
    circle or come twice where that proves nothing.
    """
    if all(claim.operation is None for claim in claims):
        return [], []
    named = {claim.id: at for at, claim in enumerate(claims) if claim.id is not None}
    inputs = [_inputs(claim, claims, named) for claim in claims]
    order: list[int] = []
    state = [0] * len(claims)
    for first, claim in enumerate(claims):
        if claim.operation is None or state[first]:
            continue
        stack = [(first, iter(inputs[first]))]
        state[first] = 1
        while stack:
            at, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                state[at] = 2
                if claims[at].operation is not None:
                    order.append(at)
            elif state[following] == 1:
                raise RequestInvalidError(
                    f"calculation {_name(claims, following)} is an input of itself",
                    remedy="let calculations stand on values that a page shows",
                )
            elif state[following] == 0:
                state[following] = 1
                stack.append((following, iter(inputs[following])))
    return order, inputs


def _inputs(claim: Claim, claims: Sequence[Claim], named: dict[str, int]) -> tuple[int, ...]:
    """Positions of a calculation's inputs; none for other claims."""
    found = []
    for name in claim.inputs or ():
        at = named.get(name)
        by_number = int(name[1:]) - 1 if _CHECK_ID.fullmatch(name) else None
        if by_number is not None and not 0 <= by_number < len(claims):
            by_number = None
        if at is not None and by_number is not None and at != by_number:
            raise RequestInvalidError(
                f"input {name!r} is the id of one claim and the position of another"
            )
        at = by_number if at is None else at
        if at is None:
            raise RequestInvalidError(f"input {name!r} is no claim of this request")
        if claims[at].kind not in VALUED_KINDS:
            raise RequestInvalidError(f"input {name!r} is a {claims[at].kind} and has no value")
        if at in found and claim.operation != "product":
            raise RequestInvalidError(f"input {name!r} comes twice in one calculation")
        found.append(at)
    return tuple(found)


def _name(claims: Sequence[Claim], at: int) -> str:
    return repr(claims[at].id or f"v{at + 1:04d}")
