# Every target sets up .venv itself, once, from the hash-locked requirements.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
HOME_DIR ?= .genoplatform

.DEFAULT_GOAL := help
.PHONY: help setup demo ui test lint bench lock clean

help:  ## show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup: $(READY)  ## make .venv and install the locked requirements

$(READY): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "genoplatform needs Python 3.11 or newer: make PYTHON=python3.11 ..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

demo: $(READY)  ## from pinned sources to the benchmark report
	$(BIN)/genoplatform demo --home $(HOME_DIR)

ui: $(READY)  ## serve the asset graph on http://127.0.0.1:3000
	$(BIN)/genoplatform ui --home $(HOME_DIR)

test: $(READY)  ## all tests; those that need ../shared or the package index skip, saying so, without it
	$(BIN)/python -m pytest

lint: $(READY)  ## formatting, lint, types, layering
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## benchmarks: ratios measured in one run
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

lock: $(READY)  ## resolve the requirements again
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-emit-index-url --no-annotate \
		--generate-hashes --extra docker --extra embedded pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-emit-index-url --no-annotate \
		--generate-hashes --extra docker --extra embedded --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --python-platform x86_64-unknown-linux-gnu --python-version 3.11 --no-header \
		--no-emit-index-url --no-annotate --generate-hashes --extra docker --extra embedded --extra torch \
		-c requirements.lock pyproject.toml docker/requirements-gpu.in -o docker/requirements-gpu.lock
	$(BIN)/uv pip compile --quiet --python-platform x86_64-unknown-linux-gnu --python-version 3.11 --no-header \
		--no-emit-index-url --no-annotate --generate-hashes \
		docker/requirements-vllm.in -o docker/requirements-vllm.lock

clean:  ## remove .venv and what the demo made; the cache of pinned sources goes too
	rm -rf $(VENV) $(HOME_DIR)
