"""Building at first use: once, whatever the number of processes; without a compiler, with one warning; after a fork."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cloud_transformers import native
from tests.needs import needs_compiler

RASTERIZE = """
import torch
from cloud_transformers.ops import rasterize
for _ in range(2):
    grid = rasterize(torch.ones(1, 1, 5, 4), torch.zeros(1, 1, 5, 2), 3)
print(grid[0, 0, 1, 1, 0].item())
"""


def start(code: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@needs_compiler
def test_processes_that_start_together_build_once(tmp_path: Path) -> None:
    processes = [start(RASTERIZE, CLOUDT_CACHE=str(tmp_path)) for _ in range(3)]
    for process in processes:
        output, errors = process.communicate(timeout=240)
        assert (process.returncode, output.strip()) == (0, "1.0"), errors
    built = [path.name for path in (tmp_path / "native").iterdir() if path.suffix != ".lock"]
    assert len(built) == 1, built


def test_without_a_compiler_the_reference_runs_with_one_warning(tmp_path: Path) -> None:
    process = start(RASTERIZE, CLOUDT_CACHE=str(tmp_path), PATH=str(tmp_path), CXX="")
    output, errors = process.communicate(timeout=240)
    assert (process.returncode, output.strip()) == (0, "1.0"), errors
    assert errors.count("RuntimeWarning") == 1
    assert "no C++ compiler was found: install g++ or clang++" in errors


def test_asking_for_what_cannot_be_had_is_an_error(tmp_path: Path) -> None:
    process = start(RASTERIZE, CLOUDT_CACHE=str(tmp_path), PATH=str(tmp_path), CXX="", CLOUDT_BACKEND="native")
    _, errors = process.communicate(timeout=240)
    assert process.returncode != 0
    assert "InputError: the native backend was asked for, but no C++ compiler was found" in errors


def test_importing_compiles_nothing(tmp_path: Path) -> None:
    process = start("import cloud_transformers.ops, cloud_transformers.layers", CLOUDT_CACHE=str(tmp_path))
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert not list(tmp_path.iterdir())


@needs_compiler
def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "native").write_text("a file where the folder should be")
    process = start(RASTERIZE, CLOUDT_CACHE=str(tmp_path))
    output, errors = process.communicate(timeout=240)
    assert output.strip() == "1.0", errors
    assert "name a writable one in CLOUDT_CACHE" in errors


@needs_compiler
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_worker_can_call_kernels_that_its_parent_used() -> None:
    code = """
import multiprocessing, warnings
import torch
from cloud_transformers.ops import rasterize
def work(index):
    return rasterize(torch.ones(2, 4, 500, 4), torch.zeros(2, 4, 500, 3), 5).sum().item()
torch.set_num_threads(2)
before = work(0)
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map_async(work, range(4)).get(timeout=120) == [before] * 4
print("done")
"""
    process = start(code)
    output, errors = process.communicate(timeout=240)
    assert output.strip() == "done", errors


def test_the_sources_are_found() -> None:
    assert (native.source_folder() / "rasterize.cpp").is_file()
