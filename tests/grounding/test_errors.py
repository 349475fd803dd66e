"""The tree of errors: what programs switch on and what people read."""

import re
from collections.abc import Iterator

import pytest

from grounding import errors
from grounding.errors import (
    REFUSALS,
    BoxInvalidError,
    CropError,
    InputError,
    PagewitnessError,
    Refusal,
    StoreError,
    error_context,
    refusal,
)

CONTRACT_REFUSALS = {
    "file_not_found",
    "not_a_pdf",
    "empty_file",
    "password_required",
    "no_pages",
    "damaged",
    "too_large",
    "timed_out",
    "out_of_memory",
    "worker_crashed",
    "unsupported",
}


def descendants(kind: type[PagewitnessError]) -> Iterator[type[PagewitnessError]]:
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from descendants(child)


EVERY = list(descendants(PagewitnessError))
LEAVES = [kind for kind in EVERY if not any(True for _ in descendants(kind))]


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_a_leaf_binds_a_code_an_exit_code_and_a_remedy(leaf: type[PagewitnessError]) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", leaf.code)
    assert leaf.exit_code in (1, 2)
    assert leaf.remedy
    assert leaf.remedy != PagewitnessError.remedy
    assert leaf.remedy == leaf.remedy.strip().rstrip(".")


def test_no_two_classes_share_a_code() -> None:
    codes = [kind.code for kind in EVERY if "code" in vars(kind)]
    assert sorted(codes) == sorted(set(codes))
    assert all("code" in vars(leaf) for leaf in LEAVES)


def test_the_drawn_tree_lists_exactly_the_classes_there_are() -> None:
    """Names, nesting and codes, so that the drawing can be trusted."""
    assert errors.__doc__ is not None
    drawn: dict[str, tuple[int, str]] = {}
    for line in errors.__doc__.splitlines():
        found = re.fullmatch(r" {4}([│ ]*)[├└]── (\w+) *(.*)", line)
        if found:
            drawn[found[2]] = (len(found[1]) // 4, found[3])
    names = {kind.__name__ for kind in EVERY if not issubclass(kind, Refusal) or kind is Refusal}
    assert set(drawn) == names
    for kind in EVERY:
        if kind.__name__ not in drawn:
            continue
        depth, text = drawn[kind.__name__]
        assert depth == (0 if kind in (InputError, StoreError, CropError, Refusal) else 1)
        if depth:
            assert text == kind.code
        else:
            assert f"exit {kind.exit_code}" in text


def test_the_branches_agree_on_their_exit_codes() -> None:
    """2 for the call, the request and the store; 1 where a picture or a file is missing."""
    for branch, code in ((InputError, 2), (StoreError, 2), (CropError, 1), (Refusal, 1)):
        assert {kind.exit_code for kind in (branch, *descendants(branch))} == {code}


def test_the_refusals_are_those_of_the_contract() -> None:
    assert set(REFUSALS) == CONTRACT_REFUSALS
    assert set(REFUSALS.values()) == set(descendants(Refusal))


@pytest.mark.parametrize("code", sorted(CONTRACT_REFUSALS))
def test_a_refusal_is_made_from_its_code(code: str) -> None:
    error = refusal(code, "the message")
    assert isinstance(error, Refusal)
    assert (error.code, error.message) == (code, "the message")


def test_an_unknown_refusal_is_a_bug() -> None:
    with pytest.raises(KeyError):
        refusal("bad_weather", "it rains")


def test_an_error_prints_as_one_line() -> None:
    """Whatever line ends are in its message."""
    error = BoxInvalidError("box [3, 1]\n has   no area")
    assert error.line() == (
        "error[invalid_bbox]: box [3, 1] has no area; give x0,y0,x1,y1 with x0 < x1 and y0 < y1, "
        "in centipoints from the top left"
    )


def test_an_error_prints_as_json_with_the_same_parts() -> None:
    error = BoxInvalidError("no area", remedy="draw it larger")
    assert error.as_dict() == {
        "error": {"code": "invalid_bbox", "message": "no area", "remedy": "draw it larger"}
    }
    assert error.line() == "error[invalid_bbox]: no area; draw it larger"
    assert BoxInvalidError.remedy != "draw it larger"


def test_context_says_where_an_error_came_up_and_nests_from_the_inside_out() -> None:
    with (
        pytest.raises(BoxInvalidError) as caught,
        error_context(document="a.pdf"),
        error_context(page=3, element="e000001"),
    ):
        raise BoxInvalidError("no area")
    wanted = "no area (page 3, element e000001) (document a.pdf)"
    assert str(caught.value) == caught.value.message == wanted


def test_context_leaves_other_errors_alone() -> None:
    with pytest.raises(ZeroDivisionError, match=r"^division by zero$"), error_context(page=3):
        _ = 1 / 0
