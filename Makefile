# Every target sets up what it needs in .venv; nothing has to be run first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
READY := $(VENV)/.ready# to use the package
DEV_READY := $(VENV)/.dev-ready# to test and check it
BENCH_READY := $(VENV)/.bench-ready# to compare it with others
DOCS_READY := $(VENV)/.docs-ready# to build the documentation
# Where Python is told to keep no compiled modules, every process of the tests would compile all of them again.
test search test-levels test-everywhere wheel: export PYTHONDONTWRITEBYTECODE :=
SPREAD := --dist loadfile --no-loadscope-reorder# a file's tests share what they make; long files first, see conftest.py
KERNEL_TESTS := tests/ops --ignore tests/ops/test_triton.py tests/layers tests/models/test_golden_native.py \
  tests/native/test_check_kernels.py::test_at_the_level_in_use
OTHER_LEVELS := tests/ops/test_widths.py tests/native/test_check_kernels.py::test_on_aarch64
SUITE := $(BIN)/python -m pytest -n auto $(SPREAD) -m 'not cluster' $(addprefix --deselect ,$(OTHER_LEVELS))

.PHONY: help demo test test-cluster test-levels test-everywhere search check mutate torture bench docs viewer wheel sbom clean

help:  ## this list
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

demo: $(READY)  ## the four tasks on data made on the spot: scores, and a page with pictures
	$(BIN)/cloudt demo

test: $(DEV_READY)  ## the tests
	$(SUITE)

# A process for each file: what a process once told Ray about tokens, it cannot take back.
test-cluster: $(DEV_READY)  ## the tests that start Ray: workers, machines and commands that are killed
	for file in $$(grep -rl mark.cluster tests --include='test_*.py'); do \
	  $(BIN)/python -m pytest -m cluster $$file || exit 1; \
	done

search: $(DEV_READY)  ## property tests with many random examples instead of the suite's few and fixed ones
	$(BIN)/python -m pytest -n auto -m hypothesis --hypothesis-profile search

test-levels: $(DEV_READY)  ## the kernels' tests at every level that the processor has below its best, and at others in a simulation
	$(BIN)/python -m pytest -n auto --dist load $(OTHER_LEVELS)
	for level in $$($(BIN)/python -m cloud_transformers.compilation --below-best); do \
	  echo "kernels at level $$level"; \
	  CLOUDT_CPU=$$level $(BIN)/python -m pytest -n auto $(SPREAD) $(KERNEL_TESTS) || exit 1; \
	done

# The first run meets an empty cache, the others a warm one. Threads beyond the cores must not wait by turning in circles.
test-everywhere: $(DEV_READY)  ## the whole suite at every level, in another random order and with other threads each: half an hour
	set -- 8 2 1; CLOUDT_CACHE=$$(mktemp -d); export CLOUDT_CACHE; \
	for level in $$($(BIN)/python -m cloud_transformers.compilation --below-best) native; do \
	  echo "all tests at level $$level with $$1 threads"; \
	  OMP_WAIT_POLICY=passive CLOUDT_CPU=$$level CLOUDT_TEST_THREADS=$$1 $(SUITE) --random-order-bucket=global --random-order-seed=$$1 || exit 1; \
	  if [ $$# -gt 1 ]; then shift; fi; \
	done; rm -r "$$CLOUDT_CACHE"

check: $(DEV_READY)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

mutate: $(DEV_READY)  ## do the tests notice one-line changes? about an hour; goes on where it stopped
	$(BIN)/python -m tests.mutation

torture: $(DEV_READY)  ## damaged files, kills, full disks: two hours; goes on where it stopped
	$(BIN)/python -m tests.torture --folder build/torture

bench: $(BENCH_READY)  ## speed and memory, as ratios
	$(BIN)/python -m benchmarks

docs: $(DOCS_READY)  ## the pages of docs/ and the API reference, into site/; builds without a network
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "open site/index.html"

viewer:  ## the viewer's JavaScript, from viewer/ into the package; needs node and npm
	cd viewer && npm ci --ignore-scripts --no-fund --no-audit && npm run build

wheel: $(DEV_READY)  ## kernels of every level inside; tried where there is no compiler
	rm -rf build/wheel && mkdir -p build/wheel dist
	$(BIN)/python -m hatchling build -t wheel -d build/wheel
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/auditwheel repair --plat auto --wheel-dir dist build/wheel/*.whl \
	  || { echo "auditwheel cannot give a manylinux tag here: the wheel keeps the tag of this very system"; \
	       cp build/wheel/*.whl dist; }
	CLOUDT_TEST_WHEEL=$$(ls -t dist/*.whl | head -1) $(BIN)/python -m pytest tests/native/test_wheel.py

# The tool has a place of its own, or its packages would be on the bill.
sbom: $(READY)  ## every package that is installed here with its version, as a bill of materials in dist/sbom.json
	mkdir -p dist
	test -x build/sbom/bin/cyclonedx-py || { $(PYTHON) -m venv build/sbom && \
	  build/sbom/bin/python -m pip install --quiet --disable-pip-version-check 'cyclonedx-bom>=7'; }
	build/sbom/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file dist/sbom.json $(BIN)/python

clean:  ## remove what the targets made
	rm -rf $(VENV) viewer/node_modules build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis

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
