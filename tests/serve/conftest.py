"""Servers that several tests share, and tiny weights."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.predict.conftest import points, weights
from tests.serve.servers import LIGHT, REAL, Client, Server, running

__all__ = ["points", "weights"]


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server without models, with its usual limits."""
    with running(LIGHT, tmp_path_factory.mktemp("jobs")) as server:
        yield server.client


@pytest.fixture(scope="module")
def real(weights: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with tiny models."""
    named = [word for path in weights.values() for word in ("--weights", path)]
    limits = ("--max-points", 5000, "--max-upload", "1MB", "--memory", "1GB")
    with running(REAL, tmp_path_factory.mktemp("jobs"), *named, *limits) as server:
        yield server
