"""The kernels' own tests with vectors of the widths that no level of this processor has.

At those that it has, `make test` and `make test-levels` run them, with the real instructions.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cloud_transformers import native
from cloud_transformers.compilation import processor_levels
from tests.native.programs import quick_compiler

COMPILER = native.find_compiler()
LANES = {"baseline": 4, "avx2": 8, "avx512": 16}
OTHERS = sorted(set(LANES.values()) - {LANES[level.name] for level in processor_levels()})


@pytest.mark.skipif(os.name != "posix", reason="the compiler is wrapped by a shell script")
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler on this machine")
@pytest.mark.parametrize("lanes", OTHERS)
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
