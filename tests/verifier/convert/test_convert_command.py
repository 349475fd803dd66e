"""`pagewitness convert` from outside."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from converting import EXAMPLES, FORMATS

from pagewitness.cli import cli

BARE = [{"type": "page_location", "cited_text": "It rose.", "document_title": "a.pdf",
         "start_page_number": 1, "end_page_number": 2}]  # fmt: skip
UNNAMED = {**BARE[0], "document_title": None}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bare.json").write_text(json.dumps(BARE))
    Path("mixed.json").write_text(json.dumps([*BARE, UNNAMED]))


def call(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["convert", *arguments], input=stdin)


def test_requests_go_to_stdout_and_nothing_else_does() -> None:
    result = call("bare.json", "--from", "anthropic")
    assert (result.exit_code, result.stderr) == (0, "")
    claim = {"id": "c0", "kind": "quote", "text": "It rose.", "citation": {"page": 1}}
    assert json.loads(result.stdout) == {"requests": [{"document": "a.pdf", "claims": [claim]}]}


def test_a_citation_that_is_lost_exits_1_and_the_others_are_written() -> None:
    result = call("mixed.json", "--from", "anthropic", "--out", "r.json", "--notes", "n.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("note[document_unnamed]: /1: the citation names no document")
    assert len(json.loads(Path("r.json").read_bytes())["requests"]) == 1
    notes = json.loads(Path("n.json").read_bytes())
    assert (notes["claims"], notes["unconverted"], notes["format"]) == (1, 1, "anthropic")
    assert notes["notes"][0]["where"] == "/1"


def test_document_and_map_name_what_the_citation_does_not() -> None:
    assert call("mixed.json", "--from", "anthropic", "--document", "b.pdf").exit_code == 0
    Path("map.json").write_text('{"sources": [{"name": "a.pdf", "document": "c.pdf"}]}')
    result = call("bare.json", "--from", "anthropic", "--sources", "map.json")
    assert json.loads(result.stdout)["requests"][0]["document"] == "c.pdf"


def test_without_a_citation_no_request_set_is_written() -> None:
    """A request set has at least one request."""
    result = call("-", "--from", "anthropic", "--out", "r.json", "--notes", "n.json", stdin="[]")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "note[nothing_cited]: /: the input holds no citation\n"
    assert not Path("r.json").exists()
    assert json.loads(Path("n.json").read_bytes())["claims"] == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("bare.json", "--from", "openia"), "usage"),
        (("bare.json",), "usage"),
        (("lost.json", "--from", "anthropic"), "invalid_request"),
        (("bare.json", "--from", "haystack", "--sources", "bare.json"), "invalid_conversion_input"),
        (("bare.json", "--from", "langchain"), "invalid_conversion_input"),
        (("bare.json", "--from", "anthropic", "--out", "bare.json"), "output_failed"),
        (("bare.json", "--from", "anthropic", "--out", "x", "--notes", "x"), "output_failed"),
    ],
)
def test_what_cannot_be_used_exits_2_with_one_line(arguments: tuple[str, ...], code: str) -> None:
    if "langchain" in arguments:
        Path("bare.json").write_text('{"context": [{"page_content": 3}]}')
    before = sorted(path.name for path in Path().iterdir())
    result = call(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error[{code}]: ")
    assert sorted(path.name for path in Path().iterdir()) == before


def test_the_place_and_the_expected_shape_are_named() -> None:
    Path("bare.json").write_text('{"context": [{"page_content": 3}]}')
    line = call("bare.json", "--from", "langchain").stderr
    assert "$.context[0].page_content: " in line
    assert "; langchain is an array of documents" in line


def test_notes_move_no_cursor() -> None:
    item = {**BARE[0], "type": "\x1b[2J_location"}
    result = call("-", "--from", "anthropic", stdin=json.dumps([item]))
    assert "\x1b" not in result.stderr


def test_help_names_the_formats_and_exit_codes() -> None:
    text = call("--help").stdout
    assert all(name in text for name in FORMATS)
    assert "Exit codes:" in text


def test_the_same_input_gives_the_same_bytes() -> None:
    path = str(EXAMPLES / "landingai.json")
    first, second = (call(path, "--from", "landingai") for _ in range(2))
    assert first.stdout == second.stdout
    assert first.stderr == second.stderr
