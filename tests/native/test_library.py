"""Getting a kernel: built once, whatever the number of processes, and again if the cache was tampered with; without a
compiler, one warning; after a fork.
"""

import os
import subprocess
from pathlib import Path

import pytest

from cloud_transformers.compilation import find_compiler, kernel_names
from tests.native.programs import outcome, start
from tests.needs import needs_compiler

LOAD = """
from cloud_transformers import native
found = native.load("keys")
print(found.library.keys_forward is not None, found.level, found.origin)
"""

RASTERIZE = """
import torch
from cloud_transformers.ops import rasterize
for _ in range(2):
    grid = rasterize(torch.ones(1, 1, 5, 4), torch.zeros(1, 1, 5, 2), 3)
print(grid[0, 0, 1, 1, 0].item())
"""


@needs_compiler
def test_processes_that_start_together_build_once(tmp_path: Path) -> None:
    processes = [start(LOAD, CLOUDT_CACHE=str(tmp_path)) for _ in range(3)]
    results = [process.communicate(timeout=240) for process in processes]
    assert all(output.startswith("True") for output, _ in results), results
    assert sum("compiled now" in output for output, _ in results) == 1, results
    assert sum(errors.count("compiling the fast kernels") for _, errors in results) == 1, results


@needs_compiler
def test_what_the_cache_holds_is_loaded_only_if_it_is_ours_and_whole(tmp_path: Path) -> None:
    def origin() -> str:
        output, errors = outcome(LOAD, CLOUDT_CACHE=str(tmp_path))
        assert output.startswith("True"), errors
        return output.split(maxsplit=2)[2]

    assert origin() == "compiled now"
    assert origin() == "from the cache"
    (library,) = (tmp_path / "native").glob("keys-*.so")
    os.truncate(library, library.stat().st_size // 2)
    assert origin() == "compiled now"
    library.chmod(0o777)
    assert origin() == "compiled now"
    assert origin() == "from the cache"


PLANTED = """
#include <cstdio>
#include <cstdlib>
__attribute__((constructor)) static void run() { std::fclose(std::fopen(std::getenv("MARK"), "w")); }
extern "C" void keys_forward() {}
"""


@needs_compiler
def test_code_that_was_planted_in_the_cache_is_not_run(tmp_path: Path) -> None:
    environment = {"CLOUDT_CACHE": str(tmp_path), "MARK": str(tmp_path / "mark")}
    outcome(LOAD, **environment)
    (library,) = (tmp_path / "native").glob("keys-*.so")
    compiler = find_compiler()
    assert compiler is not None
    (tmp_path / "planted.cpp").write_text(PLANTED)
    planted = tmp_path / "planted.so"
    subprocess.run([compiler.path, "-shared", "-fPIC", tmp_path / "planted.cpp", "-o", planted], check=True)
    outcome(f"import ctypes; ctypes.CDLL({str(planted)!r})", **environment)
    (tmp_path / "mark").unlink()  # it would be there
    library.write_bytes(planted.read_bytes())
    assert outcome(LOAD, **environment)[0].endswith("compiled now")
    assert not (tmp_path / "mark").exists()


def test_without_a_compiler_the_reference_runs_with_one_warning(tmp_path: Path) -> None:
    output, errors = outcome(RASTERIZE, CLOUDT_CACHE=str(tmp_path), PATH=str(tmp_path), CXX="")
    assert output == "1.0", errors
    assert errors.count("RuntimeWarning") == 1
    assert "no C++ compiler was found: install g++ or clang++" in errors


def test_asking_for_what_cannot_be_had_is_an_error(tmp_path: Path) -> None:
    output, errors = outcome(RASTERIZE, CLOUDT_CACHE=str(tmp_path), PATH=str(tmp_path), CXX="", CLOUDT_BACKEND="native")
    assert output == ""
    assert "InputError: the native backend was asked for, but no C++ compiler was found" in errors


def test_importing_compiles_nothing(tmp_path: Path) -> None:
    assert outcome("import cloud_transformers.ops, cloud_transformers.layers", CLOUDT_CACHE=str(tmp_path)) == ("", "")
    assert not list(tmp_path.iterdir())


@needs_compiler
def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "native").write_text("a file where the folder should be")
    output, errors = outcome(RASTERIZE, CLOUDT_CACHE=str(tmp_path))
    assert output == "1.0", errors
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
    output, errors = start(code).communicate(timeout=240)  # workers look for their work in the program that was started
    assert output == "done\n", errors


def test_the_sources_are_found() -> None:
    assert {"rasterize", "derasterize", "transform"} <= set(kernel_names())
