"""Set-up shared by all tests."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from tests import memory
from tests.browser import launched
from tests.search import register_profiles

if not torch.cuda.is_available():
    # For the tests of the Triton kernels. Triton looks at it when it is imported, and torch may import Triton.
    os.environ.setdefault("TRITON_INTERPRET", "1")

register_profiles()

LARGE = 1 << 28  # bytes

# They take longest, so they begin first: no process should be left alone with one of them at the end.
LONG_FILES = tuple(
    f"tests/{name}.py"
    for name in (
        "models/test_golden",
        "export/test_export",
        "native/test_wheel",
        "ops/test_widths",
        "ops/test_native",
        "test_howto",
        "engine/test_together",
        "recipes/test_recipes",
        "world/test_world_layouts",
    )
)


def pytest_xdist_auto_num_workers() -> int:
    """For `-n auto`, one more than there are cores: a quarter of the time, tests wait for servers and pages."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_FILES))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, for the tests of one file: playwright allows one at a time in a process."""
    with launched() as started:
        yield started


@pytest.fixture(autouse=True, scope="session")
def _one_thread_per_worker() -> None:
    """Test processes that run side by side share the cores: threads of each would only wait for those of the others.

    CLOUDT_TEST_THREADS has more of them, for `make test-everywhere`: answers must not depend on their number.
    """
    if "PYTEST_XDIST_WORKER" in os.environ:
        threads = os.environ.get("CLOUDT_TEST_THREADS", "1")
        torch.set_num_threads(int(threads))
        os.environ["OMP_NUM_THREADS"] = threads  # for the processes that tests start: torch's sums depend on it


@pytest.fixture(autouse=True)
def _same_numbers_every_time() -> None:
    """A test that draws without a generator of its own draws the same in every run."""
    torch.manual_seed(0)


@pytest.fixture(autouse=True, scope="session")
def _trainings_keep_no_memory() -> Iterator[None]:
    """One training keeps what it frees for its next step; a process that runs a hundred would hold the sum of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cloud_transformers.native.keep_freed_memory", lambda: False)
        yield


class Held:
    least = 1 << 60  # bytes that were resident after the last time that memory was given back


@pytest.fixture(autouse=True)
def _memory_is_given_back() -> Iterator[None]:
    """Whenever a process has grown."""
    yield
    if memory.resident_bytes() > Held.least + LARGE:
        memory.give_back()
        Held.least = memory.resident_bytes()
    Held.least = min(Held.least, memory.resident_bytes())
