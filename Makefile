# Every target sets up what it needs in .venv; nothing has to be run first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
READY := $(VENV)/.ready# to use the package
DEV_READY := $(VENV)/.dev-ready# to test and check it
BENCH_READY := $(VENV)/.bench-ready# to compare it with others
DOCS_READY := $(VENV)/.docs-ready# to build the documentation
SPREAD := --dist loadfile --no-loadscope-reorder# a file's tests share what they make; long files first, see conftest.py
KERNEL_TESTS := tests/ops --ignore tests/ops/test_triton.py tests/layers tests/models/test_golden_native.py \
  tests/native/test_check_kernels.py::test_at_the_level_in_use

.PHONY: demo test test-levels search check mutate bench docs wheel clean

demo: $(READY)
	$(BIN)/cloudt demo

test: $(DEV_READY)
	$(BIN)/python -m pytest -n auto $(SPREAD)

# Property tests with many random examples instead of the suite's few and fixed ones.
search: $(DEV_READY)
	$(BIN)/python -m pytest -n auto -m hypothesis --hypothesis-profile search

# The kernels once more, at every level that the processor has below its best.
test-levels: $(DEV_READY)
	for level in $$($(BIN)/python -m cloud_transformers.compilation --below-best); do \
	  echo "kernels at level $$level"; \
	  CLOUDT_CPU=$$level $(BIN)/python -m pytest -n auto $(SPREAD) $(KERNEL_TESTS) || exit 1; \
	done

check: $(DEV_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Do the tests notice one-line changes? About an hour; goes on where it stopped.
mutate: $(DEV_READY)
	$(BIN)/python -m tests.mutation

bench: $(BENCH_READY)
	$(BIN)/python -m benchmarks

# The pages of docs/ and the API reference, into site/; builds without a network.
docs: $(DOCS_READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "open site/index.html"

# Kernels of every level inside, the platform's tag outside; then installed where there is no compiler.
wheel: $(DEV_READY)
	rm -rf build/wheel && mkdir -p build/wheel dist
	$(BIN)/python -m hatchling build -t wheel -d build/wheel
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/auditwheel repair --plat auto --wheel-dir dist build/wheel/*.whl \
	  || { echo "auditwheel cannot give a manylinux tag here: the wheel keeps the tag of this very system"; \
	       cp build/wheel/*.whl dist; }
	CLOUDT_TEST_WHEEL=$$(ls -t dist/*.whl | head -1) $(BIN)/python -m pytest tests/native/test_wheel.py

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis

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

$(DOCS_READY): $(READY)
	$(PIP) --editable '.[docs]'
	touch $@
