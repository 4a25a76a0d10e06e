"""The kernels' own tests with vectors of the widths that do not suit this machine: `test_native.py` has its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cloud_transformers import native
from tests.native.programs import quick_compiler

COMPILER = native.find_compiler()
MACROS = COMPILER.predefined if COMPILER else ""
OWN_LANES = 16 if "__AVX512F__" in MACROS else 8 if "__AVX__" in MACROS else 4


@pytest.mark.skipif(os.name != "posix", reason="the compiler is wrapped by a shell script")
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler on this machine")
@pytest.mark.parametrize("lanes", sorted({4, 8, 16} - {OWN_LANES}))
def test_other_widths_agree_with_the_reference(lanes: int, tmp_path: Path) -> None:
    assert COMPILER is not None
    wrapper = quick_compiler(tmp_path, COMPILER, f"-DCLOUDT_LANES={lanes}")
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", str(Path(__file__).parent / "test_native.py")],
        env={**os.environ, "CXX": wrapper, "CLOUDT_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tests.returncode == 0, tests.stdout[-5000:] + tests.stderr[-2000:]
