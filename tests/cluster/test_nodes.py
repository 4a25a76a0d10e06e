"""A machine of the cluster is lost in the middle: its items are done elsewhere, and none is blamed for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cloud_transformers.cluster.pool import pool_of
from tests.cluster.toys import Squares

pytestmark = pytest.mark.cluster


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two machines, as far as Ray can tell: the command's own, without room for workers, and one that can be lost."""
    pytest.importorskip("ray")
    import ray
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_memory_monitor_refresh_ms", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": 80 << 20})
    made.add_node(num_cpus=2, object_store_memory=80 << 20)
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def test_a_lost_machine_is_made_up_for(cluster: Any, tmp_path: Path) -> None:
    import ray

    work = Squares(tmp_path)
    first = next(node for node in cluster.worker_nodes)
    with pool_of(ray, work, workers=2, memory=100 << 20) as pool:
        found = {}
        for number, square in pool.run(range(40)):
            found[number] = square
            if number == 5:
                cluster.add_node(num_cpus=2, object_store_memory=80 << 20)
                cluster.remove_node(first, allow_graceful=False)
    assert found == {number: number**2 for number in range(40)}
