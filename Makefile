# Each command does all its own set-up: `make repro`, `make test`, `make api-docs`.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# How many trainings run side by side, and a profile of profiles/ to run instead of params.yaml as it is.
JOBS ?= 2
PROFILE ?=
PYTHON ?= $(shell command -v python3.11 || command -v python3)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: repro test lint api-docs clean

repro: $(READY)
	@test -e .git || dvc config --local core.no_scm true
	mwp repro --jobs $(JOBS) $(if $(PROFILE),--profile $(PROFILE))
	@echo; cat results/report.md
	@echo; echo "Page: file://$(CURDIR)/results/report.html; tables: results/report.md; metrics: dvc metrics show; curves: dvc plots show; runs: mwp ui"

# Two test processes share the cores out: one thread each.
test: $(READY) lint
	OMP_NUM_THREADS=1 pytest

lint: $(READY)
	ruff check .
	ruff format --check .
	mypy

# docs/api.md from the docstrings.
api-docs: $(READY)
	python -m tools.api_docs

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[pipeline,serve,cluster,dev]'
	@touch $(READY)

clean:
	rm -rf $(VENV)
