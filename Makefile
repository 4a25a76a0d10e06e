# Every target sets up what it needs in .venv; nothing has to be run first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check bench clean

demo: $(READY)
	$(BIN)/cloudt demo

test: $(READY)
	$(BIN)/python -m pytest -n auto

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench-ready
	$(BIN)/python -m benchmarks

# openpoints asks for a torchvision that does not fit every torch, hence without its dependencies.
$(VENV)/.bench-ready: $(READY) benchmarks/openpoints.txt benchmarks/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r benchmarks/openpoints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt -r benchmarks/requirements.txt
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@
