"""One Ray per file of tests: to start it takes seconds."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    pytest.importorskip("ray")
    from cloud_transformers.cluster.connection import connected

    with connected("ray", cpus=2) as module:
        yield module
