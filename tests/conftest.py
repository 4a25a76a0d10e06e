"""Set-up shared by all tests."""

import os

import pytest
import torch

from tests.search import register_profiles

if not torch.cuda.is_available():
    # For the tests of the Triton kernels. Triton looks at it when it is imported, and torch may import Triton.
    os.environ.setdefault("TRITON_INTERPRET", "1")

register_profiles()


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
