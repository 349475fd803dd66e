"""Who imports whom, what is loaded when, and which names are public."""

import ast
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import letter

from grounding.store import StoreWriter

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "grounding": {"grounding"},
    "ingest": {"ingest", "grounding"},
    "verifier": {"verifier", "grounding"},
    "pagewitness": {"pagewitness", "ingest", "verifier", "grounding"},
}
"""Imports go one way: pagewitness → ingest, verifier → grounding."""
HEAVY = {"pymupdf", "fitz", "pandas", "onnxruntime", "numpy", "cv2"}
PUBLIC = {
    "grounding": [
        "Box",
        "BoxSpace",
        "Capabilities",
        "Cell",
        "CharBoxes",
        "DocumentIdentity",
        "DocumentWarning",
        "Element",
        "ElementKind",
        "Fold",
        "Folded",
        "GroundingSource",
        "Page",
        "PageFrame",
        "PagewitnessError",
        "Parser",
        "Region",
        "SourceFingerprint",
        "Span",
        "SpanFlag",
        "StoreReader",
        "StoreWriter",
        "StoredSource",
        "Style",
        "Table",
        "WarningCode",
        "canonical_bytes",
        "canonical_sha256",
        "fingerprint_bytes",
        "fingerprint_file",
        "fold",
    ],
    "ingest": ["FileResult", "IngestOptions", "IngestSummary", "ingest"],
    "verifier": [
        "PRESETS",
        "Check",
        "Citation",
        "Claim",
        "Report",
        "ReportSet",
        "RequestSet",
        "Submission",
        "VerificationConfig",
        "VerificationRequest",
        "load_config",
        "parse_requests",
        "report_bytes",
        "verify",
        "verify_one",
    ],
    "pagewitness": ["__version__"],
}
"""What others may rely on. A change here is a change for every user: say so in CHANGELOG.md."""


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Full names of all modules that a file imports, inside functions and for types too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            assert node.module is not None
            yield node.module


class TestImports:
    """Read from the source, so that no import hides in a function."""

    @pytest.mark.parametrize("package", MAY_IMPORT)
    def test_imports_go_one_way(self, package: str) -> None:
        found = {
            f"{path.relative_to(ROOT)} imports {name}"
            for path in modules(package)
            for name in imports(path)
            if name.split(".")[0] in MAY_IMPORT.keys() - MAY_IMPORT[package]
        }
        assert len(modules(package)) > 3
        assert found == set()

    @pytest.mark.parametrize("package", ["grounding", "verifier"])
    def test_nothing_is_imported_by_a_name_made_at_run_time(self, package: str) -> None:
        """Such an import would not be seen by the test above."""
        for path in modules(package):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert not names & {"import_module", "__import__"}, path
            assert "importlib" not in set(imports(path)), path

    def test_only_one_module_imports_the_pdf_engine(self) -> None:
        """It sets the engine's global switches, which every reading depends on."""
        found = {
            str(path.relative_to(ROOT))
            for package in MAY_IMPORT
            for path in modules(package)
            if {name.split(".")[0] for name in imports(path)} & {"pymupdf", "fitz"}
        }
        assert found == {"ingest/reading/engine.py"}

    def test_only_ingest_does_arithmetic_on_arrays_and_pixels(self) -> None:
        found = {
            package
            for package in MAY_IMPORT
            for path in modules(package)
            if {name.split(".")[0] for name in imports(path)} & HEAVY
        }
        assert found == {"ingest"}

    def test_the_walk_sees_imports_inside_functions(self, tmp_path: Path) -> None:
        path = tmp_path / "module.py"
        path.write_text("def f():\n    import ingest.x\n    from verifier import y\n")
        assert list(imports(path)) == ["ingest.x", "verifier"]


def run(code: str, *arguments: str) -> tuple[int, set[str], str]:
    """Exit code, modules loaded, and stdout of a program in a fresh interpreter."""
    program = (
        "import json, sys\n"
        "status = 0\n"
        "try:\n"
        + "".join(f"    {line}\n" for line in code.splitlines())
        + "except SystemExit as end:\n"
        "    status = end.code or 0\n"
        "print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    status, loaded = json.loads(done.stderr.splitlines()[-1])
    return status, set(loaded), done.stdout


COMMAND = "from pagewitness.__main__ import main\nmain()"


class TestLoading:
    """What a program pays for."""

    def test_help_loads_no_other_room_and_nothing_heavy(self) -> None:
        status, loaded, out = run(COMMAND, "--help")
        assert status == 0
        assert "verify" in out
        assert not loaded & (HEAVY | {"ingest", "verifier", "pydantic", "sqlite_utils"})

    @pytest.mark.parametrize("package", PUBLIC)
    def test_importing_a_package_loads_no_engine(self, package: str) -> None:
        _, loaded, _ = run(f"import {package}")
        assert package in loaded
        assert not loaded & HEAVY

    def test_grounding_is_light(self) -> None:
        """The store's migrations need sqlite-utils, its readers do not; models at the edges need
        pydantic, values do not."""
        _, loaded, _ = run("import grounding")
        assert "grounding.store.writer" in loaded
        assert not loaded & {"sqlite_utils", "pydantic", "click", "ingest", "verifier"}

    def test_ingest_waits_until_one_of_its_names_is_asked_for(self) -> None:
        _, loaded, _ = run("import ingest")
        assert "ingest.pipeline" not in loaded
        _, loaded, _ = run("from ingest import IngestOptions, ingest")
        assert "ingest.pipeline" in loaded
        assert not loaded & HEAVY

    def test_a_verification_loads_no_engine(self, tmp_path: Path) -> None:
        """A whole one, from the command line, that finds its quote; ingest is not loaded either."""
        db, request = tmp_path / "grounding.db", tmp_path / "request.json"
        with StoreWriter(db) as writer:
            writer.add_document(letter(), "/in/letter.pdf", "letter.pdf", "letter")
        claim = {"kind": "quote", "text": "The river rose by two metres.", "citation": {"page": 1}}
        request.write_text(json.dumps({"document": "letter", "claims": [claim]}))
        status, loaded, out = run(COMMAND, "verify", str(request), "--db", str(db))
        assert json.loads(out)["all_evidence_grounded"] is True
        assert status == 0
        assert "verifier.verify" in loaded
        assert not loaded & (HEAVY | {"ingest", "sqlite_utils"})


class TestPublicNames:
    """`__all__` is what a reader may use."""

    @pytest.mark.parametrize("package", PUBLIC)
    def test_the_public_names_are_frozen(self, package: str) -> None:
        assert sorted(importlib.import_module(package).__all__) == sorted(PUBLIC[package])

    @pytest.mark.parametrize(
        ("package", "name"),
        [(package, name) for package, names in PUBLIC.items() for name in names],
    )
    def test_every_public_name_can_be_imported(self, package: str, name: str) -> None:
        assert getattr(importlib.import_module(package), name) is not None

    def test_a_name_that_ingest_lacks_is_an_attribute_error(self) -> None:
        import ingest

        with pytest.raises(AttributeError, match="module 'ingest' has no attribute 'digest'"):
            _ = ingest.digest

    @pytest.mark.parametrize("package", PUBLIC)
    def test_a_package_is_typed(self, package: str) -> None:
        assert (ROOT / package / "py.typed").is_file()
