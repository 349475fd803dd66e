"""`python -m pagewitness`, and the console script of the same name."""

from __future__ import annotations

from pagewitness.cli import cli


def main() -> None:
    """Runs one command and ends the process with its exit code."""
    cli.main(prog_name="pagewitness")


if __name__ == "__main__":
    main()
