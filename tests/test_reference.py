"""The reference page is what the code says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_reference_page_is_up_to_date() -> None:
    """Codes, folds and rules in docs/reference.md are those of the classes."""
    made = subprocess.run(
        [sys.executable, "scripts/make_reference.py", "--check"], cwd=ROOT, check=False
    )
    assert made.returncode == 0
