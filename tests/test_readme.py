"""The README's tour is what the commands print.

PAGEWITNESS_UPDATE_README=1 writes the present output into the README instead; CI asserts that it
is not set.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
UPDATE = "PAGEWITNESS_UPDATE_README"
_BLOCK = re.compile(r"(?<=```console\n)(.*?)(?=```)", re.S)
_VARIES = re.compile(r"\d+\.\d s\b|\b[0-9a-f]{12,64}\b|pymupdf \d[\w.+]*")
"""Seconds; and what changes with the parser's version: fingerprints, hashes and its name."""


def run(command: str, folder: Path) -> str:
    """What a shell prints for a command, stderr included, with its exit code if it failed."""
    environment = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    made = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return made.stdout if made.returncode == 0 else f"{made.stdout}[exit {made.returncode}]\n"


def workplace(folder: Path) -> Path:
    """A folder with the samples and examples, and this interpreter's `pagewitness` and `python` on
    its path."""
    shutil.copytree(ROOT / "sample_docs", folder / "sample_docs")
    shutil.copytree(ROOT / "schemas" / "examples", folder / "schemas" / "examples")
    (folder / "bin").mkdir()
    for name, module in (("pagewitness", " -m pagewitness"), ("python", "")):
        script = folder / "bin" / name
        script.write_text(
            f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}"{module} "$@"\n', "utf-8"
        )
        script.chmod(0o755)
    return folder


def performed(block: str, folder: Path) -> str:
    """A console block with the output that its commands give now."""
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{run(command, folder)}" for command in commands)


def test_the_tour_shows_what_the_commands_print(tmp_path: Path) -> None:
    """Every console block, run in order in one folder, prints what the README says."""
    folder = workplace(tmp_path)
    text = README.read_text("utf-8")
    blocks = _BLOCK.findall(text)
    assert len(blocks) >= 8
    now = [performed(block, folder) for block in blocks]
    if os.environ.get(UPDATE) == "1":
        replacements = iter(now)
        README.write_text(_BLOCK.sub(lambda _: next(replacements), text), "utf-8")
        pytest.fail(f"README.md was rewritten; unset {UPDATE}")
    assert [_VARIES.sub("_", block) for block in blocks] == [
        _VARIES.sub("_", block) for block in now
    ]


def test_the_commands_to_start_with_are_targets_that_ci_runs() -> None:
    """`make demo` and `make test` stand in the README alone in their blocks, and in .ci/run."""
    started = re.findall(r"(?<=```sh\n)(.*?)(?=```)", README.read_text("utf-8"), re.S)
    assert [block.strip() for block in started] == ["make demo", "make test"]
    ci = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert {"make demo", "make test"} <= set(ci)
