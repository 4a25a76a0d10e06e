# Every target sets up what it needs in .venv; nothing has to be run first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
READY := $(VENV)/.ready# to use the package
DEV_READY := $(VENV)/.dev-ready# to test and check it
BENCH_READY := $(VENV)/.bench-ready# to compare it with others

.PHONY: demo test search check bench clean

demo: $(READY)
	$(BIN)/cloudt demo

test: $(DEV_READY)
	$(BIN)/python -m pytest -n auto --dist loadgroup

# Property tests with many random examples instead of the suite's few and fixed ones.
search: $(DEV_READY)
	$(BIN)/python -m pytest -n auto -m hypothesis --hypothesis-profile search

check: $(DEV_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(BENCH_READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable '.[all]'
	touch $@

$(DEV_READY): $(READY)
	$(PIP) --editable '.[dev]'
	touch $@

# openpoints asks for a torchvision that does not fit every torch, hence without its dependencies.
$(BENCH_READY): $(DEV_READY) benchmarks/openpoints.txt benchmarks/requirements.txt
	$(PIP) --no-deps -r benchmarks/openpoints.txt
	$(PIP) -r benchmarks/requirements.txt
	touch $@
