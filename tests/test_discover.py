"""What a call's paths mean: files, folders and patterns."""

import os
from pathlib import Path

import pytest

from ingest.discover import discover


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """docs/{b.pdf, A.PDF, notes.txt, deep/c.pdf, .git/d.pdf}, with the work folder above it."""
    for name in ("b.pdf", "A.PDF", "notes.txt", "deep/c.pdf", ".git/d.pdf"):
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def paths(*patterns: str) -> list[str]:
    return [item.path for item in discover(patterns)]


def test_a_folder_means_its_pdfs_at_any_depth_sorted_by_path(tree: Path) -> None:
    """Any case of .pdf counts; other names and hidden folders do not."""
    assert paths("docs") == ["docs/A.PDF", "docs/b.pdf", "docs/deep/c.pdf"]


def test_a_named_file_is_taken_whatever_its_suffix(tree: Path) -> None:
    assert paths("docs/notes.txt") == ["docs/notes.txt"]


def test_a_hidden_folder_that_is_named_is_read(tree: Path) -> None:
    assert paths("docs/.git") == ["docs/.git/d.pdf"]


def test_patterns_that_the_shell_left_alone_are_expanded(tree: Path) -> None:
    assert paths("docs/*.pdf") == ["docs/b.pdf"]
    assert paths("**/*.pdf") == ["docs/b.pdf", "docs/deep/c.pdf"]


def test_a_folder_that_a_pattern_matches_is_read_like_a_named_one(tree: Path) -> None:
    assert paths("d*") == ["docs/A.PDF", "docs/b.pdf", "docs/deep/c.pdf"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tree: Path) -> None:
    Path("docs/a[1].pdf").write_bytes(b"")
    assert paths("docs/a[1].pdf") == ["docs/a[1].pdf"]


def test_a_file_reached_twice_is_listed_once_where_it_came_first(tree: Path) -> None:
    os.symlink("b.pdf", "docs/z.pdf")
    assert paths("docs/deep", "docs/b.pdf", "docs", "./docs/../docs/b.pdf") == [
        "docs/deep/c.pdf",
        "docs/b.pdf",
        "docs/A.PDF",
    ]


def test_the_location_is_absolute_and_the_path_stays_as_given(tree: Path) -> None:
    (item,) = discover(["./docs/b.pdf"])
    assert item.path == "./docs/b.pdf"
    assert item.location == os.path.realpath(tree / "docs" / "b.pdf")


def test_links_that_lead_back_up_end(tree: Path) -> None:
    os.symlink("..", "docs/deep/up")
    os.symlink(".", "docs/self")
    assert paths("docs") == ["docs/A.PDF", "docs/b.pdf", "docs/deep/c.pdf"]


def test_a_folder_behind_a_link_is_read(tree: Path) -> None:
    os.symlink("docs/deep", "link")
    assert paths("link") == ["link/c.pdf"]


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("nowhere.pdf", "no such file"),
        ("", "no such file"),
        ("nothing/*.pdf", "no file matches"),
        ("empty", "holds no file"),
    ],
)
def test_what_yields_nothing_becomes_an_item_with_a_problem(
    tree: Path, pattern: str, problem: str
) -> None:
    """So that a mistyped path is refused and the run does not look like a success."""
    Path("empty").mkdir()
    (item,) = discover([pattern])
    assert item.path == pattern
    assert problem in item.problem


def test_a_dead_link_in_a_folder_is_not_passed_over(tree: Path) -> None:
    os.symlink("gone.pdf", "docs/dead.pdf")
    assert "docs/dead.pdf" in paths("docs")
