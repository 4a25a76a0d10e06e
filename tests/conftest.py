"""Set-up shared by all tests."""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from tests.search import register_profiles

if not torch.cuda.is_available():
    # For the tests of the Triton kernels. Triton looks at it when it is imported, and torch may import Triton.
    os.environ.setdefault("TRITON_INTERPRET", "1")

register_profiles()

LARGE = 1 << 28  # bytes


@pytest.fixture(autouse=True, scope="session")
def _one_thread_per_worker() -> None:
    """Test processes that run side by side share the cores: threads of each would only wait for those of the others."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        torch.set_num_threads(1)
        os.environ["OMP_NUM_THREADS"] = "1"  # for the processes that tests start: torch's sums depend on it


@pytest.fixture(autouse=True)
def _same_numbers_every_time() -> None:
    """A test that draws without a generator of its own draws the same in every run."""
    torch.manual_seed(0)


@pytest.fixture(autouse=True)
def _memory_is_given_back() -> Iterator[None]:
    """The C library keeps what a large test has freed; a process that runs several would hold the sum of them."""
    before = _resident_bytes()
    yield
    if _resident_bytes() > before + LARGE:
        gc.collect()
        getattr(ctypes.CDLL(None), "malloc_trim", lambda pad: None)(0)


def _resident_bytes() -> int:
    if sys.platform != "linux":  # nothing can be given back either
        return 0
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
