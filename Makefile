# One target each: install, check, test, bench; demo runs the main job on sample_docs/.

PYTHON ?= python3
BIN = .venv/bin

.PHONY: install check test bench demo schemas samples clean

install: .venv/installed

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: install
	$(BIN)/python -m pytest

bench: install
	$(BIN)/python benchmarks/run.py $(FILES)

demo: install
	PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

schemas: install
	$(BIN)/python scripts/make_schemas.py

samples: install
	$(BIN)/python sample_docs/draw.py

clean:
	rm -rf .venv out dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
